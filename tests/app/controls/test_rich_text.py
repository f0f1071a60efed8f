import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QColor

from app.controls.rich_text import RichLine, lay_out, role_color
from app.controls.spans import Span, plain_text
from app.style.fonts import font
from app.style.theme import THEMES

SENTENCE = (
    Span("× (e)", bold=True),
    Span(" got "),
    Span("−2", "gradient", bold=True),
    Span(" and passes "),
    Span("−2", "gradient"),
    Span(" × "),
    Span("−3", "local"),
    Span(" = "),
    Span("+6", "sibling 1", bold=True),
    Span("."),
)


@pytest.fixture
def line(qtbot, style) -> RichLine:
    widget = RichLine(style, SENTENCE)
    qtbot.addWidget(widget)
    return widget


def colors(widget: RichLine) -> set[str]:
    image = widget.grab().toImage()
    return {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }


def test_it_reads_as_plain_text(line):
    assert line.text() == "× (e) got −2 and passes −2 × −3 = +6."
    assert line.accessibleName() == line.text()
    interface = QAccessible.queryAccessibleInterface(line)
    assert interface.role() == QAccessible.Role.StaticText
    assert interface.text(QAccessible.Text.Name) == line.text()


def test_it_is_painted_in_the_colours_of_meaning(line, style):
    line.resize(600, 40)
    line.show()
    shown = colors(line)
    theme = style.theme
    for color in (theme.text, theme.gradient, theme.local, theme.sibling(1)):
        assert color.name() in shown


def test_it_follows_the_theme_and_the_size(line, style):
    line.resize(900, 60)
    line.show()
    width = line.sizeHint().width()
    style.set_theme("dark")
    assert QColor(style.theme.gradient).name() in colors(line)
    style.set_size(2.0)
    assert line.sizeHint().width() == pytest.approx(2**0.5 * width, rel=0.05)


def test_it_wraps_at_spaces_and_grows_in_height(line):
    assert line.hasHeightForWidth()
    wide, narrow = line.heightForWidth(2000), line.heightForWidth(120)
    assert narrow > 2 * wide
    line.resize(120, narrow)
    assert len(line.lines()) > 2
    assert all(part.width <= 120 for part in line.lines())


def test_a_line_that_does_not_wrap_stays_one_line(qtbot, style):
    widget = RichLine(style, SENTENCE, wrap=False)
    qtbot.addWidget(widget)
    widget.resize(50, 30)
    assert len(widget.lines()) == 1
    assert not widget.hasHeightForWidth()


def test_words_written_by_the_user_stay_as_they_are(qtbot, style):
    widget = RichLine(style, [Span("<b>a</b> & <img src=x>")])
    qtbot.addWidget(widget)
    assert widget.textFormat() == Qt.TextFormat.PlainText
    assert widget.text() == "<b>a</b> & <img src=x>"


def test_a_fraction_is_taller_than_a_line_and_reads_with_a_stroke(qtbot, style):
    fraction = RichLine(style, [Span("∂L", under="∂a"), Span(" = 4")])
    plain = RichLine(style, [Span("∂L/∂a = 4")])
    qtbot.addWidget(fraction)
    qtbot.addWidget(plain)
    assert fraction.text() == "∂L/∂a = 4"
    assert fraction.sizeHint().height() > 1.6 * plain.sizeHint().height()
    assert fraction.sizeHint().width() < plain.sizeHint().width()


def test_showing_the_same_spans_again_changes_nothing(line):
    before = line.lines()
    line.set_spans(list(SENTENCE))
    assert line.lines() is before


def test_every_role_has_a_colour_in_every_theme():
    named = ("text", "secondary", "value", "gradient", "local", "root", "error", "selection")
    roles = (*named, *(f"sibling {hue}" for hue in range(4)))
    for theme in THEMES.values():
        assert all(role_color(role, theme).isValid() for role in roles)


def test_an_empty_line_has_the_height_of_a_line(qtbot, style):
    empty = RichLine(style)
    qtbot.addWidget(empty)
    assert empty.sizeHint().height() > 10


def test_text_breaks_where_a_line_ends(qapp):
    lines = lay_out([Span("one\ntwo\n\nfour")], font("step"), 500)
    assert [plain_text([piece.span for piece in line.pieces]) for line in lines] == [
        "one",
        "two",
        "",
        "four",
    ]


def test_a_no_break_space_keeps_words_together(qapp):
    width = 60.0
    together = lay_out([Span("aaaa bbbb\N{NO-BREAK SPACE}c")], font("step"), width)
    assert plain_text([piece.span for piece in together[1].pieces]) == "bbbb\N{NO-BREAK SPACE}c"


@given(st.lists(st.text(alphabet="ab −+×\n", max_size=40), max_size=6), st.integers(20, 400))
def test_no_line_is_too_wide_and_no_word_is_lost(qapp, texts: list[str], width: int):
    lines = lay_out([Span(text) for text in texts], font("interface"), width)
    assert all(line.width <= width + 0.01 for line in lines)
    shown = "".join(piece.span.text for line in lines for piece in line.pieces)
    assert "".join(shown.split()) == "".join("".join(texts).split())
