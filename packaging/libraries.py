"""The shared libraries and programs that Linux must bring along: looked for, and installed."""

import ctypes
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence

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


def ensure(needed: dict[str, str]) -> None:
    """Install what is missing of `needed`, or say how to, and stop with exit code 3."""
    if sys.platform != "linux":
        return
    missing = [name for name in needed if not _is_there(name)]
    if missing:
        sentence = f"Qt needs what this system lacks: {', '.join(missing)}"
        install_packages([needed[name] for name in missing], sentence, missing)
        still = [name for name in missing if not _is_there(name)]
        if still:
            stop(f"Still missing after the installation: {', '.join(still)}.")


def install_packages(packages: Sequence[str], why: str, names: Sequence[str] = ()) -> None:
    """Install packages as root with apt-get; else print the exact command and stop."""
    if not shutil.which("apt-get"):
        stop(f"{why}.\n{_other_command(names)}")
    command = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    if os.geteuid() != 0:
        stop(f"{why}. Install it with:\n    sudo {' '.join(command)}")
    print(f"{why}; installing {' '.join(packages)} ...", flush=True)
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for step in (["apt-get", "update", "-qq"], [*command, "-qq"]):
        done = subprocess.run(step, env=environment, stdout=subprocess.PIPE, text=True)
        if done.returncode:
            stop(f"{done.stdout}\nThis did not succeed: {' '.join(step)}")


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


def _other_command(names: Sequence[str]) -> str:
    if shutil.which("dnf"):
        provides = " ".join(_rpm_name(name) for name in names)
        return f"Install it with:\n    sudo dnf install {provides}"
    return "Install the packages of your system that bring it, and start again."


def _rpm_name(name: str) -> str:
    if ".so" not in name:
        return f"/usr/bin/{name}"
    return f"'{name}()(64bit)'" if platform.architecture()[0] == "64bit" else f"'{name}'"


if __name__ == "__main__":
    ensure(for_tests())
