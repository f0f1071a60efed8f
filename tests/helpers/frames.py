"""In a copy of the window the canvas draws each fourth frame, and each one that is looked at.

To draw is a sixth of what a journey takes, and few journeys look at what is drawn. The tests of the
canvas, those on a real X server, and all with `--whole` draw every frame.
"""

import sys
from collections.abc import Callable
from itertools import count
from typing import Any

EACH = 4


def draw_few() -> None:
    """Draw few frames from now on, in this process."""
    if "app.canvas.compositor" not in sys.modules:
        return
    from PySide6.QtGui import QPainter, QRegion
    from PySide6.QtWidgets import QWidget

    from app.canvas.compositor import Compositor

    draw, frames, looking = Compositor.paint, count(1), [False]

    def paint(self: Compositor, painter: QPainter, region: QRegion) -> None:
        if looking[0] or next(frames) % EACH == 0:
            draw(self, painter, region)

    def looked_at(take: Callable[..., Any]) -> Callable[..., Any]:
        def taken(*given: Any, **named: Any) -> object:
            before, looking[0] = looking[0], True
            try:
                return take(*given, **named)
            finally:
                looking[0] = before

        return taken

    Compositor.paint = paint
    QWidget.grab, QWidget.render = looked_at(QWidget.grab), looked_at(QWidget.render)
