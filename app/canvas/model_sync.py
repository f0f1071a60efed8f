"""ModelSync: brings the canvas up to date when document, playback or style change."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from app.canvas.animation.motion import Motion
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.group_navigation import GroupNavigation
from app.canvas.input.keyboard_navigation import KeyboardNavigation
from app.canvas.input.mouse import Mouse
from app.canvas.overlay.overlay import Overlay
from app.canvas.paint import changed_nodes as touched
from app.canvas.paint.painter import BATCHED
from app.canvas.scene.hit_test import NOTHING
from app.canvas.scene.step_scope import Step
from app.document.change import Change
from app.document.sheet import Sheet
from engine.frame import Frame

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
        self._stood = _what_stands(canvas.document.sheet)
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(SETTLE)
        self._settling.timeout.connect(self._settle)
        canvas.document.changed.connect(self._follow_document)
        canvas.document.inside_changed.connect(self._follow_inside)
        canvas.playback.frame_changed.connect(self._follow_frame)
        canvas.playback.settings_changed.connect(self.show_now)
        canvas.style.changed.connect(self._restyle)

    def show_now(self) -> None:
        """Show the frame that the playback is at."""
        self.show_frame(self._canvas.playback.frame)

    def show_frame(self, frame: Frame) -> None:
        """Show a frame, and keep in view what its step is about."""
        canvas, scene = self._canvas, self._canvas.scene
        if frame.graph is not canvas.document.graph:
            return  # numbers of another graph are never drawn; the right ones are on their way
        covered = canvas.playback.covered
        shown = canvas.playback.cover and not covered
        before = scene.looks.frame
        self._mouse.hover.light_up(NOTHING)
        scene.show(canvas.document.sheet, frame, covered, shown, beside=canvas.playback.comparison)
        stepped = (frame.cursor, frame.phase) != (before.cursor, before.phase)
        if frame.phase != "live" and stepped and self._mouse.gesture is None:
            self._canvas.framing.follow(frame)
        elif frame.phase == "live" and before.phase != "live":
            self._canvas.framing.leave_pass()
        self._redraw_steps(scene.touched)
        if scene.node_layout.unmeasured:
            self._settling.start()
        self._mouse.hover.refresh_hint()

    # inside

    def _follow_frame(self, frame: Frame) -> None:
        self._keyboard.follow(frame)
        self._overlay.follow_frame(frame)
        self.show_frame(frame)
        self._motion.finish()  # what moved for the numbers before

    def _follow_inside(self) -> None:
        self._mouse.cancel_or_close()
        self._groups.show_inside()

    def _follow_document(self, change: Change) -> None:
        """Playback says when numbers differ; what only stands elsewhere is shown from here."""
        self._overlay.follow_document(change)
        before = self._stood
        if change.boxes or change.whole:
            self._stood = _what_stands(self._canvas.document.sheet)
        if change.wiring or change.whole or self._stood != before:
            self._mouse.let_go()
        if not change.graph:
            self.show_now()
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

    def _redraw_steps(self, steps: list[Step] | None) -> None:
        """Paint anew what looks otherwise after a step, or everything."""
        scene, scale = self._canvas.scene, self._canvas.camera.scale
        if steps is None or scale < BATCHED:
            self._canvas.repaint.everything()
            return
        for rect in touched.by_steps(scene, steps, scale):
            self._canvas.repaint.on_sheet(rect)
        self._overlay.redraw()

    def _settle(self) -> None:
        """Numbers have stopped changing: give nodes the size they need."""
        self._canvas.scene.settle()
        self._canvas.repaint.everything()


def _what_stands(sheet: Sheet) -> object:
    """The groups and sections there are, wherever they stand: what can be held hangs on them."""
    groups = {n: (group.members, group.collapsed) for n, group in sheet.groups.items()}
    return groups, frozenset(sheet.sections)
