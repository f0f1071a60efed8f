"""The look of ordinary widgets: style sheet, palette and font of the whole application."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Final

from msgspec.structs import fields
from PySide6.QtCore import QDir
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from app.style.current import Style
from app.style.sheet_text import PARTS
from app.style.theme import THEMES, Theme, mixed

ICONS: Final = Path(__file__).resolve().parents[2] / "resources" / "icons"
"""Ticks and arrows that the style sheet loads from files, a folder for each theme."""

ARGUMENTS: Final = ("backwire", "-style", "fusion")
"""The arguments of the QApplication: the style of Qt that the style sheet is written for.

Set later it would polish widgets twice, and have PySide make the class of styles with its enums.
"""

_PIXELS: Final = re.compile(r"(-?\d+(?:\.\d+)?)px")


def stylesheet(theme: Theme, scale: float = 1.0) -> str:
    """Return the style sheet of a theme; `scale` is `Style.control_scale`."""
    return _stylesheet(theme.name, scale)


def palette(theme: Theme) -> QPalette:
    """Return the palette of a theme, for everything the style sheet does not cover."""
    role = QPalette.ColorRole
    result = QPalette()
    for part, color in (
        (role.Window, theme.panel),
        (role.WindowText, theme.text),
        (role.Base, theme.node),
        (role.AlternateBase, theme.quiet),
        (role.Text, theme.text),
        (role.Button, theme.node),
        (role.ButtonText, theme.text),
        (role.BrightText, theme.error),
        (role.Highlight, theme.selection),
        (role.HighlightedText, theme.on_fill),
        (role.Accent, theme.selection),
        (role.Link, theme.selection),
        (role.LinkVisited, theme.selection),
        (role.ToolTipBase, theme.text),
        (role.ToolTipText, theme.panel),
        (role.PlaceholderText, theme.secondary),
        (role.Light, theme.node),
        (role.Midlight, theme.header_op),
        (role.Mid, theme.line),
        (role.Dark, theme.outline),
        (role.Shadow, theme.wire),
    ):
        result.setColor(part, color)
    for part in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, part, _faint(theme))
    return result


def apply(application: QApplication, style: Style) -> None:
    """Apply the current style to the whole application; call it again when the style changes.

    This restyles all widgets, so nothing is done if they would look the same.
    """
    sheet, font = stylesheet(style.theme, style.control_scale), style.font("interface")
    if application.styleSheet() == sheet and application.font() == font:
        return
    application.setPalette(palette(style.theme))
    application.setFont(font)
    application.setStyleSheet(sheet)


@lru_cache(maxsize=16)
def _stylesheet(theme_name: str, scale: float) -> str:
    QDir.setSearchPaths("backwire", [str(ICONS)])
    theme = THEMES[theme_name]
    text = Template("".join(PARTS)).substitute(_colors(theme), name=theme.name)
    return _PIXELS.sub(lambda match: _scaled(float(match[1]), scale), text)


def _scaled(pixels: float, scale: float) -> str:
    size = int(abs(pixels) * scale + 0.5)
    return f"{-size if pixels < 0 else size}px"


def _colors(theme: Theme) -> dict[str, str]:
    """Return every colour the style sheet may name: those of the theme and mixtures of them."""
    named = {field.name: getattr(theme, field.name) for field in fields(theme)}
    colors = {name: color for name, color in named.items() if isinstance(color, QColor)}
    strength = 0.16 if theme.dark else 0.20
    colors |= {
        "raised": theme.node,
        "hover": mixed(theme.node, theme.text, 0.05),
        "pressed": mixed(theme.node, theme.text, 0.10),
        "faint": _faint(theme),
        "scroll": mixed(theme.panel, theme.wire, 0.55),
        "text_hover": mixed(theme.text, theme.panel, 0.16),
        "value_hover": mixed(theme.value, theme.text, strength),
        "gradient_hover": mixed(theme.gradient, theme.text, strength),
    }
    return {name: color.name() for name, color in colors.items()}


def _faint(theme: Theme) -> QColor:
    """Return the text colour of disabled widgets."""
    return mixed(theme.secondary, theme.panel, 0.45)
