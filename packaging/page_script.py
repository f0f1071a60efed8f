"""Lint the scripts of pages as a page runs them: two files, whose parts see each other."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Return the exit code of the linter."""
    sys.path.insert(0, str(ROOT))
    from app.takeaway.html_page import page_script, resource
    from engine.writers import FLOAT_FUNCTIONS, JAVASCRIPT

    linter = Path(sys.executable).with_name("oxlint.exe" if os.name == "nt" else "oxlint")
    with tempfile.TemporaryDirectory() as folder:
        # formulas of a page's texts are generated, and call these
        asked = "globalThis.asked = [effect, finite, same, firstShown, fits, apart];"
        Path(folder, "page_script.js").write_text(f"{page_script()}{asked}", "utf-8")
        functions = resource("functions.js") + resource("normal.js")
        called = (name for name in FLOAT_FUNCTIONS if name not in ("div", "pow"))
        calls = ", ".join(JAVASCRIPT.write(f"{name}(1)") for name in called)
        operations = f"{functions}globalThis.called = [{calls}, pow(1, 1)];"
        Path(folder, "operations.js").write_text(operations, "utf-8")
        command = [str(linter), "-c", str(ROOT / "packaging" / "oxlint.json"), folder]
        return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
