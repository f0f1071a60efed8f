"""The `.venv` of the project: made once from pinned requirements, stamped, found again at once.

What is there is only added to. Anything else is built beside it and takes its place when it is
whole; until then, and where that fails, what is there goes on working.
"""

import contextlib
import errno
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import launchers
from floor import stop
from installers import DISK, ROOM, TEMPORARY, UNKNOWN, FailedError, Pip, Uv, cause

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / os.environ.get("BACKWIRE_VENV", ".venv")
WINDOWS = os.name == "nt"
SCRIPTS = VENV / ("Scripts" if WINDOWS else "bin")
PYTHON = SCRIPTS / ("python.exe" if WINDOWS else "python")
# Where run.py is itself started by .venv, this is the Python that .venv was made from.
BASE: str = getattr(sys, "_base_executable", None) or sys.executable
LEAST_ROOM = 30
"""MB of temporary files without which no `.venv` can be made, whatever a tool says about it."""
REQUIREMENTS = {
    "window": "requirements.txt",
    "test": "requirements-test.txt",
    "bench": "requirements-bench.txt",
    "bundle": "requirements-bundle.txt",
}


def ensure(*sets: str) -> Path:
    """Return `.venv`'s python, with these sets of requirements installed."""
    if not _is_current(sets):
        with _alone():
            _settle(sets)
    return PYTHON


def missing_packages() -> list[str]:
    """The packages of Debian without which no `.venv` can be made here."""
    if (_is_ours() and _tool(Pip, VENV).can_use_venv()) or shutil.which("uv") or _works():
        return []
    parts = ("venv", "ensurepip")
    whole = all(importlib.util.find_spec(part) is not None for part in parts)
    return [] if whole else [f"python{_version()}-venv"]


def _settle(sets: Sequence[str]) -> None:
    """Bring `.venv` up to date; another start may have done it meanwhile."""
    try:
        _take_back()
        if _is_current(sets):
            return
        if not _may_write():
            raise PermissionError(errno.EACCES, "no permission")
        if os.path.exists(PYTHON):
            _move_in(VENV)
        if not _is_current(sets):
            _install_by_any_tool(sets)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            _go_on_or_stop(sets, DISK)
        elif isinstance(error, PermissionError):
            _go_on_or_stop(sets, _no_permission())
        else:
            raise


def _may_write() -> bool:
    return all(os.access(each, os.W_OK | os.X_OK) for each in (ROOT, VENV) if os.path.exists(each))


def _no_permission() -> str:
    if os.access(ROOT, os.W_OK | os.X_OK):
        return (
            f"{VENV} belongs to another user, and you may not write in it. Copy the folder without "
            f"{VENV.name} to a place of your own, and start it there."
        )
    return (
        f"Backwire sets itself up in its own folder, and you may not write in {ROOT}. "
        "Copy the folder to a place of your own, and start it there."
    )


def _go_on_or_stop(sets: Sequence[str], why: str) -> None:
    """Let the `.venv` that is there go on, saying so in one sentence; else stop with `why`."""
    if not _can_go_on(sets):
        stop(why)
    kept = f"Backwire goes on with the {VENV.name} that is there, for Python {_made_for(VENV)}."
    _say(f"{why.partition('. ')[0].rstrip('.')}; {kept}")


def _can_go_on(sets: Sequence[str]) -> bool:
    """Can the `.venv` that is there be started, though it is not what it should be?"""
    stamps = [_stamp_file(VENV, name) for name in sets]
    return all(map(os.path.exists, stamps)) and _is_at_home(VENV) and _works()


def _works() -> bool:
    """Does `.venv` run, with what the window needs? Its Python may have gone since."""
    try:
        done = subprocess.run([PYTHON, "-P", "-c", "import PySide6"], capture_output=True)
    except OSError:
        return False
    return done.returncode == 0


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Hold a lock while setting up; wait for another start that holds it.

    The lock is on the project's folder, so that no file is left of it. Where there are no such
    locks, as on Windows and some network drives, starts do not wait for one another.
    """
    try:
        folder = os.open(ROOT, os.O_RDONLY)
    except OSError:  # as on Windows
        yield
        return
    try:
        _lock(folder)
        yield
    finally:
        os.close(folder)


def _lock(folder: int) -> None:
    if os.name != "posix":
        return
    import fcntl

    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        _say("Another start is setting Backwire up; waiting for it ...")
        fcntl.flock(folder, fcntl.LOCK_EX)
    except OSError:
        return


def _install_by_any_tool(sets: Sequence[str]) -> None:
    """Install with uv if there is one, and with pip if there is none or it fails."""
    said = ""
    for kind in (Uv, Pip) if shutil.which("uv") else (Pip,):
        try:
            _install(kind, sets)
        except FailedError as error:
            said += f"{error.said.rstrip()}\n\nThis did not succeed: {error}\n"
        else:
            return
    why = _too_little_room(cause(said)) or cause(said)
    if why == UNKNOWN or not _can_go_on(sets):
        print(said, file=sys.stderr, flush=True)
    _go_on_or_stop(sets, why)


def _too_little_room(why: str) -> str:
    """Say that the folder for temporary files is the one that is full; empty if it is not."""
    folder = tempfile.gettempdir()
    free, there = (shutil.disk_usage(each).free / 1e6 for each in (folder, ROOT))
    if free < LEAST_ROOM or (why == DISK and free < ROOM <= there):
        return TEMPORARY.format(folder=folder, free=free)
    return ""


def _install(kind: type[Uv] | type[Pip], sets: Sequence[str]) -> None:
    """Add to `.venv` what was never in it; build another one when anything else is wanted."""
    missing = [name for name in sets if not _is_stamped(name)]
    added = not any(_stamp_file(VENV, name).exists() for name in missing)
    if added and _is_ours() and _tool(kind, VENV).can_use_venv():
        _fill(kind, VENV, missing)
    else:
        _build_beside(kind, sets)


def _build_beside(kind: type[Uv] | type[Pip], sets: Sequence[str]) -> None:
    """Build a whole `.venv` under another name, and put it in the place of what is there."""
    had = [name for name in REQUIREMENTS if _stamp_file(VENV, name).exists()]
    _say(f"Making {VENV.name} for Python {_version()} ...")
    fresh = _beside("new")
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        _tool(kind, fresh).make_venv()
        _fill(kind, fresh, list(dict.fromkeys([*sets, *had])))
        _swap(fresh)
    finally:
        _take_back()
        shutil.rmtree(fresh, ignore_errors=True)


def _fill(kind: type[Uv] | type[Pip], venv: Path, names: Sequence[str]) -> None:
    for name in names:
        _say(f"Installing packaging/{REQUIREMENTS[name]} (once, up to some minutes) ...")
        _tool(kind, venv).install(ROOT / "packaging" / REQUIREMENTS[name])
    _move_in(venv)
    for name in names:
        _stamp_file(venv, name).write_text(_stamp(name), encoding="utf-8")


def _swap(fresh: Path) -> None:
    """Put a whole `.venv` in its place; `_take_back` makes up for an end between the two steps."""
    old = _beside("old")
    shutil.rmtree(old, ignore_errors=True)
    if VENV.exists():
        VENV.rename(old)
    fresh.rename(VENV)
    shutil.rmtree(old, ignore_errors=True)


def _take_back() -> None:
    """Undo a swap that was interrupted: without `.venv`, the one put aside is still the one."""
    if _beside("old").exists() and not VENV.exists():
        _beside("old").rename(VENV)


def _beside(word: str) -> Path:
    return VENV.with_name(f"{VENV.name}-{word}")


def _tool(kind: type[Uv] | type[Pip], venv: Path) -> Uv | Pip:
    return kind(venv, venv / SCRIPTS.name / PYTHON.name, BASE)


def _is_ours() -> bool:
    """Is there a `.venv` for this Python?"""
    return os.path.exists(PYTHON) and _made_for(VENV) == _version()


def _made_for(venv: Path) -> str:
    """The Python for which a venv was made, such as `3.11`; empty where that is unknown."""
    try:
        lines = (venv / "pyvenv.cfg").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    versions = [line.split("=")[1].strip() for line in lines if line.startswith("version")]
    return ".".join(versions[0].split(".")[:2]) if versions else ""


def _move_in(venv: Path) -> None:
    """Let a venv import the project from here, whatever folder it was made in; add `backwire`."""
    packages = next(_packages(venv), None)
    if packages is None:
        return
    launchers.write(venv / SCRIPTS.name, VENV)
    (packages / "backwire.pth").write_text(_path_line(), encoding="ascii")


def _packages(venv: Path) -> Iterator[Path]:
    return venv.glob("Lib/site-packages" if WINDOWS else "lib/*/site-packages")


def _is_at_home(venv: Path) -> bool:
    """Does what this venv runs import the project from here?"""
    paths = [folder / "backwire.pth" for folder in _packages(venv)]
    return any(os.path.exists(path) and path.read_text("ascii") == _path_line() for path in paths)


def _path_line() -> str:
    """What makes the tree importable, and `backwire` as it is where Backwire is installed.

    A folder that was renamed is found by the place of this file; `site` calls that `sitedir`. In
    ASCII, because older Pythons read it in the encoding of the user's locale. Qt reads a path as a
    value of a settings file, and so finds no plugins where it holds one of `,;"\\`, unless told.
    """
    up = "../../.." if WINDOWS else "../../../.."
    return (
        f"import os, sys; here = os.path.abspath(os.path.join(sitedir, {up!a})); "
        f"root = here if os.path.exists(os.path.join(here, 'run.py')) else {str(ROOT)!a}; "
        "sys.path += [root, os.path.join(root, 'packaging', 'installed')]; "
        "plugins = os.path.join(sitedir, 'PySide6', 'Qt', 'plugins'); "
        "set(',;\"\\\\') & set(sitedir) and os.name == 'posix' and "
        "os.environ.setdefault('QT_PLUGIN_PATH', plugins)"
        "\n"
    )


def _is_current(sets: Sequence[str]) -> bool:
    """Does `.venv` hold these sets as they are now, for this Python and in this place?"""
    return os.path.exists(PYTHON) and all(map(_is_stamped, sets)) and _is_at_home(VENV)


def _is_stamped(name: str) -> bool:
    try:
        return _stamp_file(VENV, name).read_text(encoding="utf-8") == _stamp(name)
    except OSError:
        return False


def _stamp_file(venv: Path, name: str) -> Path:
    return venv / f"backwire-{name}.stamp"


def _stamp(name: str) -> str:
    requirements = (ROOT / "packaging" / REQUIREMENTS[name]).read_bytes()
    return f"Python {_version()}\n{hashlib.sha256(requirements).hexdigest()}\n"


def _version() -> str:
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


def _say(sentence: str) -> None:
    """Tell how it goes on standard error; standard output is for what a verb answers."""
    print(sentence, file=sys.stderr, flush=True)
