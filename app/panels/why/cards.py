"""Cards of the page Why: one for each contribution that has arrived."""

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

MAX_CARDS = 8
"""Cards at most; of earlier contributions only the number is shown."""
_WIDTH, _MIN_WIDTH, _HEIGHT = 200, 120, 52
"""Preferred and least width, and height of a card, in px at 100 %."""
_PADDING, _BOTTOM_PADDING = 12, 8
"""Space left and right of the texts of a card, and below them, in px at 100 %."""
_UPPER_BASELINE = 20
"""Baseline of the upper row below the top of the card, in px at 100 %."""
_TEXT_GAP = 8
"""Least space between the texts of a row, in px at 100 %."""
_MARK_SIZE, _MARK_GAP = 8, 7
"""Side of the mark of a sibling wire, and space after it, in px at 100 %."""
_HOVER_SHARE = 0.04
"""Share of the text's colour in a card under the pointer."""
_NAME_LENGTH = 16
"""Characters of the name of the sender."""


class Cards(QWidget):
    """The contributions of one node in order of arrival; of many only the newest."""

    step_chosen = Signal(int)
    """Emitted with the cursor after the step of a clicked card."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._earlier = plain_label(kind="secondary")
        column = in_column(self._earlier, parent=self, style=style, edges=0, gap=8)
        self._cards = RowsOnDemand(self._new_card, column.addWidget)

    def shown(self) -> list[str]:
        """Return the texts of the cards for assistive technology."""
        return [card.accessibleName() for card in self._cards.shown]

    def card(self, index: int) -> ContributionCard:
        """Return a card by its index from the top."""
        return self._cards[index]

    def show_terms(self, derivation: Derivation, comparison: Comparison | None = None) -> None:
        """Show the contributions that have arrived; `comparison` is with the correct pass."""
        terms = derivation.arrived[-MAX_CARDS:]
        hidden = len(derivation.arrived) - len(terms)
        self._earlier.setText(f"{hidden:,} earlier contributions")
        self._earlier.setVisible(hidden > 0)
        for card, term in zip(self._cards.show(len(terms)), terms, strict=True):
            card.show_term(derivation, term, comparison)
        self.setVisible(bool(terms))

    def _new_card(self) -> ContributionCard:
        card = ContributionCard(self._style, self)
        card.clicked.connect(self._choose)
        return card

    def _choose(self) -> None:
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
        self._route = self._step_text = ""
        self._hue = -1
        """The number of the sibling colour, −1 for none."""
        self._is_current = self._is_overwritten = False
        self._correct: float | None = None
        """The contribution of the correct pass, if it differs."""
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_term(self, derivation: Derivation, term: Term, comparison: Comparison | None) -> None:
        """Show one contribution; with a mistake, a cross marks a wrong one."""
        graph, target = derivation.frame.graph, term.wire[0]
        trace = derivation.frame.trace
        self.step, self._event, self._is_current = term.step, term.event, term.now
        self._hue = derivation.hue(term)
        overwrites = trace is not None and not trace.rules.accumulate
        self._is_overwritten = overwrites and term.event != derivation.last
        self._correct = _correct_contribution(term, comparison)
        reads_twice = sum(s == derivation.node for s in graph.inputs(target)) > 1
        op, title = graph.op(target).symbol, graph.brief(target, _NAME_LENGTH)
        self._route = f"by way of {op} {title}"
        if reads_twice:
            self._route = f"by way of {op} {title}, slot {term.wire[1] + 1}"
        self._step_text = f"step {self.step:,}, now" if self._is_current else f"step {self.step:,}"
        product = plain_text(self._product())
        self.setAccessibleName(f"{self._route}, {self._step_text}: {product} = {self._result()}")
        tooltip = f"Go to step {self.step}"
        if self._correct is not None:
            correct = self._style.signed(self._correct)
            tooltip = f"Go to step {self.step}; the correct pass sends {correct}"
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
        cross = "" if self._correct is None else "✗ "
        return f"{cross}{self._style.signed(self._event.contribution)}"

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(_WIDTH), self._style.px(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(_MIN_WIDTH), self._style.px(_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._event is None:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_box(painter)
            self._paint_route(painter)
            self._paint_numbers(painter)

    def _paint_box(self, painter: QPainter) -> None:
        theme = self._style.theme
        fill = theme.firing if self._is_current else theme.muted
        line = theme.gradient if self._is_current else theme.line
        if self.underMouse():
            fill = mixed(fill, theme.text, _HOVER_SHARE)
        self.paint_box(painter, fill, line, sizes.RADIUS_BUTTON, 2.0 if self._is_current else 1.0)

    def _paint_route(self, painter: QPainter) -> None:
        """Paint the upper row: mark, route, step."""
        theme, px = self._style.theme, self._style.px
        left, baseline = px(_PADDING), px(_UPPER_BASELINE)
        if self._hue >= 0:
            side = px(_MARK_SIZE)
            centre = QPointF(left + px(_MARK_SIZE / 2), baseline - px(_MARK_SIZE / 2 + 0.5))
            draw_sibling_mark(painter, self._hue, centre, side, theme.sibling(self._hue))
            left += px(_MARK_SIZE + _MARK_GAP)
        painter.setFont(self._style.font("caption"))
        metrics = QFontMetricsF(painter.font())
        right = self.width() - px(_PADDING) - metrics.horizontalAdvance(self._step_text)
        painter.setPen(theme.secondary)
        painter.drawText(QPointF(right, baseline), self._step_text)
        width = right - left - px(_TEXT_GAP)
        route = metrics.elidedText(self._route, Qt.TextElideMode.ElideRight, width)
        painter.drawText(QPointF(left, baseline), route)

    def _paint_numbers(self, painter: QPainter) -> None:
        """Paint the lower row: the product and its result."""
        theme, px = self._style.theme, self._style.px
        font = self._style.font("number")
        lines = lay_out(self._product(), font, ENDLESS)
        top = self.height() - px(_BOTTOM_PADDING) - QFontMetricsF(font).height()
        paint_lines(painter, QPointF(px(_PADDING), top), lines, font, theme)
        is_wrong = self._is_overwritten or self._correct is not None
        color = theme.error if is_wrong else theme.sibling(max(self._hue, 0))
        font.setStrikeOut(self._is_overwritten)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        painter.setPen(color)
        text = self._result()
        right = self.width() - px(_PADDING) - metrics.horizontalAdvance(text)
        painter.drawText(QPointF(right, top + metrics.ascent()), text)


def _correct_contribution(term: Term, comparison: Comparison | None) -> float | None:
    """Return the contribution of the correct pass along a wire if it differs, else None."""
    if comparison is None or term.event is None:
        return None
    sent = comparison.sent.get(term.wire, 0.0)
    return None if same(term.event.contribution, sent) else sent
