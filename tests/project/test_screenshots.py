"""The pictures of the README can be taken anew."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_picture_of_the_readme_can_be_taken_and_nothing_else_is_left(tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    done = subprocess.run(
        [sys.executable, "packaging/screenshots.py", str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    taken = {path.name for path in tmp_path.glob("*.*")}
    assert list(temporary.iterdir()) == []
    assert taken == {path.name for path in (ROOT / "resources" / "pictures").glob("*.*")}
