"""Rings of equal loss: the plane they are drawn over."""

from app.workbench.trials.contour import Rings


def test_a_trail_that_reaches_the_edge_of_the_plane_gets_a_larger_one():
    rings = Rings(0.0, 4.0, 0.0, 4.0, (), ())
    assert rings.contains([(2.0, 3.0), (1.0, 3.5)])
    assert not rings.contains([(2.0, 3.0), (1.5, 4.0)])
    assert not rings.contains([(0.1, 2.0)])
