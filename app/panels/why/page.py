"""WhyPage explains a gradient: value, chain rule, paths, order, group and problems."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCursor, QHideEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.controls.buttons import IconButton
from app.controls.empty_state import EmptyState
from app.controls.layouts import Box, RowsOnDemand, in_column, in_row, plain_label, plain_tooltip
from app.controls.panel import Block, Page
from app.controls.rich_line import RichLine
from app.controls.rich_text import Span, Spans, filled, on_lines, plain_text
from app.controls.row_list import Column, ListRow, RowList
from app.document.document import Document
from app.guard import guarded
from app.panels.why.cards import Cards
from app.panels.why.node_part import ManyPart, NodePart, SlidersPart, ValuePart
from app.style.current import Notation, Style
from app.style.icons import icon
from app.workbench.gradients.chain_rule import (
    Derivation,
    derivation,
    formula,
    numbers,
    question,
    total,
)
from app.workbench.gradients.comparison import gradient_verdict
from app.workbench.gradients.explanation import causes, explanation
from app.workbench.gradients.formulas import direct_derivative_tip, grad_name
from app.workbench.gradients.group_flow import (
    GroupFlow,
    PathRow,
    PathTable,
    group_flow,
    path_table,
    selected_group,
)
from app.workbench.gradients.listing import Listing
from app.workbench.playback.playback import Playback
from app.workbench.selection import Selection, explained_node, follows_step
from engine.frame import Frame
from engine.graph import Constant, Graph, Leaf, brief
from engine.numbers import Digits
from engine.problems import Problem, pass_obstacle, problems
from engine.study.program import CODE, LINES, WalkStep, order_walk

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
            "order": Block(style, "Order", self.order, key="order", collapsed=True),
            "inspector": Block(style, "Inspector", self.node, key="inspector", collapsed=True),
        }
        self._blocks["order"].set_note("who fires when")
        self._blocks["inspector"].set_note("kind, name, all digits")
        self.add(self.empty, *self._blocks.values(), 1)

    def _connect(self) -> None:
        playback = self._playback
        self.cards.step_chosen.connect(self._go_to_step)
        self.start.clicked.connect(playback.backward)
        self.line.clicked.connect(self.line_wanted)
        self.value.ripple_wanted.connect(self.ripple_wanted)
        self.problems.node_chosen.connect(self.node_chosen)
        for name in ("paths", "order", "inspector", "sliders"):
            self._blocks[name].expanded.connect(self.refresh_if_visible)
        self.follow(playback.shown)
        self._selection.changed.connect(self._follow_selection)

    def block(self, name: str) -> Block:
        """Return a block: value, sliders, problems, why, group, many, paths, order, inspector."""
        return self._blocks[name]

    def first_field(self) -> QWidget | None:
        """Return the slider of the value, or else the first focusable widget."""
        return self.value.field if self.value.isVisible() else super().first_field()

    def refresh(self) -> None:
        """Show the selection; collapsed blocks are not computed."""
        now = self._playback.now
        frame = now.frame
        chosen = [n for n in sorted(self._selection.nodes) if n in frame.graph.nodes]
        group = self._group(frame)
        node = explained_node(frame, self._selection) if group is None else _only_output(group)
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
        if node is not None and not self._blocks["inspector"].collapsed:
            selected = self._selection.only
            shown = selected if selected is not None and selected in frame.graph.nodes else node
            self.node.show_node(shown, frame, now.comparison)

    def _show_nothing(self, frame: Frame, nothing: bool) -> None:
        graph = frame.graph
        self.empty.setVisible(not graph.nodes)
        has_leaves = any(isinstance(found, Leaf) for found in graph.nodes.values())
        self._blocks["sliders"].setVisible(nothing and has_leaves)
        if nothing and not self._blocks["sliders"].collapsed:
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
        if paths.isHidden() or paths.collapsed:
            self.paths.clear()
        elif node is not None:
            digits, notation = self._style.digits, self._style.notation
            title, count = self.paths.show_paths(frame, node, digits, notation)
            paths.set_title(title)
            paths.set_note(count)
        if not order.isHidden() and not order.collapsed:
            self.order.show_order(self._playback.now.sheet.graph)

    def _follow_selection(self) -> None:
        if not self._playback.lags_behind_document:  # otherwise the pending message refreshes it
            self.refresh_if_visible()

    def _go_to_step(self, cursor: int) -> None:
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
        self.symbols.setToolTip(direct_derivative_tip(self.symbols.text()))
        comparison = self._playback.now.comparison
        self.cards.show_terms(found, comparison)
        running = frame.phase == "backward" and found.state == "sum"
        waits = _WAITS_MORE if found.arrived else _WAITS
        self.waits.setText(waits.format(count=found.waiting))
        self.waits.setVisible(running and found.waiting > 0)
        self.sum_name.setText(grad_name(frame.graph, found.node))
        self.sum.set_spans(total(found, digits))
        self.sum_name.setVisible(bool(found.arrived))
        self.sum.setVisible(bool(found.arrived))
        verdict = gradient_verdict(frame, comparison, found.node, digits)
        why = causes(frame, comparison, found.node, digits)
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


MOST_GROUP_ROWS = 8
_GROUP_ROW_HEIGHT = 22
_TABLE_GAP = 4
"""Space above a table beyond the gap of the block, in px at 100 %."""

Row = tuple[str, Sequence[Span]]


class GroupPart(Block):
    """Three short tables; the first is left out if the node above covers it."""

    def __init__(self, style: Style) -> None:
        super().__init__(style, tight=True)
        self.heading = plain_label(kind="heading", wraps=True)
        self.arrives = Table(style, "Arrives at its outputs")
        self.passes = Table(style, "Passed on to its inputs")
        self.inside = Table(style, "Inside")
        self.words = plain_label(kind="secondary", wraps=True)
        self.add(self.heading)
        for table in (self.arrives, self.passes, self.inside):
            self.add(_apart(style, table.title), table, table.more)
        self.add(_apart(style, self.words))

    def show_group(self, found: GroupFlow, alone: bool) -> None:
        """Show a group; `alone` if no node above covers its only output."""
        digits = self._style.digits
        self.heading.setText(f"Gradients through {brief(found.title or 'the group')}")
        self.heading.setVisible(alone)
        outputs = found.outputs if alone else ()
        self.arrives.show_numbers([found.gradient(n, digits) for n in outputs])
        self.passes.show_numbers([found.sent_to(n, digits) for n in found.inputs])
        self.inside.show_numbers([found.gradient(n, digits) for n in found.inner])
        self.words.setText(_words(found))


class Table(RowList):
    """Rows of a name and a number, with a title above and the count of more below."""

    def __init__(self, style: Style, title: str) -> None:
        columns = (Column(stretches=True), Column(right=True, font="number"))
        super().__init__(style, title, columns, row_height=_GROUP_ROW_HEIGHT, choosable=False)
        self.title = plain_label(title, "strong")
        self.more = plain_label(kind="caption")

    def show_numbers(self, rows: Sequence[Row]) -> None:
        """Show the first rows, and the number of the others; nothing without rows."""
        self.show_rows([_list_row(*row) for row in rows[:MOST_GROUP_ROWS]])
        self.more.setText(f"and {len(rows) - MOST_GROUP_ROWS:,} more")
        self.more.setVisible(len(rows) > MOST_GROUP_ROWS)
        self.title.setVisible(bool(rows))
        self.setVisible(bool(rows))


def _apart(style: Style, part: QWidget) -> Box:
    return in_column(part, style=style, edges=(0, _TABLE_GAP, 0, 0))


def _list_row(name: str, number: Sequence[Span]) -> ListRow:
    cells = ((Span(name),), tuple(number))
    return ListRow(cells, f"{name}: {plain_text(number)}", tooltip=name)


def _words(found: GroupFlow) -> str:
    """Say how to see more, and why there may be nothing."""
    if not found.outputs:
        return "Nothing outside reads this group, so no gradient comes into it."
    return "To see the sum of a single node, open the group (Ctrl+J) and select the node."


MOST_PATHS = 12
"""Paths above which the list scrolls by itself."""
_PATH_ROW_HEIGHT = 24
_SHORT_PATH = 26
"""Characters of a path and its factors that fit into one row."""


class PathPart(Block):
    """A row per path: pointing at it, or choosing it by keys, lights its wires on the canvas."""

    def __init__(self, style: Style, selection: Selection) -> None:
        super().__init__(style, "Paths", key="paths")
        self._selection = selection
        self._table = PathTable((), ())
        self.remark = RichLine(style, font_role="interface")
        columns = (Column(stretches=True), Column(right=True), Column(right=True))
        self.rows = RowList(
            style, "Paths to the root", columns, row_height=_PATH_ROW_HEIGHT, most_rows=MOST_PATHS
        )
        self.rows.hovered.connect(self._light)
        self.rows.moved.connect(self._light)
        self.add(self.rows, self.remark)

    def show_paths(
        self, frame: Frame, node: int, digits: Digits, notation: Notation
    ) -> tuple[str, str]:
        """Show the paths of a node; return a title for them and their number."""
        table = path_table(frame, node, digits, notation)
        self.remark.set_spans(table.remark)
        self.rows.setVisible(bool(table.rows))
        graph = frame.graph
        title = "Paths"
        if table.rows and graph.root is not None:
            title = f"Paths from {graph.brief(node)} to {graph.brief(graph.root)}"
        if table.rows != self._table.rows:
            self.light_none()
            self.rows.show_rows([_row(row) for row in table.rows])
            self.rows.set_current(-1)
        self._table = table
        return title, f"{len(table.rows):,}" if table.rows else ""

    def clear(self) -> None:
        """Show no path, and light none."""
        self._table = PathTable((), ())
        self.remark.set_spans(())
        self.rows.show_rows(())
        self.light_none()

    def light_none(self) -> None:
        """Switch off the light of the lit path."""
        self._selection.light(())

    def _light(self, place: int) -> None:
        wires = self._table.rows[place].wires if 0 <= place < len(self._table.rows) else ()
        self._selection.light(wires)


def _row(path: PathRow) -> ListRow:
    """Return nodes, factors and product; of a long path the factors are below."""
    names = Span(path.nodes, bold=True)
    product = (Span(path.result, "gradient", bold=True),)
    factors = (Span(path.factors, "local"),) if path.factors != path.result else ()
    spoken = f"{path.nodes}: {path.product}"
    if len(path.nodes) + len(path.factors) > _SHORT_PATH:
        return ListRow(((names,), (), product), spoken, below=factors, tooltip=path.nodes)
    return ListRow(((names,), factors, product), spoken)


MOST_NODES = 500
"""Nodes of a graph whose order is walked; one with more can't be followed by eye."""

_SAID = {
    "mark": "**{node}** is visited for the first time: it is marked, then its inputs are built.",
    "again": "**{node}** is visited again: it is marked already, so nothing is done.",
    "append": "All inputs of **{node}** are in the list: it is appended.",
    "reverse": "The list is complete. Reversed, each node fires after all that it feeds.",
}


@guarded
class OrderPart(QWidget):
    """The depth-first walk step by step, with its line of code, and the partial order."""

    def __init__(self, style: Style, selection: Selection) -> None:
        super().__init__()
        self._style = style
        self._selection = selection
        self._graph: Graph | None = None
        self._steps: tuple[WalkStep, ...] = ()
        self._place = 0
        self.said = RichLine(style, font_role="interface")
        self.code = RichLine(style, font_role="interface", wrap=False)
        self.listed = plain_label(kind="secondary")
        self.listed.setWordWrap(True)
        self.count = plain_label(kind="secondary")
        self.back = IconButton(style, "step_back", "One step back in the walk")
        self.next = IconButton(style, "step", "The next step of the walk")
        self.first = IconButton(style, "first", "The beginning of the walk")
        self.last = IconButton(style, "last", "The end of the walk: the whole order")
        buttons = in_row(
            self.first, self.back, self.next, self.last, 1, self.count, style=style, edges=0, gap=6
        )
        in_column(
            *(buttons, self.said, self.code, plain_label("The list so far", "group"), self.listed),
            parent=self,
            style=style,
            edges=0,
            gap=8,
        )
        self.first.clicked.connect(lambda: self.go(0))
        self.back.clicked.connect(lambda: self.go(self._place - 1))
        self.next.clicked.connect(lambda: self.go(self._place + 1))
        self.last.clicked.connect(lambda: self.go(len(self._steps) - 1))

    @property
    def step(self) -> WalkStep | None:
        """Return the step that is shown, or None where there is no walk."""
        return self._steps[self._place] if self._steps else None

    def show_order(self, graph: Graph) -> None:
        """Walk a graph; after a change of its wiring, start again."""
        same = self._graph is not None and self._graph.structure is graph.structure
        if not (same and self._graph is not None and self._graph.root == graph.root):
            is_walkable = pass_obstacle(graph) is None and len(graph.nodes) <= MOST_NODES
            root = graph.root if is_walkable else None
            self._steps = () if root is None else tuple(order_walk(graph, root))
            self._place = max(0, len(self._steps) - 1)
        self._graph = graph
        self._show()

    def go(self, place: int) -> None:
        """Show one step of the walk, and focus its node on the canvas."""
        if not self._steps:
            return
        self._place = max(0, min(place, len(self._steps) - 1))
        self._selection.focus_on(self._steps[self._place].node)
        self._show()

    def _show(self) -> None:
        step, graph = self.step, self._graph
        for button, at_end in ((self.first, 0), (self.back, 0), (self.next, 1), (self.last, 1)):
            edge = len(self._steps) - 1 if at_end else 0
            button.setEnabled(bool(self._steps) and self._place != edge)
        now = None if step is None else LINES[step.does]
        self.code.set_spans(_code(now))
        if step is None or graph is None:
            self.said.set_spans(filled(_why_none(self._graph)))
            self.listed.setText("")
            self.count.setText("")
            return
        self.said.set_spans(filled(_SAID[step.does], node=Span(graph.brief(step.node), bold=True)))
        self.count.setText(f"{self._place + 1:,} of {len(self._steps):,}")
        listed = step.topo[::-1] if step.does == "reverse" else step.topo
        names = (f"{k} {graph.brief(node)}" for k, node in enumerate(listed, 1))
        self.listed.setText(" · ".join(names) or "empty")


def _why_none(graph: Graph | None) -> str:
    if graph is not None and len(graph.nodes) > MOST_NODES:
        return f"The walk is shown for graphs of up to {MOST_NODES} nodes."
    return "The order is shown once a backward pass can run."


def _code(now: int | None) -> Spans:
    """Return the program with one line marked; spaces that do not break keep its shape."""
    lines = (line.replace(" ", "\u00a0") for line in CODE)
    return on_lines(
        (
            Span("▸\u00a0" if k == now else "\u00a0\u00a0", code=True),
            Span(line, code=True, bold=k == now),
        )
        for k, line in enumerate(lines)
    )


MOST_PROBLEMS = 8


class ProblemList(QWidget):
    """The problems of a graph, updated only when its wiring changes."""

    node_chosen = Signal(int)

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._graph: Graph | None = None
        self._count = 0
        self._rows = RowsOnDemand(self._problem_row, self._add)
        self._more = plain_label(kind="secondary")
        self._column = in_column(self._more, parent=self, style=style, edges=0, gap=4)

    def sentences(self) -> list[str]:
        """Return the sentences shown."""
        return [row.problem.sentence for row in self._rows.shown]

    def row(self, place: int) -> QPushButton:
        """Return a row by its index from the top."""
        return self._rows[place]

    def show_problems(self, graph: Graph) -> int:
        """Show the problems of a graph; return their number."""
        before, self._graph = self._graph, graph
        same = before is not None and before.structure is graph.structure
        if same and before is not None and before.active_root == graph.active_root:
            return self._count
        found = problems(graph)
        self._count = len(found)
        for row, problem in zip(
            self._rows.show(min(len(found), MOST_PROBLEMS)), found, strict=False
        ):
            row.show_problem(problem)
        hidden = len(found) - MOST_PROBLEMS
        self._more.setText(f"and {hidden:,} more")
        self._more.setVisible(hidden > 0)
        return len(found)

    def _problem_row(self) -> _ProblemRow:
        row = _ProblemRow(self._style, self)
        row.clicked.connect(self._choose)
        return row

    def _add(self, row: QWidget) -> None:
        self._column.insertWidget(self._column.count() - 1, row)

    def _choose(self) -> None:
        row = self.sender()
        if isinstance(row, _ProblemRow):
            self.node_chosen.emit(row.problem.node)


@guarded
class _ProblemRow(QPushButton):
    """One problem as a clickable sentence."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self.problem = Problem("", 0)
        self.setProperty("kind", "link")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setCursor(QCursor(Qt.CursorShape.PointingHandCursor))
        style.changed.connect(self._restyle)
        self._restyle()

    def show_problem(self, problem: Problem) -> None:
        self.problem = problem
        self.setAccessibleName(problem.sentence)
        self.setToolTip(plain_tooltip(f"{problem.sentence}\nClick to go there."))
        self._elide()

    def _elide(self) -> None:
        """Show the first sentence, elided if needed; the rest is in the tooltip."""
        text = self.problem.sentence.split(". ")[0].rstrip(".") + "."
        room = self.width() - self._style.px(32)
        self.setText(self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room))

    def _restyle(self) -> None:
        self.setIcon(icon("warning", self._style.theme, self._style.theme.error))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()
