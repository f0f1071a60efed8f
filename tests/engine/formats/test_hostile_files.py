"""Hostile files are refused with the place of the fault, in little time and little memory."""

import json
import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from engine import FormatError
from engine.formats.native import read_drawing
from tests.helpers.sampling import sampled
from tests.helpers.tables import in_turn

HEAD = '{"format": "backwire", "version": 1, "nodes": ['
LEAF = '{"id": 1, "kind": "leaf", "value": 1}'
ROOT = '{"id": 2, "kind": "root", "inputs": [1]}'


def node(fields: str) -> str:
    """A file with leaf 1, Root 2 and one more node of these fields."""
    return f"{HEAD}{LEAF}, {ROOT}, {{{fields}}}]}}"


def leaf(fields: str) -> str:
    """A file with leaf 1, Root 2 and leaf 3, which has these fields too."""
    return node(f'"id": 3, "kind": "leaf", "value": 1, {fields}')


def more(fields: str) -> str:
    """A file of leaf 1 and Root 2 with more behind its nodes."""
    return f"{HEAD}{LEAF}, {ROOT}], {fields}}}"


def group(fields: str) -> str:
    """A file with one group of leaf 1 and these fields."""
    return more(f'"groups": [{{{fields}}}]')


def section(fields: str) -> str:
    """A file with one section of these fields."""
    return more(f'"sections": [{{{fields}}}]')


GROUP = '"id": 1, "title": "", "members": [1]'
HALF = "is half a character"

SMALL: tuple[tuple[str | bytes, str], ...] = (
    # lone surrogates, in every place that takes a text, and in those that don't
    (node(r'"id": 3, "kind": "\ud800"'), rf"Line 1, column 148: \ud800 {HALF}"),
    (leaf(r'"label": "a\udc00"'), rf"\udc00 {HALF}"),
    (leaf(r'"label": "\ud83d\ud83d\ude00"'), rf"\ud83d {HALF}"),
    (leaf(r'"label": "\ud83d\ude00\ude00"'), rf"\ude00 {HALF}"),
    (leaf(r'"label": "\\\ud800"'), rf"\ud800 {HALF}"),
    (leaf(r'"position": [1, "\uDFFF"]'), rf"\uDFFF {HALF}"),
    (leaf(r'"\ud800": 1'), rf"Line 1, column 168: \ud800 {HALF}"),
    (group(r'"id": 1, "title": "\ud800", "members": [1]'), rf"\ud800 {HALF}"),
    (r'{"format": "\ud800"}', rf"Line 1, column 13: \ud800 {HALF}"),
    (leaf('"label": "é') + '\udc80"}]}', "half a character"),
    # what is not UTF-8
    (b"\xff", "Line 1, column 1: this is not UTF-8"),
    (HEAD.encode() + b'\n\n {"label": "\xc3\xa9\xed\xa0\x80', "Line 3, column 14: this is not"),
    (HEAD.encode() + b'"\xe2\x82', "column 49: this is not UTF-8"),
    # not JSON
    ("\n\n", "Line 3, column 1: this is not JSON"),
    (HEAD, "column 48: this is not JSON (the file ends too early)"),
    (f"{HEAD}\n é]}}", "Line 2, column 2: this is not JSON"),
    (more('"groups": [],'), "this is not JSON"),
    (f"{HEAD}]}} x", "Line 1, column 52: this is not JSON (trailing characters)"),
    (leaf('"label": "a\nb"'), "Line 1, column 178: this is not JSON"),
    (leaf(r'"label": "\x41"'), "this is not JSON"),
    (leaf('"position": [-Infinity, 0]'), "-Infinity is not JSON; write it as"),
    (node('"id": 3, "kind": "leaf", "value": Infinity'), "column 164: Infinity is not JSON"),
    (node('"id": 3, "kind": "leaf", "value": 01'), "column 165: this is not JSON"),
    # another kind of document
    ("null", "Expected `object`, got `null`"),
    ('{"format": ["backwire"]}', 'it has no "format"'),
    ('{"format": "backwire", "version": 1e0}', "no version"),
    (f'{{"format": "backwire", "version": {"9" * 5000}}}', "no version"),
    ("[" * 90_000, "Expected `object`, got `array`"),
    ('{"a": ' + "[" * 90_000, "nested too deeply"),
    ('{"a": ' * 100_000, "nested too deeply"),
    # the same twice
    (f"{HEAD}\n{LEAF}],\n{LEAF[1:-1]}}}", "unknown field `id`"),
    (more('"nodes": []'), 'Line 1, column 130: the key "nodes" stands twice'),
    (leaf('"value": 2'), 'Line 1, column 167: the key "value" stands twice'),
    (leaf(r'"\u0069d": 3'), 'the key "id" stands twice'),
    (
        f'{HEAD}\n{ROOT},\n{{"id":3,"\\u0069d":4,"kind":"leaf"}}]}}',
        'Line 3, column 9: the key "id" stands twice',
    ),
    (leaf('"label": "{", "value": 2'), 'Line 1, column 181: the key "value" stands twice'),
    (leaf('"label": "value", "value": 2'), 'Line 1, column 185: the key "value" stands twice'),
    (
        node('"id": 3, "kind": "leaf", "label": "\\"}\\u007b", "label" :"a"'),
        'Line 1, column 177: the key "label" stands twice',
    ),
    (group(f'{GROUP}, "title": "a"'), 'the key "title" stands twice'),
    # of a wrong type, too large, or out of its range; `test_native` has the other fields
    (node(f'"id": {"9" * 4000}, "kind": "leaf", "value": 1'), "Node 9"),
    (node(f'"id": 3, "kind": "{"k" * 10_000}"'), "`$.nodes[2].kind`"),
    (node('"id": 3, "kind": "leaf", "value": [[1]]'), "`$.nodes[2].value`"),
    (leaf('"label": "a\u202eb"'), "Node 3: A label is one line"),
    (leaf(f'"{"k" * 10_000}": 1'), "at `$.nodes[2]`"),
    (node('"id": 3, "kind": "op", "op": "eval", "inputs": []'), "Node 3: There is no operation"),
    (node('"id": 3, "kind": "op", "op": "add", "inputs": [1]'), "Node 3: add has 2 slots"),
    (f'{{"format": "backwire", "version": 1, "nodes": {{"1": {LEAF}}}}}', "`$.nodes`"),
    (section('"id": 1, "title": "a\\u2066b", "rect": [0, 0, 1, 1]'), "Group 1: its title"),
)

FULL = 16 * 2**20 - 200
"""About as many bytes as a file may have."""


def filled(start: str, piece: str, end: str) -> str:
    """A text of nearly the largest size, most of it one piece again and again."""
    return start + piece * ((FULL - len(start) - len(end)) // len(piece.encode())) + end


def many_nodes(last: str, number: int = 49_990) -> str:
    """A file of nearly as many nodes as may be, and then something wrong."""
    ops = (
        f'{{"id": {k}, "kind": "op", "label": "x{k}", "op": "where_gt0", '
        f'"inputs": [{k - 1}, {max(k - 2, 1)}, {max(k // 2, 1)}], '
        f'"position": [{k % 9999}.5, 48.5]}}'
        for k in range(2, number)
    )
    lines = ",\n".join(ops)
    return f"{HEAD}{LEAF}, {lines}], {last}}}"


LARGE: dict[str, tuple[Callable[[], str], str]] = {
    "a long list of numbers": (
        lambda: filled(f'{HEAD}{{"id": 1, "kind": "op", "op": "add", "inputs": [', "999,", "1]}]}"),
        "more than 750,000",
    ),
    "many numbers": (
        lambda: (
            f'{HEAD}{{"id": 1, "kind": "op", "op": "add", "inputs": [{"98765," * 700_000}1]}}]}}'
        ),
        "Node 1: add has 2 slots",
    ),
    "many lists": (lambda: filled(f"{HEAD[:-1]}", "[],", "1]}"), "more than 750,000"),
    "many keys": (lambda: filled(HEAD[:-1] + "{", '"a":1,', '"a":1}}'), "more than 750,000"),
    "as many keys as may be": (
        lambda: HEAD[:-1] + "{" + ",".join(f'"k{k}": 1' for k in range(700_000)) + "}}",
        "`$.nodes`",
    ),
    "other keys before ours": (
        lambda: "{" + "".join(f'"k{k}": 1, ' for k in range(700_000)) + HEAD[1:] + "]}",
        "unknown field `k0`",
    ),
    "many small nodes": (lambda: HEAD + ",".join([LEAF] * 180_000) + "]}", "up to 50,000 nodes"),
    "many commas in texts": (
        lambda: filled(f'{HEAD}{{"id": 1, "kind": "leaf", "value": 1, "label": "', ",", '"}]}'),
        "Node 1: A label",
    ),
    "many short texts": (
        lambda: filled(f'{HEAD}{{"id": 1, "kind": "leaf", "value": [', '",",', "1]}]}"),
        "more than 750,000",
    ),
    "a long text": (lambda: filled(f'{HEAD}{{"id": 1, "kind": "', "k", '"}]}'), "nodes[0].kind"),
    "a long text of emoji": (
        lambda: filled(f'{HEAD}{{"id": 1, "kind": "leaf", "value": 1, "label": "', "😀", '"}]}'),
        "Node 1: A label",
    ),
    "one emoji and a long name of an operation": (
        lambda: filled(f'{HEAD}{{"id": 1, "kind": "op", "inputs": [], "op": "😀', "k", '"}]}'),
        "There is no operation",
    ),
    "a long key": (lambda: filled(f'{HEAD}{{"', "k", '": 1}]}'), "`$.nodes[0]`"),
    "many escapes": (
        lambda: filled(f'{HEAD}{{"id": 1, "kind": "leaf", "label": "', r"\u00e9", r'\ud800"}]}'),
        "is half a character",
    ),
    "many backslashes": (
        lambda: filled(f'{HEAD}{{"id": 1, "kind": "leaf", "label": "', r"\\", r'\ud800"}]}'),
        "is half a character",
    ),
    "a text that is never closed": (lambda: filled(f'{HEAD}{{"', "[", ""), "not JSON"),
    "nothing but space": (lambda: filled("", " ", ""), "not JSON"),
    "nothing but quotes": (lambda: filled(HEAD, '"', ""), "column 50: this is not JSON"),
    "a long number": (lambda: filled(f'{HEAD}{{"id": ', "9", "}]}"), "nodes[0].id"),
    "a number of many digits behind the point": (
        lambda: filled(f'{HEAD}{{"id": 1, "kind": "leaf", "value": 1.', "9", "x}]}"),
        "not JSON",
    ),
    "deep nesting": (lambda: filled('{"a": ', "{", ""), "more than 750,000"),
    "a line of its own for each space": (lambda: filled(HEAD, "\n", "x"), "not JSON"),
    "the first key again at the end": (
        lambda: filled(more('"next_id": 3, "groups": [')[:-1], " ", '], "next_id": 3}'),
        'the key "next_id" stands twice',
    ),
    "many nodes, and a wrong section": (
        lambda: many_nodes('"sections": [{"id": 0, "title": "", "rect": [0, 0, 1, 1]}]'),
        "Group 0",
    ),
    "many nodes, and a wrong root": (lambda: many_nodes('"active_root": 1'), '"active_root"'),
    "many nodes, and a key twice": (
        lambda: many_nodes('"next_id": 50000, "next_id": 50000'),
        'the key "next_id" stands twice',
    ),
    "many nodes, and a key twice in the last": (
        lambda: many_nodes('"next_id": 50000').replace("}],", ', "\\u0069d": 1}],'),
        'the key "id" stands twice',
    ),
    "a label full of backslashes between a key and the same": (
        lambda: filled(f'{HEAD}{{"id": 1, "kind": "leaf", "label": "', r"\\", '", "id": 2}]}'),
        'the key "id" stands twice',
    ),
    "many nodes, and a loop": (
        lambda: many_nodes('"next_id": 50000').replace(
            '"inputs": [1, 1, 1]', '"inputs": [49989, 1, 1]'
        ),
        "closes a loop",
    ),
    "many groups": (
        lambda: more(
            '"groups": ['
            + ",".join(
                f'{{"id":{k},"title":"","members":[],"parent":{k + 1}}}' for k in range(1, 49_999)
            )
            + "]"
        ),
        "there is no group 49999",
    ),
}


PACES = 250
"""The most processor time for a refusal, in times that of a fixed piece of work: some seconds, more
on a slower or busier machine. Work that grows faster than the file takes minutes; that each takes
under one second is measured by `run.py proof fuzz`."""
MIB = 200

MEASURED = """
import json, os, sys, time
from pathlib import Path
from engine import FormatError, load

def peak():  # the kernel's own; getrusage says that of the parent where that was larger
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024

def pace():
    begun = time.process_time()
    for _ in range(4):
        rows = json.loads(json.dumps([{"id": k, "slots": [k, k + 1]} for k in range(1_000)]))
        sorted(rows, key=lambda row: -row["id"])
    return time.process_time() - begun

def refusal(path):
    begun = time.process_time()
    try:
        load(path)
        said = ""
    except FormatError as error:
        said = str(error)
    return time.process_time() - begun, said

good, *hostile = sys.argv[1:]
load(good)
for path in hostile:
    child = os.fork()  # a process for each, so that none uses memory that another has freed
    if child == 0:
        idle = peak()
        seconds, said = refusal(path)
        used = peak() - idle
        print(json.dumps([said, seconds / max(pace(), pace()), used]), flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


@in_turn(("text", "words"), SMALL)
def test_a_small_hostile_file_is_refused_with_its_place(text, words):
    with pytest.raises(FormatError) as caught:
        read_drawing(text)
    assert words in str(caught.value)


@pytest.mark.skipif(sys.platform != "linux", reason="measures the peak of memory as Linux says it")
def test_large_hostile_files_are_refused_in_little_time_and_memory(tmp_path):
    good = tmp_path / "good.backwire"
    good.write_text('{"format": "backwire", "version": 1, "nodes": []}', "utf-8")
    large = dict(sampled(LARGE.items(), every=8))  # `run.py proof fuzz` tries all of them too
    files = [tmp_path / f"bad{k}.backwire" for k in range(len(large))]
    for file, (make, _words) in zip(files, large.values(), strict=True):
        file.write_text(make(), "utf-8")
    uncounted = {k: v for k, v in os.environ.items() if not k.startswith("COV")}
    done = subprocess.run(  # without coverage, which takes as long again as the work
        [sys.executable, "-c", MEASURED, str(good), *map(str, files)],
        capture_output=True,
        env=uncounted,
        text=True,
    )
    assert done.stderr == ""
    told = [json.loads(line) for line in done.stdout.splitlines()]
    wrong = [
        f"{name}: {said!r}, {paces:.0f} paces, {mib:.0f} MiB"
        for (name, (_make, words)), (said, paces, mib) in zip(large.items(), told, strict=True)
        if words not in said or paces >= PACES or mib >= MIB
    ]
    assert not wrong
