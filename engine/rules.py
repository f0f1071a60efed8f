"""Rules: the variable parts of a backward pass, for the correct one and for the classic mistakes.

These are the firing order, the local derivatives, += or =, the seed, and zeroing between passes. A
node fires when it sends its contributions, upstream gradient × local derivative, to its inputs. A
mistake is a `Rules` value with one wrong part, run by the same loop as the correct pass
(`engine.schedule`).

>>> from engine import from_expression
>>> graph = from_expression("y = a*b + a", {"a": 2, "b": 3})
>>> plan = graph.plan(graph.root)
>>> [graph.title(node) for node in CORRECT.firing_order(graph, plan)]  # v3 is a*b
['y', 'v3', 'b', 'a']
>>> [rules.name for rules in MISTAKES if not rules.accumulate]
['assign']

With = in place of +=, the contribution 3 of v3 to `a` replaces the 1 of y, where the sum is 4:

>>> from engine.trace import run
>>> [run(graph, rules=rules).gradients[1] for rules in (CORRECT, BY_NAME["assign"])]
[4.0, 3.0]
"""

import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.errors import EngineError
from engine.graph import Graph, Leaf, Plan, Wire
from engine.ops import Op, Rule

NodeOrder = Callable[[Graph, Plan], Iterator[int]]
"""Yields the nodes in firing order; a node may occur more than once."""


def reversed_order(_graph: Graph, plan: Plan) -> Iterator[int]:
    """Yield a node after all nodes that use it: the correct order, reversed post-order."""
    return reversed(plan.order)


def forward_order(_graph: Graph, plan: Plan) -> Iterator[int]:
    """Yield the nodes in the order of the forward pass, as if `reversed` were forgotten."""
    return iter(plan.order)


def recursive(graph: Graph, plan: Plan) -> Iterator[int]:
    """Yield a node, then recurse into each input: once per path, so exponentially often."""
    stack = [plan.root]  # in place of recursion, whose depth Python limits
    while stack:
        node = stack.pop()
        yield node
        # reversed, as the last one pushed is the first one popped
        stack.extend(_inputs_with_gradient(graph, plan, node)[::-1])


def depth_first(graph: Graph, plan: Plan) -> Iterator[int]:
    """Yield every node once, on the first visit of a depth-first walk (pre-order)."""
    seen: set[int] = set()
    stack = [plan.root]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            yield node
            stack.extend(_inputs_with_gradient(graph, plan, node)[::-1])


def breadth_first(graph: Graph, plan: Plan) -> Iterator[int]:
    """Yield every node once, by its distance from the root."""
    seen = {plan.root}
    queue = deque([plan.root])
    while queue:
        node = queue.popleft()
        yield node
        for source in _inputs_with_gradient(graph, plan, node):
            if source not in seen:
                seen.add(source)
                queue.append(source)


def random_order(_graph: Graph, plan: Plan) -> Iterator[int]:
    """Yield every node once, in a random order that is the same for each run."""
    order = list(plan.order)
    random.Random(len(order)).shuffle(order)  # seeded: stepping back shows the same pass
    return iter(order)


class Fired(Struct, frozen=True):
    """The order in which the nodes of one graph fired in a program."""

    nodes: tuple[int, ...]

    def __call__(self, _graph: Graph, _plan: Plan) -> Iterator[int]:
        return iter(self.nodes)


def true_partial(op: Op, slot: int) -> Rule | None:
    """Return the correct local derivative."""
    return op.partials[slot]


def _own_input(op: Op, slot: int) -> Rule | None:
    """Return the local derivative, for × the other slot's: a for ∂(ab)/∂a, which is b."""
    return op.partials[1 - slot if op.name == "mul" else slot]


def _no_division(op: Op, slot: int) -> Rule | None:
    """Return the local derivative, and None for ÷, as if its backward rule were missing."""
    return None if op.name == "div" else op.partials[slot]


class Rules(Struct, frozen=True):
    """The variable parts of a backward pass; the defaults are the correct ones.

    **Presentation.** `sentence` describes the mistake to a learner; in the listing of
    `engine.asking.micrograd_program`, `code` replaces the lines `correct_code`.

    **Algorithm.** `firing_order` is the order of the backward pass, `computing_order` that of the
    forward pass. `partial(op, slot)` is the local derivative used, or None for no contribution.
    `accumulate` is += (True) or = (False), `seed` the root's first gradient, 0 for no seed. With
    `passes` 2 the pass is run twice; `zeroed` are the gradients set to 0 in between.

    **Of one graph.** `begins` are gradients that are there before the pass, `slopes` local
    derivatives of single wires, `assigns` wires that send by = although others use +=.
    """

    name: str
    title: str
    sentence: str
    code: str
    correct_code: str = ""
    firing_order: NodeOrder = reversed_order
    partial: Callable[[Op, int], Rule | None] = true_partial
    accumulate: bool = True
    seed: float = 1.0
    computing_order: NodeOrder = forward_order
    passes: int = 1
    zeroed: Literal["all", "leaves", "none"] = "all"
    begins: tuple[tuple[int, float], ...] = ()
    slopes: tuple[tuple[Wire, float], ...] = ()
    assigns: frozenset[Wire] = frozenset()

    @property
    def is_mistake(self) -> bool:
        """Whether the pass is wrong by a rule that is known."""
        return self.name not in ("correct", "unknown", "program")

    def replaces(self, wire: Wire | None) -> bool:
        """Return whether what is sent along a wire replaces the gradient that was there."""
        return not self.accumulate or wire in self.assigns

    def last_replacing(self, wires: Iterable[Wire | None]) -> int:
        """Return the index of the last wire along which what is sent replaces, or -1."""
        return max((k for k, wire in enumerate(wires) if self.replaces(wire)), default=-1)

    @property
    def keeps_old_gradients(self) -> bool:
        """Whether the second pass starts with gradients of the first one."""
        return self.passes > 1 and self.zeroed != "all"

    def slope_slot(self, op: Op, slot: int) -> int:
        """The slot whose local derivative, and so whose formula, is used along `slot`.

        It is another slot only in the mistake that swaps the two of ×.
        """
        own, used = op.partials[slot], self.partial(op, slot)
        return op.partials.index(used) if used in op.partials and used != own else slot


class Recorded(Struct, frozen=True, eq=False):
    """The backward pass of a program over a graph: its numbers, order and steps, by node.

    `values` are its data, `before` the gradients that were there and count, `grads` those after the
    pass. `slopes` are local derivatives that differ from those of the operation. If it is not the
    one of its graph, it is `wrong`: then `fired` are the nodes as their steps ran, () for the
    correct order, `assigns` the wires along which a step uses = for +=, and `seed` is the root's
    first gradient.
    """

    values: Mapping[int, float]
    before: Mapping[int, float]
    grads: Mapping[int, float]
    fired: tuple[int, ...] = ()
    assigns: frozenset[Wire] = frozenset()
    slopes: Mapping[Wire, float] = {}
    seed: float = 1.0
    wrong: bool = False

    def __eq__(self, other: object) -> bool:
        """Return whether two passes are equal; nan equals nan."""
        return isinstance(other, Recorded) and repr(self._written) == repr(other._written)

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    @property
    def _written(self) -> tuple[object, ...]:
        tables = (self.values, self.before, self.grads, self.slopes)
        parts = (self.fired, sorted(self.assigns), self.seed, self.wrong)
        return (*map(_sorted_items, tables), *parts)

    def is_of(self, graph: Graph) -> bool:
        """Return whether the leaves of a graph have the numbers that they had in the program."""
        return all(
            repr(node.value) == repr(self.values.get(number, node.value))
            for number, node in graph.nodes.items()
            if isinstance(node, Leaf)
        )

    def rules_on(self, graph: Graph) -> Rules:
        """Return the rules of the pass; after an edit of a number without its measured slopes."""
        return self.rules if self.is_of(graph) else replace(self.rules, slopes=())

    @property
    def rules(self) -> Rules:
        """The rules of the program's own pass, by which `run` gives its gradients again."""
        return Rules(
            name="recorded" if self.wrong else "program",
            title="As the program",
            sentence="The pass runs as it did in the program: its order, its steps, its slopes.",
            code="",
            firing_order=Fired(self.fired) if self.fired else reversed_order,
            seed=self.seed,
            begins=tuple(self.before.items()),
            slopes=tuple(self.slopes.items()),
            assigns=self.assigns,
        )


def _sorted_items(table: Mapping[Any, float]) -> list[tuple[Any, float]]:
    return sorted(table.items(), key=lambda item: item[0])


CORRECT = Rules(
    name="correct",
    title="Correct",
    sentence="Every node waits for all its contributions, adds them up, and then fires.",
    code="",
)

UNKNOWN = Rules(
    name="unknown", title="?", sentence="One of the mistakes is on; find out which one.", code=""
)
"""The placeholder for the mistake in a hunt; it is never run."""

_REVERSED_LOOP = "    for v in reversed(topo):\n        v._backward()"
_RECURSIVE_VISIT = (
    "    def visit(v):\n{once}        v._backward()\n"
    "        for x in v._prev: visit(x)\n    visit(root)"
)

MISTAKES: tuple[Rules, ...] = (
    Rules(
        name="assign",
        title="= instead of +=",
        sentence="The gradient is assigned instead of accumulated, so the last writer wins.",
        code="    v.grad = contribution",
        correct_code="    v.grad += contribution",
        accumulate=False,
    ),
    Rules(
        name="recursive",
        title="Recursion without an order",
        sentence="Each node calls its inputs at once, so partial sums are sent again per path.",
        code=_RECURSIVE_VISIT.format(once=""),
        correct_code=_REVERSED_LOOP,
        firing_order=recursive,
    ),
    Rules(
        name="depth-first",
        title="Depth-first, each node once",
        sentence="Each node fires on its first visit, before all its contributions have come.",
        code=_RECURSIVE_VISIT.format(once="        if v in seen: return\n        seen.add(v)\n"),
        correct_code=_REVERSED_LOOP,
        firing_order=depth_first,
    ),
    Rules(
        name="breadth-first",
        title="Breadth-first, each node once",
        sentence="Nodes fire by their distance from the root, which is not when they are complete.",
        code="    for v in by_distance(root):",
        correct_code="    for v in reversed(topo):",
        firing_order=breadth_first,
    ),
    Rules(
        name="forward-order",
        title="Order not reversed",
        sentence="Nodes fire in the order of the forward pass, so inputs fire before they receive.",
        code="    for v in topo:",
        correct_code="    for v in reversed(topo):",
        firing_order=forward_order,
    ),
    Rules(
        name="no-seed",
        title="No seed",
        sentence="The root's gradient is never set to 1, so every contribution is 0.",
        code="    pass  # no seed",
        correct_code="    root.grad = 1.0",
        seed=0.0,
    ),
    Rules(
        name="no-zero-grad",
        title="Backward twice, no zero_grad",
        sentence="Backward runs twice and nothing is zeroed between, so old gradients are sent on.",
        code="    pass  # nothing is zeroed",
        correct_code="    for v in topo: v.grad = 0.0",
        passes=2,
        zeroed="none",
    ),
    Rules(
        name="zero-leaves-only",
        title="Backward twice, only leaves zeroed",
        sentence="Only the leaves are zeroed between two passes; inner nodes keep old gradients.",
        code="    for v in leaves: v.grad = 0.0",
        correct_code="    for v in topo: v.grad = 0.0",
        passes=2,
        zeroed="leaves",
    ),
    Rules(
        name="mul-own-input",
        title="× uses its own input",
        sentence="The local derivative of a × b along a is taken as a instead of b.",
        code="send(a, c.grad * a.data)\nsend(b, c.grad * b.data)",
        correct_code="send(a, c.grad * b.data)\nsend(b, c.grad * a.data)",
        partial=_own_input,
    ),
    Rules(
        name="division-sends-nothing",
        title="÷ sends nothing",
        sentence="Division has no backward rule, so no gradient passes through it.",
        code="pass  # nothing is sent",
        correct_code="send(a, c.grad / b.data)\nsend(b, -c.grad * c.data / b.data)",
        partial=_no_division,
    ),
    Rules(
        name="random-order",
        title="Nodes in any order",
        sentence="Nodes fire in a random order, so some fire before they have received.",
        code="    for v in set(topo):",
        correct_code="    for v in reversed(topo):",
        firing_order=random_order,
    ),
)

BY_NAME: dict[str, Rules] = {rules.name: rules for rules in (CORRECT, *MISTAKES)}


def rules_named(name: str | None) -> Rules:
    """Return a mistake of MISTAKES by name, or the correct rules."""
    if name is None:
        return CORRECT
    if name in BY_NAME and name != CORRECT.name:
        return BY_NAME[name]
    known = ", ".join(rules.name for rules in MISTAKES)
    raise EngineError(
        "There is no mistake called {name}; there are {known}.", name=name, known=known
    )


def _inputs_with_gradient(graph: Graph, plan: Plan, node: int) -> list[int]:
    """Return the inputs with a gradient, slot by slot."""
    return [s for s in graph.inputs(node) if s is not None and s in plan.with_gradient]
