"""Starts a program of the learner's in a process of its own, holds its bounds, and hears from it.

The bounds stop accidents, not ill will: the program has the rights of whoever runs it. Nothing of
the learner's is started before a `Run` is made.

    run = Run(Request(Path("lecture.py")))
    while run.poll():
        ...                     # draw, wait: the program goes on by itself
    run.result.graphs
"""

import ctypes
import functools
import json
import os
import queue
import re
import shutil
import signal
import site
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine.formats.files import read_content, shown_name, source_text
from engine.formats.recording import RunResult, merged, read_back
from engine.formats.strict_json import MIB
from engine.numbers import short

RUNNER = Path(__file__).with_name("runner.py")
ANSWER_LIMIT = 64 * MIB
"""Most bytes of what comes back; above, the oldest passes are dropped."""
GRACE = 3.0
"""Seconds for which a run that is told to end may still tell what it saw."""
_FOLDERS_AROUND = 3
"""Folders around a program in which environments are looked for, its own with them."""
_TOLD = ("torch", "numpy", "matplotlib", "micrograd", "sklearn")
"""Packages that are told of an environment."""
_PREFIX = "backwire-run-"
_SECONDS_TO_LOCK = 60.0
"""Age from which a folder that is not locked is no run's that is only beginning."""
_QUEUED = 64
"""Most lines that wait to be read, and that are read at once; above, the program waits."""
_LINES = 1_000
"""Most lines of the answer that are kept."""
_SECONDS_BETWEEN = 0.2
"""Seconds from one look at the memory to the next."""
_GONE = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "SSLKEYLOGFILE", "DISPLAY", "WAYLAND_DISPLAY")
_QUIET = {
    "QT_QPA_PLATFORM": "offscreen",
    "SDL_VIDEODRIVER": "dummy",
    "SDL_AUDIODRIVER": "dummy",
    "MPLBACKEND": "Agg",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
}
"""The environment of a run: no windows, and the same order of sets in each run."""


class Request(Struct, frozen=True):
    """A program to run, by which Python, and its bounds; memory is resident, in bytes."""

    source: Path
    """Its file, as an absolute path; a pasted program has a bare name, in the run's own folder."""
    python: str = sys.executable
    arguments: tuple[str, ...] = ()
    seconds: float = 30.0
    memory: int = 2 << 30
    network: bool = False
    passes: tuple[int, ...] = ()
    """The passes of which calls are noted, in a second run; else those that come first."""
    content: bytes = b""
    """What is run, whatever the file holds by then; left out, what it holds as the run begins."""

    @property
    def name(self) -> str:
        """Return the name of its file as sentences have it."""
        return shown_name(self.source)

    @property
    def text(self) -> str:
        """Return what is run, as it is shown; raises FormatError where it is no text."""
        is_pasted = not self.source.is_absolute()
        return source_text(self.content, "" if is_pasted else self.source.suffix)


class Python(Struct, frozen=True):
    """A Python found near a program: its folder, its program, its version and what it has."""

    folder: str
    program: str
    about: str


def pythons(near: Path) -> tuple[Python, ...]:
    """Return the environments beside a program or in the folders around it, nearest first.

    They are known by folder names and pyvenv.cfg alone: nothing of theirs is started.
    """
    found: list[Python] = []
    for around in [near, *near.parents][:_FOLDERS_AROUND]:
        try:
            folders = sorted(path for path in around.iterdir() if path.is_dir())
        except OSError:
            continue
        found += [each for path in folders if (each := _python_in(path)) is not None]
    return tuple(found)


def _python_in(folder: Path) -> Python | None:
    """Return the Python of a virtual or conda environment, or None."""
    programs = ("bin/python", "Scripts/python.exe", "python.exe")
    program = next((folder / name for name in programs if (folder / name).is_file()), None)
    settings, conda = folder / "pyvenv.cfg", folder / "conda-meta"
    if program is None or not (settings.is_file() or conda.is_dir()):
        return None
    try:
        text = ""
        if settings.is_file():
            with settings.open("rb") as file:  # it is short
                text = file.read(4096).decode("utf-8", "replace")
        packages = next(folder.glob("lib/python*/site-packages"), folder / "Lib/site-packages")
        has = [name for name in _TOLD if (packages / name).is_dir()]
    except OSError:
        return None
    version = re.search(r"^version(?:_info)? *= *(\d+\.\d+)", text, re.MULTILINE)
    about = [version[1]] if version else ["conda"] if conda.is_dir() else []
    about += [f"has {', '.join(has)}"] if has else []
    return Python(folder.name, str(program), ", ".join(about))


def claims(request: Request) -> str:
    """Return what is true of a run before it begins, for the question whether to run it."""
    fields = {
        "name": f'"{request.name}"' if " " in request.name else request.name,
        "seconds": short(request.seconds),
        "memory": short(request.memory / 2**30),
    }
    is_notebook = request.source.suffix.lower() == ".ipynb"
    what = (
        "runs all cells of {name} from the top" if is_notebook else "does what python {name} does"
    )
    told = [f"Running it {what}, with your rights."]
    told.append(
        "It stops after {seconds} s or {memory} GB, starts no program, and writes only in a folder "
        "of its own."
    )
    if not request.network:
        told.append("It has no network.")
    told.append("These bounds stop accidents, not ill will.")
    return " ".join(told).format(**fields)


class Run:
    """One run, and a second one where a line's last pass was not noted in the first."""

    def __init__(self, request: Request) -> None:
        """Start it; raises FormatError for a file that can't be read."""
        request = replace(request, content=request.content or read_content(request.source))
        _put_away_folders()
        self._request = request
        self._began = time.monotonic()
        self._first: RunResult | None = None
        self.result = RunResult()
        self.passes = 0
        """The passes seen so far."""
        self.over = False
        """Whether it has come to its end, with a result."""
        self._stopped = self.cancelled = False
        self._process = _Process(request)

    @property
    def seconds(self) -> float:
        """Return for how long it has run."""
        return time.monotonic() - self._began

    def poll(self) -> bool:
        """Read what came and hold the bounds; return whether it still runs."""
        try:
            return self._poll()
        except BaseException:  # nobody would hold its bounds
            self._process.kill("")
            self._process.close()
            raise

    def _poll(self) -> bool:
        if self._process.poll():
            if self._first is None:
                self.passes = self._process.passes
            return True
        self._process.close()
        if self.cancelled:
            return False
        found = read_back(self._process.answer())
        found = replace(
            found,
            status=self._process.why or found.status,
            seconds=self._request.seconds,
            memory=self._request.memory,
            dropped=self._process.dropped,
        )
        again = found.status == "ok" and found.unseen and not self._request.passes
        if self._first is None and again and not self._stopped:
            self._first = found
            wanted = tuple(number for number, _data in found.unseen)
            left = max(self._request.seconds - self.seconds, 0.0)
            self._process = _Process(replace(self._request, passes=wanted, seconds=left))
            if self.cancelled:  # meanwhile, by another thread
                self._process.kill("")
            return True
        self.result = found if self._first is None else merged(self._first, found)
        self.over = True
        return False

    def stop(self) -> None:
        """End it soon, and keep what was seen."""
        self._stopped = True
        self._process.tell(b"s")

    def cancel(self) -> None:
        """End it now, and keep nothing."""
        self._stopped = self.cancelled = True
        self._process.kill("")


class _Process:
    """One process: its folder, its pipes, and the bounds that this side holds."""

    def __init__(self, request: Request) -> None:
        self._request, self._text, self.passes = request, request.text, 0
        self._folder = Path(tempfile.mkdtemp(prefix=_PREFIX)).resolve()
        self._lock = _locked(self._folder)
        self._lines: dict[object, bytes] = {}
        self._size, self.dropped, self._answers = 0, 0, False
        self._came: queue.Queue[bytes | None] = queue.Queue(_QUEUED)
        self._closed = False
        self._began = self._looked = time.monotonic()
        self._told_at: float | None = None
        self.why = ""
        source = (self._folder / request.source).resolve()  # an absolute one stays what it is
        command = [request.python, "-B", str(RUNNER), str(self._written(source))]
        self._child: subprocess.Popen[bytes] | None = None
        if shutil.which(request.python) is None:
            self._end("start", f"there is no Python {request.python}")
            return
        try:
            self._child = subprocess.Popen(
                command if request.network else [*_without_network(), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=source.parent,
                env=_environment(self._folder),
                start_new_session=True,
                pass_fds=() if self._lock is None else (self._lock,),
            )
        except OSError as error:
            self._end("start", f"{request.python}, {error.strerror or error}")
            return
        assert self._child.stdout is not None
        threading.Thread(target=self._read, args=(self._child.stdout,), daemon=True).start()

    def _written(self, source: Path) -> Path:
        """Write the program and what is asked of the runner into the folder; return its request."""
        request, path = self._request, self._folder / "request.json"
        if _drawing_cache().is_symlink():  # of another program: nothing of it is to be followed
            _drawing_cache().unlink()
        _drawing_cache().mkdir(parents=True, exist_ok=True)  # the program could make none there
        asked = {
            "source": str(source),
            "content": self._text,
            "longest": request.seconds + 2 * GRACE,
            "arguments": request.arguments,
            "network": request.network,
            "writable": [str(self._folder), str(_drawing_cache())],
            "passes": request.passes,
        }
        path.write_text(json.dumps(asked), "utf-8")
        return path

    def _read(self, pipe: BinaryIO) -> None:
        """Hand on the lines of the answer, on a thread of its own: pipes of Windows block."""
        while not self._closed and (line := pipe.readline(ANSWER_LIMIT)):
            self._came.put(line)
        self._came.put(None)

    def poll(self) -> bool:
        if self._child is None:
            return False
        for _ in range(min(self._came.qsize(), _QUEUED)):
            line = self._came.get()
            if line is None:
                self.kill("")  # with all that it has started
                self._child.wait()
                return False
            self._keep(line)
        self._hold_bounds()
        return True

    def _keep(self, line: bytes) -> None:
        """Keep a line of the answer; a pass that was told again takes the place of the former."""
        try:
            found = msgspec.json.decode(line, type=_Line)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            return  # the program wrote it
        if self._answers and found.ended == "start":
            return  # the program wrote it
        self._answers = True
        self.passes = max(self.passes, found.passes)
        if found.graph is None and found.ended is None:
            return
        key = "end" if found.graph is None else found.graph.number
        self._size += len(line) - len(self._lines.pop(key, b""))
        self._lines[key] = line
        while len(self._lines) > (_LINES if self._size <= ANSWER_LIMIT else 1):
            self._size -= len(self._lines.pop(next(iter(self._lines))))
            self.dropped += 1

    def _hold_bounds(self) -> None:
        assert self._child is not None
        now = time.monotonic()
        if self._told_at is None and now - self._began > self._request.seconds:
            self.tell(b"t")
        if self._told_at is not None and now - self._told_at > GRACE:
            self.kill("killed")
        if now - self._looked > _SECONDS_BETWEEN:
            self._looked = now
            if resident(self._child.pid) > self._request.memory:
                self.kill("memory")

    def tell(self, why: bytes) -> None:
        """Tell the process to end and to send what it saw."""
        if self._child is not None and self._told_at is None and self._child.stdin is not None:
            self._told_at = time.monotonic()
            try:
                self._child.stdin.write(why)
                self._child.stdin.flush()
            except OSError:
                pass  # it has ended

    def kill(self, why: str) -> None:
        """End the process and all that it started."""
        self.why = self.why or why
        if self._child is None or self._child.returncode is not None:
            return
        if os.name == "posix":
            os.killpg(self._child.pid, signal.SIGKILL)
        else:
            self._child.kill()

    def answer(self) -> bytes:
        """Return all lines; of a process that could not send how it ended, with that."""
        if "end" not in self._lines:
            said = f"{self._request.python} gives no answer, and must be Python 3.8 or later"
            self._end(*(self.why or "exit", "") if self._answers else ("start", said))
        return b"".join(self._lines.values())

    def _end(self, status: str, said: str) -> None:
        ended = {"ended": status, "passes": self.passes, "said": said}
        self._lines["end"] = json.dumps(ended).encode() + b"\n"

    def close(self) -> None:
        """Close the pipes and remove the folder."""
        self._closed = True
        while not self._came.empty():  # else the thread would wait to hand on a line
            self._came.get()
        if self._child is not None:
            for pipe in (self._child.stdin, self._child.stdout):
                try:
                    if pipe is not None:
                        pipe.close()
                except OSError:
                    pass
        _remove(self._folder)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _remove(folder: Path) -> None:
    """Remove a folder of a run, however deep."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        subprocess.run(["rm", "-rf", "--", str(folder)], check=False)


def _locked(folder: Path) -> int | None:
    """Lock a folder of ours as long as this process or its run lives; None if it is locked."""
    if sys.platform == "win32":
        return None
    import fcntl

    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(number)
        return None
    return number


def _put_away_folders() -> None:
    """Remove the folders of runs that could not: their window was killed, and they were in C."""
    if sys.platform == "win32":
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        try:
            told = folder.lstat()
            if told.st_uid != os.getuid() or time.time() - told.st_mtime < _SECONDS_TO_LOCK:
                continue
            if (lock := _locked(folder)) is not None:
                _remove(folder)
                os.close(lock)
        except OSError:
            continue  # another's, or no folder


class _Number(Struct):
    number: int


class _Line(Struct):
    """What this side reads of a line; all else is for `read_back`."""

    passes: int = 0
    graph: _Number | None = None
    ended: str | None = None


def resident(process: int) -> int:
    """Return the resident memory of a process in bytes, 0 where the system does not tell."""
    try:
        if sys.platform == "linux":
            pages = Path(f"/proc/{process}/statm").read_text().split()[1]
            return int(pages) * os.sysconf("SC_PAGE_SIZE")
        if os.name == "posix":
            told = subprocess.run(
                ["ps", "-o", "rss=", "-p", str(process)], capture_output=True, check=False
            )
            return int(told.stdout or 0) * 1024
        return _resident_on_windows(process)
    except (OSError, ValueError, IndexError):
        return 0  # it has ended


def _resident_on_windows(process: int) -> int:
    kernel: Any = ctypes.WinDLL("kernel32")  # pyright: ignore[reportAttributeAccessIssue]
    counters = (ctypes.c_size_t * 16)()
    handle = kernel.OpenProcess(0x1010, False, process)
    done = kernel.K32GetProcessMemoryInfo(handle, counters, ctypes.sizeof(counters))
    kernel.CloseHandle(handle)
    return int(counters[2]) if done else 0  # WorkingSetSize follows two fields of eight bytes


@functools.cache
def _without_network() -> tuple[str, ...]:
    """Return the command that starts a process without a network, where the system allows it."""
    command = ("unshare", "--net", "--map-current-user", "--")
    if sys.platform != "linux" or shutil.which(command[0]) is None:
        return ()
    tried = subprocess.run([*command, "true"], capture_output=True, timeout=5, check=False)
    return command if tried.returncode == 0 else ()


def _drawing_cache() -> Path:
    """Return the folder in which matplotlib keeps its fonts from one run to the next."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(base or Path.home() / ".cache").resolve() / "backwire" / "matplotlib"


def _environment(folder: Path) -> dict[str, str]:
    """Return the environment of a run: a home of its own, and no window anywhere."""
    kept = {name: value for name, value in os.environ.items() if name not in _GONE}
    kept |= {name: str(folder) for name in ("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP")}
    if getattr(sys, "frozen", False):  # the libraries of a bundle are not for another Python
        kept.pop("LD_LIBRARY_PATH", None)
        original = os.environ.get("LD_LIBRARY_PATH_ORIG")
        kept |= {"LD_LIBRARY_PATH": original} if original else {}
    # else what is installed for the user alone would be hidden
    kept["PYTHONUSERBASE"] = os.environ.get("PYTHONUSERBASE") or site.getuserbase()
    return kept | _QUIET | {"MPLCONFIGDIR": str(_drawing_cache())}
