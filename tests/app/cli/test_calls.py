"""The command line as a process: quick, quiet, and without a display."""

import os
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from app import VERSION
from app.__main__ import main
from app.lessons.course import course
from engine.ops import OPS
from engine.rules import MISTAKES
from tests.helpers.graphs import EXAMPLES

ROOT = Path(__file__).parents[3]
PYTHON = [sys.executable, "-W", "error", "-m", "app"]


def call(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    bare = {name: text for name, text in os.environ.items() if "DISPLAY" not in name}
    return subprocess.run(
        [*PYTHON, *arguments], cwd=ROOT, env=bare | environment, capture_output=True, check=False
    )


@pytest.mark.parametrize(
    ("verb", "names"),
    [
        ("ops", [op.name for op in OPS]),
        ("mistakes", [rules.name for rules in MISTAKES]),
        ("examples", [found.name for found in EXAMPLES]),
    ],
)
def test_lists_print_a_line_an_entry_with_the_name_first(verb, names, capsys):
    assert main([verb]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sorted(line.split()[0] for line in lines) == sorted(names)


def test_the_lessons_are_listed(capsys):
    assert main(["lessons"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [head.name for head in course().lessons]
    assert "One wire, one slope" in lines[0]


@pytest.mark.parametrize("verb", ["help", "--help", "-h", "--version"])
def test_help_and_version(verb, capsys):
    assert main([verb]) == 0
    assert capsys.readouterr().out.startswith("backwire")


def test_the_version_is_that_of_the_package():
    found = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert found["project"]["version"] == VERSION


def test_a_source_folder_says_its_version_and_that_it_is_one(capsys, monkeypatch):
    def unknown(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", unknown)
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"backwire {VERSION} (from its source folder)\n"


@pytest.mark.parametrize("verb", ["run", "check", "new", "export", "ops", "lessons"])
def test_every_verb_explains_itself(verb, capsys):
    assert main([verb, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"usage: backwire {verb}")


def test_a_list_takes_no_arguments(capsys):
    assert main(["ops", "all"]) == 2
    assert capsys.readouterr().err == "backwire ops: unrecognized arguments: all\n"


def test_verbs_need_neither_qt_nor_the_slow_libraries(tmp_path):
    slow = ["PySide6", "networkx", "numpy", "pyqtgraph", "ziamath", "PIL", "pygraphviz"]
    code = (
        "import sys; from app.__main__ import main; main(['run', '-e', 'a*b']); "
        "main(['ops']); main(['new', '-e', 'a', '-o', sys.argv[1]]); "
        f"print(sorted(set({slow}) & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "new.backwire")],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert done.stderr.splitlines()[-1] == b"[]"


def test_the_process_gives_the_code():
    assert call("run", "-e", "-x").returncode == 0
    assert call("run", "-e", "x y").returncode == 1
    assert call("run").returncode == 2


def test_a_picture_needs_no_display(tmp_path):
    out = tmp_path / "out.png"
    path = ROOT / "resources" / "examples" / "square.backwire"
    done = call("export", str(path), "-o", str(out), QT_QPA_PLATFORM="xcb")
    assert (done.returncode, done.stderr) == (0, b"")
    assert out.read_bytes().startswith(b"\x89PNG")


def test_a_narrow_terminal_gets_question_marks():
    done = call("ops", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"a ? b" in done.stdout
    done = call("run", "-e", "a − b", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="pipes and full devices of POSIX")
def test_a_reader_that_leaves_is_no_error():
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run(
            [*PYTHON, "ops"], cwd=ROOT, stdout=pipe, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
def test_a_full_disk_is_one_line():
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*PYTHON, "ops"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (1, b"backwire: No space left on device.\n")


def test_anything_else_opens_the_window(monkeypatch):
    opened: list[list[str]] = []
    start = type(sys)("app.window.start")
    start.start = lambda arguments: opened.append(arguments) or 0  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "app.window.start", start)
    assert main([]) == 0
    assert main(["graph.backwire"]) == 0
    assert opened == [[], ["graph.backwire"]]
