"""Handout questions: what a mark of a lecture asks on paper, and what the key says about it."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from app.controls.rich_text import Span, Spans
from app.lessons.lecture import Slide
from app.lessons.poll import PollChoice, choices, number_label
from app.lessons.situation import trace_of
from app.takeaway.handout_figure import asking
from app.takeaway.page_views import strip_of, view_of
from app.takeaway.worksheet_rows import slip_lines
from app.workbench.words.help import lesson_text, outside_pass_worked
from app.workbench.words.narration import narrate
from app.workbench.words.strip import BLANK_ROLE_PREFIX
from engine.numbers import Digits
from engine.study.grading import slip_sentence
from engine.study.question import ASKED_BEFORE_PASS, Question, answer, near
from engine.study.slips import slip_numbers
from engine.trace import Trace

LETTERS: Final = "ABCD"
_ROOM: Final = Span("____")
"""The blank in a sentence, whose number is written into the figure or ticked."""


class KeyLine(Struct, frozen=True):
    """A wrong answer with its letter, and the full sentence about it; "" if there is none."""

    letter: str
    label: str
    sentence: str


class PaperQuestion(Struct, frozen=True):
    """A question on paper: its sentence, its choices, and the lines of the key.

    Without choices the answer is written. `right` is the answer with its letter; `worked` is how it
    comes about, where no step of a pass shows it.
    """

    text: Spans
    choices: tuple[PollChoice, ...]
    right: str
    slips: tuple[KeyLine, ...]
    worked: Spans = ()


def paper_question(slide: Slide, digits: Digits) -> PaperQuestion:
    """Return the question of a slide that asks."""
    question, mark = slide.question, slide.mark
    found = choices(slide, digits) if mark.form == "choices" else ()
    if question is None or slide.situation is None:
        return PaperQuestion(lesson_text(mark.text), found, _right_of(found), _said(found))
    trace = trace_of(slide.situation)
    slips = tuple(
        KeyLine(LETTERS[k], choice.label, full_sentence(question, trace, choice, digits))
        for k, choice in enumerate(found)
        if not choice.right
    )
    if not found:
        lines = slip_lines(question, trace, digits) if question.kind != "next" else ()
        slips = tuple(KeyLine("", line.number, line.sentence) for line in lines)
    outside = question.kind in ASKED_BEFORE_PASS and question.kind != "final"
    return PaperQuestion(
        asked_sentence(slide, question, digits),
        found,
        _right_of(found) or _answer_label(question, trace, digits),
        slips,
        outside_pass_worked(question, trace, digits) if outside else (),
    )


def asked_sentence(slide: Slide, question: Question, digits: Digits) -> Spans:
    """Return the sentence of an engine question with room where the answer belongs."""
    assert slide.situation is not None
    view = view_of(slide.situation.shown, asking(question))
    sentence = strip_of(view, digits).sentence
    return tuple(
        replace(span, text=_ROOM.text, role="text", bold=False)
        if span.role.startswith(BLANK_ROLE_PREFIX)
        else span
        for span in sentence
    )


def shown_sentence(slide: Slide, digits: Digits) -> Spans:
    """Return the sentence of the step that a slide shows; () outside a pass."""
    assert slide.situation is not None
    frame = slide.situation.shown
    return () if frame.phase == "live" else narrate(frame, digits=digits)


def full_sentence(question: Question, trace: Trace, choice: PollChoice, digits: Digits) -> str:
    """Return the full sentence of the slip behind a wrong choice; what it says without a slip."""
    for slip, number in slip_numbers(question, trace) if choice.slip else ():
        if slip.name == choice.slip and choice.number is not None and near(number, choice.number):
            return slip_sentence(slip, number, question, trace, digits)
    return choice.say


def _answer_label(question: Question, trace: Trace, digits: Digits) -> str:
    if question.kind == "next":
        return trace.graph.brief(question.node)
    return number_label(question, answer(question, trace), digits)


def _right_of(found: tuple[PollChoice, ...]) -> str:
    """Return the right choices with their letters."""
    return ", ".join(f"{LETTERS[k]}  {c.label}" for k, c in enumerate(found) if c.right)


def _said(found: tuple[PollChoice, ...]) -> tuple[KeyLine, ...]:
    return tuple(
        KeyLine(LETTERS[k], c.label, c.say) for k, c in enumerate(found) if c.say or not c.right
    )
