"""The `.venv` of the project: made once from pinned requirements, stamped, found again at once."""

import contextlib
import hashlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from floor import stop
from installers import FailedError, Pip, Uv, cause

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / os.environ.get("BACKWIRE_VENV", ".venv")
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
        _refuse_foreign_folder()
        with _alone():
            if not all(map(_is_stamped, sets)):  # another start may have done it meanwhile
                _install_by_any_tool(sets)
    return PYTHON


def missing_packages() -> list[str]:
    """The packages of Debian without which no `.venv` can be made here."""
    if (_is_ours() and _tool(Pip).can_use_venv()) or shutil.which("uv"):
        return []
    parts = ("venv", "ensurepip")
    whole = all(importlib.util.find_spec(part) is not None for part in parts)
    return [] if whole else [f"python{_version()}-venv"]


def _refuse_foreign_folder() -> None:
    """Stop when nothing may be written where `.venv` is, or shall be."""
    if not os.access(VENV if VENV.exists() else ROOT, os.W_OK | os.X_OK):
        stop(_no_permission())


def _no_permission() -> str:
    return (
        f"Backwire sets itself up in its own folder, and you may not write in {ROOT}. "
        "Copy the folder to a place of your own, and start it there."
    )


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Hold a lock while setting up; wait for another start that holds it.

    The lock is on the project's folder, so that no file is left of it. Where there are no such
    locks, as on Windows and some network drives, starts do not wait for one another.
    """
    try:
        import fcntl

        folder = os.open(ROOT, os.O_RDONLY)
    except (ImportError, OSError):
        yield
        return
    try:
        _lock(folder, fcntl.LOCK_EX, fcntl.LOCK_NB)
        yield
    finally:
        os.close(folder)


def _lock(folder: int, exclusive: int, at_once: int) -> None:
    import fcntl

    try:
        fcntl.flock(folder, exclusive | at_once)
    except BlockingIOError:
        _say("Another start is setting Backwire up; waiting for it ...")
        fcntl.flock(folder, exclusive)
    except OSError:
        return


def _install_by_any_tool(sets: Sequence[str]) -> None:
    """Install with uv if there is one, and with pip if there is none or it fails."""
    said = ""
    for kind in (Uv, Pip) if shutil.which("uv") else (Pip,):
        try:
            _install(_tool(kind), sets)
        except FailedError as error:
            said += f"{error.said.rstrip()}\n\nThis did not succeed: {error}\n"
        except PermissionError:
            stop(_no_permission())
        else:
            return
    print(said, file=sys.stderr, flush=True)
    stop(cause(said))


def _install(tool: Uv | Pip, sets: Sequence[str]) -> None:
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


def _tool(kind: type[Uv] | type[Pip]) -> Uv | Pip:
    return kind(VENV, PYTHON, BASE)


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
    (packages / "backwire.pth").write_text(_path_line(), encoding="ascii")
    if WINDOWS:
        command = '@"%~dp0python.exe" -P -m app %*\n'
        (SCRIPTS / "backwire.cmd").write_text(command, encoding="utf-8")
        return
    script = SCRIPTS / "backwire"
    script.write_text(_LAUNCHER, encoding="utf-8")
    script.chmod(0o755)


def _path_line() -> str:
    """What makes the tree importable, and `backwire` as it is where Backwire is installed.

    In ASCII, because older Pythons read this file in the encoding of the user's locale.
    """
    return f"import sys; sys.path += {[str(ROOT), str(ROOT / 'packaging' / 'installed')]!a}\n"


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
    made = requirements + _path_line().encode()
    return _place() + hashlib.sha256(made).hexdigest() + "\n"


def _place() -> str:
    return f"{VENV}\nPython {_version()}\n"


def _version() -> str:
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


def _say(sentence: str) -> None:
    print(sentence, flush=True)
