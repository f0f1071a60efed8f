"""Expressions: a formula, or assignments with the root last, read without running anything.

    c = a + b; d = a*b; y = c*d

Names that are not assigned are leaves, `a = 2` gives a leaf its value, numbers inside formulas
are constants, one per occurrence, and a name used twice is one node. `x.tanh()` is tanh(x).
Python's parser makes the syntax tree, in which only names, numbers, operators and the functions of
the operations are accepted.

Written are the ancestors of the root in topological order. An op node that is labelled or used more
than once is assigned; any other is inlined in the formula of its user, up to LINE_LIMIT and
DEPTH_LIMIT. An empty slot is written `?`, which cannot be read back.
"""

import ast
import math
import re
import warnings
from collections.abc import Collection, Mapping

import msgspec
from msgspec import Struct

from engine.errors import EditError, FormatError
from engine.formats.format import Format
from engine.formats.notation import (
    NO_FILE,
    TOO_DEEP,
    Written,
    blanked,
    looks_like_a_program,
    quoted,
    refused,
    translated,
)
from engine.graph import LABEL_LIMIT, RESERVED, Constant, Graph, Leaf, Node, OpNode, Root, as_number
from engine.names import numbered_label, with_parsed_names
from engine.numbers import COMMA, plural
from engine.ops import BY_NAME, search
from engine.problems import check_formulas

LEAVES_NAMED = 12
"""Maximum number of leaves that an error lists."""


def read(
    text: str, values: Mapping[str, float] | None = None, names: Collection[str] = ()
) -> Graph:
    """Parse an expression into a graph with a Root on its last line.

    `values` sets leaves by name; `names` are further names of nodes, see `as_written`. Raises
    FormatError with line and column.
    """
    typed = read_typed(text, {*names, *(values or ())})
    nodes = with_parsed_names(typed.nodes)
    return _valued(Graph(nodes, typed.active_root, max(nodes) + 1), values or {})


def read_typed(text: str, names: Collection[str] = ()) -> Graph:
    """Parse an expression whose every name becomes a label, which may not be unique on a sheet."""
    return ExpressionReader(as_written(text, names)).graph()


def as_written(text: str, names: Collection[str] = ()) -> Written:
    """Return a formula in any notation, or the straight lines of a program, as an expression.

    `names` are those of nodes, see `translated`. Raises FormatError.
    """
    if not looks_like_a_program(text):
        return translated(text, names)
    if len(text) > PROGRAM_LIMIT:
        raise FormatError("The program is longer than {limit:,} characters.", limit=PROGRAM_LIMIT)
    from engine.formats.python.straight import straight  # here, as few texts are programs

    found = straight(text)
    expression = write(found.graph())
    return Written(expression, expression, {}, found.remark)


def assigned_names(text: str) -> frozenset[str]:
    """Return the names to which a text assigns a value or formula; none if it can't be read."""
    try:
        reader = ExpressionReader(as_written(text))
        reader.graph()
    except FormatError:
        return frozenset()
    return frozenset(reader.assigned)


def names_in_formulas(graph: Graph) -> frozenset[str]:
    """Return the labels that name a leaf or an operation in a formula for this sheet."""
    return frozenset(
        found.label for found in graph.nodes.values() if isinstance(found, Leaf | OpNode)
    )


def write(graph: Graph, values: bool = True) -> str:
    """Return the assignments that give this graph's active root; with `values`, its leaves' too.

    An unlabelled op node that is used once is written inside the formula of its user.
    """
    return "; ".join(_lines(graph, values))


def unknown_leaf(graph: Graph, name: str, most: int = LEAVES_NAMED) -> FormatError:
    """Return the error for an unknown leaf; it lists up to `most` of the leaves."""
    leaves = [graph.names[leaf] for leaf in graph.leaves]
    known, more = ", ".join(leaves[:most]), len(leaves) - most
    if more > 0:
        template = "No leaf is called {name}; the leaves are {known} and {more} more."
        return FormatError(template, name=name, known=known, more=more)
    if leaves:
        return FormatError(
            "No leaf is called {name}; the leaves are {known}.", name=name, known=known
        )
    return FormatError("No leaf is called {name}; there is no leaf.", name=name)


def _write(graph: Graph) -> str:
    check_formulas(graph, graph.nodes, "An expression can't hold it.")
    return "\n".join(_lines(graph)) + "\n"


def _lines(graph: Graph, values: bool = True) -> list[str]:
    if graph.root is None:
        raise FormatError("Choose a root first: an expression ends with it.")
    return _assignments(graph, graph.root, values)


FORMAT = Format("expression", "Expression", (".txt",), read, _write)


def _valued(graph: Graph, values: Mapping[str, float]) -> Graph:
    wanted: dict[int, float] = {}
    for name, value in values.items():
        node = graph.node_named(name)
        if node is None or not isinstance(graph.nodes[node], Leaf):
            raise unknown_leaf(graph, name)
        try:
            wanted[node] = as_number(value)
        except EditError as error:
            raise FormatError("{name}: {reason}", name=name, reason=error) from None
    return graph.with_values(wanted) if wanted else graph


PROGRAM_LIMIT = 20_000
"""Maximum number of characters of a program in place of an expression."""
NODE_LIMIT = 2000
"""Maximum number of nodes of an expression."""
_ITSELF = "{name} is used in its own formula."
_PI = "π"
"""The label of the constant."""
_LONGEST_PRODUCT = 3
"""Maximum length of a name that may have been meant as a product."""

_INFIX: dict[type, str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Pow: "pow",
}
_BEGINNING = re.compile(r"(^|;)([ ;]*)")
"""Where a statement begins: the spaces and empty statements before it."""


class _Scope(Struct, frozen=True):
    """The nodes of the names in the body of a function, and the functions being called."""

    named: Mapping[str, int] = {}
    calls: frozenset[str] = frozenset()


class ExpressionReader:
    """Translates a syntax tree into nodes.

    `named` is the symbol table, the node of each name; `assigned` are the names on the left of an
    `=`, and arguments that are numbers; all others are leaves that a formula has used. Calls of
    `functions`, which are lines `f = lambda x: ...`, become the nodes of their bodies.
    """

    def __init__(self, written: Written) -> None:
        self.written = written
        self.text = written.text
        self.nodes: dict[int, Node] = {}
        self.named: dict[str, int] = {}
        self.assigned: set[str] = set()
        self.functions: dict[str, ast.Lambda] = {}
        self.arguments: dict[tuple[str, float], str] = {}
        """The labels of the leaves of arguments that are numbers, by parameter."""
        self.free_names: set[str] = set()
        """All names in the text except parameters in the bodies of their functions."""
        self._calls = 0

    def graph(self) -> Graph:
        """Return the graph of the text, with a Root on its last line; raises FormatError.

        Every name in the text is a label.
        """
        statements = self._statements()
        self.free_names = {name for statement in statements for name in _free_names(statement)}
        last: int | None = None
        for k, statement in enumerate(statements):
            final = k == len(statements) - 1
            last = self._statement(statement, final)
        assert last is not None
        marker = self._add(Root(last))
        return Graph(self.nodes, marker, marker + 1)

    def _statements(self) -> list[ast.stmt]:
        self._check_characters()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about code that is refused anyway
                body = ast.parse(_prepared(self.text), NO_FILE).body
        except SyntaxError as error:
            raise self._syntax(error) from None
        except (RecursionError, MemoryError):
            raise FormatError(TOO_DEEP) from None
        if not body:
            raise FormatError("The expression is empty.")
        return body

    def _check_characters(self) -> None:
        for k, character in enumerate(self.text):
            if not (character.isprintable() or character in "\n\t\r"):
                raise self._refuse_at(k, "this character can't stand in an expression.")

    def _syntax(self, error: SyntaxError) -> FormatError:
        lines = self.text.split("\n")
        row = min(max(error.lineno or 1, 1), len(lines))
        column = max((error.offset or 1) - 1, 0)
        start = min(sum(len(line) + 1 for line in lines[: row - 1]) + column, len(self.text))
        is_at_end = not self.text[start:].strip()
        reason = "something is missing here." if is_at_end else "this can't be read as a formula."
        if "was never closed" in (error.msg or ""):
            reason = "this bracket is never closed."
        if "too many nested" in (error.msg or ""):
            reason = "brackets are nested too deeply."
        return self._refuse_at(start, reason)

    def _statement(self, statement: ast.stmt, final: bool) -> int:
        if isinstance(statement, ast.Expr):
            if not final:
                raise self._refuse(statement, "only the last formula may stand without a name.")
            match statement.value:
                case ast.Call(func=ast.Name(id=name)) if name in self.functions:
                    return self._assigned(statement.value, name)
                case formula:
                    return self._formula(formula)
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            raise self._refuse(statement, "write a formula, or name = formula.")
        name, value = self._target(statement.targets[0]), statement.value
        if isinstance(value, ast.Lambda):
            self.functions[name] = value
            self.assigned.add(name)
            value = value.body
            if not final:
                return 0
        node = self._assigned(value, name)
        self.assigned.add(name)
        self.named[name] = node
        return node

    def _target(self, target: ast.expr) -> str:
        """Return the name that a line assigns."""
        if not isinstance(target, ast.Name):
            raise self._refuse(target, "only a name can be assigned.")
        name = self._name(target)
        if name in self.assigned:
            raise self._refuse(target, "{name} is assigned twice.", name=name)
        if name in self.named:
            raise self._refuse(target, "{name} is assigned after it was used as a leaf.", name=name)
        return name

    def _assigned(self, value: ast.expr, name: str) -> int:
        value = _without_plus(value)
        number = self._literal(value)
        if number is not None:
            return self._add(Leaf(number, name))
        node = self._formula(value, name)
        found = self.nodes[node]
        if isinstance(value, ast.Name):
            reason, product = "{name} would be a second name for {other}.", "*".join(value.id)
            if 1 < len(value.id) <= _LONGEST_PRODUCT and value.id not in self.assigned:
                reason = "{name} would be a second name for {other}; for a product write {product}."
            raise self._refuse(value, reason, name=name, other=value.id, product=product)
        self.nodes[node] = msgspec.structs.replace(found, label=name)
        return node

    def _formula(self, expression: ast.expr, assigning: str = "") -> int:
        """Add the nodes of a formula in post-order; the explicit stack allows any depth.

        `assigning` is the name that gets the formula, which may not use it.
        """
        results: list[int] = []
        # True: its operands are done
        todo: list[tuple[ast.expr, bool, _Scope]] = [(expression, False, _Scope())]
        while todo:
            part, operands_done, scope = todo.pop()
            part = _without_plus(part)
            op, operands = self._parts(part)
            if op is None:
                results.append(self._atom(part, assigning, scope))
            elif operands_done:
                inputs = tuple(results[len(results) - len(operands) :])
                del results[len(results) - len(operands) :]
                if op in self.functions:
                    todo.append(self._body(op, part, inputs, scope))
                else:
                    results.append(self._add(OpNode(op, inputs)))
            else:
                if op in self.functions:
                    operands = self._arguments(op, operands)
                todo.append((part, True, scope))
                todo.extend((operand, False, scope) for operand in reversed(operands))
        return results[0]

    def _body(
        self, name: str, call: ast.expr, inputs: tuple[int, ...], scope: _Scope
    ) -> tuple[ast.expr, bool, _Scope]:
        """Return the body of a function to add for these arguments."""
        self._calls += 1
        if name in scope.calls:
            raise self._refuse(call, _ITSELF, name=name)
        if self._calls > NODE_LIMIT:
            raise FormatError(TOO_DEEP)
        function = self.functions[name]
        named = dict(zip((arg.arg for arg in function.args.args), inputs, strict=True))
        return function.body, False, _Scope(named, scope.calls | {name})

    def _arguments(self, name: str, operands: list[ast.expr]) -> list[ast.expr]:
        """Return the arguments of a function; a number is a leaf, called as its parameter if free.

        The leaf is found by its label after a space, which no other name begins with.
        """
        result: list[ast.expr] = []
        for arg, operand in zip(self.functions[name].args.args, operands, strict=True):
            number = self._literal(operand)
            if number is None:
                result.append(operand)
                continue
            label = self.arguments.get((arg.arg, number))
            if label is None:
                taken = self.assigned | self.free_names
                label = numbered_label(arg.arg, taken) if arg.arg in taken else arg.arg
                self.arguments[arg.arg, number] = label
                self.named[f" {label}"] = self._add(Leaf(number, label))
                self.assigned.add(label)
            result.append(ast.copy_location(ast.Name(f" {label}"), operand))
        return result

    def _parts(self, part: ast.expr) -> tuple[str | None, list[ast.expr]]:
        """Return the operation and its operands, or None for a name or a number."""
        if self._literal(part) is not None or isinstance(part, ast.Name):
            return None, []
        if isinstance(part, ast.BinOp):
            if type(part.op) not in _INFIX:
                raise self._refuse(part, "only + - * / and ** can stand between two terms.")
            if isinstance(part.op, ast.Pow) and self._is_euler(part.left):
                return "exp", [part.right]
            return _INFIX[type(part.op)], [part.left, part.right]
        if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub):
            return "neg", [part.operand]
        if isinstance(part, ast.Call):
            return self._call(part)
        if isinstance(part, ast.Tuple):
            raise self._comma(part, "a comma separates the arguments of a function.")
        raise self._refuse(part, "only names, numbers, operators and functions can stand here.")

    def _is_euler(self, part: ast.expr) -> bool:
        return isinstance(part, ast.Name) and part.id == "e" and "e" in self.written.constants

    def _comma(self, part: ast.expr, reason: str, **fields: object) -> FormatError:
        """Return the error about a comma, or if it is in a number, about that."""
        start, end = self._span(part)
        found = COMMA.search(self.text, start, end)
        if found is None:
            return self._refuse(part, reason, **fields)
        reason = "a comma separates arguments; write the decimal point: {number}."
        number = found[0].replace(",", ".")
        return self._refuse_at(found.start(), reason, len(found[0]), number=number)

    def _call(self, call: ast.Call) -> tuple[str, list[ast.expr]]:
        if isinstance(call.func, ast.Attribute):
            return self._method(call, call.func)
        if not isinstance(call.func, ast.Name):
            raise self._refuse(call, "call a function by its name; write tanh(x).")
        name = call.func.id
        slots = self._slots(call.func, name)
        if call.keywords or any(isinstance(a, ast.Starred) for a in call.args):
            raise self._refuse(call, "{name} takes plain arguments.", name=name)
        if len(call.args) != slots:
            one = "{name} takes one argument, not {given}."
            many = "{name} takes {count} arguments, not {given}."
            reason = plural(slots, one, many)
            raise self._comma(call, reason, name=name, count=slots, given=len(call.args))
        return name, list(call.args)

    def _method(self, call: ast.Call, method: ast.Attribute) -> tuple[str, list[ast.expr]]:
        """Translate a method call such as `x.tanh()`; refuses any other dot with a suggestion."""
        name, receiver = method.attr, method.value
        slots = self._slots(method, name)
        operands = [receiver, *call.args]
        plain = not call.keywords and not any(isinstance(a, ast.Starred) for a in call.args)
        # x.tanh() and x.pow(2) as in micrograd; else the call is written anew in the suggestion
        if plain and len(operands) == slots and (slots == 1 or name == "pow"):
            return name, operands
        if len(call.args) == slots and isinstance(receiver, ast.Name):  # math.exp(a)
            operands = list(call.args)
        meant = operands if plain and len(operands) == slots else []
        written = [quoted(self.text[slice(*self._span(part))]) for part in meant]
        arguments = ", ".join(written or "xyz"[:slots])
        raise self._refuse(call, "write {name}({arguments}).", name=name, arguments=arguments)

    def _slots(self, part: ast.expr, name: str) -> int:
        """Return the arity of a function."""
        if name in self.functions:
            return len(self.functions[name].args.args)
        if name not in BY_NAME:
            if len(name) > 1 and (found := search(name)):
                reason = "there is no function called {name}; did you mean {meant}?"
                raise self._refuse(part, reason, name=name, meant=found[0].name)
            is_product = isinstance(part, ast.Name) and len(name) == 1
            reason = "there is no function called {name}; for a product write {name}*(...)."
            raise self._refuse(
                part, reason if is_product else "there is no function called {name}.", name=name
            )
        return len(BY_NAME[name].slots)

    def _atom(self, part: ast.expr, assigning: str, scope: _Scope) -> int:
        number = self._literal(part)
        if number is not None:
            is_pi = isinstance(part, ast.Name) and part.id == "pi"
            return self._add(Constant(number, _PI if is_pi else ""))
        assert isinstance(part, ast.Name)
        name = self._name(part)
        if name in scope.named:
            return scope.named[name]
        if name in self.functions and name != assigning:
            raise self._refuse(part, "{name} is a function; write {name}(x).", name=name)
        if name == assigning:
            raise self._refuse(part, _ITSELF, name=name)
        if name not in self.named:
            self.named[name] = self._add(Leaf(1.0, name))
        return self.named[name]

    def _name(self, part: ast.Name) -> str:
        if part.id in RESERVED:
            raise self._refuse(part, "{name} is the name of a function or a number.", name=part.id)
        if not part.id.isascii():
            raise self._refuse(part, "names are made of the letters a to z, digits and _.")
        if len(part.id) > LABEL_LIMIT:
            raise self._refuse(
                part, "this name is longer than {limit} characters.", limit=LABEL_LIMIT
            )
        return part.id

    def _literal(self, part: ast.expr) -> float | None:
        """Return the value of a number with an optional sign, or None."""
        sign = 1.0
        if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub | ast.UAdd):
            sign, part = -1.0 if isinstance(part.op, ast.USub) else 1.0, part.operand
        if isinstance(part, ast.Name) and part.id in ("inf", "nan"):
            return sign * (math.inf if part.id == "inf" else math.nan)
        if isinstance(part, ast.Name) and part.id in self.written.constants:
            return sign * self.written.constants[part.id]
        if not isinstance(part, ast.Constant):
            return None
        value = part.value
        if type(value) is int or type(value) is float:
            try:
                number = float(value)
            except OverflowError:
                number = math.inf
            if math.isinf(number):
                raise self._refuse(part, "this number is too large.")
            return sign * number
        raise self._refuse(part, "only real numbers can stand here.")

    def _add(self, node: Node) -> int:
        if len(self.nodes) >= NODE_LIMIT:
            raise FormatError("The expression makes more than {limit:,} nodes.", limit=NODE_LIMIT)
        number = len(self.nodes) + 1
        self.nodes[number] = node
        return number

    def _refuse(self, part: ast.expr | ast.stmt, reason: str, **fields: object) -> FormatError:
        start, end = self._span(part)
        line_end = f"{self.text}\n".index("\n", start)
        return self._refuse_at(start, reason, max(1, min(end, line_end) - start), **fields)

    def _span(self, part: ast.expr | ast.stmt) -> tuple[int, int]:
        """Return start and end of a syntax node as character offsets."""
        end = self._offset(part.end_lineno or part.lineno, part.end_col_offset or 0)
        return self._offset(part.lineno, part.col_offset), end

    def _offset(self, row: int, column: int) -> int:
        """Convert a row (from 1) and a column (UTF-8 bytes, from 0) to a character offset."""
        lines = self.text.split("\n")
        before = sum(len(line) + 1 for line in lines[: row - 1])
        return before + len(lines[row - 1].encode()[:column].decode(errors="ignore"))

    def _refuse_at(self, start: int, reason: str, length: int = 1, **fields: object) -> FormatError:
        written = self.written
        start, end = written.place(start), written.place(start + length)
        return refused(written.source, start, end, reason, **fields)


def _free_names(statement: ast.stmt) -> set[str]:
    """Return the names in a statement except the parameters of its function."""
    value = statement.value if isinstance(statement, ast.Assign) else None
    bound = {arg.arg for arg in value.args.args} if isinstance(value, ast.Lambda) else set[str]()
    return {part.id for part in ast.walk(statement) if isinstance(part, ast.Name)} - bound


def _without_plus(part: ast.expr) -> ast.expr:
    """Strip unary plus signs."""
    while isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.UAdd):
        part = part.operand
    return part


def _prepared(text: str) -> str:
    """Remove empty statements and indents without moving any character to another column."""
    return "\n".join(map(_without_indent, re.sub(r"[\r\t]", " ", text).split("\n")))


def _without_indent(line: str) -> str:
    spaced = _BEGINNING.sub(lambda found: found[1] + " " * len(found[2]), line)
    return blanked(spaced, len(spaced) - len(spaced.lstrip(" ")))


LINE_LIMIT = 200
DEPTH_LIMIT = 20
"""Length of a formula, and nesting depth, above which an op node gets a line of its own."""

_LONG_NUMBER = 1e15
"""Threshold from which whole numbers are written as Python's repr of a float."""
# binding strength of each operator; -a binds tighter than a*b, and looser than a**b
_NEG_STRENGTH = 3
_BINDING_STRENGTH = {"add": 1, "sub": 1, "mul": 2, "div": 2, "neg": _NEG_STRENGTH, "pow": 4}
_ATOM = 9
"""Binding strength of a name, a number or a call: above that of any operator."""


class _Term(Struct, frozen=True):
    """A subexpression: its text, its precedence and its nesting depth."""

    text: str
    strength: int = _ATOM
    depth: int = 0

    def bracketed_within(self, strength: int) -> str:
        """Return the text as an operand, in brackets unless it binds tighter than `strength`."""
        return self.text if self.strength > strength else f"({self.text})"


def _assignments(graph: Graph, root: int, values: bool) -> list[str]:
    """Return the assignments up to the root's; with `values`, those of leaves too."""
    order = graph.plan(root).order
    uses = dict.fromkeys(order, 0)
    for node in order:
        for source in graph.inputs(node):
            if source is not None:
                uses[source] += 1
    found: list[str] = []
    terms: dict[int, _Term] = {}
    for node in order:
        name = graph.names[node]
        term = _term(graph, node, terms)
        is_assigned = isinstance(graph.nodes[node], Leaf) or _has_own_line(
            graph, node, term, uses[node]
        )
        terms[node] = _Term(name) if is_assigned else term
        if is_assigned and (values or term.text != name or node == root):
            found.append(f"{name} = {_right_side(graph, node, term)}")
        elif node == root:
            found.append(term.text)
    return found


def literal(value: float) -> str:
    """Return the shortest text that reads back as the same number."""
    if math.isfinite(value) and value == math.floor(value) and abs(value) < _LONG_NUMBER:
        return "-0.0" if value == 0 and math.copysign(1, value) < 0 else str(int(value))
    return repr(value)


def _term(graph: Graph, node: int, terms: dict[int, _Term]) -> _Term:
    found = graph.nodes[node]
    if isinstance(found, Leaf):
        return _Term(graph.names[node])
    if isinstance(found, Constant):
        is_pi = found.label == _PI and found.value == math.pi and graph.node_named("pi") is None
        text = _PI if is_pi else literal(found.value)
        return _Term(text, _NEG_STRENGTH if text.startswith("-") else _ATOM)
    parts = [_Term("?") if s is None else terms[s] for s in graph.inputs(node)]
    text, strength = _formula(graph, node, parts)
    return _Term(text, strength, 1 + max(part.depth for part in parts))


def _formula(graph: Graph, node: int, parts: list[_Term]) -> tuple[str, int]:
    op = graph.op(node)
    if op.name == "neg" and not _is_number(parts[0]):
        return f"-{parts[0].bracketed_within(_NEG_STRENGTH)}", _NEG_STRENGTH
    if not op.infix:
        return f"{op.name}({', '.join(part.text for part in parts)})", _ATOM
    strength = _BINDING_STRENGTH[op.name]
    left, right = parts
    if op.name == "pow":  # right-associative, and binds tighter than unary minus
        base, exponent = left.bracketed_within(strength), right.bracketed_within(_NEG_STRENGTH - 1)
        return f"{base}**{exponent}", strength
    sign = op.infix if op.infix in "*/" else f" {op.infix} "
    # left-associative: an operand of the same strength needs brackets on the right alone
    first, second = left.bracketed_within(strength - 1), right.bracketed_within(strength)
    return f"{first}{sign}{second}", strength


def _is_number(term: _Term) -> bool:
    """Return whether a minus sign before this term would be read as part of a constant."""
    return term.depth == 0 and (term.text[0].isdigit() or term.text in ("inf", "nan"))


def _has_own_line(graph: Graph, node: int, term: _Term, uses: int) -> bool:
    if isinstance(graph.nodes[node], Constant):
        return False
    large = len(term.text) > LINE_LIMIT or term.depth > DEPTH_LIMIT
    return bool(graph.label(node)) or uses > 1 or (large and uses > 0)


def _right_side(graph: Graph, node: int, term: _Term) -> str:
    found = graph.nodes[node]
    return literal(found.value) if isinstance(found, Leaf) else term.text
