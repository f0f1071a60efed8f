"""Somebody who plays a lesson without a window: what they read, answer and move."""

from collections.abc import Iterator

from app.controls.spans import plain_text
from app.document.document import Document
from app.guide.play.guide import Learner, learner_of
from app.guide.run.demonstration import Tools, perform
from app.guide.run.guide_runner import GuideRunner
from app.guide.words.lesson_texts import end_rows
from app.guide.words.step_strip import step_strip
from app.lessons.course import Head
from app.lessons.load import lesson
from app.style.current import Style
from app.workbench.modes.quiz import Quiz
from app.workbench.playback.playback import Playback
from app.workbench.runners.hunt_runner import HuntRunner
from app.workbench.runners.loop_runner import LoopRunner
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.selection import Selection
from app.workbench.training import Training
from app.workbench.trials.gradient_checks import Checks
from app.workbench.words.strip import Strip, StripContext
from app.workbench.words.strip_writers import write_strip
from engine.asking.question import Question
from tests.helpers.lesson_learner import Knowing
from tests.helpers.window import until


class LessonPupil(Knowing):
    """The parts of a workbench that a lesson uses, and somebody who uses them."""

    def __init__(self, style: Style) -> None:
        self.document = document = Document()
        self._playback = Playback(document, document)
        self.modes = QuizRunner(self._playback, document)
        self.loops = LoopRunner(document, self._playback, document)
        self._training: Training | None = None
        selection = Selection(document, document)
        self.tools = Tools(
            document,
            self._playback,
            selection,
            self.modes,
            HuntRunner(self._playback, selection, document),
            self.loops,
            Checks(self._playback, document),
            self._made_training,
        )
        self.guides = GuideRunner(self.tools, style, document)

    def _made_training(self) -> Training:
        if self._training is None:
            self._training = Training(self.document)
        return self._training

    @property
    def playback(self) -> Playback:
        return self._playback

    @property
    def quiz(self) -> Quiz:
        assert self.modes.now is not None
        return self.modes.now

    def begin(self, head: Head) -> None:
        """Begin a lesson of the course."""
        assert self.guides.begin(learner_of(lesson(head.name)))

    # what they read

    @property
    def state(self) -> Learner:
        found = self.guides.learner
        assert found is not None
        return found

    @property
    def boxes(self) -> tuple[Question, ...]:
        """The questions that have a blank in the sentence now."""
        return self.quiz.blanks(self.playback.frame)

    @property
    def strip(self) -> Strip:
        now, context = self.playback.now, StripContext(in_lesson=self.guides.active)
        content = write_strip(now, context)
        return step_strip(content, self.state, now, context) if self.guides.active else content

    @property
    def line(self) -> str:
        """What is said of the answers."""
        return plain_text(self.strip.answer)

    @property
    def said(self) -> str:
        """All that the strip says now."""
        strip = self.strip
        shown = *(button.text for button in strip.buttons), strip.note
        return " ".join((plain_text(strip.sentence), plain_text(strip.answer), *shown, ""))

    @property
    def struck(self) -> list[str]:
        """The choices that were wrong."""
        return [option.label for option in self.strip.options if option.state == "struck"]

    @property
    def listed(self) -> list[str]:
        """The wrong answers of the end page, as they are read."""
        return [row.spoken for row in end_rows(self.state)]

    # what they do

    def give(self, *texts: str) -> None:
        """Answer all blanks of the sentence, or click the node that is asked for."""
        if self.boxes[0].kind == "next":
            node = self.document.graph.node_named(texts[0])
            assert node is not None
            self.modes.click(node)
            return
        choices = {o.label.lstrip("+").replace("−", "-"): o.text for o in self.strip.options}
        for question, text in zip(self.boxes, texts, strict=True):
            self.modes.set_text(question, choices.get(text, text))
        self.modes.answer()

    def answer_all(self) -> None:
        """Answer each question of the step rightly."""
        while not self.state.ended:
            if self.boxes:
                self.give(*map(self.right, self.boxes))
            else:
                self.modes.answer()

    def do_step(self) -> None:
        """Do what the step asks for."""
        step = self.state.step
        assert step is not None
        if step.kind == "ask":
            self.answer_all()
        elif step.kind == "hunt":
            hunt = self.playback.now.hunt
            assert hunt is not None
            self.playback.to_end()
            self.tools.hunting.name(hunt.mistake)
        elif step.kind == "do":
            self.tools.checks.watch(step.panel == "numeric")  # its page is open
            for move in step.moves:
                perform(self.tools, move)
                until(lambda: not self._is_training)

    def be_shown(self) -> None:
        """Have the task of the step shown, until it is done."""
        step = self.state.step
        assert step is not None
        assert not self.state.ended
        self.tools.checks.watch(step.panel == "numeric")  # its page is open
        if step.begun.mode == "training":
            self._made_training()
        self.set_full_pace()
        self.guides.show_me()
        until(lambda: self.state.ended == "shown" and not self._is_training)

    def set_full_pace(self) -> None:
        """Let training wait for nobody."""
        self.loops.set_pace("full")
        if self._training is not None:
            self._training.set_pace("full")

    @property
    def _is_training(self) -> bool:
        training = self._training
        return self.loops.running or (training is not None and training.running)

    def steps(self) -> Iterator[int]:
        """Yield the index of each step as it is entered, and go on after it."""
        while self.state.step is not None:
            at = self.state.at
            self.set_full_pace()
            yield at
            assert self.state.may_go_on, f"step {at + 1} is not done"
            self.guides.go_on()
            assert self.state.at == at + 1
