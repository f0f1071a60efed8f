"""The shared libraries and programs that Linux must bring along: looked for, and installed."""

import ctypes
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from floor import stop

# soname or program -> the package of Debian and Ubuntu that brings it
WINDOW = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libXrender.so.1": "libxrender1",
}
X11 = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-shape.so.0": "libxcb-shape0",
}
WAYLAND = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
}
PROGRAMS = {"Xvfb": "xvfb", "xauth": "xauth"}
BROWSER = {"chromium": "chromium"}
SHELL = "chromium-headless-shell"
BROWSERS = (SHELL, "chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
"""Programs that are Chromium; any of them will do.

Debian's without windows and menus takes a third less of the processor.
"""
FIREFOX = "firefox-esr"

PATIENCE = 120.0
"""Seconds to wait for another program that is installing packages."""
PAUSE = 2.0
"""Seconds between two tries."""


def for_window() -> dict[str, str]:
    """What the window needs here, under Wayland or under X11, or on no screen."""
    default = "wayland" if os.environ.get("WAYLAND_DISPLAY") else "xcb"
    platform = re.split("[:;]", os.environ.get("QT_QPA_PLATFORM") or default)[0]
    more = WAYLAND if platform.startswith("wayland") else X11 if platform == "xcb" else {}
    return WINDOW | more


def for_tools() -> dict[str, str]:
    """What verbs and tools need that show nothing: no library of Qt."""
    return {}


def for_tests() -> dict[str, str]:
    """What the tests need: they also look at the window in an X server without a screen."""
    return WINDOW | X11 | PROGRAMS


def find_chromium() -> "str | None":
    """The path of Chromium, in which pages are tested; None if there is none."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def find_firefox() -> "str | None":
    """The path of Debian's Firefox, in which what pages compute is tested too; None without it."""
    return shutil.which(FIREFOX)


def for_browser() -> dict[str, str]:
    """What the tests of pages need besides: a Chromium, if there is none."""
    if find_chromium():
        return {}
    return {SHELL: SHELL} if _has_shell() else BROWSER


def _has_shell() -> bool:
    """Whether this system has the package: Debian since version 12."""
    try:
        system = platform.freedesktop_os_release()
    except OSError:
        return False
    return system["ID"] == "debian" and float(system.get("VERSION_ID", "13")) >= 12


def for_bundle() -> dict[str, str]:
    """What PyInstaller needs besides: a program that reads libraries, and Python as a library."""
    return WINDOW | X11 | {"objdump": "binutils"} | _python_library()


def ensure(needed: Mapping[str, str], packages: Sequence[str] = ()) -> None:
    """Install what is missing of `needed`, and `packages`, or say how to and stop."""
    if sys.platform != "linux":
        return
    missing = [name for name in needed if not _is_there(name)]
    if not (missing or packages):
        return
    _say(f"This system lacks {', '.join([*missing, *packages])}.")
    if not shutil.which("apt-get"):
        stop(_advice_without_apt([*missing, *packages]))
    _install([needed[name] for name in missing] + list(packages))
    still = [name for name in missing if not _is_there(name)]
    if still:
        stop(f"Still missing after the installation: {', '.join(still)}.")


def _install(packages: Sequence[str]) -> None:
    """Install packages as root with apt-get; else print the exact command and stop."""
    command = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    if os.name != "posix" or os.geteuid() != 0:
        stop(_advice(["apt-get update", " ".join(command)]))
    _say("Fetching the lists of packages (up to a minute) ...")
    updated = _apt(["apt-get", "update", "-qq"])
    _say(f"Installing {' '.join(packages)} (up to some minutes) ...")
    done = _apt([*command, "-qq"])
    if done.returncode:  # a list of packages that could not be updated may still do
        said = updated.stdout + done.stdout
        print(said, file=sys.stderr)
        stop(f"{_apt_cause(said)}: {' '.join(command)}")


def _apt(command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    """Run apt-get; while another program holds its lock, wait and try again."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    end = time.monotonic() + PATIENCE
    told = False
    while True:
        done = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        holder = _lock_holder(done.stdout) if done.returncode else ""
        if not holder:
            return done
        if time.monotonic() >= end:
            stop(
                f"{holder} is still installing packages after {PATIENCE:.0f} seconds. "
                "Let it finish, and start again."
            )
        if not told:
            _say(f"{holder} is installing packages; waiting for it ...")
            told = True
        time.sleep(PAUSE)


def _lock_holder(said: str) -> str:
    """The program that holds apt's lock, as the subject of a sentence; empty without one."""
    if not re.search(r"Could not get lock|Unable to (acquire|lock)", said):
        return ""
    found = re.search(r"held by process (\d+)(?: \(([^)]+)\))?", said)
    if found is None:
        return "Another program"
    return f"{found[2] or 'Another program'} (process {found[1]})"


def _apt_cause(said: str) -> str:
    if re.search(r"Temporary failure resolving|Could not (resolve|connect)|unreachable", said):
        return "There is no connection to the packages of this system, so this did not succeed"
    return "This did not succeed"


def _python_library() -> dict[str, str]:
    """The shared library of this Python with its package; nothing where it is beside Python."""
    if sys.platform != "linux":
        return {}
    if not sysconfig.get_config_var("Py_ENABLE_SHARED"):
        stop(
            f"A bundle needs a Python with a shared library, and {sys.executable} is built without "
            "one. Use the Python of your system."
        )
    name = str(sysconfig.get_config_var("INSTSONAME"))
    beside = Path(str(sysconfig.get_config_var("LIBDIR")), name)
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    return {} if beside.exists() else {name: f"libpython{version}"}


def _is_there(name: str) -> bool:
    if ".so" not in name:
        return shutil.which(name) is not None
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def _advice(commands: Sequence[str]) -> str:
    """Ask for commands of root, one after the other; not every system has sudo."""
    if shutil.which("sudo"):
        line = " && ".join(f"sudo {command}" for command in commands)
        return f"Please run this, and start again:\n    {line}"
    line = " && ".join(commands)
    return f"Please run this as root, and start again:\n    {line}"


def _advice_without_apt(names: Sequence[str]) -> str:
    if shutil.which("dnf"):
        provides = " ".join(_rpm_name(name) for name in names)
        return _advice([f"dnf install {provides}"])
    return "Please install the packages of your system that bring it, and start again."


def _rpm_name(name: str) -> str:
    if ".so" not in name:
        return name if name.startswith("python") else f"/usr/bin/{name}"
    return f"'{name}()(64bit)'" if platform.architecture()[0] == "64bit" else f"'{name}'"


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    ensure(for_tests() | for_browser())
