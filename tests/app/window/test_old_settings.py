"""The choices that the window with tabs has stored: they are read, or dropped for the usual."""

from collections.abc import Mapping

import pytest
from PySide6.QtCore import QByteArray, QSize
from PySide6.QtWidgets import QApplication

from app.window.commands.view import PAGES
from app.window.settings import open_settings
from tests.helpers.sampling import sampled
from tests.helpers.window import opened_window

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
    "asking/level": "local",
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


def store(choices: Mapping[str, object]) -> None:
    settings = open_settings()
    for key, value in choices.items():
        settings.setValue(key, value)
    settings.sync()


def test_what_still_has_a_meaning_is_read(qtbot):
    store(READ | DROPPED)
    with opened_window(qtbot, example="shared-leaf") as window:
        settings, style = window.context.settings, window.context.style
        assert (settings.theme, settings.voice, settings.level) == ("dark", "maths", "slope")
        assert (settings.asked_steps, settings.student) == ("meet", "Ada")
        assert (style.size, style.digits, style.notation) == (1.25, 2, "total")
        assert style.extras == {"order", "slopes"}
        assert not style.follow
        assert window.parts.rail()
        assert not window.status_line.isVisible()
        assert settings.python == "/usr/bin/python3"


def test_what_was_about_the_side_panel_is_dropped_and_every_page_is_there(qtbot):
    store(READ | DROPPED)
    with opened_window(qtbot, example="shared-leaf") as window:
        assert window.bar.isVisible()
        assert window.bar.name == ""
        assert all(tile.isVisible() for tile in window.bar.tiles.values())
        assert window.context.settings.export_folder is None
        assert window.context.files.recent.paths == ()


@pytest.mark.parametrize("found", sampled(HOSTILE, every=3), ids=repr)
def test_the_window_opens_with_every_page_whatever_was_stored(qtbot, found):
    store(dict.fromkeys([*READ, *DROPPED, "window/geometry", "pages/open", "tools/all"], found))
    with opened_window(qtbot, example="shared-leaf") as window:
        assert 1.0 <= window.context.style.size <= 2.0
        assert window.bar.isVisible()
        for name in PAGES:
            window.bar.open(name)
            QApplication.processEvents()
            assert window.bar.get(name).isVisible()
