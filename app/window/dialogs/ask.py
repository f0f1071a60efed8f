"""Questions and notices in boxes that never block: opened, answered by a signal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMessageBox, QWidget

Answer = Callable[[], object]


class Role(Enum):
    """What an answer means: go on, go on and lose something, do something else, leave it."""

    ACCEPT = "AcceptRole"
    LOSE = "DestructiveRole"
    OTHER = "ActionRole"
    LEAVE = "RejectRole"


def ask(
    parent: QWidget,
    question: str,
    more: str,
    answers: Mapping[tuple[str, Role], Answer | None],
    once: str = "",
) -> QMessageBox:
    """Ask a question; the first answer is the default one, Esc is the one that rejects.

    While a question that is asked `once`, under this name, is open, it is raised instead.
    """
    from PySide6.QtWidgets import QLabel, QMessageBox  # a heavy class that a start can do without

    if once and (asked := _open_question(parent, once)) is not None:
        asked.raise_()
        return asked
    box = QMessageBox(parent)
    box.setObjectName(once)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle("Backwire")
    box.setText(question)
    box.setInformativeText(more)
    for label in box.findChildren(QLabel):  # also the second text, which Qt leaves to guess
        label.setTextFormat(Qt.TextFormat.PlainText)
    chosen: dict[object, Answer | None] = {}
    for place, ((text, role), answer) in enumerate(answers.items()):
        button = box.addButton(text, QMessageBox.ButtonRole[role.value])
        button.setAutoDefault(True)
        chosen[button] = answer
        if place == 0:
            box.setDefaultButton(button)
        if role == Role.LEAVE:
            box.setEscapeButton(button)

    def answered(button: object) -> None:
        answer = chosen.get(button)
        if answer is not None:
            answer()

    box.buttonClicked.connect(answered)
    box.open()
    return box


def _open_question(parent: QWidget, name: str) -> QMessageBox | None:
    from PySide6.QtWidgets import QMessageBox

    found = parent.findChildren(QMessageBox, name)
    return next((box for box in found if box.isVisible()), None)


def tell(parent: QWidget, sentence: str, more: str = "") -> QMessageBox:
    """Say something that must not be missed."""
    return ask(parent, sentence, more, {("Close", Role.LEAVE): None})
