"""Expressions: a formula, or assignments with the root last, read without running anything.

    c = a + b; d = a*b; y = c*d

Names that are not assigned are leaves, `a = 2` gives a leaf its value, numbers inside formulas
are constants, one per occurrence, and a name used twice is one node. `x.tanh()` is tanh(x).
Notation as on paper is read where it has one meaning; where it has two, both are named.

>>> read_typed("f(x) = |2x| + x²; f(3)").remark
'f is a function of one formula.'

Written are the ancestors of the root in topological order. An op node that is labelled or used more
than once is assigned; any other is inlined in the formula of its user, up to LINE_LIMIT and
DEPTH_LIMIT. An empty slot is written `?`, which cannot be read back.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from engine.errors import EditError, FormatError, PlacedFormatError
from engine.formats.format import Format
from engine.formats.notation import (
    BLOCKS,
    COMMANDS,
    LENGTH_LIMIT,
    LOWERED,
    RAISED,
    TERMS,
    Token,
    is_latex,
    looks_like_a_program,
    quoted,
    refused,
    tokens,
)
from engine.graph import LABEL_LIMIT, RESERVED, Constant, Graph, Leaf, Node, OpNode, Root, as_number
from engine.names import numbered_label, with_parsed_names
from engine.numbers import COMMA, plural
from engine.ops import BY_NAME, Op, meant, search
from engine.problems import check_formulas

LEAVES_NAMED = 12
"""Maximum number of leaves that an error lists."""


def read(
    text: str, values: Mapping[str, float] | None = None, names: Collection[str] = ()
) -> Graph:
    """Parse an expression into a graph with a Root on its last line.

    `values` sets leaves by name; `names` are further names of nodes, see `read_typed`. Raises
    FormatError with line and column.
    """
    return _valued(read_typed(text, {*names, *(values or ())}).named, values or {})


class Typed(Struct, frozen=True):
    """What a text means: a graph with a Root on its last line.

    Every name in the text is a label, which may not be unique on a sheet.
    """

    graph: Graph
    names: frozenset[str]
    """The names to which the text assigns a number or formula."""
    remark: str = ""
    """How notation was understood that may have been meant otherwise."""

    @property
    def named(self) -> Graph:
        """Return the graph as a sheet of its own, where each node is called as in the text."""
        nodes = with_parsed_names(self.graph.nodes)
        return Graph(nodes, self.graph.active_root, max(nodes) + 1, self.graph.operations)


def read_typed(text: str, names: Collection[str] = (), operations: Sequence[Op] = ()) -> Typed:
    """Read a formula in any notation, or the straight lines of a program; raises FormatError.

    `names` are those of nodes: an e or pi among them is that node. `operations` may be called
    beside those of the table.
    """
    is_program = looks_like_a_program(text)
    what, limit = "The expression", LENGTH_LIMIT
    if is_program:
        what, limit = "The program", PROGRAM_LIMIT
    if len(text) > limit:
        reason = "{what} is longer than {limit:,} characters."
        raise FormatError(reason, what=what, limit=limit)
    if is_program:
        from engine.formats.python.straight import straight  # here, as few texts are programs

        found = straight(text)
        return replace(_Reader(write(found.graph()), ()).typed(), remark=found.remark)
    try:
        return _Reader(text, names, operations).typed()
    except RecursionError:
        raise FormatError(_TOO_DEEP) from None


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
_TOO_DEEP = "The expression is nested too deeply."
_DEPTH_LIMIT = 100
"""Maximum number of open brackets."""
_TOKENS_CALLED = 10_000
"""Maximum number of tokens that are read in the bodies of called functions."""
ITSELF = "{name} is used in its own formula."
_RESERVED = "{name} is the name of a function or a number."
_PI = "π"
"""The label of the constant."""
_LONGEST_PRODUCT = 3
"""Maximum length of a name that may have been meant as a product."""
_CLOSING = {"(": ")", "{": "}", "|": "|"}
_INFIX = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
_OPERANDS = frozenset({"number", "quotient", "root", "name", "open", "bar"})
"""Kinds of tokens that begin an operand."""
_MULTIPLIED = frozenset({"number", "group", "index", "constant", "raised"})
"""Kinds of operands after which another one is a factor; after a name it may be part of it."""
_LEFT_SIDE = re.compile(r"n(?:\(n(?:,n)*\))?=(?!=)")
"""The names to which a line is assigned, in the outline of a line, see `_Reader._split`."""
_SECOND_LINE = re.compile(r"=[^=]*(,)n=(?!=)")
_PRODUCT = re.compile(r"[a-ce-z][xyz]|[abc]{2}|([a-z]\d+){2}", re.ASCII)
"""A name that may be meant as a product, as `wx`, `ab` and `x1w1`, unlike `lr` and `dx`."""


class _Line(Struct, frozen=True):
    """A formula, which begins at the token `at`; its name, and its parameters if it is a function.

    The line is the tokens from `first` to `end`.
    """

    first: int
    at: int
    end: int
    name: str = ""
    parameters: tuple[str, ...] = ()


class _Operand(NamedTuple):
    """An operand that has been read: its node, the index of its first token, and how it ends.

    A kind of `_MULTIPLIED`, or name; exponent: it ends with a power without brackets, which begins
    at the token `inner`.
    """

    kind: str
    node: int
    first: int
    inner: int = 0


class _Reader:
    """Reads the tokens of a text from left to right, and adds the nodes of each operand.

    Products bind more tightly than sums, a sign than both, a power than a sign. Operands side by
    side are a product where nothing else can be meant.
    """

    def __init__(self, text: str, names: Collection[str], operations: Sequence[Op] = ()) -> None:
        self._text = text
        self._own = {op.name: op for op in operations}
        self._is_tex = is_latex(text)
        self._tokens = list(tokens(text, is_tex=self._is_tex))
        self._k = 0
        """The index of the next token."""
        self._open: list[int] = []
        """The opening brackets around it."""
        self._nodes: dict[int, Node] = {}
        self._named: dict[str, int] = {}
        """The node of each name, which is a leaf if it is not assigned."""
        self._assigned: set[str] = set()
        """The names on the left of an =, and those of arguments that are numbers."""
        self._arguments: dict[tuple[str, float], int] = {}
        """The leaves of arguments that are numbers, by parameter."""
        self._functions: dict[str, _Line] = {}
        self._scope: Mapping[str, int] = {}
        """The nodes of the parameters of the function that is being called."""
        self._calls: dict[tuple[int, int], str] = {}
        """The functions that are called, by the first token and the one after the call."""
        self._dots: dict[int, int] = {}
        """The first dot after an operand, by its first token."""
        self._tokens_called = 0
        self._remarks: dict[str, None] = {}
        self._known = set(names)
        self._letters = {
            token.word for token in self._tokens if token.kind == "name" and len(token.word) == 1
        }
        self._lines = self._split()
        self._free = {
            token.word
            for line in self._lines
            for token in self._tokens[line.first : line.end]
            if token.kind == "name" and token.word not in line.parameters
        }
        """All names in the text except parameters in the bodies of their functions."""
        self._constants = self._found_constants()

    def typed(self) -> Typed:
        """Return what the text means; raises FormatError."""
        if not self._lines:
            raise FormatError("The expression is empty.")
        last = self._lines[-1]
        node = [self._read(line, final=line is last) for line in self._lines][-1]
        marker = self._add(Root(node))
        graph = Graph(self._nodes, marker, marker + 1, tuple(self._own.values()))
        return Typed(graph, frozenset(self._assigned), " ".join(self._remarks))

    def _split(self) -> list[_Line]:
        """Return the lines; their names are known."""
        lines: list[_Line] = []
        ends = [k for k, token in enumerate(self._tokens) if token.kind == "end"]
        for first, end in zip([0, *(k + 1 for k in ends)], ends, strict=False):
            words = self._tokens[first:end]
            outline = "".join(
                "n" if word.kind == "name" else word.word if len(word.word) == 1 else "?"
                for word in words
            )
            if comma := _SECOND_LINE.search(outline):
                sign = first + comma.start(1)
                raise self._refused(sign, sign, "write ; between two lines: a = 2; b = 3.")
            head = _LEFT_SIDE.match(outline)
            at = head.end() if head else 0
            name, *parameters = [w.word for w in words[:at] if w.kind == "name"] or [""]
            if parameters:
                self._remarks[f"{name} is a function of one formula."] = None
            self._known |= {name, *parameters}
            if words:
                lines.append(_Line(first, first + at, end, name, tuple(parameters)))
        return lines

    def _found_constants(self) -> dict[str, float]:
        """Return the names that are numbers here: e as soon as it is the base of a power."""
        found = {"inf": math.inf, "nan": math.nan}
        if self._is_tex:
            self._remarks["Read as LaTeX."] = None
        powers = {a.word for a, b in pairwise(self._tokens) if b.kind == "power"}
        if "e" in powers - self._known:
            found["e"] = math.e
            self._remarks["e is Euler's number here."] = None
        if "pi" in self._free - self._known:
            found["pi"] = math.pi
            self._remarks["π is 3.14159…"] = None
        return found

    # lines

    def _read(self, line: _Line, *, final: bool) -> int:
        """Add the nodes of a line; return the one that it names."""
        self._k, self._line = line.at, line
        if not line.name:
            if not final:
                reason = "only the last formula may stand without a name."
                raise self._refused(line.first, line.end - 1, reason)
            node = self._formula()
            called = self._calls.get((line.at, line.end))
            return node if called is None else self._labelled(node, called)
        self._check_target(line)
        kept = ()
        if line.parameters and not final:  # it is read for its faults alone
            kept = dict(self._nodes), dict(self._named), dict(self._arguments), set(self._assigned)
        node = self._formula()
        if kept:
            self._nodes, self._named, self._arguments, self._assigned = kept
            self._functions[line.name] = line
        else:
            self._named[line.name] = self._labelled(node, line.name)
        self._assigned.add(line.name)
        return node

    def _check_target(self, line: _Line) -> None:
        self._check_name(line.first)
        names = [line.name, *line.parameters]
        twice = [x for x in names if names.count(x) > 1 or x == line.name in self._assigned]
        if twice or line.name in self._named:
            reason = "{name} is assigned twice."
            reason = reason if twice else "{name} is assigned after it was used as a leaf."
            raise self._refused(line.first, line.first, reason, name=(twice or names)[0])

    def _labelled(self, node: int, name: str) -> int:
        """Give the node of a line its name; a number becomes a leaf."""
        found, line = self._nodes[node], self._line
        if isinstance(found, Constant):
            self._nodes[node] = Leaf(found.value, name)
        elif isinstance(found, Leaf | OpNode) and found.label:
            other = found.label
            reason, product = "{name} would be a second name for {other}.", "*".join(other)
            if 1 < len(other) <= _LONGEST_PRODUCT and other not in self._assigned:
                reason = "{name} would be a second name for {other}; for a product write {product}."
            fields = {"name": name, "other": other, "product": product}
            raise self._refused(line.at, line.end - 1, reason, **fields)
        else:
            self._nodes[node] = replace(found, label=name)
        return node

    def _formula(self) -> int:
        node = self._sum()
        if self._next.kind != "end":
            raise self._unexpected()
        return node

    # operands and signs

    @property
    def _next(self) -> Token:
        return self._tokens[self._k]

    def _sum(self) -> int:
        node = self._product()
        while (sign := self._next.word) in ("+", "-"):
            self._k += 1
            node = self._add(OpNode(_INFIX[sign], (node, self._product())))
        return node

    def _product(self) -> int:
        """Read factors with a sign between them or side by side."""
        left, dividend = self._signed(), -1
        node = left.node
        while (sign := self._next.word) in ("*", "/") or self._begins_operand:
            if sign in ("*", "/"):
                self._k += 1
                dividend, left = left.first if sign == "/" else -1, self._signed()
            else:
                sign, left = "*", self._beside(left, dividend)
            node = self._add(OpNode(_INFIX[sign], (node, left.node)))
        return node

    @property
    def _begins_operand(self) -> bool:
        """Return whether the next token begins an operand after another one."""
        token = self._next
        if token.kind == "bar":
            return not self._open or self._tokens[self._open[-1]].kind != "bar"
        return token.kind in _OPERANDS

    def _beside(self, left: _Operand, dividend: int) -> _Operand:
        """Read a factor without a sign before it, maybe after a dividend."""
        k = self._k
        is_number = self._next.kind == "number"
        right = self._power()
        is_factor = left.kind in _MULTIPLIED or self._is_tex
        if left.kind != "exponent" and (is_number or not is_factor):
            one, other = self._slice(left.first, k - 1), self._slice(k, self._k - 1)
            reason = "write a sign between {left} and {right}: {left}*{right}."
            raise self._refused(left.first, self._k - 1, reason, left=one, right=other)
        if dividend >= 0:
            raise self._two_meanings(dividend, left.first, k)
        if left.kind == "exponent":
            raise self._two_meanings(left.first, left.inner, k)
        return right

    def _signed(self) -> _Operand:
        signs = 0
        while (sign := self._next.word) in ("+", "-"):
            self._k += 1
            signs += sign == "-"
        operand = self._power()
        node = operand.node
        for _ in range(signs):
            node = self._negative(node)
        return operand._replace(node=node)

    def _negative(self, node: int) -> int:
        """Return the node with a minus sign, which a number takes once."""
        found = self._nodes[node]
        if not isinstance(found, Constant) or math.copysign(1, found.value) < 0:
            return self._add(OpNode("neg", (node,)))
        self._nodes[node] = Constant(-found.value)
        return node

    def _power(self) -> _Operand:
        """Read an operand with its power."""
        k, is_e = self._k, self._next.word == "e" and "e" in self._constants
        is_euler = is_e and self._tokens[k + 1].kind == "power"
        self._k += is_euler
        base = _Operand("name", 0, k) if is_euler else self._atom()
        if self._next.kind != "power":
            return base
        self._k += 1
        inner, exponent = self._k, self._signed()
        is_closed = self._is_tex or self._tokens[exponent.first].kind in ("open", "bar")
        inputs = (exponent.node,) if is_euler else (base.node, exponent.node)
        node = self._add(OpNode("exp" if is_euler else "pow", inputs))
        return _Operand("raised" if is_closed else "exponent", node, k, inner)

    def _atom(self) -> _Operand:
        """Read a number, name, call or bracket, and the calls after its dots."""
        k, token, kind = self._k, self._next, "group"
        if token.kind == "number":
            kind, node = "number", self._number(token)
        elif token.kind in ("name", "root"):
            kind, node = self._name()
        elif token.kind in ("open", "bar"):
            node = self._group()
            node = self._add(OpNode("abs", (node,))) if token.kind == "bar" else node
            is_raised = self._text[token.start] in RAISED
            if is_raised and (self._next.kind == "power" or self._next.word == "."):
                reason = "write brackets around the power before this one."
                raise self._refused(self._k, self._k, reason)
        elif token.kind == "quotient":
            self._k += 1
            node = self._add(OpNode("div", (self._part(k), self._part(k))))
        else:
            raise self._unexpected()
        while self._next.word == ".":
            self._dots.setdefault(k, self._k)
            kind, node = "group", self._method(node)
        return _Operand(kind, node, k)

    def _part(self, k: int) -> int:
        """Read a part of the fraction at k."""
        if self._next.word != "{":
            raise self._refused(k, k, r"write \frac{a}{b}.")
        return self._group()

    def _number(self, token: Token) -> int:
        try:
            number = _float(token.word)
        except ValueError:
            raise self._unexpected() from None
        if math.isinf(number):
            raise self._refused(self._k, self._k, "this number is too large.")
        self._k += 1
        return self._add(Constant(number))

    # names and calls

    def _name(self) -> tuple[str, int]:
        """Read a name, or the call of a function or root with its argument."""
        k, token = self._k, self._next
        word, is_root = token.word, token.kind == "root"
        op = "" if word in {*self._functions, *self._own} else "sqrt" if is_root else meant(word)
        self._k += 1
        if self._next.word == "(" or (op and self._next.word == "{"):
            if word == "sum":
                raise self._refused(k, k, TERMS)
            return "group", self._call(k, op or word)
        takes_one = op and len(BY_NAME[op].slots) == 1 and word not in {"sigma", *self._known}
        if is_root or takes_one:
            return "group", self._bare_call(k, op)
        self._remark_on(word)
        written = self._text[token.start : token.end]
        kind = "index" if written[-1] in LOWERED + "}" else "name"
        is_sign = word == "pi" != written and "pi" in self._constants
        return "constant" if is_sign else kind, self._node_of(k, word)

    def _node_of(self, k: int, word: str) -> int:
        """Return the node of a name at a token."""
        if word in self._scope:
            return self._scope[word]
        if word in self._constants:
            return self._add(Constant(self._constants[word], _PI if word == "pi" else ""))
        if word == self._line.name:
            raise self._refused(k, k, ITSELF, name=word)
        if word in self._functions:
            raise self._refused(k, k, "{name} is a function; write {name}(x).", name=word)
        self._check_name(k)
        if word not in self._named:
            self._named[word] = self._add(Leaf(1.0, word))
        return self._named[word]

    def _check_name(self, k: int) -> None:
        word, reason = self._tokens[k].word, ""
        if word in RESERVED:
            reason = _RESERVED
        elif not word.isascii():
            reason = "names are made of the letters a to z, digits and _."
        elif len(word) > LABEL_LIMIT:
            reason = "this name is longer than {limit} characters."
        if reason:
            raise self._refused(k, k, reason, name=word, limit=LABEL_LIMIT)

    def _remark_on(self, word: str) -> None:
        """Note that a new name is one name, if it looks like a product or a function of a name."""
        is_product = (len(word) == 2 and self._letters.issuperset(word)) or _PRODUCT.fullmatch(word)
        if word in self._known or word in COMMANDS or not (is_product or meant(word[:-1])):
            return
        call = f"function write {word[:-1]}({word[-1]})"
        factors = re.findall(r"[^\W\d]\d*", word)
        other = f"product write {'*'.join(factors)}" if is_product else call
        self._remarks[f"{word} is one name; for a {other}."] = None

    def _call(self, k: int, name: str, first: tuple[int, ...] = ()) -> int:
        """Read the arguments of a function named at k, after a first one."""
        function = self._functions.get(name)
        slots = len(function.parameters) if function else self._slots(k, name)
        parameters = function.parameters[len(first) :] if function else ()
        inputs = *first, *self._bracketed(parameters)
        if len(inputs) != slots:
            one = "{name} takes one argument, not {given}."
            many = "{name} takes {count} arguments, not {given}."
            fields = {"name": name, "count": slots, "given": len(inputs)}
            raise self._comma(k, self._k - 1, plural(slots, one, many), **fields)
        if function is None:
            return self._add(OpNode(name, inputs))
        self._calls[k, self._k] = name
        return self._inlined(function, inputs)

    def _method(self, node: int) -> int:
        """Read a call after a dot, as in `x.tanh()`."""
        token = self._tokens[self._k + 1]
        if token.kind != "name" or self._tokens[self._k + 2].word != "(":
            raise self._unexpected()
        self._k += 2
        return self._call(self._k - 1, meant(token.word) or token.word, (node,))

    def _slots(self, k: int, name: str) -> int:
        """Return the arity of an operation."""
        if op := self._own.get(name) or BY_NAME.get(name):
            return len(op.slots)
        reason, meanings = "there is no function called {name}.", search(name)
        if name == self._line.name:
            reason = ITSELF
        elif name in BLOCKS:
            reason = "there is no function called {name}; on the sheet, Tab adds one."
        elif len(name) == 1:
            reason = "there is no function called {name}; for a product write {name}*(...)."
        elif meanings:
            reason = "there is no function called {name}; did you mean {meant}?"
        raise self._refused(k, k, reason, name=name, meant=meanings[0].name if meanings else "")

    def _inlined(self, function: _Line, inputs: tuple[int, ...]) -> int:
        """Add the nodes of a function's formula for these arguments."""
        self._tokens_called += function.end - function.at
        if self._tokens_called > _TOKENS_CALLED:
            raise FormatError(_TOO_DEEP)
        kept = self._k, self._scope, self._open
        self._k, self._open = function.at, []
        self._scope = dict(zip(function.parameters, inputs, strict=True))
        node = self._sum()
        self._k, self._scope, self._open = kept
        return node

    def _argument(self, node: int, parameter: str) -> int:
        """Return the node of an argument; a number is a leaf, called as its parameter if free."""
        found = self._nodes[node]
        if not isinstance(found, Constant):
            return node
        del self._nodes[node]  # the last one
        key = parameter, found.value
        if key not in self._arguments:
            taken = self._assigned | self._free
            label = numbered_label(parameter, taken) if parameter in taken else parameter
            self._assigned.add(label)
            self._arguments[key] = self._add(Leaf(found.value, label))
        return self._arguments[key]

    def _bare_call(self, k: int, op: str) -> int:
        """Read a function or root and the operand after it, as in `tanh x`, `√x` and `sin²(x)`."""
        first, is_root = self._k, self._tokens[k].kind == "root"
        if self._next.kind == "power" and not is_root:
            return self._power_of_call(k, op)
        if not self._begins_operand:
            reason = "write a name, a number or a bracket after the root." if is_root else _RESERVED
            raise self._refused(k, k, reason, name=self._tokens[k].word)
        operand = self._atom() if is_root else self._power()
        end, more = self._k, self._next
        may_go_on = more.kind == "power" if is_root else more.word in ("*", "/")
        if first in self._dots:
            raise self._two_meanings(k, first, self._dots[first])
        if may_go_on or self._begins_operand:
            self._k += may_go_on
            self._signed()
            raise self._two_meanings(k, first, end)
        return self._add(OpNode(op, (operand.node,)))

    def _power_of_call(self, k: int, op: str) -> int:
        """Read `sin²(x)` and `sin^2(x)`: the power is that of the call."""
        start = self._k
        self._k += 1 + (self._tokens[start + 1].kind == "open")
        power = self._next.word
        self._k += power.isdigit()
        self._k += self._next.kind == "close"
        if not power.isdigit() or self._next.word != "(":
            reason = "write the power after the brackets: {name}(x)**2."
            raise self._refused(k, start, reason, name=op)
        call = self._add(OpNode(op, (self._group(),)))
        return self._add(OpNode("pow", (call, self._add(Constant(float(power))))))

    # brackets

    def _group(self) -> int:
        """Read one formula in brackets."""
        k = self._k
        nodes = self._bracketed()
        if len(nodes) != 1:
            raise self._comma(k, self._k - 1, "write one formula between these brackets.")
        return nodes[0]

    def _bracketed(self, parameters: tuple[str, ...] = ()) -> list[int]:
        """Read formulas in brackets with commas between them, as the arguments of a function."""
        opening, nodes = self._next, list[int]()
        if len(self._open) == _DEPTH_LIMIT:
            raise self._refused(self._k, self._k, "brackets are nested too deeply.")
        if opening.word == "{" and not self._is_tex:
            raise self._unexpected()
        self._open.append(self._k)
        self._k += 1
        while not nodes or self._next.word == ",":
            if not nodes and self._next.kind == "close":
                break
            self._k += bool(nodes)
            node = self._sum()
            is_argument = len(nodes) < len(parameters)
            nodes.append(self._argument(node, parameters[len(nodes)]) if is_argument else node)
        if self._next.word != _CLOSING[opening.word]:
            raise self._unexpected()
        self._open.pop()
        self._k += 1
        return nodes

    # errors

    def _unexpected(self) -> PlacedFormatError:
        """Return the error about the next token, or about the bracket that is open there."""
        token, k = self._next, self._k
        sign = self._slice(k)
        reason = "{sign} can't stand here."
        if self._open and token.kind in ("end", "close"):
            opening = self._open[-1]
            is_bar = self._tokens[opening].kind == "bar"
            if is_bar or token.kind == "end":
                reason = "this {what} is never closed."
                return self._refused(opening, opening, reason, what="|" if is_bar else "bracket")
        if token.kind == "end":
            return self._refused(k, k, "something is missing here.")
        if token.word == ",":
            return self._comma(k - 1, k + 1, "a comma separates the arguments of a function.")
        if token.word == ".":
            reason = "write a function after the dot: x.tanh()."
        if token.word == "=" and not self._open:
            reason = "write a formula, or name = formula."
        return self._refused(k, k, reason, sign=sign)

    def _comma(self, first: int, last: int, reason: str, **fields: object) -> PlacedFormatError:
        """Return the error about a part of a text, or about the comma of a number in it."""
        start, end = self._tokens[max(first, 0)].start, self._tokens[last].end
        found = COMMA.search(self._text, start, end)
        if found is None:
            return self._refused(first, last, reason, **fields)
        reason = "a comma separates arguments; write the decimal point: {number}."
        number = found[0].replace(",", ".")
        return refused(self._text, *found.span(), reason, number=number)

    def _two_meanings(self, first: int, operand: int, end: int) -> PlacedFormatError:
        """Refuse a sign or function with its operand if it may apply to what follows as well.

        They begin at the token `first`, the operand at `operand`; what follows has just been read.
        """
        head = quoted(self._text[self._tokens[first].start : self._tokens[operand].start])
        inner = self._slice(operand, end - 1)
        more = self._text[self._tokens[end - 1].end : self._tokens[self._k - 1].end]
        more = quoted(f"*{more.lstrip()}" if self._tokens[end].kind in _OPERANDS else more)
        one = f"{head}({inner})" if head[-1].isalpha() else f"({head}{inner})"
        both = {"one": f"{one}{more}", "other": f"{head}({inner}{more})"}
        whole = self._slice(first, self._k - 1)
        reason = "{whole} is {one} or {other}: write one."
        return self._refused(first, self._k - 1, reason, whole=whole, **both)

    def _slice(self, first: int, last: int | None = None) -> str:
        """Return what was written from one token to another, as a sentence quotes it."""
        end = self._tokens[first if last is None else last].end
        return quoted(self._text[self._tokens[first].start : end])

    def _refused(self, first: int, last: int, reason: str, **fields: object) -> PlacedFormatError:
        start, end = self._tokens[first].start, self._tokens[last].end
        return refused(self._text, start, end, reason, **fields)

    def _add(self, node: Node) -> int:
        if len(self._nodes) >= NODE_LIMIT:
            raise FormatError("The expression makes more than {limit:,} nodes.", limit=NODE_LIMIT)
        number = len(self._nodes) + 1
        self._nodes[number] = node
        return number


def _float(word: str) -> float:
    try:
        return float(int(word, 0))
    except OverflowError:
        return math.inf
    except ValueError:
        return float(word)


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
