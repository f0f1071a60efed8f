import gc
import os
import stat
import threading

import pytest

from app.collector import CollectorPause
from app.document import recovery as module
from app.document.document import Document
from app.document.document_file import DocumentFile
from app.document.recovery import Recovery, Writing
from engine import from_expression
from engine.errors import FormatError


@pytest.fixture
def recovery(document, tmp_path):
    return Recovery(document, tmp_path)


def _crash(recovery):
    """What a crash leaves: the file, and a lock that nobody holds."""
    recovery._lock.unlock()
    recovery._timer.stop()


def test_unsaved_work_is_kept_a_little_later(document, recovery, tmp_path, qtbot):
    recovery._timer.setInterval(1)
    document.replace_graph(from_expression("a * b"))
    qtbot.waitUntil(lambda: any(tmp_path.glob("*.backwire")))


@pytest.fixture
def slow(monkeypatch):
    """Writing begins, says so, and goes on only when it is let."""
    begun, go_on = threading.Event(), threading.Event()
    whole_text = module.whole_text

    def wait_and_write(sheet):
        assert threading.current_thread() is not threading.main_thread()
        begun.set()
        assert go_on.wait(20)
        return whole_text(sheet)

    monkeypatch.setattr(module, "whole_text", wait_and_write)
    yield begun, go_on
    go_on.set()


def test_the_window_does_not_wait_while_the_copy_is_written(
    document, recovery, tmp_path, qtbot, slow
):
    begun, go_on = slow
    recovery._timer.setInterval(1)
    document.replace_graph(from_expression("a * b"))
    qtbot.waitUntil(begun.is_set)
    document.set_value(1, 7.0)  # one goes on working meanwhile
    assert not any(tmp_path.glob("*.backwire"))
    assert not gc.isenabled()  # no widget may end on the thread that writes
    go_on.set()
    qtbot.waitUntil(lambda: any(tmp_path.glob("*.backwire")) and gc.isenabled())
    recovery.keep()
    _crash(recovery)
    (found,) = Recovery(Document(), tmp_path).left_behind()
    assert found.drawing().graph == document.graph


def test_a_crash_costs_at_most_two_seconds_of_edits():
    """A third of them is waited for, with what a coarse timer adds; the rest is to write in."""
    assert module.COPY_DELAY * 1.05 <= 2000 / 3


def test_an_edit_made_while_a_copy_is_written_is_kept_as_soon_as_that_is_done(
    document, recovery, tmp_path, qtbot, slow
):
    begun, go_on = slow
    recovery._timer.setInterval(1)
    document.replace_graph(from_expression("a * b"))
    qtbot.waitUntil(begun.is_set)
    document.set_value(1, 7.0)
    qtbot.waitUntil(lambda: not recovery._timer.isActive())
    recovery._timer.setInterval(60_000)
    go_on.set()
    qtbot.waitUntil(lambda: "7.0" in "".join(f.read_text() for f in tmp_path.glob("*.backwire")))


def test_a_copy_that_is_not_wanted_any_more_is_not_left_behind(
    document, recovery, tmp_path, qtbot, slow
):
    begun, go_on = slow
    recovery._timer.setInterval(1)
    document.replace_graph(from_expression("a * b"))
    qtbot.waitUntil(begun.is_set)
    threading.Timer(0.05, go_on.set).start()
    recovery.drop()
    assert list(tmp_path.iterdir()) == []
    assert gc.isenabled()


def test_another_window_finds_what_a_crash_left(document, recovery, tmp_path):
    document.replace_graph(from_expression("a * b"))
    recovery.keep()
    _crash(recovery)
    (found,) = Recovery(Document(), tmp_path).left_behind()
    assert found.drawing().graph == document.graph
    assert found.origin is None
    assert found.name == "a graph that was never saved"


@pytest.mark.skipif(os.name != "posix", reason="rights as POSIX has them")
def test_copies_are_for_the_user_alone(document, tmp_path):
    recovery = Recovery(document, tmp_path / "unsaved")
    document.replace_graph(from_expression("a * b"))
    recovery.keep()
    assert stat.S_IMODE((tmp_path / "unsaved").stat().st_mode) == 0o700


def test_what_one_window_asks_about_no_other_finds_until_it_is_released(
    document, recovery, tmp_path
):
    document.replace_graph(from_expression("a * b"))
    recovery.keep()
    _crash(recovery)
    one, other = Recovery(Document(), tmp_path), Recovery(Document(), tmp_path)
    (mine,), (theirs,) = one.left_behind(), other.left_behind()  # both have looked by now
    assert one.claim(mine)
    assert not other.claim(theirs)
    assert other.left_behind() == []
    mine.release()
    assert [found.file for found in other.left_behind()] == [theirs.file]
    assert other.claim(theirs)
    theirs.discard()
    assert not one.claim(mine)  # it is gone
    assert list(tmp_path.iterdir()) == []


def test_the_collector_stays_off_until_start_and_writing_are_both_over(document, tmp_path):
    start = CollectorPause()
    writing = Writing(tmp_path / "x.backwire", b"", document.sheet)
    start.end()
    assert not gc.isenabled()
    writing.wait()
    assert gc.isenabled()


def test_a_collector_that_is_off_already_stays_off(document):
    gc.disable()
    try:
        CollectorPause().end()
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_work_of_a_living_window_is_not_offered(document, recovery, tmp_path):
    document.replace_graph(from_expression("a * b"))
    recovery.keep()
    assert Recovery(Document(), tmp_path).left_behind() == []


def test_it_remembers_which_file_the_work_belongs_to(document, recovery, tmp_path):
    path = tmp_path / "saved" / "mine.backwire"
    path.parent.mkdir()
    document.replace_graph(from_expression("a * b"))
    DocumentFile(document).save(path)
    document.set_value(1, 4.0)
    recovery.keep()
    _crash(recovery)
    (found,) = Recovery(Document(), tmp_path).left_behind()
    assert found.origin == path
    assert found.name == "mine.backwire"


def test_saving_throws_the_copy_away(document, recovery, tmp_path):
    document.replace_graph(from_expression("a * b"))
    recovery.keep()
    DocumentFile(document).save(tmp_path / "saved.backwire")
    assert [path.name for path in tmp_path.glob("*.backwire")] == ["saved.backwire"]


def test_what_can_not_be_read_says_so(tmp_path, qapp):
    (tmp_path / "x.backwire").write_text("not a graph")
    (found,) = Recovery(Document(), tmp_path).left_behind()
    with pytest.raises(FormatError):
        found.drawing()


def test_keeping_says_whether_the_copy_is_on_the_disk(document, recovery, tmp_path, monkeypatch):
    assert recovery.keep()  # there is nothing to keep
    document.replace_graph(from_expression("a * b"))
    assert recovery.keep()

    def full(*_arguments):
        raise FormatError("No space left on device.")

    monkeypatch.setattr(module, "write_atomically", full)
    assert not recovery.keep()


def test_a_pipe_beside_a_copy_keeps_nobody_waiting(tmp_path, qapp):
    if os.name != "posix":
        pytest.skip("pipes of POSIX")
    (tmp_path / "x.backwire").write_text("")
    os.mkfifo(tmp_path / "x.origin")
    freed = threading.Event()

    def free():
        freed.set()
        os.close(os.open(tmp_path / "x.origin", os.O_RDWR))

    waiting = threading.Timer(30, free)
    waiting.start()  # so that a failure does not hang the tests
    (found,) = Recovery(Document(), tmp_path).left_behind()
    waiting.cancel()
    assert not freed.is_set()
    assert found.origin is None


@pytest.mark.parametrize(
    ("block", "why"),
    [("folder", "File exists"), ("disk", "No space left on device"), ("text", "too long")],
)
def test_that_no_copy_can_be_kept_is_said_once_with_the_reason(
    document, tmp_path, monkeypatch, block, why
):
    folder = tmp_path / "unsaved"
    recovery, said = Recovery(document, folder), list[str]()
    recovery.failed.connect(said.append)

    def full(path, _text):
        raise OSError(28, "No space left on device", str(path))

    def unwritable(_sheet):
        raise FormatError("The label of a is too long.")

    if block == "folder":
        folder.write_text("in the way")
    elif block == "disk":
        monkeypatch.setattr("app.document.recovery.write_atomically", full)
    else:
        monkeypatch.setattr("app.document.recovery.whole_text", unwritable)
    document.replace_graph(from_expression("a * b"))
    assert not recovery.keep()
    document.replace_graph(from_expression("a * b * c"))
    recovery._begin_writing()
    recovery.drop()  # cancelled, so nothing is known of the disk
    document.replace_graph(from_expression("a + b"))
    assert not recovery.keep()
    assert len(said) == 1
    assert why in said[0]
    assert recovery.left_behind() == []
    if block == "folder":
        folder.unlink()
    monkeypatch.undo()
    assert recovery.keep()
    assert len(said) == 1
