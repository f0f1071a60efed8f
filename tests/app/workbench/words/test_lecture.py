"""What the room reads: a sentence, a question with its cards, the answer; no number too early."""

import re

import pytest
from msgspec.structs import replace

from app.controls.rich_text import Span, plain_text
from app.lessons.lecture import Lecture, Placed, slides
from app.lessons.lecture_state import LectureState, Stage
from app.lessons.poll import Poll, poll_of
from app.workbench.playback.view_state import view_of
from app.workbench.words.lecture import Band, band_of, band_of_next, spoken_band
from app.workbench.words.strip import Say
from engine import Graph, from_expression
from engine.formats.native import Drawing
from engine.numbers import short
from engine.rules import BY_NAME
from engine.study.lecture import Choice, Mark
from tests.helpers.graphs import EXAMPLES
from tests.truth import oracle

SHARED = from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})
NODE = {name: SHARED.node_named(name) or 0 for name in "abdefL"}
SECOND = Mark("ask", "backward", 6, NODE["e"], 0, asks="contribution")
SAY = Say(presented=True)


def lecture(*marks: Mark, graph: Graph = SHARED) -> LectureState:
    found = Lecture("Two paths", (Drawing(graph),), tuple(Placed(0, mark) for mark in marks))
    resolved = slides(found)
    assert [slide.misfit for slide in resolved] == [""] * len(marks)
    return LectureState(found, resolved)


def entered(
    state: LectureState, at: int = 0, stage: Stage = "asked", poll: Poll | None = None
) -> LectureState:
    """The state at a mark, with its poll if it asks."""
    slide = state.slides[at]
    asks = slide.mark.kind == "ask"
    poll = (poll or poll_of(slide)) if asks else None
    return replace(state, at=at, stage=stage if asks else "shown", poll=poll)


def band(state: LectureState) -> Band:
    slide = state.slide
    shown = slide.revealed if state.stage == "revealed" else slide.situation
    assert shown is not None
    return band_of(state, replace(view_of(shown.shown), rules=shown.rules), SAY)


def text(found: Band) -> str:
    return plain_text(found.sentence)


def asked(mark: Mark, graph: Graph = SHARED) -> Band:
    return band(entered(lecture(mark, graph=graph)))


def revealed(mark: Mark, graph: Graph = SHARED) -> Band:
    return band(entered(lecture(mark, graph=graph), stage="revealed"))


# a mark that shows


def test_a_mark_that_shows_has_the_sentence_of_its_step():
    found = asked(Mark("show", "backward", 6, NODE["e"], 0))
    assert found.kind == "sentence"
    assert text(found).startswith("× (e) got −2 and passes −2 × −3 = +6 to a")
    assert found.foot == ("", "step 6 of 7")
    assert not found.cards


@pytest.mark.parametrize(
    ("mark", "sentence"),
    [
        (Mark("show"), "L is 8."),
        (Mark("show", "forward", 0), "Leaves and constants are known."),
        (Mark("show", "backward", 0), "No gradient is known yet."),
        (Mark("show", "forward", 1, NODE["e"]), "e = a × b = 2 × (−3) = −6."),
        (Mark("show", "backward", 7), "The pass is over: a.grad 4, b.grad −4, f.grad −4."),
    ],
)
def test_before_the_first_step_no_key_is_named(mark, sentence):
    assert text(asked(mark)) == sentence


def test_a_mark_under_a_mistake_names_it():
    found = asked(Mark("show", "backward", 0, mistake="assign"))
    assert text(found) == "= instead of +=: No gradient is known yet."


def test_a_graph_without_a_root_has_no_sentence():
    assert text(asked(Mark("show"), Graph())) == ""


def test_a_blank_screen_has_its_line_alone():
    found = asked(Mark("blank", text="Talk to your neighbour."))
    assert (found.kind, text(found)) == ("blank", "Talk to your neighbour.")
    assert (found.cards, found.foot) == ((), ("", ""))


# an open question


def test_the_open_question_is_that_of_the_picture():
    state = entered(lecture(SECOND), poll=None)
    assert state.poll is not None
    state = replace(state, poll=replace(state.poll, hands=(9, 4, 2, 11)))
    found = band(state)
    assert found.kind == "question"
    assert text(found) == "? What does × (e) pass to a?"
    assert found.sentence[0] == Span("?", "selection", bold=True)
    assert [span.text for span in found.sentence if span.bold] == ["?", "× (e)", "a"]
    assert [(c.letter, c.label, c.hands) for c in found.cards] == [
        ("A", "−4", 9),
        ("B", "−3", 4),
        ("C", "−2", 2),
        ("D", "+6", 11),
    ]
    assert {(c.state, c.say, c.earlier) for c in found.cards} == {("open", "", None)}
    assert found.foot == (
        "keys 1–4 count a hand, Shift takes one back",
        "26 hands · step 6 of 7 · PageDown reveals",
    )
    assert found.hands == 26


@pytest.mark.parametrize(
    ("mark", "question"),
    [
        (replace(SECOND, asks="local"), "? What is the slope of × (e) along a?"),
        (replace(SECOND, asks="sum"), "? What does a.grad hold after this step?"),
        (
            Mark("ask", "backward", 0, NODE["a"], asks="final"),
            "? What will a.grad be at the end of the pass?",
        ),
        (
            Mark("ask", "backward", 0, NODE["a"], asks="sign"),
            "? Raise a by a little: what does L do?",
        ),
        (Mark("ask", "backward", 0, NODE["a"], asks="paths"), "? How many paths lead from a to L?"),
        (
            Mark("ask", "backward", 0, NODE["L"], asks="change", leaf=NODE["a"], to=5.0),
            "? a goes from 2 to 5: by how much does × (L) change?",
        ),
        (Mark("ask", "forward", 1, NODE["e"], asks="value"), "? What is the value of × (e)?"),
        (Mark("ask", "backward", 6, asks="mistake", mistake="assign"), "? Which mistake is on?"),
        (
            Mark("ask", "backward", 2, asks="text", text="Is **a** 2?", choices=(Choice("yes"),)),
            "? Is a 2?",
        ),
    ],
)
def test_each_kind_of_question_is_a_sentence(mark, question):
    assert text(asked(mark)) == question


def test_the_next_node_is_asked_for():
    steps = [k for k in range(1, 8) if _fits(k)]
    found = asked(Mark("ask", "backward", steps[0], _sender(steps[0]), asks="next"))
    assert text(found) == "? Which node may fire next?"
    assert found.foot[1].startswith(f"step {steps[0]} of 7")


def _sender(step: int) -> int | None:
    wire = oracle.steps(SHARED, SHARED.root or 0)[step - 1].wire
    return None if wire is None else wire[0]


def _fits(step: int) -> bool:
    return step > 1 and _sender(step) is not None and _sender(step) != _sender(step - 1)


@pytest.mark.parametrize(
    ("mark", "foot"),
    [
        (replace(SECOND, form="number"), ("", "step 6 of 7 · PageDown reveals")),
        (
            replace(SECOND, reveals=False),
            ("keys 1–4 count a hand, Shift takes one back", "step 6 of 7 · PageDown goes on"),
        ),
        (
            Mark("ask", "backward", 0, NODE["a"], asks="sign"),
            ("keys 1–3 count a hand, Shift takes one back", "PageDown reveals"),
        ),
        (
            Mark("ask", "forward", 1, NODE["e"], asks="value"),
            ("", "forward 1 of 3 · PageDown reveals"),
        ),
        (
            Mark("ask", "backward", 2, asks="text", text="?", choices=(Choice("yes", right=True),)),
            ("key 1 counts a hand, Shift takes one back", "PageDown reveals"),
        ),
    ],
)
def test_the_foot_names_the_keys_that_exist(mark, foot):
    assert asked(mark).foot == foot


def test_one_hand_is_no_plural():
    state = entered(lecture(SECOND))
    assert state.poll is not None
    found = band(replace(state, poll=replace(state.poll, hands=(0, 0, 0, 1))))
    assert found.foot[1] == "1 hand · step 6 of 7 · PageDown reveals"


def test_the_mistake_that_is_asked_for_stands_in_no_open_band_but_as_a_choice():
    mark = Mark("ask", "backward", 6, asks="mistake", mistake="assign")
    found = asked(mark)
    title = BY_NAME["assign"].title
    assert title not in text(found) + "".join(found.foot)
    assert title in [card.label for card in found.cards]


@pytest.mark.parametrize("asks", ["local", "contribution", "sum"])
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda found: found.name)
def test_no_number_stands_in_an_open_question_but_in_its_choices(example, asks):
    graph = example.graph
    root = graph.root or 0
    for k, step in enumerate(oracle.steps(graph, root), 1):
        if step.wire is None or (asks == "sum" and not _arrived_before(graph, k)):
            continue
        found = asked(Mark("ask", "backward", k, *step.wire, asks=asks), graph)
        words = text(found)
        for name in sorted((graph.brief(n) for n in graph.names), key=len, reverse=True):
            words = words.replace(name, "")
        assert not re.search(r"\d", words), words
        spoken = spoken_band(replace(found, cards=()))
        assert "hands" not in spoken
        assert all(card.say == "" for card in found.cards)
        total = len(oracle.steps(graph, root))
        assert f"step {k} of {total}" in found.foot[1]


def _arrived_before(graph: Graph, k: int) -> bool:
    """Whether the receiver of a step had a contribution before it: only then is its sum asked."""
    steps = oracle.steps(graph, graph.root or 0)
    return any(s.wire and s.node == steps[k - 1].node for s in steps[: k - 1])


def test_names_have_at_most_16_characters():
    graph = from_expression(
        "a_really_long_name_of_a_node = first_long_leaf_of_all * second_long_leaf_of_all; "
        "y = a_really_long_name_of_a_node + first_long_leaf_of_all"
    )
    node = graph.node_named("a_really_long_name_of_a_node")
    step = next(
        k
        for k, found in enumerate(oracle.steps(graph, graph.root or 0), 1)
        if found.wire == (node, 0)
    )
    found = asked(Mark("ask", "backward", step, node, 0, asks="contribution"), graph)
    names = [
        span.text.removeprefix("× (").removesuffix(")") for span in found.sentence[1:] if span.bold
    ]
    assert len(names) == 2
    assert all(len(name) <= 16 for name in names)


# the answer


def test_the_answer_is_that_of_the_picture():
    found = revealed(SECOND)
    assert found.kind == "reveal"
    assert text(found) == "× (e) got −2 and passes −2 × −3 = +6 to a, which held −2: now 4."
    assert [(c.label, c.state, c.say) for c in found.cards] == [
        ("−4", "wrong", "took a itself, 2, as the slope; the slope is b, −3."),
        ("−3", "wrong", "is the slope alone; the −2 that e got was forgotten."),
        ("−2", "wrong", "is what × (e) got; the slope, −3, was forgotten."),
        ("+6", "right", "upstream −2 times slope −3. Two minus signs make plus."),
    ]
    assert found.foot == ("", "")


@pytest.mark.parametrize(
    ("mark", "sentence"),
    [
        (Mark("ask", "forward", 1, NODE["e"], asks="value"), "e = a × b = 2 × (−3) = −6."),
        (Mark("ask", "backward", 0, NODE["a"], asks="sign"), "a.grad is 4, so L rises."),
        (Mark("ask", "backward", 0, NODE["a"], asks="paths"), "2 paths lead from a to L."),
        (
            Mark("ask", "backward", 0, NODE["a"], asks="final"),
            "a.grad = (−3) × 1 × (−2) + 1 × (−2) = 4.",
        ),
        (
            Mark("ask", "backward", 0, NODE["L"], asks="change", leaf=NODE["a"], to=5.0),
            "a goes from 2 to 5. L changes by +12.",
        ),
        (
            Mark("ask", "backward", 6, asks="mistake", mistake="assign"),
            f"= instead of +=: {BY_NAME['assign'].sentence}",
        ),
        (
            Mark(
                "ask",
                "backward",
                2,
                asks="text",
                text="Four?",
                choices=(Choice("yes", right=True),),
            ),
            "yes",
        ),
    ],
)
def test_each_kind_of_answer_is_a_sentence(mark, sentence):
    assert text(revealed(mark)) == sentence


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda found: found.name)
def test_the_answer_of_a_step_has_the_numbers_of_the_pass(example):
    graph = example.graph
    for k, step in enumerate(oracle.steps(graph, graph.root or 0), 1):
        if step.wire is not None and _arrived_before(graph, k):
            found = text(revealed(Mark("ask", "backward", k, *step.wire, asks="sum"), graph))
            assert f"{short(step.upstream)} × {short(step.local)} =" in found
            assert re.search(rf"now {re.escape(short(step.after))}\.", found)


def test_asked_again_each_card_has_the_hands_of_its_slip_at_the_first_count():
    state = entered(lecture(SECOND))
    assert state.poll is not None
    earlier = {"own value": 9, "upstream forgotten": 4, "": 11}
    for stage in ("asked", "revealed"):
        found = band(replace(state, stage=stage, poll=replace(state.poll, earlier=earlier)))
        assert [card.earlier for card in found.cards] == [9, 4, 0, 11]
        assert "A: −4, " in spoken_band(found)
        assert ", 9 at first" in spoken_band(found)
        assert found.earlier_hands == 24


# for the speaker


def test_after_the_open_question_comes_its_answer():
    state = entered(lecture(SECOND, Mark("show")))
    found = band_of_next(state)
    assert found is not None
    coming, after = found
    assert after.situation is not None
    assert (coming.kind, after.situation.cursor) == ("reveal", 6)
    assert [card.state for card in coming.cards] == ["wrong", "wrong", "wrong", "right"]


def test_a_question_that_comes_next_has_its_answer_marked():
    found = band_of_next(entered(lecture(Mark("show"), SECOND)))
    assert found is not None
    coming, after = found
    assert after.situation is not None
    assert (coming.kind, after.situation.cursor) == ("question", 5)
    assert [card.state for card in coming.cards] == ["open", "open", "open", "right"]
    assert coming.cards[3].say.startswith("upstream −2")


def test_a_question_for_numbers_that_comes_next_has_the_right_one_as_its_card():
    found = band_of_next(entered(lecture(Mark("show"), replace(SECOND, form="number"))))
    assert found is not None
    assert [(card.label, card.state) for card in found[0].cards] == [("+6", "right")]


def test_a_question_that_does_not_reveal_is_followed_by_the_next_mark():
    state = entered(lecture(replace(SECOND, reveals=False), Mark("show")))
    found = band_of_next(state)
    assert found is not None
    assert text(found[0]) == "L is 8."


def test_after_the_answer_comes_the_next_mark_and_after_the_last_nothing():
    state = entered(lecture(SECOND, Mark("blank", text="Pause")), stage="revealed")
    found = band_of_next(state)
    assert found is not None
    assert (found[0].kind, text(found[0])) == ("blank", "Pause")
    assert band_of_next(entered(state, at=1)) is None


def test_the_coming_question_has_the_hands_that_it_had():
    state = lecture(Mark("show"), SECOND)
    had = replace(poll_of(state.slides[1]), hands=(1, 2, 3, 4))
    found = band_of_next(entered(replace(state, polls={1: had})))
    assert found is not None
    assert [card.hands for card in found[0].cards] == [1, 2, 3, 4]


# for a screen reader


def test_a_band_is_spoken_without_what_it_does_not_show():
    state = entered(lecture(SECOND))
    assert state.poll is not None
    state = replace(state, poll=replace(state.poll, hands=(9, 4, 1, 11)))
    assert spoken_band(band(state)) == (
        "What does × (e) pass to a? A: −4, 9 hands. B: −3, 4 hands. C: −2, 1 hand. D: +6, 11 hands."
    )
    spoken = spoken_band(band(replace(state, stage="revealed")))
    assert "C: −2, wrong, 1 hand: is what × (e) got; the slope, −3, was forgotten." in spoken
    assert "D: +6, right, 11 hands: upstream −2 times slope −3." in spoken
