"""Questions of a drill as sentences, and any answer as the canvas writes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.workbench.gradients.formulas import grad_name
from engine.errors import sentence
from engine.numbers import DIGITS_SHOWN, Digits, short, signed
from engine.study.grading import fields
from engine.study.question import Kind, Question, answer, receiver
from engine.trace import Trace

QUESTIONS: Final[Mapping[Kind, str]] = {
    "local": "What is the slope of {node} along {receiver}?",
    "contribution": "What does {node} pass to {receiver}?",
    "sum": "What does {held_in} hold after this step?",
    "final": "What will {held_in} be at the end of the pass?",
}
ROLES: Final[Mapping[Kind, str]] = {
    "value": "value",
    "local": "local",
    "change": "value",
    "sign": "text",
    "paths": "text",
}
"""Colour of an answer, where it is not that of a gradient."""


def question_text(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> str:
    """Return a question about a wire or a final gradient as a sentence."""
    return sentence(
        QUESTIONS[question.kind],
        {
            **fields(question, trace, digits),
            "held_in": grad_name(trace.graph, receiver(question, trace)),
        },
    )


def answer_text(question: Question, trace: Trace, digits: Digits = DIGITS_SHOWN) -> str:
    """Return the answer as it is written on the canvas."""
    if question.kind == "next":
        return trace.graph.brief(question.node)
    write = signed if question.kind == "contribution" else short
    return write(answer(question, trace), digits)
