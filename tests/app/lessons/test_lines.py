"""The line of each key is found in any TOML that may be written."""

import tomllib
from typing import Any

import pytest

from app.lessons.faults import KeyPath, line_at, lines_of
from tests.helpers.lessons import LESSON

WRITTEN = '''
# a = 0
"a" = 1 # [no]
b.c = """
[[no]]
d = 1"""
'e' = """x ""quoted"" \\""" y"""
f = [ # g = 1
  "]", { h = 1, i = "\\"" },
  """k = 1
  """,
]
[l]
m = """"q""""
[[n]]
o = '\\'
[n.p]
q = 1
  [[n]]   # again
[[n.r]]
s = 1
[[n.r]]
s = 2
[ t . "u" ]
v = """a\\
   b"""
w = 1e-3
'''
PLACES = {
    ("a",): 3,
    ("b", "c"): 4,
    ("e",): 7,
    ("f",): 8,
    ("l",): 13,
    ("l", "m"): 14,
    ("n", 0): 15,
    ("n", 0, "o"): 16,
    ("n", 0, "p", "q"): 18,
    ("n", 1): 19,
    ("n", 1, "r", 0, "s"): 21,
    ("n", 1, "r", 1, "s"): 23,
    ("t", "u", "v"): 25,
    ("t", "u", "w"): 27,
}


@pytest.mark.parametrize("path", PLACES, ids=str)
def test_the_line_of_a_key_is_found(path: KeyPath):
    assert lines_of(WRITTEN)[path] == PLACES[path]


@pytest.mark.parametrize("text", [WRITTEN, LESSON], ids=["written", "lesson"])
def test_every_key_that_is_read_has_a_line(text: str):
    def keys(table: dict[str, Any], path: KeyPath) -> list[KeyPath]:
        return [(*path, key) for key in table]

    lines, read = lines_of(text), tomllib.loads(text)
    for path in keys(read, ()):
        assert path in lines or path == ("t",)  # named in a header alone
        value = read[str(path[0])]
        if isinstance(value, dict) and path[0] not in ("b",):
            assert all(found in lines for found in keys(value, path))


def test_a_key_within_braces_has_the_line_around_it():
    lines = lines_of("x = 1\ny = [{ a = 1 }]\n")
    assert line_at(lines, ("y", 0, "a")) == 2
    assert line_at(lines, ("z",)) == 1
