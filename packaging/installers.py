"""uv and pip: the two tools that can fill `.venv`, and what it means when they fail."""

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

PROMPT = "backwire"
"""What a shell shows in which `.venv` is activated."""
OPTIONS = ("--no-deps", "--require-hashes", "--only-binary", ":all:")

NETWORK = (
    "There is no connection to the package index. Setting up needs the network once; connect, and "
    "start again."
)
CERTIFICATE = (
    "The package index shows a certificate that this computer does not trust, as happens behind a "
    "company's proxy. Name the file with its certificate, and start again:\n"
    "    export PIP_CERT=/path/to/certificate.pem"
)
ROOM = 700
"""MB that Backwire's libraries need."""
DISK = f"The disk is full: Backwire's libraries need about {ROOM} MB."
TEMPORARY = (
    "There is too little room for temporary files: {folder} has {free:.0f} MB. Name a folder with "
    f"about {ROOM} MB, and start again:\n    export TMPDIR=/path/to/folder"
)
CHANGED = (
    "A library arrived changed: its checksum is not the one in packaging/requirements*.txt. Start "
    "again; if it stays so, something between you and the package index changes downloads."
)
COLON = (
    "No venv can be made in a folder whose path holds a colon: rename the folder, and start again."
)
ABSENT = "The package index has no build of a library for this system and this Python."
VENV = "This Python can make no venv; on Debian and Ubuntu the package python3-venv adds that."
UNKNOWN = "The libraries could not be installed; what the tool said about it is above."

# The first that matches counts: pip says "no matching distribution" after every failed connection.
_CAUSES = (
    (r"certificate.verify.failed|confirming the ssl certificate|invalid peer certificate|"
     r"UnknownIssuer|suitable TLS CA certificate|CaUsedAsEndEntity", CERTIFICATE),
    (r"No space left on device", DISK),
    (r"contains the PATH separator", COLON),
    (r"ensurepip is not available|No module named '?(venv|ensurepip)", VENV),
    (r"NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|ProxyError|"
     r"establish a new connection|name resolution|unreachable|Connection refused|timed out|"
     r"Connection reset|dns error|error sending request|tunneling", NETWORK),
    (r"DO NOT MATCH THE HASHES|[Hh]ash mismatch", CHANGED),
    (r"No matching distribution|satisfies the requirement|no wheels? with a matching", ABSENT),
)  # fmt: skip


class FailedError(Exception):
    """A tool has failed; `said` is all that it printed."""

    def __init__(self, command: Iterable[str], said: str) -> None:
        super().__init__(" ".join(command))
        self.said = said


class Uv:
    """Installs with uv."""

    name = "uv"

    def __init__(self, venv: Path, python: Path, base: str) -> None:
        self._venv, self._python, self._base = venv, python, base

    def can_use_venv(self) -> bool:
        """Whether an existing `.venv` can be filled; uv brings its own installer."""
        return True

    def make_venv(self) -> None:
        """Make an empty `.venv`."""
        options = ("--quiet", "--no-project", "--prompt", PROMPT)
        call("uv", "venv", *options, "--python", self._base, self._venv)

    def install(self, requirements: Path) -> None:
        """Install all that a file of requirements names."""
        call("uv", "pip", "install", "--python", self._python, *OPTIONS, "-r", requirements)

    def install_wheel(self, wheel: Path) -> None:
        """Install a wheel whose requirements are there already."""
        call("uv", "pip", "install", "--python", self._python, "--offline", wheel)


class Pip:
    """Installs with the venv and pip that come with Python."""

    name = "pip"

    def __init__(self, venv: Path, python: Path, base: str) -> None:
        self._venv, self._python, self._base = venv, python, base

    def can_use_venv(self) -> bool:
        """Whether there is a pip in the existing `.venv`; one made by uv has none."""
        places = ("lib/python*/site-packages/pip", "Lib/site-packages/pip")
        return any(found for place in places for found in self._venv.glob(place))

    def make_venv(self) -> None:
        """Make an empty `.venv`."""
        call(self._base, "-m", "venv", "--prompt", PROMPT, self._venv)

    def install(self, requirements: Path) -> None:
        """Install all that a file of requirements names."""
        quiet = ("--disable-pip-version-check", "--no-warn-script-location", "--no-color")
        soon = ("--retries", "2", "--progress-bar", "off")
        total = len(re.findall(r"^\S+==", requirements.read_text(encoding="utf-8"), re.MULTILINE))
        command = (self._python, "-m", "pip", "install", *OPTIONS, *quiet, *soon)
        call(*command, "-r", requirements, progress=Progress(total))

    def install_wheel(self, wheel: Path) -> None:
        """Install a wheel whose requirements are there already."""
        call(self._python, "-m", "pip", "install", "--no-index", "--no-color", wheel)


class Progress:
    """Shows, on a terminal, which of the libraries pip has come to."""

    def __init__(self, total: int) -> None:
        self._total, self._done = total, 0

    def follow(self, line: str) -> None:
        """Read one line of what pip says."""
        found = re.match(r"Collecting ([\w.-]+)", line)
        if found is None or not sys.stderr.isatty():
            return
        self._done += 1
        sys.stderr.write(f"\r\033[K  {self._done} of {self._total}: {found[1]}")
        sys.stderr.flush()

    def end(self) -> None:
        """Take the line away again."""
        if self._done:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def call(*command: object, progress: "Progress | None" = None) -> None:
    """Run a tool and keep what it says; raise FailedError when it fails."""
    words = [str(part) for part in command]
    said: list[str] = []
    try:
        with subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        ) as process:
            for line in process.stdout or ():
                said.append(line)
                if progress is not None:
                    progress.follow(line)
    except OSError as error:
        raise FailedError(words, f"{error}\n") from error
    finally:
        if progress is not None:
            progress.end()
    if process.returncode:
        raise FailedError(words, "".join(said))


def cause(said: str) -> str:
    """What went wrong, in words for the user, from all that a tool printed."""
    for pattern, sentence in _CAUSES:
        if re.search(pattern, said, re.IGNORECASE):
            return sentence
    return UNKNOWN
