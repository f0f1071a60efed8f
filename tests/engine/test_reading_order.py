"""The engine is a textbook: its first page names every file, and each begins with an example."""

import doctest
import re
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

import engine

FOLDER = Path(engine.__file__).parent
ENTRY = re.compile(r"^    (\w+) {2,}\S", re.MULTILINE)
FLAT = {file.stem for file in FOLDER.glob("*.py")} - {"__init__"}
ROOMS = {file.parent.name for file in FOLDER.glob("*/__init__.py")}
WITHOUT_EXAMPLE = {"study", "training", "formats", "generated", "compiled"}


def entries(text: str | None) -> list[str]:
    return ENTRY.findall(text or "")


def test_the_first_page_names_every_module_and_every_folder_once():
    assert Counter(entries(engine.__doc__)) == Counter(FLAT | ROOMS)


def test_a_page_that_names_one_twice_and_leaves_one_out_is_not_right():
    text = (engine.__doc__ or "").replace("    trace  ", "    frame  ")
    assert Counter(entries(text)) - Counter(FLAT | ROOMS) == {"frame": 1}
    assert Counter(FLAT | ROOMS) - Counter(entries(text)) == {"trace": 1}


@pytest.mark.parametrize("name", sorted((FLAT | ROOMS) - WITHOUT_EXAMPLE))
def test_every_chapter_begins_with_an_example(name: str):
    module = import_module(f"engine.{name}")
    examples = doctest.DocTestParser().get_examples(module.__doc__ or "")
    assert any(example.want for example in examples)
