"""The texts of a lesson: a step with live numbers, its task card, its spoken name, its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from app.controls.spans import ListRow, Span, Spans, plain_text, verbatim
from app.guide.play.guide import Learner, WrongAnswer
from app.lessons.lesson import Ask, Step
from app.workbench.playback.view_state import ViewState
from app.workbench.words.live_texts import guess_text, live_spans
from engine.asking.judging import quoted
from engine.asking.kinds import long_name
from engine.asking.nudge import complete_gradient
from engine.asking.question import Question
from engine.graph import Graph
from engine.numbers import ASKED, HIDDEN, Digits, short
from engine.schedule import NO_NODE


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a text, separated by empty lines."""
    for lines in text.split("\n\n"):
        if stripped := " ".join(lines.split()):
            yield stripped


def step_lines(state: Learner, now: ViewState, digits: Digits) -> list[Spans]:
    """Return the paragraphs of the current step; of an ended test the verdict on the answer."""
    step = state.step
    if step is None:
        return []
    if state.is_test and not state.is_test_open:
        from app.guide.words.final_result import result_of, step_review

        return step_review(result_of(state, digits), state.at, digits)
    guesses = tuple(_guess_spans(state, now, digits))
    lines = [live_spans(text, now, digits) for text in paragraphs(step.text)]
    return [*lines, guesses] if guesses else lines


def _guess_spans(state: Learner, now: ViewState, digits: Digits) -> Iterator[Span]:
    """Yield each guess of an earlier step that the sheet or the lesson has answered by now."""
    frame, begins = now.frame, True
    for guess in state.guesses:
        name, right = guess.ask.text, ""
        if guess.question.kind == "text":  # the step after it shows what was guessed
            shown = guess.at < state.at and state.done[guess.at + 1 : guess.at + 2] == ("done",)
            choice = guess.ask.right_choice
            right = choice.text if shown and choice is not None else ""
        elif guess.question.kind == "final" and frame.graph.nodes == guess.graph.nodes:
            name = f"{frame.graph.brief(guess.question.node, _NAME_LENGTH)}.grad"
            known = complete_gradient(frame, guess.question.node)
            hidden = known is HIDDEN or guess.question.node in frame.asked_finals
            right = "" if known is None or hidden else short(known, digits)
        if right and guess.at != state.at:
            yield from () if begins else (Span(" "),)
            yield from guess_text(quoted(guess.typed), right, name)
            begins = False


class Card(Struct, frozen=True):
    """What a step's task needs beside the strip: its questions, ranges of sliders by leaf, a page.

    `is_open`: it is not done yet.
    """

    is_open: bool
    rows: tuple[ListRow, ...] = ()
    sliders: Mapping[int, tuple[float, float]] = {}
    page: str = ""
    """The page that the step needs, or ""."""
    offers_hint: bool = False


_NAME_LENGTH: Final = 12
"""Characters of a node's name in the row of a question."""


def card_of(state: Learner, step: Step, now: ViewState) -> Card | None:
    """Return the task card of the current step; None for a step that needs none."""
    if state.is_test and not state.is_test_open:
        return None
    is_ask = step.kind == "ask"
    page = "mistakes" if step.kind == "hunt" else step.panel
    # the page Lesson has this card; a done hunt is over, so Mistakes has nothing more to show of it
    needs_page = page != "lesson" and not (state.ended and step.kind == "hunt")
    # the hint of an ask is in the strip, and a pass by hand has hints of its own
    has_hint = bool(step.hint) and not (is_ask or state.ended or now.by_hand)
    card = Card(
        is_open=not state.ended,
        rows=tuple(_question_rows(state, step, now)) if len(step.asks) > 1 else (),
        sliders=step.sliders,
        page=page if needs_page else "",
        offers_hint=has_hint and not state.shows_hint,
    )
    return card if card.rows or card.sliders or card.page or card.offers_hint else None


def _question_rows(state: Learner, step: Step, now: ViewState) -> Iterator[ListRow]:
    """Yield a row for each question of an ask: open, filled in, done, or still to come."""
    graph = state.begun.graph
    for index, (ask, mark) in enumerate(zip(step.asks, _row_marks(state, step, now), strict=True)):
        title = question_title(ask, graph)
        done = mark in ("✓", _GUESS)
        role = "text" if done else "selection"
        number = Span(f"{index + 1}", "secondary" if done else "selection", bold=True)
        spoken_state = {"✓": "done", ASKED: "to come"}.get(mark, mark)
        yield ListRow(
            ((number,), title, (Span(mark, role, bold=True),)),
            f"{index + 1}, {plain_text(title)}, {spoken_state}",
        )


def question_title(ask: Ask, graph: Graph) -> Spans:
    """Return what a question asks for, `what × (e) passes to a`; one of a lesson its own text."""
    if ask.text:
        return verbatim(ask.text)
    about = ask.wire or (NO_NODE if ask.node is None else ask.node,)
    question = Question(ask.kind, *about)  # pyright: ignore[reportArgumentType]
    return verbatim(long_name(question, graph, _NAME_LENGTH))


def is_ahead(state: Learner, now: ViewState) -> bool:
    """Return whether the pass has yet to be stepped to the first question of an ask."""
    asked = None if now.quiz is None else now.quiz.lesson_questions
    if state.ended or state.quiz_ended or now.quiz is None or asked is None or now.quiz.done:
        return False
    cursor = now.frame.cursor if now.frame.phase == "backward" else 0
    return asked.questions[0].step > cursor + 1


_GUESS: Final = "guessed"
"""Marks a question that took any answer: a tick would say that it was right."""


def _row_marks(state: Learner, step: Step, now: ViewState) -> list[str]:
    """Return the mark of each question of an ask: ✓, guessed, open, filled in, or ? for later."""
    done = _questions_done(state, step, now)
    marks = [(_GUESS if step.guess else "✓") if ended else ASKED for ended in done]
    quiz = None if state.quiz_ended else now.quiz
    asked = None if quiz is None else quiz.lesson_questions
    if quiz is None or asked is None or all(done):
        return marks
    blanks = quiz.blanks(now.frame)
    for index, question in enumerate(asked.questions):
        if question in blanks and not done[index]:
            marks[index] = "filled in" if quiz.typed.get(question, "").strip() else "open"
    if not blanks:  # the pass has yet to be stepped there
        marks[done.index(False)] = "open"
    return marks


def _questions_done(state: Learner, step: Step, now: ViewState) -> list[bool]:
    """Return for each question of an ask whether it is answered or shown."""
    lesson_questions = None if now.quiz is None else now.quiz.lesson_questions
    if state.ended or now.quiz is None or lesson_questions is None:
        return [bool(state.ended)] * len(step.asks)
    return [question in now.quiz.done for question in lesson_questions.questions]


_DONE: Final = "{title} is done. Now you can: {able}"
_DONE_ALONE: Final = "{title} is done."


def spoken_step(state: Learner) -> str:
    """Return the announcement on entering a step: `Step 3 of 7, ask, The second one`."""
    step, total = state.step, len(state.lesson.steps)
    if step is None:
        done = _DONE if state.lesson.able else _DONE_ALONE
        return done.format(title=state.lesson.title, able=state.lesson.able)
    return f"Step {state.at + 1} of {total}, {step.kind}, {step_heading(state, step)}"


def step_heading(state: Learner, step: Step) -> str:
    """Return the title of the step, or its place if it says something without one."""
    is_named = step.title or step.kind != "say"
    return step.heading if is_named else f"Step {state.at + 1}"


def status_text(state: Learner) -> str:
    """Return the place in the lesson for the status line: `lesson: step 3 of 7`."""
    step = state.step
    if step is None:
        return "final test: done" if state.is_test else "lesson: done"
    if state.is_test:
        return f"final test: {state.at + 1} of {len(state.lesson.steps)}"
    position = f"lesson: step {state.at + 1} of {len(state.lesson.steps)}"
    if state.ended and not step.wants_nothing:
        return f"{position}, done"
    is_open = step.kind == "ask" and not state.quiz_ended
    return f"{position}, a question is open" if is_open else position


def end_rows(state: Learner, returns: Sequence[str] = ()) -> list[ListRow]:
    """Return the first wrong answers of a lesson, each with its verdict and when it returns.

    `returns` has a sentence for each wrong answer, "" for one that does not return.
    """
    rows: list[ListRow] = []
    for each, when in zip(state.wrong, returns or ("",) * len(state.wrong), strict=True):
        row = _wrong_row(each, Span(f"step {each.step}", "secondary"), f"step {each.step}")
        if when:
            below = (*row.below, Span("\n"), Span(when, "secondary"))
            row = replace(row, spoken=f"{row.spoken} {when}.", below=below)
        rows.append(row)
    return rows


COMES_BACK: Final = "comes back"
"""The heading of the days on which the questions of a day are asked again."""
_SAID: Final = "{title}: you said {typed}, right is {right}. {verdict}"
_SAID_WITH_DAY: Final = "{title}: you said {typed}, right is {right}, comes back {day}. {verdict}"
_RIGHT, _OPEN = "{title}, right, comes back {day}", "{title}, not answered, comes back {day}"


def daily_rows(state: Learner, returns: Sequence[str]) -> list[ListRow]:
    """Return the questions of a day, each with its first answer and when it is asked again.

    `returns` has that day for each question: `tomorrow`, `no more`.
    """
    wrong = {each.step - 1: each for each in state.wrong}
    rows: list[ListRow] = []
    for at, (step, day) in enumerate(zip(state.lesson.steps, returns, strict=True)):
        if at in wrong:
            rows.append(_wrong_row(wrong[at], Span(day, "secondary"), step.heading, day))
        else:
            mark, said = ("✓", _RIGHT) if state.done[at] == "done" else ("–", _OPEN)
            cells = ((Span(mark, bold=True),), (Span(step.heading),), (Span(day, "secondary"),))
            rows.append(ListRow(cells, said.format(title=step.heading, day=day)))
    return rows


def _wrong_row(each: WrongAnswer, aside: Span, title: str, day: str = "") -> ListRow:
    """Return a row of a wrong answer, with `aside` at its right; `title` and `day` are read out."""
    numbers = (Span(each.typed, strike=True), Span("  "), Span(each.right, each.role, True))
    said = tuple(span for span in each.said if span.text.strip() != "✘")  # the row has one
    spoken = (_SAID_WITH_DAY if day else _SAID).format(
        title=title, typed=each.typed, right=each.right, day=day, verdict=plain_text(said)
    )
    return ListRow(((Span("✘", "error", True),), numbers, (aside,)), spoken, said)
