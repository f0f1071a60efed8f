"""The list of a program's passes, and the bar above it."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.document.sheet import sheet_of
from app.panels.program import PassList, ProgramBar
from app.runner.run import Request
from app.workbench.study.program_run import Line, ProgramRun
from engine.formats.program_graph import ProgramGraph
from engine.formats.recording import Place
from tests.helpers.ran import PASS, VALUE, file_in, run_all
from tests.helpers.window import click

AGAIN = "for k in range(4): (a * b * a).backward()\n"


def brought(host, path, result) -> tuple[ProgramRun, ProgramBar, PassList]:
    run = ProgramRun(host.document, host.document)
    passes = host.show(PassList(host.style, run))
    bar = ProgramBar(host.style, run, passes)
    bar.setParent(QWidget(passes))  # else it would be a window, which takes the focus
    run.bring(path, path.read_bytes(), "")
    lines: dict[Place, list[ProgramGraph]] = {}
    for graph in result.graphs:
        lines.setdefault(graph.where, []).append(ProgramGraph(graph))
    run.result, run.lines = result, tuple(Line(tuple(each)) for each in lines.values())
    run.changed.emit()
    passes.show_passes()
    return run, bar, passes


def test_bar_and_list_say_one_thing_and_enter_opens_the_pass_that_is_chosen(host, tmp_path):
    none = file_in(tmp_path, "none.py", VALUE + PASS.replace("c.backward()\n", ""))
    many = file_in(tmp_path, "many.py", VALUE + PASS.replace("c.backward()\n", "") + AGAIN)
    results = run_all({path: Request(path) for path in (none, many)})
    _run, bar, passes = brought(host, none, results[none])
    assert "no pass was seen" in bar.text()
    said = f"{passes.heading.text()} {passes.sentence.text()} {passes.rows.texts()[0]}"
    assert "backward passes saw" not in said
    assert "passes were seen" not in said
    assert said.count("o backward pass was seen") == 2
    run, bar, passes = brought(host, many, results[many])
    opened: list[ProgramGraph] = []
    passes.open_wanted.connect(opened.append)
    QApplication.processEvents()  # lays out the choice
    passes.open.setFocus()
    click(passes.which._buttons["first"])
    assert passes.rows.hasFocus()
    QTest.keyClick(passes.rows, Qt.Key.Key_Return)
    assert [found.recording.nth for found in opened] == [1]
    host.document.show_other(sheet_of(opened[0].drawing), "", host.document.new_gesture())
    run.show(opened[0])
    passes.show_passes()
    assert passes.chosen is opened[0]
