"""Mutant: one fault to plant, as a piece of the syntax tree and what to put in its place."""

import ast
from dataclasses import dataclass

Piece = ast.expr | ast.stmt | ast.keyword


@dataclass(frozen=True)
class Mutant:
    """A fault: `before`, which stands just once in a function or class of `file`, becomes `after`.

    `where` is the qualified name of the function or class; empty means the whole file. `before`
    and `after` are expressions or statements. They are compared as syntax trees, so that line
    breaks, brackets, quotes and comments of the file don't matter. `name=value` stands for an
    assignment as well as for a keyword of a call.
    """

    file: str
    where: str
    before: str
    after: str

    @property
    def title(self) -> str:
        """The fault on one line."""
        place = ".".join(filter(None, (self.file.removeprefix("engine/"), self.where)))
        return f"{place}: {' '.join(f'{self.before} → {self.after}'.split())}"

    def planted(self, source: str) -> str:
        """The source with the fault in it; ValueError if its place can't be found."""
        tree = ast.parse(source)
        scope = _scope(tree, self.where)
        before = _dumps(self.before)
        places = [node for node in ast.walk(scope) if ast.dump(node) in before]
        if len(places) != 1:
            raise ValueError(f"{self.file} {self.where} holds {len(places)} times: {self.before}")
        planted = _Planting(places[0], self.after).visit(tree)
        return ast.unparse(ast.fix_missing_locations(planted)) + "\n"


def faults(file: str, *triples: tuple[str, str, str]) -> tuple[Mutant, ...]:
    """The mutants of one file, each (where, before, after)."""
    return tuple(Mutant(f"engine/{file}", *triple) for triple in triples)


class _Planting(ast.NodeTransformer):
    """Puts a piece of code in place of one node."""

    def __init__(self, place: ast.AST, after: str) -> None:
        self._place, self._after = place, after

    def visit(self, node: ast.AST) -> ast.AST:
        if node is not self._place:
            return self.generic_visit(node)
        statement = _statement(self._after)
        if isinstance(node, ast.expr):
            return statement.value if isinstance(statement, ast.Expr) else ast.Constant(None)
        if isinstance(node, ast.keyword):
            assert isinstance(statement, ast.Assign)
            return ast.keyword(node.arg, statement.value)
        return statement


def _scope(tree: ast.Module, where: str) -> ast.AST:
    """The function or class of a qualified name; ValueError if there is none."""
    scope: ast.AST = tree
    for name in filter(None, where.split(".")):
        kinds = (ast.FunctionDef, ast.ClassDef)
        inner = (n for n in ast.walk(scope) if isinstance(n, kinds) and n.name == name)
        if (found := next(inner, None)) is None:
            raise ValueError(f"there is no {where}")
        scope = found
    return scope


def _statement(text: str) -> ast.stmt:
    (statement,) = ast.parse(text).body
    return statement


def _dumps(text: str) -> set[str]:
    """What the tree of a piece of code looks like, wherever it may stand.

    A call that stands alone is found as the expression within its statement; `pass` in its
    place leaves None there.
    """
    statement = _statement(text)
    found = {ast.dump(statement)}
    if isinstance(statement, ast.Expr):
        found = {ast.dump(statement.value)}
    if isinstance(statement, ast.Assign) and isinstance(target := statement.targets[0], ast.Name):
        found.add(ast.dump(ast.keyword(target.id, statement.value)))
    return found
