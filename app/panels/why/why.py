"""The chain-rule panel: why the gradient of the selected node is what it is."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.controls.elided_label import ElidedLabel
from app.controls.empty_state import EmptyState
from app.controls.rich_line import RichLine
from app.controls.rich_text import Span
from app.document.document import Document
from app.guard import guarded
from app.panels.why.cards import Cards
from app.panels.why.code import CodeView
from app.panels.why.group_part import GroupPart
from app.style import sizes
from app.style.current import Style
from app.workbench.chain_rule import formula, numbers, question, total
from app.workbench.derivation import Derivation, derivation
from app.workbench.explanation import explanation
from app.workbench.formulas import direct_tip
from app.workbench.listing import Listing
from app.workbench.passing import Passing, group_chosen, passing
from app.workbench.playback import Playback
from app.workbench.selection import Selection
from app.workbench.verdict import causes, on_gradient
from engine.frame import Frame

NOTHING_SELECTED = "Select a node to see why its gradient is what it is."
MANY_SELECTED = "{count:,} nodes are selected. Select one to see why its gradient is what it is."


@guarded
class WhyPanel(QWidget):
    """The sum of one node in symbols, numbers and words, or what passes through a group.

    `step_chosen` carries a cursor.
    """

    step_chosen = Signal(int)

    def __init__(
        self,
        style: Style,
        document: Document,
        playback: Playback,
        selection: Selection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._document = document
        self._playback = playback
        self._selection = selection
        self.setProperty("kind", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.empty = EmptyState(style, NOTHING_SELECTED)
        self.heading = RichLine(style, font_role="heading")
        self.selected = ElidedLabel(style, kind="caption")
        self.symbols = RichLine(style, font_role="number")
        self.numbers = RichLine(style, font_role="interface")
        self.cards = Cards(style)
        self.waits = QLabel()
        self.sum_name = ElidedLabel(style, kind="strong")
        self.sum = RichLine(style, font_role="number")
        self.sum.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.verdict = RichLine(style, font_role="interface")
        self.words = QLabel()
        self.group = GroupPart(style)
        self.start = QPushButton("Backward")
        self.code = CodeView(style)
        self._why = self._why_part()
        self._code_part = self._code_section()
        self._lay_out()
        self._connect()
        self._restyle()

    def _why_part(self) -> QWidget:
        part = QWidget()
        self._why_column = QVBoxLayout(part)
        head = QHBoxLayout()
        head.addWidget(self.heading, 1)
        head.addWidget(self.selected)
        self._why_column.addLayout(head)
        for widget in (self.symbols, self.numbers, self.cards, self.waits):
            self._why_column.addWidget(widget)
        row = QHBoxLayout()
        row.addWidget(self.sum_name)
        row.addWidget(self.sum, 1)
        self._why_column.addLayout(row)
        self._why_column.addWidget(self.verdict)
        self._why_column.addWidget(self.words)
        self._why_column.addWidget(self.start, 0, Qt.AlignmentFlag.AlignLeft)
        for label in (self.waits, self.words):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setProperty("kind", "secondary")
        self.start.setProperty("kind", "backward")
        return part

    def _code_section(self) -> QWidget:
        part = QWidget()
        self._code_column = QVBoxLayout(part)
        head = QHBoxLayout()
        title = QLabel("Code")
        title.setProperty("kind", "strong")
        note = QLabel("one line per step")
        note.setProperty("kind", "caption")
        head.addWidget(title, 1)
        head.addWidget(note)
        self._code_column.addLayout(head)
        self._code_column.addWidget(self.code)
        return part

    def _lay_out(self) -> None:
        page = QWidget()
        self._column = QVBoxLayout(page)
        self._rule = QFrame()
        self._rule.setProperty("kind", "rule")
        for widget in (self.empty, self._why, self.group, self._rule, self._code_part):
            self._column.addWidget(widget)
        self._column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(page)
        page.setAutoFillBackground(False)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)

    def _connect(self) -> None:
        self.cards.step_chosen.connect(self._go)
        self.code.step_chosen.connect(self._go)
        self.start.clicked.connect(self._playback.backward)
        self._playback.shown.connect(self._refresh)
        self._selection.changed.connect(self._selection_changed)
        self._style.changed.connect(self._restyle)

    def _go(self, cursor: int) -> None:
        self.step_chosen.emit(cursor)
        self._playback.go(cursor, pause=True)

    def _selection_changed(self) -> None:
        if not self._playback.behind:  # else the message that is on its way refreshes it
            self._refresh()

    def _node(self, frame: Frame) -> int | None:
        """The one chosen node; while a pass runs and nothing is chosen, who has just received."""
        only = self._selection.only
        if only is not None and only in frame.graph.nodes:
            return only
        if not self._selection.nodes and frame.event is not None:
            return frame.event.node
        return None

    def _refresh(self) -> None:
        """Show the sum; a panel behind another is refreshed when it comes to the front."""
        if not self.isVisible():
            return
        frame = self._playback.frame
        group = self._group(frame)
        node = self._node(frame) if group is None else _only_output(group)
        self.empty.show_state(self._nothing(frame))
        self.empty.setVisible(node is None and group is None)
        self._why.setVisible(node is not None)
        self.group.setVisible(group is not None)
        if node is not None:
            self._show_node(derivation(frame, node, self._playback.now.comparison), group)
        if group is not None:
            self.group.show_group(group, node is None)
        listing = Listing(frame, self._style.digits)
        self._code_part.setVisible(len(listing) > 0)
        self._rule.setVisible(len(listing) > 0)
        self.code.show_listing(listing)

    def _group(self, frame: Frame) -> Passing | None:
        """The group that is chosen whole, and nothing else."""
        groups, nodes = self._document.sheet.groups, self._selection.nodes
        group = group_chosen(groups, nodes) if len(nodes) > 1 else None
        known = group is not None and nodes <= frame.graph.nodes.keys()
        return passing(frame, groups, group) if group is not None and known else None

    def _nothing(self, frame: Frame) -> str:
        """What to do to see something here."""
        count = len(self._selection.nodes & frame.graph.nodes.keys())
        return MANY_SELECTED.format(count=count) if count > 1 else NOTHING_SELECTED

    def _show_node(self, found: Derivation, group: Passing | None) -> None:
        digits, graph = self._style.digits, found.frame.graph
        self.heading.set_spans(question(found, digits))
        verb = "selected" if self._selection.only is not None else "step at"
        what = graph.title(found.node) if group is None else f"group {group.title}"
        self.selected.setText(f"{verb if group is None else 'selected'}: {what}")
        for line, spans in ((self.symbols, formula(found)), (self.numbers, numbers(found, digits))):
            line.set_spans(spans)
            line.setVisible(bool(spans))
        self.symbols.setToolTip(direct_tip(self.symbols.text()))
        beside = self._playback.now.comparison
        self.cards.show_terms(found, beside)
        running = found.frame.phase == "backward" and found.state == "sum"
        self.waits.setText(f"waits for {found.waiting} more" if found.arrived else
                           f"waits for {found.waiting}")  # fmt: skip
        self.waits.setVisible(running and found.waiting > 0)
        self.sum_name.setText(f"{graph.names.get(found.node, 'root')}.grad")
        self.sum.set_spans(total(found, digits))
        self.sum_name.setVisible(bool(found.arrived))
        self.sum.setVisible(bool(found.arrived))
        verdict = on_gradient(found.frame, beside, found.node, digits)
        why = causes(found.frame, beside, found.node, digits)
        self.verdict.set_spans((*verdict, Span(f"\n{why}")) if why else verdict)
        self.verdict.setVisible(bool(verdict))
        self.words.setText(explanation(found, digits))
        waiting = found.state in ("sum", "root") and found.frame.phase != "backward"
        self.start.setVisible(waiting)

    def _restyle(self) -> None:
        px = self._style.px
        edge = px(14)
        for column in (self._why_column, self._code_column):
            column.setContentsMargins(edge, px(12), edge, px(12))
            column.setSpacing(px(8))
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.empty.setMinimumHeight(px(140))
        self.waits.setContentsMargins(px(sizes.SPACES[1]), 0, 0, 0)
        self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()


def _only_output(group: Passing) -> int | None:
    """The node that speaks for a group: its output, where it has one."""
    return group.outputs[0] if len(group.outputs) == 1 else None
