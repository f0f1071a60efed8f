import pytest
from PySide6.QtCore import QSettings

from app.document.files import RECENT_LIMIT, Recent


def _files(folder, count):
    paths = [folder / f"{k}.backwire" for k in range(count)]
    for path in paths:
        path.write_text("")
    return paths


def test_the_newest_file_is_first_and_none_stands_twice(store, tmp_path):
    a, b = _files(tmp_path, 2)
    recent = Recent(store)
    for path in (a, b, a):
        recent.add(path)
    assert recent.paths == (a, b)


def test_the_list_is_there_after_a_restart(store, tmp_path):
    (a,) = _files(tmp_path, 1)
    Recent(store).add(a)
    store.sync()
    again = QSettings(store.fileName(), QSettings.Format.IniFormat)
    assert Recent(again).paths == (a,)


def test_the_list_ends_somewhere(store, tmp_path):
    recent = Recent(store)
    for path in _files(tmp_path, RECENT_LIMIT + 3):
        recent.add(path)
    assert len(recent.paths) == RECENT_LIMIT


def test_a_file_that_is_gone_is_left_out(store, tmp_path):
    a, b = _files(tmp_path, 2)
    recent = Recent(store)
    recent.add(a)
    recent.add(b)
    b.unlink()
    assert recent.paths == (a,)


@pytest.mark.parametrize("found", ["", "one", ["a", ""], 3, ["x\0y"]])
def test_settings_that_hold_something_else_do_no_harm(store, found):
    store.setValue("recent", found)
    assert Recent(store).paths == ()


def test_forgetting_is_said(store, tmp_path, qtbot):
    (a,) = _files(tmp_path, 1)
    recent = Recent(store)
    recent.add(a)
    with qtbot.waitSignal(recent.changed):
        recent.clear()
    assert recent.paths == ()
