"""Files and classes stay small enough to be read from top to bottom."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_LINES = 320
MOST_CLASS_LINES = 260
MOST_METHODS = 20
"""Methods of a class's own: operators, properties and Qt's overridden methods are not counted."""


def own_methods(found: ast.ClassDef) -> list[ast.FunctionDef]:
    """The plain methods of a class; Qt's are the ones in mixed case."""
    return [
        node
        for node in found.body
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("__")
        and node.name == node.name.lower()
        and not node.decorator_list
    ]


def too_large(path: Path) -> list[str]:
    """What is too large in one module."""
    text = path.read_text(encoding="utf-8")
    lines = text.count("\n")
    found = [f"{path.name}: {lines} lines"] if lines > MOST_LINES else []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.ClassDef):
            continue
        size, methods = (node.end_lineno or 0) - node.lineno + 1, len(own_methods(node))
        if size > MOST_CLASS_LINES or methods > MOST_METHODS:
            found.append(f"{path.name}: {node.name}, {methods} methods, {size} lines")
    return found


@pytest.mark.parametrize("package", ["app", "engine"])
def test_no_file_and_no_class_is_too_large(package: str):
    found = [place for path in sorted((ROOT / package).rglob("*.py")) for place in too_large(path)]
    assert not found


def test_a_class_of_too_many_methods_is_found(tmp_path: Path):
    planted = tmp_path / "planted.py"
    methods = "".join(f"    def m{k}(self): ...\n" for k in range(MOST_METHODS + 1))
    planted.write_text(f"class Large:\n{methods}    def paintEvent(self): ...\n")
    assert too_large(planted) == ["planted.py: Large, 21 methods, 23 lines"]
