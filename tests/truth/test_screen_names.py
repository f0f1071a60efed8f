"""What people read calls a node by its label as it is; names made for code stand in code alone."""

import re

import pytest

from engine.edits import set_label
from engine.formats import dot, latex
from engine.formats.native import Drawing
from engine.graph import Graph, Root, is_name
from tests.helpers.sampling import spread
from tests.helpers.tables import in_turn
from tests.truth.claims import Said
from tests.truth.places import Views
from tests.truth.survey import example_graphs

EXAMPLES = dict(example_graphs())
PATTERNS = ("x{k}*w{k}", "my loss {k}", "{k} %", "<b>{k}</b>", "a & b{k}", "${k}$", "{{{k}}}")
MORE = ('say "{k}"', "it's {k}", "🐍{k}", "−{k}", "a/b_{k} + ½", "\\{k}", "{k}.grad", "שלום{k}")
CODE = ("narration code", "code")


@pytest.fixture(scope="module")
def views(qapp):
    found = Views()
    yield found
    found.close()


def relabelled(drawing: Graph | Drawing) -> Graph:
    """The graph with labels that no code could hold, each on one node."""
    graph = drawing if isinstance(drawing, Graph) else drawing.graph
    patterns = (*PATTERNS, *MORE)
    named = [n for n, found in graph.nodes.items() if not isinstance(found, Root)]
    for k, node in enumerate(named):
        graph = set_label(graph, node, patterns[k % len(patterns)].format(k=node))
    return graph


def for_people(views: Views) -> list[Said]:
    """Every text that is no code, of a few moments of both passes."""
    found: list[Said] = []
    for phase in ("forward", "backward"):
        views.start(phase)
        total = views.playback.frame.total
        for cursor in sorted({0, 1, 2, total // 2, total}):
            views.go(cursor)
            found += views.texts()
            for node in views.document.graph.nodes:
                found += views.of(node)
    return [said for said in found if said.place not in CODE]


def code_names(graph: Graph, text: str) -> list[str]:
    """The names in a text that are no label."""
    made = [name for node, name in graph.names.items() if graph.label(node) != name]
    return [name for name in made if re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text)]


@in_turn(
    ("name", "notation"),
    spread(["demonstration", "neuron", "double", "dead-relu"], ["partial", "grad"]),
)
def test_no_text_for_people_has_a_name_that_was_made_for_code(views, name, notation):
    views.style.set_notation(notation)
    graph = relabelled(EXAMPLES[name])
    views.open(graph)
    texts = [(said.place, _without_head(said)) for said in for_people(views)]
    assert [(place, text) for place, text in texts if code_names(graph, text)] == []
    whole = "\n".join(text for _place, text in texts)
    assert all(graph.label(n) in whole for n in graph.names)


@in_turn("name", EXAMPLES)
def test_pictures_in_dot_and_tex_have_no_name_made_for_code(name):
    graph = relabelled(EXAMPLES[name])
    assert all(not is_name(graph.label(n)) for n in graph.names)
    for text in (dot.write(graph), latex.write(graph)):
        assert code_names(graph, text) == []


def _without_head(said: Said) -> str:
    """A caption without what the test has put before it."""
    return said.text.partition(" = ")[2] if said.place == "caption" else said.text
