"""The command line as a process: quick, quiet, and without a display."""

import argparse
import os
import subprocess
import sys
import tomllib
from functools import partial
from importlib import metadata
from pathlib import Path
from threading import Timer

import pytest

from app import VERSION
from app.__main__ import main
from app.cli import VERBS, command_line
from app.cli.command_line import Whole, parse_assignment, parse_positive, read_option
from app.lessons.course import course
from app.takeaway.forms import FORMS
from app.takeaway.options import fields_of
from engine.errors import EngineError
from engine.ops import OPS
from engine.rules import MISTAKES
from tests.app.cli.test_running import refused
from tests.helpers.graphs import EXAMPLES
from tests.helpers.lessons import LESSON
from tests.helpers.tables import in_turn

ROOT = Path(__file__).parents[3]
GRAPH = str(ROOT / "resources" / "examples" / "shared-leaf.backwire")
PYTHON = [sys.executable, "-W", "error", "-m", "app"]


def call(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    bare = {name: text for name, text in os.environ.items() if "DISPLAY" not in name}
    return subprocess.run(
        [*PYTHON, *arguments], cwd=ROOT, env=bare | environment, capture_output=True, check=False
    )


@pytest.mark.parametrize(("verb", "names"), [
    ("ops", [op.name for op in OPS]),
    ("mistakes", [rules.name for rules in MISTAKES]),
    ("examples", [found.name for found in EXAMPLES]),
    ("lessons", [head.name for head in course().lessons]),
])  # fmt: skip
def test_lists_print_a_line_an_entry_with_the_name_first(verb, names, capsys):
    assert main([verb]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sorted(line.split()[0] for line in lines) == sorted(names)


def test_a_misspelled_verb_is_blamed_and_not_what_follows_it(capsys):
    for rest in (["-e", "a"], ["--set", "a=2", "-o", "x"], ["x", "y"], ["--help"], []):
        assert main(["rnu", *rest]) == 2
        assert capsys.readouterr().err == "backwire: there is no verb and no file called rnu\n"
    for words in (["-e", "a", "run"], [GRAPH, "-e", "a"]):
        assert main(words) == 2
        assert "there is no option -e" in capsys.readouterr().err


def test_the_file_of_an_earlier_lecture_is_refused_with_its_sentence(capsys, tmp_path):
    old = tmp_path / "old.lecture.toml"
    old.write_text('format = 1\ntitle = "T"\n[[mark]]\nat = "end"\n', "utf-8")
    assert main(["lessons", "--check", str(old)]) == 1
    said = capsys.readouterr().out
    assert said == "old.lecture.toml:3: it has [[mark]]; a lesson has [[step]]\n"


def test_lesson_files_are_checked_all_faults_at_once(capsys, tmp_path):
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(LESSON, "utf-8")
    bad.write_text(LESSON.replace('["b = -1"]', '["b = 1"]').replace("minutes = 5", "minutes = 0"))
    assert main(["lessons", "--check", str(good)]) == 0
    assert capsys.readouterr().out == "good.toml: 5 steps, all well\n"
    assert main(["lessons", "--check", str(bad), str(good), str(tmp_path / "none.toml")]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "bad.toml:5: minutes: 0 is not a whole number from 1 to 120",
        'bad.toml:29: step 2: after show = ["b = 1"] a.grad is 10, and the check asks for 0',
        "good.toml: 5 steps, all well",
        "none.toml can't be read: No such file or directory",
    ]


def test_help_names_every_verb_and_each_verb_explains_itself(capsys):
    for word in ("help", "--help", "-h"):
        assert main([word]) == 0
        said = capsys.readouterr().out
        assert [verb for verb in VERBS if verb not in said] == ["--version"]
    for verb in ("run", "check", "new", "export", "grade", "ops", "lessons"):
        assert main([verb, "--help"]) == 0
        said = capsys.readouterr().out
        assert said.startswith(f"usage: backwire {verb}")
        of_pages = ("--ask", "--mistakes", "--address", "--frame", "--handout")
        assert verb != "export" or all(option in said for option in of_pages)


def test_a_source_folder_says_the_version_of_the_package_and_that_it_is_one(capsys, monkeypatch):
    def unknown(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", unknown)
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"backwire {VERSION} (from its source folder)\n"
    found = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert found["project"]["version"] == VERSION


WRONG = (
    "run", "run -e", "run -e a file.backwire", "run -e a --set a", "run -e a --set a=two",
    "run -e a --set =2", "run -e a --colour", "run one two", "run -e a -e b",
    "run -e a --expression=b", "run -e a --mistake assign --mistake huge", "run -e a --set a=1e999",
    "run -e a --set a=-1e999", "check", "check -e a --method=other", "grade", "grade --xml x.json",
    "new -o x.backwire", "new -e a --python b.py -o x.backwire", "new -e a", "new -e a -o x.txt",
    "export GRAPH", "export GRAPH -o x.png --step two", "export GRAPH -o x.png --step -1",
    "export GRAPH -o x.png --step 1 --forward", "export GRAPH -o x.png --forward --backward",
    "export GRAPH -o x.png --theme pink", "export GRAPH -o x.png --dpi 7",
    "export GRAPH -o x.png --format modern", "export GRAPH -o x.png --format classic --theme dark",
    "export GRAPH -o x.dot --theme dark", "export GRAPH -o x.tex --dpi 300",
    "export GRAPH -o x.gv --transparent", "export GRAPH -o x.png --dpi many",
    "export GRAPH -o x.png -e a*b", "export GRAPH -o x.png --width 1",
    "export GRAPH -o x.png --width nan", "export GRAPH -o x.png --width wide",
    "export GRAPH -o x.png --digits 1", "export GRAPH -o x.png --digits 2.5",
    "export GRAPH -o x.tex --width 8.5", "export GRAPH -o x.dot --digits 2",
    "export GRAPH -o x.dot --format classic --width 8.5",
    "export GRAPH -o x.tex --format latex --transparent",
    "export GRAPH -o x.svg --format classic --digits 3",
    "export GRAPH -o x.svg --mistake assign --forward", "export GRAPH -o x.svg -o y.svg",
    "ops all", "lessons --check",
)  # fmt: skip


@in_turn("call", WRONG)
def test_a_wrong_call_is_one_line_and_code_two(call: str, capsys):
    verb, *arguments = call.replace("GRAPH", GRAPH).split()
    assert refused(capsys, 2, verb, *arguments).startswith(f"backwire {verb}: ")


@in_turn("call", ["--bogus", "-x GRAPH", "GRAPH --bogus", "help --bogus", "GRAPH GRAPH"])
def test_an_unknown_option_or_a_second_file_is_a_wrong_call(call: str, capsys):
    assert refused(capsys, 2, *call.replace("GRAPH", GRAPH).split()).startswith("backwire")


def test_verbs_need_neither_qt_nor_the_slow_libraries(tmp_path):
    slow = ["PySide6", "networkx", "numpy", "pyqtgraph", "ziamath", "PIL", "pygraphviz"]
    code = (
        "import sys; from app.__main__ import main; main(['run', '-e', 'a*b']); "
        "main(['ops']); main(['new', '-e', 'a', '-o', sys.argv[1]]); "
        f"print(sorted(set({slow}) & set(sys.modules)), file=sys.stderr)"
    )
    call = [sys.executable, "-c", code, str(tmp_path / "new.backwire")]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, check=False)
    assert done.stderr.splitlines()[-1] == b"[]"


def test_the_process_gives_the_code():
    for arguments, code in ((("run", "-e", "-x"), 0), (("run", "-e", "x y"), 1), (("run",), 2)):
        assert call(*arguments).returncode == code


def test_a_picture_needs_no_display(tmp_path):
    out = tmp_path / "out.png"
    path = ROOT / "resources" / "examples" / "square.backwire"
    done = call("export", str(path), "-o", str(out), QT_QPA_PLATFORM="xcb")
    assert (done.returncode, done.stderr) == (0, b"")
    assert out.read_bytes().startswith(b"\x89PNG")


def test_a_narrow_terminal_gets_question_marks():
    done = call("ops", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"a ? b" in done.stdout
    done = call("run", "-e", "a ± b", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1


def test_anything_else_opens_the_window(monkeypatch):
    opened: list[list[str]] = []
    start = type(sys)("app.window.start")
    start.start = lambda arguments: opened.append(arguments) or 0  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "app.window.start", start)
    assert main([]) == 0
    assert main(["graph.backwire"]) == 0
    assert opened == [[], ["graph.backwire"]]


def test_in_a_terminal_export_and_new_say_after_a_second_what_they_work_at(
    monkeypatch, capsys, tmp_path, qapp
):
    """A timer that has run out as soon as it starts: everything takes long."""

    def graphviz_fails(*_: object, **__: object) -> None:
        raise EngineError("Graphviz is missing.")

    class AtOnce(Timer):
        def start(self) -> None:
            assert self.interval == 1
            self.function(*self.args, **self.kwargs)

    monkeypatch.setattr(command_line, "Timer", AtOnce)
    monkeypatch.setattr("app.takeaway.lesson_page.course_files", lambda *_, **__: {})
    monkeypatch.setattr("app.takeaway.estimated_layout.layout", graphviz_fails)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.chdir(tmp_path)
    Path("p.py").write_text("a = Value(2)\nb = a*a\nb.backward()", "utf-8")
    formula, placing = ("-e", "y = a*b"), "placing 4 nodes"
    for arguments, works in (
        (("new", *formula, "-o", "y.backwire"), ("reading the formula", placing)),
        (("new", "--python", "p.py", "-o", "p.backwire"), ("reading p.py", "placing 3 nodes")),
        (("export", *formula, "-o", "y.svg"), ("writing y.svg", placing)),
        (("export", *formula, "-o", "y.dot"), ("writing y.dot", placing)),
        (("export", *formula, "-o", "y.html"), ("writing y.html", placing)),
        (("export", *formula, "--strip", "1,2", "-o", "s.svg"), ("writing s.svg", placing)),
        (("export", "y.backwire", "--worksheet", "-o", "y.pdf"), ("writing y.pdf",)),
        (("export", "--course", "c"), ("writing the pages of all lessons",)),
    ):
        assert main(list(arguments)) == 0
        told = [f"backwire: {work} ..." for work in works]
        assert capsys.readouterr().err.splitlines() == told
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False)
    assert main(["new", *formula, "-o", "y.backwire"]) == 0
    assert capsys.readouterr().err == ""


def test_a_number_in_other_digits_than_ours_is_refused_by_every_option():
    fields = (opt for form in FORMS.values() for opt in fields_of(form.options).values())
    parsers = [
        (partial(read_option, opt), f"{opt.least:g}")
        for opt in fields
        if opt.most and not opt.choices
    ]
    assert len(parsers) > 5
    parsers += [(Whole(1, 99), "8"), (parse_positive, "8"), (parse_assignment, "8")]
    for parse, right in parsers:
        name = "a=" if parse is parse_assignment else ""
        assert parse(name + right) is not None
        for text in ("\uff18", "\u0668", "1_0", "8\u200b", "9" * 5000, "nan()"):
            with pytest.raises(argparse.ArgumentTypeError):
                parse(name + text)
