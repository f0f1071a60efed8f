"""An exercise keeps its task through every edit, and its wiring where that is locked."""

from collections.abc import Callable

import pytest

from app.document.clipboard import clipboard_text, read_clip
from app.document.document import Document
from app.document.document_file import DocumentFile, whole_text
from app.document.history import KEEPS_WIRING
from engine import from_expression
from engine.asking.question import Task
from engine.formats.native import Drawing, write_drawing
from engine.graph import Leaf, OpNode, Root

TASK = Task("Fill in each gradient.", "predict", "whole step", locked=True)
GRAPH = from_expression("y = a*b + a", {"a": 2, "b": 3})
A, B, PRODUCT, SUM, ROOT = 1, 2, 3, 4, 5
HERE = (0.0, 400.0)


@pytest.fixture
def refused(document: Document) -> list[str]:
    said: list[str] = []
    document.refused.connect(said.append)
    return said


@pytest.fixture
def exercise(document: Document, refused: list[str]) -> Document:
    document.start(Drawing(GRAPH, task=TASK))
    return document


def test_a_task_is_set_changed_and_lifted_by_undoable_steps(document: Document):
    document.start(Drawing(GRAPH))
    other = Task("Go by hand.", "by hand")
    for task in (TASK, other, None):
        assert document.set_task(task)
    steps = [step.name for step in document.steps]
    assert steps == ["Make an exercise", "Make an exercise", "Lift the exercise"]
    for task in (other, TASK, None):
        document.undo()
        assert document.sheet.task == task
    assert not document.modified


def test_a_task_alone_is_work_to_be_saved(document: Document, tmp_path):
    document.start(Drawing(GRAPH))
    changes = []
    document.changed.connect(changes.append)
    document.set_task(TASK)
    assert document.unsaved
    assert changes[-1].lesson
    assert not changes[-1].graph
    file = DocumentFile(document)
    file.save(tmp_path / "exercise.backwire")
    document.start()
    file.open(tmp_path / "exercise.backwire")
    assert document.sheet.task == TASK


WIRING: dict[str, Callable[[Document], object]] = {
    "add": lambda d: d.add_node(Leaf(), HERE),
    "add wired": lambda d: d.add_wired(OpNode("exp", (None,)), HERE, source=A),
    "delete": lambda d: d.remove([B]),
    "unplug": lambda d: d.remove([], [(SUM, 0)]),
    "connect": lambda d: d.wires.connect(B, SUM, 1),
    "replug": lambda d: d.wires.replug((SUM, 1), (SUM, 0)),
    "replug all": lambda d: d.wires.replug_all(A, B),
    "insert": lambda d: d.wires.insert_new(OpNode("exp", (None,)), HERE, (SUM, 0)),
    "change to": lambda d: d.set_op(SUM, "mul"),
    "constant": lambda d: d.set_constant(A, True),
    "mark root": lambda d: d.mark_root(PRODUCT),
    "another root": lambda d: d.add_node(Root(PRODUCT), HERE),
    "duplicate": lambda d: d.duplicate([A]),
    "paste": lambda d: d.paste(Drawing(GRAPH), HERE),
    "edit the formula": lambda d: d.edit_expression(from_expression("y = a*b + a*a")),
    "replace": lambda d: d.replace_graph(from_expression("y = a + b")),
}


@pytest.mark.parametrize("edit", WIRING.values(), ids=WIRING)
def test_locked_wiring_refuses_each_edit_of_it_with_one_sentence(exercise, refused, edit):
    before = exercise.sheet
    assert not edit(exercise)
    assert refused == [KEEPS_WIRING]
    assert exercise.sheet is before
    assert not exercise.steps


@pytest.mark.parametrize("edit", WIRING.values(), ids=WIRING)
def test_a_task_without_a_lock_refuses_none(document: Document, refused, edit):
    document.start(Drawing(GRAPH, task=Task("Change it.")))
    assert edit(document)
    assert refused == []


def test_values_names_places_and_boxes_may_change_under_a_lock(exercise: Document, refused):
    assert exercise.set_value(A, 7.0)
    assert exercise.set_label(A, "z")
    assert exercise.move({A: HERE})
    assert exercise.groups.make([PRODUCT]) is not None
    assert exercise.groups.draw((0.0, 0.0, 240.0, 144.0), "part") is not None
    assert refused == []
    assert exercise.sheet.task == TASK


def test_the_lock_can_be_taken_away(exercise: Document, refused):
    assert exercise.set_task(None)
    assert exercise.remove([B])
    exercise.undo()
    exercise.undo()
    assert exercise.sheet.task == TASK
    assert not exercise.remove([B])
    assert refused == [KEEPS_WIRING]


def test_a_formula_of_its_own_begins_a_sheet_without_the_task(exercise: Document, refused):
    typed = "p*q*r + tanh(s)"
    assert exercise.edit_expression(from_expression(typed), typed)
    assert refused == []
    assert exercise.sheet.task is None
    exercise.undo()
    assert exercise.sheet.task == TASK


def test_an_edit_of_the_whole_formula_keeps_the_task(document: Document):
    document.start(Drawing(GRAPH, task=Task("Change it.")))
    typed = "y = tanh(a*b + a)"
    assert document.edit_expression(from_expression(typed), typed)
    assert document.sheet.task == Task("Change it.")


def test_a_copy_takes_no_task_along(exercise: Document):
    assert read_clip(clipboard_text(exercise.sheet, [A, B])).drawing.task is None
    exercise.set_task(None)
    whole = write_drawing(Drawing(GRAPH, task=TASK))
    assert exercise.paste(read_clip(whole).drawing, HERE)
    assert exercise.sheet.task is None


def test_an_unsaved_task_is_written_into_the_copy(document: Document):
    document.start(Drawing(GRAPH))
    document.set_task(TASK)
    assert b'"task": {"text": "Fill in each gradient."' in whole_text(document.sheet)
