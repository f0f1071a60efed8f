"""What is drawn at which zoom: whole at 1:1, less and less from afar, never unreadable."""

from itertools import product

import pytest

from app.canvas.paint.picture_export import scene_of
from app.canvas.scene.scene import Scene
from app.document.examples import examples
from app.document.sheet import sheet_of
from app.style import sizes
from engine.frame import frame_at
from engine.numbers import signed
from engine.trace import run
from tests.helpers.easel import example_drawing, painted
from tests.helpers.extent import sampled

NAMES = [found.name for found in examples()]
ZOOMS = (1.0, 0.9, 0.8, 0.79, 0.6, 0.5, 0.45, 0.44, 0.3, 0.2, 0.1, 0.05)


def at_step(name: str, k: int) -> Scene:
    sheet = sheet_of(example_drawing(name))
    trace = run(sheet.graph)
    return scene_of(sheet, frame_at(trace, k if k >= 0 else len(trace)))


def texts(scene: Scene, zoom: float) -> list[str]:
    return [found.text for found in painted(scene, zoom)]


@pytest.mark.parametrize(("name", "zoom"), sampled(product(NAMES, ZOOMS), every=7))
def test_nothing_is_written_smaller_than_nine_pixels(qapp, name: str, zoom: float):
    length = len(run(sheet_of(example_drawing(name)).graph))
    for k in (0, 1, length // 2, length):
        for found in painted(at_step(name, k), zoom):
            assert found.pixels >= sizes.SMALLEST_NUMBER, (found.text, k)


def test_from_eighty_per_cent_labels_are_whole(qapp):
    for zoom in (1.0, 0.8):
        assert " × " in texts(at_step("by-hand", -1), zoom)


def test_below_that_only_contributions_stand_on_wires(qapp):
    found = texts(at_step("by-hand", -1), 0.6)
    assert " × " not in found
    assert {"+6", "−4"} <= set(found)


def test_contributions_keep_their_size_on_the_screen(qapp):
    for zoom in (0.79, 0.7, 0.6, 0.46):
        lone = [w for w in painted(at_step("by-hand", 2), zoom) if w.text == "−2"]
        assert any(11 <= found.pixels <= 13 for found in lone), zoom


def test_between_two_labels_of_one_node_only_the_one_on_top_is_written_when_small(qapp):
    """At the third step both wires into × carry labels, 26 pixels apart at 1:1."""
    sheet = sheet_of(example_drawing("by-hand"))
    first, second = (run(sheet.graph).events[k] for k in (1, 2))
    assert first.target == second.target
    scene = at_step("by-hand", 3)
    large, small = texts(scene, 0.7), texts(scene, 0.46)
    fired, done = signed(second.contribution), signed(first.contribution)
    assert small.count(fired) == large.count(fired)
    assert small.count(done) == large.count(done) - 1


def test_further_away_symbols_and_labels_remain_without_numbers(qapp):
    found = set(texts(at_step("by-hand", -1), 0.35))
    assert {"×", "+", "a", "b", "c", "f"} <= found
    assert not any(character.isdigit() for text in found for character in text)


def test_from_afar_nothing_is_written(qapp):
    for zoom in (0.19, 0.1, 0.05):
        assert texts(at_step("by-hand", -1), zoom) == []


def test_from_afar_the_state_of_a_node_still_has_its_colour(easel):
    from PySide6.QtCore import QPointF

    from tests.helpers.easel import color_at

    easel.open_example("demonstration")
    easel.playback.backward()
    easel.playback.to_end()
    easel.view.camera.set_zoom(0.1)
    easel.view.camera.pan_by(QPointF(400, 300))
    for name in ("a", "c", "y"):
        middle = easel.view.camera.to_screen(easel.scene.boxes[easel.node(name)].rect.center())
        color = color_at(easel.view, middle)
        assert color.getRgb() != easel.view.context.theme.canvas.getRgb()


@pytest.mark.parametrize("theme", ["light", "dark", "projector", "print"])
def test_every_theme_writes_the_same_words(qapp, theme: str):
    scene = at_step("demonstration", 4)
    same = [found.text for found in painted(scene, 1.0, "light")]
    assert [found.text for found in painted(scene, 1.0, theme)] == same


def test_the_label_that_fires_is_drawn_last(qapp):
    sheet = sheet_of(example_drawing("demonstration"))
    trace = run(sheet.graph)
    for k in range(2, len(trace)):
        scene = scene_of(sheet, frame_at(trace, k))
        contribution = scene.label(trace.events[k - 1].wire or (0, 0))
        assert contribution is not None
        assert texts(scene, 1.0)[-1] == contribution.contribution
