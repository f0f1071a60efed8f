"""Every verb, with its output closed, full or left early, and with Ctrl-C at any moment."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from engine.formats.files import load_drawing
from tests.helpers.sampling import sampled, sized

ROOT = Path(__file__).parents[3]
PYTHON = [sys.executable, "-m", "app"]
GRAPH = str(ROOT / "resources" / "examples" / "shared-leaf.backwire")
VERBS: tuple[tuple[str, ...], ...] = (
    ("run", GRAPH, "--trace"),
    ("run", "-e", "a*b", "--json"),
    ("run", "--help"),
    ("check", GRAPH),
    ("new", "-e", "a*b + a", "-o", "OUT.backwire"),
    ("new", "--python", "-", "-o", "OUT.backwire"),
    ("export", GRAPH, "-o", "OUT.dot", "--step", "all"),
    ("export", GRAPH, "-o", "OUT.svg", "--backward"),
    ("ops",),
    ("mistakes",),
    ("examples",),
    ("lessons",),
    ("help",),
    ("--version",),
    ("run", "--bogus"),
    ("--bogus",),
)
TRIES = sized(6, 50)
MARKED = """
import signal
import sys
from app import __main__ as program
# A shell lets what it starts with & ignore Ctrl-C, and with it the tests.
signal.signal(signal.SIGINT, signal.default_int_handler)
program._set_up_process()
sys.stderr.write(".")  # from here on; before, Ctrl-C meets Python alone, which says so
sys.stderr.flush()
sys.exit(program.main())
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="streams and signals of POSIX")


def started(arguments, folder, begin=PYTHON, **streams: Any) -> subprocess.Popen[bytes]:
    """A verb as a process whose files go into a folder."""
    call = [str(folder / word) if word.startswith("OUT") else word for word in arguments]
    streams.setdefault("stdin", subprocess.DEVNULL)
    streams.setdefault("stderr", subprocess.PIPE)
    process: subprocess.Popen[bytes] = subprocess.Popen[bytes]([*begin, *call], cwd=ROOT, **streams)
    return process


def complaint(process: subprocess.Popen[bytes]) -> str:
    """What it said on standard error, which is one line at most."""
    _out, said = process.communicate(timeout=60)
    text = said.decode()
    assert text.count("\n") <= 1, text
    assert "Traceback" not in text
    assert "went wrong inside" not in text
    return text


@pytest.mark.parametrize("arguments", sampled(VERBS, every=6), ids=" ".join)
def test_closed_output_is_one_line_or_nothing(arguments, tmp_path):
    process = started(arguments, tmp_path, preexec_fn=lambda: os.close(1))
    complaint(process)
    assert process.returncode in (0, 1, 2)


@pytest.mark.parametrize(
    "arguments", sampled([("ops",), ("run", "-e", "a*b"), ("run", "--bogus")], 2)
)
def test_nothing_open_at_all_ends_without_a_crash(arguments, tmp_path):
    process = started(arguments, tmp_path, stderr=None, preexec_fn=lambda: os.closerange(0, 3))
    assert process.wait(60) in (1, 2)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
@pytest.mark.parametrize("arguments", sampled(VERBS, every=6, first=1), ids=" ".join)
def test_a_full_device_is_one_line_and_a_no(arguments, tmp_path):
    with open("/dev/full", "wb") as full:
        process = started(arguments, tmp_path, stdout=full)
    said = complaint(process)
    assert "--bogus" in arguments or said == "backwire: No space left on device.\n"
    assert process.returncode == (2 if "--bogus" in arguments else 1)


@pytest.mark.parametrize("arguments", sampled(VERBS, every=6, first=2), ids=" ".join)
def test_a_reader_that_left_early_is_no_error(arguments, tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    process = started(arguments, tmp_path, stdout=writing)
    os.close(writing)
    complaint(process)
    assert process.returncode in (0, 1, 2)


def test_ctrl_c_at_any_moment_ends_it_without_a_word(tmp_path):
    chance = random.Random(7)
    ends: list[int] = []
    for number in range(TRIES):
        arguments = chance.choice(VERBS)
        process = started(
            arguments, tmp_path, [sys.executable, "-c", MARKED], stdout=subprocess.PIPE
        )
        assert process.stderr is not None
        assert process.stderr.read(1) == b"."
        time.sleep(chance.uniform(0, 0.4) if number % 3 else 0)
        process.send_signal(signal.SIGINT)
        complaint(process)
        ends.append(process.returncode)
    assert set(ends) <= {-signal.SIGINT, 0, 1, 2}
    assert -signal.SIGINT in ends  # a third is told so before it has done anything
    assert all(load_drawing(path) for path in tmp_path.glob("OUT*.backwire"))  # whole or not there


def test_a_process_that_is_to_ignore_ctrl_c_does(tmp_path):
    def ignore() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    process = started(("ops",), tmp_path, stdout=subprocess.PIPE, preexec_fn=ignore)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert complaint(process) == ""
    assert process.returncode == 0


@pytest.mark.parametrize(("program", "code", "out", "err"), [
    (b"a = Value(2.0)\nb = a * a\nb.backward()\n", 0, b"3 nodes", b""),
    (b"a +", 1, b"", b"backwire: Standard input: Line 1"),
])  # fmt: skip
def test_new_reads_a_program_from_standard_input(program, code, out, err, tmp_path):
    call = [*PYTHON, "new", "--python", "-", "-o", str(tmp_path / "made.backwire")]
    done = subprocess.run(call, input=program, capture_output=True, cwd=ROOT, check=False)
    assert done.returncode == code
    assert out in done.stdout
    assert done.stderr.startswith(err) if err else done.stderr == b""
