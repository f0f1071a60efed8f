"""Motion: what a step did is shown moving, over a picture that is right all the while."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from app.canvas.animation import Motion
from app.document.sheet import LARGE
from app.style import sizes
from engine.graph import Graph, Leaf
from tests.helpers.canvas import CanvasFixture, color_at
from tests.helpers.mouse import at_header, glide, press, release

STEP = sizes.MOTION_WIRE + sizes.MOTION_CHIP + sizes.MOTION_SUM


@pytest.fixture
def moving(canvas: CanvasFixture) -> Iterator[CanvasFixture]:
    """The shared leaf, four steps into its pass, where things move; time stands still."""
    canvas.open_example("shared-leaf")
    canvas.playback.backward()
    canvas.playback.go(5)
    canvas.style.set_motion(True)
    motion_of(canvas)._timer.timeout.disconnect()
    yield canvas
    motion_of(canvas).finish()


def motion_of(canvas: CanvasFixture) -> Motion:
    return canvas.view.motion


def picture(canvas: CanvasFixture) -> QImage:
    return canvas.view.grab().toImage()


def test_one_step_forward_moves_and_ends_as_if_nothing_had_moved(moving):
    motion = motion_of(moving)
    moving.playback.step()
    assert motion.running
    during = [picture(moving) for t in (0, 60, 120, 240, 310) if not motion.show_at(t)]
    motion.show_at(STEP)
    assert not motion.running
    after = picture(moving)
    assert after not in during
    moving.playback.step_back()
    moving.playback.go(6)
    assert after == picture(moving)


def test_numbers_are_right_at_every_moment(moving):
    moving.playback.step()
    texts = moving.texts()
    assert "+6" in "".join(texts)
    for moment in range(0, STEP + 20, 60):
        motion_of(moving).show_at(moment)
        picture(moving)
        assert moving.texts() == texts


class Clock:
    """A clock that a test sets, in place of the one of the motion."""

    def __init__(self) -> None:
        self.ms = 0

    def start(self) -> None:
        self.ms = 0

    def elapsed(self) -> int:
        return self.ms


def ends(canvas: CanvasFixture, clock: Clock) -> tuple[int, int]:
    """When the colour has come to the source of the step just taken, and when all rests, in ms."""
    motion, wire = motion_of(canvas), 0
    while motion.running:
        clock.ms += 10
        motion._tick()
        wire = wire or (clock.ms if motion.running_wire is None else 0)
    return wire, clock.ms


def test_who_plays_watches_and_who_steps_checks(moving, monkeypatch):
    motion, clock, playback = motion_of(moving), Clock(), moving.playback
    monkeypatch.setattr(motion, "_elapsed", clock)
    cases = {
        "by hand": (0.5, False, 0.0, 220, 420),
        "played at ½": (0.5, True, 0.0, 570, 1090),
        "played at 1": (1.0, True, 0.0, 310, 595),
        "played at 2": (2.0, True, 0.0, 220, 420),
        "played at 4": (4.0, True, 0.0, 220, 420),
        "played as slowly as may be": (0.1, True, 0.0, 570, 1090),
        "before a room": (0.5, True, 40.0, 220, 420),
    }
    for case, (speed, played, presented, *wanted) in cases.items():
        playback.set_speed(speed)
        for before in (5, moving.steps - 1):  # Play has ended with the last step
            playback.go(before)
            moving.style.presented = presented
            playback.step(played=played)
            found = ends(moving, clock)
            assert found == pytest.approx(wanted, abs=11), (case, before)
    moving.style.presented = 0.0
    playback.set_speed(0.5)
    shares: list[float] = []
    for played in (False, True):
        playback.go(5)
        playback.step(played=played)
        motion.show_at(sizes.MOTION_WIRE / 2)
        assert motion.running_wire is not None
        shares.append(motion.running_wire.share)
    assert shares == [0.875, 0.5], "easing out, and in even pace"


def test_nothing_moves_that_nobody_sees(moving):
    view, motion, step = moving.view, motion_of(moving), moving.playback.step
    cover = QWidget(view.parentWidget() or view)
    cover.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
    unseen = {
        "minimized": (view.showMinimized, view.showNormal),
        "hidden": (view.hide, view.show),
        "motion off": (
            lambda: moving.style.set_motion(False),
            lambda: moving.style.set_motion(True),
        ),
        "covered": (lambda: (cover.setGeometry(view.rect()), cover.show()), cover.hide),
    }
    for case, (go, come) in unseen.items():
        moving.playback.go(4)
        step()
        assert motion.running, case
        go()
        QApplication.processEvents()
        motion._tick()
        assert not motion.running, f"{case}: it ends"
        step()
        assert not motion.running, f"{case}: it does not begin"
        come()
        QApplication.processEvents()


def test_the_colour_runs_from_the_slot_to_the_source(moving):
    moving.playback.step()
    wire = moving.playback.frame.event.wire
    course = moving.scene.courses[wire]
    near_slot, near_source = (
        moving.view.camera.to_screen(course.path.pointAtPercent(share)) for share in (0.97, 0.3)
    )
    motion_of(moving).show_at(30)
    gradient = moving.style.theme.sibling(0)
    assert color_at(moving.view, near_slot) == gradient
    assert color_at(moving.view, near_source) != gradient
    motion_of(moving).show_at(sizes.MOTION_WIRE)
    assert color_at(moving.view, near_source) == gradient


def test_stepping_again_ends_what_moves_at_once(moving):
    moving.playback.step()
    motion_of(moving).show_at(100)
    first = motion_of(moving).running_wire
    moving.playback.step()
    second = motion_of(moving).running_wire
    assert first is not None
    assert second is not None
    assert first.wire != second.wire
    motion_of(moving).finish()
    now = picture(moving)
    moving.style.set_motion(False)
    moving.playback.go(6)
    moving.playback.go(7)
    assert now == picture(moving)


@pytest.mark.parametrize(
    "act",
    [
        lambda p: p.go(6),
        lambda p: p.step_back(),
        lambda p: p.step(whole_node=True),
        lambda p: p.to_end(),
        lambda p: p.backward(),
        lambda p: p.leave(),
    ],
    ids=["scrub", "back", "node", "end", "backward", "leave"],
)
def test_only_a_single_step_forward_moves(moving, act):
    act(moving.playback)
    assert not motion_of(moving).running
    moving.playback.go(5)
    moving.playback.step()
    act(moving.playback)
    assert not motion_of(moving).running or moving.playback.cursor == 6


def test_a_forward_step_pulses_and_reduced_motion_cuts(moving):
    moving.playback.forward()
    moving.playback.step()
    assert motion_of(moving).running
    motion_of(moving).show_at(sizes.MOTION_NODE)
    assert not motion_of(moving).running
    moving.style.set_motion(False)
    moving.playback.step()
    assert not motion_of(moving).running


def test_an_edit_ends_what_moves(moving):
    moving.playback.step()
    moving.document.set_value(moving.node("a"), 7.0)
    assert not motion_of(moving).running


def test_every_step_of_a_pass_can_move_at_any_zoom(moving):
    for zoom in (1.0, 0.6, 0.25, 0.1):
        moving.view.camera.set_zoom(zoom)
        moving.playback.go(0)
        for _step in range(moving.steps):
            moving.playback.step()
            motion_of(moving).show_at(150)
            picture(moving)


def test_only_what_moves_is_painted_anew(moving, monkeypatch):
    painted: list[float] = []
    moving.playback.step()
    QApplication.processEvents()
    compositor = moving.view.compositor
    paint = compositor._paint

    def count(painter, rect, **how) -> None:
        painted.append(rect.width() * rect.height())
        paint(painter, rect, **how)

    monkeypatch.setattr(compositor, "_paint", count)
    for moment in (40, 80, 120, 250, 350):
        painted.clear()
        motion_of(moving).show_at(moment)
        QApplication.processEvents()
        assert 0 < sum(painted) < 0.15 * moving.view.width() * moving.view.height()


# arranging


def laid_out(canvas: CanvasFixture) -> dict[int, QPointF]:
    return {n: box.rect.topLeft() for n, box in canvas.scene.boxes.items()}


@pytest.fixture
def arranged(moving, qtbot) -> CanvasFixture:
    """Just now arranged: nodes are about to glide."""
    nodes = moving.graph.nodes
    moving.document.move({n: (400.0 + 300 * n, 150.0 + 200 * n) for n in nodes})
    moving.view.editing.arrange()
    qtbot.waitUntil(lambda: motion_of(moving).running)
    return moving


def places(canvas: CanvasFixture) -> dict[int, QPointF]:
    return {n: QPointF(*place) for n, place in canvas.document.positions.items()}


def test_arranged_nodes_glide_from_where_they_were(arranged):
    start = {n: QPointF(400.0 + 300 * n, 150.0 + 200 * n) for n in arranged.graph.nodes}
    assert laid_out(arranged) == start
    assert places(arranged) != start
    motion_of(arranged).show_at(100)
    assert laid_out(arranged) not in (start, places(arranged))
    motion_of(arranged).show_at(sizes.MOTION_ARRANGE)
    assert laid_out(arranged) == places(arranged)
    assert not arranged.scene.node_layout.preview


def test_a_press_ends_the_gliding(arranged):
    seen = arranged.view.camera.visible_area
    press(arranged.view, at_header(arranged.view, arranged.node("a")))
    assert laid_out(arranged) == places(arranged)
    assert seen.contains(arranged.scene.bounds())  # fitted to where nodes go


def test_undo_while_gliding_puts_all_back(arranged):
    motion_of(arranged).show_at(100)
    arranged.document.undo()
    assert not motion_of(arranged).running
    assert laid_out(arranged) == places(arranged)


def test_many_nodes_do_not_glide(canvas, qtbot):
    canvas.style.set_motion(True)
    nodes = {n: Leaf(1.0) for n in range(1, LARGE + 2)}
    canvas.show(Graph(nodes, None, len(nodes) + 1), {n: (0.0, n * 10.0) for n in nodes})
    canvas.view.editing.arrange()
    qtbot.waitUntil(lambda: len(canvas.document.steps) == 1)
    QApplication.processEvents()
    assert not motion_of(canvas).running


def test_time_runs_by_itself_and_stops(canvas, qtbot):
    canvas.open_example("shared-leaf")
    canvas.style.set_motion(True)
    canvas.playback.backward()
    canvas.playback.step()
    assert motion_of(canvas).running
    qtbot.waitUntil(lambda: not motion_of(canvas).running)
    assert not motion_of(canvas)._timer.isActive()


def test_no_node_glides_under_the_hand_and_a_drag_moves_only_what_it_holds(moving, qtbot):
    view, held = moving.view, moving.node("a")
    moving.document.move({n: (400.0 + 30 * n, 60.0 + 100 * n) for n in moving.graph.nodes})
    moving.look()
    view.editing.arrange()
    start = at_header(view, held)
    press(view, start)
    glide(view, start, start + QPointF(50, 50))
    qtbot.waitUntil(lambda: moving.document.done[-1].name == "Arrange", timeout=60_000)
    QApplication.processEvents()
    motion_of(moving).show_at(100)
    arranged, zoom = dict(moving.document.positions), view.camera.zoom
    assert set(moving.scene.node_layout.preview) == {held}
    glide(view, start + QPointF(50, 50), start + QPointF(60, 60), steps=2)
    release(view, start + QPointF(60, 60))
    moved = {n for n, place in moving.document.positions.items() if place != arranged[n]}
    assert moved == {held}
    assert moving.document.done[-1].name == "Move a"
    assert view.camera.zoom == zoom


@pytest.mark.parametrize("begin", ["a node", "a drawn group"])
def test_a_gesture_commits_the_places_it_showed_whatever_else_was_lifted(moving, begin):
    view, held = moving.view, moving.node("a")
    moving.document.groups.draw((-60.0, -60.0, 2400.0, 900.0), "box")
    moving.look()
    before = dict(moving.document.positions)
    start = at_header(view, held)
    if begin == "a drawn group":
        (rect,) = moving.scene.node_layout.groups.drawn.values()
        start = view.camera.to_screen(rect.topLeft() + QPointF(60, 14))
    press(view, start)
    glide(view, start, start + QPointF(48, 48))
    shown = dict(moving.scene.node_layout.preview)
    moving.scene.show_dragged({n: (x + 7.0, y) for n, (x, y) in before.items()})
    release(view, start + QPointF(48, 48))
    assert shown
    assert dict(moving.document.positions) == before | shown
