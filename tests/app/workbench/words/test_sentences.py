"""Each sentence about a step is filled once, in each voice, and read."""

from app.controls.spans import Spans, plain_text
from app.workbench.gradients.formulas import names_text
from app.workbench.words.narration import narrate, step_numbers
from app.workbench.words.sentences import SENTENCES, Case, Fields, Voice, case_of, sentence
from engine import from_expression
from engine.asking.facts import step_facts
from engine.asking.hand_run import HandRun
from engine.frame import Frame, frame_at
from engine.rules import BY_NAME, CORRECT
from engine.schedule import StepKind
from engine.trace import run, run_forward
from tests.helpers.tables import in_turn

GRAPH = from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})
Key = tuple[StepKind, Case]
TAKEN: dict[Key, tuple[str, int]] = {
    ("compute", ""): ("forward", 1),
    ("seed", ""): ("correct", 1),
    ("seed", "not 1"): ("by hand", 1),
    ("zero", ""): ("zero-leaves-only", 8),
    ("contribution", "first"): ("correct", 4),
    ("contribution", "adds"): ("correct", 6),
    ("contribution", "replaces"): ("assign", 6),
}
"""Sentences of steps that are taken: a pass, and a step of it."""
TOLD: dict[Key, dict[Voice, str]] = {
    ("compute", ""): {
        "plain": "e = a × b = 2 × (−3) = −6.",
        "maths": "e = a × b = 2 × (−3) = −6",
        "code": "e = a * b  # 2 × (−3) = −6",
    },
    ("seed", ""): {
        "plain": "L starts with grad 1: L changes as fast as itself.",
        "maths": "∂L/∂L = 1: L changes as fast as itself.",
        "code": "L.grad = 1  # L changes as fast as itself",
    },
    ("seed", "not 1"): {
        "plain": "L starts with grad 3, not 1: every gradient will be 3 × a derivative.",
        "maths": "L.grad = 3, not 1: every gradient will be 3 × a derivative.",
        "code": "L.grad = 3  # not 1, so every gradient will be this × a derivative",
    },
    ("zero", ""): {
        "plain": "Pass 2: a is set back from 4 to 0.",
        "maths": "Pass 2: a.grad = 0.",
        "code": "Pass 2: a.grad = 0  # held 4",
    },
    ("contribution", "first"): {
        "plain": "+ (d) got −2 and passes −2 × 1 = −2 to e: now −2.",
        "maths": "∂L/∂e += ∂L/∂d · ∂d/∂e = (−2) · 1 = −2, so ∂L/∂e = −2.",
        "code": "e.grad += d.grad * 1  # −2 × 1 = −2",
    },
    ("contribution", "adds"): {
        "plain": "× (e) got −2 and passes −2 × −3 = +6 to a, which held −2: now 4.",
        "maths": "a.grad += ∂L/∂e · ∂e/∂a = (−2) · (−3) = +6, so ∂L/∂a = 4.",
        "code": "a.grad += e.grad * b.data  # −2 + (−2 × −3) = 4",
    },
    ("contribution", "replaces"): {
        "plain": "× (e) got −2 and passes −2 × −3 = +6 to a, which held −2:"
        " = forgets the −2 and keeps 6.",
        "maths": "a.grad = ∂L/∂e · ∂e/∂a = (−2) · (−3) = +6, so a.grad = 6.",
        "code": "a.grad = e.grad * b.data  # −2 × −3 = 6",
    },
}
READ = {(key, voice): text for key, voices in TOLD.items() for voice, text in voices.items()}
ASKED: dict[Case, str] = {
    "asked": "× (e) passes +6 to a",
    "unfolded": "× (e) got −2 and passes −2 × −3 = +6 to a",
    "whole": "−2 × −3 = +6 goes to a",
    "slope": "Along a, the slope of × (e) is −3",
    "sum": "a.grad is now 4.",
    "worked": "−2 × (−3) = +6",
    "worked sum": "a held −2, and −2 + 6 = 4",
    "worked replaced": "under this mistake a keeps only 4",
    "worked slope": "the slope of a × b along a is b = −3",
    "worked rule": "the slope of a × b along a is −3",
    "worked mistake": "under this mistake a × b takes −3 as its slope along a",
}
"""Sentences that ask or work out, of step 6."""


def taken(name: str, step: int) -> Frame:
    if name == "by hand":
        return HandRun("backward").seeded(3.0).frame(GRAPH)
    if name == "forward":
        return frame_at(run_forward(GRAPH), step)
    rules = CORRECT if name == "correct" else BY_NAME[name]
    return frame_at(run(GRAPH, rules=rules), step)


@in_turn(("key", "voice"), READ)
def test_a_step_that_is_taken_is_told(key: Key, voice: Voice):
    frame = taken(*TAKEN[key])
    assert frame.trace is not None
    at = step_facts(frame.trace, frame.cursor)
    assert (at.kind, case_of(at)) == key
    assert plain_text(narrate(frame, voice)) == READ[key, voice]


def filled_with(case: Case, **blanks: str) -> Spans:
    at = step_facts(run(GRAPH), 6)
    fields: Fields = {
        **step_numbers(at, 4),
        "node": "× (e)",
        "receiver": "a",
        "holder": "a",
        "by": "a",
        "previous_grad": "",
        "formula": names_text(GRAPH, at.sender, 4),
        "slope": "b",
        **blanks,
    }
    return sentence("contribution", case, fields)


@in_turn("case", ASKED)
def test_a_step_that_is_asked_or_worked_out_is_told(case: Case):
    assert plain_text(filled_with(case)) == ASKED[case]


def test_a_blank_takes_the_place_of_its_number_alone():
    text = plain_text(filled_with("unfolded", local="?", contribution="?"))
    assert text == "× (e) got −2 and passes −2 × ? = ? to a"


def test_every_sentence_is_read():
    read: set[tuple[Key, str]] = {*READ, *((("contribution", case), "plain") for case in ASKED)}
    table = {(key, voice) for key, voices in SENTENCES.items() for voice in voices}
    assert table == read
