"""Side-effect analysis: finds code that changes no Value and no name outside it.

A function that only draws, prints or computes an unused result can be skipped. The analysis is
conservative: calls on the allow-lists here are pure, any other counts as a side effect.
"""

import ast
from collections.abc import Iterator, Mapping
from typing import TypeGuard

from engine.formats.python.objects import HARMLESS, Imported, PyObject, Unknown, UserDefinition
from engine.formats.python.source import walk
from engine.ops import BY_NAME

HARMLESS_FUNCTIONS = frozenset({
    "abs", "all", "any", "bool", "dict", "display", "enumerate", "filter", "float", "format",
    "frozenset", "getattr", "hasattr", "id", "input", "int", "isinstance", "issubclass",
    "iter", "len", "list", "map", "max", "min", "next", "print", "range", "repr", "reversed",
    "round", "set", "sorted", "str", "sum", "tuple", "type", "zip",
})  # fmt: skip
"""Functions of Python and IPython that do not mutate their arguments."""
_HARMLESS_METHODS = frozenset({
    "copy", "count", "endswith", "format", "index", "item", "items", "join", "keys", "lower",
    "ljust", "replace", "rjust", "split", "startswith", "strip", "title", "tolist", "upper",
    "values", "zfill", "graph",
})  # fmt: skip
# expressions that make a new object
_NEW = (
    ast.BinOp, ast.UnaryOp, ast.Constant, ast.JoinedStr, ast.List, ast.Dict, ast.Set,
    ast.ListComp, ast.DictComp, ast.SetComp,
)  # fmt: skip
# each of these is a side effect wherever it stands; a jump only outside a function, whose end it is
_CHANGES = (ast.Global, ast.Nonlocal, ast.Await, ast.Yield, ast.YieldFrom)
_JUMPS = (ast.Break, ast.Continue, ast.Return)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def first_side_effect(part: ast.AST, names: Mapping[str, PyObject]) -> ast.AST | None:
    """Return the first syntax node that may have a side effect, or None.

    Bodies of the program's functions that the code calls are included; `names` is its scope.
    """
    seen: set[ast.AST] = set()
    todo = [part]
    while todo:
        scope = todo.pop()
        if scope in seen:
            continue
        seen.add(scope)
        scan = _EffectScan(scope, names)
        for piece in walk(scope):
            if scan.changes(piece):
                return piece
        todo += scan.called
    return None


def names_bound_in(part: ast.AST) -> Iterator[str]:
    """Yield the names that code assigns, defines or imports."""
    for piece in walk(part):
        if isinstance(piece, ast.Name) and isinstance(piece.ctx, ast.Store | ast.Del):
            yield piece.id
        elif isinstance(piece, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield piece.name
        elif isinstance(piece, ast.alias):
            yield (piece.asname or piece.name).split(".")[0]


class _EffectScan:
    """The analysis of one function body or one statement.

    `called` collects the program's own functions that it names: their bodies are examined next.
    `_new` are names of objects made here, which it may change; `_unclear` may be names of others.
    """

    def __init__(self, scope: ast.AST, names: Mapping[str, PyObject]) -> None:
        self.called: list[ast.AST] = []
        self._names = {**names, **dict(_imported_in(scope))}
        self._is_function = isinstance(scope, _SCOPES)
        self._new = _new_names(scope)
        self._defined = {piece.name for piece in walk(scope) if isinstance(piece, ast.FunctionDef)}
        arguments = {piece.arg for piece in walk(scope) if isinstance(piece, ast.arg)}
        bound = {piece.id for piece in walk(scope) if _is_bound(piece)}
        self._unclear = (arguments | bound) - self._new

    def changes(self, piece: ast.AST) -> bool:
        """Return whether a syntax node may be a side effect; adds named functions to `called`."""
        if isinstance(piece, ast.Attribute | ast.Subscript) and not isinstance(piece.ctx, ast.Load):
            return not (isinstance(piece.value, ast.Name) and piece.value.id in self._new)
        if isinstance(piece, ast.Name):
            return self._names_a_change(piece)
        if isinstance(piece, ast.Call):
            return not self._is_harmless(piece.func)
        if isinstance(piece, _JUMPS):
            return not self._is_function
        if isinstance(piece, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return bool(piece.decorator_list) or isinstance(piece, ast.ClassDef)
        return isinstance(piece, _CHANGES)

    def _names_a_change(self, piece: ast.Name) -> bool:
        """Return whether a name is a class of the program; adds functions to `called`."""
        found = self._names.get(piece.id)
        if isinstance(found, UserDefinition) and isinstance(piece.ctx, ast.Load):
            if isinstance(found.node, ast.ClassDef):
                return True
            self.called.append(found.node)
        return False

    def _is_harmless(self, function: ast.expr) -> bool:
        if isinstance(function, ast.Name):
            return self._is_harmless_name(function.id)
        if not isinstance(function, ast.Attribute):
            return False
        if function.attr in BY_NAME or function.attr in _HARMLESS_METHODS:
            return True
        start = function.value
        while isinstance(start, ast.Attribute | ast.Call | ast.Subscript):
            start = start.func if isinstance(start, ast.Call) else start.value
        if not isinstance(start, ast.Name) or start.id in self._unclear:
            return False
        if function.attr in ("backward", "_backward"):
            return False
        found = self._names.get(start.id)
        if isinstance(found, Imported):
            return found.library in HARMLESS and "random" not in found.path.split(".")
        return start.id in self._new or (isinstance(found, Unknown) and not found.maybe_value)

    def _is_harmless_name(self, name: str) -> bool:
        if name in self._unclear or name in self._new:
            return False  # it may be bound to any function
        found = self._names.get(name)
        if isinstance(found, Imported):
            return found.last == "Value" or found.library in HARMLESS - {"random"}
        if isinstance(found, UserDefinition):
            return True  # added to `called`, whose bodies are examined later
        known = name in BY_NAME or name in HARMLESS_FUNCTIONS or name == "Value"
        return name in self._defined or (found is None and known)


def imported(statement: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Imported]]:
    """Yield (name, Imported) for each name that an import binds."""
    of = statement.module or "" if isinstance(statement, ast.ImportFrom) else ""
    for found in statement.names:
        path = f"{of}.{found.name}" if of else found.name
        if found.name != "*":
            binds_root = not of and found.asname is None  # import a.b binds a
            name = found.asname or (path.partition(".")[0] if binds_root else found.name)
            yield name, Imported(path.partition(".")[0] if binds_root else path)


def _imported_in(scope: ast.AST) -> Iterator[tuple[str, Imported]]:
    for piece in walk(scope):
        if isinstance(piece, ast.Import | ast.ImportFrom):
            yield from imported(piece)


def _is_bound(piece: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(piece, ast.Name) and not isinstance(piece.ctx, ast.Load)


def _new_names(scope: ast.AST) -> set[str]:
    """Return local names bound only to objects created in this code (escape analysis)."""
    made: dict[str, bool] = {}
    arguments = {piece.arg for piece in walk(scope) if isinstance(piece, ast.arg)}
    for piece in walk(scope):
        if isinstance(piece, ast.Assign):
            for target in piece.targets:
                for name, value in _bindings(target, piece.value):
                    made[name] = made.get(name, True) and _is_new(value)
        elif isinstance(piece, ast.For | ast.comprehension | ast.NamedExpr | ast.AnnAssign):
            made.update(dict.fromkeys(names_bound_in(piece.target), False))
        elif isinstance(piece, ast.withitem) and piece.optional_vars is not None:
            made.update(dict.fromkeys(names_bound_in(piece.optional_vars), False))
    return {name for name, new in made.items() if new} - arguments


def _bindings(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr | None]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for each, part in zip(target.elts, value.elts, strict=False):
            yield from _bindings(each, part)
    else:
        yield from ((name, None) for name in names_bound_in(target))


def _is_new(value: ast.expr | None) -> bool:
    """Return whether an expression creates an object without other references."""
    if not isinstance(value, ast.Call):
        return isinstance(value, _NEW)
    function = value.func
    if isinstance(function, ast.Attribute):
        return function.attr in BY_NAME or function.attr in ("copy", "Digraph")
    makers = ("Value", "set", "list", "dict", "tuple", "Digraph", "float", "int", "str")
    return isinstance(function, ast.Name) and function.id in makers
