"""The walk that finds the order ends with the order, and takes each line in its turn."""

from engine import Graph, from_expression
from engine.asking.micrograd_program import SORT_CODE, SORT_LINE_OF, order_walk
from tests.helpers.graphs import EXAMPLES, chain
from tests.helpers.tables import in_turn


def root_of(graph: Graph) -> int:
    assert graph.root is not None
    return graph.root


@in_turn("example", EXAMPLES)
def test_the_walk_ends_with_the_order_of_the_passes(example):
    graph, root = example.graph, root_of(example.graph)
    steps = list(order_walk(graph, root))
    assert steps[-1].topo == graph.plan(root).order
    assert [step.node for step in steps if step.does == "append"] == list(steps[-1].topo)


def test_a_node_used_twice_is_met_again():
    graph = from_expression("y = a*a + a", {"a": 3})
    does = [(step.does, graph.names[step.node]) for step in order_walk(graph, root_of(graph))]
    assert does.count(("mark", "a")) == 1
    assert does.count(("again", "a")) == 2


def test_the_program_shown_does_the_same():
    graph = from_expression("c=a+b; d=a*b; e=c+d; f=c*d; y=e+f")

    class Node:
        def __init__(self, number: int) -> None:
            self.number = number

        @property
        def _prev(self) -> "list[Node]":
            return [nodes[source] for source in graph.inputs(self.number) if source is not None]

        def _backward(self) -> None:
            fired.append(self.number)

    nodes = {number: Node(number) for number in graph.plan(root_of(graph)).order}
    fired: list[int] = []
    scope = {"visited": set(), "topo": [], "root": nodes[root_of(graph)]}
    exec("\n".join(SORT_CODE), scope)  # our own program, word by word as it is shown
    assert fired == list(reversed(graph.plan(root_of(graph)).order))
    assert set(SORT_LINE_OF.values()) < set(range(len(SORT_CODE)))


def test_a_chain_of_any_length_is_walked():
    graph = chain(5_000)
    *_, last = order_walk(graph, root_of(graph))
    assert len(last.topo) == 5_001
