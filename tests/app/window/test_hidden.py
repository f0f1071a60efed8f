"""Hidden is hidden everywhere: two runs with equal known and other hidden numbers look the same.

The hidden numbers are written with as many characters in both. Then every text, accessible name,
clipboard and export has to be equal, and every pixel.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from difflib import unified_diff
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAction, QGuiApplication
from PySide6.QtWidgets import QAbstractSlider, QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.canvas.input import hover
from app.canvas.scene.hit_test import Hit
from app.window.dialogs.export_content import text_of
from app.window.frame.main_window import MainWindow
from app.workbench.modes.hunt import Hunt
from app.workbench.playback import playback as playing
from engine import from_expression
from engine.asking.diagnose import first_difference
from engine.asking.kinds import answer
from engine.asking.question import LEVELS, Kind, Question, hide_answers, step_questions
from engine.formats.files import FORMATS
from engine.formats.native import Drawing
from engine.graph import Graph, OpNode
from engine.ops import BY_NAME, Rule
from engine.problems import arguments
from engine.rules import BY_NAME as RULES
from engine.schedule import Pass
from engine.trace import Trace, evaluate_values, run, run_forward
from tests.helpers.asked import STATES, ask
from tests.helpers.canvas import example_drawing
from tests.helpers.exported import save_picture
from tests.helpers.sampling import sampled, sized, spread
from tests.helpers.window import finish_slices, open_example, opened_window, press, until

SOLUTIONS = ("latex", "latex-fragment")
"""Who exports a derivation asks for the whole solution, and knows that it is one."""
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
PAGES = ("why", "numeric", "lesson", "code", "history")
STEPS = [("shared-leaf", k) for k in range(1, 7)]
STEPS += [("demonstration", 10 - 3 * k) for k in range(sized(2, 4))]
SHARING = 12
"""Cases that are shown in one window, whose pages are then made once."""
MOMENTS = ("cover", *STATES)
"""Cover hides and asks nothing; the others are of Ask me."""


MISTAKES = [
    ("demonstration", "assign", "recursive", 5),
    ("demonstration", "no-zero-grad", "zero-leaves-only", 11),
    ("demonstration", "depth-first", "recursive", 5),
    ("demonstration", "mul-own-input", "breadth-first", 3),
    ("demonstration", "no-zero-grad", "assign", 5),
    ("shared-leaf", "assign", "no-zero-grad", 4),
]
"""Two mistakes each that take the same steps up to a cursor."""


def other(x: float) -> float:
    """Another number with as many characters; 0 has none, as it is written without a sign."""
    if not x:
        return x
    return x + 1 if len(f"{x + 1:g}") == len(f"{x:g}") and x + 1 else x - 1


def planted(trace: Trace, cursor: int, kinds: Collection[str]) -> Trace:
    """The pass with other numbers in all steps after the next one, and in these of the next."""
    if trace.phase == "forward":
        return trace
    events = list(trace.events)
    for k in range(cursor, len(events)):
        event = events[k]
        if event.kind == "contribution":
            changed = kinds if k == cursor else FIELDS
            others = {name: other(getattr(event, name)) for name in changed}
            events[k] = msgspec.structs.replace(event, **others)
    return Trace(
        trace.graph,
        trace.root,
        trace.phase,
        trace.rules,
        trace.values,
        tuple(events),
        schedule=trace.schedule,
    )


SHARED_LEAF = ("e = a*b; d = e + a; L = d*f", {"a": 2.0, "b": -3.0, "f": -1000.0})
FIELDS = ("upstream", "local", "contribution", "before", "after")


def hidden_of_next(level: str, moment: str) -> Collection[str]:
    """Which numbers of the step to come nobody may know: those asked for, and what gives them away.

    What climbing tells is computed from the slope, which the pass then has to have.
    """
    if level == "next node" or moment == "answered":
        return FIELDS
    kinds = LEVELS[level].kinds
    if kinds == ("sum",):
        return ("after",)
    if not {"local", "contribution"}.intersection(kinds):
        return ()
    return ("contribution", "after") if moment == "climbed" else ("local", "contribution", "after")


BLANKS = ("contribution and sum", "slope", "contribution", "whole step", "next node")
"""The levels at which the slope of the step to come is hidden."""
NESTED_LAYOUTS = 8
"""Levels of widgets in a page: a layout request is passed up one level in a round of events."""
COPIES = ("copy", "copy_picture", "copy_text", "copy_latex", "copy_pass")


def accessible(widget: QWidget) -> Iterator[str]:
    """What a screen reader is told of a widget and of everything in it that can be seen."""
    todo = [QAccessible.queryAccessibleInterface(widget)]
    while todo:
        found = todo.pop()
        if found is None or not found.isValid() or found.state().invisible:
            continue
        for kind in (QAccessible.Text.Name, QAccessible.Text.Description, QAccessible.Text.Value):
            yield found.text(kind)
        todo += [found.child(k) for k in range(found.childCount())]


@cache
def methods(kind: type[QWidget]) -> tuple[str, ...]:
    """Which methods of this kind of widget may return a text."""
    named = ("text", "toolTip", "accessibleName", "accessibleDescription", "title")
    return tuple(name for name in named if callable(getattr(kind, name, None)))


def texts(window: MainWindow) -> Iterator[str]:
    """All texts of the window that can be seen, and those of its actions."""
    for widget in window.findChildren(QWidget):
        if not widget.isVisible():
            continue
        for name in methods(type(widget)):
            said = getattr(widget, name)()
            if isinstance(said, str):
                yield said
        if isinstance(widget, QAbstractSlider):
            yield str((widget.value(), widget.minimum(), widget.maximum()))
    for action in window.findChildren(QAction):
        yield f"{action.text()} {action.toolTip()} {action.isEnabled()} {action.isChecked()}"
    yield from accessible(window)


def hints(window: MainWindow) -> Iterator[str]:
    """What the canvas says of each node and wire under the pointer."""
    canvas, graph = window.canvas.context, window.document.graph
    for node in graph.nodes:
        for part in ("node", "number", "output"):
            yield hover.status_text(canvas, Hit(part, node))
            yield hover.tooltip_text(canvas, Hit(part, node))
    for _source, wire in graph.wires():
        yield hover.status_text(canvas, Hit("wire", wire=wire))
        yield hover.tooltip_text(canvas, Hit("label", wire=wire))


def given_away(
    window: MainWindow, folder: Path, pages: Sequence[str], copies: Sequence[str], first: int
) -> Iterator[object]:
    """Everything that leaves the window, or can be read off it, with each node selected.

    Where little is done, with one node, one further page and one copy: the `first`, counted round
    and round.
    """
    nodes = window.document.graph.nodes
    window.bar.open(pages[0])
    for node in one_of(nodes, first):
        window.context.selection.choose((node,))
        yield from seen(window)
    for name in one_of(pages[1:], first):
        window.bar.open(name)
        yield from seen(window)
    window.context.messages.dismiss_toast()  # of a copy
    window.bar.open(pages[0])
    yield "\n".join(hints(window))
    for form in FORMATS:
        if form.write is not None and form.name not in SOLUTIONS:
            yield text_of(window.context, form.name)
    save_picture(folder / "step.svg", window.document.sheet, window.playback.frame)
    yield (folder / "step.svg").read_text("utf-8")
    for name in one_of(copies, first):
        QGuiApplication.clipboard().clear()
        window.commands.refresh()
        assert window.commands[name].isEnabled(), name
        window.commands[name].trigger()
        yield QGuiApplication.clipboard().text()
        yield QGuiApplication.clipboard().image()


def one_of(found: Collection[Any], first: int) -> list[Any]:
    return sampled(found, len(found), first % len(found))


def seen(window: MainWindow) -> Iterator[object]:
    """What the window shows once all its work is done."""
    finish_slices(window)
    for _ in range(NESTED_LAYOUTS):
        QApplication.processEvents()
    yield "\n".join(texts(window))
    yield window.grab().toImage()


Begin = Callable[[bool], AbstractContextManager[None]]
"""Brings the window to the state that is looked at, with the hidden numbers planted or not."""


def assert_hidden(
    window: MainWindow,
    folder: Path,
    worlds: Iterable[Begin],
    pages: Sequence[str] = PAGES,
    copies: Sequence[str] = COPIES,
) -> None:
    """Check that a window gives away the same in each pair of worlds."""
    for number, begin in enumerate(worlds):

        def look(plant: bool, begin: Begin = begin, first: int = number) -> list[object]:
            with begin(plant):
                until(lambda: not window.canvas.auto_layout.running)
                window.context.messages.dismiss_toast()  # how long it stays depends on the machine
                window.canvas.context.framing.fit_all()
                QApplication.processEvents()
                return list(given_away(window, folder, pages, copies, first))

        as_it_is, differing = look(False), look(True)
        if not all(map(alike, as_it_is, differing)):  # a first look makes pages and scroll bars
            as_it_is = look(False)
        assert_alike(as_it_is, differing, f"pair {number}")


def in_windows(*parameters: Iterable[object]) -> pytest.MarkDecorator:
    """Run a test for each window, with the combinations of parameters that share it."""
    cases = spread(*parameters)
    shared = [cases[k : k + SHARING] for k in range(0, len(cases), SHARING)]
    return pytest.mark.parametrize("cases", shared, ids=map(str, range(len(shared))))


@contextmanager
def asked(window: MainWindow, level: str, cursor: int, moment: str) -> Iterator[None]:
    """Step to a cursor of the pass that is shown, and be asked there."""
    window.playback.go(cursor)
    quiz = window.context.modes
    ask(quiz, level, is_cover=moment == "cover")
    if moment in STATES and quiz.question is not None:
        STATES[moment](quiz)
    yield
    quiz.leave()


def unfold(window: MainWindow) -> None:
    """Open all pages, and have nothing in the window that depends on the moment."""
    window.canvas.arranging.disconnect()  # only a slow machine shows that nodes are arranged
    window.parts.toggle("palette")  # it has no numbers, and takes half the time of a picture
    for block in (
        block for name in ("mistakes", *PAGES) for block in window.bar.get(name).blocks()
    ):
        block.set_collapsed(False)
    window.move(QPoint(0, 0))


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    """The window with all its pages open, once for the copies that the tests get."""
    with opened_window(qtbot, prepare=unfold) as window:
        yield window


@pytest.fixture
def still(window: MainWindow) -> MainWindow:
    """The window, no picture of which depends on the moment."""
    QApplication.setCursorFlashTime(0)
    return window


def assert_alike(as_it_is: list[object], differing: list[object], where: str) -> None:
    wrong = [(a, b) for a, b in zip(as_it_is, differing, strict=True) if not alike(a, b)]
    assert not wrong, (where, [difference(a, b) for a, b in wrong[:4]])


def alike(one: object, other: object) -> bool:
    """Whether two things are equal; Qt's outlines of glyphs vary by a sixtieth of a pixel."""
    if not (isinstance(one, str) and isinstance(other, str) and one.startswith("<?xml")):
        return one == other
    (plain, at), (also_plain, also_at) = split(one), split(other)
    return plain == also_plain and all(abs(a - b) <= 0.05 for a, b in zip(at, also_at, strict=True))


def split(svg: str) -> tuple[str, list[float]]:
    """Return a picture's text without its coordinates, and these."""
    return NUMBER.sub("#", svg), [float(n) for n in NUMBER.findall(svg)]


def difference(one: object, other: object) -> str:
    """Return the lines in which two texts differ, or the kinds of other things."""
    if not (isinstance(one, str) and isinstance(other, str)):
        return f"{type(one).__name__} beside {type(other).__name__}"
    return "\n".join(unified_diff(one.splitlines(), other.splitlines(), lineterm="", n=0))


def hidden_numbers(window: MainWindow, step: tuple[str, int], level: str, moment: str) -> Begin:
    """Passes that differ in hidden numbers alone."""
    example, cursor = step
    unplanted = playing.run_within_limit
    asks = asks_at(example, level, cursor)
    first = cursor + (asks and moment == "answered")
    kinds = hidden_of_next(level, moment) if asks or level == "next node" else ()

    @contextmanager
    def begin(plant: bool) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            if plant:
                patch.setattr(
                    playing,
                    "run_within_limit",
                    lambda *args: planted(unplanted(*args), first, kinds),
                )
            open_example(window, example)
            window.playback.backward()
            with asked(window, level, cursor, moment):
                yield

    return begin


@in_windows(STEPS, LEVELS, MOMENTS)
def test_passes_that_differ_in_hidden_numbers_alone_can_not_be_told_apart(
    still: MainWindow, tmp_path: Path, cases: list[tuple[tuple[str, int], str, str]]
):
    assert_hidden(still, tmp_path, (hidden_numbers(still, *case) for case in cases))


def asks_at(example: str, level: str, cursor: int) -> bool:
    """Whether something is asked of the step that comes after a cursor."""
    trace = run(example_drawing(example).graph)
    return bool(step_questions(trace, cursor + 1, LEVELS[level].kinds))


@contextmanager
def bent(graph: Graph, nodes: Iterable[int], slopes: bool, values: bool) -> Iterator[None]:
    """Let the operations of these nodes have other slopes or values, but at their inputs alone.

    So the mathematics itself differs, and whoever computes a hidden number anew gets another one.
    """
    given, at = evaluate_values(graph), dict[str, set[tuple[float, ...]]]()
    for node in nodes:
        at.setdefault(graph.op(node).name, set()).add(tuple(arguments(graph, node, given)))

    def bend(rule: Rule, places: set[tuple[float, ...]], count: int) -> Rule:
        return lambda *args: other(rule(*args)) if args[:count] in places else rule(*args)

    before = dict(BY_NAME)
    for name, places in at.items():
        op, count = BY_NAME[name], len(BY_NAME[name].slots)
        partials = tuple(bend(p, places, count) for p in op.partials) if slopes else op.partials
        forward = bend(op.forward, places, count) if values else op.forward
        BY_NAME[name] = changed = copy(op)
        vars(changed).update(forward=forward, partials=partials)
    try:
        yield
    finally:
        BY_NAME.update(before)


def open_long_numbers(window: MainWindow) -> None:
    """Open a graph whose gradients have as many characters with the other slopes as without."""
    open_example(window, "shared-leaf")
    window.document.set_value(window.document.graph.node_named("f") or 0, -1000.0)
    QApplication.processEvents()


def hidden_slopes(window: MainWindow, cursor: int, moment: str, level: str) -> Begin:
    """Operations that differ in the slopes of the nodes that have not fired."""
    open_long_numbers(window)
    graph = window.document.graph
    trace = run(graph)
    taken = cursor + (moment == "answered" and bool(step_questions(trace, cursor + 1, ("local",))))
    known = {event.sender for event in trace.events[:taken]}
    unknown = {event.sender for event in trace.events[taken:]} - known

    @contextmanager
    def begin(plant: bool) -> Iterator[None]:
        with bent(graph, unknown if plant else (), slopes=True, values=False):
            open_long_numbers(window)
            window.playback.backward()
            with asked(window, level, cursor, moment):
                yield

    return begin


@in_windows(range(1, 7), ("asked", "wrong", "answered", "cover"), BLANKS)
def test_nothing_computes_a_hidden_slope_for_itself(
    still: MainWindow, tmp_path: Path, cases: list[tuple[int, str, str]]
):
    assert_hidden(still, tmp_path, (hidden_slopes(still, *case) for case in cases))


def question_before_pass(window: MainWindow, kind: Kind, moment: str) -> Begin:
    """Operations that differ in the values or the slopes that the question of a lesson is about."""
    graph = from_expression(*SHARED_LEAF)
    b, root = graph.node_named("b") or 0, graph.node_named("L") or 0
    values = kind == "change"
    question = Question(kind, root, leaf=b, to=-4.0) if values else Question(kind, b)
    at = graph.with_values({b: -4.0}) if values else graph
    ops = [node for node, found in graph.nodes.items() if isinstance(found, OpNode)]

    def right() -> float:
        trace = run(from_expression(*SHARED_LEAF))
        return answer(question, trace) if values else trace.gradients[b]

    @contextmanager
    def begin(plant: bool) -> Iterator[None]:
        unplanted = right()
        with bent(at, ops if plant else (), slopes=not values, values=values):
            assert (right() != unplanted) is plant
            window.document.start(Drawing(from_expression(*SHARED_LEAF)))
            window.show_work()
            window.context.modes.ask([question])
            STATES[moment](window.context.modes)
            yield
            window.context.modes.leave()

    return begin


@in_windows(("change", "sign", "final"), ("asked", "wrong"))
def test_what_a_lesson_asks_before_the_pass_is_given_away_nowhere(
    still: MainWindow, tmp_path: Path, cases: list[tuple[Kind, str]]
):
    assert_hidden(still, tmp_path, (question_before_pass(still, *case) for case in cases))


def hidden_value(window: MainWindow, cursor: int, moment: str) -> Begin:
    """Operations that differ in the value that the forward pass computes last."""
    open_example(window, "shared-leaf")
    graph = window.document.graph
    last = run_forward(graph).computed[-1].node

    @contextmanager
    def begin(plant: bool) -> Iterator[None]:
        with bent(graph, [last] if plant else (), slopes=False, values=True):
            open_example(window, "shared-leaf")
            window.playback.forward()
            with asked(window, "values", cursor, moment):
                yield

    return begin


@in_windows(range(3), ("cover", "asked", "wrong"))
def test_no_value_is_given_away_before_the_forward_pass_has_come_to_it(
    still: MainWindow, tmp_path: Path, cases: list[tuple[int, str]]
):
    assert_hidden(still, tmp_path, (hidden_value(still, *case) for case in cases))


def turns_by_hand(window: MainWindow, turns: int, phase: Pass) -> Begin:
    """Operations that differ in what the nodes compute that have not fired by hand."""
    by_hand, backward = window.context.modes.by_hand, phase == "backward"

    def take_turns() -> None:
        open_example(window, "shared-leaf")
        by_hand.begin(phase)
        for _ in range(turns):  # the seed among them
            by_hand.take_turn()

    take_turns()
    graph, now = window.document.graph, by_hand.now
    assert now is not None
    later = [node for node in now.turns(graph) if node not in now.fired]
    by_hand.leave()
    if not backward:
        later = later[-1:]  # what it feeds would have another value, too

    @contextmanager
    def begin(plant: bool) -> Iterator[None]:
        with bent(graph, later if plant else (), slopes=backward, values=not backward):
            take_turns()
            yield
            by_hand.leave()

    return begin


@in_windows(range(4), ("backward", "forward"))
def test_what_has_not_fired_by_hand_can_not_be_told(
    still: MainWindow, tmp_path: Path, cases: list[tuple[int, Pass]]
):
    # no copied picture: its columns are as wide as the pass needs, to a fraction of a px
    pages, copies = ("lesson", "why", "code", "history"), ("copy", "copy_pass")
    assert_hidden(still, tmp_path, (turns_by_hand(still, *case) for case in cases), pages, copies)


def hidden_mistake(window: MainWindow, example: str, one: str, another: str, cursor: int) -> Begin:
    """Two mistakes with the same steps so far."""
    open_example(window, example)
    trace = run(window.document.graph, rules=RULES[one])
    assert first_difference(trace, RULES[another], cursor) is None

    @contextmanager
    def begin(plant: bool) -> Iterator[None]:
        open_example(window, example)
        window.context.hunting._start(Hunt(RULES[another if plant else one], "name"))
        for _ in range(cursor):
            window.playback.step()
        window.canvas.scene.apply_layout()  # else a timer does, sooner or later
        yield
        window.context.hunting.leave()

    return begin


def test_two_mistakes_with_the_same_steps_so_far_can_not_be_told_apart(
    still: MainWindow, tmp_path: Path
):
    worlds = (hidden_mistake(still, *case) for case in sampled(MISTAKES, 2, first=2))
    pages = ("mistakes", "why", "numeric", "code", "history")
    assert_hidden(still, tmp_path, worlds, pages, ("copy", "copy_picture", "copy_pass"))


def test_without_a_mode_the_two_passes_are_told_apart(shared_leaf: MainWindow):
    """The numbers planted are others, so that the test above can fail."""
    press(shared_leaf, "b", Qt.Key.Key_Right)
    trace = shared_leaf.playback.frame.unhidden
    assert trace is not None
    for level in LEVELS:
        if kinds := hidden_of_next(level, "asked"):
            assert planted(trace, 2, kinds).events[2] != trace.events[2]
        assert planted(trace, 2, kinds).events[3] != trace.events[3]
        assert planted(trace, 2, kinds).events[:2] == trace.events[:2]


def test_what_is_hidden_is_written_as_a_question_mark_and_nothing_else(shared_leaf: MainWindow):
    press(shared_leaf, "b", Qt.Key.Key_Right)
    frame = hide_answers(shared_leaf.playback.frame, ("local",))
    assert frame.next_event is not None
    assert frame.hides_number
    assert len({frame.next_event.local, frame.next_event.contribution}) == 1
