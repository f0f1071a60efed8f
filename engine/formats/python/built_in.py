"""Python's built-in functions in a program that is read: lists, loops, sums and plain numbers."""

import ast
from collections.abc import Sequence

from engine.formats.python.nodes import Nodes
from engine.formats.python.things import Nothing, OneShot, Thing, Unread, number_of

ITEM_LIMIT = 10_000
"""Maximum length of a range."""
LEN_LIMIT = 2**60
"""Ranges with larger ends may be too long even for `len`."""
PLACES = 400
"""Decimal places beyond which rounding changes no float: they have digits from 1e308 to 1e-324."""

_OF_NUMBERS = frozenset({"int", "round", "max", "min"})
BUILT_IN = _OF_NUMBERS | frozenset(
    {"sum", "range", "zip", "enumerate", "len", "list", "tuple", "float", "reversed", "str"}
)


def as_list(nodes: Nodes, thing: Thing, part: ast.AST) -> Sequence[Thing]:
    """Return what a loop or a sum iterates over; refuses anything but lists and tuples."""
    if isinstance(thing, Unread):
        raise thing.why
    if not isinstance(thing, tuple | list):
        raise nodes.refusal(part, "only lists, tuples and ranges can be looped over.")
    if isinstance(thing, OneShot):
        if thing.spent:
            return ()
        thing.spent = True
    return thing


class BuiltIn:
    """Evaluates Python's built-in functions on known objects."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes

    def call(self, name: str, arguments: tuple[Thing, ...], part: ast.Call) -> Thing:
        """Return the result of a call of one of `BUILT_IN`."""
        if name == "range":
            return self._range(arguments, part)
        if name in _OF_NUMBERS:
            return self._of_numbers(name, arguments, part)
        if name == "sum" and 1 <= len(arguments) <= 2:
            return self._sum(as_list(self._nodes, arguments[0], part), arguments[1:], part)
        if name == "enumerate" and len(arguments) == 2:
            start = number_of(arguments[1])
            if isinstance(start, int):
                return self._enumerate(as_list(self._nodes, arguments[0], part), start, part)
        if name == "zip":
            lists = [as_list(self._nodes, argument, part) for argument in arguments]
            self._nodes.count(part, sum(map(len, lists)))
            return OneShot(zip(*lists, strict=False))
        if len(arguments) != 1:
            raise self._nodes.refusal(part, "{name} can't be called like this.", name=name)
        return self._of_one(name, arguments[0], part)

    def grow(self, of: list[Thing], name: str, given: tuple[Thing, ...], part: ast.Call) -> Thing:
        """Evaluate `losses.append(...)` and `extend`."""
        if len(given) != 1:
            raise self._nodes.refusal(part, "{name} takes one thing.", name=name)
        more = given if name == "append" else tuple(as_list(self._nodes, given[0], part))
        self._nodes.count(part, len(more))
        of.extend(more)
        return Nothing()

    def _of_one(self, name: str, thing: Thing, part: ast.Call) -> Thing:
        """Evaluate float, str, and functions of one list: len, list, tuple, enumerate, reversed."""
        if name in ("float", "str"):
            return thing if isinstance(thing, Unread) else self._converted(name, thing, part)
        items = as_list(self._nodes, thing, part)
        if name == "len":
            return len(items)
        self._nodes.count(part, len(items))
        if name == "enumerate":
            return self._enumerate(items, 0, part)
        if name == "reversed":
            return OneShot(reversed(items))
        return list(items) if name == "list" else tuple(items)

    def _enumerate(self, items: Sequence[Thing], start: int, part: ast.Call) -> Thing:
        self._nodes.count(part, len(items))
        return OneShot(enumerate(items, start))

    def _of_numbers(self, name: str, arguments: tuple[Thing, ...], part: ast.Call) -> Thing:
        """Evaluate int, round, max, min of plain numbers; of Values they would depend on data."""
        only = arguments[0] if len(arguments) == 1 else arguments
        given = only if isinstance(only, tuple | list) else (only,)
        numbers = [number for thing in given if (number := number_of(thing)) is not None]
        why = self._nodes.refusal(part, "{name} can be read of plain numbers only.", name=name)
        if len(numbers) != len(given) or not numbers:
            return Unread(why)
        try:
            if name in ("max", "min"):
                return (max if name == "max" else min)(numbers)
            if name == "round" and len(numbers) == 2 and isinstance(numbers[1], int):
                return round(numbers[0], min(max(numbers[1], -PLACES), PLACES))
            return int(numbers[0]) if name == "int" else round(numbers[0])
        except (ValueError, OverflowError):
            raise self._nodes.mistake(part, "{name} of this fails.", name=name) from None

    def _sum(self, items: Sequence[Thing], start: tuple[Thing, ...], part: ast.Call) -> Thing:
        """Add the items one by one; Python's initial 0 makes no node."""
        things = [*start, *items]
        if not things:
            return 0
        total = things[0]
        for thing in things[1:]:
            self._nodes.count(part)
            total = self._nodes.operate("add", (total, thing), part)
        return total

    def _converted(self, name: str, thing: Thing, part: ast.Call) -> Thing:
        number = number_of(thing)
        if name == "str" and (isinstance(thing, str | bool) or number is not None):
            return self._nodes.literal(str(thing if number is None else number), part)
        if name == "float" and isinstance(thing, str) and thing.strip(" +-").lower() in (
            "inf", "infinity", "nan",
        ):  # fmt: skip
            return float(thing)
        if number is None:
            raise self._nodes.refusal(part, "{name} takes a plain number.", name=name)
        return self._nodes.as_float(number, part)

    def _range(self, arguments: tuple[Thing, ...], part: ast.Call) -> Thing:
        for thing in arguments:
            if isinstance(thing, Unread):
                return thing
        ends = [number for thing in arguments if isinstance(number := number_of(thing), int)]
        if len(ends) != len(arguments) or not 1 <= len(ends) <= 3 or ends[2:] == [0]:
            raise self._nodes.refusal(part, "range takes one to three whole numbers.")
        found = range(*ends)
        too_long = len(found) > ITEM_LIMIT if max(map(abs, ends)) < LEN_LIMIT else True
        self._nodes.count(part, ITEM_LIMIT if too_long else len(found))
        if too_long:
            raise self._nodes.refusal(
                part, "a range of more than {limit:,} can't be read.", limit=ITEM_LIMIT
            )
        return tuple(found)
