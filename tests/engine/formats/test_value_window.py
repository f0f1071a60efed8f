"""A Value shows its graph in a window, which is a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.__main__ import SHOW_WORD
from engine import Value
from engine.formats import value_display
from engine.formats.native import read

ROOT = Path(__file__).resolve().parents[3]


def lecture() -> Value:
    x, w, b = Value(2.0, label="x"), Value(-3.0, label="w"), Value(6.88, label="b")
    xw = x * w
    xw.label = "x*w"
    o = (xw + b).tanh()
    o.label = "o"
    return o


@pytest.fixture
def handed(monkeypatch) -> list[str]:
    """What is handed to the window's process, which is not started."""
    found: list[str] = []
    monkeypatch.setattr(
        value_display, "_start", lambda content: found.append(content.decode()) or ""
    )
    return found


def test_the_window_is_given_the_graph_with_its_values_and_labels(handed, capfd):
    o = lecture()
    o.show()
    graph = read(handed[0])
    assert graph == o.graph()
    assert {"x", "w", "b", "x*w", "o"} <= {graph.label(node) for node in graph.nodes}
    assert capfd.readouterr() == ("", "")


def test_without_qt_it_is_one_line(monkeypatch, capsys, handed):
    monkeypatch.setattr(value_display, "find_spec", lambda _name: None)
    assert lecture().show() is None
    said = capsys.readouterr().err
    assert said.startswith("backwire: the window needs PySide6")
    assert said.count("\n") == 1
    assert handed == []


def test_a_graph_beyond_the_windows_limit_is_said_in_one_line(monkeypatch, capsys, handed):
    monkeypatch.setattr(value_display, "NODE_LIMIT", 5)
    lecture().show()
    assert capsys.readouterr().err == (
        "backwire: the window shows up to 5 nodes, and this graph has 6\n"
    )
    assert handed == []


def test_a_million_deep_chain_is_too_large_to_show_and_to_draw(capsys, handed):
    x = Value(1.0)
    for _ in range(300_000):
        x = -x
    x.show()
    assert "this graph has 300,001" in capsys.readouterr().err
    assert x._repr_svg_() is None


def test_what_a_value_can_not_say_is_one_line(capsys, handed):
    Value(1.0, (Value(2.0),), "strange").show()
    said = capsys.readouterr().err
    assert "can't be opened: 'strange'" in said
    assert said.count("\n") == 1


def run(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A program that shows a graph, in a folder with an app.py of its own."""
    (tmp_path / "app.py").write_text("raise SystemExit('not this one')\n")
    program = tmp_path / "program.py"
    program.write_text("from engine import Value\n(Value(2.0) * 3).show()\nprint('goes on')\n")
    known = {key: text for key, text in os.environ.items() if "DISPLAY" not in key}
    return subprocess.run(
        [sys.executable, str(program)],
        cwd=tmp_path,
        env=known | {"PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.skipif(sys.platform != "linux", reason="only there can a display be missing")
def test_without_a_display_a_program_goes_on_with_one_line(tmp_path):
    done = run(tmp_path, QT_QPA_PLATFORM="xcb")
    assert done.returncode == 0
    assert done.stdout == "goes on\n"
    assert done.stderr == (
        "backwire: There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set.\n"
    )


def test_a_process_that_dies_is_said_and_leaves_no_zombie(monkeypatch, capsys):
    monkeypatch.setattr(value_display.sys, "executable", "/bin/false")
    lecture().show()
    assert capsys.readouterr().err == "backwire: the window did not start\n"


@pytest.mark.skipif(os.name != "posix", reason="starts a script of the shell")
def test_a_window_that_never_answers_does_not_keep_the_program(tmp_path, monkeypatch, capsys):
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\nexec sleep 40\n")
    silent.chmod(0o755)
    monkeypatch.setattr(value_display.sys, "executable", str(silent))
    monkeypatch.setattr(value_display, "ANSWER_TIMEOUT", 0.1)
    lecture().show()  # while the window sleeps on; had it been waited for, nothing would be said
    assert capsys.readouterr().err == (
        "backwire: the window has not answered for 0.1 seconds; it may still open\n"
    )


def test_site_packages_do_not_come_before_the_standard_library(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/of/the/user")
    place = str(value_display._IMPORT_FOLDER)
    assert value_display._search_path() == {"PYTHONPATH": os.pathsep.join([place, "/of/the/user"])}
    monkeypatch.setattr(value_display.site, "getsitepackages", lambda: ["/other", place])
    assert value_display._search_path() == {}


def test_the_program_knows_the_word_that_starts_it():
    assert SHOW_WORD == value_display.SHOW_WORD


def test_a_value_imports_nothing_for_this_until_it_is_asked():
    code = "import sys, engine.value; print([m for m in sys.modules if '.value_' in m])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
