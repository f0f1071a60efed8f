"""JSON read strictly: no duplicate keys, no NaN, no number too large, no deep nesting."""

import json
import math
import re

from engine.errors import FormatError

SIZE_LIMIT = 64 * 1024 * 1024
DEPTH_LIMIT = 20
PARTS_LIMIT = 2_000_000
"""So many lists and objects; a file of as many nodes as may be has a third of it."""

_BRACKETS = re.compile(r'(?:"(?:[^"\\]++|\\.)*+"?[^"\[\]{}]*+)++|[\[\]{}]', re.DOTALL)
"""A bracket, or strings with whatever lies between them, in which brackets mean nothing."""


def parse(text: str | bytes) -> object:
    """What a JSON text holds; FormatError names the place of the first fault."""
    plain = _decoded(text)
    check_size(plain)
    _check_nesting(plain)
    try:
        return json.loads(
            plain, object_pairs_hook=_no_duplicates, parse_constant=_no_constant, parse_float=_float
        )
    except json.JSONDecodeError as error:
        place = f"Line {error.lineno}, column {error.colno}"
        raise FormatError(f"{place}: this is not JSON ({error.msg}).") from None
    except FormatError:
        raise
    except ValueError:
        raise FormatError("The file holds a whole number that is too long.") from None


def check_size(text: str) -> None:
    """Refuse a text that is too long to be read."""
    if len(text) > SIZE_LIMIT:
        raise FormatError(f"The file is larger than {SIZE_LIMIT // 2**20} MiB.")


def _decoded(text: str | bytes) -> str:
    try:
        if isinstance(text, bytes):
            return text.decode("utf-8-sig")
        text.encode("utf-8")
    except UnicodeError:
        raise FormatError("The file is not UTF-8 text.") from None
    return text


def _check_nesting(text: str) -> None:
    depth = parts = 0
    for found in _BRACKETS.finditer(text):
        if found[0] in "[{":
            depth, parts = depth + 1, parts + 1
            if depth > DEPTH_LIMIT:
                raise FormatError("The file is nested too deeply.")
            if parts > PARTS_LIMIT:
                raise FormatError(f"The file has more than {PARTS_LIMIT:,} lists and objects.")
        elif found[0] in "]}":
            depth -= 1


def _no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise FormatError(f'The key "{key[:40]}" stands twice in one object.')
        found[key] = value
    return found


def _no_constant(word: str) -> float:
    raise FormatError(f'{word} is not JSON; write it as the string "{word}".')


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise FormatError(f"{text[:20]} is too large for a number.")
    return value
