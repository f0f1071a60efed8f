"""Run the tests against every mutant, each in a temporary copy of the engine."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.helpers.extent import SHARE
from tests.helpers.own_folder import own_folder
from tests.mutants.mutant import Mutant

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / "tests" / "engine"
TIME_LIMIT = 200

SETTINGS = """[pytest]
addopts = --import-mode=importlib
pythonpath = .
filterwarnings = error
"""
PROFILE = """import hypothesis
from tests.helpers.extent import tries
hypothesis.settings.register_profile(
    "mutants", deadline=None, derandomize=True, database=None, max_examples=tries(100)
)
hypothesis.settings.load_profile("mutants")
"""

QUICK = (
    "edge_cases",
    "schedule",
    "trace",
    "rules",
    "frame",
    "graph",
    "edits",
    "problems",
    "diagnose",
)
THOROUGH = ("evaluate", "files", "ops", "check", "oracle", "scale")
BUILT_ON = ("value", "program", "descent", "unfold", "paths")
FORMATS = ("native", "expression")
EVERY = (*QUICK, *FORMATS, *THOROUGH, *BUILT_ON)


@dataclass(frozen=True)
class Outcome:
    """Whether the tests saw a mutant, what they said, and how long it took."""

    mutant: Mutant
    killed: bool
    said: str
    seconds: float


def order_of_tests(mutant: Mutant) -> list[str]:
    """The files of tests: first those that know the mutant's own file best, then the others."""
    stem = Path(mutant.file).stem
    own = [stem, stem.split("_")[0]]
    if "/ops/" in mutant.file:
        own = ["edge_cases", "ops", "check"]
    own = {
        "errors": ["native"],
        "strict_json": ["native"],
        "tape": ["tape", "value", "program"],
    }.get(stem, own)
    return _files([*own, *EVERY])


def _files(names: Iterable[str]) -> list[str]:
    """Where the tests of these names stand, each once, in the rooms below tests/engine."""
    found = {file.stem: file for file in PLACE.rglob("test_*.py")}
    files = [found[f"test_{name}"] for name in dict.fromkeys(names) if f"test_{name}" in found]
    return [file.relative_to(ROOT).as_posix() for file in files]


def attempt(mutant: Mutant) -> Outcome:
    """Plant one fault in a copy and run the tests there until one fails."""
    start = time.monotonic()
    with own_folder("mutant") as copy:
        _copy(copy)
        try:
            planted = mutant.planted((copy / mutant.file).read_text("utf-8"))
        except ValueError as error:
            return Outcome(mutant, False, str(error), time.monotonic() - start)
        (copy / mutant.file).write_text(planted, "utf-8")
        killed, said = _run(copy, order_of_tests(mutant))
    return Outcome(mutant, killed, said, time.monotonic() - start)


def attempt_all(mutants: Iterable[Mutant]) -> Iterable[Outcome]:
    """All outcomes, in order, as many at a time as there are processors."""
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        yield from pool.map(attempt, mutants)


def unharmed() -> tuple[bool, str]:
    """Whether the same tests fail on a copy without a fault, and what they say."""
    with own_folder("mutant") as copy:
        _copy(copy)
        return _run(copy, _files(EVERY))


def _copy(target: Path) -> None:
    skipped = shutil.ignore_patterns("__pycache__", ".*")
    for folder in ("engine", "tests/engine", "tests/helpers"):
        shutil.copytree(ROOT / folder, target / folder, ignore=skipped)
    (target / "pytest.ini").write_text(SETTINGS, "utf-8")
    (target / "tests" / "conftest.py").write_text(PROFILE, "utf-8")


def _run(folder: Path, tests: list[str]) -> tuple[bool, str]:
    options = ["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *options, *tests]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            # no Qt, no coverage; more examples than usual, to see faults that few of them show
            env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", SHARE: "3"},
            capture_output=True,
            text=True,
            timeout=TIME_LIMIT,
        )
    except subprocess.TimeoutExpired:
        return True, "the tests took too long"
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return done.returncode != 0, (lines or done.stdout.splitlines()[-1:] or [done.stderr])[0]
