"""Handout questions: what a mark of a lecture asks on paper, and what the key says about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from app.controls.rich_text import Spans
from app.lessons.lecture import Slide
from app.lessons.poll import PollChoice, poll_of, right_choice
from app.lessons.situation import trace_of
from app.takeaway.worksheet_rows import slip_lines
from app.workbench.playback.view_state import view_of
from app.workbench.words.lecture import LETTERS, answer_sentence, question_sentence, shown_sentence
from app.workbench.words.strip import Say
from engine.numbers import Digits
from engine.study.grading import slip_sentence
from engine.study.question import Question, near
from engine.study.slips import slip_numbers
from engine.trace import Trace


class KeyLine(Struct, frozen=True):
    """A wrong answer with its letter, and the full sentence about it; "" if there is none."""

    letter: str
    label: str
    sentence: str


class PaperQuestion(Struct, frozen=True):
    """A question on paper: its sentence, its choices, and the lines of the key.

    Without choices the answer is written. `right` is the answer with its letter, `answered` the
    sentence about it.
    """

    text: Spans
    choices: tuple[PollChoice, ...]
    right: str
    answered: Spans
    slips: tuple[KeyLine, ...]


def paper_question(slide: Slide, digits: Digits) -> PaperQuestion:
    """Return the question of a slide that asks."""
    assert slide.revealed is not None
    found = poll_of(slide, digits).choices
    revealed = replace(view_of(slide.revealed.shown), rules=slide.revealed.rules)
    return PaperQuestion(
        question_sentence(slide, digits),
        found,
        _right_of(found) or _right_label(slide, digits),
        answer_sentence(slide, revealed, Say(digits=digits)),
        tuple(_key_lines(slide, found, digits)),
    )


def shown_text(slide: Slide, digits: Digits) -> Spans:
    """Return the sentence of the place that a slide shows."""
    assert slide.situation is not None
    view = replace(view_of(slide.situation.shown), rules=slide.situation.rules)
    return shown_sentence(view, Say(digits=digits))


def full_sentence(question: Question, trace: Trace, choice: PollChoice, digits: Digits) -> str:
    """Return the full sentence of the slip behind a wrong choice; what it says without a slip."""
    for slip, number in slip_numbers(question, trace) if choice.slip else ():
        if slip.name == choice.slip and choice.number is not None and near(number, choice.number):
            return slip_sentence(slip, number, question, trace, digits)
    return choice.say


def _key_lines(slide: Slide, found: Sequence[PollChoice], digits: Digits) -> Iterator[KeyLine]:
    """Yield the wrong choices; where numbers are called out, those that a slip gives."""
    question, begun = slide.question, slide.situation
    wrong = [pair for pair in zip(LETTERS, found, strict=False) if not pair[1].right]
    if question is None or begun is None:
        yield from (KeyLine(letter, choice.label, choice.say) for letter, choice in wrong)
        return
    trace = trace_of(begun)
    for letter, choice in wrong:
        yield KeyLine(letter, choice.label, full_sentence(question, trace, choice, digits))
    if not found and question.kind != "next":
        for line in slip_lines(question, trace, digits):
            yield KeyLine("", line.number, line.sentence)


def _right_of(found: Sequence[PollChoice]) -> str:
    """Return the right choices with their letters."""
    pairs = zip(LETTERS, found, strict=False)
    return ", ".join(f"{letter}  {choice.label}" for letter, choice in pairs if choice.right)


def _right_label(slide: Slide, digits: Digits) -> str:
    """Return the answer to a question without choices."""
    right = right_choice(slide, digits)
    return "" if right is None else right.label
