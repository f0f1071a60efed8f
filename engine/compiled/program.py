"""Program: a graph compiled for many runs, as when a number is varied or a plane is sampled.

>>> from engine import Program, from_expression
>>> program = Program(from_expression("(a*b + a) * f", {"a": 2, "b": -3, "f": -2}))
>>> program.run({"a": 3.0})
(12.0, (4.0, -6.0, -6.0))

What runs is a Python function, written and compiled at the first run: a line for each value, then a
line for each contribution to a gradient, in the order of a trace, whose numbers it gives bit for
bit. `source` is the same text with `math` alone, to be run anywhere:

>>> print(program.source())
def program(values=(2.0, -3.0, -2.0)):
    v1, v2, v5 = values  # a, b, f
    v3 = v1 * v2
    v4 = v3 + v1
    v6 = v4 * v5
    g5 = 0.0 + v4  # gradient of f
    g1 = 0.0 + v5  # gradient of a
    g1 += v5 * v2  # gradient of a
    g2 = 0.0 + v5 * v1  # gradient of b
    return v6, (g1, g2, g5)
<BLANKLINE>
<BLANKLINE>
print(program())

Two things keep it short: a node that depends on no wanted leaf gets no gradient, and a gradient
that equals another one, as behind a `+`, uses that one's name.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING

from engine.errors import EngineError
from engine.graph import Constant, Graph, Leaf, OpNode
from engine.ops import Op
from engine.problems import check_formulas
from engine.trace import resolve
from engine.value import Value, graph_and_values
from engine.writers import FLOAT_FUNCTIONS, FLOATS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from engine.compiled.arrays import Array

Values = Mapping[str, float] | Mapping[int, float] | Sequence[float]
Compiled = Callable[[Sequence[float], Sequence[float]], tuple[float, tuple[float, ...]]]
"""The values of the wanted and of the other leaves in, the root's value and the gradients out."""
Line = tuple[str, Sequence[int]]
"""A line of source, and the nodes whose value or gradient it assigns."""

SOURCE_LIMIT = 2_000
"""Largest number of operations of which the source is shown."""

COMPILED_LIMIT = 10_000
"""Largest number of operations that are compiled; larger graphs run as arrays of one sample.

Python's compiler takes 35 µs and 1.3 kB for each operation, so seconds and much memory beyond.
"""


class Program:
    """A root and its ancestors, compiled for the gradients of some of its leaves.

    `wrt` (with respect to) are the leaves whose values are given and whose gradients are returned:
    by name, by id, or as Values if the graph is one; by default all that lead to the root. `others`
    are the other leaves that lead to the root. Each run begins with all gradients at zero.
    """

    def __init__(
        self, graph: Graph | Value, wrt: Iterable[str | int | Value] | None = None
    ) -> None:
        ids: dict[Value, int] = {}
        if isinstance(graph, Value):
            graph, values = graph_and_values(graph)
            ids = {value: node for node, value in enumerate(values, 1)} if wrt is not None else ids
        self.graph = graph
        self._root = resolve(graph, None)
        self._order = graph.plan(self._root).order
        check_formulas(graph, self._order, "There is no program without it.")
        leaves = [node for node in self._order if isinstance(graph.nodes[node], Leaf)]
        self.wrt = tuple(leaves if wrt is None else [self._wanted(leaf, ids) for leaf in wrt])
        if len(set(self.wrt)) < len(self.wrt):
            raise EngineError("A leaf is wanted twice.")
        self.others = tuple([leaf for leaf in leaves if leaf not in self.wrt])
        self.start = [graph.leaf_values[leaf] for leaf in self.wrt]
        """The values of the wanted leaves in the graph."""
        self._other_start = [graph.leaf_values[leaf] for leaf in self.others]

    def run(self, values: Values | None = None) -> tuple[float, tuple[float, ...]]:
        """Return the root's value, and the gradients in the order of `wrt`.

        The values are a sequence in that order, or a mapping by name or id of any leaves; missing
        ones are taken from the graph.
        """
        if isinstance(values, list) and len(values) == len(self.wrt):  # the fast way
            return self._compiled(values, self._other_start)
        return self._compiled(*self._read(values))

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
        grads = batch_backward(self.graph, self._order, rows, self.wrt)
        found = numpy.array([grads[leaf] for leaf in self.wrt]).reshape(len(self.wrt), -1)
        return rows[self._root], found.T if numpy.ndim(values) == 2 else found.sum(axis=1)

    def batch_values(self, values: ArrayLike, others: ArrayLike | None = None) -> Array:
        """Return the root's value for each sample, as `batch` does, without the gradients."""
        return self._over_samples(values, others)[self._root]

    def source(self) -> str:
        """Return the program as text that runs by itself, with the labels of nodes as comments.

        It calls the functions of `math`, which raise an error where ours give inf or nan, as at
        log(0). EngineError above SOURCE_LIMIT operations.
        """
        if self._operations > SOURCE_LIMIT:
            raise EngineError(
                "The source of more than {limit:,} operations is not shown.", limit=SOURCE_LIMIT
            )
        parameters = [f"values={_tuple(map(_literal, self.start))}"]
        if self.others:
            parameters.append(f"others={_tuple(map(_literal, self._other_start))}")
        lines = [f"def program({', '.join(parameters)}):"]
        lines += [f"    {self._with_label(*line)}" for line in self._lines(_python_texts)]
        head = ["import math", "", ""] if any("math." in line for line in lines) else []
        return "\n".join([*head, *lines, "", "", "print(program())"])

    def _with_label(self, line: str, nodes: Sequence[int]) -> str:
        """Return a line with the labels of the nodes that it assigns to, if all have one."""
        labels = [self.graph.label(node) for node in nodes]
        if not labels or not all(labels):
            return line
        named = ", ".join(labels)
        return f"{line}  # gradient of {named}" if line.startswith("g") else f"{line}  # {named}"

    def _wanted(self, leaf: str | int | Value, ids: Mapping[Value, int]) -> int:
        """Return the id of a wanted leaf; `ids` are those of the Values."""
        node = ids.get(leaf) if isinstance(leaf, Value) else self._leaf(leaf)
        if node is None or node not in self.graph.plan(self._root).turns:
            raise EngineError("{leaf} does not lead to the root, so it has no gradient.", leaf=leaf)
        if not isinstance(self.graph.nodes[node], Leaf):
            raise EngineError("{leaf} is no leaf.", leaf=leaf)
        return node

    def _leaf(self, key: str | int) -> int:
        """Return the id of a leaf given by name or id."""
        node = self.graph.node_named(key) if isinstance(key, str) else key
        if node is None or not isinstance(self.graph.nodes.get(node), Leaf):
            raise EngineError("There is no leaf {key}.", key=key)
        return node

    def _read(self, values: Values | None) -> tuple[Sequence[float], Sequence[float]]:
        """Return the values of wanted and other leaves, by default those of the graph."""
        if values is None:
            return self.start, self._other_start
        if isinstance(values, Mapping):
            given = {self._leaf(key): float(number) for key, number in values.items()}
            known = self.graph.leaf_values | given
            return [known[leaf] for leaf in self.wrt], [known[leaf] for leaf in self.others]
        if len(values) != len(self.wrt):
            raise EngineError(
                "{needed} values are needed, not {given}.", needed=len(self.wrt), given=len(values)
            )
        return [float(number) for number in values], self._other_start

    @cached_property
    def _awaited(self) -> Counter[int]:
        """Return the number of contributions to each node that depends on a wanted leaf."""
        found = self.graph.structure.depending(self._order, self.wrt)
        sends = (source for node in found for source in self.graph.inputs(node))
        return Counter(source for source in sends if source in found)

    @cached_property
    def _operations(self) -> int:
        return sum(isinstance(self.graph.nodes[node], OpNode) for node in self._order)

    @cached_property
    def _compiled(self) -> Compiled:
        if self._operations > COMPILED_LIMIT:
            return self._one_sample
        lines = [
            "def program(values, others):",
            *(line for line, _nodes in self._lines(_float_texts)),
        ]
        namespace: dict[str, Compiled] = {}
        names = {**FLOAT_FUNCTIONS, "math": math}
        # exec is safe: the text has generated names, numbers and formulas of the operation table
        exec(compile("\n    ".join(lines), "<program>", "exec"), names, namespace)
        return namespace["program"]

    def _one_sample(
        self, values: Sequence[float], others: Sequence[float]
    ) -> tuple[float, tuple[float, ...]]:
        """Run as arrays over a single sample."""
        found, grads = self.batch([values], [others])
        return float(found[0]), tuple(grads[0].tolist())

    def _over_samples(self, values: ArrayLike, others: ArrayLike | None) -> dict[int, Array]:
        """Return the value of each node for each sample."""
        import numpy

        from engine.compiled.arrays import batch_forward

        given = [
            numpy.asarray(values, float),
            numpy.asarray(self._other_start if others is None else others, float),
        ]
        samples = {len(array) for array in given if array.ndim == 2}
        if len(samples) != 1:
            raise EngineError("A batch needs arrays with the same number of rows, one per sample.")
        size = samples.pop()
        rows: dict[int, Array] = {}
        for array, leaves in zip(given, (self.wrt, self.others), strict=True):
            if array.ndim not in (1, 2) or array.shape[-1] != len(leaves):
                raise EngineError(
                    "A row has {needed} values, not {given}.",
                    needed=len(leaves),
                    given=array.shape[-1] if array.ndim else 1,
                )
            rows.update(zip(leaves, numpy.broadcast_to(array, (size, len(leaves))).T, strict=True))
        return batch_forward(self.graph, self._order, rows, size)

    def _lines(self, texts: Callable[[Op], tuple[str, ...]]) -> Iterator[Line]:
        """Yield the lines of the function; `texts` are those of an operation."""
        for leaves, parameter in ((self.wrt, "values"), (self.others, "others")):
            if leaves:
                comma = "," if len(leaves) == 1 else ""
                yield f"{', '.join(f'v{leaf}' for leaf in leaves)}{comma} = {parameter}", leaves
        values = {node: self._value(node) for node in self._order}
        backward = list[tuple[int, list[str]]]()
        for node in self._order:
            if isinstance(self.graph.nodes[node], OpNode):
                op, inputs = self.graph.op(node), self.graph.inputs(node)
                letters = {"out": values[node]}
                letters |= zip(op.slots, (values[n] for n in inputs if n is not None), strict=True)
                forward, *slopes = [_filled(text, letters) for text in texts(op)]
                yield f"v{node} = {forward}", (node,)
                backward.append((node, slopes))
        grads = {self._root: ONE}
        for node, slopes in reversed(backward):
            for source, slope in zip(self.graph.inputs(node), slopes, strict=True):
                if source is not None and source in self._awaited:
                    yield from self._contribution(source, _times(grads[node], slope), grads)
        yield f"return {values[self._root]}, {_tuple(grads[leaf] for leaf in self.wrt)}", ()

    def _value(self, node: int) -> str:
        """Return the name of a value, or the number of a constant."""
        found = self.graph.nodes[node]
        if not isinstance(found, Constant):
            return f"v{node}"
        text = _literal(found.value)
        return f"({text})" if text.startswith("-") else text

    def _contribution(self, node: int, text: str, grads: dict[int, str]) -> Iterator[Line]:
        """Yield the line that adds a contribution to a gradient; `grads` are the names of all."""
        name = f"g{node}"
        sign, size = ("-", text[1:]) if text.startswith("-") else ("+", text)
        if node in grads:
            yield f"{name} {sign}= {size}", (node,)
        elif isinstance(self.graph.nodes[node], Leaf):
            # as in a trace, where 0.0 + −0.0 makes the gradient of a leaf 0.0
            grads[node] = name
            yield f"{name} = 0.0 {sign} {size}", (node,)
        elif self._awaited[node] == 1 and (text.isidentifier() or size == ONE):
            grads[node] = text
        else:
            grads[node] = name
            yield f"{name} = {text}", (node,)


ONE = "1.0"
"""The text of the seed."""
_UNITS = {"1": "", "1.0": "", "-1": "-", "-1.0": "-"}
"""Local derivatives that are no factor, and the sign that they leave."""
_CONDITIONAL = re.compile(r"(.+) if \{(\w)\} else (.+)")
"""A choice by a letter alone, as by the divisor of `div`."""
_ATOM = re.compile(r"[\w.]+(\([^()]*\))?|\([^()]*\)")
"""A name, a number or one call: text that needs no brackets in a product."""


@cache
def _float_texts(op: Op) -> tuple[str, ...]:
    """Return value and local derivatives by our functions of floats, letters in braces."""
    return tuple(_template(op, FLOATS.write(text)) for text in (op.value, *op.derivatives))


@cache
def _python_texts(op: Op) -> tuple[str, ...]:
    """Return value and local derivatives by `math` alone, letters in braces."""
    return tuple(_template(op, text) for text in op.python)


def _template(op: Op, text: str) -> str:
    return re.sub(rf"\b({'|'.join((*op.slots, 'out'))})\b", r"{\1}", text)


def _times(upstream: str, slope: str) -> str:
    """Return the text of upstream × local derivative."""
    if slope in _UNITS:
        return f"{_UNITS[slope]}{upstream}".removeprefix("--")
    factor = slope if _ATOM.fullmatch(slope) else f"({slope})"
    product = f"{upstream} * {factor}"  # but ±1.0 × local derivative is ±local derivative
    return re.sub(rf"^(-?){ONE} \* ", r"\1", product)


def _filled(template: str, letters: Mapping[str, str]) -> str:
    """Return a template with its letters; a condition on a number alone is decided."""
    choice = _CONDITIONAL.fullmatch(template)
    if choice and not (number := letters[choice[2]].strip("()")).startswith(("v", "-v", "math")):
        template = choice[1] if float(number) else choice[3]
    return template.format_map(letters)


def _literal(value: float) -> str:
    """Return a number as it is written in Python."""
    return repr(value) if math.isfinite(value) else re.sub("(inf|nan)", r"math.\1", repr(value))


def _tuple(texts: Iterable[str]) -> str:
    found = list(texts)
    return f"({found[0]},)" if len(found) == 1 else f"({', '.join(found)})"
