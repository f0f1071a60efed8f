"""ModelSync: updates the canvas when document, playback or style change."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from app.canvas.animation import Motion
from app.canvas.appearance.detail import Detail
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.graph_editing import GroupNavigation
from app.canvas.input.keyboard_navigation import KeyboardNavigation
from app.canvas.input.mouse import Mouse
from app.canvas.scene.hit_test import NO_HIT
from app.document.change import Change
from app.document.sheet import Sheet, is_large
from app.workbench.playback.view_state import ViewState

REMEASURE_DELAY = 120
"""Delay in milliseconds after which nodes of a large graph are measured again once numbers changed.
"""


class ModelSync(QObject):
    """The canvas's listener to the model: updates each part once per change."""

    def __init__(
        self,
        canvas: CanvasContext,
        mouse: Mouse,
        keyboard: KeyboardNavigation,
        groups: GroupNavigation,
        motion: Motion,
    ) -> None:
        super().__init__(canvas.widget)
        self._canvas = canvas
        self._mouse = mouse
        self._keyboard = keyboard
        self._motion = motion
        self._groups = groups
        self._shown = canvas.playback.now
        """The state that is on the canvas."""
        self._style = canvas.style.sheet_settings
        self._groups_shown = _groups_of(self._shown.sheet)
        """The groups that a gesture in progress may refer to."""
        self._had_room = True
        """Whether every label and number had room after the last edit."""
        self._remeasure_timer = QTimer(self, singleShot=True, interval=REMEASURE_DELAY)
        self._remeasure_timer.timeout.connect(self._remeasure)
        canvas.playback.shown.connect(self._follow)
        canvas.style.changed.connect(self._restyle)

    def show_now(self) -> None:
        """Show the playback's current frame, and keep its step in view."""
        canvas, scene = self._canvas, self._canvas.scene
        now = canvas.playback.now
        frame, before, last, self._shown = now.frame, scene.looks.frame, self._shown, now
        self._mouse.hover.set_hovered(NO_HIT)
        opened, detail = scene.visible.opens, scene.detail(canvas.camera.scale)
        scene.show(now)
        if now.change.wiring:  # the node of the step may be gone, at the same cursor
            canvas.framing.forget_step()
        step_changed = (frame.cursor, frame.phase) != (before.cursor, before.phase)
        groups_changed = scene.visible.opens != opened
        follows = step_changed or groups_changed
        if frame.phase != "live" and follows and self._mouse.gesture is None:
            canvas.framing.follow(now)
        elif frame.phase == "live" and before.phase != "live":
            canvas.framing.forget_step()
        # a question opens groups, a mistake and a training loop move nodes apart
        loop_changed = (now.loop is None) != (last.loop is None)
        if now.rules is not last.rules or groups_changed or loop_changed:
            canvas.framing.refit(min(detail, Detail.RESULTS) if groups_changed else Detail.SHAPES)
        canvas.repaint.everything()
        if not scene.is_layout_complete:
            self._remeasure_soon()
        self._mouse.hover.refresh_hint()

    # private

    def _follow(self, shown: ViewState) -> None:
        """Update scene and painting; a gesture in another group ends before its sheet is left."""
        change, before = shown.change, self._shown
        if shown.inside != before.inside:
            self._mouse.cancel_or_close()  # the gesture, and the field of a number being edited
        frame_differs = shown.frame is not before.frame
        if before.frame.phase == "live" and shown.frame.phase != "live":  # a pass has begun
            self._keyboard.stop()  # arrows step again
        if _is_drawn_differently(shown, before):
            self.show_now()
        if shown.inside != before.inside:
            self._groups.show_path()
            self._canvas.framing.fit_all()
        self._leave_loop(shown, before)
        if shown.sheet is not before.sheet or change.whole:
            self._follow_document(change)
        elif frame_differs or shown.mode is not before.mode:
            self._motion.finish()  # animations of the previous numbers
        self._follow_ripple(shown, before)

    def _follow_ripple(self, shown: ViewState, before: ViewState) -> None:
        """Animate a new ripple, the effect of one changed value on all nodes after it.

        A ripple of a value that is being dragged, or through many nodes, is not animated.
        """
        if _has_new_marks(shown, before):
            self._canvas.framing.bring_ripple_into_view()
        if shown.ripple is not before.ripple:
            is_animated = not is_large(shown.sheet.graph) and not shown.dragged
            self._motion.show_ripple(shown.ripple if is_animated else None)
            if not shown.dragged:
                self._canvas.framing.bring_ripple_into_view()

    def _leave_loop(self, shown: ViewState, before: ViewState) -> None:
        """Move nodes apart for the last numbers of a training loop, which had widths of its own."""
        if before.loop is not None and shown.loop is None:
            self._had_room = True  # so that _make_way moves the nodes that overlapped in the loop
            self._remeasure_timer.start()

    def _follow_document(self, change: Change) -> None:
        """Update gesture, keyboard focus and view after an edit."""
        canvas = self._canvas
        nodes_differ = change.added or change.removed or change.whole
        before = self._groups_shown
        if change.boxes or change.whole:
            self._groups_shown = _groups_of(self._canvas.document.sheet)
        if change.wiring or change.whole or self._groups_shown != before:
            self._mouse.end_gesture()
        if change.whole:
            canvas.auto_layout.cancel()  # the nodes of another document may have the same numbers
            canvas.framing.fit_all()
        if change.boxes or change.whole:
            self._groups.show_path()
        self._motion.follow_document(change)
        if change.updated and not (nodes_differ or change.wiring):
            self._remeasure_soon()  # its numbers may need more room
        elif change.graph or change.moved:
            self._had_room = not canvas.scene.node_layout.moves_for_room()

    def _make_way(self) -> None:
        """Move nodes apart whose numbers have become longer, unless they overlapped before."""
        canvas, places = self._canvas, self._canvas.scene.node_layout.moves_for_room()
        if places and self._had_room:
            canvas.document.make_way(places)
        self._had_room = not canvas.scene.node_layout.moves_for_room()
        canvas.framing.refit_if_cut_off()

    def _restyle(self) -> None:
        canvas, style = self._canvas, self._canvas.style
        canvas.repaint.everything()
        before, self._style = self._style, style.sheet_settings
        if self._style == before:
            return
        canvas.scene.set_notation(style.short, style.signed, style.extras, style.notation)
        if not canvas.framing.repeat_fit():
            # text has another size, so the same zoom is another scale; `set_zoom` keeps the centre
            canvas.camera.set_zoom(canvas.camera.zoom)

    def _remeasure_soon(self) -> None:
        """Measure again once numbers have stopped changing, or periodically while epochs run."""
        if self._shown.loop is None or not self._remeasure_timer.isActive():
            self._remeasure_timer.start()

    def _remeasure(self) -> None:
        """Measure all nodes once numbers have stopped changing."""
        if self._mouse.gesture is not None:  # a node must not move away under the pointer
            self._remeasure_timer.start()
            return
        self._canvas.scene.apply_layout()
        self._make_way()
        self._canvas.repaint.everything()


def _is_drawn_differently(now: ViewState, before: ViewState) -> bool:
    """Return whether the canvas looks different; playing speed, for one, is not drawn.

    Values are compared by identity, as they are never changed; `asks` is a bool.
    """
    return (
        now.sheet is not before.sheet
        or now.frame is not before.frame
        or now.inside != before.inside
        or now.rules is not before.rules
        or now.comparison is not before.comparison
        or now.asks != before.asks
        or now.ripple is not before.ripple
    )


def _has_new_marks(now: ViewState, before: ViewState) -> bool:
    """Return whether a question has other marks: a wrong number, a way; typing changes none."""
    mine, last = now.quiz, before.quiz
    if mine is None or last is None:
        return mine is not last
    answered = mine.last_answers is not last.last_answers
    return answered or mine.way != last.way or mine.answered_questions != last.answered_questions


def _groups_of(sheet: Sheet) -> object:
    """Return the existing groups, to which gestures and hover refer."""
    return {n: (group.members, group.collapsed) for n, group in sheet.groups.items()}
