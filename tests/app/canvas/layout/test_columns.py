from __future__ import annotations

from itertools import pairwise

import pytest

from app.canvas.layout.columns import BARE, BESIDE_LABEL, WIDEST, closed_up

WIDE = {1: 128.0, 2: 128.0, 3: 132.0, 4: 160.0, 5: 88.0}
PLACES = {1: (0.0, 0.0), 2: (0.0, 120.0), 3: (500.0, 60.0), 4: (1000.0, 60.0), 5: (1500.0, 60.0)}


def gaps(places: dict[int, tuple[float, float]]) -> list[float]:
    row = sorted(n for n in places if n != 2)
    return [places[b][0] - places[a][0] - WIDE[a] for a, b in pairwise(row)]


def test_each_gap_is_as_wide_as_its_own_labels_need():
    found = closed_up(PLACES, WIDE, {3: 60.0, 4: 200.0})
    assert gaps(found) == [60 + BESIDE_LABEL, 200 + BESIDE_LABEL, BARE]
    assert found[1][0] == found[2][0] == 0
    assert {n: y for n, (_x, y) in found.items()} == {n: y for n, (_x, y) in PLACES.items()}


def test_the_widest_label_of_a_column_decides():
    found = closed_up({**PLACES, 2: (500.0, 200.0)}, WIDE, {2: 150.0, 3: 60.0})
    assert found[3][0] - 128 == 150 + BESIDE_LABEL
    assert found[2][0] == found[3][0]


@pytest.mark.parametrize("label", [1e4, 500.0])
def test_no_gap_gets_wider_than_it_was_or_than_the_widest(label: float):
    assert max(gaps(closed_up(PLACES, WIDE, {3: label, 4: label}))) <= WIDEST
    near = {n: (x / 2, y) for n, (x, y) in PLACES.items()}
    assert closed_up(near, WIDE, dict.fromkeys(near, label)) == near


def test_nothing_comes_of_nothing():
    assert closed_up({}, {}, {}) == {}
