from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from app.panels.status_line import StatusLine
from engine.rules import MISTAKES, UNKNOWN


@pytest.fixture
def line(host) -> StatusLine:
    return host.show(StatusLine(host.style, host.document, host.playback), 1000, 24)


def facts(line: StatusLine) -> list[str]:
    return line.text().split("     ")


def test_the_facts_of_a_graph_in_a_pass(host, tmp_path: Path, line):
    host.open_shared(6)
    assert facts(line) == [
        "7 nodes, 7 wires", "root L", "backward, step 6 of 7", "all slots plugged", "edited",
    ]  # fmt: skip
    host.document.saved(tmp_path / "x.backwire")
    assert facts(line)[-1] == "saved"


def test_an_empty_sheet_says_so(line):
    assert facts(line) == ["empty sheet"]


def test_the_start_page_says_what_holds_there(host, line):
    host.open_shared()
    line.set_full_page(True)
    assert facts(line) == [
        "Offline, nothing leaves this computer",
        "Arrows move over the lessons, Enter opens; what you type goes into the formula",
    ]  # fmt: skip
    assert not line.findChildren(QLabel)[-1].isVisible()
    line.set_full_page(False)
    assert facts(line)[0] == "7 nodes, 7 wires"


def test_what_is_missing_is_counted(host, line):
    host.open_shared()
    host.document.wires.disconnect(host.node("e"), 0)
    assert "1 empty slot" in facts(line)
    host.document.remove([host.document.graph.active_root])
    assert "no root" in facts(line)


def test_a_mistake_that_is_on_stands_there(host, line):
    host.open_shared()
    host.playback.set_rules(MISTAKES[0])
    assert "mistake: = instead of +=" in facts(line)
    host.playback.set_rules(UNKNOWN)
    assert "hunt: a mistake is on" in facts(line)


def test_under_a_mistake_it_counts_the_gradients_that_differ(host, line):
    host.open("c=a+b; d=a*b; e=c+d; f=c*d; y=e+f", {"a": 2, "b": 3})
    host.playback.set_rules(MISTAKES[0])
    host.playback.backward()
    assert "no gradient differs" in facts(line)
    host.playback.to_end()
    assert "4 of 7 gradients differ" in facts(line)


def test_a_hint_takes_the_place_of_the_facts_until_it_is_cleared(host, line):
    host.open_shared()
    line.set_hint("This wire would close a loop: e → d → e")
    assert line.text() == "This wire would close a loop: e → d → e"
    host.playback.backward()
    assert line.text().startswith("This wire")
    line.set_hint("")
    assert facts(line)[0] == "7 nodes, 7 wires"


def test_the_zoom_stands_at_the_right(line):
    line.set_zoom(0.835)
    assert line.zoom.text() == "84 %"
