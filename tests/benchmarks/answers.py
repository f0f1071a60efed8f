"""How long a verdict takes: an answer judged, its sentence, the experiment, and the work.

python3 run.py bench answers [--nodes N]

The graph is irregular, its questions are spread over all steps. Of each question the answers are
the numbers of its beliefs and one that none has. Figures are milliseconds of the processor.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Iterator, Sequence

from engine.asking.answering import first_try_feedback
from engine.asking.beliefs import belief_numbers
from engine.asking.judging import judge
from engine.asking.question import Question, step_questions
from engine.asking.reasons import because, experiment
from engine.graph import Graph, Leaf, Node, OpNode, Root
from engine.numbers import DIGITS_SHOWN, plain
from engine.trace import Trace, run
from tests.benchmarks.peers import Reach

LONGEST_MS = 16.0
"""A verdict may take one frame."""
ASKED = 40
"""Questions that are measured, spread over the pass."""


def main(argv: Sequence[str]) -> int:
    """Print the table; 0 if each verdict is within its time."""
    parser = argparse.ArgumentParser(prog="bench answers")
    parser.add_argument("--nodes", type=int, default=1_000)
    nodes, reach = parser.parse_known_args(argv)[0].nodes, Reach()
    trace = run(irregular(nodes))
    taken = sorted(verdicts(trace))
    print(f"\nA verdict at {len(trace.graph.nodes):,} nodes: answer, sentence, experiment, work")
    for name, time_ms in (("median", statistics.median(taken)), ("longest", taken[-1])):
        print(f"{name:>10}{time_ms:10.2f} ms")
    reach.at_most("longest verdict, ms", taken[-1], LONGEST_MS)
    return 0 if reach.report("To be reached") else 1


def irregular(count: int) -> Graph:
    """Return a graph of so many nodes, in which each op reads one that nothing has read yet."""
    dice, leaves = random.Random(count), max(2, count // 10)
    nodes: dict[int, Node] = {k: Leaf(dice.choice((-3, -2, 2, 3)) / 2) for k in range(1, leaves)}
    waiting = list(nodes)
    for node in range(leaves, count):
        read = waiting.pop(dice.randrange(len(waiting)))
        op, other = dice.choice(("add", "sub", "mul", "tanh")), dice.choice(list(nodes))
        if len(waiting) >= count - node:
            op, other = "add", waiting.pop()  # the last ones join what is left
        nodes[node] = OpNode(op, (read,) if op == "tanh" else (read, other))
        waiting.append(node)
    return Graph({**nodes, count: Root(count - 1)}, count, count + 1)


def verdicts(trace: Trace) -> Iterator[float]:
    """Yield the milliseconds of each verdict."""
    kinds = ("local", "contribution", "sum")
    for step in range(2, len(trace) + 1, max(1, len(trace) // ASKED)):
        for question in step_questions(trace, step, kinds):
            numbers = [number for _belief, number in belief_numbers(question, trace)]
            for number in dict.fromkeys((*numbers, 98765.4)):
                begun = time.process_time()
                said(question, trace, plain(number))
                yield 1_000 * (time.process_time() - begun)


def said(question: Question, trace: Trace, text: str) -> None:
    """Judge an answer, and say all that is said about it in turn."""
    (judged,) = judge(trace, [(question, text)], DIGITS_SHOWN)
    first_try_feedback(judged, trace, (question,), DIGITS_SHOWN)
    experiment(question, trace, DIGITS_SHOWN, belief=judged.slip)
    because(question, trace, DIGITS_SHOWN)
