"""Conditions: the questions of a writer about numbers that are not known yet.

A writer runs over fields, see `engine.numbers.FieldNumber`. Where it compares them it asks a
condition, a formula in the language of the operations. `choices` follows each of its ways.

>>> from engine.numbers import FieldNumber, short
>>> formulas = Formulas()
>>> x = FieldNumber(1.5, "x")
>>> found = choices(lambda: "below 0" if x < 0 else "not below 0", formulas)
>>> [*formulas.numbers], found.yes, found.no
(['x < 0'], 'below 0', 'not below 0')
"""

import re
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.json import encode

T = TypeVar("T")


class Formulas:
    """The formulas of a page, the texts in its conditions, and the results that these choose.

    Each is kept once, by its number. `shared` are the texts of questions that differ in names and
    numbers alone, by all else that they depend on.
    """

    def __init__(self) -> None:
        """Begin without any."""
        self.numbers: dict[str, int] = {}
        self.texts: dict[str, int] = {}
        self.results: dict[bytes, int] = {}
        self.shared: dict[object, Any] = {}

    def numbered(self, result: object) -> object:
        """Return a result of `choices`, with a choice as its number in `results`."""
        return self._number_of(result) if isinstance(result, Choice) else result

    def _number_of(self, result: object) -> int:
        if isinstance(result, Choice):
            yes, no = self._number_of(result.yes), self._number_of(result.no)
            result = Choice(result.when, yes, no)
        return self.results.setdefault(encode(result), len(self.results))

    def number(self, formula: str) -> int:
        """Return the number of a formula."""
        return self.numbers.setdefault(formula, len(self.numbers))

    def text(self, text: str) -> int:
        """Return the number of a text."""
        return self.texts.setdefault(text, len(self.texts))


class Choice(Struct, frozen=True):
    """Two results of a writer, by the number of the condition that chooses between them."""

    when: int
    yes: Any
    no: Any


class _Way(Struct, frozen=True):
    """A way through a writer: what is true on it; what it asks besides is taken for true."""

    formulas: Formulas
    held: dict[str, bool]
    asked: list[tuple[str, bool]]
    """All that was asked on it so far with the answers, in order."""


_ways: list[_Way] = []


def followed() -> Formulas | None:
    """Return the formulas of the writer whose ways are followed, None where none is."""
    return _ways[-1].formulas if _ways else None


def decided(condition: str) -> bool:
    """Return whether a condition is true on the way that is followed."""
    way = _ways[-1]
    found = _decided(condition, way.held)
    way.asked.append((condition, found))
    return found


def _decided(condition: str, held: dict[str, bool]) -> bool:
    if (known := held.get(condition)) is not None:
        return known
    name, _space, relation = condition.removesuffix(" 0").rpartition(" ")
    if condition.endswith(" 0"):
        for other, answers in _SIGNS.items():
            if held.get(f"{name} {other} 0") and relation in answers:
                return answers[relation]
    if condition.startswith("finite("):
        finite = (
            set(_NAME.findall(each)) for each in held if each.startswith("finite(") and held[each]
        )
        if any(each.issuperset(_NAME.findall(condition)) for each in finite):
            return True
    return held.setdefault(condition, True)


_NAME: Final = re.compile(r"\w+")
_SIGNS: Final = {
    ">": {"<": False, "!=": True, "==": False},
    "<": {">": False, "!=": True, "==": False},
    "==": {"<": False, ">": False, "!=": False},
}
"""What follows from the sign of a number for what else may be asked of it."""


class _Asked(Struct):
    """What a computation asks next, and what follows from each answer: a result or a question."""

    condition: str
    ways: dict[bool, Any]


def kept_by_way(kept: dict[Any, Any], key: Hashable, compute: Callable[[], T]) -> T:
    """Return what `compute` gives on the way that is followed: computed once for all ways alike.

    Its result depends on the key and on the answers to what it asks, and it is asked again.

    >>> kept, runs, formulas = {}, [], Formulas()
    >>> sign = lambda: runs.append(1) or ("+" if decided("x > 0") else "-")
    >>> write = lambda: (decided("y > 0"), kept_by_way(kept, "sign", sign))
    >>> told = choices(write, formulas)
    >>> len(runs), told == choices(lambda: (decided("y > 0"), sign()), Formulas())
    (2, True)
    """
    # the questions are asked anew, in the same order, so that a way holds what it would without
    place: dict[Any, Any] = kept
    at: Hashable = key
    while isinstance(found := place.get(at, place), _Asked):
        place, at = found.ways, decided(found.condition)
    if found is not place:
        return found[0]
    asked = _ways[-1].asked
    begun = len(asked)
    result = compute()
    place, at = kept, key
    for condition, answer in dict(asked[begun:]).items():
        place, at = place.setdefault(at, _Asked(condition, {})).ways, answer
    place[at] = (result,)
    return result


def choices(write: Callable[[], T], formulas: Formulas) -> T | Choice:
    """Return the results of a writer on all its ways."""
    return _choices(write, formulas, {})


def _choices(write: Callable[[], T], formulas: Formulas, known: dict[str, bool]) -> T | Choice:
    held = dict(known)
    _ways.append(_Way(formulas, held, []))
    try:
        found: T | Choice = write()
    finally:
        _ways.pop()
    asked = list(held)[len(known) :]
    for k in reversed(range(len(asked))):
        before = {**known, **dict.fromkeys(asked[:k], True), asked[k]: False}
        other = _choices(write, formulas, before)
        if other != found:
            found = Choice(formulas.number(asked[k]), found, other)
    return found
