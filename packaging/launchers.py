"""The programs in `.venv`: `backwire`, and others freed of the folder they were made in."""

import os
import re
import shlex
from pathlib import Path

# A shebang can hold neither a blank nor a long path, so the shell finds the python beside it.
BACKWIRE = """\
#!/bin/sh
here=$(dirname -- "$(readlink -f -- "$0")")
exec "$here/python" -P -m app "$@"
"""
BACKWIRE_WINDOWS = '@"%~dp0python.exe" -P -m app %*\n'
PROGRAM = b"""\
#!/bin/sh
'''exec' "$(dirname -- "$(readlink -f -- "$0")")/python" "$0" "$@"
' '''"""
"""How any other program of Python begins: the shell runs it, and Python reads a string."""

_SHEBANG = re.compile(rb"\A#!(?:/bin/sh\n'''exec' .*\n' '''|/.*/python[0-9.]*)$", re.MULTILINE)
_ACTIVATED = re.compile(
    rb"^(\s*(?:export |set -gx |setenv )?VIRTUAL_ENV[ =])[\"']?/.+$", re.MULTILINE
)
"""Where `activate` for any shell names its folder: some Pythons quote it, some only if need be."""


def write(scripts: Path, venv: Path) -> None:
    """Make the programs in `scripts` work where they are, in what is or will be `venv`.

    On Windows the programs of others keep the old place; run.py starts them as modules.
    """
    if os.name == "nt":
        (scripts / "backwire.cmd").write_text(BACKWIRE_WINDOWS, encoding="utf-8")
        return
    for script in scripts.iterdir():
        if script.is_file() and not script.is_symlink():
            _free(script, os.fsencode(shlex.quote(str(venv))))
    (scripts / "backwire").write_text(BACKWIRE, encoding="utf-8")
    (scripts / "backwire").chmod(0o755)


def _free(script: Path, venv: bytes) -> None:
    content = script.read_bytes()
    if script.name.startswith("activate"):
        freed = _ACTIVATED.sub(lambda found: found[1] + venv, content, count=1)
    else:
        freed = _SHEBANG.sub(lambda _: PROGRAM, content, count=1)
    if freed != content:
        script.write_bytes(freed)
