"""A learner in a lesson: reads its page and the strip, answers, makes its moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.controls.panel import Page
from app.guide.play import guide
from app.lessons.situation import Move
from app.panels.lesson import LessonPage
from app.panels.mistakes import MistakesPage
from app.panels.numeric import NumericPage
from app.panels.train import TrainPage
from app.window.frame.main_window import MainWindow
from app.workbench.modes.quiz import Quiz
from app.workbench.playback.playback import Playback
from app.workbench.words.strip import Act
from engine.asking.answering import first_try_feedback
from engine.asking.beliefs import belief_numbers
from engine.asking.hand_run import next_slip_sentence
from engine.asking.judging import judge, number_choices
from engine.asking.kinds import answer
from engine.asking.question import Question
from engine.graph import OpNode
from engine.numbers import parse_number, plain, short
from engine.rules import BY_NAME
from engine.trace import Trace
from tests.helpers import mouse
from tests.helpers.answering import acts, button, push, quiz, type_into_blank
from tests.helpers.mouse import at_header, at_number, double_click, node_named, type_into_focus
from tests.helpers.window import CTRL, SHIFT, click, press, until

ENTER, TAB, F6 = Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_F6
FIRST_LESSON = TAB, ENTER
"""The keys that begin lesson 1 on a newcomer's start page."""
ON, BACK = Qt.Key.Key_PageDown, Qt.Key.Key_PageUp
LEFT, RIGHT = Qt.Key.Key_Left, Qt.Key.Key_Right
UP, DOWN = Qt.Key.Key_Up, Qt.Key.Key_Down
_SAME_COLUMN = 60


class Knowing:
    """What somebody in a lesson knows: the right answers, and the wrong ones that are named."""

    @property
    def playback(self) -> Playback:
        """The pass that is asked about."""
        raise NotImplementedError

    @property
    def quiz(self) -> Quiz:
        """The questions that are open."""
        raise NotImplementedError

    def right(self, question: Question) -> str:
        """The right answer as it is typed, or the text of the right choice."""
        own = self.quiz.ask_of(question)
        if own is not None and own.choices:
            return next(choice.text for choice in own.choices if choice.right)
        trace = self.playback.now.unhidden_trace
        assert trace is not None
        number = answer(question, trace)
        if question.kind == "next":
            return trace.graph.names[int(number)]
        return short(number) if self.chooses else plain(number)

    @property
    def chooses(self) -> bool:
        """Whether the questions are answered by choices."""
        asked = self.quiz.lesson_questions
        return asked is not None and asked.by_choices

    def wrong(self, question: Question) -> list[tuple[str, str]]:
        """Each wrong answer that a slip or a lesson's own choice gives, and what is said of it."""
        now = self.quiz
        own, trace = now.ask_of(question), self.playback.now.unhidden_trace
        if own is not None and own.choices:
            return [(each.text, each.say) for each in own.choices if not each.right]
        assert trace is not None
        assert now.lesson_questions is not None
        if question.kind == "next":
            return [*self._too_early(question, trace)]
        numbers = [number for _slip, number in belief_numbers(question, trace)]
        texts = [plain(number) for number in numbers]
        if self.chooses:
            texts = [short(number) for number in number_choices(question, trace)]
        found = dict[str, str]()
        for text in texts:
            judged = judge(trace, [(question, text)])[0]
            if not judged.right:
                found[text] = first_try_feedback(judged, trace, (question,))
        return [*found.items()]

    def _too_early(self, question: Question, trace: Trace) -> Iterator[tuple[str, str]]:
        """Yield each operation that may not fire next, and the sentence about it."""
        graph, root = trace.graph, trace.root
        fired = {event.sender for event in trace.events[: question.step - 1] if event.wire}
        for node in graph.nodes:
            said = next_slip_sentence(graph, root, fired, node)
            if said and isinstance(graph.nodes[node], OpNode):
                yield graph.names[node], said


class Learner(Knowing):
    """Somebody in a lesson; with `by_keys` the mouse is never touched."""

    def __init__(self, window: MainWindow, *, by_keys: bool = False) -> None:
        self.window, self.by_keys = window, by_keys

    @property
    def playback(self) -> Playback:
        return self.window.playback

    @property
    def quiz(self) -> Quiz:
        return quiz(self.window)

    # what a learner reads

    @property
    def state(self) -> guide.Learner:
        found = self.window.context.guides.learner
        assert found is not None, "no lesson has begun"
        return found

    @property
    def page(self) -> LessonPage:
        return cast("LessonPage", self.window.bar.get("lesson"))

    @property
    def boxes(self) -> tuple[Question, ...]:
        """The questions that have a blank in the sentence now."""
        return quiz(self.window).blanks(self.window.playback.frame)

    @property
    def at_end(self) -> bool:
        return self.page.player.end.isVisible()

    @property
    def count(self) -> str:
        """What the end page says of the first answers: `2 of 3 right first time`."""
        return self.page.player.end.right_count.text()

    @property
    def listed(self) -> list[str]:
        """The wrong answers on the end page, as they are read, without when they come back."""
        return [text.partition(" Comes back in ")[0] for text in self.read_out]

    @property
    def read_out(self) -> list[str]:
        """The rows of the end page, as they are read."""
        answers = self.page.player.end.answers
        return answers.texts() if answers.isVisible() else []

    @property
    def struck(self) -> list[str]:
        """The choices that were wrong."""
        buttons = self.window.strip.options.buttons
        return [b.text() for b in buttons if b.isVisible() and not b.isEnabled()]

    # what a learner does

    def give(self, *texts: str) -> None:
        """Choose the answer, or type one into each blank, and press Answer."""
        buttons = [b for b in self.window.strip.options.buttons if b.isVisible()]
        if self.boxes[0].kind == "next":
            self.click_node(texts[0])
            return
        if buttons:
            self._choose(texts[0])
        elif self.by_keys:
            for place, text in enumerate(texts):
                if place:
                    press(self.window, TAB)
                type_into_focus(text)
        else:
            for place, text in enumerate(texts):
                type_into_blank(self.window, text, place)
        self.act("answer")

    def _choose(self, text: str) -> None:
        label = text.replace("-", "−")
        buttons = [b for b in self.window.strip.options.buttons if b.isVisible()]
        labels = [button.text().lstrip("+") for button in buttons]
        place = labels.index({"1": "rises", "−1": "falls", "0": "stays"}.get(label, label)
                             if "rises" in labels else label)  # fmt: skip
        if self.by_keys:
            are_numbers = parse_number(labels[place]) is not None
            press(
                self.window, *(labels[place].replace("−", "-") if are_numbers else str(place + 1))
            )
        else:
            click(buttons[place])

    def act(self, act: str) -> None:
        if self.by_keys:
            press(self.window, ENTER)
        else:
            push(self.window, act)  # pyright: ignore[reportArgumentType]

    def answer_all(self) -> None:
        """Answer each question of the step rightly."""
        while not self.state.ended:
            if self.boxes:
                self.give(*map(self.right, self.boxes))
            else:
                self.act("go on")

    def set_value(self, node: int, number: float) -> None:
        """Type another number into a leaf."""
        view = self.window.canvas
        if self.by_keys:
            self.walk_to(node)
            press(self.window, ENTER)
        else:
            double_click(view, at_number(view, node))
        type_into_focus(plain(number))
        mouse.key(ENTER)
        QApplication.processEvents()

    def click_node(self, name: str) -> None:
        """Click a node, or go there by keys and press Enter."""
        node = node_named(self.window.canvas, name)
        if self.by_keys:
            self.walk_to(node)
            press(self.window, ENTER)
        else:
            mouse.click(self.window.canvas, at_header(self.window.canvas, node))
        QApplication.processEvents()

    def walk_to(self, node: int) -> None:
        """Move the focus on the sheet to a node."""
        window = self.window
        self.turn_to_canvas()
        for way in (UP,) * 8 + (DOWN,) * 16:
            if window.selection.focus == node:
                return
            press(window, way)
        boxes = window.canvas.scene.boxes
        for _ in range(40):
            focus = window.selection.focus
            if focus == node:
                return
            if focus is None:
                press(window, UP)
                continue
            dx, dy = boxes[node].x - boxes[focus].x, boxes[node].y - boxes[focus].y
            if abs(dx) > _SAME_COLUMN:
                press(window, RIGHT if dx > 0 else LEFT)
            if window.selection.focus == focus or abs(dx) <= _SAME_COLUMN:
                press(window, DOWN if dy > 0 else UP)
        raise AssertionError(f"the arrows do not lead to {window.document.graph.names[node]}")

    def turn_to_canvas(self) -> None:
        """F6 until the sheet has the keyboard."""
        for _ in range(8):
            if self.window.canvas.hasFocus():
                return
            press(self.window, F6)
        raise AssertionError("F6 never comes to the sheet")

    def step_to(self, cursor: int) -> None:
        """Press Backward and Step until the pass is there."""
        window = self.window
        if self.by_keys:
            self.turn_to_canvas()
            if window.selection.anything or window.selection.focus is not None:
                press(window, Qt.Key.Key_Escape)
        if window.playback.phase != "backward" and self.by_keys:
            press(window, "b")
        while window.playback.cursor < cursor:
            if self.by_keys:
                press(window, RIGHT)
            else:
                push(window, "step")

    def make(self, moves: tuple[Move, ...]) -> None:
        """Do what Show me would do."""
        for move in moves:
            getattr(self, f"make_{move.verb}")(move)

    def make_set(self, move: Move) -> None:
        assert move.node is not None
        self.set_value(move.node, move.number)

    def make_step(self, move: Move) -> None:
        self.step_to(int(move.number))

    def make_mistake(self, move: Move) -> None:
        self.switch_on(move.name)

    def make_fire(self, move: Move) -> None:
        """Let a node fire, the root's seed first, also against the warning."""
        window, hand = self.window, self.window.context.modes.by_hand
        assert hand.now is not None
        assert move.node is not None
        names, root = window.document.graph.names, window.document.graph.active_root
        if hand.now.needs_seed:
            assert root is not None
            if self.by_keys:
                self.turn_to_canvas()
                press(window, ENTER)
            else:
                mouse.click(window.canvas, at_header(window.canvas, root))
            type_into_focus("1")
            mouse.key(ENTER)
            QApplication.processEvents()
        self.click_node(names[move.node])
        if hand.now is not None and hand.now.refused is not None:
            if self.by_keys:
                press(window, ENTER, modifier=SHIFT)
            else:
                push(window, "force")

    def make_method(self, move: Move) -> None:
        """Choose the method on the page Numeric."""
        way = cast("NumericPage", self.open_page("numeric")).method
        button = way.button(move.name)
        if self.by_keys:
            way.button(way.choice()).setFocus()  # F6 and Tab lead here
            for key in (UP, UP, DOWN, DOWN):
                if way.choice() != move.name:
                    press(self.window, key)
        else:
            click(button)

    def make_h(self, move: Move) -> None:
        """Type another step on the page Numeric."""
        field = cast("NumericPage", self.open_page("numeric")).step.field
        field.setFocus()
        press(self.window, "a", modifier=CTRL)
        type_into_focus(move.text.partition(" ")[2])
        mouse.key(ENTER)
        QApplication.processEvents()

    def make_unfold(self, move: Move) -> None:
        """Select the node and unfold it."""
        assert move.node is not None
        node, window = move.node, self.window
        if self.by_keys:
            self.walk_to(node)
            press(window, Qt.Key.Key_Space)
        else:
            mouse.click(window.canvas, at_header(window.canvas, node))
        self.choose_command("Unfold into")

    def make_update(self, _move: Move) -> None:
        """Do one epoch of the descent."""
        self._train("epoch")

    def make_epochs(self, _move: Move) -> None:
        """Do ten epochs of the descent, or run the network as long as the lesson wants."""
        window = self.window
        if window.context.descents.now is not None:
            self._train("epochs")
            return
        page = cast("TrainPage", self.open_page("train"))
        training = page.training.training
        if self.by_keys:
            press(window, F6)
            page.training.run_row.run.setFocus()  # Tab leads here
            press(window, ENTER)
        else:
            click(page.training.run_part.run)
        training.set_pace("full")
        until(lambda: not training.running)
        QApplication.processEvents()

    def _train(self, act: Act) -> None:
        loops = self.window.context.descents
        loops.set_pace("full")
        if self.by_keys:
            button(self.window, act).setFocus()  # F6 and Tab lead here
            press(self.window, ENTER)
        else:
            push(self.window, act)
        until(lambda: not loops.running)
        QApplication.processEvents()

    def choose_command(self, text: str) -> None:
        """Find an action in the command palette."""
        press(self.window, Qt.Key.Key_P, modifier=CTRL | SHIFT)
        type_into_focus(text)
        mouse.key(ENTER)
        QApplication.processEvents()
        self.window.activateWindow()
        until(self.window.isActiveWindow)

    def open_page(self, name: str) -> Page:
        """Open the page of the step by its button in the task card."""
        if self.window.bar.name != name:
            card = self.page.player.card.page
            if self.by_keys:
                card.setFocus()  # F6 and Tab lead here
                press(self.window, ENTER)
            else:
                click(card)
        assert self.window.bar.name == name
        assert self.window.bar.page is not None
        return self.window.bar.page

    def switch_on(self, mistake: str) -> None:
        """Choose a mistake on its page, or by the command palette."""
        title = BY_NAME[mistake].title
        if self.by_keys:
            self.choose_command(title)
        else:
            click(self.page.player.card.page)
            rows = cast("MistakesPage", self.window.bar.page).choose.list
            place = next(k for k, text in enumerate(rows.texts()) if title in text)
            mouse.click(rows, rows.rect_of(place).center())
        QApplication.processEvents()

    def name_mistake(self) -> None:
        """Step to the end, open Mistakes and name the one that is on."""
        hunt = self.window.playback.now.hunt
        assert hunt is not None
        if self.by_keys:
            self.turn_to_canvas()
            press(self.window, Qt.Key.Key_End)
            press(self.window, Qt.Key.Key_4, modifier=CTRL)
        else:
            while "step" in acts(self.window):
                push(self.window, "step")
            click(self.page.player.card.page)
        part = cast("MistakesPage", self.window.bar.page).hunt
        part.guess.setFocus()
        type_into_focus(hunt.mistake.title)
        QApplication.processEvents()
        mouse.key(ENTER)

    def go_on(self) -> None:
        """Press Next, or Go on; from another page, turn back to that of the lesson first."""
        if self.window.bar.name not in ("", "lesson"):
            self.turn_to_lesson()
        if self.by_keys:
            press(self.window, ON)
        else:
            push(self.window, "next" if "next" in acts(self.window) else "go on")

    def turn_to_lesson(self) -> None:
        """Open the page of the lesson by its tile, or by Ctrl+1."""
        if self.by_keys:
            press(self.window, Qt.Key.Key_1, modifier=CTRL)
        else:
            click(self.window.bar.tiles["lesson"])

    def do_step(self) -> None:
        """Do what the step asks for."""
        step = self.state.step
        assert step is not None
        if step.kind == "ask":
            self.answer_all()
        elif step.kind == "do":
            self.make(step.moves)
        elif step.kind == "hunt":
            self.name_mistake()

    def steps(self) -> Iterator[int]:
        """Yield the index of each step as it is entered, and go on after it."""
        while not self.at_end:
            at = self.state.at
            yield at
            assert self.state.may_go_on, f"step {at + 1} is not done"
            self.go_on()
            assert self.state.at == at + 1
