"""TOML files of lessons: size, syntax and version, with the lines of all keys.

parsed(content)        the tables of a text, and Faults that know its lines
has_version(table, faults)   whether this program reads the format that the text names
fault_of(error)              the one fault of a text that could not be parsed
line(key, value)             a key with its value, to be written

>>> line("title", "Two"), line("values", {"a": 2.0, "b": -0.5})
('title = "Two"', 'values = { a = 2, b = -0.5 }')
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, Final, cast

import msgspec
from msgspec import Struct

from app.lessons.lesson_faults import Fault, Faults, KeyPath, fields_of, lines_of, quoted
from engine.errors import FormatError
from engine.formats.files import decoded
from engine.names import is_plain_line

FORMAT: Final = 1
"""The version of the format that this program reads."""
SIZE_LIMIT: Final = 128 * 1024
"""Bytes of a lesson file, and of a graph file it names: many times the longest of the course."""

MOST_WORK: Final = 100_000
"""Most nodes or steps computed for all entries of a file together, so that reading it takes about a
second."""
TOO_SLOW: Final = "it takes too long to be played; a smaller graph takes less"


_ADVICE: Final = (
    ("Illegal character '\\n'", 'is a closing quote missing? Several lines stand between """'),
    ("Unterminated string", "a closing quote is missing"),
    ("Cannot overwrite a value", "a key is there twice, or [step] stands for [[step]]"),
    ("Cannot declare", "a step is headed [[step]]"),
    ("Invalid initial character", "what stands in { } stands on one line"),
    ("Unclosed inline table", "a } or a comma is missing; what stands in { } stands on one line"),
    ("Unclosed array", "a ] or a comma is missing"),
    ("Invalid value", 'texts stand in straight quotes, "so"; true and false are small'),
    ("Unescaped", "a backslash is written twice"),
    ("Expected newline", 'one key on each line; within a text " is written \\"'),
)
"""Advice by the prefix of tomllib's error message."""
_CONTROL_CHARACTER: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
NOT_PLAIN: Final = "it is not plain text: a line break, or a control or hidden character"
_TOML_POSITION: Final = re.compile(
    r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL
)


def check_size(content: bytes | str) -> None:
    """Raise FormatError for a file of more than SIZE_LIMIT bytes, which takes seconds to read."""
    if len(content) > SIZE_LIMIT:
        raise FormatError("the file is larger than {limit} KiB", limit=SIZE_LIMIT // 1024)


def parsed(content: bytes) -> tuple[dict[str, Any], Faults]:
    """Return the tables of a TOML text, and Faults with the lines of its keys.

    Raises FormatError, with the field `line`, for a text that is too long or no TOML.
    """
    check_size(content)
    text = decoded(content, "the file").replace("\r\n", "\n")
    if found := _CONTROL_CHARACTER.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise FormatError("a control character can't stand in a lesson", line=line)
    lines = lines_of(text)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _TOML_POSITION.fullmatch(str(error))
        reason = (found[1] if found else str(error)).rstrip(".")
        line = int(found[2]) if found and found[2] else text.count("\n") + 1
        advice = next((text for start, text in _ADVICE if reason.startswith(start)), "")
        reason = f"{reason} ({advice})" if advice else reason
        raise FormatError("this is not TOML: {reason}", reason=reason, line=line) from None
    except ValueError:  # more digits than Python reads
        raise FormatError("a number or a date can't be read", line=1) from None
    faults = Faults(lines)
    for path, text in _texts(table, ()):
        if not all(map(is_plain_line, text.replace("\r\n", "\n").replace("\t", " ").split("\n"))):
            faults.add(path, NOT_PLAIN)
    return table, faults


def _texts(value: object, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """Yield each text in a value of TOML with its path."""
    if isinstance(value, str):
        yield path, value
        return
    of_list = enumerate(cast("list[object]", value)) if isinstance(value, list) else ()
    of_table = cast("dict[str, object]", value).items() if isinstance(value, dict) else ()
    for key, part in (*of_list, *of_table):
        yield from _texts(part, (*path, key))


def fault_of(error: FormatError) -> Fault:
    """Return the one fault of a file whose keys could not be read."""
    default = 0 if "path" in error.fields else 1  # 0: the sentence names the file
    line = error.fields.get("line", default)
    return Fault(line if isinstance(line, int) else default, "", str(error).rstrip("."))


def has_version(table: dict[str, Any], faults: Faults) -> bool:
    """Return whether this program reads the file's version; False, with a fault added, if newer.

    A `format` that is not the first key adds a fault as well.
    """
    version = table.get("format")
    if isinstance(version, int) and version > FORMAT:
        clause = f"format {quoted(version)} is newer than this program, which reads {FORMAT}"
        faults.add(("format",), clause, within=())
        return False
    if version is not None and next(iter(table)) != "format":
        faults.add(("format",), "format = 1 comes first", within=())
    return True


def tables_of(value: object) -> list[dict[str, Any]]:
    """Return a list of tables; an empty one for anything else, whose fault the schema adds."""
    try:
        return msgspec.convert(value, list[dict[str, Any]])
    except msgspec.ValidationError:
        return []


# writing

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
