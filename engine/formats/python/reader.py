"""Abstract interpreter for micrograd programs: runs statements on a graph under construction.

Supported are names, operators, the operations as methods and functions, tuples, lists, small loops
and sums. Code without side effects on Values is skipped: output, drawing, assertions, and functions
with unused results. Anything else raises FormatError with line and column. Statements and
expressions are counted against a limit, so that reading terminates soon.

>>> program = "a, b = Value(2.0), Value(3.0); y = a*b + a; y.backward()"
>>> graph = ProgramReader(program).reading().graph
>>> graph.root_name, [graph.title(leaf) for leaf in graph.leaves]
('y', ['a', 'b'])
"""

import ast
from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct

from engine.errors import FormatError
from engine.formats.python.expressions import Expressions
from engine.formats.python.objects import Imported, PyObject, Ref, Unknown, UserDefinition
from engine.formats.python.side_effects import first_side_effect, imported
from engine.formats.python.source import Source, walk
from engine.formats.python.writer import is_written_definition
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root
from engine.names import with_parsed_names

VALUE_REPLACED = "The program's own class Value is not run; Backwire's stands in for it."

# statements that are skipped without side effects, and the refusal of one with some
_REFUSED_IF_EFFECTFUL: dict[type[ast.stmt], str] = {
    ast.FunctionDef: "a function with a decorator can't be read.",
    ast.ClassDef: "a class with a decorator can't be read.",
    ast.Assert: "a check that changes something can't be read.",
    ast.While: "a while loop that changes something can't be read.",
    ast.If: "an if statement that changes something can't be read.",
    ast.With: "a with statement that changes something can't be read.",
    ast.Try: "a try statement that changes something can't be read.",
}


class Reading(Struct, frozen=True):
    """The graph of a program, and a remark for the user, such as a substituted class."""

    graph: Graph
    remark: str = ""


class ProgramReader:
    """Interprets the statements of one program."""

    def __init__(self, text: str | Mapping[int, str]) -> None:
        """`text` is a program, or the code of a notebook's cells by number."""
        self.source = Source(text)
        self.scope = Expressions(self.source)
        self.last_value: int | None = None
        self._unknown_last: FormatError | None = None  # set if the last Value made may be Unknown

    def reading(self) -> Reading:
        """Return the graph; its root is the last Value that ran backward, or was made."""
        statements = _top_level(self.source.statements())
        last_pass = max(
            (k for k, each in enumerate(statements) if _calls_backward(each)), default=None
        )
        for k, statement in enumerate(statements):
            if last_pass is None or k <= last_pass:
                self._run(statement)
            else:  # an optimizer's step after the gradients must not change `.data`
                self.scope.nodes.passes.closed = True
                self._run_after_pass(statement)
        root = self.last_value if self.scope.root is None else self.scope.root
        if self.scope.root is None and self._unknown_last is not None:
            raise self._unknown_last
        if root is None:
            raise self._nothing_made()
        self._check_consistent(root)
        remark = VALUE_REPLACED if self.scope.calls.has_value_class else ""
        return Reading(self._graph(root), remark)

    def _graph(self, root: int) -> Graph:
        """Return the root's ancestors with new ids, and the leaves' `.data` of the last pass."""
        made, passes = self.scope.nodes.made, self.scope.nodes.passes
        data = passes.numbers_of(root)
        new_ids = {node: k for k, node in enumerate(sorted(data), start=1)}
        nodes: dict[int, Node] = {}
        for node, new in new_ids.items():
            found = made[node]
            if isinstance(found, OpNode):
                inputs = tuple(new_ids[source] for source in found.inputs if source is not None)
                found = msgspec.structs.replace(found, inputs=inputs)
            elif isinstance(found, Leaf | Constant):
                found = msgspec.structs.replace(found, value=data[node])
            nodes[new] = found
        marker = len(nodes) + 1
        nodes = with_parsed_names({**nodes, marker: Root(new_ids[root])})
        return Graph(nodes, marker, max(nodes) + 1)

    def _nothing_made(self) -> FormatError:
        for obj in self.scope.names.values():
            if isinstance(obj, UserDefinition):
                reason = "no Value is made outside the functions and classes of its own."
                return self.source.refusal(obj.node, reason)
        return FormatError(
            "The {what} makes no Value, so there is no graph.", what=self.source.what
        )

    def _check_consistent(self, root: int) -> None:
        """Raise FormatError if `.data` was changed after the root's value was computed from it."""
        passes = self.scope.nodes.passes
        if passes.changed is not None and not passes.is_consistent(root):
            reason = "this changes a number after others were computed from it."
            raise self.source.refusal(passes.changed, reason)

    def _run_after_pass(self, statement: ast.stmt) -> None:
        """Run a statement after the last backward pass; one that can't be read is skipped."""
        made = len(self.scope.nodes.made)
        try:
            self._run(statement)
        except FormatError as error:
            self._check_user_functions(statement, error)
            self.scope.forget(statement, error)
        if len(self.scope.nodes.made) > made:
            self.last_value = None  # the last pass does not reach it

    def _check_user_functions(self, statement: ast.stmt, error: FormatError) -> None:
        """Raise `error` if the statement calls a user function with side effects."""
        for part in walk(statement):
            called = self.scope.names.get(part.id) if isinstance(part, ast.Name) else None
            if (
                isinstance(called, UserDefinition)
                and first_side_effect(part, self.scope.names) is not None
            ):
                raise error

    def _run_all(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            self._run(statement)

    def _run(self, statement: ast.stmt) -> None:
        self.scope.nodes.count(statement)
        match statement:
            case ast.Import() | ast.ImportFrom():
                self._import(statement)
            case ast.Expr(value=value):
                self._expression_statement(value)
            case ast.FunctionDef(decorator_list=[]) | ast.ClassDef(decorator_list=[]):
                self._define(statement)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                self._run_assignment(statement)
            case ast.For(orelse=[]):
                self._loop(statement)
            case _:
                self._skip_or_refuse(statement)

    def _run_assignment(self, statement: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
        if isinstance(statement, ast.AugAssign):
            self._augment(statement)
        elif isinstance(statement, ast.AnnAssign):
            if statement.value is not None:
                self._assign([statement.target], statement.value)
        elif is_written_definition(statement) and not isinstance(
            self.scope.names.get("operation"), UserDefinition
        ):
            self._unbind(statement.targets[0])
        else:
            self._assign(statement.targets, statement.value)

    def _skip_or_refuse(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Pass):
            return
        if isinstance(statement, ast.Delete):
            self._delete(statement)
            return
        reason = _REFUSED_IF_EFFECTFUL.get(type(statement), "this statement can't be read.")
        error = self.source.refusal(statement, reason)
        if type(statement) not in _REFUSED_IF_EFFECTFUL:
            raise error
        self.scope.skip(statement, error)
        if not isinstance(statement, ast.Assert):  # it may have made the Value that is the root
            self._unknown_last = error

    def _delete(self, statement: ast.Delete) -> None:
        for target in statement.targets:
            if not isinstance(target, ast.Name):
                raise self.source.refusal(target, "only a name can be deleted.")
            self.scope.names.pop(target.id, None)

    def _define(self, statement: ast.FunctionDef | ast.ClassDef) -> None:
        """Bind a function or class; Backwire's Value is substituted for a class Value."""
        if is_written_definition(statement):
            self.scope.names.pop("operation", None)
        elif isinstance(statement, ast.FunctionDef):
            self.scope.names[statement.name] = UserDefinition(statement)
        elif statement.name == "Value":
            self.scope.calls.use_value_class(statement)
            self.scope.names["Value"] = Imported("Value")
        else:
            error = self.source.refusal(statement, "what this class does can't be read.")
            for part in statement.body:
                if not isinstance(part, ast.FunctionDef):  # a method runs only when called
                    self.scope.skip(part, error)
            self.scope.names[statement.name] = UserDefinition(statement)

    def _unbind(self, target: ast.expr) -> None:
        """Unbind a name that `writer` defines, so that it means the operation again."""
        if isinstance(target, ast.Name):
            self.scope.names.pop(target.id, None)

    def _loop(self, statement: ast.For) -> None:
        iterable = self.scope.evaluate(statement.iter)
        if isinstance(iterable, Unknown):
            self.scope.skip(statement, iterable.error)
            self._unknown_last = iterable.error
            return
        for item in self.scope.calls.items(iterable, statement.iter):
            self.scope.nodes.count(statement)
            self.scope.targets.bind(statement.target, item, naming=False)
            self._run_all(statement.body)

    def _import(self, statement: ast.Import | ast.ImportFrom) -> None:
        """Bind imported names; of relative imports only Value is known."""
        prefix = "own." if getattr(statement, "level", 0) else ""  # from .engine import Value
        for name, found in imported(statement):
            self.scope.names[name] = Imported(f"{prefix}{found.path}")

    def _expression_statement(self, value: ast.expr) -> None:
        if isinstance(value, ast.Constant):
            return
        self._record_value(self.scope.evaluate(value))

    def _assign(self, targets: list[ast.expr], value: ast.expr) -> None:
        if isinstance(value, ast.GeneratorExp):
            reason = "a generator runs later; only a list, in [ ], can be read here."
            raise self.source.refusal(value, reason)
        self._bind(targets, self.scope.evaluate(value))

    def _bind(self, targets: list[ast.expr], obj: PyObject) -> None:
        for target in targets:
            self.scope.targets.bind(target, obj)
        if not all(isinstance(target, ast.Attribute) for target in targets):
            self._record_value(obj)

    def _record_value(self, obj: PyObject) -> None:
        """Record the last Value made, or that it is Unknown."""
        if isinstance(obj, Ref):
            self.last_value, self._unknown_last = obj.node, None
        elif isinstance(obj, Unknown) and obj.maybe_value:
            self._unknown_last = obj.error

    def _augment(self, statement: ast.AugAssign) -> None:
        """Run `x += y`: read the target, apply the operator, and assign the result."""
        target = statement.target
        # the target is a syntax node to be assigned; a copy of it, with the same line, is read
        load: ast.expr = ast.Name(target.id) if isinstance(target, ast.Name) else target
        if isinstance(target, ast.Attribute):
            load = ast.Attribute(target.value, target.attr)
        elif isinstance(target, ast.Subscript):
            load = ast.Subscript(target.value, target.slice)
        current = self.scope.evaluate(ast.copy_location(load, target))
        operand = self.scope.evaluate(statement.value)
        self._bind([target], self.scope.operators.augmented(statement, current, operand))


def _top_level(statements: list[ast.stmt]) -> list[ast.stmt]:
    """Inline the body of `if __name__ == "__main__":`."""
    found: list[ast.stmt] = []
    for statement in statements:
        match statement:
            case ast.If(test=ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()]), body=body):
                found += body
            case _:
                found.append(statement)
    return found


def _calls_backward(statement: ast.stmt) -> bool:
    """Return whether a statement refers to `.backward` outside of a definition."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return False
    return any(
        isinstance(part, ast.Attribute) and part.attr == "backward" for part in walk(statement)
    )
