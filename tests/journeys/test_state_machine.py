"""Anything in any order: after each step the sheet, the pass and the canvas agree, and at the
end the history leads back to the first byte and on again to the last.

    python -m tests.soak        the same, 2,000 times with 100 steps each
"""

import math
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from PySide6.QtCore import QEvent, QPointF
from PySide6.QtWidgets import QApplication

from app.document.boxes import rect_around
from app.document.clipboard import clipboard_text, read_clip
from app.document.document import Document
from app.document.document_file import DocumentFile, whole_text
from app.workbench.modes.quiz import STEPS, Steps
from engine import edits, from_expression
from engine.asking.question import LEVELS
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root, Wire
from engine.ops import OPS
from engine.rules import CORRECT, MISTAKES
from tests.helpers.application import kept_look
from tests.helpers.canvas import CanvasFixture, new_canvas
from tests.helpers.invariants import broken
from tests.helpers.lecturing_monkey import LecturingMonkey
from tests.helpers.monkey import throw
from tests.helpers.sampling import is_whole, sized

OP_NAMES = ("add", "mul", "sub", "div", "pow", "exp", "log", "tanh", "relu", "where_gt0")
FORMULAS = ("a*b + a", "tanh(w*x + b)", "y = a - 3; L = y**2", "c = a + b; c*c", "-x", "2 * 3")
PICK = st.integers(0, 40)
PICKS = st.lists(PICK, max_size=5)
PLACE = st.tuples(st.integers(-40, 40), st.integers(-40, 40)).map(
    lambda place: (place[0] * 24.0, place[1] * 24.0)
)
NUMBER = st.one_of(
    st.sampled_from((0.0, -0.0, 1.0, -2.5, 1e300, -1e-300, math.inf, -math.inf, math.nan)),
    st.floats(-100, 100),
)
LABEL = st.one_of(
    st.sampled_from(("", "a", "b", "x1*w1", "lambda", "add", "1st", " ", "a" * 250, "\x00\n", "é")),
    st.text(max_size=8),
)
NODE = st.one_of(
    st.builds(Leaf, NUMBER, st.sampled_from(("", "a", "b", "c"))),
    st.builds(Constant, NUMBER),
    st.just(Root()),
    st.sampled_from([op for op in OPS if op.name in OP_NAMES]).map(
        lambda op: OpNode(op.name, (None,) * len(op.slots))
    ),
)


class GraphEditing(RuleBasedStateMachine):
    """A person who does anything at all."""

    canvas: CanvasFixture | None = None

    def __init__(self) -> None:
        super().__init__()
        if GraphEditing.canvas is None:
            GraphEditing.canvas = new_canvas()
        self.all = GraphEditing.canvas
        self.document = self.all.document
        self.playback = self.all.playback
        self.arranged = 0
        self.errors: list[BaseException] = []
        self.hook, sys.excepthook = sys.excepthook, self.catch
        self.modes = self.all.view.context.modes
        self.playback.set_rules(CORRECT)
        self.modes.leave()
        self.all.view.context.document.look_inside(None)
        self.all.view.camera.set_zoom(1.0)
        self.document.start()
        self.first = self.all.bytes()

    def catch(self, _kind: object, error: BaseException, _trace: object) -> None:
        """What Qt could not hand on."""
        self.errors.append(error)

    # what there is to choose from

    @property
    def graph(self) -> Graph:
        return self.document.graph

    def node(self, pick: int) -> int | None:
        nodes = sorted(self.graph.nodes)
        return nodes[pick % len(nodes)] if nodes else None

    def nodes(self, picks: list[int]) -> list[int]:
        return [n for n in {self.node(pick) for pick in picks} if n is not None]

    def slot(self, pick: int) -> Wire | None:
        slots = [(n, k) for n in self.graph.nodes for k in range(len(self.graph.inputs(n)))]
        return slots[pick % len(slots)] if slots else None

    def wire(self, pick: int) -> Wire | None:
        wires = [wire for _source, wire in self.graph.wires()]
        return wires[pick % len(wires)] if wires else None

    def group(self, pick: int) -> int | None:
        groups = sorted(self.document.sheet.groups)
        return groups[pick % len(groups)] if groups else None

    def frame(self, pick: int) -> int | None:
        drawn = sorted(self.document.sheet.drawn)
        return drawn[pick % len(drawn)] if drawn else None

    # nodes and wires

    @rule(node=NODE, place=PLACE)
    def add(self, node: Node, place: tuple[float, float]) -> None:
        self.document.add_node(node, place)

    @rule(source=PICK, slot=PICK)
    def connect(self, source: int, slot: int) -> None:
        start, end = self.node(source), self.slot(slot)
        if start is not None and end is not None:
            refused = edits.refusal(self.graph, start, *end) is not None
            before = self.graph
            assert self.document.wires.connect(start, *end) != refused
            assert not refused or self.graph is before

    @rule(pick=PICK)
    def disconnect(self, pick: int) -> None:
        if (slot := self.slot(pick)) is not None:
            self.document.wires.disconnect(*slot)

    @rule(old=PICK, new=PICK)
    def replug(self, old: int, new: int) -> None:
        wire, slot = self.wire(old), self.slot(new)
        if wire is not None and slot is not None:
            self.document.wires.replug(wire, slot)

    @rule(old=PICK, new=PICK)
    def replug_all(self, old: int, new: int) -> None:
        one, other = self.node(old), self.node(new)
        if one is not None and other is not None:
            self.document.wires.replug_all(one, other)

    @rule(node=NODE, pick=PICK, slot=st.integers(0, 2), place=PLACE)
    def insert_new(self, node: Node, pick: int, slot: int, place: tuple[float, float]) -> None:
        wire = self.wire(pick)
        if wire is not None and isinstance(node, OpNode):
            self.document.wires.insert_new(node, place, wire, slot % len(node.inputs))

    @rule(source=st.one_of(st.none(), PICK), pick=PICK, node=NODE, place=PLACE)
    def add_wired(
        self, source: int | None, pick: int, node: Node, place: tuple[float, float]
    ) -> None:
        if source is not None:
            self.document.add_wired(node, place, source=self.node(source))
        else:
            self.document.add_wired(node, place, wire=self.slot(pick))

    @rule(picks=PICKS, wires=PICKS)
    def remove(self, picks: list[int], wires: list[int]) -> None:
        chosen = [wire for wire in map(self.wire, wires) if wire is not None]
        self.document.remove(self.nodes(picks[:2]), chosen[:1])

    @rule(pick=PICK)
    def bypass(self, pick: int) -> None:
        if (node := self.node(pick)) is not None:
            self.document.wires.bypass(node)

    # values and kinds

    @rule(pick=PICK, value=NUMBER)
    def set_value(self, pick: int, value: float) -> None:
        if (node := self.node(pick)) is not None:
            phase, cursor = self.playback.phase, self.playback.cursor
            self.document.set_value(node, value)
            assert (self.playback.phase, self.playback.cursor) == (phase, cursor)

    @rule(pick=PICK, values=st.lists(NUMBER, min_size=1, max_size=4), kept=st.booleans())
    def scrub(self, pick: int, values: list[float], kept: bool) -> None:
        node = self.node(pick)
        if node is None or not isinstance(self.graph.nodes[node], Leaf | Constant):
            return
        before, index = self.all.bytes(), len(self.document.done)
        gesture = self.document.new_gesture()
        for value in values:
            self.document.set_value(node, value, gesture)
        assert len(self.document.done) <= index + 1
        if not kept:
            self.document.abandon(gesture)
            assert self.all.bytes() == before
            assert not self.document.undone or len(self.document.done) == index

    @rule(pick=PICK, label=LABEL)
    def label(self, pick: int, label: str) -> None:
        if (node := self.node(pick)) is not None:
            self.document.set_label(node, label)

    @rule(pick=PICK, op=st.sampled_from(OP_NAMES))
    def set_op(self, pick: int, op: str) -> None:
        node = self.node(pick)
        if node is not None and isinstance(self.graph.nodes[node], OpNode):
            self.document.set_op(node, op)

    @rule(pick=PICK, constant=st.booleans())
    def set_constant(self, pick: int, constant: bool) -> None:
        if (node := self.node(pick)) is not None:
            self.document.set_constant(node, constant)

    @rule(pick=PICK)
    def set_root(self, pick: int) -> None:
        node = self.node(pick)
        if node is not None and isinstance(self.graph.nodes[node], Root):
            self.document.set_active_root(node)
        elif node is not None:
            self.document.mark_root(node)

    # many at once

    @rule(picks=PICKS, shift=PLACE)
    def move(self, picks: list[int], shift: tuple[float, float]) -> None:
        places = self.document.positions
        chosen = self.nodes(picks)
        self.document.move({n: (places[n][0] + shift[0], places[n][1] + shift[1]) for n in chosen})

    @rule(picks=PICKS, place=PLACE)
    def copy_and_paste(self, picks: list[int], place: tuple[float, float]) -> None:
        text = clipboard_text(self.document.sheet, self.nodes(picks))
        self.all.selection.choose(self.document.paste(read_clip(text).drawing, place))

    @rule(picks=PICKS, place=PLACE)
    def duplicate(self, picks: list[int], place: tuple[float, float]) -> None:
        boxes = [self.frame(pick) for pick in picks[:1]]
        chosen = [number for number in boxes if number is not None]
        self.document.duplicate(self.nodes(picks), chosen, place)

    @rule(text=st.sampled_from(FORMULAS), place=PLACE)
    def paste_formula(self, text: str, place: tuple[float, float]) -> None:
        self.document.paste(read_clip(text).drawing, place)
        self.all.view.auto_layout.cancel()

    @rule(text=st.sampled_from(FORMULAS))
    def type_formula(self, text: str) -> None:
        self.document.edit_expression(from_expression(text))
        self.all.view.auto_layout.cancel()

    @precondition(lambda self: self.arranged < 1 and self.graph.nodes)
    @rule(direction=st.sampled_from(("LR", "TB")))
    def arrange(self, direction: str) -> None:
        self.arranged += 1
        self.all.view.editing.arrange(direction=direction)  # type: ignore[arg-type]
        while self.all.view.auto_layout.running:
            QApplication.processEvents()

    # groups

    @rule(picks=PICKS, title=LABEL)
    def make_group(self, picks: list[int], title: str) -> None:
        self.document.groups.make(self.nodes(picks), title.strip()[:20])

    @rule(pick=PICK, what=st.sampled_from(("open", "collapse", "unpack", "rename")), title=LABEL)
    def change_group(self, pick: int, what: str, title: str) -> None:
        if (group := self.group(pick)) is None:
            return
        if what == "unpack":
            self.document.groups.unpack(group)
        elif what == "rename":
            self.document.groups.rename(group, title)
        else:
            self.document.groups.collapse(group, what == "collapse")

    @rule(pick=st.one_of(st.none(), PICK))
    def look_inside(self, pick: int | None) -> None:
        self.all.view.context.document.look_inside(None if pick is None else self.group(pick))

    @rule(picks=PICKS, title=LABEL, colour=st.integers(0, 5))
    def draw_group(self, picks: list[int], title: str, colour: int) -> None:
        places = [self.document.positions[n] for n in self.nodes(picks)]
        rect = rect_around((x, y, 132.0, 88.0) for x, y in places) or (0.0, 0.0, 240.0, 144.0)
        self.document.groups.draw(rect, title, colour)

    @rule(pick=PICK, shift=PLACE)
    def move_frame(self, pick: int, shift: tuple[float, float]) -> None:
        if (number := self.frame(pick)) is not None:
            x, y, wide, high = self.document.sheet.drawn[number]
            rect = (x + shift[0], y + shift[1], wide, high)
            self.document.move({}, rects={number: rect})

    # history and files

    @rule(steps=st.integers(1, 4))
    def undo(self, steps: int) -> None:
        for _ in range(steps):
            self.document.undo()

    @rule(steps=st.integers(1, 4))
    def redo(self, steps: int) -> None:
        for _ in range(steps):
            self.document.redo()

    @rule()
    def save_and_open(self) -> None:
        before = self.all.bytes()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "sheet.backwire"
            file = DocumentFile(self.document)
            file.save(path)
            assert not self.document.modified
            file.open(path)
        assert self.all.bytes() == before
        self.first = before

    # running and looking

    @rule(how=st.sampled_from(("backward", "forward", "leave", "to_end")))
    def run(self, how: str) -> None:
        getattr(self.playback, how)()

    @rule(how=st.sampled_from(("step", "step_back")), whole_node=st.booleans())
    def step(self, how: str, whole_node: bool) -> None:
        getattr(self.playback, how)(whole_node=whole_node)

    @rule()
    def reveal(self) -> None:
        self.modes.reveal()

    @rule(cursor=st.integers(-2, 40), covered=st.booleans())
    def scrub_pass(self, cursor: int, covered: bool) -> None:
        if covered != self.modes.is_cover:
            self.modes.toggle(cover=True)
        self.playback.go(cursor)

    @rule(level=st.sampled_from(tuple(LEVELS)), steps=st.sampled_from(STEPS))
    def ask(self, level: str, steps: Steps) -> None:
        self.modes.choose(level, steps)
        if not self.modes.asks:
            self.modes.toggle()

    @rule(text=st.sampled_from(("1", "-2", "0.5", "nan", "", "two")))
    def answer(self, text: str) -> None:
        if (now := self.modes.now) is not None:
            for question in now.open_questions(self.playback.frame):
                self.modes.set_text(question, text)
            self.modes.answer()

    @rule(how=st.sampled_from(("hint", "show_answer", "skip")))
    def be_helped(self, how: str) -> None:
        getattr(self.modes, how)()

    @rule(pick=PICK)
    def say_next(self, pick: int) -> None:
        if (node := self.node(pick)) is not None:
            self.modes.click(node)

    @rule(rules=st.sampled_from((CORRECT, *MISTAKES)))
    def mistake(self, rules: object) -> None:
        self.playback.set_rules(rules)  # type: ignore[arg-type]

    @rule(picks=PICKS, wire=PICK)
    def choose(self, picks: list[int], wire: int) -> None:
        found = self.wire(wire)
        self.all.selection.choose(self.nodes(picks), () if found is None else (found,))

    @rule(zoom=st.sampled_from((0.05, 0.25, 0.5, 0.8, 1.0, 2.0)), at=PLACE)
    def look(self, zoom: float, at: tuple[float, float]) -> None:
        view = self.all.view
        view.camera.set_zoom(zoom)
        view.framing.fit_all() if zoom == 0.5 else view.camera.pan_by(QPointF(*at))
        assert not view.grab().isNull()

    # what holds

    @invariant()
    def all_is_well(self) -> None:
        QApplication.sendPostedEvents()
        if self.errors:
            raise self.errors.pop()
        found = broken(self.document.sheet, self.playback, self.all.selection, self.all.scene)
        assert not found, found

    def teardown(self) -> None:
        try:
            if sys.exc_info()[0] is None:  # a failure is told once, by the step that failed
                self.go_back_and_forth()
        finally:
            sys.excepthook = self.hook
            self.playback.leave()
            self.document.start()
            gone = QEvent.Type.DeferredDelete.value  # no event loop runs here that would do it
            QApplication.sendPostedEvents(None, gone)

    def go_back_and_forth(self) -> None:
        self.all.view.auto_layout.cancel()
        self.document.go_to(len(self.document.steps))
        self.all_is_well()
        last = self.all.bytes()
        self.document.go_to(0)
        self.all_is_well()
        assert self.all.bytes() == self.first
        self.document.go_to(len(self.document.steps))
        self.all_is_well()
        assert self.all.bytes() == last
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "sheet.backwire"
            path.write_bytes(last)
            again = Document()
            DocumentFile(again).open(path)
            assert whole_text(again.sheet) == last


def use(times: int, steps: int) -> None:
    """Let hypothesis choose what is done, so many times, with so many steps."""
    how = settings(
        max_examples=times,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=(HealthCheck.too_slow, HealthCheck.filter_too_much),
    )
    run_state_machine_as_test(GraphEditing, settings=how)


def test_anything_in_any_order_keeps_sheet_pass_and_canvas_in_agreement(qapp):
    use(times=sized(4, 50), steps=sized(15, 30))


EVENTS = sized(120, 2_500)


@pytest.mark.parametrize("seed", range(1, sized(2, 5)))
def test_a_monkey_finds_no_fault(qapp, seed: int):
    with kept_look(qapp):
        throw(EVENTS, seed)


@pytest.mark.skipif(not is_whole(), reason="the other monkey is enough in each run")
@pytest.mark.parametrize("seed", [1, 2])
def test_a_monkey_that_gives_lectures_finds_no_fault(qapp, seed: int):
    with kept_look(qapp):
        throw(EVENTS // 2, seed, LecturingMonkey)
