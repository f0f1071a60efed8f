"""Drafts: what is written reads back the same, and the checker judges it."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.lessons.course import names
from app.lessons.draft import (
    Draft,
    counterpart,
    draft_of,
    graph_file,
    new_step,
    reading,
    situation_after,
    with_kind,
    written,
)
from app.lessons.load import load_lesson, problems
from app.lessons.moves import Moves, became_true, followed, offers, visible_mistakes
from app.lessons.parsing import GraphFile, StepFile, move_of
from app.lessons.situation import (
    Situation,
    after_move,
    at_start,
    at_step,
    situation_of,
    with_graph,
    with_rules,
)
from engine import from_expression
from engine.edits import mark_root, remove
from engine.errors import EngineError, FormatError
from engine.names import is_plain_line
from engine.rules import BY_NAME
from engine.trace import run
from tests.helpers.lessons import LESSON
from tests.helpers.tables import in_turn

COURSE = Path("resources/lessons")
GRAPH = from_expression("e = a*b; d = e + a; L = d*f", {"a": 3, "b": -2, "f": 5})
HOSTILE = (
    'say "hi"',
    "back\\slash \\u0041 \\",
    "two\nlines\r\n\tand a tab",
    "∂L/∂a × −2 🙂 \u2028 \x85",
    "'''\"\"\"",
    "# no comment [[step]] = {a.grad}",
    "\x00\x07\x1b\x7f",
)


@pytest.mark.parametrize("name", names())
def test_a_lesson_of_the_course_is_written_as_it_was_read(name: str, tmp_path: Path):
    path = COURSE / f"{name}.toml"
    draft = draft_of(path.read_text(encoding="utf-8"))
    copy = tmp_path / path.name
    copy.write_text(written(draft), encoding="utf-8")
    assert draft_of(written(draft)) == draft
    assert problems(copy) == ()
    found, right = load_lesson(copy), load_lesson(path)
    assert [step.moves for step in found.steps] == [step.moves for step in right.steps]
    assert [step.asks for step in found.steps] == [step.asks for step in right.steps]


@given(st.one_of(st.sampled_from(HOSTILE), st.text()), st.floats(allow_nan=False))
def test_any_text_and_number_come_back(text: str, number: float):
    text = text.replace("\r", "")
    step = StepFile(
        kind="ask",
        title="T",
        text=text or "-",
        hint=text[:200],
        notes=text[:200],
        values={text or "a": number},
        slider={"a": (-number, number)},
        ask=({"kind": "text", "text": text, "choices": [{"text": text, "right": True}, {}]},),
        light=("a", "e.1"),
    )
    draft = Draft(title=text[:40], graph=GraphFile("y = a", {"a": number}), steps=(step,))
    assert draft_of(written(draft)) == draft


@pytest.mark.parametrize("text", HOSTILE)
def test_the_loader_reads_hostile_texts_as_they_were_typed(text: str, tmp_path: Path):
    draft = draft_of(LESSON)
    draft = draft.with_changed(0, notes=text).with_changed(1, hint=text.replace("{a.grad}", ""))
    path = tmp_path / "hostile.toml"
    path.write_text(written(draft), encoding="utf-8", newline="")
    if all(map(is_plain_line, re.split("\r?\n\t?", text))):
        assert problems(path) == ()
        assert load_lesson(path).steps[0].notes == text
    else:
        assert len(problems(path)) == 2
        assert "step 1, notes: it is not plain text" in problems(path)[0]


def test_a_draft_is_read_while_its_texts_are_empty_and_steps_are_still_played():
    draft = Draft(graph=graph_file(GRAPH)).with_step(0, StepFile(kind="say"))
    assert draft_of(written(draft)) == draft
    found = reading(draft)
    assert 0 in found.played
    assert [fault.where for fault in found.faults] == ["title"]


@in_turn(
    ("text", "said"),
    [
        ("format = 1\n[graph\n", "this is not TOML"),
        ("format = 2\n", "newer"),
        ("format = 1\ncolour = 1\n", '"colour" is no key'),
        (f"format = 0x{'f' * 9000}\n", "format a huge number is newer"),
        (f"{'a' * 9000} = 1\n", "aaa…"),
        ("# " * 70_000, "larger than 128 KiB"),
        ('[[step]]\nkind = "sing"\ntitle = "a"\ntext = "b"\n', "one of say, do, ask"),
    ],
)
def test_what_is_no_lesson_is_refused_with_a_reason(text: str, said: str):
    with pytest.raises(FormatError, match=re.escape(said)):
        draft_of(text)


def test_edits_of_a_draft_make_other_drafts():
    draft = draft_of(LESSON)
    assert [s.kind for s in draft.with_moved(0, 2).steps] == ["do", "ask", "say", "hunt", "free"]
    assert len(draft.without_step(4).steps) == 4
    assert with_kind(draft.steps[1], "say") == StepFile(
        kind="say", title="Do", text="Text.", start="end", settings={"h": 0.01}
    )
    assert [s.kind for s in draft.steps] == ["say", "do", "ask", "hunt", "free"]


def test_a_new_step_takes_the_sheet_as_it_is():
    first, own = new_step("say", situation_of(GRAPH), None, (1, (3, 0)))
    assert own == GraphFile("e = a*b; d = e + a; L = d*f", {"a": 3, "b": -2, "f": 5})
    assert (first.start, first.light) == ("values", ("a", "e.1"))
    assert own is not None
    draft = Draft(graph=own).with_step(0, first)
    before = situation_after(draft, 1)
    assert before is not None
    now = at_start(situation_of(GRAPH.with_values({2: -1.0})), "backward", 5)
    step, own = new_step("do", with_rules_at(now, "assign"), before)
    assert own is None
    assert (step.start, step.values, step.mistake) == ("d.2", {"b": -1}, "assign")


def with_rules_at(situation: Situation, name: str) -> Situation:
    return at_start(with_rules(situation, BY_NAME[name]), "backward", situation.cursor)


def test_a_new_step_on_another_graph_brings_it():
    draft = Draft(graph=graph_file(GRAPH))
    draft = draft.with_step(0, StepFile(kind="say", title="T", text="T"))
    other = situation_of(from_expression("y = tanh(x)", {"x": 1}))
    _step, own = new_step("say", other, situation_after(draft, 1))
    assert own == GraphFile("y = tanh(x)", {"x": 1})


def test_a_sheet_that_is_no_formula_is_refused():
    loose = mark_root(GRAPH, 4)  # e + a, so that f leads nowhere
    with pytest.raises(EngineError, match="leads to the root"):
        graph_file(loose)
    with pytest.raises(EngineError):
        graph_file(remove(GRAPH, [1]))


def test_a_graph_with_other_numbers_of_its_nodes_is_found_again():
    other = from_expression("f = 5; b = -2; a = 3; e = a*b; d = e + a; L = d*f")
    ids = counterpart(GRAPH, other)
    assert ids is not None
    assert {GRAPH.names[n]: other.names[m] for n, m in ids.items()} == {
        name: name for name in ("a", "b", "f", "e", "d", "L")
    }
    assert counterpart(GRAPH, from_expression("e = a*b; d = e - a; L = d*f")) is None


def situations() -> dict[str, Situation]:
    """Each verb of a move: where it begins, and what a hand does to the sheet."""
    live, end = situation_of(GRAPH), at_start(situation_of(GRAPH), "end")
    minus = situation_of(from_expression("y = a - b", {"a": 5, "b": 3}))
    hand, descent = at_start(live, "hand"), at_start(live, "descent")
    return {
        "b = -1": end,
        "step 5": live,
        "mistake assign": end,
        "h 1e-15": live,
        "method central": live,
        "wire a e.2": live,
        "root e": live,
        "unfold y": minus,
        "fire L": hand,
        "rate 0.01": descent,
        "epochs 3": descent,
    }


@in_turn("move", situations())
def test_each_change_of_the_sheet_becomes_the_move_that_makes_it(move: str):
    begun = situations()[move]
    now = after_move(begun, move_of(move, begun.graph))
    found = followed(Moves(begun), now)
    assert (found.moves, found.lost) == ((move,), "")
    assert became_true(found)


def test_dragging_is_one_move_and_back_again_is_none():
    end = at_start(situation_of(GRAPH), "end")
    found = Moves(end)
    for value in (-1.8, -1.5, -1.0):
        found = followed(found, at_start(situation_of(GRAPH.with_values({2: value})), "end"))
    assert found.moves == ("b = -1",)
    assert [text for _table, text in became_true(found)][:2] == ["a.grad is 0", "f.grad is 0"]
    assert followed(found, end).moves == ()


def test_the_step_that_was_gone_to_is_a_check_by_its_number_and_the_last_as_the_end():
    begun, last = at_start(situation_of(GRAPH), "backward", 2), len(run(GRAPH))
    for cursor, at in ((5, "backward 5"), (last, "end")):
        found = became_true(Moves(begun, ("step",), (at_step(begun, cursor),)))
        assert [table["at"] for table, _text in found if "at" in table] == [at]


def test_what_no_move_can_do_is_said_and_not_recorded():
    live = situation_of(GRAPH)
    found = followed(Moves(live), with_graph(live, remove(GRAPH, [2])))
    assert found.moves == ()
    assert found.lost
    assert followed(found, live).lost == ""


@pytest.mark.parametrize("formula", ["y = a*b; z = y + a", "s = a + b; t = s*b; u = s + t"])
def test_another_graph_that_takes_the_place_of_the_recorded_one_is_no_move(formula: str):
    before = at_start(situation_of(from_expression("y = a - b; z = y + b")), "hand")
    other = situation_of(from_expression(formula))
    after_others = Moves(
        before, ("fire z",), (after_move(before, move_of("fire z", before.graph)),)
    )
    for recording in (Moves(situation_of(before.graph)), after_others):
        for now in (other, at_start(other, "end"), at_start(other, "hand")):
            found = followed(recording, now)
            assert found.lost, found.moves


def test_questions_are_offered_where_they_have_an_answer():
    begun = at_start(situation_of(GRAPH), "backward", 5)
    about_wire = offers(begun, (3, 0), "choices")
    found = {offer.table["kind"]: offer for offer in about_wire}
    assert found["contribution"].answer.lstrip("+") in ("-10", "−10")
    assert found["contribution"].distractors
    assert "sum" in found
    assert "final" in {offer.table["kind"] for offer in offers(begun, 1, "field")}
    assert "value" not in {offer.table["kind"] for offer in offers(begun, 1, "field")}
    assert "contribution" not in {o.table["kind"] for o in offers(begun, (5, 0), "field")}
    assert [offer.table["kind"] for offer in offers(begun, None, "field")] == ["next"]


def test_only_mistakes_that_show_can_be_hunted():
    assert "assign" in {rules.name for rules in visible_mistakes(situation_of(GRAPH))}
    plain = situation_of(from_expression("y = a*b", {"a": 2, "b": 3}))
    assert "assign" not in {rules.name for rules in visible_mistakes(plain)}
