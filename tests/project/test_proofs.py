"""The proofs by killing, by full disks and by wrong inputs, small, and that they see their fault.

python3 run.py proof crash      the window killed 200 times
python3 run.py proof files      1,000 kills while saving, 20 levels of a full disk, two writers
python3 run.py proof fuzz       35,000 inputs
"""

import random
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from tests.helpers.sampling import sized
from tests.helpers.tables import in_turn
from tests.proofs import crash, files, fuzz
from tests.proofs.crash import Chain, Link, Plan
from tests.proofs.crashing.log import Deed
from tests.proofs.files import Kills, Turns, _checked, _turn
from tests.proofs.fuzzing import documents, texts
from tests.proofs.saving.versions import versions

STARTED = Deed("started", 0.0, "file", unsaved=False)
FIRST = Deed("edit", 10.0, "first", unsaved=True)
SECOND = Deed("edit", 13.0, "second", unsaved=True)
SAVED = Deed("saved", 14.0, "second", unsaved=False)
OFFER = replace(STARTED, offered=True)


def found(history: list[Deed], deeds: list[Deed], killed: float, tmp_path) -> str:
    """What the proof makes of a start, after a window that logged `history` was killed."""
    chain = Chain(tmp_path, 1, Plan("", 1, b""))
    chain._remember(history, "Restore", killed)
    return chain._judged(deeds, "Restore")[0]


def restored(digest: str) -> list[Deed]:
    return [OFFER, Deed("answered", 20.0, digest, unsaved=True, offered=True)]


@pytest.mark.parametrize(
    ("deeds", "killed", "verdict"),
    [
        (restored("second"), 99.0, "restored"),
        (restored("first"), 14.9, "restored"),
        (restored("first"), 15.1, "lost too much"),
        (restored("another"), 14.0, "damaged"),
        ([STARTED], 11.9, "nothing to offer"),
        ([STARTED], 12.1, "lost too much"),
    ],
)
def test_what_was_offered_is_held_against_what_was_edited(tmp_path, deeds, killed, verdict):
    assert found([STARTED, FIRST, SECOND], deeds, killed, tmp_path) == verdict


def test_after_a_clean_end_nothing_may_be_offered(tmp_path):
    history = [STARTED, FIRST, SECOND, SAVED]
    assert found(history, [STARTED], 99.0, tmp_path) == "nothing to offer"
    assert found(history, restored("second"), 99.0, tmp_path) == "offered for nothing"


def test_what_was_restored_must_be_offered_again_however_soon_the_kill_comes(tmp_path):
    assert found(restored("first"), [STARTED], 20.0, tmp_path) == "lost too much"
    assert found(restored("first"), restored("first"), 20.0, tmp_path) == "restored"


def test_a_kill_between_throwing_away_and_the_log_of_it_proves_nothing(tmp_path):
    chain = Chain(tmp_path, 1, Plan("", 1, b""))
    chain._remember(restored("first"), "Restore", 20.0)
    chain._remember([OFFER], "Throw away", 30.0)
    assert chain._judged([STARTED], "Restore") == ("nothing to offer", 0.0)
    assert chain._judged(restored("first"), "Restore") == ("restored", 0.0)


def test_the_table_is_printed_where_every_copy_is_damaged():
    links = [Link("killed", 1, "damaged", 0.0)]
    row = crash.Found("a file", links, [], []).row()
    assert row[crash.HEAD.index("damaged")] == 1


def test_how_much_may_be_lost_can_be_chosen(tmp_path):
    chain = Chain(tmp_path, 1, Plan("", 1, b"", most_lost=30.0))
    chain._remember([STARTED, FIRST, SECOND], "Restore", 39.9)
    assert chain._judged([STARTED], "Restore")[0] == "nothing to offer"
    assert chain._judged(restored("another"), "Restore")[0] == "damaged"


def test_a_window_that_is_killed_while_it_is_edited_leaves_a_whole_copy(capsys):
    """At most two seconds are lost: that by --whole, since a busy machine keeps copies late."""
    lost = sized(600, 2)
    code = crash.main(["--kills", "1", "--seconds", "1.5", "--seed", "4", "--lost", str(lost)])
    assert code == 0, capsys.readouterr().out
    assert "Nothing was damaged" in capsys.readouterr().out


@pytest.fixture(scope="module")
def known():
    return versions(1)


@pytest.mark.parametrize("begun", [None, 2])
def test_a_file_that_is_cut_short_is_damaged(known, tmp_path, begun):
    path, kills = tmp_path / "mine.backwire", Kills()
    path.write_bytes(known[1].text[:-1])
    _checked(kills, path, known, last=1, begun=begun)
    assert len(kills.wrong) == 1


def test_after_a_kill_in_a_save_the_old_and_the_new_file_are_both_right(known, tmp_path):
    path, kills = tmp_path / "mine.backwire", Kills()
    path.write_bytes(known[2].text)
    assert _checked(kills, path, known, last=1, begun=2) == 2
    path.write_bytes(known[1].text)
    assert _checked(kills, path, known, last=1, begun=2) == 1
    assert kills.wrong == []


def test_what_was_saved_may_not_be_an_older_version_after_a_kill(known, tmp_path):
    path, kills = tmp_path / "mine.backwire", Kills()
    path.write_bytes(known[0].text)
    _checked(kills, path, known, last=1, begun=None)
    assert len(kills.wrong) == 1


class Careless:
    """A writer that saves over everything without a question."""

    def __init__(self, path):
        self.path, self.known = path, b""

    def tell(self, line: str) -> str:
        if line == "save":
            self.path.write_bytes(b"mine")
        return ""


def test_a_writer_that_does_not_ask_is_found(known, tmp_path):
    path, turns = tmp_path / "shared.backwire", Turns()
    path.write_bytes(known[0].text)
    with pytest.raises(ValueError, match="not JSON"):  # what it wrote is no document either
        _turn(turns, path, Careless(path), 1.0, random.Random(1))
    assert turns.wrong == ["not asked, though another had written: ''"]


@in_turn(
    ("found", "said", "right"),
    [
        ("new", "", True),
        ("old", "mine.backwire can't be written: No space left on device.", True),
        ("old", "", False),
        ("old", "ESCAPED OSError()", False),
        ("damaged", "mine.backwire can't be written: No space left on device.", False),
        ("new", "mine.backwire can't be written: No space left on device.", False),
    ],
)
def test_a_full_disk_may_only_save_whole_or_refuse_with_a_sentence(found, said, right):
    outcome = files._outcome({"found": found, "said": said, "left": 0})
    assert (outcome in files.RIGHT) == right


def test_saving_survives_kills_a_full_disk_and_another_writer(capsys):
    small = ["--kills", "3", "--levels", "2", "--turns", "3", "--seconds", "0.2"]
    assert files.main(small) == 0, capsys.readouterr().out
    assert "Nothing was damaged" in capsys.readouterr().out


ROOT = Path(__file__).parents[2]

DYING = """
import os, signal, sys
from pathlib import Path
kind, seed, first, end, step, folder = sys.argv[1:]
if int(first) <= 1:
    (Path(folder) / "now").write_text("1")
    os.kill(os.getpid(), signal.SIGSEGV)
"""


def watched(deeds: list[str], readable: str) -> list[str]:
    """What the watch reports when a process does each of these under it."""
    program = textwrap.dedent(f"""
        import ast, os, sys
        from tests.proofs.fuzzing.watch import ForbiddenError, Watch
        known = compile("1", "", "exec")
        watch, names = Watch(), dict(ast=ast, os=os, known=known)
        for deed in {deeds!r}:
            exec(compile("def do():\\n    " + deed, "", "exec"), names)
            try:
                with watch.armed({readable!r}):
                    names["do"]()
                print("nothing")
            except ForbiddenError as found:
                print(found)
    """)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_the_watch_sees_what_no_text_may_cause_and_lets_it_be_parsed_and_its_file_be_read(tmp_path):
    path = tmp_path / "known"
    path.write_text("a")
    deeds = {
        "eval('1')": "compile",
        "compile('1', '', 'exec')": "compile",
        "exec(known)": "exec",
        "open('written', 'w')": "open",
        "open('/etc/hostname')": "open",
        "os.system('true')": "os.system",
        "os.remove('nothing')": "os.remove",
        "import antigravity": "import",
        "ast.parse('a + b')": "nothing",
        f"open({str(path)!r}).read()": "nothing",
    }
    found = watched([*deeds], str(path))
    for (deed, event), said in zip(deeds.items(), found, strict=True):
        assert said.startswith(event), (deed, said)


def test_the_same_seed_makes_the_same_inputs():
    for number in (0, 7, 50):
        assert documents.document(3, number) == documents.document(3, number)
        assert texts.expression(3, number) == texts.expression(3, number)
        assert texts.program(3, number) == texts.program(3, number)


def test_what_makes_a_process_die_is_counted_and_the_rest_is_tried(monkeypatch):
    monkeypatch.setattr(fuzz, "WORKER", ("-c", DYING))
    died = list(fuzz.trials("documents", 3, seed=0))
    assert [(trial.number, trial.outcome.verdict) for trial in died] == [(1, "escaped")]


def test_what_is_wrong_is_refused_and_the_rest_is_read_right(capsys):
    counts = {"documents": sized(2, 400), "expressions": sized(4, 20), "programs": sized(1, 200)}
    options = [f"--{kind}={count}" for kind, count in (*counts.items(), ("seed", "11"))]
    assert fuzz.main(options) == 0, capsys.readouterr().out
    assert "Nothing escaped" in capsys.readouterr().out
