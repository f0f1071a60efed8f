"""What is left behind outside the folders that tests may write to.

Looked at after each test, and compared with the time before it: the home folder, which
`tests/conftest.py` makes an empty one of the run's own; what there is at the top of the repository
and among its resources, where somebody may be at work meanwhile; and the folder of devices,
where a path put together from the null device would land.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
Stamp = tuple[int, int]
"""Size in bytes and time of the last change in ns."""
NO_STAMP: Stamp = (0, 0)


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
    try:
        return sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:  # it has gone meanwhile, or may not be read
        return ()


def _stamp(entry: "os.DirEntry[str]") -> Stamp:
    try:
        found = entry.stat(follow_symlinks=False)
    except OSError:
        return NO_STAMP
    return (found.st_size, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else NO_STAMP


def _is_plain(entry: "os.DirEntry[str]") -> bool:
    """Whether it is a file that holds text or bytes, as no device is."""
    try:
        return entry.is_file(follow_symlinks=False)
    except OSError:
        return False
