"""What a page computes itself is what the engine computes: operations in a real Chromium."""

import math
import random
from collections.abc import Callable, Sequence
from itertools import product

import pytest

from app.takeaway.html_page import resource
from engine.numbers import short
from engine.ops import BY_NAME, OPS, Op
from tests.browser.reader import Reader
from tests.engine.test_ops import points

Read = Callable[..., Reader]
SPECIALS = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 20.0, 709.78, -745.2, 1e308, 5e-324, math.pi / 2)
NOT_FINITE = (math.inf, -math.inf, math.nan)
DRAWN = 40
MOST_RELATIVE_ERROR = 1e-12

COMPUTE = """([script, inputs]) => {
  const ops = new Function(script + '; return OPS;')();
  const written = (x) => (Object.is(x, -0) ? '-0' : String(x));
  return inputs.map(([op, ...texts]) => {
    const numbers = texts.map(Number), [forward, ...slopes] = ops[op], out = forward(...numbers);
    return [out, ...slopes.map((slope) => slope(...numbers, out))].map(written);
  });
}"""


def from_page(text: str) -> float:
    return float(text.replace("Infinity", "inf"))


def for_page(x: float) -> str:
    return repr(x).replace("inf", "Infinity").replace("nan", "NaN")


def inputs_of(ops: Sequence[Op]) -> list[tuple[Op, tuple[float, ...]]]:
    """Inputs at which something happens, and drawn ones."""
    rng, found = random.Random(1), list[tuple[Op, tuple[float, ...]]]()
    for op in ops:
        specials = (*SPECIALS, *NOT_FINITE)[:: 1 if len(op.slots) < 3 else 3]
        drawn = [tuple(rng.uniform(-6, 6) for _slot in op.slots) for _ in range(DRAWN)]
        each = (*product(specials, repeat=len(op.slots)), *points(op), *drawn)
        found += [(op, numbers) for numbers in each]
    return found


def differing(read: Read, ops: Sequence[Op], planted: tuple[str, str] = ("", "")) -> list[object]:
    """The numbers that a page computes otherwise than the engine, with a planted change."""
    inputs = inputs_of(ops)
    table = ",\n".join(f"{op.name}: {op.javascript}" for op in ops)
    script = f"{resource('functions.js')}\n{resource('normal.js')}\nconst OPS = {{{table}}};"
    assert planted[0] in script
    script = script.replace(*planted)
    rows = [[op.name, *map(for_page, numbers)] for op, numbers in inputs]
    wrong: list[object] = []
    for (op, numbers), texts in zip(inputs, read("blank").js(COMPUTE, [script, rows]), strict=True):
        theirs = [from_page(text) for text in texts]
        # a slope at the page's own value, by which it computes
        mine = [op.forward(*numbers), *(p(*numbers, theirs[0]) for p in op.partials)]
        pairs = zip(mine, theirs, strict=True)
        wrong += [(op.name, numbers, x, y) for x, y in pairs if not is_same(float(x), y)]
    return wrong


def is_same(mine: float, theirs: float) -> bool:
    """Whether they are of one kind, nan, infinite or with a sign, and equal to six digits."""
    if not (math.isfinite(mine) and math.isfinite(theirs) and mine and theirs):
        return repr(mine) == repr(theirs)
    is_near = abs(mine - theirs) <= MOST_RELATIVE_ERROR * abs(mine)
    return is_near and all(short(mine, digits) == short(theirs, digits) for digits in (2, 4, 6))


def test_operations_in_a_page_have_the_engines_values_and_slopes(read: Read):
    assert differing(read, OPS) == []


PLANTED = (
    ("pow", "b !== 0 ? b", "b ? b"),  # nan is false in JavaScript
    ("pow", "a === 1 ||", "false ||"),
    ("sigmoid", "a < SIGMOID_ZERO_BELOW ? 0 :", ""),
    ("gelu", "8.45062911510467529297e-1", "8.4506291e-1"),
)


@pytest.mark.parametrize(("name", "text", "instead"), PLANTED)
def test_a_planted_change_of_an_operation_is_found(read: Read, name: str, text: str, instead: str):
    assert differing(read, [BY_NAME[name]], (text, instead)) != []
