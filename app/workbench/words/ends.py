"""The strip of a pass that is stepped through, and the end of a pass in each mode."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from app.controls.rich_text import Span, Spans, filled, number_span, verbatim
from app.document.typed_formulas import DrawnNumbers
from app.workbench.gradients.comparison import pass_verdict
from app.workbench.gradients.formulas import enumerated
from app.workbench.modes.quiz import Quiz
from app.workbench.playback.view_state import ViewState
from app.workbench.words.narration import (
    correct_pass_text,
    last_step_text,
    next_step_text,
    step_text,
)
from app.workbench.words.strip import (
    EXAMPLE,
    Button,
    Say,
    Strip,
    count_text,
    is_over,
    joined,
    mistake_name,
    transport_buttons,
)
from engine.frame import Frame
from engine.graph import OpNode
from engine.numbers import Digits, counted, largest_useful_error, plural, short
from engine.problems import by_convention
from engine.rules import CORRECT
from engine.study.beginning import is_small
from engine.study.nudge import ripple
from engine.study.question import StepKey
from engine.study.record import Attempt, Record, right_first_time, slips_made
from engine.trace import Trace

LONGEST_NAME: Final = 16
_ALL_LEAVES_UP_TO: Final = 4
_LARGEST_SHOWN: Final = 3
"""Leaves named with their gradients; of more leaves, those with the largest."""
_RAISE: Final = 0.01
_FIRST_LEAF: Final = ": **{name}.grad** {grad}"
_NEXT_LEAF: Final = ", **{name}.grad** {grad}"
_FIRST_CLAUSE: Final = "Raise {leaves} by {step} and {effect}"
_LATER_CLAUSE: Final = "raise {leaves}, and {effect}"
_EFFECTS: Final = {
    ("flat", False): "{root} hardly changes",
    ("flat", True): "{root} hardly changes",
    ("rises", False): "{root} rises by about {by}",
    ("falls", False): "{root} falls by about {by}",
    ("rises", True): "{root} rises as much",
    ("falls", True): "{root} falls as much",
}
"""By the sign of the root's change, and whether its size is that of the leaf named first."""
_TIMES: Final = {1: "once", 2: "twice", 3: "three times"}


# plain stepping


def plain_end(now: ViewState, say: Say) -> Strip:
    """Return the end of a pass that was stepped through: the gradients, and their meaning."""
    over = gradients_text(now.frame, say.digits)
    if say.voice != "plain":  # the last step in these voices, and the end below it
        step = step_text(now, say.voice, say.digits, say.notation)
        return Strip((*mistake_name(now, say), *step), over, transport_buttons(now))
    meaning = meaning_text(now.frame, say.digits) if now.comparison is None else ""
    below = meaning or pass_verdict(now.frame, now.comparison)
    if now.comparison is not None and below:
        below = f"{below[:1].upper()}{below[1:]} from the correct pass."
    line = verbatim(below) if below else step_text(now, say.voice, say.digits, say.notation)
    return Strip((*mistake_name(now, say), *over), line, transport_buttons(now))


def gradients_text(frame: Frame, digits: Digits) -> Spans:
    """Return `The pass is over: a.grad 4, b.grad −4.`; of many leaves the largest."""
    leaves = _leaves(frame)
    spans: list[Span] = [Span("The pass is over")]
    for place, leaf in enumerate(leaves):
        grad = frame.grads[leaf]
        spans += filled(
            _NEXT_LEAF if place else _FIRST_LEAF,
            name=frame.graph.brief(leaf, LONGEST_NAME),
            grad=number_span(grad, "gradient", short(grad, digits)),
        )
    return (*spans, Span("."))


def _leaves(frame: Frame) -> list[int]:
    """Return the leaves with a gradient; of more than four the three largest."""
    leaves = [leaf for leaf in frame.graph.leaves if leaf in frame.grads]
    if len(leaves) <= _ALL_LEAVES_UP_TO:
        return leaves
    return sorted(leaves, key=lambda leaf: -_size(frame.grads[leaf]))[:_LARGEST_SHOWN]


def _size(x: float) -> float:
    return math.inf if math.isnan(x) else abs(x)


def meaning_text(frame: Frame, digits: Digits) -> str:
    """Return the root's response to each leaf; "" unless it is linear and correct for all."""
    trace = frame.trace
    if trace is None or trace.rules != CORRECT:
        return ""
    leaves = _leaves(frame)
    numbers = [*trace.values.values(), *(frame.grads[leaf] for leaf in leaves)]
    kinks = any(
        event.wire is not None and by_convention(frame.graph, event.wire, trace.values)
        for event in trace.events
    )
    if not leaves or kinks or not all(map(math.isfinite, numbers)):
        return ""
    if not all(_follows_gradient(frame, trace, leaf) for leaf in leaves):
        return ""
    root = frame.graph.brief(trace.root, LONGEST_NAME)
    clauses: list[str] = []
    size = abs(frame.grads[leaves[0]])
    for grad, names in _names_by_gradient(frame, leaves).items():
        who = enumerated(names, "or")
        effect = "flat" if grad == 0 else "rises" if grad > 0 else "falls"
        text = _EFFECTS[effect, bool(clauses) and abs(grad) == size].format(
            root="it" if clauses else root, by=short(abs(grad) * _RAISE, digits)
        )
        clause = _LATER_CLAUSE if clauses else _FIRST_CLAUSE
        clauses.append(clause.format(leaves=who, step=short(_RAISE), effect=text))
    return f"{'; '.join(clauses)}."


def _follows_gradient(frame: Frame, trace: Trace, leaf: int) -> bool:
    """Return whether the root changes with a leaf about as its gradient says."""
    grad = frame.grads[leaf]
    return abs(
        ripple(frame.graph, leaf, _RAISE, trace.values).ratio - grad
    ) <= largest_useful_error(grad)


def _names_by_gradient(frame: Frame, leaves: Sequence[int]) -> Mapping[float, list[str]]:
    found: dict[float, list[str]] = {}
    for leaf in leaves:
        name = frame.graph.brief(leaf, LONGEST_NAME)
        found.setdefault(frame.grads[leaf], []).append(name)
    return found


# Ask me


def quiz_end(now: ViewState, say: Say) -> Strip:
    """Return the end of a quiz: the score at first try, and the slips."""
    quiz, frame = now.quiz, now.frame
    assert quiz is not None
    attempts = quiz.record.attempts[quiz.round_start :]
    right = right_first_time(attempts)
    if not right:
        buttons = (Button("back", enabled=frame.cursor > 0), Button("again", "Again"))
        text = gradients_text(frame, say.digits)
        if frame.phase == "forward":
            text = step_text(now, say.voice, say.digits, say.notation)
        return Strip(text, filled("Nothing was answered in this pass."), buttons)
    slip = slip_text(attempts) or _help_text(attempts)
    following = _next_pass_text(quiz, frame)
    back = Button("back", enabled=frame.cursor > 0)
    again = Button("again", "Go on" if following else "Again")
    if all(right.values()):
        text = counted(
            len(right), "The question was right first time.", "All {count:,} right first time."
        )
        skipped = "" if quiz.is_clean(frame) else "Others were skipped."
        return Strip(filled(text), filled(following or skipped), (back, again))
    sentence = filled(
        "**{right} of {count}** right first time{kinds}.",
        right=f"{sum(right.values()):,}",
        count=f"{len(right):,}",
        kinds=_by_operation(now, right),
    )
    drilled = slips_made(attempts)
    more = (Button("three more", "Three more"),) if drilled and drilled[0][0].kind != "next" else ()
    return Strip(sentence, verbatim(slip), (back, *more, again))


def _by_operation(now: ViewState, right: Mapping[StepKey, bool]) -> str:
    """Return `: + 2 of 2, × 3 of 4` where the steps are those of several operations."""
    trace = now.true_trace
    if trace is None:
        return ""
    asked, good = Counter[str](), Counter[str]()
    for key, was_right in right.items():
        node = trace.events[key - 1].target if isinstance(key, int) else key.node
        if not isinstance(trace.graph.nodes.get(node), OpNode):
            return ""
        symbol = trace.graph.op(node).symbol
        asked[symbol] += 1
        good[symbol] += was_right
    if len(asked) < 2:
        return ""
    return ": " + ", ".join(
        f"{symbol} {good[symbol]} of {count}" for symbol, count in asked.items()
    )


def _next_pass_text(quiz: Quiz, frame: Frame) -> str:
    """Return the announcement of the next pass; "" for the same again."""
    following = quiz.next_pass(frame)
    if following.phase != frame.phase:
        return "Next: the backward pass."
    if following.level is not quiz.level:
        return f"Next: the {following.level.name}."
    if following.last > quiz.last:
        return counted(following.last, "", "Next: the last {count:,} steps.")
    return ""


def _help_text(attempts: Sequence[Attempt]) -> str:
    """Return the sentence that counts answers shown, and answers after a hint."""
    shown = sum(attempt.shown for attempt in attempts)
    hinted = sum(bool(attempt.hints) and not attempt.shown for attempt in attempts)
    text = [f"{count:,} {said}" for count, said in ((shown, "shown"), (hinted, "hinted")) if count]
    return f"Answers: {', '.join(text)}." if text else ""


def slip_text(attempts: Sequence[Attempt]) -> str:
    """Return the slip that was made most often; "" where no wrong number gives one away."""
    slips = slips_made(attempts)
    if not slips:
        return ""
    slip, count = slips[0]
    others = sum(count for _slip, count in slips[1:])
    said = "One slip" if count == 1 and not others else often(count).capitalize()
    rest = counted(others, "; {count} other slip", "; {count} other slips") if others else ""
    return f"{said}: {slip.brief}{rest}."


def often(count: int) -> str:
    """Return `once`, `twice`, `4 times`."""
    return _TIMES.get(count, f"{count:,} times")


def summary_of(record: Record) -> str:
    """Return the summary of a run for a message: how many were right first time, and its slip."""
    right = right_first_time(record.attempts)
    text = counted(
        len(right),
        "{right} of {count} question right first time.",
        "{right:,} of {count:,} questions right first time.",
        right=sum(right.values()),
    )
    return f"{text} {slip_text(record.attempts)}".rstrip()


_NAMED_LIMIT: Final = 3
"""Leaves that are named; of more the others are counted."""
_NAME_LIMIT: Final = 16
_SMALL_UP_TO: Final = 20
"""Size up to which a number is called small."""


def plain_strip(now: ViewState, say: Say) -> Strip:
    """Return the strip of a pass that is stepped through."""
    frame = now.frame
    if is_over(now):
        return plain_end(now, say)
    correct, coming = correct_pass_text(now, say.digits), next_step_text(now, say.digits)
    below = coming if say.presented else joined(correct, coming)
    answer, offers = count_text(frame, below), ()
    if frame.phase == "live" and not frame.graph.nodes:
        offers = (Button("try", f"Try {EXAMPLE}"),)
    elif frame.phase == "live" and say.begun is not None:
        answer, offers = beginning_text(say.begun), beginning_offers(say.begun)
    return Strip(
        (
            *mistake_name(now, say),
            *last_step_text(now, say.voice, say.digits, say.notation, say.presented),
            *(correct if say.presented else ()),
        ),
        answer,
        transport_buttons(now),
        offers,
    )


def beginning_text(begun: DrawnNumbers) -> Spans:
    """Return the sentence about the leaves whose numbers were drawn."""
    graph, count = begun.graph, len(begun.leaves)
    shown = begun.leaves if count <= _NAMED_LIMIT + 1 else begun.leaves[:_NAMED_LIMIT]
    names = [graph.brief(leaf, _NAME_LIMIT) for leaf in shown]
    if len(shown) < count:
        names.append(f"{count - len(shown):,} more")
    if begun.all_ones:
        got = plural(count, "{names} is 1 to begin with.", "{names} are 1 to begin with.")
    elif max(map(abs, begun.numbers)) <= _SMALL_UP_TO:
        one = "{names} got a small number to begin with."
        got = plural(count, one, "{names} got small, different numbers to begin with.")
    else:
        got = "{names} got different numbers to begin with."
    return filled(
        f"{got} {plural(count, 'Click it', 'Click one')} to change it.", names=enumerated(names)
    )


def beginning_offers(begun: DrawnNumbers) -> tuple[Button, ...]:
    """Return the offers about numbers that nobody typed."""
    graph = begun.graph
    small = graph.root is not None and is_small(len(graph.plan(graph.root).order) + 1)
    others = (Button("others", "Other numbers"),) if small else ()
    return others if begun.all_ones else (*others, Button("ones", "All 1"))
