"""Value by itself: its operators and operations, its backward pass, its graph, its memory."""

import gc
import itertools
import math
import random
import tracemalloc
import weakref

import micrograd.engine
import numpy
import pytest
from hypothesis import given, settings

from engine import EngineError, Graph, Value
from engine.graph import Constant, Leaf, OpNode
from engine.ops import OPS, Use
from engine.trace import run
from engine.value import Number
from tests.engine.test_ops import BOUNDARY, OPERATIONS, points
from tests.helpers.drawn import any_graphs
from tests.helpers.graphs import last_frame, same
from tests.helpers.sampling import sized, tries
from tests.helpers.tables import in_turn


def values_of(graph: Graph) -> dict[int, Value]:
    """The root of a graph and its ancestors as Values."""
    assert graph.root is not None
    found: dict[int, Value] = {}
    for node in graph.plan(graph.root).order:
        part = graph.nodes[node]
        if isinstance(part, OpNode):
            first, *others = (found[source] for source in part.inputs if source is not None)
            found[node] = getattr(first, part.op)(*others)
            found[node].label = part.label
        else:
            assert isinstance(part, Leaf | Constant)
            kind = Value if isinstance(part, Leaf) else Number
            found[node] = kind(part.value, label=part.label)
    return found


def leaves(*numbers: float) -> list[Value]:
    return [Value(number) for number in numbers]


@OPERATIONS
def test_each_operation_is_a_method_with_the_bits_of_its_functions(op):
    for numbers in points(op):
        inputs = leaves(*numbers)
        out = getattr(inputs[0], op.name)(*inputs[1:])
        assert same(out.data, op.forward(*numbers))
        out.backward()
        for value, partial in zip(inputs, op.partials, strict=True):
            assert same(value.grad, 0.0 + 1.0 * partial(*numbers, out.data))


def test_operators_do_what_the_operations_do():
    a, b = leaves(3.0, -2.0)
    by_operator = [a + b, a - b, a * b, a / b, a**b, -a, abs(b)]
    by_name = [a.add(b), a.sub(b), a.mul(b), a.div(b), a.pow(b), a.neg(), b.abs()]
    for ours, named in zip(by_operator, by_name, strict=True):
        assert (ours.data, ours._op, ours._prev) == (named.data, named._op, named._prev)
    assert [value._op for value in by_operator] == ["+", "-", "*", "/", "**", "neg", "abs"]
    assert (a.relu()._op, a.tanh()._op) == ("ReLU", "tanh")


@in_turn("operator", ["add", "sub", "mul", "truediv", "pow"])
def test_operators_have_the_bits_of_the_operations(operator):
    for numbers in itertools.product(BOUNDARY, BOUNDARY):
        (a, b), (c, d) = leaves(*numbers), leaves(*numbers)
        ours = getattr(a, f"__{operator}__")(b)
        named = getattr(c, operator.removeprefix("true"))(d)
        for node in (ours, named):
            node.backward()
        pairs = ((ours.data, named.data), (a.grad, c.grad), (b.grad, d.grad))
        assert all(same(one, other) for one, other in pairs), numbers


@in_turn("number", [2, 2.0, True, numpy.float64(2), numpy.float32(2), numpy.int64(2)])
def test_numbers_stand_on_either_side(number):
    a, x = Value(3.0), float(number)
    right = [a + number, a - number, a * number, a / number, a**number, a.maximum(number)]
    left = [number + a, number - a, number * a, number / a, number**a]
    assert [value.data for value in right] == [3 + x, 3 - x, 3 * x, 3 / x, 3**x, 3]
    assert [value.data for value in left] == [x + 3, x - 3, x * 3, x / 3, x**3]
    assert all(type(value) is Value and type(value.data) is float for value in right + left)


def test_operands_keep_their_order_and_their_duplicates():
    a, b = leaves(1.0, 2.0)
    assert (a * a)._prev == (a, a)
    assert (b - a)._prev == (b, a)
    assert (2 * a)._prev[1] is a
    assert (2 * a)._prev[0].data == 2.0
    c = a.where_gt0(b, a)
    assert c._prev == (a, b, a)
    assert tuple(a._prev) == ()


def test_a_power_by_a_number_has_one_operand_and_the_number_in_its_sign():
    a = Value(2.0)
    cube = a**3
    assert (cube._op, cube._prev, (a**-0.5)._op) == ("**3", (a,), "**-0.5")
    cube.backward()
    assert a.grad == 12.0
    cube._backward = lambda: None
    assert cube._prev == (a,)
    (shown,) = cube.graph().operations  # no pow sends nothing
    assert (shown.name, shown.symbol, shown.uses[0].slopes) == ("own_3", "**3", (0.0, 0.0))


def test_sum_adds_values_and_starts_at_zero():
    parts = leaves(1.0, 2.0, 3.0)
    total = sum(parts)
    assert isinstance(total, Value)
    total.backward()
    assert (total.data, [part.grad for part in parts]) == (6.0, [1.0, 1.0, 1.0])
    assert sum(parts, Value(10.0)).data == 16.0


def test_arrays_of_values_compute_element_by_element():
    a = Value(2.0)
    product = numpy.array([1.0, 3.0]) * a
    assert [value.data for value in product] == [2.0, 6.0]
    assert [value.data for value in a + numpy.array([1.0, 3.0])] == [3.0, 5.0]


@pytest.mark.parametrize("wrong", ["x", None, 1j, [1.0]])
def test_what_is_no_number_is_refused(wrong):
    with pytest.raises(EngineError, match="one number"):
        Value(wrong)


@pytest.mark.parametrize("large", [10**400, 10**5000], ids=["long", "too long to write"])
def test_a_whole_number_past_all_floats_is_refused_wherever_it_stands(large):
    for use in (Value, Value(2.0).__mul__, Value(2.0).__rsub__, Value(2.0).maximum):
        with pytest.raises(EngineError, match="as large as this"):
            use(large)


@pytest.mark.parametrize("wrong", ["1", None, 1j, [1.0]])
def test_operators_leave_what_they_do_not_know_to_the_other_side(wrong):
    a = Value(2.0)
    for operate in ("add", "sub", "mul", "truediv", "pow"):
        for name in (f"__{operate}__", f"__r{operate}__"):
            assert getattr(a, name)(wrong) is NotImplemented


def test_an_operation_with_the_wrong_operands_is_refused():
    for operands in ((), ("x",), (1.0, 2.0)):
        with pytest.raises(EngineError, match="maximum takes 2 numbers"):
            Value(1.0).maximum(*operands)


def test_values_are_compared_by_identity_and_shown_as_micrograd_shows_them():
    a, b = leaves(2.0, 2.0)
    assert a != b
    assert len({a, b, a}) == 2
    assert repr(a * 3) == "Value(data=6.0, grad=0.0)"


def test_data_gradient_and_label_can_be_assigned():
    a = Value(2.0, label="a")
    a.data, a.grad, a.label = 5.0, 7.0, "w"
    assert (repr(a), a.label) == ("Value(data=5.0, grad=7.0)", "w")
    (a * a).backward()
    assert a.grad == 17.0


def test_a_gradient_counts_every_way_and_adds_to_what_is_there():
    a = Value(3.0)
    y = a * a + a
    y.backward()
    assert (a.grad, y.grad) == (7.0, 1.0)
    y.backward()
    assert (a.grad, y.grad) == (7.0 + 1.0 + 2.0 * 6.0, 1.0)  # a*a had kept its 1


@given(graph=any_graphs(complete=True))
@settings(max_examples=tries(200))
def test_values_and_gradients_have_the_bits_of_a_trace(graph):
    trace, values = run(graph), values_of(graph)
    values[trace.root].backward()
    grads = last_frame(trace).grads
    for node, value in values.items():
        assert same(value.data, trace.values[node])
        if node in grads:
            assert same(value.grad, grads[node])


@given(graph=any_graphs(complete=True))
def test_the_graph_of_a_value_is_the_graph_it_was_made_from(graph):
    assert graph.root is not None
    made = values_of(graph)[graph.root].graph()
    assert made.root is not None
    order, mine = graph.plan(graph.root).order, made.plan(made.root).order
    again = dict(zip(order, mine, strict=True))
    for old, new in again.items():
        one, other = graph.nodes[old], made.nodes[new]
        assert type(one) is type(other)
        assert graph.label(old) == made.label(new)
        assert tuple(again[source] for source in graph.inputs(old)) == made.inputs(new)


def test_the_graph_of_a_value_keeps_sharing_numbers_and_labels():
    a = Value(2.0, label="a")
    b = (a * 3) ** 2
    b.label = "two\nlines " + "x" * 300
    graph = (b + b).graph()
    assert [graph.names.get(node) for node in graph.nodes][:1] == ["a"]
    assert [type(node).__name__ for node in graph.nodes.values()] == [
        *("Leaf", "Constant", "OpNode", "Constant", "OpNode", "OpNode", "Root")
    ]
    assert graph.label(5).startswith("two lines x")
    assert len(graph.label(5)) == 200
    assert run(graph).values[6] == (b + b).data


def test_a_leaf_is_a_graph_too():
    a = Value(2.0, label="a")
    a.backward()
    assert (a.grad, a.graph().root_name) == (1.0, "a")
    assert isinstance((Value(1.0) + 2).graph().nodes[2], Constant)


def lecture_exp(a):
    """The lecture's exp for micrograd's Value, and ours."""
    if isinstance(a, Value):
        return a.exp()
    out = micrograd.engine.Value(math.exp(a.data), (a,), "exp")

    def _backward():
        a.grad += out.data * out.grad

    out._backward = _backward
    return out


def lecture_tanh(a):
    if isinstance(a, Value):
        return a.tanh()
    t = math.tanh(a.data)
    out = micrograd.engine.Value(t, (a,), "tanh")

    def _backward():
        a.grad += (1 - t**2) * out.grad

    out._backward = _backward
    return out


WAYS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "** 2": lambda a, b: a**2,
    "** -1.5": lambda a, b: (a * a + 1) ** -1.5,
    "neg": lambda a, b: -b + 3,
    "from numbers": lambda a, b: 2 - a * 3 + 1 / b,
    "relu": lambda a, b: a.relu(),
    "exp": lambda a, b: lecture_exp(b * 0.1),
    "tanh": lambda a, b: lecture_tanh(a),
}


def mixture(make, seed: int) -> list:
    """The leaves and nodes of a random program; the last one is what it computes."""
    rng = random.Random(seed)
    found = [make(rng.uniform(0.5, 2.0)) for _ in range(3)]
    for _ in range(rng.randint(1, 12)):
        way = WAYS[rng.choice(list(WAYS))]
        found.append(way(rng.choice(found), rng.choice(found)))
    return found


def ancestors(node) -> set:
    found, todo = set(), [node]
    while todo:
        if (each := todo.pop()) not in found:
            found.add(each)
            todo += each._prev
    return found


def change_data(nodes: list, seed: int) -> None:
    """Change the data of some, but not tanh's own, which only some copies of micrograd read."""
    rng = random.Random(seed)
    for node in nodes:
        number = rng.uniform(-2.0, 2.0)
        if rng.random() < 0.5 and node._op != "tanh":
            node.data = number


def test_data_changed_before_the_backward_pass_counts_as_in_micrograd():
    for seed in range(tries(400)):
        ours, theirs = mixture(Value, seed), mixture(micrograd.engine.Value, seed)
        for nodes in (ours, theirs):
            nodes[-1].backward()
            change_data(nodes, seed)
            for node in ancestors(nodes[-1]):  # in micrograd a - b has one more, b * -1
                node.grad = 0.0
            nodes[-1].backward()
        assert [n.data for n in ours] == pytest.approx([n.data for n in theirs], rel=1e-9)
        grads = [[node.grad for node in nodes] for nodes in (ours, theirs)]
        assert grads[0] == pytest.approx(grads[1], rel=1e-7, abs=1e-9), seed
    a = Value(2.0)
    y = a.relu()
    a.data = -1.0
    y.backward()
    assert a.grad == 1.0  # relu's closure reads what it wrote


def test_each_operation_reads_changed_data_by_the_letters_of_its_slope():
    for op in OPS:
        if op.name == "div":  # as a product with b⁻¹, see above
            continue
        old, new = [0.5, 0.25, 0.75][: len(op.slots)], [0.3, 0.6, 0.2][: len(op.slots)]
        for by_hand in (False, True):
            inputs = leaves(*old)
            out = getattr(inputs[0], op.name)(*inputs[1:])
            for leaf, number in zip(inputs, new, strict=True):
                leaf.data = number
            if by_hand:
                out.grad = 1.0
                out._backward()
            else:
                out.backward()
            for leaf, partial in zip(inputs, op.partials, strict=True):
                assert same(leaf.grad, 0.0 + partial(*new, op.forward(*old))), op


def test_a_step_called_by_hand_takes_the_data_as_it_is():
    a, b, c = leaves(2.0, 3.0, 4.0)
    y, z = a * b, a / c
    y.grad, z.grad, a.data, b.data, c.data = 10.0, 10.0, 7.0, 8.0, 2.0
    y._backward()
    assert (a.grad, b.grad) == (80.0, 70.0)
    z._backward()
    assert (a.grad, c.grad) == (80.0 + 2.5, -10.0 * 7.0 / 4.0)


def test_a_value_takes_what_the_usual_copies_give_it():
    a, b = leaves(3.0, -2.0)
    made = [
        *(
            Value(1.0, _op="+", **{word: (a, b)})  # pyright: ignore
            for word in ("children", "parents", "_parents")
        ),
        Value(1.0, _children=(a, b), op="+"),
        Value(1.0, (a, b), "+", _label="sum"),
    ]
    assert all((v._prev, v._children, v._op) == ((a, b), (a, b), "+") for v in made)
    assert (made[-1].label, made[-1]._label, made[0].label) == ("sum", "sum", "")
    made[0]._label = "first"
    assert made[0].label == "first"
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        Value(1.0, colour="red")
    with pytest.raises(EngineError, match="one number"):
        Value(a)  # pyright: ignore
    assert (float(a), a.item(), math.sqrt(a * a + 7)) == (3.0, 3.0, 4.0)
    assert max(a, b, 1.0) is a
    assert sorted([a, b, Value(0.0)])[0] is b
    assert (a > b, a < 5, a >= 2, a >= a, a != b, a == Value(3.0)) == (*[True] * 5, False)
    assert {getattr(a, f"__{name}__")("x") for name in ("lt", "le", "gt", "ge")} == {NotImplemented}
    y = (a.pow(2) + b.ReLU()) * b
    y.backward()
    assert (y._prev[0].data, a.grad) == (9.0, -12.0)
    y.zero_grad()
    assert not any(v.grad for v in (a, b, y, *y._prev))


def test_a_program_keeps_attributes_of_its_own_on_a_value():
    parameters = leaves(1.0, 2.0)
    for p in parameters:
        p.m = p.v = 0.0
    for p in parameters:
        p.m += p.data
    assert [vars(p) for p in parameters] == [{"m": 1.0, "v": 0.0}, {"m": 2.0, "v": 0.0}]
    product = parameters[0] * parameters[1]
    product.name = "p"
    assert (product.name, hasattr(parameters[0], "name")) == ("p", False)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = product.nothing


class TenSlots:
    """What a Value took before it could have attributes of a program's own."""

    __slots__ = (*"abcdefghi", "__weakref__")


def test_room_for_own_attributes_takes_no_memory_until_it_is_used():
    sizes = []
    for make in (TenSlots, lambda: Value(0.5)):
        gc.collect()
        tracemalloc.start()
        held = [make() for _ in range(20_000)]
        sizes.append(tracemalloc.get_traced_memory()[0] / len(held))
        tracemalloc.stop()
    assert sizes[1] < 1.02 * sizes[0]


def own_tanh(x: Value) -> Value:
    """How learners write an operation of their own."""
    out = Value(math.tanh(x.data), (x,), "tanh")

    def _backward() -> None:
        x.grad += (1 - out.data**2) * out.grad

    out._backward = _backward
    return out


def test_a_node_made_by_hand_takes_part():
    a = Value(0.5)
    y = own_tanh(a * 2) * 3
    y.backward()
    assert a.grad == pytest.approx(6 * (1 - math.tanh(1.0) ** 2), abs=1e-15)
    assert [node.op for node in y.graph().nodes.values() if isinstance(node, OpNode)] == [
        *("mul", "tanh", "mul")
    ]


def test_a_node_made_by_hand_sends_nothing_until_it_is_told_how():
    a, b = leaves(1.0, 2.0)
    made = Value(3.0, (a, b), "+")
    made.backward()
    assert (made._prev, made._op, a.grad) == ((a, b), "+", 0.0)
    many = Value(9.0, [a, b, a, b, a], "mean")
    (many + many).backward()
    assert (many._prev, many.grad) == ((a, b, a, b, a), 2.0)
    assert (many * 2).graph().operations[0].uses == (Use((1.0, 2.0), 9.0, (0.0, 0.0)),)
    assert Value(1.0, (), "input")._op == "input"
    assert (Value(1.0, (), "input") * 2).graph().root is not None


def test_a_step_assigned_to_one_node_is_taken_in_its_place():
    a, b = leaves(2.0, 3.0)
    y = a * b
    seen = []
    y._backward = lambda: seen.append(y.grad)
    y._backward()
    y.backward()
    assert (seen, a.grad) == ([0.0, 1.0], 0.0)
    assert isinstance(y.graph().nodes[3], OpNode)
    a._backward = lambda: seen.append("leaf")
    (a + b).backward()
    assert seen[-1] == "leaf"


def test_a_very_deep_chain_goes_through_and_is_freed():
    x = y = Value(1.0)
    for _ in range(sized(50_000, 500_000)):  # two nodes each
        y = y * x + x
    y.backward()
    assert math.isfinite(x.grad)
    del y


def test_freeing_the_root_frees_the_graph_without_the_collector():
    gc.collect()
    gc.disable()
    try:
        a = Value(2.0)
        inner = (a * 2).tanh()
        y = (inner**2 + inner.where_gt0(a, 3)).maximum(inner)
        y.backward()
        y.graph()
        inner.own = micrograd.engine.Value(0.0)
        watched = weakref.ref(inner.own)
        del inner, y
        assert watched() is None
        assert gc.collect() == 0
    finally:
        gc.enable()
