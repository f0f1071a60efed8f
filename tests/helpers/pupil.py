"""A pupil who is asked what a lesson chooses, without a window: what they choose, type and read."""

from collections.abc import Mapping

from app.controls.spans import plain_text
from app.document.document import Document
from app.workbench.modes.quiz import Quiz
from app.workbench.playback.playback import Playback
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.words.strip import Strip, StripContext
from app.workbench.words.strip_writers import write_strip
from engine import from_expression
from engine.asking.question import Kind, Question
from engine.formats.native import Drawing
from engine.trace import Trace


def wire_question(kind: Kind, trace: Trace, wire: str) -> Question:
    """The question about a wire, `e.1` or `e.2`, at its step."""
    name, place = wire.split(".")
    target = trace.graph.node_named(name)
    assert target is not None
    slot = int(place) - 1
    step = [event.wire for event in trace.events].index((target, slot)) + 1
    return Question(kind, target, slot, step)


class Pupil:
    """Somebody before a graph whose lesson asks questions."""

    def __init__(self, text: str, values: Mapping[str, float], cursor: int | None = None) -> None:
        self.document = Document()
        self.document.start(Drawing(from_expression(text, values)))
        self.playback = Playback(self.document, self.document)
        self.runner = QuizRunner(self.playback, self.document)
        self.turned: list[int] = []
        self.ends = 0
        self.runner.lesson_step_wanted.connect(self.turned.append)
        self.runner.all_done.connect(self._end)
        if cursor is not None:
            self.playback.backward()
            self.playback.go(cursor)

    def _end(self) -> None:
        self.ends += 1

    def node(self, name: str) -> int:
        found = self.document.graph.node_named(name)
        assert found is not None
        return found

    def wire(self, kind: Kind, wire: str) -> Question:
        trace = self.playback.frame.unhidden
        assert trace is not None
        return wire_question(kind, trace, wire)

    @property
    def quiz(self) -> Quiz:
        assert self.runner.now is not None
        return self.runner.now

    @property
    def strip(self) -> Strip:
        return write_strip(self.playback.now, StripContext())

    @property
    def sentence(self) -> str:
        return plain_text(self.strip.sentence)

    @property
    def line(self) -> str:
        return plain_text(self.strip.answer)

    @property
    def labels(self) -> list[str]:
        """The answers to choose from; those struck in brackets."""
        options = self.strip.options
        return [f"[{o.label}]" if o.state == "struck" else o.label for o in options]

    @property
    def acts(self) -> list[str]:
        return [button.act for button in self.strip.buttons if button.enabled]

    def give(self, *texts: str) -> None:
        """Type into all blanks, or choose what has this label, and press Answer."""
        options = {option.label: option for option in self.strip.options}
        for question, text in zip(self.quiz.blanks(self.playback.frame), texts, strict=True):
            typed = options[text].text if text in options else text
            self.runner.set_text(question, typed)
        self.runner.answer()

    def go_on(self) -> None:
        self.runner.answer()
