"""HandRun: a pass that a learner does by hand, as a value: the seed, and the nodes that have fired.

A node may fire after all nodes that send it a contribution: any topological order is right.

>>> from engine import from_expression
>>> graph = from_expression("y = a*b + a", {"a": 2, "b": 3})  # 1: a, 2: b, 3: a*b, 4: y
>>> ready(graph, 4, ()), ready(graph, 4, (4,))
(frozenset({4}), frozenset({3}))
>>> obstacle_to(graph, 4, (), 3)
'× (v3) still waits for what y sends along its slot 1.'

The nodes that have fired, then the others in the program's order, are the walk of a `Rules` value.
So partial sums, pending contributions and the damage of firing early come from the loop that runs
every pass. In a forward pass a node fires when its value is computed.

>>> run = HandRun().seeded(1.0).clicked(graph, 3)
>>> run.refused, run.fired  # 3 still waits for y
(3, ())
>>> run = run.clicked(graph, 4).clicked(graph, 3)
>>> run.fired, run.is_over(graph), run.frame(graph).grads[1]
((4, 3), True, 4.0)
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from engine.asking.beliefs import Belief
from engine.errors import sentence
from engine.frame import Frame, frame_at
from engine.graph import Graph, OpNode, Plan, Wire
from engine.problems import name_with_op
from engine.rules import CORRECT, Rules
from engine.schedule import Pass
from engine.trace import Trace, run, run_forward


def ready(graph: Graph, root: int, fired: Collection[int]) -> frozenset[int]:
    """Return the nodes that may fire next in a backward pass from a root."""
    return frozenset(
        node
        for node in firing_nodes(graph, root)
        if node not in fired and not list(waits_for(graph, root, fired, node))
    )


def firing_nodes(graph: Graph, root: int) -> tuple[int, ...]:
    """Return the nodes that pass a gradient on, in the order of the correct pass."""
    plan = graph.plan(root)
    return tuple(
        node
        for node in reversed(plan.order)
        if isinstance(graph.nodes[node], OpNode)
        and plan.with_gradient.intersection(graph.inputs(node))
    )


def waits_for(graph: Graph, root: int, fired: Collection[int], node: int) -> Iterator[Wire]:
    """Yield the wires along which a node still waits for a contribution."""
    with_gradient, nodes = graph.plan(root).with_gradient, graph.nodes
    return (
        (target, slot)
        for target, slot in graph.outgoing[node]
        if target in with_gradient and target not in fired and isinstance(nodes[target], OpNode)
    )


def obstacle_to(graph: Graph, root: int, fired: Sequence[int], node: int) -> str:
    """Return why a node may not fire now, as one sentence; "" if it may."""
    slip = next_slip(graph, root, fired, node)
    if slip is None:
        return ""
    waiting = " and ".join(
        f"what {graph.brief(target)} sends along its slot {slot + 1}"
        for target, slot in waits_for(graph, root, fired, node)
    )
    names = {"node": name_with_op(graph, node, brief=True), "root": graph.brief(root)}
    return sentence(slip.sentence, {**names, "waiting": waiting})


def next_slip(graph: Graph, root: int, fired: Collection[int], node: int) -> Belief | None:
    """Return why a node may not fire next in a backward pass from a root; None if it may."""
    waits, has_fired, unrelated, passes_nothing = NEXT_BELIEFS
    if node not in graph.plan(root).order:
        return unrelated
    if node not in firing_nodes(graph, root):
        return passes_nothing
    if node in fired:
        return has_fired
    return waits if any(waits_for(graph, root, fired, node)) else None


def click_slip(trace: Trace, step: int, node: int) -> Belief | None:
    """Return why a node may not fire when a step of a pass comes next; None if it may."""
    return next_slip(trace.graph, trace.root, fired_before(trace, step), node)


def fired_before(trace: Trace, step: int) -> Collection[int]:
    """Return the nodes that have fired before a step, in their order.

    Under a mistake that runs backward twice only those of the run that the step belongs to.
    """
    sweep, done = trace.events[step - 1].sweep, trace.events[: step - 1]
    return dict.fromkeys(e.sender for e in done if e.wire is not None and e.sweep == sweep)


def next_slip_sentence(graph: Graph, root: int, fired: Collection[int], node: int) -> str:
    """Return why a node may not fire next in a backward pass, in a few words; "" if it may."""
    slip = next_slip(graph, root, fired, node)
    if slip is None:
        return ""
    names = {"node": name_with_op(graph, node, brief=True), "root": graph.brief(root)}
    return sentence(slip.first, names)


NEXT_BELIEFS: tuple[Belief, ...] = tuple(
    Belief(name, "next", full, "", brief, said, first)  # a click on a node gives no number
    for name, full, first, brief, said in (  # the fields of a Belief with these names
        (
            "waits",
            "{node} still waits for {waiting}.",
            "{node} still waits.",
            "a node that still waits",
            "still waits for what {awaited} sends.",
        ),
        (
            "fired",
            "{node} has fired already; a node fires once.",
            "{node} has fired already.",
            "a node that has fired already",
            "has fired already; a node fires once.",
        ),
        (
            "no way",
            "Nothing leads from {node} to {root}, so no gradient comes here.",
            "{node} is on no path to {root}.",
            "a node that leads nowhere",
            "is on no path to {root}; no gradient comes here.",
        ),
        (
            "passes nothing",
            "{node} has no inputs that want a gradient, so it passes nothing on.",
            "{node} passes nothing on.",
            "a node that passes nothing on",
            "passes nothing on; no input of it wants a gradient.",
        ),
    )
)
"""The slips of clicking a node that may not fire next, in the order that `next_slip` unpacks."""


RULES_NAME = "by-hand"
_SEED_FIRST = "The pass begins at {root}: give it its seed first."
_LEAF_HAS_VALUE = "{node} is given, so there is nothing to compute."
_ALREADY_COMPUTED = "{node} has its value already."
_WAITS_FOR_INPUTS = "{node} still waits for the value of {inputs}."


class EarlyClick(Struct, frozen=True):
    """A click on a node that had to wait: how many had fired, and which it awaited."""

    count: int
    node: int
    waited_for: tuple[int, ...]


class HandRun(Struct, frozen=True):
    """The state of a pass by hand.

    `seed` is None until the learner has set it; the forward pass needs none. `fired` are the nodes
    in the learner's order. `refused` is the node that was just clicked in vain, and `early_clicks`
    are all such clicks on nodes that had to wait, also before turns that were taken back.
    """

    phase: Pass = "backward"
    seed: float | None = None
    fired: tuple[int, ...] = ()
    refused: int | None = None
    early_clicks: tuple[EarlyClick, ...] = ()

    # Queries

    @property
    def needs_seed(self) -> bool:
        """Whether the seed comes next."""
        return self.phase == "backward" and self.seed is None

    def turns(self, graph: Graph) -> tuple[int, ...]:
        """Return the nodes that fire in the pass, in the program's order."""
        root = _root(graph)
        if self.phase == "backward":
            return firing_nodes(graph, root)
        return tuple(n for n in graph.plan(root).order if isinstance(graph.nodes[n], OpNode))

    def ready(self, graph: Graph) -> tuple[int, ...]:
        """Return the nodes that may fire now, the program's choice first."""
        if self.needs_seed:
            return ()
        left = (node for node in self.turns(graph) if node not in self.fired)
        return tuple(node for node in left if not any(self._waits(graph, node)))

    def has_one_order(self, graph: Graph) -> bool:
        """Return whether a single order is right: each node waits for the one before it."""
        start = replace(self, fired=())
        for before, node in pairwise(self.turns(graph)):
            wires = start.waits(graph, node)
            if self.phase == "forward":
                waits = {graph.source(wire) for wire in wires}
            else:
                waits = {target for target, _slot in wires}
            if before not in waits:
                return False
        return True

    def waits(self, graph: Graph, node: int) -> tuple[Wire, ...]:
        return () if node in self.fired else tuple(self._waits(graph, node))

    def obstacle(self, graph: Graph, node: int) -> str:
        """Return why a node may not fire now, as one sentence; "" if it may."""
        root = _root(graph)
        if self.needs_seed:
            return _SEED_FIRST.format(root=graph.brief(root))
        if self.phase == "backward":
            return obstacle_to(graph, root, self.fired, node)
        if not isinstance(graph.nodes[node], OpNode):
            return _LEAF_HAS_VALUE.format(node=graph.brief(node))
        if node in self.fired:
            return _ALREADY_COMPUTED.format(node=name_with_op(graph, node, brief=True))
        missing = dict.fromkeys(graph.source(wire) for wire in self._waits(graph, node))
        if not missing:
            return ""
        inputs = " and ".join(name_with_op(graph, n, brief=True) for n in missing if n is not None)
        return _WAITS_FOR_INPUTS.format(node=name_with_op(graph, node, brief=True), inputs=inputs)

    def may_force(self, graph: Graph, node: int) -> bool:
        """Return whether a node could fire although it should wait."""
        if self.phase == "forward" or self.needs_seed or node in self.fired:
            return False
        return node in self.turns(graph) and bool(self.waits(graph, node))

    def turn_index(self, click: EarlyClick) -> int:
        """Return the index in `fired` of the turn at which an early click was made.

        That is its count, but after undone turns it may be less: the click comes before the nodes
        that it waited for.
        """
        waited_for = (self.fired.index(n) for n in click.waited_for if n in self.fired)
        return min((click.count, len(self.fired), *waited_for))

    def is_over(self, graph: Graph) -> bool:
        """Return whether every node has fired."""
        return not self.needs_seed and len(self.fired) == len(self.turns(graph))

    def fired_early(self, graph: Graph) -> tuple[int, ...]:
        """Return the nodes that fired while they still had to wait."""
        if self.phase == "forward":
            return ()
        root = _root(graph)
        return tuple(
            node
            for k, node in enumerate(self.fired)
            if any(waits_for(graph, root, self.fired[:k], node))
        )

    # Transitions: each returns the next state

    def seeded(self, seed: float) -> "HandRun":
        """Return the run with another seed, which is not 0: all gradients would be 0."""
        return replace(self, seed=seed, refused=None)

    def clicked(self, graph: Graph, node: int) -> "HandRun":
        """Return the run after a click on a node, which fires if it may and is refused if not."""
        if not self.obstacle(graph, node):
            return replace(self, fired=(*self.fired, node), refused=None)
        early_clicks = self.early_clicks
        if self.may_force(graph, node):
            waited_for = tuple(dict.fromkeys(target for target, _s in self._waits(graph, node)))
            early_clicks = (*early_clicks, EarlyClick(len(self.fired), node, waited_for))
        return replace(self, refused=node, early_clicks=early_clicks)

    def forced(self, graph: Graph) -> "HandRun":
        """Return the run after the refused node fired all the same."""
        if self.refused is None or not self.may_force(graph, self.refused):
            return self
        return replace(self, fired=(*self.fired, self.refused), refused=None)

    def helped(self, graph: Graph) -> "HandRun":
        """Return the run after the program has taken the next turn: the seed 1, or a node."""
        if self.needs_seed:
            return self.seeded(CORRECT.seed)
        ready = self.ready(graph)
        return self.clicked(graph, ready[0]) if ready else replace(self, refused=None)

    def taken_back(self) -> "HandRun":
        """Return the run without its last turn; a refusal goes alone."""
        if self.refused is not None:
            return replace(self, refused=None)
        seed = self.seed if self.fired else None
        return replace(self, seed=seed, fired=self.fired[:-1])

    # As a pass

    def rules(self, graph: Graph) -> Rules:
        """Return the correct rules with the learner's order and seed."""
        pending = (node for node in self.turns(graph) if node not in self.fired)
        order = _FixedWalk((*self.fired, *pending))
        seed = CORRECT.seed if self.seed is None else self.seed
        if self.phase == "forward":
            return replace(CORRECT, name=RULES_NAME, title="By hand", computing_order=order)
        return replace(CORRECT, name=RULES_NAME, title="By hand", firing_order=order, seed=seed)

    def trace(self, graph: Graph) -> Trace:
        """Return the whole pass: the fired nodes, then the others in the program's order."""
        rules = self.rules(graph)
        if self.phase == "forward":
            return run_forward(graph, rules=rules)
        return run(graph, rules=rules)

    def frame(self, graph: Graph) -> Frame:
        """Return the frame of the whole pass after the learner's last turn."""
        trace = self.trace(graph)
        return frame_at(trace, self._cursor(trace))

    def _cursor(self, trace: Trace) -> int:
        """Return the number of steps that the turns so far have taken."""
        if self.phase == "forward":
            return len(self.fired)
        if self.needs_seed:
            return 0
        ticks = enumerate(trace.schedule.ticks)
        later = (k for k, t in ticks if t.kind == "contribution" and t.sender not in self.fired)
        return next(later, len(trace))

    def _waits(self, graph: Graph, node: int) -> Iterator[Wire]:
        if self.phase == "backward":
            return waits_for(graph, _root(graph), self.fired, node)
        sources = {n for n in graph.inputs(node) if n is not None}
        missing = {n for n in sources if isinstance(graph.nodes[n], OpNode)}
        missing.difference_update(self.fired)
        return ((node, slot) for slot, n in enumerate(graph.inputs(node)) if n in missing)


class _FixedWalk(Struct, frozen=True):
    """A walk over given nodes; a value, so that passes of equal order share their schedule."""

    nodes: tuple[int, ...]

    def __call__(self, _graph: Graph, _plan: Plan) -> Iterator[int]:
        return iter(self.nodes)


def _root(graph: Graph) -> int:
    """Return the node whose gradients are wanted; a run by hand needs one."""
    assert graph.root is not None
    return graph.root
