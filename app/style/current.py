"""The style in force: theme, size of everything, digits and motion, as the user has set them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QFont

from app.style import fonts, numbers, sizes
from app.style.theme import THEMES, Theme


class Style(QObject):
    """Made once by the window and passed to all that draws; says `changed` when any part does."""

    changed = Signal()

    def __init__(self, theme: str = "light", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = THEMES[theme]
        self._size = 1.0
        self._digits: numbers.Digits = 4
        self._motion = True

    @property
    def theme(self) -> Theme:
        """The colours in force."""
        return self._theme

    @property
    def size(self) -> float:
        """The size of everything that the user chose: 1.0 to 2.0."""
        return self._size

    @property
    def scale(self) -> float:
        """What every size is multiplied by: the user's choice and the theme's."""
        return self._size * self._theme.scale

    @property
    def digits(self) -> numbers.Digits:
        """How many significant digits numbers show, or "shortest"."""
        return self._digits

    @property
    def motion(self) -> bool:
        """Whether things move; without it there are cuts."""
        return self._motion

    def set_theme(self, name: str) -> None:
        """Choose a theme by its name in THEMES."""
        self._set("_theme", THEMES[name])

    def set_size(self, size: float) -> None:
        """Choose the size of everything, kept within 100 and 200 %."""
        self._set("_size", min(max(float(size), 1.0), sizes.LARGEST_SCALE))

    def set_digits(self, digits: numbers.Digits) -> None:
        """Choose how many significant digits numbers show: 2, 4 or "shortest"."""
        self._set("_digits", digits)

    def set_motion(self, motion: bool) -> None:
        """Choose between motion and cuts."""
        self._set("_motion", motion)

    def font(self, role: str) -> QFont:
        """The font of a role at the scale in force."""
        return fonts.font(role, self.scale)

    def px(self, pixels: float) -> int:
        """A size given at 100 %, in whole pixels at the scale in force."""
        return round(pixels * self.scale)

    def short(self, x: float) -> str:
        """Write a number with the digits in force."""
        return numbers.short(x, self._digits)

    def signed(self, x: float) -> str:
        """Write a contribution with the digits in force."""
        return numbers.signed(x, self._digits)

    def _set(self, part: str, value: object) -> None:
        if getattr(self, part) != value:
            setattr(self, part, value)
            self.changed.emit()
