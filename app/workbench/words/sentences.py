"""Sentences: the one table of templates about a step, and about a question of a drill.

Each is named by the kind of the step and the case. One about a step that was taken has a column for
each voice; one that asks or helps is in plain English alone. A sentence that asks has blanks in
place of some of its numbers. `**` makes text bold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from app.controls.spans import Span, Spans, filled
from app.workbench.gradients.formulas import grad_name
from engine import errors
from engine.asking.answering import sentence_fields
from engine.asking.facts import StepFacts
from engine.asking.judging import number_text
from engine.asking.kinds import KINDS, answer
from engine.asking.question import Question, receiver
from engine.numbers import DIGITS_SHOWN, Digits
from engine.rules import CORRECT
from engine.schedule import StepKind
from engine.trace import Trace

Voice = Literal["plain", "maths", "code"]
"""The language of a sentence about a step: English, an equation, or the line of code."""
VOICES: Final[tuple[Voice, ...]] = ("plain", "maths", "code")
Case = Literal[
    "",
    "first",
    "adds",
    "replaces",
    "not 1",
    "asked",
    "unfolded",
    "whole",
    "slope",
    "sum",
    "worked",
    "worked sum",
    "worked replaced",
    "worked slope",
    "worked rule",
    "worked mistake",
]
"""The form of a sentence about a step of one kind.

"", not 1                  a step that was taken, and a seed other than 1
first, adds, replaces      the first contribution to a node, a later one, and one that overwrites
asked                      what is passed on is asked for, without its factors
whole                      the upstream gradient is asked for, too
unfolded                   the slope is asked for, too, or the worked answer is shown
slope                      the slope alone is asked for
sum                        the sum is asked for; follows the others after a semicolon
worked …                   the computation of a number that was asked for
"""
Fields = Mapping[str, Span | Spans | str]
"""The numbers, names and blanks of a template, by the names in its braces.

`node` fires, and passes something on to `receiver`. `held` and `before` are the gradient that the
receiver had, `after` the one it has then; `held_in` names this gradient as maths and code do.
In an equation `held_as` is `held_in` or ∂L/∂a, `held_is` is ∂L/∂a unless the pass is wrong;
`partial_sum` is `so far, 1 of 3` until the last contribution. `assigned` is += or =.
"""

_EQUATION: Final = "{held_as} {assigned} {equation}, so {held_is} = {after}{partial_sum}."

SENTENCES: Final[Mapping[tuple[StepKind, Case], Mapping[Voice, str]]] = {
    ("compute", ""): {
        "plain": "**{name}** = {formula} = {numbers} = {value}.",
        "maths": "**{name}** = {formula} = {numbers} = {value}",
        "code": "{code}  # {numbers} = {value}",
    },
    ("seed", ""): {
        "plain": "**{receiver}** starts with grad {seed}: {itself} changes as fast as itself.",
        "maths": "{seeded} = {seed}: {itself} changes as fast as itself.",
        "code": "{code}  # {itself} changes as fast as itself",
    },
    ("seed", "not 1"): {
        "plain": "**{receiver}** starts with grad {seed}, not 1: every gradient will be {seed} × a"
        " derivative.",
        "maths": "{held_in} = {seed}, not 1: every gradient will be {seed} × a derivative.",
        "code": "{code}  # not 1, so every gradient will be this × a derivative",
    },
    ("zero", ""): {
        "plain": "**{receiver}** is set back from {held} to {after}.",
        "maths": "{held_in} = {after}.",
        "code": "{code}  # held {held}",
    },
    ("contribution", "first"): {
        "plain": "**{node}** got {upstream} and passes {upstream} × {local} = {contribution} to"
        " **{receiver}**: now {after}.",
        "maths": _EQUATION,
        "code": "{code}  # {product} = {after}",
    },
    ("contribution", "adds"): {
        "plain": "**{node}** got {upstream} and passes {upstream} × {local} = {contribution} to"
        " **{receiver}**, which held {held}: now {after}.",
        "maths": _EQUATION,
        "code": "{code}  # {held} + ({product}) = {after}",
    },
    ("contribution", "replaces"): {
        "plain": "**{node}** got {upstream} and passes {upstream} × {local} = {contribution} to"
        " **{receiver}**, which held {held}: {assigned} forgets the {held} and keeps {kept}.",
        "maths": _EQUATION,
        "code": "{code}  # {product} = {after}",
    },
    ("contribution", "asked"): {"plain": "**{node}** passes {contribution} to **{receiver}**"},
    ("contribution", "unfolded"): {
        "plain": "**{node}** got {upstream} and passes {upstream} × {local} = {contribution} to"
        " **{receiver}**"
    },
    ("contribution", "whole"): {
        "plain": "{upstream} × {local} = {contribution} goes to **{receiver}**"
    },
    ("contribution", "slope"): {
        "plain": "Along **{receiver}**, the slope of **{node}** is {local}"
    },
    ("contribution", "sum"): {"plain": "**{holder}.grad**{previous_grad} is now {after}."},
    ("contribution", "worked"): {"plain": "{upstream} × {factor} = {contribution}"},
    ("contribution", "worked sum"): {
        "plain": "{receiver} held {before}, and {before} + {summand} = {after}"
    },
    ("contribution", "worked replaced"): {
        "plain": "under this mistake {receiver} keeps only {after}"
    },
    ("contribution", "worked slope"): {
        "plain": "the slope of {formula} along {by} is {slope} = {local}"
    },
    ("contribution", "worked rule"): {"plain": "the slope of {formula} along {by} is {local}"},
    ("contribution", "worked mistake"): {
        "plain": "under this mistake {formula} takes {local} as its slope along {by}"
    },
}


def case_of(at: StepFacts) -> Case:
    """Return the case of a step that has been taken."""
    if at.kind == "seed":
        return "" if at.after == CORRECT.seed else "not 1"
    if at.kind != "contribution":
        return ""
    if at.first:
        return "first"
    return "adds" if at.adds else "replaces"


def sentence(kind: StepKind, case: Case, fields: Fields, voice: Voice = "plain") -> Spans:
    """Return a sentence with its fields, each a number, a name or a blank."""
    role = "secondary" if voice == "code" else "text"
    return filled(SENTENCES[kind, case][voice], role, **fields)


def question_text(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> str:
    """Return a question as a sentence; its kind has one."""
    return errors.sentence(
        KINDS[question.kind].asks,
        {
            **sentence_fields(question, trace, digits),
            "held_in": grad_name(trace.graph, receiver(question, trace)),
        },
    )


def answer_text(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> str:
    """Return the answer as it is written on the canvas."""
    if question.kind == "next":
        return trace.graph.brief(question.node)
    return number_text(question, answer(question, trace), digits)
