"""ChoosePart: which mistake is on, how many gradients each makes wrong, the lines that differ."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QPushButton

from app.controls.buttons import IconButton, PaintedButton
from app.controls.focus import KeyClaim, PressedByEnter
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.panel import Block
from app.controls.rich_line import RichLine
from app.controls.rich_text import Span
from app.controls.row_list import Column, ListRow, RowList
from app.controls.slices import Slices, Work
from app.guard import guarded
from app.style.current import Style
from app.style.icons import paint_icon
from app.workbench.gradients.comparison import Comparison, differing_text
from app.workbench.study.lab import AUTORUN_NODE_LIMIT, count_text, differing_lines
from engine.errors import EngineError
from engine.graph import Graph
from engine.rules import CORRECT, MISTAKES, UNKNOWN, Rules
from engine.study.diagnose import WrongCount, wrong_counts

TITLE = "Run the pass with a mistake"
COUNTED = "Right: gradients that differ on this graph."
NO_ROOT = "Mark a root; a mistake shows in its gradients."
FIRST, NO_STEP = "First difference", "No step differs"
_WITH_ICON, _WITHOUT = len(": step 6"), len(": step 999")
"""Characters after the label that fit into the button with its icon, and without."""
_ROW, _FIELD, _EDGE, _ARROW = 27, 30, 10, 12
"""Heights of a row and of the field, its inner edge, and the side of its arrow, in px at 100 %."""


class ChoosePart(Block):
    """The list of mistakes, or a field of the one that is on, which unfolds the list."""

    wanted = Signal(object)
    """Emitted with the Rules that were chosen."""
    first_wanted = Signal()
    """Emitted when the step is wanted at which the pass first differs."""

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._rules, self._graph, self._asked = CORRECT, Graph(), False
        self._counts: dict[Rules, WrongCount] = {}
        self._problem = ""
        self._unfolded = False
        self._slices = Slices(self)
        self.title = plain_label(TITLE, "strong")
        self.note = plain_label(kind="caption", wraps=True)
        self.count = QPushButton("Count the gradients that differ")
        self.count.setProperty("kind", "offer")
        PressedByEnter(self.count)
        self.field = MistakeField(style)
        columns = (Column(stretches=True), Column(right=True, font="caption"))
        self.list = RowList(style, "Mistakes", columns, row_height=_ROW)
        self.sentence = plain_label(kind="caption", wraps=True)
        self.code = RichLine(style, font_role="interface")
        self.first = IconButton(style, "mistakes", FIRST, text=FIRST)
        self.first.set_kind("mistake")
        self.correct = QPushButton("Correct pass")
        PressedByEnter(self.correct)
        card = QFrame()
        card.setProperty("kind", "code")
        in_column(self.code, parent=card, style=style, edges=(10, 6, 10, 6))
        for button in (self.first, self.correct):
            button.setProperty("edges", "narrow")
        self._card, left = card, Qt.AlignmentFlag.AlignLeft
        buttons = in_row((self.first, 1), self.correct, style=style, gap=6)
        self.add(self.title, self.field, self.note, (self.count, left), self.list)
        self.add(self.sentence, card, buttons)
        self._connect()

    def _connect(self) -> None:
        self.count.clicked.connect(self._count)
        self.field.clicked.connect(self._unfold)
        self.field.moved.connect(self._choose)
        self.list.chosen.connect(self._choose_row)
        self.first.clicked.connect(self.first_wanted)
        self.correct.clicked.connect(lambda: self.wanted.emit(CORRECT))
        self._slices.progressed.connect(self._show)
        self._slices.finished.connect(self._show)

    @property
    def counting(self) -> bool:
        """Return whether counts are still to come."""
        return self._slices.active

    def show_mistake(
        self, rules: Rules, graph: Graph, comparison: Comparison | None, asked: bool
    ) -> None:
        """Show the mistake that is on; while a learner is asked, without its effects."""
        if rules is not self._rules or asked:
            self._unfolded = False
        self._rules, self._asked = rules, asked
        if graph is not self._graph:
            self._graph = graph
            self._forget_counts()
        known = self._counts or self._problem or self.counting
        if not asked and not known and self._counts_at_once:
            self._count()
        self._show_first(comparison)
        self._show()

    def _forget_counts(self) -> None:
        self._slices.cancel()
        self._counts, self._problem = {}, ""

    @property
    def _counts_at_once(self) -> bool:
        return self._graph.root is not None and len(self._graph.nodes) <= AUTORUN_NODE_LIMIT

    def _count(self) -> None:
        """Run all mistakes, some milliseconds at a time."""
        self._slices.start(self._counting(self._graph))

    def _counting(self, graph: Graph) -> Work:
        try:
            for count in wrong_counts(graph):
                self._counts[count.rules] = count
                yield
        except EngineError as error:
            self._problem = str(error)

    def _show_first(self, comparison: Comparison | None) -> None:
        first = None if comparison is None else comparison.first_wrong
        text = FIRST if first is None else f"{FIRST}: step {first:,}"
        none = comparison is not None and first is None
        text = NO_STEP if none else text
        wide = len(text) - len(FIRST)
        self.first.set_icon("mistakes" if wide <= _WITH_ICON else "")
        self.first.setText(FIRST if wide > _WITHOUT else text)
        self.first.set_tooltip(text)
        self.first.setEnabled(not none and self._graph.root is not None)

    def _show(self) -> None:
        on, asked = self._rules not in (CORRECT, UNKNOWN), self._asked
        rooted = self._graph.root is not None
        done = self._counts or self._problem or self.counting
        waits = rooted and not done and not self._counts_at_once
        opened = not on or self._unfolded
        had_focus = self.list.hasFocus()
        self.title.setVisible(not on)
        self.field.setVisible(on)
        self.list.setVisible(opened)
        self.count.setVisible(waits and opened and not asked)
        explained = COUNTED if self._counts and opened else ""
        note = (self._problem or explained) if rooted else NO_ROOT
        self.note.setText(note)
        self.note.setVisible(bool(note) and not asked)
        for part in (self.sentence, self._card):
            part.setVisible(on)
        for part in (self.first, self.correct):
            part.setVisible(on and not asked)
        if on:
            self.field.show_mistake(self._rules, self._said_count(), self._unfolded, not asked)
            self.sentence.setText(self._rules.sentence)
            self.code.set_spans(differing_lines(self._rules))
        if opened:
            self.list.show_rows([self._row(rules) for rules in MISTAKES])
        elif had_focus and self.field.isEnabled():
            self.field.setFocus()

    def _said_count(self) -> str:
        found = self._counts.get(self._rules)
        if found is None or found.wrong is None or self._asked:
            return ""
        return differing_text(found.wrong, found.known)

    def _row(self, rules: Rules) -> ListRow:
        found = None if self._asked else self._counts.get(rules)
        count = "" if found is None else count_text(found)
        none = found is not None and not found.wrong
        title = Span(rules.title, "secondary" if none else "text", bold=True)
        said = f"{rules.title}, {count}" if count else rules.title
        cells = ((title,), (Span(count, "secondary"),) if count else ())
        return ListRow(cells, said, tooltip=f"{rules.title}. {rules.sentence}")

    def _unfold(self) -> None:
        self._unfolded = not self._unfolded
        self._show()
        if self._unfolded:
            self.list.set_current(MISTAKES.index(self._rules))
            self.list.setFocus()

    def _choose(self, place: int) -> None:
        self.wanted.emit(MISTAKES[place])

    def _choose_row(self, place: int) -> None:
        self._unfolded = False
        self.wanted.emit(MISTAKES[place])
        self._show()


@guarded
class MistakeField(PaintedButton):
    """The mistake that is on; `moved` carries the place of the one that keys want instead."""

    moved = Signal(int)

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._rules, self._unfolded = CORRECT, False
        KeyClaim(self, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End)
        self._restyle()

    def show_mistake(self, rules: Rules, count: str, unfolded: bool, usable: bool) -> None:
        """Show a mistake; `count` says how many gradients it makes wrong, as text or ""."""
        self._rules, self._unfolded = rules, unfolded
        said = f"Mistake, {rules.title}"
        self.setAccessibleName(f"{said}, {count}" if count else said)
        self.setText(rules.title)
        self.setToolTip("" if not usable else "↑ and ↓ change it")
        self.setEnabled(usable)
        self.update()

    def _restyle(self) -> None:
        self.setFixedHeight(self._style.px(_FIELD))
        super()._restyle()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last, place = len(MISTAKES) - 1, MISTAKES.index(self._rules)
        wanted = {
            Qt.Key.Key_Up: max(place - 1, 0),
            Qt.Key.Key_Down: min(place + 1, last),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))
        if wanted is None:
            super().keyPressEvent(event)
        elif wanted != place:
            self.moved.emit(wanted)

    def paintEvent(self, _event: QPaintEvent) -> None:
        style, theme, px = self._style, self._style.theme, self._style.px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.paint_box(painter, theme.error_tint, theme.error, 8, 1.4)
            right = self.width() - px(_EDGE)
            if self.isEnabled():
                side = px(_ARROW)
                box = QRectF(right - side, (self.height() - side) / 2, side, side)
                paint_icon(painter, box, "up" if self._unfolded else "down", theme.text)
                place = f"{MISTAKES.index(self._rules) + 1} of {len(MISTAKES)}"
                right = box.left() - px(6)
                right -= self._draw(painter, place, "interface", theme.secondary, right)
            painter.setFont(style.font("interface strong"))
            painter.setPen(theme.text)
            room = right - px(6) - px(_EDGE)
            metrics = painter.fontMetrics()
            title = metrics.elidedText(self._rules.title, Qt.TextElideMode.ElideRight, int(room))
            painter.drawText(QPointF(px(_EDGE), self._baseline(painter)), title)

    def _draw(self, painter: QPainter, text: str, role: str, color: object, right: float) -> float:
        """Draw a text that ends at `right`; return its width."""
        painter.setFont(self._style.font(role))
        painter.setPen(color)  # type: ignore[arg-type]
        wide = painter.fontMetrics().horizontalAdvance(text)
        painter.drawText(QPointF(right - wide, self._baseline(painter)), text)
        return wide

    def _baseline(self, painter: QPainter) -> float:
        metrics = painter.fontMetrics()
        return (self.height() + metrics.ascent() - metrics.descent()) / 2
