"""A lecture with the speaker's window: notes, hands, what comes next, and who has the keys."""

import json
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import numpy
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QStyle,
    QStyleOptionFrame,
    QWidget,
)

from app.controls.layouts import ElidedLabel
from app.guide.play.poll import HANDS_LIMIT, PollChoice
from app.guide.run.guide_runner import LAST_STEP
from app.lessons.lesson import Choice
from app.lessons.parsing import CHOICE_LIMIT
from app.window.dialogs.file_dialogs import FileDialog
from app.window.frame.main_window import MainWindow
from app.window.frame.presentation import ASKS_END
from app.window.speaker.choices import HANDS_REFUSAL, HandCard
from app.window.speaker.pictures import Picture
from app.window.speaker.window import SpeakerWindow
from engine.asking.beliefs import BELIEFS
from tests.helpers import mouse
from tests.helpers.frames import FewFrames
from tests.helpers.lecturing import ASKED, CALLED_OUT, LAST, NOTES, Lecturer, lecture_of, steps_of
from tests.helpers.sampling import spread
from tests.helpers.steps import PlannedStep, lesson_of, lesson_on, step_at
from tests.helpers.window import choose_file, click, node, opened_window, press, said, until

ALT, CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
SHIFT, NONE = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier
SIZES = ((1366, 768), (1280, 720), (1024, 640), (1920, 1080), (1024, 600))


def present(window: MainWindow) -> None:
    window.canvas.setFocus()
    window.resize(1280, 720)
    window.present_lesson(lecture_of(window))
    press(window, Qt.Key.Key_F5, modifier=SHIFT)
    settle()


@pytest.fixture
def lecturing(qtbot) -> Iterator[MainWindow]:
    """A lecture in full screen, with the speaker's window beside."""
    with opened_window(qtbot, example="shared-leaf", prepare=present) as window:
        yield window


def settle() -> None:
    """Let the speaker's window follow: its pictures wait until the room has been painted."""
    for _ in range(5):
        QApplication.processEvents()


def speaker_of(window: MainWindow) -> SpeakerWindow:
    found = window.speaker.window
    assert found is not None
    assert found.isVisible()
    return found


def press_there(window: SpeakerWindow, key: Qt.Key, modifier=Qt.KeyboardModifier.NoModifier):
    """Press a key in the speaker's window, wherever its caret is."""
    window.activateWindow()
    settle()
    QTest.keyClick(window.focusWidget() or window, key, modifier)
    settle()


def type_there(window: SpeakerWindow, text: str) -> None:
    window.activateWindow()
    settle()
    focused = window.focusWidget()
    assert focused is not None
    QTest.keyClicks(focused, text)
    press_there(window, Qt.Key.Key_Return)


def go_to(window: MainWindow, at: int) -> None:
    window.context.guides.go_to(at)
    settle()


def hands(window: MainWindow) -> tuple[int, ...]:
    state = window.context.guides.room
    assert state is not None
    assert state.poll is not None
    return state.poll.hands


def place(window: MainWindow) -> tuple[int, str]:
    state = window.context.guides.room
    assert state is not None
    return state.at, state.stage


# opening and closing


def test_on_one_screen_shift_f5_opens_a_window_beside_and_closes_it(shared_leaf: MainWindow):
    shared_leaf.document.set_lesson(
        lesson_of(steps_of(shared_leaf), shared_leaf.document.graph), "Add steps"
    )
    press(shared_leaf, Qt.Key.Key_F5)
    assert shared_leaf.speaker.window is None
    press(shared_leaf, Qt.Key.Key_F5, modifier=SHIFT)
    window = speaker_of(shared_leaf)
    assert not window.isFullScreen()
    assert window.isActiveWindow(), "it is in front of the sheet in full screen"
    assert window.top.title.text() == shared_leaf.document.title
    press_there(window, Qt.Key.Key_F5, SHIFT)
    assert not window.isVisible()
    assert shared_leaf.presenting
    press(shared_leaf, Qt.Key.Key_Escape)
    press(shared_leaf, Qt.Key.Key_F5, modifier=SHIFT)  # begins the lecture that is not on
    assert shared_leaf.presenting
    assert speaker_of(shared_leaf).top.step_number.text() == "step 1 of 8"


def test_closing_the_window_goes_on_with_the_lecture_and_its_end_closes_the_window(
    lecturing: MainWindow,
):
    window = speaker_of(lecturing)
    window.close()
    assert lecturing.context.guides.room is not None
    press(lecturing, Qt.Key.Key_F5, modifier=SHIFT)
    press_there(speaker_of(lecturing), Qt.Key.Key_Escape)
    press_there(speaker_of(lecturing), Qt.Key.Key_Escape)
    assert not window.isVisible()
    assert not lecturing.presenting
    assert lecturing.context.guides.room is None


def test_an_end_is_asked_for_in_the_speakers_window_alone_and_any_other_key_goes_on(
    lecturing: MainWindow,
):
    window = speaker_of(lecturing)
    usual = window.hands_hint.text()
    for first in (Qt.Key.Key_Escape, Qt.Key.Key_F5):
        press_there(window, first)
        assert lecturing.presenting
        assert window.hands_hint.text() == ASKS_END
        assert said(lecturing) == ""
        press_there(window, Qt.Key.Key_0)
        assert window.hands_hint.text() == usual
    press(lecturing, Qt.Key.Key_Escape)  # as the room's window has it, too
    settle()
    assert window.hands_hint.text() == ASKS_END
    press(lecturing, Qt.Key.Key_Escape)
    assert not lecturing.presenting


def test_without_the_window_esc_ends_at_once(lecturing: MainWindow):
    speaker_of(lecturing).close()
    press(lecturing, Qt.Key.Key_Escape)
    assert not lecturing.presenting


# what it shows


def test_the_picture_is_what_the_room_sees(lecturing: MainWindow):
    window = speaker_of(lecturing)
    for at in range(LAST + 1):
        go_to(lecturing, at)
        copy = picture(window.now)
        inside = copy.rect().adjusted(3, 3, -3, -3)  # within its frame
        room = _smooth(lecturing.grab(), copy)
        difference = _gray(room.copy(inside)) - _gray(copy.copy(inside))
        assert numpy.abs(difference).mean() < 4, f"step {at + 1}"
        shown = _gray(copy.copy(inside))
        assert shown.std() > 2, "there is something on it"


def picture(part: Picture) -> QImage:
    """A picture of the room, as it is shown."""
    return part.grab(part.area).toImage()


def _smooth(pixmap: QPixmap, like: QImage) -> QImage:
    keep = Qt.AspectRatioMode.IgnoreAspectRatio
    return pixmap.toImage().scaled(like.size(), keep, Qt.TransformationMode.SmoothTransformation)


def _gray(image: QImage) -> numpy.ndarray:
    gray = image.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = numpy.frombuffer(gray.constBits(), numpy.uint8).reshape(gray.height(), -1)
    return rows[:, : gray.width()].astype(float)


def test_the_picture_follows_a_black_screen(lecturing: MainWindow):
    window = speaker_of(lecturing)
    click(window.black)
    settle()
    assert _gray(picture(window.now))[20:-20, 20:-20].max() == 0
    click(window.black)
    settle()
    assert _gray(picture(window.now))[20:-20, 20:-20].max() == 255


def test_the_mouse_over_the_picture_shows_the_ring_in_the_room_and_lights_a_node(
    lecturing: MainWindow,
):
    window = speaker_of(lecturing)
    go_to(lecturing, 1)
    box = lecturing.canvas.scene.boxes[node(lecturing, "a")]
    in_view = lecturing.canvas.camera.to_screen(box.rect.center())
    in_room = QPointF(lecturing.canvas.viewport().mapTo(lecturing, in_view.toPoint()))
    at = (in_room * window.now.factor).toPoint()
    before = picture(window.now)
    mouse.hover(window.now, QPointF(at))
    settle()
    ring = lecturing.lecture_screen.ring
    assert ring is not None
    assert ring.isVisible()
    assert (QPointF(ring.geometry().center()) - in_room).manhattanLength() < 6
    assert picture(window.now) != before, "the speaker sees it, too"
    QTest.mouseClick(window.now, Qt.MouseButton.LeftButton, pos=at)
    settle()
    assert lecturing.context.selection.lesson_targets.lit == {node(lecturing, "a")}


def test_captions_say_what_the_next_page_down_does(lecturing: MainWindow):
    window = speaker_of(lecturing)
    assert window.top.total.text() == "of 18:00"
    assert window.next_head.text() == "After PageDown: step 2, first arrival"
    go_to(lecturing, ASKED)
    assert window.next_head.text() == "After PageDown: reveal"
    assert window.onwards.text() == "Reveal"
    click(window.onwards)
    assert place(lecturing) == (ASKED, "revealed")
    assert window.next_head.text() == "After PageDown: step 4, make it 0"
    assert window.onwards.text() == "Next"


def test_the_next_picture_has_the_answer_that_the_room_will_see(lecturing: MainWindow):
    window = speaker_of(lecturing)
    go_to(lecturing, ASKED)
    before = _gray(picture(window.following))
    press(lecturing, Qt.Key.Key_PageDown)
    settle()
    room = _gray(_smooth(lecturing.grab(), picture(window.following)))
    inside = numpy.s_[3:-3, 3:-3]
    assert numpy.abs(before - room)[inside].mean() < 4


@pytest.mark.parametrize("example", ["shared-leaf", "demonstration"])
def test_the_next_picture_has_the_graph_where_the_room_will_see_it(qtbot, example: str):
    with opened_window(qtbot, example=example) as window:
        window.resize(1280, 720)
        end = step_at(window.document.graph, "backward", 99)
        planned_steps = [PlannedStep(), replace(end, mistake="assign"), end]
        window.present_lesson(lesson_on(planned_steps, window.document.sheet.drawing()))
        Lecturer(window).press(Qt.Key.Key_F5, modifier=SHIFT)
        settle()
        following = speaker_of(window).following
        for _ in range(2):
            settle()
            foreseen = _extent(picture(following))
            press(window, Qt.Key.Key_PageDown)
            settle()
            seen = _extent(_smooth(window.grab(), picture(following)))
            assert numpy.abs(foreseen - seen).max() <= 2, (foreseen, seen)


def _extent(image: QImage) -> numpy.ndarray:
    """The first and last row and column of the graph in a picture of the room."""
    above_strip = _gray(image)[3 : round(image.height() * 0.75), 3:-3]
    rows, columns = numpy.nonzero(above_strip < 200)
    return numpy.array([rows.min(), rows.max(), columns.min(), columns.max()])


def test_notes_are_plain_text_of_a_size_that_is_kept_and_scrolled_by_keys(lecturing: MainWindow):
    window = speaker_of(lecturing)
    go_to(lecturing, ASKED)
    assert window.notes.text.toPlainText() == NOTES
    height = window.notes.text.document().size().height()
    click(window.notes.larger)
    assert window.notes.text.document().size().height() > height
    assert lecturing.context.settings.notes_size == 23
    window.notes.show_notes("<b>bold</b>")
    assert window.notes.text.toPlainText() == "<b>bold</b>"
    window.notes.show_notes("\n".join(f"line {k}" for k in range(60)))
    bar = window.notes.text.verticalScrollBar()
    press_there(window, Qt.Key.Key_Down, CTRL)
    assert bar.value() > 0
    press_there(window, Qt.Key.Key_Up, CTRL)
    assert bar.value() == 0


def test_a_tick_paints_no_picture(lecturing: MainWindow):
    window = speaker_of(lecturing)
    painted = []
    window.now.painted.connect(lambda: painted.append("now"))
    window.following.painted.connect(lambda: painted.append("next"))
    lecturing.context.guides.ticked.emit()
    settle()
    assert not painted
    press(lecturing, Qt.Key.Key_PageDown)
    settle()
    assert set(painted) == {"now", "next"}


def test_the_room_is_painted_before_the_pictures_of_it_and_each_of_them_once(lecturing: MainWindow):
    FewFrames.each = 1
    window, order = speaker_of(lecturing), []
    window.now.painted.connect(lambda: order.append("now"))
    window.following.painted.connect(lambda: order.append("next"))
    watch = PaintWatch(lambda: order.append("room"))
    lecturing.canvas.viewport().installEventFilter(watch)
    lecturing.context.guides.go_on()
    until(lambda: {"now", "next"} <= set(order))
    settle()
    assert (order.count("now"), order.count("next")) == (1, 1)
    assert order[0] == "room"  # it may be painted again, when its numbers have been measured


class PaintWatch(QObject):
    """Calls a function at every paint event of a widget."""

    def __init__(self, call: Callable[[], object]) -> None:
        super().__init__()
        self._call = call

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._call()
        return False


def test_texts_have_their_usual_size_while_those_of_the_room_are_large(lecturing: MainWindow):
    window = speaker_of(lecturing)
    assert lecturing.context.style.presented > 1
    for label in (window.now_head, window.hands_hint, window.top.step_number):
        assert label.fontInfo().pixelSize() <= 16, label.text()
    assert window.onwards.fontInfo().pixelSize() <= 16


def test_every_text_has_its_space_at_all_sizes(lecturing: MainWindow):
    window = speaker_of(lecturing)
    for size, at in spread(SIZES, range(LAST + 1)):
        window.resize(*size)
        go_to(lecturing, at)
        for label in window.findChildren(QLabel):
            if label.isVisible() and not isinstance(label, ElidedLabel):
                assert label.width() >= label.sizeHint().width(), (size, at, label.text())
        for label in (window.top.title, window.next_head, window.hands_hint):
            assert label.shown_text() == label.text(), (size, at)
        for button in window.findChildren(QAbstractButton):
            if button.isVisible():
                assert button.width() >= button.sizeHint().width(), (size, at, button.text())
        assert not overlaps(window), (size, at)


def overlaps(window: SpeakerWindow) -> list[tuple[QWidget, QWidget]]:
    """The parts that cover another one, and those that leave the window."""
    parts = [w for w in window.findChildren(QWidget) if w.isVisible() and not w.children()]
    parts = [w for w in parts if not window.steps.isAncestorOf(w)]  # a row that is scrolled
    places = {w: QRect(w.mapTo(window, QPoint()), w.size()) for w in parts}
    pairs = combinations(places, 2)
    outside = [(w, w) for w, place in places.items() if not window.rect().contains(place)]
    return outside + [(a, b) for a, b in pairs if places[a].intersects(places[b])]


def shows_all(card: HandCard) -> bool:
    """Whether no text of a card is cut off."""
    button, verdict = card.button, card.verdict
    needed = verdict.heightForWidth(verdict.width())
    return button.width() >= button.sizeHint().width() and verdict.height() >= needed


def test_the_name_of_every_slip_and_the_hands_of_a_full_hall_fit_their_card(lecturing: MainWindow):
    window = speaker_of(lecturing)
    go_to(lecturing, ASKED)
    window.cards.hands_typed.emit(1, HANDS_LIMIT)
    for size in SIZES[:4]:
        window.resize(*size)
        settle()
        card, field = window.cards.cards[0], window.cards.cards[1].field
        for name in {slip.name for slip in BELIEFS}:
            for label in ("−4", "−0.3935"):
                card.show_choice(PollChoice(label, -4.0, slip=name), 9, 9, is_open=True)
                settle()
                assert shows_all(card), (size, name, label)
        assert field.text() == "9999"
        for _ in ("shown", "typed into"):
            option = QStyleOptionFrame()
            field.initStyleOption(option)
            part = QStyle.SubElement.SE_LineEditContents
            inside = field.style().subElementRect(part, option, field)
            needed = field.fontMetrics().horizontalAdvance(field.text())
            assert needed <= inside.width() - 2 * 2, size  # a QLineEdit keeps 2 px at both ends
            field.setFocus()
        window.setFocus()


def test_choices_in_words_fit_their_cards(shared_leaf: MainWindow):
    words = ("it adds up what comes from both of them", "the last one is all that is left of it")
    choices = tuple(Choice(text[:CHOICE_LIMIT], right=text[0] == "i") for text in words)
    planned = PlannedStep(
        "ask", asks="text", text="What does += do?", choices=(*choices, Choice(words[0][:30]))
    )
    shared_leaf.present_lesson(lesson_on([planned], shared_leaf.document.sheet.drawing()))
    press(shared_leaf, Qt.Key.Key_F5, modifier=SHIFT)
    window = speaker_of(shared_leaf)
    for size in SIZES[:4]:
        window.resize(*size)
        settle()
        for card, choice in zip(window.cards.cards[:3], planned.choices, strict=True):
            assert shows_all(card), (size, choice.text)


def test_a_choice_among_mistakes_says_to_the_speaker_where_it_differs(shared_leaf: MainWindow):
    end = step_at(shared_leaf.document.graph, "backward", 7)
    planned = replace(end, kind="ask", asks="mistake", mistake="assign")
    shared_leaf.present_lesson(lesson_on([planned], shared_leaf.document.sheet.drawing()))
    press(shared_leaf, Qt.Key.Key_F5, modifier=SHIFT)
    window = speaker_of(shared_leaf)
    settle()
    captions = [card.caption for card in window.cards.cards if card.isVisible()]
    assert captions[0].endswith("(right)")
    assert all("differs from this pass at step" in caption for caption in captions[1:])


def test_the_room_does_not_read_what_is_said_to_the_speaker(lecturing: MainWindow):
    window = speaker_of(lecturing)
    go_to(lecturing, LAST)
    press_there(window, Qt.Key.Key_PageDown)
    assert window.hands_hint.text() == LAST_STEP
    assert window.hands_hint.property("kind") == "secondary"  # no error
    assert said(lecturing) == ""
    press_there(window, Qt.Key.Key_PageUp)
    assert window.hands_hint.text() != LAST_STEP
    press_there(window, Qt.Key.Key_F5, SHIFT)  # closes it; the lecture goes on
    go_to(lecturing, LAST)
    press(lecturing, Qt.Key.Key_PageDown)
    assert said(lecturing) == LAST_STEP


def test_what_is_said_during_a_lecture_is_said_to_the_speaker_while_there_is_one(
    lecturing: MainWindow,
):
    go_to(lecturing, ASKED)
    speaker, window = speaker_of(lecturing), lecturing

    def foot() -> str:
        shown = window.strip.room_strip
        assert shown is not None
        return "".join(shown.foot)

    assert "PageDown" not in foot()
    assert "keys" not in foot()
    press_there(speaker, Qt.Key.Key_F1)
    assert "PageDown and PageUp: next, previous" in speaker.hands_hint.text()
    press_there(speaker, Qt.Key.Key_S, CTRL)
    assert "A lecture's sheet is not saved." in speaker.hands_hint.text()
    assert said(window) == "", "nothing in the room"
    press_there(speaker, Qt.Key.Key_F5, SHIFT)
    assert not window.speaker.is_open
    assert foot().endswith("PageDown reveals")
    press(window, Qt.Key.Key_S, modifier=CTRL)
    assert said(window).startswith("A lecture's sheet is not saved.")


def test_a_time_that_becomes_longer_gets_its_space(
    lecturing: MainWindow, monkeypatch: pytest.MonkeyPatch
):
    window = speaker_of(lecturing)
    monkeypatch.setattr(type(lecturing.context.guides), "seconds", 36_000.0)
    lecturing.context.guides.ticked.emit()
    settle()
    assert window.top.running_time.text() == "10:00:00"
    assert window.top.running_time.width() >= window.top.running_time.sizeHint().width()
    assert not window.top.running_time.geometry().intersects(window.top.total.geometry())


def test_tab_goes_from_the_fields_over_the_buttons_and_steps_to_the_notes(lecturing: MainWindow):
    window = speaker_of(lecturing)
    go_to(lecturing, ASKED)
    window.cards.focus_field(0)
    window.activateWindow()
    settle()
    order = []
    for _ in range(24):
        focused = QApplication.focusWidget()
        assert focused is not None
        order.append(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    wanted = [*(part for card in window.cards.cards for part in (card.button, card.field))][1:]
    wanted += [
        *(window.previous, window.onwards, window.timer, window.black, window.code),
        *window.steps.buttons,
    ]
    wanted += [*window.leaves.fields.values(), window.notes.text, window.notes.smaller]
    assert order == wanted[:24]


def test_another_lecture_begins_without_ticks(lecturing: MainWindow):
    go_to(lecturing, 3)
    press(lecturing, Qt.Key.Key_Escape, Qt.Key.Key_Escape)
    lecturing.present_lesson(replace(lecture_of(lecturing), title="Another one"))
    press(lecturing, Qt.Key.Key_F5, modifier=SHIFT)
    settle()
    names = [button.accessibleName() for button in speaker_of(lecturing).steps.buttons]
    assert not [name for name in names if "done" in name]


# hands


def test_no_field_has_the_caret_before_it_is_put_there(lecturing: MainWindow):
    window = speaker_of(lecturing)
    go_to(lecturing, ASKED)
    for _ in range(2):
        window.activateWindow()
        settle()
        assert QApplication.focusWidget() is window
        lecturing.activateWindow()
        settle()


def test_alt_and_a_digit_put_the_caret_into_a_field(lecturing: MainWindow):
    window = speaker_of(lecturing)
    go_to(lecturing, ASKED)
    press_there(window, Qt.Key.Key_2, ALT)
    type_there(window, "5")
    assert hands(lecturing) == (0, 5, 0, 0)
    press(lecturing, Qt.Key.Key_3, modifier=ALT)  # from the room's window, too
    type_there(window, "6")
    assert hands(lecturing) == (0, 5, 6, 0)


def test_a_count_that_is_none_is_refused_and_changes_nothing(lecturing: MainWindow):
    window = speaker_of(lecturing)
    go_to(lecturing, ASKED)
    for text in ("two", "-1", "1,5", "10000", "²"):
        window.say("")
        window.cards.focus_field(0)
        window.cards.cards[0].field.clear()
        type_there(window, text)
        assert hands(lecturing) == (0, 0, 0, 0)
        assert window.hands_hint.text() == HANDS_REFUSAL, text
    press_there(window, Qt.Key.Key_Escape)
    assert window.cards.cards[0].field.text() == "0"
    assert lecturing.presenting, "the first Esc only leaves the field"


def test_with_the_caret_in_a_field_the_remote_still_leads(lecturing: MainWindow):
    window = speaker_of(lecturing)
    go_to(lecturing, ASKED)
    window.cards.focus_field(0)
    press_there(window, Qt.Key.Key_4)
    press_there(window, Qt.Key.Key_PageDown)
    assert place(lecturing) == (ASKED, "revealed")
    assert hands(lecturing) == (0, 0, 0, 0), "a digit in a field is no hand"
    press_there(window, Qt.Key.Key_PageUp)
    window.cards.focus_field(0)
    press_there(window, Qt.Key.Key_Period)
    assert place(lecturing) == (ASKED, "revealed")


def test_a_count_is_typed_into_the_field_of_a_choice_that_the_speaker_sees_named(
    lecturing: MainWindow,
):
    window = speaker_of(lecturing)
    go_to(lecturing, ASKED)
    names = [card.caption for card in window.cards.cards]
    assert names == ["own value", "upstream forgotten", "local derivative forgotten", "right"]
    assert window.cards.cards[3].field.accessibleName() == "Hands for 4, +6, right"
    click(window.cards.cards[3].field)
    type_there(window, "17")
    assert hands(lecturing) == (0, 0, 0, 17)
    press_there(window, Qt.Key.Key_1)  # the caret has left the field, so digits count again
    assert hands(lecturing) == (1, 0, 0, 17)
    assert window.cards.cards[0].field.text() == "1"


def test_the_hint_says_where_digits_go_while_numbers_are_called_out(lecturing: MainWindow):
    window = speaker_of(lecturing)
    go_to(lecturing, CALLED_OUT)
    press_there(window, Qt.Key.Key_1, ALT)
    type_there(window, "6")
    type_there(window, "-4")
    assert window.hands_hint.text() == (
        "0 raised; digits go to the field; after Esc keys 1–2 add one"
    )
    press_there(window, Qt.Key.Key_2)
    assert hands(lecturing) == (0, 0)
    press_there(window, Qt.Key.Key_Escape)
    assert window.hands_hint.text().startswith("0 raised; keys 1–2 or a click add one")
    press_there(window, Qt.Key.Key_2)
    assert hands(lecturing) == (0, 1)


def test_up_to_four_numbers_that_are_called_out_become_choices(lecturing: MainWindow):
    window = speaker_of(lecturing)
    go_to(lecturing, CALLED_OUT)
    field = window.cards.cards[0].field
    assert field.accessibleName() == "Number that was called out"
    window.cards.focus_field(0)
    type_there(window, "two")
    assert window.hands_hint.text().startswith("Write a number")
    assert hands(lecturing) == ()
    field.clear()
    type_there(window, "-2*-3")
    assert hands(lecturing) == (0,)
    assert window.cards.cards[0].caption == "right"
    type_there(window, "0.5")  # its point reveals nothing, and the caret waits for the next number
    assert place(lecturing) == (CALLED_OUT, "asked")
    assert window.cards.cards[1].caption == "no known slip"
    for text in ("3", "4"):
        type_there(window, text)
    assert hands(lecturing) == (0, 0, 0, 0)
    assert all(card.field.counts for card in window.cards.cards)
    press_there(window, Qt.Key.Key_2)
    assert hands(lecturing) == (0, 1, 0, 0), "the last number has given the keyboard back"


def test_a_click_on_a_choice_adds_a_hand_and_with_shift_takes_one_back(lecturing: MainWindow):
    window = speaker_of(lecturing)
    go_to(lecturing, ASKED)
    button = window.cards.cards[2].button
    for modifier in (NONE, NONE, SHIFT):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton, modifier)
    assert hands(lecturing) == (0, 0, 1, 0)
    settle()
    assert [card.bar.value() for card in window.cards.cards] == [0, 0, 1, 0]
    assert not button.hasFocus(), "digits still count"
    lecturing.context.guides.reveal()
    settle()
    click(button)
    assert hands(lecturing) == (0, 0, 1, 0), "after the answer no hand is raised"


# values


def test_a_value_typed_there_changes_the_sheet_that_is_locked_in_the_room(lecturing: MainWindow):
    window = speaker_of(lecturing)
    go_to(lecturing, 1)
    a = node(lecturing, "a")
    field = window.leaves.fields[a]
    assert field.text() == "2"
    field.setFocus(Qt.FocusReason.TabFocusReason)
    type_there(window, "1.5")  # its point reveals and covers nothing
    settle()
    assert lecturing.document.graph.leaf_values[a] == 1.5
    assert lecturing.document.locked
    assert said(lecturing) == ""
    assert window.focusWidget() is window, "the keys of the lecture work again"
    press_there(window, Qt.Key.Key_Z, CTRL)
    assert lecturing.document.graph.leaf_values[a] == 2.0
    assert field.text() == "2"


def test_a_value_that_is_no_number_is_refused_there(lecturing: MainWindow):
    window = speaker_of(lecturing)
    field = window.leaves.fields[node(lecturing, "a")]
    field.setFocus(Qt.FocusReason.TabFocusReason)
    type_there(window, "two")
    assert "number" in window.hands_hint.text()
    press_there(window, Qt.Key.Key_Escape)
    assert field.text() == "2"
    assert lecturing.presenting, "the first Esc only leaves the field"


# steps


def test_a_timer_has_a_button_only_where_the_step_has_one_or_it_runs(lecturing: MainWindow):
    window = speaker_of(lecturing)
    assert window.timer.isVisible()
    go_to(lecturing, LAST)
    assert window.timer.isHidden()
    press_there(window, Qt.Key.Key_T)
    assert window.timer.isVisible()
    click(window.timer)
    settle()
    assert window.timer.isHidden()


def test_a_click_on_a_step_goes_there(lecturing: MainWindow):
    window = speaker_of(lecturing)
    click(window.steps.buttons[3])
    assert place(lecturing) == (3, "shown")
    assert window.steps.buttons[3].accessibleName() == "Step 4, make it 0, current"
    assert window.steps.buttons[0].accessibleName() == "Step 1, read twice, done"
    assert window.steps.buttons[5].accessibleName() == "Step 6, which bug?, question"


# the keyboard


def test_tab_reaches_buttons_which_space_and_enter_press(lecturing: MainWindow):
    window = speaker_of(lecturing)
    go_to(lecturing, 1)
    window.previous.setFocus(Qt.FocusReason.TabFocusReason)
    press_there(window, Qt.Key.Key_Space)
    assert place(lecturing) == (0, "shown")
    window.clearFocus()
    window.previous.clearFocus()
    press_there(window, Qt.Key.Key_Space)
    assert place(lecturing) == (1, "shown"), "without a button Space goes on"


def test_everything_that_takes_the_keyboard_has_a_name(lecturing: MainWindow):
    window = speaker_of(lecturing)
    go_to(lecturing, ASKED)
    for widget in window.findChildren(QWidget):
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            assert widget.accessibleName(), widget
    assert window.childAt(QPoint(window.width() // 4, window.height() // 3)) is window.now


def test_after_the_last_step_the_hands_are_drawn_and_saved(lecturing: MainWindow, tmp_path: Path):
    window = speaker_of(lecturing)
    go_to(lecturing, LAST)
    assert window.save.isHidden(), "there are none yet"
    go_to(lecturing, ASKED)
    for index, count in enumerate((9, 4, 2, 11)):
        lecturing.context.guides.set_hands(index, count)
    assert window.chart_area.isHidden()
    go_to(lecturing, LAST)
    assert window.chart_area.isVisible()
    said = window.chart.accessibleName()
    assert said == (
        "Step 3, the second: −4 (own value): 9; −3 (upstream forgotten): 4; "
        "−2 (local derivative forgotten): 2; +6 (right): 11."
    )
    click(window.save)
    assert len(window.findChildren(FileDialog)) == 1
    choose_file(window, tmp_path / "first.json")
    (question,) = json.loads((tmp_path / "first.json").read_bytes())["questions"]
    assert question["step"] == ASKED + 1
    assert [choice["hands"] for choice in question["choices"]] == [9, 4, 2, 11]


def test_numbers_that_were_called_out_stay_in_the_chart_with_their_verdict_when_asked_again(
    lecturing: MainWindow, tmp_path: Path
):
    window, lecture = speaker_of(lecturing), lecturing.context.guides
    go_to(lecturing, CALLED_OUT)
    for index, number in enumerate((6.0, 13.0)):
        lecture.add_number(number)
        lecture.set_hands(index, 1 + 2 * index)
    press_there(window, Qt.Key.Key_R)
    assert hands(lecturing) == ()
    go_to(lecturing, LAST)
    said = window.chart.accessibleName()
    assert said == "Step 5, all of it: +6 (right): 1; +13: 3."
    click(window.save)
    choose_file(window, tmp_path / "hands.json")
    (question,) = json.loads((tmp_path / "hands.json").read_bytes())["questions"]
    assert question["choices"] == [
        {"label": "+6", "right": True, "hands": 1},
        {"label": "+13", "hands": 3},
    ]


def test_three_counts_stand_below_one_another_each_with_the_labels_of_its_numbers(
    lecturing: MainWindow,
):
    window, lecture = speaker_of(lecturing), lecturing.context.guides
    go_to(lecturing, ASKED)
    labels: list[str] = []
    for count in (17, 2, 5):
        if labels:
            press_there(window, Qt.Key.Key_R)
        assert lecture.room is not None
        assert lecture.room.poll is not None
        choices = lecture.room.poll.choices
        at = next(k for k, choice in enumerate(choices) if choice.right)
        labels.append(f"{choices[at].label} (right): {count}")
        lecture.set_hands(at, count)
    go_to(lecturing, LAST)
    said = window.chart.accessibleName()
    first, second, third = said.split(". ")
    assert (first.count("(right)"), first.endswith(labels[0])) == (1, True)
    assert "the second, count 2:" in second
    assert labels[1] in second
    assert "the second, count 3:" in third
    assert labels[2] in third
