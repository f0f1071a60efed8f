"""The documentation says what the program says."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_keys_in_the_tables_are_those_of_the_program(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(ROOT / "packaging")
    import docs

    pages = {path.name: path.read_text("utf-8") for path in docs.DOCS.glob("*.md")}
    filled = {name for name, text in pages.items() if docs.CELL.search(text)}
    assert filled == {"using.md", "lessons.md"}
    for name, text in pages.items():
        assert docs.with_keys(text) == text, f"{name}: python3 run.py docs writes its keys again"


def test_a_key_that_has_changed_is_written_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(ROOT / "packaging")
    import docs

    assert docs.with_keys("| Hunt | J<!-- hunt --> |") == "| Hunt | Shift+H<!-- hunt --> |"
