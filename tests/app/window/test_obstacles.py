import gc
import subprocess
import sys

import pytest

from app.window import start
from app.window.start import NO_DISPLAY

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux can lack these")


@pytest.fixture
def no_screen(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


def test_nothing_stands_in_the_way_here():
    assert start.display_problem() == ""


def test_a_missing_display_is_one_sentence(no_screen):
    assert "no display" in start.display_problem()


def test_a_display_that_does_not_answer_is_named(no_screen, monkeypatch):
    monkeypatch.setenv("DISPLAY", ":4711")
    monkeypatch.setattr(start, "_X11_LIBRARIES", {})
    assert '":4711" does not answer' in start.display_problem()


def test_a_missing_library_is_named_with_its_package(monkeypatch):
    monkeypatch.setattr(start, "_QT_LIBRARIES", {"libnothing.so.7": "libnothing7"})
    sentence = start.import_problem(ImportError("libnothing.so.7: cannot open"))
    assert "libnothing.so.7" in sentence
    assert "install libnothing7" in sentence


def test_a_library_that_a_bundle_brings_is_not_asked_for(tmp_path, monkeypatch):
    monkeypatch.setattr(start, "_X11_LIBRARIES", {"libheld.so.0": "held", "libnone.so.0": "none"})
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    (tmp_path / "libheld.so.0").touch()
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    monkeypatch.setenv("DISPLAY", ":4711")
    assert (
        start.display_problem() == "This system lacks libnone.so.0: install none and start again."
    )


def test_without_a_display_the_program_ends_with_3_and_one_line(no_screen, capsys):
    assert start.start([]) == NO_DISPLAY
    error = capsys.readouterr().err
    assert error.startswith("backwire: ")
    assert error.count("\n") == 1
    assert gc.isenabled()  # it was off while the window was to be made


def test_checking_loads_no_part_of_qt():
    code = (
        "import sys; from app.window.start import start; start([]);"
        "print([name for name in sys.modules if 'PySide' in name])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PATH": "/usr/bin"}
    )
    assert done.stdout.strip() == "[]"
