"""One step of a pass that is asked about, without a window: a quiz, and what the strip says."""

from collections.abc import Mapping

from app.controls.spans import plain_text
from app.document.sheet import Group, Sheet
from app.workbench.modes.quiz import Quiz
from app.workbench.playback.view_state import ViewState
from app.workbench.words.asked import quiz_strip
from app.workbench.words.strip import Strip, StripContext
from engine.asking.kinds import answer
from engine.asking.question import LEVELS, Question
from engine.frame import Frame, frame_at
from engine.graph import Graph
from engine.numbers import DIGITS_SHOWN, Digits, plain
from engine.rules import CORRECT, Rules
from engine.trace import Trace, run, run_forward


class Quizzed:
    """A learner in front of one step, counted from 1."""

    def __init__(self, graph: Graph, level: str, step: int, rules: Rules = CORRECT) -> None:
        forward = level == "values"
        self.trace: Trace = run_forward(graph) if forward else run(graph, rules=rules)
        self.bare: Frame = frame_at(self.trace, step - 1)
        finals = tuple(
            leaf for leaf in graph.leaves if leaf in graph.plan(self.trace.root).with_gradient
        )
        self.quiz = Quiz(level=LEVELS[level], steps="every", finals=finals[:4], graph=graph)
        self.digits: Digits = DIGITS_SHOWN
        self.groups: Mapping[int, Group] = {}

    @property
    def frame(self) -> Frame:
        return self.quiz.hide(self.bare)

    @property
    def blanks(self) -> tuple[Question, ...]:
        return self.quiz.open_questions(self.frame)

    @property
    def now(self) -> ViewState:
        sheet = Sheet(self.trace.graph, groups=self.groups)
        return ViewState(sheet, self.frame, mode=self.quiz, unhidden_trace=self.trace)

    @property
    def strip(self) -> Strip:
        return quiz_strip(self.now, StripContext(digits=self.digits))

    @property
    def sentence(self) -> str:
        return plain_text(self.strip.sentence)

    @property
    def line(self) -> str:
        return plain_text(self.strip.answer)

    def right(self, question: Question) -> float:
        return answer(question, self.trace)

    def fill(self, texts: Mapping[Question, str]) -> None:
        """Type into the blanks; what is right into those of which nothing is said."""
        for question in self.blanks:
            text = texts.get(question, plain(self.right(question)))
            self.quiz = self.quiz.with_text(question, text)

    def answer(self, texts: Mapping[Question, str]) -> None:
        self.fill(texts)
        self.quiz = self.quiz.answered(self.frame, self.digits)

    def hint(self) -> None:
        self.quiz = self.quiz.hinted(self.frame)

    def click(self, node: int) -> None:
        self.quiz = self.quiz.clicked(self.frame, node)
