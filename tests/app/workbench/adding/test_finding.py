import pytest

from app.workbench.adding import entries, families, ranked
from engine.ops import FAMILIES, OPS


def keys(query: str) -> list[str]:
    return [entry.key for entry in ranked(query)]


def test_everything_is_found_without_a_query():
    assert len(keys("")) == len(entries())
    assert keys("")[:3] == ["leaf", "constant", "root"]
    assert families()[1 : len(FAMILIES) + 1] == FAMILIES


@pytest.mark.parametrize("query", ["*", "mul", "times", "product", "×", " MUL "])
def test_a_product_is_found_by_whatever_it_is_called(query: str):
    assert keys(query)[0] == "op:mul"


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_every_operation_is_first_under_its_own_name(op):
    assert keys(op.name)[0] == f"op:{op.name}"


@pytest.mark.parametrize(
    ("query", "first"),
    [("leaf", "leaf"), ("const", "constant"), ("loss", "root"), ("ln", "op:log"), ("/", "op:div"),
     ("**", "op:pow"), ("-", "op:sub"), ("+", "op:add"), ("logistic", "op:sigmoid")],
)  # fmt: skip
def test_other_words_find_as_well(query: str, first: str):
    assert keys(query)[0] == first


def test_a_prefix_comes_before_a_part_of_a_name():
    found = keys("ta")
    assert found.index("op:tan") < found.index("op:atan")
    assert found.index("op:tanh") < found.index("op:atan")


def test_a_name_that_is_nothing_finds_nothing():
    assert keys("zzz") == []


def test_every_entry_says_what_it_is():
    assert all(entry.says and entry.symbol and entry.title for entry in entries())
