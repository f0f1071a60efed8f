"""All tests under each Python from 3.11 to 3.14 that is found, each in a venv of its own."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MINORS = range(11, 15)
ASK = "import sys; print(sys.version.split()[0], sys.implementation.name)"


def test(arguments: Sequence[str]) -> int:
    """Run `run.py test` under every Python; return 1 when one of them fails or none is found."""
    rows: list[tuple[str, str, str]] = []
    for minor in MINORS:
        found = find(minor)
        if found is None:
            rows.append((f"3.{minor}", "not found on this system", ""))
            continue
        python, version = found
        print(f"\n##### Python {version} ({python})", flush=True)
        start = time.monotonic()
        # .venv itself may belong to any of them, so none of them uses it here.
        environment = os.environ | {"BACKWIRE_VENV": f".venv-3.{minor}"}
        command = [python, str(ROOT / "run.py"), "test", *arguments]
        done = subprocess.run(command, env=environment)
        verdict = "FAILED" if done.returncode else "passed"
        rows.append((version, verdict, f"{time.monotonic() - start:.0f} s"))
    print("\nPython    tests")
    for version, verdict, took in rows:
        print(f"{version:<9} {verdict:<25} {took}".rstrip())
    verdicts = {verdict for _, verdict, _ in rows}
    return 0 if "passed" in verdicts and "FAILED" not in verdicts else 1


def find(minor: int) -> "tuple[str, str] | None":
    """A working Python 3.`minor` with its version: this one, on PATH, or made by uv or pyenv."""
    for candidate in _candidates(minor):
        try:
            done = subprocess.run([candidate, "-c", ASK], capture_output=True, text=True)
        except OSError:
            continue
        if re.match(rf"3\.{minor}\.\S+ cpython$", done.stdout.strip()):
            return candidate, done.stdout.split()[0]
    return None


def _candidates(minor: int) -> "list[str]":
    base: str = getattr(sys, "_base_executable", None) or sys.executable
    name = f"python3.{minor}"
    found = [base] if sys.version_info[:2] == (3, minor) else []
    on_path = shutil.which(name)
    found += [on_path] if on_path else []
    home = Path.home()
    kept = (
        (Path(os.environ.get("PYENV_ROOT", home / ".pyenv")) / "versions", f"3.{minor}.*"),
        (home / ".local" / "share" / "uv" / "python", f"cpython-3.{minor}.*"),
    )
    for folder, pattern in kept:
        found += [str(path / "bin" / name) for path in sorted(folder.glob(pattern), reverse=True)]
    return found
