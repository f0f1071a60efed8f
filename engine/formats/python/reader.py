"""Reads programs in micrograd's style, and notebooks of them, without running them.

The program's syntax tree is interpreted with nodes of a graph in place of Values: names, operators,
the operations as methods and functions, tuples, lists, small loops and sums. Code that can change
no Value is skipped: output, drawing, assertions, and functions whose result nobody needs. Anything
else is refused with its place. Statements and expressions are counted, so that nothing runs for
long.
"""

import ast
from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct

from engine.errors import FormatError
from engine.formats.python.expressions import Expressions
from engine.formats.python.objects import Imported, Own, Ref, Thing, Unread
from engine.formats.python.side_effects import first_change, imported
from engine.formats.python.source import Source, pieces
from engine.formats.python.writer import is_known
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root
from engine.names import with_names_read

OURS_STANDS_IN = "The program's own class Value is not run; Backwire's stands in for it."

_NOT_READ: dict[type[ast.stmt], str] = {
    ast.FunctionDef: "a function with a decorator can't be read.",
    ast.ClassDef: "a class with a decorator can't be read.",
    ast.Assert: "a check that changes something can't be read.",
    ast.While: "a while loop that changes something can't be read.",
    ast.If: "an if statement that changes something can't be read.",
    ast.With: "a with statement that changes something can't be read.",
    ast.Try: "a try statement that changes something can't be read.",
}


class Reading(Struct, frozen=True):
    """The graph of a program, and a sentence on what was read differently from the text."""

    graph: Graph
    remark: str = ""


class ProgramReader:
    """Interprets one program and makes the nodes it would make."""

    def __init__(self, text: str | Mapping[int, str]) -> None:
        """Take a text, or the code of a notebook's cells by their number."""
        self.source = Source(text)
        self.known = Expressions(self.source)
        self.last: int | None = None
        self._doubt: FormatError | None = None  # set if the last object may be an unknown Value

    def reading(self) -> Reading:
        """Return the program's graph; the root is what runs backward, or what was made last."""
        statements = _straight(self.source.statements())
        last_pass = max((k for k, each in enumerate(statements) if _runs_back(each)), default=None)
        for k, statement in enumerate(statements):
            if last_pass is None or k <= last_pass:
                self._run(statement)
            else:
                self.known.nodes.passes.closed = True
                self._run_after(statement)
        root = self.last if self.known.root is None else self.known.root
        if self.known.root is None and self._doubt is not None:
            raise self._doubt
        if root is None:
            raise self._nothing_made()
        self._check_numbers(root)
        remark = OURS_STANDS_IN if self.known.calls.own_value else ""
        return Reading(self._graph(root), remark)

    def _graph(self, root: int) -> Graph:
        """Return the ancestors of the root with new ids and the leaves' latest numbers."""
        made, passes = self.known.nodes.made, self.known.nodes.passes
        held = passes.numbers_of(root)
        number = {node: k for k, node in enumerate(sorted(held), start=1)}
        nodes: dict[int, Node] = {}
        for node, new in number.items():
            found = made[node]
            if isinstance(found, OpNode):
                inputs = tuple(number[source] for source in found.inputs if source is not None)
                found = msgspec.structs.replace(found, inputs=inputs)
            elif isinstance(found, Leaf | Constant):
                found = msgspec.structs.replace(found, value=held[node])
            nodes[new] = found
        marker = len(nodes) + 1
        nodes = with_names_read({**nodes, marker: Root(number[root])})
        return Graph(nodes, marker, max(nodes) + 1)

    def _nothing_made(self) -> FormatError:
        for thing in self.known.names.values():
            if isinstance(thing, Own):
                reason = "no Value is made outside the functions and classes of its own."
                return self.source.refusal(thing.node, reason)
        return FormatError(
            "The {what} makes no Value, so there is no graph.", what=self.source.what
        )

    def _check_numbers(self, root: int) -> None:
        passes = self.known.nodes.passes
        if passes.changed is not None and not passes.is_consistent(root):
            reason = "this changes a number after others were computed from it."
            raise self.source.refusal(passes.changed, reason)

    def _run_after(self, statement: ast.stmt) -> None:
        """Run a statement after the last pass: it may bind and print, but change no graph."""
        made = len(self.known.nodes.made)
        try:
            self._run(statement)
        except FormatError as error:
            self._check_own(statement, error)
            self.known.forget(statement, error)
        if len(self.known.nodes.made) > made:
            self.last = None  # the last pass does not reach it

    def _check_own(self, statement: ast.stmt, error: FormatError) -> None:
        """Refuse a program whose own function may run another pass."""
        for part in pieces(statement):
            own = self.known.names.get(part.id) if isinstance(part, ast.Name) else None
            if isinstance(own, Own) and first_change(part, self.known.names) is not None:
                raise error

    def _run_all(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            self._run(statement)

    def _run(self, statement: ast.stmt) -> None:
        self.known.nodes.count(statement)
        match statement:
            case ast.Import() | ast.ImportFrom():
                self._import(statement)
            case ast.Expr(value=value):
                self._bare(value)
            case ast.FunctionDef(decorator_list=[]) | ast.ClassDef(decorator_list=[]):
                self._define(statement)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                self._set(statement)
            case ast.For(orelse=[]):
                self._loop(statement)
            case _:
                self._other(statement)

    def _set(self, statement: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
        if isinstance(statement, ast.AugAssign):
            self._augment(statement)
        elif isinstance(statement, ast.AnnAssign):
            if statement.value is not None:
                self._assign([statement.target], statement.value)
        elif is_known(statement) and not isinstance(self.known.names.get("operation"), Own):
            self._forget(statement.targets[0])
        else:
            self._assign(statement.targets, statement.value)

    def _other(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Pass):
            return
        if isinstance(statement, ast.Delete):
            self._delete(statement)
            return
        reason = _NOT_READ.get(type(statement), "this statement can't be read.")
        why = self.source.refusal(statement, reason)
        if type(statement) not in _NOT_READ:
            raise why
        self.known.pass_over(statement, why)
        if not isinstance(statement, ast.Assert):
            self._doubt = why

    def _delete(self, statement: ast.Delete) -> None:
        for target in statement.targets:
            if not isinstance(target, ast.Name):
                raise self.source.refusal(target, "only a name can be deleted.")
            self.known.names.pop(target.id, None)

    def _define(self, statement: ast.FunctionDef | ast.ClassDef) -> None:
        """Define a function or class of the program; a class Value is treated as ours."""
        if is_known(statement):
            self.known.names.pop("operation", None)
        elif isinstance(statement, ast.FunctionDef):
            self.known.names[statement.name] = Own(statement)
        elif statement.name == "Value":
            self.known.calls.take_own_value(statement)
            self.known.names["Value"] = Imported("Value")
        else:
            why = self.source.refusal(statement, "what this class does can't be read.")
            for part in statement.body:
                if not isinstance(part, ast.FunctionDef):
                    self.known.pass_over(part, why)
            self.known.names[statement.name] = Own(statement)

    def _forget(self, target: ast.expr) -> None:
        """Accept a definition that we write: the name means the operation again."""
        if isinstance(target, ast.Name):
            self.known.names.pop(target.id, None)

    def _loop(self, statement: ast.For) -> None:
        things = self.known.evaluate(statement.iter)
        if isinstance(things, Unread):
            self.known.pass_over(statement, things.why)
            self._doubt = things.why
            return
        for item in self.known.calls.items(things, statement.iter):
            self.known.nodes.count(statement)
            self.known.targets.bind(statement.target, item, naming=False)
            self._run_all(statement.body)

    def _import(self, statement: ast.Import | ast.ImportFrom) -> None:
        """Bind names of libraries; the content of the user's own files is unknown, except Value."""
        own = "own." if getattr(statement, "level", 0) else ""
        for name, found in imported(statement):
            self.known.names[name] = Imported(f"{own}{found.path}")

    def _bare(self, value: ast.expr) -> None:
        if isinstance(value, ast.Constant):
            return
        self._note(self.known.evaluate(value))

    def _assign(self, targets: list[ast.expr], value: ast.expr) -> None:
        if isinstance(value, ast.GeneratorExp):
            reason = "a generator runs later; only a list, in [ ], can be read here."
            raise self.source.refusal(value, reason)
        self._bind(targets, self.known.evaluate(value))

    def _bind(self, targets: list[ast.expr], thing: Thing) -> None:
        for target in targets:
            self.known.targets.bind(target, thing)
        if not all(isinstance(target, ast.Attribute) for target in targets):
            self._note(thing)

    def _note(self, thing: Thing) -> None:
        """Remember the Value that was made last, or that it is unknown."""
        if isinstance(thing, Ref):
            self.last, self._doubt = thing.node, None
        elif isinstance(thing, Unread) and thing.maybe_value:
            self._doubt = thing.why

    def _augment(self, statement: ast.AugAssign) -> None:
        target = statement.target
        load: ast.expr = ast.Name(target.id) if isinstance(target, ast.Name) else target
        if isinstance(target, ast.Attribute):
            load = ast.Attribute(target.value, target.attr)
        elif isinstance(target, ast.Subscript):
            load = ast.Subscript(target.value, target.slice)
        held = self.known.evaluate(ast.copy_location(load, target))
        by = self.known.evaluate(statement.value)
        self._bind([target], self.known.operators.augmented(statement, held, by))


def _straight(statements: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements, including those under `if __name__ == "__main__":`."""
    found: list[ast.stmt] = []
    for statement in statements:
        match statement:
            case ast.If(test=ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()]), body=body):
                found += body
            case _:
                found.append(statement)
    return found


def _runs_back(statement: ast.stmt) -> bool:
    """Return whether a statement itself, not a function it defines, calls a backward()."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return False
    return any(
        isinstance(part, ast.Attribute) and part.attr == "backward" for part in pieces(statement)
    )
