"""Lines: on which line of a TOML text each key stands, which `tomllib` does not tell.

Only what the place of a key needs is read here: headers, keys, strings, comments and brackets. What
is not TOML is found out by `tomllib`; before that, a text is refused that would cost it too much.

>>> found = lines_of("a = 1\\n[[step]]\\ntext = 'x'\\n[step.graph]\\nz = 2")
>>> found["a",], found["step", 0, "text"], found["step", 0, "graph", "z"]
(1, 3, 5)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from engine.errors import FormatError

KeyPath: TypeAlias = tuple[str | int, ...]
"""Keys and, in lists of tables, places from 0 that lead to a value."""

MOST_NESTED: Final = 8
"""Brackets in brackets, and parts of a key."""

_TOKEN: Final = re.compile(
    r"""
    (?P<comment>\#[^\n]*)
    | (?P<string>\"{3}(?:[^\\"]++|\\.|\"(?!\"\"))*+\"{3,5} | '{3}(?:[^']++|'(?!''))*+'{3,5}
        | "(?:[^"\\\n]++|\\.)*+" | '[^'\n]*+')
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
_HEADER: Final = re.compile(r"[ \t]*(\[{1,2})([^\]\n#]*)\]")


def lines_of(text: str) -> Mapping[KeyPath, int]:
    """Return the line of each header and key, from 1; FormatError if it is nested too deeply."""
    found: dict[KeyPath, int] = {}
    counts: dict[KeyPath, int] = {}
    table: KeyPath = ()
    for line, header, keys in _entries(text):
        if header == "[[":
            table = (*_within(keys[:-1], counts), keys[-1])
            found.setdefault(table, line)
            counts[table] = counts.get(table, 0) + 1
            table = (*table, counts[table] - 1)
            found[table] = line
        elif header == "[":
            table = _within(keys, counts)
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


def _within(keys: KeyPath, counts: Mapping[KeyPath, int]) -> KeyPath:
    """Return the path of a table in the last tables of the lists on the way."""
    path: KeyPath = ()
    for key in keys:
        path = (*path, key)
        if path in counts:
            path = (*path, counts[path] - 1)
    return path


def _entries(text: str) -> Iterator[tuple[int, str, KeyPath]]:
    """Yield line, brackets and keys of each header, and line, "" and keys of each assignment."""
    line, place, depth = 1, 0, 0
    begins, keys = True, list[str]()
    while place < len(text):
        header = _HEADER.match(text, place) if begins and not depth else None
        if header is not None:
            if parts := _parts(header[2], line):
                yield line, header[1], parts
            place, begins = header.end() + len(header[1]) - 1, False
            keys = []
            continue
        token = _TOKEN.match(text, place)
        assert token is not None
        place, kind, word = token.end(), token.lastgroup, token[0]
        if kind == "open":
            depth += 1
            _check_depth(depth, line)
        elif kind == "close":
            depth = max(0, depth - 1)
        elif not depth and kind == "newline":
            begins, keys = True, []
        elif not depth and begins and kind in ("bare", "string"):
            keys.append(word if kind == "bare" else word[1:-1])
            _check_depth(len(keys), line)
        elif not depth and begins and word == "=":
            if keys:
                yield line, "", tuple(keys)
            begins = False
        line += word.count("\n")


def _parts(header: str, line: int) -> KeyPath:
    parts = tuple(
        part.strip().strip("\"'") for part in header.split(".", MOST_NESTED + 1) if part.strip()
    )
    _check_depth(len(parts), line)
    return parts


def _check_depth(depth: int, line: int) -> None:
    if depth > MOST_NESTED:
        raise FormatError("{line}: this is nested too deeply.", line=line)
