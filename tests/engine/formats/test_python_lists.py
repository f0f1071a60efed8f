"""Lists and iterators of a program that is read behave as they do when Python runs it."""

from typing import Any

import pytest

from engine import FormatError
from engine.formats.python import from_python
from engine.trace import evaluate_values

HEAD = "from engine import Value\na = Value(2.0)\nb = Value(3.0)\n"


def value_when_read(text: str) -> float:
    graph = from_python(HEAD + text)
    assert graph.root is not None
    return evaluate_values(graph)[graph.root]


def value_when_run(text: str) -> float:
    names: dict[str, Any] = {}
    exec(HEAD + text, names)
    return names["y"].data


@pytest.mark.parametrize(
    "change",
    [
        "ys += [b]",
        "ys += (b,)",
        "ys += reversed([b])",
        "ys *= 2",
        "ys += ys",
        "ys = ys + [b]",
        "ys = ys * 2",
        "ys.append(b)",
    ],
)
def test_a_list_that_is_changed_in_place_is_changed_under_all_its_names(change):
    text = f"xs = [a]\nys = xs\n{change}\ny = len(xs) * xs[0]\n"
    assert value_when_read(text) == value_when_run(text)


def test_a_list_inside_another_is_changed_in_place():
    text = "rows = [[a]]\nrow = rows[0]\nrows[0] += [b]\ny = sum(row)\n"
    assert value_when_read(text) == value_when_run(text) == 5.0


def test_a_list_that_grows_by_something_unknown_is_refused():
    text = "import mine\nxs = [a]\nys = xs\nys += mine.more()\ny = sum(xs) * b\n"
    with pytest.raises(FormatError, match="known only when it runs"):
        from_python(HEAD + text)


@pytest.mark.parametrize("pairs", ["zip([a, b], [b, a])", "enumerate([a, b])", "reversed([a, b])"])
def test_only_the_first_loop_over_an_iterator_gets_its_items(pairs):
    text = (
        f"pairs = {pairs}\ny = a * 1\nfor epoch in range(3):\n    for _ in pairs:\n        y += b\n"
    )
    assert value_when_read(text) == value_when_run(text) == 8.0


@pytest.mark.parametrize("use", ["print(list(xs))", "assert list(xs)"])
def test_an_iterator_that_code_not_read_may_have_used_up_is_refused(use):
    with pytest.raises(FormatError):
        from_python(HEAD + f"xs = zip([a], [b])\n{use}\ny = a * 1\nfor p, q in xs:\n    y *= q\n")


def test_a_loop_over_something_unknown_leaves_no_last_value_to_take_for_the_root():
    text = "import numpy\ny = a * 1\nfor _ in numpy.arange(a.data):\n    y = y * b\n"
    with pytest.raises(FormatError, match="known only when it runs"):
        from_python(HEAD + text)


def test_what_was_unpacked_from_an_iterator_is_gone():
    text = "rows = reversed([a, b])\np, q = rows\ny = p * q + len(list(rows))\n"
    assert value_when_read(text) == value_when_run(text) == 6.0


def test_a_generator_that_would_run_later_is_refused():
    with pytest.raises(FormatError, match="a generator runs later"):
        from_python(HEAD + "c = a\nterms = (c * x for x in [b])\nc = b\ny = sum(terms)\n")


def test_a_generator_is_read_where_it_is_used_up():
    text = "y = sum(x * x for x in [a, b])\n"
    assert value_when_read(text) == value_when_run(text) == 13.0
