"""A canvas to try things on."""

import pytest

from tests.helpers.easel import Easel, make_easel


@pytest.fixture
def easel(qtbot, qapp) -> Easel:
    """An empty canvas of 1600 × 900 with a document, a playback and a selection."""
    return make_easel(qtbot)
