"""Message boxes that do not block (`ask`, `tell`), and `fit_screen` for dialogs of any kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QWidget

from app.controls.layouts import in_column, scroll_area
from engine.formats.files import is_protected, shown_name

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMessageBox


Answer = Callable[[], object]
"""Called when its button is chosen."""


class Role(Enum):
    """The role of a button, by the name of Qt's; it decides the button's place and Esc."""

    ACCEPT = "AcceptRole"
    DESTRUCTIVE = "DestructiveRole"
    OTHER = "ActionRole"
    REJECT = "RejectRole"


def ask(
    parent: QWidget,
    question: str,
    details: str,
    answers: Mapping[tuple[str, Role], Answer | None],
    unique_name: str = "",
) -> QMessageBox:
    """Ask a question; the first answer is the default, Esc gives the one that rejects.

    `answers` has for each button, its text and its role, what it does; None closes the box alone.
    At most one question with the same `unique_name` is open: a second call raises the first box.
    """
    if unique_name and (already_open := _open_question(parent, unique_name)) is not None:
        already_open.raise_()
        return already_open
    box = _message_box(parent, question, details)
    box.setObjectName(unique_name)
    answer_of = _add_buttons(box, answers)

    def call_answer(button: object) -> None:
        answer = answer_of.get(button)
        if answer is not None:
            answer()

    box.buttonClicked.connect(call_answer)
    box.open()
    return box


def save_replacing(
    parent: QWidget,
    path: Path,
    save: Callable[[Path], object],
    ask_again: Answer,
    *,
    over_protected: bool = False,
) -> None:
    """Save to a path, after asking about a file that is there; Cancel asks for another path.

    `over_protected`: `save` replaces a write-protected file, too, so the question says that it is.
    """
    if not path.exists():
        save(path)
        return
    answers = {("Replace", Role.ACCEPT): lambda: save(path), ("Cancel", Role.REJECT): ask_again}
    protected = "It is write-protected." if over_protected and is_protected(path) else ""
    details = f"A file of this name is there already. {protected}".rstrip()
    ask(parent, f"Replace {shown_name(path)}?", details, answers)


def _message_box(parent: QWidget, question: str, details: str) -> QMessageBox:
    from PySide6.QtWidgets import QLabel, QMessageBox  # slow to import, not needed at start

    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle("Backwire")
    box.setText(question)
    box.setInformativeText(details)
    for label in box.findChildren(QLabel):  # also the informative text, whose format Qt guesses
        label.setTextFormat(Qt.TextFormat.PlainText)
    return box


def _add_buttons(
    box: QMessageBox, answers: Mapping[tuple[str, Role], Answer | None]
) -> dict[object, Answer | None]:
    """Add a button for each answer; returns the answer of each button."""
    answer_of: dict[object, Answer | None] = {}
    for index, ((text, role), answer) in enumerate(answers.items()):
        button = box.addButton(text, box.ButtonRole[role.value])
        button.setAutoDefault(True)
        answer_of[button] = answer
        if index == 0:
            box.setDefaultButton(button)
        if role == Role.REJECT:
            box.setEscapeButton(button)
    return answer_of


def _open_question(parent: QWidget, name: str) -> QMessageBox | None:
    from PySide6.QtWidgets import QMessageBox

    boxes = parent.findChildren(QMessageBox, name)
    return next((box for box in boxes if box.isVisible()), None)


def tell(parent: QWidget, sentence: str, details: str = "") -> QMessageBox:
    """Show a message in a dialog, for what a toast might not bring to notice."""
    return ask(parent, sentence, details, {("Close", Role.REJECT): None})


# the size of dialogs

_DECORATION = QSize(16, 48)
"""Generous guess, in px, at the frame and the title bar that a desktop adds to a dialog."""


def fit_screen(dialog: QDialog) -> None:
    """Limit a dialog to the size of its screen.

    Where its content can't shrink so far, it scrolls above the buttons.
    """
    parent = dialog.parentWidget() or dialog
    available = parent.screen().availableGeometry().size() - _DECORATION
    minimum = dialog.minimumSizeHint().expandedTo(dialog.minimumSize())
    preferred = dialog.size().expandedTo(dialog.sizeHint())
    if minimum.boundedTo(available) != minimum:
        preferred += QSize(_make_scrollable(dialog), 0)
        dialog.setMinimumSize(0, 0)
    dialog.setMaximumSize(dialog.maximumSize().boundedTo(available))
    if preferred.boundedTo(available) != preferred:
        dialog.resize(preferred.boundedTo(available))


def _make_scrollable(dialog: QDialog) -> int:
    """Move the content of a dialog, but its box of buttons, into a scroll area.

    Returns the width of its scroll bar.
    """
    from PySide6.QtWidgets import QDialogButtonBox  # slow to import, not needed at start

    layout, buttons = dialog.layout(), dialog.findChild(QDialogButtonBox)
    assert layout is not None
    margins = layout.contentsMargins()
    content = QWidget()
    content.setLayout(layout)
    area = scroll_area(content)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
    column = in_column((area, 1), parent=dialog, gap=0)
    if isinstance(buttons, QDialogButtonBox):
        buttons.setParent(dialog)  # leaves the layout of the content
        buttons.setContentsMargins(margins.left(), 0, margins.right(), margins.bottom() // 2)
        column.addWidget(buttons)
        buttons.show()
    return area.verticalScrollBar().sizeHint().width()
