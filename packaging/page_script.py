"""Lint the script of pages as a page runs it: as one file, whose parts see each other's names."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Return the exit code of the linter."""
    sys.path.insert(0, str(ROOT))
    from app.takeaway.html_page import page_script

    linter = Path(sys.executable).with_name("oxlint.exe" if os.name == "nt" else "oxlint")
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "page_script.js")
        script.write_text(page_script(), "utf-8")
        command = [str(linter), "-c", str(ROOT / "packaging" / "oxlint.json"), str(script)]
        return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
