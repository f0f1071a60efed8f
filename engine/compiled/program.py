"""Program: a graph compiled for many runs, as when a slider moves or a network learns.

>>> from engine import Program, from_expression
>>> program = Program(from_expression("(a*b + a) * f"))
>>> program.run({"a": 2.0, "b": -3.0, "f": -2.0})
(8.0, (4.0, -4.0, -4.0))

A program runs in one of three tiers. The tape needs no preparation, straight-line source suits up
to some thousand operations, levels of arrays suit large graphs that are not too deep. The choice is
the tier with the lowest estimated time for preparation and the expected number of runs. Tape and
source give exactly the numbers of a trace; levels add in another order and agree to 1e-12. Each run
starts with all gradients at zero.

Straight-line source resembles hand-written code: a line for each value, then a line for each
contribution to a gradient. Three textbook optimisations keep it short:

1. a node that depends on no wanted leaf gets no gradient;
2. a gradient that equals another one, as behind a `+`, uses that one's name;
3. a value that is used once, and in no local derivative, is inlined.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property, partial
from heapq import heappush, heappushpop
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from engine.errors import EngineError
from engine.graph import Graph, Leaf
from engine.ops import OPS
from engine.tape import LEAF, MINUS_ONE, ONE, TEXTS, Tape, tape_of
from engine.trace import resolve
from engine.value import Value, place_of, tape_and_values
from engine.writers import FLOAT_FUNCTIONS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from engine.compiled.arrays import Array
    from engine.compiled.levels import Levels, Terms


Values = Mapping[str, float] | Mapping[int, float] | list[float] | tuple[float, ...]


class ProgramInputs:
    """The wanted leaves of a tape and the other leaves, as places, with the values of the graph.

    `source_graph` is the graph that the tape was made from, None if that was a Value; `order` are
    then the Values at the places of the tape.
    """

    def __init__(
        self,
        tape: Tape,
        source_graph: Graph | None,
        wrt: Iterable[str | int | Value] | None,
        order: list[Value],
    ) -> None:
        self._tape, self._source_graph = tape, source_graph
        self.wanted = tape.leaves
        if wrt is not None:
            self.wanted = [self._place(leaf, order) for leaf in wrt]
        chosen = set(self.wanted)
        if len(chosen) < len(self.wanted):
            raise EngineError("A leaf is wanted twice.")
        self.others = [leaf for leaf in tape.leaves if leaf not in chosen]
        self.start = [tape.start[leaf] for leaf in self.wanted]
        self.other_start = [tape.start[leaf] for leaf in self.others]

    @cached_property
    def graph(self) -> Graph:
        """Return the graph that is run."""
        return self._tape.graph() if self._source_graph is None else self._source_graph

    def read(self, values: Values | None) -> tuple[list[float], list[float]]:
        """Return the values of wanted and other leaves, by default those of the graph."""
        if values is None:
            return self.start, self.other_start
        if not isinstance(values, Mapping):
            if len(values) != len(self.start):
                raise EngineError(
                    "{needed} values are needed, not {given}.",
                    needed=len(self.start),
                    given=len(values),
                )
            return [float(number) for number in values], self.other_start
        given = {self.leaf(key): float(number) for key, number in values.items()}
        ids, start = self._tape.ids, self._tape.start
        return (
            [given.get(ids[place], start[place]) for place in self.wanted],
            [given.get(ids[place], start[place]) for place in self.others],
        )

    def leaf(self, key: str | int) -> int:
        """Return the id of a leaf given by name or id."""
        node = self.graph.node_named(key) if isinstance(key, str) else key
        if node is None or not isinstance(self.graph.nodes.get(node), Leaf):
            raise EngineError("There is no leaf {key}.", key=key)
        return node

    def _place(self, leaf: str | int | Value, order: list[Value]) -> int:
        """Return the place of a wanted leaf; `order` are the Values at the places."""
        if isinstance(leaf, Value):
            place = place_of(leaf, order)
        else:
            place = self._tape.place.get(self.leaf(leaf))
        if place is None:
            raise EngineError("{leaf} does not lead to the root, so it has no gradient.", leaf=leaf)
        if self._tape.codes[place] != LEAF:
            raise EngineError("{leaf} is no leaf.", leaf=leaf)
        return place


Tier = Literal["tape", "source", "levels"]

SOURCE_LIMIT = 2_000
"""Largest number of operations of which the source is shown."""

LEVELS_MIN_OPS = 300
"""Smaller graphs are not run as levels: the cost of the calls would prevail."""

SOURCE_MAX_OPS = 200_000
"""Larger graphs are not compiled to source: Python's compiler would take minutes."""

# Measured seconds to prepare one operation and to run it once. Levels also take time for each
# level, however few operations it has.
TAPE_SECONDS = (1e-6, 150e-9)
SOURCE_SECONDS = (22e-6, 50e-9)
LEVELS_SECONDS = (3e-6, 15e-9)
SECONDS_PER_LEVEL = 6e-6


_ASSIGNMENT = re.compile(r"\s*(.+?) [+-]?= ")
"""What a line of source assigns to, or adds to."""


class Run(Protocol):
    """A compiled form that can be run."""

    def __call__(self, values: Values | None = None, /) -> tuple[float, tuple[float, ...]]: ...


class Program:
    """A root and its ancestors, compiled for the gradients of some of its leaves.

    `wrt` (with respect to) are the leaves whose values are given and whose gradients are returned:
    by name, by id, or as Values if the graph is one; by default all that lead to the root. `runs`
    is the expected number of runs, from which the tier follows; `tier` overrules it.

    `run(values)` returns the root's value and the gradients in the order of `wrt`. The values are a
    list in that order, or a mapping by name or id of any leaves; missing ones are taken from the
    graph. `others` are the other leaves that lead to the root.
    """

    run: Run

    def __init__(
        self,
        graph: Graph | Value,
        wrt: Iterable[str | int | Value] | None = None,
        *,
        runs: int = 1_000,
        tier: Tier | None = None,
    ) -> None:
        order: list[Value] = []
        if isinstance(graph, Value):
            self._tape, order = tape_and_values(graph)
        else:
            self._tape = tape_of(graph, resolve(graph, None))
        self._source_graph = graph if isinstance(graph, Graph) else None
        self._inputs = ProgramInputs(self._tape, self._source_graph, wrt, order)
        self.wrt = tuple([self._tape.ids[leaf] for leaf in self._inputs.wanted])
        self.tier: Tier = tier or self._fastest_tier(runs)
        self.others = tuple([self._tape.ids[leaf] for leaf in self._inputs.others])
        self._levels: Levels | None = None
        self.run = self._compile()

    @property
    def graph(self) -> Graph:
        """Return the graph that is run."""
        return self._inputs.graph

    def step(self, values: Array) -> tuple[float, Array]:
        """Run once on an array, for training; returns the root's value and the gradients."""
        import numpy

        if self._levels is not None:
            return self._levels.run(values, self._inputs.other_start)
        number, grads = self.run(values.tolist())
        return number, numpy.array(grads)

    def batch(self, values: ArrayLike, others: ArrayLike | None = None) -> tuple[Array, Array]:
        """Run once for each sample; returns the root's value for each, and the gradients.

        `values` are the numbers of the leaves in `wrt`, `others` those of the other leaves: an
        array with a row for each sample, or a single row that all samples share. The gradients have
        a row for each sample as well; those of shared values are summed over the samples. They
        agree with `run` to 1e-12.
        """
        import numpy

        from engine.compiled.arrays import batch_backward

        rows = self._over_samples(values, others)
        grads = batch_backward(self._tape, rows, self._inputs.wanted)[self._inputs.wanted]
        return rows[self._tape.root], grads.T if numpy.ndim(values) == 2 else grads.sum(axis=1)

    def batch_values(self, values: ArrayLike, others: ArrayLike | None = None) -> Array:
        """Return the root's value for each sample, as `batch` does, without the gradients."""
        return self._over_samples(values, others)[self._tape.root]

    def _over_samples(self, values: ArrayLike, others: ArrayLike | None) -> Array:
        """Return the rows of all values: a column for each sample."""
        import numpy

        from engine.compiled.arrays import batch_forward

        tape, inputs = self._tape, self._inputs
        given = [
            numpy.asarray(values, float),
            numpy.asarray(inputs.other_start if others is None else others, float),
        ]
        samples = {len(array) for array in given if array.ndim == 2}
        if len(samples) != 1:
            raise EngineError("A batch needs arrays with the same number of rows, one per sample.")
        rows = numpy.empty((len(tape), samples.pop()))
        rows[:] = numpy.array(tape.start)[:, None]
        for array, leaves in zip(given, (inputs.wanted, inputs.others), strict=True):
            if array.ndim not in (1, 2) or array.shape[-1] != len(leaves):
                raise EngineError(
                    "A row has {needed} values, not {given}.",
                    needed=len(leaves),
                    given=array.shape[-1] if array.ndim else 1,
                )
            rows[leaves] = array.T if array.ndim == 2 else array[:, None]
        return batch_forward(tape, rows)

    def source(self) -> str:
        """Return the program as straight-line source, with the labels of the nodes as comments."""
        if len(self._tape.steps) > SOURCE_LIMIT:
            raise EngineError(
                "The source of more than {limit:,} operations is not shown.", limit=SOURCE_LIMIT
            )
        return "\n".join([self._with_label(line) for line in self._source().splitlines()])

    def _with_label(self, line: str) -> str:
        """Return a line of source with the labels of the nodes that it assigns to."""
        found = _ASSIGNMENT.match(line)
        target = found[1] if found else ""
        labels = [self.graph.label(int(node)) for node in re.findall(r"[vg](\d+)", target)]
        if not target or not all(labels):
            return line
        if target.startswith("g"):
            return f"{line}  # gradient of {', '.join(labels)}"
        return f"{line}  # {', '.join(labels)}"

    def _source(self) -> str:
        return _SourceWriter(self._tape, self._inputs.wanted, self._inputs.others).write()

    @cached_property
    def _terms(self) -> Terms:
        from engine.compiled.levels import rewrite

        return rewrite(self._tape, self._inputs.wanted)

    def _fastest_tier(self, runs: int) -> Tier:
        """Return the tier with the lowest total time for this many runs."""
        ops = len(self._tape.steps)
        costs: dict[Tier, float] = {"tape": ops * (TAPE_SECONDS[0] + runs * TAPE_SECONDS[1])}
        if ops <= SOURCE_MAX_OPS:
            costs["source"] = ops * (SOURCE_SECONDS[0] + runs * SOURCE_SECONDS[1])
        if ops > LEVELS_MIN_OPS:
            levels = int(self._terms.level.max())
            costs["levels"] = (
                ops * (LEVELS_SECONDS[0] + runs * LEVELS_SECONDS[1])
                + runs * levels * SECONDS_PER_LEVEL
            )
        return min(costs, key=lambda tier: costs[tier])

    def _compile(self) -> Run:
        """Compile the chosen tier."""
        if self.tier == "tape":
            return partial(_run_tape, self._tape, self._inputs)
        if self.tier == "source":
            return compile_source(self._source(), self._inputs.read, len(self.wrt))
        from engine.compiled.levels import Levels

        wanted, others = self._inputs.wanted, self._inputs.others
        self._levels = Levels(self._tape, self._terms, wanted, others)
        del self._terms  # no longer needed, and as large as the graph
        return partial(_run_levels, self._levels, self._inputs)


def _run_tape(
    tape: Tape, inputs: ProgramInputs, values: Values | None = None
) -> tuple[float, tuple[float, ...]]:
    given, other_start = inputs.read(values)
    start = list(tape.start)
    for place, number in zip((*inputs.wanted, *inputs.others), (*given, *other_start), strict=True):
        start[place] = number
    numbers, grads = tape.run(start)
    return numbers[tape.root], tuple([grads[place] for place in inputs.wanted])


def _run_levels(
    levels: Levels, inputs: ProgramInputs, values: Values | None = None
) -> tuple[float, tuple[float, ...]]:
    number, grads = levels.run(*inputs.read(values))
    return number, tuple(grads.tolist())


Numbers = Sequence[float]
ReadInputs = Callable[[Any], tuple[Numbers, Numbers]]
"""Returns the values of wanted and of other leaves, from any argument of `Program.run`."""
Compiled = Callable[..., tuple[float, tuple[float, ...]]]
"""Returns the root's value and the gradients of the wanted leaves."""

MAX_DEPTH = 30
"""Maximum nesting of an expression; Python's compiler has limits of its own."""

FAST_LOCALS = 254
"""Python accesses the first 256 local variables of a function faster than the rest.

Two of them are `values` and `others`.
"""

CONDITION, SUM, PRODUCT, SIGN, ATOM = range(5)
"""Binding strength of a piece of source, from the loosest: `a if b else c`, a + b, a · b, −a, a."""


class SourceText(NamedTuple):
    """A piece of source, its binding strength, and its nesting depth (0: a name or a number)."""

    text: str
    binds: int = ATOM
    depth: int = 0

    def within(self, binds: int) -> str:
        """Return the text, in brackets if it binds less tightly than `binds`."""
        return self.text if self.binds >= binds else f"({self.text})"

    @property
    def negated(self) -> str | None:
        """Return the text without the minus sign it begins with; None if it has none."""
        return self.text[1:] if self.binds >= PRODUCT and self.text.startswith("-") else None


def compile_source(source: str, read: ReadInputs, count: int) -> Compiled:
    """Compile the source; `read` converts any argument but a list of `count` values.

    A list is used without a call of `read`, which is faster.
    """
    # in place of the first line of `source`: this function takes any argument of `Program.run`
    header = [
        "def program(values=None):",
        "    others = default_others",
        f"    if type(values) is not list or len(values) != {count}:",
        "        values, others = read(values)",
    ]
    namespace: dict[str, Compiled] = {}
    default_others = read(None)[1]
    constants = {"inf": math.inf, "nan": math.nan}
    names = {**FLOAT_FUNCTIONS, **constants, "read": read, "default_others": default_others}
    text = "\n".join([*header, *_with_fast_names(source.splitlines()[1:])])
    exec(compile(text, "<program>", "exec"), names, namespace)  # only generated names and numbers
    return namespace["program"]


def _with_fast_names(lines: list[str]) -> list[str]:
    """Reuse the FAST_LOCALS fastest variables: each is free again after its value is read last.

    This is register allocation by linear scan (Poletto and Sarkar 1999). Where more values are
    alive than there are fast variables, those that stay alive longest get variables of their own.
    """
    pieces = [_VARIABLE.split(line) for line in lines]  # text and names in turns
    last = {name: k for k, line in enumerate(pieces) for name in line[1::2]}  # the last use
    if len(last) <= FAST_LOCALS:
        return lines
    fast = [f"r{k}" for k in range(FAST_LOCALS)]
    # Python numbers local variables in order of appearance, also in a branch that is never taken
    header = ["    if False:", f"        {' = '.join(fast)} = 0.0"]
    fast_name: dict[str, str] = {}
    alive: list[tuple[int, str]] = []  # a heap; the value that stays alive longest is first
    seen: set[str] = set()
    for k, line in enumerate(pieces):
        names = dict.fromkeys(line[1::2])
        fast += [fast_name[name] for name in names if name in fast_name and last[name] == k]
        for name in [name for name in names if name not in seen]:
            seen.add(name)
            if fast:
                fast_name[name] = fast.pop()
                heappush(alive, (-last[name], name))
                continue
            longest = heappushpop(alive, (-last[name], name))[1]
            if longest != name:
                fast_name[name] = fast_name.pop(longest)
    return [*header, *["".join([fast_name.get(piece, piece) for piece in line]) for line in pieces]]


class _SourceWriter:
    """Writes one program; `values` and `grads` hold the text by which each place is read."""

    def __init__(self, tape: Tape, wanted: Sequence[int], others: Sequence[int]) -> None:
        self.tape = tape
        self.wanted = wanted
        self.others = others
        self.needs_grad = tape.depends_on(wanted)
        self.varies = tape.depends_on(tape.leaves)
        self.numbers = tape.start if all(self.varies) else tape.run(tape.start)[0]
        self.uses = [0] * len(tape)  # by the values of other places
        self.read_by_slope = [False] * len(tape)
        self.contributions = [0] * len(tape)
        self.values: list[SourceText] = []
        self.grads: dict[int, SourceText] = {}
        self.lines: list[str] = []
        for place in range(len(tape) - 1, -1, -1):
            self._count_uses(place)

    def write(self) -> str:
        """Unpack the leaves, compute the values, then the gradients, and return both."""
        self._unpack(self.wanted, "values")
        self._unpack(self.others, "others")
        for place in range(len(self.tape)):
            self.values.append(self._value(place))
        self.grads[self.tape.root] = SourceText(ONE)
        for place in range(self.tape.root, -1, -1):
            for slot, source in enumerate(self.tape.inputs(place)):
                if self.needs_grad[source]:
                    self._add_contribution(source, self._contribution(place, slot))
        grads = _tuple(self.grads[place].text for place in self.wanted)
        self.lines.append(f"return {self.values[self.tape.root].text}, {grads}")
        return "\n    ".join(["def program(values, others):", *self.lines]) + "\n"

    def _count_uses(self, place: int) -> None:
        """Count the uses of the inputs of a step, by its value and by its local derivatives."""
        inputs = self.tape.inputs(place)
        if not inputs:
            return
        op = OPS[self.tape.codes[place]]
        text = TEXTS[op.name]
        for slot, (letter, source) in enumerate(zip(op.slots, inputs, strict=True)):
            self.uses[source] += text.forward.count(f"{{{letter}}}")
            if self.needs_grad[source]:
                self.contributions[source] += 1
                slope = text.slopes[slot]
                self.read_by_slope[place] |= "{out}" in slope
                for name, other in zip(op.slots, inputs, strict=True):
                    self.read_by_slope[other] |= f"{{{name}}}" in slope

    def _unpack(self, leaves: Sequence[int], name: str) -> None:
        if leaves:
            self.lines.append(f"{_tuple(self._name('v', leaf) for leaf in leaves)} = {name}")

    def _name(self, letter: str, place: int) -> str:
        return f"{letter}{self.tape.ids[place]}"

    def _value(self, place: int) -> SourceText:
        """Return the text of a value: a literal, a variable, or an expression to be inlined."""
        if not self.varies[place]:
            return _number(self.numbers[place])
        inputs = self.tape.inputs(place)
        if not inputs:
            return SourceText(self._name("v", place))
        op = OPS[self.tape.codes[place]]
        parts = [self.values[source] for source in inputs]
        template = _resolve_condition(
            TEXTS[op.name].forward, dict(zip(op.slots, parts, strict=True))
        )
        # `needs`: how tightly each input has to bind, else it gets brackets
        binds, *needs = _BINDS.get(op.name, (_binding_strength(template), *[ATOM] * len(inputs)))
        names = {
            letter: part.within(need)
            for letter, part, need in zip(op.slots, parts, needs, strict=True)
        }
        depth = 1 + max(part.depth for part in parts)
        text = SourceText(template.format_map(names), binds, depth)
        is_reused = self.read_by_slope[place] or self.uses[place] != 1 or place == self.tape.root
        return self._line("v", place, text) if is_reused or depth >= MAX_DEPTH else text

    def _add_contribution(self, place: int, contribution: SourceText) -> None:
        """Add a contribution to the gradient of a place."""
        before = self.grads.get(place)
        name = self._name("g", place)
        if before is not None and before.text == name:
            sign, text = (
                ("-", contribution.negated) if contribution.negated else ("+", contribution.text)
            )
            self.lines.append(f"{name} {sign}= {text}")
            return
        leaf = self.tape.codes[place] < 0
        if before is None and leaf:
            before = SourceText("0.0")  # as in a trace, where 0.0 + −0.0 makes a gradient 0.0
        text = contribution if before is None else _sum(before, contribution)
        # the gradient is read once for each contribution that this place sends on
        readers = sum(self.needs_grad[source] for source in self.tape.inputs(place))
        is_reused = self.contributions[place] > 1 or readers != 1
        needs_name = leaf or (is_reused and text.depth > 0) or text.depth >= MAX_DEPTH
        self.grads[place] = self._line("g", place, text) if needs_name else text

    def _contribution(self, target: int, slot: int) -> SourceText:
        """Return upstream × local derivative along a slot of a node."""
        upstream = self.grads[target]
        op = OPS[self.tape.codes[target]]
        template = TEXTS[op.name].slopes[slot]
        if template == ONE:
            return upstream
        if template == MINUS_ONE:
            return SourceText(f"-{upstream.within(SIGN)}", SIGN, upstream.depth + 1)
        inputs = zip(op.slots, self.tape.inputs(target), strict=True)
        parts = {letter: self.values[source] for letter, source in inputs}
        parts["out"] = self.values[target]
        template = _resolve_condition(template, parts)
        names = {letter: part.text for letter, part in parts.items()}
        local = SourceText(template.format_map(names), _binding_strength(template), 1)
        if upstream.text == ONE:
            return local
        # (1 if x else 0) as local derivative: one of the factors is 1 and needs no product
        if branches := _BRANCHES.fullmatch(local.text):
            if upstream.depth > 0:
                upstream = self.grads[target] = self._line("g", target, upstream)
            yes, no = (_times(upstream.text, factor) for factor in branches.group(1, 3))
            return SourceText(f"{yes} if {branches[2]} else {no}", CONDITION, 1)
        text = f"{upstream.within(PRODUCT)} * {local.within(SIGN)}"
        return SourceText(text, PRODUCT, upstream.depth + 1)

    def _line(self, letter: str, place: int, text: SourceText) -> SourceText:
        """Assign a text to a new variable; returns the variable."""
        name = self._name(letter, place)
        self.lines.append(f"{name} = {text.text}")
        return SourceText(name)


# binding strength of an operation, and that required of its inputs
_BINDS = {
    "add": (SUM, SUM, PRODUCT),
    "sub": (SUM, SUM, PRODUCT),
    "mul": (PRODUCT, PRODUCT, SIGN),
    "neg": (SIGN, SIGN),
}
_VARIABLE = re.compile(r"\b([vg]\d+)\b")
"""The variable of a value or of a gradient: v3, g3."""
_CONDITIONAL = re.compile(r"(.+) if \{(\w+)\} else (.+)")
"""A template whose condition is a letter alone, such as the divisor of `div`."""
_BRANCHES = re.compile(r"(\S+) if (\S+ \S+ \S+) else (\S+)")
"""A choice between two names or numbers by a comparison: 1.0 if v3 > 0.0 else 0.0."""
_LITERAL = re.compile(r"-?(\d.*|inf|nan)")


def _resolve_condition(template: str, parts: Mapping[str, SourceText]) -> str:
    """Return the branch of a conditional on a literal; any other text as it is."""
    choice = _CONDITIONAL.fullmatch(template)
    if choice is None or not _LITERAL.fullmatch(parts[choice[2]].text):
        return template
    return choice[1] if float(parts[choice[2]].text) else choice[3]


@cache  # of the few templates of OpText
def _binding_strength(template: str) -> int:
    if re.fullmatch(r"\w+\([^()]*\)", template):
        return ATOM
    if re.fullmatch(r"\{\w+\}", template):
        return SIGN  # it may be a negative number
    return PRODUCT if re.fullmatch(r"\S+ / \S+", template) else CONDITION


def _sum(a: SourceText, b: SourceText) -> SourceText:
    """Add a term to a name or a number; a - b has the bits of a + -b."""
    text = f"{a.text} - {b.negated}" if b.negated else f"{a.text} + {b.within(PRODUCT)}"
    return SourceText(text, SUM, 1 + max(a.depth, b.depth))


def _times(upstream: str, factor: str) -> str:
    return upstream if factor == ONE else f"{upstream} * {factor}"


def _number(value: float) -> SourceText:
    return SourceText(repr(value), SIGN if repr(value).startswith("-") else ATOM)


def _tuple(names: Iterable[str]) -> str:
    found = list(names)
    return f"({found[0]},)" if len(found) == 1 else f"({', '.join(found)})"
