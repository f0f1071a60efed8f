"""Handouts of lectures: what a page has and what it keeps back, the key, sizes, page counts."""

from collections.abc import Sequence
from dataclasses import replace as with_fields
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QSizeF

from app.canvas.paint.picture_export import pdf
from app.document.examples import examples
from app.document.sheet import sheet_of
from app.guide.play.guide import Room, room_of
from app.guide.play.slides import Slide
from app.lessons.course import names
from app.lessons.lesson import Choice
from app.lessons.load import lesson
from app.lessons.situation import trace_of
from app.takeaway import handout
from app.takeaway.estimated_layout import node_positions
from app.takeaway.handout import HandoutOptions, entries, first_page, handout_file
from app.takeaway.handout_figure import shows_answer, slide_figure
from app.takeaway.options import PaperName
from app.takeaway.paper import LEAST_TYPE, PAPERS
from app.workbench.words.alt_text import AltText
from engine import edits, from_expression
from engine.asking.answering import belief_sentence
from engine.asking.beliefs import belief_numbers
from engine.asking.judging import number_text
from engine.asking.kinds import answer
from engine.errors import FormatError
from engine.formats.native import Drawing
from engine.frame import frame_at
from engine.graph import Graph
from engine.numbers import DIGITS_SHOWN, short
from engine.rules import MISTAKES
from engine.trace import run
from tests.helpers.canvas import example_drawing
from tests.helpers.exported import page_streams, type_sizes, words_by_page
from tests.helpers.sampling import sampled
from tests.helpers.steps import PlannedStep, lesson_on, question_kinds, slide_of, step_at, with_kind

_CORNER, _PAGE = QPointF(0, 0), QSizeF(680, 740)
GONE = PlannedStep(phase="backward", step=2, node=99, slot=0)
PAPER_KINDS: tuple[str, ...] = ("local", "contribution", "sum", "final", "sign", "paths")


def drawn(graph: Graph) -> Drawing:
    return Drawing(graph, node_positions(graph))


def lecture(
    graph: Graph, *planned_steps: PlannedStep, title: str = "A lecture", address: str = ""
) -> Room:
    return room_of(lesson_on(planned_steps, drawn(graph), title=title, address=address))


def shared_leaf(**values: float) -> Graph:
    return from_expression("e = a*b; d = e + a; L = d*f", values or {"a": 2, "b": -3, "f": -2})


def asking(graph: Graph, step: int, kind: str, **fields: Any) -> PlannedStep:
    """A step that asks about a step of the backward pass."""
    event = run(graph).events[step - 1]
    planned = PlannedStep("ask", phase="backward", step=step, asks=kind, **fields)
    if kind in ("local", "contribution", "sum"):
        return replace(planned, node=event.sender, slot=event.slot)
    return replace(planned, node=event.node)


def every_question(graph: Graph) -> list[PlannedStep]:
    """A step for each question that can be asked at each step of both passes."""
    found: list[PlannedStep] = []
    for phase in ("forward", "backward"):
        total = len(run(graph)) if phase == "backward" else len(run(graph).computed)
        for step in range(1, max(total, len(graph.nodes)) + 1):
            planned = PlannedStep(phase=phase, step=step)
            kinds: list[str] = [k for k in question_kinds(graph, planned) if k != "text"]
            found += [with_kind(planned, graph, "ask", kind) for kind in kinds]
    return [planned for planned in found if not slide_of(planned, graph).misfit]


def squeezed(words: Sequence[str]) -> str:
    """Words without white space, which a line end may take the place of."""
    return "".join("".join(words).split())


def read(content: bytes) -> list[str]:
    return [squeezed(page) for page in words_by_page(content)]


def test_the_address_of_its_page_stands_below_its_code_before_the_key(qapp):
    planned, address = asking(shared_leaf(), 6, "sum"), "https://x.org/a.html"
    given = lecture(shared_leaf(), planned)
    assert address not in "".join(read(handout_file(given, HandoutOptions())))
    pages = read(handout_file(lecture(shared_leaf(), planned, address=address), HandoutOptions()))
    assert [address in page for page in pages].count(True) == 1
    assert address not in pages[-1]


# pages


def test_a_page_has_title_number_question_choices_and_lines(qapp):
    graph = shared_leaf()
    planned = asking(graph, 6, "contribution", title="The second path")
    content = handout_file(
        lecture(graph, PlannedStep(), planned, title="Two paths"), HandoutOptions()
    )
    first, page, key = read(content)
    assert "Twopaths" in first
    assert "Step1of2" in first
    for words in ("Twopaths", "Step2of2", "Thesecondpath", "Whatdoes×(e)passtoa?", "page2of3"):
        assert words in page
    for choice in ("A−4", "B−3", "C−2", "D+6"):
        assert choice in page
    assert "Key" in key
    rules = page_streams(content)[1]
    assert rules.count(b" re\n") == page_streams(content)[0].count(b" re\n") + 4  # boxes to tick


@pytest.mark.parametrize("per_page", sampled([2, 1], 2))
def test_notes_are_printed_on_request_and_long_ones_behind_the_page(per_page: int, qapp):
    graph = example_drawing("neuron").graph
    notes = "\n".join(f"**Line** {k} of the notes, in a paragraph of its own." for k in range(34))
    made = lecture(graph, PlannedStep(notes=notes), step_at(graph, "backward", 1))
    assert "ofthenotes" not in "".join(read(handout_file(made, HandoutOptions(per_page=per_page))))
    pages = read(handout_file(made, HandoutOptions(per_page=per_page, notes=True)))
    text = "".join(pages)
    assert all(f"Line{k}ofthenotes" in text for k in range(34))
    assert "Notesonstep1" in text
    assert not any("Step2of2" in page for page in pages if "Line33" in page)


def test_the_line_of_a_blank_screen_is_a_heading_of_the_step_after_it(qapp):
    graph = shared_leaf()
    blank = PlannedStep("blank", text="Now by hand")
    made = lecture(graph, PlannedStep(), GONE, blank, step_at(graph, "backward", 2))
    first, second = read(
        handout_file(made, HandoutOptions())
    )  # without the one that no longer fits
    assert "Nowbyhand" not in first
    assert "Nowbyhand" in second
    assert "Step4of4" in second


@pytest.mark.parametrize(
    ("planned_steps", "words"),
    [
        ((), "press A on the sheet"),
        ((PlannedStep("blank", text="x"),), "blank screens"),
        ((GONE,), "No step fits its graph: "),
    ],
)
def test_a_lecture_without_a_page_is_refused_in_one_sentence(
    planned_steps: tuple[PlannedStep, ...], words: str, qapp
):
    with pytest.raises(FormatError, match=words) as error:
        handout_file(lecture(shared_leaf(), *planned_steps), HandoutOptions())
    assert str(error.value).endswith(".")


def test_a_graph_too_large_for_a_page_shows_its_step_or_names_the_step(qapp):
    graph = from_expression(" + ".join(f"w{k}*x{k}" for k in range(40)))
    planned = asking(graph, 30, "local")
    content = handout_file(lecture(graph, planned), HandoutOptions())
    assert min(size for page in page_streams(content) for size in type_sizes(page)) >= LEAST_TYPE
    with pytest.raises(FormatError, match="Step 2: the graph is too large for a handout"):
        handout_file(lecture(graph, planned, PlannedStep()), HandoutOptions())


# several steps a page


@pytest.mark.parametrize("paper", PAPERS)
def test_two_steps_share_a_page_where_they_fit(paper: PaperName, qapp):
    graph = from_expression("y = tanh(x)", {"x": 0.5})
    planned_steps = [PlannedStep(title=f"number {k}") for k in range(5)]
    made = lecture(graph, *planned_steps)
    counts = [
        len(read(handout_file(made, HandoutOptions(per_page=per_page, paper=paper))))
        for per_page in (1, 2)
    ]
    assert counts == [5, 3]


def test_no_step_on_a_page_shows_an_answer_that_the_page_asks_for(qapp):
    graph = from_expression("y = tanh(x)", {"x": 0.5})
    ask, show = asking(graph, 2, "local"), step_at(graph, "backward", 2)
    for planned_steps in ((ask, show), (show, ask)):
        pages = read(handout_file(lecture(graph, *planned_steps), HandoutOptions(per_page=2)))
        assert len(pages) == 3
    together = read(handout_file(lecture(graph, PlannedStep(), ask), HandoutOptions(per_page=2)))
    assert len(together) == 2  # values alone do not show a slope


def test_what_a_step_shows_of_another_one():
    graph = shared_leaf()
    other = shared_leaf(a=3, b=-3, f=-2)

    def slide(planned: PlannedStep, on: Graph = graph) -> Slide:
        found = slide_of(planned, on)
        assert not found.misfit
        return found

    ask, end = slide(asking(graph, 6, "local")), slide(step_at(graph, "backward", 7))
    assert shows_answer(end, ask)
    assert not shows_answer(slide(step_at(graph, "backward", 5)), ask)
    assert not shows_answer(slide(step_at(other, "backward", 7), other), ask)
    leaf = graph.node_named("a")
    change = slide(
        PlannedStep("ask", phase="backward", node=graph.root, asks="change", leaf=leaf, to=3.0)
    )
    assert not shows_answer(end, change)
    assert shows_answer(slide(PlannedStep(), other), change)


def test_a_graph_has_one_layout_and_one_scale_on_all_its_pages(qapp):
    graph = example_drawing("neuron").graph
    planned_steps = [PlannedStep(), step_at(graph, "forward", 2), asking(graph, 3, "contribution")]
    planned_steps += [step_at(graph, "backward", len(run(graph))), asking(graph, 6, "local")]
    made = lecture(graph, *planned_steps)
    found = entries(made, HandoutOptions())
    groups = handout._figure_groups(found)
    cells = [handout._cell(made, each, HandoutOptions(), groups[each.number]) for each in found]
    boxes = [
        {node: (box.rect.getRect()) for node, box in cell.figure.scene.boxes.items()}
        for cell in cells
    ]
    assert all(each == boxes[0] for each in boxes)
    assert len({cell.figure.scale for cell in cells}) == 1
    alone = handout._cell(made, found[0], HandoutOptions(), None)
    assert alone.figure.size != cells[0].figure.size  # without the others it is packed more closely


def test_a_long_line_of_a_blank_screen_is_printed_whole_above_a_quarter_of_a_page(qapp):
    line = "Two minutes with your neighbour: what would happen if b were 0, and why is that so?"
    graph = shared_leaf()
    blank, planned_steps = (
        PlannedStep("blank", text=line),
        [step_at(graph, "backward", k) for k in (6, 7)],
    )
    pages = read(handout_file(lecture(graph, blank, *planned_steps), HandoutOptions(per_page=2)))
    assert squeezed([line]) in pages[0]


# what is kept back


@pytest.mark.parametrize("kind", ["local", "contribution", "sum", "final"])
def test_the_number_asked_for_is_not_on_its_page(kind: str, qapp):
    graph = shared_leaf(a=2.25, b=-3.5, f=-1.75)
    planned = asking(graph, 6, kind, form="number")
    slide = slide_of(planned, graph)
    assert slide.question is not None
    trace = run(graph)
    right = number_text(slide.question, answer(slide.question, trace), DIGITS_SHOWN)
    page, key = words_by_page(handout_file(lecture(graph, planned), HandoutOptions()))
    shown = {short(value) for value in trace.values.values()}
    assert right in shown or right not in page
    assert squeezed([right]) in squeezed(key)
    assert (kind == "local") == (right in shown)  # a slope of a product is the other leaf's value


def test_pages_are_equal_where_only_the_number_asked_for_differs(qapp):
    # 10003 = 1592 turns ± 0.3: as displayed x and cos(x) are equal, the slope −sin(x) is not
    turns = 1592 * 6.283185307179586
    pages, keys = [], []
    for x in (turns - 0.3, turns + 0.3):
        graph = from_expression("y = cos(x)", {"x": x})
        made = lecture(graph, asking(graph, 2, "local", form="number"))
        content = handout_file(made, HandoutOptions())
        page, _key = page_streams(content)
        pages.append((page, words_by_page(content)[0]))
        keys.append(squeezed(words_by_page(content)[1]))
    assert pages[0] == pages[1]
    assert "−0.2955" in keys[1]
    assert keys[0] != keys[1]


@pytest.mark.parametrize("name", ["shared-leaf", "neuron"])
def test_no_part_of_a_figure_depends_on_a_hidden_number(name: str, qapp):
    drawing = example_drawing(name)
    sheet, trace = sheet_of(drawing), run(drawing.graph)
    for planned in sampled(every_question(drawing.graph), 5):
        slide = slide_of(planned, drawing.graph)
        assert slide.situation is not None
        begun = slide.situation
        if planned.phase != "backward" or planned.asks in ("next", "paths"):
            continue
        k = begun.cursor
        known = {"sum": ("upstream", "local", "contribution"), "local": ("upstream",)}
        painted = []
        for secret in (7.0, -123456.5):
            first, *rest = (_secretive(event, secret) for event in trace.events[k:])
            kept = {field: getattr(trace.events[k], field) for field in known.get(planned.asks, ())}
            first = msgspec.structs.replace(first, **kept)
            other = with_fields(trace, events=(*trace.events[:k], first, *rest))
            shown = replace(begun, frame=frame_at(other, k))
            figure = slide_figure(
                replace(slide, situation=shown, revealed=shown), sheet, DIGITS_SHOWN, (640.0, 700.0)
            )
            painted.append(
                (figure.size, pdf([lambda p, f=figure: f.paint(p, _CORNER)], _PAGE, AltText()))
            )
        assert painted[0] == painted[1], planned.asks


def test_a_mistake_that_is_asked_for_shows_in_no_figure_before_it_changes_a_number(qapp):
    drawing = example_drawing("shared-leaf")
    graph, sheet = drawing.graph, sheet_of(drawing)
    begun = run(graph).events[:3]
    alike = [rules for rules in MISTAKES if run(graph, rules=rules).events[:3] == begun]
    painted = set[bytes]()
    for rules in alike:
        planned = replace(
            step_at(graph, "backward", 3), kind="ask", asks="mistake", mistake=rules.name
        )
        slide = slide_of(planned, graph)
        if slide.misfit:
            continue
        figure = slide_figure(slide, sheet, DIGITS_SHOWN, (640.0, 700.0))
        painted.add(pdf([lambda p, f=figure: f.paint(p, _CORNER)], _PAGE, AltText()))
        page, key = read(handout_file(lecture(graph, planned), HandoutOptions()))
        assert "Whichmistakeison?" in page
        assert squeezed([rules.sentence]) in key
        assert squeezed([rules.sentence]) not in page
    assert len(alike) > 2
    assert len(painted) == 1


@pytest.mark.parametrize("label", sampled(["quote\" ' \\ % {a} שלום **bold**", "x" * 200], 2))
def test_no_label_breaks_a_handout(label: str, qapp):
    graph = shared_leaf()
    for node in sorted(graph.nodes)[:5]:
        graph = edits.set_label(graph, node, f"{label}{node}"[-200:])
    made = lecture(graph, asking(graph, 6, "contribution", notes=label), PlannedStep(), title=label)
    pages = read(handout_file(made, HandoutOptions(per_page=4, notes=True)))
    assert "Step1of2" in pages[0]
    assert "Key" in pages[-1]


def _secretive(event, secret: float):
    """An event with another number everywhere but in what it is known to begin with."""
    if event.kind == "seed":
        return event
    names = ("upstream", "local", "contribution", "after")
    return msgspec.structs.replace(event, **dict.fromkeys(names, secret))


# the key


def lectures() -> list[tuple[str, Room]]:
    """The slides of all lessons, and of all examples with every question asked."""
    found = [(name, room_of(lesson(name), 1)) for name in names()]
    for example in examples():
        drawing = example_drawing(example.name)
        made = lesson_on(every_question(drawing.graph), drawing, title=example.title)
        found.append((example.name, room_of(made)))
    return found


@pytest.mark.parametrize("digits", [4, 3])
def test_the_key_agrees_with_the_engine_in_lessons_and_examples(digits: int):
    judged = 0
    for name, made in sampled(lectures(), 4, digits % 2):
        for entry in entries(made, HandoutOptions(digits=digits)) if made.slides else ():
            slide, paper = entry.slide, entry.question
            if paper is None or slide.question is None or slide.situation is None:
                continue
            question, trace = slide.question, trace_of(slide.situation)
            if question.kind in ("next", "sign", "paths"):
                continue
            right = number_text(question, answer(question, trace), digits)
            assert paper.right.label == right, (name, entry.number)
            for line in paper.slips:
                known = {
                    belief_sentence(slip, number, question, trace, digits)
                    for slip, number in belief_numbers(question, trace)
                    if number_text(question, number, digits).lstrip("+") == line.label.lstrip("+")
                }
                assert line.sentence in known, (name, entry.number, line)
                judged += 1
    assert judged > 70


def test_the_key_prints_each_slip_with_its_full_sentence(qapp):
    graph = shared_leaf()
    planned_steps = [asking(graph, 6, kind) for kind in PAPER_KINDS]
    made = lecture(graph, *planned_steps)
    key = read(handout_file(made, HandoutOptions()))[-1]
    found = [
        entry.question for entry in entries(made, HandoutOptions()) if entry.question is not None
    ]
    assert [each.right.label for each in found][-2:] == ["rises", "2"]
    lines = [line for question in found for line in question.slips]
    assert len(lines) > 10
    for line in lines:
        assert squeezed([line.sentence.removeprefix(f"{line.label} ")]) in key
        assert squeezed([line.letter, line.label]) in key


def test_a_question_in_own_words_has_all_its_sentences_in_the_key(qapp):
    choices = (
        Choice("add", "they add up", right=True),
        Choice("replace", "no, never"),
        Choice("x"),
    )
    planned = PlannedStep("ask", asks="text", text="What do contributions **do**?", choices=choices)
    page, key = read(handout_file(lecture(shared_leaf(), planned), HandoutOptions()))
    assert "Whatdocontributionsdo?" in page
    assert "theyaddup" not in page
    for words in ("Aaddtheyaddup", "Breplace:no,never", "Cx"):
        assert words in key


# sizes and bytes


@pytest.mark.parametrize(("per_page", "name"), sampled([(2, "Letter"), (1, "A4"), (2, "A4")], 3))
def test_nothing_is_smaller_than_7_pt_or_off_the_paper(per_page: int, name: str, qapp):
    paper = PAPERS[name]
    drawing = example_drawing("neuron")
    planned_steps = [*sampled(every_question(drawing.graph), 50), PlannedStep(notes="Some notes.")]
    made = room_of(lesson_on(planned_steps, drawing, title="A neuron"))
    content = handout_file(made, HandoutOptions(per_page=per_page, notes=True, paper=name))
    sizes = {size for page in page_streams(content) for size in type_sizes(page)}
    assert min(sizes) >= LEAST_TYPE
    assert b"/MediaBox [0 0 %.6f" % (paper.wide / 25.4 * 72) in content


def test_the_first_page_is_that_of_the_file(qapp):
    graph = shared_leaf()
    made = lecture(graph, asking(graph, 6, "local"), step_at(graph, "backward", 7))
    for per_page in (1, 2):
        options = HandoutOptions(per_page=per_page)
        alone = pdf([first_page(made, options)], PAPERS[options.paper].size, AltText())
        shown, whole = read(alone)[0], read(handout_file(made, options))[0]
        assert shown.rpartition("page")[0] == whole.rpartition("page")[0]
        assert shown.rpartition("page")[2].split() == ["1"]  # not "1 of 1", as there are more
