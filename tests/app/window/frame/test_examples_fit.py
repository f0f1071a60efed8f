"""Examples open so that everything on them can be read, on a laptop, and stays where it is."""

import pytest

from app.canvas.appearance.detail import READABLE, Detail, scale_of
from app.document.examples import examples
from app.window.commands.file import open_now

LAPTOPS = ((1366, 768), (1440, 900))


@pytest.mark.parametrize("size", LAPTOPS)
@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_an_example_opens_readable_and_whole_on_a_laptop_and_no_step_moves_it(
    window, example, size
):
    window.resize(*size)
    open_now(window.context, example.path)
    canvas, playback = window.canvas, window.playback
    assert canvas.camera.scale >= scale_of(READABLE) - 1e-9
    assert canvas.context.detail == Detail.WHOLE
    seen = canvas.camera.visible_area
    assert seen.contains(canvas.scene.bounds())
    boxes = dict(canvas.scene.boxes)
    for begin in (playback.forward, playback.backward):
        begin()
        while playback.frame.upcoming is not None:
            playback.step()
            assert canvas.scene.boxes == boxes
            assert canvas.camera.visible_area == seen
