"""A monkey that gives lectures: remote keys, hands, live edits, other files in the middle of it."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QWidget

from app.document.sheet import Sheet
from app.guide.play.guide import Learner, Room
from app.guide.play.poll import Poll, PollChoice
from app.guide.run.guide_runner import GuideRunner
from app.lessons.course import course
from app.style.theme import DARK, LIGHT, PROJECTOR
from app.window.commands.file_actions import open_now
from app.window.commands.lesson_actions import begin_lesson
from app.window.frame.main_window import MainWindow
from engine.asking.judging import number_text
from engine.asking.kinds import answer
from engine.errors import EngineError
from engine.frame import Phase
from engine.rules import CORRECT, MISTAKES
from engine.trace import run
from tests.helpers import mouse
from tests.helpers.lecturing import Lecturer
from tests.helpers.monkey import EXAMPLES, Monkey
from tests.helpers.steps import PlannedStep, lesson_of, question_kinds, step_at, with_kind
from tests.helpers.window import forget_changes, open_example

HOUR = Path(__file__).parents[1] / "journeys" / "an-hour.toml"
REMOTE = (
    *(("PageDown", mouse.NONE),) * 8,
    *(("PageUp", mouse.NONE),) * 3,
    *((key, mouse.NONE) for key in ("Right", "Left", "Space", "Down", "Down", "Up", "Period")),
    *((key, mouse.NONE) for key in ("B", "W", "T", "R", "R", "X", "E", "0", "1", "2", "3", "4")),
    *((key, mouse.SHIFT) for key in ("1", "2", "3", "4", "Space", "F5")),
    *((key, mouse.ALT) for key in ("1", "2", "3", "4")),
    *((key, mouse.CTRL) for key in ("Down", "Up", "Plus", "Minus")),
    *(("F5", mouse.NONE), ("Escape", mouse.NONE), ("Return", mouse.NONE), ("Tab", mouse.NONE)),
)
TYPED = ("17", "-4", "9999", "10000", "x", "", "3/4", "nan", "1e400")


class Own(Struct, frozen=True, eq=False):
    """What a lecture must give back: the sheet, whether it is saved, the steps, the pass."""

    sheet: Sheet
    modified: bool
    steps: int
    inside: int | None
    rules: str
    phase: Phase
    cursor: int

    @staticmethod
    def of(window: MainWindow) -> "Own":
        document, playback = window.document, window.playback
        return Own(
            document.sheet,
            document.modified,
            len(document.done),
            document.inside,
            playback.rules.name,
            playback.phase,
            playback.cursor,
        )

    def differences(self, other: "Own") -> list[str]:
        """The names of what is not the same."""
        return [
            name for name in self.__struct_fields__ if getattr(self, name) != getattr(other, name)
        ]


class LecturingMonkey(Monkey):
    """Throws what happens in lecture rooms, among what happens at desks."""

    def __init__(self, window: MainWindow, seed: int) -> None:
        super().__init__(window, seed)
        self.lecturer = Lecturer(window)
        self.lectures = 0
        self._folder = TemporaryDirectory()
        self.file = Path(self._folder.name) / "an hour.toml"
        self.file.write_text(HOUR.read_text("utf-8"), "utf-8")
        self.deeds = (
            *((weight, deed) for weight, deed in self.deeds if deed not in (self.act, self.resize)),
            (8, self.begin),
            (120, self.remote),
            (25, self.speak),
            (12, self.type_count),
            (4, self.write_step),
            (6, self.edit_steps),
            (3, self.open_other),
            (2, self.change_look),
            (1, self.close_and_stay),
        )
        self._make_speaker()
        self.owned: Own | None = None
        lecture = window.context.guides
        self._begin, self._end = lecture.begin, lecture.end
        lecture.begin = self._watched_begin  # pyright: ignore[reportAttributeAccessIssue]
        lecture.end = self._watched_end  # pyright: ignore[reportAttributeAccessIssue]

    def _make_speaker(self) -> None:
        """Make what a lecture makes late, so that leaks stand out."""
        self.window.document.set_lesson(
            lesson_of([PlannedStep()], self.window.document.graph), "Add a planned"
        )
        self.window.commands["speaker"].trigger()
        self.window.leave_full_screen()
        forget_changes(self.window)
        open_example(self.window)

    @property
    def runner(self) -> GuideRunner:
        return self.window.context.guides

    # what a lecture has to give back

    def _watched_begin(self, guide: Learner | Room, *, goes_on: bool = False) -> bool:
        if isinstance(guide, Learner):
            return self._begin(guide)
        self._watched_end()  # also a learner's lesson, whose sheet is the user's own then
        owned = Own.of(self.window)
        begun = self._begin(guide, goes_on=goes_on)
        self.owned = owned if begun else None
        self.lectures += begun
        return begun

    def _watched_end(self) -> None:
        was_on = self.runner.room is not None
        self._end()
        if was_on and self.owned is not None:
            found = self.owned.differences(Own.of(self.window))
            if found:
                self.faults.append(f"a lecture gives back another {', '.join(found)}")

    # deeds

    def begin(self) -> str:
        """Begin a lecture on some steps, on a lesson, or from an opened file."""
        if self.runner.room is not None:
            return "one is on"
        window, how = self.window, self.chance.random()
        if how < 0.2:
            open_now(window.context, self.file)
        elif how < 0.35:
            self._begin_lesson()
        elif how < 0.9 or not window.document.sheet.lesson:
            window.document.set_lesson(lesson_of(self._steps(), window.document.graph), "Add steps")
        name = self.chance.choice(("presentation", "speaker", "present_step"))
        window.commands[name].trigger()
        return f"{name}, {window.document.sheet.lesson.count('[[step]]')} steps"

    def remote(self) -> str:
        """Press a key of the remote, in the room's window or in the speaker's."""
        name, modifiers = self.chance.choice(REMOTE)
        self.lecturer.pause = self.chance.choice((1000, 1000, 1000, 10))
        target = self._focused()
        speaker = self.window.speaker.window
        if speaker is not None and speaker.isVisible() and self.chance.random() < 0.4:
            target = speaker.focusWidget() or speaker
        QTest.keyClick(target, Qt.Key[f"Key_{name}"], modifiers)
        return f"{name} {modifiers.name} at {type(target).__name__}"

    def speak(self) -> str:
        """Click or move the mouse somewhere in the speaker's window, or let it be swapped."""
        speaker = self.window.speaker.window
        if speaker is None or not speaker.isVisible():
            return "it is closed"
        shown = [w for w in speaker.findChildren(QWidget) if w.isVisible() and w.isEnabled()]
        widget = self.chance.choice((speaker.now, *shown))
        at = QPoint(
            self.chance.randrange(max(widget.width(), 1)),
            self.chance.randrange(max(widget.height(), 1)),
        )
        deed = self.chance.random()
        if deed < 0.3:
            QTest.mouseMove(widget, at)
        elif deed < 0.9:
            QTest.mouseClick(widget, mouse.LEFT, mouse.NONE, at)
        elif deed < 0.97:
            speaker.resize(self.chance.randint(400, 1900), self.chance.randint(300, 1000))
        else:
            speaker.close()
        return f"{type(widget).__name__} {at} {deed:.2f}"

    def type_count(self) -> str:
        """Type a count or a number into a field of the speaker's window."""
        speaker = self.window.speaker.window
        if speaker is None or not speaker.isVisible():
            return "it is closed"
        speaker.activateWindow()
        speaker.cards.focus_field(self.chance.randrange(4))
        text = self.chance.choice(TYPED)
        field = speaker.cards.typed_field
        if field is not None:
            QTest.keyClicks(field, text)
            QTest.keyClick(field, self.chance.choice((Qt.Key.Key_Return, Qt.Key.Key_PageDown)))
        return text

    def write_step(self) -> str:
        """Press A."""
        self.window.commands["add_step"].trigger()
        return ""

    def edit_steps(self) -> str:
        """Do to the steps of the sheet what the page Lesson does."""
        recorder, chance = self.window.context.recorders.get(), self.chance
        count = len(recorder.steps)
        if not count or self.window.document.locked:
            return "there are none"
        recorder.choose(chance.randrange(count))
        acts: tuple[tuple[str, Callable[[], object]], ...] = (
            ("move", lambda: recorder.move(chance.randrange(count), chance.randrange(count))),
            ("say", lambda: recorder.set_kind("say")),
            ("ask", lambda: recorder.set_kind("ask")),
            ("blank", lambda: recorder.set_kind("blank")),
            ("sheet", recorder.take_sheet),
            ("its sheet", recorder.show_step),
            ("back", recorder.come_back),
            ("remove", recorder.remove),
            ("time", lambda: recorder.set_step(timer=chance.choice((0, 1, 60)))),
        )
        name, act = chance.choice(acts)
        act()
        return name

    def open_other(self) -> str:
        """Open another document or lesson, also in the middle of a lecture."""
        forget_changes(self.window)
        how = self.chance.random()
        if how < 0.3:
            open_now(self.window.context, self.file)
            return "a lecture"
        if how < 0.6:
            return self._begin_lesson()
        name = self.chance.choice(EXAMPLES)
        open_example(self.window, name)
        return name

    def change_look(self) -> str:
        style = self.window.context.style
        style.use_theme(self.chance.choice((LIGHT, DARK, PROJECTOR)))
        self.window.resize(self.chance.randint(880, 1300), self.chance.randint(560, 900))
        return style.theme.name

    def close_and_stay(self) -> str:
        """Close the window, and answer its question with Cancel."""
        if not self.window.context.files.unsaved:
            return "it would be gone"
        if self.runner.room is not None and self.owned is not None and not self.owned.modified:
            return "it would be gone"
        self.window.close()
        for dialog in self.window.findChildren(QDialog):
            dialog.reject()
        return ""

    def _begin_lesson(self) -> str:
        lessons = [lesson.name for unit in course().units for lesson in unit.lessons]
        name = self.chance.choice(lessons)
        begin_lesson(self.window.context, name)
        return name

    def _steps(self) -> list[PlannedStep]:
        """Some steps on the sheet as it is: a few that do not fit are among them."""
        graph, chance = self.window.document.graph, self.chance
        found: list[PlannedStep] = []
        for _ in range(chance.choice((1, 3, 8))):
            phase: Phase = chance.choice(("live", "forward", "backward", "backward"))
            rules = chance.choice((CORRECT, CORRECT, *MISTAKES))
            try:
                planned = step_at(graph, phase, chance.randint(0, 20), rules)
                planned = with_kind(
                    planned, graph, "ask", chance.choice(question_kinds(graph, planned))
                )
            except EngineError:
                planned = PlannedStep("blank", text="Nothing can be shown")
            found.append(planned if chance.random() < 0.8 else with_kind(planned, graph, "show"))
        return found

    # what must hold

    def _do(self) -> None:
        super()._do()
        found = self._wrong()
        if found:
            self._fail(found)

    def _wrong(self) -> str:
        """What does not hold of the lecture, or of its end; empty when all is well."""
        window, state = self.window, self.runner.room
        if self.runner.is_moving:
            return "the lecture is on its way, and no event is under way"
        if state is None:
            return self._wrong_without()
        if not window.presentation.on:
            return "a lecture without a presentation"
        if not (window.document.lent_to_lecture and self.runner.ticks.isActive()):
            return "a lecture on the user's own sheet, or without a clock"
        if state.slide.misfit:
            return f"a step is shown that does not fit: {state.slide.misfit}"
        if state.stage == "asked":
            return self._wrong_question(state)
        return ""

    def _wrong_without(self) -> str:
        window = self.window
        speaker, band = window.speaker.window, window.strip.room_strip_view
        wrong = {
            "the user's sheet is lent to no lecture": window.document.lent_to_lecture
            and not window.context.recorders.away,
            "the clock of no lecture runs": self.runner.ticks.isActive(),
            "the speaker's window of no lecture is open": speaker is not None
            and speaker.isVisible(),
            "the band of no lecture is shown": band is not None and band.isVisible(),
            "a line covers the window": window.presentation._line_screen is not None,
            "a sheet is locked that nobody presents": window.document.locked
            and not window.presentation.on,
        }
        return "; ".join(what for what, holds in wrong.items() if holds)

    def _wrong_question(self, state: Room) -> str:
        """What does not hold while a question is open: it is hidden, and its answer is right."""
        slide, playback = state.slide, self.window.playback
        question, begun, poll = slide.question, slide.situation, state.poll
        if poll is None:
            return "a question without a poll"
        if question is None or begun is None:
            return "" if sum(c.right for c in poll.choices) <= 1 else "two choices are right"
        if playback.now.quiz is None:
            return f"the question {question} is open and hides nothing"
        if self.window.document.graph != begun.graph:
            return "the sheet shows another graph than the question is about"
        return self._wrong_choices(
            state, poll, answer(question, run(begun.graph, rules=begun.rules))
        )

    def _wrong_choices(self, state: Room, poll: Poll, right: float) -> str:
        question = state.slide.question
        assert question is not None
        if state.slide.form == "choices" and len(poll.choices) == 1:
            return "one choice alone"
        digits = self.window.context.style.digits
        label = number_text(question, right, digits)
        for choice in poll.choices:
            if question.kind not in ("next", "sign") and choice.right != _is(choice, label, right):
                return f"{choice} for the answer {label}"
        return ""


def _is(choice: PollChoice, label: str, right: float) -> bool:
    """Whether a choice is the answer, perhaps rounded as it was called out."""
    if choice.label == label:
        return True
    return (
        choice.right and choice.number is not None and abs(choice.number - right) <= abs(right) / 50
    )
