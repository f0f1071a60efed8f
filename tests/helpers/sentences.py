"""Finds the texts of the program in its source, and how they become sentences."""

import ast
import gc
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from string import Formatter

ROOT = Path(__file__).resolve().parents[2]
WORD = re.compile(r"[A-Za-z]{2}")
FRAGMENT = re.compile(r"[ ,;\n].*\w|.*\w.* \Z", re.DOTALL)
"""What can only be part of a sentence: a text that starts or ends with what joins it to another."""

Text = ast.Constant | ast.JoinedStr


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the program, by its path."""
    found = [path for top in ("app", "engine") for path in sorted((ROOT / top).rglob("*.py"))]
    gc.disable()  # it would search the million nodes again and again, for four fifths of the time
    try:
        return {
            path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
            for path in found
        }
    finally:
        gc.freeze()  # nor later: there are no cycles in trees
        gc.enable()


@cache
def walked(tree: ast.AST) -> list[ast.AST]:
    """All nodes of a tree: they are looked for once."""
    return list(ast.walk(tree))


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def words(node: ast.AST) -> str:
    """The fixed words of a text, or of all texts in an expression."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.FormattedValue):
        return "{}"
    return "".join(map(words, ast.iter_child_nodes(node)))


def has_words(node: ast.AST) -> bool:
    return any(is_text(part) and WORD.search(words(part)) for part in ast.walk(node))


def joined(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Where words become a sentence only by code, and how."""
    for node in walked(tree):
        if isinstance(node, ast.FormattedValue) and any(map(chooses_words, ast.walk(node.value))):
            yield node.lineno, "an expression with words in a field"
        elif adds_words(node):
            yield getattr(node, "lineno", 0), "words added"
        elif isinstance(node, ast.IfExp):
            yield from ((node.lineno, how) for how in conditions(node))
        elif any(FRAGMENT.match(text) for text in span_texts(node)):
            yield getattr(node, "lineno", 0), "a sentence in several spans"


def conditions(node: ast.IfExp) -> Iterator[str]:
    """What is wrong with a choice between texts."""
    arms = [arm for arm in (node.body, node.orelse) if is_text(arm)]
    if any(FRAGMENT.match(words(arm)) for arm in arms):
        yield "part of a sentence under a condition"
    elif len(arms) == 2 and is_of_one(node.test) and all(map(has_words, arms)):
        yield "a plural without counted()"


def chooses_words(node: ast.AST) -> bool:
    if isinstance(node, ast.IfExp):
        return has_words(node.body) or has_words(node.orelse)
    sides = (node.left, node.right) if isinstance(node, ast.BinOp) else ()
    return any(re.search("[A-Za-z]", words(side)) for side in sides if is_text(side))


def adds_words(node: ast.AST) -> bool:
    sides: list[ast.expr] = []
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mult):
        sides = [node.left, node.right]
    elif isinstance(node, ast.AugAssign):
        sides = [node.value]
    return any(is_text(side) and WORD.search(words(side)) for side in sides)


def is_of_one(test: ast.expr) -> bool:
    """Whether a condition compares with 1, as those for plurals do."""
    return isinstance(test, ast.Compare) and any(
        isinstance(side, ast.Constant) and side.value == 1 for side in test.comparators
    )


def span_texts(node: ast.AST) -> Iterator[str]:
    """The words of each Span that stands beside others."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List) and len(node.elts) > 1 else ()
    for part in parts:
        if isinstance(part, ast.Call) and part.args and ast.unparse(part.func) == "Span":
            yield words(part.args[0])


@cache
def texts(tree: ast.AST) -> tuple[Text, ...]:
    """Every text that is no docstring and no part of another text."""
    inner = set[ast.AST]()
    for node in walked(tree):
        if isinstance(node, ast.Expr):
            inner.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            inner.update(part for value in node.values for part in ast.walk(value))
        elif isinstance(node, ast.FormattedValue) and node.format_spec:
            inner.add(node.format_spec)
    return tuple(
        node
        for node in walked(tree)
        if isinstance(node, Text) and is_text(node) and node not in inner
    )


def template(node: Text) -> str | None:
    """A text as a template: the fields of an f-string are numbered. None without fields."""
    if isinstance(node, ast.Constant):
        text = str(node.value)
        try:
            fields = [name for _words, name, _format, _conversion in Formatter().parse(text)]
        except ValueError:
            return None
        named = [name for name in fields if name is not None]
        return text if named and all(map(str.isidentifier, named)) else None
    parts: list[str] = []
    for k, part in enumerate(node.values):
        if isinstance(part, ast.Constant):
            parts.append(str(part.value).replace("{", "{{").replace("}", "}}"))
        elif isinstance(part, ast.FormattedValue):
            form = "" if part.format_spec is None else words(part.format_spec)
            parts.append(f"{{f{k}:{form}}}" if form and "{" not in form else f"{{f{k}}}")
    return "".join(parts)


def makers(trees: Iterable[ast.AST]) -> set[str]:
    """The names of the engine's errors, and of all functions that return one."""
    kinds = ast.ClassDef | ast.FunctionDef
    nodes = [node for tree in trees for node in walked(tree) if isinstance(node, kinds)]
    found, more = set[str](), {"EngineError"}
    while more:
        found |= more
        classes = (node for node in nodes if isinstance(node, ast.ClassDef))
        more = {node.name for node in classes if found & set(map(ast.unparse, node.bases))} - found
    functions = (node for node in nodes if isinstance(node, ast.FunctionDef) and node.returns)
    return found | {node.name for node in functions if ast.unparse(node.returns or node) in found}


def fieldless(tree: ast.AST, errors: set[str]) -> Iterator[int]:
    """The lines where an error gets a text that was filled before, so that its fields are lost."""
    calls = [node for node in walked(tree) if isinstance(node, ast.Call)]
    lines = {call.lineno for call in calls if called(call) in errors}
    for function in (node for node in walked(tree) if isinstance(node, ast.FunctionDef)):
        if lines.isdisjoint(range(function.lineno, (function.end_lineno or 0) + 1)):
            continue
        inside = walked(function)
        filled_before = {
            target.id
            for node in inside
            if isinstance(node, ast.Assign) and was_filled(node.value)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in inside:
            if isinstance(node, ast.Call) and called(node) in errors:
                given = (*node.args, *(keyword.value for keyword in node.keywords))
                names = {arg.id for arg in node.args if isinstance(arg, ast.Name)}
                if names & filled_before or any(map(was_filled, given)):
                    yield node.lineno


def called(call: ast.Call) -> str:
    """The last name of what is called."""
    func = call.func
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


def was_filled(node: ast.expr) -> bool:
    """Whether an expression is a sentence with its fields put in."""
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) == "counted"
    return isinstance(node, ast.JoinedStr) and bool(WORD.search(words(node)))
