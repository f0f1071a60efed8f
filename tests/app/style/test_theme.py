from itertools import product

import pytest
from msgspec.structs import fields
from PySide6.QtGui import QColor

from app.style.theme import THEMES, Theme, faded, mixed
from tests.helpers.colors import contrast

INKS = ("text", "secondary", "value", "gradient", "local", "root", "error", "selection")
PLAIN = ("canvas", "panel", "node", "muted")
HEADERS = ("header_op", "header_leaf", "header_root")
TINTS = {
    "firing": ("text", "secondary", "gradient", "local", "value", "error"),
    "value_tint": ("text", "secondary", "value"),
    "local_tint": ("text", "local"),
    "root_tint": ("text", "secondary", "root"),
    "error_tint": ("text", "secondary", "error", "gradient"),
    "selection_tint": ("text", "secondary", "selection", "error", "gradient", "local", "value"),
}
FILLS = ("value", "gradient", "selection", "error", "root", "local")


def pairs(theme: Theme) -> list[tuple[str, QColor, QColor]]:
    """Every text and surface that meet on the screen."""
    found = [*product(INKS, PLAIN), *product(("text", "secondary"), HEADERS)]
    found += [("value", "header_leaf"), ("root", "header_root"), ("panel", "text")]
    found += [(ink, tint) for tint, inks in TINTS.items() for ink in inks]
    found += [("on_fill", fill) for fill in FILLS]
    named = [
        (f"{ink} on {surface}", getattr(theme, ink), getattr(theme, surface))
        for ink, surface in found
    ]
    for hue, tint in zip(theme.siblings, theme.sibling_tints, strict=True):
        named += [(f"{hue.name()} on its chip", hue, tint)]
        named += [(f"{hue.name()} on {name}", hue, getattr(theme, name)) for name in PLAIN]
        named += [(f"writing on {hue.name()}", theme.on_fill, hue)]
    return named


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_every_text_can_be_read_on_every_surface_it_stands_on(theme: Theme):
    least = 6.6 if theme.name in ("projector", "print") else 4.5
    too_weak = [
        f"{name}: {contrast(ink, surface):.2f}"
        for name, ink, surface in pairs(theme)
        if contrast(ink, surface) < least
    ]
    assert too_weak == []


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_the_focus_colour_stands_out_from_every_plain_surface(theme: Theme):
    assert all(contrast(theme.selection, getattr(theme, name)) >= 3 for name in PLAIN)


def test_contrast_is_that_of_the_web_guidelines():
    black, grey, white = (QColor(name) for name in ("#000000", "#777777", "#ffffff"))
    assert contrast(black, white) == pytest.approx(21)
    assert contrast(grey, white) == contrast(white, grey) == pytest.approx(4.48, abs=0.01)


def test_the_first_sibling_has_the_colour_of_the_gradient_and_the_fifth_starts_again():
    for theme in THEMES.values():
        assert theme.sibling(0) == theme.gradient
        assert theme.sibling(4) == theme.sibling(0)
        assert theme.sibling_tint(5) == theme.sibling_tint(1)


def test_the_projector_is_larger_and_print_has_neither_tints_nor_shadows():
    assert THEMES["projector"].scale == 1.25
    assert not THEMES["projector"].shadows
    paper = THEMES["print"]
    assert not paper.shadows
    assert not paper.tints
    assert {paper.firing.name(), paper.error_tint.name(), paper.canvas.name()} == {"#ffffff"}


def test_print_is_without_hue():
    colors = [getattr(THEMES["print"], field.name) for field in fields(Theme)]
    flat = [one for color in colors for one in (color if isinstance(color, tuple) else (color,))]
    found = [color for color in flat if isinstance(color, QColor)]
    assert len(found) > 20
    assert {color.saturation() for color in found} == {0}


def test_only_the_dark_theme_is_dark():
    for theme in THEMES.values():
        assert theme.dark == (theme.canvas.lightness() < 128)


def test_mixing_and_fading_keep_to_their_shares():
    black, white = QColor("#000000"), QColor("#ffffff")
    assert mixed(black, white, 0.5).name() == "#808080"
    assert mixed(black, white, 0.0) == black
    assert faded(black, 0.25).alphaF() == pytest.approx(0.25, abs=0.01)
    assert black.alphaF() == 1.0
