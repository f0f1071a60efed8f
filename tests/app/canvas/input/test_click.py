"""What is pressed on the sheet acts when it is let go of, and only there."""

import pytest

from tests.helpers.easel import Easel
from tests.helpers.mouse import ALT, NONE, at_nothing, at_slot, at_wire, drag, press, release


@pytest.mark.parametrize("modifiers", [NONE, ALT])
def test_a_wire_let_go_elsewhere_is_neither_chosen_nor_cut(sheet: Easel, modifiers):
    before = sheet.bytes()
    drag(sheet.view, at_wire(sheet.view, (3, 1)), at_nothing(sheet.view), modifiers)
    assert sheet.bytes() == before
    assert not sheet.selection.wires


def test_a_slot_let_go_elsewhere_keeps_its_wire(sheet: Easel):
    before = sheet.bytes()
    drag(sheet.view, at_slot(sheet.view, 4, 0), at_nothing(sheet.view), ALT)
    assert sheet.bytes() == before


def test_a_wire_is_cut_on_release_and_not_before(sheet: Easel):
    at = at_wire(sheet.view, (3, 1))
    press(sheet.view, at, ALT)
    assert sheet.graph.source((3, 1)) == 2
    release(sheet.view, at, ALT)
    assert sheet.graph.source((3, 1)) is None
    assert sheet.document.done[-1].name == "Unplug c"
