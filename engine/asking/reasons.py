"""Reasons: what answers a wrong belief, at every operation with a formula and at sums.

All evidence is one experiment: raise the inputs along some wires, and watch a node. A sentence is
a template whose numbers are such claims, two forward runs each, so it can be checked without
reading English.

>>> from engine import from_expression
>>> from engine.asking.beliefs import BY_NAME
>>> from engine.trace import run
>>> trace = run(from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2}))
>>> sent = Question("contribution", 3, 0, 6)  # what e sends to a
>>> reason_for(BY_NAME["upstream forgotten"], -3.0, sent, trace).first.text
'−3 is how far e moves for 1 of a on this wire. How far does L move when e moves by −3?'
>>> experiment(sent, trace).text
'a +0.01 over e alone: e −0.03, and L +0.06. How much of L is that for 1 of a?'
>>> because(sent, trace).text
'1 more of a is one more b in a × b: −3. Each 1 of e is −2 of L: −2 × (−3) = +6.'

Where a whole 1 shows another ratio than the gradient, as on a curve, a sentence says how many times
as far a node goes, and the experiment takes a step that shows it. A belief has a reason only where
each of its claims holds: not at a kink, for a recorded operation, or for a number of a mistake that
is none of the correct pass. There `engine.asking.answering` says the rule.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from engine.asking.beliefs import LOST_MINUS, Belief, wrong_and_answer
from engine.asking.facts import StepFacts
from engine.asking.nudge import USUAL_CHANGE, difference, raised, shifted
from engine.asking.number_fields import FieldTrace, NamedGraph
from engine.asking.paths import path_count
from engine.asking.question import Question, facts, final_gradient, near, receiver
from engine.conditions import followed, kept_by_way
from engine.graph import Constant, OpNode, Wire
from engine.numbers import (
    DIGITS_SHOWN,
    HOLE_BEGINS,
    HOLE_ENDS,
    Digits,
    FieldNumber,
    are_apart,
    are_finite,
    are_rounded,
    asks,
    by_sign,
    fits,
    holds,
    is_rounded,
    short,
    signed,
    term,
)
from engine.ops import Op, never
from engine.problems import arguments, formula, input_name, input_names, local_derivative
from engine.rules import CORRECT
from engine.trace import Trace, kept_for_pass, run

Marks: TypeAlias = tuple[tuple[int, tuple[float, ...]], ...]
FIRST_LIMIT, WORKED_LIMIT = 100, 140
"""Characters of a first or second sentence, and of a worked one or praise; no longer one is said.
"""
_WIRES_NAMED: Final = 7
"""Earlier or later wires of a step up to which a sentence has room to name them all."""
_NAME_LENGTH: Final = 16
_STEPS: Final = (USUAL_CHANGE, 0.001, 0.0001)
"""Changes of an experiment, the first that shows the slope as it is displayed."""
PLACES: Final = (10.0, 5.0)
"""Where a number might stand as well; the second for one that stands at the first."""
_IN_PLACE: Final = (
    "in its first place in {n}",
    "in its second place in {n}",
    "in its third place in {n}",
)
_RATES: Final = ("local", "upstream", "share", "before", "after")
_SHARES: Final = ("upstream", "share")
_FORMS: Final = ("in", "add", "signed", "size")
_AFTER_EQUALS: Final = re.compile(f"= ({HOLE_BEGINS}[a-z][^{HOLE_ENDS}]*){HOLE_ENDS}")
_MARKS: Final = {"in": "([", "add": "&"}
"""What a hole has to be marked with for a form."""
_IN_ALL_OR_SO_FAR: Final = ("In all", "So far")

# Templates. r is the receiver, n the node that fires, L the root, o the other input, f the formula
# of n, F the same without a constant in it; `here` and `alone` say that r moves on one of its
# wires only, `by` over which. The numbers: `local`, `upstream`, `share` (the contribution),
# `before`, `after`; `own` is the value of `whose`; d… are changes. `in` brackets a number, `add`
# makes it a summand, `signed` gives it its sign. Of a pair the second is for numbers that a whole 1
# shows, or for the last wire.
_HERE: Final = ("{r}", "{r} on this wire")
_BY_ALONE: Final = ("", " {by} alone")
_NODE_MOVES: Final = "{r} +{step}{alone}: {n} {dn}."
_ROOT_MOVES: Final = "{r} +{step}{alone}: {n} {dn}, and {L} {dL}."
_ROOT_FOLLOWS: Final = "{r} +{step}{alone}: {n} {dn}; and {L} goes {upstream} times as far."
_FOR_ONE: Final = "How much of {target} is that for 1 of {r}?"
_FOLLOWS_FOR_ONE: Final = "How much of {target} for 1 of {r}?"
WHICH_WAY: Final = "{here} up: which way does {target} go?"
_TANGENT: Final = (
    "1 to the right, the tangent of {n} climbs {local}; {L} goes {upstream} times as far: how far?"
)
_CURVE: Final = "At {r} = {x}, follow the tangent of {n} for 1 to the right: how far up?"
_PLACES_ALIKE: Final = (
    "{r} at {own} or {place}: +{step}{alone} moves {target} by {moves} both times. And for 1?"
)
_BOTH_MOVE: Final = (
    "{r} +{step} moves {L} by {dbefore} {by_before} and by {dL} {by}. {in_all}, and for 1?"
)
_BOTH_RATES: Final = (
    "{L} goes {before} times as far here as {r} {by_before}, {share} times {by}. {in_all}?"
)
_ALL_MOVE: Final = "{r} +{step}: {L} {dall}. How much of {L} is that for 1 of {r}?"
_ONE_MORE: Final = "1 more of {r} is one more {factor} in {f}: {local}."
_SHARED_OUT: Final = "1 more of {r} is 1 ÷ {one} more of {n}: {local}."
_JUST_MORE: Final = "1 more of {r} is {local} more of {n}."
_JUST_LESS: Final = "1 more of {r} is {local_size} less of {n}."
_ALONE: Final = "1 more of {r} is {local} more of {n}, while {o} stays."
_SLOPE_IS: Final = "The slope of {f} along {r} is {rule}: {local}."
_GOES: Final = "{n} goes {local} times as far as {r}."
_IS_ROOT: Final = "{n} is the root, so × 1."
_EACH_ONE: Final = (
    "{L} goes {upstream} times as far as {n}: {upstream} × {local_in} = {share_signed}.",
    "Each 1 of {n} is {upstream} of {L}: {upstream} × {local_in} = {share_signed}.",
)
_AT_ONCE: Final = (
    "{r} can't move on one wire alone: {before} {by_before} and {share} {by} come at once,"
    " so {before} {share_add} = {after} so far; {later} still to come.",
    "{r} can't move on one wire alone: {before} {by_before} and {share} {by} come at once,"
    " so {before} {share_add} = {after}.",
)
_FAR: Final = (
    "{typed} is how many times as far {moved} goes as {mover}.",
    "{typed} is how far {moved} moves for 1 of {mover}.",
)
_HOW_FAR: Final = (
    "How many times as far as {mover} does {moved} go?",
    "How far does {moved} move for 1 of {mover}?",
)
_OWN: Final = "{typed} is {whose}'s own value: where {whose} stands."
_OWN_TIMES: Final = "{typed} is {upstream} × {own_in}, and {own} is {whose}'s own value."
_OF_THIS: Final = ("And how many times as far {by} alone?", "And how far {by} alone?")
_ALL_MENDED: Final = "{share} comes {by}; what comes on the other wires is added to it."
_GROW: Final = "If {r} grows by 1, how much does {n} grow?"  # the formula shows the answer
_GROW_BESIDE: Final = "If {r} grows by 1 and {o} stays, how much does {f} grow?"
_OWN_MENDED: Final = (
    "1 more of {r} is one more {factor} in {f}. Where {r} stands does not come into it."
)
_STEEP_WITH: Final = (
    "At the steepness here, how far does {L} go with it?",
    "How far does {L} move when {n} moves by {typed}?",
)
_STOPS: Final = (
    "{r} moves {n}, and {n} moves {L}: {local} × {upstream_in}. The slope alone stops at {n}."
)
_BEGINS: Final = "{typed} is what {n} begins with."
_BEGINS_MENDED: Final = (
    "{n} begins with 1, and goes {local} times as far as {r}.",
    "{n} begins with 1, and 1 of {r} is {local} of {n}.",
)
_IT_MOVES: Final = (
    "How many times as far as {here} is that?",
    "How far does it move for 1 of {here}?",
)
_PASSED_MENDED: Final = (
    "{L} goes {upstream} times as far as {n}, and {n} {local} times as far as {r}.",
    "{upstream} is for 1 of {n}, and 1 of {r} is {local} of {n}: so {upstream} × {local_in}.",
)
_DATA: Final = "{typed} is {whose}'s data: where {whose} stands."
_MADE: Final = "{typed} is {own} × {local_in}, and {own} is where {whose} stands."
_ELSEWHERE: Final = "If {r} stood at {place}, would {moved} move farther with it?"
_WHEN: Final = "How far does {moved} move when {r} moves{along}?"
_WHEN_ALONE: Final = "How far does {n} move when {r} moves and {o} stays?"
_STANDS: Final = (
    "{own} is where {whose} stands; {rate} is how many times as far {moved} goes as {mover}.",
    "{own} is where {whose} stands; {rate} is how far {moved} goes with 1 of {mover}.",
)
_FOR_SUM: Final = "{typed} is right for a sum."
_FOR_SUM_MENDED: Final = "Times: one more {factor} for 1 of {r}. Plus: just 1 more."
_ALONG: Final = "{f} goes along with {r}, whatever {o} is."
_PLACE: Final = "{typed} is the steepness at {value}."
_WHERE: Final = "Where on the curve are you: at {value} or at {x}?"
_PLACE_MENDED: Final = "The place is {r} = {x}; {value} is only the height there."
_OTHER_SIDE: Final = "{typed} is the share of {o}."
_EACH_SIDE: Final = "Each input has a slope of its own: {local} along {r}."
_WOULD: Final = "{typed}: {would} would {rise} with {with}."
_SAYS: Final = "{typed} says: {r} up 1, {n} {up} {size}, to {then}."
_THERE: Final = "What is {n} at {r} = {there}?"
_TURN: Final = "If {r} grows {how_far}, does {F} rise or fall?"
_TURN_BESIDE: Final = "If {r} grows by 1 and {o} stays, does {f} rise or fall?"
_TURN_MENDED: Final = "{r} up, {n} {turn_n}."
_TURN_FOR: Final = "{r} up, {n} {turn_n}, for {o} is {side_o} 0."
_TAKEN_AWAY: Final = "More of {r} is less of {f}: that is the minus."
_YES_AND: Final = "{moved} rises with {mover}, yes. And {target}, when {last} rises?"
_TURNS_MENDED: Final = "{r} up, {n} {turn_n}, {L} {turn_L}: "
# by whether the root falls with the node, and the node with the receiver
_TURNS: Final = {
    (True, True): (
        "{r} up: which way does {n} go, and {L} with that?",
        "two turns, so no minus is left.",
    ),
    (True, False): (_YES_AND, "the minus is {n}'s, not {r}'s."),
    (False, True): (_YES_AND, "the turn is between {r} and {n}."),
    (False, False): ("Does {n} fall when {r} rises? Does {L} fall with {n}?", "nothing turns."),
}
_ADDS_ONE: Final = "{typed} is the slope plus the 1 of {n}."
_ADDS_ONE_MENDED: Final = "{n} begins with 1, and times 1 changes nothing."
_ADDS: Final = "{typed} is the slope plus the gradient of {n}."
_EACH: Final = (
    "{r} turns {n}, {n} turns {L}, like gears: do slopes add?",
    "1 of {r} moves {n}, each 1 of {n} moves {L}: how far in all?",
)
_ADDS_MENDED: Final = "One behind the other, slopes multiply, as gears do: {local} × {upstream_in}."
_LAST_SHARE: Final = "{share} is the share {by}."
_FIRST_SHARE: Final = "{before} is the share {by_before}."
_ONLY: Final = "Move {r} slightly: does {L} feel it {by} only?"
_NOTHING: Final = "Move {r} slightly: does {L} feel nothing {by}?"
_SHARES_MENDED: Final = (
    "Shares come in turn, but {r} moves its wires at once: {before} {by_before},"
    " {share_signed} {by}."
)
_TWICE: Final = "{typed} is {before} {share_add} {share_add}."
_WIRES: Final = "How many wires lead from {r} to {n}?"
_TWICE_MENDED: Final = "One wire, one share: {before} {share_add}."
_PRODUCT: Final = "{typed} is {before} × {share_in}."
_IN_ALL: Final = "{L} moves {by_before} and {by}: how far in all?"
_SIDES: Final = "Side by side, shares add; one behind the other, slopes multiply."
_SIZE: Final = "{typed}: right size."
_SIZES: Final = "{typed} is {before_size} + {share_size}, without a sign."
_PULLS: Final = "Of {before} and {share_signed}, which pulls {L} harder, and which way?"
_EACH_PULLS: Final = "Which way does each of them pull {L}?"
_PULLS_MENDED: Final = "The stronger pull decides the sign: {before} {share_add}."
_ONE_WAY: Final = "{typed} is the share {via}."
_WAYS: Final = "On how many ways does {L} feel it when {r} moves?"
_AND_THE_ROOT: Final = (
    "How many times as far as {here} does {n} go, and {L} with it?",
    "How far does {n} move for 1 of {here}, and {L} with it?",
)
_WHICH_WIRES: Final = "Move {r} slightly: over which wires does {L} feel it, and how far in all?"
_WAYS_MENDED: Final = "{r} moves all its wires at once: the shares of all ways add."
_STANDS_NOW: Final = "{r} is {own}, and {L} is {root}."
_THEN: Final = "What is {L} if {r} is {next}?"
_SIGN_MENDED: Final = "Not the sign of {r} counts, but which way {L} goes when {r} rises."


class Claim(Struct, frozen=True):
    """What is said to happen to `watched` when the inputs along `wires` are raised by `change`.

    `effect` is its change; for a `change` of 0 its rate, in the limit; for None its value. Before
    that the inputs along the wires are moved by `shift`, or, without wires, the value itself is.
    """

    wires: tuple[Wire, ...]
    watched: int
    change: float | None
    effect: float
    shift: float = 0.0


class Said(Struct, frozen=True):
    """A sentence: its text, and each claim with the text of its effect, between bars its size.

    `asked` is the number that answers the question at its end, nan where none does. `marks` are
    the changes of the experiment at nodes of the sheet; more than one, where the learner is to add
    them. `formulas` are the texts in it that an operation of the table gives.
    """

    text: str
    claims: tuple[tuple[Claim, str], ...] = ()
    asked: float = math.nan
    marks: Marks = ()
    formulas: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The numbers of its claims as texts, without a plus."""
        return tuple(text.lstrip("+") for _claim, text in self.claims)


class Reason(Struct, frozen=True):
    """The answer to a belief: a fact with a question, and the praise once it is mended."""

    first: Said
    praise: Said


class _Telling(Struct, frozen=True):
    """The templates of fact, question and praise that answer a belief.

    `asked` is the number that answers the question. `names` are fields of these templates alone;
    `typed` among them is the claim of the number that was typed, where there is one.
    """

    fact: str
    asks: str
    praise: str
    asked: float = math.nan
    names: Mapping[str, str | Claim] = {}


_Params = ParamSpec("_Params")
_Result = TypeVar("_Result")


def _kept(
    compute: Callable[Concatenate["Spot", _Params], _Result],
) -> Callable[Concatenate["Spot", _Params], _Result]:
    """Keep what a function of a spot gives and notes, of fields on each way that is followed.

    There it asks again. It says no sentence, or begins without claims. Of numbers a property is
    computed once, as by `cached_property`.
    """

    @wraps(compute)
    def found(spot: "Spot", *args: _Params.args, **names: _Params.kwargs) -> _Result:
        trace = spot.trace
        if not isinstance(trace, FieldTrace) or not followed():
            if args or names:
                return compute(spot, *args, **names)
            if compute not in spot.kept:
                spot.kept[compute] = compute(spot, *args, **names)
            return spot.kept[compute]

        def noting() -> tuple[_Result, list[tuple[Claim, str]], list[str]]:
            before = spot.claims, spot.formulas
            spot.claims, spot.formulas = [], []
            result = compute(spot, *args, **names)
            noted = spot.claims, spot.formulas
            spot.claims, spot.formulas = before
            return result, *noted

        key = compute, spot.question, spot.digits, args, *names.items()
        result, claims, formulas = kept_by_way(trace.kept, key, noting)
        spot.claims += claims
        spot.formulas += formulas
        return result

    return found


class Spot:
    """What stands around the blank of one wire of a pass, and what moves when its input does.

    Of a final gradient there is no wire: `node` and `receiver` are the node that is asked about.
    """

    def __init__(self, question: Question, trace: Trace, digits: Digits) -> None:
        self.question, self.trace = question, trace
        self.digits: Digits = digits
        self.receiver, self.node = receiver(question, trace), question.node
        self.wire: Wire = (question.node, question.slot)
        self.root, self.graph = trace.root, trace.graph
        self.claims: list[tuple[Claim, str]] = []
        self.formulas: list[str] = []
        self.kept: dict[object, Any] = {}
        self.runs: dict[tuple[tuple[Wire, ...], float], Mapping[int, float]] = {}

    @cached_property
    def at(self) -> StepFacts:
        return facts(self.question, self.trace)

    @cached_property
    def op(self) -> Op:
        """The operation of the node that fires."""
        return self.graph.op(self.node)

    @cached_property
    def other(self) -> int | None:
        """The node in the other slot of an operation with two."""
        inputs = () if self.question.wire is None else self.graph.inputs(self.node)
        return inputs[1 - self.question.slot] if len(inputs) == 2 else None

    @property
    def has_free_other(self) -> bool:
        """Whether the other input is more than a constant, so that one may say that it stays."""
        return self.other is not None and not isinstance(self.graph.nodes[self.other], Constant)

    @property
    @_kept
    def moves_other(self) -> bool:
        """Whether the receiver moves the other input too, which then has to stay by itself."""
        return self.has_free_other and self.effect(self.wires, self.other or 0, 1.0) != 0

    @cached_property
    def places(self) -> list[int]:
        """The slots of the node that fires that the receiver fills."""
        inputs = self.graph.inputs(self.node)
        return [slot for slot, source in enumerate(inputs) if source == self.receiver]

    @property
    def is_twice(self) -> bool:
        """Whether the receiver fills several slots of the operation."""
        return len(self.places) > 1

    @property
    def is_shared(self) -> bool:
        """Whether the receiver moves the root through other operations, too."""
        return len(self.wires) > 1 and not self.is_twice

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
    def later(self) -> tuple[Wire, ...]:
        """The wires that are still to bring the receiver their share."""
        return tuple(w for w in self.wires if w != self.wire and w not in self.earlier)

    @property
    def around(self) -> dict[str, int | tuple[Wire, ...]]:
        """The nodes and wires that experiments are about, by the names that formulas have."""
        return {
            "n": self.node,
            "L": self.root,
            "r": self.receiver,
            **({} if self.other is None else {"o": self.other}),
            "wire": (self.wire,),
            "out": self.out_of(self.node),
            "wires": self.wires,
            "earlier": self.earlier,
            "arrived": (*self.earlier, self.wire),
        }

    @property
    def value_at_value(self) -> float:
        """The value of an operation with one input, if that were its value."""
        trace = self.trace
        if isinstance(trace, FieldTrace):
            return trace.letter("value_at_value")
        return self.op.forward(self.at.value)

    @property
    @_kept
    def is_plain(self) -> bool:
        """Whether experiments speak for this blank.

        They do where all numbers are finite, nothing on the way to the root has a kink here, and
        the pass holds what the correct one does. For a slope only its own operation counts.
        """
        kind, value = self.question.kind, self.trace.values[self.root]
        numbers: tuple[float, ...] = (final_gradient(self.receiver, self.trace), value)
        if self.question.wire is not None:
            at = self.at
            numbers = (*at.inputs, at.value, at.local)
            if kind != "local":
                numbers += (at.upstream, at.contribution, at.after)
        return (
            bool(self.wires)
            and are_finite(numbers)
            and len(self.places) < 3
            and not (self.is_twice and self.other is None)
            and not self._is_bent()
            and self._is_correct()
        )

    @property
    def is_sound(self) -> bool:
        """Whether all wires and places of the receiver are told apart, in a correct pass."""
        targets = [target for target, _slot in (*self.earlier, self.wire)]
        alone = not self.is_twice and len(set(targets)) == len(targets)
        return alone and self.trace.rules is CORRECT and self.is_plain

    def _is_bent(self) -> bool:
        """Return whether an operation that counts is bent; of fields all that is asked at once."""
        graph, trace, is_slope = self.graph, self.trace, self.question.kind == "local"
        nodes = (self.node,) if is_slope else graph.plan(self.root).order
        if not isinstance(trace, FieldTrace):
            return not _bent(trace).isdisjoint(nodes)
        values = (trace if is_slope else trace.whole).values
        ops = [n for n in nodes if isinstance(graph.nodes[n], OpNode)]
        kinks = [graph.op(n).kink_text(arguments(graph, n, values)) for n in ops]
        recorded = any(graph.op(n).uses for n in ops)
        return recorded or (any(kinks) and holds(" or ".join(filter(None, kinks))))

    def _is_correct(self) -> bool:
        """Return whether the pass holds here what the correct one does."""
        if self.trace.rules is CORRECT:
            return True
        if self.question.kind not in ("local", "contribution"):
            return False
        at, slope = self.at, local_derivative(self.graph, self.wire, self.trace.values)
        of_node = self.question.kind == "local" or near(
            at.upstream, run(self.graph, self.root).gradients[self.node]
        )
        return near(at.local, slope) and of_node

    @property
    def at_root(self) -> bool:
        """Whether the node that fires is the root, whose gradient is 1."""
        return self.node == self.root

    # claims

    def same(self, x: float, y: float) -> bool:
        """Return whether two numbers are displayed alike."""
        if (asked := asks("same", x, y, str(self.digits))) is not None:
            return asked
        return short(x, self.digits) == short(y, self.digits)

    def effect(
        self, wires: Iterable[Wire], watched: int, change: float = USUAL_CHANGE, shift: float = 0.0
    ) -> float:
        """Return by how much a node changes when the inputs along wires are raised."""
        along = tuple(wires)
        if isinstance(self.trace, FieldTrace):
            return self.trace.effect(along, watched, change, shift, along)
        before, after = self._raised(along, shift), self._raised(along, shift + change)
        return difference(after[watched], before[watched])

    def _raised(self, wires: tuple[Wire, ...], change: float) -> Mapping[int, float]:
        """Return the values of all nodes with the inputs along wires raised, each run once."""
        if not change:
            return self.trace.values
        if (wires, change) not in self.runs:
            self.runs[wires, change] = raised(self.trace, wires, change)
        return self.runs[wires, change]

    def shows(self, wires: Iterable[Wire], watched: int, change: float, rate: float) -> bool:
        """Return whether an experiment displays a rate."""
        return self.same(self.effect(wires, watched, change) / change, rate)

    def all_show(self, *experiments: tuple[tuple[Wire, ...], int, float, float]) -> bool:
        """Return whether all of several experiments display a rate, as `shows` does of one."""
        if not isinstance(self.trace, FieldTrace):
            return all(self.shows(*each) for each in experiments)
        terms = (
            (term(self.effect(along, watched, change) / change), term(rate))
            for along, watched, change, rate in experiments
        )
        return holds(" and ".join(f"same({x}, {rate}, {self.digits})" for x, rate in terms))

    @property
    @_kept
    def step(self) -> float:
        """The change of the experiment: the first that shows the slope; nan if none does."""
        along, rate = (self.wire,), self.at.local
        if isinstance(self.trace, FieldTrace):
            asked = "wire", "n", term(rate), str(self.digits), *map(str, _STEPS)
            return FieldNumber(_STEPS[0], f"firstShown({', '.join(asked)})")
        fits = (x for x in _STEPS if self.shows(along, self.node, x, rate))
        return next(fits, math.nan)

    @property
    def has_step(self) -> bool:
        """Whether a change shows the slope."""
        if isinstance(self.step, FieldNumber):
            return not holds(f"isNaN({self.step.key})")
        return not math.isnan(self.step)

    @property
    @_kept
    def is_straight(self) -> bool:
        """Whether a whole 1 along the wire moves the node by the slope."""
        return self.shows((self.wire,), self.node, 1.0, self.at.local)

    @property
    @_kept
    def steady(self) -> bool:
        """Whether a whole 1 along the wire, and of the node, moves the root by its gradient."""
        at, out = self.at, self.out_of(self.node)
        upstream = () if self.at_root else ((out, self.root, 1.0, at.upstream),)
        return self.all_show(*upstream, ((self.wire,), self.root, 1.0, at.contribution))

    def is_whole(self, name: str) -> bool:
        """Return whether a whole 1 shows a gradient or slope."""
        return self.is_straight if name == "local" else name in _SHARES and self.steady

    def rate(self, name: str) -> Claim:
        """Return the claim of a gradient or slope: for a whole 1 where that is exact.

        Of fields nothing is claimed.
        """
        this = (self.wire,)
        if name == "after" and self.question.wire is None:
            return Claim(self.wires, self.root, 0.0, final_gradient(self.node, self.trace))
        at, whole = self.at, float(not isinstance(self.trace, FieldTrace) and self.is_whole(name))
        so_far = (*self.earlier, self.wire) if self.later else self.wires
        return {
            "local": Claim(this, self.node, whole, at.local),
            "upstream": Claim(self.out_of(self.node), self.root, whole, at.upstream),
            "share": Claim(this, self.root, whole, at.contribution),
            "before": Claim(self.earlier, self.root, 0.0, at.before),
            "after": Claim(so_far, self.root, 0.0, at.after),
        }[name]

    def change(
        self, wires: tuple[Wire, ...], watched: int, step: float = USUAL_CHANGE, shift: float = 0.0
    ) -> Claim:
        """Return the claim that a node changes by this much for a change along wires."""
        return Claim(wires, watched, step, self.effect(wires, watched, step, shift), shift)

    def value(self, node: int, shift: float = 0.0) -> Claim:
        """Return the claim that a node stands at its value, or would if that were moved."""
        return Claim((), node, None, self.trace.values[node] + shift, shift)

    @_kept
    def turn(self, name: str) -> str:
        """Return in which direction a rate goes."""
        claim = replace(self.rate(name), change=0.0)
        return self.number(claim, text=by_sign(claim.effect, "up", "down", "nowhere"))

    @_kept
    def elsewhere(self, *, of_slope: bool) -> float:
        """Return another place of the receiver from where the node moves alike; nan if none.

        If not `of_slope` it is the root that does. The receiver is moved there on all its wires.
        """
        x, step, wire = self.trace.values[self.receiver], self.step, (self.wire,)
        moved = self.node if of_slope else self.root
        rate = self.at.local if of_slope else self.at.contribution
        if isinstance(self.trace, FieldTrace):
            return self._elsewhere_of_fields(self.trace, moved, rate)
        if math.isnan(step):
            return math.nan
        place = PLACES[x == PLACES[0]]
        there = dict.fromkeys(self.wires, place - x)
        before = shifted(self.trace, there)[moved]
        after = shifted(self.trace, there | {self.wire: place - x + step})[moved]
        alike = self.same(difference(after, before) / step, rate)
        return place if alike and self.shows(wire, moved, step, rate) else math.nan

    def _elsewhere_of_fields(self, trace: FieldTrace, moved: int, rate: float) -> float:
        """Return another place as a formula, where one condition holds."""
        x, step, wire, (first, second) = (
            trace.values[self.receiver],
            self.step,
            (self.wire,),
            PLACES,
        )
        place = FieldNumber(first, f"({second} if {term(x)} == {first} else {first})")
        effects = (
            trace.effect(wire, moved, step, place - x, self.wires),
            self.effect(wire, moved, step),
        )
        alike = (f"same({term(effect / step)}, {term(rate)}, {self.digits})" for effect in effects)
        return place if holds(" and ".join(alike)) else math.nan

    # sentences

    @_kept
    def field(self, name: str) -> str | Claim:
        """Return a field of a template: a text, or the claim of a number."""
        if name in _RATES:
            return self.rate(name)
        if isinstance(self.graph, NamedGraph) and name in self.graph.words:
            return self.graph.word(name)
        one = "" if self.other is None else input_name(self.graph, self.other, self.digits)
        this, small = (self.wire,), self.question.kind in ("sum", "final")

        def step() -> float:
            return USUAL_CHANGE if small else self.step if self.question.wire else math.nan

        makers: dict[str, Callable[[], str | Claim]] = {
            "r": self._receiver,
            "n": lambda: self.brief(self.node),
            "L": lambda: self.brief(self.root),
            "f": lambda: self.noted(formula(self.graph, self.node, self.digits)),
            "F": lambda: self.field("f" if self.has_free_other or self.other is None else "n"),
            "rule": self._rule,
            "one": lambda: one,
            "factor": lambda: self._factor(one),
            "o": lambda: f"the other {one}" if self.is_twice else one,
            "here": lambda: self.filled(_HERE[self.is_shared]),
            "alone": lambda: self.filled(_BY_ALONE[self.is_shared]),
            "step": lambda: short(step()),
            "in_all": lambda: _IN_ALL_OR_SO_FAR[bool(self.later)],
            "by": lambda: self.over(this),
            "by_all": lambda: self.over(self.wires),
            "by_before": lambda: self.over(self.earlier),
            "later": lambda: " and ".join(dict.fromkeys(self.brief(w[0]) for w in self.later)),
            "dn": lambda: self.change(this, self.node, step()),
            "dL": lambda: self.change(this, self.root, step()),
            "dbefore": lambda: self.change(self.earlier, self.root),
            "dall": lambda: self.change(self.wires, self.root),
            "turn_n": lambda: self.turn("local"),
            "turn_L": lambda: self.turn("share"),
            "side_o": lambda: self._side(self.other or 0),
            "value": lambda: self.value(self.node),
            "x": lambda: self.value(self.receiver),
        }
        return makers[name]()

    def brief(self, node: int) -> str:
        """Return the short name of a node."""
        return self.graph.brief(node, _NAME_LENGTH)

    def _receiver(self) -> str:
        name = self.brief(self.receiver)
        return f"this {name}" if self.is_twice and self.question.kind != "sum" else name

    def _factor(self, name: str) -> str:
        """Return the name of the other input, which is claimed to be the slope."""
        assert self.other is not None
        self.claims.append((self.value(self.other), short(self.at.local, self.digits)))
        return name

    def _side(self, node: int) -> str:
        claim = self.value(node)
        return self.number(claim, text=by_sign(claim.effect, "above", "below", "above"))

    def _rule(self) -> str:
        slope = self.op.slopes[self.question.slot]
        names = input_names(self.graph, self.node, self.digits)
        return self.noted(self.op.filled(slope, names))

    def noted(self, text: str) -> str:
        """Return a text that an operation gives, which is noted."""
        self.formulas.append(text)
        return text

    def over(self, wires: Iterable[Wire]) -> str:
        """Return the wires in words: `over d and over e`, or `in its first place in y`."""
        parts: list[str] = []
        for target, slot in wires:
            sources = enumerate(self.graph.inputs(target))
            places = [k for k, source in sources if source == self.receiver]
            by = "over {n}" if places == [slot] else _IN_PLACE[min(places.index(slot), 2)]
            parts.append(by.format(n=self.brief(target)))
        return " and ".join(parts)

    def number(self, claim: Claim, form: str = "", text: str = "") -> str:
        """Return a number of a sentence, whose claim is noted, in one of the `_FORMS`.

        A change has its sign, ±0 if there is none.
        """
        effect = claim.effect
        is_change = isinstance(claim.change, FieldNumber) or claim.change not in (None, 0.0, 1.0)
        if is_change and isinstance(effect, FieldNumber):
            text = text or f"{signed(effect, self.digits)[:-1]}±{HOLE_ENDS}"
        elif is_change and not effect:
            text = "±0"
        elif is_change or form == "signed":
            text = text or signed(effect, self.digits)
        text = text or short(abs(effect) if form == "size" else effect, self.digits)
        self.claims.append((claim, f"|{text}|" if form == "size" else text))
        if text.endswith(HOLE_ENDS):
            return f"{text[:-1]}{_MARKS.get(form, '')}{HOLE_ENDS}"
        if form == "in" and text.startswith(("−", "≈")):
            return f"({text})"
        if form == "add":
            return f"− {text[1:]}" if text.startswith("−") else f"+ {text}"
        return text

    def filled(self, template: str, names: Mapping[str, str | Claim] | None = None) -> str:
        """Return a template with its fields; the claims in it are noted."""

        def written(found: re.Match[str]) -> str:
            name, _underscore, form = found[1].partition("_")
            if form not in _FORMS:
                name, form = found[1], ""
            field = names[name] if names and name in names else self.field(name)
            return field if isinstance(field, str) else self.number(field, form)

        text = re.sub(r"{(\w+)}", written, template).replace("= ≈", "≈")
        return _AFTER_EQUALS.sub(rf"\1={HOLE_ENDS}", text) if HOLE_ENDS in text else text

    def said(self, text: str, asked: float = math.nan) -> Said:
        """Return a sentence with the claims that were noted since the last one."""
        claims, self.claims = tuple(self.claims), []
        changes = [] if isinstance(self.trace, FieldTrace) else [claim for claim, _text in claims]
        moves = [x for x in changes if x.change not in (None, 0.0, 1.0) and not x.shift]
        watched = dict.fromkeys(move.watched for move in moves)
        marks = [(node, tuple(x.effect for x in moves if x.watched == node)) for node in watched]
        if moves and (change := moves[0].change):
            marks.insert(0, (self.receiver, (change,)))
        formulas, self.formulas = tuple(self.formulas), []
        begun = f"T{text[1:]}" if self.is_twice and text.startswith("this ") else text
        return Said(begun, claims, asked, tuple(marks), formulas)


@kept_for_pass
def _bent(trace: Trace) -> frozenset[int]:
    """Return the operations that have a kink here, or were only recorded."""
    graph, found = trace.graph, list[int]()
    for node in (n for n in trace.values if isinstance(graph.nodes[n], OpNode)):
        op = graph.op(node)  # with all its inputs: one with an empty slot has no value
        bends = op.kink is not never and op.kink(*arguments(graph, node, trace.values))
        found += [node] if bends or op.uses else []
    return frozenset(found)


def named_nodes(question: Question, trace: Trace, *, helped: bool) -> set[int]:
    """Return the nodes that a question speaks of; once it `helped`, also all that is said of it."""
    graph, kind, s = trace.graph, question.kind, Spot(question, trace, DIGITS_SHOWN)
    found = {s.node, s.receiver}
    if not helped and kind in ("upstream", "contribution", "sum"):
        return found
    found.update(source for source in graph.inputs(s.node) if source is not None)
    if kind == "change":
        found |= {question.leaf, *set(graph.leaves).intersection(graph.plan(s.node).order)}
    elif question.wire is None and kind != "value":
        found |= {s.root, *(target for target, _slot in s.wires)}
    elif kind not in ("local", "value"):
        short_enough = (x for x in (s.earlier, s.later) if len(x) <= _WIRES_NAMED)
        found |= {s.root, *(target for wires in short_enough for target, _slot in wires)}
    return found


# The experiment, and the work


def experiment(
    question: Question,
    trace: Trace,
    digits: Digits = DIGITS_SHOWN,
    *,
    asks_slope: bool = False,
    belief: Belief | None = None,
) -> Said | None:
    """Return the second help: a small raise along the wires that count, and what moves how far.

    `asks_slope`: of a contribution the slope is asked for first. A `belief` that data is the
    gradient is answered at two places, where everything moves alike; of one with the other sign
    the direction is asked for.
    """
    s = _spot(question, trace, digits)
    if s is None or (question.kind == "sum" and not s.earlier):
        return None
    if s.question.kind == "final":
        told = _all_wires(s)
    elif question.kind == "sum":
        told = _two_wires(s)
    else:
        local = asks_slope or question.kind == "local"
        of_place = belief is not None and belief.name in OF_PLACE and len(s.wires) == 1
        told = two_places(s, of_slope=local) if of_place else None
        has_size = belief is not None and belief.name in LOST_MINUS and s.at.contribution != 0
        told = told or _one_wire(s, asks_slope=asks_slope, has_size=has_size)
    return told if told is not None and fits(told.text, FIRST_LIMIT) else None


OF_PLACE: Final = (
    *("own value", "value for slope", "value for upstream", "data for contribution"),
    "value for gradient",
)
"""Beliefs that where a number stands is how it moves."""


def _spot(question: Question, trace: Trace, digits: Digits) -> Spot | None:
    """Return the spot of a question; of a node with one wire that of its contribution."""
    if question.kind == "final" and trace.rules is CORRECT:
        arrivals = trace.schedule.arrivals.get(question.node, ())
        if len(arrivals) == 1:
            event = trace.events[arrivals[0]]
            question = Question("contribution", event.sender, event.slot, arrivals[0] + 1)
    elif question.wire is None or question.kind not in ("local", "contribution", "sum"):
        return None
    if not isinstance(trace, FieldTrace):
        spot = Spot(question, trace, digits)
        return spot if spot.is_plain else None
    spot = trace.once((Spot, question, digits), lambda: Spot(question, trace, digits))
    spot.claims, spot.formulas = [], []
    return spot if spot.is_plain else None


@_kept
def _one_wire(s: Spot, *, asks_slope: bool, has_size: bool) -> Said | None:
    at, is_slope = s.at, s.question.kind == "local" or s.at_root
    if not s.is_straight and not is_slope and not asks_slope:
        return s.said(s.filled(_TANGENT), at.contribution)
    if not s.has_step:
        return None if s.is_straight else s.said(s.filled(_CURVE), at.local)
    target, asked = ("n", at.local) if is_slope or asks_slope else ("L", at.contribution)
    told, asks = _NODE_MOVES, _FOR_ONE if s.is_straight else _HOW_FAR[False]
    if not is_slope and s.shows((s.wire,), s.root, s.step, at.contribution):
        told, asks = _ROOT_MOVES, _FOR_ONE
    elif not is_slope:
        told, asks = _ROOT_FOLLOWS, _FOLLOWS_FOR_ONE
    if has_size:
        asks, asked = WHICH_WAY, math.nan
        # a slope above 0 has lost no sign, also where it is the first blank
        target = "n" if is_slope or (asks_slope and at.local < 0) else "L"
    names = {"target": s.field(target), "mover": s.field("r"), "moved": s.field("n")}
    return s.said(s.filled(f"{told} {asks}", names), asked)


@_kept
def two_places(s: Spot, *, of_slope: bool) -> Said | None:
    """Return the experiment where the receiver stands and at another place, if they are alike."""
    place = s.elsewhere(of_slope=of_slope)
    if math.isnan(place):
        return None
    shift = place - s.trace.values[s.receiver]
    moved, asked = (s.node, s.at.local) if of_slope else (s.root, s.at.contribution)
    if len(s.wires) == 1:
        s.number(s.change((s.wire,), moved, s.step, shift))
    names = {
        "own": s.value(s.receiver),
        "place": s.value(s.receiver, shift),
        "target": s.brief(moved),
        "moves": s.change((s.wire,), moved, s.step),
    }
    return s.said(s.filled(_PLACES_ALIKE, names), asked)


def _two_wires(s: Spot) -> Said:
    rates = [s.rate(name) for name in ("before", "share", "after")]
    shown = s.all_show(*((c.wires, s.root, USUAL_CHANGE, c.effect) for c in rates))
    return s.said(s.filled(_BOTH_MOVE if shown else _BOTH_RATES), s.at.after)


def _all_wires(s: Spot) -> Said | None:
    gradient = s.rate("after").effect
    shown = s.shows(s.wires, s.root, USUAL_CHANGE, gradient)
    return s.said(s.filled(_ALL_MOVE), gradient) if shown else None


def question_alone(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> str:
    """Return the question that leads to the answer, without a number; "" where none may be asked.

    It says neither that slopes multiply nor that shares add.
    """
    s = _spot(question, trace, digits)
    if s is None:
        return ""
    if question.kind == "sum":
        return s.filled(_WHICH_WIRES)
    if s.question.kind == "final":
        return s.filled(_WAYS)
    if s.question.kind == "contribution" and not s.at_root:
        return s.filled(_AND_THE_ROOT[s.is_straight])
    names = {"moved": s.field("n"), "mover": s.field("here")}
    return s.filled(_HOW_FAR[s.is_straight], names)


def because(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> Said | None:
    """Return the right number's calculation with the reason for each operation in it."""
    s = _spot(question, trace, digits) if question.kind != "final" else None
    if s is None or (question.kind == "sum" and not s.earlier):
        return None
    templates = [_AT_ONCE[not s.later] if question.kind == "sum" else _why(s)]
    if question.kind == "contribution":
        templates.append(_IS_ROOT if s.at_root else _EACH_ONE[s.steady])
    told = s.said(" ".join(map(s.filled, templates)))
    return told if fits(told.text, WORKED_LIMIT) else None


def _why(s: Spot) -> str:
    """Return the template of the reason for a slope."""
    if s.op.name == "mul":
        return _ONE_MORE
    if s.op.name == "div" and s.is_straight:
        return _SHARED_OUT
    if not s.is_straight:
        has_formula = any(map(str.isalpha, s.op.slopes[s.question.slot]))
        return _SLOPE_IS if has_formula else _GOES
    if s.at.local < 0:
        return _JUST_LESS
    return _ALONE if s.moves_other else _JUST_MORE


# Beliefs


def reason_for(
    belief: Belief,
    number: float,
    question: Question,
    trace: Trace,
    digits: Digits = DIGITS_SHOWN,
    *,
    most: int = FIRST_LIMIT,
) -> Reason | None:
    """Return the reason that answers a belief with its number, None where not each claim holds.

    Nor where its first sentence has more than that many characters.
    """
    if question.kind == "sign":
        return _reason_for_sign(question, trace, digits) if belief.kind == "sign" else None
    s, tell = _spot(question, trace, digits), _TELLERS.get(belief.name)
    carried = belief.kind != question.kind and question.kind != "contribution"
    told = None if s is None or tell is None or carried else tell(s, number)
    if s is None or told is None:
        return None
    names = {"typed": short(number, digits), **told.names}
    if isinstance(trace, FieldTrace) and isinstance(typed := names["typed"], Claim):
        names["typed"] = s.number(typed, text=short(number, digits))  # displayed alike
    first = s.said(f"{s.filled(told.fact, names)} {s.filled(told.asks, names)}", told.asked)
    praise = s.said(s.filled(told.praise, names))
    praise = praise if fits(praise.text, max(most, WORKED_LIMIT)) else Said("")
    return Reason(first, praise) if fits(first.text, most) else None


def first_reason(
    beliefs: Iterable[Belief], number: float, question: Question, trace: Trace, digits: Digits
) -> Reason | None:
    """Return the reason of the first belief that has one, of those with this very number."""
    for belief in beliefs:
        if any(near(result, number) for _x, result in wrong_and_answer(belief, question, trace)):
            found = reason_for(belief, number, question, trace, digits)
            if found is not None:
                return found
    return None


def _grow(s: Spot) -> str:
    return _GROW_BESIDE if s.has_free_other else _GROW


def _of(s: Spot, whose: int) -> dict[str, str | Claim]:
    """Return the fields of a number that is the value of a node."""
    return {"whose": s.brief(whose), "own": s.value(whose)}


def _of_value(s: Spot, number: float, whose: int, mended: str) -> _Telling | None:
    """Answer who typed a value of the operation's inputs, or the upstream gradient times that."""
    x, slope, names = s.trace.values[whose], s.at.local, _of(s, whose)
    asks = _grow(s) if s.is_straight else _HOW_FAR[False]
    names |= {} if s.is_straight else _moving(s, "n", "here")
    if s.same(number, x):
        return _Telling(_OWN, asks, mended, slope, {**names, "typed": names["own"]})
    if s.question.kind == "contribution" and s.same(number, s.at.upstream * x):
        return _Telling(_OWN_TIMES, asks, mended, slope, names)
    return None


def _other_rule(s: Spot, number: float) -> _Telling | None:
    if not s.has_free_other or s.other is None or s.is_twice:
        return None  # of a constant there is no name to speak of
    if s.op.name == "mul":
        return _Telling(_FOR_SUM, _grow(s), _FOR_SUM_MENDED, s.at.local)
    return _of_value(s, number, s.other, _ALONG)


def _moving(s: Spot, moved: str, mover: str, typed: str = "") -> dict[str, str | Claim]:
    """Return the fields of what moves with what, and of the rate that was typed."""
    names = {"moved": s.field(moved), "mover": s.field(mover)}
    return {**names, "typed": s.rate(typed)} if typed else names


def _slope_only(s: Spot, _number: float) -> _Telling | None:
    asks = _STEEP_WITH[s.is_straight and s.steady]
    names = _moving(s, "n", "here", "local")
    return _Telling(_FAR[s.is_straight], asks, _STOPS, s.at.contribution, names)


def _passed_on(s: Spot, _number: float) -> _Telling | None:
    if s.at_root:
        asks, mended = _HOW_FAR[s.is_straight], _BEGINS_MENDED[s.is_straight]
        return _Telling(_BEGINS, asks, mended, s.at.local, _moving(s, "n", "r"))
    steady = s.steady and s.is_straight
    told = _FAR[s.steady], _IT_MOVES[steady], _PASSED_MENDED[steady]
    return _Telling(*told, s.at.contribution, _moving(s, "L", "n", "upstream"))


def _data(s: Spot, number: float) -> _Telling | None:
    kind, values = s.question.kind, s.trace.values
    whose = next((x for x in (s.receiver, s.node) if s.same(number, values[x])), None)
    if kind == "contribution" and whose is None and s.same(number, s.at.value * s.at.local):
        return _made_of_data(s)
    if whose is None or (kind in ("sum", "final") and whose != s.receiver):
        return None
    name = {"local": "local", "contribution": "share"}.get(kind, "after")
    rate, praise = s.rate(name), _STANDS[s.is_whole(name)]
    along = s.filled("{alone}") if kind == "contribution" else ""
    if kind == "sum" and s.later:
        along = s.filled(" {by_before} and {by}")
    names = _of(s, whose) | _moving(s, "n" if kind == "local" else "L", "r")
    names |= {"typed": names["own"], "along": along, "rate": rate}
    names["mover"] = f"{names['mover']}{along}"
    if kind in ("local", "contribution") and whose == s.receiver and len(s.wires) == 1:
        place = s.elsewhere(of_slope=kind == "local")
        if not math.isnan(place):
            names["place"] = s.value(s.receiver, place - values[s.receiver])
            return _Telling(_DATA, _ELSEWHERE, praise, names=names)
    asks = _WHEN_ALONE if kind == "local" and s.has_free_other else _WHEN
    return _Telling(_DATA, asks, praise, rate.effect, names)


def _made_of_data(s: Spot) -> _Telling | None:
    if s.at_root:
        return None
    names = _of(s, s.node) | _moving(s, "L", "n") | {"rate": s.rate("upstream")}
    # not for the gradient of the node that fires, which may be printed, or right in this try
    asks, praise = _AND_THE_ROOT[s.is_straight], _STANDS[s.steady]
    return _Telling(_MADE, asks, praise, s.at.contribution, names)


def _of_all_wires(s: Spot, number: float) -> _Telling | None:
    if s.trace.rules is not CORRECT:
        return None
    whole = s.shows(s.wires, s.root, 1.0, number) and s.steady
    names = _moving(s, "L", "r") | {"typed": Claim(s.wires, s.root, float(whole), number)}
    names["mover"] = s.filled("{r} {by_all}")
    return _Telling(_FAR[whole], _OF_THIS[whole], _ALL_MENDED, s.at.contribution, names)


def _place(s: Spot, number: float) -> _Telling | None:
    value = s.at.value
    is_curve = len(s.at.inputs) == 1 and s.question.kind == "local" and not s.op.is_kink(value)
    if not is_curve or not are_finite([s.value_at_value]):
        return None
    x = s.at.inputs[0]
    steep = Claim((s.wire,), s.node, 0.0, number, value - x)
    return _Telling(_PLACE, _WHERE, _PLACE_MENDED, x, {"typed": steep})


def _other_side(s: Spot, number: float) -> _Telling | None:
    if not s.has_free_other or s.is_twice:
        return None
    share = Claim(((s.node, 1 - s.question.slot),), s.root, 0.0, number)
    names = _moving(s, "L", "here") | {"typed": share}
    return _Telling(_OTHER_SIDE, _HOW_FAR[s.steady], _EACH_SIDE, s.at.contribution, names)


def _lost_sign(s: Spot, number: float) -> _Telling | None:
    if not s.at.contribution and s.question.kind != "local":
        return None
    would, asked = _WOULD, math.nan
    names: dict[str, str | Claim] = {"rise": by_sign(number, "rise", "fall", "rise")}
    if s.question.kind == "local" or s.at_root:
        names |= {"would": s.field("F"), "with": s.field("r")}
        names["how_far"] = "by 1" if s.is_straight else "slightly"
        beside = s.has_free_other and s.is_straight
        asks, mended = _TURN_BESIDE if beside else _TURN, _TURN_MENDED
        if (compared := _compared(s, number)) is not None:
            would, asks, asked = _SAYS, _THERE, s.trace.values[s.node] + s.at.local
            names |= compared
        if s.op.name == "mul" and s.has_free_other and not s.is_twice:
            mended = _TURN_FOR
        elif s.op.name == "sub" and s.question.slot == 1 and not s.is_twice:
            mended = _TAKEN_AWAY
        return _Telling(would, asks, mended, asked, names)
    asks, mended = _TURNS[s.at.upstream < 0, s.at.local < 0]
    fields = ("L", "n", "n", "r") if s.at.local < 0 else ("n", "r", "L", "n")
    pairs = zip(("moved", "mover", "target", "last"), map(s.field, fields), strict=True)
    names |= {**dict(pairs), "would": s.field("L"), "with": s.field("here")}
    return _Telling(would, asks, f"{_TURNS_MENDED}{mended}", names=names)


def _compared(s: Spot, number: float) -> dict[str, str | Claim] | None:
    """Return the fields of what a wrong slope says of 1 more of the receiver.

    None where what arithmetic gives there is no work for the head, or where a number is one that is
    asked for.
    """
    then, there = s.value(s.node, number), s.value(s.receiver, 1.0)
    sizes = {short(abs(x), s.digits) for x in (s.at.local, s.at.contribution, s.at.after)}
    texts = {short(abs(claim.effect), s.digits) for claim in (then, there)}
    is_plain = s.is_straight and s.op.family == "Arithmetic" and not s.is_twice
    is_hard = s.moves_other or are_rounded(s.at.inputs, 3)
    if not is_plain or is_hard or not are_apart(sizes, texts):
        return None
    up = by_sign(number, "up", "down", "up")
    return {"then": then, "there": there, "up": up, "size": short(abs(number), s.digits)}


def _added(s: Spot, _number: float) -> _Telling | None:
    if s.at_root:
        names, asks = _moving(s, "n", "r"), _HOW_FAR[s.is_straight]
        return _Telling(_ADDS_ONE, asks, _ADDS_ONE_MENDED, s.at.local, names)
    return _Telling(_ADDS, _EACH[s.steady and s.is_straight], _ADDS_MENDED, s.at.contribution)


def _sum_sign(s: Spot, _number: float) -> _Telling | None:
    opposed = s.at.before * s.at.contribution < 0
    return _Telling(_SIZE, _PULLS, _PULLS_MENDED) if opposed else None


def _one_of_paths(s: Spot, number: float) -> _Telling | None:
    """Answer who gave the share of one wire as a final gradient."""
    events = (s.trace.events[k] for k in s.trace.schedule.arrivals.get(s.receiver, ()))
    wire = next(((e.sender, e.slot) for e in events if s.same(e.contribution, number)), None)
    ways = path_count(s.graph, s.receiver, s.root)
    if wire is None or ways < 2:
        return None
    names = {"typed": Claim((wire,), s.root, 0.0, number), "via": s.over([wire])}
    return _Telling(_ONE_WAY, _WAYS, _WAYS_MENDED, float(ways), names)


def _reason_for_sign(question: Question, trace: Trace, digits: Digits) -> Reason | None:
    """Answer who takes the sign of a number for the direction of the root; None at gradient 0."""
    s = Spot(question, trace, digits)
    gradient = final_gradient(s.node, trace)
    moved = s.effect(s.wires, s.root, 1.0)
    there = Claim(s.wires, s.root, None, trace.values[s.root] + moved, 1.0)
    by_hand = not is_rounded(there.effect, digits)
    if trace.rules is not CORRECT or not by_hand or not s.is_plain or moved * gradient <= 0:
        return None
    names = {"own": s.value(s.node), "root": s.value(s.root), "next": s.value(s.node, 1.0)}
    first = s.said(s.filled(f"{_STANDS_NOW} {_THEN}", names), there.effect)
    praise = s.said(s.filled(_SIGN_MENDED))
    return Reason(first, praise) if len(first.text) <= FIRST_LIMIT else None


_TELLERS: Final[Mapping[str, Callable[[Spot, float], _Telling | None]]] = {
    "own value": lambda s, number: _of_value(
        s, number, s.receiver, _OWN_MENDED if s.op.name == "mul" else _why(s)
    ),
    "upstream forgotten": _slope_only,
    "slope given for gradient": _slope_only,
    "local derivative forgotten": _passed_on,
    "value for slope": _data,
    "value for upstream": _data,
    "data for contribution": _data,
    "data for sum": _data,
    "gradient for contribution": _of_all_wires,
    "value for gradient": _data,
    "product as sum": _other_rule,
    "sum as product": _other_rule,
    "slope at the output": _place,
    "other input's slope": _other_side,
    "minus lost in the slope": _lost_sign,
    "minus lost": _lost_sign,
    "factors added": _added,
    "replaced": lambda _s, _number: _Telling(_LAST_SHARE, _ONLY, _SHARES_MENDED),
    "not added": lambda _s, _number: _Telling(_FIRST_SHARE, _NOTHING, _SHARES_MENDED),
    "counted twice": lambda s, _number: _Telling(
        _TWICE, _WIRES, _TWICE_MENDED, float(len(s.places))
    ),
    "multiplied": lambda s, _number: _Telling(_PRODUCT, _IN_ALL, _SIDES, s.at.after),
    "minus lost in the sum": _sum_sign,
    "sizes added": lambda _s, _number: _Telling(_SIZES, _EACH_PULLS, _PULLS_MENDED),
    "one path only": _one_of_paths,
}
"""What answers a belief, by its name."""
