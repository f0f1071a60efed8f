"""Save over an old file while a disk fills up.

    python -m tests.proofs.saving.full_disk FOLDER LEVELS

prints a line of JSON for each level and way. The disk is a file system in memory that exists only
for this process (`run` starts it so where the system lets it); elsewhere a limit on the size of
files stands in for it.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from engine.errors import EngineError
from engine.training.templates import mlp
from tests.proofs.saving.versions import Version, version

ROOT = Path(__file__).parents[3]
DISK = 4 * 2**20
MORE = 1.4
"""The emptiest disk has room for the new file so many times."""


def run(folder: Path, levels: int) -> tuple[str, list[dict[str, object]]]:
    """Which disk it was, and what happened at each level."""
    command = [sys.executable, "-m", "tests.proofs.saving.full_disk", str(folder), str(levels)]
    for alone in (["unshare", "-m"], ["unshare", "-rm"]):
        if shutil.which("unshare") and not _call([*alone, "true"]).returncode:
            done = _call([*alone, *command, "mounted"])
            if not done.returncode:
                return "a tmpfs of 4 MiB", [json.loads(row) for row in done.stdout.splitlines()]
    done = _call([*command, "limited"])
    assert not done.returncode, done.stderr
    return "a limit on file sizes", [json.loads(row) for row in done.stdout.splitlines()]


def _call(command: list[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def main(arguments: list[str]) -> int:
    """Try each level in both ways; see above."""
    folder, levels, way = Path(arguments[0]), int(arguments[1]), arguments[2]
    if way == "mounted":
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", str(folder)]
        if _call(mount).returncode:
            return 1
    leave = _leave_free if way == "mounted" else _limit_size
    graph = mlp((16, 20, 14, 1))
    old, new = version(graph, 1), version(graph, 2)
    for level in range(levels):
        room = int(MORE * len(new.text) * level / max(1, levels - 1))
        for name in ("window", "library"):
            row = _level(folder, room, leave, name, old, new)
            sys.stdout.write(json.dumps(row) + "\n")
    return 0


def _level(
    folder: Path,
    room: int,
    leave: Callable[[Path, int], None],
    name: str,
    old: Version,
    new: Version,
) -> dict[str, object]:
    """Save a new version over an old one where so many bytes are free."""
    path = folder / "mine.backwire"
    old.save_as_library(path)
    leave(folder, room)
    said = ""
    try:
        (new.save_as_window if name == "window" else new.save_as_library)(path)
    except EngineError as error:
        said = str(error)
    except BaseException as error:
        said = f"ESCAPED {error!r}"
    content = path.read_bytes()
    left = len(list(folder.glob(".*")))
    _limit_files(None)
    for file in folder.iterdir():
        file.unlink()
    found = "new" if content == new.text else "old" if content == old.text else "damaged"
    return {"room": room, "way": name, "found": found, "said": said, "left": left}


def _leave_free(folder: Path, room: int) -> None:
    """Fill the disk up to so many bytes, in whole blocks."""
    assert os.name == "posix"
    state = os.statvfs(folder)
    filled = max(0, state.f_bavail * state.f_frsize - room)
    with (folder / "filler").open("wb") as file:
        file.write(b"x" * filled)


def _limit_size(_folder: Path, room: int) -> None:
    assert os.name == "posix"
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    _limit_files(room)


def _limit_files(size: int | None) -> None:
    """Let no file of this process grow larger; None takes the limit away."""
    assert os.name == "posix"
    import resource

    none = resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_FSIZE, (none if size is None else size, none))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
