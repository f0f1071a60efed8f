"""Help asks for one number in one place: what a sentence asks for is what the first blank wants."""

import math
from collections.abc import Iterator

from app.workbench.modes.evidence import helped_question, offered_ways, shown_way, told_experiment
from engine import from_expression
from engine.asking.beliefs import belief_numbers
from engine.asking.question import LEVELS, Question, level_questions, near
from engine.graph import Graph
from engine.numbers import plain
from engine.trace import run
from tests.helpers.graphs import EXAMPLES
from tests.helpers.quizzed import Quizzed
from tests.helpers.sampling import sampled
from tests.helpers.tables import in_turn

SHARED = ("e = a*b; d = e + a; L = d*f", {"a": 2.0, "b": -3.0, "f": -2.0})
GRAPHS = [
    from_expression(*SHARED),
    from_expression("u = a*b; v = tanh(u); y = v*c + u", {"a": 0.5, "b": 1.5, "c": -2.0}),
    from_expression("c = a - b; d = c/f; y = d*f + c", {"a": 2.0, "b": 5.0, "f": 4.0}),
    from_expression("y = a*a*b + relu(a)", {"a": 2.0, "b": -3.0}),
    *(example.graph for example in EXAMPLES if len(example.graph.nodes) < 20),
]
LEVELS_ASKED = ("slope", "contribution", "contribution and sum", "sum", "whole step")


def wrongs(graph: Graph, level: str) -> Iterator[tuple[Question, str]]:
    """Each blank of a pass with each number of a belief in it."""
    trace = run(graph)
    for question in level_questions(trace, LEVELS[level]):
        numbers = (number for _slip, number in belief_numbers(question, trace))
        for number in dict.fromkeys(x for x in numbers if math.isfinite(x)):
            yield question, plain(number)


@in_turn("level", LEVELS_ASKED)
def test_the_second_sentence_asks_for_the_number_of_the_first_blank(level: str):
    count = 0
    for graph in GRAPHS:
        for wrong, text in sampled(wrongs(graph, level), 7):
            at = Quizzed(graph, level, wrong.step)
            at.answer({wrong: text})
            at.answer({wrong: text})
            assert at.quiz.rung >= 2, (graph.names, wrong, text, "it is a try, whatever is asked")
            line, blank = at.line, at.blanks[0]
            about = helped_question(at.quiz, at.frame)
            assert about is not None
            said = told_experiment(at.quiz, about, at.trace, at.digits)
            if at.quiz.rung == 2 and said is not None and not math.isnan(said.asked):
                count += 1
                assert line.endswith(said.text)
                assert near(said.asked, at.right(blank)), (graph.names, wrong, text, line)
            for way in offered_ways(at.quiz, at.frame):
                at.quiz = at.quiz.with_way(way, at.frame)
                shown = shown_way(at.quiz, at.frame)
                if shown is not None and not math.isnan(shown.said.asked):
                    assert near(shown.said.asked, at.right(blank)), (wrong, text, at.line)
    assert count > 5


def test_data_typed_at_a_sum_twice_is_answered_by_a_question_about_its_slope():
    at = Quizzed(from_expression(*SHARED), "contribution", 4)
    (sent,) = at.blanks
    for _try in range(2):
        at.answer({sent: "-6"})
    slope, _sent = at.blanks
    assert at.line.endswith("e at −6 or 10: +0.01 moves d by +0.01 both times. And for 1?")
    assert at.right(slope) == 1.0
