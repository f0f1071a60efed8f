"""Lecture files: what is written reads back the same, and every fault is told by its line."""

import math
import random
import re
import time
import tomllib
from dataclasses import replace as drawing_with
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import app.lessons
from app.lessons.course import course, is_lecture
from app.lessons.lecture import (
    Lecture,
    Placed,
    lecture_of,
    mark_at,
    mark_on,
    question_kinds,
    slide_of,
    slides,
    with_appended,
    with_kind,
)
from app.lessons.lecture_file import (
    KINDS,
    LectureFile,
    MarkFile,
    PollChoiceFile,
    appended_text,
    lecture_text,
    load_lecture,
    problems,
)
from app.lessons.lesson_lecture import lecture_of_lesson
from app.lessons.load import lesson
from engine import from_expression
from engine.edits import add, remove
from engine.errors import EngineError, FormatError
from engine.formats.files import save
from engine.formats.native import Drawing, SectionEntry
from engine.graph import Graph, Leaf, Root
from engine.rules import BY_NAME, MISTAKES
from engine.study.lecture import Mark
from engine.study.question import Task, answer
from engine.trace import run
from tests.app.lessons.test_faults import changed, followed, refusals
from tests.helpers.graphs import demonstration
from tests.helpers.lessons import LECTURE
from tests.helpers.random_graphs import made_up
from tests.helpers.sampling import sampled, sized
from tests.helpers.tables import in_turn

HERE = Path(__file__).parent
MODULE = Path(app.lessons.__file__).parent / "lecture_file.py"
PLANTED: list[dict[str, Any]] = tomllib.loads(
    (HERE / "planted_in_a_lecture.toml").read_text("utf-8")
)["planted"]
SHARED = from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "base.lecture.toml"


def told(path: Path, text: str | bytes) -> list[str]:
    path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return [line.removeprefix("base.lecture.toml:") for line in problems(path)]


def read(path: Path, text: str) -> Lecture:
    path.write_text(text, "utf-8")
    return load_lecture(path)


def planted(case: dict[str, Any]) -> str:
    assert LECTURE.count(case["old"]) >= 1
    return LECTURE.replace(case["old"], case["new"], 1)


# reading


def test_the_lecture_without_a_fault_loads(path: Path):
    assert told(path, LECTURE) == []
    lecture = load_lecture(path)
    assert (lecture.title, lecture.source) == ("Two paths and a curve", "base.lecture.toml")
    assert [placed.graph for placed in lecture.marks] == [0, 0, 0, 0, 0, 0, 1, 1]
    marks = [placed.mark for placed in lecture.marks]
    assert [mark.kind for mark in marks] == ["show"] * 2 + ["ask"] * 3 + ["blank"] + ["ask"] * 2
    assert [mark.asks for mark in marks if mark.asks] == [
        "contribution", "final", "mistake", "value", "change",
    ]  # fmt: skip
    assert not any(slide.misfit for slide in slides(lecture))


def test_a_mark_of_a_file_is_anchored_to_its_event(path: Path):
    lecture = read(path, LECTURE)
    graph, marks = lecture.drawings[0].graph, [placed.mark for placed in lecture.marks]
    e, a, b = (graph.node_named(name) for name in "eab")
    assert (marks[2].node, marks[2].slot, marks[2].step, marks[2].name) == (e, 0, 6, "e.1")
    assert marks[2].seconds == 60
    assert (marks[3].node, marks[3].slot, marks[3].name) == (a, None, "a")
    assert (marks[3].form, marks[3].reveals, marks[3].values) == ("number", False, ((b, 4.0),))
    assert marks[0].notes == "Name the leaves.\n\nThen wait."
    assert (marks[4].step, marks[4].node, marks[4].mistake) == (7, None, "assign")


def test_a_question_names_its_wire_and_is_asked_at_the_first_use(path: Path):
    for ask, step in (
        ('{ kind = "sum", wire = "e.1" }', 6),
        ('{ kind = "local", wire = "d.2" }', 5),
        ('{ kind = "contribution", wire = "L.1" }', 2),
    ):
        found = read(path, LECTURE.replace('ask = { kind = "final", node = "a" }', f"ask = {ask}"))
        assert found.marks[3].mark.step == step
    twice = LECTURE.replace(
        'at = "backward 6"\nask = "contribution"',
        'at = "backward 13"\nmistake = "no-zero-grad"\nask = { kind = "local", wire = "e.1" }',
    )
    assert read(path, twice).marks[2].mark.step == 13


def test_a_lecture_may_begin_with_a_blank_screen_before_its_first_graph(path: Path):
    blank = '[[mark]]\nkind = "blank"\ntext = "Welcome"\n\n[[mark]]'
    lecture = read(path, LECTURE.replace("[[mark]]", blank, 1))
    assert [placed.graph for placed in lecture.marks][:3] == [0, 0, 0]
    assert len(lecture.drawings) == 2
    assert not any(slide.misfit for slide in slides(lecture))


@pytest.mark.parametrize("kind", ["text", "mistake"])
def test_a_question_in_own_words_at_a_node_stays_at_the_node(path: Path, kind: str):
    text = (
        LECTURE.partition("[[mark]]\nat")[0]
        + f'''
[[mark]]
at = "a"
mistake = "assign"
ask = "{kind}"
text = "What is \\"wrong\\"?"
choices = [{{ text = "\\"+=\\"", say = "It is. 🙂", right = true }}, {{ text = "no seed" }}]
reveal = false
'''
    )
    lecture = read(path, text)
    assert lecture.marks[1].mark.slot is None
    assert read(path, lecture_text(lecture)) == lecture


def test_an_address_is_read_and_written(path: Path):
    lecture = Lecture("T", (Drawing(SHARED),), (Placed(0, mark_at(SHARED, "backward", 7)),))
    text = lecture_text(replace(lecture, address="https://x.org/a.html"))
    assert read(path, text).address == "https://x.org/a.html"
    assert "address" not in lecture_text(lecture)


def test_a_mark_at_the_wire_of_the_last_step_stays_at_the_wire(path: Path):
    wire, end = mark_on(SHARED, (SHARED.node_named("e") or 0, 1)), mark_at(SHARED, "backward", 7)
    assert (wire.step, wire.name, end.step, end.node) == (7, "e.2", 7, None)
    lecture = Lecture("T", (Drawing(SHARED),), (Placed(0, wire), Placed(0, end)))
    assert [placed.mark for placed in read(path, lecture_text(lecture)).marks] == [wire, end]


def test_the_same_graph_written_again_is_one_graph(path: Path):
    graph = LECTURE[LECTURE.index("graph = ") : LECTURE.index('title = "Values"')]
    text = LECTURE.replace('at = "q"\n', f'{graph}at = "a"\n').replace(
        '{ kind = "change", leaf = "x", to = 0, node = "y" }', '"sum"'
    )
    assert [placed.graph for placed in read(path, text).marks][-2:] == [1, 0]


def test_a_graph_beside_the_lecture_keeps_its_layout_but_no_marks(path: Path):
    section = SectionEntry(1, "part", (0.0, 0.0, 240.0, 120.0))
    drawing = Drawing(
        SHARED, {1: (24.0, 48.0)}, (section,), task=Task("Do."), lecture=(Mark(title="x"),)
    )
    save(drawing, path.parent / "two.backwire")
    text = re.sub(r"graph = \{ expression = \"e.*", 'graph = { file = "two.backwire" }', LECTURE)
    lecture = read(path, text)
    assert lecture.drawings[0] == drawing_with(drawing, task=None, lecture=())
    assert lecture.graph_sources[0] == "two.backwire"
    assert read(path, lecture_text(lecture)) == lecture
    with_values = text.replace('"two.backwire"', '"two.backwire", values = { a = 3 }')
    assert told(path, with_values) == [
        "5: mark 1, graph: values belong to an expression; a mark has values of its own"
    ]


def test_a_file_is_a_lecture_by_its_ending():
    assert is_lecture(Path("x/two.lecture.toml"))
    assert is_lecture(Path("Two.LECTURE.TOML"))
    assert not is_lecture(Path("two.toml"))
    assert not is_lecture(Path("lecture.toml"))


# faults


@in_turn("case", PLANTED)
def test_a_planted_fault_is_told_by_line_and_mark(case: dict[str, Any], path: Path):
    assert told(path, planted(case)) == case["told"]
    with pytest.raises(FormatError) as refused:
        load_lecture(path)
    assert str(refused.value).startswith(problems(path)[0][:200])


def test_what_is_no_text_of_a_lecture_is_not_read(path: Path):
    for text, sentence in (
        ("#" * 200_000, "1: the file is larger than 128 KiB"),
        ('title = "\0"', "1: a control character can't stand in a lecture"),
        (b"format = 1\n\xff", "1: the file is not UTF-8 text (at byte 12)"),
    ):
        assert told(path, text) == [sentence]
    assert problems(path.parent / "none.lecture.toml") == (
        "none.lecture.toml can't be read: No such file or directory",
    )


def test_too_many_marks_and_graphs_are_told(path: Path):
    many = LECTURE + '\n[[mark]]\ntitle = "x"\n' * 193
    assert told(path, many) == ["4: mark: a lecture has 1 to 200 marks, not 201"]
    graphs = "".join(f'\n[[mark]]\ngraph = {{ expression = "y = a + {k}" }}\n' for k in range(19))
    assert told(path, LECTURE + graphs) == ["107: mark 27, graph: a lecture has up to 20 graphs"]


def test_all_faults_are_told_at_once_in_the_order_of_lines(path: Path):
    text = LECTURE.replace("timer = 30", "timer = -1").replace('"backward 6"', '"backward 66"')
    found = told(path, text.replace('node = "a" }', 'node = "A" }'))
    assert [int(line.partition(":")[0]) for line in found] == [14, 18, 24]


def test_nothing_of_a_file_is_run(path: Path):
    mark = path.parent / "mark"
    for text in (f"open('{mark}', 'w')", f"__import__('os').mkdir('{mark}')", "a.__class__"):
        assert told(path, LECTURE.replace("e = a*b; d = e + a; L = d*f", text))
        assert told(path, LECTURE.replace('"backward 6"', f'"{text}"'))
    assert not mark.exists()


def test_each_refusal_in_the_code_has_a_case(path: Path):
    """Each line that raises or adds a fault is reached by some case."""
    with followed([MODULE]) as reached:
        for case in PLANTED:
            told(path, planted(case))
        with pytest.raises(FormatError):
            load_lecture(path)
        test_too_many_marks_and_graphs_are_told(path)
        refused_as_too_long(path)  # without its limit: to follow lines takes several times as long
        test_a_graph_beside_the_lecture_keeps_its_layout_but_no_marks(path)
        test_what_no_expression_gives_is_refused_by_a_sentence()
        test_a_mark_that_no_longer_fits_is_not_written()
        test_a_lecture_of_too_many_marks_or_graphs_is_not_written()
    assert not refusals([MODULE]) - reached


def test_the_slowest_file_is_read_within_seconds(path: Path):
    names = [rules.name for rules in MISTAKES]
    chain = "; ".join(["v0 = a*b", *(f"v{k} = tanh(v{k - 1})*b" for k in range(1, 60))])
    marks = "".join(
        f'[[mark]]\nat = "end"\nask = "mistake"\nmistake = "{names[k % len(names)]}"\n'
        f"values = {{ a = {k + 2} }}\n"
        for k in range(199)
    )
    head = f'format = 1\ntitle = "T"\n[[mark]]\ngraph = {{ expression = "{chain}" }}\n'
    begun = time.process_time()
    told(path, head + marks)
    assert time.process_time() - begun < 6  # within two, if nothing else is running


def test_a_file_that_would_take_long_is_refused_soon(path: Path):
    begun = time.process_time()
    refused_as_too_long(path)
    assert time.process_time() - begun < 3  # within one, if nothing else is running


def refused_as_too_long(path: Path) -> None:
    doubled = "; ".join(["v0 = a*b", *(f"v{k + 1} = v{k} + v{k}" for k in range(14))])
    marks = "".join(
        f'[[mark]]\nat = "{("end", "a", "v0.2")[k % 3]}"\nmistake = "recursive"\n'
        f"values = {{ a = {k + 2} }}\n"
        for k in range(199)
    )
    head = f'format = 1\ntitle = "T"\n[[mark]]\ngraph = {{ expression = "{doubled}" }}\n'
    found = told(path, head + marks)
    sentence = "at: it takes too long to be played; a smaller graph takes less"
    assert found[0].endswith(sentence)
    assert len(found) > 90


VALUES = (
    *("true", "-1", "1e999", "nan", '""', '"a"', '"e.1"', "[]", "[[]]", "{}", "[{}]", "60"),
    *('["a", 1]', "{ a = 1 }", "1979-05-27", "0x7fffffffffffffffffff", '"end"', '"next"'),
    *('"y = a**9**9*b"', '"backward 99"', '"values"', '"mistake"', '"text"', '"sum"', '"paths"'),
    *('{ kind = "upstream", wire = "e.1" }', '{ kind = "next" }', '{ file = "../x.backwire" }'),
    *('{ kind = "sum", wire = "e.1" }', '"division-sends-nothing"', '{ expression = "y = a" }'),
    *('[{ text = "a" }, { text = "b", right = true }]', '"a\\u202eb"', '"a\\nb"', '"number"'),
)


def test_a_lecture_changed_at_random_is_refused_or_reads_back_the_same(path: Path):
    refused, count = 0, sized(120, 400)
    for seed in range(count):
        found = told(path, changed(seed, [LECTURE], VALUES))
        refused += bool(found)
        for line in found:
            assert re.match(r"[1-9]\d*: \S", line), line
            assert line.isprintable(), line
        if not found:
            lecture = load_lecture(path)
            assert read(path, lecture_text(lecture)) == lecture, seed
    assert 0.375 * count < refused < 0.975 * count


# the documentation


DOCUMENT = Path(__file__).parents[3] / "docs" / "lectures.md"


def test_the_lecture_in_the_documentation_loads_and_every_mark_of_it_fits(path: Path):
    lecture = read(path, DOCUMENT.read_text("utf-8").partition("```toml\n")[2].partition("```")[0])
    assert [placed.mark.kind for placed in lecture.marks] == [
        "show", "show", "ask", "ask", "ask", "blank", "ask", "ask",
    ]  # fmt: skip
    assert len(lecture.drawings) == 2
    found = slides(lecture)
    assert not any(slide.misfit for slide in found)
    numbers = [
        answer(slide.question, run(slide.situation.graph))
        for slide in found
        if slide.question is not None and slide.situation is not None
    ]
    assert numbers == pytest.approx([6, -4, 1, 3 * math.tanh(2)])
    assert found[4].situation is not None
    assert found[4].situation.known_frame.grads[SHARED.leaves[0]] == 6  # as its question says


def test_the_documentation_names_every_key_and_question():
    text = DOCUMENT.read_text("utf-8")
    schemas = (LectureFile, MarkFile, PollChoiceFile)
    keys = {key for schema in schemas for key in schema.__struct_fields__}
    assert [word for word in (*keys, *KINDS) if word not in text] == []


# writing


@pytest.mark.parametrize("name", [head.name for head in course().lessons])
def test_a_lesson_of_the_course_can_be_written_as_a_lecture(name: str, path: Path):
    lecture = lecture_of_lesson(lesson(name), 2)
    again = read(path, lecture_text(lecture))
    assert again.marks == tuple(Placed(each.graph, each.mark) for each in lecture.marks)
    assert [d.graph for d in again.drawings] == [d.graph for d in lecture.drawings]
    assert read(path, lecture_text(again)) == again


def any_marks(graph: Graph, dice: random.Random, count: int) -> list[Mark]:
    """Marks as a lecturer sets them on a graph: places, wires, nodes, and questions there."""
    found: list[Mark] = []
    while len(found) < count:
        rules = dice.choice([BY_NAME["correct"], *MISTAKES])
        phase = dice.choice(["live", "forward", "backward", "backward"])
        mark = mark_at(graph, phase, dice.randint(0, 20), rules)  # pyright: ignore[reportArgumentType]
        if dice.random() < 0.2:
            wires = [wire for _source, wire in graph.wires() if wire[0] in graph.names]
            mark = dice.choice([mark_on(graph, graph.root or 0), *_marks_on(graph, wires)])
        if dice.random() < 0.3 and graph.leaves:
            mark = replace(mark, values=((dice.choice(graph.leaves), dice.choice([2.0, 0.5])),))
        if dice.random() < 0.6:
            kind = dice.choice(question_kinds(graph, mark))
            mark = with_kind(mark, graph, "ask", kind)
        elif dice.random() < 0.1:
            mark = with_kind(mark, graph, "blank")
        if slide_of(Placed(0, mark), graph).misfit:
            continue
        notes = dice.choice(["", "one line", 'two\n\n"lines" \\ ', "∂L/∂a × −2 🙂\n#"])
        found.append(replace(mark, notes=notes, seconds=dice.choice([0, 60])))
    return found


def _marks_on(graph: Graph, wires: list[tuple[int, int]]) -> list[Mark]:
    marks: list[Mark] = []
    for wire in wires:
        for part in (wire, graph.source(wire)):
            if part is not None and part in graph.plan(graph.root or 0).with_gradient:
                marks.append(mark_on(graph, part))
    return marks


@pytest.mark.parametrize("seed", sampled(range(8), 3))
def test_marks_set_on_any_graph_read_back_the_same(seed: int, path: Path):
    dice, kept = random.Random(seed), 0
    for graph in (SHARED, demonstration(), *map(writable, made_up(20, seed))):
        marks = any_marks(graph, dice, 12)
        lecture = Lecture("T", (Drawing(graph),), tuple(Placed(0, mark) for mark in marks))
        text = text_or_refusal(lecture)
        if not text.startswith("format"):
            assert text.startswith("Graph 1 can't be written as an expression: "), text
            continue
        kept += 1
        again = read(path, text)
        assert read(path, lecture_text(again)) == again
        for before, after in zip(slides(lecture), slides(again), strict=True):
            assert_shows_the_same(before, after)
    assert kept > 5


def writable(graph: Graph) -> Graph:
    """What leads to the root of a graph, with finite numbers in its leaves."""
    order = graph.plan(graph.root or 0).order
    nodes = {n: found for n, found in graph.nodes.items() if n in order or isinstance(found, Root)}
    values = {n: 1.5 for n in graph.leaves if n in order}
    return Graph(nodes, graph.active_root, graph.next_id).with_values(values)


def text_or_refusal(lecture: Lecture) -> str:
    try:
        return lecture_text(lecture)
    except FormatError as error:
        return str(error)


def assert_shows_the_same(before: Any, after: Any) -> None:
    """Two slides on graphs with perhaps other ids show the same numbers at the same place."""
    one, two = before.revealed, after.revealed
    assert (one.phase, one.cursor, one.rules) == (two.phase, two.cursor, two.rules)
    assert sorted(one.known_frame.values.values()) == sorted(two.known_frame.values.values())
    assert sorted(one.known_frame.grads.values()) == sorted(two.known_frame.grads.values())
    assert (before.mark.asks, before.mark.notes) == (after.mark.asks, after.mark.notes)
    assert (before.question is None) == (after.question is None)


REFUSED = {
    "a node that leads nowhere": (add(SHARED, Leaf(1.0, "z")), "that would be another graph"),
    "two roots": (add(SHARED, Root(3)), "that would be another graph"),
    "a label that is no name": (
        from_expression("y = a*b"), "that would be another graph",
    ),
    "no root": (Graph(SHARED.nodes, None, SHARED.next_id),
                "Choose a root: the number whose gradient you want"),
    "an empty slot": (remove(SHARED, [3]), "+ (d) has an empty slot 1. Plug something in to go on"),
    "no number": (from_expression("y = log(a)", {"a": -1}),
                  "y is nan with these values; a lecture begins with finite numbers"),
    "too large": (from_expression("y = " + " + ".join(f"a{k}" for k in range(120))),
                  "a lecture's graph has up to 200 nodes, not 240"),
}  # fmt: skip


def test_what_no_expression_gives_is_refused_by_a_sentence():
    for name, (graph, reason) in REFUSED.items():
        if name == "a label that is no name":
            a = graph.leaves[0]
            graph = Graph({**graph.nodes, a: Leaf(1.0, "x*w")}, graph.active_root, graph.next_id)
        lecture = Lecture("T", (Drawing(graph),), (Placed(0, Mark()),))
        with pytest.raises(FormatError) as caught:
            lecture_text(lecture)
        assert str(caught.value) == (
            f"Graph 1 can't be written as an expression: {reason}. Save it as a file first."
        ), name


def test_a_mark_that_no_longer_fits_is_not_written():
    gone = Mark("show", "backward", 6, 77, 0, name="g.1")
    off = Mark("ask", "forward", 1, SHARED.leaves[0], asks="value")
    for mark, reason in (
        (gone, "a node or wire of it is gone"),
        (off, "a is given now, not computed"),
    ):
        lecture = Lecture("T", (Drawing(SHARED),), (Placed(0, Mark()), Placed(0, mark)))
        with pytest.raises(FormatError) as caught:
            lecture_text(lecture)
        assert str(caught.value) == f"Mark 2: {reason}."


def test_a_lecture_of_too_many_marks_or_graphs_is_not_written():
    graphs = tuple(Drawing(from_expression(f"y = a + {k}")) for k in range(21))
    marks = tuple(Placed(k, Mark()) for k in range(21))
    for count, sentence in (
        (0, "A lecture has at least one mark."),
        (21, "A lecture has up to 20 graphs."),
        (10, "A lecture has up to 200 marks."),
    ):
        many = marks[:count] * (21 if count == 10 else 1)
        with pytest.raises(EngineError) as caught:
            lecture_text(Lecture("T", graphs, many))
        assert str(caught.value) == sentence


def test_a_graph_of_many_leaves_has_their_values_in_its_expression(path: Path):
    names = [f"a{k}" for k in range(20)]
    graph = from_expression("y = " + " + ".join(names), {name: k for k, name in enumerate(names)})
    lecture = Lecture("T", (Drawing(graph),), (Placed(0, mark_at(graph, "backward", 3)),))
    again = read(path, lecture_text(lecture))
    assert again.drawings[0].graph.nodes.keys() == graph.nodes.keys()
    assert slides(again)[0].situation is not None
    assert read(path, lecture_text(again)) == again


COMMENTED = """\
# An hour about two paths
format = 1
title = "Hour"

[[mark]]  # begin slowly
graph = { values = { b = 3, a = 2 }, expression = "y = a*b" }
notes = '''
[[mark]] is no mark here'''
"""
INLINE = """\
format = 1
title = "Hour"  # without tables
mark = [{ graph = { expression = "y = a*b" } }]
"""


@pytest.mark.parametrize(
    ("text", "is_kept"), [(COMMENTED, True), (INLINE, False)], ids=["tables", "inline"]
)
def test_appended_marks_leave_the_text_of_the_file_where_that_reads_back(
    path: Path, text: str, is_kept: bool
):
    path.write_text(text)
    before, graph = load_lecture(path), from_expression("e = a*b; L = e + a", {"a": 2, "b": -3})
    added = replace(mark_at(graph, "backward", 2), title="New")
    lecture = with_appended(before, lecture_of(Drawing(graph, lecture=(added, added)), "More"))
    written = appended_text(path, text.encode(), len(before.marks), lecture)
    assert written.startswith(text.rstrip()) == is_kept
    path.write_text(written)
    again = load_lecture(path)
    assert [placed.mark.title for placed in again.marks] == ["", "New", "New"]
    assert [each.graph for each in again.drawings] == [each.graph for each in lecture.drawings]


def test_a_title_that_no_file_holds_is_shortened(path: Path):
    for title, expected in (("", "Lecture"), ("a\nb", "a b"), ("x" * 41, f"{'x' * 19}…{'x' * 20}")):
        lecture = Lecture(title, (Drawing(SHARED),), (Placed(0, Mark()),))
        assert read(path, lecture_text(lecture)).title == expected
