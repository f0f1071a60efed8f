"""TOML texts: keys and values as lines of a lesson or lecture file.

>>> line("title", "Two"), line("values", {"a": 2.0, "b": -0.5})
('title = "Two"', 'values = { a = 2, b = -0.5 }')
>>> paragraph_line("notes", "one\\ntwo").count("\\n")
2
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, time
from typing import Final, cast

from msgspec import Struct

from app.lessons.faults import fields_of

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPED: Final = re.compile(r'["\\\x00-\x1f\x7f]')
_SHORT_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_MOST_EXACT: Final = 1e15
"""Below it a whole number is written without a point: all its digits are exact."""


def changed_lines(table: Struct, required: Collection[str]) -> list[str]:
    """Return a line for each key that is required or differs from its default."""
    return [
        line(field.name, value)
        for field in fields_of(type(table))
        if (value := getattr(table, field.name)) != field.default or field.name in required
        if value != {}  # msgspec has a factory for it, no default
    ]


def line(key: str, value: object) -> str:
    """Return a key with its value on one line."""
    return f"{_key(key)} = {_value(value)}"


def paragraph_line(key: str, text: str) -> str:
    """Return a key with its text; several lines, in triple quotes, if the text has line breaks."""
    if "\n" not in text:
        return line(key, text)
    escaped = "\n".join(_string(part)[1:-1] for part in text.split("\n"))
    return f'{_key(key)} = """\n{escaped}"""'


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _string(key)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, Mapping):
        table = cast("Mapping[str, object]", value)
        inner = ", ".join(line(key, entry) for key, entry in table.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(_value, cast('Sequence[object]', value)))}]"
    assert isinstance(value, date | datetime | time)
    return value.isoformat()


def number_text(number: float) -> str:
    """Return a number as a lesson file has it: whole ones without a point."""
    if abs(number) < _MOST_EXACT and number == int(number) and repr(number) != "-0.0":
        return str(int(number))
    return repr(float(number))


def _string(text: str) -> str:
    """Return a text as a basic string; a lone surrogate, which no file can hold, becomes ?."""
    encodable = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return f'"{_ESCAPED.sub(_escape, encodable)}"'


def _escape(found: re.Match[str]) -> str:
    return _SHORT_ESCAPES.get(found[0], f"\\u{ord(found[0]):04x}")
