"""Choose the versions of the libraries again, and write them down with all their hashes.

Reads the ranges of pyproject.toml. Needs uv; the index is whichever uv is set to use, and no
address of it gets into the files.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGING = ROOT / "packaging"
COMPILE = [
    *("uv", "pip", "compile", "--no-config", "--quiet", "--generate-hashes"),
    *("--universal", "--python-version", "3.11", "--fork-strategy", "fewest"),
    *("--no-emit-index-url", "--no-emit-find-links", "--no-header", "--no-annotate"),
]
FILES = {
    "requirements.txt": ["pyproject.toml"],
    "requirements-test.txt": ["--group", "dev"],
    # Its stubs of PySide6 are older than PySide6's own and would hide them.
    "requirements-bench.txt": ["--group", "bench", "--no-emit-package", "types-pyside6"],
    "requirements-bundle.txt": ["--group", "bundle"],
}


def main() -> int:
    """Write all requirements files; the later ones agree with the first two."""
    agreed: list[str] = []
    for name, what in FILES.items():
        path = PACKAGING / name
        upgrade = ["--upgrade"] if "--upgrade" in sys.argv else []
        subprocess.run([*COMPILE, *what, *agreed, *upgrade, "-o", path], cwd=ROOT, check=True)
        if "://" in path.read_text(encoding="utf-8"):
            print(f"{path} holds an address", file=sys.stderr)
            return 1
        agreed += ["-c", str(path)] if len(agreed) < 4 else []
    _write_constraints()
    return 0


def _write_constraints() -> None:
    """Let `uv run` choose the same versions as `run.py`."""
    pins = re.findall(r"^\S+==\S+", (PACKAGING / "requirements.txt").read_text("utf-8"), re.M)
    lines = "".join(f'    "{pin}",\n' for pin in pins)
    file = ROOT / "pyproject.toml"
    text, count = re.subn(
        r"(?<=^constraint-dependencies = \[\n)(    .*\n)*",
        lines,
        file.read_text("utf-8"),
        flags=re.M,
    )
    if count == 1:
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
