"""The strip of plain stepping, and the end of a pass in plain stepping and in a quiz."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from app.controls.spans import Span, Spans, filled, number_span, verbatim
from app.document.typed_formulas import DrawnNumbers
from app.workbench.gradients.comparison import pass_verdict, wrong_end
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
    EXAMPLE_FORMULA,
    Button,
    Strip,
    StripContext,
    is_over,
    joined,
    mistake_name,
    transport_buttons,
    with_step_count,
)
from engine.asking.first_numbers import is_small
from engine.asking.inference import BY_NAME as IDEAS
from engine.asking.inference import tallies
from engine.asking.nudge import ripple
from engine.asking.question import Question
from engine.asking.record import RIGHT, Attempt, Record, right_first_time
from engine.frame import Frame
from engine.graph import OpNode
from engine.numbers import (
    HOLE_BEGINS,
    HOLE_ENDS,
    Digits,
    FieldNumber,
    counted,
    measurement_tolerance,
    plural,
    short,
)
from engine.problems import by_convention
from engine.rules import CORRECT

NAME_LENGTH: Final = 16
"""Characters of a node's name in a sentence; a longer one is shortened."""
_ALL_LEAVES_LIMIT, _LEAVES_SHOWN = 5, 3
"""Leaves that are all named with their gradients; of more, so many with the largest are."""
_ALL_CHANGES_LIMIT: Final = 4
"""Leaves whose effects on the root are all described; of more, those of the largest gradients."""
LEAF_CHANGE: Final = 0.01
"""Change of a leaf whose effect the end of a pass describes."""
_LARGEST_OF: Final = "; the largest of {count:,}"
_FIRST_LEAF: Final = ": **{name}.grad** {grad}"
_NEXT_LEAF: Final = ", **{name}.grad** {grad}"
FIRST_CLAUSE: Final = "{step} more of {leaves}: {effect}"
"""What a change of leaves that have one gradient does to the root; the next ones are shorter."""
LATER_CLAUSE: Final = "of {leaves}: {effect}"
EFFECTS: Final = {
    ("flat", False): "{root} hardly changes",
    ("flat", True): "{root} hardly changes",
    ("still", False): "{root} stays",
    ("still", True): "{root} stays",
    ("rises", False): "{root} rises by about {by}",
    ("falls", False): "{root} falls by about {by}",
    ("rises", True): "{root} rises as much",
    ("falls", True): "{root} falls as much",
}
"""By the sign of the root's change, and whether its size is that of the clause before."""
_MISSED: Final = "{count:,} of {total:,} missed: {title}."
_WHY_SIGNS: Final = "The sign tells which way to move a leaf so that {root} falls."
_TIMES_WORDS: Final = {1: "once", 2: "twice", 3: "three times"}


# plain stepping


def plain_end(now: ViewState, context: StripContext) -> Strip:
    """Return the end of a pass that was stepped through: the gradients, and their meaning."""
    gradients = gradients_text(now.frame, context.digits)
    if context.voice != "plain":  # the last step in these voices, and the end below it
        step = step_text(now, context.voice, context.digits, context.notation)
        return Strip((*mistake_name(now, context), *step), gradients, transport_buttons(now))
    response = meaning_text(now.frame, context.digits) if now.comparison is None else ""
    verdict = response or pass_verdict(now.frame, now.comparison)
    if now.comparison is not None and verdict:
        verdict = wrong_end(verdict)
    line = (
        verbatim(verdict)
        if verdict
        else step_text(now, context.voice, context.digits, context.notation)
    )
    return Strip((*mistake_name(now, context), *gradients), line, transport_buttons(now))


def gradients_text(frame: Frame, digits: Digits) -> Spans:
    """Return `The pass is over: a.grad 4, b.grad −4.`; of many leaves the largest, and says so."""
    leaves, count = _leaves_shown(frame, _ALL_LEAVES_LIMIT), len(_leaves_with_gradient(frame))
    named = [(frame.graph.brief(leaf, NAME_LENGTH), frame.grads[leaf]) for leaf in leaves]
    return _over_text(named, count, digits)


def gradients_template(frame: Frame, digits: Digits) -> Spans:
    """Return the same of a frame of fields.

    Of many leaves, which of them are the largest depends on their numbers: the names have the holes
    `Nr0` and so on, the gradients the keys `r0` and so on.
    """
    count = len(_leaves_with_gradient(frame))
    if count <= _ALL_LEAVES_LIMIT:
        return gradients_text(frame, digits)
    holes = [f"{HOLE_BEGINS}Nr{k}:{NAME_LENGTH}{HOLE_ENDS}" for k in range(_LEAVES_SHOWN)]
    named = [(hole, FieldNumber(1.5, f"r{k}")) for k, hole in enumerate(holes)]
    return _over_text(named, count, digits)


def _over_text(named: Sequence[tuple[str, float]], count: int, digits: Digits) -> Spans:
    """Return that the pass is over, with the gradients of some of so many leaves."""
    spans: list[Span] = [Span("The pass is over")]
    if len(named) < count:
        spans.append(Span(_LARGEST_OF.format(count=count)))
    for place, (name, grad) in enumerate(named):
        spans += filled(
            _NEXT_LEAF if place else _FIRST_LEAF,
            name=name,
            grad=number_span(grad, "gradient", short(grad, digits)),
        )
    return (*spans, Span("."))


def _leaves_with_gradient(frame: Frame) -> list[int]:
    return [leaf for leaf in frame.graph.leaves if leaf in frame.grads]


def _leaves_shown(frame: Frame, limit: int) -> list[int]:
    """Return the leaves with a gradient; of more than `limit` the three largest."""
    leaves = _leaves_with_gradient(frame)
    if len(leaves) <= limit:
        return leaves
    return sorted(leaves, key=lambda leaf: -_magnitude(frame.grads[leaf]))[:_LEAVES_SHOWN]


def _magnitude(x: float) -> float:
    return math.inf if math.isnan(x) else abs(x)


def meaning_text(frame: Frame, digits: Digits) -> str:
    """Return `0.01 more of a: L rises by about 0.04; of b: it falls as much.`

    "" where the root responds to some leaf unlike its gradient, or at a kink.
    """
    trace = frame.trace
    if trace is None or trace.rules != CORRECT:
        return ""
    leaves = _leaves_shown(frame, _ALL_CHANGES_LIMIT)
    numbers = [*trace.values.values(), *(frame.grads[leaf] for leaf in leaves)]
    kinks = any(
        event.wire is not None and by_convention(frame.graph, event.wire, trace.values)
        for event in trace.events
    )
    if not leaves or kinks or not all(map(math.isfinite, numbers)):
        return ""
    measured = {leaf: ripple(frame.graph, leaf, LEAF_CHANGE, trace.values).ratio for leaf in leaves}
    for leaf, ratio in measured.items():
        if abs(ratio - frame.grads[leaf]) > measurement_tolerance(frame.grads[leaf]):
            return ""  # the root changes unlike the gradient says
    root = frame.graph.brief(trace.root, NAME_LENGTH)
    clauses: list[str] = []
    magnitude = math.nan  # of the clause before
    for grad, alike in _leaves_by_gradient(frame, leaves).items():
        leaf_names = enumerated([frame.graph.brief(leaf, NAME_LENGTH) for leaf in alike], "or")
        effect = "rises" if grad > 0 else "falls"
        if grad == 0:  # at x = 0 a square hardly changes, 0 · x not at all
            effect = "flat" if any(measured[leaf] for leaf in alike) else "still"
        text = EFFECTS[effect, abs(grad) == magnitude].format(
            root="it" if clauses else root, by=short(abs(grad) * LEAF_CHANGE, digits)
        )
        magnitude = abs(grad)
        clause = LATER_CLAUSE if clauses else FIRST_CLAUSE
        clauses.append(clause.format(leaves=leaf_names, step=short(LEAF_CHANGE), effect=text))
    return f"{'; '.join(clauses)}."


def _leaves_by_gradient(frame: Frame, leaves: Sequence[int]) -> Mapping[float, list[int]]:
    alike: dict[float, list[int]] = {}
    for leaf in leaves:
        alike.setdefault(frame.grads[leaf], []).append(leaf)
    return alike


# Ask me


def quiz_end(now: ViewState, context: StripContext) -> Strip:
    """Return the end of a quiz: the score at first try, and the slips."""
    quiz, frame = now.quiz, now.frame
    assert quiz is not None
    attempts = quiz.record.attempts[quiz.round_start :]
    right = right_first_time(attempts)
    if not right:
        buttons = (Button("back", enabled=frame.cursor > 0), Button("again", "Again"))
        text = gradients_text(frame, context.digits)
        if frame.phase == "forward":
            text = step_text(now, context.voice, context.digits, context.notation)
        return Strip(text, filled("Nothing was answered in this pass."), buttons)
    slip = slip_text(attempts) or _help_counts(attempts)
    next_pass = _next_pass_text(quiz, frame)
    back = Button("back", enabled=frame.cursor > 0)
    save = () if quiz.task is None else (Button("save report", "Save report…"),)
    again = (Button("again", "Go on" if next_pass else "Again"), *save)
    if all(right.values()):
        text = counted(
            len(right),
            "The question was right first time.",
            "All {count:,} answers right first time.",
        )
        skipped = "" if quiz.is_clean(frame) else "Others were skipped."
        return Strip(filled(text), filled(next_pass or skipped), (back, *again))
    sentence = filled(
        "**{right} of {count}** right first time{kinds}.",
        right=f"{sum(right.values()):,}",
        count=f"{len(right):,}",
        kinds=_by_operation(now, right),
    )
    found = tallies(attempts)[:1]
    if found and frame.unhidden is not None and found[0].title == IDEAS["sign"].title:
        root = frame.graph.brief(frame.unhidden.root, NAME_LENGTH)
        slip = f"{slip} {_WHY_SIGNS.format(root=root)}"
    # a drill repeats a question about a number; who fires next has none
    has_number = any(tally.slip for tally in found)
    drill = (Button("three more", "Three more"),) if has_number else ()
    return Strip(sentence, verbatim(slip), (back, *drill, *again))


def _by_operation(now: ViewState, right: Mapping[Question, bool]) -> str:
    """Return `: + 2 of 2, × 3 of 4, sums 1 of 1` where the questions are about several things."""
    trace = now.unhidden_trace
    if trace is None:
        return ""
    asked, right_first = Counter[str](), Counter[str]()
    for question, was_right in right.items():
        step = question.step
        node = trace.events[step - 1].sender if step else question.node
        if not isinstance(trace.graph.nodes.get(node), OpNode):
            return ""
        # a sum is no slip of the operation that sends: it counts by itself
        symbol = "sums" if question.kind == "sum" else trace.graph.op(node).symbol
        asked[symbol] += 1
        right_first[symbol] += was_right
    if len(asked) < 2:
        return ""
    return ": " + ", ".join(
        f"{symbol} {right_first[symbol]} of {count}" for symbol, count in asked.items()
    )


def _next_pass_text(quiz: Quiz, frame: Frame) -> str:
    """Return the announcement of the next pass; "" for the same again."""
    following = quiz.next_pass(frame)
    if following.phase != frame.phase:
        return "Next: the backward pass."
    if following.level is not quiz.level:
        blanks = len(following.level.kinds)
        return f"Next: the {following.level.name}, with up to {blanks} blanks."
    if following.last > quiz.last:
        return counted(following.last, "", "Next: the last {count:,} steps.")
    return ""


def _help_counts(attempts: Sequence[Attempt]) -> str:
    """Return the sentence that counts answers shown, and answers after a hint."""
    shown = sum(attempt.shown for attempt in attempts)
    hinted = sum(bool(attempt.hints) and not attempt.shown for attempt in attempts)
    parts = [f"{count:,} {kind}" for count, kind in ((shown, "shown"), (hinted, "hinted")) if count]
    return f"Answers: {', '.join(parts)}." if parts else ""


def slip_text(attempts: Sequence[Attempt]) -> str:
    """Return what stands behind most wrong first answers, and of how many questions with one.

    "" where no wrong number gives that away. What followed from another blank is not counted.
    """
    wrong = [
        replace(attempt, tries=attempt.tries[:1])
        for attempt in attempts
        if attempt.tries and attempt.tries[0].verdict not in RIGHT and not attempt.tries[0].follows
    ]
    found = tallies(wrong)
    if not found:
        return ""
    count, title = len(found[0].attempts), found[0].title
    return _MISSED.format(count=count, total=len(wrong), title=title)


def times_text(count: int) -> str:
    """Return `once`, `twice`, `4 times`."""
    return _TIMES_WORDS.get(count, f"{count:,} times")


def summary_of(record: Record) -> str:
    """Return the summary of a run for a message: how many were right first time, and its slip.

    As a question counts once, whatever the rounds, so do its slips: those of its first answers.
    """
    first = {attempt.question: attempt for attempt in reversed(record.attempts)}
    right = right_first_time(record.attempts)
    text = counted(
        len(right),
        "{right} of {count} question right first time.",
        "{right:,} of {count:,} questions right first time.",
        right=sum(right.values()),
    )
    return f"{text} {slip_text(tuple(first.values())[::-1])}".rstrip()


_NAMED_LIMIT: Final = 3
"""Number of leaves named, the others are counted; one more is named, for `1 more` is no shorter."""
_SMALL_NUMBER_LIMIT: Final = 20
"""Magnitude up to which a number is called small."""


def plain_strip(now: ViewState, context: StripContext) -> Strip:
    """Return the strip of a pass that is stepped through."""
    frame = now.frame
    if is_over(now):
        return plain_end(now, context)
    correct, next_step = correct_pass_text(now, context.digits), next_step_text(now, context.digits)
    # a presentation shows the timeline in place of the answer line, which has the correct pass
    line = next_step if context.presented else joined(correct, next_step)
    answer, offers = with_step_count(frame, line), ()
    if frame.phase == "live" and not frame.graph.nodes:
        offers = (Button("try", f"Try {EXAMPLE_FORMULA}"),)
    elif frame.phase == "live" and context.begun and context.begun.leaves[0] in frame.values:
        answer, offers = beginning_text(context.begun), beginning_offers(context.begun)
    return Strip(
        (
            *mistake_name(now, context),
            *last_step_text(
                now, context.voice, context.digits, context.notation, context.presented
            ),
            *(correct if context.presented else ()),
        ),
        answer,
        transport_buttons(now),
        offers,
    )


def beginning_text(begun: DrawnNumbers) -> Spans:
    """Return the sentence about the leaves whose numbers were drawn."""
    graph, count = begun.graph, len(begun.leaves)
    named = begun.leaves if count <= _NAMED_LIMIT + 1 else begun.leaves[:_NAMED_LIMIT]
    names = [graph.brief(leaf, NAME_LENGTH) for leaf in named]
    if len(named) < count:
        names.append(f"{count - len(named):,} more")
    if begun.all_ones:
        template = plural(count, "{names} is 1 to begin with.", "{names} are 1 to begin with.")
    elif max(map(abs, begun.numbers)) <= _SMALL_NUMBER_LIMIT:
        one = "{names} got a small number to begin with."
        template = plural(count, one, "{names} got small, different numbers to begin with.")
    else:
        template = "{names} got different numbers to begin with."
    return filled(
        f"{template} {plural(count, 'Click it', 'Click one')} to change it.",
        names=enumerated(names),
    )


def beginning_offers(begun: DrawnNumbers) -> tuple[Button, ...]:
    """Return the offers to redraw the drawn numbers, or to set them all to 1."""
    graph = begun.graph
    # the nodes of `active_subgraph`, in which is drawn: those of the pass, and the Root
    small = graph.root is not None and is_small(len(graph.plan(graph.root).order) + 1)
    others = (Button("others", "Other numbers"),) if small else ()
    return others if begun.all_ones else (*others, Button("ones", "All 1"))
