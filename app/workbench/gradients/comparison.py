"""Comparison: a pass with a mistake against the correct one, step by step, and its verdicts.

A step goes wrong when it carries another contribution than the correct pass sends along that wire,
or when the gradient after it is not the partial sum of the correct contributions. A pass that runs
twice is judged as if it had begun from zero each time.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from app.controls.spans import Span, Spans, number_span
from engine.frame import Frame
from engine.graph import Leaf, Wire
from engine.numbers import Digits, counted, full, short, signed
from engine.rules import CORRECT
from engine.trace import Event, Trace, run

_RELATIVE_TOLERANCE = 1e-9
"""Sums in another order differ by about 1e-15 of a summand; a mistake shows in the digits."""


WRONG_STEPS: Final = {
    (True, True): ("✘ First difference:", " the correct pass has "),
    (True, False): ("✘ First difference:", " the correct pass sends "),
    (False, True): ("✘", " The correct pass has "),
    (False, False): ("✘", " The correct pass sends "),
}
"""The remark at a step that goes wrong, before its number: by whether it is the first one, and
whether the sum is named, not what is sent."""
_AGREE: Final = "no gradient differs"
_ONE_DIFFERS: Final = "1 of {known:,} gradients differs"
_MANY_DIFFER: Final = "{count:,} of {known:,} gradients differ"
_ONLY_DIFFERS: Final = "{count} of 1 gradient differs"


class Comparison(Struct, frozen=True, dict=True):
    """A wrong pass against the correct one.

    `correct` maps each wire to its event in the correct pass, `final` each node to its correct
    gradient. `expected` holds for each step of the wrong pass the correct gradient of its node
    after it, `wrong` the cursors after the steps that go wrong.
    """

    trace: Trace
    correct: Mapping[Wire, Event]
    final: Mapping[int, float]
    expected: tuple[float, ...]
    wrong: frozenset[int]

    @property
    def is_scaled(self) -> bool:
        """Return whether the seed is neither 1 nor missing, so that no gradient is a derivative.

        A missing seed is the mistake itself: the gradients are judged against derivatives.
        """
        return self.trace.rules.seed not in (0.0, CORRECT.seed)

    @cached_property
    def sent(self) -> dict[Wire, float]:
        """Return the correct contribution of each wire."""
        return {wire: event.contribution for wire, event in self.correct.items()}

    @cached_property
    def first_wrong(self) -> int | None:
        """Return the first cursor at which the two passes differ, or None."""
        return min(self.wrong, default=None)

    def correction(self, frame: Frame, node: int) -> float | None:
        """Return the correct gradient of a node by now; None if it holds that, or none is known."""
        grad, steps_here = frame.grads.get(node), self._steps_by_node.get(node, [])
        if grad is None:
            return None
        before = bisect_left(steps_here, frame.cursor)
        at_end = frame.cursor == len(self.trace)
        if at_end or not before:
            right = self.final.get(node, 0.0)
        else:
            right = self.expected[steps_here[before - 1]]
        return None if same(grad, right, self._summand_sizes.get(node, 0.0)) else right

    def holds_derivative(self, frame: Frame, node: int) -> bool:
        """Return whether a node holds its derivative, its gradient from a correct pass."""
        if self.is_scaled:
            return False
        grad, size = frame.grads.get(node), self._summand_sizes.get(node, 0.0)
        return grad is not None and same(grad, self.final.get(node, 0.0), size)

    def is_settled(self, frame: Frame, node: int) -> bool:
        """Return whether no later step of the pass changes a node's gradient."""
        steps_here = self._steps_by_node.get(node)
        return frame.cursor > steps_here[-1] if steps_here else frame.cursor == len(self.trace)

    def sends_rightly(self, event: Event) -> bool:
        """Return whether a contribution has the factors of the correct pass, with the seed 1."""
        if self.is_scaled:
            return False
        right = None if event.wire is None else self.correct.get(event.wire)
        return right is not None and (
            same(event.upstream, right.upstream, self._upstream_size(event))
            and same(event.local, right.local)
        )

    def wrong_count(self, frame: Frame) -> int:
        """Return the number of gradients that are wrong by now."""
        return sum(self.correction(frame, node) is not None for node in frame.grads)

    @cached_property
    def ever_wrong(self) -> frozenset[int]:
        """Return the nodes whose gradient is wrong at some step of the pass, or at its end."""
        wrong_on_the_way = {self.trace.events[cursor - 1].node for cursor in self.wrong}
        last = {event.node: event.after for event in self.trace.events}
        wrong_at_end = (
            node
            for node, right in self.final.items()
            if not same(last.get(node, 0.0), right, self._summand_sizes.get(node, 0.0))
        )
        return frozenset((*wrong_on_the_way, *wrong_at_end))

    @cached_property
    def correct_wires(self) -> dict[int, tuple[Wire, ...]]:
        """Return the wires of the correct contributions to each node, in the order of the pass."""
        found: dict[int, list[Wire]] = {}
        for wire, event in self.correct.items():
            found.setdefault(event.node, []).append(wire)
        return {node: tuple(wires) for node, wires in found.items()}

    @cached_property
    def _steps_by_node(self) -> dict[int, list[int]]:
        """Return for each node the indices of the steps that change its gradient."""
        found: dict[int, list[int]] = {}
        for k, event in enumerate(self.trace.events):
            found.setdefault(event.node, []).append(k)
        return found

    @cached_property
    def _summand_sizes(self) -> dict[int, float]:
        """Return the largest absolute summand of each gradient, the scale of its rounding error."""
        return _summand_sizes(self.trace.events)

    def _upstream_size(self, event: Event) -> float:
        """Return the largest absolute summand of an event's upstream gradient.

        A gradient that received nothing before its node fires has no rounding error.
        """
        return self._summand_sizes.get(event.sender, 0.0) if event.upstream else 0.0


def compare(trace: Trace) -> Comparison | None:
    """Compare a backward pass with the correct one; None if it is correct, or no backward pass."""
    if trace.phase != "backward" or not trace.rules.is_mistake:
        return None
    seed = trace.rules.seed or CORRECT.seed  # a learner may have chosen another one
    begins = {n: x for n, x in trace.rules.begins if isinstance(trace.graph.nodes[n], Leaf)}
    right = replace(CORRECT, seed=seed, begins=tuple(begins.items()))
    events = run(trace.graph, trace.root, right).events
    correct = {event.wire: event for event in events if event.wire is not None}
    sent = {wire: event.contribution for wire, event in correct.items()}
    final = {event.node: event.after for event in events}
    expected = _expected_grads(trace, sent, begins)
    sizes = _summand_sizes(trace.events)
    wrong = frozenset(
        cursor
        for cursor, event in enumerate(trace.events, 1)
        if not _is_right(event, expected[cursor - 1], sent, sizes[event.node])
    )
    return Comparison(trace, correct, final, expected, wrong)


def _expected_grads(
    trace: Trace, sent: Mapping[Wire, float], begins: Mapping[int, float]
) -> tuple[float, ...]:
    """Return the partial sum of correct contributions after each step, each wire once per pass."""
    found: list[float] = []
    sums: dict[int, float] = {}
    arrived: set[Wire] = set()
    sweep = 1  # a second pass starts from zero, whatever the mistake left
    for event in trace.events:
        if event.sweep != sweep:
            sweep, sums, arrived = event.sweep, {}, set[Wire]()
        wire = event.wire
        if wire is None:
            sums[event.node] = event.after
        elif wire not in arrived:
            arrived.add(wire)
            before = sums.get(event.node, begins.get(event.node, 0.0))
            sums[event.node] = before + sent.get(wire, 0.0)
        found.append(sums[event.node])
    return tuple(found)


def _is_right(event: Event, expected: float, sent: Mapping[Wire, float], size: float) -> bool:
    wire = event.wire
    if wire is not None and not same(event.contribution, sent.get(wire, 0.0), size):
        return False
    return same(event.after, expected, size)


def _summand_sizes(events: tuple[Event, ...]) -> dict[int, float]:
    found: dict[int, float] = {}
    for event in events:
        size = abs(event.contribution)
        found[event.node] = max(found.get(event.node, 0.0), size if math.isfinite(size) else 0.0)
    return found


def same(a: float, b: float, size: float = 0.0) -> bool:
    """Return whether two gradients agree but for rounding; `size` is their largest summand."""
    if a == b or (a != a and b != b):
        return True
    if not math.isfinite(a - b):
        return False
    return abs(a - b) <= _RELATIVE_TOLERANCE * max(abs(a), abs(b), size)


def step_verdict(frame: Frame, comparison: Comparison | None, digits: Digits) -> Spans:
    """Return the remark about the correct pass at a step that goes wrong; () at any other.

    It names what the correct pass sends there or, if the contribution is right, what it holds.
    """
    event = frame.event
    if comparison is None or event is None or frame.cursor not in comparison.wrong:
        return ()
    expected, sent = comparison.expected[frame.cursor - 1], None
    if event.wire is not None and not same(
        event.contribution, comparison.sent.get(event.wire, 0.0)
    ):
        sent = comparison.sent.get(event.wire, 0.0)
    here, words = WRONG_STEPS[frame.cursor == comparison.first_wrong, sent is None]
    number, text = (
        (expected, short(expected, digits)) if sent is None else (sent, signed(sent, digits))
    )
    return (
        Span(" "),
        Span(here, "error"),
        Span(words),
        number_span(number, "gradient", text),
        Span("."),
    )


def gradient_verdict(
    frame: Frame, comparison: Comparison | None, node: int, digits: Digits
) -> Spans:
    """Return `✘ should be 25` for a wrong gradient, or a tick for a correct one."""
    if comparison is None or node not in frame.grads:
        return ()
    right = comparison.correction(frame, node)
    if right is None:
        return (Span("✓ as in the correct pass"),)
    right_text, _wrong_text = pair_text(right, frame.grads[node], digits)
    return (Span(flag(right_text), "error", bold=True),)


def pair_text(right: float, found: float, digits: Digits) -> tuple[str, str]:
    """Return two numbers with enough digits to see the difference."""
    return pair_texts(right, found, partial(short, digits=digits))


def pair_texts(right: float, found: float, write: Callable[[float], str]) -> tuple[str, str]:
    """Return two numbers as `write` writes them, in full digits where that looks the same."""
    texts = write(right), write(found)
    return texts if texts[0] != texts[1] else (full(right), full(found))


def flag(right: str) -> str:
    """Return the flag of a wrong gradient, with the right one."""
    return f"✘ should be {right}"


def short_flag(right: str) -> str:
    """Return the flag of a wrong gradient for a narrow box."""
    return f"✘ right: {right}"


def pass_verdict(frame: Frame, comparison: Comparison | None) -> str:
    """Return `2 of 7 gradients differ`, counted against the correct pass; "" without one."""
    if comparison is None or not frame.grads:
        return ""
    count, known = comparison.wrong_count(frame), len(frame.grads)
    if not count:
        return _AGREE
    return differing_text(count, known)


def correct_pass_words() -> Mapping[str, str]:
    """Return for a page the sentences at the end of a wrong pass, and the remarks at its steps.

    Those have a bar between the sign and the words.
    """
    counts = {"agree": _AGREE, "differs": _ONLY_DIFFERS, "one": _ONE_DIFFERS, "many": _MANY_DIFFER}
    ends = {name: wrong_end(text.replace(":,", "")) for name, text in counts.items()}
    return ends | {
        f"wrong {int(first)}{int(is_sum)}": "|".join(words)
        for (first, is_sum), words in WRONG_STEPS.items()
    }


def wrong_end(verdict: str) -> str:
    """Return the sentence at the end of a wrong pass."""
    return f"{verdict[:1].upper()}{verdict[1:]} from the correct pass."


def differing_text(count: int, known: int) -> str:
    """Return `2 of 7 gradients differ`."""
    if known == 1:
        return _ONLY_DIFFERS.format(count=count)
    return counted(count, _ONE_DIFFERS, _MANY_DIFFER, known=known)
