"""Progress in the course: two windows, a folder that can't be written, export and forgetting."""

import json
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.guide.play.guide import Learner
from app.guide.run import course_progress
from app.guide.run.course_progress import CourseProgress
from app.guide.words.final_result import answers_of, result_of, state_of
from app.lessons.final_test import FinalAnswers, drawn_test, name_of_click
from app.lessons.progress import VERSION, LessonProgress, Progress, read_progress, write_progress
from app.window.window_files import data_folder
from engine import from_expression
from engine.asking.beliefs import belief_numbers
from engine.asking.inference import sightings
from engine.asking.judging import judge
from engine.asking.kinds import answer
from engine.asking.question import LEVELS, level_questions
from engine.asking.record import Attempt, Record, Try
from engine.errors import FormatError
from engine.formats.report import Report
from engine.numbers import plain
from engine.trace import run


class NoLesson(QObject):
    """Stands for a runner on which no lesson is."""

    changed = Signal()
    learner: Learner | None = None


def kept_in(path: Path, lessons: NoLesson | None = None) -> CourseProgress:
    lessons = lessons or NoLesson()
    store = CourseProgress(lessons, path)  # pyright: ignore[reportArgumentType]
    lessons.setParent(store)
    return store


BEGUN, FURTHER = LessonProgress(at=1), LessonProgress(at=2)


def states(progress: Progress) -> dict[str, int]:
    """The step that each lesson goes on at."""
    return {name: lesson.at for name, lesson in progress.lessons.items()}


@pytest.fixture
def path(qapp: QObject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(course_progress, "_SAID_AFTER_MS", 0)
    return tmp_path / "data" / "lessons.json"


def test_progress_is_written_at_once(path: Path, qtbot):
    store = kept_in(path)
    with qtbot.waitSignal(store.changed):
        store.store("gears", BEGUN)
    assert states(read_progress(path)) == {"gears": BEGUN.at}
    assert kept_in(path).progress == read_progress(path)


def test_two_windows_keep_each_others_lessons(path: Path):
    first, second = kept_in(path), kept_in(path)
    assert first.progress == second.progress == Progress()
    first.store("gears", BEGUN)
    second.store("two-paths", FURTHER)
    assert states(read_progress(path)) == {"gears": BEGUN.at, "two-paths": FURTHER.at}


NEWER = f'{{"format": "backwire progress", "version": {VERSION + 1}, "minds": []}}'
NEWER_LEFT = "its file was written by a newer Backwire, and is left as it is."


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("folder", "lessons.json can't be written: it is a folder, not a file."),
        ("newer", NEWER_LEFT),
        ("no folder", "{folder} can't be made: File exists."),
    ],
)
def test_the_first_failure_during_a_lesson_is_told_after_its_step_and_once(
    path: Path, qtbot, kind: str, why: str
):
    store, said, shown = kept_in(path), list[str](), list[str]()
    store.said.connect(said.append)
    store.said.connect(shown.append)
    store.store("gears", BEGUN)
    path.unlink()
    if kind == "folder":
        path.mkdir()
    elif kind == "newer":
        path.write_text(NEWER)
    else:
        path.parent.rmdir()
        path.parent.touch()
    store.store("gears", FURTHER)
    shown.clear()  # as the next step takes away the toasts of the one before
    store.store("two-paths", FURTHER)
    shown.clear()
    qtbot.waitUntil(lambda: bool(shown))
    QCoreApplication.processEvents()
    assert said == shown == [f"Your progress can't be kept: {why.format(folder=path.parent)}"]
    assert states(store.progress) == {"gears": 2, "two-paths": 2}


@pytest.mark.parametrize(
    "content", ['{"format": "backwire progress", "version": 2, "minds": []}', "{", ""]
)
def test_progress_that_is_set_aside_is_told_once(path: Path, qtbot, content: str):
    path.parent.mkdir()
    path.write_text(content)
    store, said = kept_in(path), list[str]()
    store.said.connect(said.append)
    with qtbot.waitSignal(store.said):
        assert store.progress == Progress()
    store.store("gears", BEGUN)
    assert len(said) == 1
    assert said == [
        "The file of your progress can't be read; it is kept as lessons.json.damaged-1."
    ]
    assert path.with_name("lessons.json.damaged-1").read_text() == content


def test_progress_of_a_newer_version_is_left_and_told_once(path: Path, qtbot):
    path.parent.mkdir()
    path.write_text(NEWER)
    store, said = kept_in(path), list[str]()
    store.said.connect(said.append)
    with qtbot.waitSignal(store.said):
        assert store.progress == Progress()
    store.store("gears", BEGUN)
    store.store("two-paths", FURTHER)
    assert states(store.progress) == {"gears": 1, "two-paths": 2}
    assert said == [f"Your progress can't be kept: {NEWER_LEFT}"]
    assert not store.forget()
    assert said[1].startswith("Your progress can't be deleted: its file was written by a newer")
    assert [found.read_text() for found in path.parent.iterdir()] == [NEWER]


@pytest.mark.parametrize("what", ["deleted", "emptied", "cut", "replaced", "put back", "no file"])
def test_a_window_keeps_what_it_holds_whatever_becomes_of_the_file(path: Path, what: str):
    store = kept_in(path)
    store.store("one-wire", BEGUN)
    earlier = path.read_bytes()
    store.store("gears", BEGUN)
    path.unlink()
    if what == "emptied":
        path.touch()
    elif what == "cut":
        path.write_bytes(earlier[: len(earlier) // 2])
    elif what == "replaced":
        write_progress(path, Progress({"by-hand": FURTHER}))
    elif what == "put back":
        path.write_bytes(earlier)
    elif what == "no file":
        path.mkdir()
    store.store("two-paths", FURTHER)
    held = {"one-wire": 1, "gears": 1, "two-paths": 2}
    held |= {"by-hand": 2} if what == "replaced" else {}
    assert states(store.progress) == held
    if what != "no file":
        assert states(read_progress(path)) == held


def test_what_one_window_forgets_no_other_brings_back(path: Path):
    first, second = kept_in(path), kept_in(path)
    for store in (first, second):
        store.now = lambda: 0.0  # nor does a clock that stands still
    first.store("gears", FURTHER)
    second.store("one-wire", BEGUN)
    assert second.progress.names == ("one-wire", "gears")
    path.with_name("lessons.json.damaged").touch()
    path.with_name("lessons.json.damaged-7").touch()
    assert first.forget()
    second.store("two-paths", BEGUN)
    assert first.progress.names == ()
    assert states(second.progress) == states(read_progress(path)) == {"two-paths": 1}
    assert [found.name for found in path.parent.iterdir()] == ["lessons.json"]


def test_exported_progress_is_that_of_the_store(path: Path, tmp_path: Path):
    store = kept_in(path)
    store.store("gears", BEGUN)
    store.export(tmp_path / "mine.json")
    assert read_progress(tmp_path / "mine.json") == store.progress


def test_forgotten_progress_leaves_when_it_was_alone(path: Path, qtbot):
    store = kept_in(path)
    store.store("gears", BEGUN)
    with qtbot.waitSignal(store.changed):
        assert store.forget()
    assert states(store.progress) == {}
    assert store.progress.forgotten > 0
    assert json.loads(path.read_text()).keys() == {"format", "version", "lessons", "forgotten"}


def ended_test() -> Learner:
    """A test of seed 4 whose first answer is a slip, the second has a comma; others are right."""
    test = drawn_test(4)
    _slip, number = next(iter(belief_numbers(*test.asked[0])))
    right = [
        name_of_click(trace.graph, question.node)
        if question.kind == "next"
        else plain(answer(question, trace))
        for question, trace in test.asked
    ]
    singles = len(test.singles)
    seconds = tuple(float(k) for k in range(singles + 1))
    return state_of(
        FinalAnswers(4, (plain(number), "-1,5", *right[2:singles]), tuple(right[singles:]), seconds)
    )


def ended_in(path: Path) -> CourseProgress:
    """A store that has followed the end of that test."""
    lessons = NoLesson()
    store = kept_in(path, lessons)
    lessons.learner = ended_test()
    lessons.changed.emit()
    return store


def test_an_ended_test_is_there_after_a_restart_and_its_slips_are_not_noted_again(path: Path):
    first, lessons = ended_in(path), NoLesson()
    slips, again = first.progress.slips, kept_in(path, lessons)
    assert len(slips) == 1
    assert again.has_ended_test
    lessons.learner = state = again.ended_test()
    assert answers_of(state) == answers_of(ended_test())
    assert result_of(state) == result_of(ended_test())
    assert state.attempts == ended_test().attempts
    assert not state.is_test_open
    again.now = lambda: 1e10
    lessons.changed.emit()
    assert again.progress.slips == slips
    assert again.forget()
    assert not again.has_ended_test
    assert [found.name for found in path.parent.iterdir()] == ["lessons.json"]


def test_the_beliefs_that_a_final_test_shows_are_noted_once(path: Path):
    store = ended_in(path)
    held = {sighting.idea for sighting in sightings(result_of(ended_test()).answered)}
    assert held
    assert set(store.open_beliefs) <= held
    assert {each.name for each in read_progress(path).beliefs} == held
    assert kept_in(path).open_beliefs == store.open_beliefs


OTHER = "e = a - b; d = e*a; L = d*f"
"""Another graph than that of `run_of`."""


def run_of(*answers: str, expression: str = "e = a*b; d = e + a; L = d*f") -> Report:
    """A run of Ask me in which the contributions after the root were answered so."""
    graph = from_expression(expression, {"a": 2, "b": -4, "f": 3})
    trace = run(graph)
    asked = [
        question
        for question in level_questions(trace, LEVELS["contribution"])
        if question.node != trace.root
    ]
    quiz = Record("predict", "contribution")
    attempts: list[Attempt] = []
    for question, text in zip(asked, answers, strict=False):
        (judged,) = judge(trace, [(question, text)])
        slips = tuple(slip.name for slip in judged.slips)
        attempts.append(Attempt(question, (Try(text, judged.verdict, slips),)))
    return Report(graph, replace(quiz, attempts=tuple(attempts)))


def note_run(store: CourseProgress, report: Report) -> None:
    """Note all answers of a run."""
    store.note_answers(report, Record("predict", "contribution"))


def test_a_run_of_ask_me_opens_a_belief_and_another_graph_mends_it(path: Path):
    store = kept_in(path)
    note_run(store, run_of("1", "3", "-4"))  # the slope alone, right, the slope alone
    assert store.open_beliefs == ("slope only",)
    note_run(store, run_of("3", "3", "-12"))
    (belief,) = store.progress.beliefs
    assert (belief.stage, belief.right_in_a_row, belief.elsewhere) == ("open", 3, False)
    other = run_of("6", "18", expression=OTHER)
    note_run(store, other)
    assert store.open_beliefs == ()
    assert read_progress(path).beliefs == store.progress.beliefs


@pytest.mark.parametrize(
    ("later", "is_open"),
    [
        (("3", "3", "3"), False),
        (("3", "3", "1"), True),  # after it was mended
        (("3", "1", "3"), True),
        (("1", "3", "3"), True),  # both in the graph where it was seen
        (("1", "3", "1"), True),
    ],
)
def test_a_belief_that_was_mended_is_open_again_at_the_first_answer_it_gives(
    later: tuple[str, ...], is_open: bool, path: Path
):
    store = kept_in(path)
    note_run(store, run_of("1"))
    before = Record("predict", "contribution")
    for count in range(1, len(later) + 1):  # after each answer: the run need not end
        report = run_of(*later[:count], expression="L = (a + b + a)*f")
        store.note_answers(report, before)
        before = report.record
    assert store.open_beliefs == (("slope only",) if is_open else ())
    assert kept_in(path).open_beliefs == store.open_beliefs


def test_only_the_answers_since_a_record_are_noted(path: Path):
    store, report = kept_in(path), run_of("1", "3")
    note_run(store, report)
    before = store.progress.beliefs
    store.note_answers(report, report.record)
    assert store.progress.beliefs == before
    assert before[0].right_in_a_row == 1
    store.note_answers(run_of("1", "3", "-12"), report.record)
    assert store.progress.beliefs[0].right_in_a_row == 2


def test_answers_under_a_mistake_with_a_hint_or_seen_before_tell_no_belief(path: Path):
    store, report = kept_in(path), run_of("1")
    under_mistake = replace(run_of("-4").record, rules="assign")
    note_run(store, Report(report.graph, under_mistake))
    assert store.progress.beliefs == ()
    note_run(store, report)
    right = run_of("3")
    for change in ({"hints": 1}, {"seen": True}, {"tries": ()}):
        attempts = tuple(replace(attempt, **change) for attempt in right.record.attempts)
        note_run(store, Report(right.graph, replace(right.record, attempts=attempts)))
        assert store.progress.beliefs[0].right_in_a_row == 0


def test_a_test_that_can_not_be_read_is_no_result_and_said_in_a_sentence(path: Path, qtbot):
    ended_in(path)
    kept = path.with_name("final-test.json")
    whole = kept.read_text()
    found = json.loads(whole)
    files = {
        "empty": "",
        "cut": whole[:-40],
        "not UTF-8": b"\xff",
        "foreign": '{"format": "backwire progress", "version": 4, "lessons": {}}',
        "newer": json.dumps({**found, "version": 3}),
        "another drawn test": json.dumps({**found, "test": "0" * 16}),
        "a large seed": json.dumps({**found, "seed": 10**6}),
        "a node that is not there": whole.replace(f'"{found["answers"][7]["text"]}"', '"nobody"'),
    }
    for name, content in files.items():
        kept.write_bytes(content if isinstance(content, bytes) else content.encode())
        store = kept_in(path)
        assert store.has_ended_test, name
        told: list[str] = []
        store.changed.connect(partial(told.append, name))
        with pytest.raises(FormatError, match=r"\.$"):
            store.ended_test()
        assert not store.has_ended_test, name
        assert told == [name], "so that nothing offers it any more"
    assert kept.exists(), "it may be of another version"
    kept.unlink()
    kept.mkdir()
    said, lessons = list[str](), NoLesson()
    store = kept_in(path, lessons)
    store.said.connect(said.append)
    assert not store.has_ended_test
    lessons.learner = ended_test()
    lessons.changed.emit()
    qtbot.waitUntil(lambda: bool(said))
    assert len(said) == 1
    assert said[0].startswith("The result of the final test can't be kept: ")


def test_the_file_is_in_the_data_folder_of_the_user(qapp: QObject, monkeypatch, tmp_path: Path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "backwire"
