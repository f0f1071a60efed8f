"""WhyPage: why the gradient of the selected node is what it is, with its value and its paths."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.controls.empty_state import EmptyState
from app.controls.layouts import in_row, plain_label
from app.controls.panel import Block, Page
from app.controls.rich_line import RichLine
from app.controls.rich_text import Span, plain_text
from app.document.document import Document
from app.guard import guarded
from app.panels.why.cards import Cards
from app.panels.why.group_part import GroupPart
from app.panels.why.node_part import ManyPart, NodePart
from app.panels.why.order_part import OrderPart
from app.panels.why.path_part import PathPart
from app.panels.why.problem_list import ProblemList
from app.panels.why.value_part import SlidersPart, ValuePart
from app.style.current import Style
from app.workbench.gradients.chain_rule import (
    Derivation,
    derivation,
    formula,
    numbers,
    question,
    total,
)
from app.workbench.gradients.comparison import on_gradient
from app.workbench.gradients.explanation import causes, explanation
from app.workbench.gradients.formulas import direct_tip, grad_name
from app.workbench.gradients.group_flow import GroupFlow, group_flow, selected_group
from app.workbench.gradients.listing import Listing
from app.workbench.playback.playback import Playback
from app.workbench.selection import Selection, explained, follows_step
from engine.frame import Frame
from engine.graph import Constant, Leaf

EMPTY = "Type a formula above the sheet, or press Tab on it and type a name, such as w."
CHOOSE = "Select a node to see why its gradient is what it is."
IN_HUNT = "It would explain what the mistake does. It is back after the hunt."
_WAITS, _WAITS_MORE = "waits for {count}", "waits for {count} more"
_LEFT = Qt.AlignmentFlag.AlignLeft


@guarded
class WhyPage(Page):
    """The selected node, or the receiver of the step; with nothing selected, every leaf."""

    node_chosen = Signal(int)
    """Emitted with the node of a problem that was clicked."""
    ripple_wanted = Signal(object)
    """Emitted with the node whose change is to run through the graph."""
    line_wanted = Signal()
    """Emitted when the line of the step is to be shown in the code."""

    def __init__(
        self, style: Style, document: Document, playback: Playback, selection: Selection
    ) -> None:
        super().__init__(style, "Why")
        self._document, self._playback, self._selection = document, playback, selection
        self.empty = EmptyState(style, EMPTY)
        self.value = ValuePart(style, document)
        self.sliders = SlidersPart(style, document)
        self.problems = ProblemList(style)
        self.symbols = RichLine(style, font_role="interface strong")
        self.numbers = RichLine(style, font_role="interface")
        self.cards = Cards(style)
        self.waits = plain_label(kind="secondary", wraps=True)
        self.sum_name = plain_label(kind="strong")
        self.sum = RichLine(style, font_role="number")
        self.sum.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.verdict = RichLine(style, font_role="interface")
        self.words = plain_label(kind="secondary", wraps=True)
        self.start = QPushButton("Backward")
        self.start.setProperty("kind", "backward")
        self.line = QPushButton()
        self.line.setProperty("kind", "offer")
        self.group = GroupPart(style)
        self.paths = PathPart(style, selection)
        self.order = OrderPart(style, selection)
        self.node = NodePart(style, document)
        self.many = ManyPart(style, document, selection)
        self._make_blocks()
        self._connect()

    def _make_blocks(self) -> None:
        style = self._style
        self.why = Block(
            style,
            "Why",
            *(self.symbols, self.numbers, self.cards, self.waits),
            in_row(self.sum_name, (self.sum, 1)),
            *(self.verdict, self.words, (self.start, _LEFT), (self.line, _LEFT)),
            key="why",
        )
        self.choose = plain_label(CHOOSE, "secondary", wraps=True)
        self._blocks = {
            "value": Block(style, "", self.value),
            "sliders": Block(style, "Leaves", self.sliders, key="sliders"),
            "choose": Block(style, "", self.choose),
            "problems": Block(style, "Unfinished", self.problems),
            "why": self.why,
            "group": self.group,
            "many": Block(style, "", self.many),
            "paths": self.paths,
            "order": Block(style, "Order", self.order, key="order", folded=True),
            "inspector": Block(style, "Inspector", self.node, key="inspector", folded=True),
        }
        self._blocks["order"].set_note("who fires when")
        self._blocks["inspector"].set_note("kind, name, all digits")
        self.add(self.empty, *self._blocks.values(), 1)

    def _connect(self) -> None:
        playback = self._playback
        self.cards.step_chosen.connect(self._go)
        self.start.clicked.connect(playback.backward)
        self.line.clicked.connect(self.line_wanted)
        self.value.ripple_wanted.connect(self.ripple_wanted)
        self.problems.node_chosen.connect(self.node_chosen)
        for name in ("paths", "order", "inspector", "sliders"):
            self._blocks[name].unfolded.connect(self.refresh_if_visible)
        self.follow(playback.shown)
        self._selection.changed.connect(self._follow_selection)

    def block(self, name: str) -> Block:
        """Return a block: value, sliders, problems, why, group, many, paths, order, inspector."""
        return self._blocks[name]

    def first_field(self) -> QWidget | None:
        """Return the slider of the value, or else the first focusable widget."""
        return self.value.field if self.value.isVisible() else super().first_field()

    def refresh(self) -> None:
        """Show the selection; what is folded is not computed."""
        now = self._playback.now
        frame = now.frame
        chosen = [n for n in sorted(self._selection.nodes) if n in frame.graph.nodes]
        group = self._group(frame)
        node = explained(frame, self._selection) if group is None else _only_output(group)
        many = group is None and node is None and len(chosen) > 1
        nothing = node is None and group is None and not many
        hunts = now.hunt is not None and now.hunt.stage == "name"
        self._show_nothing(frame, nothing)
        self._show_value(frame, node)
        self._blocks["why"].setVisible(node is not None and not hunts)
        self._blocks["group"].setVisible(group is not None and not hunts)
        self._blocks["choose"].setVisible(hunts or (nothing and bool(frame.graph.nodes)))
        self.choose.setText(IN_HUNT if hunts else CHOOSE)
        if node is not None and not hunts:
            self._show_node(derivation(frame, node, now.comparison), group)
        if group is not None and not hunts:
            self.group.show_group(group, node is None)
        self._blocks["many"].setVisible(many or group is not None)
        if many or group is not None:
            self.many.show_nodes(chosen, frame)
        self._show_paths(frame, None if hunts else node)
        self._blocks["inspector"].setVisible(node is not None)
        if node is not None and not self._blocks["inspector"].folded:
            selected = self._selection.only
            shown = selected if selected is not None and selected in frame.graph.nodes else node
            self.node.show_node(shown, frame, now.comparison)

    def _show_nothing(self, frame: Frame, nothing: bool) -> None:
        graph = frame.graph
        self.empty.setVisible(not graph.nodes)
        has_leaves = any(isinstance(found, Leaf) for found in graph.nodes.values())
        self._blocks["sliders"].setVisible(nothing and has_leaves)
        if nothing and not self._blocks["sliders"].folded:
            self.sliders.show_leaves(graph)
        count = self.problems.show_problems(graph)
        self._blocks["problems"].setVisible(bool(count))

    def _show_value(self, frame: Frame, node: int | None) -> None:
        found = None if node is None else frame.graph.nodes[node]
        settable = isinstance(found, Leaf | Constant)
        self._blocks["value"].setVisible(settable)
        if node is not None and isinstance(found, Leaf | Constant):
            self.value.show_node(node, found, frame.graph, asks=self._playback.now.asks)

    def _show_paths(self, frame: Frame, node: int | None) -> None:
        paths, order = self._blocks["paths"], self._blocks["order"]
        now = self._playback.now
        asks = now.by_hand is not None or (
            now.asks and now.quiz is not None and not now.quiz.covers
        )
        paths.setVisible(node is not None and not asks)  # they would answer
        order.setVisible(bool(frame.graph.nodes) and node is not None and not asks)
        if paths.isHidden() or paths.folded:
            self.paths.clear()
        elif node is not None:
            digits, notation = self._style.digits, self._style.notation
            title, count = self.paths.show_paths(frame, node, digits, notation)
            paths.set_title(title)
            paths.set_note(count)
        if not order.isHidden() and not order.folded:
            self.order.show_order(self._playback.now.sheet.graph)

    def _follow_selection(self) -> None:
        if not self._playback.behind:  # otherwise the pending message refreshes it
            self.refresh_if_visible()

    def _go(self, cursor: int) -> None:
        self._playback.go(cursor, pause=True)

    def _group(self, frame: Frame) -> GroupFlow | None:
        """Return the selected group, if its members and nothing else are selected."""
        groups, nodes = self._document.sheet.groups, self._selection.nodes
        if follows_step(frame, self._selection):
            return None
        group = selected_group(groups, nodes) if len(nodes) > 1 else None
        known = group is not None and nodes <= frame.graph.nodes.keys()
        return group_flow(frame, groups, group) if group is not None and known else None

    def _show_node(self, found: Derivation, group: GroupFlow | None) -> None:
        digits, notation = self._style.digits, self._style.notation
        frame = found.frame
        self.why.set_title(plain_text(question(found, digits, notation)))
        self.why.set_note(self._note(found, group))
        symbols = formula(found, notation)
        for line, spans in ((self.symbols, symbols), (self.numbers, numbers(found, digits))):
            line.set_spans(spans)
            line.setVisible(bool(spans))
        self.symbols.setToolTip(direct_tip(self.symbols.text()))
        beside = self._playback.now.comparison
        self.cards.show_terms(found, beside)
        running = frame.phase == "backward" and found.state == "sum"
        waits = _WAITS_MORE if found.arrived else _WAITS
        self.waits.setText(waits.format(count=found.waiting))
        self.waits.setVisible(running and found.waiting > 0)
        self.sum_name.setText(grad_name(frame.graph, found.node))
        self.sum.set_spans(total(found, digits))
        self.sum_name.setVisible(bool(found.arrived))
        self.sum.setVisible(bool(found.arrived))
        verdict = on_gradient(frame, beside, found.node, digits)
        why = causes(frame, beside, found.node, digits)
        self.verdict.set_spans((*verdict, Span(f"\n{why}")) if why else verdict)
        self.verdict.setVisible(bool(verdict))
        self.words.setText(explanation(found, digits))
        self.start.setVisible(found.state in ("sum", "root") and frame.phase != "backward")
        now = Listing(frame, digits).now
        self.line.setText("" if now is None else f"Line {now + 1:,} in Code")
        self.line.setVisible(now is not None)

    def _note(self, found: Derivation, group: GroupFlow | None) -> str:
        """Return whose gradient it is, and whether a step or the user has chosen it."""
        name = found.frame.graph.title(found.node)
        if group is not None:
            return f"selected: {group.title or 'the group'}"
        return f"step at: {name}" if follows_step(found.frame, self._selection) else name

    def hideEvent(self, event: QHideEvent) -> None:
        """Light no path and sweep no leaf on behalf of a page that can't be seen."""
        super().hideEvent(event)
        self.paths.light_none()
        self.sliders.stop()


def _only_output(group: GroupFlow) -> int | None:
    """Return the only output of a group, or None."""
    return group.outputs[0] if len(group.outputs) == 1 else None
