"""A folder of a process's own that does not outlive it for long, however the process ends.

    with own_folder("monkey") as home: ...

The process holds a lock on its folder. One that was killed holds it no longer; the next process
that asks for a folder of the same kind clears it away.
"""

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
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
    try:
        import fcntl
    except ImportError:  # Windows holds no folders
        yield
        return
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
