"""A monkey finds no way to break the window.

python3 run.py monkey       the same for long
"""

import pytest

from tests.helpers.application import kept_look
from tests.helpers.extent import sized
from tests.helpers.monkey import throw

EVENTS = sized(200, 2_500)


@pytest.mark.parametrize("seed", range(1, 5))
def test_a_monkey_finds_no_fault(qapp, seed: int):
    with kept_look(qapp):
        throw(EVENTS, seed)
