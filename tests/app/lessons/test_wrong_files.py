"""A file with anything changed is read, or refused by sentences; never by a fault of ours."""

import random
import re
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from app.lessons.index import FOLDER
from app.lessons.load import problems
from tests.helpers.lessons import LESSON, LONG_LESSONS

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


@pytest.mark.parametrize("part", range(4))
def test_a_lesson_changed_at_random_is_read_or_refused(part: int, tmp_path: Path):
    path = tmp_path / "changed.toml"
    refused = 0
    for seed in range(part * 60, part * 60 + 60):
        path.write_text(changed(seed), "utf-8")
        found = problems(path)
        refused += bool(found)
        for line in found:
            assert re.match(r"changed\.toml:[1-9]\d*: \S", line), line
            assert line.isprintable(), line
    assert 20 < refused < 60


@pytest.mark.parametrize("name", LONG_LESSONS)
def test_a_small_file_that_would_play_for_seconds_is_refused_soon(name: str, tmp_path: Path):
    path = tmp_path / "long.toml"
    path.write_text(LONG_LESSONS[name], "utf-8")
    begun = time.process_time()
    found = problems(path)
    assert any("takes too long to be played" in line for line in found), found
    assert time.process_time() - begun < 2  # within one, if nothing else is running
