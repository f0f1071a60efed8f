"""A monkey finds no way to break the window.

python -m tests.monkey       the same for long
"""

import pytest

from tests.helpers.monkey import throw

EVENTS = 2500


@pytest.mark.parametrize("seed", [1, 2])
def test_a_monkey_finds_no_fault(qapp, seed: int):
    sheet, font, palette = qapp.styleSheet(), qapp.font(), qapp.palette()
    try:
        throw(EVENTS, seed)
    finally:
        qapp.setStyleSheet(sheet)
        qapp.setFont(font)
        qapp.setPalette(palette)
