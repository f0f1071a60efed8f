"""make_context: creates the model and the canvas of one window, and connects them."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.canvas.overlay.node_marks import BreakMarks, CheckedBadge
from app.canvas.view import CanvasView
from app.document.document import Document
from app.style.current import Style
from app.window.context import Context, Shell
from app.window.files import Files, data_folder
from app.window.messages import Messages
from app.window.settings import Settings
from app.workbench.playback.playback import Playback
from app.workbench.playback.time_machine import TimeMachine
from app.workbench.runners.hunt_runner import HuntRunner
from app.workbench.runners.loop_runner import LoopRunner
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.runners.ripple_runner import RippleRunner
from app.workbench.selection import Selection
from app.workbench.study.beginning import Beginning, FriendlySearch
from app.workbench.study.checks import Checks
from app.workbench.study.course_progress import CourseProgress
from app.workbench.study.lesson_runner import LessonRunner, Tools


def make_context(shell: Shell, settings: Settings, style: Style, pages: QWidget) -> Context:
    """Create everything that belongs to one window; the shell's widget becomes the owner.

    `pages` is the widget that holds the canvas or the start page.
    """
    owner = shell.widget
    document = Document(owner)
    selection = Selection(document, owner)
    playback = Playback(document, owner)
    modes = QuizRunner(playback, owner)
    checks = Checks(playback, owner)  # before the canvas, which shows what it found
    canvas = CanvasView(style, document, playback, modes, selection)
    canvas.compositor.add(CheckedBadge(canvas.context, checks))
    machine = TimeMachine(playback, owner)
    canvas.compositor.add(BreakMarks(canvas.context, machine))
    loops = LoopRunner(document, playback, owner)
    hunting = HuntRunner(playback, selection, owner)
    tools = Tools(document, playback, selection, modes, hunting, loops, checks)
    lessons = LessonRunner(tools, style, owner)
    return Context(
        document=document,
        selection=selection,
        playback=playback,
        modes=modes,
        descents=loops,
        friendly=FriendlySearch(document, owner),
        beginning=Beginning(document, playback, owner),
        time_machine=machine,
        hunting=hunting,
        ripples=RippleRunner(document, playback, selection, owner),
        checks=checks,
        lessons=lessons,
        progress=CourseProgress(lessons, data_folder() / "lessons.json", owner),
        canvas=canvas,
        style=style,
        settings=settings,
        files=Files(document, settings.store, owner),
        messages=Messages(style, canvas, pages, canvas.kept_visible),
        shell=shell,
    )
