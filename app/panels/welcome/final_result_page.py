"""FinalResultPage: the answers of the final test as a table, its score, and what to practise."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QWidget

from app.controls.layouts import (
    RowsOnDemand,
    TwoSides,
    fill_background,
    in_column,
    in_row,
    plain_label,
    set_kind,
)
from app.controls.painted_buttons import push_button
from app.controls.rich_text import RichLine
from app.controls.row_list import OUTSET, Column, RowList
from app.controls.spans import Span, verbatim
from app.guard import exception_safe
from app.guide.words.final_result import (
    HEADS,
    WrongText,
    gradient_lines,
    practice_of,
    report_text,
    score_of,
    single_rows,
    time_text,
    whole_row,
    wrong_texts,
)
from app.lessons.final_test import FinalAnswers, FinalTest, GradedTest
from app.panels.welcome.start_cards import paint_thumbnail
from app.style.current import Style
from engine.formats.native import Drawing
from engine.graph import Graph

_SIDE_WIDTH: Final = 420
"""Width of the right side, in px at 100 %."""
_MIN_TWO_SIDES_WIDTH: Final = 1300
"""Width of the page below which the right side is above the table, in px at 100 %."""
_TABLE_EDGES, _SIDE_EDGES = (26, 18, 22, 14), (28, 18, 28, 14)
"""Margins of the table and of the right side: left, top, right, bottom, in px at 100 %."""
_ROW_HEIGHT: Final = 45
"""Height of a row of the table, in px at 100 %."""
GRAPH_WIDTH, VALUES_WIDTH = 264, 138
"""Widths of the columns with the longest formula and the values of four leaves, in px at 100 %."""
_PICTURE_WIDTH, _PICTURE_HEIGHT = 430, 124
"""Size of the picture of the whole graph, in px at 100 %."""
_GRADIENT_COLUMNS: Final = 4
"""Columns of its gradients: two rows hold the eight there can be."""
_MOST_CARDS_ABOVE: Final = 2
"""Cards that leave the buttons below them on the first screen."""
_LEAD: Final = "Eight single questions, then one whole graph. The graph of a row opens at its step."


class ShownTest(Struct, frozen=True):
    """A test with its answers and their verdicts."""

    test: FinalTest
    answers: FinalAnswers
    result: GradedTest


@exception_safe
class FinalResultPage(QWidget):
    """The result of a test; each choice made there is a signal for the window."""

    row_chosen = Signal(int)
    """Emitted with the index of a step of the test; the last one is the whole graph."""
    lesson_chosen = Signal(str)
    """Emitted with the name of the lesson that is to be practised."""
    save_wanted = Signal()
    """Emitted when the report is to be saved."""
    again_wanted = Signal()
    """Emitted when another test is to be drawn."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._shown: ShownTest | None = None
        self._lesson = ""
        fill_background(self, "panel")
        self._table, self._side = self._make_table(), self._make_side()
        self._sides = TwoSides(self._table, self._side, side_above=True)
        in_column(self._sides, parent=self, gap=0)
        self.rows.chosen.connect(self.row_chosen)
        self.whole.chosen.connect(self._choose_whole)
        self.practise.clicked.connect(self._choose_lesson)
        self.save.clicked.connect(self.save_wanted)
        self.again.clicked.connect(self.again_wanted)
        style.changed.connect(self._restyle)

    @property
    def parts(self) -> tuple[QWidget, QWidget]:
        """Return the parts between which F6 moves the focus."""
        return self._table, self._side

    def _make_table(self) -> QWidget:
        part, style = QWidget(), self._style
        columns = (
            Column(18),
            Column(GRAPH_WIDTH),
            Column(VALUES_WIDTH),
            Column(stretches=True),
            Column(60),
            Column(60),
            Column(24),
            Column(32, right=True),
        )
        self.rows = RowList(style, "Single questions", columns, row_height=_ROW_HEIGHT)
        self.rows.show_heads([(Span(head, "secondary"),) for head in HEADS])
        whole = (Column(120), Column(GRAPH_WIDTH), Column(stretches=True), Column(32, right=True))
        self.whole = RowList(style, "The whole graph", whole, row_height=_ROW_HEIGHT)
        for rows in (self.rows, self.whole):
            rows.setProperty("kind", "clear")
        self.picture, gradients = _Picture(style), self._make_gradients()
        in_column(
            in_column(
                plain_label("Final test", "title"),
                plain_label(_LEAD, "secondary", wraps=True),
                style=style,
                edges=(OUTSET, 0, OUTSET, 0),
                gap=6,
            ),
            self.rows,
            self.whole,
            in_row(self.picture, (gradients, 1), style=style, edges=(OUTSET, 0, OUTSET, 0), gap=24),
            parent=part,
            style=style,
            edges=_TABLE_EDGES,
            gap=6,
        )
        return part

    def _make_gradients(self) -> QWidget:
        part = QWidget()
        grid = QGridLayout(part)
        grid.setContentsMargins(0, 0, 0, 0)

        def place(cell: _Gradient) -> None:
            grid.addWidget(cell, *divmod(grid.count(), _GRADIENT_COLUMNS))

        self.gradients = RowsOnDemand(lambda: _Gradient(self._style), place)
        return part

    def _make_side(self) -> QWidget:
        part, style = QWidget(), self._style
        fill_background(part, "canvas")
        self.score, self.time = plain_label(kind="score"), plain_label(kind="name")
        self.whole_score = plain_label(kind="heading", wraps=True)
        self.sentence = plain_label(kind="subtitle", wraps=True)
        self.wanted = plain_label(kind="secondary", wraps=True)
        self.practise = push_button(kind="primary")
        self.save = push_button("Save report…")
        self.again = push_button("Another test")
        cards, buttons = QWidget(), QWidget()
        column = in_column(parent=cards, style=style, gap=10)
        row = in_row((self.save, 1), (self.again, 1), style=style, gap=12)
        in_column(self.practise, row, parent=buttons, style=style, gap=10)
        self.cards = RowsOnDemand(lambda: _WrongCard(style), column.addWidget)
        self._report = RichLine(style, font_role="caption")
        self._side_column = in_column(
            in_row((self.score, 1), self.time),
            self.whole_score,
            self.sentence,
            self.wanted,
            cards,
            buttons,
            self._report,
            1,
            parent=part,
            style=style,
            edges=_SIDE_EDGES,
            gap=12,
        )
        self._cards, self._below = cards, (buttons, self._report)
        return part

    def show_result(
        self, test: FinalTest, answers: FinalAnswers, result: GradedTest, returns: str
    ) -> None:
        """Show the verdicts on the answers to a test, and when its slips come back."""
        self._shown = ShownTest(test, answers, result)
        score = score_of(result)
        self.score.setText(score.singles)
        self.time.setText(time_text(sum(answers.seconds)))
        self.whole_score.setText(score.whole)
        self.sentence.setText(score.sentence)
        self.wanted.setText(score.to_pass)
        self.setAccessibleName(f"Final test: {score.spoken}")
        found = wrong_texts(result)
        for card, wrong in zip(self.cards.show(len(found)), found, strict=True):
            card.show_wrong(wrong, returns)
        self._place_cards(above=len(found) <= _MOST_CARDS_ABOVE)
        practice = practice_of(result)
        self._lesson = "" if practice is None else practice.lesson
        self.practise.setVisible(practice is not None)
        self.practise.setText("" if practice is None else practice.button)
        set_kind(self.save, "primary" if practice is None else "")
        self._report.set_spans(report_text(test.seed))
        self.picture.show_graph(test.all_gradients.trace.graph)
        self._show_rows()

    def _place_cards(self, *, above: bool) -> None:
        """Place the cards above the buttons; below them where they would push them off screen."""
        column = self._side_column
        column.removeWidget(self._cards)
        first, last = (column.indexOf(widget) for widget in self._below)
        column.insertWidget(first if above else last + 1, self._cards)

    def _show_rows(self) -> None:
        """Show the numbers, with the digits of the style."""
        if self._shown is None:
            return
        test, answers, result = self._shown.test, self._shown.answers, self._shown.result
        digits = self._style.digits
        self.rows.show_rows(single_rows(test, answers, result, digits))
        self.whole.show_rows([whole_row(test, answers)])
        lines = [*gradient_lines(result, digits)]
        for cell, (name, line, spoken) in zip(self.gradients.show(len(lines)), lines, strict=True):
            cell.name.setText(name)
            cell.number.set_spans(line)
            cell.setAccessibleName(spoken)

    def _choose_lesson(self) -> None:
        self.lesson_chosen.emit(self._lesson)

    def _choose_whole(self, _index: int) -> None:
        self.row_chosen.emit(self.rows.count())

    def focus_first(self) -> None:
        """Focus the table, at the first wrong answer."""
        wrong = (k for k, row in enumerate(self.rows.rows) if row.tone)  # no other has a tone
        self.rows.set_current(next(wrong, 0))
        self._sides.focus_at_top(self.rows, self.score)

    def _restyle(self) -> None:
        self._show_rows()
        self._fit()

    def _fit(self) -> None:
        """Move the right side above the table where the page is too narrow for both."""
        px = self._style.px
        self._sides.set_side_width(px(_SIDE_WIDTH))
        self._sides.set_narrow(self.width() < px(_MIN_TWO_SIDES_WIDTH))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()
        self.focus_first()


class _WrongCard(QFrame):
    """The wrong answers of one idea, with the sentence of the first."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.title = RichLine(style, font_role="interface")
        self.said = RichLine(style, font_role="interface")
        self.returns = plain_label(kind="caption", wraps=True)
        parts = (self.title, self.said, self.returns)
        in_column(*parts, parent=self, style=style, edges=(14, 10, 14, 10), gap=6)

    def show_wrong(self, wrong: WrongText, returns: str) -> None:
        """Show a wrong answer, and when its slip comes back if it does."""
        self.title.set_spans((Span("✘  ", "error", bold=True), Span(wrong.title, bold=True)))
        self.said.set_spans(verbatim(wrong.said))
        self.returns.setText(returns)
        self.returns.setVisible(wrong.returns)


class _Gradient(QWidget):
    """A gradient of the whole graph: its name, above the answer."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self.name = plain_label(kind="caption")
        self.number = RichLine(style, wrap=False)
        in_column(self.name, self.number, 1, parent=self, style=style, gap=0)


@exception_safe
class _Picture(QWidget):
    """The whole graph."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style, self._drawing = style, Drawing(Graph())
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Picture of the whole graph")
        style.changed.connect(self.updateGeometry)

    def show_graph(self, graph: Graph) -> None:
        self._drawing = Drawing(graph)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(_PICTURE_WIDTH), self._style.px(_PICTURE_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            paint_thumbnail(painter, QRectF(self.rect()), self._drawing, self._style)
