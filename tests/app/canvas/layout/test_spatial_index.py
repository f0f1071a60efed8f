"""The grid finds what lies in a rectangle, be it small or as large as a sheet can be."""

from PySide6.QtCore import QRectF

from app.canvas.layout.spatial_index import SpatialIndex

SMALL, HUGE = (0.0, 0.0, 100.0, 80.0), (-1e7, -1e7, 1e7, 1e7)


def found(grid: SpatialIndex[str], x: float, y: float) -> set[str]:
    return set(grid.within(QRectF(x, y, 10.0, 10.0)))


def test_what_lies_over_the_whole_sheet_is_found_everywhere_and_put_at_once():
    grid: SpatialIndex[str] = SpatialIndex()
    grid.insert("small", SMALL)
    grid.insert("huge", HUGE)
    assert found(grid, 50, 50) == {"small", "huge"}
    assert found(grid, 5000, 5000) == {"huge"}
    assert set(grid.within(QRectF(-2e7, -2e7, 4e7, 4e7))) == {"small", "huge"}


def test_it_is_found_where_it_was_moved_to_and_no_longer_where_it_was():
    grid: SpatialIndex[str] = SpatialIndex()
    for sides in (HUGE, SMALL, HUGE, SMALL):
        grid.insert("one", sides)
    grid.insert("other", (5000.0, 5000.0, 5010.0, 5010.0))
    assert found(grid, 50, 50) == {"one"}
    assert found(grid, 5000, 5000) == {"other"}
    grid.insert("one", HUGE)
    grid.remove("one")
    assert found(grid, 50, 50) == set()
    grid.clear()
    assert not grid.keys()
