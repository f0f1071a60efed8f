"""Words about marks that are prepared: times, places, choices, values."""

import pytest
from msgspec.structs import replace

from app.lessons.lecture import Placed, mark_at, slide_of, with_kind
from app.workbench.words.marks import (
    NO_VALUES,
    place_text,
    preview_text,
    seconds_of,
    seconds_text,
    timers_text,
    values_text,
)
from engine import from_expression
from engine.study.lecture import Mark

GRAPH = from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})


@pytest.mark.parametrize(
    ("text", "seconds"), [("", 0), (" ", 0), ("90", 90), ("1:30", 90), ("10:00", 600), ("0:05", 5)]
)
def test_a_time_is_typed_as_seconds_or_as_minutes_and_seconds(text, seconds):
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["soon", "-1", "1.5", "1:2:3", "1:", ":", "²", "9" * 40])
def test_what_is_no_time_is_none(text):
    assert seconds_of(text) is None


@pytest.mark.parametrize("seconds", [0, 5, 59, 60, 90, 3600])
def test_a_time_that_is_shown_reads_as_the_same(seconds):
    assert seconds_of(seconds_text(seconds)) == seconds


@pytest.mark.parametrize(
    ("phase", "step", "text"),
    [
        ("live", 0, "the values"),
        ("backward", 0, "start of backward"),
        ("backward", 6, "step 6: × (e) → a"),
        ("forward", 2, "forward step 2: value of d"),
        ("backward", 7, "step 7: end of the backward pass"),
    ],
)
def test_a_place_is_named_by_its_step_and_what_happens_there(phase, step, text):
    assert place_text(slide_of(Placed(0, mark_at(GRAPH, phase, step)), GRAPH), GRAPH) == text


def test_the_choices_are_those_of_the_engine_with_the_right_one_ticked():
    asking = with_kind(mark_at(GRAPH, "backward", 6), GRAPH, "ask", "contribution")
    slide = slide_of(Placed(0, asking), GRAPH)
    assert preview_text(slide) == "A −4   B −3   C −2   D +6 ✓"


def test_where_numbers_are_called_out_there_are_no_choices_to_show():
    asking = with_kind(mark_at(GRAPH, "backward", 6), GRAPH, "ask", "contribution")
    slide = slide_of(Placed(0, replace(asking, form="number")), GRAPH)
    assert preview_text(slide) == "Right is +6. You type what is called out."


def test_values_and_mistake_of_a_mark_are_named():
    b = GRAPH.node_named("b")
    assert b is not None
    assert values_text(Mark(values=((b, 0.0),)), GRAPH) == "b = 0"
    assert values_text(Mark(values=((77, 1.0),)), GRAPH) == "a leaf that is gone = 1"
    assert values_text(Mark(), GRAPH) == NO_VALUES


def test_the_total_leaves_out_the_time_of_a_mark_that_is_skipped():
    gone = Mark(phase="backward", step=1, node=77, name="g", seconds=60)
    marks = [Mark(seconds=30), gone]
    slides = [slide_of(Placed(0, mark), GRAPH) for mark in marks]
    assert timers_text(slides) == "2 marks, timers 0:30"
