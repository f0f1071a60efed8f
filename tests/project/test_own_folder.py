"""Tests clear away what tests that were killed have left behind."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.helpers import own_folder as folders
from tests.helpers.own_folder import own_folder

ROOT = Path(__file__).parents[2]
HOLDER = """
from tests.helpers.own_folder import own_folder
with own_folder("killed") as folder:
    (folder / "file").write_text("something")
    print(folder, flush=True)
    input()
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="folders are held by flock")


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(folders, "YOUNG", -60.0)


def test_a_folder_goes_with_its_block(tmp_path: Path):
    with own_folder("one") as folder:
        assert folder.parent == tmp_path
        (folder / "file").write_text("something")
    assert not folder.exists()


def test_what_a_killed_process_left_is_cleared_and_what_a_living_one_has_stays():
    command = [sys.executable, "-c", HOLDER]
    with subprocess.Popen(
        command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        left = Path(process.stdout.readline().strip())
        with own_folder("killed"):
            assert (left / "file").exists()
        process.kill()
    assert (left / "file").exists()
    with own_folder("another kind"):
        assert left.exists()
    with own_folder("killed"):
        assert not left.exists()


def test_a_folder_just_made_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(folders, "YOUNG", 60.0)
    young = tmp_path / "backwire-killed.young"
    young.mkdir()
    with own_folder("killed"):
        assert young.exists()
    os.utime(young, (0, 0))
    with own_folder("killed"):
        assert not young.exists()
