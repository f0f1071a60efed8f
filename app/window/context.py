"""Context: everything that actions, dialogs and parts of the window share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

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

if TYPE_CHECKING:
    from app.window.frame.main_window import MainWindow
    from app.workbench.training import Training
    from app.workbench.trials.program_run import ProgramRun


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
    shell: MainWindow
    """The window: its pages, parts, full screen and dialogs."""

    def cancel(self) -> bool:
        """Cancel a running gesture or layout on the canvas; return whether there was one."""
        return self.canvas.mouse.cancel_or_close() or self.messages.cancel_progress()
