"""The oldest systems on which Backwire's libraries run, and a sentence for anything older.

The numbers are those in the names of the wheels in requirements.txt (manylinux_2_34, macosx_13_0).
"""

import os
import platform
import sys
from typing import NoReturn

GLIBC = {"x86_64": (2, 34), "aarch64": (2, 39)}
"""Oldest glibc by processor; there are no wheels for other processors."""
MACOS = (13, 0)


def check() -> None:
    """Stop with one sentence when the libraries can't run here."""
    sentence = shortfall()
    if sentence:
        stop(sentence)


def shortfall() -> str:
    """What this system is too old for, or an empty text."""
    machine = platform.machine()
    if sys.platform == "linux":
        return _linux(machine, _libc())
    if sys.platform == "darwin":
        return _macos(platform.mac_ver()[0])
    if sys.platform == "win32" and machine.upper() == "ARM64":
        return "Backwire does not run on Windows on ARM: one of its libraries is not built for it."
    return ""


def stop(sentence: str) -> NoReturn:
    """End with the exit code that means: no display or library."""
    print(sentence, file=sys.stderr, flush=True)
    sys.exit(3)


def _linux(machine: str, libc: str) -> str:
    if machine not in GLIBC:
        known = " and ".join(GLIBC)
        return f"Backwire runs on Linux with the processors {known}; this one is {machine}."
    needed = ".".join(map(str, GLIBC[machine]))
    name, _, version = libc.partition(" ")
    if name != "glibc":
        return f"Backwire needs Linux with glibc {needed} or newer; this one has no glibc."
    if _numbers(version) < GLIBC[machine]:
        return f"Backwire needs glibc {needed} or newer on {machine}; this system has {version}."
    return ""


def _macos(version: str) -> str:
    if version and _numbers(version) < MACOS:
        return f"Backwire needs macOS {MACOS[0]} or newer; this is macOS {version}."
    return ""


def _libc() -> str:
    """The C library as `glibc 2.36`; an empty text for others, such as musl."""
    if os.name != "posix":
        return ""
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (OSError, ValueError):
        return ""


def _numbers(version: str) -> "tuple[int, ...]":
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
