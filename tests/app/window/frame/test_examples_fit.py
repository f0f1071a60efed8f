"""Examples open so that the chain rule can be read on their wires."""

import pytest

from app.document.examples import examples
from app.style import sizes
from app.window.commands.file import open_now

WIDE = {"shared-leaf": 1440, "demonstration": 1600, "by-hand": 1440, "dead-relu": 1440}


@pytest.mark.parametrize("name", WIDE)
def test_an_example_opens_with_whole_labels_on_a_laptop(window, name):
    window.resize(WIDE[name], 900)
    path = next(example.path for example in examples() if example.name == name)
    open_now(window.context, path)
    window.playback.backward()
    assert window.canvas.camera.scale >= sizes.ZOOM_LABELS
