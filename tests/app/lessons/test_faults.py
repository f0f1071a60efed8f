"""Every fault of a lesson file is told by its line, its step and what would be right."""

import ast
import random
import re
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

import app.lessons
from app.lessons.course import FOLDER
from app.lessons.lesson_faults import KeyPath, line_at, lines_of
from app.lessons.load import load_lesson, problems
from engine.errors import FormatError
from engine.formats.expression import read
from engine.formats.files import save
from engine.problems import CHOOSE_A_ROOT
from tests.helpers.lessons import LESSON, LONG_LESSONS
from tests.helpers.sampling import sampled, sized
from tests.helpers.tables import in_turn

HERE = Path(__file__).parent
ROOM = Path(app.lessons.__file__).parent
PLANTED: list[dict[str, Any]] = tomllib.loads((HERE / "planted.toml").read_text("utf-8"))["planted"]
IN_A_FILE = LESSON.replace('expression = "e = a*b; d = e + a; L = d*f"', 'file = "graph.backwire"')
CODE_OF_FAULTS = (
    "step_checks",
    "lesson_faults",
    "lesson",
    "load",
    "parsing",
    "questions",
    "toml_file",
)
"""Modules whose every refusal has a planted case."""
HUGE = "is = 0x" + "f" * 5000
OTHERS = {
    LESSON.replace("is = 0", HUGE): "28: step 2, check: a number is too large",
    LESSON + '[[step]]\nkind = "say"\n' * 196: ("13: step: a lesson has 1 to 200 steps, not 201"),
    "minutes = " + "9" * 5000: "1: a number or a date can't be read",
    'title = "\0"': "1: a control character can't stand in a lesson",
    "#" * 200_000: "1: the file is larger than 128 KiB",
    "[[step]]\n" * 1_000_000: "1: the file is larger than 128 KiB",
    "x = " + "[" * 100_000: "1: this is nested too deeply",
    "x = " + "{ a = " * 20_000: "1: this is nested too deeply",
    "a." * 60_000 + "a = 1": "1: this is nested too deeply",
    "[" + "a." * 60_000 + "a]": "1: this is nested too deeply",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "base.toml"


def told(path: Path, text: str | bytes) -> list[str]:
    path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return [line.removeprefix("base.toml:") for line in problems(path)]


def planted(case: dict[str, Any]) -> str:
    assert LESSON.count(case["old"]) >= 1
    return LESSON.replace(case["old"], case["new"], 1)


def test_the_lesson_without_a_fault_loads(path: Path):
    assert told(path, LESSON) == []
    assert [step.kind for step in load_lesson(path).steps] == ["say", "do", "ask", "hunt", "free"]


@pytest.mark.parametrize(("text", "sentence"), OTHERS.items(), ids=[t[:20] for t in OTHERS])
def test_a_text_that_would_cost_too_much_is_not_read(text: str, sentence: str, path: Path):
    assert told(path, text) == [sentence]


@pytest.mark.parametrize("hidden", ["\u202e", "\u200b", "\x85", " \u200d "])
def test_a_character_that_no_label_may_hold_is_refused_in_every_text(hidden: str, path: Path):
    """Written as it is and as an escape, in each text and name of the lesson, whatever its key."""
    texts = [found for found in re.finditer(r'"[^"\n]+"', LESSON) if "backward" not in found[0]]
    assert len(texts) > 30
    escape = hidden.encode("unicode-escape").decode().replace("\\x", "\\u00")
    for found in texts:
        for written in (hidden, escape):
            text = f"{LESSON[: found.start() + 2]}{written}{LESSON[found.start() + 2 :]}"
            line = LESSON.count("\n", 0, found.start()) + 1
            told_at = [each for each in told(path, text) if each.startswith(f"{line}: ")]
            assert any("it is not plain text" in each for each in told_at), (found[0], written)


def test_joiners_within_words_and_emoji_stay_in_the_texts_of_a_lesson(path: Path):
    for text in (
        "\u0645\u06cc\u200c\u062e\u0648",
        "👩\u200d🔬",
        "क्\u200dष",
        "a \u00e9 ∂L/∂a × −2 🙂",
        "12",
    ):
        assert told(path, LESSON.replace('title = "', f'title = "{text}', 1)) == [], text


def test_bytes_that_are_no_text_and_files_that_are_none_are_refused(path: Path, tmp_path: Path):
    assert told(path, b"format = 1\n\xff") == ["1: the file is not UTF-8 text (at byte 12)"]
    assert problems(tmp_path / "none.toml") == (
        "none.toml can't be read: No such file or directory",
    )


def test_a_graph_beside_the_lesson_is_read_and_checked(path: Path):
    graph = read("e = a*b; d = e + a; L = d*f")
    save(graph, path.parent / "graph.backwire")
    assert told(path, IN_A_FILE) == []
    save(replace(graph, active_root=None), path.parent / "graph.backwire")
    assert told(path, IN_A_FILE) == [
        f"10: graph, file: {CHOOSE_A_ROOT[0].lower()}{CHOOSE_A_ROOT[1:-1]}"
    ]
    (path.parent / "graph.backwire").write_text(" " * 200_000)
    assert told(path, IN_A_FILE) == ["10: graph, file: graph.backwire is larger than 128 KiB"]


def test_all_faults_are_told_at_once_in_the_order_of_lines(path: Path):
    text = LESSON.replace("minutes = 5", "minutes = 199").replace('panel = "why"', 'panel = "map"')
    found = told(path, text.replace('show = ["b = -1"]', 'show = ["b = 1"]'))
    assert [int(line.partition(":")[0]) for line in found] == [5, 18, 29]


def test_nothing_of_a_file_is_run(path: Path, tmp_path: Path):
    mark = tmp_path / "mark"
    for text in (f"open('{mark}', 'w')", f"__import__('os').mkdir('{mark}')", "a.__class__"):
        assert told(path, LESSON.replace("e = a*b; d = e + a; L = d*f", text.replace('"', "'")))
    for move in (f"open('{mark}', 'w')", f"b = open('{mark}', 'w')", "fire __class__"):
        assert told(path, LESSON.replace("b = -1", move))
    assert not mark.exists()


HARD = {
    "powers": ("e = a*b; d", "e = a**9**9**9*b; d"),
    "doublings": (
        "e = a*b; d = e + a",
        "; ".join(["c0 = a*b", *(f"c{k + 1} = c{k} + c{k}" for k in range(60)), "d = c60 + a"]),
    ),
    "nodes": ("d = e + a", "d = e" + " + a" * 1000),
    "letters": ("d = e + a", "d = e" + " + a" * 20_000),
    "brackets": ("d = e + a", "d = e + " + "(" * 1500 + "a" + ")" * 1500),
    "signs": ("d = e + a", "d = e + " + "-" * 3000 + "a"),
    "epochs": (
        'start = "end"\nsettings = { h = 0.01 }',
        'start = "training"\nsettings = { sizes = [2, 16, 1], epochs = 1000 }',
    ),
}


@pytest.mark.parametrize("name", HARD)
def test_a_lesson_that_explodes_is_refused(name: str, path: Path):
    assert told(path, LESSON.replace(*HARD[name]))


def test_a_planted_fault_is_told_by_line_and_step_and_each_refusal_in_the_code_has_one(path: Path):
    """Each line that raises or adds a fault is reached by some case of the tables."""
    files = [ROOM / f"{name}.py" for name in CODE_OF_FAULTS]
    with followed(files) as reached:
        test_a_graph_beside_the_lesson_is_read_and_checked(path)
        for case in PLANTED:
            assert told(path, planted(case)) == case["told"], case["old"]
        for text in OTHERS:
            told(path, text)
        for case in sampled(PLANTED, 20):  # to load one refuses with the first of its faults
            first = told(path, planted(case))[0]
            with pytest.raises(FormatError) as refused:
                load_lesson(path)
            assert str(refused.value).startswith(f"base.toml:{first[:190]}")
        for name in ("the numerical check of 95 leaves", "choices of 190 nodes"):
            told(path, LONG_LESSONS[name])
    missed = sorted(refusals(files) - reached)
    assert not missed, repr(missed)


@contextmanager
def followed(files: Sequence[Path]) -> Iterator[set[tuple[str, int]]]:
    """Collect the lines of files that are reached meanwhile."""
    reached, names = set[tuple[str, int]](), {str(file) for file in files}

    def follow(frame: FrameType, _event: str, _argument: object) -> Any:
        code: CodeType = frame.f_code
        if code.co_filename not in names:
            return None
        reached.add((code.co_filename, frame.f_lineno))
        return follow

    before = sys.gettrace()
    sys.settrace(follow)
    try:
        yield reached
    finally:
        sys.settrace(before)


def refusals(files: Sequence[Path]) -> set[tuple[str, int]]:
    """Return the first lines of statements that raise, or add a fault."""
    return {
        (str(file), node.lineno)
        for file in files
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Raise)
        or (isinstance(node, ast.Expr) and "aults.add(" in ast.unparse(node))
    }


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


@in_turn("path", PLACES)
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


TEXTS = [LESSON, *(path.read_text("utf-8") for path in sorted(FOLDER.glob("*-*.toml")))]
VALUES = (
    *("true", "-1", "1e999", "nan", '""', '"a"', '"e.1"', '"any"', "[]", "[[]]", "{}", "[{}]"),
    *('["a", 1]', "{ a = 1 }", "1979-05-27", "0x7fffffffffffffffffff", '"end"', '"**{a.grad"'),
    *('"y = a**9**9*b"', '"backward 99"', '"hand"', '"descent"', '"training"', '"update"'),
    *('[{ grad = "any", not = 0 }]', '["fire a", "epochs 3", "unfold e"]', '[{ kind = "next" }]'),
    *('[{ kind = "mistake" }]', '"division-sends-nothing"', '{ expression = "y = a" }'),
)
VALUE = re.compile(r"(?<== )(?:\"[^\"\n]*\"|-?[\d.]+|\[[^\n]*\]|\{[^\n]*\})")


def changed(seed: int, texts: Sequence[str] = TEXTS, values: Sequence[str] = VALUES) -> str:
    """Return a text with some values exchanged, lines moved or characters lost."""
    dice = random.Random(seed)
    text = dice.choice(texts)
    for _ in range(dice.randint(1, 4)):
        way, places = dice.random(), [found.span() for found in VALUE.finditer(text)]
        if way < 0.7 and places:
            (first, last), other = dice.choice(places), dice.choice(places)
            value = text[slice(*other)] if way < 0.3 else dice.choice(values)
            text = text[:first] + value + text[last:]
        elif way < 0.85:
            lines = text.split("\n")
            lines.insert(dice.randrange(len(lines)), lines.pop(dice.randrange(len(lines))))
            text = "\n".join(lines)
        elif text:
            place = dice.randrange(len(text))
            text = (
                text[:place] + dice.choice("\"'[]{}=.#\n*`−0a") + text[place + dice.randint(0, 1) :]
            )
    return text


def test_a_lesson_changed_at_random_is_read_or_refused(tmp_path: Path):
    path = tmp_path / "changed.toml"
    refused, count = 0, sized(80, 1000)
    for seed in range(count):
        path.write_text(changed(seed), "utf-8")
        found = problems(path)
        refused += bool(found)
        for line in found:
            assert re.match(r"changed\.toml:[1-9]\d*: \S", line), line
            assert line.isprintable(), line
    assert count / 3 < refused < count


@pytest.mark.parametrize("name", LONG_LESSONS)
def test_a_small_file_that_would_play_for_seconds_is_refused_soon(name: str, tmp_path: Path):
    path = tmp_path / "long.toml"
    path.write_text(LONG_LESSONS[name], "utf-8")
    begun = time.process_time()
    found = problems(path)
    assert any("takes too long to be played" in line for line in found), found
    assert time.process_time() - begun < 2  # within one, if nothing else is running
