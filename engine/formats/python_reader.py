"""Reading programs in micrograd's manner without running them.

The program's syntax tree is walked as Python would run it, with nodes of a graph in place of
Values: names, operators, the operations as methods and functions, tuples, small loops and sums.
Whatever else stands there is refused with its place. Statements and expressions are counted, so
that nothing runs for long.
"""

import ast
import warnings

from engine.errors import FormatError
from engine.formats.expression_reader import NO_FILE, PlacedFormatError
from engine.formats.python_expressions import Expressions
from engine.formats.python_ops import is_known
from engine.formats.python_things import (
    ASSIGNED_QUIETLY,
    LIBRARIES,
    Imported,
    Nothing,
    Ref,
)
from engine.graph import Graph, Root

LENGTH_LIMIT = 600_000

_NOT_READ: dict[type[ast.stmt], str] = {
    ast.FunctionDef: "a function definition",
    ast.ClassDef: "a class definition",
    ast.While: "a while loop",
    ast.If: "an if statement",
    ast.With: "a with statement",
    ast.Try: "a try statement",
}


class Reader:
    """Walks one program and makes the nodes it would make."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.known = Expressions(self.refusal)
        self.last: int | None = None

    def graph(self) -> Graph:
        """The graph of the program; its root is what runs backward, or what was made last."""
        self._run(self._statements())
        root = self.last if self.known.root is None else self.known.root
        if root is None:
            raise FormatError("The program makes no Value, so there is no graph.")
        nodes = self.known.nodes.made
        marker = len(nodes) + 1
        return Graph({**nodes, marker: Root(root)}, marker, marker + 1)

    def refusal(self, part: ast.AST, reason: str) -> FormatError:
        """The error that names a place of the program."""
        row: int = getattr(part, "lineno", 1)
        lines = self.text.split("\n")
        line = lines[row - 1] if row <= len(lines) else ""
        column = len(line.encode()[: getattr(part, "col_offset", 0)].decode(errors="ignore"))
        return self._refusal_at(row, column, reason)

    def _refusal_at(self, row: int, column: int, reason: str) -> FormatError:
        lines = self.text.split("\n")
        start = sum(len(line) + 1 for line in lines[: row - 1]) + column
        return PlacedFormatError(f"Line {row}, column {column + 1}: {reason}.", start)

    def _statements(self) -> list[ast.stmt]:
        if len(self.text) > LENGTH_LIMIT:
            raise FormatError(f"The program is longer than {LENGTH_LIMIT:,} characters.")
        self.text = self.text.replace("\r\n", "\n").replace("\r", "\n")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(self.text, NO_FILE).body
        except SyntaxError as error:
            place = max(error.lineno or 1, 1), max((error.offset or 1) - 1, 0)
            raise self._refusal_at(*place, "this can't be read as Python") from None
        except (RecursionError, MemoryError):
            raise FormatError("The program is nested too deeply.") from None
        except ValueError:
            raise FormatError("The program holds characters that Python can't read.") from None

    def _run(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.known.nodes.count(statement)
            match statement:
                case ast.Import() | ast.ImportFrom():
                    self._import(statement)
                case ast.Expr(value=value):
                    self._bare(value)
                case ast.Assign() | ast.FunctionDef() if is_known(statement):
                    self._forget(statement)
                case ast.Assign(targets=targets, value=value):
                    self._assign(targets, value)
                case ast.AugAssign():
                    self._augment(statement)
                case ast.For(orelse=[]):
                    self._loop(statement)
                case _:
                    self._other(statement)

    def _other(self, statement: ast.stmt) -> None:
        if not isinstance(statement, ast.Pass):
            what = _NOT_READ.get(type(statement), "this statement")
            raise self.refusal(statement, f"{what} can't be read")

    def _forget(self, known: ast.Assign | ast.FunctionDef) -> None:
        """A definition of ours: from here on the name is the operation's again."""
        target = known.name if isinstance(known, ast.FunctionDef) else known.targets[0]
        self.known.names.pop(target.id if isinstance(target, ast.Name) else str(target), None)

    def _loop(self, statement: ast.For) -> None:
        things = self.known.evaluate(statement.iter)
        for item in self.known.calls.items(things, statement.iter):
            self.known.bind(statement.target, item, naming=False)
            self._run(statement.body)

    def _import(self, statement: ast.Import | ast.ImportFrom) -> None:
        of = f"{statement.module or ''}" if isinstance(statement, ast.ImportFrom) else ""
        for found in statement.names:
            path = f"{of}.{found.name}" if of else found.name
            library = path.split(".")[0]
            if library not in LIBRARIES or getattr(statement, "level", 0):
                raise self.refusal(statement, f"{library or 'this'} can't be imported here")
            if found.name == "*":
                continue
            if not of and found.asname is None:
                path = library
            self.known.names[found.asname or path.split(".")[-1]] = Imported(path)

    def _bare(self, value: ast.expr) -> None:
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return
        thing = self.known.evaluate(value)
        if isinstance(thing, Ref):
            self.last = thing.node

    def _assign(self, targets: list[ast.expr], value: ast.expr) -> None:
        quiet = all(isinstance(t, ast.Attribute) and t.attr in ASSIGNED_QUIETLY for t in targets)
        thing = Nothing() if quiet else self.known.evaluate(value)
        for target in targets:
            self.known.bind(target, thing)
        if isinstance(thing, Ref):
            self.last = thing.node

    def _augment(self, statement: ast.AugAssign) -> None:
        target = statement.target
        if isinstance(target, ast.Attribute) and target.attr in ASSIGNED_QUIETLY:
            return
        if not isinstance(target, ast.Name):
            raise self.refusal(target, "only a name can be changed in this way")
        load = ast.copy_location(ast.Name(target.id, ast.Load()), target)
        both = ast.BinOp(load, statement.op, statement.value)
        self._assign([target], ast.copy_location(both, statement))
