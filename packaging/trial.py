"""Use a bundle, or an installed wheel, as a learner does, and say in a table what worked.

Every verb of the command line, the Graphviz worker, and a window that opens an example, steps and
exports. The programs are started as they are; nothing of them is imported here.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import licences

GRAPH = "shared-leaf.backwire"
SCRIPT_NAME = "script.py"
SCRIPT = "from micrograd.engine import Value\na = Value(2.0)\nb = a * a + a\nb.backward()\n"
EXPORTS = ("png", "svg", "pdf", "dot", "gv", "tex", "py", "torch.py", "txt", "backwire")
WORKER = b'{"format": "svg"}\ndigraph { a -> b }'
PNG = b"\x89PNG"
PATIENCE = 120.0
"""Seconds that one command may take."""

VERBS: dict[str, tuple[tuple[str, ...], int, str]] = {
    "ops": (("ops",), 0, "tanh"),
    "mistakes": (("mistakes",), 0, "assign"),
    "examples": (("examples",), 0, "shared-leaf"),
    "lessons": (("lessons",), 0, "one-wire"),
    "help": (("help",), 0, "backwire export"),
    "--help": (("--help",), 0, "backwire export"),
    "-h": (("-h",), 0, "backwire export"),
    "--version": (("--version",), 0, ""),
    "new": (("new", "-e", "y = relu(x*w)", "-o", "new.backwire"), 0, "new.backwire"),
    "run": (("run", GRAPH, "--trace", "--json"), 0, '"steps"'),
    "check": (("check", "-e", "tanh(w*x + b)", "--set", "x=2"), 0, "agrees"),
    "grade": (("grade", GRAPH), 1, "backwire:"),
    "trace": (("trace", SCRIPT_NAME, "--list"), 1, "backwire:"),  # it asks, and nobody answers
    "export": (("export", GRAPH, "-o", "all.png", "--step", "all"), 0, "all-0.png"),
}
"""Each verb: its arguments, its exit code, and a word that it says."""

MORE: tuple[tuple[tuple[str, ...], int, str], ...] = (
    (("new", "--python", SCRIPT_NAME, "-o", "script.backwire"), 0, "script.backwire"),
    (("run", "-e", "(a*b + a) * f", "--set", "a=2", "--set", "b=-3", "--set", "f=-2"), 0, "-4"),
    (("run", GRAPH, "--mistake", "assign"), 0, "a "),
    (("run", "-e", "a +"), 1, "backwire:"),
    (("run",), 2, "backwire run:"),
    *((("export", GRAPH, "-o", f"graph.{form}"), 0, f"graph.{form}") for form in EXPORTS),
)


@dataclass
class Result:
    """What a command said and how it ended."""

    code: int
    said: str


class System(Protocol):
    """A computer on which the bundle is tried."""

    @property
    def folder(self) -> Path:
        """The folder in which commands run, as this process sees it."""
        ...

    def run(
        self, command: Sequence[str], stdin: bytes = b"", more: Mapping[str, str] | None = None
    ) -> Result:
        """Run a command there, with more environment variables."""
        ...


@dataclass
class Table:
    """Rows of what was tried, printed as they come."""

    rows: list[tuple[str, bool, str, float]] = field(default_factory=list)
    prefix: str = ""
    """Goes before the name of each row that is added."""

    def add(self, what: str, fine: bool, seen: str, start: float) -> bool:
        """Note the outcome of something that began at `start`; returns `fine`."""
        what = self.prefix + what
        took = time.monotonic() - start
        words = " ".join(seen.split())
        self.rows.append((what, fine, words, took))
        verdict = "yes" if fine else "NO "
        shown = words if not fine or len(words) < 70 else words[:67] + "..."
        print(f"{verdict}  {took:5.1f} s  {what:<58} {shown}", flush=True)
        return fine

    def command(
        self, system: System, command: Sequence[str], code: int = 0, word: str = "", what: str = ""
    ) -> Result:
        """Run a command and note whether it ended with `code` and said `word`."""
        start = time.monotonic()
        result = system.run(command)
        ended = result.code == code
        fine = ended and word in result.said and "Traceback" not in result.said
        seen = _line_with(word, result.said) if fine else f"exit code {result.code}: {result.said}"
        self.add(what or " ".join(["backwire", *command[1:]]), fine, seen, start)
        return result

    @property
    def failed(self) -> list[str]:
        """What did not work."""
        return [what for what, fine, _, _ in self.rows if not fine]

    def conclude(self) -> int:
        """Print the verdict; returns the exit code."""
        failed = self.failed
        if failed:
            print(f"\n{len(failed)} of {len(self.rows)} failed: {'; '.join(failed)}")
        else:
            print(f"\nAll {len(self.rows)} passed.")
        return 1 if failed else 0


@dataclass
class Here:
    """This computer."""

    folder: Path

    def run(
        self, command: Sequence[str], stdin: bytes = b"", more: Mapping[str, str] | None = None
    ) -> Result:
        """Run a command in the folder, with settings of its own."""
        own = {f"XDG_{kind}_HOME": str(self.folder / kind) for kind in ("CONFIG", "STATE", "DATA")}
        return run(command, stdin, cwd=self.folder, env=os.environ | own | dict(more or {}))


def run(
    command: Sequence[str], stdin: bytes = b"", patience: float = PATIENCE, **options: object
) -> Result:
    """Run a command; one that takes longer than `patience` has the exit code -9."""
    try:
        done = subprocess.run(
            command,
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=patience,
            **options,  # pyright: ignore[reportArgumentType, reportCallIssue]
        )
    except subprocess.TimeoutExpired as late:
        return Result(-9, f"not done after {patience:.0f} s: {(late.stdout or b'')!r}")
    return Result(done.returncode, done.stdout.decode("utf-8", "replace"))


def try_here(bundle: Path) -> int:
    """Try a bundle on this computer; returns the exit code."""
    program = bundle / "backwire"
    if sys.platform == "win32":  # a program with a window has no output there
        program = bundle / "backwire-cli.exe"
    if not program.exists():
        print(f"There is no bundle at {bundle}: python3 run.py bundle makes it.", file=sys.stderr)
        return 1
    table = Table()
    with tempfile.TemporaryDirectory(prefix="backwire trial ", ignore_cleanup_errors=True) as name:
        system = Here(Path(name))
        prepare(bundle, system.folder)
        if sys.platform == "linux":
            try_licences(table, bundle)
        try_verbs(table, system, str(program))
        try_worker(table, system, str(program))
        try_window(table, system, str(program), platform_here())
    return table.conclude()


def platform_here() -> dict[str, str]:
    """The variable by which Qt does without a display, where there is none."""
    shown = bool(os.environ.get("DISPLAY")) or sys.platform != "linux"
    return {} if shown else {"QT_QPA_PLATFORM": "offscreen"}


def prepare(program: Path, folder: Path) -> None:
    """Put the files that the commands read, one of them out of the program, into a folder."""
    example = next(program.rglob(f"resources/examples/{GRAPH}"))
    (folder / GRAPH).write_bytes(example.read_bytes())
    (folder / SCRIPT_NAME).write_text(SCRIPT, encoding="utf-8")


def try_licences(table: Table, bundle: Path) -> None:
    """Compare the libraries of a bundle for Linux with the list of their licences."""
    start = time.monotonic()
    wrong = licences.unlisted(bundle)
    table.add("every library has its licence", not wrong, ", ".join(wrong) or "none lacks", start)


def try_verbs(table: Table, system: System, program: str, version: str = "(bundle)") -> None:
    """Use every verb; `version` is a word of what `--version` says."""
    verbs = VERBS | {"--version": (("--version",), 0, version)}
    for arguments, code, word in (*verbs.values(), *MORE):
        table.command(system, [program, *arguments], code, word)
    start = time.monotonic()
    written = [system.folder / f"graph.{form}" for form in EXPORTS]
    empty = [path.name for path in written if not path.exists() or not path.stat().st_size]
    table.add("every export has a file", not empty, ", ".join(empty) or "none is empty", start)


def try_worker(table: Table, system: System, program: str) -> None:
    """Let a bundle's Graphviz draw."""
    start = time.monotonic()
    done = system.run([program, "--graphviz-worker"], stdin=WORKER)
    fine = done.code == 0 and "ok " in done.said and "</svg>" in done.said
    table.add("Graphviz draws", fine, "a picture" if fine else done.said, start)


def try_window(
    table: Table, system: System, program: str, more: Mapping[str, str], trying: Sequence[str] = ()
) -> None:
    """Open an example in the window, step and export; the picture is that of `export`.

    `trying` starts `try_window.py` where the program can't do that itself.
    """
    start = time.monotonic()
    command = [*(trying or [program]), "--try-window", str(_inside(system)), GRAPH]
    done = system.run(command, more=more)
    fine = done.code == 0 and "yes: " in done.said
    seen = _line_with("yes: ", done.said) if fine else f"exit code {done.code}: {done.said}"
    table.add("the window opens an example, steps and exports", fine, seen, start)
    start = time.monotonic()
    again = [program, "export", GRAPH, "-o", "again.png", "--step", "3", "--dpi", "192"]
    system.run(again)
    pictures = [_content(system.folder / name) for name in ("step.png", "again.png")]
    same = pictures[0] == pictures[1] and pictures[0].startswith(PNG)
    table.add("its picture is the one that export makes", same, f"{len(pictures[0])} bytes", start)


def _inside(system: System) -> Path:
    """The folder of the commands, as they see it."""
    return Path(getattr(system, "inside", system.folder))


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _line_with(word: str, said: str) -> str:
    lines = said.splitlines()
    found = next((line for line in lines if word in line), "")
    return json.dumps(found)[:70] if found.startswith("{") else found
