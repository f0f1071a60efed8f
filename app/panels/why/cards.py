"""Cards of the chain-rule panel: one for each contribution that has arrived."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.controls.buttons import PaintedButton
from app.controls.layouts import RowsOnDemand, in_column, plain_label, plain_tooltip
from app.controls.rich_text import ENDLESS, Span, lay_out, paint_lines, plain_text
from app.guard import guarded
from app.style import sizes
from app.style.current import Style
from app.style.strokes import draw_sibling_mark
from app.style.theme import mixed
from app.workbench.gradients.chain_rule import Derivation, Term
from app.workbench.gradients.comparison import Comparison, same
from engine.trace import Event

MOST_CARDS = 8
"""Cards at most; of earlier contributions only the number is shown."""
_HEIGHT = 52
"""Height of a card, in px at 100 %."""
_WIDTH = 200
"""Preferred width of a card, in px at 100 %."""
_LEAST_WIDTH = 120
_EDGE = 12
"""Horizontal padding of a card, in px at 100 %."""
_UPPER_ROW = 20
"""Baseline of the upper row below the top of the card, in px at 100 %."""
_BELOW = 8
"""Space below the lower row, in px at 100 %."""
_TEXT_GAP = 8
"""Least space between the texts of a row, in px at 100 %."""
_MARK = 8
"""Side of the mark of a sibling wire, in px at 100 %."""
_AFTER_MARK = 7
_HOVER = 0.04
"""Share of the text's colour in a card under the pointer."""
_LONGEST_NAME = 16
"""Characters of the name of the node that sends."""


class Cards(QWidget):
    """The contributions of one node in order of arrival; of many only the newest."""

    step_chosen = Signal(int)

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._earlier = plain_label(kind="secondary")
        column = in_column(self._earlier, parent=self, style=style, edges=0, gap=8)
        self._cards = RowsOnDemand(self._card, column.addWidget)

    def shown(self) -> list[str]:
        """Return the texts of the cards for assistive technology."""
        return [card.accessibleName() for card in self._cards.shown]

    def card(self, place: int) -> ContributionCard:
        """Return a card by its index from the top."""
        return self._cards[place]

    def show_terms(self, found: Derivation, comparison: Comparison | None = None) -> None:
        """Show the contributions that have arrived; `comparison` is with the correct pass."""
        terms = found.arrived[-MOST_CARDS:]
        hidden = len(found.arrived) - len(terms)
        self._earlier.setText(f"{hidden:,} earlier contributions")
        self._earlier.setVisible(hidden > 0)
        for card, term in zip(self._cards.show(len(terms)), terms, strict=True):
            card.show_term(found, term, comparison)
        self.setVisible(bool(terms))

    def _card(self) -> ContributionCard:
        card = ContributionCard(self._style, self)
        card.clicked.connect(self._chosen)
        return card

    def _chosen(self) -> None:
        card = self.sender()
        if isinstance(card, ContributionCard):
            self.step_chosen.emit(card.step)


@guarded
class ContributionCard(PaintedButton):
    """One contribution: its source node, its step, the product and the result."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(style, parent)
        self.step = 0
        self._event: Event | None = None
        self._route = self._when = ""
        self._hue = -1
        self._now = self._lost = False
        self._right: float | None = None
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_term(self, found: Derivation, term: Term, comparison: Comparison | None) -> None:
        """Show one contribution; with a mistake, a cross marks a wrong one."""
        graph, target = found.frame.graph, term.wire[0]
        trace = found.frame.trace
        self.step, self._event, self._now = term.step, term.event, term.now
        self._hue = found.hue(term)
        self._lost = trace is not None and not trace.rules.accumulate and term.event != found.last
        self._right = _correct_contribution(term, comparison)
        twice = sum(s == found.node for s in graph.inputs(target)) > 1
        op, title = graph.op(target).symbol, graph.brief(target, _LONGEST_NAME)
        self._route = f"by way of {op} {title}"
        if twice:
            self._route = f"by way of {op} {title}, slot {term.wire[1] + 1}"
        self._when = f"step {self.step:,}, now" if self._now else f"step {self.step:,}"
        product = plain_text(self._product())
        self.setAccessibleName(f"{self._route}, {self._when}: {product} = {self._result()}")
        tooltip = f"Go to step {self.step}"
        if self._right is not None:
            right = self._style.signed(self._right)
            tooltip = f"Go to step {self.step}; the correct pass sends {right}"
        self.setToolTip(plain_tooltip(tooltip))
        self.update()

    def _product(self) -> tuple[Span, ...]:
        assert self._event is not None
        return (
            Span(self._style.short(self._event.upstream), "gradient", bold=True),
            Span(" × "),
            Span(self._style.short(self._event.local), "local", bold=True),
        )

    def _result(self) -> str:
        assert self._event is not None
        cross = "" if self._right is None else "✗ "
        return f"{cross}{self._style.signed(self._event.contribution)}"

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(_WIDTH), self._style.px(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(_LEAST_WIDTH), self._style.px(_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._event is None:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_box(painter)
            self._paint_way(painter)
            self._paint_numbers(painter)

    def _paint_box(self, painter: QPainter) -> None:
        theme = self._style.theme
        fill = theme.firing if self._now else theme.muted
        line = theme.gradient if self._now else theme.line
        if self.underMouse():
            fill = mixed(fill, theme.text, _HOVER)
        self.paint_box(painter, fill, line, sizes.RADIUS_BUTTON, 2.0 if self._now else 1.0)

    def _paint_way(self, painter: QPainter) -> None:
        """Paint the upper row: mark, path, step."""
        theme, px = self._style.theme, self._style.px
        left, base = px(_EDGE), px(_UPPER_ROW)
        if self._hue >= 0:
            at, side = QPointF(left + px(_MARK / 2), base - px(_MARK / 2 + 0.5)), px(_MARK)
            draw_sibling_mark(painter, self._hue, at, side, theme.sibling(self._hue))
            left += px(_MARK + _AFTER_MARK)
        painter.setFont(self._style.font("caption"))
        metrics = QFontMetricsF(painter.font())
        right = self.width() - px(_EDGE) - metrics.horizontalAdvance(self._when)
        painter.setPen(theme.secondary)
        painter.drawText(QPointF(right, base), self._when)
        width = right - left - px(_TEXT_GAP)
        route = metrics.elidedText(self._route, Qt.TextElideMode.ElideRight, width)
        painter.drawText(QPointF(left, base), route)

    def _paint_numbers(self, painter: QPainter) -> None:
        """Paint the lower row: the product and its result."""
        theme, px = self._style.theme, self._style.px
        font = self._style.font("number")
        lines = lay_out(self._product(), font, ENDLESS)
        top = self.height() - px(_BELOW) - QFontMetricsF(font).height()
        paint_lines(painter, QPointF(px(_EDGE), top), lines, font, theme)
        bad = self._lost or self._right is not None
        hue = theme.error if bad else theme.sibling(max(self._hue, 0))
        font.setStrikeOut(self._lost)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        painter.setPen(hue)
        text = self._result()
        right = self.width() - px(_EDGE) - metrics.horizontalAdvance(text)
        painter.drawText(QPointF(right, top + metrics.ascent()), text)


def _correct_contribution(term: Term, comparison: Comparison | None) -> float | None:
    """Return the contribution of the correct pass along a wire if it differs, else None."""
    if comparison is None or term.event is None:
        return None
    sent = comparison.sent.get(term.wire, 0.0)
    return None if same(term.event.contribution, sent) else sent
