"""What the room reads: a sentence, a question with its cards, the answer; no number too early."""

import re

import pytest
from msgspec.structs import replace

from app.controls.spans import Span, plain_text
from app.guide.play.guide import Room, Stage, room_of
from app.guide.play.poll import poll_of
from app.guide.words.room import (
    RoomStrip,
    next_strip_and_state,
    room_strip,
    seconds_of,
    seconds_text,
    spoken_strip,
)
from app.lessons.lesson import Choice
from app.workbench.playback.view_state import view_of
from app.workbench.words.strip import StripContext
from engine import Graph, from_expression
from engine.formats.native import Drawing
from engine.numbers import short
from engine.rules import BY_NAME
from tests.helpers.graphs import EXAMPLES
from tests.helpers.steps import PlannedStep, lesson_on
from tests.helpers.tables import in_turn
from tests.truth import oracle

SHARED = from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})
A, B, E, L = (SHARED.node_named(name) or 0 for name in "abeL")
SECOND = PlannedStep("ask", "backward", 6, E, 0, asks="contribution")
CALLED_OUT = replace(SECOND, form="number")
SIGN = PlannedStep("ask", "backward", 0, A, asks="sign")
SAY = StripContext(presented=True)


def lecture(*planned_steps: PlannedStep, graph: Graph = SHARED) -> Room:
    found = lesson_on(planned_steps, Drawing(graph), title="Two paths")
    room = room_of(found)
    assert [slide.misfit for slide in room.slides] == [""] * len(planned_steps)
    return room


def entered(state: Room, at: int = 0, stage: Stage = "asked", hands: tuple[int, ...] = ()) -> Room:
    """The state at a step, with its poll if it asks."""
    slide = state.slides[at]
    if slide.kind != "ask":
        return replace(state, at=at, stage="shown")
    poll = poll_of(slide)
    return replace(state, at=at, stage=stage).with_poll(replace(poll, hands=hands or poll.hands))


def band(state: Room, *, keys: bool = True) -> RoomStrip:
    slide = state.slide
    shown = slide.revealed if state.stage == "revealed" else slide.situation
    assert shown is not None
    now = replace(view_of(shown.known_frame), rules=shown.rules)
    return room_strip(state, now, SAY, tells_keys=keys)


def text(found: RoomStrip) -> str:
    return plain_text(found.sentence)


def asked(planned: PlannedStep, graph: Graph = SHARED) -> RoomStrip:
    return band(entered(lecture(planned, graph=graph)))


def revealed(planned: PlannedStep, graph: Graph = SHARED) -> RoomStrip:
    return band(entered(lecture(planned, graph=graph), stage="revealed"))


# a step that shows


def test_a_step_that_shows_has_the_sentence_of_its_step():
    found = asked(PlannedStep("show", "backward", 6, E, 0))
    assert found.kind == "sentence"
    assert text(found).startswith("× (e) got −2 and passes −2 × −3 = +6 to a")
    assert found.foot == ("", "backward 6 of 7")
    assert not found.choices


@in_turn(
    ("planned", "sentence"),
    [
        (PlannedStep("show"), "L is 8."),
        (PlannedStep("show", "forward", 0), "Leaves and constants are known."),
        (PlannedStep("show", "backward", 0), "No gradient is known yet."),
        (PlannedStep("show", "forward", 1, E), "e = a × b = 2 × (−3) = −6."),
        (PlannedStep("show", "backward", 7), "The pass is over: a.grad 4, b.grad −4, f.grad −4."),
        (
            PlannedStep("show", "backward", 0, mistake="assign"),
            "= instead of +=: No gradient is known yet.",
        ),
    ],
)
def test_before_the_first_step_no_key_is_named(planned, sentence):
    assert text(asked(planned)) == sentence


def test_what_a_step_says_stands_before_the_room_in_as_many_sentences_as_it_can_read():
    step = PlannedStep("show", "backward", 6, E, 0, text="Two wires leave **a**: {a.grad} so far.")
    assert text(asked(step)) == "Two wires leave a: 4 so far."
    long = replace(step, text=f"Two wires leave a. {'And so on ' * 20}.", title="Two wires")
    assert text(asked(long)) == "Two wires leave a."
    longer = replace(step, text=f"{'And so on ' * 20}.", title="Two wires")
    assert text(asked(longer)) == "Two wires"
    stepped = entered(lecture(step))
    frame = lecture(SECOND).slides[0].situation
    assert frame is not None
    found = room_strip(stepped, view_of(frame.known_frame), SAY)
    assert not plain_text(found.sentence).startswith("Two wires"), "the step that is shown"


def test_a_graph_without_a_root_has_no_sentence():
    assert text(asked(PlannedStep("show"), Graph())) == ""


def test_a_blank_screen_has_its_line_alone():
    found = asked(PlannedStep("blank", text="Talk to your neighbour."))
    assert (found.kind, text(found)) == ("blank", "Talk to your neighbour.")
    assert (found.choices, found.foot) == ((), ("", ""))


# a question and its answer


def test_question_and_answer_are_those_of_the_picture():
    state = entered(lecture(SECOND), hands=(9, 4, 2, 11))
    found = band(state)
    assert found.kind == "question"
    assert found.sentence[0] == Span("?", "selection", bold=True)
    assert [span.text for span in found.sentence if span.bold] == ["?", "× (e)", "a"]
    assert [(c.letter, c.label, c.hands) for c in found.choices] == [
        ("A", "−4", 9), ("B", "−3", 4), ("C", "−2", 2), ("D", "+6", 11),
    ]  # fmt: skip
    assert {(c.state, c.say, c.earlier) for c in found.choices} == {("open", "", None)}
    assert found.foot == (
        "keys 1–4 count a hand, Shift takes one back",
        "26 hands · backward 6 of 7 · PageDown reveals",
    )
    assert band(state, keys=False).foot == ("", "26 hands · backward 6 of 7"), (
        "the speaker has them"
    )
    assert found.hands == 26
    assert spoken_strip(found) == (
        "What does × (e) pass to a? A: −4, 9 hands. B: −3, 4 hands."
        " C: −2, 2 hands. D: +6, 11 hands."
    )
    one = band(entered(lecture(SECOND), hands=(0, 0, 0, 1)))
    assert one.foot[1] == "1 hand · backward 6 of 7 · PageDown reveals"
    found = band(replace(state, stage="revealed"))
    assert found.kind == "reveal"
    assert [(c.state, c.say) for c in found.choices] == [
        ("wrong", "took a itself, 2, as the slope; the slope is b, −3."),
        ("wrong", "is the slope alone; the −2 that e got was forgotten."),
        ("wrong", "is what × (e) got; the slope, −3, was forgotten."),
        ("right", "upstream −2 times slope −3. Two minus signs make plus."),
    ]
    assert found.foot == ("", "")
    spoken = spoken_strip(found)
    assert "C: −2, wrong, 2 hands: is what × (e) got; the slope, −3, was forgotten." in spoken
    assert "D: +6, right, 11 hands: upstream −2 times slope −3." in spoken


def own(*choices: str, text: str = "Is **a** 2?") -> PlannedStep:
    """A question in own words, whose first choice is right."""
    found = tuple(Choice(label, right=not k) for k, label in enumerate(choices))
    return PlannedStep("ask", "backward", 2, asks="text", text=text, choices=found)


KEYS, REVEALS = "keys 1–{} count a hand, Shift takes one back", "PageDown reveals"
QUESTIONS = [
    (
        SECOND,
        "What does × (e) pass to a?",
        (KEYS.format(4), f"backward 6 of 7 · {REVEALS}"),
        "× (e) got −2 and passes −2 × −3 = +6 to a, which held −2: now 4.",
    ),
    (CALLED_OUT, None, ("", f"backward 6 of 7 · {REVEALS}"), None),
    (
        replace(SECOND, reveals=False),
        None,
        (KEYS.format(4), "backward 6 of 7 · PageDown goes on"),
        None,
    ),
    (replace(SECOND, asks="local"), "What is the slope of × (e) along a?", None, None),
    (replace(SECOND, asks="sum"), "What does a.grad hold after this step?", None, None),
    (
        PlannedStep("ask", "backward", 0, A, asks="final"),
        "What will a.grad be at the end of the pass?",
        None,
        "a.grad = (−3) × 1 × (−2) + 1 × (−2) = 4.",
    ),
    (
        SIGN,
        "Raise a by a little: what does L do?",
        (KEYS.format(3), REVEALS),
        "a.grad is 4, so L rises.",
    ),
    (
        PlannedStep("ask", "backward", 0, A, asks="paths"),
        "How many paths lead from a to L?",
        None,
        "2 paths lead from a to L.",
    ),
    (
        PlannedStep("ask", "backward", 0, L, asks="change", leaf=A, to=5.0),
        "a goes from 2 to 5: by how much does × (L) change?",
        None,
        "a goes from 2 to 5. L changes by +12.",
    ),
    (
        PlannedStep("ask", "forward", 1, E, asks="value"),
        "What is the value of × (e)?",
        ("", f"forward 1 of 3 · {REVEALS}"),
        "e = a × b = 2 × (−3) = −6.",
    ),
    (
        PlannedStep("ask", "backward", 6, asks="mistake", mistake="assign"),
        "Which mistake is on?",
        None,
        f"= instead of +=: {BY_NAME['assign'].sentence}",
    ),
    (own("yes", "no"), "Is a 2?", ("keys 1–2 count a hand, Shift takes one back", REVEALS), "yes"),
]


@in_turn(("planned", "question", "foot", "answer"), QUESTIONS)
def test_each_kind_of_question_and_answer_is_a_sentence_and_the_foot_names_the_keys(
    planned, question, foot, answer
):
    found = asked(planned)
    assert question is None or text(found) == f"? {question}"
    assert foot is None or found.foot == foot
    assert answer is None or text(revealed(planned)) == answer


def test_the_next_node_is_asked_for():
    wires = [step.wire for step in oracle.steps(SHARED, L)]
    step = next(k for k in range(3, 8) if (wires[k - 1] or (0,))[0] != (wires[k - 2] or (0,))[0])
    node = (wires[step - 1] or (0,))[0]
    found = asked(PlannedStep("ask", "backward", step, node, asks="next"))
    assert text(found) == "? Which node may fire next?"
    assert found.foot[1].startswith(f"backward {step} of 7")


def test_the_mistake_that_is_asked_for_stands_in_no_open_band_but_as_a_choice():
    found = asked(PlannedStep("ask", "backward", 6, asks="mistake", mistake="assign"))
    title = BY_NAME["assign"].title
    assert title not in text(found) + "".join(found.foot)
    assert title in [card.label for card in found.choices]


@pytest.mark.parametrize("asks", ["local", "contribution", "sum"])
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda found: found.name)
def test_no_number_stands_in_an_open_question_but_in_its_choices(example, asks):
    graph = example.graph
    root = graph.root or 0
    for k, step in enumerate(oracle.steps(graph, root), 1):
        if step.wire is None or (asks == "sum" and not _arrived_before(graph, k)):
            continue
        found = asked(PlannedStep("ask", "backward", k, *step.wire, asks=asks), graph)
        words = text(found)
        for name in sorted((graph.brief(n) for n in graph.names), key=len, reverse=True):
            words = words.replace(name, "")
        assert not re.search(r"\d", words), words
        spoken = spoken_strip(replace(found, choices=()))
        assert "hands" not in spoken
        assert all(card.say == "" for card in found.choices)


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
    wires = [step.wire for step in oracle.steps(graph, graph.root or 0)]
    step = wires.index((node or 0, 0)) + 1
    found = asked(PlannedStep("ask", "backward", step, node, 0, asks="contribution"), graph)
    names = [
        span.text.removeprefix("× (").removesuffix(")") for span in found.sentence[1:] if span.bold
    ]
    assert len(names) == 2
    assert all(len(name) <= 16 for name in names)


@in_turn("example", EXAMPLES)
def test_the_answer_of_a_step_has_the_numbers_of_the_pass(example):
    graph = example.graph
    for k, step in enumerate(oracle.steps(graph, graph.root or 0), 1):
        if step.wire is not None and _arrived_before(graph, k):
            found = text(revealed(PlannedStep("ask", "backward", k, *step.wire, asks="sum"), graph))
            assert f"{short(step.upstream)} × {short(step.local)} =" in found
            assert re.search(rf"now {re.escape(short(step.after))}\.", found)


def test_asked_again_each_card_has_the_hands_of_its_slip_at_the_first_count():
    state = entered(lecture(SECOND))
    assert state.poll is not None
    again = replace(state.poll, earlier={"own value": 9, "upstream forgotten": 4, "": 11})
    for stage in ("asked", "revealed"):
        found = band(replace(state, stage=stage).with_poll(again))
        assert [card.earlier for card in found.choices] == [9, 4, 0, 11]
        assert "A: −4, " in spoken_strip(found)
        assert ", 9 at first" in spoken_strip(found)
        assert found.earlier_hands == 24


# for the speaker


@in_turn(
    ("state", "kind", "cursor", "cards"),
    [
        (
            entered(lecture(SECOND, PlannedStep())),
            "reveal",
            6,
            ["wrong", "wrong", "wrong", "right"],
        ),
        (entered(lecture(PlannedStep(), SECOND)), "question", 5, ["open", "open", "open", "right"]),
        (entered(lecture(PlannedStep(), CALLED_OUT)), "question", 5, ["right"]),
        (entered(lecture(replace(SECOND, reveals=False), PlannedStep())), "sentence", 0, []),
        (
            entered(lecture(SECOND, PlannedStep("blank", text="Pause")), stage="revealed"),
            "blank",
            0,
            [],
        ),
    ],
)
def test_what_comes_next_has_its_answer_marked(state, kind, cursor, cards):
    found = next_strip_and_state(state)
    assert found is not None
    coming, after = found
    assert after.situation is not None
    assert (coming.kind, after.situation.cursor) == (kind, cursor)
    assert [card.state for card in coming.choices] == cards
    if cards:
        assert coming.choices[-1].label == "+6"
        assert coming.choices[-1].say.startswith("upstream −2")


def test_after_the_last_step_nothing_comes():
    assert next_strip_and_state(entered(lecture(SECOND, PlannedStep()), at=1)) is None


def test_the_coming_question_has_the_hands_that_it_had():
    state = entered(lecture(PlannedStep(), SECOND), at=1, hands=(1, 2, 3, 4))
    found = next_strip_and_state(entered(state))
    assert found is not None
    assert [card.hands for card in found[0].choices] == [1, 2, 3, 4]


# about steps that are prepared


@in_turn(
    ("text", "seconds"),
    [
        *(("", 0), (" ", 0), ("90", 90), ("1:30", 90), ("10:00", 600), ("0:05", 5)),
        *((text, None) for text in ("soon", "-1", "1.5", "1:2:3", "1:", ":", "²", "9" * 40)),
        *(
            (text, None)
            for text in ("9" * 4400, "9" * 4400 + ":00", "1:75", "1:60", "0:" + "0" * 99)
        ),
        *((seconds_text(seconds), seconds) for seconds in (0, 5, 59, 60, 90, 3600)),
    ],
)
def test_a_time_is_typed_as_seconds_or_as_minutes_and_seconds(text, seconds):
    assert seconds_of(text) == seconds
