"""Hidden is hidden everywhere: two passes that differ in hidden numbers alone look the same.

What is known is equal in both; what is asked for, and all that comes later, differs, in numbers
that are written with as many characters. Then every text, accessible name, clipboard and export has
to be equal, and every pixel.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from difflib import unified_diff
from itertools import product
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAction, QGuiApplication, QImage
from PySide6.QtWidgets import QAbstractSlider, QApplication, QWidget

from app.canvas.input import hover
from app.canvas.paint.picture_export import save_picture
from app.canvas.scene.hit_test import Hit
from app.window.dialogs.export_content import text_of
from app.window.frame.main_window import MainWindow
from app.workbench.playback import playback as playing
from engine import from_expression
from engine.formats.files import FORMATS
from engine.formats.native import Drawing
from engine.graph import Graph, OpNode
from engine.op import Rule
from engine.ops import BY_NAME
from engine.problems import arguments
from engine.study.question import LEVELS, Kind, Question, answer, hide_answers, step_questions
from engine.trace import Trace, evaluate_values, run, run_forward
from tests.helpers.asked import STATES, ask
from tests.helpers.extent import sampled
from tests.helpers.window import finish_slices, open_example, press, until

SOLUTIONS = ("latex", "latex-fragment")
"""Who exports a derivation asks for the whole solution, and knows that it is one."""
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
PAGES = ("why", "numeric", "lesson", "code", "history")
STEPS = {"shared-leaf": range(1, 7), "demonstration": range(1, 12, 3)}
MOMENTS = ("cover", *STATES)
"""Cover hides and asks nothing; the others are of Ask me."""
CASES = [
    (example, level, cursor, moment)
    for example, cursors in STEPS.items()
    for level in LEVELS
    for cursor in cursors
    for moment in MOMENTS
]


def other(x: float) -> float:
    """Another number with as many characters."""
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
    """What a screen reader is told of a widget and of everything in it."""
    todo = [QAccessible.queryAccessibleInterface(widget)]
    while todo:
        found = todo.pop()
        if found is None or not found.isValid():
            continue
        for kind in (QAccessible.Text.Name, QAccessible.Text.Description, QAccessible.Text.Value):
            yield found.text(kind)
        todo += [found.child(k) for k in range(found.childCount())]


def texts(window: MainWindow) -> Iterator[str]:
    """All texts of the window, shown or not."""
    for widget in window.findChildren(QWidget):
        for field in ("text", "toolTip", "accessibleName", "accessibleDescription", "title"):
            found = getattr(widget, field, None)
            said = found() if callable(found) else None
            if isinstance(said, str):
                yield said
        if isinstance(widget, QAbstractSlider) and widget.isVisible():
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
    window: MainWindow, folder: Path, pages: Sequence[str] = PAGES, copies: Sequence[str] = COPIES
) -> Iterator[object]:
    """Everything that leaves the window, or can be read off it, with each node selected."""
    for name in (*pages, *pages, pages[0]):  # what a page makes late is made before it is read
        window.bar.open(name)
        finish_slices(window)
    for node in window.document.graph.nodes:
        window.context.selection.choose((node,))
        finish_slices(window)
        yield from texts(window)
        yield picture(window)
    for name in pages:
        window.bar.open(name)
        finish_slices(window)
        yield from texts(window)
        yield picture(window)
    window.bar.open(pages[0])
    yield from hints(window)
    for form in FORMATS:
        if form.write is not None and form.name not in SOLUTIONS:
            yield text_of(window.context, form.name)
    save_picture(folder / "step.svg", window.document.sheet, window.playback.frame)
    yield (folder / "step.svg").read_text("utf-8")
    for name in copies:
        QGuiApplication.clipboard().clear()
        window.commands.refresh()
        assert window.commands[name].isEnabled(), name
        window.commands[name].trigger()
        yield QGuiApplication.clipboard().text()
        yield QGuiApplication.clipboard().image()


def picture(window: MainWindow) -> QImage:
    for _ in range(NESTED_LAYOUTS):
        QApplication.processEvents()
    return window.grab().toImage()


def looked_at(
    window: MainWindow, folder: Path, level: str, cursor: int, moment: str, forward: bool = False
) -> list[object]:
    """Step to a cursor, be asked there; everything that can be read off it at this moment."""
    playback, quiz = window.playback, window.context.modes
    if forward:
        playback.forward()
    else:
        playback.backward()
    playback.go(cursor)
    ask(quiz, level, covers=moment == "cover")
    if moment in STATES and quiz.question is not None:
        STATES[moment](quiz)
    return read_off(window, folder)


def read_off(window: MainWindow, folder: Path) -> list[object]:
    """Everything that can be read off the window as it is; then nothing is asked any more."""
    until(lambda: not window.canvas.auto_layout.running)
    window.context.messages.dismiss_toast()  # how long it stays depends on the machine
    window.canvas.context.framing.fit_all()
    QApplication.processEvents()
    found = list(given_away(window, folder))
    window.context.modes.leave()
    return found


@pytest.fixture
def still(window: MainWindow) -> MainWindow:
    """The window, no picture of which depends on the moment."""
    window.context.style.set_motion(False)
    window.canvas.arranging.disconnect()  # only a slow machine shows that nodes are arranged
    QApplication.setCursorFlashTime(0)
    window.move(QPoint(0, 0))
    return window


def assert_alike(as_it_is: list[object], differing: list[object]) -> None:
    wrong = [(a, b) for a, b in zip(as_it_is, differing, strict=True) if not alike(a, b)]
    assert not wrong, [difference(a, b) for a, b in wrong[:4]]


def alike(one: object, other: object) -> bool:
    """Whether two things are equal; Qt's outlines of glyphs vary by a sixtieth of a pixel."""
    if not (isinstance(one, str) and isinstance(other, str) and one.startswith("<?xml")):
        return one == other
    (plain, at), (also_plain, also_at) = split(one), split(other)
    return plain == also_plain and at == pytest.approx(also_at, abs=0.05)


def split(svg: str) -> tuple[str, list[float]]:
    """Return a picture's text without its coordinates, and these."""
    return NUMBER.sub("#", svg), [float(n) for n in NUMBER.findall(svg)]


def difference(one: object, other: object) -> str:
    """Return the lines in which two texts differ, or the kinds of other things."""
    if not (isinstance(one, str) and isinstance(other, str)):
        return f"{type(one).__name__} beside {type(other).__name__}"
    return "\n".join(unified_diff(one.splitlines(), other.splitlines(), lineterm="", n=0))


@pytest.mark.parametrize("case", sampled(CASES, 61, first=5))
def test_passes_that_differ_in_hidden_numbers_alone_can_not_be_told_apart(
    still: MainWindow, monkeypatch, tmp_path: Path, case: tuple[str, str, int, str]
):
    example, level, cursor, moment = case
    run = playing.run_to_step
    asks = asks_at(still, example, level, cursor)
    first = cursor + (asks and moment == "answered")
    kinds = hidden_of_next(level, moment) if asks or level == "next node" else ()
    looks: list[list[object]] = []
    for plant in (False, False, True):  # the first leaves toasts and scroll bars as the others do
        with monkeypatch.context() as patch:
            if plant:
                patch.setattr(
                    playing, "run_to_step", lambda *args: planted(run(*args), first, kinds)
                )
            open_example(still, example)
            looks.append(looked_at(still, tmp_path, level, cursor, moment))
    assert_alike(*looks[1:])


def asks_at(window: MainWindow, example: str, level: str, cursor: int) -> bool:
    """Whether something is asked of the step that comes after a cursor."""
    open_example(window, example)
    return bool(step_questions(run(window.document.graph), cursor + 1, LEVELS[level].kinds))


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


@pytest.mark.parametrize(
    ("cursor", "moment", "level"),
    sampled(product(range(1, 7), ("cover", "asked", "wrong", "answered"), BLANKS), 23, first=3),
)
def test_nothing_computes_a_hidden_slope_for_itself(
    still: MainWindow, tmp_path: Path, cursor: int, moment: str, level: str
):
    looks: list[list[object]] = []
    for plant in (False, False, True):
        open_long_numbers(still)
        graph = still.document.graph
        trace = run(graph)
        taken = cursor + (
            moment == "answered" and bool(step_questions(trace, cursor + 1, ("local",)))
        )
        known = {event.target for event in trace.events[:taken]}
        hidden_ones = {event.target for event in trace.events[taken:]} - known
        with bent(graph, hidden_ones if plant else (), slopes=True, values=False):
            open_long_numbers(still)
            looks.append(looked_at(still, tmp_path, level, cursor, moment))
    assert_alike(*looks[1:])


@pytest.mark.parametrize("moment", ["asked", "wrong"])
@pytest.mark.parametrize("kind", ["change", "sign", "final"])
def test_what_a_lesson_asks_before_the_pass_is_given_away_nowhere(
    still: MainWindow, tmp_path: Path, kind: Kind, moment: str
):
    looks: list[list[object]] = []
    answers: list[float] = []
    graph = from_expression(*SHARED_LEAF)
    b, root = graph.node_named("b") or 0, graph.node_named("L") or 0
    values = kind == "change"
    question = Question(kind, root, leaf=b, to=-4.0) if values else Question(kind, b)
    at = graph.with_values({b: -4.0}) if values else graph
    ops = [node for node, found in graph.nodes.items() if isinstance(found, OpNode)]
    for plant in (False, False, True):
        with bent(at, ops if plant else (), slopes=not values, values=values):
            still.document.start(Drawing(from_expression(*SHARED_LEAF)))
            still.show_work()
            still.context.modes.ask([question])
            STATES[moment](still.context.modes)
            looks.append(read_off(still, tmp_path))
            trace = run(still.document.graph)
            answers.append(answer(question, trace) if values else trace.gradients[b])
    assert answers[1] != answers[2]
    assert_alike(*looks[1:])


@pytest.mark.parametrize(
    ("cursor", "moment"), sampled(product((0, 1, 2), ("cover", "asked", "wrong")), 4)
)
def test_no_value_is_given_away_before_the_forward_pass_has_come_to_it(
    still: MainWindow, tmp_path: Path, cursor: int, moment: str
):
    looks: list[list[object]] = []
    for plant in (False, False, True):
        open_example(still, "shared-leaf")
        graph = still.document.graph
        coming = [step.node for step in run_forward(graph).computed[cursor:]]
        with bent(graph, coming[-1:] if plant else (), slopes=False, values=True):
            open_example(still, "shared-leaf")
            looks.append(looked_at(still, tmp_path, "values", cursor, moment, forward=True))
    assert_alike(*looks[1:])


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
    assert frame.covered
    assert len({frame.next_event.local, frame.next_event.contribution}) == 1
