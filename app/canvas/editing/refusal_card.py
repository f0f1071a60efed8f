"""The card that says why a node may not fire yet; it goes with the next click, Esc or Close."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRectF, QSizeF, Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.card_place import EDGE, NODE, OTHER, READY, Taken, card_place
from app.controls.layouts import in_column, in_row, plain_label
from app.guard import guarded
from app.style.current import Style
from app.workbench.by_hand import ByHand
from app.workbench.hand_words import Refusal, refusal, why_the_order
from app.workbench.shown import Shown
from engine.study.hand_run import HandRun

WIDTH = 430
"""Width of the card, in px at 100 %."""


@guarded
class RefusalCard(QFrame):
    """One refusal, and what can be done about it."""

    grown = Signal()
    """Emitted after the card has got another size."""

    def __init__(self, style: Style, by_hand: ByHand, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._by_hand = by_hand
        self.setProperty("kind", "refused")
        self.setAutoFillBackground(True)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMousePropagation)
        self.setAccessibleName("Why this node may not fire yet")
        self.title = plain_label(kind="strong", wraps=True)
        self.detail = plain_label(wraps=True)
        self.reason = plain_label(kind="secondary", wraps=True)
        self.force = QPushButton("Fire anyway")
        self.why = QPushButton("Why the order?")
        self.close_button = QPushButton("Close")
        for button in (self.force, self.why, self.close_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # the canvas keeps the keyboard
        feet = in_row(self.force, self.why, 1, self.close_button, style=style, edges=0, gap=8)
        parts = (self.title, self.detail, feet, self.reason)
        in_column(*parts, parent=self, style=style, edges=(14, 10, 14, 12), gap=8)
        self.force.clicked.connect(by_hand.force)
        self.why.clicked.connect(self._explain)
        self._reason, self._room = "", WIDTH
        self.hide()

    def show_refusal(self, found: Refusal, reason: str, room: int) -> None:
        """Show why a node may not fire in `room` px at most; `reason` is told on request."""
        self._reason, self._room = reason, room
        self.title.setText(found.title)
        self.detail.setText(found.detail)
        for widget in (self.detail, self.force, self.why):
            widget.setVisible(found.forceable)
        self.reason.hide()
        self._fit()

    def _explain(self) -> None:
        self.reason.setText(self._reason)
        self.reason.show()
        self._fit()
        self.grown.emit()

    def _fit(self) -> None:
        wide, layout = min(self._style.px(WIDTH), self._room), self.layout()
        assert layout is not None
        for label in (self.title, self.detail, self.reason):
            label.ensurePolished()  # else its height is that of the font before
        self.setFixedWidth(wide)
        layout.invalidate()
        layout.activate()
        self.resize(wide, layout.totalHeightForWidth(wide))


class Refusals(QObject):
    """Shows the card on one canvas while a node is refused."""

    def __init__(self, canvas: CanvasContext) -> None:
        super().__init__(canvas.widget)
        self._canvas = canvas
        self.card: RefusalCard | None = None
        self._closed: HandRun | None = None
        """The run whose refusal has been read; its card stays closed."""
        canvas.playback.shown.connect(self._follow)
        canvas.style.changed.connect(self._follow_style, Qt.ConnectionType.QueuedConnection)
        for signal in (canvas.camera.zoomed, canvas.camera.shifted):
            signal.connect(self._place)

    @property
    def area(self) -> QRectF:
        """Return what the card covers of the canvas; empty while it is hidden."""
        if self.card is None or self.card.isHidden():
            return QRectF()
        return QRectF(self.card.geometry())

    def close(self) -> bool:
        """Close the card; return whether it was open."""
        if self.card is None or not self.card.isVisible():
            return False
        self._closed = self._canvas.playback.now.by_hand
        self.card.hide()
        self._canvas.widget.setFocus()
        return True

    def _follow(self, shown: Shown) -> None:
        run, digits, found = shown.by_hand, self._canvas.style.digits, None
        if run is None or run is not self._closed:
            self._closed = None
        if run is not None and self._closed is None and run.refused in self._canvas.scene.boxes:
            found = refusal(shown, digits)
        if found is None:
            if self.card is not None:
                self.card.hide()
            return
        if self.card is None:
            by_hand = self._canvas.modes.by_hand
            self.card = RefusalCard(self._canvas.style, by_hand, self._canvas.widget)
            self.card.grown.connect(self._place)
            self.card.close_button.clicked.connect(self.close)
        reason = why_the_order(shown, digits)
        self.card.show_refusal(found, reason, self._canvas.widget.width() - 2 * round(EDGE))
        self._place()
        self.card.show()
        self.card.raise_()

    def _follow_style(self) -> None:
        self._follow(self._canvas.playback.now)

    def _place(self) -> None:
        """Put the card beside the refused node, off those that may fire, where it covers least."""
        run, graph = self._canvas.playback.now.by_hand, self._canvas.playback.frame.graph
        if self.card is None or run is None or run.refused is None:
            return
        scene, camera = self._canvas.scene, self._canvas.camera
        due = (graph.active_root, graph.root) if run.needs_seed else run.ready(graph)
        weights = dict.fromkeys(due, READY) | {run.refused: NODE}
        # the card is placed near the first
        nodes = sorted(scene.boxes, key=lambda node: node != run.refused)
        taken = [
            Taken(camera.rect_on_screen(scene.boxes[node].rect), weights.get(node, OTHER))
            for node in nodes
        ]
        canvas = QRectF(self._canvas.widget.rect())
        place = card_place(QSizeF(self.card.size()), canvas, taken)
        self.card.move(place.topLeft().toPoint())
