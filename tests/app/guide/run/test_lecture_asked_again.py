"""A question is asked again with other numbers."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from app.guide.play.guide import Room, room_of
from app.guide.play.poll import Poll
from app.lessons.lesson import Choice
from app.lessons.load import lesson
from app.style.current import Style
from engine import from_expression
from engine.asking import friendly
from engine.formats.native import Drawing, GroupEntry
from engine.numbers import signed
from tests.helpers.lesson_pupil import LessonPupil
from tests.helpers.steps import PlannedStep, lesson_on
from tests.truth import oracle

SHARED = from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})
E, A = (SHARED.node_named(name) or 0 for name in "ea")
SECOND = PlannedStep("ask", "backward", 6, E, 0, asks="contribution")


class Lecturer:
    """Somebody who leads through the shared leaf, without a window."""

    def __init__(self) -> None:
        workbench = LessonPupil(Style())
        self.document, self.playback = workbench.document, workbench.playback
        self.document.start(Drawing(SHARED))
        self.runner = workbench.guides
        self.said: list[str] = []
        self.runner.said.connect(self.said.append)

    def begin(self, *planned_steps: PlannedStep) -> None:
        assert self.runner.begin(
            room_of(lesson_on(planned_steps, Drawing(SHARED), title="Two paths"))
        )

    @property
    def now(self) -> Room:
        assert self.runner.room is not None
        return self.runner.room

    @property
    def poll(self) -> Poll:
        assert self.now.poll is not None
        return self.now.poll

    @property
    def labels(self) -> list[str]:
        return [choice.label for choice in self.poll.choices]


@pytest.fixture
def lecturer(qapp) -> Iterator[Lecturer]:
    found = Lecturer()
    yield found
    found.runner.end()


def test_the_numbers_are_others_and_the_hands_are_down(lecturer: Lecturer):
    lecturer.begin(SECOND)
    before = lecturer.labels
    for index, count in enumerate((9, 4, 2, 11)):
        lecturer.runner.set_hands(index, count)
    lecturer.runner.ask_again()
    assert lecturer.now.stage == "asked"
    assert lecturer.labels != before
    assert lecturer.poll.hands == (0, 0, 0, 0)
    graph, poll = lecturer.document.graph, lecturer.poll
    step = oracle.steps(graph, graph.root or 0)[5]
    assert [c.label for c in poll.choices if c.right] == [signed(step.contribution)]
    counts = {c.slip: poll.earlier_hands(k) for k, c in enumerate(poll.choices)}
    assert counts["own value"] == 9
    assert counts[""] == 11
    assert lecturer.playback.frame.hides_number
    assert lecturer.playback.cursor == 5
    lecturer.runner.go_on()
    assert not lecturer.playback.frame.hides_number
    assert lecturer.playback.frame.grads[A] == step.after
    lecturer.runner.end()
    assert lecturer.document.graph == SHARED


def test_the_first_count_stays_however_often_it_is_asked_also_after_the_answer(lecturer: Lecturer):
    lecturer.begin(SECOND)
    lecturer.runner.set_hands(0, 5)
    lecturer.runner.ask_again()
    lecturer.runner.set_hands(0, 1)
    lecturer.runner.go_on()
    lecturer.runner.ask_again()
    assert lecturer.now.stage == "asked"
    assert sum((lecturer.poll.earlier or {}).values()) == 5


def test_going_back_to_it_keeps_the_new_numbers_and_hands(lecturer: Lecturer):
    lecturer.begin(SECOND, PlannedStep("show", "backward", 7))
    lecturer.runner.ask_again()
    again = lecturer.labels
    lecturer.runner.set_hands(1, 8)
    lecturer.runner.go_on()
    lecturer.runner.go_on()
    assert lecturer.document.graph == SHARED
    lecturer.runner.go_back()
    assert lecturer.labels == again
    assert lecturer.poll.hands[1] == 8


def test_a_question_in_own_words_is_asked_again_with_its_own_choices(lecturer: Lecturer):
    own = (Choice("yes", right=True), Choice("no"))
    lecturer.begin(PlannedStep("ask", "backward", 6, E, 0, asks="text", text="Sure?", choices=own))
    lecturer.runner.set_hands(1, 6)
    lecturer.runner.ask_again()
    assert lecturer.labels == ["yes", "no"]
    assert lecturer.poll.hands == (0, 0)
    assert lecturer.poll.earlier_hands(1) == 6


def test_a_number_that_was_called_out_is_there_again_and_judged_anew(lecturer: Lecturer):
    lecturer.begin(replace(SECOND, form="number"), PlannedStep("show", "backward", 7))
    graph = lecturer.document.graph
    right = oracle.steps(graph, graph.root or 0)[5].contribution
    for number in (right, right + 1):
        lecturer.runner.add_number(number)
    assert [choice.right for choice in lecturer.poll.choices] == [True, False]
    lecturer.runner.set_hands(1, 4)
    lecturer.runner.go_on()
    lecturer.runner.go_on()
    lecturer.runner.go_back()
    assert lecturer.labels == [signed(right), signed(right + 1)]
    assert lecturer.poll.hands == (0, 4)


def test_where_no_numbers_are_found_it_says_so_and_nothing_changes(lecturer, monkeypatch):
    def none_found(graph, seed, questions, rules):
        return friendly.Friendly(graph, False, "The numbers stay: no draw gives finite ones.")

    monkeypatch.setattr(friendly, "friendly_for", none_found)
    lecturer.begin(SECOND)
    lecturer.runner.set_hands(0, 2)
    before = lecturer.now
    lecturer.runner.ask_again()
    assert lecturer.said == ["The numbers stay: no draw gives finite ones."]
    assert lecturer.now == before


def test_a_hunt_with_one_mistake_says_why_it_stays(lecturer: Lecturer):
    found = lesson("two-paths")
    hunt = next(step for step in found.steps if step.kind == "hunt")
    only = replace(hunt, mistakes=hunt.mistakes[:1])
    assert lecturer.runner.begin(room_of(replace(found, steps=(only,))))
    before = lecturer.now
    lecturer.runner.ask_again()
    assert lecturer.said == ["The mistake stays: this step has no other that shows."]
    assert lecturer.now == before


def test_a_step_that_asks_nothing_is_not_asked_again(lecturer: Lecturer):
    lecturer.begin(PlannedStep("show", "backward", 7))
    lecturer.runner.ask_again()
    assert lecturer.now.poll is None
    assert not lecturer.said


def test_a_group_that_a_question_opened_stays_open_at_its_answer(lecturer: Lecturer):
    held = (E, SHARED.node_named("d") or 0)
    group = GroupEntry(40, "both", held, collapsed=True, position=(0.0, 0.0))
    lesson = lesson_on([SECOND], Drawing(SHARED, groups=(group,)), title="Two paths")
    assert lecturer.runner.begin(room_of(lesson))
    assert lecturer.playback.now.opens == {40}
    lecturer.runner.reveal()
    assert lecturer.now.stage == "revealed"
    assert lecturer.playback.now.opens == {40}
    lecturer.runner.go_back()
    assert lecturer.now.stage == "asked"
    assert lecturer.playback.now.opens == {40}
