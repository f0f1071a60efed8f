"""The ten examples of the first page show the known numbers, at every step and on every side."""

import operator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from app.canvas.paint.figure import scene_of
from app.document.examples import examples
from app.window.frame.main_window import MainWindow
from engine.frame import frame_at
from engine.numbers import short, signed
from engine.trace import run
from tests.helpers.answering import acts
from tests.helpers.graphs import example
from tests.helpers.reading import grad, label, labels, value, written
from tests.helpers.sampling import sampled
from tests.helpers.window import click, open_example, opened_window, press

NAMES = [found.name for found in examples()]


def open_card(window: MainWindow, name: str) -> None:
    """Click an example on the start page."""
    listed = window.pages.welcome.examples
    card = next(card for card in listed.cards if card.example.name == name)
    if not card.isVisible():
        click(listed.all_button)
    click(card)


def test_the_known_numbers_stand_on_the_canvas(window: MainWindow):
    view = window.canvas
    for name in sampled(NAMES, 3):
        window.show_start_page()
        open_card(window, name)
        known = example(name)
        for node, numbers in known.nodes.items():
            assert value(view, node) == short(numbers["value"]), (name, node)
        press(window, "b", Qt.Key.Key_End)
        for node, numbers in known.nodes.items():
            assert grad(view, node) == short(numbers["grad"]), (name, node)
        view.camera.set_zoom(1.0)
        words = written(view)
        for numbers in known.nodes.values():
            assert short(numbers["value"]) in words, name
            assert short(numbers["grad"]) in words, name


def test_each_step_adds_one_label_with_its_product(window: MainWindow):
    view = window.canvas
    for name in sampled(NAMES, 3, first=1):
        open_example(window, name)
        trace = run(window.document.graph)
        press(window, "b")
        for k, event in enumerate(trace.events[1:], start=2):
            press(window, Qt.Key.Key_Right)
            assert window.strip.timeline.value() == k
            assert event.wire is not None
            factors = f"{short(event.upstream)} × {short(event.local)}"
            assert labels(view)[event.wire] == f"{factors} = {signed(event.contribution)}"
            complete = [text for text in labels(view).values() if "···" not in text]
            assert len(complete) == k - 1, (name, k)
        assert "step" not in acts(window)


ROUNDING = 3
"""Levels of 255 that blending by way of a pixmap may round a pixel by."""


def furthest(one: QImage, other: QImage) -> int:
    """The largest difference of any colour of any pixel."""
    assert one.size() == other.size()
    form = QImage.Format.Format_RGB32
    here, there = (bytes(image.convertToFormat(form).constBits()) for image in (one, other))
    return max(map(abs, map(operator.sub, here, there)))


def alike(window: MainWindow, fresh: MainWindow) -> bool:
    """Whether both canvases show the same, once nothing fades any more."""
    here, there = (found.canvas.grab().toImage() for found in (window, fresh))
    return furthest(here, there) <= ROUNDING


@pytest.mark.parametrize("name", sampled(["shared-leaf", "demonstration", "neuron"], every=3))
def test_a_step_looks_as_in_a_window_opened_at_it(window: MainWindow, qtbot, name: str):
    open_card(window, name)
    press(window, "b")
    length = window.playback.frame.total
    with opened_window(qtbot) as fresh:
        for k in sampled((length // 2, 0, length), 2):
            window.playback.go(k)
            open_example(fresh, name)
            fresh.playback.backward()
            fresh.playback.go(k)
            for zoom in (None, 1.0):  # everything, and the middle of it in full
                for found in (window, fresh):
                    found.canvas.framing.fit_all()
                    found.canvas.camera.set_zoom(zoom or found.canvas.camera.zoom)
                assert written(window.canvas) == written(fresh.canvas)
                qtbot.waitUntil(partial(alike, window, fresh), timeout=60_000)
            assert window.strip.strip == fresh.strip.strip, k


def test_the_screen_and_the_picture_say_the_same(window: MainWindow):
    view = window.canvas
    for name in sampled(NAMES, 3, first=2):
        open_example(window, name)
        press(window, "b", Qt.Key.Key_Right)
        scene = scene_of(window.document.sheet, frame_at(run(window.document.graph), 2))
        for node in window.document.graph.nodes:
            assert view.scene.node(node) == scene.node(node)
        for _source, wire in window.document.graph.wires():
            assert view.scene.label(wire) == scene.label(wire)


def test_the_forward_pass_computes_one_node_a_step(window: MainWindow):
    open_card(window, "by-hand")
    view = window.canvas
    press(window, "b", modifier=Qt.KeyboardModifier.ShiftModifier)
    assert [value(view, n) for n in "abcfedL"] == ["2", "−3", "10", "−2", "–", "–", "–"]
    expected = {"e": "−6", "d": "4", "L": "−8"}
    for node, text in expected.items():
        press(window, Qt.Key.Key_Right)
        assert value(view, node) == text
    press(window, Qt.Key.Key_Left)
    assert value(view, "L") == "–"
    assert labels(view) == {}


def test_each_example_opens_unmodified_and_whole(window: MainWindow):
    for name in NAMES:
        open_example(window, name)
        assert not window.isWindowModified()
        area = window.canvas.camera.visible_area
        assert all(area.contains(box.rect) for box in window.canvas.scene.boxes.values()), name


def test_the_view_follows_the_step(window: MainWindow):
    open_example(window, "sigmoid-parts")
    press(window, "b")
    view = window.canvas
    view.camera.set_zoom(1.0)
    for _ in range(window.playback.frame.total - 1):
        press(window, Qt.Key.Key_Right)
        event = window.playback.frame.event
        assert event is not None
        assert event.wire is not None
        rect = view.scene.labels.rect(event.wire)
        assert rect is not None
        assert view.camera.visible_area.contains(rect)
        assert view.camera.visible_area.contains(view.scene.boxes[event.node].rect)


def test_an_example_is_never_written_over(window: MainWindow):
    open_example(window, "square")
    path = Path(next(e.path for e in examples() if e.name == "square"))
    before = path.read_bytes()
    window.document.set_value(window.document.graph.next_id - 1, 3.0)
    assert window.document.path is None
    assert path.read_bytes() == before


def test_a_square_has_two_wires_with_a_label_each(window: MainWindow):
    open_card(window, "square")
    press(window, "b", Qt.Key.Key_End)
    view = window.canvas
    name = example("square").root
    assert label(view, name, 0) == label(view, name, 1)
    first, second = (view.scene.labels.rect((window.document.graph.root or 0, k)) for k in (0, 1))
    assert first is not None
    assert second is not None
    assert not first.intersects(second)
