"""What a picture says to a reader who can't see it."""

from app.workbench.modes.quiz import Quiz
from app.workbench.words.alt_text import alt_text
from engine.formats.expression import read
from engine.frame import frame_at, live_frame
from engine.graph import Graph
from engine.trace import run, run_forward

GRAPH = read("L = a*b + a")


def test_it_is_the_formula_and_the_sentence_of_each_step():
    trace = run(GRAPH)
    title, lines = alt_text([live_frame(GRAPH), *(frame_at(trace, k) for k in range(3))])
    assert title == "L = a*b + a"
    assert lines.split("\n")[:2] == [
        "The graph with its values, before a pass.",
        "Step 0 of 5 of the backward pass. Nothing is known yet.",
    ]
    assert "Step 2 of 5 of the backward pass. + (L) got 1 and passes 1 × 1 = +1" in lines
    forward = run_forward(GRAPH)
    assert "of the forward pass." in alt_text([frame_at(forward, 1)]).description


def test_a_covered_step_is_told_without_the_numbers_that_the_picture_hides():
    trace = run(GRAPH)
    for quiz in (Quiz(is_cover=True), Quiz()):
        for k in range(len(trace) + 1):
            frame = frame_at(trace, k)
            hidden = alt_text([quiz.hide(frame)])
            assert hidden == alt_text([frame]), (k, quiz)  # of the step before the hidden one


def test_an_empty_graph_and_a_very_long_formula_have_a_title_of_their_own():
    for graph in (Graph(), read("+".join(f"a{k}" for k in range(99)))):
        assert alt_text([live_frame(graph)]).title == "Backwire graph"
