"""Abstract interpreter for micrograd programs: runs statements on a graph under construction.

Supported are names, operators, the operations as methods and functions, tuples, lists, small loops
and sums. Code without side effects on Values is skipped: output, drawing, assertions, and functions
with unused results. Anything else raises FormatError with line and column. Statements and
expressions are counted against a limit, so that reading terminates soon.

The result of an expression is a `PyObject`: a Ref to a node of the graph, a number, a text, a list,
or an Unknown with the error to raise if it is needed. A visitor of an expression is a generator: it
yields the sub-expressions it needs and is sent their results. An explicit stack of generators
replaces recursion, so that depth has no limit. For `a*b`:

    left = yield part.left    # the loop in `evaluate` visits `a` and sends its result
    right = yield part.right
    return self.calls.apply(sign, left, right, part)

>>> program = "a, b = Value(2.0), Value(3.0); y = a*b + a; y.backward()"
>>> graph = ProgramReader(program).reading().graph
>>> graph.root_name, [graph.title(leaf) for leaf in graph.leaves]
('y', ['a', 'b'])
"""

import ast
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from engine.errors import FormatError
from engine.formats.python.calls import NO_ITEM, Calls
from engine.formats.python.objects import (
    Imported,
    Nodes,
    Nothing,
    OneShot,
    PyObject,
    Ref,
    Unknown,
    UserDefinition,
    first_side_effect,
    imported,
    names_bound_in,
    number_of,
)
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
        for item in self.scope.nodes.items(iterable, statement.iter):
            self.scope.nodes.count(statement)
            self.scope.targets.bind(statement.target, item, naming=False)
            for each in statement.body:
                self._run(each)

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
        self._bind([target], self.scope.calls.augmented(statement, current, operand))


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


_GRAPH_ATTRIBUTES = frozenset({"_prev", "_op", "_backward", "_children"})
"""Attributes of a Value that define the graph's structure."""
_MOST_INNER_LOOPS = 3
"""`for` clauses inside the first of a comprehension; each is one level of Python's recursion."""


class Targets:
    """Assigns to names, items of lists and attributes of Values."""

    def __init__(
        self,
        nodes: Nodes,
        calls: Calls,
        names: dict[str, PyObject],
        evaluate: Callable[[ast.expr], PyObject],
    ) -> None:
        self._nodes = nodes
        self._calls = calls
        self._names = names
        self._evaluate = evaluate

    def bind(self, target: ast.expr, obj: PyObject, naming: bool = True) -> None:
        """Assign an object to a target; with `naming`, nodes are labelled with the name."""
        match target:
            case ast.Name(id=name):
                self._names[name] = self._nodes.named(obj, name) if naming else obj
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                self._unpack(target, targets, obj, naming)
            case ast.Attribute():
                self._set_attribute(target, obj)
            case ast.Subscript(value=sequence, slice=index):
                self._set_item(target, self._evaluate(sequence), self._evaluate(index), obj)
            case _:
                raise self._nodes.refusal(target, "only names can be assigned.")

    def _unpack(
        self, target: ast.expr, targets: list[ast.expr], obj: PyObject, naming: bool
    ) -> None:
        if isinstance(obj, Unknown):
            parts: Sequence[PyObject] = [obj] * len(targets)
        elif isinstance(obj, tuple | list) and len(obj) == len(targets):
            parts = self._nodes.items(obj, target)
        else:
            raise self._nodes.refusal(
                target, "there are not {count} things to unpack.", count=len(targets)
            )
        for each, part in zip(targets, parts, strict=True):
            self.bind(each, part, naming)

    def _set_item(self, target: ast.expr, owner: PyObject, key: PyObject, obj: PyObject) -> None:
        """Evaluate `xs[2] = ...`."""
        index = number_of(key)
        if isinstance(owner, Unknown) and not owner.maybe_value:
            return  # an item of a dict or of a plot's axes
        if not isinstance(owner, list) or not isinstance(index, int):
            raise self._nodes.refusal(target, "only an item of a list can be assigned.")
        if not -len(owner) <= index < len(owner):
            raise self._nodes.python_error(target, NO_ITEM, count=len(owner), index=index)
        owner[index] = obj

    def _set_attribute(self, target: ast.Attribute, obj: PyObject) -> None:
        """Evaluate `v.label = ...`, `v.data = ...` and the like."""
        owner = self._evaluate(target.value)
        if isinstance(owner, Imported) and owner.last == "Value":
            self._define_method(target, obj)
            return
        is_other = isinstance(owner, Unknown) and not owner.maybe_value
        if isinstance(owner, Imported) or is_other:
            return  # a setting of a library, an attribute of a plot
        ref = self._ref(target.value, owner)
        if target.attr == "label":
            self._nodes.set_label(ref, obj, target)
        elif target.attr == "requires_grad":
            self._nodes.set_requires_grad(ref.node, obj, target)
        elif target.attr in ("data", "grad"):
            self._set_number(ref.node, target, obj)
        elif target.attr in _GRAPH_ATTRIBUTES:
            raise self._nodes.refusal(target, ".{name} can't be set.", name=target.attr)

    def _set_number(self, node: int, target: ast.Attribute, obj: PyObject) -> None:
        """Evaluate `v.data = 2` and `v.grad = 0`; None, as in torch, means no gradient yet."""
        if self._nodes.passes.closed:
            return
        if isinstance(obj, Unknown):
            raise obj.error
        number = number_of(obj)
        if target.attr == "grad":
            self._nodes.passes.grad[node] = 0.0 if number is None else float(number)
        elif number is None:
            raise self._nodes.refusal(target, ".data is one plain number.")
        else:
            self._nodes.passes.set_data(node, self._nodes.as_float(number, target), target)

    def _define_method(self, target: ast.Attribute, obj: PyObject) -> None:
        """Accept `Value.tanh = f`; the operation of that name is used instead of f."""
        if not isinstance(obj, UserDefinition):
            raise self._nodes.refusal(target, ".{name} of Value can't be set.", name=target.attr)
        self._calls.has_value_class = True

    def _ref(self, expression: ast.expr, obj: PyObject) -> Ref:
        if isinstance(obj, Unknown):
            raise obj.error
        if not isinstance(obj, Ref):
            raise self._nodes.refusal(expression, "this is no Value.")
        return obj


# expressions whose result is no Value, whatever they contain
_NO_VALUE = (
    ast.Compare, ast.Dict, ast.DictComp, ast.Set, ast.SetComp, ast.JoinedStr, ast.Constant,
)  # fmt: skip
Visit = Generator[ast.expr, PyObject, PyObject]
"""A visit of one expression: yields sub-expressions, is sent their results, returns its own."""


class Refusal(Protocol):
    """Returns the error at a syntax node; `reason` is a template filled with the fields."""

    def __call__(self, part: ast.AST, reason: str, /, **fields: object) -> FormatError: ...


class Expressions:
    """Evaluates the expressions of one program; `names` is its one scope of variables.

    `root` is the node of the last `backward()`.
    """

    def __init__(self, source: Source) -> None:
        self.refusal = source.refusal
        self._row_of = source.row_of
        self.nodes = Nodes(source)
        self.calls = Calls(self.nodes)
        self.names: dict[str, PyObject] = {}
        self.targets = Targets(self.nodes, self.calls, self.names, self.evaluate)
        self.root: int | None = None

    def evaluate(self, expression: ast.expr) -> PyObject:
        """Evaluate an expression with an explicit stack of generators."""
        stack = [self._visit(expression)]
        result: PyObject | None = None  # a generator starts when it is sent None
        while stack:
            try:
                needed = stack[-1].send(result)  # type: ignore[arg-type]
            except StopIteration as done:
                stack.pop()  # the top visit has returned; the one below gets its result
                result = done.value
            else:
                self.nodes.count(needed)
                stack.append(self._visit(needed))
                result = None
        assert result is not None
        return result

    def _visit(self, part: ast.expr) -> Visit:
        return self._visitors.get(type(part), self._unsupported)(part)

    @cached_property
    def _visitors(self) -> dict[type[ast.expr], Callable[[Any], Visit]]:
        """The visitor of each kind of expression."""
        return {
            ast.Constant: self._literal,
            ast.Name: self._name,
            ast.BinOp: self._operator,
            ast.UnaryOp: self._sign,
            ast.Call: self._call,
            ast.Attribute: self._attribute,
            ast.Tuple: self._sequence,
            ast.List: self._sequence,
            ast.Subscript: self._subscript,
            ast.ListComp: self._comprehension,
            ast.GeneratorExp: self._comprehension,
            ast.JoinedStr: self._text,
            ast.Lambda: self._function,
        }

    def _unsupported(self, part: ast.expr) -> Visit:
        """Return an Unknown for an unsupported expression without side effects."""
        error = self.refusal(part, "only names, numbers, operators and calls can be read.")
        self.skip(part, error)
        return Unknown(error, maybe_value=not isinstance(part, _NO_VALUE))
        yield part  # makes this function a generator; never reached, here and below

    def _function(self, part: ast.Lambda) -> Visit:
        return UserDefinition(part)
        yield part

    def skip(self, part: ast.AST, error: FormatError) -> None:
        """Skip code without side effects; raises `error` if it may have some.

        The names it binds become Unknown, and so do iterators that it may consume.
        """
        if first_side_effect(part, self.names) is not None:
            raise error
        for piece in walk(part):
            if isinstance(piece, ast.Name) and isinstance(self.names.get(piece.id), OneShot):
                self.names[piece.id] = Unknown(error)
        self.forget(part, error)

    def forget(self, part: ast.AST, error: FormatError) -> None:
        """Bind the names that some code assigns to Unknown."""
        if not isinstance(part, ast.Lambda | ast.FunctionDef):
            for name in names_bound_in(part):
                self.names[name] = Unknown(error)

    def _literal(self, part: ast.Constant) -> Visit:
        return self.nodes.literal(part.value, part)
        yield part

    def _name(self, part: ast.Name) -> Visit:
        if part.id in self.names:
            return self.names[part.id]
        if self.calls.is_function(part.id):
            return Imported(part.id)
        raise self.nodes.python_error(part, "{name} is not defined.", name=part.id)
        yield part

    def _operator(self, part: ast.BinOp) -> Visit:
        sign = self.calls.op_of(part)
        left = yield part.left
        right = yield part.right
        return self.calls.apply(sign, left, right, part)

    def _sign(self, part: ast.UnaryOp) -> Visit:
        operand = yield part.operand
        if isinstance(part.op, ast.USub):
            return self.nodes.operate("neg", (operand,), part)
        known = isinstance(operand, Ref | Unknown) or number_of(operand) is not None
        if isinstance(part.op, ast.UAdd) and known:
            return operand
        if isinstance(part.op, ast.Not):
            return Unknown(self.refusal(part, "not can't be read."), maybe_value=False)
        raise self.refusal(part, "only a plus or a minus can stand before a Value.")

    def _sequence(self, part: ast.Tuple | ast.List) -> Visit:
        found: list[PyObject] = []
        for element in part.elts:
            found.append((yield element))
        return found if isinstance(part, ast.List) else tuple(found)

    def _attribute(self, part: ast.Attribute) -> Visit:
        owner = yield part.value
        return self.calls.attribute(owner, part)

    def _subscript(self, part: ast.Subscript) -> Visit:
        sequence = yield part.value
        index = yield part.slice
        return self.calls.item(sequence, index, part)

    def _text(self, part: ast.JoinedStr) -> Visit:
        found: list[str] = []
        for piece in part.values:
            if isinstance(piece, ast.FormattedValue):
                if piece.conversion != -1 or piece.format_spec is not None:
                    unknown = yield from self._unsupported(part)
                    return unknown
                found.append(self.calls.formatted((yield piece.value), piece.value))
            else:
                found.append(str(getattr(piece, "value", "")))
        return self.nodes.literal("".join(found), part)

    def _call(self, part: ast.Call) -> Visit:
        called = _last_name(part.func)
        if isinstance(part.func, ast.Attribute) and called in ("backward", "_backward"):
            obj = yield part.func.value
            self._backward(obj, called, part)
            return Nothing()
        if called == "zero_" and isinstance(part.func, ast.Attribute):
            self.targets.bind(part.func.value, 0)  # w.grad.zero_(), as in torch
            return Nothing()
        defined = self.names.get(part.func.id) if isinstance(part.func, ast.Name) else None
        if self.calls.is_skipped(part.func):
            self._skip_call(defined, part)
            return Nothing()
        if isinstance(defined, UserDefinition):
            return self._call_user_function(defined, part)
        if called == "where":
            chosen = yield from _where(self.nodes, self.refusal, part)
            return chosen
        function = yield part.func
        arguments: list[PyObject] = []
        for argument in part.args:
            arguments.append((yield argument))
        keywords = yield from _keywords(self.refusal, part)
        return self.calls.call(function, tuple(arguments), keywords, part)

    def _backward(self, obj: PyObject, called: str, part: ast.Call) -> None:
        """Evaluate v.backward(), which makes v the root, or v._backward() of a single node."""
        if isinstance(obj, Unknown):
            raise obj.error
        if isinstance(obj, Ref) and called == "backward":
            self.root = obj.node
            self.nodes.count(part, self.nodes.passes.backward(obj.node))
        elif isinstance(obj, Ref):
            self.nodes.passes.push(obj.node)

    def _skip_call(self, defined: PyObject | None, part: ast.Call) -> None:
        """Skip a call that only displays or clears gradients, if its arguments have no effects."""
        error = self.refusal(part, "what this call changes can't be read.")
        if isinstance(defined, UserDefinition):
            self.skip(defined.node, error)
        for argument in (*part.args, *(keyword.value for keyword in part.keywords)):
            self.skip(argument, error)

    def _call_user_function(self, definition: UserDefinition, part: ast.Call) -> PyObject:
        """Return an Unknown for a call of the program's own function; raises for side effects."""
        reason = "{name} is a function of the program's own ({defined}), and is not run."
        if isinstance(definition.node, ast.ClassDef):
            reason = "{name} is a class of the program's own ({defined}), and is not run."
        row = self._row_of(definition.node)
        error = self.refusal(part, reason, name=_last_name(part.func), defined=row)
        self.skip(part, error)
        return Unknown(error, maybe_value=_returns(definition.node))

    def _comprehension(self, part: ast.ListComp | ast.GeneratorExp) -> Visit:
        outer_names = dict(self.names)  # a comprehension has a scope of its own
        found: list[PyObject] = []
        yield from self._run_loops(part.generators, part.elt, found)
        self.names.clear()
        self.names.update(outer_names)
        return found if isinstance(part, ast.ListComp) else OneShot(found)

    def _run_loops(
        self, loops: list[ast.comprehension], element: ast.expr, found: list[PyObject]
    ) -> Generator[ast.expr, PyObject, None]:
        """Add an element for each item of nested `for` clauses, outermost first."""
        if not loops:
            found.append((yield element))
            return
        loop, *inner = loops
        if loop.ifs or loop.is_async or len(inner) > _MOST_INNER_LOOPS:
            raise self.refusal(loop.target, "only plain loops can be read here.")
        items = yield loop.iter
        for item in self.nodes.items(items, loop.iter):
            self.targets.bind(loop.target, item, naming=False)
            yield from self._run_loops(inner, element, found)


def _last_name(function: ast.expr) -> str:
    """Return the name after the last dot of a called expression, or ""."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _returns(function: ast.AST) -> bool:
    """Return whether a function can return something other than None."""
    return isinstance(function, ast.Lambda) or any(
        isinstance(part, ast.Return) and part.value is not None for part in walk(function)
    )


def _keywords(
    refusal: Refusal, part: ast.Call
) -> Generator[ast.expr, PyObject, dict[str, PyObject]]:
    """Evaluate keyword arguments; `dtype` and `device`, which change no gradient, are dropped."""
    found: dict[str, PyObject] = {}
    for keyword in part.keywords:
        if keyword.arg is None:
            raise refusal(keyword.value, "** can't be read here.")
        if keyword.arg not in ("dtype", "device"):
            found[keyword.arg] = yield keyword.value
    return found


def _where(nodes: Nodes, refusal: Refusal, part: ast.Call) -> Visit:
    """Evaluate torch.where(c > 0, x, y), which is where_gt0(c, x, y)."""
    yield part.func
    match part.args:
        case [ast.Compare(left=c, ops=[ast.Gt()], comparators=[ast.Constant(value=0)]), x, y]:
            operands = ((yield c), (yield x), (yield y))
            return nodes.operate("where_gt0", operands, part)
        case _:
            raise refusal(part, "of where, only where(c > 0, x, y) can be read.")
