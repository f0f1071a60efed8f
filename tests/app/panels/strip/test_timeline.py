"""Names under the ticks of the timeline."""

from itertools import pairwise

import pytest
from PySide6.QtGui import QFontMetricsF

from app.panels.strip.timeline import Lane, LaneLook, brackets, names_in
from app.workbench.playback.ticks import Track
from engine.rules import BY_NAME
from engine.study.question import hide_answers
from tests.helpers.desk import DEMONSTRATION


def texts(desk, covered: bool = False) -> list[str]:
    frame = desk.playback.frame
    frame = hide_answers(frame, ("contribution",)) if covered else frame
    return [found.text for found in brackets(frame, desk.style)]


def test_a_bracket_joins_what_has_landed_on_one_node(desk):
    desk.open_shared(5)
    assert texts(desk) == []
    desk.playback.go(6)
    assert texts(desk) == ["Σ a: −2 + 6"]
    found = brackets(desk.playback.frame, desk.style)[0]
    assert (found.first, found.last) == (5, 6)


def test_while_covered_the_bracket_asks(desk):
    desk.open_shared(5)
    assert texts(desk, covered=True) == ["Σ a: −2 + ?"]


def test_the_newest_bracket_comes_first(desk):
    desk.open(DEMONSTRATION, {"a": 2, "b": 3})
    desk.playback.backward()
    desk.playback.go(11)
    assert texts(desk)[0] == "Σ b: 12 + 7"


def test_under_assignment_every_bracket_is_lost_and_a_covered_one_asks_what_it_becomes(desk):
    desk.open(DEMONSTRATION, {"a": 2, "b": 3})
    desk.playback.set_rules(BY_NAME["assign"])
    desk.playback.backward()
    desk.playback.go(5)
    assert texts(desk, covered=True) == ["c: 6 → ?"]
    desk.playback.to_end()
    assert "c: 6 lost" in texts(desk)
    assert all(found.lost for found in brackets(desk.playback.frame, desk.style))


@pytest.mark.parametrize(
    ("text", "values", "mistake", "bracket"),
    [
        ("y = 2*a + 3*a + 5*a + 7*a", {"a": 1}, "assign", "a: 15 lost"),
        (DEMONSTRATION, {"a": 2, "b": 3}, "no-zero-grad", "Σ a: 25 left over + 54 + 21"),
        ("y = " + " + ".join(["a"] * 30), {}, None, "Σ a: 27 + 1 + 1 + 1"),
    ],
)
def test_a_bracket_says_what_was_lost_what_is_left_over_and_folds(
    desk, text, values, mistake, bracket
):
    desk.open(text, values)
    if mistake:
        desk.playback.set_rules(BY_NAME[mistake])
    desk.run_backward()
    assert bracket in texts(desk)


@pytest.mark.parametrize("wide", [180, 400, 900])
@pytest.mark.parametrize("cursor", [0, 1, 3])
def test_names_stay_in_their_lane_and_clear_of_each_other(desk, wide, cursor):
    desk.open("a_very_long_name = a*b; another_long_name = a_very_long_name + a")
    desk.playback.backward()
    frame = desk.playback.frame
    lane = Lane(Track(frame.graph, frame.trace.schedule), 40, 40 + wide, desk.style)
    metrics = QFontMetricsF(desk.style.font("caption strong"))
    lefts = names_in(lane, LaneLook(frame, cursor, True), metrics)
    assert cursor in lefts or not cursor
    ends = [
        (left, left + metrics.horizontalAdvance(lane.track.name(k))) for k, left in lefts.items()
    ]
    assert all(left >= lane.left and right <= lane.right + 0.01 for left, right in ends)
    ends.sort()
    assert all(right < left for (_, right), (left, _) in pairwise(ends))
