"""The `.venv` of the project: made once from pinned requirements, stamped, found again at once."""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
WINDOWS = os.name == "nt"
SCRIPTS = VENV / ("Scripts" if WINDOWS else "bin")
PYTHON = SCRIPTS / ("python.exe" if WINDOWS else "python")
# Where run.py is itself started by .venv, this is the Python that .venv was made from.
BASE: str = getattr(sys, "_base_executable", None) or sys.executable
REQUIREMENTS = {
    "window": "requirements.txt",
    "test": "requirements-test.txt",
    "bench": "requirements-bench.txt",
    "bundle": "requirements-bundle.txt",
}


def ensure(*sets: str) -> Path:
    """Return `.venv`'s python, with these sets of requirements installed."""
    if not all(map(_is_stamped, sets)):
        _install_by_any_tool(sets)
    return PYTHON


def missing_packages() -> list[str]:
    """The packages of Debian without which no `.venv` can be made here."""
    if (_is_ours() and _Pip().can_use_venv()) or shutil.which("uv"):
        return []
    parts = ("venv", "ensurepip")
    whole = all(importlib.util.find_spec(part) is not None for part in parts)
    return [] if whole else [f"python{_version()}-venv"]


def _install_by_any_tool(sets: Sequence[str]) -> None:
    """Install with uv if there is one, and with pip if there is none or it fails."""
    for tool in [_Uv, _Pip] if shutil.which("uv") else [_Pip]:
        try:
            _install(tool(), sets)
        except subprocess.CalledProcessError as error:
            failed = " ".join(map(str, error.cmd))
            print(f"This did not succeed: {failed}", file=sys.stderr, flush=True)
        else:
            return
    sys.exit("The libraries could not be installed: is there a network connection?")


def _install(tool: "_Uv | _Pip", sets: Sequence[str]) -> None:
    if not (_is_ours() and tool.can_use_venv()):
        _say(f"Making {VENV.name} for Python {_version()} ...")
        shutil.rmtree(VENV, ignore_errors=True)
        tool.make_venv()
    missing = [name for name in sets if not _is_stamped(name)]
    for name in missing:
        _say(f"Installing packaging/{REQUIREMENTS[name]} (once, up to some minutes) ...")
        tool.install(ROOT / "packaging" / REQUIREMENTS[name])
    _put_on_path()
    for name in missing:
        _stamp_file(name).write_text(_stamp(name), encoding="utf-8")


class _Uv:
    """Installs with uv."""

    def can_use_venv(self) -> bool:
        return True

    def make_venv(self) -> None:
        _call("uv", "venv", "--quiet", "--no-project", "--python", BASE, VENV)

    def install(self, requirements: Path) -> None:
        options = ("--no-deps", "--require-hashes", "--only-binary", ":all:", "--quiet")
        _call("uv", "pip", "install", "--python", PYTHON, *options, "-r", requirements)


class _Pip:
    """Installs with the venv and pip that come with Python."""

    def can_use_venv(self) -> bool:
        return any(VENV.glob("lib/python*/site-packages/pip" if not WINDOWS else "Lib/*/pip"))

    def make_venv(self) -> None:
        _call(BASE, "-m", "venv", VENV)

    def install(self, requirements: Path) -> None:
        options = ("--no-deps", "--require-hashes", "--only-binary", ":all:", "--quiet")
        quiet = ("--disable-pip-version-check", "--no-warn-script-location")
        _call(PYTHON, "-m", "pip", "install", *options, *quiet, "-r", requirements)


def _is_ours() -> bool:
    """Is there a whole `.venv` for this Python, made in this place?"""
    configuration = VENV / "pyvenv.cfg"
    if not (PYTHON.exists() and configuration.exists()):
        return False
    lines = configuration.read_text(encoding="utf-8").splitlines()
    versions = [line.split("=")[1].strip() for line in lines if line.startswith("version")]
    stamps = [file.read_text(encoding="utf-8") for file in VENV.glob("backwire-*.stamp")]
    return versions[0].startswith(_version() + ".") and all(
        stamp.startswith(_place()) for stamp in stamps
    )


def _put_on_path() -> None:
    """Let `.venv` import the project from here, and give it the command `backwire`."""
    packages = next(iter(VENV.glob("Lib/site-packages" if WINDOWS else "lib/*/site-packages")))
    (packages / "backwire.pth").write_text(f"{ROOT}\n", encoding="utf-8")
    if WINDOWS:
        command = '@"%~dp0python.exe" -P -m app %*\n'
        (SCRIPTS / "backwire.cmd").write_text(command, encoding="utf-8")
        return
    script = SCRIPTS / "backwire"
    script.write_text(_LAUNCHER, encoding="utf-8")
    script.chmod(0o755)


# A shebang can hold neither a blank nor a long path, so the shell finds the python beside it.
_LAUNCHER = """\
#!/bin/sh
here=$(dirname -- "$(readlink -f -- "$0")")
exec "$here/python" -P -m app "$@"
"""


def _is_stamped(name: str) -> bool:
    try:
        return _stamp_file(name).read_text(encoding="utf-8") == _stamp(name)
    except OSError:
        return False


def _stamp_file(name: str) -> Path:
    return VENV / f"backwire-{name}.stamp"


def _stamp(name: str) -> str:
    requirements = (ROOT / "packaging" / REQUIREMENTS[name]).read_bytes()
    return _place() + hashlib.sha256(requirements).hexdigest() + "\n"


def _place() -> str:
    return f"{VENV}\nPython {_version()}\n"


def _version() -> str:
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


def _say(sentence: str) -> None:
    print(sentence, flush=True)


def _call(*command: object) -> None:
    subprocess.run([str(part) for part in command], check=True)
