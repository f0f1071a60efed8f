"""Runs the stories on two screens in a process of their own, which is given two virtual ones."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.monitors import Monitors
from tests.helpers.sampling import sampled

STORIES = Path(__file__).parent / "two_screens"
ROOT = Path(__file__).parents[2]
LARGE, SMALL = ((1366, 768), (1920, 1080)), ((1024, 640), (1280, 720))
"""Sizes of the speaker's screen and of the room's."""


def run_stories(name: str, count: int, **environment: str) -> None:
    """Run the stories of a file; all of them pass."""
    options = ("-q", "-x", "-p", "no:cacheprovider", "--no-xvfb")
    result = subprocess.run(
        [sys.executable, "-m", "pytest", str(STORIES / name), *options],
        env=os.environ | environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"{count} passed" in result.stdout


@pytest.mark.parametrize("sizes", sampled([SMALL, LARGE], 2))
def test_a_lecture_runs_on_two_screens(sizes: tuple[tuple[int, int], ...], tmp_path: Path):
    left, screens = 0, []
    for name, (width, height) in zip(("laptop", "projector"), sizes, strict=True):
        place = {"name": name, "x": left, "y": 0, "width": width, "height": height}
        screens.append(place | {"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1})
        left += width
    config = tmp_path / "screens.json"
    config.write_text(json.dumps({"screens": screens}))
    platform = f"offscreen:configfile={config}"
    run_stories("speaker_on_two_screens.py", 7, QT_QPA_PLATFORM=platform)


@pytest.fixture
def display() -> Iterator[str]:
    """An X server of its own, with a laptop's monitor and a projector's."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "3286x1080x24"]
    with subprocess.Popen(command, pass_fds=(writing,), stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        with os.fdopen(reading) as told:
            name = f":{told.readline().strip()}"
        with Monitors(name) as monitors:
            monitors.set("laptop", 0, 1366, 768, primary=True)
            monitors.set("projector", 1366, 1920, 1080)
            yield name
        server.terminate()


@pytest.mark.x11
@pytest.mark.parametrize(
    ("name", "count"), [("speaker_on_two_screens.py", 7), ("screens_come_and_go.py", 3)]
)
def test_it_does_on_a_real_x_server_whose_monitors_come_and_go(display: str, name: str, count: int):
    run_stories(name, count, DISPLAY=display, QT_QPA_PLATFORM="xcb")
