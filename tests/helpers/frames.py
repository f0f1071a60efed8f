"""In a copy the window is drawn at each eighth turn of events alone, and wherever it is looked at.

To draw is a fifth of what a journey takes, and few journeys look at what is drawn. What has been
left out is drawn with the next frame. The tests of the canvas and of single panels, those on a real
X server, and all with `--whole` draw every frame.
"""

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

EACH = 8


class FewFrames(QObject):
    """Draws few frames of a window from now on."""

    each = EACH
    """1 for a test that looks at when something is drawn."""

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        self._window, self._turns, self._draws = window, 0, False
        self._timer = QTimer(self, interval=0)  # once for each turn of events
        self._timer.timeout.connect(self._turn)
        window.destroyed.connect(self._timer.stop)
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Leave out a frame; Qt asks for no other before one is drawn."""
        if event.type() != QEvent.Type.UpdateRequest or self._draws or self.each == 1:
            return False
        self._timer.start()
        return True

    def _turn(self) -> None:
        self._turns += 1
        if self._turns % self.each == 0:
            self._timer.stop()
            self._draws = True
            QCoreApplication.sendEvent(self._window, QEvent(QEvent.Type.UpdateRequest))
            self._draws = False
