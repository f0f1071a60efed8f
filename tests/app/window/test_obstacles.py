import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from app.window import start
from app.window.start import NO_DISPLAY

ROOT = Path(__file__).resolve().parents[3]

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


def test_without_a_display_the_program_ends_with_3_and_one_line_and_loads_no_part_of_qt():
    code = (
        "import gc, sys; from app.window.start import start; code = start([]);"
        "print(code, gc.isenabled(), [name for name in sys.modules if 'PySide' in name])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PATH": "/usr/bin"}
    )
    # the collector was off while the window was to be made
    assert done.stdout.strip() == f"{NO_DISPLAY} True []"
    assert done.stderr.startswith("backwire: ")
    assert done.stderr.count("\n") == 1


def test_qt_finds_its_plugins_in_a_venv_whatever_its_folder_is_called(tmp_path):
    packages = Path(sysconfig.get_path("platlib"))
    venv = tmp_path / 'a "b"; c, d'
    inside = venv / packages.relative_to(sys.prefix)
    inside.mkdir(parents=True)
    for each in packages.iterdir():
        if each.suffix != ".pth":
            (inside / each.name).symlink_to(each)
    (venv / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).resolve().parent}\n")
    (venv / "bin").mkdir()
    (venv / "bin" / "python").symlink_to(Path(sys.executable).resolve())
    command = [
        venv / "bin" / "python",
        "-m",
        "app",
        "export",
        "-e",
        "a*b",
        "-o",
        tmp_path / "x.png",
    ]
    settings = {"PATH": "/usr/bin", "HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
