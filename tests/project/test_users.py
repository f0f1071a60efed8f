"""Every module has a user: the window, the command line, the public names, or an open issue."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from app.cli import VERBS

ROOT = Path(__file__).resolve().parents[2]

STARTS = ("app.__main__", "engine", *(f"app.cli.{module}" for module in set(VERBS.values())))

WAITING = {
    "app.lessons": "the issue of the lessons",
}
"""Modules that nothing uses yet, each with the issue that brings its user."""


def module_names(root: Path) -> dict[str, Path]:
    files = [file for name in ("app", "engine") for file in (root / name).rglob("*.py")]
    return {".".join(_parts(file.relative_to(root))): file for file in files}


def _parts(path: Path) -> tuple[str, ...]:
    parts = path.with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


@cache
def named(name: str, file: Path) -> tuple[str, ...]:
    """What a module may load, read from its file once."""
    return tuple(names_in(name, file))


def names_in(name: str, file: Path) -> Iterator[str]:
    """What a module may load: imports anywhere in it, strings that name a module or its file."""
    here = name if file.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
            yield f"{here}.{text.removesuffix('.py')}" if text.endswith(".py") else text


def reached(root: Path, starts: Iterable[str]) -> set[str]:
    """All modules that are loaded from these, sooner or later, with the packages around them."""
    files = module_names(root)
    found: set[str] = set()
    todo = list(starts)
    while todo:
        name = todo.pop()
        if name in files and name not in found:
            found.add(name)
            for other in named(name, files[name]):
                parts = other.split(".")
                todo += [".".join(parts[:k]) for k in range(1, len(parts) + 1)]
    return found


def without_user(root: Path, waiting: Mapping[str, str]) -> set[str]:
    """The modules that neither the program nor what waits for its issue needs."""
    return set(module_names(root)) - reached(root, [*STARTS, *waiting])


def test_every_module_has_a_user_or_an_issue_that_brings_one():
    assert without_user(ROOT, WAITING) == set()


def test_what_waits_is_there_and_still_has_no_user():
    assert WAITING.keys() - module_names(ROOT).keys() == set()
    assert WAITING.keys() & reached(ROOT, STARTS) == set()


def test_a_module_that_only_others_without_a_user_import_is_found(tmp_path: Path):
    for name, text in {
        "app/__main__.py": "def start():\n    from engine.formats import used",
        "engine/__init__.py": "",
        "engine/formats/__init__.py": "",
        "engine/formats/used.py": "WORKER = PLACE.with_name('worker.py')",
        "engine/formats/worker.py": "",
        "engine/one.py": "import engine.two",
        "engine/two.py": "import engine.one",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert without_user(tmp_path, {}) == {"engine.one", "engine.two"}
    assert without_user(tmp_path, {"engine.one": "an issue"}) == set()
