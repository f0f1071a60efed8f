"""Names under the ticks of the timeline."""

from itertools import pairwise

import pytest
from PySide6.QtGui import QFontMetricsF

from app.panels.strip.timeline import Lane, LaneLook, names_in
from app.workbench.playback.ticks import Track


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
