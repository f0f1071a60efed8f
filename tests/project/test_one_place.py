"""Each idea has one place in the program: found on the syntax trees, so that it stays so."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

Finder = Callable[[ast.Module], Iterator[ast.AST]]
"""Finds the places in a module where an idea is carried out."""

RUNS_CODE = frozenset({"exec", "eval", "compile", "__builtins__", "builtins"})
READS_SOURCE = frozenset(
    {"linecache", "getsource", "getsourcelines", "getsourcefile", "findsource", "get_source"}
)
OP_TEXTS = frozenset({"formula", "slopes", "latex", "latex_slopes"})
WALKS = frozenset(
    {"forward_order", "recursive", "depth_first", "breadth_first", "random_order", "reversed_order"}
)
FLOAT_FORMAT = re.compile(r"^[^%]*(\.|[eEfFgGn%]$)")
PERCENT_FORMAT = re.compile(r"%[-+ #0]*\d*(?:\.\d+)?[eEfFgGr]")


def code_that_is_run(tree: ast.Module) -> Iterator[ast.AST]:
    """The builtin exec, eval and compile; methods of these names, as Qt has them, are others."""
    for node in ast.walk(tree):
        names = [node.id] if isinstance(node, ast.Name) else _imported(node)
        if RUNS_CODE.intersection(names):
            yield node


def reading_of_source(tree: ast.Module) -> Iterator[ast.AST]:
    """What asks for source text, or for its own file other than to find a resource beside it."""
    nodes = list(ast.walk(tree))
    found = [node for node in nodes if isinstance(node, ast.Name) and node.id == "__file__"]
    if found:
        good = {id(part) for node in nodes if _finds_resource(node) for part in ast.walk(node)}
        yield from (node for node in found if id(node) not in good)
    for node in nodes:
        names = [node.attr] if isinstance(node, ast.Attribute) else _imported(node)
        if READS_SOURCE.intersection(names):
            yield node


def _finds_resource(node: ast.AST) -> bool:
    """Whether this is an assignment of a place below the folder `resources`."""
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return False
    place = r"Path\(__file__\)\.resolve\(\)\.parents\[\d\] / 'resources'"
    return bool(re.match(place, ast.unparse(node.value)))


def texts_of_ops(tree: ast.Module) -> Iterator[ast.AST]:
    """Reads of an op's texts that are not the first argument of `filled`; widgets apart."""
    given = set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name_of(node.func).endswith("filled"):
            given |= {id(part) for argument in node.args[:1] for part in ast.walk(argument)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in OP_TEXTS and id(node) not in given:
            of = ast.unparse(node.value)
            if not of.startswith("self") or "op(" in of:
                yield node


def _name_of(called: ast.expr) -> str:
    """The last name of what is called; `ast.unparse` would take ten times as long."""
    if isinstance(called, ast.Attribute):
        return called.attr
    return called.id if isinstance(called, ast.Name) else ""


def rules_that_are_walked(tree: ast.Module) -> Iterator[ast.AST]:
    """Reads of the fields of `Rules` that decide who fires when, and imports of its walks."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ("walk", "partial", "zeroed"):
            if ast.unparse(node.value) not in ("ast", "os"):
                yield node
        elif WALKS.intersection(_imported(node)):
            yield node


def floats_written(tree: ast.Module) -> Iterator[ast.AST]:
    """Formats of floats: `f"{x:.3g}"`, `"%.4f" % x`, `format(x, ...)`, `repr(x)`, `f"{x!r}"`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue):
            spec = ast.unparse(node.format_spec)[2:-1] if node.format_spec else ""
            if node.conversion == ord("r") or FLOAT_FORMAT.search(spec):
                yield node
        elif isinstance(node, ast.Call):
            if _writes_float(node.func):
                yield node
        elif isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant):
            yield from [node] if PERCENT_FORMAT.search(str(node.left.value)) else []


def _writes_float(called: ast.expr) -> bool:
    """Whether a function that is called may write a float."""
    if isinstance(called, ast.Name):
        return called.id in ("repr", "format")
    if not isinstance(called, ast.Attribute):
        return False
    if called.attr in ("format", "format_map"):
        return bool(re.search(r"[:.]\d*[eEfFgGn%]\}", ast.unparse(called.value)))
    return called.attr in ("__repr__", "__format__", "setNum")


def _imported(node: ast.AST) -> list[str]:
    """Every name in an import statement."""
    if isinstance(node, ast.ImportFrom):
        return [node.module or "", *(alias.name for alias in node.names)]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


QUOTED = "quotes what somebody typed or gave"
CODE = "program text, in which a number must read back the same"
DRAWING = "coordinates of a drawing"

PLACES: Mapping[str, tuple[Finder, Mapping[str, str]]] = {
    "code that is run": (
        code_that_is_run,
        {
            "engine/generated/push.py": "makes the backward step of each op",
            "engine/generated/tape.py": "makes the loops over a tape",
            "engine/compiled/arrays.py": "makes the NumPy form of each op",
            "engine/compiled/source.py": "makes the functions of a Program",
            "app/window/start.py": "puts back the import that PySide replaces",
        },
    ),
    "reading of source": (
        reading_of_source,
        {
            "engine/formats/graphviz.py": "a program of its own; a bundle starts itself instead",
            "engine/formats/value_window.py": "the folder a new process shall import us from",
        },
    ),
    "texts of ops": (
        texts_of_ops,
        {
            "engine/generated/push.py": "the texts for code, which `inline` defines",
            "engine/generated/tape.py": "the texts for code, which `inline` defines",
            "engine/compiled/source.py": "the texts for code, which `inline` defines",
            "engine/compiled/levels.py": "the NumPy forms, which `arrays` defines",
            "app/cli/listing.py": "prints them as they are",
            "app/panels/palette/tile.py": "shows the formula as it is",
            "app/workbench/finding.py": "searches the formula as it is",
            "app/panels/inspector/slopes.py": "fills one after the other",
            "engine/formats/latex.py": "fills them with brackets as TeX has them",
        },
    ),
    "rules that are walked": (
        rules_that_are_walked,
        {
            "engine/rules.py": "defines them",
            "engine/schedule.py": "the one schedule of a pass",
        },
    ),
    "floats written": (
        floats_written,
        {
            "engine/numbers.py": "the one writer of numbers",
            "engine/__init__.py": QUOTED,
            "app/cli/__init__.py": QUOTED,
            "app/cli/calling.py": QUOTED,
            "app/cli/exporting.py": QUOTED,
            "app/cli/making.py": QUOTED,
            "engine/compiled/source.py": CODE,
            "engine/formats/expression_writer.py": CODE,
            "engine/formats/python/writer.py": CODE,
            "engine/training/torch_script.py": CODE,
            "engine/formats/graphviz.py": "lengths for Graphviz, in inches",
            "engine/formats/dot_classic.py": "micrograd's picture, which has four places always",
            "engine/formats/value_picture.py": "the same of a Value, and its repr below it",
            "app/style/mark.py": DRAWING,
            "app/canvas/paint/picture_export.py": "the size of a page, in mm and points",
            "app/panels/status_line.py": "the zoom, in whole per cent",
            "app/window/commands/view.py": "the size of everything, in whole per cent",
        },
    ),
}
"""What is looked for, and the files that may have it, each with the reason."""

PLANTED = [
    ("code that is run", "exec('x = 1')"),
    ("code that is run", "run = eval"),
    ("code that is run", "from builtins import compile as c"),
    ("reading of source", "text = open(__file__).read()"),
    ("reading of source", "PLACE = Path(__file__).with_name('op.py')"),
    ("reading of source", "import inspect\ninspect.getsource(run)"),
    ("reading of source", "from inspect import getsource"),
    ("reading of source", "import linecache"),
    ("texts of ops", "text = op.formula.replace('a', '2')"),
    ("texts of ops", "re.sub('a', '2', self.graph.op(node).latex_slopes[0])"),
    ("rules that are walked", "for node in rules.walk(graph, plan): ..."),
    ("rules that are walked", "rule = trace.rules.partial(op, 0)"),
    ("rules that are walked", "zeroed = [n for n in nodes if rules.zeroed == 'all']"),
    ("rules that are walked", "from engine.rules import recursive"),
    ("floats written", "f'{x:.3g}'"),
    ("floats written", "f'{x:g} is it'"),
    ("floats written", "f'{x:.0%}'"),
    ("floats written", "f'{x!r}'"),
    ("floats written", "f'{x:.{digits}}'"),
    ("floats written", "repr(x)"),
    ("floats written", "format(x, 'f')"),
    ("floats written", "'{:.4f}'.format(x)"),
    ("floats written", "'%.4f' % x"),
]

HARMLESS = {
    "code that is run": "re.compile('a')\napplication.exec()",
    "reading of source": "FOLDER = Path(__file__).resolve().parents[2] / 'resources' / 'icons'",
    "texts of ops": "op.filled(op.slopes[0], names)\nself.formula.show()",
    "rules that are walked": "ast.walk(tree)\nfrom functools import partial\nzeroed = 1",
    "floats written": "f'{n:,} {k:03d} {k:0{wide}} {n} {day:%d.%m.%Y}'\n"
    "'{} and {}'.format(a, b)\nrest = k % 2",
}


def test_only_the_named_files_have_it_and_each_of_them_does():
    """All ideas in one go, since to read the program takes longer than to look for one."""
    found = {idea: set[str]() for idea in PLACES}
    strangers: list[str] = []
    for path in (
        file for name in ("app", "engine") for file in sorted((ROOT / name).rglob("*.py"))
    ):
        name, tree = path.relative_to(ROOT).as_posix(), ast.parse(path.read_text("utf-8"))
        for idea, (finder, places) in PLACES.items():
            for node in finder(tree):
                found[idea].add(name)
                if name not in places:
                    line = getattr(node, "lineno", "?")
                    strangers.append(f"{idea}: {name}, line {line}: {ast.unparse(node)}")
    assert strangers == []
    gone = {idea: set(places) - found[idea] for idea, (_, places) in PLACES.items()}
    assert not any(gone.values()), f"these have none of it any more: {gone}"


@pytest.mark.parametrize(("idea", "planted"), PLANTED)
def test_a_planted_one_is_found(idea: str, planted: str):
    assert list(PLACES[idea][0](ast.parse(planted)))


@pytest.mark.parametrize("idea", PLACES)
def test_what_only_looks_like_it_is_not(idea: str):
    assert list(PLACES[idea][0](ast.parse(HARMLESS[idea]))) == []


def test_code_is_run_in_two_rooms_of_the_engine_only():
    rooms = {Path(name).parent.as_posix() for name in PLACES["code that is run"][1]}
    rooms.remove("app/window")  # runs none: it is named for the import that it puts back
    assert rooms == {"engine/generated", "engine/compiled"}
