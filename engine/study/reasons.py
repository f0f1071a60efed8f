"""Reasons: what answers a wrong belief, for steps through + and × and for sums of contributions.

All evidence is one experiment: raise the inputs along some wires, and watch a node. A sentence is
built from such claims, two forward runs each, so it can be checked without reading English.

>>> from engine import from_expression
>>> from engine.study.slips import BY_NAME
>>> from engine.trace import run
>>> trace = run(from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2}))
>>> sent = Question("contribution", 3, 0, 6)  # what e sends to a
>>> reason_for(BY_NAME["upstream forgotten"], -3.0, sent, trace).first.text
'−3 is how far e moves for 1 of a on this wire. How far does L move when e moves by −3?'
>>> experiment(sent, trace).text
'a +0.01 over e alone: e −0.03, and L +0.06. How much of L is that for 1 of a?'
>>> because(sent, trace).text
'1 more of a is one more b in a × b: −3; and each 1 of e is −2 of L: −2 × (−3) = +6.'

A slip has a reason only where each of its claims holds: not under a mistake, at a kink, for a node
that fills both slots of an operation, or where a change of 0.01 or of 1 shows another ratio than
the gradient. There `engine.study.grading` says the rule.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Final

from msgspec import Struct

from engine.graph import Constant, Graph, OpNode, Wire
from engine.numbers import DIGITS_SHOWN, Digits, short, signed
from engine.problems import arguments
from engine.rules import CORRECT
from engine.study.nudge import USUAL_CHANGE, difference
from engine.study.question import Question, facts
from engine.study.slips import Slip
from engine.trace import Trace

FIRST_LIMIT, WORKED_LIMIT = 100, 140
"""Characters of a first or second sentence, and of a worked one; a longer one is not said."""
_NAME_LENGTH: Final = 16
_OPERATIONS: Final = ("add", "mul")


class Claim(Struct, frozen=True):
    """What is said to happen to `watched` when the inputs along `wires` are raised by `change`.

    `effect` is its change, for a `change` of 0 the rate, in the limit; without wires its value.
    """

    wires: tuple[Wire, ...]
    watched: int
    change: float
    effect: float


class Said(Struct, frozen=True):
    """A sentence: its text, and each claim with the text of its effect in the sentence.

    `question` is the question at its end, `asked` the number that answers that, nan where none
    does. `marks` are the changes of the experiment at nodes of the sheet; more than one, where the
    learner is to add them.
    """

    text: str
    claims: tuple[tuple[Claim, str], ...] = ()
    asked: float = math.nan
    marks: tuple[tuple[int, tuple[float, ...]], ...] = ()
    question: str = ""


class Reason(Struct, frozen=True):
    """The answer to a belief: a fact with a question, and the praise once it is mended."""

    first: Said
    praise: Said


def raised(trace: Trace, wires: Iterable[Wire], change: float) -> dict[int, float]:
    """Return the values of all nodes with the inputs along wires raised."""
    along, values = frozenset(wires), dict(trace.values)
    changed = {target for target, _slot in along}
    for node, forward, inputs in trace.graph.structure.computable:
        if node in changed or not changed.isdisjoint(inputs):
            given = enumerate(values[source] for source in inputs)
            values[node] = forward(*[x + change if (node, k) in along else x for k, x in given])
            changed.add(node)
    return values


def rewired(trace: Trace, wires: Iterable[Wire], watched: int, change: float) -> float:
    """Return by how much a node changes when the inputs along wires are raised."""
    return difference(raised(trace, wires, change)[watched], trace.values[watched])


class Spot:
    """What stands around the blank of one wire of a pass, and what moves when its input does."""

    def __init__(self, question: Question, trace: Trace, digits: Digits) -> None:
        assert question.wire is not None
        self.question, self.trace = question, trace
        self.digits: Digits = digits
        self.at = facts(question, trace)
        self.wire, self.node, self.receiver = question.wire, question.node, self.at.receiver
        self.root = trace.root
        self.claims: list[tuple[Claim, str]] = []

    # names

    @property
    def graph(self) -> Graph:
        """The graph of the pass."""
        return self.trace.graph

    @cached_property
    def n(self) -> str:
        """The name of the node that fires."""
        return self._name(self.node)

    @cached_property
    def r(self) -> str:
        """The name of the receiver."""
        return self._name(self.receiver)

    @cached_property
    def big(self) -> str:
        """The name of the root."""
        return self._name(self.root)

    @cached_property
    def other(self) -> int | None:
        """The node in the other slot of the operation."""
        return self.graph.source((self.node, 1 - self.question.slot))

    @cached_property
    def o(self) -> str:
        """The name of the other input; of a constant without a label its number."""
        assert self.other is not None
        return input_name(self.graph, self.other, self.digits)

    @cached_property
    def f(self) -> str:
        """The formula of the node that fires: `a × b`."""
        return formula(self.graph, self.node, self.digits)

    @property
    def stays(self) -> str:
        """The clause ` and b stays`; "" beside a constant, which always does."""
        assert self.other is not None
        is_constant = isinstance(self.graph.nodes[self.other], Constant)
        return "" if is_constant else f" and {self.o} stays"

    @property
    def on_wire(self) -> str:
        """The clause that only one of the receiver's wires is meant; "" if it has one."""
        return " on this wire" if len(self.wires) > 1 else ""

    @property
    def alone(self) -> str:
        """The clause that the receiver moves along one of its wires only."""
        return f" over {self.n} alone" if len(self.wires) > 1 else ""

    def _name(self, node: int) -> str:
        return self.graph.brief(node, _NAME_LENGTH)

    # wires

    @cached_property
    def wires(self) -> tuple[Wire, ...]:
        """The wires on which the receiver moves the root."""
        return self.out_of(self.receiver)

    def out_of(self, node: int) -> tuple[Wire, ...]:
        """Return the wires from a node towards the root."""
        on_the_way = self.trace.graph.plan(self.root).order
        return tuple(
            wire
            for wire in self.graph.outgoing[node]
            if wire[0] in on_the_way and isinstance(self.graph.nodes[wire[0]], OpNode)
        )

    @cached_property
    def earlier(self) -> tuple[Wire, ...]:
        """The wires that have brought the receiver a contribution before this step."""
        steps = self.trace.schedule.arrivals.get(self.receiver, ())
        events = (self.trace.events[k] for k in steps if k < self.question.step - 1)
        return tuple((event.sender, event.slot) for event in events)

    @cached_property
    def over(self) -> str:
        """The names of the nodes over which the earlier contributions came."""
        return " and ".join(dict.fromkeys(self._name(target) for target, _slot in self.earlier))

    @property
    def so_far(self) -> str:
        """The clause that a wire is still to bring its share; "" if this is the last."""
        return "" if len(self.earlier) + 1 == len(self.wires) else " so far"

    @cached_property
    def is_plain(self) -> bool:
        """Whether experiments speak for this step.

        They do in a correct pass, through + or ×, where the receiver fills one slot, all numbers
        are finite, and nothing on the way to the root has a kink here.
        """
        trace, graph, at = self.trace, self.graph, self.at
        if trace.rules is not CORRECT or at.op.name not in _OPERATIONS or self.other is None:
            return False
        targets = [target for target, _slot in (*self.earlier, self.wire)]
        numbers = (*at.inputs, at.value, at.upstream, at.local, at.contribution, at.after)
        return (
            self.other != self.receiver
            and len(set(targets)) == len(targets)
            and all(map(math.isfinite, numbers))
            and not any(
                graph.op(node).kink(*arguments(graph, node, trace.values))
                for node in graph.plan(self.root).order
                if isinstance(graph.nodes[node], OpNode)
            )
        )

    @property
    def at_root(self) -> bool:
        """Whether the node that fires is the root, whose gradient is 1."""
        return self.node == self.root

    # claims

    def same(self, x: float, y: float) -> bool:
        """Return whether two numbers are displayed alike."""
        return short(x, self.digits) == short(y, self.digits)

    def effect(self, wires: Iterable[Wire], watched: int, change: float) -> float:
        """Return by how much a node changes when the inputs along wires are raised."""
        return rewired(self.trace, wires, watched, change)

    def shows(self, wires: Iterable[Wire], watched: int, change: float, rate: float) -> bool:
        """Return whether an experiment displays a rate."""
        return self.same(self.effect(tuple(wires), watched, change) / change, rate)

    @cached_property
    def steady(self) -> bool:
        """Whether a whole 1 along the wire, and of the node, moves the root by its gradient."""
        at, out = self.at, self.out_of(self.node)
        upstream = self.at_root or self.shows(out, self.root, 1.0, at.upstream)
        return upstream and self.shows((self.wire,), self.root, 1.0, at.contribution)

    def rate(
        self, wires: tuple[Wire, ...], watched: int, text: str, number: float, change: float = 0.0
    ) -> str:
        """Return the text of a rate, and note its claim: for a whole 1, or in the limit."""
        self.claims.append((Claim(wires, watched, change, number), text))
        return text

    def local(self, text: str = "") -> str:
        """Return the local derivative: how far the node moves for 1 of the receiver."""
        number = self.at.local
        return self.rate((self.wire,), self.node, text or short(number, self.digits), number, 1.0)

    def upstream(self, text: str = "") -> str:
        """Return the upstream gradient: how far the root moves for 1 of the node."""
        number, text = self.at.upstream, text or short(self.at.upstream, self.digits)
        return self.rate(self.out_of(self.node), self.root, text, number, float(self.steady))

    def share(self, text: str = "") -> str:
        """Return the contribution: how far the root moves for 1 of the receiver on this wire."""
        number = self.at.contribution
        text = text or short(number, self.digits)
        return self.rate((self.wire,), self.root, text, number, float(self.steady))

    def before(self, text: str = "") -> str:
        """Return how far the root moves for 1 of the receiver on the earlier wires."""
        number, text = self.at.before, text or short(self.at.before, self.digits)
        return self.rate(self.earlier, self.root, text, number)

    def after(self, text: str = "") -> str:
        """Return how far the root moves for 1 of the receiver on this and the earlier wires."""
        number, text = self.at.after, text or short(self.at.after, self.digits)
        return self.rate((*self.earlier, self.wire), self.root, text, number)

    def stands(self, node: int, text: str = "") -> str:
        """Return the value of a node."""
        value = self.trace.values[node]
        text = text or short(value, self.digits)
        self.claims.append((Claim((), node, 0.0, value), text))
        return text

    def moves(self, wires: tuple[Wire, ...], watched: int) -> str:
        """Return by how much a node changes for the usual change along wires."""
        effect = self.effect(wires, watched, USUAL_CHANGE)
        text = signed(effect, self.digits) if effect else "±0"
        self.claims.append((Claim(wires, watched, USUAL_CHANGE, effect), text))
        return text

    def turn(self, wires: tuple[Wire, ...], watched: int, number: float) -> str:
        """Return the direction in which a node goes: up, down or nowhere."""
        text = "up" if number > 0 else "down" if number < 0 else "nowhere"
        return self.rate(wires, watched, text, number)

    def said(
        self,
        text: str,
        asked: float = math.nan,
        marks: tuple[tuple[int, tuple[float, ...]], ...] = (),
    ) -> Said:
        """Return a sentence with the claims that were noted since the last one."""
        claims, self.claims = tuple(self.claims), []
        return Said(text, claims, asked, marks)

    def asks(self, fact: str, question: str, asked: float = math.nan) -> Said:
        """Return a first sentence: a fact about the typed number, and one question."""
        claims, self.claims = tuple(self.claims), []
        return Said(f"{fact} {question}", claims, asked, question=question)


def formula(graph: Graph, node: int, digits: Digits = DIGITS_SHOWN) -> str:
    """Return the formula of an op node with the names of its inputs: `a × b`, `2 × a`."""
    op = graph.op(node)
    names = [
        "?" if source is None else input_name(graph, source, digits)
        for source in graph.inputs(node)
    ]
    return op.filled(op.formula, names)


def input_name(graph: Graph, node: int, digits: Digits) -> str:
    """Return the name of an input node; a constant without a label is its number."""
    source = graph.nodes[node]
    if isinstance(source, Constant) and not source.label:
        return short(source.value, digits)
    return graph.brief(node)


def in_brackets(text: str) -> str:
    """Return a number as a later factor: −3 in brackets."""
    return f"({text})" if text.startswith(("−", "≈")) else text


def as_summand(text: str) -> str:
    """Return a number as a later summand: `− 3`, `+ 3`."""
    return f"− {text[1:]}" if text.startswith("−") else f"+ {text}"


# The experiment, and the work


def experiment(
    question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN, *, asks_slope: bool = False
) -> Said | None:
    """Return the second help: +0.01 along the wires that count, and what moves by how much.

    `asks_slope`: of a contribution the slope is asked for first.
    """
    spot = _spot(question, trace, digits)
    if spot is None:
        return None
    told = _two_wires(spot) if question.kind == "sum" else _one_wire(spot, asks_slope=asks_slope)
    return told if told is not None and len(told.text) <= FIRST_LIMIT else None


def _spot(question: Question, trace: Trace, digits: Digits) -> Spot | None:
    if question.kind not in ("local", "contribution", "sum") or question.wire is None:
        return None
    spot = Spot(question, trace, digits)
    return spot if spot.is_plain else None


def _one_wire(s: Spot, *, asks_slope: bool) -> Said | None:
    wires, at, step = (s.wire,), s.at, short(USUAL_CHANGE)
    moved = ((s.receiver, (USUAL_CHANGE,)), (s.node, (s.effect(wires, s.node, USUAL_CHANGE),)))
    if not s.shows(wires, s.node, USUAL_CHANGE, at.local):
        return None
    node = f"{s.r} +{step}{s.alone}: {s.n} {s.moves(wires, s.node)}"
    if s.question.kind == "local" or s.at_root:
        return s.said(f"{node}. How much of {s.n} is that for 1 of {s.r}?", at.local, moved)
    target, asked = (s.n, at.local) if asks_slope else (s.big, at.contribution)
    asks = f"How much of {target} is that for 1 of {s.r}?"
    if not s.shows(wires, s.root, USUAL_CHANGE, at.contribution):
        return s.said(f"{node}; and {s.big} goes {s.upstream()} times as far. {asks}", asked, moved)
    effect = s.effect(wires, s.root, USUAL_CHANGE)
    marks = (*moved, (s.root, (effect,)))
    return s.said(f"{node}, and {s.big} {s.moves(wires, s.root)}. {asks}", asked, marks)


def _two_wires(s: Spot) -> Said | None:
    earlier, this, at, step = s.earlier, (s.wire,), s.at, short(USUAL_CHANGE)
    rates = ((earlier, at.before), (this, at.contribution), ((*earlier, s.wire), at.after))
    if not earlier:
        return None
    if all(s.shows(wires, s.root, USUAL_CHANGE, rate) for wires, rate in rates):
        text = f"{s.r} +{step} moves {s.big} by {s.moves(earlier, s.root)} over {s.over} and by"
        text = f"{text} {s.moves(this, s.root)} over {s.n}. In all{s.so_far}, and for 1?"
        shares = tuple(s.effect(wires, s.root, USUAL_CHANGE) for wires in (earlier, this))
        return s.said(text, at.after, ((s.receiver, (USUAL_CHANGE,)), (s.root, shares)))
    text = f"At the steepness here {s.big} goes {s.before()} times as far as {s.r} over {s.over},"
    return s.said(f"{text} {s.share()} over {s.n}. In all{s.so_far}?", at.after)


def because(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> Said | None:
    """Return the right number's calculation with the reason for each operation in it."""
    s = _spot(question, trace, digits)
    if s is None or (question.kind == "sum" and not s.earlier):
        return None
    if question.kind == "sum":
        total = f"{s.before()} {as_summand(s.share())} = {s.after()}".replace("= ≈", "≈")
        text = f"{s.r} can't move on one wire alone: {s.before()} over {s.over} and {s.share()}"
        told = s.said(f"{text} over {s.n} come at once, so {total}{s.so_far}.")
    elif question.kind == "local":
        told = s.said(f"{_why_slope(s)}.")
    elif s.at_root:
        told = s.said(f"{_why_slope(s)}; and {s.n} is the root, so × 1.")
    else:
        product = f"{s.upstream()} × {in_brackets(s.local())} = {s.share(_plus(s))}"
        how = (
            f"each 1 of {s.n} is {s.upstream()} of {s.big}"
            if s.steady
            else f"{s.big} goes {s.upstream()} times as far as {s.n}"
        )
        told = s.said(f"{_why_slope(s)}; and {how}: {product}.".replace("= ≈", "≈"))
    return told if len(told.text) <= WORKED_LIMIT else None


def _plus(s: Spot) -> str:
    return signed(s.at.contribution, s.digits)


def _why_slope(s: Spot) -> str:
    if s.at.op.name == "mul":
        return f"1 more of {s.r} is one more {s.o} in {s.f}: {s.local()}"
    s.local("1")
    stays = s.stays.replace(" and ", ", while ")
    return f"1 more of {s.r} is 1 more of {s.n}{stays if s.on_wire else ''}"


# Beliefs

BELIEFS: Final[Mapping[str, str]] = {
    "own value": "own value",
    "upstream forgotten": "the slope alone",
    "local derivative forgotten": "handed on without its slope",
    "value for slope": "data for gradient",
    "value for upstream": "data for gradient",
    "data for contribution": "data for gradient",
    "data for sum": "data for gradient",
    "minus lost in the slope": "a turned sign",
    "minus lost": "a turned sign",
    "minus lost in the sum": "a turned sign",
    "product as sum": "the other operation's rule",
    "sum as product": "the other operation's rule",
    "factors added": "times and plus swapped",
    "multiplied": "times and plus swapped",
    "replaced": "the last wire alone",
    "not added": "the first wire alone",
    "counted twice": "a wire counted twice",
}
"""The belief behind each slip that has a reason, as it is called when it shows again."""


def reason_for(
    slip: Slip, number: float, question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN
) -> Reason | None:
    """Return the reason that answers a slip with its number, None where not each claim holds."""
    spot, tell = _spot(question, trace, digits), _TELLERS.get((slip.name, question.kind))
    if spot is None or tell is None:
        return None
    found = tell(spot, number)
    return found if found is None or len(found.first.text) <= FIRST_LIMIT else None


def _grow(s: Spot) -> str:
    grows = s.f if s.stays else s.n  # the formula shows a constant factor, which is the answer
    return f"If {s.r} grows by 1{s.stays}, how much does {grows} grow?"


def _own(s: Spot, number: float) -> Reason | None:
    at, typed = s.at, short(number, s.digits)
    own = at.inputs[s.question.slot]
    if s.same(number, own):
        fact = f"{s.stands(s.receiver, typed)} is {s.r}'s own value."
    else:
        value = s.stands(s.receiver)
        fact = (
            f"{typed} is {s.upstream()} × {in_brackets(value)}, and {value} is {s.r}'s own value."
        )
    first = s.asks(fact, _grow(s), at.local)
    praise = f"1 more of {s.r} is one more {s.o} in {s.f}. {s.r} itself does not come into it."
    return Reason(first, s.said(praise))


def _slope_only(s: Spot, number: float) -> Reason | None:
    typed = s.local(short(number, s.digits))
    fact = f"{typed} is how far {s.n} moves for 1 of {s.r}{s.on_wire}."
    asks = (
        f"How far does {s.big} move when {s.n} moves by {typed}?"
        if s.steady
        else f"At the steepness here, how far does {s.big} go with it?"
    )
    first = s.asks(fact, asks, s.at.contribution)
    product = f"{s.local()} × {in_brackets(s.upstream())}"
    praise = f"{s.r} moves {s.n}, and {s.n} moves {s.big}: {product}."
    return Reason(first, s.said(f"{praise} The slope alone stops at {s.n}."))


def _passed_on(s: Spot, number: float) -> Reason | None:
    typed = short(number, s.digits)
    if s.at_root:
        asks = f"How far does {s.n} move for 1 of {s.r}?"
        first = s.asks(f"{typed} is what {s.n} begins with.", asks, s.at.local)
        praise = f"{s.n} begins with 1, and 1 of {s.r} is {s.local()} of {s.n}."
        return Reason(first, s.said(praise))
    if s.steady:
        fact = f"{s.upstream(typed)} is how far {s.big} moves for 1 of {s.n}."
        asks = f"How far does it move for 1 of {s.r}{s.on_wire}?"
        first = s.asks(fact, asks, s.at.contribution)
        praise = f"{s.upstream()} is for 1 of {s.n}, and 1 of {s.r} is {s.local()} of {s.n}"
        praise = f"{praise}: so {s.upstream()} × {in_brackets(s.local())}."
        return Reason(first, s.said(praise))
    fact = f"{s.upstream(typed)} is how many times as far {s.big} goes as {s.n}."
    asks = f"How many times as far as {s.r} is that?"
    first = s.asks(fact, asks, s.at.contribution)
    praise = (
        f"{s.big} goes {s.upstream()} times as far as {s.n}, and {s.n} {s.local()} times as far"
    )
    return Reason(first, s.said(f"{praise} as {s.r}."))


def _data(s: Spot, number: float) -> Reason | None:
    typed, kind = short(number, s.digits), s.question.kind
    of_node = s.same(number, s.at.value)
    if kind == "local":
        fact = f"{s.stands(s.node, typed)} is {s.n}'s data: where {s.n} stands."
        asks = f"How far does {s.n} move when {s.r} moves{s.stays}?"
        first = s.asks(fact, asks, s.at.local)
        place, far = s.stands(s.node), s.local()
        praise = f"{place} is where {s.n} stands; {far} is how far it goes with 1 of {s.r}."
        return Reason(first, s.said(praise))
    target = s.receiver if s.same(number, s.trace.values[s.receiver]) else s.node
    if target == s.node and (not of_node or kind == "sum"):
        return None
    name = s.graph.brief(target, _NAME_LENGTH)
    fact = f"{s.stands(target, typed)} is {name}'s data: where {name} stands."
    wire = s.on_wire if kind == "contribution" else s.so_far and " on the wires so far"
    asked = s.at.contribution if kind == "contribution" else s.at.after
    first = s.asks(fact, f"How far does {s.big} move when {s.r} moves{wire}?", asked)
    far = s.share() if kind == "contribution" else s.after()
    what = "how far" if s.steady and kind == "contribution" else "how many times as far"
    praise = f"{s.stands(target)} is where {name} stands; {far} is {what} {s.big} goes"
    praise = f"{praise} {'with 1 of' if what == 'how far' else 'as'} {s.r}{wire}."
    return Reason(first, s.said(praise))


def _data_upstream(s: Spot, number: float) -> Reason | None:
    typed = short(number, s.digits)
    if s.same(number, s.at.value):
        return _data(s, number)
    if s.at_root:
        return None
    asks = (
        f"How far does {s.big} move for 1 of {s.n}?"
        if s.steady
        else f"How many times as far as {s.n} does {s.big} go?"
    )
    fact = f"{typed} is made with {s.n}'s data, {s.stands(s.node)}."
    first = s.asks(fact, asks, s.at.upstream)
    what = "how far" if s.steady else "how many times as far"
    praise = f"{s.stands(s.node)} is where {s.n} stands; {s.upstream()} is {what} {s.big} goes"
    return Reason(first, s.said(f"{praise} {'with 1 of it' if s.steady else 'as it does'}."))


def _other_rule(s: Spot, number: float) -> Reason | None:
    at, typed = s.at, short(number, s.digits)
    if not s.stays:
        return None  # of a constant there is no name to speak of
    if at.op.name == "mul":
        first = s.asks(f"{typed} is right for a sum.", _grow(s), at.local)
        praise = f"Times: one more {s.o} for 1 of {s.r}. Plus: just 1 more."
        return Reason(first, s.said(praise))
    assert s.other is not None
    value = s.stands(s.other)
    if s.same(number, at.inputs[1 - s.question.slot]):
        fact = f"{typed} is {s.o}'s own value."
    else:
        fact = (
            f"{typed} is {s.upstream()} × {in_brackets(value)}, and {value} is {s.o}'s own value."
        )
    first = s.asks(fact, _grow(s), at.local)
    return Reason(first, s.said(f"{s.f} goes along with {s.r}, whatever {s.o} is."))


def _lost_sign(s: Spot, number: float) -> Reason | None:
    at, typed, wires = s.at, short(number, s.digits), (s.wire,)
    if not at.contribution:
        return None
    is_slope = s.question.kind == "local" or s.at_root
    if is_slope:
        would = "rise" if number > 0 else "fall"
        asks = f"If {s.r} grows by 1{s.stays}, does {s.f} rise or fall?"
        first = s.asks(f"{typed}: {s.f} would {would}.", asks)
        turned = s.turn(wires, s.node, at.local)
        why = ""
        if at.op.name == "mul":
            assert s.other is not None
            below = at.inputs[1 - s.question.slot] < 0
            why = f", for {s.o} is {s.stands(s.other, 'below' if below else 'above')} 0"
        return Reason(first, s.said(f"{s.r} up, {s.n} {turned}{why}."))
    would = "rise" if number > 0 else "fall"
    fact = f"{typed}: {s.big} would {would} when {s.r} rises{s.on_wire}."
    slope, node = s.turn(wires, s.node, at.local), s.turn(s.out_of(s.node), s.root, at.upstream)
    asks, ends = {
        (True, True): (
            f"{s.r} up: which way does {s.n} go, and {s.big} with that?",
            ": two turns, so no minus is left",
        ),
        (True, False): (
            f"{s.n} rises with {s.r}, yes. And {s.big}, when {s.n} rises?",
            f": the minus is {s.n}'s, not {s.r}'s",
        ),
        (False, True): (
            f"{s.big} rises with {s.n}, yes. And {s.n}, when {s.r} rises?",
            f": the turn is between {s.r} and {s.n}",
        ),
        (False, False): (
            f"Does {s.n} fall when {s.r} rises? Does {s.big} fall with {s.n}?",
            ": nothing turns",
        ),
    }[node == "down", slope == "down"]
    first = s.asks(fact, asks)
    goes = s.turn(wires, s.root, at.contribution)
    praise = f"{s.r} up, {s.n} {s.turn(wires, s.node, at.local)}, {s.big} {goes}{ends}."
    return Reason(first, s.said(praise))


def _added(s: Spot, number: float) -> Reason | None:
    typed = short(number, s.digits)
    if s.at_root:
        asks = f"How far does {s.n} move for 1 of {s.r}?"
        first = s.asks(f"{typed} adds the 1 of {s.n}.", asks, s.at.local)
        praise = f"{s.n} begins with 1, and times 1 changes nothing."
        return Reason(first, Said(praise))
    fact = f"{typed} adds slope and gradient."
    asks = (
        f"1 of {s.r} moves {s.n}, each 1 of {s.n} moves {s.big}: how far in all?"
        if s.steady
        else f"{s.r} turns {s.n}, {s.n} turns {s.big}, like gears: do slopes add?"
    )
    first = s.asks(fact, asks, s.at.contribution)
    product = f"{s.local()} × {in_brackets(s.upstream())}"
    praise = s.said(f"One behind the other, slopes multiply, as gears do: {product}.")
    return Reason(first, praise)


def _both(s: Spot) -> Said:
    shares = f"{s.before()} over {s.over}, {s.share(_plus(s))} over {s.n}"
    return s.said(f"Shares come in turn, but {s.r} moves its wires at once: {shares}.")


def _replaced(s: Spot, number: float) -> Reason | None:
    fact = f"{s.share(short(number, s.digits))} is the share over {s.n}."
    asks = f"Move {s.r} slightly: does {s.big} feel it over {s.n} only?"
    return Reason(s.asks(fact, asks), _both(s))


def _kept(s: Spot, number: float) -> Reason | None:
    fact = f"{s.before(short(number, s.digits))} is the share over {s.over}."
    asks = f"Move {s.r} slightly: does {s.big} feel nothing over {s.n}?"
    return Reason(s.asks(fact, asks), _both(s))


def _twice(s: Spot, number: float) -> Reason | None:
    share = as_summand(s.share())
    fact = f"{short(number, s.digits)} is {s.before()} {share} {share}."
    first = s.asks(fact, f"How many wires lead from {s.r} to {s.n}?", 1.0)
    return Reason(first, s.said(f"One wire, one share: {s.before()} {as_summand(s.share())}."))


def _multiplied(s: Spot, number: float) -> Reason | None:
    fact = f"{short(number, s.digits)} is {s.before()} × {in_brackets(s.share())}."
    asks = f"{s.big} moves over {s.over} and over {s.n}: how far in all{s.so_far}?"
    first = s.asks(fact, asks, s.at.after)
    praise = "Side by side, shares add; one behind the other, slopes multiply."
    return Reason(first, Said(praise))


def _sum_sign(s: Spot, number: float) -> Reason | None:
    if s.at.before * s.at.contribution >= 0:
        return None
    asks = f"Of {s.before()} and {s.share(_plus(s))}, which pulls {s.big} harder, and which way?"
    first = s.asks(f"{short(number, s.digits)}: right size.", asks)
    ends = f"The stronger pull decides the sign: {s.before()} {as_summand(s.share())}."
    return Reason(first, s.said(ends))


_TELLERS: Final[Mapping[tuple[str, str], Callable[[Spot, float], Reason | None]]] = {
    ("own value", "local"): _own,
    ("own value", "contribution"): _own,
    ("upstream forgotten", "contribution"): _slope_only,
    ("local derivative forgotten", "contribution"): _passed_on,
    ("value for slope", "local"): _data,
    ("value for slope", "contribution"): _data,
    ("data for contribution", "contribution"): _data,
    ("data for sum", "sum"): _data,
    ("value for upstream", "contribution"): _data_upstream,
    ("product as sum", "local"): _other_rule,
    ("sum as product", "local"): _other_rule,
    ("sum as product", "contribution"): _other_rule,
    ("minus lost in the slope", "local"): _lost_sign,
    ("minus lost in the slope", "contribution"): _lost_sign,
    ("minus lost", "contribution"): _lost_sign,
    ("factors added", "contribution"): _added,
    ("replaced", "sum"): _replaced,
    ("not added", "sum"): _kept,
    ("counted twice", "sum"): _twice,
    ("multiplied", "sum"): _multiplied,
    ("minus lost in the sum", "sum"): _sum_sign,
}
