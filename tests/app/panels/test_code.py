"""The page Code: lines that follow the step, and source that can be copied and run."""

import contextlib
import io
import os
import re
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.controls.python_choice import PythonChoice
from app.panels.code import CodePage
from app.runner.run import Request, claims
from app.workbench.playback.time_machine import TimeMachine
from app.workbench.trials.program_run import Line, ProgramRun
from engine.formats.program_graph import ProgramGraph
from tests.helpers.ran import PASS, VALUE, file_in, notebook, run_all


def machine(host) -> TimeMachine:
    return TimeMachine(host.document, host.playback, host.document)


def make(host) -> CodePage:
    return host.show(CodePage(host.style, host.playback, host.selection, machine(host)))


def chosen(host, name: str) -> None:
    host.selection.focus_on(host.node(name))


def test_the_code_lists_the_pass_and_a_click_goes_to_a_line(host):
    host.open_shared(6)
    chosen(host, "a")
    panel = make(host)
    lines = panel.steps.text().splitlines()
    assert lines[8] == "a.grad += e.grad * b.data  # +6"
    assert lines[9] == "b.grad += e.grad * a.data"
    line = panel.steps.viewport().height() // 10
    QTest.mouseClick(
        panel.steps.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(60, 3 * line + line // 2)
    )
    assert host.playback.cursor == 1


def test_the_line_that_happens_is_in_sight(host):
    host.open("y = " + " + ".join(["a"] * 60))
    host.playback.backward()
    panel = make(host)
    host.playback.to_end()
    bar = panel.steps.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    host.playback.go(0)
    host.playback.step()
    assert bar.value() < bar.maximum()


def test_a_short_listing_is_shown_whole_at_every_width(host):
    host.open_shared(6)
    panel = make(host)
    for width in (*range(400, 240, -5), *range(240, 400, 5)):
        panel.resize(width, 900)
        QApplication.processEvents()
        assert panel.steps.verticalScrollBar().maximum() == 0, width
        assert not panel.steps.verticalScrollBar().isVisible(), width


def test_both_faces_of_a_small_graph_fit_across(host):
    host.open_shared(6)
    panel = make(host)
    panel.resize(300, 600)
    QApplication.processEvents()
    assert panel.steps.horizontalScrollBar().maximum() == 0
    assert not panel.steps.horizontalScrollBar().isVisible()
    panel.show_view("source")
    QApplication.processEvents()
    assert panel.source.horizontalScrollBar().maximum() == 0


def test_the_numbers_of_thousands_of_lines_have_room_beside_the_code(host):
    host.open("y = " + " + ".join(["a"] * 60))
    panel = make(host)
    few = panel.steps.code_left()
    host.open("y = " + "+".join(["a"] * 1200))
    assert panel.steps.code_left() > few


def test_source_is_the_other_face_and_both_can_be_copied(host):
    host.open_shared(6)
    panel = make(host)
    QTest.mouseClick(panel.copy, Qt.MouseButton.LeftButton)
    assert "a.grad += e.grad * b.data  # +6" in QGuiApplication.clipboard().text()
    panel.show_view("source")
    assert panel.source.isVisible()
    assert not panel.steps.isVisible()
    QTest.mouseClick(panel.copy, Qt.MouseButton.LeftButton)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):  # what is copied runs by itself
        exec(QGuiApplication.clipboard().text(), {})
    assert said.getvalue() == "(8.0, (4.0, -4.0, -4.0))\n"


def test_without_a_root_it_asks_for_one(host):
    panel = make(host)
    assert panel.words.text().startswith("Choose a root")
    assert not panel.copy.isEnabled()
    panel.show_view("source")
    assert panel.words.text().startswith("Choose a root")


def test_up_and_down_go_from_line_to_line(host):
    host.open_shared(6)
    panel = make(host)
    panel.steps.setFocus()
    lit = [panel.steps.accessibleDescription()]
    for pressed in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down):
        QTest.keyClick(panel.steps, pressed)
        lit.append(panel.steps.accessibleDescription())
    assert [text.partition(":")[0] for text in lit] == [
        *("Line 9", "Line 8", "Line 9", "Line 10", "Line 10")
    ]
    assert host.playback.cursor == 7


@pytest.fixture
def near(tmp_path: Path) -> Path:
    """An environment beside a program; whoever starts its Python leaves a file."""
    folder = tmp_path / ".venv"
    (folder / "lib" / "python3.12" / "site-packages" / "torch").mkdir(parents=True)
    program = file_in(folder / "bin", "python", f"#!/bin/sh\ntouch {tmp_path / 'started'}\n")
    program.chmod(0o755)
    (folder / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.12.1\n")
    os.truncate(folder / "pyvenv.cfg", 8 << 30)  # of which only the beginning is read
    (tmp_path / "no environment" / "bin").mkdir(parents=True)
    return program


def test_the_face_run_has_the_pythons_near_the_program_and_each_change_asks_again(
    host, tmp_path, near
):
    run = ProgramRun(host.document, host.playback, host.settings, host.document)
    path = file_in(tmp_path, "lecture.py", "print(1)")
    run.bring(path, path.read_bytes(), "lecture.py was read.")
    page = CodePage(host.style, host.playback, host.selection, machine(host), lambda: run)
    host.show(page)
    page.show_view("run")
    face = page.run_face
    assert face is not None
    rows = face.python.rows
    assert rows.texts() == ["Backwire's Python", ".venv near the file, 3.12, has torch"]
    asked: list[Request] = []
    run.changed.connect(lambda: asked.append(run.request))
    rows.chosen.emit(1)
    face.boxes["seconds"].setCurrentIndex(2)
    face.boxes["seconds"].activated.emit(2)
    face.arguments.setText("--epochs 3 'two words'")
    face.arguments.editingFinished.emit()
    assert asked == [
        replace(asked[0], python=str(near), seconds=30.0, arguments=()),
        replace(asked[0], seconds=120.0),
        replace(asked[0], seconds=120.0, arguments=("--epochs", "3", "two words")),
    ]
    assert "120 s" in claims(run.request)
    page.show_view("steps")
    assert not face.isVisible()
    assert page.heading.isVisible()
    assert not (tmp_path / "started").exists()
    assert host.settings.python == str(near)
    run.bring(path, b"print(2)", "")  # the next program begins with it
    assert run.request.python == str(near)


def test_the_face_run_has_the_cell_of_the_pass_until_the_sheet_is_edited(host, tmp_path):
    counted = notebook(VALUE, PASS, "d = a * 2.0\nd.backward()\n")
    plain = re.sub(r'"execution_count": \d+', '"execution_count": null', counted)
    paths = [
        file_in(tmp_path, "counted.ipynb", counted),
        file_in(tmp_path, "plain.ipynb", plain),
        file_in(
            tmp_path, "script.py", ("# coding: latin-1\n# \xe9\n" + VALUE + PASS).encode("latin-1")
        ),
    ]
    results = run_all({path.name: Request(path) for path in paths})
    run = ProgramRun(host.document, host.playback, host.settings, host.document)
    page = CodePage(host.style, host.playback, host.selection, machine(host), lambda: run)
    host.show(page)
    page.show_view("run")
    face = page.run_face
    assert face is not None
    for path in paths:
        run.bring(path, path.read_bytes(), "")
        assert face.cell.isHidden(), path.name  # no pass is shown
        for recording in results[path.name].graphs:
            found = ProgramGraph(recording)
            host.document.start(found.drawing)
            run.lines = (Line((found,)),)
            run.show(found)
            assert face.heading.text() == str(recording.where)
            assert face.cell.textCursor().block().text().strip() == recording.where.text
            assert face.cell.isReadOnly()
        host.document.set_value(host.document.graph.leaves[0], 9.0)
        assert face.cell.isHidden(), path.name


def test_what_is_no_python_is_refused_as_it_is_typed(host):
    choice = host.show(PythonChoice(host.style, "Run it with"))
    choice.show_python("", None)
    chosen: list[str] = []
    choice.chosen.connect(chosen.append)
    for typed in ("pyton", sys.executable):
        choice.other.setText(typed)
        choice.other.editingFinished.emit()
    assert chosen == [sys.executable]
    choice.other.setText("pyton")
    choice.other.editingFinished.emit()
    assert "no Python pyton" in choice.other.placeholderText()
    assert not choice.other.text()
