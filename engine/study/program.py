"""The program of a backward pass, line by line, and the lines that a mistake writes otherwise.

It is written in the manner of micrograd, with three operations for all. A mistake replaces some of
its lines by others; to mend it is to write the right ones again.

>>> from engine.rules import BY_NAME
>>> [line.text for line in program(BY_NAME["no-seed"]) if line.wrong]
['    pass  # no seed']
>>> wrong_and_right(BY_NAME["no-seed"])[1]
('    root.grad = 1.0',)
"""

from msgspec import Struct

from engine.rules import Rules


class Line(Struct, frozen=True):
    """One line of the program, what it is for, and whether a mistake has written it."""

    text: str
    purpose: str = ""
    wrong: bool = False


PROGRAM: tuple[Line, ...] = (
    Line("def send(v, contribution):"),
    Line("    v.grad += contribution", "adds a contribution to what the node holds already"),
    Line("# c = a + b"),
    Line("send(a, c.grad)", "sends the gradient of a sum on to its first summand as it is"),
    Line("send(b, c.grad)", "sends the gradient of a sum on to its second summand as it is"),
    Line("# c = a * b"),
    Line("send(a, c.grad * b.data)", "multiplies by the other factor, the slope along a"),
    Line("send(b, c.grad * a.data)", "multiplies by the other factor, the slope along b"),
    Line("# c = a / b"),
    Line("send(a, c.grad / b.data)", "multiplies by 1 ÷ b, the slope along a"),
    Line("send(b, -c.grad * c.data / b.data)", "multiplies by −a ÷ b², the slope along b"),
    Line("def backward(root):"),
    Line("    for v in topo: v.grad = 0.0", "zeroes every gradient before the pass"),
    Line("    root.grad = 1.0", "gives the root its seed"),
    Line("    for v in reversed(topo):", "takes each node after all that it feeds"),
    Line("        v._backward()", "lets the node send along each of its wires"),
)


def wrong_and_right(rules: Rules) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the lines that a mistake writes, and the right ones; those in both are left out."""
    wrong, right = rules.code.splitlines(), rules.right.splitlines()
    return (
        tuple(line for line in wrong if line.strip() not in _stripped(right)),
        tuple(line for line in right if line.strip() not in _stripped(wrong)),
    )


def program(rules: Rules) -> tuple[Line, ...]:
    """Return the whole program as it is written under these rules."""
    if not rules.right:
        return PROGRAM
    right, wrong = rules.right.splitlines(), wrong_and_right(rules)[0]
    texts = [line.text for line in PROGRAM]
    first = next(k for k in range(len(texts)) if texts[k : k + len(right)] == right)
    written = tuple(
        Line(text, "lets the node send along each of its wires" if text not in wrong else "",
             wrong=text in wrong)
        for text in rules.code.splitlines()
    )  # fmt: skip
    return (*PROGRAM[:first], *written, *PROGRAM[first + len(right) :])


def _stripped(lines: list[str]) -> set[str]:
    return {line.strip() for line in lines}
