"""ModelSync: brings the canvas up to date when document, playback or style change."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from app.canvas.animation.motion import Motion
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.group_navigation import GroupNavigation
from app.canvas.input.keyboard_navigation import KeyboardNavigation
from app.canvas.input.mouse import Mouse
from app.canvas.overlay.overlay import Overlay
from app.canvas.paint import repaint_rects
from app.canvas.paint.painter import BATCHED
from app.canvas.scene.hit_test import NOTHING
from app.canvas.scene.step_scope import Step
from app.document.change import Change
from app.document.sheet import Sheet
from app.workbench.shown import Shown

SETTLE = 120
"""Milliseconds after which the nodes of a large graph are measured once numbers have changed."""


class ModelSync(QObject):
    """The one listener to the model for a canvas; tells the other parts, each once."""

    def __init__(
        self,
        canvas: CanvasContext,
        mouse: Mouse,
        keyboard: KeyboardNavigation,
        groups: GroupNavigation,
        motion: Motion,
        overlay: Overlay,
    ) -> None:
        super().__init__(canvas.widget)
        self._canvas = canvas
        self._mouse = mouse
        self._keyboard = keyboard
        self._motion = motion
        self._groups = groups
        self._overlay = overlay
        self._shown = canvas.playback.now
        self._stood = _what_stands(self._shown.sheet)
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(SETTLE)
        self._settling.timeout.connect(self._settle)
        canvas.playback.shown.connect(self._follow)
        canvas.style.changed.connect(self._restyle)

    def show_now(self) -> None:
        """Show what the playback is at, and keep in view what its step is about."""
        canvas, scene = self._canvas, self._canvas.scene
        now = canvas.playback.now
        frame, before, self._shown = now.frame, scene.looks.frame, now
        self._mouse.hover.light_up(NOTHING)
        scene.show(now)
        stepped = (frame.cursor, frame.phase) != (before.cursor, before.phase)
        if frame.phase != "live" and stepped and self._mouse.gesture is None:
            self._canvas.framing.follow(frame)
        elif frame.phase == "live" and before.phase != "live":
            self._canvas.framing.leave_pass()
        self._repaint_steps(scene.changed_steps)
        if scene.node_layout.unmeasured:
            self._settling.start()
        self._mouse.hover.refresh_hint()

    # private

    def _follow(self, shown: Shown) -> None:
        """Show what differs; a gesture in another group is over before its sheet is left."""
        change, before = shown.change, self._shown
        if shown.inside != before.inside:
            self._mouse.cancel_or_close()
        frame_differs = shown.frame is not before.frame
        if frame_differs:
            self._keyboard.follow(shown.frame)
            self._overlay.follow_frame(shown.frame)
        if _looks_other(shown, before):
            self.show_now()
        if shown.inside != before.inside:
            self._groups.show_path()
            self._canvas.framing.fit_all()
        if shown.sheet is not before.sheet or change.whole:
            self._follow_document(change)
        elif frame_differs or shown.cover != before.cover:
            self._motion.finish()  # what moved for the numbers before

    def _follow_document(self, change: Change) -> None:
        """What an edit does to the map, to what hand and keyboard hold, and to the view."""
        self._overlay.follow_document(change)
        before = self._stood
        if change.boxes or change.whole:
            self._stood = _what_stands(self._canvas.document.sheet)
        if change.wiring or change.whole or self._stood != before:
            self._mouse.let_go()
        if change.whole:
            self._canvas.framing.show_opened()
        if change.boxes or change.whole:
            self._groups.show_path()
        self._motion.follow_document(change)

    def _restyle(self) -> None:
        self._overlay.follow_style()
        canvas, style = self._canvas, self._canvas.style
        canvas.scene.write_with(style.short, style.signed)
        if not canvas.framing.again():
            canvas.camera.set_zoom(canvas.camera.zoom)

    def _repaint_steps(self, steps: list[Step] | None) -> None:
        """Paint anew what looks otherwise after a step, or everything."""
        scene, scale = self._canvas.scene, self._canvas.camera.scale
        if steps is None or scale < BATCHED:
            self._canvas.repaint.everything()
            return
        for rect in repaint_rects.by_steps(scene, steps, scale):
            self._canvas.repaint.on_sheet(rect)
        self._overlay.redraw()

    def _settle(self) -> None:
        """Numbers have stopped changing: give nodes the size they need."""
        self._canvas.scene.settle()
        self._canvas.repaint.everything()


def _looks_other(now: Shown, before: Shown) -> bool:
    """Whether the canvas would be drawn otherwise; the speed of playing, say, is not drawn."""
    return (
        now.sheet is not before.sheet
        or now.frame is not before.frame
        or now.inside != before.inside
        or (now.cover, now.covered) != (before.cover, before.covered)
    )


def _what_stands(sheet: Sheet) -> object:
    """The groups and sections there are, wherever they stand: what can be held hangs on them."""
    groups = {n: (group.members, group.collapsed) for n, group in sheet.groups.items()}
    return groups, frozenset(sheet.sections)
