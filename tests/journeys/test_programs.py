"""A program is brought, run once the user agrees, and one of its passes is stepped."""

import os
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.canvas.appearance.detail import Detail
from app.cli.grading import do as grade
from app.panels.code import CodePage
from app.panels.program_bar import RUN_IT, PassList, ProgramBar
from app.runner import run as runner
from app.window.commands import programs_actions
from app.window.commands.file_actions import open_file
from app.window.commands.lesson_actions import begin_lesson
from app.window.frame.main_window import MainWindow
from tests.helpers.ran import PASS, VALUE, file_in, notebook
from tests.helpers.window import CTRL, click, example_path, press, until

WRONG = VALUE.replace("grad +=", "grad =")
"""A class whose steps assign."""
TWICE = "d = a * a\nd.label = 'd'\nd.backward()\n"
ENDLESS = "import time\nwhile True: time.sleep(0.01)\n"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """All processes that a run starts."""
    begun: list[object] = []
    begin = runner.subprocess.Popen

    def noted(command, *rest, **more):
        begun.append(command)
        return begin(command, *rest, **more)

    monkeypatch.setattr(runner.subprocess, "Popen", noted)
    return begun


def bar_of(window: MainWindow) -> ProgramBar:
    (bar,) = window.parts.program_bars
    assert isinstance(bar, ProgramBar)
    return bar


def passes_of(window: MainWindow) -> PassList:
    stage = window.parts.stage_widgets[0]
    assert isinstance(stage, PassList)
    return stage


def bring(window: MainWindow, folder: Path, text: str, name: str = "lecture.py") -> Path:
    path = file_in(folder, name, text)
    open_file(window.context, path)
    return path


def run_it(window: MainWindow) -> None:
    click(bar_of(window).main)
    until(lambda: not window.context.programs().running)


def test_a_notebook_is_stepped_in_six_presses_and_undo_leads_back(window, tmp_path, started):
    text = notebook(VALUE, PASS, TWICE, "import no_such\nno_such.use()")
    bring(window, tmp_path, text, "lecture.ipynb")  # the first two: Open, and the file
    bar = bar_of(window)
    assert "In [3], root d. It has a class of its own, Value." in bar.text()
    assert "has no network" in bar.text()
    assert bar.main.text() == RUN_IT
    assert window.document.graph.root_name == "d"  # straight lines are there at once
    assert not started
    until(lambda: not window.canvas.auto_layout.running)
    before = window.document.sheet
    run_it(window)  # the third
    passes = passes_of(window)
    assert [row.split(":")[0].split(",")[0] for row in passes.rows.texts()] == ["d", "c"]
    assert "adds to" in passes.rows.texts()[0].lower()
    assert "2 leaf gradients as in the program" in passes.rows.texts()[1]
    assert "No module named 'no_such'" in bar.text()
    assert passes.rows.hasFocus()
    press(window, Qt.Key.Key_Down, Qt.Key.Key_Return)  # the fourth and the fifth
    assert not window.parts.staged
    assert window.document.graph.root_name == "c"
    assert window.windowTitle().startswith("c of lecture.ipynb")
    press(window, "b")  # the sixth
    assert window.playback.frame.cursor == 1
    press(window, "z", modifier=CTRL)
    assert window.document.sheet is before
    assert bar.main.text() == "Its passes"
    click(bar.main)
    assert passes_of(window).rows.currentRow() == 0
    press(window, Qt.Key.Key_Escape)
    assert not window.parts.staged


def test_what_the_bar_says_of_a_pass_holds_until_the_sheet_is_edited(window, tmp_path):
    path = bring(window, tmp_path, notebook(VALUE, PASS, TWICE), "lecture.ipynb")
    bar = bar_of(window)
    run_it(window)
    press(window, Qt.Key.Key_Down, Qt.Key.Key_Return)
    said = "c, In [2], line 4: 2 leaf gradients as in the program."
    assert said in bar.text()
    window.document.set_value(window.document.graph.leaves[0], 5.0)
    assert said not in bar.text()  # no longer the program's
    press(window, "z", modifier=CTRL)
    assert said in bar.text()
    click(bar.main)
    assert passes_of(window).rows.currentRow() == 1
    press(window, Qt.Key.Key_Escape)
    assert window.context.files.recent.paths == (path,)


def test_a_wrong_pass_is_named_and_seen_to_happen(window, tmp_path):
    wrong = WRONG + PASS.replace("c = a * b + a", "c = a * b\nc = c + a")
    bring(window, tmp_path, wrong)
    run_it(window)
    passes = passes_of(window)
    assert "= instead of +=" in passes.rows.texts()[0]
    click(passes.happening)
    window.playback.to_end()
    graph, grads = window.document.graph, window.playback.frame.grads
    told = window.context.programs().lines[0].passes[0].nodes
    assert {graph.label(n): grads[n] for n in graph.leaves} == {
        node.label: node.after for node in told if not node.kids
    }
    assert window.playback.now.comparison is not None


def test_a_run_is_stopped_with_what_was_seen_or_cancelled_and_ends_with_the_window(
    window, tmp_path
):
    bring(window, tmp_path, VALUE + PASS + ENDLESS)
    bar, run = bar_of(window), window.context.programs()
    click(bar.main)
    until(lambda: "1 pass seen" in bar.text())
    click(bar.main)  # stop, and show what was seen
    until(lambda: not run.running)
    assert "Stopped; 1 pass was seen." in bar.text()
    assert window.parts.staged
    click(bar.again)
    assert run.running  # the same bytes and the same Python: no second question
    click(bar.leave)  # cancel
    assert not run.running
    assert bar.main.text() == RUN_IT
    click(bar.main)
    process = run._run._process._child  # type: ignore[union-attr]
    window.close()
    assert process is not None
    until(lambda: process.returncode is not None)


def test_consent_is_for_these_bytes(window, tmp_path, started):
    path = bring(window, tmp_path, VALUE + PASS)
    run_it(window)
    bar, run = bar_of(window), window.context.programs()
    other = VALUE + PASS + "(c * c).backward()\n"
    path.write_text(other)
    before = len(started)
    click(bar.again)
    assert len(started) == before
    assert bar.main.text() == RUN_IT
    path.unlink()
    os.mkfifo(path)  # after the question, which it answers for the text that was there
    run_it(window)
    assert len(run.lines) == 2
    assert run.may_run_again


def test_a_cancelled_run_leaves_nothing_in_the_one_after_it(window, tmp_path):
    late = "for _ in range(5000): (a * b * a).backward()\n"  # a second process notes the last one
    run = window.context.programs()
    moments = (
        lambda: True,
        lambda: run._run.passes,
        lambda: run._run._first is not None,
        lambda: run._read,
    )
    for moment in moments:
        bring(window, tmp_path, VALUE + PASS + late, "late.py")
        click(bar_of(window).main)
        while not moment():  # the window looks at nothing meanwhile
            time.sleep(0.001)
        run.cancel()
        bring(window, tmp_path, VALUE + PASS)
        run_it(window)
        assert [str(line.place) for line in run.lines] == ["lecture.py, line 70"]


@pytest.mark.parametrize("suffix", [".py", ".IPYNB"])
def test_whatever_a_file_says_of_its_coding_the_window_opens_or_refuses_it(
    window, tmp_path, suffix, monkeypatch
):
    refused: list[str] = []
    monkeypatch.setattr(programs_actions, "tell", lambda _widget, head, why: refused.append(why))
    for k, head in enumerate(
        [
            *(b"# coding: %s\n" % c for c in (b"rot13", b"zlib", b"undefined", b"no such", b"hex")),
            *(b"\xef\xbb\xbf# coding: latin-1\n", b"\xff\xfe", b"a\0b\n", b"x = '\xed\xa0\x80'\n"),
        ]
    ):
        path = file_in(tmp_path, f"{k}{suffix}", head + (VALUE + PASS).encode())
        open_file(window.context, path)
        assert bar_of(window).main.text() == RUN_IT if not refused else refused.pop().endswith(".")


def test_what_wants_the_network_may_have_it_after_another_click(window, tmp_path, started):
    asks = "import socket\nsocket.socket().connect_ex(('127.0.0.1', 9))\n"
    bring(window, tmp_path, VALUE + PASS + asks)
    run_it(window)
    bar = bar_of(window)
    assert "It wanted the network." in bar.text()
    assert bar.again.text() == "Allow and run again"
    click(bar.again)
    until(lambda: not window.context.programs().running)
    assert "wanted" not in bar.text()
    assert bar.again.text() == "Run again"


def test_nothing_of_theirs_is_started_before_the_click(window, tmp_path, started):
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\ntouch started\n")
    python.chmod(0o755)
    marks = f"open({str(tmp_path / 'ran')!r}, 'w')\n"
    (tmp_path / "sitecustomize.py").write_text(marks)
    saved = tmp_path / "x.backwire"
    saved.write_bytes(example_path("square").read_bytes())
    bring(window, tmp_path, marks + VALUE + PASS)
    copied = QMimeData()
    copied.setUrls([QUrl.fromLocalFile(str(tmp_path / "lecture.py"))])
    QGuiApplication.clipboard().setMimeData(copied)
    press(window, "v", modifier=CTRL)
    assert "lecture.py" in bar_of(window).text()
    QGuiApplication.clipboard().setText(VALUE + PASS + marks)
    press(window, "v", modifier=CTRL)
    press(window, Qt.Key.Key_Escape)
    assert bar_of(window).main.text() == RUN_IT
    open_file(window.context, saved)
    assert not window.parts.program_bars  # another document is open
    begin_lesson(window.context, "gears")
    assert window.context.guides.active
    grade("grade", [str(saved), str(tmp_path / "lecture.py")])
    QApplication.processEvents()
    assert not started
    assert not (tmp_path / "ran").exists()
    assert not (tmp_path / "started").exists()


def test_the_bar_leads_to_how_it_is_run_and_asks_for_that(window, tmp_path, started):
    bring(window, tmp_path, VALUE + PASS)
    bar = bar_of(window)
    click(bar.how)
    page = window.bar.get("code")
    assert isinstance(page, CodePage)
    assert page.run_face is not None
    assert page.run_face.isVisible()
    other = page.run_face.python.other
    other.setFocus()
    python = file_in(tmp_path / "bin", "python", "#!/bin/sh\n")
    python.chmod(0o755)
    QTest.keyClicks(other, str(python))
    QTest.keyClick(other, Qt.Key.Key_Return)
    assert f"It runs by {python}." in bar.text()
    assert not started


def test_numbers_are_seen_as_soon_as_a_small_graph_of_a_program_opens(window, tmp_path):
    window.resize(1366, 768)
    long = PASS.replace("c.backward()", "c = c * a + b\n" * 12 + "c.backward()")
    canvas = window.canvas

    def numbers_are_seen() -> bool:
        until(lambda: not canvas.auto_layout.running)
        QApplication.processEvents()
        return canvas.scene.detail(canvas.camera.scale) >= Detail.NUMBERS

    bring(window, tmp_path, WRONG + long)
    assert numbers_are_seen()
    run_it(window)
    click(passes_of(window).happening)
    assert numbers_are_seen()
    press(window, Qt.Key.Key_End)
    assert numbers_are_seen()
    window.commands["fit_all"].trigger()
    assert canvas.framing.shows_all  # Fit all shows all


def test_no_message_covers_the_keys_of_a_paste_preview(window):
    QGuiApplication.clipboard().setText("a = Value(2.0)\nb = a * 3\nprint(b)\n")
    window.document.start()
    window.canvas.setFocus()
    window.commands["paste"].trigger()
    preview = window.canvas.editing.preview_rect
    assert not preview.isEmpty()
    assert preview in window.canvas.uncoverable_rects()
