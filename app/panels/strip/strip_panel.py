"""StripPanel: draws a `Strip`, which is timeline, sentence with buttons, and answer line.

It knows no mode: the `Strip` of each is written by `workbench/words`.

    0    timeline: pills 22, ticks 42, names 59, brackets 75
    103  the sentence, its buttons at the right end
    131  the answer line; with two lines of sentence 151

Centres in px at 100 %. In a presentation the sentence is above a thin timeline, or, while
something is asked, above the answer line.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, cast

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from app.controls.focus import NumberKeys
from app.controls.layouts import fill_background
from app.controls.painted_buttons import IconButton
from app.controls.spans import plain_text
from app.guard import exception_safe
from app.panels.strip.sentence import ANSWER_SIZES, Options, Sentence
from app.panels.strip.strip_buttons import StripButtons
from app.panels.strip.timeline import STRIP_ROWS, THIN_ROWS, Timeline
from app.style import sizes
from app.style.current import Style
from app.workbench.playback.ticks import Track, known_tracks, tracks
from app.workbench.playback.view_state import ViewState
from app.workbench.words.sentences import Voice
from app.workbench.words.strip import (
    EPOCHS_PER_CLICK,
    EXAMPLE_FORMULA,
    RIPPLE_CHANGES,
    Act,
    Option,
    Strip,
    StripContext,
)
from app.workbench.words.strip_writers import write_strip
from engine.asking.kinds import ASKED_BEFORE_PASS
from engine.asking.question import LEVELS
from engine.formats.expression import read_typed
from engine.frame import Frame
from engine.graph import Structure
from engine.problems import obstacle
from engine.rules import CORRECT, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from app.controls.epoch_line import EpochLine
    from app.controls.rings import TimerRing
    from app.document.document import Document
    from app.guide.play.guide import Learner
    from app.guide.words.room import RoomStrip
    from app.lessons.situation import PassPlace
    from app.panels.strip.room_strip import RoomStripView
    from app.panels.strip.your_order import YourOrder
    from app.workbench.modes.quiz import Steps
    from app.workbench.playback.playback import Playback
    from app.workbench.runners.loop_runner import LoopRunner
    from app.workbench.runners.quiz_runner import QuizRunner

_TIMELINE_HEIGHT, _SENTENCE_HEIGHT, _LINE_HEIGHT = 86, 60, 20
"""Heights of the timeline, of sentence with answer line, and of one more line, in px at 100 %."""
_FOLDED_HEIGHT = 6
"""Height of the timeline where it is folded, in px at 100 %."""
_SENTENCE_CENTRE, _ANSWER_CENTRE = 17, 45
"""Centres below the timeline, in px at 100 %."""
_MARGIN, _GAP = 14, 12
"""Space at the left and right edge, and between the parts of a line, in px at 100 %."""
_OPTIONS_GAP, _MIN_ANSWER_WIDTH = 16, 340
"""Gap between the options and the answer line, and the least width of the line, in px at 100 %."""
_BELOW_BUTTONS: Final = 2
"""By how much an offer below the buttons is lower than the answer line, in px at 100 %."""
_PRESENTED_HEIGHT, _PRESENTED_SENTENCE_HEIGHT = 80, 40
"""Height during a presentation and of the sentence there, in px at its scale."""
_BAND_HEIGHT, _BAND_SENTENCE_CENTRE, _BAND_TIMELINE_TOP = 124.4, 18.2, 54
"""Height of a question to the room, and centre of the sentence and top of the timeline in it, in px
at the scale of a presentation: 328, 48 and 142 px of 1080."""
_TIMER_SIDE, _TIMER_EDGE = 21.2, 15.9
"""Diameter of the ring of a timer, and its distance to the right edge: 56 and 42 px of 1080."""
STEPS_TEXT: Final[dict[Steps, str]] = {
    "last": "The last step, then one more after each clean run",
    "every": "Every step",
    "meet": "Where paths meet",
}


def strip_height(
    style: Style, more_lines: int = 0, *, for_polls: bool = False, timeline: bool = True
) -> int:
    """Return the height of the strip in px; sentence and answer line grow with the sheet.

    `for_polls`: in a lecture with questions it is that of a question, for all steps.
    """
    if style.presented and for_polls:
        return style.px(_BAND_HEIGHT)
    if style.presented:
        return style.px(_PRESENTED_HEIGHT)
    below = _SENTENCE_HEIGHT + _LINE_HEIGHT * more_lines
    above = _TIMELINE_HEIGHT if timeline else _FOLDED_HEIGHT
    return style.px(above) + round(below * style.scale)


@exception_safe
class StripPanel(QWidget):
    """The lower edge of the window; `voice` says whether the sentence is words, maths or code."""

    voice_changed = Signal(str)
    """Emitted with the new voice after it was changed."""
    grown = Signal()
    """Emitted after the height has changed."""
    more_wanted = Signal()
    """Emitted when three more questions are wanted."""
    report_wanted = Signal()
    """Emitted when the report of an exercise is to be saved."""
    ripple_wanted = Signal(object)
    """Emitted when a ripple is wanted, with the change of its number, or None for the usual one."""
    sheet_wanted = Signal()
    """Emitted when a question without a blank, as one answered by a click, wants the keyboard."""
    numbers_wanted = Signal(str)
    """Emitted with the act "others" or "ones": a typed formula shall begin with such numbers."""

    def __init__(
        self,
        style: Style,
        document: Document,
        playback: Playback,
        quiz: QuizRunner,
        loops: LoopRunner,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._style, self._document, self._playback = style, document, playback
        self._quiz, self._loops, self.strip = quiz, loops, Strip(())
        self.voice: Voice = "plain"
        self._for_beginner = False
        self._tracks_key: tuple[Structure, int | None, str, bool] | None = None
        self._tracks: tuple[Track, ...] = ()
        """The cached tracks, and the wiring, root and name of the rules for which they are."""
        self._wraps, self._options_above = False, False
        """Whether the sentence takes two lines, and the options a line above the answer line."""
        self._lesson: Learner | None = None
        """The lesson that is on."""
        self.room_strip: RoomStrip | None = None
        """What the room reads in a lecture; None without one."""
        self.for_polls, self.timeline_shown = False, True
        """Whether a step of the lecture asks; whether the window is high enough for a timeline."""
        self.room_strip_view: RoomStripView | None = None
        """What a room sees, once it was shown."""
        self.timer: TimerRing | None = None
        """The ring of the timer, once it was shown."""
        self._flags: Mapping[PassPlace, str] = {}
        self.loop_line: EpochLine | None = None
        """The epochs of a training loop, once they were shown."""
        self.your_order: YourOrder | None = None
        """The learner's order of a pass by hand, once it was shown."""
        fill_background(self, "panel")
        self.setAccessibleName("Steps")
        self._make_children()
        self._connect()
        self._refresh()

    def _make_children(self) -> None:
        style = self._style
        self.timeline = Timeline(style, self)
        self.sentence = Sentence(style, parent=self)
        self.buttons = StripButtons(style, parent=self)
        self.answer = Sentence(style, ANSWER_SIZES, self)
        self.offers = StripButtons(style, small=True, parent=self)
        self.options = Options(style, self)
        # the menu of blanks and steps, at the end of the answer line
        self.note = IconButton(style, "down", "Which blanks, and at which steps", parent=self)
        self.note.set_kind("aside")
        self.note.set_icon_last()
        self.levels = QMenu(self)

    def _connect(self) -> None:
        for buttons in (self.buttons, self.offers):
            buttons.pressed.connect(self.act)
        self.note.clicked.connect(self._open_levels)
        self.sentence.typed.connect(self._quiz.set_text)
        self.sentence.entered.connect(self._enter)
        self.sentence.left.connect(self.setFocus)
        self.sentence.paged.connect(self._page)
        self.options.picked.connect(self._pick)
        self.options.refused.connect(self._quiz.refuse)
        self.options.entered.connect(self._answer)
        NumberKeys(self, self._takes_key).typed.connect(self._type_key)
        self.timeline.scrubbed.connect(self._scrub)
        self._quiz.blank_wanted.connect(self.focus_blank)
        self._quiz.by_hand.changed.connect(self._refresh)
        self._loops.changed.connect(self._refresh)
        self._playback.shown.connect(self._refresh)
        self._style.changed.connect(self._restyle)

    # Properties and settings

    @property
    def more_lines(self) -> int:
        """Return the number of lines beyond those of the usual strip."""
        return self._wraps + self._options_above  # of bools: 0, 1 or 2

    def free_timeline(self) -> QWidget | None:
        """Return what a message may cover in a presentation; None while an answer line is there."""
        covers = self.strip.answer_over_timeline and self.room_strip is None
        return None if covers or not self.isVisible() else self

    def set_lesson(self, lesson: Learner | None) -> None:
        """Set the lesson that is on, whose step the strip leads on, or None."""
        if lesson is not self._lesson:
            self._lesson = lesson
            self._refresh()

    def set_time(self, share: float | None) -> None:
        """Show the share of a timer that is left, 1 to 0, or no timer."""
        was_shown = self.timer is not None and not self.timer.isHidden()
        if share is not None:
            self._created_timer().show_share(share)
        elif self.timer is not None:
            self.timer.hide()
        if was_shown != (share is not None):
            self._lay_out()

    def set_room_strip(self, room_strip: RoomStrip | None, *, for_polls: bool = False) -> None:
        """Show what the room reads in a lecture, or None for the usual strip.

        `for_polls`: whether any step of the lecture asks, so that all have the same height.
        """
        if room_strip == self.room_strip and for_polls == self.for_polls:
            return
        grows, self.room_strip, self.for_polls = for_polls != self.for_polls, room_strip, for_polls
        if room_strip is not None and room_strip.is_poll:
            self._created_view().show_strip(room_strip)
        self._refresh()
        if grows:
            self.grown.emit()

    def set_flags(self, flags: Mapping[PassPlace, str]) -> None:
        """Set the titles of the steps of a lecture, by their places."""
        if flags != self._flags:
            self._flags = flags
            self._show_flags()

    def _show_flags(self) -> None:
        """Show the flags of the pass as it runs now; none while something is asked."""
        mistake = "" if self._playback.rules is CORRECT else self._playback.rules.name
        self.timeline.show_flags(
            {
                (place.phase, place.step): title
                for place, title in self._flags.items()
                if not self._playback.now.asks
                and (place.phase != "backward" or place.mistake == mistake)
            }
        )

    def set_voice(self, voice: Voice) -> None:
        """Write the sentence in another voice."""
        if voice != self.voice:
            self.voice = voice
            self._refresh()
            self.voice_changed.emit(voice)

    def set_for_beginner(self, on: bool) -> None:
        """Set whether to hide buttons outside a pass until one was complete."""
        now = self._playback.now
        previous, self._for_beginner = self._hidden_acts(now), on
        if self._hidden_acts(now) != previous:
            self._refresh()

    def focus_blank(self) -> None:
        """Focus the first empty blank, unless a text is typed elsewhere."""
        if self.room_strip is not None:  # the room answers by hands
            return
        focus = QApplication.focusWidget()
        is_typing = focus is not None and focus.testAttribute(
            Qt.WidgetAttribute.WA_InputMethodEnabled
        )
        window = self.window()
        if is_typing and focus is not None and not self.isAncestorOf(focus) and focus is not window:
            is_canvas = focus.property("canvas")  # takes text too, but not while a question is open
            if not is_canvas:
                return
        if self._focus_question():
            return
        if (go_on := self._go_on).isVisible():
            go_on.setFocus()
        else:
            self.sheet_wanted.emit()

    def _focus_question(self) -> bool:
        """Focus an option or a blank; return False if there is none."""
        return self.options.focus_option() or self.sentence.focus_blank()

    # Acts

    def act(self, name: str) -> None:
        playback, quiz, hand, loops = self._playback, self._quiz, self._quiz.by_hand, self._loops
        act = cast("Act", name)
        {
            "back": self._back,
            "step": playback.step,
            "last": playback.to_end,
            "play": playback.toggle_play,
            "ask": quiz.toggle,
            "answer": self._answer,
            "go on": self._answer,
            "hint": self._hint,
            "another": self._take_another_way,
            "show": quiz.show_answer,
            "skip": self._skip,
            "next": partial(quiz.turn_lesson, 1),
            "put back": partial(quiz.turn_lesson, 0),
            "take back": hand.take_back,
            "ready": partial(hand.set_shows_ready, not hand.shows_ready),
            "force": hand.force,
            "why": hand.explain,
            "three more": self.more_wanted.emit,
            "again": self._again,
            "save report": self.report_wanted.emit,
            "epoch": partial(loops.run, 1),
            "epochs": partial(loops.run, EPOCHS_PER_CLICK),
            "run": self._run_or_stop,
            "step this": playback.backward,
            "resume": loops.resume,
            "ripple": partial(self.ripple_wanted.emit, None),
            **{
                each: partial(self.ripple_wanted.emit, change)
                for each, change in RIPPLE_CHANGES.items()
            },
            "try": self._try_example,
            "others": partial(self.numbers_wanted.emit, act),
            "ones": partial(self.numbers_wanted.emit, act),
        }[act]()

    def _takes_key(self, key: str) -> bool:
        """Return whether a character of a number, "" for Backspace, belongs to the question."""
        if self.options.are_numbers:
            return bool(key or self.options.typed)
        return bool(key) and self.room_strip is None and self.sentence.takes_text

    def _type_key(self, key: str) -> None:
        (self.options if self.options.are_numbers else self.sentence).type_key(key)

    def _answer(self) -> None:
        self.options.typed = ""
        self._quiz.answer(self._style.digits)
        self._focus_question()

    def _skip(self) -> None:
        self._quiz.skip()
        self._focus_question()

    def _hint(self) -> None:
        (self._quiz.by_hand if self._playback.now.by_hand else self._quiz).hint()
        self._focus_question()

    def _take_another_way(self) -> None:
        self._quiz.take_another_way(self._style.digits)
        self._focus_question()

    def _back(self) -> None:
        loop = self._playback.now.loop
        if loop is not None:
            self._loops.go(loop.at - 1)
        else:
            self._playback.step_back()

    def _again(self) -> None:
        run = self._playback.now.by_hand
        if run is not None:
            self._quiz.by_hand.begin(run.phase)
        else:
            self._quiz.begin_next_pass()

    def _run_or_stop(self) -> None:
        if self._loops.running:
            self._loops.stop()
        else:
            self._loops.run()

    def _enter(self) -> None:
        """Go to the next empty blank, or answer: a slope that unfolded as help by itself."""
        empty, quiz = self.sentence.next_empty(), self._playback.now.quiz
        if empty is not None and (quiz is None or not quiz.judges_slope(self._playback.frame)):
            empty.setFocus()
        else:
            self._answer()

    def _pick(self, option: Option) -> None:
        self._quiz.set_text(option.question, option.text)

    def _page(self, direction: int) -> None:
        """Do what a page key means: turn a page of the lesson, skip the question, or go back."""
        quiz = self._quiz.now
        if quiz is not None and quiz.lesson_questions is not None:
            self._quiz.turn_lesson(direction)
        elif direction > 0:
            self._skip()
        else:
            self._playback.step_back()

    def _try_example(self) -> None:
        self._document.replace_graph(read_typed(EXAMPLE_FORMULA).graph, EXAMPLE_FORMULA)

    def _open_levels(self) -> None:
        """Offer the blanks of a step, and which steps have them."""
        menu = self.levels
        menu.clear()
        for name in LEVELS:
            action = menu.addAction(name[:1].upper() + name[1:])
            action.setCheckable(True)
            action.setChecked(name == self._quiz.level)
            action.triggered.connect(partial(self._choose, partial(self._quiz.set_level, name)))
        menu.addSeparator()
        for steps, text in STEPS_TEXT.items():
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(steps == self._quiz.asked_steps)
            action.triggered.connect(partial(self._choose, partial(self._quiz.set_steps, steps)))
        corner = self.note.mapToGlobal(QPoint(self.note.width() - menu.sizeHint().width(), 0))
        menu.popup(corner - QPoint(0, menu.sizeHint().height()))

    def _choose(self, choose: Callable[[], None]) -> None:
        choose()
        self.sentence.focus_blank()

    # Content

    def _refresh(self) -> None:
        now, focus = self._playback.now, QApplication.focusWidget()
        previous, context = self.strip, self._writing_context()
        self.strip = write_strip(now, context)
        if self._lesson is not None:
            from app.guide.words.step_strip import step_strip

            self.strip = step_strip(self.strip, self._lesson, now, context)
        if self.room_strip is not None or (now.quiz is not None and now.quiz.is_poll):
            # the room has cards instead of options and an answer line
            self.strip = replace(self.strip, answer=(), offers=(), options=())
        shown = self.strip
        self.answer.show_sentence(shown.answer)
        self.offers.show_buttons(shown.offers)
        self.options.show_options(shown.options)
        playing = self._playback.playing
        buttons = tuple(
            replace(b, on=playing) if b.act == "play" else b
            for b in shown.buttons
            if b.act not in self._hidden_acts(now)
        )
        self.buttons.show_buttons(buttons, shown.caption)
        if shown.note != self.note.text():
            self.note.setText(shown.note)
            self.note.setAccessibleName(shown.note)
        self._show_timeline(now)
        self._fit()
        self._show_sentence()
        self._lay_out()
        if focus is not None and self.isAncestorOf(focus) and not _accepts_focus(focus):
            self._pass_on_focus()
        # in other modes the answer line changes with each step: too much to be read aloud
        has_question = previous.blanks or shown.blanks or previous.options or shown.options
        if shown.answer != previous.answer and has_question:
            self._announce(plain_text(shown.answer))

    def _writing_context(self) -> StripContext:
        style, waiting = self._style, self._loops.now
        return StripContext(
            voice=self.voice,
            digits=style.digits,
            notation=style.notation,
            presented=bool(style.presented),
            shows_ready=self._quiz.by_hand.shows_ready,
            running=self._loops.running,
            begun=self._document.number_draws.of(self._document.graph),
            playing=self._playback.playing,
            in_lesson=self._lesson is not None,
            waiting_epoch=waiting.at if waiting is not None and not self._loops.shown else None,
        )

    def _show_sentence(self) -> None:
        shown = self.strip
        if self.room_strip is not None:
            self.sentence.show_sentence(self.room_strip.sentence)
            return
        self.sentence.show_sentence(
            shown.sentence, shown.blanks, shown.widest, shown.fullest, shown.unshortened
        )

    def _hidden_acts(self, now: ViewState) -> tuple[Act, ...]:
        """Return the acts that a beginner needs in a pass alone; a lesson has what it needs."""
        hides = self._for_beginner and self._lesson is None and now.frame.phase == "live"
        return ("last", "play") if hides else ()

    def _pass_on_focus(self) -> None:
        """Focus an empty blank, else Go on, else the canvas."""
        if self._focus_question():
            return
        (self._go_on if self._go_on.isVisible() else self).setFocus()

    @property
    def _go_on(self) -> IconButton:
        """The button by which a sentence without blanks is left, in a lesson Play of its pass."""
        made = {stop.objectName(): stop for stop in self.buttons.stops}
        begins = self._lesson is not None and self._playback.phase == "live"
        play = made.get("play") if begins else None
        return made.get("put back") or made.get("next") or play or self.buttons.button("go on")

    def _announce(self, text: str) -> None:
        """Let a screen reader read the answer line aloud."""
        if QAccessible.isActive() and text:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.sentence, text))

    def _show_timeline(self, now: ViewState) -> None:
        """Show the pass as a timeline, a loop as epochs, or a pass by hand as its turns."""
        if now.loop is not None:
            losses = [epoch.loss for epoch in now.loop.epochs]
            self._created_loop_line().show_epochs(losses, now.loop.at)
        elif now.by_hand is not None:
            from app.workbench.words.hand import order_boxes

            self._created_order().show_turns(
                order_boxes(now, self._style.digits), now.by_hand.phase == "forward"
            )
        else:
            frame, comparison = now.frame, now.comparison
            wrong = frozenset[int]() if comparison is None else comparison.wrong
            quiz = now.quiz
            right_answers = {} if quiz is None else quiz.right_answers()
            question = None if quiz is None or quiz.is_cover else quiz.question(frame)
            at_step = question is not None and question.kind not in ASKED_BEFORE_PASS
            asked_cursor = frame.cursor + 1 if at_step else 0
            self.timeline.show_tracks(
                self._tracks_of(frame), frame, wrong, right_answers, asked_cursor
            )
            self.timeline.show_position(not now.is_before_pass)
            self.timeline.hide_order(quiz is not None and quiz.hides_order)
            self._show_flags()

    def _created_view(self) -> RoomStripView:
        if self.room_strip_view is None:
            from app.panels.strip.room_strip import RoomStripView

            self.room_strip_view = RoomStripView(self._style, self)
        return self.room_strip_view

    def _created_timer(self) -> TimerRing:
        if self.timer is None:
            from app.controls.rings import TimerRing

            self.timer = TimerRing(self._style, self)
        return self.timer

    def _created_loop_line(self) -> EpochLine:
        if self.loop_line is None:
            from app.controls.epoch_line import EpochLine
            from app.workbench.words.loop_strip import loss_text

            self.loop_line = EpochLine(self._style, loss_text, self)
            self.loop_line.chosen.connect(self._loops.go)
        return self.loop_line

    def _created_order(self) -> YourOrder:
        if self.your_order is None:
            from app.panels.strip.your_order import YourOrder

            self.your_order = YourOrder(self._style, self)
        return self.your_order

    def _tracks_of(self, frame: Frame) -> tuple[Track, ...]:
        """Return the tracks of both passes, cached while wiring and rules are unchanged."""
        graph, rules = frame.graph, self._playback.rules
        if frame.trace is not None and frame.phase == "backward":
            rules = frame.trace.rules  # the pass shown is older than the rules while these change
        root = frame.trace.root if frame.trace is not None else graph.root
        if rules is UNKNOWN and frame.trace is not None and root is not None:
            self._tracks_key = None  # changes with each step: a hunt reveals the order step by step
            return known_tracks(graph, root, frame.trace.schedule)
        folds = "terms" in self._playback.now.folded
        key, cached = (graph.structure, root, rules.name, folds), self._tracks_key
        if cached is not None and cached[0] is key[0] and cached[1:] == key[1:]:
            return self._tracks
        self._tracks_key = key
        if root is None or obstacle(graph, root) is not None:
            self._tracks = ()
        else:
            self._tracks = tracks(graph, root, rules, folds_terms=folds)
        return self._tracks

    def _scrub(self, phase: str, cursor: int) -> None:
        if phase == self._playback.phase:
            self._playback.go(cursor, pause=True)
        elif phase == "forward":
            self._playback.forward(cursor=cursor)
        else:
            self._playback.backward(cursor=cursor)

    # Layout

    def _restyle(self) -> None:
        self._fit()
        self._refresh()

    def _fit(self) -> None:
        """Choose the layout: two lines of sentence, Show me and Skip in a menu, options apart.

        The menu is tried before a second line.
        """
        shown, px = self.strip, self._style.px
        width = self.width() - 2 * px(_MARGIN)
        buttons = shown.buttons if not self._style.presented else ()
        folds = wraps = False
        row = self.options.sizeHint().width() + px(_OPTIONS_GAP) + px(_MIN_ANSWER_WIDTH)
        options_above = bool(shown.options) and not self._style.presented and row > width
        # only a sentence with blanks, or one whose widest form is known, may take two lines
        if (shown.blanks or shown.fullest) and self.room_strip is None:
            self._show_sentence()
            for folds in (False, True):
                buttons_width = self.buttons.width_of(buttons, collapsed=folds) + px(_GAP)
                wraps = self.sentence.lines_needed(width - buttons_width) > 1
                if not wraps:
                    break
        self.buttons.fold(folds)
        lines = wraps + options_above  # of bools: 0, 1 or 2
        height = strip_height(
            self._style, lines, for_polls=self.for_polls, timeline=self.timeline_shown
        )
        layout = (wraps, options_above)
        if height != self.height() or layout != (self._wraps, self._options_above):
            self._wraps, self._options_above = wraps, options_above
            self.setFixedHeight(height)
            self.grown.emit()

    def _lay_out(self) -> None:
        if self.room_strip_view is not None:
            self.room_strip_view.setVisible(self.room_strip is not None and self.room_strip.is_poll)
        if self._style.presented:
            self._place_presented()
            return
        self.sentence.show()
        px, scale, right = self._style.px, self._style.scale, self.width() - self._style.px(_MARGIN)
        edge, top = px(_MARGIN), px(_TIMELINE_HEIGHT if self.timeline_shown else _FOLDED_HEIGHT)
        extra = round(_LINE_HEIGHT * scale) if self._wraps else 0
        timeline = QRect(edge, 0, right - edge, top) if self.timeline_shown else QRect()
        self._place_timeline(timeline)
        centre = top + round(_SENTENCE_CENTRE * scale) + extra // 2
        hint = self.buttons.sizeHint()
        left = right - hint.width()
        self.buttons.setGeometry(left, centre - hint.height() // 2, hint.width(), hint.height())
        self.buttons.show()
        height = round(2 * _SENTENCE_CENTRE * scale) + extra
        width = (left - px(_GAP) if hint.width() else right) - edge
        self.sentence.setGeometry(edge, centre - height // 2, width, height)
        centre = top + round(_ANSWER_CENTRE * scale) + extra
        left = edge + self._place_options(centre, edge)
        below_options = round(_LINE_HEIGHT * scale) if self._options_above else 0
        self._place_answer(centre + below_options, left, right - left)

    def _place_options(self, centre: int, left: int) -> int:
        """Place the options; return the width they take of the answer line."""
        hint = self.options.sizeHint()
        top = centre - hint.height() // 2
        self.options.setGeometry(left, top, hint.width(), hint.height())
        if not self.strip.options or self._options_above:
            return 0
        return hint.width() + self._style.px(_OPTIONS_GAP)

    def _place_answer(self, centre: int, left: int, width: int) -> None:
        """Place the answer line, the offers after it, and the menu of blanks at its end."""
        px = self._style.px
        height, note = px(sizes.CLICK_TARGET), 0
        if self.strip.note:
            note = self.note.sizeHint().width()
            self.note.setGeometry(left + width - note, centre - height // 2, note, height)
        self.note.setVisible(bool(self.strip.note))
        offers = self.offers.sizeHint().width() if self.strip.offers else 0
        free = max(width - note - offers - (px(_GAP) if note or offers else 0), 0)
        answer = min(self.answer.full_width(), free)
        self.answer.setGeometry(left, centre - height // 2, answer if offers else free, height)
        self.answer.show()
        self.offers.setVisible(bool(offers))
        offers_left = left + answer + px(_GAP) if self.strip.answer else left
        top = centre - height // 2
        if self.strip.offers_last:
            offers_left = left + width - offers - (note + px(_GAP) if note else 0)
            top += px(_BELOW_BUTTONS)
        self.offers.setGeometry(offers_left, top, offers, height)

    def _place_timeline(self, rect: QRect) -> None:
        """Place the timeline or its replacement, and hide the others."""
        now, thin = self._playback.now, bool(self._style.presented)
        rows = THIN_ROWS if thin else STRIP_ROWS
        shown: QWidget = self.timeline
        self.timeline.set_rows(rows)
        if now.loop is not None:
            shown = self._created_loop_line()
            self._created_loop_line().set_rows(rows.line, rows.height)
        elif now.by_hand is not None:
            shown = self._created_order()
        for line in (self.timeline, self.loop_line, self.your_order):
            if line is not None:
                line.setVisible(line is shown and not rect.isEmpty())
        shown.setFixedHeight(max(rect.height(), 1))
        shown.setGeometry(rect)

    def _place_presented(self) -> None:
        """Place the sentence above a thin timeline, or above the answer line of a question."""
        px, edge, width = self._style.px, self._style.px(_MARGIN), self.width()
        self.buttons.hide()
        self.note.hide()
        self.offers.hide()
        if self.room_strip is not None:
            self._place_lecture(self.room_strip)
            return
        sentence_height = px(_PRESENTED_SENTENCE_HEIGHT)
        self.sentence.show()
        self.sentence.setGeometry(edge, 0, width - 2 * edge, sentence_height)
        asked = self.strip.answer_over_timeline
        below = QRect(edge, sentence_height, width - 2 * edge, self.height() - sentence_height)
        self._place_timeline(QRect() if asked else below)
        self.answer.setVisible(asked)
        options_width = self._place_options(below.center().y(), edge)
        self.answer.setGeometry(below.adjusted(options_width, 0, 0, 0))

    def _place_lecture(self, room_strip: RoomStrip) -> None:
        """Place a question to the room over everything, or the sentence above the timeline."""
        px, edge = self._style.px, self._style.px(_MARGIN)
        self.options.setGeometry(QRect())
        self.answer.hide()
        self.sentence.setVisible(not room_strip.is_poll)
        if room_strip.is_poll:
            self._place_timeline(QRect())
            self._created_view().setGeometry(self.rect())
        high = px(_PRESENTED_SENTENCE_HEIGHT)
        centre = px(_BAND_SENTENCE_CENTRE) if self.for_polls else high // 2
        has_ring = self.for_polls or (self.timer is not None and not self.timer.isHidden())
        left = 2 * edge + px(_TIMER_SIDE) if has_ring else edge  # the ring is at the right
        self.sentence.setGeometry(left, centre - high // 2, self.width() - 2 * left, high)
        if self.timer is not None:
            side = px(_TIMER_SIDE)
            at = self.width() - px(_TIMER_EDGE) - side
            self.timer.setGeometry(at, centre - side // 2, side, side)
            self.timer.raise_()
        if not room_strip.is_poll:
            top = px(_BAND_TIMELINE_TOP) if self.for_polls else high
            thin = px(_PRESENTED_HEIGHT - _PRESENTED_SENTENCE_HEIGHT)
            self._place_timeline(QRect(edge, top, self.width() - 2 * edge, thin))

    # Qt's events

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move Tab from blank to blank, then over the buttons to the canvas, our focus proxy.

        The menu of blanks and the button Back come before the blanks.
        """
        after = [made for made in self.buttons.stops if made.objectName() != "back"]
        before = [self.note, *(made for made in self.buttons.stops if made not in after)]
        asked: list[QWidget] = [*(self.options.buttons or self.sentence.fields)]
        stops: list[QWidget] = [*before, *asked, *after, *self.offers.stops]
        stops = [stop for stop in stops if _accepts_focus(stop)]
        focus = QApplication.focusWidget()
        if not asked or focus not in stops:
            return super().focusNextPrevChild(forward)
        at = stops.index(focus) + (1 if forward else -1)
        target = stops[at] if 0 <= at < len(stops) else self
        target.setFocus(
            Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        )
        return True

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            shown = [b for b in (self.buttons, self.offers) if b.isVisibleTo(self)]
            if any(buttons.sizeHint().width() != buttons.width() for buttons in shown):
                self._fit()
                self._lay_out()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self._lay_out()


def _accepts_focus(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled()
