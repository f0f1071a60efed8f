"""Context: what actions, dialogs and parts of the window are given; Shell: what only it can do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from PySide6.QtWidgets import QWidget

from app.canvas.view import CanvasView
from app.document.clipboard import RepeatedPaste
from app.document.document import Document
from app.style.current import Style
from app.window.files import Files
from app.window.messages import Messages
from app.window.settings import Settings
from app.workbench.narration import Voice
from app.workbench.playback import Playback
from app.workbench.selection import Selection


class Shell(Protocol):
    """What only the main window can do: its pages and parts, full screen, its own dialogs."""

    @property
    def widget(self) -> QWidget:
        """The parent of dialogs and menus."""
        ...

    @property
    def on_start_page(self) -> bool:
        """Whether the start page is shown in place of the canvas."""
        ...

    @property
    def full_screen(self) -> bool:
        """Whether the window fills the screen."""
        ...

    @property
    def presenting(self) -> bool:
        """Whether only the graph and the step are shown, on the full screen."""
        ...

    def show_work(self) -> None:
        """Show the canvas with its panels and give it the keyboard."""
        ...

    def show_start_page(self) -> None:
        """Show the page that offers examples, recent files and a formula."""
        ...

    def shows_part(self, part: str) -> bool:
        """Whether a part of the window (one of `PARTS`) is shown."""
        ...

    def toggle_part(self, part: str) -> None:
        """Show or hide a part of the window."""
        ...

    def focus_next_part(self, steps: int) -> None:
        """Move the keyboard focus by so many parts of the window."""
        ...

    def toggle_full_screen(self) -> None:
        """Fill the screen, or go back to a window."""
        ...

    def toggle_presentation(self) -> None:
        """Fill the screen with the graph and the step alone, or go back."""
        ...

    def leave_full_screen(self) -> None:
        """Go back to a window with all its parts."""
        ...

    def set_voice(self, voice: Voice) -> None:
        """Choose how the transport says a step."""
        ...

    def show_command_palette(self) -> None:
        """Open the list of all actions, which Enter runs."""
        ...

    def show_shortcuts(self) -> None:
        """Open the list of keyboard shortcuts."""
        ...

    def close(self) -> bool:
        """Close the window, after the question about unsaved work."""
        ...


@dataclass(frozen=True, slots=True)
class Context:
    """The model, the canvas, and how to speak to the user.

    `files` ties the document to the disk. `repeated_paste` remembers the last paste.
    """

    document: Document
    selection: Selection
    playback: Playback
    canvas: CanvasView
    style: Style
    settings: Settings
    files: Files
    messages: Messages
    shell: Shell
    repeated_paste: RepeatedPaste = field(default_factory=RepeatedPaste)

    def cancel(self) -> bool:
        """Cancel what is under way on the canvas, a gesture or a layout; whether anything was."""
        return self.canvas.mouse.cancel_or_close() or self.messages.progress.cancel()
