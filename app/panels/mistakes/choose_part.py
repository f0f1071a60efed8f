"""ChoosePart: chooses a mistake, counts the gradients each makes wrong, shows the lines changed."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
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

_TITLE = "Run the pass with a mistake"
COUNTS_LEGEND = "Right: gradients that differ on this graph."  # the column at the right
NO_ROOT = "Mark a root; a mistake shows in its gradients."
FIRST, NO_STEP = "First difference", "No step differs"
_FITS_WITH_ICON, _FITS_WITHOUT_ICON = len(": step 6"), len(": step 999")
"""Characters after FIRST that fit into the button with its icon, and without."""
_ROW_HEIGHT, _FIELD_HEIGHT, _FIELD_MARGIN, _ARROW = 27, 30, 10, 12
"""Heights of a row and of the field, its inner edge, and the side of its arrow, in px at 100 %."""


class ChoosePart(Block):
    """The list of mistakes; while one is active a field with it, which unfolds the list."""

    rules_chosen = Signal(object)
    """Emitted with the Rules of a mistake, or CORRECT."""
    first_difference_wanted = Signal()
    """Emitted when the playback should go to the step at which the pass first differs."""

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._rules, self._graph, self._asked = CORRECT, Graph(), False
        self._counts: dict[Rules, WrongCount] = {}
        self._problem = ""
        self._unfolded = False
        self._slices = Slices(self)
        self.title = plain_label(_TITLE, "strong")
        self.note = plain_label(kind="caption", wraps=True)
        self.count_button = QPushButton("Count the gradients that differ")
        self.count_button.setProperty("kind", "offer")
        PressedByEnter(self.count_button)
        self.field = MistakeField(style)
        columns = (Column(stretches=True), Column(right=True, font="caption"))
        self.list = RowList(style, "Mistakes", columns, row_height=_ROW_HEIGHT)
        self.sentence = plain_label(kind="caption", wraps=True)
        self.code = RichLine(style, font_role="interface")
        self.first_button = IconButton(style, "mistakes", FIRST, text=FIRST)
        self.first_button.set_kind("mistake")
        self.correct_button = QPushButton("Correct pass")
        PressedByEnter(self.correct_button)
        card = QFrame()
        card.setProperty("kind", "code")
        in_column(self.code, parent=card, style=style, edges=(10, 6, 10, 6))
        for button in (self.first_button, self.correct_button):
            button.setProperty("edges", "narrow")
        self._card, left = card, Qt.AlignmentFlag.AlignLeft
        buttons = in_row((self.first_button, 1), self.correct_button, style=style, gap=6)
        self.add(self.title, self.field, self.note, (self.count_button, left), self.list)
        self.add(self.sentence, card, buttons)
        self._connect()

    def _connect(self) -> None:
        self.count_button.clicked.connect(self._count)
        self.field.clicked.connect(self._unfold)
        self.field.moved.connect(self._choose)
        self.list.chosen.connect(self._choose_row)
        self.first_button.clicked.connect(self.first_difference_wanted)
        self.correct_button.clicked.connect(lambda: self.rules_chosen.emit(CORRECT))
        self._slices.progressed.connect(self._show)
        self._slices.finished.connect(self._show)

    @property
    def counting(self) -> bool:
        """Return whether the counts are being computed."""
        return self._slices.active

    def show_mistake(
        self, rules: Rules, graph: Graph, comparison: Comparison | None, asked: bool
    ) -> None:
        """Show the active mistake; `asked`: a question is open, so nothing here may answer it."""
        if rules is not self._rules or asked:
            self._unfolded = False
        self._rules, self._asked = rules, asked
        if graph is not self._graph:
            self._graph = graph
            self._forget_counts()
        if not asked and not self._has_begun_counting and self._counts_at_once:
            self._count()
        self._show_first(comparison)
        self._show()

    def _forget_counts(self) -> None:
        self._slices.cancel()
        self._counts, self._problem = {}, ""

    @property
    def _has_begun_counting(self) -> bool:
        return bool(self._counts or self._problem or self.counting)

    @property
    def _counts_at_once(self) -> bool:
        """Return whether the graph is small enough to be counted without a click."""
        return self._graph.root is not None and len(self._graph.nodes) <= AUTORUN_NODE_LIMIT

    def _count(self) -> None:
        """Run all mistakes in slices of some milliseconds."""
        self._slices.start(self._counted_in_slices(self._graph))

    def _counted_in_slices(self, graph: Graph) -> Work:
        try:
            for count in wrong_counts(graph):
                self._counts[count.rules] = count
                yield
        except EngineError as error:
            self._problem = str(error)

    def _show_first(self, comparison: Comparison | None) -> None:
        first = None if comparison is None else comparison.first_wrong
        no_difference = comparison is not None and first is None
        text = NO_STEP if no_difference else FIRST
        if first is not None:
            text = f"{FIRST}: step {first:,}"
        extra_length = len(text) - len(FIRST)  # of ": step 6"; NO_STEP is shorter than FIRST
        self.first_button.set_icon("mistakes" if extra_length <= _FITS_WITH_ICON else "")
        self.first_button.setText(FIRST if extra_length > _FITS_WITHOUT_ICON else text)
        self.first_button.set_tooltip(text)
        self.first_button.setEnabled(not no_difference and self._graph.root is not None)

    def _show(self) -> None:
        # UNKNOWN is the mistake of a hunt, which has a part of its own
        active, asked = self._rules not in (CORRECT, UNKNOWN), self._asked
        has_root = self._graph.root is not None
        waits_for_click = has_root and not self._has_begun_counting and not self._counts_at_once
        opened = not active or self._unfolded
        had_focus = self.list.hasFocus()
        self.title.setVisible(not active)
        self.field.setVisible(active)
        self.list.setVisible(opened)
        self.count_button.setVisible(waits_for_click and opened and not asked)
        explained = COUNTS_LEGEND if self._counts and opened else ""
        note = (self._problem or explained) if has_root else NO_ROOT
        self.note.setText(note)
        self.note.setVisible(bool(note) and not asked)
        for part in (self.sentence, self._card):
            part.setVisible(active)
        for part in (self.first_button, self.correct_button):
            part.setVisible(active and not asked)
        if active:
            self.field.show_mistake(self._rules, self._count_text(), self._unfolded, not asked)
            self.sentence.setText(self._rules.sentence)
            self.code.set_spans(differing_lines(self._rules))
        if opened:
            self.list.show_rows([self._row(rules) for rules in MISTAKES])
        elif had_focus and self.field.isEnabled():
            self.field.setFocus()

    def _count_text(self) -> str:
        count = self._counts.get(self._rules)
        if count is None or count.wrong is None or self._asked:  # None: it took too long to run
            return ""
        return differing_text(count.wrong, count.known)

    def _row(self, rules: Rules) -> ListRow:
        count = None if self._asked else self._counts.get(rules)
        text = "" if count is None else count_text(count)
        harmless = count is not None and not count.wrong  # or too long to run
        title = Span(rules.title, "secondary" if harmless else "text", bold=True)
        spoken = f"{rules.title}, {text}" if text else rules.title
        cells = ((title,), (Span(text, "secondary"),) if text else ())
        return ListRow(cells, spoken, tooltip=f"{rules.title}. {rules.sentence}")

    def _unfold(self) -> None:
        self._unfolded = not self._unfolded
        self._show()
        if self._unfolded:
            self.list.set_current(MISTAKES.index(self._rules))
            self.list.setFocus()

    def _choose(self, index: int) -> None:
        self.rules_chosen.emit(MISTAKES[index])

    def _choose_row(self, index: int) -> None:
        self._unfolded = False
        self.rules_chosen.emit(MISTAKES[index])
        self._show()


@guarded
class MistakeField(PaintedButton):
    """A button with the active mistake; a click unfolds the list, arrow keys change it."""

    moved = Signal(int)
    """Emitted with the index in `MISTAKES` of the one that a key chooses."""

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._rules, self._unfolded = CORRECT, False
        KeyClaim(self, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End)
        self._restyle()

    def show_mistake(self, rules: Rules, count: str, unfolded: bool, usable: bool) -> None:
        """Show a mistake; `count` says how many gradients it makes wrong, as text or ""."""
        self._rules, self._unfolded = rules, unfolded
        spoken = f"Mistake, {rules.title}"
        self.setAccessibleName(f"{spoken}, {count}" if count else spoken)
        self.setText(rules.title)
        self.setToolTip("" if not usable else "↑ and ↓ change it")
        self.setEnabled(usable)
        self.update()

    def _restyle(self) -> None:
        self.setFixedHeight(self._style.px(_FIELD_HEIGHT))
        super()._restyle()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last, index = len(MISTAKES) - 1, MISTAKES.index(self._rules)
        target = {
            Qt.Key.Key_Up: max(index - 1, 0),
            Qt.Key.Key_Down: min(index + 1, last),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }.get(Qt.Key(event.key()))
        if target is None:
            super().keyPressEvent(event)
        elif target != index:
            self.moved.emit(target)

    def paintEvent(self, _event: QPaintEvent) -> None:
        style, theme, px = self._style, self._style.theme, self._style.px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.paint_box(painter, theme.error_tint, theme.error, radius=8, width=1.4)
            right = self.width() - px(_FIELD_MARGIN)
            if self.isEnabled():
                side = px(_ARROW)
                box = QRectF(right - side, (self.height() - side) / 2, side, side)
                paint_icon(painter, box, "up" if self._unfolded else "down", theme.text)
                position = f"{MISTAKES.index(self._rules) + 1} of {len(MISTAKES)}"
                right = box.left() - px(6)
                right -= self._draw_right(painter, position, "interface", theme.secondary, right)
            painter.setFont(style.font("interface strong"))
            painter.setPen(theme.text)
            title_width = right - px(6) - px(_FIELD_MARGIN)
            metrics = painter.fontMetrics()
            title = metrics.elidedText(
                self._rules.title, Qt.TextElideMode.ElideRight, int(title_width)
            )
            painter.drawText(QPointF(px(_FIELD_MARGIN), self._baseline(painter)), title)

    def _draw_right(
        self, painter: QPainter, text: str, role: str, color: QColor, right: float
    ) -> float:
        """Draw a text that ends at `right`; return its width."""
        painter.setFont(self._style.font(role))
        painter.setPen(color)
        width = painter.fontMetrics().horizontalAdvance(text)
        painter.drawText(QPointF(right - width, self._baseline(painter)), text)
        return width

    def _baseline(self, painter: QPainter) -> float:
        metrics = painter.fontMetrics()
        return (self.height() + metrics.ascent() - metrics.descent()) / 2
