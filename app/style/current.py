"""The current style: theme, interface scale, digits and animations, as the user has set them."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Literal

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QFont

from app.style import fonts, sizes, strokes
from app.style.derivative_notation import Notation
from app.style.theme import THEMES, Theme
from engine import numbers

EXTRAS = ("slopes", "finals", "order")
"""The extras in the order of the menu."""
Extra = Literal["slopes", "finals", "order"]
"""Local derivatives, final gradients, and positions in the firing order, also outside a pass."""


class Style(QObject):
    """Created once by the window and passed to everything that paints.

    Read the attributes directly, but change them only through their setters.
    """

    changed = Signal()
    """Emitted after any of the attributes has changed; whoever paints reads them again."""

    def __init__(self, theme: str = "light", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme: Theme = THEMES[theme]
        """The current colours."""
        self.size = 1.0
        """Interface size chosen by the user: 1.0 to 2.0."""
        self.digits: numbers.Digits = numbers.DIGITS_SHOWN
        """Significant digits of numbers, or "shortest"."""
        self.notation: Notation = "partial"
        """How derivatives are written."""
        self.motion = True
        """Whether animations are on."""
        self.follows_step = True
        """Whether the view follows the step where not everything is in view."""
        self.extras = frozenset[Extra]()
        """Extras shown on nodes."""
        self.presented = 0.0
        """During a presentation `scale` and `control_scale` alike, else 0."""
        self.scale = self.theme.scale
        """Factor of the sheet, its labels and the step sentence: the user's size times the theme's.
        """
        self.control_scale = self.theme.scale
        """Factor of everything else; it grows with the square root of the user's size."""
        self._fonts = _fonts(self.control_scale)

    def run_now_and_on_change(self, restyle: Callable[[], object]) -> None:
        """Call a function now and after each change."""
        self.changed.connect(restyle)
        restyle()

    @property
    def sheet_settings(self) -> object:
        """Return the settings on which the sheet depends: all but `motion` and `follow`."""
        written = (self.digits, self.notation, self.extras)
        return (self.theme, self.size, self.presented, written)

    @property
    def control_size(self) -> float:
        """Return the size of panels and controls at the user's interface size: its square root."""
        return sqrt(self.size)

    def set_theme(self, name: str) -> None:
        self.use_theme(THEMES[name])

    def use_theme(self, theme: Theme) -> None:
        """Set a theme that may have another scale than that in THEMES."""
        self._set("theme", theme)

    def set_size(self, size: float) -> None:
        """Set the interface size, limited to 1.0 to 2.0."""
        self._set("size", min(max(float(size), 1.0), sizes.LARGEST_SCALE))

    def set_follows_step(self, follows: bool) -> None:
        """Let the view follow the step, or stay where it is."""
        self._set("follows_step", follows)

    def set_extra(self, extra: Extra, shown: bool) -> None:
        """Show or hide an extra on all nodes."""
        self._set("extras", self.extras | {extra} if shown else self.extras - {extra})

    def present_sentence(self, pixels: float) -> None:
        """Begin a presentation with a step sentence of this size; numbers grow more than words."""
        strokes.set_presented(True)
        self._set("presented", pixels / fonts.ROLES["step"].pixels)

    def end_presentation(self) -> None:
        """End the presentation: everything has its usual size again."""
        strokes.set_presented(False)
        self._set("presented", 0.0)

    def set_digits(self, digits: numbers.Digits) -> None:
        """Set how many significant digits numbers show: 2, 4 or "shortest"."""
        self._set("digits", digits)

    def set_notation(self, notation: Notation) -> None:
        """Set how derivatives are written."""
        self._set("notation", notation)

    def set_motion(self, motion: bool) -> None:
        """Switch animations on or off."""
        self._set("motion", motion)

    def font(self, role: str) -> QFont:
        """Return the font of a role in panels and controls; a copy that may be modified."""
        return QFont(self._fonts[role])

    def sentence_font(self) -> QFont:
        """Return the font of the step sentence, which grows with the sheet."""
        return fonts.font("step", self.scale)

    def px(self, pixels: float) -> int:
        """Convert px at 100 % to whole px of panels and controls."""
        return round(pixels * self.control_scale)

    def short(self, x: float) -> str:
        """Format a number with the current digits."""
        return numbers.short(x, self.digits)

    def signed(self, x: float) -> str:
        """Format a contribution with the current digits."""
        return numbers.signed(x, self.digits)

    def _set(self, attribute: str, value: object) -> None:
        if getattr(self, attribute) != value:
            setattr(self, attribute, value)
            theme_scale = self.theme.scale
            self.scale = self.presented or self.size * theme_scale
            self.control_scale = self.presented or self.control_size * theme_scale
            self._fonts = _fonts(self.control_scale)
            self.changed.emit()


def _fonts(scale: float) -> dict[str, QFont]:
    return {role: fonts.font(role, scale) for role in fonts.ROLES}
