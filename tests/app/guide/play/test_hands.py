"""The record of hands: counts by choice, both counts, the file and its refusals."""

import json

from msgspec.structs import replace

from app.guide.play.guide import Room, room_of
from app.guide.play.hands import HandsChoice, HandsQuestion, HandsRecord, record_of, write
from app.guide.play.poll import Poll, PollChoice, poll_of
from app.guide.play.slides import slides_of
from app.lessons.lesson import Lesson
from engine import from_expression
from engine.formats.native import Drawing
from tests.helpers.steps import PlannedStep, lesson_on

RECORD = HandsRecord(
    "Two paths",
    (
        HandsQuestion(
            3, "", "What does × (e) pass to a?", (HandsChoice("+6", right=True, hands=2),)
        ),
        HandsQuestion(5, "Mine", "Own?", (HandsChoice("yes", hands=1), HandsChoice("no")), 2),
    ),
    "2026-03-03",
)


def lecture() -> Lesson:
    graph = from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})
    e = graph.node_named("e")
    ask = PlannedStep("ask", phase="backward", step=6, node=e, slot=0, asks="contribution")
    planned_steps = (PlannedStep(), ask, PlannedStep("blank", text="pause"))
    return lesson_on(planned_steps, Drawing(graph), title="Two paths")


def state(poll: Poll) -> Room:
    made = lecture()
    return replace(room_of(made), polls={1: poll})


def recorded(poll: Poll) -> HandsQuestion:
    record = record_of(state(poll), lambda slide: f"about {slide.asks}")
    assert (record.title, record.date) == ("Two paths", "")
    (question,) = record.questions
    return question


def asked() -> Poll:
    return poll_of(slides_of(lecture())[1])


def test_a_question_has_its_step_title_text_and_the_hands_of_each_choice():
    question = recorded(Poll(asked().choices, (9, 4, 2, 11)))
    assert (question.step, question.title, question.question) == (
        2,
        "contribution of × (e) → a",
        "about contribution",
    )
    found = [(c.label, c.slip, c.right, c.hands) for c in question.choices]
    assert found == [
        ("−4", "own value", False, 9),
        ("−3", "upstream forgotten", False, 4),
        ("−2", "local derivative forgotten", False, 2),
        ("+6", "", True, 11),
    ]


def test_each_count_stands_with_its_own_numbers():
    first = replace(asked(), hands=(9, 4, 2, 11))
    other = (PollChoice("−9", -9.0, slip="own value"), PollChoice("5", 5.0, right=True))
    room = replace(state(first), at=1).with_other_poll(Poll(other, (1, 20), first.first_count))
    questions = record_of(room, lambda _slide: "").questions
    assert [(q.step, q.count) for q in questions] == [(2, 1), (2, 2)]
    found = [[(c.label, c.slip, c.hands) for c in q.choices] for q in questions]
    assert found[0][0] == ("−4", "own value", 9)
    assert found[0][3] == ("+6", "", 11)
    assert found[1] == [("−9", "own value", 1), ("5", "", 20)]


def test_a_question_is_recorded_once_a_hand_was_counted():
    choices = asked().choices
    nobody = Poll(choices, (0, 0, 0, 0))
    assert not nobody.has_hands
    assert record_of(state(nobody), lambda _slide: "").questions == ()
    assert Poll(choices, (0, 1, 0, 0)).has_hands


def test_a_file_has_a_question_per_line_and_nothing_about_persons():
    text = write(RECORD)
    assert len(text.splitlines()) == 8 + len(RECORD.questions)
    choices = [{"label": "yes", "hands": 1}, {"label": "no"}]
    assert json.loads(text) == {
        "format": "backwire hands",
        "version": 1,
        "title": "Two paths",
        "date": "2026-03-03",
        "questions": [
            {
                "step": 3,
                "title": "",
                "question": "What does × (e) pass to a?",
                "choices": [{"label": "+6", "right": True, "hands": 2}],
            },
            {"step": 5, "title": "Mine", "question": "Own?", "choices": choices, "count": 2},
        ],
    }


def test_a_long_text_with_quotes_is_whole_in_the_file():
    text = 'x" \\ {a} ' * 200
    record = record_of(state(Poll(asked().choices, (9_999, 0, 0, 1))), lambda _slide: text)
    (question,) = json.loads(write(record))["questions"]
    assert question["question"] == text
