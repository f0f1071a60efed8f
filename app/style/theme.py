"""The four themes: the meaning of each colour, and its legibility.

Colour carries meaning: blue is a value, orange a gradient, green a local derivative, gold the root.
Every colour of the application is defined here.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from PySide6.QtGui import QColor


class Theme(Struct, frozen=True):
    """The colours of one theme, named after their meaning, and its few switches."""

    name: str
    text: QColor
    secondary: QColor
    value: QColor
    gradient: QColor
    local: QColor
    root: QColor
    error: QColor
    selection: QColor
    canvas: QColor
    panel: QColor
    node: QColor
    muted: QColor
    """Background of palette, status bar, cards and code."""
    header_op: QColor
    header_leaf: QColor
    header_root: QColor
    wire: QColor
    line: QColor
    outline: QColor
    grid: QColor
    """The dots of the canvas."""
    firing: QColor
    """Background of the current step; also the soft tint of the gradient."""
    value_tint: QColor
    local_tint: QColor
    root_tint: QColor
    error_tint: QColor
    selection_tint: QColor
    siblings: tuple[QColor, QColor, QColor, QColor]
    """Hues of the wires out of one node, whose contributions add up in it."""
    sibling_tints: tuple[QColor, QColor, QColor, QColor]
    """Backgrounds of their chips in its ledger."""
    on_fill: QColor
    """Text on a surface filled with one of the meaning colours or with text colour."""
    shadow: QColor
    scale: float = 1.0
    """Factor of everything on the screen; a projector is looked at from afar."""
    dark: bool = False
    shadows: bool = True
    """Whether nodes have a shadow."""
    tints: bool = True
    """Whether surfaces are tinted; without, in print, only lines are drawn."""

    def sibling(self, place: int) -> QColor:
        """Return the hue of the outgoing wire with this index; hues repeat from the fifth on."""
        return self.siblings[place % len(self.siblings)]

    def sibling_tint(self, place: int) -> QColor:
        """Return the soft background of the chip that belongs to `sibling(place)`."""
        return self.sibling_tints[place % len(self.sibling_tints)]


def mixed(a: QColor, b: QColor, share: float) -> QColor:
    """Return colour a with a share (0 to 1) of colour b mixed in."""
    return QColor.fromRgbF(
        a.redF() + (b.redF() - a.redF()) * share,
        a.greenF() + (b.greenF() - a.greenF()) * share,
        a.blueF() + (b.blueF() - a.blueF()) * share,
    )


def faded(color: QColor, opacity: float) -> QColor:
    """Return the same colour with this opacity (0 to 1)."""
    result = QColor(color)
    result.setAlphaF(opacity)
    return result


def _four(a: str, b: str, c: str, d: str) -> tuple[QColor, QColor, QColor, QColor]:
    return QColor(a), QColor(b), QColor(c), QColor(d)


LIGHT: Final = Theme(
    name="light",
    text=QColor("#17202b"),
    secondary=QColor("#56616f"),
    value=QColor("#1d4ed8"),
    gradient=QColor("#b93a06"),
    local=QColor("#0b6b63"),
    root=QColor("#7d5200"),
    error=QColor("#b3161b"),
    selection=QColor("#6d28d9"),
    canvas=QColor("#f5f7fa"),
    panel=QColor("#ffffff"),
    node=QColor("#ffffff"),
    muted=QColor("#f8f9fb"),
    header_op=QColor("#e8ecf2"),
    header_leaf=QColor("#dfe8ff"),
    header_root=QColor("#fbe7b8"),
    wire=QColor("#8f9bab"),
    line=QColor("#d6dce5"),
    outline=QColor("#aeb8c6"),
    grid=QColor("#d3dae3"),
    firing=QColor("#fdeee5"),
    value_tint=QColor("#e8efff"),
    local_tint=QColor("#e0f3f0"),
    root_tint=QColor("#fdf3dc"),
    error_tint=QColor("#fdebeb"),
    selection_tint=QColor("#f1eafe"),
    siblings=_four("#b93a06", "#b5155a", "#86198f", "#74460f"),
    sibling_tints=_four("#fdeee5", "#fce8f0", "#f8e9fb", "#f6ecdf"),
    on_fill=QColor("#ffffff"),
    shadow=QColor(23, 32, 43, 36),
)

DARK: Final = Theme(
    name="dark",
    text=QColor("#e9edf2"),
    secondary=QColor("#a3aebb"),
    value=QColor("#8ab4ff"),
    gradient=QColor("#ff9f66"),
    local=QColor("#5fd6c4"),
    root=QColor("#f2c65c"),
    error=QColor("#ff8a8a"),
    selection=QColor("#c0a2ff"),
    canvas=QColor("#14181d"),
    panel=QColor("#191d23"),
    node=QColor("#232932"),
    muted=QColor("#1e232a"),
    header_op=QColor("#303844"),
    header_leaf=QColor("#25365c"),
    header_root=QColor("#4d3d15"),
    wire=QColor("#66727f"),
    line=QColor("#323a45"),
    outline=QColor("#4a5563"),
    grid=QColor("#2a313a"),
    firing=QColor("#43291b"),
    value_tint=QColor("#1f2e4e"),
    local_tint=QColor("#173934"),
    root_tint=QColor("#3a2f14"),
    error_tint=QColor("#432226"),
    selection_tint=QColor("#352a4e"),
    siblings=_four("#ff9f66", "#ff93b8", "#e6a8f5", "#dcb88c"),
    sibling_tints=_four("#43291b", "#45243a", "#3d2747", "#3b3122"),
    on_fill=QColor("#14181d"),
    shadow=QColor(0, 0, 0, 120),
    dark=True,
)

PROJECTOR: Final = Theme(
    name="projector",
    text=QColor("#000000"),
    secondary=QColor("#3a434d"),
    value=QColor("#0a37a8"),
    gradient=QColor("#9a2a00"),
    local=QColor("#00554d"),
    root=QColor("#624000"),
    error=QColor("#9b0000"),
    selection=QColor("#4c1d95"),
    canvas=QColor("#ffffff"),
    panel=QColor("#ffffff"),
    node=QColor("#ffffff"),
    muted=QColor("#f6f7f9"),
    header_op=QColor("#e6e9ee"),
    header_leaf=QColor("#dbe5ff"),
    header_root=QColor("#ffe7a8"),
    wire=QColor("#5b6570"),
    line=QColor("#8a929b"),
    outline=QColor("#3a434d"),
    grid=QColor("#c4cad1"),
    firing=QColor("#ffeadd"),
    value_tint=QColor("#e3ebff"),
    local_tint=QColor("#d9f2ee"),
    root_tint=QColor("#fff1cf"),
    error_tint=QColor("#ffe9e9"),
    selection_tint=QColor("#f3edff"),
    siblings=_four("#9a2a00", "#970f49", "#6f1476", "#5c360a"),
    sibling_tints=_four("#ffeadd", "#ffe3ee", "#f9e3fc", "#f5e8d6"),
    on_fill=QColor("#ffffff"),
    shadow=QColor(0, 0, 0, 0),
    scale=1.25,
    shadows=False,
)

_PAPER: Final = QColor("#ffffff")
_INK: Final = QColor("#000000")

PRINT: Final = Theme(
    name="print",
    text=_INK,
    secondary=QColor("#444444"),
    value=_INK,
    gradient=_INK,
    local=_INK,
    root=_INK,
    error=_INK,
    selection=_INK,
    canvas=_PAPER,
    panel=_PAPER,
    node=_PAPER,
    muted=_PAPER,
    header_op=QColor("#f0f0f0"),
    header_leaf=_PAPER,
    header_root=_PAPER,
    wire=QColor("#555555"),
    line=QColor("#777777"),
    outline=_INK,
    grid=QColor("#cccccc"),
    firing=_PAPER,
    value_tint=_PAPER,
    local_tint=_PAPER,
    root_tint=_PAPER,
    error_tint=_PAPER,
    selection_tint=_PAPER,
    siblings=(_INK, _INK, _INK, _INK),
    sibling_tints=(_PAPER, _PAPER, _PAPER, _PAPER),
    on_fill=_PAPER,
    shadow=QColor(0, 0, 0, 0),
    shadows=False,
    tints=False,
)
"""Black on white, without hue: weight, dash and mark replace the colours of other themes."""

THEMES: Final[dict[str, Theme]] = {theme.name: theme for theme in (LIGHT, DARK, PROJECTOR, PRINT)}
