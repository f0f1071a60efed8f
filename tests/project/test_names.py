"""Names that say nothing to a newcomer are not used again."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

UNCLEAR = frozenset(
    [
        "hush",
        "afar",
        "unrest",
        "seats",
        "rooms",
        "ways",
        "hand",
        "pointing",
        "telling",
        "walking",
        "following",
        "furniture",
        "corner",
        "showing",
        "touched",
        "ground",
        "patches",
        "scheme",
        "ink",
        "moves",
        "beside",
        "typed",
        "offers",
        "listed",
        "fitting",
        "manager",
        "handler",
        "helper",
        "utils",
    ]
)
"""Whole names of modules, classes and functions that only their authors understood."""


def names(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The classes and functions of a module, with their lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node.lineno


def unclear(path: Path) -> list[str]:
    """Where a module is named, or names something, in a way that needs explaining."""
    found = [f"{path.name}: the module"] if path.stem.lower() in UNCLEAR else []
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for name, line in names(tree):
        if name.strip("_").lower() in UNCLEAR:
            found.append(f"{path.name}:{line}: {name}")
    return found


@pytest.mark.parametrize("package", ["app", "engine"])
def test_no_module_class_or_function_has_a_name_that_needs_explaining(package: str):
    found = [place for path in sorted((ROOT / package).rglob("*.py")) for place in unclear(path)]
    assert not found


def test_an_unclear_name_is_found(tmp_path: Path):
    planted = tmp_path / "hand.py"
    planted.write_text("class Furniture:\n    def hush(self): ...\n\ndef rooms_of(): ...\n")
    assert unclear(planted) == ["hand.py: the module", "hand.py:1: Furniture", "hand.py:2: hush"]
