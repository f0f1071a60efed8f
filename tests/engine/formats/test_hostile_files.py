"""Hostile files are refused with the place of the fault, in little time and little memory."""

import json
import os
import subprocess
import sys

import pytest

from engine import FormatError
from engine.formats.native import read_drawing
from tests.helpers.hostile import LARGE, SMALL

SECONDS = 1.0
"""Of processor time, which other programs on the machine don't change."""
MIB = 200

MEASURED = """
import json, sys, time
from pathlib import Path
from engine import FormatError, load

def peak():  # the kernel's own; getrusage says that of the parent where that was larger
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024

load(sys.argv[1])
idle, begun = peak(), time.process_time()
try:
    load(sys.argv[2])
    said = ""
except FormatError as error:
    said = str(error)
print(json.dumps([said, time.process_time() - begun, peak() - idle]))
"""


@pytest.mark.parametrize(("text", "words"), SMALL)
def test_a_small_hostile_file_is_refused_with_its_place(text, words):
    with pytest.raises(FormatError) as caught:
        read_drawing(text)
    assert words in str(caught.value)


def test_there_are_at_least_sixty_of_them():
    assert len(SMALL) + len(LARGE) >= 60


@pytest.mark.skipif(sys.platform != "linux", reason="measures the peak of memory as Linux says it")
@pytest.mark.parametrize("name", LARGE)
def test_a_large_hostile_file_is_refused_in_little_time_and_memory(name, tmp_path):
    make, words = LARGE[name]
    good, bad = tmp_path / "good.backwire", tmp_path / "bad.backwire"
    good.write_text('{"format": "backwire", "version": 1, "nodes": []}', "utf-8")
    bad.write_text(make(), "utf-8")
    uncounted = {k: v for k, v in os.environ.items() if not k.startswith("COV")}
    done = subprocess.run(  # without coverage, which takes as long again as the work
        [sys.executable, "-c", MEASURED, str(good), str(bad)],
        capture_output=True,
        env=uncounted,
        text=True,
    )
    assert done.stderr == ""
    said, seconds, mib = json.loads(done.stdout)
    assert words in said
    assert (seconds < SECONDS, mib < MIB) == (True, True), f"{seconds:.2f} s, {mib:.0f} MiB"
