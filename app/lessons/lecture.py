"""Lecture: marks on one or several graphs, and each mark found on its graph as it is now.

    Lecture          the marks in their order, each with its graph
    slides(lecture)  each mark as the room sees it, or the reason why it no longer fits
    Passes(graph)    the passes over one graph, each run once for all its marks
    step_of(...)     the step where the event of a mark is now; check_anchor(...) what is gone
    mark_at(...)     a new mark; with_kind(...) lets it ask; title_of(...) is its title in lists

A mark is stored with its step and with the wire or node of the event there. After an edit it
follows the event: to the step where that is now, the nearest one where there are several. Reasons
are clauses, as a list of marks shows them: "wire e.1 is gone".

>>> from engine import from_expression
>>> from engine.edits import remove
>>> graph = from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})
>>> e = graph.node_named("e")
>>> mark = with_kind(mark_at(graph, "backward", 6), graph, "ask", "contribution")
>>> title_of(mark, graph), (mark.node, mark.slot) == (e, 0)
('× (e) → a', True)
>>> lecture = Lecture("Two paths", (Drawing(graph),), (Placed(0, mark),))
>>> slides(lecture)[0].situation.cursor, slides(lecture)[0].revealed.cursor
(5, 6)
>>> slide_of(Placed(0, mark), remove(graph, [e])).misfit
'node e is gone'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from app.lessons.lesson import wire_name
from app.lessons.situation import Situation, at_step, situation_of, with_rules, with_values
from engine.errors import EngineError
from engine.formats.native import Drawing
from engine.frame import Phase, frame_at
from engine.graph import Graph, Leaf, OpNode, Root, Wire
from engine.names import brief
from engine.numbers import short
from engine.problems import name_with_op, pass_obstacle
from engine.rules import BY_NAME, CORRECT, Rules
from engine.schedule import EVENT_LIMIT, NO_NODE, NO_SLOT, schedule_of
from engine.study.hand_run import click_slip
from engine.study.lecture import (
    CHOICES_ONLY,
    PASS_KINDS,
    STEP_KINDS,
    TITLE_LIMIT,
    WIRE_KINDS,
    AskedKind,
    Choice,
    Mark,
    MarkKind,
)
from engine.study.paths import LISTED_PATHS_LIMIT, path_count
from engine.study.question import MOST_STEPS, Kind, Question, is_askable, step_questions
from engine.trace import Trace, run, run_forward


class Placed(Struct, frozen=True):
    """A mark and the index of its graph in the lecture.

    `lit` and `watched` are the nodes and wires at which the step of a lesson points.
    """

    graph: int
    mark: Mark
    lit: tuple[int | Wire, ...] = ()
    watched: tuple[int | Wire, ...] = ()


class Lecture(Struct, frozen=True):
    """A title, the graphs with their layouts, and the marks in the order in which they are shown.

    A lecture on the marks of a file has one graph. `source` names the file, lesson or graph.
    `graph_sources` has the source of each drawing in a lecture's file: the name of a .backwire
    file in its folder, or an expression; "" for an expression made from the graph. `address` is
    that of its page on the web, "" without one.
    """

    title: str
    drawings: tuple[Drawing, ...]
    marks: tuple[Placed, ...]
    source: str = ""
    graph_sources: tuple[str, ...] = ()
    address: str = ""


class PassPlace(NamedTuple):
    """A place of a pass: `step` steps done under a mistake, "" for the correct rules."""

    phase: Phase
    step: int
    mistake: str = ""


class Slide(Struct, frozen=True):
    """A mark as the room sees it.

    `cursor` is the number of steps done on entering: a question of a step is asked before it.
    `revealed_at` is the number of steps done at the reveal. `misfit` is the reason, a clause, why
    the mark no longer fits its graph; "" if it fits.
    """

    placed: Placed
    passes: Passes
    cursor: int = 0
    revealed_at: int = 0
    question: Question | None = None
    """The engine's question; None for one in own words, a mistake, and a mark that asks nothing."""
    misfit: str = ""

    @property
    def situation(self) -> Situation | None:
        """Return the situation on entering; None if the mark misfits.

        It contains the numbers asked about: the caller hides them.
        """
        return self._situation_after(self.cursor)

    @property
    def revealed(self) -> Situation | None:
        """Return the situation that shows the answer; None if the mark misfits."""
        question, found = self.question, self._situation_after(self.revealed_at)
        if found is None or question is None or question.kind != "change":
            return found
        changed = with_values(self.passes.outside(self.mark), {question.leaf: question.to})
        return at_step(changed, self.revealed_at)

    @property
    def trace(self) -> Trace:
        """Return the backward pass with its values and mistake.

        Raises EngineError, with the reason, if it can't be run.
        """
        return self.passes.trace(replace(self.mark, phase="backward"))

    @property
    def place(self) -> PassPlace | None:
        """Return where the mark is now; None for a blank screen, and if it no longer fits.

        A question about a whole pass has the place where it was set.
        """
        mark, step = self.mark, self.revealed_at
        if mark.kind == "blank" or self.misfit:
            return None
        if mark.asks in PASS_KINDS:
            step = min(mark.step, step)
        return PassPlace(mark.phase, step, mark.mistake)

    def _situation_after(self, cursor: int) -> Situation | None:
        mark = self.mark
        if self.misfit:
            return None
        if mark.kind == "blank":
            return self.passes.outside(Mark())
        return (
            self.passes.outside(mark) if mark.phase == "live" else self.passes.after(mark, cursor)
        )

    @property
    def mark(self) -> Mark:
        """Return the mark as it is stored."""
        return self.placed.mark

    @property
    def title(self) -> str:
        """Return the title of the mark, or that of its place where it fits; "" without both."""
        return self.mark.title if self.misfit else title_of(self.mark, self.passes.graph)


def lecture_of(drawing: Drawing, title: str, source: str = "") -> Lecture:
    """Return the lecture on the marks of one drawing."""
    return Lecture(title, (drawing,), tuple(Placed(0, mark) for mark in drawing.lecture), source)


def with_appended(lecture: Lecture, added: Lecture) -> Lecture:
    """Return a lecture with the marks of another appended; equal graphs share one drawing."""
    drawings, indices = list(lecture.drawings), list[int]()
    sources = [*lecture.graph_sources, *[""] * len(drawings)][: len(drawings)]
    for k, drawing in enumerate(added.drawings):
        same = (n for n, each in enumerate(drawings) if each.graph == drawing.graph)
        indices.append(next(same, len(drawings)))
        if indices[-1] == len(drawings):
            drawings.append(drawing)
            sources += added.graph_sources[k : k + 1] or ("",)
    marks = tuple(Placed(indices[placed.graph], placed.mark) for placed in added.marks)
    return replace(
        lecture,
        drawings=tuple(drawings),
        marks=(*lecture.marks, *marks),
        graph_sources=tuple(sources) if any(sources) else (),
    )


def with_drawing(lecture: Lecture, index: int, drawing: Drawing) -> Lecture:
    """Return a lecture with a graph, and its marks, replaced by those of a drawing.

    They take the positions of its former marks; surplus ones follow the last of these.
    """
    rest, marks, last = list(drawing.lecture), list[Placed](), -1
    for placed in lecture.marks:
        if placed.graph != index:
            marks.append(placed)
        elif rest:
            marks.append(Placed(index, rest.pop(0)))
            last = len(marks)
    last = len(marks) if last < 0 else last
    marks[last:last] = [Placed(index, mark) for mark in rest]
    drawings, sources = list(lecture.drawings), list(lecture.graph_sources)
    if drawings[index].graph != drawing.graph and index < len(sources):
        sources[index] = ""
    drawings[index] = drawing
    return replace(
        lecture, drawings=tuple(drawings), marks=tuple(marks), graph_sources=tuple(sources)
    )


def slides(lecture: Lecture) -> tuple[Slide, ...]:
    """Return each mark as the room sees it, in order."""
    passes = [Passes(drawing.graph) for drawing in lecture.drawings]
    return tuple(_slide(placed, passes[placed.graph]) for placed in lecture.marks)


def slide_of(placed: Placed, graph: Graph) -> Slide:
    """Return a mark as the room sees it on its graph."""
    return _slide(placed, Passes(graph))


def _slide(placed: Placed, passes: Passes) -> Slide:
    try:
        return _fitting_slide(placed, passes)
    except EngineError as error:
        return Slide(placed, passes, misfit=str(error).rstrip("."))


def _fitting_slide(placed: Placed, passes: Passes) -> Slide:
    """Return the slide of a mark; EngineError, with the reason, if it does not fit its graph."""
    mark = placed.mark
    if mark.kind == "blank":
        passes.outside(Mark())
        return Slide(placed, passes)
    check_anchor(mark, passes.graph)
    if mark.phase == "live":
        passes.outside(mark)
        return Slide(placed, passes)
    trace = passes.trace(mark)
    if mark.asks in PASS_KINDS:
        return _pass_question_slide(placed, passes, trace)
    step = step_of(mark, trace)
    if mark.asks == "mistake":
        _check_mistake_shows(trace)
    if mark.asks not in STEP_KINDS:
        return Slide(placed, passes, step, step)
    kind: Kind = mark.asks  # pyright: ignore[reportAssignmentType]
    node = NO_NODE if mark.node is None else mark.node
    if mark.asks == "value":
        # answers are judged on the backward pass: EngineError if there is none
        passes.trace(replace(mark, phase="backward"))
        question = Question("value", node)
    else:
        question = Question(kind, node, NO_SLOT if mark.slot is None else mark.slot, step)
    return Slide(placed, passes, step - 1, step, question)


def _check_mistake_shows(trace: Trace) -> None:
    from app.lessons.checks import is_visible_mistake

    if not is_visible_mistake(trace.graph, trace.rules):
        raise EngineError("the mistake changes no gradient now")


def _pass_question_slide(placed: Placed, passes: Passes, trace: Trace) -> Slide:
    """Return the slide of a question that is asked before the pass and revealed at its end."""
    mark, graph = placed.mark, trace.graph
    assert mark.node is not None
    name = node_name(graph, mark.node)
    kind: Kind = mark.asks  # pyright: ignore[reportAssignmentType]
    leaf = NO_NODE if mark.leaf is None else mark.leaf
    question = Question(kind, mark.node, leaf=leaf, to=mark.to)
    if not is_askable(question, trace):
        reason = "is not computed" if kind == "change" else "gets no gradient"
        raise EngineError("{name} {reason} now", name=name, reason=reason)
    if kind == "paths" and path_count(graph, mark.node, trace.root) > LISTED_PATHS_LIMIT:
        raise EngineError(
            "more than {limit:,} paths lead from {name}", limit=LISTED_PATHS_LIMIT, name=name
        )
    if kind == "change":
        found = graph.nodes[leaf]
        if isinstance(found, Leaf) and found.value == mark.to:
            template = "{leaf} is {number} already"
            raise EngineError(template, leaf=node_name(graph, leaf), number=short(mark.to))
    return Slide(placed, passes, 0, len(trace), question)


# making marks


def mark_at(graph: Graph, phase: Phase, cursor: int, rules: Rules = CORRECT) -> Mark:
    """Return a mark that shows a place of a pass; EngineError if there is no such pass.

    After the last step it has no node: it stays at the end when an edit makes the pass longer.
    """
    mistake = "" if rules is CORRECT else rules.name
    if phase == "live":
        return Mark(mistake=mistake)
    trace = run_forward(graph) if phase == "forward" else run(graph, rules=rules)
    step = max(0, min(cursor, len(trace)))
    mark = Mark("show", phase, step, mistake=mistake)
    return mark if step in (0, len(trace)) else _anchored(mark, trace, step)


def mark_on(graph: Graph, part: int | Wire, rules: Rules = CORRECT) -> Mark:
    """Return a mark that shows the first use of a wire, or the gradient of a node complete.

    Raises EngineError if the pass does not use it.
    """
    trace = run(graph, rules=rules)
    node, slot = part if isinstance(part, tuple) else (part, None)
    name = anchor_name(graph, node, slot)
    mistake = "" if rules is CORRECT else rules.name
    step = 0 if slot is not None else len(trace)  # step_of finds the event nearest to it
    mark = Mark("show", "backward", step, node, slot, mistake=mistake, name=name)
    return replace(mark, step=step_of(mark, trace))


def _anchored(mark: Mark, trace: Trace, step: int) -> Mark:
    """Return a mark at a step of a pass, on the wire or node of the event there."""
    tick = trace.schedule.ticks[step - 1]
    node, slot = tick.wire or (tick.node, None)
    return replace(mark, step=step, node=node, slot=slot, name=anchor_name(trace.graph, node, slot))


def question_kinds(graph: Graph, mark: Mark) -> tuple[AskedKind, ...]:
    """Return the kinds of questions that the window offers at a mark; its own is always one.

    Only files ask for a change, which needs a leaf and its number, and for a count of paths.
    """
    found: list[AskedKind] = [] if mark.asks in ("", "text") else [mark.asks]
    passes = Passes(graph)
    for kind in ("value", *WIRE_KINDS, "final", "sign", "mistake"):
        if kind not in found:
            asking = _with_question(mark, passes, kind)
            if asking is not None and not _slide(Placed(0, asking), passes).misfit:
                found.append(kind)
    return (*found, "text")


_FIRST_LINE: Final = "Talk to your neighbour"
"""The line of a new black screen."""


def with_kind(
    mark: Mark, graph: Graph, kind: MarkKind, asks: AskedKind = "", node: int | None = None
) -> Mark:
    """Return a mark of another kind at its place, without fields of its former kind.

    `node` is the node that a final gradient or its sign is asked of, by default that of the mark,
    or the receiver of its step. Raises EngineError if the question can't be asked there. A question
    in own words, and a blank screen, get texts to begin with.
    """
    if kind == "blank":
        return replace(
            _without_question(mark), kind="blank", text=mark.text or mark.title or _FIRST_LINE
        )
    if kind == "show":
        return _without_question(mark)
    asking = _with_question(mark, Passes(graph), asks, node)
    if asking is None:
        raise EngineError("This can't be asked here.")
    return asking


def _without_question(mark: Mark) -> Mark:
    """Return a mark that shows its place, without fields of a question."""
    return replace(
        mark,
        kind="show",
        text="",
        asks="",
        leaf=None,
        to=0.0,
        choices=(),
        form="choices",
        reveals=True,
    )


def _with_question(
    mark: Mark, passes: Passes, asks: AskedKind, node: int | None = None
) -> Mark | None:
    """Return a mark with a question of a kind, or None if its place has none."""
    if asks == mark.asks and node is None:
        return mark
    form = "choices" if asks in CHOICES_ONLY else mark.form
    asking = replace(
        _without_question(mark), kind="ask", asks=asks, reveals=mark.reveals, form=form
    )
    if asks == "text":
        choices = mark.choices or (Choice("yes", right=True), Choice("no"))
        return replace(asking, text=mark.text or "Your question?", choices=choices)
    if asks == "mistake":
        shown = mark.mistake and mark.phase == "backward"
        return replace(asking, text=mark.text, choices=mark.choices) if shown else None
    return _with_pass_question(mark, passes, asking, node)


def _with_pass_question(mark: Mark, passes: Passes, asking: Mark, node: int | None) -> Mark | None:
    """Return a mark with a question about the pass; None if the mark is at no step with one."""
    if (mark.phase == "forward") != (asking.asks == "value"):
        return None
    (step, trace), graph = _step_and_trace(mark, passes), passes.graph
    if trace is None or (not step and node is None):
        return None
    if asking.asks == "value":
        return _anchored(asking, trace, step)
    if asking.asks in PASS_KINDS:
        asked = trace.schedule.receivers[step - 1] if node is None else node
        if mark.asks in PASS_KINDS and node is None:
            asked = mark.node
        assert asked is not None
        return replace(asking, step=step, node=asked, slot=None, name=node_name(graph, asked))
    event = trace.events[step - 1]
    if event.wire is None or not step_questions(trace, step, (asking.asks,)):  # pyright: ignore
        return None
    if asking.asks == "next":
        name = node_name(graph, event.sender)
        return replace(asking, step=step, node=event.sender, slot=None, name=name)
    return _anchored(asking, trace, step)


def _step_and_trace(mark: Mark, passes: Passes) -> tuple[int, Trace | None]:
    """Return the step at which a mark is now, and its pass; (0, None) without a pass or a step."""
    if mark.phase == "live":
        return 0, None
    try:
        check_anchor(mark, passes.graph)
        trace = passes.trace(mark)
        if mark.asks in PASS_KINDS:  # its step is where it was set
            return min(mark.step, len(trace)), trace
        return step_of(mark, trace), trace
    except EngineError:
        return 0, None


# titles


def title_of(mark: Mark, graph: Graph) -> str:
    """Return the title of a mark, or a short one for its place: "× (e) → a", "values"."""
    return mark.title.strip() or brief(mark.text or _place_title(mark, graph), TITLE_LIMIT)


_TITLES: Final = {
    "value": "value of {node}",
    "local": "slope of {wire}",
    "contribution": "{wire}",
    "sum": "sum after {wire}",
    "final": "final gradient of {node}",
    "next": "which fires next",
    "sign": "sign of {node}",
    "change": "change of {node}",
    "paths": "paths from {node}",
}
"""The titles of questions without one of their own."""


def _place_title(mark: Mark, graph: Graph) -> str:
    if mark.asks == "mistake":
        return "which mistake"
    node = mark.node
    if node is None:
        if mark.phase == "live":
            return "values"
        return f"end of the {mark.phase} pass" if mark.step else f"before the {mark.phase} pass"
    if node not in graph.nodes:
        return mark.name or str(node)
    name = graph.brief(node)
    wire = name if mark.slot is None else _wire_title(mark, node, mark.slot, graph)
    if mark.asks in _TITLES:
        return _TITLES[mark.asks].format(node=name, wire=wire)
    if mark.phase == "forward":
        return f"value of {name}"
    return wire if mark.slot is not None or mark.phase == "live" else f"gradient of {name}"


def _wire_title(mark: Mark, node: int, slot: int, graph: Graph) -> str:
    inputs = graph.inputs(node)
    source = inputs[slot] if slot < len(inputs) else None
    if source is None:
        return mark.name or anchor_name(graph, node, slot)
    return f"{name_with_op(graph, node, brief=True)} → {graph.brief(source)}"


# the step at which a mark is now

MOST_WORK: Final = 1_000_000
"""Most nodes and steps computed for all marks on one graph together: about a second, 200 MiB."""
_FRAMES_KEPT: Final = 32
"""Frames in the cache: a screen shows two or three of them at once, and needs each often."""

_Key = tuple[str, tuple[tuple[int, float], ...], str]
"""The phase of a pass, its values and its mistake."""


class Passes:
    """The passes over one graph, each run once for all its marks.

    Work is counted against MOST_WORK and results are kept: a mark that `outside` or `trace`
    accepted is never refused later. `after` is called for such marks only.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._outside: dict[_Key, Situation] = {}
        self._traces: dict[_Key, Trace | str] = {}
        """Each pass, or the reason why it can't be run."""
        self._frames: dict[tuple[_Key, int], Situation] = {}
        self._work = 0

    def outside(self, mark: Mark) -> Situation:
        """Return the situation outside of any pass, with the values and mistake of a mark.

        Raises EngineError once all marks take more than MOST_WORK.
        """
        key = ("live", mark.values, mark.mistake)
        if key not in self._outside:
            self._count(len(self.graph.nodes))
            found = situation_of(self.graph)
            if mark.values:
                found = with_values(found, dict(mark.values))
            self._outside[key] = with_rules(found, BY_NAME.get(mark.mistake, CORRECT))
        return self._outside[key]

    def trace(self, mark: Mark) -> Trace:
        """Return the pass of a mark; EngineError, with the reason, if it can't be run.

        The limit is MOST_STEPS for a mark that asks, EVENT_LIMIT for one that shows.
        """
        begun, key = self.outside(mark), _key(mark)
        if key not in self._traces:
            try:
                self._traces[key] = self._run(begun, mark.phase)
            except EngineError as error:
                self._traces[key] = str(error)
        found = self._traces[key]
        if isinstance(found, str):
            raise EngineError("{reason}", reason=found)
        if mark.asks and len(found) > MOST_STEPS:
            raise EngineError(_TOO_LONG, most=MOST_STEPS)
        return found

    def after(self, mark: Mark, cursor: int) -> Situation:
        """Return the situation after `cursor` steps of the pass of a mark."""
        frames, key = self._frames, (_key(mark), cursor)
        if key not in frames:
            if len(frames) == _FRAMES_KEPT:
                del frames[next(iter(frames))]
            trace = self.trace(mark)
            frame = frame_at(trace, cursor)
            frames[key] = replace(self.outside(mark), phase=trace.phase, cursor=cursor, frame=frame)
        return frames[key]

    def _run(self, begun: Situation, phase: Phase) -> Trace:
        graph, root = begun.graph, begun.graph.root
        if (problem := pass_obstacle(graph)) is not None:
            if root is None:
                raise EngineError("the graph has no root")
            raise EngineError(
                "{root} is not computed: a slot of {node} is empty",
                root=node_name(graph, root),
                node=node_name(graph, problem.node),
            )
        assert root is not None
        run_phase = "forward" if phase == "forward" else "backward"
        try:
            steps = len(schedule_of(graph, root, run_phase, begun.rules))
        except EngineError:  # a mistake that takes one step for each path
            steps = EVENT_LIMIT + 1
        if steps > EVENT_LIMIT:
            raise EngineError(_TOO_LONG, most=EVENT_LIMIT)
        self._count(steps)
        return run_forward(graph) if phase == "forward" else run(graph, rules=begun.rules)

    def _count(self, work: int) -> None:
        self._work += work
        if self._work > MOST_WORK:
            raise EngineError("the graph is too large for so many marks")


_TOO_LONG: Final = "the pass takes more than {most:,} steps"


def _key(mark: Mark) -> _Key:
    return (mark.phase, mark.values, mark.mistake)


def node_name(graph: Graph, node: int) -> str:
    """Return the name of a node, shortened."""
    return brief(graph.names.get(node, str(node)))


def anchor_name(graph: Graph, node: int, slot: int | None = None) -> str:
    """Return the name of a node or wire as a mark keeps it: `e` or `e.1`."""
    name = node_name(graph, node)
    return name if slot is None else wire_name_of(name, slot)


def wire_name_of(node: str, slot: int) -> str:
    """Return the name of the wire into a slot of a node."""
    return f"{node}.{slot + 1}"


def check_anchor(mark: Mark, graph: Graph) -> None:
    """Raise EngineError, with the reason, if a wire, node or leaf of a mark is gone."""
    node, slot = mark.node, mark.slot
    if node is not None and node not in graph.nodes:
        raise EngineError("node {name} is gone", name=_kept_name(mark))
    if node is not None and slot is not None:
        inputs = graph.inputs(node)
        if slot >= len(inputs) or inputs[slot] is None:
            raise EngineError("wire {name} is gone", name=anchor_name(graph, node, slot))
    if node is not None and isinstance(graph.nodes[node], Root):
        raise EngineError("a root is no place of a pass")
    for leaf in [n for n, _value in mark.values] + ([] if mark.leaf is None else [mark.leaf]):
        if leaf not in graph.nodes:
            raise EngineError("a leaf that it sets is gone")
        if not isinstance(graph.nodes[leaf], Leaf):
            raise EngineError("{name} is no leaf now", name=node_name(graph, leaf))


def _kept_name(mark: Mark) -> str:
    """Return the name of a node that is gone: as the mark keeps it, else its id."""
    name = mark.name if mark.slot is None else mark.name.rpartition(".")[0]
    return name or str(mark.node)


def step_of(mark: Mark, trace: Trace) -> int:
    """Return the step of a pass at which a mark is now, the nearest one where there are several.

    Raises EngineError, with the reason, if there is none. A mark without a node is at the beginning
    or the end.
    """
    if mark.node is None:
        return len(trace) if mark.step else 0
    steps = _matching_steps(mark, trace)
    if not steps:
        raise EngineError("{reason}", reason=_missing_step_reason(mark, mark.node, trace))
    return min(steps, key=lambda step: abs(step - mark.step))


def _matching_steps(mark: Mark, trace: Trace) -> Sequence[int]:
    """Return the steps with the event of a mark, and with its question if that is about a step."""
    node, schedule = mark.node, trace.schedule
    assert node is not None
    if mark.asks == "next":
        found = [k for k, actor in enumerate(schedule.actors, 1) if actor == node]
        found = [k for k in found if step_questions(trace, k, ("next",))]
        return [k for k in found if click_slip(trace, k, node) is None]
    found = schedule.steps_of.get(node if mark.slot is None else (node, mark.slot), [])
    if mark.asks in WIRE_KINDS:
        return [k for k in found if step_questions(trace, k, (mark.asks,))]
    return found


def _missing_step_reason(mark: Mark, node: int, trace: Trace) -> str:
    """Return why a pass has no step for a mark whose wire and nodes are there."""
    graph, plan = trace.graph, trace.graph.plan(trace.root)
    name = node_name(graph, node)
    if mark.phase == "forward":
        if not isinstance(graph.nodes[node], OpNode):
            return f"{name} is given now, not computed"
        return f"{name} is not on the way to {node_name(graph, trace.root)} now"
    if node not in plan.with_gradient:
        return f"{name} gets no gradient now"
    if mark.asks == "next":
        return _not_next_reason(node, trace)
    if mark.slot is None:
        return f"nothing is passed to {name} now"
    source = graph.source((node, mark.slot))
    assert source is not None  # check_anchor has refused an empty slot
    if source not in plan.with_gradient:
        return f"{node_name(graph, source)} gets no gradient now"
    wire = wire_name(graph, (node, mark.slot))
    if mark.asks == "sum" and (node, mark.slot) in trace.schedule.wires:
        return f"the sum after {wire} is the contribution itself now"
    return f"nothing is passed along {wire} now"


def _not_next_reason(node: int, trace: Trace) -> str:
    """Return why it can't be asked of a node whether it fires next."""
    name = node_name(trace.graph, node)
    if trace.rules is not CORRECT and node in trace.schedule.actors:
        return f"{name} fires before it may under this mistake"
    return f"{name} does not fire after another node now"
