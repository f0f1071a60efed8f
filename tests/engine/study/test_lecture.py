"""Marks: what no file may hold is refused by a sentence, all else is kept as it is."""

import math
import random
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import fields, replace

from engine import EditError, Graph
from engine.formats.native import Drawing, read_drawing, write_drawing
from engine.rules import MISTAKES
from engine.schedule import EVENT_LIMIT
from engine.study import lecture
from engine.study.lecture import AskedKind, Choice, Mark, MarkKind, PollForm, check_mark
from tests.helpers.tables import in_turn

CHOICES = (Choice("one"), Choice("two", "It is 2.", right=True), Choice("three"))
SHOW = Mark("show", "backward", 6, 4, 0)
ASKED = {
    "value": Mark("ask", "forward", 1, 4, asks="value", form="number"),
    "local": Mark("ask", "backward", 6, 4, 0, asks="local"),
    "contribution": Mark("ask", "backward", 6, 4, 0, asks="contribution", seconds=60),
    "sum": Mark("ask", "backward", 6, 4, 1, asks="sum", reveals=False),
    "final": Mark("ask", "backward", node=1, asks="final", values=((1, 2.0), (2, -0.5))),
    "next": Mark("ask", "backward", 4, 4, asks="next"),
    "sign": Mark("ask", "backward", 3, 1, asks="sign"),
    "change": Mark("ask", "backward", 0, 4, asks="change", leaf=2, to=1e9),
    "paths": Mark("ask", "backward", 0, 1, asks="paths"),
    "mistake": Mark("ask", "backward", 7, asks="mistake", mistake="assign", choices=CHOICES),
    "text": Mark("ask", asks="text", text="Why?", choices=CHOICES, notes="a\n\nb"),
}
"""A mark of each kind of question."""
LINE = "is one line of plain text of up to"
NOTES = "The notes are plain text of up to 2,000 characters."
TEXT = ASKED["text"]
SUM = ASKED["sum"]


def chosen(*choices: Choice) -> Mark:
    return replace(TEXT, choices=choices)


WRONG: tuple[tuple[Mark, str], ...] = (
    (Mark(title="x" * 41), f"The title {LINE} 40 characters."),
    (Mark(title="a\nb"), f"The title {LINE} 40 characters."),
    (Mark(title="a\x00"), f"The title {LINE} 40 characters."),
    (Mark(title="a\u202eb"), f"The title {LINE} 40 characters."),
    (Mark(title="\ud800"), f"The title {LINE} 40 characters."),
    (Mark("blank", text="x" * 121), f"The text {LINE} 120 characters."),
    (Mark("blank", text="a\tb"), f"The text {LINE} 120 characters."),
    (replace(SHOW, name="e.1" * 14), f"The name {LINE} 40 characters."),
    (Mark(notes="x" * 2001), NOTES),
    (Mark(notes="a\rb"), NOTES),
    (Mark(notes="a\n\x1b[31m"), NOTES),
    (Mark(notes="a\n\udfff"), NOTES),
    (replace(SHOW, step=-1), "A step is a whole number from 0 to 100,000."),
    (replace(SHOW, step=EVENT_LIMIT + 1), "A step is a whole number from 0 to 100,000."),
    (replace(SHOW, node=-1), "A node is a whole number from 0."),
    (replace(SHOW, node=2**53), "A node is a whole number from 0."),
    (replace(SHOW, slot=-1), "A slot is a whole number from 0."),
    (replace(ASKED["change"], leaf=-1), "A leaf is a whole number from 0."),
    (replace(SHOW, node=None), "A slot belongs to a node."),
    (Mark(step=1), "Outside a pass there are no steps."),
    (Mark("show", "forward", 2, 4, 0), "Only a step of a backward pass is on a wire."),
    (Mark("show", "live", 0, 4, 0), "Only a step of a backward pass is on a wire."),
    (Mark(seconds=-1), "A timer has up to 3,600 seconds."),
    (Mark(seconds=3601), "A timer has up to 3,600 seconds."),
    (replace(ASKED["change"], to=math.nan), "A leaf changes to a finite number."),
    (replace(ASKED["change"], to=math.inf), "A leaf changes to a finite number."),
    (Mark(values=((1, 2.0), (1, 3.0))), "The values set one leaf twice."),
    (Mark(values=((1, math.nan),)), "The values are finite numbers."),
    (Mark(values=((1, -math.inf),)), "The values are finite numbers."),
    (Mark(values=((-1, 0.0),)), "A node is a whole number from 0."),
    (Mark(values=tuple((n, 0.0) for n in range(201))), "A mark sets up to 200 values."),
    (Mark(mistake="assing"), 'There is no mistake "assing".'),
    (Mark(mistake="correct"), 'There is no mistake "correct".'),
    (chosen(CHOICES[1]), "There are 2 to 4 choices, not 1."),
    (chosen(*CHOICES, Choice("4"), Choice("5")), "There are 2 to 4 choices, not 5."),
    (chosen(CHOICES[1], Choice("x" * 41)), f"The text of a choice {LINE} 40 characters."),
    (chosen(CHOICES[1], Choice("a\nb")), f"The text of a choice {LINE} 40 characters."),
    (chosen(CHOICES[1], Choice("a", "b" * 57)),
     f"The explanation of a choice {LINE} 56 characters."),
    (chosen(CHOICES[1], Choice(" ")), "A choice needs a text."),
    (chosen(CHOICES[1], Choice("two ")), "Two choices have the same text."),
    (chosen(CHOICES[0], CHOICES[2]), "One choice is right, not 0."),
    (chosen(CHOICES[1], Choice("a", right=True)), "One choice is right, not 2."),
    (Mark("ask"), "A mark that asks needs a question."),
    (Mark("show", asks="sum"), "Only a mark that asks has a question."),
    (replace(SUM, slot=None), "A question of kind sum needs a node and a slot."),
    (replace(SUM, phase="live", step=0, slot=None),
     "A question of kind sum belongs to the backward pass."),
    (replace(SUM, step=0), "A question of kind sum needs a step from 1."),
    (replace(SUM, text="Why?"), "Only a question in own words has a text and choices."),
    (replace(SUM, choices=CHOICES), "Only a question in own words has a text and choices."),
    (replace(SUM, leaf=1), "Only a question of kind change has a leaf and its new number."),
    (replace(SUM, to=2.0), "Only a question of kind change has a leaf and its new number."),
    (replace(ASKED["value"], phase="backward"),
     "A question of kind value belongs to the forward pass."),
    (replace(ASKED["value"], node=None), "A question of kind value needs a node and no slot."),
    (replace(ASKED["final"], slot=0), "A question of kind final needs a node and no slot."),
    (replace(ASKED["paths"], node=None), "A question of kind paths needs a node and no slot."),
    (replace(ASKED["change"], leaf=None), "A question of kind change needs a leaf."),
    (replace(ASKED["mistake"], mistake=""),
     "A question of kind mistake needs a mistake that is on."),
    (replace(ASKED["mistake"], phase="live", step=0),
     "A question of kind mistake belongs to the backward pass."),
    (replace(TEXT, text=" "), "A question in own words needs a text and choices."),
    (replace(TEXT, choices=()), "A question in own words needs a text and choices."),
    *((replace(ASKED[kind], form="number"), f"A question of kind {kind} has choices.")
      for kind in ("next", "sign", "mistake", "text")),
    (replace(SHOW, leaf=1), "Only a mark that asks has a leaf, a new number and choices."),
    (replace(SHOW, choices=CHOICES), "Only a mark that asks has a leaf, a new number and choices."),
    (replace(SHOW, form="number"), "Only a mark that asks has a form and an answer to hide."),
    (replace(SHOW, reveals=False), "Only a mark that asks has a form and an answer to hide."),
    (replace(SHOW, text="Look!"), "Only a blank screen and a question have a text."),
    (Mark("blank"), "A blank screen needs a line of text."),
    (Mark("blank", text=" "), "A blank screen needs a line of text."),
)  # fmt: skip


@in_turn(("mark", "sentence"), WRONG)
def test_a_mark_that_no_file_may_hold_is_refused_by_a_sentence(mark: Mark, sentence: str):
    with pytest.raises(EditError) as caught:
        check_mark(mark)
    assert str(caught.value) == sentence


def test_each_kind_of_question_has_a_mark_here():
    assert {"", *ASKED} == set(get_args(AskedKind))


@in_turn("kind", ASKED)
def test_a_question_of_each_kind_reads_back_the_same(kind: str):
    check_mark(ASKED[kind])
    assert again(ASKED[kind]) == ASKED[kind]


def test_every_mistake_has_a_title_that_fits_a_choice():
    assert max(len(rules.title) for rules in MISTAKES) <= lecture.CHOICE_LIMIT


def again(*marks: Mark) -> Any:
    """The marks of a file that was written and read; one mark alone."""
    found = read_drawing(write_drawing(Drawing(Graph(), lecture=marks))).lecture
    return found[0] if len(marks) == 1 else found


VALUES: dict[str, tuple[object, ...]] = {
    "kind": get_args(MarkKind),
    "phase": ("live", "forward", "backward"),
    "step": (0, 1, 6, -1, EVENT_LIMIT, EVENT_LIMIT + 1),
    "node": (None, 0, 4, -1, 2**53 - 1, 2**53),
    "slot": (None, 0, 1, -3),
    "title": ("", "größe", "a\u2028b", "x" * 40),
    "text": ("", "Why?", "\x7f", "\ud83d"),
    "notes": ("", "a\nb", "a\r\nb", "\n\n"),
    "asks": get_args(AskedKind),
    "leaf": (None, 2, -7),
    "to": (0.0, 2.5, math.nan, -math.inf),
    "choices": ((), CHOICES, CHOICES[:1], CHOICES * 2),
    "form": get_args(PollForm),
    "seconds": (0, 60, -60, 10**9),
    "reveals": (True, False),
    "values": ((), ((1, 2.0),), ((1, 2.0), (1, 2.0)), ((1, math.inf),)),
    "mistake": ("", "assign", "unknown"),
    "name": ("", "e.1", "e\x1b"),
}


def made_up(count: int, seed: int) -> Iterator[Mark]:
    """Marks of each kind with some fields exchanged."""
    dice = random.Random(seed)
    for _ in range(count):
        names = dice.sample(sorted(VALUES), dice.randint(1, 3))
        changed = {name: dice.choice(VALUES[name]) for name in names}
        yield replace(dice.choice([SHOW, Mark(), *ASKED.values()]), **changed)


def refusal(mark: Mark) -> str:
    try:
        check_mark(mark)
    except EditError as error:
        return str(error)
    return ""


def test_a_mark_of_any_fields_is_refused_or_reads_back_the_same():
    assert set(VALUES) == {field.name for field in fields(Mark)}
    kept = 0
    for mark in made_up(3_000, seed=7):
        sentence = refusal(mark)
        if sentence:
            assert sentence.endswith(".")
            assert sentence.isprintable(), sentence
            continue
        kept += 1
        assert again(mark) == mark
    assert 300 < kept < 2_000


def test_a_mark_of_any_json_is_refused_with_its_place_or_read():
    dice = random.Random(11)
    anything = (None, True, -1, 1.5, "", "ask", "a\nb", [], [1], {}, [[1, 2]], 10**30, [{"a": 1}])
    refused = 0
    for _ in range(1_500):
        table = msgspec.to_builtins(dice.choice([SHOW, *ASKED.values()]))
        table[dice.choice(sorted(VALUES))] = dice.choice(anything)
        try:
            msgspec.convert(table, Mark)
            check_mark(msgspec.convert(table, Mark))
        except (msgspec.ValidationError, EditError):
            refused += 1
    assert 500 < refused < 1_450
