"""What Linux must bring along: found, installed by root, or asked for in one command."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """On a Debian that lacks libEGL and xauth, with an ordinary user."""
    monkeypatch.syspath_prepend(ROOT / "packaging")
    import libraries

    lacking = {"libEGL.so.1", "xauth"}
    monkeypatch.setattr(libraries, "_is_there", lambda name: name not in lacking)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("shutil.which", lambda name: name if name == "apt-get" else None)
    monkeypatch.setattr("os.geteuid", lambda: 1000, raising=False)
    return libraries


def test_a_user_is_told_the_exact_command(libraries, capsys):
    with pytest.raises(SystemExit) as stop:
        libraries.ensure(libraries.for_tests())
    said = capsys.readouterr()
    assert stop.value.code == 3
    install = "apt-get install -y --no-install-recommends libegl1 xauth"
    assert said.out == ""
    assert said.err == (
        "This system lacks libEGL.so.1, xauth.\n"
        f"Please run this as root, and start again:\n    apt-get update && {install}\n"
    )


@pytest.mark.parametrize(
    ("tools", "given", "told"),
    [
        (("apt-get", "sudo"), ("window",), "    sudo apt-get update && sudo apt-get install -y "),
        (("apt-get",), ("window", "python3.11-venv"), "recommends libegl1 python3.11-venv\n"),
        (("dnf",), ("tests",), "    dnf install 'libEGL.so.1()(64bit)' /usr/bin/xauth"),
    ],
    ids=["sudo", "what Python lacks", "Fedora"],
)
def test_the_command_is_that_of_the_system(libraries, monkeypatch, capsys, tools, given, told):
    monkeypatch.setattr("shutil.which", lambda name: name if name in tools else None)
    part, *packages = given
    with pytest.raises(SystemExit):
        libraries.ensure(getattr(libraries, f"for_{part}")(), packages)
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("there", "needed"),
    [("google-chrome", {}), ("chromium", {}), ("firefox", {"chromium": "chromium"})],
)
def test_any_chromium_shows_the_pages(libraries, monkeypatch, there, needed):
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}" if name == there else None)
    monkeypatch.setattr("platform.freedesktop_os_release", lambda: {"ID": "ubuntu"})
    assert libraries.for_browser() == needed


def test_a_debian_is_given_the_chromium_without_windows(libraries, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda _name: None)
    for version, needed in (("11", "chromium"), ("12", "chromium-headless-shell")):
        system = {"ID": "debian", "VERSION_ID": version}
        monkeypatch.setattr("platform.freedesktop_os_release", lambda system=system: system)
        assert libraries.for_browser() == {needed: needed}


def test_root_has_it_installed_and_reads_what_is_awaited(libraries, monkeypatch, capsys):
    commands: list[Sequence[str]] = []
    said: list[str] = []

    def succeed(command: Sequence[str], **_: object) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        said.append(capsys.readouterr().err.splitlines()[-1])
        monkeypatch.setattr(libraries, "_is_there", lambda name: True)
        return subprocess.CompletedProcess(command, 0, "")

    monkeypatch.setattr("os.geteuid", lambda: 0, raising=False)
    monkeypatch.setattr("subprocess.run", succeed)
    libraries.ensure(libraries.for_tests())
    libraries.ensure(libraries.for_tests())
    assert [command[1] for command in commands] == ["update", "install"]
    assert {"libegl1", "xauth"} <= set(commands[1])
    assert said == [
        "Fetching the lists of packages (up to a minute) ...",
        "Installing libegl1 xauth (up to some minutes) ...",
    ]


LOCKED = (
    "E: Could not get lock /var/lib/dpkg/lock-frontend. "
    "It is held by process 4711 (unattended-upgr)\n"
    "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process "
    "using it?\n"
)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, in seconds, which passes only while somebody sleeps."""
    now = [0.0]
    monkeypatch.setattr("os.geteuid", lambda: 0, raising=False)
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    monkeypatch.setattr("time.sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
    return now


def test_while_another_program_installs_packages_it_waits(libraries, monkeypatch, clock, capsys):
    def apt(command: Sequence[str], **_: object) -> subprocess.CompletedProcess[str]:
        if clock[0] < 30:
            return subprocess.CompletedProcess(command, 100, LOCKED)
        monkeypatch.setattr(libraries, "_is_there", lambda name: True)
        return subprocess.CompletedProcess(command, 0, "")

    monkeypatch.setattr("subprocess.run", apt)
    libraries.ensure(libraries.for_tests())
    said = capsys.readouterr().err
    assert said.count("unattended-upgr (process 4711) is installing packages; waiting for it") == 1
    assert clock[0] == pytest.approx(30, abs=2)


def test_after_two_minutes_of_waiting_it_says_who_holds_the_lock(
    libraries, monkeypatch, clock, capsys
):
    locked = subprocess.CompletedProcess([], 100, LOCKED)
    monkeypatch.setattr("subprocess.run", lambda command, **_: locked)
    with pytest.raises(SystemExit) as stop:
        libraries.ensure(libraries.for_tests())
    assert stop.value.code == 3
    assert clock[0] == pytest.approx(120, abs=2)
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith("unattended-upgr (process 4711) is still installing packages after 120")


def test_packages_that_can_not_be_fetched_are_a_matter_of_the_network(
    libraries, monkeypatch, capsys
):
    failed = subprocess.CompletedProcess(
        [], 100, "Err:1 http://deb.example bookworm InRelease\n  Temporary failure resolving"
    )
    monkeypatch.setattr("os.geteuid", lambda: 0, raising=False)
    monkeypatch.setattr("subprocess.run", lambda command, **_: failed)
    with pytest.raises(SystemExit):
        libraries.ensure(libraries.for_window())
    last = capsys.readouterr().err.strip().splitlines()[-1]
    assert last.startswith("There is no connection to the packages of this system")


def test_a_bundle_needs_objdump_and_the_library_of_python(libraries, monkeypatch, capsys):
    settings = {"Py_ENABLE_SHARED": 1, "INSTSONAME": "libpython3.11.so.1.0", "LIBDIR": "/nowhere"}
    monkeypatch.setattr("sysconfig.get_config_var", settings.get)
    monkeypatch.setattr("sys.version_info", (3, 11, 2))
    lacking = {"objdump", "libpython3.11.so.1.0"}
    monkeypatch.setattr(libraries, "_is_there", lambda name: name not in lacking)
    with pytest.raises(SystemExit):
        libraries.ensure(libraries.for_bundle())
    assert "recommends binutils libpython3.11\n" in capsys.readouterr().err


def test_a_python_without_its_library_can_make_no_bundle(libraries, monkeypatch, capsys):
    monkeypatch.setattr("sysconfig.get_config_var", {"Py_ENABLE_SHARED": 0}.get)
    with pytest.raises(SystemExit) as stop:
        libraries.for_bundle()
    assert stop.value.code == 3
    assert "shared library" in capsys.readouterr().err


def test_what_cannot_be_installed_stops_with_its_name(libraries, monkeypatch, capsys):
    nothing = subprocess.CompletedProcess([], 0, "")
    monkeypatch.setattr("os.geteuid", lambda: 0, raising=False)
    monkeypatch.setattr("subprocess.run", lambda command, **_: nothing)
    with pytest.raises(SystemExit) as stop:
        libraries.ensure(libraries.for_window())
    assert stop.value.code == 3
    assert "libEGL.so.1" in capsys.readouterr().err


def test_other_systems_need_nothing(libraries: ModuleType, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    libraries.ensure(libraries.for_tests())


def test_under_wayland_nothing_of_x11_is_asked_for(libraries, monkeypatch):
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    assert "libxcb-cursor.so.0" not in libraries.for_window()
    x11, wayland = "libxcb-cursor.so.0", "libwayland-client.so.0"
    for platform, wanted in (("xcb", x11), ("wayland;xcb", wayland), ("offscreen:x=1", None)):
        monkeypatch.setenv("QT_QPA_PLATFORM", platform)
        assert {x11, wayland} & libraries.for_window().keys() == {wanted} - {None}, platform
    monkeypatch.delenv("QT_QPA_PLATFORM")
    monkeypatch.delenv("WAYLAND_DISPLAY")
    assert "libxcb-cursor.so.0" in libraries.for_window()
