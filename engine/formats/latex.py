"""LaTeX: the complete derivation of a graph's gradients.

First the values, each with its formula and its numbers; then, in firing order, each gradient as the
sum of its contributions, upstream × local derivative, and the local derivatives.

`write` returns a document, `write_fragment` the same in fewer lines, to be read into a document of
one's own by \\input; both need amsmath and nothing else.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from engine.errors import FormatError
from engine.filling import is_whole
from engine.formats.format import Format
from engine.formats.latex_symbols import escaped, renamed, symbols
from engine.graph import Constant, Graph, OpNode
from engine.numbers import ABOUT, DIGITS_WRITTEN, MINUS, is_rounded, short
from engine.order import is_only_way
from engine.problems import arguments, by_convention
from engine.study.masked import mask_sentences
from engine.trace import Event, Trace, run

_HEAD = r"""\documentclass{article}
\usepackage{amsmath}
\allowdisplaybreaks
\begin{document}
"""
_PLUS = r"\quad +"
_CONVENTION = r"\quad\text{by convention}"
_FRAGMENT_HEAD = r"% Read by \input into a document with \usepackage{amsmath}."
_IN_LINE = 2
"""Terms of a sum in a line of a column 8.5 cm wide."""
_ABOUT = r"{\approx}"
_PART = r"\partial^{+}"


def write(graph: Graph) -> str:
    """Return the derivation of the active root's gradients as a complete document."""
    return _derivation(graph).document()


def write_fragment(graph: Graph) -> str:
    """Return a short derivation of the active root's gradients, for a document that has amsmath."""
    return _derivation(graph).fragment()


def _derivation(graph: Graph) -> "_Derivation":
    if graph.root is None:
        raise FormatError("Choose a root first: the derivation is of its gradients.")
    return _Derivation(run(graph))


def number(value: float) -> str:
    """Return a number as formulas write it."""
    text = short(value, DIGITS_WRITTEN).replace(MINUS, "-").replace(ABOUT, _ABOUT)
    text = re.sub(r"e(-?\d+)$", lambda e: rf" \cdot 10^{{{int(e[1])}}}", text)
    return text.replace("inf", r"\infty").replace("nan", r"\text{nan}")


class _Derivation:
    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.graph = trace.graph
        self.root = trace.root
        self.plan = trace.graph.plan(trace.root)
        self.symbols = symbols(trace.graph)
        self.grads = trace.gradients

    def document(self) -> str:
        parts = [
            _HEAD,
            r"\section*{Values}",
            _aligned(self._values(self.plan.order)),
            r"\section*{Gradients}",
            _aligned(self._gradients()),
        ]
        parts += self._masks()
        if labels := list(self._labels()):
            parts[1:1] = [r"\section*{Labels}", *labels]
        local = [line for line, _explains in self._local_derivatives()]
        if local:
            parts += [r"\section*{Local derivatives}", _aligned(local)]
        parts += _part_note(local)
        return "\n".join([*parts, r"\end{document}", ""])

    def fragment(self) -> str:
        ops = [n for n in self.plan.order if isinstance(self.graph.nodes[n], OpNode)]
        given = [n for n in self.plan.order if n not in ops]
        numbers = [f"${line.replace('&', '')}$" for line in self._values(given)]
        parts = [_FRAGMENT_HEAD, *self._labels()]
        parts += [rf"\par\noindent {', '.join(numbers)}\par"] if numbers else []
        parts += [_aligned(self._values(ops))] if ops else []
        parts += [_aligned(self._short_gradients()), *self._masks()]
        local = list(self._local_derivatives())
        explained = [line for line, explains in local if explains]
        parts += [_aligned(explained)] if explained else []
        parts += _part_note(line for line, _explains in local)
        return "\n".join([*parts, ""])

    def _masks(self) -> list[str]:
        return [rf"\noindent {escaped(said)}\par" for said in mask_sentences(self.trace)]

    def _labels(self) -> Iterator[str]:
        """Yield the labels of nodes that formulas call by another name."""
        for node in renamed(self.graph, self.symbols):
            if node in self.plan.order:
                label = escaped(self.graph.label(node)).replace("]", r"]\allowbreak{}")
                yield rf"\noindent ${self.symbols[node]}$ is labelled {label}\par"

    def _values(self, nodes: Iterable[int]) -> Iterator[str]:
        for node in nodes:
            name, value = self._name(node), self.trace.values[node]
            if not isinstance(self.graph.nodes[node], OpNode):
                if not self._is_bare(node):
                    yield f"{name} &{_equal_to(value)}"
                continue
            formula = self.graph.op(node).latex
            with_names = self._filled(formula, node, self._operand)
            inputs = arguments(self.graph, node, self.trace.values)
            sign = _sign(inputs)
            with_numbers = self._filled(formula, node, self._number)
            begin = f"{name} &{self._names_sign(node, with_names)} {with_names}"
            yield f"{begin} {sign} {with_numbers} {_equal_to(value, inputs)}"

    def _gradients(self) -> Iterator[str]:
        """Yield the seed, then each receiving node in the order of its last contribution."""
        yield f"{self._partial(self.root, self.root)} &= 1"
        for node, terms, products, factors in self._sums():
            for k, term in enumerate(terms):
                yield f"&{_PLUS} {term}" if k else f"{self._partial(self.root, node)} &= {term}"
            for k, product in enumerate(products):
                yield f"&{_PLUS if k else _sign(factors)} {product}"
            yield f"&{_equal_to(self.grads[node], factors)}"

    def _short_gradients(self) -> Iterator[str]:
        """Yield the same with several terms in a line."""
        yield f"{self._partial(self.root, self.root)} &= 1"
        for node, terms, products, factors in self._sums():
            begin, sign = self._partial(self.root, node), _sign(factors)
            total = _equal_to(self.grads[node], factors)
            if len(terms) == 1:
                yield f"{begin} &= {terms[0]} {sign} {products[0]} {total}"
                continue
            rows = [" + ".join(row) for row in _rows(terms)]
            yield f"{begin} &= {rows[0]}"
            yield from (f"&{_PLUS} {row}" for row in rows[1:])
            rows = [" + ".join(row) for row in _rows(products)]
            for k, row in enumerate(rows):
                end = f" {total}" if row is rows[-1] else ""
                yield f"&{_PLUS if k else sign} {row}{end}"

    def _sums(self) -> Iterator[tuple[int, list[str], list[str], list[float]]]:
        """Yield each receiving node in the order of its last contribution, with its contributions.

        A contribution is upstream × local derivative, once with symbols and once with numbers; the
        factors of all of them come last.
        """
        events = self.trace.events
        last = sorted((places[-1], node) for node, places in self.trace.schedule.arrivals.items())
        for _place, node in last:
            arrived = [events[k] for k in self.trace.schedule.arrivals[node]]
            yield (
                node,
                [f"{self._partial(self.root, e.target)} \\cdot {self._slope(e)}" for e in arrived],
                [f"{_bracketed(e.upstream)} \\cdot {_bracketed(e.local)}" for e in arrived],
                [factor for e in arrived for factor in (e.upstream, e.local)],
            )

    def _local_derivatives(self) -> Iterator[tuple[str, bool]]:
        """Yield each local derivative, and whether its line says more than the number."""
        for event in self.trace.events:
            if event.kind == "contribution":
                text = self.graph.op(event.target).latex_slopes[event.slot]
                filled = self._filled(text, event.target, self._operand)
                slope = self._slope(event)
                if self._is_convention(event):
                    yield rf"{slope} &{_equal_to(event.local)} {_CONVENTION}", True
                elif filled == number(event.local):
                    yield f"{slope} &{_equal_to(event.local)}", False
                else:
                    rounded = self._rounded_in(event.target, filled)
                    sign = self._names_sign(event.target, filled)
                    yield f"{slope} &{sign} {filled} {_equal_to(event.local, rounded)}", True

    def _names_sign(self, node: int, formula: str) -> str:
        """Return the sign before a formula of a node with names, in which constants are numbers."""
        return _sign(self._rounded_in(node, formula))

    def _rounded_in(self, node: int, formula: str) -> list[float]:
        """Return the constants that stand, rounded, in a formula of a node."""
        bare = (s for s in self.graph.inputs(node) if s is not None and self._is_bare(s))
        values = (self.trace.values[source] for source in bare)
        return [x for x in values if is_rounded(x, DIGITS_WRITTEN) and number(x) in formula]

    def _is_convention(self, event: Event) -> bool:
        """Return whether the text of the local derivative does not give its number here."""
        return by_convention(self.graph, (event.target, event.slot), self.trace.values)

    def _name(self, node: int) -> str:
        return self._number(node) if self._is_bare(node) else self.symbols[node]

    def _operand(self, node: int) -> str:
        """Return a node for use beside operators, in brackets if its label is a formula."""
        name = self._name(node)
        is_label = name.startswith(r"\text") and not is_whole(self.graph.label(node))
        return f"({name})" if is_label else name

    def _is_bare(self, node: int) -> bool:
        """Return whether formulas show a node as a mere number."""
        constant = isinstance(self.graph.nodes[node], Constant)
        return constant and not self.graph.label(node) and node != self.root

    def _number(self, node: int) -> str:
        return _bracketed(self.trace.values[node])

    def _partial(self, of: int, by: int, sign: str = r"\partial") -> str:
        return rf"\frac{{{sign} {self._name(of)}}}{{\partial {self._name(by)}}}"

    def _slope(self, event: Event) -> str:
        """Return ∂target/∂slot; of a node connected twice, the derivative along this slot alone.

        If other paths lead there too, it is the part through this wire, ∂⁺target/∂slot.
        """
        if self.graph.inputs(event.target).count(event.node) > 1:
            slope = self._partial(event.target, event.node)
            return rf"\left.{slope}\right|_{{{event.slot + 1}}}"
        whole = is_only_way(event.target, event.slot, self.graph.inputs)
        return self._partial(event.target, event.node, r"\partial" if whole else _PART)

    def _filled(self, text: str, node: int, say: Callable[[int], str]) -> str:
        """Return a formula of an operation with names or numbers in place of its slots' letters."""
        said = [say(source) for source in self.graph.inputs(node) if source is not None]
        return self.graph.op(node).filled(text, said, _braced)


def _braced(said: str, before: str, after: str) -> str:
    """Return one thing for TeX, without brackets of its own where the formula has some."""
    enclosed = before.endswith("(") and after.startswith(")")
    return f"{{{said[1:-1] if enclosed and said.startswith('(') else said}}}"


def _bracketed(value: float) -> str:
    text = number(value)
    return f"({text})" if text.startswith(("-", "{")) or " " in text else text


def _sign(numbers: Iterable[float]) -> str:
    """Return the sign between two sides with these numbers: ≈ where one of them is rounded."""
    return r"\approx" if any(is_rounded(x, DIGITS_WRITTEN) for x in numbers) else "="


def _equal_to(value: float, others: Iterable[float] = ()) -> str:
    """Return the right side of a number, with its sign; `others` are those of the left side."""
    return f"{_sign((value, *others))} {number(value).removeprefix(_ABOUT)}"


def _rows(terms: list[str]) -> Iterator[list[str]]:
    """Yield the terms of a sum, as many as a line holds at a time."""
    for k in range(0, len(terms), _IN_LINE):
        yield terms[k : k + _IN_LINE]


def _part_note(local: Iterable[str]) -> list[str]:
    """Return what ∂⁺ means, if a local derivative is one."""
    if not any(_PART in line for line in local):
        return []
    return [f"${_PART}$ is the part through one wire alone: there are other ways, too."]


def _aligned(lines: Iterable[str]) -> str:
    body = " \\\\\n".join(lines)
    return f"\\begin{{align*}}\n{body}\n\\end{{align*}}"


FORMAT = Format("latex", "LaTeX derivation", (".tex",), write=write)
FRAGMENT = Format("latex-fragment", "LaTeX fragment", (".tex",), write=write_fragment)
