"""Try a bundle and its .deb in a new Debian that has no Python, no fonts and no libraries of Qt.

Needs root, debootstrap, Xvfb and xwininfo. The system is made in a folder, used through chroot by
an ordinary user, and removed at the end; only its processes are ended.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import trial
from trial import GRAPH, Result, Table

MIRROR = "http://deb.debian.org/debian"
TOOLS = ("debootstrap", "Xvfb", "xwininfo", "chroot")
USER = "learner"
HOME = f"/home/{USER}/Übungen zur Kettenregel"
MIME = "application/vnd.backwire+json"
DESKTOP = ("xdg-utils", "libglib2.0-bin", "shared-mime-info", "desktop-file-utils")
"""What every Debian with a desktop has: they open menu entries and files by their type."""
NOT_OURS = re.compile(r"/(proc|sys|dev|tmp|run|home|var/(log|cache|lib/(dpkg|apt)))(/|$)")
PATIENCE = 60.0
"""Seconds for a window to come up."""
INSTALLATION = 900.0
"""Seconds that packages may take to arrive and be installed."""


@dataclass
class Bare:
    """A Debian in a folder, as its ordinary user."""

    root: Path
    display: str
    inside: str = HOME

    @property
    def folder(self) -> Path:
        """The user's folder, seen from outside."""
        return self.root / self.inside.lstrip("/")

    def run(
        self, command: Sequence[str], stdin: bytes = b"", more: Mapping[str, str] | None = None
    ) -> Result:
        """Run a command as the user."""
        return trial.run(self.command(command, more or {}), stdin)

    def command(self, command: Sequence[str], more: Mapping[str, str]) -> list[str]:
        """What to run outside, so that `command` runs inside."""
        settings = {
            "HOME": f"/home/{USER}",
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "DISPLAY": self.display,
            "XDG_CURRENT_DESKTOP": "GNOME",  # so that xdg-open and xdg-mime ask GIO
        }
        pairs = [f"{name}={value}" for name, value in (settings | dict(more)).items()]
        enter = ["chroot", f"--userspec={USER}:{USER}", str(self.root), "env", "-i", *pairs]
        return [*enter, "sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", self.inside, *command]

    def as_root(self, *command: str) -> Result:
        """Run a command as root, as one who installs packages does."""
        pairs = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", "LANG=C"]
        enter = ["chroot", str(self.root), "env", "-i", *pairs]
        return trial.run([*enter, *command], patience=INSTALLATION)


def try_in(suite: str, bundle: Path, package: Path | None) -> int:
    """Make a Debian of this release, try everything in it; returns the exit code."""
    lacking = [tool for tool in TOOLS if not shutil.which(tool)]
    if os.name != "posix" or os.geteuid() != 0 or lacking or not bundle.exists():
        needs = f"It lacks {', '.join(lacking)}." if lacking else "Only root may do this."
        print(needs if bundle.exists() else f"There is no bundle at {bundle}.", file=sys.stderr)
        return 3
    table = Table()
    with new_system(suite) as root, screen() as display:
        system = Bare(root, display)
        shutil.copytree(bundle, root / "opt" / "backwire", symlinks=True)
        trial.prepare(bundle, system.folder)
        system.as_root("chown", "-R", f"{USER}:{USER}", f"/home/{USER}")
        try_folder(table, system)
        if package is not None:
            shutil.copy(package, root / "root" / "backwire.deb")
            try_package(table, system)
    return table.conclude()


def try_folder(table: Table, system: Bare) -> None:
    """The folder, before and after the two libraries that it needs are there."""
    program = "/opt/backwire/backwire"
    start = time.monotonic()
    found = system.run(["sh", "-c", "command -v python3; find /usr /lib -name 'libGL.*'"])
    table.add("there is neither Python nor libGL", not found.said, found.said or "none", start)
    trial.try_verbs(table, system, program)
    trial.try_worker(table, system, program)
    what = "without libGL the window says one line and exits 3"
    said = table.command(system, [program], 3, "This system lacks", what).said
    start = time.monotonic()
    wanted = re.search(r"install (.+) and start again", said)
    one_line = said.count("\n") == 1
    table.add("it is one line that names the packages", one_line and bool(wanted), said, start)
    if wanted is None:
        return
    start = time.monotonic()
    done = _install(system, *wanted[1].split())
    table.add(f"they can be installed: {wanted[1]}", done.code == 0, done.said[-200:], start)
    trial.try_window(table, system, program, {"QT_QPA_PLATFORM": "xcb"})


def try_package(table: Table, system: Bare) -> None:
    """Install the .deb, use it from the shell, the menu and by a file, and remove it."""
    start = time.monotonic()
    done = _install(system, *DESKTOP)
    table.add("tools of a desktop are installed", done.code == 0, done.said[-200:], start)
    before = _files(system.root)
    table.prefix = ".deb: "
    start = time.monotonic()
    done = _install(system, "--no-install-recommends", "/root/backwire.deb")
    table.add("it installs", done.code == 0, done.said[-120:], start)
    for path in [*system.folder.iterdir()]:
        if path.name not in (GRAPH, trial.SCRIPT_NAME):
            path.unlink()
    trial.try_verbs(table, system, "backwire")
    trial.try_worker(table, system, "backwire")
    trial.try_window(table, system, "backwire", {"QT_QPA_PLATFORM": "xcb"})
    _try_desktop(table, system)
    start = time.monotonic()
    done = system.as_root("apt-get", "purge", "-y", "-qq", "backwire")
    table.add("it is removed", done.code == 0, done.said[-120:], start)
    start = time.monotonic()
    left = sorted(_files(system.root) ^ before)
    table.add("nothing is left behind", not left, ", ".join(left) or "no file", start)
    start = time.monotonic()
    asked = system.run(["xdg-mime", "query", "default", MIME]).said
    table.add("the type opens with nothing", "backwire" not in asked, asked or "no program", start)


def _try_desktop(table: Table, system: Bare) -> None:
    """The menu entry and the file type."""
    entry = ["gio", "launch", "/usr/share/applications/backwire.desktop"]
    _try_window_of(table, system, entry, "Backwire", "its menu entry opens a window")
    ask = ["xdg-mime", "query", "filetype", GRAPH]
    table.command(system, ask, 0, MIME, "a .backwire has its own type")
    ask = ["xdg-mime", "query", "default", MIME]
    table.command(system, ask, 0, "backwire.desktop", "that type opens with it")
    _try_window_of(table, system, ["xdg-open", GRAPH], GRAPH, "xdg-open opens the file")


def _try_window_of(
    table: Table, system: Bare, command: Sequence[str], title: str, what: str
) -> None:
    """Whether a command opens a window whose title has these words; it is closed then."""
    start = time.monotonic()
    process = subprocess.Popen(
        system.command(command, {}), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    seen = ""
    while not seen and time.monotonic() < start + PATIENCE:
        time.sleep(0.5)
        tree = trial.run(["xwininfo", "-root", "-tree", "-display", system.display]).said
        titles = re.findall(r'0x[0-9a-f]+ "(.+?)": \(', tree)
        windows = [each for each in titles if each.endswith("Backwire")]
        seen = next((each for each in windows if title in each and "Selection" not in each), "")
    table.add(what, bool(seen), seen or "no such window came up", start)
    _end_processes(system.root)
    process.wait()


@contextlib.contextmanager
def new_system(suite: str) -> Iterator[Path]:
    """A new Debian in a folder of its own, with /proc and a user, which is removed at the end."""
    with tempfile.TemporaryDirectory(prefix="backwire-bare-") as name:
        root = Path(name) / "root"
        print(f"Making a bare Debian {suite} ...", flush=True)
        command = ["debootstrap", "--variant=minbase", suite, str(root), MIRROR]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["mount", "-t", "proc", "proc", root / "proc"], check=True)
        try:
            subprocess.run(["chroot", root, "useradd", "--create-home", USER], check=True)
            (root / HOME.lstrip("/")).mkdir()
            sockets = root / "tmp" / ".X11-unix"
            sockets.mkdir()
            Path("/tmp/.X11-unix").mkdir(mode=0o1777, exist_ok=True)
            subprocess.run(["mount", "--bind", "/tmp/.X11-unix", sockets], check=True)
            try:
                yield root
            finally:
                _end_processes(root)
                subprocess.run(["umount", sockets], check=True)
        finally:
            subprocess.run(["umount", root / "proc"], check=True)


@contextlib.contextmanager
def screen() -> Iterator[str]:
    """An X server without a screen; its display."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1000x24", "-ac"]
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(command, pass_fds=[writing], stdout=quiet, stderr=quiet)
    os.close(writing)
    try:
        with os.fdopen(reading) as line:
            yield f":{line.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


def _install(system: Bare, *packages: str) -> Result:
    updated = system.as_root("apt-get", "update", "-qq")
    done = system.as_root("apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages)
    return Result(done.code, updated.said + done.said)


def _files(root: Path) -> set[str]:
    """All files of the system that packages may bring."""
    found: set[str] = set()
    for folder, folders, files in os.walk(root):
        place = "/" + str(Path(folder).relative_to(root)).removeprefix(".")
        folders[:] = [name for name in folders if not NOT_OURS.match(os.path.join(place, name))]
        found |= {os.path.join(place, name) for name in (*folders, *files)}
    return found


def _end_processes(root: Path) -> None:
    """End what runs in the system, and nothing else."""
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if Path(os.readlink(entry / "root")) == root.resolve():
                os.kill(int(entry.name), signal.SIGTERM)
    end = time.monotonic() + 10
    while time.monotonic() < end and _has_processes(root):
        time.sleep(0.2)


def _has_processes(root: Path) -> bool:
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if Path(os.readlink(entry / "root")) == root.resolve():
                return True
    return False
