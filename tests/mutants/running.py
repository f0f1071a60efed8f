"""Mutants of Value, the tape, the quick ways, and what is built on a pass."""

from tests.mutants.mutant import Mutant, faults

MUTANTS: tuple[Mutant, ...] = (
    *faults(
        "value.py",
        ("for node in reversed(_order(self)):", "for node in _order(self):"),
        ("        self.grad = 1.0\n        for", "        for"),
        ("_node(self.data - b.data, _SUB, self, b)", "_node(self.data - b.data, _SUB, b, self)"),
        ("_node(self.data * b.data, _MUL, self, b)", "_node(self.data * b.data, _ADD, self, b)"),
        (
            "(a := _value(other)) is None else a - self",
            "(a := _value(other)) is None else self - a",
        ),
        (
            "(a := _value(other)) is None else a / self",
            "(a := _value(other)) is None else self / a",
        ),
        ("return _node(-self.data, _NEG, self)", "return _node(-self.data, _SUB, self)"),
        ("CONSTANT if type(node) is Number else", "LEAF if type(node) is Number else"),
    ),
    *faults(
        "tape.py",
        ("        grads[self.root] = 1.0\n", ""),
        ("reversed(self.steps)", "self.steps"),
        ("if step[1] <= self.root]", "if step[1] < self.root]"),
        ("found[first] or found[second] or found[third]", "found[first] or found[second]"),
        ("LEAF if isinstance(found, Leaf) else CONSTANT", "LEAF"),
    ),
    *faults(
        "quick.py",
        ("if trace.arrivals[event.node][0] < place:", "if True:"),
        ("grads[event.node] = event.before", "grads[event.node] = event.after"),
        ("range(before.cursor - 1, k - 1, -1)", "range(before.cursor - 1, k, -1)"),
        ("and 0 < k < len(trace)", "and k < len(trace)"),
    ),
    *faults(
        "descent.py",
        ("- loop.rate * loop.grads[node]", "+ loop.rate * loop.grads[node]"),
        ("grad + found.get(n, 0.0)", "found.get(n, 0.0)"),
        ("update(backward(forward(zero_grad(loop))))", "update(backward(forward(loop)))"),
        ("for node in loop.chosen\n        if", "for node in loop.grads\n        if"),
    ),
    *faults(
        "unfold.py",
        ('("add", "a", ("mul", "b", -1.0))', '("add", "b", ("mul", "a", -1.0))'),
        ('("pow", "a", 0.5)', '("pow", "a", -0.5)'),
        ("if part not in self._known:", "if True:"),
        ("users <= self.inner | {top} and", "True and"),
        ("(top or not found.label)", "True"),
    ),
    *faults(
        "paths.py",
        ("product *= slope", "product += slope"),
        ("found[node] + found[target], ", "found[target], "),
        ("min(found[node] + found[target], COUNT_LIMIT)", "found[node] + found[target]"),
    ),
)
