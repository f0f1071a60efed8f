"""Settings: the user's choices and the window's geometry, stored in an INI file between starts."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Generic, Literal, TypeVar

from PySide6.QtCore import QByteArray, QRect, QSettings, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.runner import default_python
from app.style.current import EXTRAS, Style
from app.style.derivative_notation import NOTATIONS
from app.style.theme import PRINT, THEMES
from app.workbench.modes.quiz import STEPS, Steps
from app.workbench.words.sentences import VOICES, Voice
from engine.asking.question import DEFAULT_LEVEL, LEVELS
from engine.errors import one_line
from engine.formats.report import TEXT_LIMIT

T = TypeVar("T")

FOLLOW_SYSTEM = "system"
"""The choice of the theme that the desktop suggests."""
SCREEN_THEMES = tuple(name for name in THEMES if name != PRINT.name)
START_SIZE = QSize(1440, 900)
"""Size of the window at its first start, on a screen that is large enough."""
NOTES_SIZES = (14, 16, 18, 20, 23, 26, 29, 32)
"""Font sizes of the speaker's notes, in px at 100 %."""
USUAL_NOTES_SIZE = 20
_MIN_VISIBLE = 120
"""Width and height in px that must lie on a screen for a stored geometry to be restored."""
PAGE_NAMES = ("lesson", "why", "numeric", "mistakes", "train", "code", "history")
"""The pages of the right bar."""
_MAX_SCREEN_SHARE = 0.94
"""Maximum share of the screen's width and height at the first start."""


DAMAGED: Final = "damaged"
"""The property of the settings that names the copy of a file that could not be read."""


def open_settings() -> QSettings:
    """Open the settings file of this user; what is no plain file is passed over, as it may block.

    Settings are then kept until the program ends.
    """
    form, scope = QSettings.Format.IniFormat, QSettings.Scope.UserScope
    path = Path(QSettings(form, scope, "Backwire", "other").fileName()).with_name("Backwire.ini")
    if path.exists() and not path.is_file():
        return QSettings(str(path.with_name("none.ini")), QSettings.Format.InvalidFormat)
    store = QSettings(form, scope, "Backwire", "Backwire")
    if path.is_file() and path.stat().st_size and not store.allKeys():
        kept = path.with_name(f"{path.name}.damaged")
        with suppress(OSError):
            path.replace(kept)
            store.setProperty(DAMAGED, kept.name)
    return store


class _Choice(Generic[T]):
    """One of some choices, stored under a key; the usual one where anything else is stored."""

    def __init__(self, key: str, choices: Sequence[T], usual: T) -> None:
        self._key, self._choices, self._usual = key, choices, usual

    def __get__(self, settings: Settings, _owner: type[Settings]) -> T:
        return _one_of(self._choices, settings.store.value(self._key), self._usual)

    def __set__(self, settings: Settings, choice: T) -> None:
        settings.store.setValue(self._key, choice)


class Settings:
    """The user's choices, validated on reading, since the file may contain anything.

    An INI file stores texts alone, so a switch is "true" or "false" in it.
    """

    theme = _Choice("look/theme", SCREEN_THEMES, FOLLOW_SYSTEM)
    """The chosen theme, or "system"."""
    voice = _Choice[Voice]("look/voice", VOICES, "plain")
    """The voice of the step sentence."""
    asked_steps = _Choice[Steps | Literal[""]]("asking/steps", ("", *STEPS), "")
    """Which steps are asked about; "" before they were chosen."""
    page = _Choice("pages/open", PAGE_NAMES, "")
    """The name of the page that was open, or ""."""

    def __init__(self, store: QSettings) -> None:
        self.store = store
        if not store.contains("tools/all"):
            # on for users of versions without it, off at the very first start
            self.all_tools = bool(store.allKeys())
        self.export_form, self.export_paper = "png", "drawn"
        """Keys of the form and the width of the last export, until the program ends."""

    @property
    def level(self) -> str:
        """Return the level of Ask me: the blanks of a step."""
        found = str(self.store.value("asking/blanks"))
        return found if found in LEVELS else DEFAULT_LEVEL

    @level.setter
    def level(self, level: str) -> None:
        self.store.setValue("asking/blanks", level)

    @property
    def notes_size(self) -> int:
        """Return the font size of the speaker's notes, in px at 100 %."""
        low, high = NOTES_SIZES[0], NOTES_SIZES[-1]
        found = _finite_number(self.store.value("lecture/notes-size"), USUAL_NOTES_SIZE)
        return round(min(max(found, low), high))

    @notes_size.setter
    def notes_size(self, size: int) -> None:
        self.store.setValue("lecture/notes-size", str(size))

    @property
    def page_width(self) -> float:
        """Return the width that pages were dragged to, in px at 100 %; 0 for the usual one."""
        return _finite_number(self.store.value("pages/width"), 0.0)

    @page_width.setter
    def page_width(self, width: float) -> None:
        self.store.setValue("pages/width", str(width))

    @property
    def student(self) -> str:
        """Return the name of the learner, as reports have it; "" before one was given."""
        return one_line(str(self.store.value("asking/student") or ""))[:TEXT_LIMIT].strip()

    @student.setter
    def student(self, name: str) -> None:
        self.store.setValue("asking/student", name)

    def read_look(self, look: Style) -> None:
        """Apply the last choices to a Style, except the theme."""
        look.set_size(_finite_number(self.store.value("look/size"), 1.0))
        digits = str(self.store.value("look/digits", "4"))
        look.set_digits("shortest" if digits == "shortest" else 2 if digits == "2" else 4)
        look.set_notation(_one_of(NOTATIONS, self.store.value("look/notation"), "partial"))
        chosen = str(self.store.value("look/on-nodes") or "").split()
        for extra in EXTRAS:
            look.set_extra(extra, extra in chosen)
        look.set_motion(str(self.store.value("look/motion", "true")) != "false")
        look.set_follows_step(str(self.store.value("look/follow", "true")) != "false")

    def write_look(self, look: Style) -> None:
        """Store the current choices."""
        self.store.setValue("look/size", look.size)
        self.store.setValue("look/digits", str(look.digits))
        self.store.setValue("look/notation", look.notation)
        self.store.setValue("look/on-nodes", " ".join(sorted(look.extras)))
        self.store.setValue("look/motion", "true" if look.motion else "false")
        self.store.setValue("look/follow", "true" if look.follows_step else "false")

    @property
    def all_tools(self) -> bool:
        """Return whether all pages and menu lines are shown, also those not used yet."""
        return str(self.store.value("tools/all")) == "true"

    @all_tools.setter
    def all_tools(self, on: bool) -> None:
        self.store.setValue("tools/all", "true" if on else "false")

    def uses_tool(self, name: str) -> bool:
        """Return whether a page or a menu line is shown: it was used, or all are."""
        return self.all_tools or str(self.store.value(f"tools/{name}")) == "true"

    def note_tool(self, name: str) -> None:
        """Store that a page or a menu line was used, so that it is shown from now on."""
        if str(self.store.value(f"tools/{name}")) != "true":
            self.store.setValue(f"tools/{name}", "true")

    def shown(self, part: str) -> bool:
        return str(self.store.value(f"window/{part}", "true")) != "false"

    def set_shown(self, part: str, shown: bool) -> None:
        self.store.setValue(f"window/{part}", "true" if shown else "false")

    def is_part_folded(self, part: str) -> bool | None:
        """Return whether the user has folded a part; None if the window decides."""
        found = str(self.store.value(f"window/{part}-folded"))
        return {"true": True, "false": False}.get(found)

    def set_part_folded(self, part: str, folded: bool | None) -> None:
        """Store whether a part is folded; None leaves it to the window."""
        self._store(f"window/{part}-folded", None if folded is None else str(folded).lower())

    def is_block_folded(self, block: str, usual: bool) -> bool:
        """Return whether a block of a page is folded; `usual` if the user has not said."""
        found = str(self.store.value(f"pages/{block}-folded"))
        return {"true": True, "false": False}.get(found, usual)

    def set_block_folded(self, block: str, folded: bool) -> None:
        """Store whether a block of a page is folded."""
        self.store.setValue(f"pages/{block}-folded", str(folded).lower())

    @property
    def export_folder(self) -> Path | None:
        """Return the folder of the last export, which may be gone; None before the first."""
        found = str(self.store.value("export/folder") or "")
        return Path(found) if found and os.path.isabs(found) else None

    @export_folder.setter
    def export_folder(self, folder: Path) -> None:
        self.store.setValue("export/folder", str(folder))

    @property
    def python(self) -> str:
        """Return the path of the Python that runs programs: the one chosen last, else ours."""
        return str(self.store.value("check/python") or default_python())

    @python.setter
    def python(self, python: str) -> None:
        self._store("check/python", python if python != default_python() else None)

    def _store(self, key: str, value: object) -> None:
        """Store a value; None removes it."""
        if value is None:
            self.store.remove(key)
        else:
            self.store.setValue(key, value)

    def restore_geometry(self, window: QWidget) -> None:
        """Restore the geometry of a window, or centre it if that is off every screen."""
        stored = self.store.value("window/geometry")
        if (
            isinstance(stored, QByteArray)
            and window.restoreGeometry(stored)
            and _is_visible(window)
        ):
            return
        screen = QGuiApplication.primaryScreen().availableGeometry()
        size = START_SIZE.boundedTo(screen.size() * _MAX_SCREEN_SHARE)
        geometry = QRect(screen.topLeft(), size)
        geometry.moveCenter(screen.center())
        window.setGeometry(geometry)

    def store_geometry(self, window: QWidget) -> None:
        self.store.setValue("window/geometry", window.saveGeometry())


def system_theme() -> str:
    """Return the system's colour scheme, light or dark."""
    scheme = QGuiApplication.styleHints().colorScheme()
    return "dark" if scheme.name == "Dark" else "light"


def theme_of(choice: str) -> str:
    """Return the theme of a choice, which may be "system"."""
    return choice if choice in THEMES else system_theme()


def _is_visible(window: QWidget) -> bool:
    """Return whether enough of a window lies on one screen."""
    frame = window.geometry()
    for screen in QGuiApplication.screens():
        overlap = screen.availableGeometry().intersected(frame)
        if min(overlap.width(), overlap.height()) >= _MIN_VISIBLE:
            return True
    return False


def _one_of(choices: Sequence[T], found: object, usual: T) -> T:
    return next((choice for choice in choices if choice == found), usual)


def _finite_number(found: object, default: float) -> float:
    try:
        number = float(str(found))
    except ValueError:
        return default
    return number if math.isfinite(number) else default
