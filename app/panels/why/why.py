"""The chain-rule panel: why the gradient of the selected node is what it is."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QPushButton,
    QWidget,
)

from app.controls.elided_label import ElidedLabel
from app.controls.empty_state import LEAST_HEIGHT, EmptyState
from app.controls.layouts import (
    PANEL_EDGES,
    fill_background,
    in_column,
    in_row,
    plain_label,
    scroll_area,
)
from app.controls.rich_line import RichLine
from app.controls.rich_text import Span
from app.document.document import Document
from app.guard import guarded
from app.panels.why.cards import Cards
from app.panels.why.code import CodeView
from app.panels.why.group_part import GroupPart
from app.style import sizes
from app.style.current import Style
from app.workbench.gradients.causes import causes
from app.workbench.gradients.chain_rule import formula, numbers, question, total
from app.workbench.gradients.derivation import Derivation, derivation
from app.workbench.gradients.explanation import explanation
from app.workbench.gradients.formulas import direct_tip, grad_name
from app.workbench.gradients.group_flow import Passing, group_chosen, passing
from app.workbench.gradients.listing import Listing
from app.workbench.gradients.verdict import on_gradient
from app.workbench.playback.playback import Playback
from app.workbench.selection import Selection
from app.workbench.study.explained import explained, follows_step
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
        fill_background(self, "panel")
        self.empty = EmptyState(style, NOTHING_SELECTED)
        self.heading = RichLine(style, font_role="heading")
        self.selected = ElidedLabel(style, kind="caption")
        self.symbols = RichLine(style, font_role="number")
        self.numbers = RichLine(style, font_role="interface")
        self.cards = Cards(style)
        self.waits = plain_label(kind="secondary", wraps=True)
        self.sum_name = ElidedLabel(style, kind="strong")
        self.sum = RichLine(style, font_role="number")
        self.sum.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.verdict = RichLine(style, font_role="interface")
        self.words = plain_label(kind="secondary", wraps=True)
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
        in_column(
            in_row((self.heading, 1), self.selected),
            self.symbols,
            self.numbers,
            self.cards,
            self.waits,
            in_row(self.sum_name, (self.sum, 1)),
            self.verdict,
            self.words,
            (self.start, Qt.AlignmentFlag.AlignLeft),
            parent=part,
            style=self._style,
            edges=PANEL_EDGES,
            gap=8,
        )
        self.start.setProperty("kind", "backward")
        return part

    def _code_section(self) -> QWidget:
        part, note = QWidget(), plain_label("one line per step", "caption")
        head = in_row((plain_label("Code", "strong"), 1), note)
        in_column(head, self.code, parent=part, style=self._style, edges=PANEL_EDGES, gap=8)
        return part

    def _lay_out(self) -> None:
        page = QWidget()
        self._rule = QFrame()
        self._rule.setProperty("kind", "rule")
        parts = (self.empty, self._why, self.group, self._rule, self._code_part, 1)
        in_column(*parts, parent=page, edges=0, gap=0)
        in_column(scroll_area(page), parent=self, edges=0)

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
        if not self._playback.behind:  # otherwise the pending message refreshes it
            self._refresh()

    def _refresh(self) -> None:
        """Show the sum; a hidden panel is refreshed when it is shown."""
        if not self.isVisible():
            return
        frame = self._playback.frame
        group = self._group(frame)
        node = explained(frame, self._selection) if group is None else _only_output(group)
        nothing = node is None and group is None
        if nothing:
            self.empty.show_state(self._nothing(frame))
        self.empty.setVisible(nothing)
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
        """Return the selected group, if its members and nothing else are selected."""
        groups, nodes = self._document.sheet.groups, self._selection.nodes
        if follows_step(frame, self._selection):
            return None
        group = group_chosen(groups, nodes) if len(nodes) > 1 else None
        known = group is not None and nodes <= frame.graph.nodes.keys()
        return passing(frame, groups, group) if group is not None and known else None

    def _nothing(self, frame: Frame) -> str:
        """Return what to do to see something here."""
        count = len(self._selection.nodes & frame.graph.nodes.keys())
        return MANY_SELECTED.format(count=count) if count > 1 else NOTHING_SELECTED

    def _show_node(self, found: Derivation, group: Passing | None) -> None:
        digits, notation = self._style.digits, self._style.notation
        graph = found.frame.graph
        self.heading.set_spans(question(found, digits, notation))
        if group is not None:
            self.selected.setText(f"selected: {group.title or 'the group'}")
        elif not follows_step(found.frame, self._selection):
            self.selected.setText(f"selected: {graph.title(found.node)}")
        else:
            self.selected.setText(f"step at: {graph.title(found.node)}")
        symbols = formula(found, notation)
        for line, spans in ((self.symbols, symbols), (self.numbers, numbers(found, digits))):
            line.set_spans(spans)
            line.setVisible(bool(spans))
        self.symbols.setToolTip(direct_tip(self.symbols.text()))
        beside = self._playback.now.comparison
        self.cards.show_terms(found, beside)
        running = found.frame.phase == "backward" and found.state == "sum"
        self.waits.setText(f"waits for {found.waiting} more" if found.arrived else
                           f"waits for {found.waiting}")  # fmt: skip
        self.waits.setVisible(running and found.waiting > 0)
        self.sum_name.setText(grad_name(graph, found.node))
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
        self.empty.setMinimumHeight(px(LEAST_HEIGHT))
        self.waits.setContentsMargins(px(sizes.SPACES[1]), 0, 0, 0)
        self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()


def _only_output(group: Passing) -> int | None:
    """Return the only output of a group, or None."""
    return group.outputs[0] if len(group.outputs) == 1 else None
