"""A page says what the window says: verdicts, help and praise, over all lessons and tries."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from app.controls.spans import plain_text
from app.document.sheet import Sheet
from app.lessons.course import course
from app.lessons.lesson import Ask
from app.lessons.load import lesson
from app.lessons.questions import drawn, questions_of
from app.takeaway.estimated_layout import laid_out_drawing
from app.takeaway.graph_page import PageOptions, page_of_graph
from app.takeaway.html_page import html_page
from app.takeaway.lesson_page import SEED, page_of_lesson
from app.workbench.modes.quiz import JudgedAnswer, LessonQuestions, Quiz
from app.workbench.playback.view_state import ViewState
from app.workbench.words.asked import quiz_strip
from app.workbench.words.strip import StripContext
from engine import from_expression
from engine.asking.beliefs import belief_numbers
from engine.asking.kinds import ASKED_BEFORE_PASS, answer, steps_before
from engine.asking.question import Question
from engine.frame import Frame, frame_at
from engine.numbers import plain, short
from engine.trace import Trace, run_forward
from tests.helpers.exported import data_of, said
from tests.helpers.sampling import sampled, sized

LESSONS = [head.name for head in course().lessons]
UNREAD = ("12 apples", "1,000", "9" * 4_400)


class Asked:
    """A learner in the window, who is asked for one blank after those before it are right."""

    def __init__(self, sentence: Sequence[Question], place: int, trace: Trace, form: str) -> None:
        self.question, before = sentence[place], sentence[:place]
        self.sentence = tuple(sentence[: place + 1])
        questions = LessonQuestions(self.sentence, by_choices=form == "choices")
        self.trace = run_forward(trace.graph) if self.question.kind == "value" else trace
        self.bare = self._frame_before()
        self.quiz = Quiz(
            lesson_questions=questions,
            level=questions.level,
            steps="every",
            graph=trace.graph,
            done=frozenset(before),
            last_answers={q: JudgedAnswer(q, plain(answer(q, trace)), True) for q in before},
        )

    def _frame_before(self) -> Frame:
        is_before = self.question.kind in ASKED_BEFORE_PASS
        return frame_at(self.trace, 0 if is_before else steps_before(self.question, self.trace))

    @property
    def frame(self) -> Frame:
        return self.quiz.hide(self.bare)

    @property
    def line(self) -> str:
        quiz = self.quiz
        if self.question not in quiz.done:  # which belief a history shows is inferred there alone
            attempts = tuple(
                replace(a, tries=tuple(replace(each, slips=()) for each in a.tries))
                for a in quiz.record.attempts
            )
            quiz = replace(quiz, record=replace(quiz.record, attempts=attempts))
        now = ViewState(Sheet(self.trace.graph), self.frame, mode=quiz)
        return plain_text(
            quiz_strip(replace(now, unhidden_trace=self.trace), StripContext()).answer
        )

    def lines(self, texts: Sequence[str]) -> Iterator[str]:
        """Yield the answer line after each text, "hint" being a press of Hint."""
        for text in texts:
            if self.question in self.quiz.done:
                return
            if text == "hint":
                self.quiz = self.quiz.hinted(self.frame)
            else:
                for blank in self.quiz.blanks(self.frame):
                    is_asked = blank == self.question
                    typed = text if is_asked else plain(answer(blank, self.trace))
                    self.quiz = self.quiz.with_text(blank, typed)
                self.quiz = self.quiz.answered(self.frame)
            # a page has no blank for a slope that the window's sentence unfolds
            slope = replace(self.question, kind="local")
            if self.quiz.unfolds(self.question.step) and self.question not in self.quiz.done:
                self.quiz = replace(self.quiz, done=self.quiz.done | {slope})
            if self.question in self.quiz.done:
                # shown answers are those of the sentence; praise a page has at each blank
                closed = self.sentence if self.quiz.shown else (self.question,)
                self.quiz = self.quiz.with_answers_shown(closed)
            yield self.line


def answers(question: Question, trace: Trace) -> Iterator[tuple[str, ...]]:
    """Yield what is typed, try by try: each slip, twice, thrice, then right, after hints."""
    right = plain(answer(question, trace))
    numbers = dict.fromkeys(plain(number) for _slip, number in belief_numbers(question, trace))
    rounded = dict.fromkeys(short(float(text)).removeprefix("≈ ") for text in numbers)
    tried = dict.fromkeys((*numbers, *rounded, "3.7", plain(-float(right))))
    for text in sampled(tried, 2):
        if text != right:
            yield (text, text, text)
            yield (text, right)
            yield (text, "hint", right)
            yield ("hint", text, text)
            others = list(numbers)[: sized(1, len(numbers))]
            yield from ((text, other, right) for other in (*others, "123.5") if other != right)
    yield (right,)
    yield ("hint", "hint", "hint")
    yield (*UNREAD, right)


def questions_of_page(name: str) -> Iterator[tuple[dict[str, Any], dict[str, Any], Asked]]:
    """Yield each question of a lesson whose answer is a number: page, data, and the window."""
    found = lesson(name)
    page = data_of(html_page(page_of_lesson(found)))
    for own, step in zip(found.steps, page["steps"], strict=True):
        if own.kind != "ask" or own.guess or "live" in step:  # a browser asks the latter
            continue
        trace, questions, written = questions_of(own, drawn(own, SEED))
        yield from asked_at(page, step, questions, trace, own.form, written)


def asked_at(
    page: dict[str, Any],
    step: dict[str, Any],
    questions: Sequence[Question],
    trace: Trace,
    form: str = "field",
    own: dict[Question, Ask] | None = None,
) -> Iterator[tuple[dict[str, Any], dict[str, Any], Asked]]:
    by_id = {(q.kind, q.node, q.wire and q.slot, q.step): q for q in questions}
    inside: list[Question] = []
    for data in step["questions"]:
        record = data["record"]
        key = record["kind"], record["node"], record.get("slot"), record.get("step", 0)
        question = by_id[key]
        inside.append(question)
        if question.kind not in ("next", "text", "sign") and question not in (own or {}):
            yield page, data, Asked(inside, len(inside) - 1, trace, form)
        if not data.get("rest"):
            inside = []


def assert_alike(page: dict[str, Any], data: dict[str, Any], asked: Asked) -> int:
    """Assert that page and window say the same of all answers; return how many texts."""
    count, begun = 0, asked.quiz
    for texts in answers(asked.question, asked.trace):
        asked.quiz = begun
        window, shown = list(asked.lines(texts)), said(page, data, texts)
        if data.get("rest"):  # the worked line of a page is that of all blanks that follow
            window = [line for line in window if not line.startswith("Worked: ")]
            shown = [line for line in shown if not line.startswith("Worked: ")]
        assert shown == window, (asked.question, texts)
        count += len(shown)
    return count


@pytest.mark.parametrize("name", sampled(LESSONS, every=3))
def test_a_lessons_page_says_what_the_window_says_at_each_try(name: str):
    for page, data, asked in questions_of_page(name):
        assert assert_alike(page, data, asked) > sized(12, 20)


PATHS = "e = a*b; d = e + a; L = d*f", {"a": 3, "b": -2, "f": 5}


def test_a_page_that_asks_last_opens_at_its_question_and_a_learner_reads_no_teachers_note():
    graph = from_expression(*PATHS)
    drawing = laid_out_drawing(graph)
    text = html_page(page_of_graph(drawing, "", PageOptions(ask="last")))
    page = data_of(text)
    assert [k for k, step in enumerate(page["steps"]) if step.get("questions")] == [page["begins"]]
    assert "begins" not in data_of(html_page(page_of_graph(drawing, "", PageOptions())))
    assert "source of" not in text
