"""A lesson given as a lecture asks the lesson's own questions, and needs nothing of the window."""

from itertools import pairwise
from pathlib import Path

import pytest

from app.guide.play.slides import Slide, by_program, plain_line, shortened, slides_of
from app.lessons.course import course
from app.lessons.lesson import Ask, Lesson, Step
from app.lessons.load import lesson, load_lesson
from app.lessons.parsing import move_of
from app.lessons.questions import NOT_OF_ENGINE, drawn, question_of
from app.lessons.situation import Situation, after_move, at_start, situation_of, trace_of
from engine import from_expression
from engine.asking.judging import judge
from engine.asking.kinds import answer
from engine.numbers import plain
from engine.trace import run
from tests.helpers.lessons import LESSON
from tests.helpers.tables import in_turn

NAMES = [head.name for head in course().lessons]
SEED = 3


def slides_by_step(found: Lesson, seed: int = SEED) -> list[list[Slide]]:
    """The slides of a lesson's lecture, those of one step together: the first has its title."""
    grouped: list[list[Slide]] = []
    for slide in slides_of(found, seed):
        if slide.at == len(grouped):
            grouped.append([])
        grouped[-1].append(slide)
    assert len(grouped) == len(found.steps)
    return grouped


def written(text: str, tmp_path: Path) -> Lesson:
    path = tmp_path / "written.toml"
    path.write_text(text, "utf-8")
    return load_lesson(path)


@in_turn("name", NAMES)
def test_every_step_of_the_course_becomes_marks_that_fit_and_have_its_notes(name: str):
    found = lesson(name)
    for step, shown in zip(found.steps, slides_by_step(found), strict=True):
        for slide in shown:
            assert slide.misfit == ""
            assert slide.notes.startswith(step.notes or "")
            assert slide.notes != step.notes or step.kind == "blank", "its text comes after them"
            assert slide.notes
            asks = step.asks and not step.guess
            assert (slide.kind == "ask") == bool(asks or step.mistakes)
        assert shown[0].title == step.title
        assert not step.task or "To do: " in shown[0].notes


def asked_alike(ask: Ask, slide: Slide) -> bool:
    return (
        slide.ask is not None
        and slide.ask.kind == ask.kind
        and (ask.kind == "text" or (slide.ask.wire, slide.ask.node) == (ask.wire, ask.node))
    )


def assert_right(ask: Ask, slide: Slide, begun: Situation, step: Step) -> None:
    """The slide's answer is right in the lesson, as the engine judges what a learner types."""
    assert slide.question is not None
    assert slide.situation is not None
    trace = trace_of(begun)
    cursor = begun.cursor if begun.phase == "backward" else 0
    there = run(slide.situation.graph, rules=slide.situation.rules)
    typed = plain(answer(slide.question, there))
    (judgement,) = judge(trace, [(question_of(ask, trace, cursor), typed)])
    assert judgement.kind == "right"
    has_choices = step.form == "choices" or ask.kind in ("sign", "next")
    assert slide.form == ("choices" if has_choices else "number")


@pytest.mark.parametrize("seed", [SEED, 4])
@pytest.mark.parametrize("name", NAMES)
def test_no_answer_differs_from_that_of_the_lesson_itself(name: str, seed: int):
    found = lesson(name)
    for k, (step, shown) in enumerate(zip(found.steps, slides_by_step(found, seed), strict=True)):
        begun = drawn(step, seed + k)
        asked = 0
        asks = () if step.guess else step.asks  # a room is not asked for guesses
        for ask in asks:
            same = [slide for slide in shown if asked_alike(ask, slide)]
            asked += bool(same)
            if same and ask.kind not in NOT_OF_ENGINE:
                assert_right(ask, same[0], begun, step)
            elif same:
                assert [c.text for c in same[0].choices] == [c.text for c in ask.choices]
                assert [c.right for c in same[0].choices] == [c.right for c in ask.choices]
        assert asked == len(shown) or not asks
        assert asked >= bool(asks)


@in_turn("name", NAMES)
def test_no_reveal_shows_the_answer_of_a_later_question_of_the_step(name: str):
    found = lesson(name)
    for shown in slides_by_step(found):
        for earlier, later in pairwise(shown):
            assert earlier.revealed is not None
            assert later.situation is not None
            assert earlier.revealed.cursor <= later.situation.cursor


def test_a_hunt_becomes_a_question_whose_choices_are_its_mistakes():
    for name in ("two-paths", "who-next", "missing-plus", "twice-without-zero"):
        found = lesson(name)
        step = next(step for step in found.steps if step.kind == "hunt")
        titles, hidden = {rules.title for rules in step.mistakes}, set[str]()
        for seed in range(8):
            shown = slides_by_step(found, seed)[found.steps.index(step)]
            (slide,) = shown
            assert {choice.text for choice in slide.choices} == titles
            right = next(choice.text for choice in slide.choices if choice.right)
            assert right == slide.rules.title
            assert slide.situation is not None
            assert (slide.situation.phase, slide.situation.cursor) == ("backward", 0)
            assert slide.revealed is not None
            assert slide.printed is slide.revealed
            assert slide.revealed.cursor == slide.revealed.known_frame.total
            hidden.add(slide.rules.name)
        assert hidden == {rules.name for rules in step.mistakes}


def test_a_hunt_of_one_mistake_gets_others_as_choices(tmp_path: Path):
    found = slides_by_step(written(LESSON, tmp_path))[3][0]
    assert 2 <= len(found.choices) <= 4
    assert found.rules.name == "assign"


def test_of_two_questions_about_one_step_the_first_becomes_a_mark(tmp_path: Path):
    (only,) = slides_by_step(written(LESSON, tmp_path))[2]
    assert only.revealed is not None
    assert (only.asks, only.revealed.cursor) == ("contribution", 6)


def test_friendly_numbers_are_those_of_the_seed():
    found = lesson("gears")
    numbers = [
        [s.situation.graph.leaf_values for s in slides_of(found, seed) if s.situation is not None]
        for seed in (1, 1, 2)
    ]
    assert numbers[0] == numbers[1]
    assert numbers[0][-1] != numbers[2][-1]
    assert numbers[0][0] == numbers[2][0]


def test_steps_of_one_wiring_share_a_sheet_and_another_graph_gets_its_own():
    found = lesson("dead-and-flat")
    shown = slides_of(found, SEED)
    assert len({id(slide.graph) for slide in shown}) > 1
    for slide in shown:
        assert slide.graph.with_values(slide.step.begun.graph.leaf_values) == slide.step.begun.graph


def test_a_value_is_asked_in_the_forward_pass(tmp_path: Path):
    text = LESSON.replace(
        '[{ kind = "contribution", wire = "e.1" }, { kind = "sum", wire = "e.1" }]',
        '[{ kind = "value", node = "d" }, { kind = "value", node = "e" },'
        ' { kind = "upstream", wire = "e.1" }, { kind = "final", node = "a" },'
        ' { kind = "sign", node = "b" }, { kind = "paths", node = "a" },'
        ' { kind = "change", leaf = "b", to = 0, node = "L" }]',
    )
    text = text.replace('form = "choices"', 'form = "field"')
    shown = slides_by_step(written(text, tmp_path))[2]
    assert [slide.asks for slide in shown] == ["value", "value", "final", "paths", "change"]
    assert [slide.revealed and slide.revealed.cursor for slide in shown[:2]] == [2, 1]
    assert not any(slide.misfit for slide in shown)


def test_texts_of_a_lesson_are_cut_where_a_clause_ends():
    assert shortened("It stays 5.") == "It stays 5."
    assert shortened("That is the number of wires. A path takes one of two at each node.") == (
        "That is the number of wires."
    )
    long = shortened("word " * 30)
    assert len(long) <= 56
    assert long.endswith("word…")
    assert plain_line(" a\n b\x00", 40) == "a b"


def test_slides_of_a_lesson_have_titles():
    titles = [slide.title for slide in slides_of(lesson("seven-numbers"), SEED)]
    assert titles[2:5] == [
        "The last three",
        "contribution of × (e) → a",
        "contribution of × (e) → b",
    ]


def test_a_step_by_hand_is_marked_at_the_wire_of_what_was_done_last():
    graph = from_expression("e = a*b; d = e + a; L = d*f", {"a": 3, "b": -2, "f": 5})
    found, wires = at_start(situation_of(graph), "hand"), 0
    for name in ("L", "d", "e"):
        found = after_move(found, move_of(f"fire {name}", graph))
        event, shown = found.known_frame.event, by_program(found).known_frame
        if event is not None and event.wire is not None and shown.cursor < len(run(graph)):
            wires += 1
            assert shown.event is not None
            assert shown.event.wire == event.wire, name
    assert wires
