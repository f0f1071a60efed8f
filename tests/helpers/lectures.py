"""Lectures for tests: eight marks on the shared leaf, with three questions."""

from msgspec.structs import replace

from app.lessons.lecture import Lecture, Placed
from app.window.frame.main_window import MainWindow
from engine.study.lecture import Mark

NOTES = "Let them guess before they count.\nMost say −4: a itself."
ASKED, CALLED_OUT, LAST = 2, 4, 7
"""The indices of the question with choices, of that in the form number, and of the last mark."""


def marks_of(window: MainWindow) -> tuple[Mark, ...]:
    """The marks on the sheet of a window that shows the shared leaf."""
    e = window.document.graph.node_named("e")
    asked = Mark("ask", phase="backward", step=6, node=e, slot=0, asks="contribution")
    return (
        Mark("show", title="read twice", seconds=120),
        Mark("show", phase="backward", step=3, title="first arrival", seconds=300),
        replace(asked, title="the second", notes=NOTES, seconds=60),
        Mark("show", phase="backward", step=7, title="make it 0", seconds=600),
        replace(asked, title="all of it", form="number"),
        Mark("ask", phase="backward", step=7, node=e, slot=1, asks="local", title="which bug?"),
        Mark("blank", text="Talk to your neighbour", title="three paths"),
        Mark("show", phase="backward", step=7, title="end"),
    )


def lecture_of(window: MainWindow) -> Lecture:
    """The lecture of these marks."""
    placed = tuple(Placed(0, mark) for mark in marks_of(window))
    return Lecture("Two paths from a to L", (window.document.sheet.drawing(),), placed)
