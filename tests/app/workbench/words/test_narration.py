"""Step words: a collapsed group that fires is told as one step, with what leaves it."""

import re

import pytest

from app.controls.spans import Span, plain_text
from app.lessons.course import course
from app.lessons.load import lesson
from app.workbench.words.ends import gradients_text
from app.workbench.words.narration import narrate, next_step_text, step_text, upcoming
from app.workbench.words.sentences import VOICES, Voice
from engine import MISTAKES, from_expression
from engine.asking.question import hide_answers
from engine.edits import disconnect, set_label
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph, Leaf, OpNode, Root
from engine.numbers import short
from engine.rules import CORRECT, Rules
from engine.trace import run, run_forward
from tests.helpers.graphs import demonstration, gradients, mistake
from tests.helpers.panel_host import PanelHost
from tests.helpers.tables import in_turn

BAD = "÷ (e) is the first bad node: 1 ÷ 0 is infinite."


def shared() -> Graph:
    return from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})


def at(graph: Graph, cursor: int, rules: Rules = CORRECT) -> Frame:
    return frame_at(run(graph, rules=rules), cursor)


def said(frame: Frame, voice: Voice = "plain") -> str:
    return plain_text(narrate(frame, voice))


def test_as_maths_a_gradient_is_the_derivative_only_once_it_is_complete():
    assert said(at(shared(), 5), "maths") == (
        "a.grad += ∂L/∂d · ∂⁺d/∂a = (−2) · 1 = −2, so a.grad = −2 so far, 1 of 2."
    )


@pytest.mark.parametrize(
    ("formula", "values", "voice", "text"),
    [
        ("y = softplus(a)", {"a": 12345}, "plain", "y = softplus(a) = softplus(12345) = 12345."),
        ("e = a / b", {"a": 1, "b": 0}, "maths", f"e = a ÷ b = 1 ÷ 0 = inf. {BAD}"),
        ("e = a / b", {"a": 1, "b": 0}, "code", f"e = a / b  # 1 ÷ 0 = inf. {BAD}"),
    ],
)
def test_a_forward_step_names_functions_and_parts_a_remark_from_its_number(
    formula, values, voice: Voice, text: str
):
    assert said(frame_at(run_forward(from_expression(formula, values)), 1), voice) == text


@in_turn(
    ("formula", "values", "cursor", "voice", "part"),
    [
        ("y = abs(r)", {"r": 0}, 2, "plain",
         "to r: now 0. abs has no slope at 0; the convention 0 is used."),
        ("y = sqrt(a)", {"a": 0}, 2, "plain", "Here the slope of sqrt is inf."),
        ("e = a / b", {"a": 1, "b": 0}, 2, "code", f"# 1 × inf = inf. {BAD}"),
        ("y = a * a", {"a": 3}, 2, "plain", "to a (slot 1): now 3."),
        ("y = a * a", {"a": 3}, 3, "plain", "to a (slot 2), which held 3: now 6."),
    ],
)  # fmt: skip
def test_a_backward_step_tells_slots_conventions_and_bad_numbers(
    formula, values, cursor: int, voice: Voice, part: str
):
    assert said(at(from_expression(formula, values), cursor), voice).endswith(part)


def test_the_end_of_a_pass_names_each_leaf_or_says_that_it_names_the_largest():
    names = [head.name for head in course().lessons]
    graphs = {s.begun.graph.structure: s.begun.graph for n in names for s in lesson(n).steps}
    many = from_expression("y = a + 2*b - 3*c + 4*d + 5*e + 6*f", dict.fromkeys("abcdef", 1))
    text = ""
    for graph in (*graphs.values(), many):
        trace = run(graph)
        leaves = [leaf for leaf in graph.leaves if leaf in trace.gradients]
        text = plain_text(gradients_text(frame_at(trace, len(trace)), 4))
        named = [leaf for leaf in leaves if f" {graph.brief(leaf)}.grad " in text]
        assert named == leaves or f"the largest of {len(leaves)}: " in text, text
    assert text == "The pass is over; the largest of 6: f.grad 6, e.grad 5, d.grad 4."


def test_as_maths_the_slots_of_a_square_are_told_apart():
    assert "∂y/∂a₂" in said(at(from_expression("y = a * a", {"a": 3}), 3), "maths")


def test_only_the_first_bad_contribution_is_explained():
    assert "first bad node" in said(at(from_expression("y = a / (b - b)"), 2))
    assert "first bad node" not in said(at(from_expression("y = a / (b - b)"), 3))


@pytest.mark.parametrize(
    ("rules", "cursor", "text"),
    [
        ("assign", 8,
         "a.grad = 1 · 3 = +3 ≠ ∂y/∂d · ∂d/∂a = 6 · 3 = +18, so a.grad = 3 so far, 1 of 2."),
        ("mul-own-input", 4,
         "c.grad += 1 · 5 = +5 ≠ ∂y/∂f · ∂f/∂c = 1 · 6 = +6, so c.grad = 5 so far, 1 of 2."),
        ("no-zero-grad", -1, "Pass 2: a.grad += 21 · 1 = "),
    ],
)  # fmt: skip
def test_as_maths_a_wrong_step_stands_apart_from_what_the_rule_says(rules, cursor, text):
    trace = run(demonstration(), rules=mistake(rules))
    told = said(frame_at(trace, cursor % len(trace)), "maths")
    assert told == text or (cursor < 0 and told.startswith(text))


def span(frame: Frame, text: str) -> Span:
    return next(span for span in narrate(frame) if span.text == text)


def test_colours_follow_the_meaning():
    frame = at(shared(), 6)
    assert span(frame, "× (e)").bold
    assert span(frame, "−3").role == "local"
    assert span(frame, "+6").role == "gradient"
    assert span(frame, "4").role == "gradient"
    forward = frame_at(run_forward(from_expression("c = a + b", {"a": 2, "b": 3})), 1)
    assert span(forward, "5").role == "value"


def test_a_value_that_is_not_finite_names_the_first_bad_node():
    graph = from_expression("e = a / b", {"a": 0, "b": 0})
    sentence = "÷ (e) is the first bad node: 0 ÷ 0 has no value."
    assert said(frame_at(run_forward(graph), 1)).endswith(sentence)
    assert said(at(graph, 2)).endswith(sentence)
    assert span(at(graph, 2), sentence).role == "error"


def test_two_passes_say_which_one_it_is():
    trace = run(shared(), rules=mistake("zero-leaves-only"))
    zero = next(k for k, event in enumerate(trace.events) if event.kind == "zero")
    assert said(frame_at(trace, 1)).startswith("Pass 1: ")
    assert said(frame_at(trace, zero + 1)) == "Pass 2: a is set back from 4 to 0."
    assert said(frame_at(trace, len(trace))).startswith("Pass 2: ")


def test_before_a_pass_the_sentence_says_what_to_press():
    assert said(live_frame(shared())) == "L is 8. Press Backward: how much does each leaf matter?"
    alone = said(live_frame(from_expression("y = x*x", {"x": 3})))
    assert alone == "y is 9. Press Backward: how much does x matter?"
    constant = said(live_frame(from_expression("y = 2*3")))
    assert constant == "y is 6. No leaf leads to it. Press Backward to start there."
    assert "Press Step to seed the root" in said(at(shared(), 0))
    assert said(live_frame(Graph())).startswith("Type a formula above")


def test_without_a_root_the_sentence_asks_for_one():
    graph = from_expression("a*b")
    rootless = Graph({1: graph.nodes[1]}, None, 2)
    becomes = "Press Backward: a becomes the root, as it feeds nothing else."
    assert said(live_frame(rootless)) == becomes
    several = Graph({1: graph.nodes[1], 2: graph.nodes[2]}, None, 3)
    assert said(live_frame(several)).endswith("Select its node and press Backward.")
    unplugged = disconnect(graph, graph.active_root or 0, 0)
    assert said(live_frame(unplugged)).startswith("The root has nothing plugged in.")


def test_the_receiver_goes_by_its_label_in_plain_words_and_by_its_name_in_code():
    graph = set_label(shared(), 1, "weight of evidence")
    assert "to weight of evidence, which held" in said(at(graph, 6))
    assert "weight_of_evidence_1.grad += " in said(at(graph, 6), "code")


def test_a_very_long_label_is_shortened():
    graph = set_label(shared(), 1, "x" * 200)
    for voice in VOICES[:2]:
        assert len(said(at(graph, 6), voice)) < 160


def test_what_comes_next_is_named_without_its_number():
    assert plain_text(upcoming(at(shared(), 6))) == "next: × (e) to b"
    assert plain_text(upcoming(at(shared(), 0))) == "next: the seed at L"
    assert plain_text(upcoming(at(shared(), 7))) == "end of the pass"
    assert plain_text(upcoming(live_frame(shared()))) == ""


def test_what_comes_next_is_asked_while_covered_and_told_once_revealed():
    frame = at(shared(), 6)
    covered = upcoming(hide_answers(frame, ("contribution",)))
    assert plain_text(covered) == "next: × (e) to b = ?"
    assert covered[-1].role == "selection"
    assert plain_text(upcoming(hide_answers(frame, ()))) == "next: × (e) to b = −4"


@in_turn("rules", [CORRECT, *MISTAKES])
@in_turn(
    "text",
    ["e=a*b; d=e+a; L=d*f", "y=a/(b-b)", "y=relu(a)*max_; max_=2", "y=where_gt0(a, b, a**-1)"],
)
def test_every_step_of_every_pass_can_be_told_in_every_voice(text: str, rules: Rules):
    graph = from_expression(text if "max_=" not in text else "max_=2; y=relu(a)*max_")
    for trace in (run_forward(graph), run(graph, rules=rules)):
        for cursor in range(len(trace) + 1):
            frame = frame_at(trace, cursor)
            for voice in VOICES:
                sentence = said(frame, voice)
                assert sentence
                assert "  " not in sentence.replace("  #", " #")
            assert upcoming(frame)


@in_turn("rules", MISTAKES)
def test_as_maths_only_right_gradients_are_called_derivatives(rules: Rules):
    right = gradients(demonstration())
    trace = run(demonstration(), rules=rules)
    for cursor in range(1, len(trace) + 1):
        text = said(frame_at(trace, cursor), "maths")
        for name, number in re.findall(r"so ∂y/∂(\w+) = (\S+)\.$", text):
            assert number == short(right[name])


def test_the_name_beside_a_label_is_grey_and_the_label_bold():
    nodes = {1: Leaf(2.0, "w"), 2: Leaf(3.0, "w"), 3: OpNode("mul", (1, 2)), 4: Root(3)}
    graph = Graph(nodes, 4, 5)
    frame = frame_at(run(graph), 3)
    spans = narrate(frame)
    assert plain_text(spans) == "× (v3) got 1 and passes 1 × 2 = +2 to w · w_2: now 2."
    marks = {span.text: (span.role, span.bold) for span in spans}
    assert (marks["w"], marks[" · w_2"]) == (("text", True), ("secondary", False))


def made(host: PanelHost, names: str) -> PanelHost:
    """The demonstration with some of its nodes collapsed into one group."""
    host.document.replace_graph(demonstration())
    host.document.groups.make([host.node(name) for name in names], "inner")
    return host


@pytest.fixture
def grouped(host: PanelHost) -> PanelHost:
    return made(host, "cd")


def told(host: PanelHost) -> tuple[str, str]:
    """What is said of the group, of the step just taken and of the next one; "" of a single one."""
    now = host.playback.now
    done, coming = step_text(now, "plain", 4), next_step_text(now, 4)
    assert done
    assert coming
    first, second = plain_text(done), plain_text(coming)
    return first if "inner" in first else "", second if "inner" in second else ""


def test_a_forward_pass_names_what_the_group_computes_for_others(grouped: PanelHost):
    grouped.playback.forward()
    assert told(grouped) == ("", "next: inner, steps 1 to 2")
    grouped.playback.step()
    assert told(grouped) == ("inner is computed in steps 1 to 2: c = 5, d = 6.", "")


def test_a_backward_pass_names_what_comes_out_of_the_group(grouped: PanelHost):
    said = []
    grouped.playback.backward()
    while grouped.playback.cursor < grouped.playback.frame.total:
        grouped.playback.step()
        said += [text for text in told(grouped) if text]
    assert said == [
        "next: inner, steps 8 to 11",
        "inner fires in steps 8 to 11: a now holds 25, b now holds 19.",
    ]


def test_what_stays_in_the_group_is_not_named(host: PanelHost):
    made(host, "cdf").playback.backward()
    host.playback.go(3)
    assert told(host) == ("", "next: inner, steps 4 to 5")
    host.playback.step()
    assert told(host) == ("inner fires in steps 4 to 5; all of it stays inside.", "")


def test_within_the_steps_of_a_group_each_is_told_by_itself(grouped: PanelHost):
    grouped.playback.backward()
    grouped.playback.go(9)
    assert told(grouped) == ("", "next: inner, steps 10 to 11")


def test_in_the_group_each_step_is_told_by_itself(grouped: PanelHost):
    (group,) = grouped.document.sheet.groups
    grouped.document.look_inside(group)
    grouped.playback.backward()
    while grouped.playback.cursor < grouped.playback.frame.total:
        grouped.playback.step()
        assert told(grouped) == ("", "")
    assert grouped.playback.cursor == 11
