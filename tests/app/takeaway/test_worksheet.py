"""Worksheets and keys: what is blank, what the key says, sizes on paper, copies, refusals."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace

from app.canvas.paint.figure import DPI, INCH_CM
from app.document.sheet import sheet_of
from app.lessons.load import load_lesson
from app.takeaway.estimated_layout import laid_out_drawing
from app.takeaway.paper import LEAST_TYPE, PAPERS, Paper
from app.takeaway.worksheet import Source, WorksheetOptions, worksheet_files
from app.takeaway.worksheet_figure import BOX_HEIGHT_MM, BOX_WIDTH, Printed, worksheet_figure
from app.takeaway.worksheet_rows import (
    MOST_ASKED_STEPS,
    Blank,
    asked_of,
    copies_of,
    drawn_questions,
    gradient_rows,
    step_rows,
)
from engine import edits, from_expression
from engine.asking.beliefs import belief_numbers
from engine.asking.kinds import answer
from engine.asking.question import Question, Task
from engine.errors import FormatError
from engine.frame import frame_at
from engine.graph import Graph
from engine.numbers import short
from engine.trace import run
from tests.helpers.canvas import example_drawing
from tests.helpers.exported import words_by_page, words_of
from tests.helpers.graphs import chain
from tests.helpers.sampling import sampled, spread

LESSONS = Path(__file__).resolve().parents[3] / "resources" / "lessons"
THIRTY_NODES = (
    "h1 = a*b + c*d; h2 = a*e - c*f; h3 = h1*h2 + g; h4 = h2*h + h1; s = h3*i + h4*j;"
    " t = s*k + h3; L = t*m - h4"
)


def source(graph: Graph, title: str = "Sheet") -> Source:
    return Source(laid_out_drawing(graph), title, "sheet")


def shared_leaf(**values: float) -> Graph:
    return from_expression("e = a*b; d = e + a; L = d*f", values)


def joined(content: bytes) -> str:
    """All words of a PDF without white space, which a slanted line breaks anywhere."""
    return "".join("".join(words_of(content)).split())


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("blank", get_args(Blank))
def test_what_is_asked_stands_in_the_key_and_not_on_the_sheet(blank: Blank, qapp):
    graph = shared_leaf(a=2.25, b=-3.5, f=-1.75)
    trace = run(graph)
    asked = asked_of(trace, blank)
    make = gradient_rows if blank == "grads" else step_rows
    sheet, key = map(joined, worksheet_files(source(graph), WorksheetOptions(blank)))
    given = {c.text for row in make(trace, asked) for c in row.cells if not c.asked}
    hidden = {c.text for row in make(trace, asked) for c in row.cells if c.asked}
    given |= {short(value) for value in trace.values.values()}
    long = {text for text in hidden - given if len(text) > 4}
    assert long
    assert all(text in key for text in long)
    if blank in ("all", "grads"):
        assert not [text for text in long if text in sheet]


@pytest.mark.parametrize("blank", get_args(Blank))
def test_the_key_explains_each_slip_with_its_number_and_full_sentence(blank: Blank, qapp):
    graph = shared_leaf(a=2, b=-3, f=-2)
    trace = run(graph)
    make = gradient_rows if blank == "grads" else step_rows
    rows = make(trace, asked_of(trace, blank))
    slips = [slip for row in rows for slip in row.slips]
    assert slips
    key = joined(worksheet_files(source(graph), WorksheetOptions(blank))[1])
    for slip in slips:
        assert squeezed(slip.sentence.removeprefix(f"{slip.number} ")) in key
        assert squeezed(slip.number) in key


def test_no_number_of_a_key_is_shortened(qapp):
    graph = from_expression(
        "y = tanh(a*b + c*c*b) * exp(a)", {"a": 0.123, "b": -1.77, "c": -3.1e-7}
    )
    for paper in sampled(PAPERS, 2):
        key = joined(worksheet_files(source(graph), WorksheetOptions(paper=paper))[1])
        numbers = {
            squeezed(cell.text)
            for row in step_rows(run(graph), asked_of(run(graph), "all"))
            for cell in row.cells
            if cell.asked
        }
        assert all(number in key for number in numbers)
        assert "…" not in key


def test_a_cell_has_the_slips_of_its_own_work_and_never_the_right_number():
    trace = run(shared_leaf(a=2, b=-3, f=-2))
    row = step_rows(trace, asked_of(trace, "all"))[5]
    by_column = {
        name: {slip.number for slip in row.slips if slip.column == name}
        for name in ("slope", "contribution", "sum")
    }
    assert by_column["sum"] == {"6", "−2", "10", "−12", "2", "−4", "8"}
    assert "−3" not in by_column["slope"]
    question = Question("contribution", 3, 0, 6)
    assert answer(question, trace) == 6
    assert {s.name for s, _x in belief_numbers(question, trace)} >= {"minus lost", "own value"}


def test_the_seed_and_the_first_steps_of_a_long_pass_are_given():
    trace = run(chain(20))
    rows = step_rows(trace, asked_of(trace, "all"))
    blank = [k for k, row in enumerate(rows, 1) if any(cell.asked for cell in row.cells)]
    assert blank == list(range(len(trace) - MOST_ASKED_STEPS + 1, len(trace) + 1))


SHEETS = (("shared-leaf", 1), ("neuron", 2), ("demonstration", 2), ("thirty nodes", 5))


@pytest.mark.parametrize(("printed", "paper"), sampled(spread(SHEETS, PAPERS.values()), 4, first=1))
def test_type_and_boxes_are_large_enough_on_each_paper(
    printed: tuple[str, int], paper: Paper, qapp
):
    name, pages = printed
    if name == "thirty nodes":
        graph = copies_of(from_expression(THIRTY_NODES), 3, 1)[0][1]
        drawing = laid_out_drawing(graph)
    else:
        drawing = example_drawing(name)
    trace = run(drawing.graph)
    asked = Printed(trace, asked_of(trace, "all"))
    figure = worksheet_figure(sheet_of(drawing), asked, paper.text_width, 2400.0)
    assert figure.type_size >= LEAST_TYPE
    assert BOX_WIDTH * figure.scale / DPI * INCH_CM * 10 >= 10
    assert BOX_HEIGHT_MM >= 5
    parts = figure.parts(400.0, 900.0)
    assert parts is not None
    for box in figure.scene.boxes.values():  # no cut goes through a node
        assert any(part.contains(box.rect) for part in parts)
    sheet, _key = worksheet_files(
        Source(drawing, name, "sheet"), WorksheetOptions(paper=paper.name)
    )
    assert sheet.count(b"/Type /Page\n") <= pages
    assert f"page1of{sheet.count(b'/Type /Page' + chr(10).encode())}" in joined(sheet)


def test_equal_input_gives_equal_bytes_and_another_seed_others(qapp):
    graph = shared_leaf(a=2, b=-3, f=-2)
    once, again, other = (
        worksheet_files(source(graph), WorksheetOptions(seed=seed)) for seed in (1, 1, 2)
    )
    assert once == again
    assert once[0] != other[0]


def test_copies_have_different_numbers_and_their_seeds_in_the_foot(qapp):
    graph = shared_leaf(a=2, b=-3, f=-2)
    copies = copies_of(graph, 4, 2)
    values = [tuple(run(copy).values.values()) for _seed, copy in copies]
    assert len(set(values)) == 2
    sheet, key = map(joined, worksheet_files(source(graph), WorksheetOptions(seed=4, copies=2)))
    for seed, _copy in copies:
        assert f"Backwireworksheetsheet,seed{seed}" in sheet
        assert f"Backwirekeysheet,seed{seed}" in key


def test_the_key_of_copies_begins_with_a_page_that_lists_their_answers(qapp):
    graph = shared_leaf(a=2, b=-3, f=-2)
    _sheet, key = worksheet_files(source(graph), WorksheetOptions(copies=2))
    listed = words_by_page(key)[0]
    for seed, copy in copies_of(graph, 1, 2):
        grads = frame_at(trace := run(copy), len(trace)).grads
        wanted = [f"{seed}", *(short(grads[leaf]) for leaf in copy.leaves)]
        assert squeezed("".join(wanted)) in squeezed("".join(listed)), seed
    assert "question1question2question3" in squeezed("".join(listed))
    _sheet, key = worksheet_files(source(graph), WorksheetOptions())
    assert "Answers:gradients" not in joined(key)  # one sheet needs no list


def test_the_sheets_of_an_exercise_say_its_task_in_the_room_that_it_needs(qapp):
    graph = shared_leaf(a=2, b=-3, f=-2)
    for task in ("Fill in each gradient.", "and then " * 26):
        made = source(graph)
        made = replace(made, drawing=dataclasses.replace(made.drawing, task=Task(task)))
        files = worksheet_files(made, WorksheetOptions(copies=2))
        for content in files:
            assert joined(content).count(squeezed(task)) == 2, task


def test_a_lesson_asks_its_own_questions_unless_they_name_other_numbers(qapp):
    lesson = load_lesson(LESSONS / "missing-plus.toml")
    drawing = laid_out_drawing(lesson.graph)
    own = next(ask for step in lesson.steps for ask in step.asks if ask.kind == "text")
    made = Source(drawing, lesson.title, lesson.name, lesson)
    as_written, drawn = (
        worksheet_files(made, WorksheetOptions(seed=seed))[0] for seed in (None, 1)
    )
    first = squeezed(own.text.replace("*", ""))[:24]
    assert first in joined(as_written)
    assert first not in joined(drawn)


def test_questions_are_drawn_from_sign_mistake_and_paths():
    trace = run(shared_leaf(a=2, b=-3, f=-2))
    texts = ["".join(span.text for span in q.text) for q in drawn_questions(trace, 1)]
    assert [text.split()[0] for text in texts] == ["Raise", "A", "____"]
    assert drawn_questions(trace, 1) == drawn_questions(trace, 1)
    # a chain has one path, and a mistake in its order shows nowhere
    assert len(drawn_questions(run(from_expression("y = tanh(x)", {"x": 0.5})), 1)) >= 1


HOSTILE = ("</script><b>", "quote\" ' \\ % {a}", "x" * 200, "שלום עולם", "∂L/∂a", "…", "**bold**")


def test_no_label_breaks_a_sheet(qapp):
    graph = shared_leaf(a=2, b=-3, f=-2)
    for node, label in zip(sorted(graph.nodes)[:5], HOSTILE, strict=False):
        graph = edits.set_label(graph, node, label)
    for title in HOSTILE[-1:]:
        sheet, key = worksheet_files(source(graph, title=title), WorksheetOptions())
        assert sheet.startswith(b"%PDF")
        assert "seed" in joined(sheet)
        assert "Answerkey" in joined(key)


REFUSED: Sequence[tuple[Graph, WorksheetOptions, str]] = (
    (from_expression("3*4"), WorksheetOptions(), "no step"),
    (chain(200), WorksheetOptions(), "steps"),
    (from_expression("y = 2*3"), WorksheetOptions(seed=1), "no step"),
)


@pytest.mark.parametrize(("graph", "options", "words"), REFUSED)
def test_a_graph_without_a_worksheet_is_refused_in_one_sentence(
    graph: Graph, options: WorksheetOptions, words: str, qapp
):
    with pytest.raises(FormatError, match=words):
        worksheet_files(source(graph), options)
