"""The band below the sheet: letters, numbers, hands and bars, in their places and colours."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QRect, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter

from app.controls.rings import paint_timer
from app.controls.spans import Span
from app.guide.words.room import RoomChoice, RoomStrip
from app.panels.strip import room_strip
from app.panels.strip.room_strip import MOST_DOTS, RoomStripView, fitted_foot, paint_room_strip
from app.style.current import Style
from app.style.theme import THEMES, Theme, mixed
from engine.rules import MISTAKES

ASK = (Span("?", "selection", bold=True), Span(" What does it pass?"))
OPEN = tuple(RoomChoice(letter, label) for letter, label in zip("ABCD", "1234", strict=True))
QUESTION = RoomStrip("question", ASK, OPEN, ("keys 1–4", "PageDown reveals"))
JUDGED = tuple(
    replace(card, state="right" if card.letter == "D" else "wrong", say="a slip") for card in OPEN
)
REVEAL = RoomStrip("reveal", ASK, JUDGED)
SIZE = (1920, 328)


def painted(band: RoomStrip, theme: str = "light", size: tuple[int, int] = SIZE) -> QImage:
    picture = QImage(*size, QImage.Format.Format_RGB32)
    picture.fill(QColor("magenta"))
    with QPainter(picture) as painter:
        paint_room_strip(painter, QRectF(0, 0, *size), band, Style(theme))
    return picture


def ink(picture: QImage, rect: QRect, is_ink: Callable[[QColor], bool]) -> QRect:
    """The smallest rectangle around the pixels of an ink, in a part of the picture."""
    found = [
        QPoint(x, y)
        for y in range(rect.top(), rect.bottom() + 1)
        for x in range(rect.left(), rect.right() + 1)
        if is_ink(picture.pixelColor(x, y))
    ]
    if not found:
        return QRect()
    xs, ys = [p.x() for p in found], [p.y() for p in found]
    return QRect(QPoint(min(xs), min(ys)), QPoint(max(xs), max(ys)))


def is_close(color: QColor) -> Callable[[QColor], bool]:
    r, g, b = color.red(), color.green(), color.blue()
    return lambda c: abs(c.red() - r) + abs(c.green() - g) + abs(c.blue() - b) < 24


def with_hands(band: RoomStrip, *hands: int, earlier: tuple[int, ...] = ()) -> RoomStrip:
    choices = tuple(
        replace(card, hands=count, earlier=earlier[k] if earlier else None)
        for k, (card, count) in enumerate(zip(band.choices, hands, strict=True))
    )
    return replace(band, choices=choices, hands=sum(hands), earlier_hands=sum(earlier))


LABEL = QRect(42 + 88, 92 + 14, 40, 60)
"""Where the first card has its number."""
HANDS = QRect(42 + 16, 92 + 82, 330, 56)
"""Where it has its dots or bar while the question is open."""
BAR = QRect(42 + 12, 92 + 80, 420, 26)
"""Where it has its bar at the reveal."""


@pytest.fixture(autouse=True)
def _application(qapp):
    """Fonts need one."""


def test_letters_and_numbers_stay_where_they_are_from_the_question_to_the_reveal():
    theme = THEMES["light"]
    question, reveal = painted(QUESTION), painted(REVEAL)
    right = LABEL.translated(3 * 464, 0)  # of a wrong one the line goes beyond the number
    assert ink(question, right, is_close(theme.text)) == ink(reveal, right, is_close(theme.text))
    chip = QRect(42 + 20, 92 + 22, 44, 44)
    violet, black = is_close(theme.selection), is_close(theme.text)
    assert ink(question, chip, violet).center() == ink(reveal, chip, black).center()


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_the_right_card_alone_is_outlined_in_ink(theme: str):
    picture, colors = painted(REVEAL, theme), THEMES[theme]
    row = 92 + 110
    edges = [ink(picture, QRect(42 + 464 * k, row, 5, 1), is_close(colors.text)) for k in range(4)]
    assert [edge.width() >= 3 for edge in edges] == [False, False, False, True]


def test_dots_stand_in_fives_in_one_row_or_two_and_above_thirty_is_a_bar():
    violet = is_close(THEMES["light"].selection)
    widths = {}
    for hands in (5, 6, 15, 16, MOST_DOTS):
        found = ink(painted(with_hands(QUESTION, hands, 0, 0, 0)), HANDS, violet)
        widths[hands] = (found.width(), found.height() > 24)
    assert widths[6][0] - widths[5][0] > widths[5][0] / 4 * 0.99  # and a gap before the sixth
    assert [two_rows for _, two_rows in widths.values()] == [False, False, False, True, True]
    assert widths[15][0] == widths[16][0] == widths[MOST_DOTS][0] < HANDS.width()
    bar = ink(painted(with_hands(QUESTION, 40, 10, 0, 0)), HANDS, violet)
    track = QRect(HANDS.left(), HANDS.top(), 345, HANDS.height())
    grey = ink(painted(with_hands(QUESTION, 40, 10, 0, 0)), track, is_close(colors().header_op))
    assert bar.width() / (grey.right() - bar.left()) == pytest.approx(40 / 50, abs=0.03)


def colors(theme: str = "light") -> Theme:
    return THEMES[theme]


def test_bars_of_the_reveal_are_shares_of_all_hands_the_first_count_in_pale():
    secondary = is_close(colors().secondary)
    bar = ink(painted(with_hands(REVEAL, 10, 10, 0, 20)), BAR, secondary)
    assert bar.width() / 408 == pytest.approx(1 / 4, abs=0.02)
    both = painted(with_hands(REVEAL, 10, 10, 0, 20, earlier=(3, 0, 0, 1)))
    second = ink(both, BAR, secondary)
    assert second.width() / 408 == pytest.approx(1 / 4, abs=0.02)
    assert second.height() < bar.height()
    tone = mixed(colors().panel, colors().secondary, 0.45)
    pale = QRect(BAR.left(), BAR.top(), BAR.width(), second.top() - BAR.top() - 2)
    first = ink(both, pale, is_close(tone))
    assert first.width() / 408 == pytest.approx(3 / 4, abs=0.03)


def test_no_bar_stands_where_nobody_raised_a_hand():
    assert ink(painted(REVEAL), BAR, is_close(colors().header_op)).isNull()


def test_all_labels_have_one_size_in_the_question_and_the_reveal():
    black = is_close(colors().text)
    labels = ("+1", "+0.4407", "+1234567.8", "+1")
    heights = set()
    for band in (QUESTION, REVEAL):
        choices = zip(band.choices, labels, strict=True)
        band = replace(band, choices=tuple(replace(card, label=text) for card, text in choices))
        picture = painted(with_hands(band, 9, 4, 2, 11))
        digit = QRect(LABEL.left() + 3 * 464 + 30, LABEL.top() - 4, 50, 66)
        heights.add(ink(picture, digit, black).height())
        if band.kind == "question":
            heights.add(ink(picture, digit.translated(-3 * 464, 0), black).height())
    assert len(heights) == 1
    assert heights.pop() < ink(painted(QUESTION), LABEL, black).height()


@pytest.mark.parametrize(("band", "count"), [(QUESTION, 2), (REVEAL, 3), (QUESTION, 4)])
def test_long_words_fit_their_card(band: RoomStrip, count: int):
    longest = "WWWW mmmmmmm WWWW mmmm W"
    choices = tuple(replace(card, label=longest) for card in band.choices[:count])
    picture = painted(with_hands(replace(band, choices=choices), *[9_999] * count))
    wide = (1920 - 84 - 20 * (count - 1)) / count
    for k in range(count):
        right = round(42 + k * (wide + 20) + wide)
        gap = QRect(right - 20, 92 + 12, 12, 44)
        assert ink(picture, gap, is_close(colors().text)).isNull()


def test_a_sentence_of_three_lines_keeps_clear_of_the_border_of_its_card():
    say = "upstream −2 times slope −3. Two minus signs make plus. Each of them turns the sign."
    picture = painted(replace(REVEAL, choices=tuple(replace(c, say=say) for c in REVEAL.choices)))
    wide = (1920 - 84 - 20 * 3) / 4
    inside = QRect(42 + 8, 92 + 112, round(wide) - 16, 220 - 112 - 4)
    found = ink(picture, inside, is_close(colors().text))
    assert found.height() > 60, "three lines or more"
    assert found.bottom() < inside.bottom() - 3


@pytest.mark.parametrize("hands", [0, 145])
@pytest.mark.parametrize("band", [QUESTION, REVEAL])
def test_the_title_of_every_mistake_stands_whole_on_one_of_four_cards(
    monkeypatch: pytest.MonkeyPatch, band: RoomStrip, hands: int
):
    written: list[str] = []
    monkeypatch.setattr(
        room_strip, "paint_on_baseline", lambda _p, _at, _font, text, _ink: written.append(text)
    )
    titles = [rules.title for rules in MISTAKES]
    for first in range(0, len(titles), 4):
        named = [*titles[first : first + 4], *titles][:4]
        choices = zip(band.choices, named, strict=True)
        band = replace(band, choices=tuple(replace(card, label=title) for card, title in choices))
        written.clear()
        painted(with_hands(band, *[hands] * 4))
        assert not [text for text in written if "…" in text]
        assert all(title in " ".join(written) for title in named)


def in_words(band: RoomStrip, first: str) -> RoomStrip:
    labels = (first, "to keep the larger one", "it is only a convention", "it is an average")
    choices = zip(band.choices, labels, strict=True)
    return replace(band, choices=tuple(replace(card, label=label) for card, label in choices))


@pytest.mark.parametrize("band", [QUESTION, REVEAL])
def test_four_answers_in_words_are_whole_and_in_large_letters(band: RoomStrip):
    whole = painted(in_words(band, "a acts along both wires at once"))
    assert whole != painted(in_words(band, "a acts along bots wires at once"))
    ticked = QRect(42 + 464 * 3 + 88, 92 + 8, 290, 74)  # the right one has no line through it
    found = ink(painted(in_words(QUESTION, "a")), ticked, is_close(colors().text))
    assert found.width() > 180


def test_counts_stand_beside_the_bars_where_words_take_the_line():
    words = in_words(REVEAL, "a acts along both wires at once")
    black, corner = is_close(colors().text), QRect(42 + 464 * 3 + 402, 92 + 14, 20, 54)
    beside = corner.translated(0, 48)
    numbers = painted(with_hands(REVEAL, 1, 2, 3, 4))
    assert not ink(numbers, corner, black).isNull()
    picture = painted(with_hands(words, 1, 2, 3, 4))
    assert ink(picture, corner, black).isNull()
    assert not ink(picture, beside, black).isNull()


def test_an_arrow_leads_from_the_first_count_to_the_second():
    """Without it 57 and 1 are read as 571."""
    pale = is_close(mixed(colors().panel, colors().secondary, 0.45))
    before_the_second = QRect(42 + 290, 92 + 14, 110, 60)
    picture = painted(with_hands(REVEAL, 1, 0, 0, 0, earlier=(1, 0, 0, 0)))
    assert ink(picture, before_the_second, pale).width() > 50  # a digit alone has less than 20


def test_a_band_of_another_size_is_the_same_picture():
    small = painted(QUESTION, size=(960, 164))
    large = painted(QUESTION).scaled(960, 164)
    off = sum(
        abs(small.pixelColor(x, y).lightness() - large.pixelColor(x, y).lightness()) > 60
        for x in range(0, 960, 3)
        for y in range(0, 164, 2)
    )
    assert off < 400


def test_a_long_sentence_takes_smaller_letters_or_two_lines():
    long = (Span("What does a node with a long name pass to another one of these? " * 3),)
    picture = painted(replace(QUESTION, sentence=long))
    found = ink(picture, QRect(0, 0, 1920, 91), is_close(colors().text))
    assert found.left() >= 100
    assert found.right() <= 1820
    assert found.bottom() < 90


def test_a_screen_reader_hears_the_question_and_at_the_reveal_the_cards(qtbot):
    band = RoomStripView(Style())
    qtbot.addWidget(band)
    band.show_strip(QUESTION)
    assert band.accessibleName() == "? What does it pass?"
    assert band.accessibleDescription() == "What does it pass? A: 1. B: 2. C: 3. D: 4."
    band.show_strip(REVEAL)
    assert "A: 1, wrong: a slip. " in band.accessibleDescription()
    assert band.accessibleDescription().endswith("D: 4, right: a slip.")


@pytest.mark.parametrize("share", [1, 0.25, 0])
def test_the_ring_of_the_timer_empties_from_the_top_and_is_ink_when_the_time_is_over(share: float):
    picture = QImage(100, 100, QImage.Format.Format_RGB32)
    picture.fill(colors().panel)
    with QPainter(picture) as painter:
        paint_timer(painter, QRectF(0, 0, 100, 100), share, colors())
    ring, bottom = QRect(0, 0, 100, 100), QRect(40, 90, 20, 10)
    violet, black = is_close(colors().selection), is_close(colors().text)
    assert ink(picture, ring, violet).isNull() == (share == 0)
    assert (ink(picture, ring, black).width() >= 99) == (share == 0)
    assert ink(picture, bottom, violet).isNull() == (share < 0.5)


@pytest.mark.parametrize(("width", "has_keys"), [(1920, True), (1080, True), (700, False)])
def test_both_ends_of_the_foot_are_apart_also_on_a_square_screen(width: int, has_keys: bool):
    ends = (
        "keys 1–4 count a hand, Shift takes one back",
        "26 hands · backward 6 of 7 · PageDown reveals",
    )
    left, right, font = fitted_foot(replace(QUESTION, foot=ends), width)
    assert (left, right) == (ends[0] if has_keys else "", ends[1])
    metrics = QFontMetricsF(font)
    assert metrics.horizontalAdvance(left) + metrics.horizontalAdvance(right) < width - 120
