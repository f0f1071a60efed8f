"""Every number and every sentence of a page is the engine's, in all examples and all lessons."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, get_args

import pytest

from app.controls.spans import plain_text
from app.document.examples import FOLDER
from app.lessons.course import course
from app.lessons.lesson import Step
from app.lessons.load import lesson
from app.lessons.questions import drawn
from app.takeaway.estimated_layout import laid_out_drawing, node_positions
from app.takeaway.graph_page import PageOptions, outline_of_graph, page_of_graph
from app.takeaway.html_page import html_page
from app.takeaway.lesson_page import SEED, page_of_lesson
from app.takeaway.page_data import AskedSteps, GraphData
from app.takeaway.page_parts import graph_data
from app.workbench.modes.quiz import JudgedAnswer, Quiz
from app.workbench.words.help import reason_of_right, slip_feedback
from engine import from_expression
from engine.asking.answering import belief_sentence, right_sentence
from engine.asking.beliefs import BY_NAME, belief_numbers
from engine.asking.judging import judge, number_choices, rounded_forms
from engine.asking.kinds import answer
from engine.asking.question import LEVELS, Question, level_questions, near
from engine.formats.files import load_drawing
from engine.formats.native import Drawing
from engine.graph import kind_of
from engine.numbers import plain, short, signed
from engine.trace import Trace, run
from tests.helpers import exported
from tests.helpers.exported import data_of, field_numbers, judged, states, with_numbers
from tests.helpers.sampling import sampled
from tests.helpers.tables import in_turn

EXAMPLES = sorted(path.stem for path in FOLDER.glob("*.backwire"))
LESSONS = [head.name for head in course().lessons]


def example(name: str) -> Drawing:
    return load_drawing(FOLDER / f"{name}.backwire")


def question_of(found: dict[str, Any]) -> Question:
    record = found["record"]
    return Question(record["kind"], record["node"], record.get("slot", -1), record.get("step", 0))


def typed_texts(question: Question, trace: Trace) -> list[str]:
    """What somebody may type: right, rounded, each slip, each a little off, and anything else."""
    right = answer(question, trace)
    numbers = [right, -right, right * 1.005, right * 0.9999, right + 1e-7, 0.0, 1.0, 3.7, 1e9]
    numbers += [number for _slip, number in belief_numbers(question, trace)]
    texts = [text for x in numbers for text in (plain(x), short(x))]
    texts += [plain(form) for x in numbers if abs(x) < 1e300 and x for form in rounded_forms(x)]
    return list(dict.fromkeys(text.removeprefix("≈ ") for text in texts))


def assert_judged_as_by_the_engine(
    found: dict[str, Any], question: Question, trace: Trace, before: Sequence[Question] = ()
) -> None:
    """The page's verdict, slip and sentence on each text are those of the window.

    `before` are the blanks of the sentence that are answered, with all digits or with some.
    """
    rights = {each: answer(each, trace) for each in before}
    forms = [{each: plain(x) for each, x in rights.items()}]
    forms += [{each: short(x, digits) for each, x in rights.items()} for digits in (2, 3)]
    for accepted in forms if before else forms[:1]:
        filled = [(each, text.removeprefix("≈ ")) for each, text in accepted.items()]
        for text in typed_texts(question, trace):
            (engine,) = judge(trace, [(question, text)], accepted=filled)
            verdict, slip, line = judged(found, text)
            assert verdict == engine.verdict, (question, text, accepted)
            if engine.right:
                remark = right_sentence(engine)
                reason = reason_of_right([question], trace, 4) if remark else ""
                assert line == f"{remark} {reason}".rstrip()
                continue
            given = JudgedAnswer(question, text, False, engine)
            answers = {each: JudgedAnswer(each, "", True) for each in before} | {question: given}
            says = plain_text(slip_feedback(Quiz(last_answers=answers), given, trace, 4))
            assert slip == ("" if engine.slip is None else engine.slip.name), (question, text)
            assert line == f"✘ {says}", (question, text)


def assert_right_about(found: dict[str, Any], question: Question, trace: Trace) -> None:
    right = answer(question, trace)
    assert float(found["answer"]["number"]) == right or right != right
    for slip in found.get("slips", []):
        number = float(slip["number"])
        if near(number, right, float(found["answer"].get("scale", 0.0))):
            continue  # it can't be seen
        assert slip["full"] == belief_sentence(BY_NAME[slip["name"]], number, question, trace, 4)
    offered = found.get("choices", [])
    if offered:
        shown = number_choices(question, trace)
        write = signed if question.kind in ("contribution", "change") else short
        assert [choice["text"] for choice in offered] == [write(x) for x in shown]
        for choice in offered:
            (engine,) = judge(trace, [(question, choice["text"])])
            assert choice.get("verdict", "wrong") == engine.verdict
            assert choice.get("right", False) == engine.right


def before_in_sentence(questions: Sequence[Question], place: int) -> list[Question]:
    """The questions answered before one in its sentence."""
    own = questions[place]
    return [
        each
        for each in questions[:place]
        if (each.kind == own.kind == "final") or (each.step and each.step == own.step)
    ]


@pytest.mark.parametrize("name", sampled(EXAMPLES, every=10))
def test_a_graphs_page_shows_what_the_engine_does(name):
    drawing = example(name)
    trace = run(drawing.graph)
    page = data_of(html_page(page_of_graph(drawing, name, PageOptions())))
    asked: list[Question] = []
    last: dict[str, str] = {}
    for step, found in states(page):
        questions = [question_of(each) for each in step.get("questions", [])]
        for place, data in enumerate(step.get("questions", [])):
            assert found[place][data["key"]] == "?", "it shows what it asks"
            assert found[place + 1][data["key"]] != "?"
        asked += questions
        last = found[-1]
    assert tuple(asked) == level_questions(trace, LEVELS["contribution and sum"])
    for node, gradient in trace.gradients.items():
        assert last[f"g{node}"] == short(gradient)
    for event in trace.events:
        if event.wire is not None:
            wire = f"{event.sender}.{event.slot}"
            assert last[f"c{wire}"] == signed(event.contribution)
            assert last[f"l{wire}"] == short(event.local)


@in_turn("ask", get_args(AskedSteps))
def test_the_outline_of_a_page_has_its_sentences_and_counts_its_questions(ask: AskedSteps):
    graph = from_expression("y = a*b", {"a": 2, "b": 3})
    drawing, options = Drawing(graph, node_positions(graph)), PageOptions(ask)
    page = [
        (step.title, step.position, step.says, len(step.questions))
        for step in page_of_graph(drawing, "", options).said
    ]
    outline = outline_of_graph(drawing, options)
    assert [(step.title, step.position, step.says, count) for step, count in outline] == page


@pytest.mark.parametrize("name", sampled(LESSONS, every=2))
def test_a_lessons_page_judges_and_shows_as_the_engine_does(name):
    found = lesson(name)
    page = data_of(html_page(page_of_lesson(found)))
    assert [step["title"] for step in page["steps"]] == [step.title for step in found.steps]
    for own, (step, shown) in zip(found.steps, states(page), strict=True):
        begun = drawn(own, SEED)
        match own.kind:
            case "ask" if own.guess:
                assert not step.get("questions")
                assert str(step["text"][-1][0]).startswith("Your guess, on paper: ")
            case "ripple":
                (move,) = step["moves"]
                assert move["shown"]["set"]
            case "ask" if "live" in step:  # compared in a browser
                assert len(step["questions"]) == len(own.asks)
            case "ask":
                _assert_asks(own, step, run(begun.graph, rules=begun.rules))
            case "hunt":
                assert sum(choice.get("right", False) for choice in step["questions"][0]["choices"])
                assert step["moves"]
            case "do":
                assert step.get("doing") or step.get("moves") or step.get("on_computer")
            case _:
                assert (
                    shown[0].items()
                    >= {
                        f"v{node}": short(x) for node, x in begun.known_frame.values.items()
                    }.items()
                )


def _assert_asks(own: Step, step: dict[str, Any], trace: Trace) -> None:
    questions = [
        Question("change", ask.node or 0, leaf=ask.leaf or 0, to=ask.to)
        if ask.kind == "change"
        else question_of(data)
        for ask, data in zip(own.asks, step["questions"], strict=True)
    ]
    for place, (question, data) in enumerate(zip(questions, step["questions"], strict=True)):
        boxes = sum(span[1:2] == ["blank"] for span in data["sentence"] if isinstance(span, list))
        assert boxes == (question.kind not in ("next", "text"))
        assert exported.plain(data["worked"]).startswith("Worked: ")
        if question.kind in ("text", "next"):
            assert any(choice.get("right", False) for choice in data["choices"])
            assert all(choice.get("says") or choice.get("right") for choice in data["choices"])
        elif question.kind == "sign":
            says = [exported.plain(choice.get("says", [])) for choice in data["choices"]]
            assert [text.split(" is not")[0] for text in says] in (
                ["", "✘ falls", "✘ stays"],
                ["✘ rises", "", "✘ stays"],
                ["✘ rises", "✘ falls", ""],
            )
            assert_right_about(data, question, trace)
        else:
            before = before_in_sentence(questions, place)
            assert_judged_as_by_the_engine(data, question, trace, before)
            assert_right_about(data, question, trace)


def test_a_ripple_changes_a_leaf_only_if_all_its_wires_carry_it_and_the_root_with_its_input():
    for name in ("same-leaf-twice", "two-paths"):
        found = lesson(name)
        page = data_of(html_page(page_of_lesson(found)))
        for own, (step, shown) in zip(found.steps, states(page), strict=True):
            if own.ripple is None:
                continue
            graph, before = own.begun.graph, shown[0]
            after = before | step["moves"][0]["shown"]["set"]
            root = next(node for node in graph.nodes if kind_of(graph.nodes[node]) == "root")
            assert after[f"v{root}"] == after[f"v{graph.root}"] != before[f"v{root}"]
            moved = after[f"v{own.ripple.node}"] != before[f"v{own.ripple.node}"]
            assert moved == (not own.ripple.wires)


def test_the_text_of_a_step_follows_the_numbers_of_each_move():
    found = data_of(html_page(page_of_lesson(lesson("one-wire"))))["steps"][2]
    [taken] = found["doing"]["passes"]
    texts = (found["text"], *(move["text"] for move in taken["moves"][1:]))
    numbers = field_numbers(taken["live"], {})
    begun, *after = (with_numbers(exported.plain(text[-1]), numbers) for text in texts)
    assert begun.endswith("a.grad –, b.grad –.")
    assert [text.split(": ")[-1] for text in after] == [
        "a.grad 5, b.grad –.",
        "a.grad 5, b.grad 2.",
    ]


# courses of wires


def course_points(path: str) -> list[tuple[float, float]]:
    """Points along a path of SVG with absolute lines and cubic curves, a few px apart."""
    points: list[tuple[float, float]] = []
    for letter, numbers in re.findall(r"([MLC])([^MLC]+)", path):
        xs = [float(x) for x in numbers.split()]
        corners = [(xs[k], xs[k + 1]) for k in range(0, len(xs), 2)]
        if letter == "M":
            points += corners
            continue
        corners.insert(0, points[-1])
        if letter == "L":
            corners = [corners[0], *corners, corners[1]]
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
        count = int(abs(dx - ax) + abs(dy - ay)) // 3 + 8
        for k in range(1, count + 1):
            t, u = k / count, 1 - k / count
            weights = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
            points.append(
                (
                    sum(w * x for w, x in zip(weights, (ax, bx, cx, dx), strict=True)),
                    sum(w * y for w, y in zip(weights, (ay, by, cy, dy), strict=True)),
                )
            )
    return points


def graphs_of_pages() -> Iterator[tuple[str, GraphData]]:
    """Graphs of the examples and the lessons, as a page draws them."""
    for name in EXAMPLES:
        drawing = example(name)
        yield name, graph_data(drawing.graph, drawing.positions, 4)
    begun = [(name, step.begun.graph) for name in LESSONS for step in lesson(name).steps]
    wirings = {(name, graph.structure): graph for name, graph in begun}
    for (name, _structure), graph in sampled(wirings.items(), 6):
        yield name, graph_data(graph, node_positions(graph), 4, is_live=True)


def test_no_wire_of_a_page_touches_a_node():
    count = 0
    for name, graph in graphs_of_pages():
        nodes = [node for node in graph.nodes if node.seated is None]
        drawn = {node.id for node in nodes}
        wires = {f"{n.id}.{k}" for n in nodes for k, s in enumerate(n.inputs) if s in drawn}
        assert graph.courses.keys() == wires, name
        for wire, path in graph.courses.items():
            count += 1
            for x, y in course_points(path):
                assert -1 <= x <= graph.width + 1, (name, wire)
                assert -1 <= y <= graph.height + 1, (name, wire)
                for n in nodes:
                    inside = n.x < x < n.x + n.width and n.y < y < n.y + n.height
                    assert not inside, (name, wire, n.short, x, y)
    assert count > 60


def test_the_prompt_of_a_sum_no_longer_asks_for_the_contribution():
    graph = from_expression("d = a*b; L = d + a", {"a": 2, "b": -3})
    page = page_of_graph(laid_out_drawing(graph), "", PageOptions("all"))
    both = page.said[5].questions
    assert [asked.record.kind for asked in both] == ["contribution", "sum"]
    assert [asked.prompt for asked in both] == [
        ["How much goes to a along this wire? Then: what is a.grad?"],
        ["What does a hold after this step?"],
    ]
