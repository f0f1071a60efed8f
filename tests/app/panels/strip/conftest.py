"""The strip in a panel host, as a user meets it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt

from app.panels.strip import StripPanel, strip_height
from app.panels.strip.sentence import BlankField
from app.workbench.runners.loop_runner import LoopRunner
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.words.strip import Act
from tests.helpers.panel_host import PanelHost


class Learner:
    """A learner before the strip: what they press and type, and what they read."""

    def __init__(self, host: PanelHost, width: int) -> None:
        self.host, self.qtbot = host, host.qtbot
        self.quiz = QuizRunner(host.playback)
        self.loops = LoopRunner(host.document, host.playback)
        parts = (host.style, host.document, host.playback, self.quiz, self.loops)
        self.strip = host.show(StripPanel(*parts), width, strip_height(host.style))

    def press(self, act: Act) -> None:
        """Click the button that does something, beside the sentence or behind the answer line."""
        shown = {look.act for look in self.strip.buttons.shown}
        row = self.strip.buttons if act in shown else self.strip.offers
        button = row.button(act)
        assert button.isVisible(), act
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def be_asked(self, cursor: int, level: str = "contribution and sum") -> None:
        """Be asked about the step after a cursor of the backward pass."""
        self.quiz.choose(level, "every")
        self.host.playback.backward()
        self.quiz.toggle()
        self.host.playback.go(cursor)
        self.strip.focus_blank()

    @property
    def blanks(self) -> list[BlankField]:
        """The fields of the sentence."""
        return self.strip.sentence.fields

    def type(self, *texts: str) -> None:
        """Type into the blank that has the caret, and press Enter, for each text."""
        for text in texts:
            field = next(field for field in self.blanks if field.hasFocus())
            field.selectAll()
            self.qtbot.keyClicks(field, text)
            self.qtbot.keyClick(field, Qt.Key.Key_Return)

    @property
    def acts(self) -> list[str]:
        """What the buttons beside the sentence do, from the left, folded ones left out."""
        row = self.strip.buttons
        return [look.act for look in row.shown if row.button(look.act).isVisible()]

    @property
    def told(self) -> str:
        """The sentence."""
        return self.strip.sentence.text()

    @property
    def answer(self) -> str:
        """The answer line."""
        return self.strip.answer.text()


@pytest.fixture
def learner(host: PanelHost) -> Callable[..., Learner]:
    def make(cursor: int | None = None, width: int = 1100) -> Learner:
        host.open_shared(cursor)
        return Learner(host, width)

    return make
