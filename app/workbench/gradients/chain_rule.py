"""The chain rule of a node, through the border of a group, and along each path to the root.

`derivation` collects the contributions of a node; `question`, `formula`, `numbers` and `total`
write them. ∂ is used only for gradients that are complete and correct; any other number is called
the node's `grad`. With a mistake in the rules, the correct sum comes first, then the sum that was
computed.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from app.controls.spans import Span, Spans, filled, number_span
from app.document.boxes import all_members, members_of
from app.document.sheet import Group
from app.style.derivative_notation import Notation
from app.workbench.gradients.comparison import Comparison, compare, same
from app.workbench.gradients.formulas import (
    FRACTION_NAME_LIMIT,
    bracketed,
    grad_name,
    gradient_fraction,
    gradient_text,
    local_fraction,
    notation_without_grad,
)
from engine.asking.paths import COUNT_LIMIT, Path, path_count, paths
from engine.frame import Frame, Secret
from engine.graph import Constant, Graph, Root, Wire
from engine.numbers import DIGITS_SHOWN, NO_PATH, NOT_COMPUTED, Digits, counted, short, signed
from engine.problems import pass_obstacle
from engine.trace import Event, run

SumState = Literal["sum", "root", "constant", "pathless", "fixed", "rootless"]
"""`sum`: contributions are summed. Otherwise the reason why not:

root       the node is the root, whose gradient is the seed
constant   constants have no gradient
fixed      the node depends on constants alone
pathless   no path leads from the node to the root
rootless   there is no root, or nothing is plugged into it
"""


class Term(Struct, frozen=True):
    """One summand of a gradient: its wire, and its event once it has arrived."""

    wire: Wire
    event_index: int
    """Index of the event in its trace, also before it has arrived; -1 outside a pass."""
    event: Event | None
    now: bool = False
    """Whether the contribution arrived with the last step."""

    @property
    def step(self) -> int:
        """Return the cursor right after its arrival."""
        return self.event_index + 1


class Derivation(Struct, frozen=True):
    """The contributions behind a node's gradient, as far as the frame knows."""

    frame: Frame
    node: int
    state: SumState
    terms: tuple[Term, ...] = ()
    start: float = 0.0
    """The gradient before the first term, 0 unless an earlier pass left one over."""
    sweep: int = 1
    """The run of the pass whose terms these are: 2 in the second one of a mistake."""
    comparison: Comparison | None = None
    """The correct pass, if the rules have a mistake."""

    @property
    def arrived(self) -> tuple[Term, ...]:
        """Return the terms that have arrived."""
        return tuple(term for term in self.terms if term.event is not None)

    @property
    def waiting(self) -> int:
        """Return the number of terms that have not yet arrived."""
        return len(self.terms) - len(self.arrived)

    def overwritten(self, terms: Sequence[Term]) -> int:
        """Return how many of the first of some terms a later one replaces by =.

        It is 0 if that is the start alone, and -1 if not even that.
        """
        trace = self.frame.trace
        return -1 if trace is None else trace.rules.last_replacing(term.wire for term in terms)

    @property
    def is_asked(self) -> bool:
        """Return whether its sum is asked for, so that nothing may show that it is one."""
        return self.frame.asked_sum == self.node

    @property
    def gradient(self) -> float | None:
        """Return the current partial sum, or None before the first contribution."""
        return self.frame.grads.get(self.node)

    @property
    def root(self) -> int | None:
        """Return the node whose gradients are wanted."""
        trace = self.frame.trace
        return self.frame.graph.root if trace is None else trace.root

    @property
    def last(self) -> Event | None:
        """Return the last event that arrived, or None."""
        return self.arrived[-1].event if self.arrived else None

    @property
    def wires(self) -> tuple[Wire, ...]:
        """Return the wires of the chain rule, each once, in the firing order of this pass.

        Wires that a mistake leaves out come last, so that symbols and numbers have the same order.
        """
        root, fired = self.root, dict.fromkeys(term.wire for term in self.terms)
        if self.comparison is None or root is None:
            return tuple(fired)
        correct = [term.wire for term in _expected_terms(self.frame.graph, root, self.node)]
        return (*(w for w in fired if w in correct), *(w for w in correct if w not in fired))

    @property
    def complete(self) -> bool:
        """Return whether no later step of this sweep contributes; without terms, at the end."""
        # a node without terms has no gradient before the end of the pass, where it is 0
        return self.gradient is not None and not self.waiting

    @property
    def is_derivative(self) -> bool:
        """Return whether the node's gradient is the derivative: complete and correct."""
        known = self.gradient is not None if self.state == "root" else self.complete
        is_correct = self.comparison is None or self.comparison.holds_derivative(
            self.frame, self.node
        )
        return known and is_correct and not self.start

    @property
    def follows_chain_rule(self) -> bool:
        """Return whether each wire so far contributed once and correctly, and nothing else did."""
        if self.comparison is None:
            return not self.start
        wires = [term.wire for term in self.arrived]
        none_missing = not self.complete or len(wires) == len(self.wires)
        return (
            none_missing
            and not self.start
            and len(set(wires)) == len(wires)
            and all(
                term.event is not None and self.comparison.sends_rightly(term.event)
                for term in self.arrived
            )
        )

    def hue(self, term: Term) -> int:
        """Return the index of a term's wire among its siblings, for hue and mark; -1 if alone."""
        wires = sorted({sibling.wire for sibling in self.terms})
        return wires.index(term.wire) if len(wires) > 1 else -1


def derivation(frame: Frame, node: int, comparison: Comparison | None = None) -> Derivation:
    """Return the sum over the wires that leave a node; for a Root marker, that of its input.

    `comparison` is the correct pass to compare one with a mistake to; it is run here unless given.
    """
    graph = frame.graph
    graph_node = graph.nodes[node]
    if isinstance(graph_node, Root) and graph_node.input is not None:
        return derivation(frame, graph_node.input, comparison)
    root = frame.trace.root if frame.trace is not None else graph.root
    if root is None or isinstance(graph_node, Root):
        return Derivation(frame, node, "rootless")
    if comparison is None and frame.trace is not None:
        comparison = compare(frame.trace)
    plan = graph.plan(root)
    if node == root:
        return Derivation(frame, node, "root", comparison=comparison)
    if isinstance(graph_node, Constant):
        return Derivation(frame, node, "constant")
    if node not in plan.with_gradient:
        return Derivation(frame, node, "fixed" if node in plan.order else "pathless")
    if frame.phase != "backward" or frame.trace is None:
        return Derivation(frame, node, "sum", _expected_terms(graph, root, node))
    ledger = frame.sum_of(node)
    terms = tuple(
        Term(chip.wire, chip.index, chip.event, now=chip.index == frame.cursor - 1)
        for chip in ledger.chips
    )
    return Derivation(frame, node, "sum", terms, ledger.start, frame.sweep, comparison)


def partial_sum_text(frame: Frame, node: int) -> str:
    """Return `so far, 1 of 3` for a partial sum, "" for a complete gradient or one asked for."""
    if frame.asked_sum == node:
        return ""
    chips = frame.sum_of(node).chips if node in frame.grads else ()
    arrived = sum(chip.event is not None for chip in chips)
    return f"so far, {arrived} of {len(chips)}" if arrived < len(chips) else ""


def _expected_terms(graph: Graph, root: int, node: int) -> tuple[Term, ...]:
    """Return the terms that a correct backward pass would have, in firing order."""
    turns = graph.plan(root).turns
    wires = [wire for wire in graph.outgoing[node] if wire[0] in turns]
    in_firing_order = sorted(wires, key=lambda wire: (turns[wire[0]], wire[1]))
    return tuple(Term(wire, event_index=-1, event=None) for wire in in_firing_order)


_MAX_TERMS = 4
"""Maximum number of terms written out in a formula; further ones are counted."""


def question(
    derivation: Derivation, digits: Digits = DIGITS_SHOWN, notation: Notation = "partial"
) -> Spans:
    """Return the heading, such as `Why is ∂L/∂a = 4?`, or why the node has no gradient."""
    graph, root = derivation.frame.graph, derivation.root
    if isinstance(graph.nodes[derivation.node], Root):
        return filled("Nothing is plugged into this root yet")
    if root is None:
        return filled("No root for {node} yet", node=graph.brief(derivation.node))
    name = grad_name(graph, derivation.node, FRACTION_NAME_LIMIT)
    fraction = _fraction(graph, root, derivation.node, "text", notation)
    if derivation.state == "pathless":
        leaf = graph.brief(derivation.node)
        return filled("Why does no gradient reach {leaf} ({no_path})?", leaf=leaf, no_path=NO_PATH)
    if derivation.state in ("constant", "fixed"):
        return filled("Why is there no {fraction}?", fraction=fraction)
    if derivation.gradient is None or derivation.is_asked:
        return filled("What is {fraction}?", fraction=fraction)
    value = replace(_gradient(derivation.gradient, digits), bold=False)
    if derivation.is_derivative:
        return filled("Why is {fraction} = {value}?", fraction=fraction, value=value)
    if derivation.waiting:
        partial_sum = partial_sum_text(derivation.frame, derivation.node)
        return filled(
            "Why is {name} = {value} {partial_sum}?",
            name=name,
            value=value,
            partial_sum=partial_sum,
        )
    role = "gradient" if derivation.comparison is None else "error"
    return filled("Why is {name} = {value}?", name=name, value=replace(value, role=role))


def formula(derivation: Derivation, notation: Notation = "partial") -> Spans:
    """Return the correct sum in symbols: upstream gradient times local derivative per wire."""
    graph, root = derivation.frame.graph, derivation.root
    wires = derivation.wires
    if derivation.comparison is not None:  # under a mistake a.grad names the computed number
        notation = notation_without_grad(notation)
    if derivation.state != "sum" or root is None or not wires or derivation.is_asked:
        return ()
    spans = [_fraction(graph, root, derivation.node, "text", notation), Span(" = ")]
    for k, wire in enumerate(wires[:_MAX_TERMS]):
        over, under = local_fraction(graph, wire, notation)
        spans += [
            Span(" +\u00a0" if k else ""),
            _fraction(graph, root, wire[0], "gradient", notation),
            Span("\u00a0·\u00a0"),
            Span(over, "local", under=under),
        ]
    spans.extend(_more(len(wires)))
    return tuple(span for span in spans if span.text)


def numbers(derivation: Derivation, digits: Digits = DIGITS_SHOWN) -> Spans:
    """Return the sum in numbers, of the contributions that have arrived.

    If a mistake sent others than the chain rule says, or an earlier pass left a gradient, the
    correct sum comes first, then, after ≠, the sum that was sent.
    """
    is_known = derivation.arrived or derivation.complete
    if derivation.state != "sum" or not is_known or derivation.is_asked:
        return ()
    events = [term.event for term in derivation.arrived if term.event is not None]
    if derivation.waiting:
        return filled(
            "= {sum}{more}" if derivation.follows_chain_rule else "sent so far: {sum}{more}",
            sum=(*_left_over(derivation, digits), *_products(events, digits)),
            more=Span(" + ···", "secondary"),
        )
    gradient = derivation.gradient
    assert gradient is not None
    computed = derivation.start + sum(event.contribution for event in events)
    rule = events
    if derivation.comparison is not None:
        correct = derivation.comparison.correct
        rule = [correct[wire] for wire in derivation.wires if wire in correct]
    correct_gradient = sum(event.contribution for event in rule)  # without what was there before
    digits = distinguishing_digits(correct_gradient, gradient, rule + events, digits)
    if derivation.follows_chain_rule:
        return (Span("= "), *_products(events, digits), *_result(computed, gradient, digits))
    spans = (
        Span("= "),
        *_products(rule, digits),
        *_result(correct_gradient, correct_gradient, digits),
    )
    if not events:
        return (*spans, *_result(correct_gradient, gradient, digits))
    sent = (*_left_over(derivation, digits), *_products(events, digits))
    end = _result(computed, gradient, digits)
    return (*spans, _relation(correct_gradient, computed, rule + events, "\n"), *sent, *end)


def distinguishing_digits(a: float, b: float, events: Sequence[Event], digits: Digits) -> Digits:
    """Return `digits`, or "shortest" if that many might not show two sums of events to differ."""
    magnitudes = _magnitudes(events)
    if a == b or digits == "shortest" or not math.isfinite(a - b):
        return digits
    # upper bound: every number shown may be off by a last digit of the largest one
    largest = max(abs(a), abs(b), *magnitudes, 0.0)
    rounding_error = 2 * len(magnitudes) * largest * 10.0 ** (1 - digits)
    return "shortest" if abs(a - b) <= rounding_error else digits


def _magnitudes(events: Sequence[Event]) -> list[float]:
    """Return the absolute values of the finite contributions."""
    return [abs(event.contribution) for event in events if math.isfinite(event.contribution)]


def _result(computed: float, gradient: float, digits: Digits) -> Spans:
    """Return ` = 4` for the end of a sum, or ` ≠ 1` if the node holds another gradient."""
    return (_relation(computed, gradient), _gradient(gradient, digits))


def _relation(a: float, b: float, events: Sequence[Event] = (), space: str = " ") -> Span:
    """Return `=`, or a red `≠` if the sums differ by more than the rounding of their events."""
    agree = same(a, b, max(_magnitudes(events), default=0.0))
    return Span(f"{space}= ") if agree else Span(f"{space}≠ ", "error", bold=True)


def _left_over(derivation: Derivation, digits: Digits) -> Spans:
    """Return `25 left over + ` for the gradient of an earlier pass, or ()."""
    if not derivation.start:
        return ()
    return (Span(f"{short(derivation.start, digits)} left over"), Span(" +\u00a0"))


def _products(events: Sequence[Event], digits: Digits) -> Spans:
    """Return the first products of a sum, and the number of others."""
    spans: list[Span] = []
    for k, event in enumerate(events[:_MAX_TERMS]):
        spans += [Span(" +\u00a0" if k else ""), *product(event, digits)]
    spans.extend(_more(len(events)))
    return tuple(span for span in spans if span.text)


def _more(count: int) -> Spans:
    hidden = count - _MAX_TERMS
    return (Span(f" + {hidden} more", "secondary"),) if hidden > 0 else ()


def product(event: Event, digits: Digits = DIGITS_SHOWN, dot: str = "\u00a0·\u00a0") -> Spans:
    """Return `(−2) · (−3)`, in the colours of upstream gradient and local derivative."""
    return (
        number_span(event.upstream, "gradient", bracketed(short(event.upstream, digits))),
        Span(dot),
        number_span(event.local, "local", bracketed(short(event.local, digits))),
    )


def total(
    derivation: Derivation, digits: Digits = DIGITS_SHOWN, max_terms: int = _MAX_TERMS + 2
) -> Spans:
    """Return the sum line: `0 − 2 + 6 = 4`; what a later term overwrites by = is struck.

    The last `max_terms` contributions are written out, earlier ones as one partial sum. Two more
    than in a formula fit, as each is one number.
    """
    arrived = [term.event for term in derivation.arrived if term.event is not None]
    shown = arrived[-max_terms:]
    hidden = arrived[: -len(shown)] if shown else []
    last = derivation.overwritten(derivation.arrived)
    start = short(derivation.start, digits)
    if hidden:
        start = f"… {short(hidden[-1].after, digits)}"
    elif derivation.start:
        start = f"{start} left over"
    spans = [Span(start, strike=last >= len(hidden))]
    for k, event in enumerate(shown, len(hidden)):
        text = f" {summand(event.contribution, digits)}"
        overwritten = k < last
        spans.append(Span(text, "error" if overwritten else "text", strike=overwritten))
    if derivation.gradient is not None:
        spans += [Span(" = "), _gradient(derivation.gradient, digits)]
    return tuple(spans)


def summand(contribution: float, digits: Digits = DIGITS_SHOWN) -> str:
    """Return a contribution as a summand with its sign apart: `+ 6`, `− 2`, `+ ≈ 0.1`."""
    text = signed(contribution, digits)
    approximately = "≈ " if text.startswith("≈") else ""
    number = text.removeprefix("≈ ")
    sign, magnitude = (number[0], number[1:]) if number[:1] in ("+", "−") else ("+", number)
    return f"{sign} {approximately}{magnitude}"


def _gradient(x: float, digits: Digits) -> Span:
    return number_span(x, "gradient", short(x, digits))


def _fraction(graph: Graph, of: int, by: int, role: str, notation: Notation) -> Span:
    over, under = gradient_fraction(graph, of, by, notation)
    return Span(over, role, under=under)


class GroupFlow(Struct, frozen=True):
    """A group in a frame: `outputs` feed nodes outside, `inputs` are outside nodes that feed it."""

    frame: Frame
    title: str
    members: frozenset[int]
    outputs: tuple[int, ...]
    inputs: Mapping[int, tuple[Wire, ...]]

    @property
    def inner(self) -> tuple[int, ...]:
        """Return the members that feed only members, without the Constants among them."""
        nodes = self.frame.graph.nodes
        hidden = self.members.difference(self.outputs)
        return tuple(n for n in sorted(hidden) if not isinstance(nodes[n], Constant))

    def gradient(self, node: int, digits: Digits = DIGITS_SHOWN) -> tuple[str, Spans]:
        """Return a row: the gradient of a node, as far as it is known."""
        graph, grad = self.frame.graph, self.frame.grads.get(node)
        name = grad_name(graph, node, _NAME_LIMIT)
        if grad is None:
            return name, (Span(NOT_COMPUTED, "secondary"),)
        return name, (Span(short(grad, digits), "gradient", bold=True),)

    def sent_to(self, source: int, digits: Digits = DIGITS_SHOWN) -> tuple[str, Spans]:
        """Return a row: the sum of contributions that the group sends to one of its inputs."""
        fired = self.frame.fired
        sent = [fired[w].contribution for w in self.inputs[source] if w in fired]
        name = f"to {self.frame.graph.brief(source, _NAME_LIMIT)}"
        if not sent:
            return name, (Span(NOT_COMPUTED, "secondary"),)
        head = signed(sent[0], digits)
        more = " ".join(summand(x, digits) for x in sent[1:])
        ellipsis = Span(" + ···" if len(sent) < len(self.inputs[source]) else "", "secondary")
        if not more:
            return name, (Span(head, "gradient", bold=True), ellipsis)
        if len(sent) > _SUMMAND_LIMIT:
            head, more = f"{len(sent)} contributions", ""
        total = Span(signed(sum(sent), digits), "gradient", bold=True)
        return name, (Span(f"{head} {more}".strip()), ellipsis, Span(" = "), total)


_SUMMAND_LIMIT = 3
"""Summands written out in one row; more are counted."""
_NAME_LIMIT = 16
"""Characters of a name in one row."""


def selected_group(groups: Mapping[int, Group], nodes: Collection[int]) -> int | None:
    """Return the outermost group whose members are exactly these nodes, or None."""
    selected = frozenset(nodes)
    found = [n for n, members in all_members(groups).items() if selected and members == selected]
    return next((n for n in found if groups[n].parent not in found), None)


def group_flow(frame: Frame, groups: Mapping[int, Group], group: int) -> GroupFlow:
    """Return the gradients that enter and leave a group, by the wires that carry one."""
    graph = frame.graph
    members = members_of(groups, group) & graph.nodes.keys()
    root = graph.root if frame.trace is None else frame.trace.root
    plan = None if root is None else graph.plan(root)
    inputs: dict[int, list[Wire]] = {}
    for target in sorted(members):
        for slot, source in enumerate(graph.inputs(target)):
            if source is None or source in members:
                continue
            if plan is not None and source in plan.with_gradient and target in plan.with_gradient:
                inputs.setdefault(source, []).append((target, slot))
    return GroupFlow(
        frame,
        groups[group].title,
        members,
        tuple(n for n in sorted(members) if n == root or _feeds_outside(frame, n, members)),
        {source: tuple(wires) for source, wires in inputs.items()},
    )


def _feeds_outside(frame: Frame, node: int, members: frozenset[int]) -> bool:
    return any(target not in members for target, _slot in frame.graph.outgoing[node])


_PATH_LIMIT = 100
"""Paths that are listed; their number grows exponentially with the depth of a graph."""
_FACTOR_LIMIT = 12
"""Factors written out in one row of the panel."""
_STILL_HIDDEN: Final = "The paths are shown once no number is hidden."
_WHY_NO_PATHS: Final[Mapping[Secret | None, str]] = {
    "step": "The paths are shown after you have answered.",
    "later": _STILL_HIDDEN,
    "order": _STILL_HIDDEN,
}
"""The sentence in place of the paths, whose products would give hidden numbers away."""


class PathRow(Struct, frozen=True):
    """One path: its nodes, its factors, their product, and its wires, to be lit."""

    nodes: str
    factors: str
    result: str
    wires: tuple[Wire, ...]

    @property
    def product(self) -> str:
        """Return the factors and their product as one equation."""
        return self.factors if self.factors == self.result else f"{self.factors} = {self.result}"


class PathTable(Struct, frozen=True):
    """The paths of one node, and a remark on their number and sum."""

    rows: tuple[PathRow, ...]
    remark: Spans


def path_table(
    frame: Frame, node: int | None, digits: Digits = DIGITS_SHOWN, notation: Notation = "partial"
) -> PathTable:
    """Return the paths of a node to the active root; none while numbers are hidden."""
    graph = frame.graph
    if node is None or isinstance(graph.nodes[node], Root):
        return PathTable((), filled("Select a node to see its paths to the root."))
    if frame.hides in _WHY_NO_PATHS:
        return PathTable((), filled(_WHY_NO_PATHS[frame.hides]))
    if pass_obstacle(graph) is not None or graph.root is None:
        return PathTable((), filled("The paths are shown once a backward pass can run."))
    name, root = graph.brief(node), graph.brief(graph.root)
    if node == graph.root:
        return PathTable((), filled("{root} is the root: its gradient is 1.", root=root))
    found = paths(graph, node, limit=_PATH_LIMIT)
    if not found:
        return PathTable((), filled("No path leads from {name} to {root}.", name=name, root=root))
    rows = tuple(_row(graph.brief(node), frame, path, digits) for path in found)
    return PathTable(rows, _remark(frame, node, found, digits, notation))


def _row(name: str, frame: Frame, path: Path, digits: Digits) -> PathRow:
    names = [name, *(frame.graph.brief(node) for node in path.nodes)]
    factors = [bracketed(short(slope, digits)) for slope in path.factors[:_FACTOR_LIMIT]]
    if len(path.factors) > _FACTOR_LIMIT:
        factors.append("…")
    return PathRow(" → ".join(names), " · ".join(factors), short(path.product, digits), path.wires)


def _remark(
    frame: Frame, node: int, found: list[Path], digits: Digits, notation: Notation
) -> Spans:
    graph = frame.graph
    assert graph.root is not None
    number, trace = path_count(graph, node), run(graph)
    wires = sum(event.kind == "contribution" for event in trace.events)
    total = sum(path.product for path in found)
    fields: dict[str, Span | str] = {
        "name": graph.brief(node),
        "root": graph.brief(graph.root),
        "gradient": Span(gradient_text(graph, graph.root, node, notation), "gradient"),
        "total": Span(short(total, digits), "gradient", bold=True),
        "wires": counted(wires, "{count} wire", "{count:,} wires"),
    }
    if number == 1:
        return filled(
            "One path leads from {name} to {root}: its product is {gradient} = {total}."
            " Backward visits {wires}, each once, for all nodes.",
            **fields,
        )
    if number <= len(found):
        return filled(
            "{count} paths lead from {name} to {root}; their products add up to"
            " {gradient} = {total}. Backward visits {wires}, each once, for all nodes.",
            count=f"{number:,}",
            **fields,
        )
    many = "More than 10³⁰" if number >= COUNT_LIMIT else f"{number:,}"
    return filled(
        "{many} paths lead from {name} to {root}; the first {listed} are listed. Backward visits"
        " {wires}, each once, and needs none of them.",
        many=many,
        listed=f"{len(found):,}",
        **fields,
    )
