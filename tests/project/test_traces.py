"""The guard that stands around each test sees what is written outside of its own folder."""

import os
import subprocess
import sys
from pathlib import Path

from tests.helpers.traces import ROOT, differences, watched

STRAY = """
from pathlib import Path

def test_that_writes_into_the_home_folder():
    (Path.home() / "stray.txt").write_text("x")

def test_that_does_not(tmp_path):
    (tmp_path / "own.txt").write_text("x")
"""


def test_what_is_made_changed_or_removed_is_named(tmp_path: Path):
    for name in ("kept", "changed", "removed"):
        (tmp_path / name).write_text("before")
    before = watched(tmp_path)
    assert differences(before, watched(tmp_path)) == []
    (tmp_path / "changed").write_text("after all")
    (tmp_path / "removed").unlink()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "made").write_text("x")
    assert differences(before, watched(tmp_path)) == [
        f"{tmp_path / 'changed'} was changed",
        f"{tmp_path / 'folder'} was made",
        f"{tmp_path / 'folder' / 'made'} was made",
        f"{tmp_path / 'removed'} was removed",
    ]


def test_the_repository_is_watched_but_not_what_the_tools_keep_there(tmp_path: Path):
    found = watched(tmp_path)
    assert str(ROOT / "run.py") in found
    assert str(ROOT / "resources" / "examples" / "square.backwire") in found
    assert not any("__pycache__" in path or "/.git" in path for path in found)


def test_the_home_folder_of_a_run_is_its_own(tmp_path: Path):
    assert "backwire-tests." in str(Path.home())
    assert os.listdir(Path.home()) == []


def test_a_test_that_writes_elsewhere_fails(tmp_path: Path):
    (tmp_path / "test_stray.py").write_text(STRAY)
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n")
    options = ["-q", "-p", "no:cacheprovider", "--import-mode=importlib", f"--rootdir={tmp_path}"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-o", f"pythonpath={ROOT}", str(tmp_path)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert "2 passed, 1 error" in done.stdout, done.stdout + done.stderr
    assert "stray.txt was made" in done.stdout
