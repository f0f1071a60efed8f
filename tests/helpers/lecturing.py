"""A lecture of eight steps on the shared leaf, and somebody who gives one with a remote."""

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from app.controls.spans import plain_text
from app.guide.play.guide import Room
from app.guide.words.room import RoomStrip
from app.lessons.lesson import Lesson
from app.lessons.load import reading_of
from app.window.frame.main_window import MainWindow
from engine.graph import Graph
from tests.helpers.mouse import NONE
from tests.helpers.steps import PlannedStep, lesson_of, step_at, with_kind
from tests.helpers.window import press

NOTES = "Let them guess before they count.\nMost say −4: a itself."
ASKED, CALLED_OUT, LAST = 2, 4, 7
"""The indices of the question with choices, of that in the form number, and of the last step."""


def steps_of(window: MainWindow) -> tuple[PlannedStep, ...]:
    """The steps on the sheet of a window that shows the shared leaf."""
    e = window.document.graph.node_named("e")
    asked = PlannedStep("ask", phase="backward", step=6, node=e, slot=0, asks="contribution")
    return (
        PlannedStep("show", title="read twice", seconds=120),
        PlannedStep("show", phase="backward", step=3, title="first arrival", seconds=300),
        replace(asked, title="the second", notes=NOTES, seconds=60),
        PlannedStep("show", phase="backward", step=7, title="make it 0", seconds=600),
        replace(asked, title="all of it", form="number"),
        PlannedStep(
            "ask", phase="backward", step=7, node=e, slot=1, asks="local", title="which bug?"
        ),
        PlannedStep("blank", text="Talk to your neighbour", title="three paths"),
        PlannedStep("show", phase="backward", step=7, title="end"),
    )


def lecture_of(window: MainWindow) -> Lesson:
    """The lesson of these steps."""
    drawing = window.document.sheet.drawing()
    text = lesson_of(steps_of(window), drawing.graph, "Two paths from a to L")
    found = reading_of(text, Path("lesson.toml"), drawing.graph).for_room("", drawing)
    assert found is not None
    return replace(found, address="https://x.org/a.html")


ON, BACK, F5, ESC = Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_F5, Qt.Key.Key_Escape


def shown(graph: Graph, step: int, title: str = "") -> PlannedStep:
    """A step that stops after a step of the backward pass."""
    found = step_at(graph, "backward", step)
    return replace(found, title=title)


def asked(graph: Graph, step: int, kind: str = "contribution") -> PlannedStep:
    """A step that asks about a step of the backward pass."""
    return with_kind(step_at(graph, "backward", step), graph, "ask", kind)


class Lecturer:
    """Gives a lecture; a second passes between any two presses."""

    def __init__(self, window: MainWindow) -> None:
        self.window, self.time = window, 0
        window.presentation.clock = self.now_in_ms
        self.pause = 1000

    def now_in_ms(self) -> int:
        self.time += self.pause
        return self.time

    def begin(self, planned_steps: Sequence[PlannedStep]) -> None:
        """Prepare steps on the sheet, and press F5."""
        self.prepare(planned_steps)
        self.press(F5)

    def prepare(self, planned_steps: Sequence[PlannedStep]) -> None:
        """Give the sheet a lesson of these steps."""
        document = self.window.document
        document.set_lesson(lesson_of(planned_steps, document.graph), "Add steps")
        recorder = self.window.context.recorders.get()
        recorder._pause.stop()  # pyright: ignore[reportPrivateUsage]

    def press(self, *keys: Qt.Key, modifier=NONE) -> None:
        press(self.window, *keys, modifier=modifier)

    def hold(self, pressed: Qt.Key) -> None:
        """What a key sends that is held down."""
        target = QApplication.focusWidget() or self.window
        event = QKeyEvent(QEvent.Type.KeyPress, pressed, NONE, "", True)
        QApplication.sendEvent(target, event)
        QApplication.processEvents()

    @property
    def state(self) -> Room:
        found = self.window.context.guides.room
        assert found is not None, "no lecture is on"
        return found

    @property
    def at(self) -> tuple[int, str]:
        """The step, counted from 1, and its stage."""
        return self.state.at + 1, self.state.stage

    @property
    def band(self) -> RoomStrip:
        """The band that the room sees."""
        found = self.window.strip.room_strip_view
        assert found is not None
        assert found.isVisible()
        assert found.strip is not None
        return found.strip

    @property
    def sentence(self) -> str:
        """What stands below the sheet."""
        band = self.window.strip.room_strip_view
        if band is not None and band.isVisible():
            return plain_text(self.band.sentence)
        assert self.window.strip.sentence.isVisible()
        return self.window.strip.sentence.accessibleName()

    @property
    def choices(self) -> list[str]:
        return [card.label for card in self.band.choices]

    @property
    def hands(self) -> list[int]:
        return [card.hands for card in self.band.choices]
