import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings, QSize
from PySide6.QtWidgets import QApplication, QWidget

from app.style.current import Style
from app.window.commands.view_actions import PAGES
from app.window.settings import DAMAGED, FOLLOW_SYSTEM, Settings, open_settings, theme_of
from tests.helpers.sampling import sampled
from tests.helpers.window import opened_window


@pytest.fixture
def settings(store):
    return Settings(store)


def test_the_theme_follows_the_system_at_first(settings):
    assert settings.theme == FOLLOW_SYSTEM
    assert theme_of(settings.theme) in ("light", "dark")


def test_the_look_is_there_after_a_restart(settings, store):
    look = Style()
    look.set_size(1.5)
    look.set_digits("shortest")
    look.set_motion(False)
    look.set_notation("total")
    look.set_extra("order", True)
    look.set_extra("slopes", True)
    settings.write_look(look)
    store.sync()
    again = Style()
    Settings(QSettings(store.fileName(), QSettings.Format.IniFormat)).read_look(again)
    assert (again.size, again.digits, again.motion) == (1.5, "shortest", False)
    assert again.notation == "total"
    assert again.extras == {"order", "slopes"}


@pytest.mark.parametrize("found", ["", "x", "1e999", "nan", "-3", [1, 2], QByteArray(b"\0\1")])
def test_settings_that_hold_nonsense_do_no_harm(settings, store, found, qtbot):
    for key in (
        "look/theme",
        "look/size",
        "look/digits",
        "look/voice",
        "look/notation",
        "window/geometry",
    ):
        store.setValue(key, found)
    look = Style()
    settings.read_look(look)
    assert look.notation == "partial"
    assert 1.0 <= look.size <= 2.0
    assert settings.theme == FOLLOW_SYSTEM
    assert settings.voice == "plain"
    window = QWidget()
    qtbot.addWidget(window)
    settings.restore_geometry(window)
    assert window.width() > 300


def test_a_window_that_was_off_every_screen_is_put_on_one(settings, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.setGeometry(20_000, 20_000, 600, 400)
    settings.store_geometry(window)
    settings.restore_geometry(window)
    screen = window.screen().availableGeometry()
    assert screen.intersects(window.geometry())


@pytest.mark.parametrize(("found", "page"), [("why", "why"), ("x", ""), (5, ""), ("inspector", "")])
def test_the_open_page_is_kept_and_read_with_care(settings, store, found, page):
    assert settings.page == ""
    store.setValue("pages/open", found)
    assert settings.page == page


def test_whether_a_block_of_a_page_is_folded_is_kept(settings, store):
    assert settings.is_block_folded("order", True)
    settings.set_block_folded("order", False)
    assert not settings.is_block_folded("order", True)
    store.setValue("pages/order-folded", "?")
    assert settings.is_block_folded("order", True)


@pytest.mark.parametrize(("found", "folded"), [("true", True), ("false", False), ("?", None)])
def test_whether_a_part_is_folded_is_kept_and_read_with_care(settings, store, found, folded):
    assert settings.is_part_folded("palette") is None
    store.setValue("window/palette-folded", found)
    assert settings.is_part_folded("palette") is folded
    settings.set_part_folded("palette", None)
    assert settings.is_part_folded("palette") is None


@pytest.mark.parametrize(("found", "size"), [("26", 26), ("900", 32), ("-3", 14), ("x", 20)])
def test_the_size_of_the_speakers_notes_is_read_with_care(settings, store, found, size):
    assert settings.notes_size == 20
    store.setValue("lecture/notes-size", found)
    assert settings.notes_size == size


READ = {
    "look/theme": "dark",
    "look/size": "1.25",
    "look/digits": "2",
    "look/notation": "total",
    "look/on-nodes": "order slopes",
    "look/voice": "maths",
    "look/motion": "false",
    "look/follow": "false",
    "window/palette-folded": "true",
    "window/status": "false",
    "asking/blanks": "slope",
    "asking/steps": "meet",
    "asking/student": "Ada",
    "check/python": "/usr/bin/python3",
}
DROPPED = {
    "window/side": "false",
    "window/side-folded": "true",
    "window/side-length": "412.5",
    "export/folder": "gone",
    "recent": ["/gone.backwire"],
}
HOSTILE = [
    "",
    "x",
    "nan",
    "1e999",
    "-3",
    12,
    [1, 2],
    ["a", "b"],
    QByteArray(b"\0\xff"),
    QSize(3, 4),
]


def keep(choices: Mapping[str, object]) -> None:
    settings = open_settings()
    for key, value in choices.items():
        settings.setValue(key, value)
    settings.sync()


def test_what_still_has_a_meaning_is_read(qtbot):
    keep(READ | DROPPED)
    with opened_window(qtbot, example="shared-leaf") as window:
        settings, style = window.context.settings, window.context.style
        assert (settings.theme, settings.voice, settings.level) == ("dark", "maths", "slope")
        assert (settings.asked_steps, settings.student) == ("meet", "Ada")
        assert (style.size, style.digits, style.notation) == (1.25, 2, "total")
        assert style.extras == {"order", "slopes"}
        assert not style.follows_step
        assert window.parts.rail()
        assert not window.status_line.isVisible()
        assert settings.python == "/usr/bin/python3"


def test_what_was_about_the_side_panel_is_dropped_and_every_page_is_there(qtbot):
    keep(READ | DROPPED)
    with opened_window(qtbot, example="shared-leaf") as window:
        assert window.bar.isVisible()
        assert window.bar.name == ""
        assert all(tile.isVisible() for tile in window.bar.tiles.values())
        assert window.context.settings.export_folder is None
        assert window.context.files.recent.paths == ()


@pytest.mark.parametrize("found", sampled(HOSTILE, every=5, first=1), ids=repr)
def test_the_window_opens_with_every_page_whatever_was_stored(qtbot, found):
    keep(dict.fromkeys([*READ, *DROPPED, "window/geometry", "pages/open", "tools/all"], found))
    with opened_window(qtbot, example="shared-leaf") as window:
        assert 1.0 <= window.context.style.size <= 2.0
        assert window.bar.isVisible()
        for name in PAGES:
            window.bar.open(name)
            QApplication.processEvents()
            assert window.bar.get(name).isVisible()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_a_settings_file_that_is_no_plain_file_is_passed_over(qapp: QApplication):
    path = Path(open_settings().fileName())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    for make, remove in ((os.mkfifo, os.unlink), (os.mkdir, os.rmdir)):
        make(path)
        before = sorted(path.parent.iterdir())
        settings = Settings(open_settings())
        settings.theme = "dark"
        settings.store.sync()
        assert settings.theme == "dark"
        assert sorted(path.parent.iterdir()) == before
        remove(path)
    assert open_settings().fileName() == str(path)


def test_a_file_that_is_no_settings_is_kept_and_named(qapp: QApplication):
    own_path = Path(open_settings().fileName())
    own_path.parent.mkdir(parents=True, exist_ok=True)
    own_path.write_bytes(b"\x00\xff no settings {[ at all")
    kept = own_path.with_name("Backwire.ini.damaged")
    assert open_settings().property(DAMAGED) == kept.name
    assert kept.exists()
    assert not own_path.exists()
    assert open_settings().property(DAMAGED) is None
