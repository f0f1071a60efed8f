"""Each rule about who may import whom is seen to fail on a planted violation."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.sampling import sampled

ROOT = Path(__file__).resolve().parents[2]
LINT_IMPORTS = "from importlinter.cli import lint_imports_command as c; c()"

PLANTED = [
    ("engine-alone", {"engine/ops.py": "import PySide6.QtCore"}),
    ("engine-alone", {"engine/ops.py": "import app.style.sizes"}),
    ("pages-without-qt", {"app/controls/spans.py": "import PySide6.QtGui"}),
    ("pages-without-qt", {"app/document/change.py": "def f():\n    import app.document.history"}),
    ("app-downwards", {"app/style/sizes.py": "import app.window"}),
    ("app-downwards", {"app/document/planted.py": "import app.workbench"}),
    ("app-downwards", {"app/canvas/planted.py": "import app.panels"}),
    ("canvas-rooms", {"app/canvas/layout/planted.py": "import app.canvas.scene.scene"}),
    ("canvas-rooms", {"app/canvas/tricks.py": ""}),
    (
        "workbench-rooms",
        {"app/workbench/modes/planted.py": "import app.workbench.playback.playback"},
    ),
    ("guide-rooms", {"app/guide/play/planted.py": "import app.guide.words.lesson_texts"}),
    ("guide-rooms", {"app/guide/tricks.py": ""}),
    ("window-rooms", {"app/window/commands/planted.py": "import app.window.frame.workspace"}),
    (
        "window-rooms",
        {
            "app/window/messages.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n"
            "    import app.window.context"
        },
    ),
    ("window-rooms", {"app/window/tricks.py": ""}),
    ("app-downwards", {"app/tricks/__init__.py": ""}),
    ("engine-chapters", {"engine/ops.py": "import engine.graph"}),
    ("engine-chapters", {"engine/tricks.py": ""}),
    ("panels-apart", {"app/panels/one.py": "", "app/panels/two.py": "import app.panels.one"}),
    (
        "no-circles",
        {"app/style/one.py": "import app.style.two", "app/style/two.py": "import app.style.one"},
    ),
]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the program that may be spoilt."""
    for package in ("app", "engine"):
        only_code = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=only_code)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def plant(tree: Path, lines: dict[str, str]) -> None:
    for name, line in lines.items():
        path = tree / name
        path.parent.mkdir(exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")


def lint(tree: Path, *contracts: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", LINT_IMPORTS, "--no-logo", "--no-cache"]
    command += [word for contract in contracts for word in ("--contract", contract)]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True)


@pytest.mark.parametrize(("contract", "lines"), sampled(PLANTED, every=8, first=1))
def test_a_planted_import_breaks_its_contract(tree: Path, contract: str, lines: dict[str, str]):
    plant(tree, lines)
    done = lint(tree, contract)
    assert done.returncode == 1
    assert "1 broken" in done.stdout
    planted = next(reversed(lines)).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    assert planted in done.stdout or planted.rpartition(".")[2] in done.stdout


def test_the_program_itself_keeps_the_contracts(tree: Path):
    done = lint(tree, *(contracts := sorted({contract for contract, _ in PLANTED})))
    assert f"{len(contracts)} kept, 0 broken" in done.stdout, done.stdout + done.stderr


def test_every_contract_has_a_planted_violation():
    import tomllib

    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    assert {contract["id"] for contract in contracts} == {contract for contract, _ in PLANTED}


@pytest.mark.parametrize("package", ["document", "workbench", "guide", "lessons"])
def test_widgets_are_banned_below_the_canvas(tree: Path, package: str):
    plant(tree, {f"app/{package}/planted.py": '"""Planted."""\n\nimport PySide6.QtWidgets'})
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", f"app/{package}/planted.py"]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True)
    assert done.returncode == 1
    assert "TID251" in done.stdout


def test_only_the_starter_names_the_main_window():
    named = {
        path.relative_to(ROOT / "app").as_posix()
        for path in (ROOT / "app").rglob("*.py")
        if re.search(r"\bMainWindow\b", path.read_text("utf-8"))
    }
    for_types = {"window/assembly.py", "window/context.py"}
    assert named == {"window/frame/main_window.py", "window/start.py"} | for_types


def test_the_application_neither_probes_nor_patches_objects():
    probing = re.compile(r"\bhasattr\(|\.__dict__\b|\b__init_subclass__\b")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in (ROOT / "app").rglob("*.py")
        if path.name != "runner.py"  # which observes the objects of a learner's program
        for line in path.read_text("utf-8").splitlines()
        if probing.search(line)
    ]
    assert found == []
