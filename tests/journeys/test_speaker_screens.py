"""Runs the stories on two screens in a process of their own, which is given two virtual ones."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

STORIES = Path(__file__).parent / "two_screens" / "speaker_on_two_screens.py"
ROOT = Path(__file__).parents[2]
LARGE, SMALL = ((1366, 768), (1920, 1080)), ((1024, 640), (1280, 720))
"""Sizes of the speaker's screen and of the room's."""


@pytest.mark.parametrize("sizes", [LARGE, SMALL])
def test_a_lecture_runs_on_two_screens(sizes: tuple[tuple[int, int], ...], tmp_path: Path):
    left, screens = 0, []
    for name, (width, height) in zip(("laptop", "projector"), sizes, strict=True):
        place = {"name": name, "x": left, "y": 0, "width": width, "height": height}
        screens.append(place | {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1})
        left += width
    config = tmp_path / "screens.json"
    config.write_text(json.dumps({"screens": screens}))
    result = subprocess.run(
        [sys.executable, "-m", "pytest", str(STORIES), "-q", "-x", "-p", "no:cacheprovider"],
        env={**os.environ, "QT_QPA_PLATFORM": f"offscreen:configfile={config}"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "6 passed" in result.stdout
