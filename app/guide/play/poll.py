"""Poll: the choices of a question to the room, and the hands that were raised for each.

poll_choices(slide)              the answer and up to three wrong ones, numbers by size
choice_of_number(slide, number)  a number that was called out, as a choice
with_new_numbers(slide, seed)    the slide with friendly new numbers, for the same question
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from app.guide.play.slides import Slide, on_graph
from app.lessons.lesson import Choice
from app.lessons.questions import likest_mistakes
from engine.asking.hand_run import click_slip
from engine.asking.judging import MOST_CHOICES, judge, number_choices, number_text
from engine.asking.kinds import SIGN_WORDS, answer
from engine.asking.paths import miscounts
from engine.asking.question import Question, final_gradient
from engine.asking.revealing import (
    UNKNOWN_NUMBER,
    belief_reveal,
    mistake_reveal,
    next_reveal,
    right_reveal,
    sign_reveal,
)
from engine.errors import EngineError
from engine.graph import OpNode, Root
from engine.numbers import DIGITS_SHOWN, Digits
from engine.problems import short_name_with_op
from engine.rules import CORRECT, MISTAKES, Rules
from engine.trace import Trace

LETTERS: Final = "ABCD"
"""The letters of the choices on the room's screen; their keys are 1 to 4."""
HANDS_LIMIT: Final = 9_999
"""Most hands that can be counted for one choice."""
_NEXT_SLIP_ORDER: Final = ("waits", "fired", "no way", "passes nothing")
"""The wrong nodes that are offered first."""
_TRIES: Final = 6
"""Searches for new numbers at which the same slips give choices: each takes up to 0.2 s."""
_ROUNDED: Final = "right, rounded; it is {answer}."


class PollChoice(Struct, frozen=True):
    """One choice of a question to the room.

    `number` is None for a choice in words. `slip` names the belief that gives the number, "" for
    the answer and for a number that no slip gives. `say` explains it at the reveal, in at most
    56 characters.
    """

    label: str
    number: float | None = None
    right: bool = False
    slip: str = ""
    say: str = ""


class Poll(Struct, frozen=True):
    """The choices of a question, the hands for each, and those of the first count.

    `earlier` has the first count by slip, "" for the answer, once the question is asked again: with
    other numbers it has other choices. It is None at the first count. `slide` is what it asks
    about, with its numbers.
    """

    choices: tuple[PollChoice, ...]
    hands: tuple[int, ...]
    earlier: Mapping[str, int] | None = None
    slide: Slide | None = None

    @property
    def total(self) -> int:
        return sum(self.hands)

    @property
    def has_hands(self) -> bool:
        """Return whether any hand was counted."""
        return any(self.hands)

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the key of each choice among counts: "" for the answer, its slip, or its label.

        A second number of the same slip, as of another path, is its slip with `, 2`.
        """
        found = list[str]()
        for choice in self.choices:
            key = "" if choice.right else choice.slip or choice.label
            same = sum(k == key or k.startswith(f"{key}, ") for k in found)
            found.append(f"{key}, {same + 1}" if same and key else key)
        return tuple(found)

    def asks_the_same(self, other: Poll) -> bool:
        """Return whether another poll has the same choices; nan is the same as nan."""
        return self.keys == other.keys and all(
            mine.label == its.label and mine.say == its.say
            for mine, its in zip(self.choices, other.choices, strict=True)
        )

    @property
    def first_count(self) -> Mapping[str, int] | None:
        """Return the first count: the earlier one, or else this one; None without a hand."""
        if self.earlier is not None or not self.has_hands:
            return self.earlier
        counts = dict.fromkeys(self.keys, 0)
        for key, hands in zip(self.keys, self.hands, strict=True):
            counts[key] += hands
        return counts

    def earlier_hands(self, index: int) -> int | None:
        """Return the hands that a choice had at the first count; None if this is the first."""
        return None if self.earlier is None else self.earlier.get(self.keys[index], 0)


def poll_of(slide: Slide, digits: Digits = DIGITS_SHOWN) -> Poll:
    """Return the poll of a question just opened; without choices where numbers are called out."""
    found = poll_choices(slide, digits) if slide.form == "choices" else ()
    return Poll(found, (0,) * len(found), slide=slide)


def poll_choices(slide: Slide, digits: Digits = DIGITS_SHOWN) -> tuple[PollChoice, ...]:
    """Return the two to four choices of a question to the room, one of them right.

    Numbers are those of the answer and of slips, by size. () where no slip gives another number:
    then the question is asked for numbers.
    """
    question = slide.question
    if slide.misfit:
        return ()
    if slide.asks == "mistake":
        return _own_mistake_choices(slide.trace, slide.choices) or _mistake_choices(slide.trace)
    if question is None:
        return tuple(PollChoice(c.text, right=c.right, say=c.say) for c in slide.choices)
    trace = slide.trace
    match question.kind:
        case "next":
            return _node_choices(question, trace)
        case "sign":
            return _sign_choices(question, trace, digits)
        case "paths":
            numbers = _path_counts(question, trace)
        case _:
            numbers = number_choices(question, trace, digits)
    return tuple(_number_choice(question, trace, number, digits) for number in numbers)


def choice_of_number(slide: Slide, number: float, digits: Digits = DIGITS_SHOWN) -> PollChoice:
    """Return a number as a choice: the answer, a slip with its sentence, or no known slip."""
    question = slide.question
    if question is None:
        label = number_text(Question("text", 0), number, digits)
        own = next((choice for choice in slide.choices if choice.text == label), None)
        if own is None:
            return PollChoice(label, number, say=UNKNOWN_NUMBER)
        return PollChoice(label, number, right=own.right, say=own.say)
    return _number_choice(question, slide.trace, number, digits)


def right_choice(slide: Slide, digits: Digits = DIGITS_SHOWN) -> PollChoice | None:
    """Return the answer as a choice, also of a question without choices; None without an answer."""
    question = slide.question
    if question is None or question.kind in ("next", "sign"):
        return next((choice for choice in poll_choices(slide, digits) if choice.right), None)
    return _number_choice(question, slide.trace, answer(question, slide.trace), digits)


def with_new_numbers(slide: Slide, seed: int, digits: Digits = DIGITS_SHOWN) -> Slide:
    """Return the slide with other leaves, at which as many of its slips as possible give choices.

    A question that no number answers stays as it is. Raises EngineError, with a sentence, if no
    friendly numbers are found.
    """
    from engine.asking.friendly import friendly_for  # most questions are asked once

    question, begun = slide.question, slide.situation
    if question is None or begun is None or question.kind in ("next", "paths"):
        return slide
    slips = {choice.slip for choice in poll_choices(slide, digits)}
    best, most = None, -1
    for k in range(_TRIES):
        found = friendly_for(begun.graph, seed * _TRIES + k, [question], begun.rules)
        if not found.changed:
            if best is None:
                raise EngineError("{reason}", reason=found.sentence)
            break
        other = on_graph(slide, begun.graph.with_values(found.graph.leaf_values))
        kept = len(slips & {choice.slip for choice in poll_choices(other, digits)})
        if not other.misfit and kept > most:
            best, most = other, kept
        if most == len(slips):
            break
    if best is None:
        raise EngineError("The numbers stay: with none of those drawn can this be asked.")
    return best


# choices by kind


def _number_choice(question: Question, trace: Trace, number: float, digits: Digits) -> PollChoice:
    """Return a number as a choice, judged like a learner's typed answer."""
    if question.kind == "sign":
        return _sign_choice(question, trace, number, digits)
    label, right = number_text(question, number, digits), answer(question, trace)
    if question.kind == "next":  # answered by a node, not by a number
        return PollChoice(label, number, say=UNKNOWN_NUMBER)
    if question.kind == "paths":
        return _path_count_choice(question, trace, number, label)
    (found,) = judge(trace, [(question, number)], digits)
    right_label = number_text(question, right, digits)
    if found.right:
        say = right_reveal(question, trace, digits)
        if label != right_label:
            say = _ROUNDED.format(answer=right_label)
        return PollChoice(label, number, right=True, say=say)
    if found.slip is None:
        return PollChoice(label, number, say=UNKNOWN_NUMBER)
    say = belief_reveal(found.slip, found.slip_number, question, trace, digits)
    return PollChoice(label, number, slip=found.slip.name, say=say)


def _sign_choices(question: Question, trace: Trace, digits: Digits) -> tuple[PollChoice, ...]:
    """Return rises, falls and stays; () where the gradient is nan, as none of them is right."""
    if math.isnan(final_gradient(question.node, trace)):
        return ()
    return tuple(_sign_choice(question, trace, sign, digits) for sign in SIGN_WORDS)


def _sign_choice(question: Question, trace: Trace, sign: float, digits: Digits) -> PollChoice:
    if sign not in SIGN_WORDS:
        return PollChoice(number_text(question, sign, digits), sign, say=UNKNOWN_NUMBER)
    say = sign_reveal(sign, question, trace, digits)
    return PollChoice(SIGN_WORDS[sign], sign, right=sign == answer(question, trace), say=say)


def _path_counts(question: Question, trace: Trace) -> tuple[float, ...]:
    """Return the number of paths and the wrong counts, by size; () without a wrong one."""
    right = answer(question, trace)
    wrong = miscounts(trace.graph, question.node, trace.root).values()
    found = sorted({right, *map(float, wrong)})
    return tuple(found) if len(found) > 1 else ()


def _path_count_choice(question: Question, trace: Trace, number: float, label: str) -> PollChoice:
    if number == answer(question, trace):
        return PollChoice(label, number, right=True, say=right_reveal(question, trace))
    wrong = miscounts(trace.graph, question.node, trace.root)
    name = next((name for name, miscount in wrong.items() if miscount == number), "")
    return PollChoice(label, number, slip=name, say=_MISCOUNTS.get(name, UNKNOWN_NUMBER))


_MISCOUNTS: Final[Mapping[str, str]] = {
    "wires counted": "counts the wires that leave it, not the ways to the end.",
    "nodes counted": "counts the nodes on the way; each path is one.",
    "one path": "is one path; follow every wire that leads on.",
}
"""The sentence under a wrong number of paths, by its name in `engine.asking.paths.miscounts`."""


def _node_choices(question: Question, trace: Trace) -> tuple[PollChoice, ...]:
    """Return the node that fires next and up to three that may not, in the order of their names.

    Others that may fire as well are left out, so that one choice is right.
    """
    graph = trace.graph
    wrong = [
        (_NEXT_SLIP_ORDER.index(slip.name), not isinstance(found, OpNode), node, slip.name)
        for node, found in graph.nodes.items()
        if not isinstance(found, Root)
        and (slip := click_slip(trace, question.step, node)) is not None
    ]
    slips = {node: slip for *_order, node, slip in sorted(wrong)[: MOST_CHOICES - 1]}
    found = [
        PollChoice(
            short_name_with_op(graph, node),
            right=node not in slips,
            slip=slips.get(node, ""),
            say=next_reveal(node, question, trace),
        )
        for node in (question.node, *slips)
    ]
    return tuple(sorted(found, key=lambda choice: choice.label))


def _mistake_choices(trace: Trace) -> tuple[PollChoice, ...]:
    """Return the mistake of a pass and those like it; () if no other is like it."""
    return tuple(_mistake_choice(rules, trace) for rules in likest_mistakes(trace))


def _own_mistake_choices(trace: Trace, own: Sequence[Choice]) -> tuple[PollChoice, ...]:
    """Return own choices; a mistake's title without an explanation gets the generated one."""
    by_title = {rules.title: rules for rules in MISTAKES}
    found: list[PollChoice] = []
    for choice in own:
        rules, slip, say = by_title.get(choice.text), "", choice.say
        if rules is not None:
            slip = "" if choice.right else rules.name
            say = say or _mistake_choice(rules, trace).say
        found.append(PollChoice(choice.text, right=choice.right, slip=slip, say=say))
    return tuple(found)


def _mistake_choice(rules: Rules, trace: Trace) -> PollChoice:
    """Return a mistake as a choice, with the first step that distinguishes it."""
    from engine.asking.diagnose import first_difference

    is_on = rules is trace.rules
    step = first_difference(trace, CORRECT if is_on else rules, len(trace))
    slip = "" if is_on else rules.name
    return PollChoice(rules.title, right=is_on, slip=slip, say=mistake_reveal(step, right=is_on))
