"""Programs as learners write them: run, and read with the numbers that plain Python gives.

Thirty of them have shapes that public programs show: sets, slots, dataclasses, closures, stored
slopes, pairs, subclasses, functions, notebooks with errors, operations and mistakes of their own.
"""

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from msgspec import Struct

from app.runner.run import Request
from engine.formats.program_graph import ProgramGraph
from engine.graph import OpNode
from engine.trace import run
from tests.helpers.ran import VALUE, file_in, notebook, run_all

HERE = Path(__file__).parent
OVERRIDE = re.compile(r"^def \w+\(self.*?^Value\.\w+ = \w+\n", re.DOTALL | re.MULTILINE)


class Program(Struct, frozen=True):
    title: str
    kind: str
    sentence: str
    leaves: tuple[str, ...]
    ops: frozenset[str]
    text: str

    @property
    def cells(self) -> list[str]:
        """The cells of a notebook; of a script it is one."""
        return re.split(r"^# In .*\n", self.text, flags=re.MULTILINE)[1:] or [self.text]

    @property
    def plain(self) -> str:
        """The program as plain Python runs it."""
        left = re.sub(r"^(?:%.*|import matplotlib.*|from graphviz.*)$", "", self.text, flags=re.M)
        return left.replace("plt.plot([1, 2], [3, 4]); plt.show()", "")


@cache
def programs() -> list[Program]:
    text = (HERE / "programs.txt").read_text("utf-8").replace("#VALUE\n", VALUE)
    found = []
    for part in text.split("#### ")[1:]:
        head, _line, body = part.partition("\n")
        title, verdict, leaves, ops = (each.strip() for each in head.split("|"))
        kind, _colon, sentence = verdict.partition(": ")
        found.append(
            Program(title, kind, sentence, tuple(leaves.split()), frozenset(ops.split()), body)
        )
    return found


@cache
def answers() -> dict[str, dict[str, list[float]]]:
    """What plain Python gives; of a wrong pass also what the right one gives, under right."""
    asked = [(p.title, p.plain, p.leaves) for p in programs()]
    asked += [
        (f"right: {p.title}", OVERRIDE.sub("", p.plain), p.leaves)
        for p in programs()
        if p.kind == "wrong"
    ]
    done = subprocess.run(
        [sys.executable, str(HERE / "oracle.py")],
        input=json.dumps([[text, leaves] for _title, text, leaves in asked]),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    return {
        title: dict(zip(leaves, each, strict=True))
        for (title, _text, leaves), each in zip(asked, found, strict=True)
    }


@pytest.fixture(scope="module")
def graphs(tmp_path_factory) -> dict[str, ProgramGraph]:
    """The last pass of each program: scripts with a pass are the cells of one notebook."""
    folder = tmp_path_factory.mktemp("programs")
    alone = [p for p in programs() if len(p.cells) > 1 or p.kind == "none"]
    together = [p for p in programs() if p not in alone]
    requests = {
        p.title: Request(
            file_in(folder, f"{k}.ipynb", notebook(*p.cells))
            if len(p.cells) > 1
            else file_in(folder, f"{k}.py", p.text)
        )
        for k, p in enumerate(alone)
    }
    book = file_in(folder, "all.ipynb", notebook(*(p.text for p in together)))
    results = run_all(requests | {"": Request(book)})
    assert not results[""].errors
    found = {p.title: results[p.title].graphs[-1:] for p in alone}
    for k, p in enumerate(together, 1):
        found[p.title] = tuple(g for g in results[""].graphs if g.where.title == f"In [{k}]")[-1:]
    return {title: ProgramGraph(each[0]) for title, each in found.items() if each}


def faults(program: Program, found: ProgramGraph) -> list[str]:
    """What is wrong with the graph of a program."""
    verdict, graph = found.verdict, found.drawing.graph
    wrong = []
    if verdict.kind != program.kind or program.sentence not in verdict.sentence:
        wrong.append(f"{verdict.kind}: {verdict.sentence}")
    used = [graph.op(n) for n, node in graph.nodes.items() if isinstance(node, OpNode)]
    ops = {op.symbol if op.uses else op.name for op in used}
    if ops != program.ops:
        wrong.append(f"has {sorted(ops)}")
    named = {graph.label(n): n for n in graph.leaves}
    if missing := set(program.leaves) - named.keys():
        return [*wrong, f"lacks {sorted(missing)}, has {sorted(named)}"]
    for name in program.leaves:
        if said := gradient_fault(program, found, name, named[name]):
            wrong.append(f"{name}.grad {said}")
    if verdict.kind != "late" and run(graph).values[graph.root or 0] != pytest.approx(
        found.nodes[-1].data
    ):
        wrong.append("its root has another value")
    return wrong


def gradient_fault(program: Program, found: ProgramGraph, name: str, node: int) -> str:
    """What is wrong with a leaf's gradient: as recorded, as replayed, and as ours."""
    theirs = answers()[program.title][name][1]
    graph, recorded = found.drawing.graph, found.recorded
    if recorded.grads[node] != pytest.approx(theirs):
        return f"was {recorded.grads[node]}, not {theirs}"
    again = run(graph, rules=recorded.rules).gradients.get(node, 0.0)
    if again != pytest.approx(theirs):
        return f"comes out as {again} in the program's way"
    is_wrong = found.verdict.kind == "wrong"
    if "twice" in program.title or (recorded.slopes and not is_wrong):
        return ""  # ours has no right number of its own here
    right = answers()[f"right: {program.title}"][name][1] if is_wrong else theirs
    begun = 0.0 if is_wrong else recorded.before.get(node, 0.0)
    ours = run(graph).gradients.get(node, 0.0) + begun
    return "" if ours == pytest.approx(right) else f"is {ours}, not {right}"


def test_each_program_comes_in_with_the_numbers_of_plain_python(graphs):
    assert len(programs()) == 63
    wrong = {p.title: ["was not seen"] for p in programs() if p.title not in graphs}
    for program in programs():
        if program.title in graphs and (found := faults(program, graphs[program.title])):
            wrong[program.title] = found
    assert not wrong, json.dumps(wrong, indent=1, ensure_ascii=False)


def test_in_a_long_loop_methods_run_as_they_were_written(tmp_path):
    """What noting costs is paid in passes 1, 2, 4 … alone, and by a second run in the last one."""
    loop = """
watched = []
w = Value(0.5)
for k in range(2000):
    y = w * 0.999 + 0.001
    if Value.__mul__.__code__.co_filename.endswith("runner.py"): watched.append(k)
    w.grad = 0.0
    y.backward()
    w.data = y.data
print(sum(k > 1500 for k in watched), max(watched))
"""
    result = run_all({"": Request(file_in(tmp_path, "loop.py", VALUE + loop))})[""]
    assert [graph.number for graph in result.graphs] == [1, 2000]
    assert [ProgramGraph(graph).verdict.kind for graph in result.graphs] == ["right", "right"]
    many, last = map(int, result.said.split())
    assert many == 0
    assert last >= 1023
