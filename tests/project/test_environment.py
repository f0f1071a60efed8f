"""How `.venv` is made, stamped and made again."""

import os
import site
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]
VERSION = f"{sys.version_info[0]}.{sys.version_info[1]}"


class Tools:
    """Stands in for uv and pip: makes the folders, and remembers what was asked for."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.broken: set[str] = set()
        self.says = "something went wrong\n"

    def __call__(self, *command: object, progress: object = None) -> None:
        words = [str(part) for part in command]
        tool = "uv" if words[0] == "uv" else "pip"
        self.done.append(f"{tool} {'venv' if 'venv' in words else Path(words[-1]).name}")
        if tool in self.broken:
            import installers

            raise installers.FailedError(words, self.says)
        if "venv" in words:
            self._make_venv(tool, Path(words[-1]))

    def _make_venv(self, tool: str, venv: Path) -> None:
        packages = venv / "lib" / f"python{VERSION}" / "site-packages"
        packages.mkdir(parents=True)
        (venv / "bin").mkdir()
        (venv / "bin" / "python").touch()
        (venv / "bin" / "pytest").write_text(f"#!{venv}/bin/python3\nprint('tested')\n")
        (venv / "bin" / "pytest").chmod(0o755)
        (venv / "bin" / "activate").write_text(f'VIRTUAL_ENV="{venv}"\nexport VIRTUAL_ENV\n')
        (venv / "pyvenv.cfg").write_text(f"version = {VERSION}.1\n")
        if tool == "pip":
            (packages / "pip").mkdir()


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    if sys.platform == "win32":
        pytest.skip("the folders stand for those of Linux and macOS")
    monkeypatch.syspath_prepend(ROOT / "packaging")
    import environment

    root = tmp_path / "a clone für Übungen"
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
    monkeypatch.setattr(environment, "_works", lambda: environment.PYTHON.exists())
    return environment


@pytest.fixture
def tools(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Tools:
    import installers

    tools = Tools()
    monkeypatch.setattr(installers, "call", tools)
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


def seen(folder: Path) -> dict[str, bytes]:
    """All that a folder holds."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def change_requirements(environment: ModuleType, tools: Tools) -> None:
    (environment.ROOT / "packaging" / "requirements.txt").write_text("# changed\n")


def take_another_python(environment: ModuleType, tools: Tools) -> None:
    (environment.VENV / "pyvenv.cfg").write_text("version = 3.9.2\n")
    stamp = environment.VENV / "backwire-window.stamp"
    stamp.write_text(stamp.read_text().replace(VERSION, "3.9"))


CHANGES = [change_requirements, take_another_python]


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_no_longer_right_is_made_anew_with_all_that_it_had(environment, tools, change):
    environment.ensure("window", "test")
    change(environment, tools)
    tools.done.clear()
    environment.ensure("window")
    assert tools.done == ["pip venv", "pip requirements.txt", "pip requirements-test.txt"]
    assert [path.name for path in environment.ROOT.glob(".venv*")] == [".venv"]
    assert environment._made_for(environment.VENV) == VERSION
    tools.done.clear()
    environment.ensure("window", "test")
    assert tools.done == []


@pytest.mark.parametrize("change", CHANGES)
def test_where_nothing_can_be_had_what_is_there_goes_on(environment, tools, change, capsys):
    environment.ensure("window")
    change(environment, tools)
    before = seen(environment.VENV)
    capsys.readouterr()
    tools.broken, tools.says = {"pip"}, "error: dns error\n"
    assert environment.ensure("window") == environment.PYTHON
    assert seen(environment.VENV) == before
    assert [path.name for path in environment.ROOT.glob(".venv*")] == [".venv"]
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-1].startswith(
        "There is no connection to the package index; Backwire goes on with the .venv that is there"
    )
    with pytest.raises(SystemExit):
        environment.ensure("window", "test")
    assert seen(environment.VENV) == before


def test_one_whose_python_has_gone_is_not_gone_on_with(environment: ModuleType, tools: Tools):
    environment.ensure("window")
    environment.PYTHON.unlink()
    tools.broken = {"pip"}
    with pytest.raises(SystemExit):
        environment.ensure("window")
    tools.broken = set()
    environment.ensure("window")
    assert environment.PYTHON.exists()


def test_an_end_between_the_two_steps_of_the_swap_is_made_up_for(environment, tools):
    environment.ensure("window")
    environment.VENV.rename(environment.ROOT / ".venv-old")
    tools.broken = {"pip"}
    assert environment.ensure("window").exists()
    assert not (environment.ROOT / ".venv-old").exists()


def test_a_folder_that_has_moved_needs_no_network(environment, tools, monkeypatch):
    environment.ensure("window", "test")
    tools.done.clear()
    moved = environment.ROOT.with_name("Kopie von Übungen")
    environment.ROOT.rename(moved)
    places = {"ROOT": moved, "VENV": moved / ".venv", "PYTHON": moved / ".venv" / "bin" / "python"}
    for name, place in places.items():
        monkeypatch.setattr(environment, name, place)
    assert environment.ensure("window", "test") == environment.PYTHON
    assert tools.done == []
    path = next(environment.VENV.glob("lib/*/site-packages/backwire.pth"))
    assert path.read_text("ascii") == environment._path_line()
    python = environment.PYTHON
    python.unlink()
    python.symlink_to(sys.executable)
    done = subprocess.run([python.with_name("pytest")], capture_output=True, text=True)
    assert done.stdout == "tested\n", done.stderr
    show = '. "$1" && printf "%s\\n" "$VIRTUAL_ENV"'
    for line in (
        "VIRTUAL_ENV=/old",
        "VIRTUAL_ENV='/o d'",
        'VIRTUAL_ENV="/o"',
        "export VIRTUAL_ENV=/o",
    ):
        activate = python.with_name("activate")
        activate.write_text(f"old=$(echo /x)\n    {line}\nexport VIRTUAL_ENV\n")
        environment._move_in(environment.VENV)
        command = ["sh", "-c", show, "sh", activate]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.stdout == f"{environment.VENV}\n", (line, done.stderr)


@pytest.mark.usefixtures("environment")
def test_scripts_of_other_shells_name_the_venv_too(tmp_path):
    import launchers

    scripts = tmp_path / "bin"
    scripts.mkdir()
    shells = {"csh": "setenv VIRTUAL_ENV ", "fish": "set -gx VIRTUAL_ENV "}
    for old in ("/plain", "'/o d'", '"/o d"'):
        for shell, start in shells.items():
            (scripts / f"activate.{shell}").write_text(f"{start}{old}\nunset VIRTUAL_ENV\n")
        launchers.write(scripts, Path("/a b"))
        for shell, start in shells.items():
            text = (scripts / f"activate.{shell}").read_text()
            assert text == f"{start}'/a b'\nunset VIRTUAL_ENV\n", (shell, old)


def test_a_folder_that_is_renamed_starts_without_run_py(environment, tools):
    environment.ensure("window")
    (environment.ROOT / "run.py").touch()
    (environment.ROOT / "app").mkdir()
    (environment.ROOT / "app" / "__main__.py").write_text("print('started')\n")
    moved = environment.ROOT.with_name("renamed, too")
    environment.ROOT.rename(moved)
    python = moved / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to(sys.executable)
    done = subprocess.run([python.with_name("backwire")], capture_output=True, text=True)
    assert done.stdout == "started\n", done.stderr


@pytest.mark.parametrize(
    "start",
    [
        "#!/some where/.venv-new/bin/python3.13",
        "#!/bin/sh\n'''exec' \"/some where/bin/python\" \"$0\" \"$@\"\n' '''",
    ],
)
def test_a_program_of_pip_or_uv_finds_its_python_beside_itself(tmp_path: Path, start: str):
    import launchers

    scripts = tmp_path / "ein Ort" / "bin"
    scripts.mkdir(parents=True)
    (scripts / "python").symlink_to(sys.executable)
    program = scripts / "tool"
    program.write_text(f"{start}\nimport sys\nprint(sys.argv[1:])\n")
    program.chmod(0o755)
    other = scripts / "binary"
    other.write_bytes(b"\x7fELF #!/bin/python\n")
    for _ in range(2):
        launchers.write(scripts, scripts.parent)
        done = subprocess.run([program, "a b"], capture_output=True, text=True)
        assert done.stdout == "['a b']\n", done.stderr
    assert other.read_bytes() == b"\x7fELF #!/bin/python\n"


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


def test_where_uv_fails_pip_is_tried(environment, tools, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    tools.broken = {"uv"}
    environment.ensure("window")
    assert tools.done == ["uv venv", "pip venv", "pip requirements.txt"]


def test_without_ensurepip_the_package_of_debian_is_missing(environment, monkeypatch):
    assert environment.missing_packages() == []
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert environment.missing_packages() == [f"python{VERSION}-venv"]
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    assert environment.missing_packages() == [], "uv does without"


def test_where_there_is_a_venv_nothing_is_missing(environment, tools, monkeypatch):
    environment.ensure("window")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert environment.missing_packages() == []


def test_the_project_can_be_imported_and_started(environment, tools, monkeypatch):
    environment.ensure("window")
    path = next(environment.VENV.glob("lib/*/site-packages/backwire.pth"))
    monkeypatch.setattr(sys, "path", [*sys.path])
    site.addpackage(str(path.parent), path.name, set())
    installed = environment.ROOT / "packaging" / "installed"
    assert sys.path[-2:] == [str(environment.ROOT), str(installed)]
    path.read_text("ascii")  # so that no locale can misread it
    python = environment.PYTHON
    python.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    python.chmod(0o755)
    link = environment.ROOT / "link to backwire"
    link.symlink_to(environment.SCRIPTS / "backwire")
    done = subprocess.run([link, "run", "-e", "a b"], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["-P", "-m", "app", "run", "-e", "a b"]


def test_qt_finds_its_plugins_whatever_a_folder_is_called(environment, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "path", [*sys.path])
    environ = {"QT_PLUGIN_PATH": "kept"}
    monkeypatch.setattr(os, "environ", environ)
    exec(environment._path_line(), {"sitedir": "/a,b"})
    assert environ == {"QT_PLUGIN_PATH": "kept"}
    for folder in ("Übungen, 100 %", 'the "best"', "a;b", "a\\b", "plain"):
        environ.clear()
        packages = tmp_path / folder / ".venv" / "lib" / f"python{VERSION}" / "site-packages"
        exec(environment._path_line(), {"sitedir": str(packages)})
        wanted = {"QT_PLUGIN_PATH": str(packages / "PySide6/Qt/plugins")}
        assert environ == (wanted if folder != "plain" else {})


def test_a_folder_in_which_one_may_not_write_is_named_before_anything_is_tried(
    environment, tools, monkeypatch, capsys
):
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(SystemExit) as stop:
        environment.ensure("window")
    assert stop.value.code == 3
    assert f"you may not write in {environment.ROOT}." in capsys.readouterr().err
    assert tools.done == []


def test_a_venv_of_another_user_is_what_the_sentence_names(environment, tools, monkeypatch, capsys):
    environment.ensure("window")
    change_requirements(environment, tools)
    theirs = environment.VENV
    monkeypatch.setattr("os.access", lambda path, mode: path != theirs)
    monkeypatch.setattr(
        "os.path.exists", lambda path: not str(path).startswith(f"{theirs}{os.sep}")
    )
    with pytest.raises(SystemExit):
        environment.ensure("window")
    assert f"\n{theirs} belongs to another user, and you may not" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("says", "small", "rest", "named"),
    [
        ("[Errno 28] No space left on device", 300, 9000, True),
        ("ensurepip is not available", 2, 9000, True),
        ("[Errno 28] No space left on device", 300, 300, False),
        ("dns error", 300, 9000, False),
    ],
)
def test_a_small_folder_for_temporary_files_is_named(
    environment, monkeypatch, says, small, rest, named
):
    import installers

    room = {"/small": small * 1e6, environment.ROOT: rest * 1e6}
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/small")
    monkeypatch.setattr("shutil.disk_usage", lambda folder: SimpleNamespace(free=room[folder]))
    sentence = environment._too_little_room(installers.cause(says))
    assert (f"too little room for temporary files: /small has {small} MB" in sentence) == named


def test_a_folder_that_is_set_up_may_be_read_only(environment, tools, monkeypatch):
    environment.ensure("window")
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert environment.ensure("window") == environment.PYTHON


def test_a_file_of_another_owner_is_the_same_sentence(environment, tools, monkeypatch, capsys):
    def refuse() -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(environment, "_move_in", lambda venv: refuse())
    with pytest.raises(SystemExit) as stop:
        environment.ensure("window")
    assert stop.value.code == 3
    assert "you may not write in" in capsys.readouterr().err


def test_what_a_tool_says_is_shown_when_it_fails_and_the_sentence_comes_last(
    environment, tools, capsys
):
    tools.broken = {"pip"}
    tools.says = "OSError: [Errno 28] No space left on device\n"
    with pytest.raises(SystemExit) as stop:
        environment.ensure("window")
    said = capsys.readouterr().err.strip().splitlines()
    assert stop.value.code == 3
    assert tools.says.strip() in said
    assert said[-1].startswith("The disk is full")


STARTER = """
import sys
sys.path.insert(0, sys.argv[1])
import environment
from pathlib import Path

class Slow:
    def __init__(self, venv, *_): self.venv = venv
    def can_use_venv(self): return False
    def make_venv(self):
        print("making", flush=True)
        sys.stdin.readline()
        (self.venv / "lib/python/site-packages").mkdir(parents=True)
        (self.venv / "bin").mkdir()
        (self.venv / "bin" / "python").touch()
    def install(self, requirements): pass

environment.ROOT = Path(sys.argv[2])
environment.VENV = environment.ROOT / ".venv"
environment.SCRIPTS = environment.VENV / "bin"
environment.PYTHON = environment.SCRIPTS / "python"
environment.Uv = environment.Pip = Slow
environment._is_at_home = lambda venv: True
environment.ensure("window")
print("done", flush=True)
"""


def test_a_second_start_at_the_same_time_waits_for_the_first(environment: ModuleType):
    command = [sys.executable, "-c", STARTER, str(ROOT / "packaging"), str(environment.ROOT)]

    def start() -> subprocess.Popen[str]:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    with start() as first:
        assert first.stdout is not None
        said = [first.stdout.readline(), first.stdout.readline()]
        assert said[1] == "making\n", said
        with start() as second:
            assert second.stdout is not None
            assert second.stdout.readline().startswith("Another start is setting Backwire up")
            assert first.communicate("go on\n")[0].endswith("done\n")
            assert second.communicate()[0] == "done\n", "it has nothing left to do"
    assert not list(environment.ROOT.glob("*.lock"))
