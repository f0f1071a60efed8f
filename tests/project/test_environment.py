"""How `.venv` is made, stamped and made again."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
VERSION = f"{sys.version_info[0]}.{sys.version_info[1]}"


class Tools:
    """Stands in for uv and pip: makes the folders, and remembers what was asked for."""

    def __init__(self, venv: Path) -> None:
        self.venv = venv
        self.done: list[str] = []
        self.broken: set[str] = set()

    def __call__(self, *command: object) -> None:
        words = [str(part) for part in command]
        tool = "uv" if words[0] == "uv" else "pip"
        self.done.append(f"{tool} {'venv' if 'venv' in words else Path(words[-1]).name}")
        if tool in self.broken:
            raise subprocess.CalledProcessError(1, words)
        if "venv" in words:
            self._make_venv(tool)

    def _make_venv(self, tool: str) -> None:
        packages = self.venv / "lib" / f"python{VERSION}" / "site-packages"
        packages.mkdir(parents=True)
        (self.venv / "bin").mkdir()
        (self.venv / "bin" / "python").touch()
        (self.venv / "pyvenv.cfg").write_text(f"version = {VERSION}.1\n")
        if tool == "pip":
            (packages / "pip").mkdir()


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    if sys.platform == "win32":
        pytest.skip("the folders stand for those of Linux and macOS")
    monkeypatch.syspath_prepend(ROOT / "packaging")
    import environment

    root = tmp_path / "a clone"
    (root / "packaging").mkdir(parents=True)
    for name in environment.REQUIREMENTS.values():
        (root / "packaging" / name).write_text(f"# {name}\n")
    venv = root / ".venv"
    places = {
        "ROOT": root,
        "VENV": venv,
        "SCRIPTS": venv / "bin",
        "PYTHON": venv / "bin" / "python",
    }
    for name, place in places.items():
        monkeypatch.setattr(environment, name, place)
    monkeypatch.setattr("shutil.which", lambda name: None)
    return environment


@pytest.fixture
def tools(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Tools:
    tools = Tools(environment.VENV)
    monkeypatch.setattr(environment, "_call", tools)
    return tools


def test_the_first_start_makes_it(environment: ModuleType, tools: Tools):
    assert environment.ensure("window") == environment.PYTHON
    assert tools.done == ["pip venv", "pip requirements.txt"]


def test_the_second_start_does_nothing(environment: ModuleType, tools: Tools):
    environment.ensure("window", "test")
    tools.done.clear()
    environment.ensure("window")
    environment.ensure("window", "test")
    assert tools.done == []


def test_the_libraries_of_the_tests_come_with_the_first_test(environment: ModuleType, tools: Tools):
    environment.ensure("window")
    tools.done.clear()
    environment.ensure("window", "test")
    assert tools.done == ["pip requirements-test.txt"]


def test_changed_requirements_are_installed(environment: ModuleType, tools: Tools):
    environment.ensure("window", "test")
    tools.done.clear()
    (environment.ROOT / "packaging" / "requirements.txt").write_text("# changed\n")
    environment.ensure("window", "test")
    assert tools.done == ["pip requirements.txt"]


def test_another_python_makes_it_anew(
    environment: ModuleType, tools: Tools, monkeypatch: pytest.MonkeyPatch
):
    environment.ensure("window")
    tools.done.clear()
    (environment.VENV / "pyvenv.cfg").write_text("version = 3.9.2\n")
    environment.ensure("window", "test")
    assert tools.done[0] == "pip venv"


def test_a_folder_that_has_moved_makes_it_anew(environment: ModuleType, tools: Tools):
    environment.ensure("window")
    stamp = next(environment.VENV.glob("*.stamp"))
    stamp.write_text(stamp.read_text().replace("a clone", "elsewhere"))
    tools.done.clear()
    environment.ensure("window")
    assert tools.done == ["pip venv", "pip requirements.txt"]


def test_an_interrupted_installation_is_taken_up_again(environment: ModuleType, tools: Tools):
    tools.broken = {"pip"}
    with pytest.raises(SystemExit):
        environment.ensure("window")
    tools.broken = set()
    environment.ensure("window")
    assert tools.done[-1] == "pip requirements.txt"


def test_uv_is_preferred(environment: ModuleType, tools: Tools, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    environment.ensure("window")
    assert tools.done == ["uv venv", "uv requirements.txt"]


def test_where_uv_fails_pip_is_tried(
    environment: ModuleType, tools: Tools, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    tools.broken = {"uv"}
    environment.ensure("window")
    assert tools.done == ["uv venv", "pip venv", "pip requirements.txt"]


def test_one_that_is_made_anew_gets_everything_again(
    environment: ModuleType, tools: Tools, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    environment.ensure("window")
    monkeypatch.setattr("shutil.which", lambda name: None)
    tools.done.clear()
    environment.ensure("window", "test")
    assert tools.done == ["pip venv", "pip requirements.txt", "pip requirements-test.txt"]


def test_without_ensurepip_the_package_of_debian_is_missing(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
):
    assert environment.missing_packages() == []
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert environment.missing_packages() == [f"python{VERSION}-venv"]
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    assert environment.missing_packages() == [], "uv does without"


def test_where_there_is_a_venv_nothing_is_missing(
    environment: ModuleType, tools: Tools, monkeypatch: pytest.MonkeyPatch
):
    environment.ensure("window")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert environment.missing_packages() == []


def test_the_project_can_be_imported_and_started(environment: ModuleType, tools: Tools):
    environment.ensure("window")
    path = next(environment.VENV.glob("lib/*/site-packages/backwire.pth"))
    assert path.read_text() == f"{environment.ROOT}\n"
    python = environment.PYTHON
    python.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    python.chmod(0o755)
    link = environment.ROOT / "link to backwire"
    link.symlink_to(environment.SCRIPTS / "backwire")
    done = subprocess.run([link, "run", "-e", "a b"], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["-P", "-m", "app", "run", "-e", "a b"]
