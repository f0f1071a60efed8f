from __future__ import annotations

import time
from itertools import pairwise
from random import Random

import pytest

from app.document.examples import examples
from app.document.node_sizes import is_pill
from app.document.placement import (
    BAND_GAP,
    LAPTOP_VIEWPORT,
    MOST_CROSSING,
    ROOT_GAP,
    close_gaps,
    column_gap,
    columns,
    columns_at_once,
    free_block,
    in_reading_order,
    overlap,
    tidy_layout,
    wrap_into_bands,
)
from app.style import sizes
from app.takeaway.estimated_layout import node_positions
from engine import from_expression
from engine.formats.files import load_drawing
from engine.graph import Graph, Leaf, Node, OpNode, Root
from tests.helpers.graphs import chain, fan, sum_over_samples

WIDE = {1: 128.0, 2: 128.0, 3: 132.0, 4: 160.0, 5: 88.0}
PLACES = {1: (0.0, 0.0), 2: (0.0, 120.0), 3: (500.0, 60.0), 4: (1000.0, 60.0), 5: (1500.0, 60.0)}


def gaps(places: dict[int, tuple[float, float]]) -> list[float]:
    row = sorted(n for n in places if n != 2)
    return [places[b][0] - places[a][0] - WIDE[a] for a, b in pairwise(row)]


def test_each_gap_is_as_wide_as_its_own_labels_need():
    found = close_gaps(PLACES, WIDE, {3: 60.0, 4: 200.0})
    assert gaps(found) == [column_gap(60.0), column_gap(200.0), column_gap(0.0)]
    assert found[1][0] == found[2][0] == 0
    assert {n: y for n, (_x, y) in found.items()} == {n: y for n, (_x, y) in PLACES.items()}


def test_a_gap_holds_a_label_between_the_bends_of_its_wires_and_the_slot():
    assert column_gap(66.0) == sizes.BEND + 66.0 + sizes.LABEL_TO_SLOT


def test_the_widest_label_of_a_column_decides():
    found = close_gaps({**PLACES, 2: (500.0, 200.0)}, WIDE, {2: 150.0, 3: 60.0})
    assert found[3][0] - 128 == column_gap(150.0)
    assert found[2][0] == found[3][0]


@pytest.mark.parametrize("label", [0.0, 60.0, 500.0])
def test_gaps_do_not_depend_on_how_far_apart_graphviz_has_put_the_columns(label: float):
    found = close_gaps(PLACES, WIDE, {3: label, 4: label})
    near = {n: (x * 0.4, y) for n, (x, y) in PLACES.items()}
    assert gaps(close_gaps(near, WIDE, {3: label, 4: label})) == gaps(found)


def test_before_a_column_of_roots_alone_there_is_only_a_short_gap():
    found = close_gaps(PLACES, WIDE, {3: 60.0, 4: 60.0}, roots={5})
    assert gaps(found) == [column_gap(60.0), column_gap(60.0), ROOT_GAP]
    beside = close_gaps({**PLACES, 2: (1500.0, 200.0)}, WIDE, {2: 60.0}, roots={5})
    assert beside[5][0] - beside[4][0] - WIDE[4] == column_gap(60.0)


def test_nothing_comes_of_nothing():
    assert close_gaps({}, {}, {}) == {}


def test_roots_stand_level_with_their_input_unless_another_stands_there():
    size = {1: (132.0, 88.0), 2: (88.0, 88.0), 3: (88.0, 88.0)}
    found = {1: (0.0, 96.0), 2: (400.0, 0.0), 3: (400.0, 240.0)}
    graph = Graph({1: Leaf(), 2: Root(1), 3: Root(1)}, 2, 4)
    placed = tidy_layout(found, size.__getitem__, {}, graph)
    assert placed[2] == (placed[3][0], placed[1][1]) == (placed[2][0], 96.0)
    assert placed[3][1] == 240.0


def test_nodes_without_wires_stand_in_a_row_below_the_others():
    size = (80.0, 88.0)
    found = {1: (0.0, 96.0), 2: (400.0, 0.0), 3: (0.0, 0.0), 4: (400.0, 300.0)}
    graph = Graph({1: Leaf(), 2: Root(1), 3: Leaf(), 4: OpNode("exp", (None,))}, 2, 5)
    placed = tidy_layout(found, lambda _node: size, {}, graph)
    lowest = max(placed[node][1] + size[1] for node in (1, 2))
    assert placed[3][1] == placed[4][1] > lowest
    assert placed[4][0] > placed[3][0] + size[0]


def test_columns_stand_as_far_apart_as_they_are_told():
    graph = from_expression("y = a*b + a")
    places = columns(graph, pitch=(480.0, 240.0))
    assert {x for x, _y in places.values()} == {0.0, 480.0, 960.0, 1440.0}
    assert {y for _x, y in places.values()} == {0.0, 240.0}


def test_leaves_of_a_wide_graph_are_ordered_at_once():
    graph = from_expression("y = " + " + ".join(f"a{k}" for k in range(95)))
    places = columns(graph, pitch=(480.0, 240.0))
    begun = time.process_time()
    found = in_reading_order(graph, places)
    assert time.process_time() - begun < 0.5  # all pairs of wires for each column: seconds
    assert found.keys() == places.keys()


def test_a_block_finds_its_place_between_rectangles_off_the_grid():
    random = Random(1)

    def rect() -> tuple[float, float, float, float]:
        x, y = random.uniform(-500, 500), random.uniform(-500, 500)
        return (x, y, random.uniform(10, 200), random.uniform(10, 200))

    for _try in range(300):
        taken, wanted = [rect() for _ in range(3)], rect()
        place = free_block(taken, wanted, 24.0)
        assert not any(overlap(other, (*place, *wanted[2:]), 24.0 - 1e-6) for other in taken)


# bands: long graphs are wrapped where that shows them larger, and few wires cross

NODE_WIDE, NODE_HIGH, PITCH = 100.0, 112.0, 200.0


def size(_node: int) -> tuple[float, float]:
    return (NODE_WIDE, NODE_HIGH)


def row(count: int) -> dict[int, tuple[float, float]]:
    """So many nodes in one row."""
    return {node: (node * PITCH, 0.0) for node in range(count)}


def pairs(count: int, wires: int = 1) -> list[tuple[int, int]]:
    """Each node of a row with so many wires to the next."""
    return [(node, node + 1) for node in range(count - 1) for _ in range(wires)]


def scale(places: dict[int, tuple[float, float]]) -> float:
    wide = max(x for x, _y in places.values()) + NODE_WIDE - min(x for x, _y in places.values())
    high = max(y for _x, y in places.values()) + NODE_HIGH - min(y for _x, y in places.values())
    return min(LAPTOP_VIEWPORT.width / wide, LAPTOP_VIEWPORT.height / high)


def tops(places: dict[int, tuple[float, float]]) -> list[float]:
    return sorted({y for _x, y in places.values()})


def test_what_can_be_read_in_one_row_stays_in_one():
    assert wrap_into_bands(row(8), size, pairs(8), LAPTOP_VIEWPORT) == row(8)


@pytest.mark.parametrize("count", [12, 20, 60, 120])
def test_a_long_chain_is_wrapped_and_becomes_larger_in_reading_order(count: int):
    found = wrap_into_bands(row(count), size, pairs(count), LAPTOP_VIEWPORT)
    assert scale(found) > 1.15 * scale(row(count))
    assert scale(found) >= 0.25 or count > 60
    reading = sorted(found, key=lambda node: (found[node][1], found[node][0]))
    assert reading == list(range(count))
    gaps = {b - a for a, b in zip(tops(found), tops(found)[1:], strict=False)}
    assert gaps == {NODE_HIGH + BAND_GAP}


def test_many_wires_are_not_led_back():
    count = 20
    wires = pairs(count, MOST_CROSSING + 1)
    assert wrap_into_bands(row(count), size, wires, LAPTOP_VIEWPORT) == row(count)


def test_what_is_too_long_for_graphviz_stands_in_columns_at_once():
    graph = sum_over_samples(300)
    places = node_positions(graph)  # Graphviz would take minutes and gigabytes
    drawn = {n for n in graph.nodes if not is_pill(graph, n)}
    assert places.keys() == graph.nodes.keys()
    assert len({places[n] for n in drawn}) == len(drawn)
    for source, (target, _slot) in graph.wires():
        assert source not in drawn or places[source][0] < places[target][0]


def tangle(draw: Random, count: int, reach: int) -> Graph:
    """Sums of two of the last `reach` nodes, and leaves among them."""
    nodes: dict[int, Node] = {1: Leaf()}
    for number in range(2, count):
        first = max(1, number - reach)
        pair = draw.randrange(first, number), draw.randrange(first, number)
        nodes[number] = Leaf() if draw.random() < 0.2 else OpNode("add", pair)
    return Graph({**nodes, count: Root(count - 1)}, count, count + 1)


def with_long_wires(length: int, count: int) -> Graph:
    """A chain whose last nodes also add its first."""
    graph = chain(length)
    for k in range(count):
        node = length + 1 - k
        graph = Graph({**graph.nodes, node: OpNode("add", (node - 1, k + 1))}, length + 2)
    return graph


def test_what_graphviz_places_quickly_is_left_to_it():
    """Of these each was placed within two seconds of the processor, most in a tenth."""
    draw = Random(48)
    graphs = [load_drawing(example.path).graph for example in examples()]
    graphs += [tangle(draw, count, reach) for count in (20, 100, 400, 1500) for reach in (4, 40)]
    graphs += [
        chain(1500),
        fan(50),
        sum_over_samples(60),
        with_long_wires(700, 2),
        with_long_wires(320, 9),
    ]
    graphs += [tangle(draw, draw.randrange(10, 300), draw.randrange(2, 300)) for _ in range(60)]
    for k, graph in enumerate(graphs):
        of_one_size = dict.fromkeys(graph.nodes, (130.0, 88.0))
        assert columns_at_once(of_one_size, graph.wires()) is None, k
