"""Progress: kept whole, forgotten on request, and never in the way when its file is damaged."""

import json
from datetime import date
from pathlib import Path

import pytest
from msgspec import structs

from app.lessons.progress import (
    MOST_SET_ASIDE,
    VERSION,
    LessonProgress,
    Progress,
    StoredBelief,
    StoredSlip,
    delete_set_aside,
    merged,
    read_progress,
    stamped,
    write_progress,
)
from engine.errors import FormatError
from tests.helpers.tables import in_turn

HALF = LessonProgress("ab12", 2, ("done", "shown"), typed=("−3",), right=1, asked=3, seconds=61.5)
DONE = LessonProgress("cd34", 3, ("done",) * 4, right=3, asked=3, ended="2026-03-01")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lessons.json"


def test_progress_comes_back_as_it_was_written(path: Path):
    progress = Progress({"gears": DONE, "two-paths": HALF})
    write_progress(path, progress)
    found = read_progress(path)
    assert found == progress
    assert found.names == ("two-paths", "gears")


def test_without_a_file_nothing_is_begun(path: Path):
    assert read_progress(path) == Progress()
    assert read_progress(path).of("gears") == LessonProgress()
    assert not list(path.parent.iterdir())


def test_a_lesson_opened_again_becomes_the_last_one():
    progress = Progress({"gears": DONE, "two-paths": HALF})
    found = progress.updated("gears", HALF)
    assert found.names == ("gears", "two-paths")
    assert found.of("gears") == HALF
    assert progress.of("gears") == DONE


@in_turn(
    ("lesson", "state"),
    [
        (LessonProgress(), "new"),
        (LessonProgress(at=1), "begun"),
        (LessonProgress(states=("done",)), "begun"),
        (HALF, "begun"),
        (DONE, "done"),
        (LessonProgress(states=("done", "shown"), ended="2026-03-01"), "shown"),
    ],
)
def test_the_state_of_a_lesson(lesson: LessonProgress, state: str):
    assert lesson.state == state


def as_file(**lesson: object) -> bytes:
    file = {"format": "backwire progress", "version": 1, "lessons": {"gears": lesson}}
    return json.dumps(file).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"format": "backwire", "version": 1, "lessons": {}}',
        b'{"format": "backwire progress", "version": 0, "lessons": {}}',
        b'{"format": "backwire progress", "version": 3, "lessons": {}, "forgotten": -1}',
        b'{"format": "backwire progress", "version": 2, "lessons": {}, "slips": [{"name": "x"}]}',
        as_file(title="Gears"),
        as_file(at=-1),
        as_file(at=200),
        as_file(at="2"),
        as_file(states=["done"] * 201),
        as_file(states=["right"]),
        as_file(typed=("1" * 401,)),
        as_file(seconds=-1),
        as_file(ended="yesterday"),
        as_file(score=3),
    ],
)
def test_a_damaged_file_is_kept_aside(path: Path, content: bytes):
    path.write_bytes(content)
    assert read_progress(path) == Progress()
    assert not path.exists()
    assert path.with_name("lessons.json.damaged-1").read_bytes() == content


def test_a_file_of_the_first_version_loses_nothing(path: Path):
    path.write_bytes(as_file(digest="ab12", at=2, states=["done", "shown"], right=1, asked=3))
    found = read_progress(path)
    assert found == Progress(
        {"gears": LessonProgress("ab12", 2, ("done", "shown"), (), None, 1, 3)}
    )
    write_progress(path, found)
    assert read_progress(path) == found


def test_what_can_not_be_a_file_is_left_alone(path: Path):
    path.mkdir()
    assert read_progress(path) == Progress()
    assert path.is_dir()
    with pytest.raises(FormatError):
        write_progress(path, Progress())


def test_what_is_set_aside_has_a_name_of_its_own_and_five_are_kept(path: Path):
    path.with_name("lessons.json.damaged").write_text("of an earlier version")
    said = list[str]()
    for k in range(1, 8):
        path.write_text(f"{{{k}")
        read_progress(path, said.append)
        assert said[-1].endswith(f"it is kept as lessons.json.damaged-{k}.")
    kept = {found.name: found.read_text() for found in path.parent.iterdir()}
    assert kept == {f"lessons.json.damaged-{k}": f"{{{k}" for k in range(3, 8)}
    assert len(kept) == MOST_SET_ASIDE
    delete_set_aside(path)
    delete_set_aside(path)
    assert not list(path.parent.iterdir())


def test_what_must_be_left_alone_is_neither_renamed_nor_read(path: Path, monkeypatch):
    newer = f'{{"format": "backwire progress", "version": {VERSION + 1}, "minds": []}}'
    path.write_text(newer)
    with pytest.raises(FormatError, match="written by a newer Backwire"):
        read_progress(path)
    assert [found.read_text() for found in path.parent.iterdir()] == [newer]
    path.write_text("{")

    def refuse(*_paths: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.replace", refuse)
    with pytest.raises(FormatError, match="can't be renamed: Permission denied"):
        read_progress(path)


SLIP = StoredSlip("replaced", "sum", "gears", "Gears", date(2026, 3, 2), date(2026, 3, 3))


@pytest.mark.parametrize("now", [100.0, 0.0])  # the second clock has been put back
def test_of_two_progresses_the_later_entry_wins_and_slips_are_united(now: float):
    begun = stamped(Progress(), Progress({"gears": HALF, "one": DONE}, (SLIP,)), 50.0)
    other = structs.replace(SLIP, name="own value")
    later = stamped(begun, structs.replace(begun.updated("gears", DONE), slips=(SLIP, other)), now)
    over = stamped(begun, structs.replace(begun, slips=(structs.replace(SLIP, stage=3),)), now)
    for found in (merged(begun, later), merged(later, begun)):
        assert found == merged(Progress(), later)
        assert (found.of("gears").states, found.of("one").states) == (DONE.states, DONE.states)
        assert found.names[0] == "gears"
        assert {slip.name for slip in found.slips} == {"replaced", "own value"}
    # a slip that has ended is not brought back by who still holds it
    assert [slip.is_over for slip in merged(begun, over).slips] == [True]
    forgotten = Progress(forgotten=later.time_after(now))
    for found in (merged(later, forgotten), merged(forgotten, later)):
        assert found == forgotten
    again = stamped(forgotten, forgotten.updated("one", HALF), now)
    assert merged(later, again) == again


OLD_SLIP = {
    "kind": "contribution",
    "lesson": "gears",
    "title": "Gears in a row",
    "last": "2026-03-02",
    "next": "2026-03-03",
}


@pytest.mark.parametrize("version", [2, 3])
def test_the_beliefs_behind_the_slips_of_an_earlier_version_are_kept(path: Path, version: int):
    of_version = {"changed": 7.0} if version > 2 else {}
    names_and_stages = [
        ("upstream forgotten", 0),
        ("own value", 3),
        ("other input's slope", 0),
        ("data for sum", 3),  # of one idea, of which another slip is still asked
        ("value for upstream", 1),
        ("factors added", 3),
        ("of another version", 0),
    ]
    slips = [
        {**OLD_SLIP, "name": name, "stage": stage, **of_version} for name, stage in names_and_stages
    ]
    slips += [
        {**OLD_SLIP, "name": name, "kind": kind, **of_version}
        for name, kind in [("waits", "next"), ("", "sign"), ("", "value"), ("assign", "final")]
    ]
    head = {"format": "backwire progress", "version": version, "lessons": {}}
    path.write_bytes(json.dumps({**head, "slips": slips}).encode())
    found = read_progress(path)
    assert len(found.slips) == len(slips)
    assert {belief.name: belief.stage for belief in found.beliefs} == {
        "slope only": "open",
        "own": "mended",
        "other side": "open",
        "data": "open",
        "mix": "mended",
        "order": "open",
        "size": "open",
        "replaces": "open",
    }
    assert {belief.changed for belief in found.beliefs} == {of_version.get("changed", 0.0)}
    write_progress(path, found)
    assert read_progress(path) == found
    assert b'"version": 4' in path.read_bytes()


def test_of_a_belief_that_two_windows_hold_the_last_change_counts():
    day = date(2026, 3, 2)
    here = StoredBelief("own", day, graph="here", changed=1.0)
    there = StoredBelief("own", day, "mended", 2, "here", elsewhere=True, changed=2.0)
    other = StoredBelief("data", day, changed=1.5)
    held, found = Progress(beliefs=(here, other)), Progress(beliefs=(there,))
    for pair in ((held, found), (found, held)):
        assert merged(*pair).beliefs == (other, there)
    assert merged(Progress(forgotten=1.7), held).beliefs == ()
    changed = stamped(held, Progress(beliefs=(other, there)), 9.0)
    assert [each.changed for each in changed.beliefs] == [1.5, 9.0]
