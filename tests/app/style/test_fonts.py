import pytest
from PySide6.QtGui import QFont, QFontInfo, QFontMetricsF, QRawFont

from app.style import fonts
from tests.helpers.tables import in_turn

SIGNS = "∂∅×−≈Σ√·→●■▲◆✓✘÷…⋯ⁿ⁻⁶↑↓–"


@pytest.fixture(autouse=True)
def _application(qapp):
    fonts.load_fonts()


def test_the_shipped_fonts_are_loaded_once(qapp):
    assert {"Inter", "DejaVu Sans", "DejaVu Sans Mono"} <= set(fonts.load_fonts())
    assert fonts.load_fonts() is fonts.load_fonts()


@in_turn("role", fonts.ROLES)
def test_each_role_gets_our_font_in_its_size_and_weight(role: str):
    font = fonts.font(role)
    found = QFontInfo(font)
    assert found.family() == ("DejaVu Sans Mono" if role.startswith("code") else "Inter")
    assert font.pixelSize() == fonts.pixels(role)
    assert found.weight() == int(fonts.ROLES[role].weight)
    assert font.hintingPreference() == QFont.HintingPreference.PreferNoHinting


@in_turn("role", ["number", "contribution", "factors", "done", "interface", "caption", "step"])
def test_digits_are_equally_wide(role: str):
    metrics = QFontMetricsF(fonts.font(role))
    widths = [metrics.horizontalAdvance(digit) for digit in "0123456789"]
    assert max(widths) - min(widths) < 0.1


def test_sizes_follow_the_scale_in_whole_pixels_and_each_font_is_ones_own():
    for role, scale, pixels in (("label", 1.0, 15), ("label", 2.0, 30), ("small", 1, 11),
                                ("done", 1, 13)):  # fmt: skip
        font = fonts.font(role, scale)
        assert font.pixelSize() == pixels
        font.setPixelSize(99)
        assert fonts.font(role, scale).pixelSize() == pixels


def test_every_sign_we_write_is_in_a_shipped_font():
    shipped = [
        QRawFont(str(fonts.FOLDER / name), 13) for name in ("Inter-Regular.otf", "DejaVuSans.ttf")
    ]
    missing = [s for s in SIGNS if not any(font.glyphIndexesForString(s)[0] for font in shipped)]
    assert missing == []


def test_each_font_comes_with_its_licence():
    names = {path.name for path in fonts.FOLDER.iterdir()}
    assert {"LICENSE-Inter.txt", "LICENSE-DejaVu.txt"} <= names
    assert "OPEN FONT LICENSE" in (fonts.FOLDER / "LICENSE-Inter.txt").read_text("utf-8")
