"""A search for friendly numbers leaves events their turn, and ends with what it searched for."""

from functools import partial
from itertools import count
from pathlib import Path

import pytest

from app.controls.slices import Slices
from app.controls.spans import plain_text
from app.document.document import Document
from app.document.document_file import DocumentFile
from app.workbench.playback.playback import Playback
from app.workbench.trials import beginning
from app.workbench.trials.beginning import Beginning, FriendlySearch
from app.workbench.words.strip import Strip, StripContext
from app.workbench.words.strip_writers import write_strip
from engine import from_expression, load
from engine.asking.friendly import Friendly, friendly_search, run_to_end
from engine.rules import CORRECT
from engine.trace import evaluate_values
from tests.helpers.window import until

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
    return FriendlySearch(document, Playback(document, document), document)


def test_a_search_lasts_until_it_has_found_what_a_search_in_one_go_finds(
    document: Document, search: FriendlySearch, qapp
):
    heard = Heard(search)
    search.begin(KINDS, CORRECT, 5)
    assert heard.log == [True]
    until(lambda: not search.running)
    wanted = run_to_end(friendly_search(document.graph, 5, KINDS))
    assert isinstance(wanted, Friendly)
    assert heard.log == [True, (wanted, 5), False]  # no leaf shows 2, 3, 4 … in between


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


def test_another_search_takes_the_place_of_the_first(search: FriendlySearch, qapp):
    heard = Heard(search)
    search.begin(KINDS, CORRECT, 5)
    search.begin(KINDS, CORRECT, 6)
    until(lambda: not search.running)
    assert [entry[1] for entry in heard.log if isinstance(entry, tuple)] == [6]


class Typed:
    """A formula typed into a document, the numbers it begins with, and what is said of them."""

    def __init__(self, document: Document) -> None:
        self.document, self.playback = document, Playback(document, document)
        self.beginning = Beginning(document, self.playback, document)

    def type(self, text: str, *, waits: bool = True) -> None:
        self.document.start()
        self.document.edit_expression(from_expression(text), text)
        if waits:
            until(lambda: not self.beginning.running)

    @property
    def strip(self) -> Strip:
        return write_strip(self.playback.now, StripContext(begun=self.beginning.now))

    @property
    def sentence(self) -> str:
        return plain_text(self.strip.sentence)

    @property
    def said(self) -> str:
        return plain_text(self.strip.answer)

    @property
    def offers(self) -> list[str]:
        return [button.act for button in self.strip.offers]

    @property
    def numbers(self) -> list[float]:
        return [*self.document.graph.leaf_values.values()]


@pytest.fixture
def typed(document: Document, monkeypatch) -> Typed:
    monkeypatch.setattr(beginning, "LONGEST_MS", 60_000)
    return Typed(document)


def test_each_value_is_finite_and_no_number_is_used_twice(typed: Typed):
    for text in ("log(a - b)", "sqrt(a)/b", "a/(b - 3)", "tanh(a*b)", "exp(a)*exp(b)"):
        typed.type(text)
        a, b = typed.numbers
        assert a != b, text
        assert all(abs(x) < 1e12 for x in evaluate_values(typed.document.graph).values()), text


def test_what_is_said_and_offered_goes_with_the_leaves_that_got_a_number(typed: Typed):
    both, small = ["others", "ones"], "small, different numbers to begin with"
    for text, said, offered in (
        ("a*b + a", f"a and b got {small}", both),
        ("b = 1.25; y = a*b + c", f"a and c got {small}", both),
        ("x*x + x", "x got a small number to begin with. Click it to change it.", both),
        ("a = 2; b = -3; y = a*b", "", []),
        ("2*3", "", []),
        ("a*b + inf", "a and b are 1 to begin with", ["others"]),
    ):
        typed.type(text)
        assert typed.said.startswith(said) == bool(said) or typed.said == said == "", text
        assert typed.offers == offered, text


def test_where_no_numbers_are_told_apart_they_count_up_from_2(typed: Typed):
    typed.type("y = relu(w*x + v*u + b)")
    begun = typed.beginning.now
    assert begun is not None
    assert begun.seed == 1  # they were searched for
    assert begun.numbers == (2, 3, 4, 5, 6)


def test_a_thousand_leaves_begin_with_1_and_with_no_offer_that_would_be_refused(typed: Typed):
    typed.type("+".join(f"a{k}" for k in range(700)), waits=False)
    assert not typed.beginning.running
    assert {*typed.numbers} == {1.0}
    assert typed.said == "a0, a1, a2 and 697 more are 1 to begin with. Click one to change it."
    assert typed.offers == []


def test_what_comes_before_they_are_drawn_leaves_them_as_they_are_shown(
    typed: Typed, tmp_path: Path
):
    document = typed.document
    ways = {
        "an edit": (lambda: document.set_value(document.graph.leaves[1], 12.0), [2, 12, 4]),
        "an undo": (document.undo, []),
        "a file": (lambda: DocumentFile(document).save(tmp_path / "x.backwire"), [2, 3, 4]),
        "a pass": (typed.playback.backward, [2, 3, 4]),
    }
    for name, (happens, numbers) in ways.items():
        typed.type("(a*b + a) * f", waits=False)
        assert typed.beginning.running, name
        happens()
        assert not typed.beginning.running, name
        assert typed.numbers == numbers, name
        typed.playback.leave()
    typed.type("(a*b + a) * f", waits=False)
    happens = ways["a file"][0]
    happens()
    assert load(tmp_path / "x.backwire").leaf_values == document.graph.leaf_values
