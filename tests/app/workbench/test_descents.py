"""LoopRunner: the training loop of a document, and what is edited meanwhile."""

from app.document.document import Document
from app.workbench.modes.loop_runner import LoopRunner
from app.workbench.playback import Playback
from engine import from_expression
from engine.graph import Leaf


def test_a_value_edited_while_the_loop_waits_for_a_pass_stays(document: Document):
    document.replace_graph(from_expression("y = a*b + a", {"a": 2, "b": 3}))
    playback = Playback(document, document)
    descents = LoopRunner(document, playback, document)
    a = document.graph.node_named("a")
    assert a is not None
    descents.toggle()
    descents.run(1)
    playback.backward()
    document.set_value(a, 9.0)
    descents.set_rate(0.7)
    found = document.graph.nodes[a]
    assert isinstance(found, Leaf)
    assert found.value == 9.0
    assert descents.now is not None
    assert descents.now.loop.rate == 0.7
