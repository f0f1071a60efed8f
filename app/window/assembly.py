"""Who is made for a window, in which order, and who hears whom.

`make_context` makes the model, its runners and the canvas. Each connects where it is made, so its
lines are the order in which they hear of what is shown; docs/architecture.md says why it is so.
MainWindow makes the widgets around the canvas, from top to bottom, and then calls `connect`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.canvas.canvas_view import CanvasView
from app.canvas.overlay.node_marks import BreakMarks, CheckedBadge
from app.document.document import Document
from app.guide.run.course_progress import CourseProgress
from app.guide.run.demonstration import Tools
from app.guide.run.guide_runner import GuideRunner
from app.guide.run.recorders import Recorders
from app.style.current import Style
from app.window.commands.file_actions import announce_replacement
from app.window.commands.graph_actions import offer_free_label
from app.window.commands.lesson_actions import open_page_of_step
from app.window.commands.programs_actions import program_run_of
from app.window.commands.run_actions import explain_stuck_pass
from app.window.commands.training_actions import training_of
from app.window.commands.view_actions import show_node
from app.window.context import Context
from app.window.messages import Messages
from app.window.settings import Settings
from app.window.window_files import Files, data_folder
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


def make_context(shell: MainWindow, settings: Settings, style: Style, pages: QWidget) -> Context:
    """Create everything that belongs to one window; `pages` holds the canvas or the start page."""
    owner, document = shell.widget, Document(shell.widget)
    selection, playback = Selection(document, owner), Playback(document, owner)
    modes = QuizRunner(playback, owner)
    checks = Checks(playback, owner)  # before the canvas, which shows its results
    canvas = CanvasView(style, document, playback, modes, selection)
    canvas.compositor.add(CheckedBadge(canvas.context, checks))
    time_machine, training = TimeMachine(document, playback, owner), training_of(document)
    canvas.compositor.add(BreakMarks(canvas.context, time_machine))
    loops, hunting = LoopRunner(document, playback, owner), HuntRunner(playback, selection, owner)
    tools = Tools(document, playback, selection, modes, hunting, loops, checks, training)
    guides = GuideRunner(tools, style, owner)
    progress = CourseProgress(guides, data_folder() / "lessons.json", owner)
    modes.answered.connect(progress.note_answers)  # a run may end long after them, or never
    modes.open_beliefs = lambda: progress.open_beliefs
    return Context(
        document=document,
        selection=selection,
        playback=playback,
        modes=modes,
        descents=loops,
        training=training,
        programs=program_run_of(document, playback, settings),
        friendly=FriendlySearch(document, playback, owner),
        beginning=Beginning(document, playback, owner),
        time_machine=time_machine,
        hunting=hunting,
        ripples=RippleRunner(document, playback, selection, owner),
        checks=checks,
        guides=guides,
        recorders=Recorders(tools, guides, owner),
        progress=progress,
        canvas=canvas,
        style=style,
        settings=settings,
        files=Files(document, settings.store, owner),
        messages=Messages(
            style, canvas, pages, canvas.uncoverable_rects, lambda: canvas.camera.covered_width
        ),
        shell=shell,
    )


def connect(context: Context) -> None:
    """Connect the window, whose parts are made, with the model and with each other."""
    _connect_model(context)
    _connect_parts(context)


def _connect_model(context: Context) -> None:
    window, messages = context.shell, context.messages
    messages.toast_parent_in_presentation = window.strip.free_timeline
    context.playback.shown.connect(window.on_view_state)
    window.presentation.changed.connect(window.parts.rearrange)
    window.parts.changed.connect(window.show_menu_button)
    mode_signals = (context.modes.changed, context.time_machine.changed, context.descents.changed)
    # what conditions of actions depend on, besides the pass; see `on_view_state`
    selection = context.selection
    states = (context.progress.changed, window.parts.changed)
    for signal in (selection.changed, selection.lit_changed, *states, *mode_signals):
        signal.connect(window.commands.refresh)
    context.document.refused.connect(messages.refuse)
    context.document.replaced.connect(partial(announce_replacement, context))
    context.document.leaving.connect(messages.dismiss)
    context.document.leaving.connect(window.end_stage_for_another_document)
    context.playback.said.connect(window.on_playback_said)
    context.playback.pass_blocked.connect(partial(explain_stuck_pass, context))
    context.document.label_shared.connect(partial(offer_free_label, context))
    context.canvas.said.connect(messages.toast)
    context.canvas.tapped.connect(window.commands["play"].trigger)
    window.expression.said.connect(messages.toast)
    context.files.recovery.failed.connect(messages.refuse)
    context.progress.said.connect(messages.refuse)
    window.app_style.applied.connect(window.parts.rearrange)
    window.pages.turned.connect(window.status_line.set_full_page)
    window.pages.turned.connect(window.parts.rearrange)
    window.pages.turned.connect(window.lecture_screen.end_on_full_page)


def _connect_parts(context: Context) -> None:
    window, canvas = context.shell, context.canvas
    canvas.hint.connect(window.status_line.set_hint)
    canvas.zoom_changed.connect(window.status_line.set_zoom)
    window.palette_dock.chosen.connect(canvas.editing.adding.add_at_selected)
    window.palette_dock.drag_began.connect(canvas.palette_drop.show_picture)
    window.palette_dock.quick_add_wanted.connect(window.commands["quick_add"].trigger)
    window.expression.leaf_chosen.connect(partial(show_node, context))
    window.expression.leaf_chosen.connect(canvas.editing.fields.edit_value)
    window.expression.finished.connect(canvas.setFocus)
    # a click there takes the focus from a field
    for bar in (window.toolbar, window.strip):
        bar.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        bar.setFocusProxy(canvas)
    window.strip.set_voice(context.settings.voice)
    window.strip.voice_changed.connect(window.on_voice_changed)
    window.strip.grown.connect(window.parts.rearrange)
    window.strip.more_wanted.connect(window.parts.begin_drill)
    window.strip.ripple_wanted.connect(context.ripples.take)
    window.strip.numbers_wanted.connect(context.beginning.act)
    window.strip.sheet_wanted.connect(context.canvas.setFocus)
    context.selection.changed.connect(window.on_selection_changed)
    context.modes.lesson_step_wanted.connect(window.on_lesson_turned)
    context.guides.entered.connect(window.on_lesson_step_entered)
    context.guides.changed.connect(window.on_lesson_changed)
    context.recorders.changed.connect(window.on_recorder_changed)
    context.recorders.said.connect(context.messages.toast)
    context.recorders.refused.connect(context.messages.refuse)
    context.guides.focus_wanted.connect(window.focus_next_button)
    context.guides.page_wanted.connect(partial(open_page_of_step, context))
    context.guides.step_done.connect(window.on_step_done)
