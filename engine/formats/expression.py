"""Expressions: a formula, or assignments with the root last, read without running anything.

    c = a + b; d = a*b; y = c*d

Names that are not assigned are leaves, `a = 2` gives a leaf its value, numbers inside formulas
are constants, one per occurrence, and a name used twice is one node. Python's own parser reads
the text; only what is listed here is let through.
"""

import ast
import math
from collections.abc import Mapping

import msgspec

from engine.errors import FormatError
from engine.formats.format import Format
from engine.graph import RESERVED, Constant, Graph, Leaf, Node, OpNode, Root
from engine.ops import BY_NAME

LENGTH_LIMIT = 4000
NODE_LIMIT = 2000

_INFIX: dict[type, str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Pow: "pow",
}
_STRENGTH = {"add": 1, "sub": 1, "mul": 2, "div": 2, "neg": 3, "pow": 4}
_ATOM = 9


class PlacedFormatError(FormatError):
    """A FormatError about one place of a text: `start` and `length` in characters."""

    def __init__(self, sentence: str, start: int = 0, length: int = 1) -> None:
        super().__init__(sentence)
        self.start = start
        self.length = length


def read(text: str, values: Mapping[str, float] | None = None) -> Graph:
    """The graph of an expression, with a Root on its last line.

    `values` sets leaves by name. FormatError names line and column.
    """
    reader = _Reader(text)
    graph = reader.graph()
    return _valued(graph, values or {})


def write(graph: Graph, values: bool = True) -> str:
    """The assignments that give this graph's active root; with `values`, its leaves' too.

    An unlabelled op node that is used once stands inside the formula of its user.
    """
    root = graph.root
    if root is None:
        raise FormatError("Choose a root first: an expression ends with it.")
    return "; ".join(_Writer(graph, root).lines(values))


def _read(text: str) -> Graph:
    return read(text)


def _write(graph: Graph) -> str:
    return write(graph).replace("; ", "\n") + "\n"


FORMAT = Format("expression", "Expression", (".txt",), _read, _write)


class _Reader:
    """Makes nodes from a parsed text, keeping count of names."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.nodes: dict[int, Node] = {}
        self.named: dict[str, int] = {}
        self.assigned: set[str] = set()

    def graph(self) -> Graph:
        statements = self._statements()
        last: int | None = None
        for k, statement in enumerate(statements):
            final = k == len(statements) - 1
            last = self._statement(statement, final)
        assert last is not None
        marker = self._add(Root(last))
        return Graph(self.nodes, marker, marker + 1)

    def _statements(self) -> list[ast.stmt]:
        text = self.text
        if len(text) > LENGTH_LIMIT:
            raise FormatError(f"The expression is longer than {LENGTH_LIMIT} characters.")
        if not text.strip(" \t\r\n;"):
            raise FormatError("The expression is empty.")
        for k, character in enumerate(text):
            if character == "^":
                raise self._refuse_at(k, "write ** for a power, not ^")
            if not (character.isprintable() or character in "\n\t\r"):
                raise self._refuse_at(k, "this character can't stand in an expression")
        try:
            tree = ast.parse(_prepared(text))
        except SyntaxError as error:
            raise self._syntax(error) from None
        except (RecursionError, MemoryError):
            raise FormatError("The expression is nested too deeply.") from None
        except ValueError:
            raise FormatError("The expression can't be read.") from None
        if not tree.body:
            raise FormatError("The expression is empty.")
        return tree.body

    def _syntax(self, error: SyntaxError) -> FormatError:
        lines = self.text.split("\n")
        row = min(max(error.lineno or 1, 1), len(lines))
        column = max((error.offset or 1) - 1, 0)
        start = min(sum(len(line) + 1 for line in lines[: row - 1]) + column, len(self.text))
        rest = self.text[start:].strip()
        reason = "something is missing here" if not rest else "this can't be read as a formula"
        if "too many nested" in (error.msg or ""):
            reason = "brackets are nested too deeply"
        return self._refuse_at(start, reason)

    def _statement(self, statement: ast.stmt, final: bool) -> int:
        if isinstance(statement, ast.Expr):
            if not final:
                raise self._refuse(statement, "only the last formula may stand without a name")
            return self._formula(statement.value)
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            raise self._refuse(statement, "write a formula, or name = formula")
        target = statement.targets[0]
        if not isinstance(target, ast.Name):
            raise self._refuse(target, "only a name can be assigned")
        name = self._name(target)
        if name in self.assigned:
            raise self._refuse(target, f"{name} is assigned twice")
        if name in self.named:
            raise self._refuse(target, f"{name} is assigned after it was used as a leaf")
        node = self._assigned(statement.value, name)
        self.assigned.add(name)
        self.named[name] = node
        return node

    def _assigned(self, value: ast.expr, name: str) -> int:
        number = self._literal(value)
        if number is not None:
            return self._add(Leaf(number, name))
        node = self._formula(value, name)
        found = self.nodes[node]
        if isinstance(value, ast.Name):
            raise self._refuse(value, f"{name} would be a second name for {value.id}")
        self.nodes[node] = msgspec.structs.replace(found, label=name)
        return node

    def _formula(self, expression: ast.expr, name: str = "") -> int:
        """Post-order over the formula with a stack of our own, so depth has no limit."""
        results: list[int] = []
        todo: list[tuple[ast.expr, bool]] = [(expression, False)]
        while todo:
            part, ready = todo.pop()
            op, operands = self._parts(part)
            if op is None:
                results.append(self._atom(part, name))
            elif ready:
                inputs = tuple(results[len(results) - len(operands) :])
                del results[len(results) - len(operands) :]
                results.append(self._add(OpNode(op, inputs)))
            else:
                todo.append((part, True))
                todo.extend((operand, False) for operand in reversed(operands))
        return results[0]

    def _parts(self, part: ast.expr) -> tuple[str | None, list[ast.expr]]:
        """The operation and its operands, or None for a name or a number."""
        if self._literal(part) is not None or isinstance(part, ast.Name):
            return None, []
        if isinstance(part, ast.BinOp):
            if type(part.op) not in _INFIX:
                raise self._refuse(part, "only + - * / and ** can stand between two terms")
            return _INFIX[type(part.op)], [part.left, part.right]
        if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub):
            return "neg", [part.operand]
        if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.UAdd):
            raise self._refuse(part, "a plus sign before a term means nothing; leave it out")
        if isinstance(part, ast.Call):
            return self._call(part)
        raise self._refuse(part, "only names, numbers, operators and functions can stand here")

    def _call(self, call: ast.Call) -> tuple[str, list[ast.expr]]:
        if not isinstance(call.func, ast.Name):
            raise self._refuse(call, "only functions can be called")
        name = call.func.id
        if name not in BY_NAME:
            raise self._refuse(call.func, f"there is no function called {name}")
        slots = len(BY_NAME[name].slots)
        if call.keywords or any(isinstance(a, ast.Starred) for a in call.args):
            raise self._refuse(call, f"{name} takes plain arguments")
        if len(call.args) != slots:
            arguments = "one argument" if slots == 1 else f"{slots} arguments"
            raise self._refuse(call, f"{name} takes {arguments}, not {len(call.args)}")
        return name, list(call.args)

    def _atom(self, part: ast.expr, assigning: str) -> int:
        number = self._literal(part)
        if number is not None:
            return self._add(Constant(number))
        assert isinstance(part, ast.Name)
        name = self._name(part)
        if name == assigning:
            raise self._refuse(part, f"{name} is used in its own formula")
        if name not in self.named:
            self.named[name] = self._add(Leaf(1.0, name))
        return self.named[name]

    def _name(self, part: ast.Name) -> str:
        if part.id in RESERVED:
            raise self._refuse(part, f"{part.id} is the name of a function or a number")
        if not part.id.isascii():
            raise self._refuse(part, "names are made of the letters a to z, digits and _")
        if len(part.id) > 100:
            raise self._refuse(part, "this name is longer than 100 characters")
        return part.id

    def _literal(self, part: ast.expr) -> float | None:
        """The number that stands here, maybe with a minus before it."""
        sign = 1.0
        if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub):
            sign, part = -1.0, part.operand
        if isinstance(part, ast.Name) and part.id in ("inf", "nan"):
            return sign * (math.inf if part.id == "inf" else math.nan)
        if not isinstance(part, ast.Constant):
            return None
        value = part.value
        if type(value) is int or type(value) is float:
            try:
                number = float(value)
            except OverflowError:
                number = math.inf
            if math.isinf(number):
                raise self._refuse(part, "this number is too large")
            return sign * number
        raise self._refuse(part, "only real numbers can stand here")

    def _add(self, node: Node) -> int:
        if len(self.nodes) >= NODE_LIMIT:
            raise FormatError(f"The expression makes more than {NODE_LIMIT:,} nodes.")
        number = len(self.nodes) + 1
        self.nodes[number] = node
        return number

    def _refuse(self, part: ast.AST, reason: str) -> FormatError:
        row: int = getattr(part, "lineno", 1)
        lines = self.text.split("\n")
        line = lines[row - 1] if row <= len(lines) else ""
        column = len(line.encode()[: getattr(part, "col_offset", 0)].decode(errors="ignore"))
        start = sum(len(found) + 1 for found in lines[: row - 1]) + column
        length = max(1, getattr(part, "end_col_offset", column + 1) - column)
        if getattr(part, "end_lineno", row) != row:
            length = len(line) - column
        return self._refuse_at(start, reason, max(1, length))

    def _refuse_at(self, start: int, reason: str, length: int = 1) -> FormatError:
        before = self.text[:start]
        row, column = before.count("\n") + 1, start - (before.rfind("\n") + 1) + 1
        return PlacedFormatError(f"Line {row}, column {column}: {reason}.", start, length)


def _prepared(text: str) -> str:
    """The text as Python takes it, every character in its column.

    Empty statements become blanks, and a form feed before a line takes its indent away.
    """
    lines: list[str] = []
    for line in text.replace("\r", " ").replace("\t", " ").split("\n"):
        kept, begun = "", False
        for character in line:
            begun = begun or character not in " ;"
            empty = character == ";" and not begun
            begun = begun and character != ";"
            kept += " " if empty else character
        bare = kept.lstrip(" ")
        lines.append(" " * (len(kept) - len(bare) - 1) + "\f" + bare if bare != kept else kept)
    return "\n".join(lines)


def _valued(graph: Graph, values: Mapping[str, float]) -> Graph:
    nodes = dict(graph.nodes)
    for name, value in values.items():
        node = graph.node_named(name)
        if node is None or not isinstance(nodes[node], Leaf):
            leaves = [graph.names[n] for n, found in nodes.items() if isinstance(found, Leaf)]
            known = f"the leaves are {', '.join(leaves)}" if leaves else "there is no leaf"
            raise FormatError(f"No leaf is called {name}; {known}.")
        nodes[node] = msgspec.structs.replace(nodes[node], value=float(value))
    return Graph(nodes, graph.active_root, graph.next_id)


class _Writer:
    """Turns the ancestors of a root into assignments."""

    def __init__(self, graph: Graph, root: int) -> None:
        self.graph = graph
        self.root = root
        self.order = graph.plan(root).order
        inside = set(self.order)
        self.uses = {
            n: sum(target in inside for target, _slot in graph.outgoing[n])
            - sum(isinstance(graph.nodes[t], Root) for t, _s in graph.outgoing[n] if t in inside)
            for n in self.order
        }
        self.texts: dict[int, tuple[str, int]] = {}

    def lines(self, values: bool) -> list[str]:
        lines: list[str] = []
        for node in self.order:
            found = self.graph.nodes[node]
            name = self.graph.names[node]
            if isinstance(found, Leaf):
                self.texts[node] = (name, _ATOM)
                if values or node == self.root:
                    lines.append(f"{name} = {literal(found.value)}")
            elif isinstance(found, Constant):
                self.texts[node] = (literal(found.value), _ATOM if found.value >= 0 else 3)
                if node == self.root:
                    lines.append(literal(found.value))
            else:
                lines.extend(self._op(node, name))
        return lines

    def _op(self, node: int, name: str) -> list[str]:
        text, strength = self._formula(node)
        if self.graph.label(node) or self.uses[node] > 1:
            self.texts[node] = (name, _ATOM)
            return [f"{name} = {text}"]
        self.texts[node] = (text, strength)
        return [text] if node == self.root else []

    def _formula(self, node: int) -> tuple[str, int]:
        op = self.graph.op(node)
        parts = [("?", _ATOM) if s is None else self.texts[s] for s in self.graph.inputs(node)]
        if op.name == "neg":
            (text, strength) = parts[0]
            bare = strength > 2 and not text.startswith("-") and not _is_number(text)
            return (f"-{text}" if bare else f"-({text})"), 3
        if not op.infix:
            return f"{op.name}({', '.join(text for text, _strength in parts)})", _ATOM
        mine = _STRENGTH[op.name]
        (left, a), (right, b) = parts
        if op.name == "pow":  # binds to the right, and tighter than a minus before it
            left = left if a > mine else f"({left})"
            right = right if b >= 3 else f"({right})"
            return f"{left}**{right}", mine
        left = left if a >= mine else f"({left})"
        right = right if b > mine else f"({right})"
        tight = op.infix in "*/"
        return (f"{left}{op.infix}{right}" if tight else f"{left} {op.infix} {right}"), mine


def _is_number(text: str) -> bool:
    return text[0].isdigit() or text in ("inf", "nan")


def literal(value: float) -> str:
    """A number as expressions write it, shortest that reads back the same."""
    if math.isfinite(value) and value == math.floor(value) and abs(value) < 1e15:
        return "-0.0" if value == 0 and math.copysign(1, value) < 0 else str(int(value))
    return repr(value)
