"""One message: whatever is done, each part of the window is refreshed once."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QSlider

from app.canvas.scene.scene import Scene
from app.document.document_file import whole_text
from app.panels.expression_bar import LeafChips
from app.panels.status_line import StatusLine
from app.panels.strip import StripPanel
from app.panels.strip.timeline import Timeline
from app.panels.why import WhyPage
from app.window.commands import when
from app.window.frame.main_window import MainWindow
from app.workbench.playback.playback import MIN_SPEED
from engine.rules import CORRECT, MISTAKES
from tests.helpers import mouse
from tests.helpers.sampling import sampled
from tests.helpers.window import node, opened_page, press

REFRESHED = {
    "canvas": (Scene, "show"),
    "timeline": (Timeline, "show_tracks"),
    "strip": (StripPanel, "_refresh"),
    "why": (WhyPage, "refresh"),
    "status line": (StatusLine, "_refresh"),
    "actions": (when, "in_a_pass"),
    "leaf chips": (LeafChips, "_follow"),
}
"""What each part does exactly once when it is refreshed; actions ask a condition once."""
PARTS = {getattr(kind, name).__code__: part for part, (kind, name) in REFRESHED.items()}


class Counted:
    """The window, and how often each of its parts is refreshed by one thing done."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self._calls: Counter[str] = Counter()

    def by(self, act: Callable[[], object]) -> dict[str, int]:
        """How often each part was refreshed until the event loop came to rest."""
        QApplication.processEvents()
        self._calls.clear()
        sys.setprofile(self._count)
        try:
            act()
            QApplication.processEvents()
        finally:
            sys.setprofile(None)
        return {part: self._calls[part] for part in REFRESHED if self._calls[part]}

    def _count(self, frame: FrameType, event: str, _argument: object) -> None:
        part = PARTS.get(frame.f_code) if event == "call" else None
        if part is not None:
            self._calls[part] += 1


def _parts(*also: str) -> dict[str, int]:
    """Once each: all that shows a frame, with the page that is open."""
    always = ("canvas", "timeline", "strip", "status line", "actions", "leaf chips")
    return dict.fromkeys((*always, *also), 1)


@pytest.fixture
def counted(shared_leaf: MainWindow) -> Counted:
    shared_leaf.bar.open("why")
    shared_leaf.canvas.framing.palette = None  # folding it for room refreshes actions, too
    for timer in shared_leaf.canvas.findChildren(QTimer):  # what is measured later is counted apart
        timer.setInterval(60_000)
    return Counted(shared_leaf)


SHOWN = _parts("why")


def test_whatever_is_done_in_a_pass_refreshes_each_part_once(counted: Counted):
    window, buttons = counted.window, counted.window.strip.buttons
    keys = Qt.Key
    acts: dict[str, Callable[[], object]] = {
        "a mistake outside a pass": window.commands[f"rules-{MISTAKES[0].name}"].trigger,
        "the correct rules": window.commands["rules-correct"].trigger,
        "forward": lambda: press(window, "b", modifier=Qt.KeyboardModifier.ShiftModifier),
        "leaving by the action": window.commands["leave"].trigger,
        "backward": lambda: press(window, "b"),
        **{
            name: lambda name=name: press(window, getattr(keys, f"Key_{name}"))
            for name in ("Right", "Left", "End", "Home")
        },
        "step": lambda: buttons.button("step").click(),
        "another step": lambda: buttons.button("step").click(),
        "back": lambda: buttons.button("back").click(),
        "cover": lambda: press(window, "c"),
        "no cover": lambda: press(window, "c"),
        "cover by the action": window.commands["cover"].trigger,
        "leaving": window.playback.leave,
    }
    for name, act in acts.items():
        assert counted.by(act) == SHOWN, name


def test_the_step_that_ends_playing_refreshes_each_part_once(counted: Counted):
    playback = counted.window.playback
    press(counted.window, "b", Qt.Key.Key_End, Qt.Key.Key_Left)
    playback.set_speed(MIN_SPEED)  # so that no step is taken before it is counted

    def play_to_the_end() -> None:
        playback._timer.setInterval(1)
        while playback.playing:
            QApplication.processEvents()

    playback.play()
    assert counted.by(play_to_the_end) == SHOWN
    assert playback.cursor == playback.frame.total


def test_revealing_refreshes_each_part_once(counted: Counted):
    view = counted.window.canvas
    press(counted.window, "b", "c")
    event = counted.window.playback.frame.next_event
    assert event is not None
    assert event.wire is not None
    at = mouse.at_label(view, event.wire)
    mouse.hover(view, at)
    assert counted.by(lambda: mouse.click(view, at)) == SHOWN
    assert not counted.window.playback.frame.hides_number


def test_a_press_on_the_timeline_refreshes_each_part_once(counted: Counted):
    press(counted.window, "b")
    timeline = counted.window.strip.timeline
    at = QPoint(timeline.width() - 60, timeline.height() // 2)

    def scrub() -> None:
        QTest.mousePress(timeline, Qt.MouseButton.LeftButton, pos=at)

    before = counted.window.playback.cursor
    assert counted.by(scrub) == SHOWN
    assert counted.window.playback.cursor != before


@pytest.mark.parametrize("keys", sampled(["b", ""], 2))
def test_the_ticks_of_a_slider_refresh_each_part_once(counted: Counted, keys: str):
    window = counted.window
    panel = opened_page(window, "why")
    window.selection.focus_on(node(window, "a"))
    window.canvas.setFocus()
    if keys:
        press(window, keys, Qt.Key.Key_Right, Qt.Key.Key_Right)
    slider = panel.findChild(QSlider)
    assert slider is not None
    slider.setSliderDown(True)
    for value in (20, 30):
        assert counted.by(lambda value=value: slider.setValue(value)) == SHOWN
    slider.setSliderDown(False)
    assert len(window.document.steps) == 1
    assert counted.by(window.commands["undo"].trigger) == SHOWN


def test_the_ticks_of_a_number_dragged_refreshes_each_part_once(counted: Counted):
    view = counted.window.canvas
    a = node(counted.window, "a")
    counted.window.selection.focus_on(a)
    at = QPointF(mouse.at_number(view, a))
    mouse.press(view, at)
    for pixels in (20, 40):
        to = at + QPointF(pixels, 0)
        assert counted.by(lambda to=to: mouse.move(view, to)) == SHOWN
    mouse.release(view, at + QPointF(40, 0))


@pytest.mark.parametrize("keys", sampled(["", "b"], 2))
def test_an_edit_refreshes_each_part_once(counted: Counted, keys: str):
    window = counted.window
    document = window.document
    window.canvas._sync._remeasure_timer.setInterval(
        60_000
    )  # measuring anew is a later turn's work
    if keys:
        press(window, keys, Qt.Key.Key_Right)
    a, f, root = (node(window, name) for name in ("a", "f", "L"))
    for edit in (
        lambda: document.set_value(a, 5.0),
        lambda: document.set_label(a, "alpha"),
        lambda: document.move({a: (-400.0, 0.0)}),
        lambda: document.wires.connect(a, root, 1),
        document.undo,
        document.redo,
        lambda: document.wires.disconnect(root, 0),
        document.undo,
        lambda: document.remove([f]),
    ):
        assert counted.by(edit) == SHOWN


def test_deleting_what_is_selected_refreshes_each_part_once(counted: Counted):
    counted.window.selection.choose([node(counted.window, "f")])
    assert counted.by(lambda: press(counted.window, Qt.Key.Key_Delete)) == SHOWN


def test_switching_a_mistake_refreshes_each_part_once(counted: Counted):
    window = counted.window
    press(window, "b", Qt.Key.Key_Right, Qt.Key.Key_Right)
    window.commands[f"rules-{MISTAKES[-1].name}"].trigger()  # its panel comes to the front
    for rules in (*MISTAKES, CORRECT):
        assert counted.by(window.commands[f"rules-{rules.name}"].trigger) == SHOWN


def test_looking_into_a_group_and_out_refreshes_each_part_once(counted: Counted):
    window = counted.window
    group = window.document.groups.make([node(window, "e"), node(window, "d")])
    assert group is not None
    assert counted.by(lambda: window.document.look_inside(group)) == SHOWN
    assert counted.by(lambda: press(window, Qt.Key.Key_Backspace)) == SHOWN


def test_saving_refreshes_what_tells_of_the_file_once(counted: Counted, tmp_path):
    window = counted.window
    window.document.set_value(node(window, "a"), 5.0)
    path = tmp_path / "a.backwire"
    path.write_bytes(whole_text(window.document.sheet))  # the window looks after it when it closes
    found = counted.by(lambda: window.document.saved(path))
    assert found["status line"] == found["actions"] == 1
    assert "saved" in window.status_line.text()
