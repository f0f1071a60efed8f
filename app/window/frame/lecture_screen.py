"""LectureScreen: what the room's screen shows of a lecture beside the sheet itself."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.panels.strip import StripPanel
from app.window.context import Context
from app.workbench.words.strip import Say


class LectureScreen(QObject):
    """Gives the strip its band, and fits the sheet once for each graph of the lecture."""

    def __init__(self, context: Context, strip: StripPanel) -> None:
        super().__init__(context.shell.widget)
        self._context, self._strip = context, strip
        self._shows_new_graph = False
        context.lecture.cut.connect(self._on_cut)
        context.lecture.changed.connect(self._show_band)
        context.playback.shown.connect(self._show_band)
        context.style.changed.connect(self._show_band)
        context.lecture.entered.connect(self._on_entered)
        context.lecture.said.connect(context.messages.toast)

    def _show_band(self) -> None:
        from app.workbench.words.lecture import band_of

        context, state = self._context, self._context.lecture.now
        if context.lecture.moving:
            return
        if state is None:
            self._strip.set_band(None)
            return
        style = context.style
        say = Say(digits=style.digits, notation=style.notation, presented=True)
        asks = any(slide.mark.kind == "ask" for slide in state.slides)
        self._strip.set_band(band_of(state, context.playback.now, say), asks_room=asks)

    def _on_cut(self) -> None:
        self._shows_new_graph = True

    def _on_entered(self) -> None:
        """Fit another graph, and keep the view of the same one."""
        if self._shows_new_graph:
            self._shows_new_graph = False
            self._context.canvas.framing.fit_all()
