"""The program is killed in the middle of work; the next start offers what was not saved."""

import os
import subprocess
import sys
import textwrap

import pytest

from app.document import recovery
from app.document.recovery import state_folder
from app.window.commands.save import offer_recovered, save_now
from engine.errors import FormatError
from tests.helpers.window import answer, example_path, no_question, opened_window, question, value

VICTIM = textwrap.dedent("""
    import sys, time
    from pathlib import Path
    from app.window.frame.main_window import MainWindow
    from app.window.start import make_application
    application = make_application()
    window = MainWindow()
    window.begin(Path(sys.argv[1]))
    window.document.set_value(window.document.graph.node_named("a"), 42.0)
    window.context.files.recovery.keep()
    print("kept", flush=True)
    time.sleep(60)
""")


@pytest.fixture
def killed(qapp, tmp_path):
    """A window that was killed with a change that was not saved; gives the file it had open."""
    path = tmp_path / "mine.backwire"
    path.write_bytes(example_path("shared-leaf").read_bytes())
    victim = subprocess.Popen(
        [sys.executable, "-c", VICTIM, str(path)],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.getcwd()},
    )
    assert victim.stdout is not None
    assert victim.stdout.readline().strip() == b"kept"
    victim.kill()
    victim.wait()
    victim.stdout.close()
    yield path
    for left in (state_folder() / "unsaved").glob("*"):
        left.unlink()


def test_what_was_not_saved_is_offered_and_restored(killed, qtbot):
    with opened_window(qtbot) as window:
        offer_recovered(window.context)
        assert "unsaved work: mine.backwire" in question(window).text()
        answer(window, "Restore")
        assert value(window, "a") == 42.0
        assert window.document.path == killed
        assert window.isWindowModified()


def test_what_was_restored_is_still_kept_until_it_is_saved(killed, qtbot):
    with opened_window(qtbot) as window:
        offer_recovered(window.context)
        answer(window, "Restore")
        assert len(list((state_folder() / "unsaved").glob("*.backwire"))) == 1
        save_now(window.context, killed)
        assert list((state_folder() / "unsaved").glob("*.backwire")) == []


def test_what_can_not_be_kept_again_stays_where_it_was(killed, qtbot, monkeypatch):
    def full(*_arguments):
        raise FormatError("No space left on device.")

    monkeypatch.setattr(recovery, "write_atomically", full)
    with opened_window(qtbot) as window:
        offer_recovered(window.context)
        answer(window, "Restore")
        assert value(window, "a") == 42.0
        (copy,) = (state_folder() / "unsaved").glob("*.backwire")
        assert "42" in copy.read_text()


def test_later_offers_it_again_and_throwing_away_does_not(killed, qtbot):
    with opened_window(qtbot) as window:
        offer_recovered(window.context)
        answer(window, "Later")
        offer_recovered(window.context)
        answer(window, "Throw away")
        offer_recovered(window.context)
        assert no_question(window)


def test_a_window_that_is_closed_leaves_nothing_behind(qtbot):
    with opened_window(qtbot, example_path("square")) as window:
        window.document.set_value(1, 5.0)
        window.context.files.recovery.keep()
        window.close()
        answer(window, "Discard")
        assert list((state_folder() / "unsaved").glob("*.backwire")) == []


def test_two_windows_do_not_offer_the_same_copy(killed, qtbot):
    with opened_window(qtbot) as first, opened_window(qtbot) as second:
        offer_recovered(first.context)
        offer_recovered(second.context)
        assert "unsaved work: mine.backwire" in question(first).text()
        assert no_question(second)
        answer(first, "Later")
        offer_recovered(second.context)
        answer(second, "Restore")
        assert value(second, "a") == 42.0
        offer_recovered(first.context)
        assert no_question(first)
