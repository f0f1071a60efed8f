"""Context: passed to actions, dialogs and parts of the window; Shell: the window's own part."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from app.canvas.view import CanvasView
from app.document.document import Document
from app.style.current import Style
from app.window.files import Files
from app.window.messages import Messages
from app.window.settings import Settings
from app.workbench.playback.playback import Playback
from app.workbench.playback.time_machine import TimeMachine
from app.workbench.room import Room
from app.workbench.runners.hunt_runner import HuntRunner
from app.workbench.runners.loop_runner import LoopRunner
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.selection import Selection
from app.workbench.study.checks import Checks
from app.workbench.study.friendly_search import FriendlySearch
from app.workbench.words.sentences import Voice


class WindowParts(Protocol):
    """The parts of the window; palette and side panel can be folded to icons and tabs."""

    def shown(self, part: str) -> bool:
        """Return whether a part of the window (one of `PARTS`) is shown."""
        ...

    def toggle(self, part: str) -> None:
        """Show or hide a part of the window."""
        ...

    def folded(self, part: str) -> bool:
        """Return whether the palette shows icons only, or the side panel its tabs only."""
        ...

    def toggle_folded(self, part: str) -> None:
        """Fold or unfold the palette or the side panel."""
        ...

    def shows_tab(self, name: str) -> bool:
        """Return whether a tab of the side panel is there, at the front or behind others."""
        ...

    def toggle_tab(self, name: str) -> None:
        """Bring a tab of the side panel to the front, or take it away."""
        ...

    def close_side(self) -> bool:
        """Close the side panel if it is open over the sheet; return whether it was."""
        ...

    @property
    def staged(self) -> bool:
        """Return whether a panel shows a stage of its own in place of the sheet."""
        ...

    def end_stage(self) -> bool:
        """Stop what runs on a stage, or else end it; return whether there was a stage."""
        ...

    def reset(self) -> None:
        """Show every part and leave the form and the width of the docks to the window."""
        ...

    def make_room(self, room: Room) -> None:
        """Give the canvas more room, or take it back, where the user has not chosen otherwise."""
        ...

    def canvas_size(self, room: Room) -> QSize:
        """Return the size that the canvas would have with this much room."""
        ...


class Shell(Protocol):
    """What only the main window can do: its pages and parts, full screen, its own dialogs."""

    @property
    def widget(self) -> QWidget:
        """Return the parent of dialogs and menus."""
        ...

    @property
    def on_start_page(self) -> bool:
        """Return whether the start page is shown in place of the canvas."""
        ...

    @property
    def full_screen(self) -> bool:
        """Return whether the window fills the screen."""
        ...

    @property
    def presenting(self) -> bool:
        """Return whether only the graph and the step are shown, in full screen."""
        ...

    def show_work(self) -> None:
        """Show the canvas with its panels and focus it."""
        ...

    def show_start_page(self) -> None:
        """Show the start page."""
        ...

    @property
    def parts(self) -> WindowParts:
        """Return what shows, hides and folds the parts around the canvas."""
        ...

    def focus_next_part(self, steps: int) -> None:
        """Move the keyboard focus by `steps` parts of the window."""
        ...

    def toggle_full_screen(self) -> None:
        """Enter or leave full screen."""
        ...

    def toggle_presentation(self) -> None:
        """Enter or leave full screen with the graph and the step alone."""
        ...

    def leave_full_screen(self) -> None:
        """Leave full screen and show all parts."""
        ...

    def show_panel(self, name: str) -> None:
        """Bring a panel of the side panel to the front, and give it the keyboard."""
        ...

    def set_voice(self, voice: Voice) -> None:
        """Set the voice of the step sentence."""
        ...

    def show_command_palette(self) -> None:
        """Open the command palette."""
        ...

    def show_shortcuts(self) -> None:
        """Open the list of keyboard shortcuts."""
        ...

    def close(self) -> bool:
        """Close the window, after asking about unsaved work."""
        ...


class Context(Struct, frozen=True):
    """The model, the canvas, and the ways to talk to the user.

    `files` connects the document with the disk.
    """

    document: Document
    selection: Selection
    playback: Playback
    modes: QuizRunner
    descents: LoopRunner
    friendly: FriendlySearch
    hunting: HuntRunner
    time_machine: TimeMachine
    checks: Checks
    canvas: CanvasView
    style: Style
    settings: Settings
    files: Files
    messages: Messages
    shell: Shell

    def cancel(self) -> bool:
        """Cancel a running gesture or layout on the canvas; return whether there was one."""
        return self.canvas.mouse.cancel_or_close() or self.messages.cancel_progress()
