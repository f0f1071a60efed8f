"""The package `backwire` that a wheel holds: it harms nobody, and nobody harms it."""

import os
import pydoc
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import backwire
import engine
from app import VERSION
from tests.helpers.sampling import is_whole

ROOT = Path(__file__).resolve().parents[2]

RENAMED = [
    ("from engine import graph", "from backwire.engine import graph"),
    ("from  app.cli import (\n  a,  # app\n)", "from  backwire.app.cli import (\n  a,  # app\n)"),
    (
        "import os, engine.ops as p, app.cli",
        "import os, backwire.engine.ops as p, backwire.app.cli",
    ),
    ("d = '∂'; from engine import a\r\n\r\n", "d = '∂'; from backwire.engine import a\r\n\r\n"),
    ("def f():\n\timport app as a\n\treturn a", "def f():\n\timport backwire.app as a\n\treturn a"),
    ("start('-m', \"app\")", "start('-m', \"backwire.app\")"),
    ("load('engine.ops', x='engine.ops')", "load('backwire.engine.ops', x='backwire.engine.ops')"),
    ("LIBRARIES = {'math', 'engine'}", "LIBRARIES = {'math', 'engine'}"),
    ('"""The engine, app.cli."""\nx = 1\n"""The app."""', None),
    ("from engines import app, engine\nfrom micrograd.engine import Value\nengine = app.x", None),
    ("x = 'micrograd.engine, my_app, application, engines'", None),
]
LISTED = {"app": True, "engine.ops": True, "engine": False}

REFUSED = [
    ("x = 'engine.graph'", "line 1: list 'engine.graph' in STRINGS"),
    ("\nx = b'import app'", "line 2: list 'import app' in STRINGS"),
    ("x = '-m app'", "line 1: list '-m app' in STRINGS"),
    ("x = f'engine.{name}'", r"line 1: list 'engine\.' in STRINGS"),
    ("x = ['see /app/cli']", "line 1: list 'see /app/cli' in STRINGS"),
    ("from \\\n engine import a", "line 1: write 'engine' so that it can be renamed"),
    ("import engine.ops\nx = engine.ops.Op", "line 1: import engine.ops under a name of its own"),
]

OLD_IMPORT = re.compile(rb"^\s*(?:from|import)\s+(?:app|engine)\b", re.MULTILINE)
FOREIGN = "raise ImportError('this is the {name} of others')\n"
USE = """
import pkgutil, sys
import backwire
from backwire.app.cli import VERBS, run_verb
found = pkgutil.walk_packages(backwire.__path__, "backwire.") if IS_WHOLE else ()
modules = [module.name for module in found]
for name in modules:
    if not name.endswith("__main__"):
        __import__(name)
assert all(getattr(backwire, name) is not None for name in backwire.__all__)
codes = {run_verb([verb]) for verb in ("ops", "examples", "help")}
print(backwire.evaluate("a*a", a=3).grads, codes)
print(*[name for name in sys.modules if name.partition(".")[0] in ("app", "engine")])
"""


@pytest.fixture
def one_name(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "packaging")
    import one_name

    return one_name


@pytest.mark.parametrize(("source", "wanted"), RENAMED)
def test_only_the_names_of_our_modules_are_changed(one_name, source, wanted):
    quoted = source.replace('"', "'")
    listed = {text: yes for text, yes in LISTED.items() if f"'{text}'" in quoted}
    assert one_name.renamed(source.encode(), listed).decode() == (wanted or source)


@pytest.mark.parametrize(("source", "complaint"), REFUSED)
def test_what_can_not_be_renamed_is_refused(one_name: ModuleType, source: str, complaint: str):
    with pytest.raises(ValueError, match=complaint):
        one_name.renamed(source.encode(), {})


def test_a_listed_string_must_be_written_whole_and_be_there(one_name: ModuleType):
    for source in ("x = 'eng' 'ine.ops'", "x = r'engine.ops'", "x = f'engine.ops{y}'"):
        with pytest.raises(ValueError, match="so that it can be renamed"):
            one_name.renamed(source.encode(), {"engine.ops": True})
    with pytest.raises(ValueError, match=r"has 'engine\.ops', which is unused"):
        one_name.renamed(b'"""engine.ops"""', {"engine.ops": True})


def test_a_list_of_strings_for_a_file_that_has_gone_is_refused(one_name, monkeypatch, tmp_path):
    monkeypatch.setattr(one_name, "STRINGS", {"engine/gone.py": {}})
    with pytest.raises(ValueError, match=r"names engine/gone\.py, which is not there"):
        one_name.make(tmp_path / "backwire")


def test_every_listed_string_names_a_module(one_name: ModuleType):
    for strings in one_name.STRINGS.values():
        for text in strings:
            place = ROOT.joinpath(*text.split("."))
            assert place.is_dir() or place.with_suffix(".py").exists(), text


def test_the_package_is_the_tree_and_works_beside_packages_with_its_names(one_name, tmp_path):
    package = tmp_path / "site" / "backwire"
    one_name.make(package)
    tops = {path.name for path in package.iterdir()}
    assert tops == {"__init__.py", "__main__.py", "py.typed", "app", "engine", "resources"}
    assert {path.name for path in (package / "resources").iterdir()} == {
        path.name for path in (ROOT / "resources").iterdir()
    } - {"pictures"}
    for name in ("app", "engine"):
        for source in (ROOT / name).rglob("*.py"):
            copy = (package / source.relative_to(ROOT)).read_bytes()
            assert copy.replace(b"backwire.", b"") == source.read_bytes().replace(b"backwire.", b"")
            assert not OLD_IMPORT.search(copy), source
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(FOREIGN.format(name=name))
    paths = {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(package.parent)])}
    done = subprocess.run(
        [sys.executable, "-P", "-c", USE.replace("IS_WHOLE", str(is_whole()))],
        cwd=tmp_path,
        env=os.environ | paths | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-2:] == ["{'a': 6.0} {0}", ""]


LEARNERS = """
from backwire import Value
import engine
import backwire
a = Value(2.0, label="a")
y = (a * a).tanh()
y.backward()
assert [each.verdict for each in backwire.check(y)] == ["agrees"]
print(engine.Value, "</svg>" in y._repr_svg_(), backwire.from_expression("a*b").root_name)
assert "<iframe" in backwire.page(y)._repr_html_()
assert not [name for name in sys.modules if name.startswith("app.")]
y.show()
"""


def test_the_tree_works_beside_files_of_a_learner_with_its_names(tmp_path):
    for first, folder in (("", ""), ("import engine, app, value", "engine")):
        place = tmp_path / (folder or "files")
        for name in ("engine", "app", "value"):
            file = place / name / "__init__.py" if name == folder else place / f"{name}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("Value = 'theirs'\n")
        (place / "mine.py").write_text(f"import sys\n{first}\n{LEARNERS}")
        done = subprocess.run(
            [sys.executable, "mine.py"],
            cwd=place,
            env=os.environ | {"QT_QPA_PLATFORM": "xcb", "DISPLAY": "", "WAYLAND_DISPLAY": ""},
            capture_output=True,
            text=True,
        )
        assert done.stdout == "theirs True v3\n", (first, done.stderr)
        assert sys.platform != "linux" or "There is no display" in done.stderr, done.stderr


def test_help_shows_what_there_is():
    assert {*backwire.__all__} == {*engine.__all__, "check", "page"}
    assert backwire.__version__ == VERSION
    assert all(getattr(backwire, name) is not None for name in backwire.__all__)
    shown = pydoc.render_doc(backwire, renderer=pydoc.plaintext)  # pyright: ignore
    for text in (
        "y.show()",
        "evaluate(",
        "draw_dot(",
        "class Value",
        "backward(self)",
        "check(",
        "page(",
        "squashes",
    ):
        assert text in shown, text
    assert "import" not in dir(backwire)


def test_the_command_of_the_wheel_is_the_module_backwire():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["scripts"] == {"backwire": "backwire.__main__:main"}
    paths = [str(ROOT), str(ROOT / "packaging" / "installed")]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "backwire", "ops"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
    )
    assert "tanh" in done.stdout, done.stderr
