"""The proof by fuzzing, small, and that it sees what it looks for.

python3 run.py proof fuzz       the same on 35,000 inputs
"""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.proofs import fuzz
from tests.proofs.fuzzing import documents, lectures, texts

ROOT = Path(__file__).parents[2]

DYING = """
import os, signal, sys
from pathlib import Path
kind, seed, first, end, step, folder = sys.argv[1:]
if int(first) <= 1:
    (Path(folder) / "now").write_text("1")
    os.kill(os.getpid(), signal.SIGSEGV)
"""


def watched(deed: str, readable: str = "") -> str:
    """What the watch reports when a process does this under it; empty if nothing."""
    program = textwrap.dedent(f"""
        import ast, os, sys
        from tests.proofs.fuzzing.watch import ForbiddenError, Watch
        known = compile("1", "", "exec")
        def deed():
            {deed}
        watch = Watch()
        try:
            with watch.armed({readable!r}):
                deed()
        except ForbiddenError as found:
            print(found)
    """)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.parametrize(
    ("deed", "event"),
    [
        ("eval('1')", "compile"),
        ("compile('1', '', 'exec')", "compile"),
        ("exec(known)", "exec"),
        ("open('written', 'w')", "open"),
        ("open('/etc/hostname')", "open"),
        ("os.system('true')", "os.system"),
        ("os.remove('nothing')", "os.remove"),
        ("import antigravity", "import"),
    ],
)
def test_the_watch_sees_what_no_text_may_cause(deed: str, event: str):
    assert watched(deed).startswith(event)


def test_the_watch_lets_a_text_be_parsed_and_its_file_be_read(tmp_path):
    assert watched("ast.parse('a + b')") == ""
    path = tmp_path / "known"
    path.write_text("a")
    assert watched(f"open({str(path)!r}).read()", str(path)) == ""


def test_the_same_seed_makes_the_same_inputs():
    for number in (0, 7, 50):
        assert documents.document(3, number) == documents.document(3, number)
        assert lectures.lecture(3, number) == lectures.lecture(3, number)
        assert texts.expression(3, number) == texts.expression(3, number)
        assert texts.program(3, number) == texts.program(3, number)


def test_what_makes_a_process_die_is_counted_and_the_rest_is_tried(monkeypatch):
    monkeypatch.setattr(fuzz, "WORKER", ("-c", DYING))
    died = list(fuzz.trials("documents", 3, seed=0))
    assert [(trial.number, trial.outcome.verdict) for trial in died] == [(1, "escaped")]


def test_what_is_wrong_is_refused_and_the_rest_is_read_right(capsys):
    counts = {"documents": "100", "lectures": "50", "expressions": "50", "programs": "50"}
    options = [f"--{kind}={count}" for kind, count in (*counts.items(), ("seed", "11"))]
    assert fuzz.main(options) == 0, capsys.readouterr().out
    assert "Nothing escaped" in capsys.readouterr().out
