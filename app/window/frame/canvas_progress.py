"""CanvasProgress: shows the progress of slow work on the canvas."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.window.context import Context


class CanvasProgress(QObject):
    """Shows a progress card while nodes are arranged or wires are routed."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.shell.widget)
        self._context = context
        self._messages = context.messages
        context.canvas.arranging.connect(self._show_arranging)
        context.canvas.laying.connect(self._show_laying)

    def _show_arranging(self, arranging: bool) -> None:
        if arranging:
            cancel = self._context.canvas.auto_layout.cancel
            self._messages.progress.wait_for("Arranging the nodes", cancel)
        else:
            self._messages.end_progress()

    def _show_laying(self, share: float) -> None:
        if share < 1:
            count = len(self._context.document.graph.nodes)
            self._messages.progress.show_share(f"Laying out {count:,} nodes", share)
        else:
            self._messages.end_progress()
