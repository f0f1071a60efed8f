"""What is told of a run, and how the passes of two runs are put together."""

import time

from msgspec.structs import replace

from engine.formats.program_graph import ProgramGraph
from engine.formats.recording import Place, Recording, RunResult, Seen, Trouble, merged, told
from tests.helpers.tables import in_turn

LEAF = Seen((), 1.0, 0.0, 1.0, "a", "a", "", "", (), None, (), -1)
PLACE = Place("In [3]", 2, "loss.backward()")
GRAPH = Recording(PLACE, 1, 1, (LEAF,))
NO_TORCH = Trouble(
    Place("In [22]", 1, "t = torch.tensor(1)"), "ModuleNotFoundError", "No module named 'torch'"
)
INPUT = Trouble(Place("a.py", 4, "x = input()"), "EOFError", "nobody can type here")

TOLD = [
    (RunResult(), ["No number in it is a Value."]),
    (RunResult(graphs=(GRAPH,)), []),
    (RunResult("time", passes=16, seconds=30.0), ["Stopped after 30 s; 16 passes were seen."]),
    (RunResult("stopped", passes=1, graphs=(GRAPH,)), ["Stopped; 1 pass was seen."]),
    (RunResult("memory", memory=2 << 30), ["More than 2 GB."]),
    (RunResult("killed"), ["It did not stop and was ended."]),
    (
        RunResult("exit", said="usage: a.py [-h] n\nerror"),
        ["It ended itself: usage: a.py [-h] n; give arguments."],
    ),
    (RunResult("exit", passes=2), ["It ended itself; 2 passes were seen."]),
    (
        RunResult("start", said="there is no Python x"),
        ["It can't be started: there is no Python x."],
    ),
    (
        RunResult(refused=(("write", "a.csv"), ("network", ""))),
        ["It wanted to write a.csv beside itself.", "It wanted the network."],
    ),
    (
        RunResult(refused=(("write", "/etc/a"), ("start", "ls"))),
        ["It wanted to write /etc/a.", "It wanted to start another program."],
    ),
    (
        RunResult(errors=(INPUT,)),
        [
            "a.py, line 4: It asks for input(), and nobody can type here: "
            "put the number into the line."
        ],
    ),
    (
        RunResult(errors=(NO_TORCH,), missing=(("torch", "needed"),)),
        [
            "In [22], line 1: ModuleNotFoundError: No module named 'torch'. "
            "Choose a Python that has it.",
            "Passes of PyTorch itself are not seen.",
        ],
    ),
    (
        RunResult(unshown=((Place("", 0, ""), 0, "(500, 1)"),)),
        ["The numbers are arrays of shape (500, 1). A graph here is made of single numbers."],
    ),
    (
        RunResult(unshown=((PLACE, 1, "(500, 1)"),), graphs=(GRAPH,)),
        [
            f"{PLACE}: The numbers are arrays of shape (500, 1). "
            "A graph here is made of single numbers."
        ],
    ),
    (
        RunResult(unshown=((Place("", 0, ""), 0, "complex"),)),
        ["The numbers are of the type complex. A graph here is made of single numbers."],
    ),
    (
        RunResult(unshown=((PLACE, 1, 115_000),)),
        [
            f"{PLACE}: One pass has 115,000 numbers; a sheet holds 50,000. "
            "Give the program fewer samples."
        ],
    ),
    (RunResult(classes=("Value",)), ["It makes no graph: no number of it comes from another."]),
    (
        RunResult(graphs=(GRAPH,), dropped=2),
        ["The oldest passes were dropped: what came back is longer than 64 MB."],
    ),
]


@in_turn("result, sentences", TOLD)
def test_what_is_told_of_a_run(result, sentences):
    assert list(told(result)) == sentences


def test_a_second_run_adds_the_last_pass_only_if_its_numbers_are_the_same():
    first = RunResult(
        passes=9, graphs=(GRAPH, replace(GRAPH, number=4, times=9)), unseen=((9, 1.0),)
    )
    for data, numbers in ((1.0, [1, 9]), (1.0 + 1e-9, [1, 9]), (1.1, [1, 4])):
        last = replace(GRAPH, number=9, times=9, nodes=(replace(LEAF, data=data),))
        found = merged(first, RunResult(graphs=(last,)))
        assert [graph.number for graph in found.graphs] == numbers, data
        assert {graph.times for graph in found.graphs} == {9}


def test_an_operation_of_its_own_is_read_at_once_however_often_it_is_used():
    own = Seen((0,), 1.0, 0.0, 1.0, "", "", "f", "f", (0,), (1.0,), (), -1)
    nodes = (LEAF, *(replace(own, kids=(k,), data=2.0 + k % 7, args=(k,)) for k in range(6_000)))
    began = time.process_time()
    found = ProgramGraph(replace(GRAPH, nodes=nodes))
    assert len(found.drawing.graph.nodes) == 6_002
    assert found.verdict.kind == "own"
    assert time.process_time() - began < 4.0  # 30 s, when each use was tried as each of ours


def test_a_graph_without_a_pass_has_no_gradients_of_the_program():
    assert ProgramGraph(GRAPH).recorded.grads == {1: 1.0}
    assert ProgramGraph(replace(GRAPH, number=0)).recorded.grads == {}


def test_a_leaf_that_fires_for_each_of_its_paths_is_no_fault_of_the_order():
    """Its step does nothing: what is wrong is the = of the others."""
    leaf = replace(LEAF, after=3.0)
    two, three = (
        Seen((0,), k, 0.0, 1.0, "", "", "*", "__mul__", (0, (k,)), (k,), (0,), -1, (1.0, None))
        for k in (2.0, 3.0)
    )
    root = Seen((1, 2), 5.0, 0.0, 1.0, "", "", "+", "__add__", (1, 2), (1.0, 1.0), (1, 2), -1)
    fault = "a.grad is 3 in the program, the graph says 5: = instead of +=."
    for fired in ((3, 1, 0, 2, 0), (3, 1, 0, 2), (3, 1, 2)):
        found = ProgramGraph(Recording(PLACE, 1, 1, (leaf, two, three, root), (), fired))
        assert found.verdict.sentence == fault, fired
