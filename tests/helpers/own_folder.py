"""A folder of a process's own that does not outlive it for long, however the process ends.

    with own_folder("monkey") as home: ...

The process holds a lock on its folder. One that was killed holds it no longer; the next process
that asks for a folder of the same kind clears it away.

What a test leaves behind outside of its folders is found by a comparison of `watched` before and
after it: the home folder, which `tests/conftest.py` makes an empty one of the run's own; the top of
the repository and its resources, where somebody may be at work meanwhile; and the folder of
devices, where a path put together from the null device would land.
"""

import contextlib
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

YOUNG = 10.0
"""So many seconds a folder is left alone that may not have been locked yet."""


@contextlib.contextmanager
def own_folder(kind: str) -> Iterator[Path]:
    """An empty folder for as long as it is needed; what others of its kind left is removed."""
    clear_left_behind(kind)
    made = tempfile.TemporaryDirectory(prefix=_prefix(kind), ignore_cleanup_errors=True)
    with made as name, _locked(Path(name)):
        yield Path(name)


def clear_left_behind(kind: str) -> None:
    """Remove the folders of this kind whose processes are gone."""
    if os.name != "posix":
        return  # there it can't be known
    for folder in Path(tempfile.gettempdir()).glob(f"{_prefix(kind)}*"):
        with contextlib.suppress(OSError):  # somebody lives in it, or has removed it already
            if time.time() - folder.stat().st_mtime > YOUNG:
                with _locked(folder):
                    shutil.rmtree(folder)


def _prefix(kind: str) -> str:
    return f"backwire-{kind}."


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder; OSError if another process does."""
    if os.name != "posix":  # Windows holds no folders
        yield
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def use_settings_in(folder: Path) -> Path:
    """Have Qt keep settings in a folder; return the one for `XDG_DATA_HOME`."""
    from PySide6.QtCore import QSettings

    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    for scope in (QSettings.Scope.UserScope, QSettings.Scope.SystemScope):
        for form in (QSettings.Format.IniFormat, QSettings.Format.NativeFormat):
            QSettings.setPath(form, scope, str(folder))
    return folder / "data"


def homes(folder: Path) -> dict[str, str]:
    """The environment in which settings, logs and copies of a program go to a folder."""
    kinds = ("CONFIG", "DATA", "CACHE", "STATE")
    found = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in kinds}
    return found | {"HOME": str(folder), "USERPROFILE": str(folder)}


ROOT = Path(__file__).resolve().parents[2]
Stamp = tuple[int, int]
"""Size in bytes and time of the last change in ns."""
NO_STAMP: Stamp = (0, 0)
RACE = 100_000_000
"""So many ns after a folder was changed another change may leave it the same time."""
_known: "dict[str, tuple[int, list[os.DirEntry[str]]]]" = {}
"""The entries of folders, each with the time in ns at which it was changed last."""


def watched(home: Path) -> dict[str, Stamp]:
    """Each file and folder of the watched places, those in the home folder with their stamps."""
    found = {entry.path: _stamp(entry) for entry in _inside(home, 4)}
    for entry in (*_inside(ROOT, 1), *_inside(ROOT / "resources", 3)):
        found[entry.path] = NO_STAMP
    if os.name == "posix":
        found |= {entry.path: NO_STAMP for entry in _inside(Path("/dev"), 1) if _is_plain(entry)}
    return found


def differences(before: dict[str, Stamp], after: dict[str, Stamp]) -> list[str]:
    """What came, went or was changed, a line each; in the repository only what came."""
    gone = (path for path in before.keys() - after.keys() if before[path] != NO_STAMP)
    lines = [f"{path} was made" for path in after.keys() - before.keys()]
    lines += [f"{path} was removed" for path in gone]
    changed = (path for path in before.keys() & after.keys() if before[path] != after[path])
    return sorted([*lines, *(f"{path} was changed" for path in changed)])


def _inside(folder: Path, depth: int) -> Iterator["os.DirEntry[str]"]:
    """The entries of a folder and, to this depth, of the folders in it; none that tools write."""
    for entry in _listed(folder):
        if entry.name.startswith(".") and folder.is_relative_to(ROOT):
            continue
        if entry.name != "__pycache__":
            yield entry
            if depth > 1 and entry.is_dir(follow_symlinks=False):
                yield from _inside(Path(entry.path), depth - 1)


def _listed(folder: Path) -> "Iterable[os.DirEntry[str]]":
    """The entries, from memory as long as the folder says that none came or went since."""
    name = str(folder)
    try:
        changed = os.stat(name).st_mtime_ns
        if name in _known and _known[name][0] == changed:
            return _known[name][1]
        found = sorted(os.scandir(name), key=lambda entry: entry.name)
    except OSError:  # it has gone meanwhile, or may not be read
        return ()
    if time.time_ns() - changed > RACE:
        _known[name] = changed, found
    return found


def _stamp(entry: "os.DirEntry[str]") -> Stamp:
    try:
        found = os.lstat(entry.path)  # what the entry itself says may be old
    except OSError:
        return NO_STAMP
    return (found.st_size, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else NO_STAMP


def _is_plain(entry: "os.DirEntry[str]") -> bool:
    """Whether it is a file that holds text or bytes, as no device is."""
    try:
        return entry.is_file(follow_symlinks=False)
    except OSError:
        return False
