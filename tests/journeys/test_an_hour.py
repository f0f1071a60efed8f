"""An hour of 20 marks with 5 questions over three graphs, led by the keys of a remote alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from app.controls.blank_screen import BlankScreen
from app.window.commands.file_actions import open_file
from app.window.frame.main_window import MainWindow
from app.window.speaker.window import SpeakerWindow
from tests.helpers.lecturing import BACK, ESC, F5, ON, Lecturer
from tests.helpers.sampling import sampled
from tests.helpers.window import SHIFT

HOUR = Path(__file__).parent / "an-hour.toml"
KEYS = {"on": ON, ".": Qt.Key.Key_Period, "B": Qt.Key.Key_B, "R": Qt.Key.Key_R, "T": Qt.Key.Key_T}
KEYS |= {str(k): Qt.Key(Qt.Key.Key_0 + k) for k in range(1, 5)}


class Scene(NamedTuple):
    """What happens at some keys, what the room then reads, and what the speaker reads is next."""

    keys: str
    mark: int
    stage: str
    room: str
    following: str
    choices: str = ""
    hands: str = ""


STORY = """
on / 2 shown / L is 8. / step 3, the seed
on / 3 shown / L starts with grad 1: L changes as fast as itself. / step 4, times swaps
on / 4 shown / × (L) got 1 and passes 1 × −2 = −2 to d: now −2. / step 5, what reaches f?
on / 5 asked / ? What does × (L) pass to f? / reveal / −32 | −4 | −2 | +1
1 1 3 on / 5 revealed / × (L) got 1 and passes 1 × −4 = −4 to f: now −4. / step 6, plus passes
    on / −32 | −4 | −2 | +1 / 2 0 1 0
on / 6 shown / + (d) got −2 and passes −2 × 1 = −2 to a: now −2. / step 7, the second one
on / 7 asked / ? What does × (e) pass to a? / reveal / −4 | −3 | −2 | +6
1 2 4 4 T . / 7 revealed / × (e) got −2 and passes −2 × −3 = +6 to a, which held −2: now 4. /
    step 8, all of it / −4 | −3 | −2 | +6 / 1 1 0 2
on / 8 shown / The pass is over: a.grad 4, b.grad −4, f.grad −4. / step 9, neighbours
on / 9 shown / Two minutes with your neighbour: what would b = 0 do? / step 10, b is 0
on / 10 shown / The pass is over: a.grad −2, b.grad −4, f.grad 2. / step 11, one neuron
on / 11 shown / o is 0.7071. / step 12, forward
on / 12 shown / s = p + q = −6 + 0 = −6. / step 13, slope of tanh
on / 13 asked / ? What is the slope of o (tanh) along n? / reveal / 0.5 | 0.6293 | 0.7071
2 R 2 / 13 asked / ? What is the slope of o (tanh) along n? / reveal / −0.7616 | 0.4200 | 0.5878
    / 0 1 0
on / 13 revealed / o (tanh) got 1 and passes 1 × 0.4200 = +0.4200 to n: now 0.4200. / step 14,
    to the weights / −0.7616 | 0.4200 | 0.5878 / 0 1 0
on / 14 shown / + (s) got 0.5 and passes 0.5 × 1 = +0.5 to q: now 0.5. / step 15, w2 learns
    nothing
on / 15 shown / The pass is over: x1.grad −1.5, w1.grad 1, x2.grad 0.5, w2.grad 0, b.grad 0.5. /
    step 16, five operations
on / 16 shown / y is 41. / step 17, a, at the end
on / 17 asked / ? What will a.grad be at the end of the pass? / reveal
. / 17 revealed / a.grad = 1 × 1 × 1 + 1 × 6 × 1 + 3 × 1 × 1 + 3 × 5 × 1 = 25. / step 18, 25
on / 18 shown / The pass is over: a.grad 25, b.grad 19. / step 19, which mistake?
on / 19 asked / ? Which mistake is on? / reveal / = instead of += | Recursion without an order |
    Backward twice, no zero_grad | Backward twice, only leaves zeroed
B on 1 on / 19 revealed / = instead of +=: The gradient is assigned instead of accumulated, so
    the last writer wins. / step 20, end / = instead of += | Recursion without an order | Backward
    twice, no zero_grad | Backward twice, only leaves zeroed / 1 0 0 0
on / 20 shown / Take home: count wires, not names. / At the end: the hands
"""
"""A scene a line: keys / mark, stage / the room's text / the next / choices / hands."""


def scenes() -> list[Scene]:
    """The scenes of the story; an indented line continues the one before."""
    found: list[Scene] = []
    for line in STORY.strip().replace("\n    ", " ").splitlines():
        keys, place, room, following, *hands = line.split(" / ")
        mark, stage = place.split()
        found.append(Scene(keys, int(mark), stage, room, following, *hands))
    return found


class Hour(Lecturer):
    """Leads through the hour, and reads both screens."""

    @property
    def room(self) -> str:
        """What stands below the sheet, or on the screen that covers it."""
        covers = self.window.findChildren(BlankScreen)
        lines = [screen.accessibleName() for screen in covers if screen.isVisible()]
        return lines[0] if lines else self.sentence

    @property
    def speaker(self) -> SpeakerWindow:
        found = self.window.speaker.window
        assert found is not None
        return found

    def lead(self, keys: str) -> None:
        for name in keys.split():
            self.press(KEYS[name])
        for _ in range(5):
            QApplication.processEvents()

    def reads(self, scene: Scene) -> None:
        """Check all that stands on both screens."""
        assert self.at == (scene.mark, scene.stage)
        assert self.room == scene.room
        choices = [] if scene.stage == "shown" else self.choices
        assert " | ".join(choices) == scene.choices
        assert not scene.hands or self.hands == [int(count) for count in scene.hands.split()]
        assert self.window.canvas.framing.shows_all
        speaker = self.speaker
        assert speaker.top.step_number.text() == f"step {scene.mark} of 20"
        assert speaker.next_head.text().removeprefix("After PageDown: ") == scene.following
        notes = self.state.slide.notes.strip() or "This step has no notes."
        assert speaker.notes.text.toPlainText() == notes


@pytest.fixture
def hour(window: MainWindow) -> Iterator[Hour]:
    window.context.style.set_motion(False)
    open_file(window.context, HOUR)
    window.resize(1280, 720)
    found = Hour(window)
    found.press(F5)
    found.press(F5, modifier=SHIFT)
    found.lead("")
    yield found
    if window.presenting:
        found.press(ESC, ESC)


def test_an_hour_is_led_by_the_remote_alone(hour: Hour):
    assert hour.room == "How much does each number matter?"
    for scene in scenes():
        hour.lead(scene.keys)
        hour.reads(scene)
    record = hour.speaker.chart.accessibleName()
    assert "Step 13, slope of tanh" in record
    assert "Step 17" not in record  # nobody called out a number
    hour.press(ESC, ESC)
    assert not hour.window.presenting
    assert hour.window.context.guides.active


def test_what_comes_next_is_painted_as_the_room_will_see_it_and_nothing_moves(hour: Hour):
    places = dict[int, object]()
    looked_at = sampled(scenes(), 3, first=1)
    for scene in scenes():
        if "R" in scene.keys:
            continue
        *keys, last = scene.keys.split()
        hour.lead(" ".join(keys))
        looks = scene in looked_at and scene.stage != "asked"
        following = hour.speaker.following
        before = following.grab(following.area).toImage() if looks else QImage()
        hour.lead(last)
        if looks:
            room = hour.window.grab().toImage()
            assert difference(before, room) < 4, scene.room
        if scene.mark not in (1, 9, 10, 19, 20):  # with other numbers, or of another width
            boxes = hour.window.canvas.scene.boxes
            place = {node: box.rect.getRect() for node, box in boxes.items()}
            found = (place, hour.window.canvas.camera.state)
            assert places.setdefault(id(hour.state.slide.graph), found) == found, scene.room
    hour.lead("")
    hour.press(BACK)
    assert hour.at == (19, "asked")


def difference(picture: QImage, room: QImage) -> float:
    """The mean difference of the sheets on two pictures of the room, of 256 shades."""
    keep, smooth = Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    sheet = numpy.s_[3 : int(picture.height() * 0.6), 3:-3]
    return float(
        numpy.abs(gray(picture) - gray(room.scaled(picture.size(), keep, smooth)))[sheet].mean()
    )


def gray(image: QImage) -> numpy.ndarray:
    found = image.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = numpy.frombuffer(found.constBits(), numpy.uint8).reshape(found.height(), -1)
    return rows[:, : found.width()].astype(float)
