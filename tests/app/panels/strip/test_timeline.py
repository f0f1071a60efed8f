"""Names under the ticks of the timeline."""

from itertools import pairwise

import pytest
from PySide6.QtGui import QFontMetricsF

from app.panels.strip.timeline import Lane, LaneLook, brackets, names_in
from app.workbench.playback.ticks import Track
from engine.asking.question import hide_answers
from engine.rules import BY_NAME
from tests.helpers.panel_host import DEMONSTRATION


def texts(host, covered: bool = False) -> list[str]:
    frame = host.playback.frame
    frame = hide_answers(frame, ("contribution",)) if covered else frame
    return [found.text for found in brackets(frame, host.style)]


def test_a_bracket_joins_what_has_landed_on_one_node(host):
    host.open_shared(5)
    assert texts(host) == []
    host.playback.go(6)
    assert texts(host) == ["Σ a: −2 + 6"]
    found = brackets(host.playback.frame, host.style)[0]
    assert (found.first, found.last) == (5, 6)


def test_while_covered_the_bracket_asks(host):
    host.open_shared(5)
    assert texts(host, covered=True) == ["Σ a: −2 + ?"]


def test_the_newest_bracket_comes_first(host):
    host.open(DEMONSTRATION, {"a": 2, "b": 3})
    host.playback.backward()
    host.playback.go(11)
    assert texts(host)[0] == "Σ b: 12 + 7"


def test_under_assignment_every_bracket_is_lost_and_a_covered_one_asks_what_it_becomes(host):
    host.open(DEMONSTRATION, {"a": 2, "b": 3})
    host.playback.set_rules(BY_NAME["assign"])
    host.playback.backward()
    host.playback.go(5)
    assert texts(host, covered=True) == ["c: 6 → ?"]
    host.playback.to_end()
    assert "c: 6 lost" in texts(host)
    assert all(found.lost for found in brackets(host.playback.frame, host.style))


@pytest.mark.parametrize(
    ("text", "values", "mistake", "bracket"),
    [
        ("y = 2*a + 3*a + 5*a + 7*a", {"a": 1}, "assign", "a: 15 lost"),
        (DEMONSTRATION, {"a": 2, "b": 3}, "no-zero-grad", "Σ a: 25 left over + 54 + 21"),
        ("y = " + " + ".join(["a"] * 30), {}, None, "Σ a: … 27 + 1 + 1 + 1"),
    ],
)
def test_a_bracket_says_what_was_lost_what_is_left_over_and_folds(
    host, text, values, mistake, bracket
):
    host.open(text, values)
    if mistake:
        host.playback.set_rules(BY_NAME[mistake])
    host.run_backward()
    assert bracket in texts(host)


@pytest.mark.parametrize("wide", [180, 400, 900])
@pytest.mark.parametrize("cursor", [0, 1, 3])
def test_names_stay_in_their_lane_and_clear_of_each_other(host, wide, cursor):
    host.open("a_very_long_name = a*b; another_long_name = a_very_long_name + a")
    host.playback.backward()
    frame = host.playback.frame
    lane = Lane(Track(frame.graph, frame.trace.schedule), 40, 40 + wide, host.style)
    metrics = QFontMetricsF(host.style.font("caption strong"))
    lefts = names_in(lane, LaneLook(frame, cursor, True), metrics)
    assert cursor in lefts or not cursor
    ends = [
        (left, left + metrics.horizontalAdvance(lane.track.name(k))) for k, left in lefts.items()
    ]
    assert all(left >= lane.left and right <= lane.right + 0.01 for left, right in ends)
    ends.sort()
    assert all(right < left for (_, right), (left, _) in pairwise(ends))
