"""The pictures of the README can be taken anew."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_picture_of_the_readme_can_be_taken(tmp_path):
    done = subprocess.run(
        [sys.executable, "packaging/screenshots.py", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    taken = {path.name for path in tmp_path.glob("*.png")}
    assert taken == {path.name for path in (ROOT / "resources" / "pictures").glob("*.png")}
