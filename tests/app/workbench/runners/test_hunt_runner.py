"""HuntRunner: a mistake that was mended stays off, and what ends a hunt tells nothing wrong."""

import pytest
from msgspec.structs import replace

from app.document.document import Document
from app.workbench.playback.playback import Playback
from app.workbench.runners.hunt_runner import HuntRunner
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.selection import Selection
from engine import from_expression
from engine.asking.micrograd_program import program
from engine.formats.native import Drawing
from engine.rules import BY_NAME, CORRECT


class HuntHost:
    """A document on which mistakes are hunted, and what is said."""

    def __init__(self) -> None:
        self.document = Document()
        self.document.start(Drawing(from_expression("y = a*b + a", {"a": 2, "b": 3})))
        self.playback = Playback(self.document, self.document)
        self.modes = QuizRunner(self.playback, self.document)
        selection = Selection(self.document)
        self.hunting = HuntRunner(self.playback, selection, self.document)
        self.said: list[str] = []
        self.playback.said.connect(self.said.append)

    def mend(self, name: str) -> None:
        """Mend a mistake that is on."""
        self.playback.set_rules(BY_NAME[name])
        self.hunting.begin_to_mend()
        hunt = self.hunting.now
        assert hunt is not None
        self.hunting._set_hunt(replace(hunt, stage="fix"))
        self.hunting.mend(next(line for line in program(hunt.mistake) if line.wrong))


@pytest.fixture
def host(qapp) -> HuntHost:
    return HuntHost()


def test_a_mistake_that_was_mended_stays_off_however_the_hunt_ends(host: HuntHost):
    ends = (
        host.hunting.leave,
        host.playback.leave,
        lambda: host.modes.toggle(),
        lambda: host.modes.toggle(cover=True),
    )
    for end in ends:
        host.mend("assign")
        end()
        assert host.hunting.now is None
        assert host.playback.rules is CORRECT
        host.modes.leave()


def test_by_hand_ends_a_hunt_and_names_no_mistake_that_was_hidden(host: HuntHost):
    host.hunting.begin(seed=1)
    host.modes.by_hand.toggle()
    assert host.hunting.now is None
    assert host.said == []


def test_a_mistake_that_is_chosen_in_a_forward_pass_ends_the_hunt(host: HuntHost):
    host.hunting.begin(seed=1)
    host.playback.forward()
    host.playback.set_rules(BY_NAME["no-seed"])
    assert host.hunting.now is None
    assert host.playback.rules is BY_NAME["no-seed"]
    assert "has ended" in host.said[0]
