"""Backwire files: what is written reads back, and what is wrong is refused by its place."""

import json
import math
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import EngineError, FormatError, Graph
from engine.asking.question import Start, Task
from engine.formats import native, strict_json
from engine.formats.native import Drawing, GroupEntry, read_drawing, write_drawing
from engine.graph import Constant, Leaf, OpNode, Root
from engine.ops import Use, frozen
from engine.rules import Recorded
from tests.helpers.drawn import any_graphs
from tests.helpers.graphs import demonstration, same
from tests.helpers.sampling import tries
from tests.helpers.tables import in_turn

HEAD = '{"format": "backwire", "version": 1, "nodes": ['

VERSION_1 = """{
 "format": "backwire",
 "version": 1,
 "nodes": [
  {"id": 1, "kind": "leaf", "label": "a", "value": "-Infinity", "position": [24.0, -48.0]},
  {"id": 3, "kind": "constant", "value": 0.5},
  {"id": 4, "kind": "op", "label": "größe", "op": "mul", "inputs": [1, null]},
  {"id": 7, "kind": "root", "inputs": [4]}
 ],
 "active_root": 7,
 "next_id": 9,
 "sections": [
  {"id": 1, "title": "part", "rect": [0.0, 0.0, 240.0, 120.0], "colour": 2}
 ],
 "groups": [
  {"id": 1, "title": "outer", "members": [3]},
  {"id": 2, "title": "", "members": [1, 4], "collapsed": true, "position": [1.0, 2.0], "parent": 1}
 ]
}
"""


def drawing_1() -> Drawing:
    """What stands in VERSION_1."""
    nodes = {
        1: Leaf(-math.inf, "a"),
        3: Constant(0.5),
        4: OpNode("mul", (1, None), "größe"),
        7: Root(4),
    }
    groups = (
        GroupEntry(1, "outer", [3]),
        GroupEntry(2, "", [1, 4], collapsed=True, position=(1.0, 2.0), parent=1),
    )
    # sections had numbers of their own
    drawn = GroupEntry(3, "part", [], rect=(0.0, 0.0, 240.0, 120.0), colour=2)
    return Drawing(Graph(nodes, 7, 9), {1: (24.0, -48.0)}, (*groups, drawn))


VERSION_2 = VERSION_1.replace('"version": 1', '"version": 2').replace(
    "\n ]\n}\n",
    """
 ],
 "task": {"text": "Fill in größe.", "start": "predict", "level": "whole step", "steps": "every",\
 "locked": true}
}
""",
)
TASK = Task("Fill in größe.", "predict", "whole step", "every", locked=True)

VERSION_3 = VERSION_2.replace('"version": 2', '"version": 3').replace(
    '"locked": true}\n}\n',
    """"locked": true},
 "lecture": [
  {"title": "the beginning", "notes": "Say what größe is.\\n\\nThen wait."},
  {"kind": "ask", "phase": "backward", "step": 2, "node": 4, "slot": 0, "asks": "contribution",\
 "form": "number", "seconds": 60, "reveals": false, "values": [[1, 2.0]], "name": "größe.1"},
  {"kind": "ask", "text": "And now?", "asks": "text", "choices": [{"text": "yes"},\
 {"text": "no", "say": "Not yet.", "right": true}]},
  {"kind": "ask", "phase": "backward", "node": 4, "asks": "change", "leaf": 1, "to": -2.5},
  {"kind": "ask", "phase": "backward", "step": 9, "asks": "mistake", "mistake": "assign"},
  {"kind": "blank", "text": "Five minutes"}
 ]
}
""",
)
VERSION_4 = (
    VERSION_1.replace('"version": 1', '"version": 4')
    .replace("mul", "bend")
    .replace(
        '"parent": 1}\n ]\n',
        """"parent": 1}
 ],
 "operations": [
  {"name": "bend", "uses": [[[2.0, "NaN"], -0.5, [0.25, "Infinity"]], [[1.0, 0.0], 3.0, [0.0, -1.0]\
]], "symbol": "~"}
 ],
 "recorded": {"nodes": [[1, 2.0, 1.0, "NaN"], [4, -0.5, 0.0, null]], "fired": [4, 4],\
 "assigns": [[4, 0]], "slopes": [[4, 0, 0.5]], "seed": 0.0}
""",
    )
)
PASS = Recorded(
    *({1: 2.0, 4: -0.5}, {1: 1.0}, {1: math.nan}),
    *((4, 4), frozenset(((4, 0),)), {(4, 0): 0.5}, 0.0),
)
BEND = frozen(
    "bend", "~", (Use((2.0, math.nan), -0.5, (0.25, math.inf)), Use((1.0, 0.0), 3.0, (0.0, -1.0)))
)
LESSON = '[[step]]\nkind = "say"\ntitle = "größe"\n'
VERSION_5 = VERSION_1.replace('"version": 1', '"version": 5').replace(
    "\n ]\n}\n", '\n ],\n "lesson": "[[step]]\\nkind = \\"say\\"\\ntitle = \\"größe\\"\\n"\n}\n'
)
SECTIONS = """ "sections": [
  {"id": 1, "title": "part", "rect": [0.0, 0.0, 240.0, 120.0], "colour": 2}
 ],
"""
VERSION_6 = (
    VERSION_5.replace('"version": 5', '"version": 6')
    .replace(SECTIONS, "")
    .replace(
        '"parent": 1}\n ],\n',
        """"parent": 1},
  {"id": 3, "title": "part", "members": [], "rect": [0.0, 0.0, 240.0, 120.0], "colour": 2}
 ],
""",
    )
)
VERSIONS = (VERSION_1, VERSION_2, VERSION_4, VERSION_5)


def test_every_released_version_opens_for_ever():
    assert read_drawing(VERSION_1) == drawing_1()
    assert read_drawing(VERSION_2) == replace(drawing_1(), task=TASK)
    assert read_drawing(VERSION_5) == replace(drawing_1(), lesson=LESSON)
    nodes = {**drawing_1().graph.nodes, 4: OpNode("bend", (1, None), "größe")}
    bent = replace(drawing_1().graph, nodes=nodes, operations=(BEND,))
    assert read_drawing(VERSION_4) == replace(drawing_1(), graph=bent, recorded=PASS)
    assert read_drawing(VERSION_4).graph.op(4).knows(2.0, math.nan)
    assert read_drawing(VERSION_6) == read_drawing(VERSION_5)


def test_what_were_sections_is_written_as_groups():
    assert write_drawing(read_drawing(VERSION_5)) == VERSION_6


def test_the_marks_of_a_version_that_was_never_released_are_left_out_with_a_remark():
    found = read_drawing(VERSION_3)
    assert found == replace(drawing_1(), task=TASK)
    assert found.remark == "6 marks of an earlier version were left out."
    assert read_drawing(mark('{"to": "anything"}')).remark == (
        "1 mark of an earlier version was left out."
    )


def test_a_lesson_that_can_not_be_read_stops_no_sheet_from_opening_and_is_saved_unchanged():
    broken = VERSION_6.replace("[[step]]", "[[step")
    assert write_drawing(read_drawing(broken)) == broken


def test_equal_drawings_give_equal_texts_one_node_a_line():
    for text in (*(text.replace(SECTIONS, "") for text in VERSIONS), VERSION_6):
        assert write_drawing(read_drawing(text)) == text


@given(
    text=st.text(st.characters(exclude_categories=("C", "Z")), max_size=240),
    start=st.sampled_from(get_args(Start)),
    locked=st.booleans(),
)
def test_any_task_reads_back_the_same(text, start, locked):
    task = Task(text, start, locked=locked)
    if task != Task():
        drawing = Drawing(Graph(), task=task)
        assert read_drawing(write_drawing(drawing)) == drawing


@given(graph=any_graphs())
def test_any_graph_reads_back_the_same(graph):
    again = native.read(native.write(graph))
    assert again == graph
    assert again.names == graph.names
    for node, found in graph.nodes.items():
        if isinstance(found, Leaf | Constant):
            other = again.nodes[node]
            assert isinstance(other, Leaf | Constant)
            assert same(found.value, other.value)


@given(
    graph=any_graphs(),
    places=st.lists(st.tuples(st.floats(-1e7, 1e7), st.floats(-1e7, 1e7)), min_size=12),
)
def test_places_are_kept(graph, places):
    drawing = Drawing(graph, dict(zip(graph.nodes, places, strict=False)))
    assert read_drawing(write_drawing(drawing)) == drawing


def node(text: str) -> str:
    return f"{HEAD}{text}]}}"


def more(text: str) -> str:
    """A file of leaf 1 and Root 2 with more behind its nodes."""
    leaf = '{"id": 1, "kind": "leaf", "value": 1}'
    return f'{HEAD}{leaf}, {{"id": 2, "kind": "root", "inputs": [1]}}], {text}}}'


def drawn(text: str) -> str:
    """A file of a group with these fields and no members."""
    group = f'"groups": [{{"id": 1, "title": "", "members": [], {text}}}]'
    return more(group).replace('"version": 1', '"version": 6')


def task(text: str) -> str:
    """An empty sheet with a task."""
    return f'{{"format": "backwire", "version": 2, "nodes": [], "task": {text}}}'


def mark(text: str) -> str:
    """An empty sheet with a mark of an earlier version."""
    return f'{{"format": "backwire", "version": 3, "nodes": [], "lecture": [{text}]}}'


def operation(text: str) -> str:
    """An empty sheet with one operation."""
    return f'{{"format": "backwire", "version": 4, "nodes": [], "operations": [{text}]}}'


NO_GRAPH = "The file is not a Backwire graph:"
NO_VERSION = "The file has no version that is a whole number from 1."
TASK_TEXT = "Task: The text is one line of plain text of up to 240 characters."
LABEL = "A label is one line of plain text of up to 200 characters."
NEXT_ID = '"next_id" is a whole number from 3 to 9007199254740992.'
SHEET = "its position is outside the sheet."
WRONG: tuple[tuple[str, str], ...] = (
    ("", "Line 1, column 1: this is not JSON (the file ends too early)."),
    ('{"a": }', "Line 1, column 7: this is not JSON (invalid character)."),
    ('{"a": ' + "[" * 2000, "The file is nested too deeply."),
    ('{"a": ' + "[" * 600, "The file is nested too deeply."),
    ("[]", f"{NO_GRAPH} Expected `object`, got `array`."),
    ("{}", 'The file is not a Backwire graph: it has no "format": "backwire".'),
    ('{"format": "x"}', 'The file is not a Backwire graph: it has no "format": "backwire".'),
    ('{"format": "backwire"}', NO_VERSION),
    ('{"format": "backwire", "version": true}', NO_VERSION),
    ('{"format": "backwire", "version": 0}', NO_VERSION),
    ('{"format": "backwire", "version": 8, "nodes": 7}',
     "The file is of version 8; this program reads up to version 7."),
    ('{"format": "backwire", "version": 1}', f"{NO_GRAPH} Object missing required field `nodes`."),
    (more('"next_id": 3, "next_id": 3'),
     'Line 1, column 144: the key "next_id" stands twice in one object.'),
    ('{"a": NaN}', 'Line 1, column 7: NaN is not JSON; write it as the string "NaN".'),
    ('{"a": -Infinity}',
     'Line 1, column 7: -Infinity is not JSON; write it as the string "-Infinity".'),
    (node('{"id": 1, "kind": "leaf", "value": 1e999}'),
     f"{NO_GRAPH} Number out of range - at `$.nodes[0].value`."),
    (node(f'{{"id": {"9" * 5000}, "kind": "leaf", "value": 1}}'),
     f"{NO_GRAPH} Integer value out of range - at `$.nodes[0].id`."),
    ('"\ud800"', "Line 1, column 2: half a character."),
    (node('{"id": 1, "kind": "leaf", "value": "1"}'),
     f"{NO_GRAPH} Invalid enum value '1' - at `$.nodes[0].value`."),
    (node('{"id": 1, "kind": "leaf", "value": null}'),
     f"{NO_GRAPH} Expected `float | str`, got `null` - at `$.nodes[0].value`."),
    (node('{"id": 1, "kind": "leaf", "value": 1, "foo": 2}'),
     f"{NO_GRAPH} Object contains unknown field `foo` - at `$.nodes[0]`."),
    (node('{"id": 1.5, "kind": "leaf", "value": 1}'),
     f"{NO_GRAPH} Expected `int`, got `float` - at `$.nodes[0].id`."),
    (node('{"id": 1, "kind": "zebra"}'),
     f"{NO_GRAPH} Invalid enum value 'zebra' - at `$.nodes[0].kind`."),
    (node('{"id": 1, "kind": "leaf", "value": 1}, {"id": 1, "kind": "leaf", "value": 1}'),
     "Node 2: the id 1 is used twice."),
    (node('{"id": -1, "kind": "leaf", "value": 1}'), "Node -1: An id is a whole number from 0."),
    (node('{"id": 9007199254740992, "kind": "leaf", "value": 1}'),
     "Node 9007199254740992: An id is a whole number from 0."),
    (node('{"id": 1, "kind": "leaf"}'), 'Node 1: A node of kind leaf needs "value".'),
    (node('{"id": 1, "kind": "leaf", "value": 1, "op": "add"}'),
     'Node 1: A node of kind leaf has no "op".'),
    (node('{"id": 1, "kind": "constant", "value": 1, "inputs": []}'),
     'Node 1: A node of kind constant has no "inputs".'),
    (node('{"id": 1, "kind": "op", "inputs": []}'), 'Node 1: A node of kind op needs "op".'),
    (node('{"id": 1, "kind": "op", "op": "exp"}'), 'Node 1: A node of kind op needs "inputs".'),
    (node('{"id": 1, "kind": "op", "op": "foo", "inputs": []}'),
     "Node 1: There is no operation called foo."),
    (node('{"id": 1, "kind": "op", "op": "exp", "inputs": []}'),
     "Node 1: exp has one slot, not 0."),
    (node('{"id": 1, "kind": "op", "op": "exp", "inputs": [null, null]}'),
     "Node 1: exp has one slot, not 2."),
    (node('{"id": 1, "kind": "op", "op": "exp", "inputs": [7]}'),
     "Node 1, slot 1: there is no node 7."),
    (node('{"id": 1, "kind": "op", "op": "exp", "inputs": [1]}'),
     "Node 1, slot 1: this wire closes a loop."),
    (node('{"id": 2, "kind": "root", "inputs": [2]}'), "Node 2, slot 1: a root gives nothing out."),
    (node('{"id": 2, "kind": "root", "inputs": []}'), "Node 2: A root has one slot and no label."),
    (node('{"id": 2, "kind": "root", "inputs": [null], "label": "r"}'),
     "Node 2: A root has one slot and no label."),
    (node(r'{"id": 1, "kind": "leaf", "value": 1, "label": "a\n"}'), f"Node 1: {LABEL}"),
    (node(f'{{"id": 1, "kind": "leaf", "value": 1, "label": "{"x" * 201}"}}'), f"Node 1: {LABEL}"),
    (node('{"id": 1, "kind": "leaf", "value": 1, "position": [0, 1e8]}'), f"Node 1: {SHEET}"),
    (node('{"id": 1, "kind": "leaf", "value": 1, "position": [0]}'),
     f"{NO_GRAPH} Expected `array` of length 2 - at `$.nodes[0].position`."),
    (more('"next_id": 2'), NEXT_ID),
    (more('"next_id": 9007199254740993'), NEXT_ID),
    (more('"active_root": 1'), '"active_root": node 1 is not a root.'),
    (more('"active_root": 9'), '"active_root": node 9 is not a root.'),
    (more('"groups": [{"id": 1, "title": "", "members": [9]}]'), "Group 1: there is no node 9."),
    (more('"groups": [{"id": -2, "title": "", "members": [1]}]'),
     "Group -2: an id of a group is a whole number from 1."),
    (more('"sections": [{"id": 0, "title": "", "rect": [0, 0, 1, 1]}]'),
     "Group 0: an id of a group is a whole number from 1."),
    (more('"groups": [{"id": 1, "title": "", "members": [1, 1]}]'),
     "Group 1: node 1 stands in a group twice."),
    (more('"groups": [{"id": 1, "title": "", "members": [1, 2]}]'),
     "Group 1: node 2 is a root; it stays outside of groups."),
    (more('"groups": [{"id": 1, "title": "", "members": []}]'), "Group 1: there is nothing in it."),
    (more('"groups": [{"id": 1, "title": "", "members": [], "rect": [0, 0, 1, 1]}]'),
     "A file of version 1 has no field rect."),
    (more('"groups": [{"id": 1, "title": "", "members": [1], "colour": 1}]'),
     "A file of version 1 has no field colour."),
    (drawn('"rect": [0, 0, 1, 1], "collapsed": true'), "Group 1: there is nothing in it."),
    (drawn('"rect": [0, 0, 1e8, 1]'), f"Group 1: {SHEET}"),
    (
        more(
            '"groups": [{"id": 1, "title": "", "members": [1]},'
            '{"id": 2, "title": "", "members": []},'
            '{"id": 3, "title": "", "members": [], "parent": 2}]'
        ),
        "Group 3: there is nothing in it.",
    ),
    (more('"groups": [{}]'.format(", ".join(
        f'{{"id": {k}, "title": "", "members": [{"1" * (k == 70)}], "parent": {k - 1 or "null"}}}'
        for k in range(1, 71)))), "Group 65 lies in more than 64 others."),
    (more('"groups": [{"id": 1, "title": "", "members": [], "parent": 2}]'),
     "Group 1: there is no group 2."),
    (more('"groups": [{"id": 1, "title": "", "members": [], "parent": 1}]'),
     "Group 1 lies within itself."),
    (
        more(
            '"groups": [{"id": 1, "title": "", "members": [], "parent": 2},'
            '{"id": 2, "title": "", "members": [], "parent": 1}]'
        ),
        "Group 2 lies within itself.",
    ),
    (
        more(
            '"groups": [{"id": 1, "title": "", "members": []},'
            '{"id": 1, "title": "", "members": []}]'
        ),
        "Two groups have the same id.",
    ),
    (more(r'"groups": [{"id": 1, "title": "\u0007", "members": []}]'),
     "Group 1: its title is too long or holds control characters."),
    (more('"groups": [{"id": 1, "title": "", "members": [], "position": [1e9, 0]}]'),
     f"Group 1: {SHEET}"),
    (
        more(
            '"sections": [{"id": 1, "title": "", "rect": [0, 0, 1, 1]},'
            '{"id": 1, "title": "", "rect": [0, 0, 1, 1]}]'
        ),
        "Two sections have the same id.",
    ),
    (more('"sections": [{"id": 1, "title": "", "rect": [0, 0, 1e8, 1]}]'), f"Group 1: {SHEET}"),
    (more('"sections": [{"id": 1, "title": "", "rect": [0, 0, 1]}]'),
     f"{NO_GRAPH} Expected `array` of length 4 - at `$.sections[0].rect`."),
    (task(f'{{"text": "{"x" * 241}"}}'), TASK_TEXT),
    (task('{"text": "a\\nb"}'), TASK_TEXT),
    (task('{"text": "a\\u202eb"}'), TASK_TEXT),
    (task('{"text": "a\\u0000b"}'), TASK_TEXT),
    (task("{}"), "Task: An exercise has a text, a mode or locked wiring."),
    (task('{"text": "x", "level": "all"}'), 'Task: There is no level "all".'),
    (task('{"start": "hunt", "level": "sum"}'),
     "Task: Only Ask me and Cover have blanks and steps."),
    (task('{"text": "x", "steps": "meet"}'), "Task: Only Ask me and Cover have blanks and steps."),
    (task('{"start": "lecture"}'), f"{NO_GRAPH} Invalid enum value 'lecture' - at `$.task.start`."),
    (task('{"text": null}'), f"{NO_GRAPH} Expected `str`, got `null` - at `$.task.text`."),
    (task('{"text": "x", "locked": 1}'),
     f"{NO_GRAPH} Expected `bool`, got `int` - at `$.task.locked`."),
    (task('{"text": "x", "answer": 1}'),
     f"{NO_GRAPH} Object contains unknown field `answer` - at `$.task`."),
    (task("[]"), f"{NO_GRAPH} Expected `object | null`, got `array` - at `$.task`."),
    (more('"task": {"text": "x"}'), "A file of version 1 has no field task."),
    (more('"lecture": [{"kind": "show"}]'), "A file of version 1 has no field lecture."),
    (more('"lesson": "x"'), "A file of version 1 has no field lesson."),
    (VERSION_5.replace("größe", "x" * 131_072), "A lesson has up to 128 KiB."),
    (VERSION_3.replace('"version": 3', '"version": 2'),
     "A file of version 2 has no field lecture."),
    (more('"operations": [{"name": "f", "uses": []}]'),
     "A file of version 1 has no field operations."),
    (VERSION_4.replace('"version": 4', '"version": 3'),
     "A file of version 3 has no field operations."),
    (more('"recorded": {"nodes": []}'), "A file of version 1 has no field recorded."),
    (VERSION_4.replace("[4, 4]", "[4, 5]"), "The recorded pass: there is no node 5."),
    (VERSION_4.replace("[4, 4]", "[4, 7]"), "The recorded pass: there is no node 7."),
    (VERSION_4.replace("[[1, 2.0,", "[[2, 2.0,"), "The recorded pass: there is no node 2."),
    (VERSION_4.replace("[[4, 0, 0.5]]", "[[4, 1, 0.5]]"),
     "Node 4, slot 2: the recorded pass has a step where no wire is."),
    (VERSION_4.replace('"seed": 0.0', '"seed": "0"'),
     f"{NO_GRAPH} Invalid enum value '0' - at `$.recorded.seed`."),
    (VERSION_4.replace('"op": "bend"', '"op": "fold"'),
     "Node 4: There is no operation called fold."),
    (VERSION_4.replace("[1, null]", "[1]"), "Node 4: bend has 2 slots, not 1."),
    *((operation(text), f"Operation 1: {said}") for text, said in (
        ('{"name": "tanh", "uses": []}', "Its name is one word of up to 24 letters."),
        ('{"name": "a b", "uses": []}', "Its name is one word of up to 24 letters."),
        ('{"name": "f", "symbol": "a\\nb", "uses": []}', "Its symbol is up to 24 characters."),
        *((f'{{"name": "f", "uses": [{uses}]}}',
           "Each use of it has a slope for each of its 1 to 20 inputs.")
          for uses in ("", "[[], 1, []]", "[[1], 1, []]", "[[1], 1, [1]], [[1, 2], 1, [1, 2]]",
                       f"[{[0] * 21}, 1, {[0] * 21}]")),
    )),
    (operation('{"name": "f", "uses": [[[1], 1, [1]]]}, {"name": "f", "uses": [[[1], 1, [1]]]}'),
     "Operation 2: Its name is used twice."),
    (operation('{"name": "f", "uses": [[1, 1, 1]]}'),
     f"{NO_GRAPH} Expected `array`, got `int` - at `$.operations[0].uses[0][0]`."),
    (operation('{"name": "f", "uses": [], "value": "a"}'),
     f"{NO_GRAPH} Object contains unknown field `value` - at `$.operations[0]`."),
)  # fmt: skip


@in_turn(("text", "sentence"), WRONG)
def test_a_wrong_file_is_refused_whole_with_its_place(text, sentence):
    with pytest.raises(FormatError) as caught:
        read_drawing(text)
    assert str(caught.value) == sentence


def test_a_long_loop_is_found_too():
    ops = ", ".join(
        f'{{"id": {k}, "kind": "op", "op": "exp", "inputs": [{k % 50 + 1}]}}' for k in range(1, 51)
    )
    with pytest.raises(FormatError, match="this wire closes a loop"):
        native.read(node(ops))


def test_too_many_nodes_are_neither_read_nor_written(monkeypatch):
    monkeypatch.setattr(native, "NODE_LIMIT", 7)
    sentence = r"^A file holds up to 7 nodes, not 8\.$"
    with pytest.raises(FormatError, match=sentence):
        native.write(demonstration())
    with pytest.raises(FormatError, match=sentence):
        native.read(write_eight())
    monkeypatch.setattr(native, "NODE_LIMIT", 8)
    assert native.read(native.write(demonstration())) == demonstration()


def write_eight() -> str:
    leaves = ", ".join(f'{{"id": {k}, "kind": "leaf", "value": 1}}' for k in range(8))
    return node(leaves)


def test_a_text_that_is_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(strict_json, "SIZE_LIMIT", 2**20)
    with pytest.raises(FormatError, match=r"^The file is larger than 1 MiB\.$"):
        read_drawing(" " * (2**20 + 1))


def test_a_text_of_too_many_parts_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr(strict_json, "PARTS_LIMIT", 8)
    sentence = r"^The file has more than 8 keys and elements of lists\.$"
    for text in (
        "[1, 2, 3, 4, 5, 6, 7, 8, 9]",
        "[[[[[[[[[]",
        '{"a": [], "b": ["[", "]"], "c": {"d": [], ',
    ):
        with pytest.raises(FormatError, match=sentence):
            read_drawing(text)
    for text in ("[1, 2, 3, 4, 5, 6, 7, 8]", '["[,{", ",,,,", "\\",,,,", "[[[[[[[", "[[[["]'):
        with pytest.raises(FormatError, match="Expected `object`, got `array`"):
            read_drawing(text)


def test_as_many_nodes_as_may_be_are_not_too_many_parts():
    parts = 12  # of a node: itself, its keys, three inputs, two coordinates
    assert parts * native.NODE_LIMIT < strict_json.PARTS_LIMIT


@pytest.mark.parametrize("number", [math.nan, math.inf, 1.1e7, -1e9])
def test_a_place_off_the_sheet_is_not_written(number):
    with pytest.raises(FormatError, match=r"^Node 1: its position is outside the sheet\.$"):
        write_drawing(Drawing(demonstration(), {1: (0.0, number)}))


def test_brackets_inside_texts_do_not_count():
    label = "[" * 30 + "{" * 30 + '\\"' + "]" * 50
    graph = Graph({1: Leaf(1.0, label)}, None, 2)
    assert native.read(native.write(graph)) == graph
    unclosed = '{"a": "' + "[" * 100
    with pytest.raises(FormatError, match="not JSON"):
        native.read(unclosed)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=tries(300))
@given(data=st.data())
def test_nothing_but_our_own_errors_comes_from_a_damaged_file(data):
    document = json.loads(data.draw(st.sampled_from(VERSIONS)))
    for _ in range(data.draw(st.integers(1, 3))):
        place = document
        while isinstance(place, dict | list) and place:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            key = data.draw(st.sampled_from(keys))
            if data.draw(st.booleans()) or not isinstance(place[key], dict | list):
                if data.draw(st.booleans()) and isinstance(place, dict):
                    del place[key]
                else:
                    place[key] = data.draw(JSON | st.sampled_from([0, 1, 3, 4, 7, 10**400]))
                break
            place = place[key]
    _only_our_errors(json.dumps(document))


@settings(max_examples=tries(300))
@given(
    text=st.sampled_from(VERSIONS),
    start=st.integers(0, len(VERSION_3)),
    length=st.integers(0, 30),
    put=st.text(max_size=6) | st.sampled_from(['"', "[", "{", "}", "NaN", "1e999", "\\"]),
)
def test_nothing_but_our_own_errors_comes_from_a_cut_file(text, start, length, put):
    _only_our_errors(text[:start] + put + text[start + length :])


def _refusal(text: str | bytes) -> EngineError | None:
    try:
        read_drawing(text)
    except EngineError as error:
        return error
    return None


def _only_our_errors(text: str | bytes) -> None:
    error = _refusal(text)
    if error is None:
        drawing = read_drawing(text)
        assert read_drawing(write_drawing(drawing)) == drawing
        return
    assert str(error).endswith(".")
    assert "\n" not in str(error)


def test_what_is_optional_may_be_left_out():
    empty = '{"format": "backwire", "version": 2, "nodes": [], "task": null}'
    for text in (VERSION_1.encode(), b"\xef\xbb\xbf" + VERSION_1.encode()):
        assert read_drawing(text) == drawing_1()
    assert read_drawing(empty) == read_drawing(HEAD + "]}") == Drawing(Graph())
    nodes = '{"id": 5, "kind": "leaf", "value": 2}, {"id": 0, "kind": "root", "inputs": [5]}'
    graph = native.read(HEAD + nodes + "]}")
    assert graph == Graph({0: Root(5), 5: Leaf(2.0)}, None, 6)
    assert list(graph.nodes) == [0, 5]
    inner = '{"id": 2, "title": "", "members": [1], "parent": 1}'
    found = read_drawing(more(f'"groups": [{{"id": 1, "title": "", "members": []}}, {inner}]'))
    assert [group.members for group in found.groups] == [[], [1]]


def test_many_closed_brackets_are_not_too_deep():
    boxes = (f'{{"id": {k}, "title": "", "rect": [0, 0, 1, 1]}}' for k in range(1, 41))
    assert read_drawing(more(f'"sections": [{", ".join(boxes)}]')).groups[39].id == 40
