"""A lecture hides what it asks: the room's screen is the same whatever the hidden numbers are.

Each question is shown in two worlds whose steps so far are equal. Then every text, name, export and
pixel of the room's window has to be equal, outside of the cards: their choices come of the answer.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.guide.play.guide import room_of
from app.lessons.lesson import Lesson
from app.lessons.load import load_lesson
from app.window.dialogs.action_list import CommandPalette
from app.window.dialogs.export_content import text_of
from app.window.frame.main_window import MainWindow
from app.workbench.playback import playback as playing
from engine import from_expression, schedule
from engine.asking import kinds, revealing
from engine.asking.diagnose import first_difference
from engine.asking.paths import path_count
from engine.formats.files import FORMATS
from engine.formats.native import Drawing
from engine.graph import Graph, OpNode
from engine.rules import BY_NAME as RULES
from engine.rules import CORRECT
from engine.schedule import Schedule, schedule_of
from engine.trace import run
from tests.app.window.test_hidden import (
    COPIES,
    FIELDS,
    SHARED_LEAF,
    SOLUTIONS,
    accessible,
    bent,
    difference,
    hints,
    planted,
    texts,
)
from tests.helpers.exported import save_picture
from tests.helpers.lecturing import ON, Lecturer, asked
from tests.helpers.sampling import sampled
from tests.helpers.steps import PlannedStep, lesson_on, step_at, with_kind

HOUR = Path(__file__).parents[2] / "journeys" / "an-hour.toml"
FIVE = ("c = a + b; d = a*b; e = c + d; f = c*d; y = e + f", {"a": 2.0, "b": 3.0})
"""After y, e or f may fire next."""
OF_STEP = ("local", "contribution", "after")
HIDDEN: dict[str, tuple[int, Sequence[str]]] = {
    "local": (5, OF_STEP),
    "contribution": (5, OF_STEP),
    "sum": (5, ("after",)),
    "final": (0, FIELDS),
    "sign": (0, FIELDS),
}
"""The cursor after which no step is known while such a question is open, and the numbers of the
next one that are hidden."""
OF_HOUR = {5: (2, OF_STEP), 7: (5, OF_STEP), 13: (1, OF_STEP), 17: (0, FIELDS)}
"""The same for the questions of the hour, by the number of the step."""
MISTAKES = [("assign", "no-zero-grad", 5), ("depth-first", "recursive", 5)]
"""Two mistakes each that take the same steps up to a cursor."""


# what the room sees


def looks(lecturer: Lecturer, folder: Path) -> dict[str, object]:
    """All that the room can see, hear or take away while a question is open, but the cards."""
    window, canvas = lecturer.window, lecturer.window.canvas
    assert lecturer.at[1] == "asked"
    settle(window)
    band = window.strip.room_strip_view
    assert band is not None
    of_cards = {band.accessibleName(), band.accessibleDescription()}
    found: dict[str, object] = {
        "title": window.windowTitle(),
        "sentence": lecturer.sentence,
        "texts": [text for text in texts(window) if text not in of_cards],
        "hints": list(hints(window)),
        "picture": outside_of_cards(window),
        "commands": commands(window),
    }
    for box in list(canvas.scene.boxes.values()):  # what the pointer lights
        at = canvas.viewport().mapTo(window, canvas.camera.to_screen(box.rect.center()).toPoint())
        window.lecture_screen.click_pointer(
            QPointF(at.x() / window.width(), at.y() / window.height())
        )
    found["lit"] = outside_of_cards(window)
    return found | taken_away(window, folder)


def settle(window: MainWindow) -> None:
    window.context.messages.dismiss_toast()
    for _ in range(8):
        QApplication.processEvents()


def outside_of_cards(window: MainWindow) -> QImage:
    picture, band = window.grab().toImage(), window.strip.room_strip_view
    assert band is not None
    corner, high = band.mapTo(window, band.rect().topLeft()), band.height()
    with QPainter(picture) as painter:
        cards = QRectF(0, corner.y() + 0.27 * high, picture.width(), 0.5 * high)
        painter.fillRect(cards, Qt.GlobalColor.white)
    return picture


def commands(window: MainWindow) -> list[str]:
    """What the command palette lists."""
    window.show_command_palette()
    (palette,) = window.findChildren(CommandPalette)
    found = list(accessible(palette))
    palette.reject()
    palette.setParent(None)
    palette.deleteLater()
    return found


def taken_away(window: MainWindow, folder: Path) -> dict[str, object]:
    """What copying and exporting give, as far as they are possible in a lecture."""
    found: dict[str, object] = {
        form.name: text_of(window.context, form.name)
        for form in FORMATS
        if form.write is not None and form.name not in SOLUTIONS
    }
    save_picture(folder / "step.svg", window.document.sheet, window.playback.frame)
    found["svg"] = (folder / "step.svg").read_text("utf-8")
    window.context.selection.choose(window.document.graph.nodes)
    for name in COPIES:
        window.commands.refresh()
        QGuiApplication.clipboard().clear()
        window.commands[name].trigger()
        clipboard = QGuiApplication.clipboard()
        found[name] = (clipboard.text(), clipboard.image())
    window.context.selection.choose(())
    return found


World = Callable[[bool], Iterator[Lesson]]
"""Yields a lecture, one of whose steps asks a question, and whether it is the other world."""


def assert_hidden(lecturer: Lecturer, folder: Path, world: World, at: int = 0) -> None:
    """Show both worlds while the question is open, and that its reveal tells them apart."""
    window, runner = lecturer.window, lecturer.window.context.guides
    runner.clock = lambda: 0.0  # of the timer's ring

    def show(is_other: bool) -> tuple[dict[str, object], tuple[QImage, str]]:
        with contextmanager(world)(is_other) as lecture:
            if runner.room is None:
                window.present_lesson(lecture, at)
            elif runner.room.lesson is lecture:
                runner.go_to(at)
            else:
                runner.begin(room_of(lecture, first=at))
            asked = looks(lecturer, folder)
            lecturer.press(ON)
            settle(window)
            return asked, (window.grab().toImage(), lecturer.sentence)

    (one, revealed), (other, revealed_other) = show(is_other=False), show(is_other=True)
    if one != other:  # a first look makes widgets that stay
        one, revealed = show(is_other=False)
    assert one.keys() == other.keys()
    assert [
        (name, difference(one[name], other[name])) for name in one if one[name] != other[name]
    ] == []
    assert revealed != revealed_other


# the worlds


def alone(graph: Graph, planned: PlannedStep) -> Lesson:
    return lesson_on([planned], Drawing(graph), title="One")


@contextmanager
def other_steps(is_other: bool, cursor: int, kinds: Sequence[str]) -> Iterator[None]:
    """The pass has other numbers after a cursor, and these of its next step."""
    unplanted = playing.run_within_limit
    with pytest.MonkeyPatch.context() as patch:
        if is_other:
            patch.setattr(
                playing, "run_within_limit", lambda *a: planted(unplanted(*a), cursor, kinds)
            )
        yield


def assert_hides_steps(
    window: MainWindow,
    folder: Path,
    lecture: Lesson,
    hidden: Mapping[int, tuple[int, Sequence[str]]],
) -> None:
    """Show the questions of a lecture, each with the cursor and the numbers that it hides."""

    def world(at: int, is_other: bool) -> Iterator[Lesson]:
        with other_steps(is_other, *hidden[at]):
            yield lecture

    lecturer = Lecturer(window)
    for at in hidden:
        assert_hidden(lecturer, folder, partial(world, at), at)


def test_the_room_sees_the_same_whatever_is_hidden(window: MainWindow, tmp_path: Path):
    graph = from_expression(*SHARED_LEAF)
    planned_steps = [
        asked(graph, 6, kind)
        if cursor
        else PlannedStep("ask", "backward", asks=kind, node=graph.node_named("a"))
        for kind, (cursor, _kinds) in HIDDEN.items()
    ]
    lecture = lesson_on(planned_steps, Drawing(graph), title="All kinds")
    assert_hides_steps(window, tmp_path, lecture, dict(enumerate(HIDDEN.values())))


def test_no_question_of_the_hour_gives_its_numbers_away(window: MainWindow, tmp_path: Path):
    hidden = {number - 1: numbers for number, numbers in sampled(OF_HOUR.items(), 2)}
    assert_hides_steps(window, tmp_path, load_lesson(HOUR), hidden)


def test_a_value_that_is_asked_for_stands_on_its_cards_alone(window: MainWindow, tmp_path: Path):
    graph = from_expression(*SHARED_LEAF)
    planned = with_kind(step_at(graph, "forward", 3), graph, "ask", "value")
    assert planned.node is not None

    def world(is_other: bool) -> Iterator[Lesson]:
        with bent(graph, [planned.node or 0] if is_other else (), slopes=False, values=True):
            yield alone(from_expression(*SHARED_LEAF), planned)

    assert_hidden(Lecturer(window), tmp_path, world)


def test_what_a_change_would_do_stands_on_its_cards_alone(window: MainWindow, tmp_path: Path):
    graph = from_expression(*SHARED_LEAF)
    leaf = graph.node_named("b") or 0
    planned = PlannedStep(
        "ask", "backward", asks="change", node=graph.node_named("L"), leaf=leaf, to=-4.0
    )
    changed = graph.with_values({leaf: -4.0})
    ops = [number for number, found in graph.nodes.items() if isinstance(found, OpNode)]

    def world(is_other: bool) -> Iterator[Lesson]:
        with bent(changed, ops if is_other else (), slopes=False, values=True):
            yield alone(from_expression(*SHARED_LEAF), planned)

    assert_hidden(Lecturer(window), tmp_path, world)


def test_how_many_paths_there_are_stands_on_its_cards_alone(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    graph = from_expression(*FIVE)
    planned = PlannedStep("ask", "backward", asks="paths", node=graph.node_named("a"))

    def world(is_other: bool) -> Iterator[Lesson]:
        with monkeypatch.context() as patch:
            if is_other:
                for module in (kinds, revealing):
                    patch.setattr(module, "path_count", lambda *a: path_count(*a) + 2)
            yield alone(graph, planned)

    assert_hidden(Lecturer(window), tmp_path, world)


def test_which_node_fires_next_can_not_be_told(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    graph = from_expression("p = a*b; q = c*d; y = p + q", {"a": 2, "b": 3, "c": 4, "d": 5})
    y = graph.root or 0
    as_it_is = schedule_of(graph, y, "backward")
    seed, root, one, another = as_it_is.firings
    swapped = Schedule("backward", (seed, root, another, one))
    p, q = graph.node_named("p"), graph.node_named("q")
    assert {found.ticks[3].sender for found in (as_it_is, swapped)} == {p, q}

    def world(is_other: bool) -> Iterator[Lesson]:
        with monkeypatch.context() as patch:
            found = swapped if is_other else as_it_is
            kept = schedule._SCHEDULES[graph.structure]
            patch.setitem(kept, (y, "backward", CORRECT), found)
            yield alone(graph, asked(graph, 4, "next"))

    assert_hidden(Lecturer(window), tmp_path, world)


def test_which_mistake_is_on_can_not_be_told_from_equal_steps(window: MainWindow, tmp_path: Path):
    graph = from_expression(*FIVE)

    def world(one: str, another: str, cursor: int, is_other: bool) -> Iterator[Lesson]:
        steps = run(graph, rules=RULES[one])
        assert first_difference(steps, RULES[another], cursor) is None
        node, slot = steps.events[cursor - 1].wire or (0, 0)
        place = PlannedStep("ask", "backward", cursor, node, slot, asks="mistake")
        yield alone(graph, replace(place, mistake=another if is_other else one))

    lecturer = Lecturer(window)
    for mistakes in sampled(MISTAKES, 2):
        assert_hidden(lecturer, tmp_path, partial(world, *mistakes))
