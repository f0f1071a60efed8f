"""The shared libraries and programs that Linux must bring along: looked for, and installed."""

import ctypes
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence

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


def for_window() -> dict[str, str]:
    """What the window needs here, under Wayland or under X11."""
    return WINDOW | (WAYLAND if os.environ.get("WAYLAND_DISPLAY") else X11)


def for_tests() -> dict[str, str]:
    """What the tests need: they also look at the window in an X server without a screen."""
    return WINDOW | X11 | PROGRAMS


def ensure(needed: Mapping[str, str], packages: Sequence[str] = ()) -> None:
    """Install what is missing of `needed`, and `packages`, or say how to and stop."""
    if sys.platform != "linux":
        return
    missing = [name for name in needed if not _is_there(name)]
    if not (missing or packages):
        return
    print(f"This system lacks {', '.join([*missing, *packages])}.", flush=True)
    if not shutil.which("apt-get"):
        stop(_advice_without_apt([*missing, *packages]))
    _install([needed[name] for name in missing] + list(packages))
    still = [name for name in missing if not _is_there(name)]
    if still:
        stop(f"Still missing after the installation: {', '.join(still)}.")


def _install(packages: Sequence[str]) -> None:
    """Install packages as root with apt-get; else print the exact command and stop."""
    command = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    if os.geteuid() != 0:
        stop(f"Please run this, and start again:\n    sudo {' '.join(command)}")
    print(f"Installing {' '.join(packages)} ...", flush=True)
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    said = ""
    for step in (["apt-get", "update", "-qq"], [*command, "-qq"]):
        done = subprocess.run(
            step, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        said += done.stdout
    if done.returncode:  # a list of packages that could not be updated may still do
        stop(f"{said}\nThis did not succeed: {' '.join(command)}")


def stop(sentence: str) -> None:
    """End with the exit code that means: no display or library."""
    print(sentence, file=sys.stderr)
    sys.exit(3)


def _is_there(name: str) -> bool:
    if ".so" not in name:
        return shutil.which(name) is not None
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def _advice_without_apt(names: Sequence[str]) -> str:
    if shutil.which("dnf"):
        provides = " ".join(_rpm_name(name) for name in names)
        return f"Please run this, and start again:\n    sudo dnf install {provides}"
    return "Please install the packages of your system that bring it, and start again."


def _rpm_name(name: str) -> str:
    if ".so" not in name:
        return name if name.startswith("python") else f"/usr/bin/{name}"
    return f"'{name}()(64bit)'" if platform.architecture()[0] == "64bit" else f"'{name}'"


if __name__ == "__main__":
    ensure(for_tests())
