import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.late import LATE
from tests.helpers.sampling import sampled

ROOT = Path(__file__).resolve().parents[3]

# Opens the window as the program does, says what is on it, and closes it.
PROGRAM = """
import sys
from PySide6.QtCore import QTimer
from app.window.frame import main_window
from app.window.start import start

def look(window):
    print(window.windowTitle(), window.on_full_page, len(window.document.graph.nodes))
    print([name for name in LATE if name in sys.modules])
    window.close()

after = main_window.MainWindow.after_start
def looked(self):
    after(self)
    QTimer.singleShot(0, self, lambda: look(self))
main_window.MainWindow.after_start = looked
sys.exit(start(sys.argv[1:]))
""".replace("LATE", repr(LATE))


@pytest.fixture
def run(tmp_path):
    kinds = ("CONFIG", "DATA", "STATE")  # or a page that another test left open would be shown
    homes = {f"XDG_{kind}_HOME": str(tmp_path / kind.lower()) for kind in kinds}

    def run(*arguments: str, program: str = PROGRAM) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            capture_output=True,
            text=True,
            timeout=60,
            env=os.environ | {"PYTHONPATH": str(ROOT)} | homes,
        )
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout.splitlines()

    return run


def test_the_program_opens_and_closes_with_0_and_leaves_nothing_in_the_state_folder(run, tmp_path):
    title, late = run()
    assert title == "untitled.backwire[*] – Backwire True 0"
    assert late == "[]"
    assert list((tmp_path / "state").rglob("crash-*")) == []


def test_a_file_on_the_command_line_is_shown(run):
    path = ROOT / "resources" / "examples" / "shared-leaf.backwire"
    title, late = run(str(path))
    assert title == "shared-leaf.backwire[*] – Backwire False 7"
    assert late == "[]"


LESSON = """
import sys
from PySide6.QtCore import QTimer
from app.window.commands import lesson_actions
from app.window.frame import main_window
from app.window.start import start

lesson_actions._IDLE_MS = 50

def imported():
    return [name for name in ("networkx", "numpy") if name in sys.modules]

def look(window):
    preload = window.findChild(lesson_actions.LibraryPreload)
    if preload.finished:
        print(imported())
        window.close()
    else:
        QTimer.singleShot(20, window, lambda: look(window))

after = main_window.MainWindow.after_start
def begun(self):
    after(self)
    lesson_actions.begin_lesson(self.context, "one-wire")
    print(imported())
    look(self)
main_window.MainWindow.after_start = begun
sys.exit(start([]))
"""


def test_libraries_of_later_lessons_are_imported_while_the_first_one_is_read(run):
    assert run(program=LESSON) == ["[]", "['networkx', 'numpy']"]


def test_a_graph_that_a_value_hands_over_opens_unedited_under_its_roots_label(tmp_path):
    from engine import Value
    from engine.formats.native import write

    a = Value(2.0, label="a")
    loss = a * a + 1
    loss.label = "L"
    graph = tmp_path / "graph"
    graph.write_text(write(loss.graph()))
    program = PROGRAM.replace("import start\n", "import start_handed_over\n").replace(
        "start(sys.argv[1:])", "start_handed_over()"
    )
    program = program.replace(
        "print(window", "open(sys.argv[1], 'w', encoding='utf-8').write('%s %s %s %s' % (window"
    ).replace(
        "len(window.document.graph.nodes))",
        "len(window.document.graph.nodes), window.document.modified))",
    )
    with graph.open() as file:
        done = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / "said")],
            stdin=file,
            capture_output=True,
            text=True,
            timeout=60,
            env=os.environ | {"PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path / "state")},
        )
    assert done.stdout == "ready\n"
    assert done.stderr == ""  # nothing holds a pipe once the window is ready
    assert (tmp_path / "said").read_text("utf-8") == "L[*] – Backwire False 5 False"
    assert done.returncode == 0


def test_a_window_that_fails_while_it_is_made_is_not_called_ready(tmp_path):
    from engine import Value
    from engine.formats.native import write

    program = """
import sys
from app.window.frame import main_window
from app.window.start import start_handed_over

def fail(self, drawing, said):
    raise SystemExit(7)

main_window.MainWindow.begin_handed_over = fail
sys.exit(start_handed_over())
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=write((Value(2.0) * 3).graph()),
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path / "state")},
    )
    assert done.stdout == ""
    assert done.returncode == 7


IMPORTS = """
import inspect, sys
from app.window.start import _startup_problem

read, source = [], inspect.getsource
def getsource(found):
    read.append(found.__name__)
    return source(found)

inspect.getsource = getsource
assert not _startup_problem()
assert "app.document.document" in sys.modules
print([name for name in read if name.startswith("app.document")])
"""


def test_pyside_does_not_read_the_source_of_what_is_imported():
    """It looks there for switches that we don't use, and a tenth of the start goes into that."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", IMPORTS], capture_output=True, text=True, env=environment
    )
    assert (done.stdout.strip(), done.returncode) == ("[]", 0), done.stderr


FIRST_PICTURE = """
import sys
from app.window import start
make = start.make_application

def make_watched():
    from PySide6.QtCore import QObject, QTimer
    from PySide6.QtWidgets import QApplication, QWidget
    from app.panels.palette.palette import Palette
    from app.panels.palette.rail import Rail
    from app.window.frame.main_window import MainWindow

    def tell():
        kinds = (*QWidget.__subclasses__(), *QObject.__subclasses__())
        made = {"QMdiSubWindow", "QStyle"} & {kind.__name__ for kind in kinds}
        forms = [bool(window.palette_dock.findChildren(form)) for form in (Palette, Rail)]
        print(*made, *forms)
        QApplication.exit(0)

    def painted(self, event):
        nonlocal window
        if window is None:
            window = self
            QTimer.singleShot(0, tell)

    window = None
    MainWindow.paintEvent = painted
    return make()

start.make_application = make_watched
start.start(sys.argv[1:])
"""


@pytest.mark.parametrize("tiles", sampled([True, False], 2))
def test_the_first_picture_makes_no_classes_that_it_does_not_need(tmp_path, tiles):
    """PySide makes those of all widgets, or of styles, for whoever asks Qt for one it has made."""
    choices = tmp_path / "config" / "Backwire" / "Backwire.ini"
    choices.parent.mkdir(parents=True)
    choices.write_text(f"[window]\npalette-folded={'false' if tiles else 'true'}\n")
    example = str(ROOT / "resources" / "examples" / "shared-leaf.backwire")
    done = subprocess.run(
        [sys.executable, "-c", FIRST_PICTURE, example],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ
        | {"PYTHONPATH": str(ROOT), "XDG_CONFIG_HOME": str(tmp_path / "config")}
        | {"XDG_STATE_HOME": str(tmp_path / "state"), "QT_QPA_PLATFORM": "offscreen"},
    )
    assert (done.stdout, done.returncode) == (f"{tiles} {not tiles}\n", 0), done.stderr
