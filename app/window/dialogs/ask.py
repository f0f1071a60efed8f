"""Non-blocking questions and messages, answered by a signal; dialogs fitted to the screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QWidget

from app.controls.layouts import in_column, scroll_area

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMessageBox


Answer = Callable[[], object]


class Role(Enum):
    """The meaning of an answer: accept, accept with loss, alternative, reject."""

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
    """Ask a question; the first answer is the default, Esc rejects.

    `once` names a question of which only one may be open; if it is, it is raised instead.
    """
    if once and (asked := _open_question(parent, once)) is not None:
        asked.raise_()
        return asked
    box = _message_box(parent, question, more)
    box.setObjectName(once)
    chosen = _add_buttons(box, answers)

    def answered(button: object) -> None:
        answer = chosen.get(button)
        if answer is not None:
            answer()

    box.buttonClicked.connect(answered)
    box.open()
    return box


def _message_box(parent: QWidget, question: str, more: str) -> QMessageBox:
    from PySide6.QtWidgets import QLabel, QMessageBox  # slow to import, not needed at start

    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle("Backwire")
    box.setText(question)
    box.setInformativeText(more)
    for label in box.findChildren(QLabel):  # also the informative text, whose format Qt guesses
        label.setTextFormat(Qt.TextFormat.PlainText)
    return box


def _add_buttons(
    box: QMessageBox, answers: Mapping[tuple[str, Role], Answer | None]
) -> dict[object, Answer | None]:
    """Add a button for each answer; returns the answer of each button."""
    chosen: dict[object, Answer | None] = {}
    for place, ((text, role), answer) in enumerate(answers.items()):
        button = box.addButton(text, box.ButtonRole[role.value])
        button.setAutoDefault(True)
        chosen[button] = answer
        if place == 0:
            box.setDefaultButton(button)
        if role == Role.LEAVE:
            box.setEscapeButton(button)
    return chosen


def _open_question(parent: QWidget, name: str) -> QMessageBox | None:
    from PySide6.QtWidgets import QMessageBox

    found = parent.findChildren(QMessageBox, name)
    return next((box for box in found if box.isVisible()), None)


def tell(parent: QWidget, sentence: str, more: str = "") -> QMessageBox:
    """Show a message that must not be missed."""
    return ask(parent, sentence, more, {("Close", Role.LEAVE): None})


_FRAME = QSize(16, 48)
"""Width and height, in px, left for the frame and the title that a desktop adds."""


def fit_screen(dialog: QDialog) -> None:
    """Make a dialog no larger than its screen; what can't shrink so far is scrolled."""
    parent = dialog.parentWidget() or dialog
    room = parent.screen().availableGeometry().size() - _FRAME
    least = dialog.minimumSizeHint().expandedTo(dialog.minimumSize())
    wanted = dialog.size().expandedTo(dialog.sizeHint())
    if least.boundedTo(room) != least:
        _scroll(dialog)
        dialog.setMinimumSize(0, 0)
    dialog.setMaximumSize(dialog.maximumSize().boundedTo(room))
    if wanted.boundedTo(room) != wanted:
        dialog.resize(wanted.boundedTo(room))


def _scroll(dialog: QDialog) -> None:
    """Move the content of a dialog into a scroll area."""
    layout = dialog.layout()
    assert layout is not None
    content = QWidget()
    content.setLayout(layout)
    area = scroll_area(content)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
    in_column((area, 1), parent=dialog, edges=0, gap=0)
