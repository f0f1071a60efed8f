"""Handout questions: the question of a mark on paper, and its lines in the key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from app.controls.rich_text import Spans, verbatim
from app.lessons.lecture import Slide
from app.lessons.poll import LETTERS, PollChoice, poll_of, right_choice
from app.takeaway.worksheet_rows import slip_lines
from app.workbench.words.lecture import answer_sentence, question_sentence, shown_sentence, view_at
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

    Without choices the answer is written. `right` is the answer, with the letter of its choice;
    `answer` is the sentence about it, () where the answer says it all.
    """

    text: Spans
    choices: tuple[PollChoice, ...]
    right: KeyLine
    answer: Spans
    slips: tuple[KeyLine, ...]


def paper_question(slide: Slide, digits: Digits) -> PaperQuestion:
    """Return the question of a slide that asks."""
    found = poll_of(slide, digits).choices
    right = _right_line(slide, found, digits)
    return PaperQuestion(
        question_sentence(slide, digits),
        found,
        right,
        _answer_spans(slide, right, digits),
        tuple(_key_lines(slide, found, digits)),
    )


def _right_line(slide: Slide, found: Sequence[PollChoice], digits: Digits) -> KeyLine:
    """Return the answer; where several choices are right, all of them."""
    pairs = [pair for pair in zip(LETTERS, found, strict=False) if pair[1].right]
    if pairs:
        letters = ", ".join(letter for letter, _choice in pairs)
        labels = ", ".join(choice.label for _letter, choice in pairs)
        return KeyLine(letters, labels, " ".join(choice.say for _letter, choice in pairs))
    right = right_choice(slide, digits)
    return KeyLine("", "" if right is None else right.label, "" if right is None else right.say)


def _answer_spans(slide: Slide, right: KeyLine, digits: Digits) -> Spans:
    """Return the sentence about the answer, without the answer itself where it begins with it."""
    if slide.question is None and slide.mark.asks != "mistake":
        return verbatim(right.sentence)
    assert slide.revealed is not None
    spans = answer_sentence(slide, view_at(slide.revealed), Say(digits=digits))
    return spans[1:] if spans and spans[0].text == right.label else spans


def shown_text(slide: Slide, digits: Digits) -> Spans:
    """Return the sentence of the place that a slide shows."""
    assert slide.situation is not None
    return shown_sentence(view_at(slide.situation), Say(digits=digits))


def full_sentence(question: Question, trace: Trace, choice: PollChoice, digits: Digits) -> str:
    """Return the full sentence of a wrong choice's slip; its own explanation without a slip."""
    for slip, number in slip_numbers(question, trace) if choice.slip else ():
        if slip.name == choice.slip and choice.number is not None and near(number, choice.number):
            return slip_sentence(slip, number, question, trace, digits)
    return choice.say


def _key_lines(slide: Slide, found: Sequence[PollChoice], digits: Digits) -> Iterator[KeyLine]:
    """Yield the wrong choices; where numbers are called out, those that a slip gives."""
    question = slide.question
    wrong = [pair for pair in zip(LETTERS, found, strict=False) if not pair[1].right]
    if question is None:
        yield from (KeyLine(letter, choice.label, choice.say) for letter, choice in wrong)
        return
    trace = slide.trace
    for letter, choice in wrong:
        yield KeyLine(letter, choice.label, full_sentence(question, trace, choice, digits))
    if not found and question.kind != "next":
        for line in slip_lines(question, trace, digits):
            yield KeyLine("", line.number, line.sentence)
