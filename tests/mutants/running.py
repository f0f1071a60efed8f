"""Mutants of Value, the tape, the quick ways, and what is built on a pass."""

from tests.mutants.mutant import Mutant, faults

MUTANTS: tuple[Mutant, ...] = (
    *faults(
        "value.py",
        ("Value.backward", "reversed(_order(self))", "_order(self)"),
        ("Value.backward", "self.grad = 1.0", "pass"),
        (
            "Value.__sub__",
            "_node(self.data - b.data, _SUB, self, b)",
            "_node(self.data - b.data, _SUB, b, self)",
        ),
        ("Value.__mul__", "_MUL", "_ADD"),
        ("Value.__rsub__", "a - self", "self - a"),
        ("Value.__rtruediv__", "a / self", "self / a"),
        ("Value.__neg__", "_NEG", "_SUB"),
        ("lay_out", "CONSTANT", "LEAF"),
    ),
    *faults(
        "generated/tape.py",
        ("Tape.run", "grads[self.root] = 1.0", "pass"),
        ("Tape._steps_back", "reversed(self.steps)", "self.steps"),
        ("Tape._steps_back", "step[1] <= self.root", "step[1] < self.root"),
        (
            "Tape.wants",
            "found[first] or found[second] or found[third]",
            "found[first] or found[second]",
        ),
        ("lay_out", "LEAF if isinstance(found, Leaf) else CONSTANT", "LEAF"),
    ),
    *faults(
        "training/descent.py",
        (
            "update",
            "_value(loop.graph, node) - loop.rate * loop.grads[node]",
            "_value(loop.graph, node) + loop.rate * loop.grads[node]",
        ),
        ("backward", "grad + found.get(n, 0.0)", "found.get(n, 0.0)"),
        ("once", "zero_grad(loop)", "loop"),
        ("update", "loop.chosen", "loop.grads"),
    ),
    *faults(
        "study/unfold.py",
        ("", "('add', 'a', ('mul', 'b', -1.0))", "('add', 'b', ('mul', 'a', -1.0))"),
        ("", "0.5", "-0.5"),
        ("_Builder._part", "part not in self._known", "True"),
        ("_Match.is_closed", "users <= self.inner | {top}", "True"),
        ("_Match._fits_op", "top or not found.label", "True"),
    ),
    *faults(
        "study/paths.py",
        ("Path.product", "product *= slope", "product += slope"),
        ("count", "found[node] + found[target]", "found[target]"),
        ("count", "min(found[node] + found[target], COUNT_LIMIT)", "found[node] + found[target]"),
    ),
)
