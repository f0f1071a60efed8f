"""The proof of saving, small, and that it sees what it looks for.

python3 run.py proof files      the same with 1,000 kills and 20 levels of a full disk
"""

import random

import pytest

from tests.proofs import files
from tests.proofs.files import Kills, Turns, _checked, _turn
from tests.proofs.saving.versions import versions


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


@pytest.mark.parametrize(
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
    small = ["--kills", "6", "--levels", "2", "--turns", "4", "--seconds", "0.2"]
    assert files.main(small) == 0, capsys.readouterr().out
    assert "Nothing was damaged" in capsys.readouterr().out
