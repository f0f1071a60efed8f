"""Hostile files are refused with the place of the fault, in little time and little memory."""

import json
import os
import subprocess
import sys

import pytest

from engine import FormatError
from engine.formats.native import read_drawing
from tests.helpers.hostile import LARGE, SMALL
from tests.helpers.sampling import sampled

PACES = 250
"""The most processor time for a refusal, in times that of a fixed piece of work: some seconds, more
on a slower or busier machine. Work that grows faster than the file takes minutes; that each takes
under one second is measured by `run.py proof fuzz`."""
MIB = 200

MEASURED = """
import json, os, sys, time
from pathlib import Path
from engine import FormatError, load

def peak():  # the kernel's own; getrusage says that of the parent where that was larger
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024

def pace():
    begun = time.process_time()
    for _ in range(4):
        rows = json.loads(json.dumps([{"id": k, "slots": [k, k + 1]} for k in range(1_000)]))
        sorted(rows, key=lambda row: -row["id"])
    return time.process_time() - begun

def refusal(path):
    begun = time.process_time()
    try:
        load(path)
        said = ""
    except FormatError as error:
        said = str(error)
    return time.process_time() - begun, said

good, *hostile = sys.argv[1:]
load(good)
for path in hostile:
    child = os.fork()  # a process for each, so that none uses memory that another has freed
    if child == 0:
        idle = peak()
        seconds, said = refusal(path)
        used = peak() - idle
        print(json.dumps([said, seconds / max(pace(), pace()), used]), flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.mark.parametrize(("text", "words"), SMALL)
def test_a_small_hostile_file_is_refused_with_its_place(text, words):
    with pytest.raises(FormatError) as caught:
        read_drawing(text)
    assert words in str(caught.value)


def test_there_are_at_least_sixty_of_them():
    assert len(SMALL) + len(LARGE) >= 60


@pytest.mark.skipif(sys.platform != "linux", reason="measures the peak of memory as Linux says it")
def test_large_hostile_files_are_refused_in_little_time_and_memory(tmp_path):
    good = tmp_path / "good.backwire"
    good.write_text('{"format": "backwire", "version": 1, "nodes": []}', "utf-8")
    large = dict(sampled(LARGE.items(), every=4))  # `run.py proof fuzz` tries all of them too
    files = [tmp_path / f"bad{k}.backwire" for k in range(len(large))]
    for file, (make, _words) in zip(files, large.values(), strict=True):
        file.write_text(make(), "utf-8")
    uncounted = {k: v for k, v in os.environ.items() if not k.startswith("COV")}
    done = subprocess.run(  # without coverage, which takes as long again as the work
        [sys.executable, "-c", MEASURED, str(good), *map(str, files)],
        capture_output=True,
        env=uncounted,
        text=True,
    )
    assert done.stderr == ""
    told = [json.loads(line) for line in done.stdout.splitlines()]
    wrong = [
        f"{name}: {said!r}, {paces:.0f} paces, {mib:.0f} MiB"
        for (name, (_make, words)), (said, paces, mib) in zip(large.items(), told, strict=True)
        if words not in said or paces >= PACES or mib >= MIB
    ]
    assert not wrong
