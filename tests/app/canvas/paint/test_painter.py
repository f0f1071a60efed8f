"""What is drawn at which zoom: whole at 1:1, less and less from afar, never unreadable."""

from itertools import product

import pytest
from PySide6.QtCore import QRectF

from app.canvas.appearance.detail import (
    MAX_SMALL_GRAPH,
    READABLE,
    READABLE_IN_SMALL_GRAPH,
    scale_for_text_size,
)
from app.canvas.paint.figure import scene_of
from app.canvas.paint.painter import label_wires
from app.canvas.scene.scene import Scene
from app.document.examples import examples
from app.document.sheet import Sheet, sheet_of
from engine.frame import frame_at
from engine.graph import Graph
from engine.numbers import signed
from engine.rules import MISTAKES
from engine.trace import run
from tests.helpers.canvas import example_drawing, painted
from tests.helpers.graphs import chain, demonstration, mistake
from tests.helpers.sampling import sampled, spread
from tests.helpers.tables import in_turn

NAMES = [found.name for found in examples()]
ZOOMS = (1.3, 1.0, 0.92, 0.91, 0.79, 0.74, 0.67, 0.66, 0.6, 0.55, 0.54, 0.44, 0.31, 0.29, 0.2, 0.05)


def at_step(name: str, k: int) -> Scene:
    sheet = sheet_of(example_drawing(name))
    trace = run(sheet.graph)
    return scene_of(sheet, frame_at(trace, k if k >= 0 else len(trace)))


def scene_at(graph: Graph, k: int) -> Scene:
    """A graph in a row, at a step of its backward pass."""
    places = {
        node: (400.0 * place, 0.0) for place, node in enumerate(graph.structure.topological_order)
    }
    return scene_of(Sheet(graph, places), frame_at(run(graph), k))


def texts(scene: Scene, zoom: float) -> list[str]:
    return [found.text for found in painted(scene, zoom)]


@in_turn(("name", "zoom"), sampled(product(NAMES, ZOOMS), every=7))
def test_nothing_is_written_smaller_than_eight_pixels(qapp, name: str, zoom: float):
    length = len(run(sheet_of(example_drawing(name)).graph))
    for k in (0, 1, length // 2, length):
        for found in painted(at_step(name, k), zoom):
            assert found.pixels >= READABLE_IN_SMALL_GRAPH, (found.text, k)


def test_everything_is_written_while_the_smallest_text_is_readable(qapp):
    found = texts(at_step("by-hand", -1), scale_for_text_size(READABLE))
    assert {" × ", "data", "grad", "leaf", "a", "a × b", "∂/∂a"} <= set(found)


def test_between_eight_pixels_and_that_labels_of_a_larger_graph_keep_their_second_line(qapp):
    graph = chain(MAX_SMALL_GRAPH + 1)
    scene, small = scene_at(graph, len(run(graph))), at_step("by-hand", -1)
    whole = texts(scene, scale_for_text_size(READABLE))
    assert " × " in whole
    for size in (9.0, 10.9):
        shortened = texts(scene, scale_for_text_size(size))
        assert shortened.count(" × ") == 1  # only the wire that fires is written in full
        assert shortened.count("= ") == whole.count("= ")
    for size in (8.01, 10.9):
        assert texts(small, scale_for_text_size(size)) == texts(small, 1.0)


def test_below_that_only_contributions_of_this_step_and_the_next_stand_on_wires(qapp):
    scene = at_step("by-hand", 3)
    trace = scene.looks.frame.trace
    assert trace is not None
    found = texts(scene, 0.6)
    assert " × " not in found
    assert found.count("= ") == 2  # of the label that fires, and of the next
    assert signed(trace.events[2].contribution) in found
    assert "···" in found
    assert not {"data", "grad", "leaf", "a × b"} & set(found)


def test_contributions_keep_their_size_on_the_screen(qapp):
    for zoom in (0.66, 0.6, 0.55):
        lone = [w for w in painted(at_step("by-hand", 2), zoom) if w.text == "−2"]
        assert any(11 <= found.pixels <= 13 for found in lone), zoom


def test_labels_of_earlier_steps_are_left_out_when_small(qapp):
    """At the third step both wires into × carry labels."""
    sheet = sheet_of(example_drawing("by-hand"))
    first, second = (run(sheet.graph).events[k] for k in (1, 2))
    assert first.sender == second.sender
    scene = at_step("by-hand", 3)
    large, small = texts(scene, 1.0), texts(scene, 0.6)
    assert large.count("= ") - small.count("= ") >= 1
    fired, done = signed(second.contribution), signed(first.contribution)
    assert fired in small
    assert small.count(done) < large.count(done)


def test_the_seed_stands_above_the_root_while_the_pass_is_shown(qapp):
    assert "seed 1" not in texts(at_step("by-hand", 0), 1.0)
    for k in (1, 4, -1):
        scene = at_step("by-hand", k)
        corner = scene.bounds().adjusted(-200, -200, 200, 200).topLeft()
        found = next(written for written in painted(scene) if written.text == "seed 1")
        root = scene.boxes[scene.sheet.graph.active_root or 0]
        assert found.y + corner.y() < root.y
        assert root.x - 20 < found.x + corner.x() < root.x + root.w


def test_a_mistake_without_a_seed_shows_none(qapp):
    graph = demonstration()
    trace = run(graph, rules=mistake("no-seed"))
    scene = scene_of(Sheet(graph, {n: (300.0 * n, 0.0) for n in graph.nodes}), frame_at(trace, 3))
    assert "seed 1" not in texts(scene, 1.0)


def test_further_away_symbols_and_labels_remain_without_numbers(qapp):
    found = set(texts(at_step("by-hand", -1), 0.35))
    assert {"× e", "+ d", "× L", "a", "b", "c", "f"} <= found
    assert not any(character.isdigit() for text in found for character in text)


def test_from_afar_nothing_is_written(qapp):
    for zoom in (0.29, 0.1, 0.05):
        assert texts(at_step("by-hand", -1), zoom) == []


def test_from_afar_the_state_of_a_node_still_has_its_colour(canvas):
    from PySide6.QtCore import QPointF

    from tests.helpers.canvas import color_at

    canvas.open_example("demonstration")
    canvas.playback.backward()
    canvas.playback.to_end()
    canvas.view.camera.set_zoom(0.1)
    canvas.view.camera.pan_by(QPointF(400, 300))
    for name in ("a", "c", "y"):
        middle = canvas.view.camera.to_screen(canvas.scene.boxes[canvas.node(name)].rect.center())
        color = color_at(canvas.view, middle)
        assert color.getRgb() != canvas.view.context.theme.canvas.getRgb()


def test_every_theme_writes_the_same_words(qapp):
    scene = at_step("demonstration", 4)
    same = [found.text for found in painted(scene, 1.0, "light")]
    for theme in ("dark", "projector", "print"):
        assert [found.text for found in painted(scene, 1.0, theme)] == same


def test_the_label_that_fires_is_drawn_last(qapp):
    sheet = sheet_of(example_drawing("demonstration"))
    trace = run(sheet.graph)
    for k in range(2, len(trace)):
        scene = scene_of(sheet, frame_at(trace, k))
        contribution = scene.label(trace.events[k - 1].wire or (0, 0))
        assert contribution is not None
        assert texts(scene, 1.0)[-1] == contribution.contribution


@pytest.mark.parametrize(("digits", "rules"), spread((4, "shortest"), (None, *MISTAKES)))
def test_every_label_in_an_area_is_found_however_long_its_numbers_are(canvas, digits, rules):
    canvas.open_example("sigmoid-parts")
    canvas.style.set_digits(digits)
    if rules is not None:
        canvas.playback.set_rules(rules)
    canvas.playback.backward()
    for step in range(canvas.steps + 1):
        canvas.playback.go(step)
        scene = canvas.scene
        rects = {wire: scene.labels.rect(wire) for wire in scene.courses}
        for wire, rect in rects.items():
            if rect is None:
                continue
            strip = QRectF(rect.left() - 3, rect.top() - 40, 4, rect.height() + 80)
            assert wire in label_wires(scene, strip), scene.label(wire)
            above = QRectF(rect.left(), rect.top() - 9, rect.width(), 10)
            assert wire in label_wires(scene, above), scene.label(wire)
