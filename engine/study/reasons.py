"""Reasons: what answers a wrong belief, for steps through + and × and for sums of contributions.

All evidence is one experiment: raise the inputs along some wires, and watch a node. A sentence is
a template whose numbers are such claims, two forward runs each, so it can be checked without
reading English.

>>> from engine import from_expression
>>> from engine.study.beliefs import BY_NAME
>>> from engine.trace import run
>>> trace = run(from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2}))
>>> sent = Question("contribution", 3, 0, 6)  # what e sends to a
>>> reason_for(BY_NAME["upstream forgotten"], -3.0, sent, trace).first.text
'−3 is how far e moves for 1 of a on this wire. How far does L move when e moves by −3?'
>>> experiment(sent, trace).text
'a +0.01 over e alone: e −0.03, and L +0.06. How much of L is that for 1 of a?'
>>> because(sent, trace).text
'1 more of a is one more b in a × b: −3. Each 1 of e is −2 of L: −2 × (−3) = +6.'

A belief has a reason only where each of its claims holds: not under a mistake, at a kink, for a
node that fills both slots of an operation, or where a change of 0.01 or of 1 shows another ratio
than the gradient. There `engine.study.answering` says the rule.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, Final, TypeAlias

from msgspec import Struct

from engine.graph import Constant, Graph, OpNode, Wire
from engine.numbers import DIGITS_SHOWN, Digits, short, signed
from engine.problems import arguments
from engine.rules import CORRECT
from engine.study.beliefs import Belief
from engine.study.nudge import USUAL_CHANGE, difference, raised
from engine.study.question import Question, facts
from engine.trace import Trace

Marks: TypeAlias = tuple[tuple[int, tuple[float, ...]], ...]
FIRST_LIMIT, WORKED_LIMIT = 100, 140
"""Characters of a first or second sentence, and of a worked one; a longer one is not said."""
_NAME_LENGTH: Final = 16
_OPERATIONS: Final = ("add", "mul")

# Templates. r is the receiver, n the node that fires, L the root, o the other input, f the formula
# of n; `here` and `nudged` say that r moves on one of its wires only. The numbers: `local`,
# `upstream`, `share` (the contribution), `before`, `after`; `own` is the value of `whose`; d… are
# changes. `in` brackets a number, `add` makes it a summand, `signed` gives it its sign.
_HERE: Final = ("{r}", "{r} on this wire")
_NUDGED: Final = ("{r} +{step}", "{r} +{step} over {n} alone")
_NODE_MOVES: Final = "{nudged}: {n} {dn}. How much of {n} is that for 1 of {r}?"
_ROOT_MOVES: Final = "{nudged}: {n} {dn}, and {L} {dL}. How much of {target} is that for 1 of {r}?"
_ROOT_FOLLOWS: Final = (
    "{nudged}: {n} {dn}; and {L} goes {upstream} times as far. How much of {target} for 1 of {r}?"
)
_BOTH_MOVE: Final = (
    "{r} +{step} moves {L} by {dbefore} over {over} and by {dL} over {n}. So far, and for 1?",
    "{r} +{step} moves {L} by {dbefore} over {over} and by {dL} over {n}. In all, and for 1?",
)
_BOTH_RATES: Final = (
    "{L} goes {before} times as far here as {r} over {over}, {share} times over {n}. So far?",
    "{L} goes {before} times as far here as {r} over {over}, {share} times over {n}. In all?",
)
_ONE_MORE: Final = "1 more of {r} is one more {o} in {f}: {local}."
_JUST_MORE: Final = "1 more of {r} is {local} more of {n}."
_JUST_MORE_ALONE: Final = "1 more of {r} is {local} more of {n}, while {o} stays."
_IS_ROOT: Final = "{n} is the root, so × 1."
_EACH_ONE: Final = "Each 1 of {n} is {upstream} of {L}: {upstream} × {local_in} = {share_signed}."
_GOES_WITH: Final = (
    "{L} goes {upstream} times as far as {n}: {upstream} × {local_in} = {share_signed}."
)
_AT_ONCE: Final = (
    "{r} can't move on one wire alone: {before} over {over} and {share} over {n} come at once,"
    " so {before} {share_add} = {after} so far.",
    "{r} can't move on one wire alone: {before} over {over} and {share} over {n} come at once,"
    " so {before} {share_add} = {after}.",
)
_OWN: Final = "{typed} is {whose}'s own value."
_OWN_TIMES: Final = "{typed} is {upstream} × {own_in}, and {own} is {whose}'s own value."
_GROW: Final = "If {r} grows by 1 and {o} stays, how much does {f} grow?"
_GROW_ALONE: Final = "If {r} grows by 1, how much does {n} grow?"  # the formula shows the answer
_OWN_MENDED: Final = "1 more of {r} is one more {o} in {f}. {r} itself does not come into it."
_FAR: Final = "{typed} is how far {moved} moves for 1 of {mover}."
_FAR_WITH: Final = "How far does {L} move when {n} moves by {typed}?"
_STEEP_WITH: Final = "At the steepness here, how far does {L} go with it?"
_STOPS: Final = (
    "{r} moves {n}, and {n} moves {L}: {local} × {upstream_in}. The slope alone stops at {n}."
)
_BEGINS: Final = "{typed} is what {n} begins with."
_HOW_FAR: Final = "How far does {moved} move for 1 of {mover}?"
_BEGINS_MENDED: Final = "{n} begins with 1, and 1 of {r} is {local} of {n}."
_IT_MOVES: Final = "How far does it move for 1 of {here}?"
_PASSED_MENDED: Final = (
    "{upstream} is for 1 of {n}, and 1 of {r} is {local} of {n}: so {upstream} × {local_in}."
)
_TIMES: Final = "{typed} is how many times as far {L} goes as {n}."
_HOW_MANY: Final = "How many times as far as {r} is that?"
_TIMES_MENDED: Final = (
    "{L} goes {upstream} times as far as {n}, and {n} {local} times as far as {r}."
)
_DATA: Final = "{typed} is {whose}'s data: where {whose} stands."
_MADE: Final = "{typed} is made with {whose}'s data, {own}."
_WHEN: Final = "How far does {moved} move when {mover} moves?"
_WHEN_ALONE: Final = "How far does {n} move when {r} moves and {o} stays?"
_AS_FAR: Final = "How many times as far as {n} does {L} go?"
_STANDS: Final = "{own} is where {whose} stands; {rate} is how far {moved} goes with 1 of {mover}."
_STANDS_STEEP: Final = (
    "{own} is where {whose} stands; {rate} is how many times as far {moved} goes as {mover}."
)
_FOR_SUM: Final = "{typed} is right for a sum."
_FOR_SUM_MENDED: Final = "Times: one more {o} for 1 of {r}. Plus: just 1 more."
_ALONG: Final = "{f} goes along with {r}, whatever {o} is."
_WOULD: Final = (
    "{typed}: {would} would rise with {with}.",
    "{typed}: {would} would fall with {with}.",
)
_TURN: Final = "If {r} grows by 1 and {o} stays, does {f} rise or fall?"
_TURN_ALONE: Final = "If {r} grows by 1, does {f} rise or fall?"
_TURN_MENDED: Final = "{r} up, {n} {turn_n}."
_TURN_FOR: Final = "{r} up, {n} {turn_n}, for {o} is {side_o} 0."
_YES_AND: Final = "{moved} rises with {mover}, yes. And {target}, when {last} rises?"
# by whether the root falls with the node, and the node with the receiver
_TURNS: Final = {
    (True, True): (
        "{r} up: which way does {n} go, and {L} with that?",
        "{r} up, {n} {turn_n}, {L} {turn_L}: two turns, so no minus is left.",
    ),
    (True, False): (_YES_AND, "{r} up, {n} {turn_n}, {L} {turn_L}: the minus is {n}'s, not {r}'s."),
    (False, True): (
        _YES_AND,
        "{r} up, {n} {turn_n}, {L} {turn_L}: the turn is between {r} and {n}.",
    ),
    (False, False): (
        "Does {n} fall when {r} rises? Does {L} fall with {n}?",
        "{r} up, {n} {turn_n}, {L} {turn_L}: nothing turns.",
    ),
}
_ADDS_ONE: Final = "{typed} adds the 1 of {n}."
_ADDS_ONE_MENDED: Final = "{n} begins with 1, and times 1 changes nothing."
_ADDS: Final = "{typed} adds slope and gradient."
_EACH: Final = "1 of {r} moves {n}, each 1 of {n} moves {L}: how far in all?"
_GEARS: Final = "{r} turns {n}, {n} turns {L}, like gears: do slopes add?"
_ADDS_MENDED: Final = "One behind the other, slopes multiply, as gears do: {local} × {upstream_in}."
_SHARE: Final = "{typed} is the share over {via}."
_ONLY: Final = "Move {r} slightly: does {L} feel it over {n} only?"
_NOTHING: Final = "Move {r} slightly: does {L} feel nothing over {n}?"
_SHARES_MENDED: Final = (
    "Shares come in turn, but {r} moves its wires at once: {before} over {over}, {share_signed}"
    " over {n}."
)
_TWICE: Final = "{typed} is {before} {share_add} {share_add}."
_WIRES: Final = "How many wires lead from {r} to {n}?"
_TWICE_MENDED: Final = "One wire, one share: {before} {share_add}."
_PRODUCT: Final = "{typed} is {before} × {share_in}."
_IN_ALL: Final = "{L} moves over {over} and over {n}: how far in all?"
_SIDES: Final = "Side by side, shares add; one behind the other, slopes multiply."
_SIZE: Final = "{typed}: right size."
_PULLS: Final = "Of {before} and {share_signed}, which pulls {L} harder, and which way?"
_PULLS_MENDED: Final = "The stronger pull decides the sign: {before} {share_add}."


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

    `asked` is the number that answers the question at its end, nan where none does. `marks` are
    the changes of the experiment at nodes of the sheet; more than one, where the learner is to add
    them.
    """

    text: str
    claims: tuple[tuple[Claim, str], ...] = ()
    asked: float = math.nan
    marks: Marks = ()


class Reason(Struct, frozen=True):
    """The answer to a belief: a fact with a question, and the praise once it is mended."""

    first: Said
    praise: Said


class _Telling(Struct, frozen=True):
    """The templates of fact, question and praise that answer a belief.

    `typed_as` and `asked` name the rate of `Spot.rate` that was typed, "own" for the value of
    `whose`, and the one that answers the question; "" for none. `names` are fields of these
    templates alone, and `whose` is the node whose value they speak of, -1 for none.
    """

    fact: str
    asks: str
    praise: str
    typed_as: str = ""
    asked: str = ""
    names: Mapping[str, str] = {}
    whose: int = -1


class _Number:
    """A number in a sentence: its claim is noted when it is written."""

    def __init__(self, spot: "Spot", claim: Claim, text: str = "", form: str = "") -> None:
        self.spot, self.claim, self.text, self.form = spot, claim, text, form

    def __str__(self) -> str:
        form, text = self.form, self.text or short(self.claim.effect, self.spot.digits)
        if form == "signed":
            text = signed(self.claim.effect, self.spot.digits) if self.claim.effect else "±0"
        self.spot.claims.append((self.claim, text))
        if form == "in" and text.startswith(("−", "≈")):
            return f"({text})"
        if form == "add":
            return f"− {text[1:]}" if text.startswith("−") else f"+ {text}"
        return text


class _Fields(dict[str, Any]):
    """The fields of a template, each made when it is written."""

    def __init__(self, spot: "Spot", names: Mapping[str, Any]) -> None:
        super().__init__(names)
        self.spot = spot

    def __missing__(self, name: str) -> object:
        return self.spot.field(name)


class Spot:
    """What stands around the blank of one wire of a pass, and what moves when its input does."""

    def __init__(self, question: Question, trace: Trace, digits: Digits) -> None:
        assert question.wire is not None
        self.question, self.trace = question, trace
        self.digits: Digits = digits
        self.at = facts(question, trace)
        self.wire, self.node, self.receiver = question.wire, question.node, self.at.receiver
        self.root, self.graph = trace.root, trace.graph
        self.claims: list[tuple[Claim, str]] = []

    @cached_property
    def other(self) -> int | None:
        """The node in the other slot of the operation, None where that is not one slot."""
        others = [s for k, s in enumerate(self.graph.inputs(self.node)) if k != self.question.slot]
        return others[0] if len(others) == 1 else None

    @property
    def has_free_other(self) -> bool:
        """Whether the other input is more than a constant, so that one may say that it stays."""
        return self.other is not None and not isinstance(self.graph.nodes[self.other], Constant)

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

    @property
    def is_last(self) -> bool:
        """Whether no wire is still to bring the receiver its share."""
        return len(self.earlier) + 1 == len(self.wires)

    @cached_property
    def is_plain(self) -> bool:
        """Whether experiments speak for this step: a sound one, through + or ×."""
        return self.at.op.name in _OPERATIONS and self.other is not None and self.is_sound

    @cached_property
    def is_sound(self) -> bool:
        """Whether what moves along the wire is told by its gradients.

        It is in a correct pass where the receiver fills one slot, all numbers are finite, and
        nothing on the way to the root has a kink here.
        """
        trace, graph, at = self.trace, self.graph, self.at
        if trace.rules is not CORRECT:
            return False
        targets = [target for target, _slot in (*self.earlier, self.wire)]
        numbers = (*at.inputs, at.value, at.upstream, at.local, at.contribution, at.after)
        return (
            graph.inputs(self.node).count(self.receiver) == 1
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

    def effect(self, wires: Iterable[Wire], watched: int, change: float = USUAL_CHANGE) -> float:
        """Return by how much a node changes when the inputs along wires are raised."""
        return difference(raised(self.trace, wires, change)[watched], self.trace.values[watched])

    def shows(self, wires: Iterable[Wire], watched: int, change: float, rate: float) -> bool:
        """Return whether an experiment displays a rate."""
        return self.same(self.effect(tuple(wires), watched, change) / change, rate)

    @cached_property
    def steady(self) -> bool:
        """Whether a whole 1 along the wire, and of the node, moves the root by its gradient."""
        at, out = self.at, self.out_of(self.node)
        upstream = self.at_root or self.shows(out, self.root, 1.0, at.upstream)
        return upstream and self.shows((self.wire,), self.root, 1.0, at.contribution)

    def rate(self, name: str) -> Claim:
        """Return the claim of a gradient or slope: for a whole 1 where that is exact."""
        at, whole, this = self.at, float(self.steady), (self.wire,)
        return {
            "local": Claim(this, self.node, 1.0, at.local),
            "upstream": Claim(self.out_of(self.node), self.root, whole, at.upstream),
            "share": Claim(this, self.root, whole, at.contribution),
            "before": Claim(self.earlier, self.root, 0.0, at.before),
            "after": Claim((*self.earlier, self.wire), self.root, 0.0, at.after),
        }[name]

    def change(self, wires: tuple[Wire, ...], watched: int) -> Claim:
        """Return the claim that a node changes by this much for the usual change along wires."""
        return Claim(wires, watched, USUAL_CHANGE, self.effect(wires, watched))

    def value(self, node: int) -> Claim:
        """Return the claim that a node stands at its value."""
        return Claim((), node, 0.0, self.trace.values[node])

    def turn(self, name: str) -> _Number:
        """Return in which direction a rate goes."""
        claim = self.rate(name)
        text = "up" if claim.effect > 0 else "down" if claim.effect < 0 else "nowhere"
        return _Number(self, Claim(claim.wires, claim.watched, 0.0, claim.effect), text)

    # sentences

    def field(self, name: str) -> object:
        """Return a field of a template: a name, or a number with its claim."""
        if name in ("r", "n", "L"):
            node = {"r": self.receiver, "n": self.node, "L": self.root}[name]
            return self.graph.brief(node, _NAME_LENGTH)
        number, _underscore, form = name.partition("_")
        if number in ("local", "upstream", "share", "before", "after"):
            return _Number(self, self.rate(number), form=form)
        makers: dict[str, Callable[[], object]] = {
            "f": lambda: formula(self.graph, self.node, self.digits),
            "o": lambda: input_name(self.graph, self.other or 0, self.digits),
            "over": lambda: " and ".join(dict.fromkeys(map(self._name, self.earlier))),
            "here": lambda: self.filled(_HERE[len(self.wires) > 1]),
            "nudged": lambda: self.filled(_NUDGED[len(self.wires) > 1]),
            "step": lambda: short(USUAL_CHANGE),
            "dn": lambda: self.signed(self.change((self.wire,), self.node)),
            "dL": lambda: self.signed(self.change((self.wire,), self.root)),
            "dbefore": lambda: self.signed(self.change(self.earlier, self.root)),
            "turn_n": lambda: self.turn("local"),
            "turn_L": lambda: self.turn("share"),
            "side_o": lambda: self._side(self.other or 0),
        }
        return makers[name]()

    def _name(self, wire: Wire) -> str:
        return self.graph.brief(wire[0], _NAME_LENGTH)

    def number(self, claim: Claim) -> _Number:
        """Return a number of a sentence."""
        return _Number(self, claim)

    def signed(self, claim: Claim) -> _Number:
        """Return a change, with its sign."""
        text = signed(claim.effect, self.digits) if claim.effect else "±0"
        return _Number(self, claim, text)

    def _side(self, node: int) -> _Number:
        claim = self.value(node)
        return _Number(self, claim, "below" if claim.effect < 0 else "above")

    def filled(self, template: str, names: Mapping[str, Any] | None = None) -> str:
        """Return a template with its fields; the claims in it are noted."""
        return template.format_map(_Fields(self, names or {})).replace("= ≈", "≈")

    def said(self, text: str, asked: float = math.nan, marks: Marks = ()) -> Said:
        """Return a sentence with the claims that were noted since the last one."""
        claims, self.claims = tuple(self.claims), []
        return Said(text, claims, asked, marks)


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


# The experiment, and the work


def experiment(
    question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN, *, asks_slope: bool = False
) -> Said | None:
    """Return the second help: +0.01 along the wires that count, and what moves by how much.

    `asks_slope`: of a contribution the slope is asked for first.
    """
    spot = _spot(question, trace, digits)
    if spot is None or (question.kind == "sum" and not spot.earlier):
        return None
    told = _two_wires(spot) if question.kind == "sum" else _one_wire(spot, asks_slope=asks_slope)
    return told if told is not None and len(told.text) <= FIRST_LIMIT else None


def _spot(question: Question, trace: Trace, digits: Digits) -> Spot | None:
    if question.kind not in ("local", "contribution", "sum") or question.wire is None:
        return None
    spot = Spot(question, trace, digits)
    return spot if spot.is_plain else None


def _one_wire(s: Spot, *, asks_slope: bool) -> Said | None:
    wires, at = (s.wire,), s.at
    marks = ((s.receiver, (USUAL_CHANGE,)), (s.node, (s.effect(wires, s.node),)))
    if not s.shows(wires, s.node, USUAL_CHANGE, at.local):
        return None
    if s.question.kind == "local" or s.at_root:
        return s.said(s.filled(_NODE_MOVES), at.local, marks=marks)
    target, asked = ("n", at.local) if asks_slope else ("L", at.contribution)
    names = {"target": s.field(target)}
    if not s.shows(wires, s.root, USUAL_CHANGE, at.contribution):
        return s.said(s.filled(_ROOT_FOLLOWS, names), asked, marks=marks)
    marks = (*marks, (s.root, (s.effect(wires, s.root),)))
    return s.said(s.filled(_ROOT_MOVES, names), asked, marks=marks)


def _two_wires(s: Spot) -> Said:
    rates = [s.rate(name) for name in ("before", "share", "after")]
    if not all(s.shows(c.wires, s.root, USUAL_CHANGE, c.effect) for c in rates):
        return s.said(s.filled(_BOTH_RATES[s.is_last]), s.at.after)
    shares = tuple(s.effect(claim.wires, s.root) for claim in rates[:2])
    marks = ((s.receiver, (USUAL_CHANGE,)), (s.root, shares))
    return s.said(s.filled(_BOTH_MOVE[s.is_last]), s.at.after, marks=marks)


def because(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> Said | None:
    """Return the right number's calculation with the reason for each operation in it."""
    s = _spot(question, trace, digits)
    if s is None or (question.kind == "sum" and not s.earlier):
        return None
    if question.kind == "sum":
        templates = [_AT_ONCE[s.is_last]]
    else:
        alone = _JUST_MORE_ALONE if s.has_free_other and len(s.wires) > 1 else _JUST_MORE
        templates = [_ONE_MORE if s.at.op.name == "mul" else alone]
    if question.kind == "contribution":
        templates.append(_IS_ROOT if s.at_root else _EACH_ONE if s.steady else _GOES_WITH)
    told = s.said(" ".join(map(s.filled, templates)))
    return told if len(told.text) <= WORKED_LIMIT else None


# Beliefs


def reason_for(
    belief: Belief, number: float, question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN
) -> Reason | None:
    """Return the reason that answers a slip with its number, None where not each claim holds."""
    s, tell = _spot(question, trace, digits), _TELLERS.get((belief.name, question.kind))
    told = None if s is None or tell is None else tell(s, number)
    if s is None or told is None:
        return None
    names: dict[str, Any] = dict(told.names)
    if told.whose >= 0:
        names["whose"] = s.graph.brief(told.whose, _NAME_LENGTH)
        names["own"] = _Number(s, s.value(told.whose))
        names["own_in"] = _Number(s, s.value(told.whose), form="in")
    if "rate" in names:
        names["rate"] = _Number(s, s.rate(names["rate"]))
    typed = short(number, digits)
    claim = s.value(told.whose) if told.typed_as == "own" else None
    if told.typed_as and claim is None:
        claim = s.rate(told.typed_as)
    names["typed"] = typed if claim is None else _Number(s, claim, typed)
    asked = {"": math.nan, "1": 1.0}.get(told.asked)
    if asked is None:
        asked = s.rate(told.asked).effect
    first = s.said(f"{s.filled(told.fact, names)} {s.filled(told.asks, names)}", asked)
    praise = s.said(s.filled(told.praise, names))
    return Reason(first, praise) if len(first.text) <= FIRST_LIMIT else None


def _grow(s: Spot) -> str:
    return _GROW if s.has_free_other else _GROW_ALONE


def _of_value(s: Spot, number: float, whose: int, mended: str) -> _Telling:
    """Answer who typed a value of the operation's inputs, or the upstream gradient times that."""
    if s.same(number, s.trace.values[whose]):
        return _Telling(_OWN, _grow(s), mended, "own", "local", whose=whose)
    return _Telling(_OWN_TIMES, _grow(s), mended, "", "local", whose=whose)


def _own(s: Spot, number: float) -> _Telling | None:
    return _of_value(s, number, s.receiver, _OWN_MENDED)


def _other_rule(s: Spot, number: float) -> _Telling | None:
    if not s.has_free_other or s.other is None:
        return None  # of a constant there is no name to speak of
    if s.at.op.name == "mul":
        return _Telling(_FOR_SUM, _grow(s), _FOR_SUM_MENDED, "", "local")
    return _of_value(s, number, s.other, _ALONG)


def _slope_only(s: Spot, _number: float) -> _Telling | None:
    names = {"moved": str(s.field("n")), "mover": str(s.field("here"))}
    return _Telling(_FAR, _FAR_WITH if s.steady else _STEEP_WITH, _STOPS, "local", "share", names)


def _passed_on(s: Spot, _number: float) -> _Telling | None:
    n, r, big = (str(s.field(name)) for name in ("n", "r", "L"))
    if s.at_root:
        names = {"moved": n, "mover": r}
        return _Telling(_BEGINS, _HOW_FAR, _BEGINS_MENDED, "", "local", names)
    if s.steady:
        names = {"moved": big, "mover": n}
        return _Telling(_FAR, _IT_MOVES, _PASSED_MENDED, "upstream", "share", names)
    return _Telling(_TIMES, _HOW_MANY, _TIMES_MENDED, "upstream", "share")


def _data(s: Spot, number: float) -> _Telling | None:
    kind = s.question.kind
    if kind == "local":
        names = {"moved": str(s.field("n")), "mover": str(s.field("r")), "rate": "local"}
        asks = _WHEN_ALONE if s.has_free_other else _WHEN
        return _Telling(_DATA, asks, _STANDS, "own", "local", names, s.node)
    whose = s.receiver if s.same(number, s.trace.values[s.receiver]) else s.node
    if whose == s.node and (kind == "sum" or not s.same(number, s.at.value)):
        return None
    rate = "share" if kind == "contribution" else "after"
    mover = str(s.field("here" if kind == "contribution" or not s.is_last else "r"))
    names = {"moved": str(s.field("L")), "mover": mover, "rate": rate}
    if kind == "sum" and not s.is_last:
        return None  # what it holds is the share of some of its wires
    mended = _STANDS if s.steady and kind == "contribution" else _STANDS_STEEP
    return _Telling(_DATA, _WHEN, mended, "own", rate, names, whose)


def _data_upstream(s: Spot, number: float) -> _Telling | None:
    if s.same(number, s.at.value):
        return _data(s, number)
    if s.at_root:
        return None
    names = {"moved": str(s.field("L")), "mover": str(s.field("n")), "rate": "upstream"}
    asks, mended = (_HOW_FAR, _STANDS) if s.steady else (_AS_FAR, _STANDS_STEEP)
    return _Telling(_MADE, asks, mended, "", "upstream", names, s.node)


def _lost_sign(s: Spot, number: float) -> _Telling | None:
    if not s.at.contribution:
        return None
    would = _WOULD[number < 0]
    if s.question.kind == "local" or s.at_root:
        names = {"would": str(s.field("f")), "with": str(s.field("r"))}
        asks = _TURN if s.has_free_other else _TURN_ALONE
        mended = _TURN_FOR if s.at.op.name == "mul" else _TURN_MENDED
        return _Telling(would, asks, mended, names=names)
    r, n, big, here = (str(s.field(name)) for name in ("r", "n", "L", "here"))
    asks, mended = _TURNS[s.at.upstream < 0, s.at.local < 0]
    names = {"moved": n, "mover": r, "target": big, "last": n, "would": big, "with": here}
    if s.at.local < 0:
        names |= {"moved": big, "mover": n, "target": n, "last": r}
    return _Telling(would, asks, mended, names=names)


def _added(s: Spot, _number: float) -> _Telling | None:
    if s.at_root:
        names = {"moved": str(s.field("n")), "mover": str(s.field("r"))}
        return _Telling(_ADDS_ONE, _HOW_FAR, _ADDS_ONE_MENDED, "", "local", names)
    return _Telling(_ADDS, _EACH if s.steady else _GEARS, _ADDS_MENDED, "", "share")


def _replaced(s: Spot, _number: float) -> _Telling | None:
    return _Telling(_SHARE, _ONLY, _SHARES_MENDED, "share", names={"via": str(s.field("n"))})


def _kept(s: Spot, _number: float) -> _Telling | None:
    return _Telling(_SHARE, _NOTHING, _SHARES_MENDED, "before", names={"via": str(s.field("over"))})


def _twice(_spot: Spot, _number: float) -> _Telling | None:
    return _Telling(_TWICE, _WIRES, _TWICE_MENDED, asked="1")


def _multiplied(_spot: Spot, _number: float) -> _Telling | None:
    return _Telling(_PRODUCT, _IN_ALL, _SIDES, asked="after")


def _sum_sign(s: Spot, _number: float) -> _Telling | None:
    opposed = s.at.before * s.at.contribution < 0
    return _Telling(_SIZE, _PULLS, _PULLS_MENDED) if opposed else None


_TELLERS: Final[Mapping[tuple[str, str], Callable[[Spot, float], _Telling | None]]] = {
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
