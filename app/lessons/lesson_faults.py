"""Faults of a lesson file, each at its line; tables by schema; the lines of all keys.

    Faults(lines)   collects the faults of a file, and converts tables to their schema
    lines_of(text)  the line of each key

`tomllib` reports no lines for values, so `lines_of` scans headers, keys, strings, comments and
brackets. Syntax errors are left to `tomllib`; nesting that would slow it down is refused before.

>>> found = lines_of("a = 1\\n[[step]]\\ntext = 'x'\\n[step.graph]\\nz = 2")
>>> found["a",], found["step", 0, "text"], found["step", 0, "graph", "z"]
(1, 3, 5)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from engine.errors import EngineError, FormatError, one_line

MOST_FAULTS = 100
"""Maximum number of faults reported for one file."""
_LONGEST_QUOTE = 40
"""Maximum number of characters quoted from a wrong value."""

_SENTENCE_START = re.compile(r"(?<!\")(?:The|This|There|An?|No|Only|Choose|Epochs|Nodes|Not)\b")
"""First words of the engine's sentences; a quoted name keeps its capital."""

_WRONG_TYPE = re.compile(r"Expected `?(\w+)`?, got `?(\w+)`?")
_TYPE_WORDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}
_STEP = re.compile(r"step (\d+)")

KeyPath: TypeAlias = tuple[str | int, ...]
"""The keys and, in lists of tables, the indices from 0 that lead to a value."""

File = TypeVar("File", bound=Struct)


class Fault(Struct, frozen=True, order=True):
    """An error in a lesson file: its line (0 for none), its step or table, and a clause.

    `where` is the place in words, "step 4, check" or "graph, values".
    """

    line: int
    where: str
    clause: str

    @property
    def step(self) -> int | None:
        """Return the index of the step it belongs to; None for one of the head."""
        found = _STEP.match(self.where)
        return None if found is None else int(found[1]) - 1

    def line_text(self, name: str) -> str:
        """Return the fault as one line, with the name of the file."""
        if not self.line:
            return self.clause
        where = f"{self.where}: " if self.where else ""
        return f"{name}:{self.line}: {where}{self.clause}"


class Faults:
    """Collects the faults of a file; `lines` holds the line of each key."""

    def __init__(self, lines: Mapping[KeyPath, int]) -> None:
        self._lines = lines
        self._found: dict[Fault, None] = {}  # a set that keeps the order
        self.count = 0
        """Number of faults added, equal ones included."""

    @property
    def found(self) -> tuple[Fault, ...]:
        """Return the first faults, by line."""
        return tuple(sorted(self._found))[:MOST_FAULTS]

    def add(self, path: KeyPath, clause: str | EngineError, within: KeyPath | None = None) -> None:
        """Add a fault of the value at a path; `within` is the path to name instead of it."""
        self.count += 1
        line, where = line_at(self._lines, path), _place_text(path if within is None else within)
        text = one_line(str(clause).rstrip("."))
        if isinstance(clause, EngineError):  # a sentence, which goes on after a colon here
            text = _SENTENCE_START.sub(lambda found: found[0].lower(), text)
        self._found.setdefault(Fault(line, where, text))

    def table(self, schema: type[File], table: Mapping[str, Any], path: KeyPath) -> File | None:
        """Return a table as its schema; wrong keys and values are added as faults.

        A wrong value is replaced by its default, so that the rest is checked too; the result is
        None if a required one is wrong or missing.
        """
        known = {field.name: field for field in fields_of(schema)}
        for key in table:
            if key not in known:
                clause = f'"{quoted(key)}" is no key here; {meant_or_one_of(str(key), known)}'
                self.add((*path, key), clause, within=path)
        given: dict[str, Any] = {}
        for key, field in known.items():
            if key in table:
                try:
                    given[key] = msgspec.convert(table[key], field.type)
                except (msgspec.ValidationError, OverflowError) as error:
                    self.add((*path, key), _type_clause(table[key], field.type, str(error)))
            elif field.required:
                self.add(path, f"{key} is missing: {_expected(field.type)}")
        missing = [k for k, field in known.items() if field.required and k not in given]
        return None if missing else schema(**given)


@lru_cache(maxsize=16)
def fields_of(schema: type[Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Return the fields of a schema; msgspec evaluates its annotations each time, for 2 ms."""
    return msgspec.structs.fields(schema)


def one_of(names: Iterable[str]) -> str:
    """Return the words "one of" and names."""
    return f"one of {', '.join(names)}"


def meant(name: str, names: Iterable[str]) -> str:
    """Return the question whether a name like the one given was meant; "" without such a name.

    >>> meant("hnt", ("kind", "hint")), meant("E", ("e", "f")), meant("x", ("e", "f"))
    ('did you mean hint?', 'did you mean e?', '')
    """
    by_small = {each.lower(): each for each in names}
    close = get_close_matches(name.lower(), by_small, n=1, cutoff=0.75)
    return f"did you mean {by_small[close[0]]}?" if close else ""


def meant_or_one_of(name: str, names: Iterable[str]) -> str:
    """Return what may have been meant by a wrong name, or else all names there are."""
    known = tuple(names)
    return meant(name, known) or one_of(known)


def quoted(value: object) -> str:
    """Return a value of a file as a sentence quotes it, shortened."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**_LONGEST_QUOTE:
        return "a huge number"  # str() refuses one of thousands of digits
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 1]}…"


def _type_clause(value: object, kind: Any, error: str) -> str:  # noqa: ANN401
    """Return a clause about a value of a wrong type or length."""
    most = kind.__metadata__[0].max_length
    length = len(value) if isinstance(value, str | list) else 0  # pyright: ignore[reportUnknownArgumentType]
    fits_kind = isinstance(value, str) == (kind.__origin__ is str)
    if fits_kind and most is not None and length > most:
        what = "characters" if isinstance(value, str) else "entries"
        return f"it has {length:,} {what}; {most} is the limit"
    if isinstance(value, list | dict):
        entry = _entry_error(error)
        shown = f"this ({entry})" if value and entry else "this"
    else:
        shown = f'"{quoted(value)}"' if isinstance(value, str) else quoted(value)
    return f"{shown} is not {_expected(kind)}"


def _entry_error(error: str) -> str:
    """Return msgspec's message about an entry of a list or table in words; "" about the whole."""
    reason, _at, place = error.partition(" - at `$")
    if not place:
        return ""
    found = _WRONG_TYPE.match(reason)
    if found is None:
        return f"{place.rstrip('`')}: {reason}".strip(": ").replace("`", "")
    wanted, got = (_TYPE_WORDS.get(name, name) for name in found.groups())
    return f"an entry is {got}, not {wanted}"


def _expected(kind: Any) -> str:  # noqa: ANN401
    """Return the description of a type in its schema."""
    meta = kind.__metadata__[0]
    assert isinstance(meta, Meta)
    assert meta.description is not None
    return meta.description


def _place_text(path: KeyPath) -> str:
    """Return a path in words: `step 4, check`, `graph, values`."""
    words: list[str] = []
    for key in path:
        if isinstance(key, int):
            if (
                words[-1] in ("step", "mark") or key
            ):  # the first entry of a list goes without a number
                words[-1] = f"{words[-1]} {key + 1}"
        else:
            words.append(one_line(quoted(key)))
    return ", ".join(words[:3])  # the clause names what is deeper


# the lines of keys

DEEPEST_NESTING: Final = 8
"""Maximum depth of brackets, and number of parts of a dotted key."""

# what a possessive `*+` repeats has no alternatives: Python before 3.11.5 matches those wrong
_TOKEN: Final = re.compile(
    r"""
    (?P<comment>\#[^\n]*)
    | (?P<string>\"{3}(?:[^\\"]++|\\.|\"(?!\"\"))*\"{3,5} | '{3}(?:[^']++|'(?!''))*'{3,5}
        | "[^"\\\n]*+(?:\\.[^"\\\n]*+)*+" | '[^'\n]*+')
    | (?P<newline>\n)
    | (?P<open>[\[{])
    | (?P<close>[\]}])
    | (?P<sign>[=.,])
    | (?P<blank>[ \t\r]++)
    | (?P<bare>[^\s\#"'\[\]{}=.,]++)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_HEADER: Final = re.compile(r"[ \t]*(\[{1,2})([^\[\]\n#]*)\]")


def lines_of(text: str) -> Mapping[KeyPath, int]:
    """Return the line of each header and key, from 1; FormatError if it is nested too deeply."""
    found: dict[KeyPath, int] = {}
    counts: dict[KeyPath, int] = {}  # of the tables of each list
    table: KeyPath = ()
    for line, header, keys in _entries(text):
        if header == "[[":
            table = (*_latest_table_path(keys[:-1], counts), keys[-1])
            found.setdefault(table, line)
            counts[table] = counts.get(table, 0) + 1
            table = (*table, counts[table] - 1)
            found[table] = line
        elif header == "[":
            table = _latest_table_path(keys, counts)
            found.setdefault(table, line)
        else:
            for depth in range(1, len(keys) + 1):
                found.setdefault((*table, *keys[:depth]), line)
    return found


def line_at(lines: Mapping[KeyPath, int], path: KeyPath) -> int:
    """Return the line of a key, or of the nearest one around it that has a line."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


def _latest_table_path(keys: KeyPath, counts: Mapping[KeyPath, int]) -> KeyPath:
    """Return the path of a header, with the index of the latest table of each list on the way."""
    path: KeyPath = ()
    for key in keys:
        path = (*path, key)
        if path in counts:
            path = (*path, counts[path] - 1)
    return path


def _entries(text: str) -> Iterator[tuple[int, str, KeyPath]]:
    """Yield line, brackets and keys of each header, and line, "" and keys of each assignment."""
    line, offset = 1, 0
    while offset < len(text):
        header = _HEADER.match(text, offset)
        if header is not None and (header_keys := _header_keys(header[2], line)):
            yield line, header[1], header_keys
            offset = header.end() + len(header[1]) - 1  # behind the closing brackets
        # a statement may span lines: its keys are on the first
        keys, end = _statement(text, offset, line)
        if keys:
            yield line, "", keys
        line += text.count("\n", offset, end)
        offset = end


def _statement(text: str, offset: int, line: int) -> tuple[KeyPath, int]:
    """Return the keys before an equals sign outside of brackets, and the end of the statement."""
    keys, depth, assigned = list[str](), 0, False
    while offset < len(text):
        token = _TOKEN.match(text, offset)
        assert token is not None
        offset, kind, word = token.end(), token.lastgroup, token[0]
        depth += (kind == "open") - (kind == "close" and depth > 0)
        _check_depth(max(depth, len(keys)), line)
        if kind == "newline" and not depth:
            break
        if word == "=" and not depth:
            assigned = True
        elif kind in ("bare", "string") and not (assigned or depth):
            keys.append(word if kind == "bare" else word[1:-1])
    return (tuple(keys) if assigned else ()), offset


def _header_keys(header: str, line: int) -> KeyPath:
    """Return the keys of a dotted table header."""
    parts = tuple(
        part.strip().strip("\"'") for part in header.split(".", DEEPEST_NESTING + 1) if part.strip()
    )
    _check_depth(len(parts), line)
    return parts


def _check_depth(depth: int, line: int) -> None:
    if depth > DEEPEST_NESTING:
        raise FormatError("this is nested too deeply", line=line)
