"""WhyPage explains a gradient: value, chain rule, paths, order, group and problems."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCursor, QHideEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.controls.layouts import (
    Box,
    RowsOnDemand,
    in_column,
    in_row,
    plain_label,
    plain_tooltip,
    show_text,
)
from app.controls.painted_buttons import IconButton
from app.controls.panel import Block, EmptyState, Page
from app.controls.rich_text import RichLine
from app.controls.row_list import Column, RowList
from app.controls.spans import ListRow, Span, Spans, filled, on_lines, plain_text
from app.document.document import Document
from app.guard import exception_safe
from app.panels.why.parts import Cards, ManyPart, NodePart, SlidersPart, ValuePart
from app.style.current import Style
from app.style.derivative_notation import Notation
from app.style.icons import icon
from app.workbench.gradients.chain_rule import (
    Derivation,
    GroupFlow,
    PathRow,
    PathTable,
    derivation,
    formula,
    group_flow,
    numbers,
    path_table,
    question,
    selected_group,
    total,
)
from app.workbench.gradients.code_listing import Listing
from app.workbench.gradients.comparison import gradient_verdict
from app.workbench.gradients.explanation import causes, explanation
from app.workbench.gradients.formulas import direct_derivative_tip, grad_name
from app.workbench.playback.playback import Playback
from app.workbench.selection import Selection, explained_node, follows_step
from engine.asking.micrograd_program import SORT_CODE, SORT_LINE_OF, WalkStep, order_walk
from engine.frame import Frame
from engine.graph import Constant, Graph, Leaf, brief
from engine.numbers import Digits
from engine.problems import Problem, pass_obstacle, problems

EMPTY = "Type a formula above the sheet, or press Tab on it and type a name, such as w."
CHOOSE = "Select a node to see why its gradient is what it is."
HUNT_TEXT = "It would explain what the mistake does. It is back after the hunt."
_WAITS, _WAITS_MORE = "waits for {count}", "waits for {count} more"
_LEFT = Qt.AlignmentFlag.AlignLeft


@exception_safe
class WhyPage(Page):
    """Explains the selected node, else the receiver of the step; else it has all leaves."""

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
        return self.value.slider if self.value.isVisible() else super().first_field()

    def refresh(self) -> None:
        """Show the selection; collapsed blocks are not computed."""
        now = self._playback.now
        frame = now.frame
        chosen = [n for n in sorted(self._selection.nodes) if n in frame.graph.nodes]
        group = self._group(frame)
        node = explained_node(frame, self._selection) if group is None else _only_output(group)
        has_several = group is None and node is None and len(chosen) > 1
        has_nothing = node is None and group is None and not has_several
        in_hunt = now.hunt is not None and now.hunt.stage == "name"
        self._show_unselected(frame, has_nothing)
        self._show_value(frame, node)
        self._blocks["why"].setVisible(node is not None and not in_hunt)
        self._blocks["group"].setVisible(group is not None and not in_hunt)
        self._blocks["choose"].setVisible(in_hunt or (has_nothing and bool(frame.graph.nodes)))
        self.choose.setText(HUNT_TEXT if in_hunt else CHOOSE)
        if node is not None and not in_hunt:
            self._show_node(derivation(frame, node, now.comparison), group)
        if group is not None and not in_hunt:
            self.group.show_group(group, with_outputs=node is None)
        self._blocks["many"].setVisible(has_several or group is not None)
        if has_several or group is not None:
            self.many.show_nodes(chosen, frame)
        self._show_paths(frame, None if in_hunt else node)
        self._blocks["inspector"].setVisible(node is not None)
        if node is not None and not self._blocks["inspector"].collapsed:
            selected = self._selection.only
            shown = selected if selected is not None and selected in frame.graph.nodes else node
            self.node.show_node(shown, frame, now.comparison)

    def _show_unselected(self, frame: Frame, has_nothing: bool) -> None:
        """Show the problems, and without a selection all leaves, or that the sheet is empty."""
        graph = frame.graph
        self.empty.setVisible(not graph.nodes)
        has_leaves = any(isinstance(node, Leaf) for node in graph.nodes.values())
        self._blocks["sliders"].setVisible(has_nothing and has_leaves)
        if has_nothing and not self._blocks["sliders"].collapsed:
            self.sliders.show_leaves(graph)
        count = self.problems.show_problems(graph)
        self._blocks["problems"].setVisible(bool(count))

    def _show_value(self, frame: Frame, node: int | None) -> None:
        content = None if node is None else frame.graph.nodes[node]
        has_value = isinstance(content, Leaf | Constant)
        self._blocks["value"].setVisible(has_value)
        if node is not None and isinstance(content, Leaf | Constant):
            self.value.show_node(node, content, frame.graph, asks=self._playback.now.asks)

    def _show_paths(self, frame: Frame, node: int | None) -> None:
        paths, order = self._blocks["paths"], self._blocks["order"]
        now = self._playback.now
        in_ask_me = now.asks and now.quiz is not None and not now.quiz.is_cover
        # paths and order would give answers away
        gives_away = now.by_hand is not None or in_ask_me
        paths.setVisible(node is not None and not gives_away)
        shows_order = node is not None and not gives_away and frame.hides != "order"
        order.setVisible(shows_order)
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
        if not self._playback.lags_behind_document:  # else the pending `shown` refreshes it
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
        """Explain the gradient of a node: formula, contributions, sum and verdict."""
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
        is_summing = frame.phase == "backward" and found.state == "sum"
        waits = _WAITS_MORE if found.arrived else _WAITS
        self.waits.setText(waits.format(count=found.waiting))
        self.waits.setVisible(is_summing and found.waiting > 0 and not found.is_asked)
        self.sum_name.setText(grad_name(frame.graph, found.node))
        self.sum.set_spans(total(found, digits))
        for part in (self.sum_name, self.sum):
            part.setVisible(bool(found.arrived) and not found.is_asked)
        verdict = gradient_verdict(frame, comparison, found.node, digits)
        why = causes(frame, comparison, found.node, digits)
        self.verdict.set_spans((*verdict, Span(f"\n{why}")) if why else verdict)
        self.verdict.setVisible(bool(verdict))
        self.words.setText("" if found.is_asked else explanation(found, digits))
        self.start.setVisible(found.state in ("sum", "root") and frame.phase != "backward")
        now = Listing(frame, digits).now
        show_text(self.line, "" if now is None else f"Line {now + 1:,} in Code")

    def _note(self, found: Derivation, group: GroupFlow | None) -> str:
        """Return the name of the node, and whether the step or the user has chosen it."""
        name = found.frame.graph.title(found.node)
        if group is not None:
            return f"selected: {group.title or 'the group'}"
        return f"step at: {name}" if follows_step(found.frame, self._selection) else name

    def hideEvent(self, event: QHideEvent) -> None:
        """End the highlight of a path and the sweeps of leaves of a hidden page."""
        super().hideEvent(event)
        self.paths.light_none()
        self.sliders.stop()


def _only_output(group: GroupFlow) -> int | None:
    return group.outputs[0] if len(group.outputs) == 1 else None


MAX_GROUP_ROWS = 8
"""Rows of a table of a group; of more nodes the number is shown."""
_GROUP_ROW_HEIGHT = 22
"""Height of such a row, in px at 100 %."""
_TABLE_GAP = 4
"""Space above a table beyond the gap of the block, in px at 100 %."""

Row = tuple[str, Sequence[Span]]
"""The name of a gradient, and its number, as `GroupFlow` writes them."""


class GroupPart(Block):
    """Gradients at the outputs, inputs and inner nodes of a group.

    The outputs are left out if the only one is explained above.
    """

    def __init__(self, style: Style) -> None:
        super().__init__(style, tight=True)
        self.heading = plain_label(kind="heading", wraps=True)
        self.arrives = Table(style, "Arrives at its outputs")
        self.passes = Table(style, "Passed on to its inputs")
        self.inside = Table(style, "Inside")
        self.words = plain_label(kind="secondary", wraps=True)
        self.add(self.heading)
        for table in (self.arrives, self.passes, self.inside):
            self.add(_with_space_above(style, table.title), table, table.more)
        self.add(_with_space_above(style, self.words))

    def show_group(self, flow: GroupFlow, with_outputs: bool) -> None:
        """Show a group; `with_outputs` unless its only output is explained above."""
        digits = self._style.digits
        self.heading.setText(f"Gradients through {brief(flow.title or 'the group')}")
        self.heading.setVisible(with_outputs)
        outputs = flow.outputs if with_outputs else ()
        self.arrives.show_numbers([flow.gradient(n, digits) for n in outputs])
        self.passes.show_numbers([flow.sent_to(n, digits) for n in flow.inputs])
        self.inside.show_numbers([flow.gradient(n, digits) for n in flow.inner])
        self.words.setText(_group_hint(flow))


class Table(RowList):
    """Rows of a name and a number, with a title above and the count of more below."""

    def __init__(self, style: Style, title: str) -> None:
        columns = (Column(stretches=True), Column(right=True, font="number"))
        super().__init__(style, title, columns, row_height=_GROUP_ROW_HEIGHT, choosable=False)
        self.title = plain_label(title, "strong")
        self.more = plain_label(kind="caption")

    def show_numbers(self, rows: Sequence[Row]) -> None:
        """Show the first rows, and the number of the others; nothing without rows."""
        self.show_rows([_list_row(*row) for row in rows[:MAX_GROUP_ROWS]])
        self.more.setText(f"and {len(rows) - MAX_GROUP_ROWS:,} more")
        self.more.setVisible(len(rows) > MAX_GROUP_ROWS)
        self.title.setVisible(bool(rows))
        self.setVisible(bool(rows))


def _with_space_above(style: Style, part: QWidget) -> Box:
    return in_column(part, style=style, edges=(0, _TABLE_GAP, 0, 0))


def _list_row(name: str, number: Sequence[Span]) -> ListRow:
    cells = ((Span(name),), tuple(number))
    return ListRow(cells, f"{name}: {plain_text(number)}", tooltip=name)


def _group_hint(flow: GroupFlow) -> str:
    """Return how to see the sum of a node, or why a group has no gradient."""
    if not flow.outputs:
        return "Nothing outside reads this group, so no gradient comes into it."
    return "To see the sum of a single node, open the group (Ctrl+J) and select the node."


MAX_VISIBLE_PATHS = 12
"""Rows of the list at its greatest height; more of them are scrolled."""
_PATH_ROW_HEIGHT = 24
"""Height of such a row, in px at 100 %."""
_ONE_LINE_LENGTH = 26
"""Characters of a path and its factors that fit into one row."""


class PathPart(Block):
    """A row per path; the one under the pointer or chosen by keys is highlighted on the canvas."""

    def __init__(self, style: Style, selection: Selection) -> None:
        super().__init__(style, "Paths", key="paths")
        self._selection = selection
        self._table = PathTable((), ())
        self.remark = RichLine(style, font_role="interface")
        columns = (Column(stretches=True), Column(right=True), Column(right=True))
        self.rows = RowList(
            style,
            "Paths to the root",
            columns,
            row_height=_PATH_ROW_HEIGHT,
            most_rows=MAX_VISIBLE_PATHS,
        )
        self.rows.hovered.connect(self._highlight)
        self.rows.moved.connect(self._highlight)
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
            self.rows.show_rows([_path_row(row) for row in table.rows])
            self.rows.set_current(-1)
        self._table = table
        return title, f"{len(table.rows):,}" if table.rows else ""

    def clear(self) -> None:
        """Show and highlight no path."""
        self._table = PathTable((), ())
        self.remark.set_spans(())
        self.rows.show_rows(())
        self.light_none()

    def light_none(self) -> None:
        """End the highlight of a path."""
        self._selection.light(())

    def _highlight(self, index: int) -> None:
        wires = self._table.rows[index].wires if 0 <= index < len(self._table.rows) else ()
        self._selection.light(wires)


def _path_row(path: PathRow) -> ListRow:
    """Return nodes, factors and product; of a long path the factors are below."""
    names = Span(path.nodes, bold=True)
    product = (Span(path.result, "gradient", bold=True),)
    factors = (Span(path.factors, "local"),) if path.factors != path.result else ()
    spoken = f"{path.nodes}: {path.product}"
    if len(path.nodes) + len(path.factors) > _ONE_LINE_LENGTH:
        return ListRow(((names,), (), product), spoken, below=factors, tooltip=path.nodes)
    return ListRow(((names,), factors, product), spoken)


MAX_ORDER_NODES = 500
"""Nodes of a graph whose order is walked; one with more can't be followed by eye."""

_STEP_TEXTS = {
    "mark": "**{node}** is visited for the first time: it is marked, then its inputs are built.",
    "again": "**{node}** is visited again: it is marked already, so nothing is done.",
    "append": "All inputs of **{node}** are in the list: it is appended.",
    "reverse": "The list is complete. Reversed, each node fires after all that it feeds.",
}


@exception_safe
class OrderPart(QWidget):
    """The depth-first walk step by step, with its line of code, and the partial order."""

    def __init__(self, style: Style, selection: Selection) -> None:
        super().__init__()
        self._style = style
        self._selection = selection
        self._graph: Graph | None = None
        self._steps: tuple[WalkStep, ...] = ()
        self._index = 0
        self.sentence = RichLine(style, font_role="interface")
        self.code = RichLine(style, font_role="interface", wrap=False)
        self.listed = plain_label(kind="secondary")
        self.listed.setWordWrap(True)
        self.count = plain_label(kind="secondary")
        self.back = IconButton(style, "step_back", "One step back in the walk")
        self.next = IconButton(style, "step", "The next step of the walk")
        self.first = IconButton(style, "first", "The beginning of the walk")
        self.last = IconButton(style, "last", "The end of the walk: the whole order")
        buttons = in_row(
            self.first, self.back, self.next, self.last, 1, self.count, style=style, gap=6
        )
        in_column(
            *(
                buttons,
                self.sentence,
                self.code,
                plain_label("The list so far", "group"),
                self.listed,
            ),
            parent=self,
            style=style,
            gap=8,
        )
        self.first.clicked.connect(lambda: self.go(0))
        self.back.clicked.connect(lambda: self.go(self._index - 1))
        self.next.clicked.connect(lambda: self.go(self._index + 1))
        self.last.clicked.connect(lambda: self.go(len(self._steps) - 1))

    @property
    def step(self) -> WalkStep | None:
        """Return the step that is shown, or None where there is no walk."""
        return self._steps[self._index] if self._steps else None

    def show_order(self, graph: Graph) -> None:
        """Walk a graph; after a change of its wiring, start again."""
        same = self._graph is not None and self._graph.structure is graph.structure
        if not (same and self._graph is not None and self._graph.root == graph.root):
            is_walkable = pass_obstacle(graph) is None and len(graph.nodes) <= MAX_ORDER_NODES
            root = graph.root if is_walkable else None
            self._steps = () if root is None else tuple(order_walk(graph, root))
            self._index = max(0, len(self._steps) - 1)
        self._graph = graph
        self._show()

    def go(self, index: int) -> None:
        """Show one step of the walk, and focus its node on the canvas."""
        if not self._steps:
            return
        self._index = max(0, min(index, len(self._steps) - 1))
        self._selection.focus_on(self._steps[self._index].node)
        self._show()

    def _show(self) -> None:
        step, graph = self.step, self._graph
        at_start, at_end = self._index == 0, self._index == len(self._steps) - 1
        for button, has_no_effect in (
            (self.first, at_start),
            (self.back, at_start),
            (self.next, at_end),
            (self.last, at_end),
        ):
            button.setEnabled(bool(self._steps) and not has_no_effect)
        line = None if step is None else SORT_LINE_OF[step.does]
        self.code.set_spans(_code(line))
        if step is None or graph is None:
            self.sentence.set_spans(filled(_no_walk_text(self._graph)))
            self.listed.setText("")
            self.count.setText("")
            return
        self.sentence.set_spans(
            filled(_STEP_TEXTS[step.does], node=Span(graph.brief(step.node), bold=True))
        )
        self.count.setText(f"{self._index + 1:,} of {len(self._steps):,}")
        listed = step.topo[::-1] if step.does == "reverse" else step.topo
        names = (f"{k} {graph.brief(node)}" for k, node in enumerate(listed, 1))
        self.listed.setText(" · ".join(names) or "empty")


def _no_walk_text(graph: Graph | None) -> str:
    if graph is not None and len(graph.nodes) > MAX_ORDER_NODES:
        return f"The walk is shown for graphs of up to {MAX_ORDER_NODES} nodes."
    return "The order is shown once a backward pass can run."


def _code(current: int | None) -> Spans:
    """Return the program with its current line marked; no-break spaces keep the indentation."""
    lines = (line.replace(" ", "\u00a0") for line in SORT_CODE)
    return on_lines(
        (
            Span("▸\u00a0" if k == current else "\u00a0\u00a0", code=True),
            Span(line, code=True, bold=k == current),
        )
        for k, line in enumerate(lines)
    )


MAX_PROBLEMS = 8
"""Problems that are listed; of others the number is shown."""
_WARNING_SPACE = 32
"""Width that the icon of a problem takes of its row, in px at 100 %."""


class ProblemList(QWidget):
    """The problems of a graph, updated only when its wiring changes."""

    node_chosen = Signal(int)
    """Emitted with the node of a clicked problem."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._graph: Graph | None = None
        self._count = 0
        self._rows = RowsOnDemand(self._problem_row, self._add)
        self._more = plain_label(kind="secondary")
        self._column = in_column(self._more, parent=self, style=style, gap=4)

    def sentences(self) -> list[str]:
        return [row.problem.sentence for row in self._rows.shown]

    def row(self, index: int) -> QPushButton:
        """Return a row by its index from the top."""
        return self._rows[index]

    def show_problems(self, graph: Graph) -> int:
        """Show the problems of a graph; return their number."""
        previous, self._graph = self._graph, graph
        same = previous is not None and previous.structure is graph.structure
        if same and previous is not None and previous.active_root == graph.active_root:
            return self._count
        found = problems(graph)
        self._count = len(found)
        rows = self._rows.show(min(len(found), MAX_PROBLEMS))
        for row, problem in zip(rows, found, strict=False):  # the first `MAX_PROBLEMS`
            row.show_problem(problem)
        hidden = len(found) - MAX_PROBLEMS
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


@exception_safe
class _ProblemRow(QPushButton):
    """One problem as a clickable sentence."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self.problem = Problem("", 0)  # until `show_problem`
        self.setProperty("kind", "link")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setCursor(QCursor(Qt.CursorShape.PointingHandCursor))
        style.run_now_and_on_change(self._restyle)

    def show_problem(self, problem: Problem) -> None:
        self.problem = problem
        self.setAccessibleName(problem.sentence)
        self.setToolTip(plain_tooltip(f"{problem.sentence}\nClick to go there."))
        self._elide()

    def _elide(self) -> None:
        """Show the first sentence, elided if needed; the tooltip has all of them."""
        text = self.problem.sentence.split(". ")[0].rstrip(".") + "."
        width = self.width() - self._style.px(_WARNING_SPACE)
        self.setText(self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width))

    def _restyle(self) -> None:
        self.setIcon(icon("warning", self._style.theme, self._style.theme.error))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()
