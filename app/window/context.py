"""Context: everything that actions, dialogs and parts of the window share.

Shell and WindowParts are the interface of the main window in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct
from PySide6.QtWidgets import QWidget

from app.canvas.canvas_view import CanvasView
from app.document.document import Document
from app.guide.run.course_progress import CourseProgress
from app.guide.run.guide_runner import GuideRunner
from app.guide.run.recorders import Recorders
from app.style.current import Style
from app.window.messages import Messages
from app.window.settings import Settings
from app.window.window_files import Files
from app.workbench.playback.playback import Playback
from app.workbench.playback.time_machine import TimeMachine
from app.workbench.runners.hunt_runner import HuntRunner
from app.workbench.runners.loop_runner import LoopRunner
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.runners.ripple_runner import RippleRunner
from app.workbench.selection import Selection
from app.workbench.trials.beginning import Beginning, FriendlySearch
from app.workbench.trials.gradient_checks import Checks
from app.workbench.words.sentences import Voice

if TYPE_CHECKING:
    from app.controls.panel import Page
    from app.lessons.lesson import Lesson
    from app.workbench.training import Training
    from app.workbench.trials.program_run import ProgramRun


class WindowParts(Protocol):
    """The parts of the window, the page that is open, and a stage in place of the sheet.

    A part is named as in the settings: "toolbar", "palette", "bar", "strip" or "status".
    """

    def shown(self, part: str) -> bool:
        """Return whether a part of the window is shown."""
        ...

    def toggle(self, part: str) -> None:
        """Show or hide a part of the window."""
        ...

    def rail(self) -> bool:
        """Return whether the palette shows icons only."""
        ...

    def toggle_rail(self) -> None:
        """Fold the palette to icons, or unfold it."""
        ...

    @property
    def page(self) -> str:
        """Return the name of the page that is open, or ""."""
        ...

    def toggle_page(self, name: str) -> None:
        """Open a page and focus it; fold it if it is open."""
        ...

    def fold_page(self) -> bool:
        """Fold a page that is open over the canvas; return whether there was one."""
        ...

    def present(self, on: bool) -> None:
        """Fold the page for a presentation, or open it again."""
        ...

    @property
    def staged(self) -> bool:
        """Return whether a page shows a stage of its own in place of the sheet."""
        ...

    def end_stage(self) -> bool:
        """Stop the training on a stage, or leave the stage; return whether there was one."""
        ...

    def show_program(self) -> None:
        """Show the bar of the program that was brought, above the canvas."""
        ...

    def show_sheet(self) -> None:
        """Show the sheet in place of the list of a program's passes."""
        ...

    def show_tools(self) -> None:
        """Show the tiles of all pages, or without All tools of the permanent and used ones."""
        ...

    def reset(self) -> None:
        """Show every part, and let the window's width decide whether the palette is a rail."""
        ...


class Shell(Protocol):
    """The main window as actions see it: its pages, parts, full screen and dialogs."""

    @property
    def widget(self) -> QWidget:
        """Return the window itself, the parent of dialogs and menus."""
        ...

    @property
    def on_full_page(self) -> bool:
        """Return whether the start page, or the result of a test, is in place of the canvas."""
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

    def show_test_result(self) -> None:
        """Show the result of the final test that has ended."""
        ...

    @property
    def parts(self) -> WindowParts:
        """Return the parts around the canvas, to show, hide or fold them."""
        ...

    def focus_formula(self) -> None:
        """Move the keyboard to the formula bar."""
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

    def present_lesson(self, lesson: Lesson, at: int = 0) -> None:
        """Give a lesson to a room from a step on; one that is on ends."""
        ...

    @property
    def speaker_open(self) -> bool:
        """Return whether the speaker's window is shown."""
        ...

    def toggle_speaker(self) -> None:
        """Open or close the speaker's window; without a lecture begin one."""
        ...

    def leave_full_screen(self) -> None:
        """Leave full screen and show all parts."""
        ...

    def show_page(self, name: str, *, focus: bool = True) -> Page:
        """Open a page of the right bar, give it the keyboard, and return it."""
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


class Context(Struct, frozen=True):
    """The model, its runners, the canvas, and the ways to talk to the user."""

    document: Document
    selection: Selection
    playback: Playback
    modes: QuizRunner
    """Ask me and By hand."""
    descents: LoopRunner
    """The loop of Descent."""
    training: Callable[[], Training]
    """Returns the network of the page Train, made at the first call."""
    programs: Callable[[], ProgramRun]
    """Returns the program that was brought, and its run; made at the first call."""
    friendly: FriendlySearch
    """Searches numbers for which a right answer differs from every slip."""
    beginning: Beginning
    """Finds the numbers with which a typed formula begins."""
    hunting: HuntRunner
    """The hunt for a hidden mistake."""
    ripples: RippleRunner
    """What a changed number does to the nodes after it."""
    time_machine: TimeMachine
    """Breakpoints, and the steps at which a gradient became final or wrong."""
    checks: Checks
    """Comparisons with numerical gradients and with PyTorch."""
    guides: GuideRunner
    """Leads a learner, or with F5 a room, through a lesson."""
    recorders: Recorders
    """The lesson that is being written."""
    progress: CourseProgress
    """How far the user got in each lesson."""
    canvas: CanvasView
    style: Style
    settings: Settings
    files: Files
    """Connects the document with the disk."""
    messages: Messages
    shell: Shell

    def cancel(self) -> bool:
        """Cancel a running gesture or layout on the canvas; return whether there was one."""
        return self.canvas.mouse.cancel_or_close() or self.messages.cancel_progress()
