"""The proof by killing the window, small, and that it sees what it looks for.

python3 run.py proof crash      the same with 200 kills
"""

from dataclasses import replace

import pytest

from tests.helpers.sampling import sized
from tests.proofs import crash
from tests.proofs.crash import Chain, Link, Plan
from tests.proofs.crashing.log import Deed

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
    code = crash.main(["--kills", "2", "--seconds", "2.5", "--seed", "4", "--lost", str(lost)])
    assert code == 0, capsys.readouterr().out
    assert "Nothing was damaged" in capsys.readouterr().out
