"""Hidden is hidden everywhere: two passes that differ in hidden numbers alone look the same.

What is known is equal in both; what is asked for, and all that comes later, differs, in numbers
that are written with as many characters. Then every text, accessible name, clipboard and export has
to be equal, and every pixel.
"""

from collections.abc import Iterator

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAction, QGuiApplication, QImage
from PySide6.QtWidgets import QAbstractSlider, QApplication, QWidget

from app.canvas.input import hover_text
from app.canvas.scene.hit_test import Hit
from app.window.commands.export import text_of
from app.window.frame.main_window import MainWindow
from app.workbench import playback as playing
from app.workbench.asking import Mode
from engine.formats.files import FORMATS
from engine.study.hiding import hidden
from engine.study.question import LEVELS
from engine.trace import Trace
from tests.helpers.extent import sampled
from tests.helpers.window import open_example, press

STEPS = {"shared-leaf": range(1, 7), "demonstration": range(1, 12, 3)}
CASES = [
    (example, level, cursor)
    for example, cursors in STEPS.items()
    for level in ("contribution", "local", "all", "sum")
    for cursor in cursors
]


def other(x: float) -> float:
    """Another number with as many characters."""
    return x + 1 if len(f"{x + 1:g}") == len(f"{x:g}") and x + 1 else x - 1


def planted(trace: Trace, cursor: int, level: str) -> Trace:
    """The pass with other numbers where this level hides them, from the next step on."""
    kinds = LEVELS[level].kinds
    events = list(trace.events)
    for k in range(cursor, len(events)):
        event = events[k]
        if event.kind != "contribution":
            continue
        changed = {"after": other(event.after)}
        if k > cursor or "sum" not in kinds or "contribution" in kinds:
            changed["contribution"] = other(event.contribution)
        if k > cursor or "local" in kinds:
            changed["local"] = other(event.local)
        if k > cursor:
            changed |= {"upstream": other(event.upstream), "before": other(event.before)}
        events[k] = msgspec.structs.replace(event, **changed)
    return Trace(
        trace.graph,
        trace.root,
        trace.phase,
        trace.rules,
        trace.values,
        tuple(events),
        schedule=trace.schedule,
    )


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
            yield hover_text.told(canvas, Hit(part, node))
            yield hover_text.tip(canvas, Hit(part, node))
    for _source, wire in graph.wires():
        yield hover_text.told(canvas, Hit("wire", wire=wire))
        yield hover_text.tip(canvas, Hit("label", wire=wire))


def given_away(window: MainWindow) -> Iterator[object]:
    """Everything that leaves the window, or can be read off it, with each node selected."""
    for node in window.document.graph.nodes:
        window.context.selection.choose((node,))
        QApplication.processEvents()
        yield from texts(window)
        yield picture(window)
    yield from hints(window)
    for form in FORMATS:
        if form.write is not None:
            yield text_of(window.context, form.name)
    for name in ("copy", "copy_picture", "copy_text", "copy_latex", "copy_pass"):
        if name in {action.objectName() for action in window.findChildren(QAction)}:
            window.commands[name].trigger()
            yield QGuiApplication.clipboard().text()
            yield QGuiApplication.clipboard().image()


def picture(window: MainWindow) -> QImage:
    return window.grab().toImage()


def looked_at(
    window: MainWindow, monkeypatch, case: tuple[str, str, int], mode: Mode, plant: bool
) -> list[object]:
    """Step to a cursor in a mode, in the pass as it is or with other hidden numbers."""
    run, (example, level, cursor) = playing.run_to_step, case

    def run_planted(*args):
        trace = run(*args)
        return planted(trace, cursor, level) if trace.phase == "backward" else trace

    with monkeypatch.context() as patch:
        if plant:
            patch.setattr(playing, "run_to_step", run_planted)
        open_example(window, example)
        window.context.modes.set_level(level)
        window.playback.backward()
        window.playback.go(cursor)
        window.context.modes.toggle(mode)
        window.context.messages.dismiss_toast()  # how long it stays depends on the machine
        window.canvas.context.framing.fit_all()
        QApplication.processEvents()
        found = list(given_away(window))
        window.context.modes.leave()
    return found


@pytest.mark.parametrize("mode", ["cover", "predict"])
@pytest.mark.parametrize("case", sampled(CASES, 10, first=3))
def test_passes_that_differ_in_hidden_numbers_alone_can_not_be_told_apart(
    window: MainWindow, monkeypatch, case: tuple[str, str, int], mode: Mode
):
    window.context.style.set_motion(False)
    QApplication.setCursorFlashTime(0)  # no picture depends on the moment
    window.move(QPoint(0, 0))
    _first, as_it_is, differing = (  # the first leaves toasts and scroll bars as the others do
        looked_at(window, monkeypatch, case, mode, plant) for plant in (False, False, True)
    )
    wrong = [(a, b) for a, b in zip(as_it_is, differing, strict=True) if a != b]
    assert not wrong, wrong[:4]


def test_without_a_mode_the_two_passes_are_told_apart(shared_leaf: MainWindow):
    """The numbers planted are others, so that the test above can fail."""
    press(shared_leaf, "b", Qt.Key.Key_Right)
    trace = shared_leaf.playback.frame.whole
    assert trace is not None
    for level in LEVELS:
        if level != "final":
            assert planted(trace, 2, level).events[2] != trace.events[2]
            assert planted(trace, 2, level).events[:2] == trace.events[:2]


def test_what_is_hidden_is_written_as_a_question_mark_and_nothing_else(shared_leaf: MainWindow):
    press(shared_leaf, "b", Qt.Key.Key_Right)
    frame = hidden(shared_leaf.playback.frame, ("local",))
    assert frame.next_event is not None
    assert frame.covered
    assert len({frame.next_event.local, frame.next_event.contribution}) == 1
