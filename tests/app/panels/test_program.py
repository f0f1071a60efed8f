"""The list of a program's passes, and the bar above it."""

import time
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.controls.cell_view import CellView
from app.document.sheet import sheet_of
from app.panels.program_bar import PassList, ProgramBar
from app.runner.run import Request, Run, claims
from app.window.commands.programs_actions import read_lines
from app.workbench.trials import program_run
from app.workbench.trials.program_run import ProgramRun
from engine import from_expression
from engine.formats.files import source_text
from engine.formats.native import Drawing
from engine.formats.program_graph import ProgramGraph
from engine.formats.python import cells
from engine.formats.recording import Place
from engine.names import is_plain_line
from tests.helpers.ran import PASS, VALUE, file_in, notebook, run_all
from tests.helpers.window import click

AGAIN = "for k in range(4): (a * b * a).backward()\n"


def brought(host, path, result) -> tuple[ProgramRun, ProgramBar, PassList]:
    run = ProgramRun(host.document, host.playback, host.settings, host.document)
    passes = host.show(PassList(host.style, run))
    bar = ProgramBar(host.style, run, passes)
    bar.setParent(QWidget(passes))  # else it would be a window, which takes the focus
    run.bring(path, path.read_bytes(), "")
    run.result, run.lines = result, program_run._lines(result)
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


CLAIMS = "starts no program, and writes only in a folder of its own. It has no network."
LYING = "safe.py does nothing but add two numbers and leaves at once"
NAMES = (
    f"{LYING}{chr(10) * 60}.py",
    "\u202ea\u202d.py",
    "\x1b[2J.py",
    "\udc9abung.py",
    "n" * 240 + ".py",
)


def test_no_name_rewrites_what_is_agreed_to(host, tmp_path):
    """Nor one of a class, a cell or the folder of a Python."""
    long = "C" * 10**5
    for name in NAMES:
        run = ProgramRun(host.document, host.playback, host.settings, host.document)
        bar = ProgramBar(host.style, run, host.show(PassList(host.style, run)))
        text = f"a = Value(2.0)\nb = a * a\nclass {long}: pass\n"
        reading = read_lines(text, Request(Path(name)).name)
        run.bring(Path(name), text.encode(), reading.sentence)
        run.ask(replace(run.request, python="/" + name * 60))
        for said in (bar.head.text(), bar.words.text()):
            assert is_plain_line(said), said
            assert len(said) < 700
        assert CLAIMS in bar.words.text()
    quoted = claims(Request(Path("does nothing.py")))
    assert quoted.startswith('Running it does what python "does nothing.py" does, with')


def test_what_is_read_runs_no_longer(host):
    run = ProgramRun(host.document, host.playback, host.settings, host.document)
    bar = ProgramBar(host.style, run, host.show(PassList(host.style, run)))
    path = Path("pasted.py")
    run.bring(path, VALUE.encode(), "")
    run._run = Run(run.request)
    while run._run.poll():
        run.progressed.emit(run._run.seconds, 3)
        assert bar.head.text().startswith("Running pasted.py, ")
        time.sleep(0.01)
    run.progressed.emit(33.0, 3)
    assert bar.head.text() == "pasted.py ran; its graphs are being read, 3 passes seen"


def test_a_program_that_is_forgotten_runs_no_longer(host, tmp_path):
    run = ProgramRun(host.document, host.playback, host.settings, host.document)
    path = file_in(tmp_path, "endless.py", VALUE + "while True: pass")
    run.bring(path, path.read_bytes(), "")
    run.start()
    assert run.running
    run.forget()
    assert not run.running


def test_a_cell_is_called_by_its_count_only_if_that_is_one(tmp_path):
    odd = ("1\u202e", {"a": 1}, [1], 1.5, True, 10**12, -1, 0)
    requests = {k: notebook(VALUE, PASS, counts=(1, count)) for k, count in enumerate(odd)}
    found = run_all({k: Request(file_in(tmp_path, f"{k}.ipynb", x)) for k, x in requests.items()})
    for k, text in requests.items():
        assert list(cells(text)) == ["code cell 1", "code cell 2"], odd[k]
        assert found[k].graphs[0].where.title == "code cell 2", odd[k]


def test_a_cell_is_shown_with_its_lines_and_without_hidden_characters(host):
    view = CellView(host.style, "Cell", 9)
    view.show_line(source_text(b"a\r\n\tb # \xe2\x80\xae\xe2\x80\xa8\x1b\rc", ".py"), 3)
    assert view.toPlainText() == "a\n        b # \ufffd\ufffd\ufffd\nc"
    assert view.textCursor().block().text() == "c"


NET = """
class Neuron:
    def __init__(self, k):
        self.w = [Value(0.1 * k), Value(0.2)]

    def __call__(self, x):
        return (self.w[0] * x + self.w[1]).tanh()

class Layer:
    def __init__(self):
        self.neurons = [Neuron(1.0), Neuron(2.0)]

    def __call__(self, x):
        return sum(n(x) for n in self.neurons)
"""
LOSS = """net = Layer()
def squared(x):
    return x * x * 0.5

losses = [squared(net(x) - 1) for x in (2.0, 3.0)]
loss = sum(losses)
loss.backward()
"""


def test_a_fold_lights_the_line_that_called_it_and_a_line_lights_its_folds(host, tmp_path):
    path = file_in(tmp_path, "net.ipynb", notebook(VALUE, NET, LOSS))
    results = run_all({path: Request(path)})
    _run, _bar, passes = brought(host, path, results[path])
    source, folds = passes.source, passes.source.folds

    def lit() -> tuple[str, list[str]]:
        (selection,) = source.cell.extraSelections()
        line = selection.cursor.block().text().strip()
        return f"{source.heading.text()}: {line}", [item.text(0) for item in folds.selectedItems()]

    assert lit() == ("In [3]: loss.backward()", ["loss.backward()"])
    every = folds.findItems("of 2", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
    assert [item.text(0) for item in every] == [
        *("net · 1 of 2", "squared · 1 of 2", "net · 2 of 2", "squared · 2 of 2")
    ]
    folds.setFocus()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down):
        QTest.keyClick(folds, key)
    assert lit() == ("In [2]: return sum(n(x) for n in self.neurons)", ["…neurons[0]"])
    QTest.keyClick(folds, Qt.Key.Key_Up)
    assert lit() == ("In [3]: losses = [squared(net(x) - 1) for x in (2.0, 3.0)]", ["net · 1 of 2"])
    at = source.cell.cursorRect(source.cell.textCursor()).center()
    QTest.mouseClick(
        source.cell.viewport(),
        Qt.MouseButton.LeftButton,
        pos=at + QPoint(0, 2 * source.cell.fontMetrics().lineSpacing()),
    )
    assert lit()[1] == ["loss.backward()"]
    source.cell.setFocus()
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up):
        QTest.keyClick(source.cell, key)
    assert sorted(lit()[1]) == [
        *("net · 1 of 2", "net · 2 of 2", "squared · 1 of 2", "squared · 2 of 2")
    ]


def test_a_line_of_which_no_pass_can_be_shown_is_a_row_that_says_why(host, tmp_path):
    arrays = """
class Array:
    shape = (500, 1)

    def __add__(self, other):
        return self

(Value(Array()) + Value(Array())).backward()
"""
    path = file_in(tmp_path, "arrays.ipynb", notebook(VALUE, PASS, arrays))
    result = run_all({path: Request(path)})[path]
    large = (Place("In [4]", 7, "loss.backward()"), 900, 115_000)
    result = replace(result, unshown=(*result.unshown, large))
    _run, bar, passes = brought(host, path, result)
    of_arrays = "arrays of shape (500, 1). A graph here is made of single numbers."
    assert [row.split(": ")[1] for row in passes.rows.texts()] == [
        "One pass has 115,000 numbers; a sheet holds 50,000. Give the program fewer samples.",
        f"The numbers are {of_arrays}",
        "2 leaf gradients as in the program.",
    ]
    assert of_arrays not in bar.text()
    assert passes.rows.currentRow() == 2  # the latest that can be shown
    assert passes.open.isEnabled()
    opened: list[object] = []
    passes.open_wanted.connect(opened.append)
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Return):
        QTest.keyClick(passes.rows, key)
    assert not passes.open.isEnabled()
    assert not opened
    assert passes.source.cell.textCursor().block().text() == arrays.splitlines()[-1]


def test_the_bar_says_nothing_of_a_sheet_that_stood_there_before(host, tmp_path):
    path = file_in(tmp_path, "mine.py", VALUE + PASS)
    run, bar, passes = brought(host, path, run_all({path: Request(path)})[path])
    passes._open()
    found = passes.chosen
    assert found is not None
    host.document.show_other(sheet_of(found.drawing), "", host.document.new_gesture())
    run.show(found)
    assert found.verdict.sentence in bar.text()
    assert run.result is not None
    run.lines = program_run._lines(run.result)  # it ran again
    run.changed.emit()
    assert found.verdict.sentence not in bar.text()
    run.bring(path, path.read_bytes(), "mine.py was read as far as it is straight lines.")
    assert "was read as far" in bar.text()
    other = sheet_of(Drawing(from_expression("z = 1 + 2*q")))
    host.document.show_other(other, "", host.document.new_gesture())
    assert bar.head.text() == "mine.py can be run."
    path.write_text(path.read_text() + "\n")
    run.ask(run.request)
    assert bar.head.text() == "mine.py has changed since it was read."


def test_a_program_of_which_nothing_is_read_names_the_first_line_that_is_not_straight():
    said = read_lines(VALUE + "a = [Value(2.0)]\nb = a[0] * 2\nb.backward()\n", "m.py").sentence
    assert "functions and classes" not in said
    assert said.startswith("Nothing of m.py was read: line ")
    assert "functions" in read_lines("def f(): pass\nclass A: pass\n", "m.py").sentence


def test_a_pass_that_adds_can_be_seen_to_happen_and_enter_opens_after_a_click_beside(
    host, tmp_path
):
    twice = file_in(tmp_path, "twice.py", VALUE + PASS + "d = a * b\nd.backward()\n")
    _run, _bar, passes = brought(host, twice, run_all({twice: Request(twice)})[twice])
    assert passes.chosen is not None
    assert passes.chosen.verdict.kind == "adds"
    assert passes.happening.isVisible()
    passes.open.setFocus()
    QTest.mouseClick(passes, Qt.MouseButton.LeftButton, pos=QPoint(5, passes.height() - 5))
    opened: list[object] = []
    passes.open_wanted.connect(opened.append)
    assert passes.rows.hasFocus()
    QTest.keyClick(passes.rows, Qt.Key.Key_Return)
    assert opened
