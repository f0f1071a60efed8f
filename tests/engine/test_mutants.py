"""The planted faults still find their places, and leave code that can be compiled."""

import ast
from functools import cache

import pytest

from tests.mutants.__main__ import MUTANTS
from tests.mutants.mutant import Mutant
from tests.mutants.run import ROOT, order_of_tests

SOURCE = """
def scale(
    x,  # a factor
    y,
):
    total = (x *
             y)
    log('scaled', total=total)
    return total

def other(x, y):
    return x * y
"""


def test_there_are_more_than_two_hundred():
    assert len(MUTANTS) > 200
    assert len(set(MUTANTS)) == len(MUTANTS)


@cache
def source_and_tree(file: str) -> tuple[str, str]:
    """The text of a file of the engine, and its syntax tree written out."""
    source = (ROOT / file).read_text("utf-8")
    return source, ast.dump(ast.parse(source))


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.title[:60])
def test_a_fault_can_be_planted(mutant):
    source, unharmed = source_and_tree(mutant.file)
    planted = ast.parse(mutant.planted(source))
    assert ast.dump(planted) != unharmed
    compile(planted, mutant.file, "exec")
    assert order_of_tests(mutant)


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ("x * y", "x + y", "total = x + y"),
        ("total = x * y", "pass", "pass"),
        ('log("scaled", total=total)', "pass", "None"),
        ("total=total", "total=0", "log('scaled', total=0)"),
        ("return total", "return x", "return x"),
    ],
)
def test_line_breaks_brackets_quotes_and_comments_do_not_matter(before, after, line):
    planted = Mutant("engine/x.py", "scale", before, after).planted(SOURCE)
    assert line in [part.strip() for part in planted.splitlines()]
    assert "return x * y" in planted


@pytest.mark.parametrize(
    ("where", "before"), [("", "x * y"), ("scale", "x / y"), ("third", "x * y"), ("scale", "total")]
)
def test_a_place_that_is_not_there_just_once_is_refused(where, before):
    with pytest.raises(ValueError, match=r"times|there is no"):
        Mutant("engine/x.py", where, before, "0").planted(SOURCE)
