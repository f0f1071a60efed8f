"""Each thing of CONTRIBUTING's table is added to a copy of the tree as it says there, and works."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

NEW_FILES = {
    "engine/formats/names.py": """
        from engine.formats.format import Format

        FORMAT = Format("names", "Names", (".names",), write=lambda g: " ".join(g.names.values()))
    """,
    "app/panels/planted.py": """
        from PySide6.QtWidgets import QLabel

        from app.controls.panel import Page

        class Planted(Page):
            def __init__(self, style):
                super().__init__(style, "Planted")
                self.add(QLabel("the planted page"))
    """,
    "app/takeaway/planted.py": """
        from app.takeaway.options import Maker, Preview

        def names(source, options):
            return " ".join([*source.drawing.graph.names.values()] * options.times)

        def write(source, options, suffix):
            yield
            return (names(source, options).encode(),)

        PLANTED = Maker(write, lambda source, options, room: Preview(text=names(source, options)))
    """,
    "app/workbench/trials/planted.py": """
        from PySide6.QtCore import QObject

        class Planted(QObject):
            def __init__(self, playback, parent):
                super().__init__(parent)
                playback.shown.connect(self.follow)

            def follow(self, shown):
                self.setObjectName(f"heard of {len(shown.sheet.graph.nodes)} nodes")
    """,
    "app/canvas/input/planted.py": """
        from app.canvas.input.gesture import Gesture

        class Planted(Gesture):
            def release(self, pointer):
                self.canvas.messages.said.emit("the planted gesture was made")
    """,
}
"""What the second column of the table asks for: a file of its own."""

CHANGES = {
    "engine/ops.py": (
        r"(?s)\n(OPS: tuple.*?SQUARE)",
        r"""
        CUBE = Op(
            *("cube", "x³", "Functions", ("a",), "a * a * a", ("3 * a * a",)),
            description="a times a times a",
        )

        \1, CUBE""",
    ),
    "engine/formats/__init__.py": (
        r"(?s)(from engine\.formats import )(.*?)(native\.FORMAT,)",
        r"\1names, \2names.FORMAT, \3",
    ),
    "engine/rules.py": (
        r"(MISTAKES: tuple\[Rules, \.\.\.\] = \()",
        r"""\1
        Rules("nothing", "Nothing", "No wire sends.", "pass", partial=lambda op, slot: None),
        """,
    ),
    "engine/asking/beliefs.py": (
        r"\n(BELIEFS: tuple\[Belief, \.\.\.\] = \()",
        r"""
        \1
        Belief("squared", "local", "{wrong} is a square.", "local * local", "Of what?", "a square"),
        """,
    ),
    "engine/asking/question.py": (r"(Kind = Literal\[)", r'\1"twice", '),
    "engine/asking/kinds.py": (
        r'( +)(QuestionKind\(\s+name="text")',
        r"""\1QuestionKind(
            name="twice",
            short="double",
            long="twice {node}",
            asks="What is twice {node}?",
            rule="Add {node} to itself.",
            blank="Twice **{node}** is {answer}.",
            answer=lambda q, trace: 2 * trace.values[q.node],
        ),
        \2""",
    ),
    "app/canvas/appearance/face.py": (
        r"\n(FACES: Final = .*\n.*DATA, GRAD)",
        r"""

        def _twice(looks, node):
            return NumberLook(looks.short(2 * looks.frame.values[node]), "value")

        def _twice_in_pass(whole, node):
            return [NumberLook(whole.looks.short(2 * whole.values[node]))]

        TWICE = Cell("right", 2, _twice, _twice_in_pass, "twice", "doubled")
        \1, TWICE""",
    ),
    "app/takeaway/forms.py": (
        r"\n(FORMS: .*?= \{)",
        r"""
        from typing import Annotated

        from app.takeaway.options import Opt


        class PlantedOptions(Struct, frozen=True):
            times: Annotated[int, Opt("Times", "how often", "N", "N", 1, 3)] = 1


        def _planted():
            from app.takeaway.planted import PLANTED

            return PLANTED

        \1
        "planted": Form(
            *("Names", "Teach", {"planted": ".list"}, PlantedOptions, "", _planted),
            **{"usage": "FILE -o OUT.list --planted", "help": "names of nodes"},
        ),""",
    ),
    "app/document/node_sizes.py": (r"(ROWS: Final = \{)", r'\1"leaf": 3, '),
    "app/style/theme.py": (
        r"\n(THEMES.*?)\bPRINT\)",
        r"""
        from msgspec.structs import replace

        SEPIA = replace(LIGHT, name="sepia", canvas=QColor("#f4ecd8"))
        \1PRINT, SEPIA)""",
    ),
    "app/window/frame/right_bar.py": (
        r"\n(_PAGE_MAKERS: .*?= \{)",
        r"""
        def _planted(context):
            from app.panels.planted import Planted

            return Planted(context.style)

        \1
        "planted": _planted,""",
    ),
    "app/window/commands/view_actions.py": (
        r"\n(PAGES: .*?= \{)",
        r"""
        \1
        "planted": Action("Planted", "Ctrl+8", icon="help", tooltip="A page that was added"),""",
    ),
    "app/window/commands/lesson_actions.py": (
        r"\Z",
        r"""

        @action("&Planted")
        def planted(context: Context) -> None:
            context.document.set_label(1, "planted")
        """,
    ),
    "app/window/assembly.py": (
        r"\n( +)(return Context\()",
        r"""
\1from app.workbench.trials.planted import Planted
\1Planted(playback, owner)
\1\2""",
    ),
    "app/window/commands/__init__.py": (r'("Help": ")', r"\1planted, "),
    "app/canvas/input/gestures.py": (
        r"( +)return RubberBand\(canvas, pointer\)",
        r"""\1from app.canvas.input.planted import Planted
\1return Planted(canvas, pointer)""",
    ),
    "resources/examples/index.toml": (
        r"\Z",
        '\n[[example]]\nname = "planted"\ntitle = "Planted"\nnote = "new"\nexpression = "a * a"\n',
    ),
    "resources/lessons/index.toml": (r'"gears", ', r'"gears", "planted", '),
}
"""What its third column asks for: a place in a file that is there, and what it becomes."""

USE = """
import io, json, sys
from contextlib import redirect_stdout

from app.cli import run_verb

def said(*arguments):
    with redirect_stdout(io.StringIO()) as told:
        run_verb(arguments)
    return told.getvalue()

found = {
    "an operation": said("run", "-e", "cube(x)", "--set", "x=2", "--json"),
    "a mistake": said("run", "-e", "x*x", "--set", "x=3", "--mistake", "nothing", "--json"),
    "an example": said("examples"),
    "a lesson": said("lessons"),
}
from engine import from_expression
from engine.asking.question import Question
from engine.asking.beliefs import belief_numbers
from engine.trace import run

trace = run(from_expression("y = a*b", {"a": 2.0, "b": 3.0}))
slips = belief_numbers(Question("local", trace.root, 0, 2), trace)
found["a belief"] = " ".join(f"{slip.name} {number}" for slip, number in slips)

from datetime import date
from pathlib import Path

from msgspec import to_builtins
from msgspec.structs import replace

from app.guide.play.slides import slides_of
from app.lessons import final_test
from app.lessons.daily import daily_lesson
from app.lessons.load import load_lesson
from app.lessons.progress import AskedKind
from app.lessons.questions import questions_of
from app.takeaway.lesson_page import page_of_lesson
from app.takeaway.worksheet_rows import lesson_questions
from app.workbench.words.help import outside_pass_hint, worked_line
from app.workbench.words.sentences import question_text
from app.controls.spans import plain_text
from engine.asking.judging import judge
from engine.asking.kinds import answer
from engine.asking.revealing import right_reveal

Path("twice.toml").write_text(
    "format = 1\\n"
    "title = 'Twice'\\n"
    "graph = { expression = 'y = a*b', values = { a = 2, b = 3 } }\\n"
    "[[step]]\\n"
    "kind = 'ask'\\n"
    "text = 'Twice.'\\n"
    "ask = [{ kind = 'twice', node = 'a' }]\\n",
    "utf-8",
)
lesson = load_lesson(Path("twice.toml"))
passed, (asked,), _own = questions_of(lesson.steps[0], lesson.steps[0].begun)
judged = [judge(passed, [(asked, text)])[0].right for text in ("4", "5")]
told = [
    f"{question_text(asked, passed)} {answer(asked, passed)}",
    f"right, wrong: {judged}",
    f"hint: {outside_pass_hint(asked, passed, 4)} {right_reveal(asked, passed)}",
    plain_text(worked_line([asked], passed, 4)),
    plain_text(lesson_questions(lesson, passed, drawn=False)[0].text),
    json.dumps(to_builtins(page_of_lesson(lesson)), ensure_ascii=False),
    slides_of(lesson, 1)[0].title,
]
daily = daily_lesson([AskedKind("twice", "gears", "Gears", date(2026, 1, 1))], date(2026, 1, 9), 1)
told += [f"daily {daily.steps[0].title} {daily.steps[0].asks[0].kind}"]
single = final_test.Single("a*b", passed, asked)
test = replace(final_test.drawn_test(1), singles=(single,))
answers = final_test.FinalAnswers(1, ("4",), tuple("0" * len(test.all_gradients.questions)), (1.0,))
graded = final_test.graded(test, answers).singles[0]
told += [f"test {final_test.lesson_of(test).steps[0].asks[0].kind} {graded.right}"]
found["a kind of question"] = " | ".join(told)
run_verb(["export", "resources/examples/shared-leaf.backwire", "-o", "graph.names"])
found["a format"] = open("graph.names").read()

from PySide6.QtCore import QEvent, QPointF, QSettings, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel

application = QApplication(sys.argv)

from app.style.stylesheet import ICONS
from app.window.commands import file_actions
from app.window.frame.main_window import MainWindow

sys.path.append("packaging")
from drawings import write_marks

write_marks(ICONS)
window = MainWindow(QSettings("settings.ini", QSettings.Format.IniFormat))
window.show()
file_actions.open_example(window.context, "planted")
application.processEvents()
found["an example"] += f"{len(window.document.graph.nodes)} nodes"

run_verb("export resources/examples/square.backwire -o graph.list --planted --times 2".split())
found["an export form"] = open("graph.list").read() + said("export", "--planted", "--help")

from app.window.dialogs.export import ExportDialog

window.commands["export-planted"].trigger()
dialog = window.findChild(ExportDialog)
dialog.fields["times"].setValue(3)
dialog.refresh()
found["an export form"] += dialog.preview.text.toPlainText()
dialog.reject()

from app.canvas.accessibility import node_name

window.canvas.grab()
found["a cell"] = node_name(window.canvas.scene, 1, 4)

window.commands["theme-sepia"].trigger()
found["a theme"] = window.context.style.theme.canvas.name()

window.bar.open("planted")
found["a page"] = window.bar.get("planted").findChild(QLabel).text()

next(a for a in window.menu_bar.menu("Help").actions() if a.text() == "&Planted").trigger()
found["an action"] = window.document.graph.label(1)

from app.workbench.trials.planted import Planted

found["a listener"] = window.findChild(Planted).objectName()

told = []
window.canvas.said.connect(told.append)
for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
    at, view = QPointF(3, window.canvas.height() - 3), window.canvas.viewport()
    left = Qt.MouseButton.LeftButton
    held = left if kind == QEvent.Type.MouseButtonPress else Qt.MouseButton.NoButton
    place = view.mapToGlobal(at)
    event = QMouseEvent(kind, at, place, left, held, Qt.KeyboardModifier.NoModifier)
    application.sendEvent(view, event)
found["a gesture"] = " ".join(told)
print(json.dumps(found))
sys.stdout.flush()
import os
os._exit(0)
"""

SEEN = {
    "an operation": '"grad": 12.0',
    "a format": "a b e d f L",
    "a mistake": '"grad": 0.0',
    "a belief": "squared 9.0",
    "a kind of question": (
        "What is twice a? 4.0 | right, wrong: [True, False]",
        "hint: Add a to itself. the right number. | Worked: twice a is 4. | Twice a is ____.",
        '["Worked: ", "secondary"], "twice a is ", ["4", "gradient", "b"]',
        "| twice a | daily Double twice | test twice True",
    ),
    "an example": "nodes",
    "a cell": "value 3, doubled 6",
    "a lesson": "planted             Gears in a row",
    "an export form": ("a y a yusage", "FILE -o OUT.list --planted [--times N]", "a y a y a y"),
    "a theme": "#f4ecd8",
    "a page": "the planted page",
    "an action": "planted",
    "a listener": "heard of",
    "a gesture": "the planted gesture was made",
}
"""What shows that it works, for each row of the table."""

APART = {"a library": "needs uv and a network; tests/project/test_requirements.py holds the pins"}


def rows() -> set[str]:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    return set(re.findall(r"^\| (an? [\w ]+) \|", text, re.MULTILINE))


def outdented(text: str) -> str:
    return re.sub(r"\n {8}", "\n", text)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    tree = tmp_path_factory.mktemp("tree")
    for name in ("app", "engine", "packaging", "resources"):
        unwanted = shutil.ignore_patterns("__pycache__", "pictures")
        shutil.copytree(ROOT / name, tree / name, ignore=unwanted)
    examples = tree / "resources" / "examples"
    shutil.copy(examples / "square.backwire", examples / "planted.backwire")
    lessons = tree / "resources" / "lessons"
    shutil.copy(lessons / "gears.toml", lessons / "planted.toml")
    for name, text in NEW_FILES.items():
        (tree / name).write_text(outdented(text), "utf-8")
    for name, (place, text) in CHANGES.items():
        before = (tree / name).read_text("utf-8")
        after = re.sub(place, outdented(text), before)
        assert after != before, f"{name} has no place {place}"
        (tree / name).write_text(after, "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", USE],
        cwd=tree,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_every_row_of_the_table_is_tried():
    assert rows() == set(SEEN) | set(APART)


@pytest.mark.parametrize("row", SEEN)
def test_what_is_added_as_the_table_says_works(found: dict[str, str], row: str):
    seen = SEEN[row]
    for words in (seen,) if isinstance(seen, str) else seen:
        assert words in found[row]
