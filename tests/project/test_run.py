"""`run.py`: what it accepts, what it starts, and what it says when it cannot."""

import ast
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from app.cli import VERBS as CLI
from app.document.recovery import state_folder
from app.window.settings import open_settings
from app.window.window_files import data_folder
from tests.helpers.tables import in_turn

ROOT = Path(__file__).resolve().parents[2]
SOURCE = (ROOT / "run.py").read_text("utf-8")
STARTED_BY_ANY_PYTHON = [
    "run.py",
    *(f"packaging/{name}.py" for name in ("environment", "floor", "installers", "launchers")),
    *("packaging/libraries.py", "packaging/pythons.py"),
    *("app/__init__.py", "app/cli/__init__.py"),
]


@pytest.fixture
def run() -> ModuleType:
    module = ModuleType("run")
    module.__file__ = str(ROOT / "run.py")
    exec(compile(SOURCE, "run.py", "exec"), module.__dict__)
    return module


@pytest.fixture
def started(run: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """What would have been started, by a `run.py` that finds everything set up."""
    monkeypatch.syspath_prepend(ROOT / "packaging")
    import environment
    import libraries

    commands: list[list[str]] = []
    monkeypatch.setattr(libraries, "ensure", lambda needed, packages: commands.append([*needed]))
    monkeypatch.setattr(environment, "ensure", lambda *sets: Path("python"))
    monkeypatch.setattr(run, "become", commands.append)
    monkeypatch.chdir(tmp_path)
    return commands


def test_without_arguments_the_window_opens(run: ModuleType, started: list[list[str]]):
    run.main([])
    assert started[1:] == [["python", "-P", "-m", "app"]]
    assert "libGL.so.1" in started[0]


def test_a_file_is_opened_and_the_folder_stays(run, started, tmp_path):
    run.main(["neuron.backwire"])
    assert started[1:] == [["python", "-P", "-m", "app", "neuron.backwire"]]
    assert Path.cwd() == tmp_path


def test_arguments_of_test_go_to_the_stages(run: ModuleType, started: list[list[str]]):
    run.main(["test", "engine", "-x"])
    assert started[1:] == [["python", "packaging/stages.py", "engine", "-x"]]
    assert Path.cwd() == ROOT


def test_check_is_the_static_stage(run: ModuleType, started: list[list[str]]):
    run.main(["check"])
    assert started[1:] == [["python", "packaging/stages.py", "static"]]


@pytest.mark.parametrize("verb", sorted({*CLI} - {"-h", "--help"}))
def test_every_verb_of_the_command_line_is_obeyed(run, started, verb):
    run.main([verb, "-e", "a*b"])
    assert started[1] == ["python", "-P", "-m", "app", verb, "-e", "a*b"]
    assert bool(started[0]) == (verb == "export"), "a verb that draws nothing needs nothing of Qt"


@pytest.mark.parametrize("verb", ["wheel", "check", "fix"])
def test_tools_that_show_nothing_need_no_library_of_qt(run, started, verb):
    run.main([verb])
    assert started[0] == []
    assert started[1][1].startswith("packaging/")
    run.main(["wheel", "--try"])
    assert "libGL.so.1" in started[2]


def test_an_unknown_verb_is_refused(run: ModuleType, capsys: pytest.CaptureFixture[str]):
    assert run.main(["fly"]) == 2
    assert "no 'fly'" in capsys.readouterr().err


def test_the_help_names_every_verb(run: ModuleType, capsys: pytest.CaptureFixture[str]):
    assert run.main(["--help"]) == 0
    said = capsys.readouterr().out
    assert all(re.search(rf"\b{verb}\b", said) for verb in run.VERBS)
    assert "run.py help" in said, "where the verbs of the command line are told"


def test_every_command_of_the_documentation_is_obeyed(run):
    texts = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    named = [
        word
        for path in texts
        for word in re.findall(r"py(?:thon3)? run\.py (\w[\w.]*)", path.read_text("utf-8"))
    ]
    assert len(named) > 10
    assert not {*named} - run.VERBS.keys() - {*CLI}
    assert all("`py run.py`" in path.read_text("utf-8") for path in texts[1:2])
    assert "`py`" in texts[0].read_text("utf-8"), "Windows has no python3"


def test_the_folders_of_the_documentation_are_those_of_the_program(qapp):
    text = (ROOT / "docs" / "installing.md").read_text("utf-8")
    for usual, place in (
        (".config", Path(open_settings().fileName()).parent),
        (".local/share", data_folder()),
        (".local/state", state_folder()),
    ):
        assert f"`~/{usual}/{place.name}`" in text


@pytest.mark.parametrize("version", [(3, 8, 18), (3, 10, 13), (3, 15, 0)])
def test_a_python_that_will_not_do_is_named_in_one_sentence(run, monkeypatch, version):
    monkeypatch.setattr(sys, "version_info", version)
    with pytest.raises(SystemExit) as stop:
        run.main([])
    sentence = str(stop.value.code)
    assert f"this is Python {version[0]}.{version[1]}" in sentence
    assert "\n" not in sentence


def test_an_old_python_can_read_run_py_far_enough_to_refuse():
    ast.parse(SOURCE, feature_version=(3, 6))


@in_turn("name", STARTED_BY_ANY_PYTHON)
def test_setting_up_imports_nothing_that_must_be_installed(name: str):
    ours = {Path(each).stem for each in STARTED_BY_ANY_PYTHON} | {"app", "engine"}
    imported: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / name).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").partition(".")[0])
    assert imported <= sys.stdlib_module_names | ours


def test_packaging_is_no_package():
    assert not (ROOT / "packaging" / "__init__.py").exists(), "it would hide PyPI's packaging"


def test_the_command_backwire_starts_the_program():
    scripts = Path(sys.executable).parent
    command = next(iter(scripts.glob("backwire*")), None)
    if command is None:
        pytest.skip("these tests do not run in .venv")
    done = subprocess.run([command, "ops"], capture_output=True, text=True, cwd="/")
    assert done.returncode == 0, done.stderr
    assert "tanh" in done.stdout
