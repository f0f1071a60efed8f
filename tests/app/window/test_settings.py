import pytest
from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QWidget

from app.style.current import Style
from app.window.settings import FOLLOW_SYSTEM, Settings, theme_of


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
