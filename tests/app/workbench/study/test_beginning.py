"""A search for friendly numbers leaves events their turn, and ends with what it searched for."""

from functools import partial
from itertools import count

import pytest

from app.controls.slices import Slices
from app.document.document import Document
from app.workbench.study import beginning
from app.workbench.study.beginning import FriendlySearch
from engine import from_expression
from engine.rules import CORRECT
from engine.study.friendly import Friendly, friendly_search, run_to_end

KINDS = ("contribution",)


class Heard:
    """Everything that a search emits."""

    def __init__(self, search: FriendlySearch) -> None:
        self.log = list[object]()
        search.found.connect(lambda found, seed: self.log.append((found, seed)))
        search.running_changed.connect(self.log.append)


@pytest.fixture
def search(document: Document, monkeypatch) -> FriendlySearch:
    """A search whose every part takes a slice."""
    monkeypatch.setattr(beginning, "Slices", partial(Slices, clock=count().__next__))
    document.replace_graph(from_expression("y = a*b + c", {"a": 1.5, "b": 0.3, "c": 7.1}))
    return FriendlySearch(document, document)


def test_a_search_lasts_until_it_has_found_what_a_search_in_one_go_finds(
    document: Document, search: FriendlySearch, qtbot
):
    heard = Heard(search)
    search.begin(KINDS, CORRECT, 5)
    assert heard.log == [True]
    qtbot.waitUntil(lambda: not search.running)
    wanted = run_to_end(friendly_search(document.graph, 5, KINDS))
    assert isinstance(wanted, Friendly)
    assert heard.log == [True, False, (wanted, 5)]


@pytest.mark.parametrize("way", ["an edit", "cancelled"])
def test_a_search_that_is_left_finds_nothing(
    document: Document, search: FriendlySearch, way: str, qtbot
):
    heard = Heard(search)
    search.begin(KINDS, CORRECT, 5)
    if way == "an edit":
        document.set_value(document.graph.leaves[0], 4.0)
    else:
        search.cancel()
    assert not search.running
    qtbot.wait(0)
    assert heard.log == [True, False]


def test_another_search_takes_the_place_of_the_first(search: FriendlySearch, qtbot):
    heard = Heard(search)
    search.begin(KINDS, CORRECT, 5)
    search.begin(KINDS, CORRECT, 6)
    qtbot.waitUntil(lambda: not search.running)
    assert [entry[1] for entry in heard.log if isinstance(entry, tuple)] == [6]
