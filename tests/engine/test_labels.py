# ruff: noqa: RUF001
"""Labels are one line that reads as it is stored, in any script."""

import pytest

from engine import EditError, FormatError, Graph, Value, from_python
from engine.edits import add, set_label
from engine.formats import native
from engine.graph import Leaf

HIDDEN = "\u200b\u200e\u200f\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u2060\ufeff\u00ad"
GOOD = (
    "می\u200cخواهم",  # Persian: the plural prefix
    "क्\u200dष",  # Hindi: a half letter, behind a mark
    "👩\u200d💻",
    "👩🏽\u200d🔬",  # with a skin tone
    "❤\ufe0f\u200d🔥",
    "🙂\u200d↔\ufe0f",
    "x₁",
)
BAD = (
    "\u200d",
    "\u200ca",
    "a\u200d",
    "a\u200d\u200db",
    "a\u200d b",
    "1\u200c2",
    "a\u200d+",
    *(f"a{character}b" for character in HIDDEN),
    # ruff: noqa: RUF001
    "می\u200cخ\u202e",
)


@pytest.mark.parametrize("label", GOOD)
def test_a_joiner_may_stand_between_letters_or_emoji(label):
    graph = set_label(add(Graph(), Leaf(1.0)), 1, label)
    assert native.read(native.write(graph)) == graph
    read = from_python(f"a = Value(2.0, label={label!r})\na.backward()")
    assert [node.label for node in read.nodes.values() if isinstance(node, Leaf)] == [label]
    assert Value(1.0, label=label).label == label


@pytest.mark.parametrize("label", BAD)
def test_nothing_else_that_is_hidden_stands_in_a_label(label):
    with pytest.raises(EditError, match="one line of plain text"):
        set_label(add(Graph(), Leaf(1.0)), 1, label)
    with pytest.raises(FormatError, match="one line of plain text"):
        native.read(native.write(Graph({1: Leaf(1.0, label)}, None, 2)))


def test_a_refusal_quotes_a_label_as_it_is():
    assert str(EditError(f"There is no {GOOD[0]}.")) == f"There is no {GOOD[0]}."
