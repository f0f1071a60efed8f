"""The pinned libraries: exact, with hashes, from no index; this PySide6 keeps count of None."""

import re
import sys
import tomllib
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QGraphicsRectItem

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "packaging").glob("requirements*.txt"))
PINS = re.compile(r"^([a-z0-9-]+)==([0-9][^\s;\\]*)", re.MULTILINE)


def pins(name: str) -> dict[str, str]:
    return dict(PINS.findall((ROOT / "packaging" / name).read_text("utf-8")))


def direct(requirements: list[str]) -> set[str]:
    return {re.split(r"[=<>; ]", line)[0].lower() for line in requirements}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_each_requirement_is_exact_and_has_hashes(path: Path):
    entries = path.read_text("utf-8").replace("\\\n", " ").splitlines()
    assert entries
    for entry in entries:
        assert PINS.match(entry), entry
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_index_is_named(path: Path):
    text = path.read_text("utf-8")
    assert "://" not in text
    assert not re.search(r"^\s*(-i|-f|--index-url|--extra-index-url|--find-links)", text, re.M)


def test_pyside_is_older_than_the_version_that_loses_references():
    version = tuple(map(int, pins("requirements.txt")["pyside6-essentials"].split(".")))
    assert (6, 8) <= version < (6, 12)


def test_pygraphviz_brings_graphviz_along():
    assert tuple(map(int, pins("requirements.txt")["pygraphviz"].split("."))) >= (2, 0, 3)


def test_everything_that_is_asked_for_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert direct(project["project"]["dependencies"]) <= pins("requirements.txt").keys()
    groups = project["dependency-groups"]
    assert direct(groups["dev"]) <= pins("requirements-test.txt").keys()
    assert direct(groups["bench"]) <= pins("requirements-bench.txt").keys()
    assert direct(groups["bundle"]) <= pins("requirements-bundle.txt").keys()


def test_what_builds_the_wheel_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert all(
        re.fullmatch(r"[\w-]+==[\d.]+", each) for each in project["build-system"]["requires"]
    )


def test_every_library_is_imported_by_something():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    modules = {"pyside6-essentials": "PySide6", "pillow": "PIL", "fonttools": "fontTools"}
    code = "".join(
        path.read_text("utf-8")
        for part in ("app", "engine")
        for path in (ROOT / part).rglob("*.py")
    )
    imported = set(re.findall(r"^\s*(?:import|from) (\w+)", code, re.M))
    for name in direct(project["project"]["dependencies"]):
        assert modules.get(name, name) in imported, f"nothing imports {name}"


def test_uv_chooses_the_versions_that_are_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    constraints = dict(
        line.split("==") for line in project["tool"]["uv"]["constraint-dependencies"]
    )
    assert constraints == pins("requirements.txt")
    tests = pins("requirements-test.txt")
    assert all(
        tests[name.lower()] == version
        for name, version in (line.split("==") for line in project["dependency-groups"]["dev"])
    )


def test_the_files_agree_where_they_overlap():
    seen: dict[str, str] = {}
    for path in FILES:
        for name, version in pins(path.name).items():
            assert seen.setdefault(name, version) == version


SLACK = 200  # what the interpreter itself may hold or let go meanwhile


class Bell(QObject):
    rung = Signal()


def counts() -> tuple[int, int]:
    return sys.getrefcount(None), sys.getrefcount(True)


def assert_kept(before: tuple[int, int]) -> None:
    """Nobody has lost or kept None or True; from Python 3.14 on they say that they never die."""
    is_immortal = getattr(sys, "_is_immortal", None)
    if is_immortal is not None:
        assert is_immortal(None)
        assert is_immortal(True)
        return
    assert all(abs(now - then) < SLACK for now, then in zip(counts(), before, strict=True))


def test_calls_that_return_none_keep_the_count_of_none(qapp):
    item = QGraphicsRectItem()
    before = counts()
    for step in range(1_000):
        item.setPos(step, step)
    assert_kept(before)


def test_signals_keep_the_counts_of_none_and_true(qapp):
    bell = Bell()
    before = counts()
    for _ in range(10_000):
        bell.rung.emit()
    assert_kept(before)
