"""Jupyter notebooks are read as the program of their code cells, and nothing of them is run."""

import json
import time
from collections.abc import Sequence
from typing import Any

import pytest

from engine import FormatError, Graph, evaluate, from_python, load
from engine.formats.python import read_notebook
from engine.frame import frame_at
from engine.graph import Leaf
from engine.trace import run
from tests.helpers.tables import in_turn

BEGIN = "from backwire import Value\na = Value(2.0, label='a')\n"


def notebook(*cells: str | Sequence[str], version: int = 4) -> str:
    """The text of a notebook: a heading, then these cells of code, each with an output."""
    source = "source" if version == 4 else "input"
    every: list[dict[str, Any]] = [{"cell_type": "markdown", "source": "# a = Value(5)"}]
    output = {"output_type": "stream", "text": ["b = Value(7)\n"], "more": [1, {"x": None}]}
    every += [{"cell_type": "code", source: cell, "outputs": [output]} for cell in cells]
    whole = {"cells": every} if version == 4 else {"worksheets": [{"cells": every}]}
    return json.dumps({**whole, "metadata": {}, "nbformat": version, "nbformat_minor": 0})


def leaves(graph: Graph) -> dict[str, tuple[float, float]]:
    """The value and gradient of each leaf by its name."""
    trace = run(graph)
    frame = frame_at(trace, len(trace))
    found = [node for node, each in graph.nodes.items() if isinstance(each, Leaf)]
    return {graph.names[n]: (frame.values[n], frame.grads[n]) for n in found}


@in_turn("text", [
    notebook(BEGIN, "y = a*a*a\ny.backward()"),
    notebook(BEGIN.replace("backwire", "micrograd.engine"), "y = a*a*a\ny.backward()"),
    notebook(BEGIN.splitlines(keepends=True), ["y = a*a*a\n", "y.backward()"]),
    notebook(BEGIN.splitlines(keepends=True), ["y = a*a*a"], version=3),
    notebook("", BEGIN, " \n", "y = a*a*a", "# the end"),
    "\ufeff\n" + notebook(BEGIN, "y = a*a*a"),
    notebook("%matplotlib inline\n!pip install micrograd\n" + BEGIN, "y = a*a*a\nprint(y)"),
    notebook("%%bash\nrm -rf /", BEGIN, "\n%%html\n<b>y = </b>", "%%time\ny = a*a*a", "y"),
    notebook(BEGIN, "a?\n?a\na.backward??\n%time y = a*a*a\n%timeit y.backward()"),
    notebook(BEGIN, "files = !ls\nhere = %pwd\nif files:\n    %cd /\ny = a*a*a"),
    notebook(BEGIN, "!echo one \\\n   two\ny = a*a*a"),
    notebook(BEGIN, "get_ipython().run_line_magic('matplotlib', 'inline')\ny = a*a*a"),
    notebook(BEGIN, *["%pwd\n!ls\n?a"] * 300, "y = a*a*a"),
])  # fmt: skip
def test_the_code_of_a_notebook_makes_the_graph_that_it_would_make(text: str):
    assert leaves(from_python(text)) == {"a": (2.0, 12.0)}
    assert leaves(read_notebook(text).graph) == {"a": (2.0, evaluate("a*a*a", a=2).grads["a"])}


@in_turn(("cells", "said"), [
    (["# Value", "\ny = x(q)"], "makes a Value; code cell 2, line 2 was passed over."),
    ([], "The notebook holds no code, so there is no graph."),
    (["", " \n"], "The notebook holds no code, so there is no graph."),
    (["print(3)"], "No straight line of the program makes a Value."),
    ([BEGIN, "y = a" + "+1" * 300_000], "The notebook is longer than 600,000 characters."),
])  # fmt: skip
def test_what_can_not_be_read_is_named_with_its_cell_and_line(cells: list[str], said: str):
    with pytest.raises(FormatError) as found:
        from_python(notebook(*cells))
    assert said in str(found.value)


@in_turn(("cells", "said"), [
    (["x = 1\ny = a * ("], ""),
    (["", "y = a + q"], "code cell 4, line 1."),
    (["def f(x):\n    return x", "z = f(a)"], "code cell 4, line 1."),
    (["%time z = a @ a"], "code cell 3, line 1."),
    (["\n%run more.py"], ""),
])  # fmt: skip
def test_what_is_passed_over_is_named_with_its_cell_and_line(cells: list[str], said: str):
    found = read_notebook(notebook(BEGIN, "y = a*a*a", *cells))
    assert leaves(found.graph) == {"a": (2.0, 12.0)}
    assert found.remark.endswith(said)
    assert bool(found.remark) == bool(said)


WHOLE = notebook(BEGIN, "y = a*a")


@in_turn(("text", "said"), [
    (WHOLE[:-90], "this is not JSON"),
    ('{"cells": ' + "[" * 10**6, "more than 750,000 keys"),
    ('{"cells": ' + "[" * 10**6 + "]" * 10**6 + "}", "more than 750,000 keys"),
    ('{"metadata": ' + "[" * 300_000 + "]" * 300_000 + "}", "nested too deeply"),
    ('{"metadata": ' + '{"a":' * 300_000, "nested too deeply"),
    (WHOLE.replace("a*a", "a*a \\ud800"), r"\ud800 is half a character"),
    (WHOLE.replace("a*a", "a*a \ud800"), "half a character"),
    (WHOLE.replace('"nbformat": 4', '"nbformat": 9'), "reads versions 3 and 4"),
    ('{"cells": []}', "not a Jupyter notebook"),
    ('{"cells": 3, "nbformat": 4}', "not a Jupyter notebook"),
    ('{"cells": [{"cell_type": "code", "source": 3}], "nbformat": 4}', "not a Jupyter"),
    (notebook("x" * 2**24), "larger than 16 MiB"),
])  # fmt: skip
def test_a_damaged_notebook_is_refused_in_one_sentence_at_once(text: str, said: str):
    begun = time.process_time()
    for read in (from_python, read_notebook):
        with pytest.raises(FormatError) as found:
            read(text)
        assert said in str(found.value)
        assert "\n" not in str(found.value)
    assert time.process_time() - begun < 5.0  # a tenth of a second; work that grows takes minutes


@pytest.mark.parametrize("text", ["", "hello", "[1, 2]", "null", '{"format": "backwire graph"}'])
def test_a_file_that_only_is_called_a_notebook_is_not_taken_for_a_program(text: str, tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(text, "utf-8")
    with pytest.raises(FormatError, match=r"JSON|not a Jupyter notebook"):
        load(path)


def test_a_notebook_is_loaded_by_its_suffix_and_runs_nothing(tmp_path):
    path, trap = tmp_path / "Lecture.IPYNB", tmp_path / "trap"
    touch = f"import os\nos.system({f'touch {trap}'!r})\nos.mkdir({str(trap)!r})"
    path.write_text(notebook(BEGIN, touch, "y = a*a", f"!touch {trap}"), "utf-8")
    assert leaves(load(path)) == {"a": (2.0, 4.0)}
    assert not trap.exists()
