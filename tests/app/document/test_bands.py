"""Long graphs are wrapped into bands where that shows them larger, and few wires cross."""

import pytest

from app.document.bands import BAND_GAP, LAPTOP_VIEWPORT, MOST_CROSSING, wrap_into_bands
from app.document.document import Document
from app.document.history import LOCKED
from engine.formats.expression import read
from engine.formats.native import Drawing

WIDE, HIGH, PITCH = 100.0, 112.0, 200.0


def size(_node: int) -> tuple[float, float]:
    return (WIDE, HIGH)


def row(count: int) -> dict[int, tuple[float, float]]:
    """So many nodes in one row."""
    return {node: (node * PITCH, 0.0) for node in range(count)}


def chain(count: int, wires: int = 1) -> list[tuple[int, int]]:
    """Each node of a row with so many wires to the next."""
    return [(node, node + 1) for node in range(count - 1) for _ in range(wires)]


def scale(places: dict[int, tuple[float, float]]) -> float:
    wide = max(x for x, _y in places.values()) + WIDE - min(x for x, _y in places.values())
    high = max(y for _x, y in places.values()) + HIGH - min(y for _x, y in places.values())
    return min(LAPTOP_VIEWPORT.width / wide, LAPTOP_VIEWPORT.height / high)


def tops(places: dict[int, tuple[float, float]]) -> list[float]:
    return sorted({y for _x, y in places.values()})


def test_what_can_be_read_in_one_row_stays_in_one():
    assert wrap_into_bands(row(8), size, chain(8), LAPTOP_VIEWPORT) == row(8)


@pytest.mark.parametrize("count", [12, 20, 60, 120])
def test_a_long_chain_is_wrapped_and_becomes_larger_in_reading_order(count: int):
    found = wrap_into_bands(row(count), size, chain(count), LAPTOP_VIEWPORT)
    assert scale(found) > 1.15 * scale(row(count))
    assert scale(found) >= 0.25 or count > 60
    reading = sorted(found, key=lambda node: (found[node][1], found[node][0]))
    assert reading == list(range(count))
    gaps = {b - a for a, b in zip(tops(found), tops(found)[1:], strict=False)}
    assert gaps == {HIGH + BAND_GAP}


def test_many_wires_are_not_led_back():
    count = 20
    wires = chain(count, MOST_CROSSING + 1)
    assert wrap_into_bands(row(count), size, wires, LAPTOP_VIEWPORT) == row(count)


def test_nothing_is_wrapped_where_there_is_nothing():
    assert wrap_into_bands({}, size, [], LAPTOP_VIEWPORT) == {}


@pytest.fixture
def document(qapp) -> Document:
    found = Document()
    found.start(Drawing(read("y = a*b")))
    return found


def test_neighbours_make_way_in_the_step_that_made_a_node_larger(document: Document):
    before = dict(document.positions)
    assert document.set_value(1, 12345.0)
    document.make_way({3: (900.0, 0.0)})
    assert document.positions[3] == (900.0, 0.0)
    document.undo()
    assert document.positions == before
    assert document.graph.nodes[1] != 12345.0


def test_a_graph_that_was_saved_since_then_stays_as_the_file_has_it(document: Document, tmp_path):
    before = dict(document.positions)
    assert document.set_value(1, 12345.0)
    document.saved(tmp_path / "y.backwire")
    document.make_way({3: (900.0, 0.0)})
    assert document.positions == before
    assert not document.modified


def test_a_locked_document_refuses_every_edit_with_a_sentence(document: Document):
    said: list[str] = []
    document.refused.connect(said.append)
    sheet = document.sheet
    document.locked = True
    assert not document.set_value(1, 2.0)
    assert not document.move({1: (5.0, 5.0)})
    assert said == [LOCKED, LOCKED]
    assert document.sheet is sheet
