"""A lecture hides what it asks: the room's screen is the same whatever the hidden numbers are."""

from collections.abc import Sequence

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from app.lessons.lecture import Lecture, Placed, mark_at, with_kind
from app.window.frame.main_window import MainWindow
from app.workbench.playback import playback as playing
from engine import from_expression
from engine.formats.native import Drawing
from engine.study.lecture import AskedKind, Mark
from tests.app.window.test_hidden import FIELDS, SHARED_LEAF, bent, hints, planted, texts
from tests.helpers.lecturing import ESC, F5, Lecturer, asked
from tests.helpers.reading import value as value_of
from tests.helpers.window import node

HIDDEN: dict[AskedKind, tuple[int, Sequence[str]]] = {
    "local": (5, ("local", "contribution", "after")),
    "contribution": (5, ("local", "contribution", "after")),
    "sum": (5, ("after",)),
    "final": (0, FIELDS),
    "sign": (0, FIELDS),
}
"""The cursor after which no step is known while such a question is open, and the numbers of the
next one that are hidden."""


def question(window: MainWindow, kind: AskedKind) -> Mark:
    if HIDDEN[kind][0]:
        return asked(window.document.graph, 6, kind)
    return Mark("ask", "backward", asks=kind, node=node(window, "a"))


def room(lecturer: Lecturer) -> tuple[list[str], list[str], QImage]:
    """All that the room can see or hear while the question is open."""
    window = lecturer.window
    lecturer.press(F5)
    assert lecturer.at == (1, "asked")
    window.context.messages.dismiss_toast()
    for _ in range(8):
        QApplication.processEvents()
    found = list(texts(window)), list(hints(window)), window.grab().toImage()
    lecturer.press(ESC)
    return found


@pytest.mark.parametrize("kind", HIDDEN)
def test_the_room_sees_the_same_whatever_is_hidden(
    shared_leaf: MainWindow, monkeypatch: pytest.MonkeyPatch, kind: AskedKind
):
    lecturer = Lecturer(shared_leaf)
    shared_leaf.document.set_marks([question(shared_leaf, kind)], "Add a mark")
    cursor, kinds = HIDDEN[kind]
    room(lecturer)  # a first one makes widgets that stay
    as_it_is, unplanted = room(lecturer), playing.run_to_step
    with monkeypatch.context() as patch:
        patch.setattr(playing, "run_to_step", lambda *a: planted(unplanted(*a), cursor, kinds))
        differing = room(lecturer)
        lecturer.press(F5)
        lecturer.press(Qt.Key.Key_PageDown)
        revealed = shared_leaf.canvas.viewport().grab().toImage()
        lecturer.press(ESC)
    for one, other in zip(as_it_is[:2], differing[:2], strict=True):
        assert [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]] == []
    assert as_it_is[2] == differing[2]
    lecturer.press(F5, Qt.Key.Key_PageDown)
    assert shared_leaf.canvas.viewport().grab().toImage() != revealed  # other numbers were there


def test_a_value_that_is_asked_for_stands_on_its_cards_alone(shared_leaf: MainWindow):
    lecturer, window, looks, values = Lecturer(shared_leaf), shared_leaf, [], []
    for bends in (False, False, True):  # a first one makes widgets that stay
        graph = window.document.graph
        with bent(graph, [node(window, "L")] if bends else (), slopes=False, values=True):
            window.document.start(Drawing(from_expression(*SHARED_LEAF)))
            graph = window.document.graph
            mark = with_kind(mark_at(graph, "forward", 3), graph, "ask", "value")
            assert mark.node == node(window, "L")
            drawing = window.document.sheet.drawing()
            window.present_lecture(Lecture("One", (drawing,), (Placed(0, mark),)))
            QApplication.processEvents()
            assert lecturer.at == (1, "asked")
            band = window.strip.lecture_band
            assert band is not None
            of_band = {band.accessibleName(), band.accessibleDescription()}
            window.context.messages.dismiss_toast()
            said = [text for text in texts(window) if text not in of_band]
            looks.append((said, list(hints(window)), window.canvas.viewport().grab().toImage()))
            lecturer.press(Qt.Key.Key_PageDown)
            values.append(value_of(window.canvas, "L"))
            lecturer.press(ESC)
    assert values[1] != values[2]  # other numbers were there
    for one, other in zip(looks[1][:2], looks[2][:2], strict=True):
        assert [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]] == []
    assert looks[1][2] == looks[2][2]
