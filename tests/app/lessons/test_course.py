"""The lessons of the course: what they ask, show and say, and in which order they come."""

import re
from pathlib import Path
from typing import get_args

from app.controls.spans import plain_text
from app.lessons.course import FOLDER, OPENING, course, path_of
from app.lessons.lesson import Lesson, Step
from app.lessons.load import lesson, problems
from app.lessons.parsing import (
    MISTAKE_NAMES,
    PANELS,
    AskFile,
    ChoiceFile,
    GraphFile,
    LessonFile,
    SettingsFile,
    StepFile,
)
from app.lessons.questions import KEYS, NOT_OF_ENGINE, drawn, question_of
from app.lessons.situation import PlaneFile, Situation, Verb, after_move, trace_of
from app.lessons.step_checks import CHECKS, holds
from app.workbench.playback.view_state import view_of
from app.workbench.words.live_texts import hint_spans
from engine.asking.beliefs import BY_NAME as BELIEFS
from engine.asking.beliefs import belief_numbers
from engine.asking.kinds import answer
from engine.frame import frame_at
from engine.numbers import short
from engine.trace import run
from tests.helpers.sampling import sized
from tests.helpers.tables import in_turn

DOCUMENT = Path(__file__).parents[3] / "docs" / "lessons.md"
NAMES = [head.name for head in course().lessons]
ASKED = {
    "one-wire": ["5", "4", "−1"],
    "gears": ["6", "15", "−6"],
    "plus-times": ["10", "10", "−1", "−1", "10", "−4", "−1", "10"],
    "seven-numbers": ["−2", "4", "−2", "−2", "6", "−4", "−2", "4", "−2", "−2", "6", "−4"],
    "same-leaf-twice": ["12", "2", "48"],
    "two-paths": ["−1", "−10", "−5", "−5", "15"],
    "one-neuron": ["0.5", "0.5", "0", "−1.5", "1"],
    "firing-order": ["s"],
    "who-next": ["4", "e", "7", "25"],
    "sum-over-paths": ["25", "19"],
    "referee": ["6", "−2"],
    "missing-plus": [],
    "twice-without-zero": [],
    "dead-and-flat": ["0", "0.009866"],
    "inside-operation": ["−1.5"],
    "two-weights": ["1", "−2"],
    "too-fast": [],
    "xor": [],
}
"""The answers in each lesson with its author's numbers, worked out by hand."""


def answers(begun: Situation, asks: Lesson, step: int) -> list[str]:
    """The answers of a step's questions as they are typed, of a click the name of the node."""
    trace = trace_of(begun)
    cursor = begun.cursor if begun.phase == "backward" else 0
    found = [
        question_of(ask, trace, cursor)
        for ask in asks.steps[step].asks
        if ask.kind not in NOT_OF_ENGINE
    ]
    return [
        trace.graph.names[q.node] if q.kind == "next" else short(answer(q, trace)) for q in found
    ]


@in_turn("name", NAMES)
def test_a_lesson_has_no_fault_and_its_head_is_that_of_the_file(name: str):
    assert problems(path_of(name)) == ()
    found, head = lesson(name), next(head for head in course().lessons if head.name == name)
    assert (head.title, head.able, head.steps) == (found.title, found.able, len(found.steps))
    assert (head.minutes, head.needs) == (found.minutes, found.needs)
    assert head.step_titles == tuple(step.title for step in found.steps)


@in_turn("name", NAMES)
def test_the_answers_are_those_of_a_person_with_paper(name: str):
    found = lesson(name)
    given = [x for k, step in enumerate(found.steps) for x in answers(step.begun, found, k)]
    assert given == ASKED[name]


@in_turn("name", NAMES)
def test_who_makes_the_moves_that_are_shown_gets_each_task_done(name: str):
    for step in lesson(name).steps:
        situations = [step.begun]
        for move in step.moves:
            situations.append(after_move(situations[-1], move))
        for check in step.checks if step.kind == "do" else ():
            assert not holds(check, step.begun)
            assert any(holds(check, each) for each in situations)


@in_turn("name", NAMES)
def test_a_lesson_of_the_course_says_what_it_teaches_in_three_to_twelve_steps(name: str):
    found = lesson(name)
    assert 3 <= len(found.steps) <= 12
    assert found.able
    assert found.surprise
    assert 1 <= found.minutes <= 20
    assert all(step.title and step.text for step in found.steps)
    assert all(len(c.text) <= 24 for step in found.steps for ask in step.asks for c in ask.choices)


@in_turn("name", NAMES)
def test_each_question_with_friendly_numbers_tells_the_answer_from_common_slips(name: str):
    found = lesson(name)
    for k, step in enumerate(found.steps):
        if not step.friendly:
            assert drawn(step, 1) is step.begun
            continue
        for seed in range(sized(2, 5)):
            begun = drawn(step, seed)
            assert begun == drawn(step, seed)
            assert begun.graph != step.begun.graph
            assert (begun.phase, begun.cursor) == (step.begun.phase, step.begun.cursor)
            trace = trace_of(begun)
            for ask in step.asks:
                question = question_of(ask, trace, begun.cursor)
                slips = [short(x) for _slip, x in belief_numbers(question, trace)][:2]
                assert short(answer(question, trace)) not in slips
        assert step.form == "field", k


def test_a_lesson_needs_only_lessons_before_it():
    for k, head in enumerate(course().lessons):
        assert set(head.needs) <= set(NAMES[:k])


def test_every_file_beside_the_index_is_in_it():
    files = sorted(path.stem for path in FOLDER.glob("*.toml"))
    assert files == sorted([*NAMES, "index", OPENING])


@in_turn("name", NAMES)
def test_sentences_are_short_and_every_task_has_a_hint_and_notes(name: str):
    for step in lesson(name).steps:
        for sentence in re.split(r"(?<=[.?!:])\s", step.text):
            assert len(sentence.split()) <= 22, sentence
        assert step.notes
        assert step.hint or step.kind in ("say", "ripple")


def test_what_follows_a_lesson():
    following = course().after("gears")
    assert following is not None
    assert following.name == "plus-times"
    assert course().after("xor") is None
    assert course().after("mine") is course().lessons[0]


WORDS = {
    "slope": "one-wire",
    "gradient": "one-wire",
    "local derivative": "one-wire",
    "contribution": "gears",
    "backward pass": "gears",
    "chain rule": "gears",
    "leaf": "plus-times",
    "seed": "seven-numbers",
    "upstream": "seven-numbers",
    "empty place": "same-leaf-twice",
    "fires": "two-paths",
    "path": "two-paths",
    "weight": "one-neuron",
    "bias": "one-neuron",
    "by hand": "firing-order",
    "recursion": "who-next",
    "tree": "who-next",
    "referee": "referee",
    "zero_grad": "twice-without-zero",
    "loss": "two-weights",
    "rate": "two-weights",
    "epoch": "two-weights",
}
"""Words of the subject and the lesson that explains each."""


def said_in(step: Step) -> str:
    """All that the file says in a step, to a learner who answers each choice."""
    choices = [choice for ask in step.asks for choice in ask.choices]
    asked = [ask.text for ask in step.asks] + [f"{each.text} {each.say}" for each in choices]
    return " ".join((step.title, step.text, step.task, step.hint, *asked)).lower()


@in_turn("word", WORDS)
def test_a_word_is_used_only_after_the_course_has_explained_it(word: str):
    for name in NAMES[: NAMES.index(WORDS[word])]:
        for step in lesson(name).steps:
            assert not re.search(rf"\b{word}", said_in(step)), (name, step.title)
    texts = [said_in(step) for step in lesson(WORDS[word]).steps]
    assert any(re.search(rf"\b{word.rstrip('s')}", text) for text in texts)


def test_the_documentation_names_everything_a_lesson_may_say():
    text = DOCUMENT.read_text("utf-8")
    schemas = (LessonFile, GraphFile, SettingsFile, StepFile, PlaneFile, AskFile, ChoiceFile)
    keys = {key for schema in schemas for key in schema.__struct_fields__} - {"step", "graph"}
    words = (*keys, *KEYS, *CHECKS, *PANELS, *BELIEFS, *MISTAKE_NAMES, *get_args(Verb))
    flat = " ".join(text.split())
    assert [word for word in words if word not in flat and word != "set"] == []


def test_the_lesson_in_the_documentation_has_no_fault(tmp_path: Path):
    text = DOCUMENT.read_text("utf-8").partition("```toml\n")[2].partition("```")[0]
    (tmp_path / "product.toml").write_text(text, "utf-8")
    assert problems(tmp_path / "product.toml") == ()


def test_a_hint_has_its_numbers_wherever_the_pass_is():
    texts = {name: [step.hint for step in lesson(name).steps] for name in NAMES}
    trace = run(lesson("two-paths").graph)
    for cursor in (0, 3, len(trace)):
        now = view_of(frame_at(trace, cursor))
        for hint in texts["two-paths"]:
            assert "–" not in plain_text(hint_spans(hint, now, 4)), (hint, cursor)


def test_a_hint_that_has_a_number_typed_says_how_its_field_is_opened():
    for name in NAMES:
        for step in lesson(name).steps:
            if re.search("type −?[0-9]+", step.hint, re.IGNORECASE) and "slider" in step.hint:
                assert re.search("double-click .* and press Enter|beside it", step.hint), step.hint
            assert not re.search("(?<!ouble-)click the number", step.hint), step.hint
            assert not re.search("Type [0-9]+ into [a-z][.]", step.hint), step.hint
