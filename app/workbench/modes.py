"""Modes: begins and ends the ways in which a learner is asked, and times the answers.

What the mode is and how far it has got belongs to the playback, beside the frame that it hides
parts of; here is what a learner does.
"""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QElapsedTimer, QObject, Signal

from app.workbench.asking import HINTS, TITLES, Asking, Mode, begun
from app.workbench.by_hand import ByHand
from app.workbench.looked import changed_leaves
from app.workbench.playback import Playback
from app.workbench.shown import Shown
from engine.errors import EngineError
from engine.formats.report import Report
from engine.frame import Frame
from engine.graph import Graph
from engine.numbers import DIGITS_SHOWN, Digits
from engine.problems import pass_obstacle
from engine.schedule import schedule_of
from engine.study.question import LEVELS, MOST_STEPS, Question

MS = 1000.0
_NOW_LAST = "All right first time: the next run asks about the last {steps:,} steps."
_TOO_LONG = "{mode} asks about passes of up to {most:,} steps; this one has {steps:,}."
_NO_GRADIENT = "Nothing to ask: no leaf leads to {root}, so nothing requires a gradient."
_NOW_WHOLE = "All right first time: the next run asks about every step."


class Modes(QObject):
    """Cover, Predict and By hand: one at a time, on the pass of one playback."""

    ended = Signal(object)
    """Emitted with the Report of a run in which something was answered."""
    changed = Signal()
    """Emitted after what is asked for has been chosen."""
    card_wanted = Signal()
    """Emitted when the learner turns to the card, which is open then."""

    def __init__(self, playback: Playback, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._playback = playback
        self.by_hand = ByHand(playback, self)
        self._level = "contribution"
        self._last: int | None = None
        self._since = QElapsedTimer()
        self._question: Question | None = None
        self._before: Asking | None = None
        self._drawn: tuple[int, Graph] | None = None
        self._last_report: Report | None = None
        playback.shown.connect(self._follow)

    @property
    def now(self) -> Asking | None:
        """Return the mode that is on, or None."""
        return self._playback.now.asking

    @property
    def level(self) -> str:
        """Return what is asked of each step: the name of a level."""
        return self._level

    @property
    def last(self) -> int | None:
        """Return how many of the last steps are asked about; None for all."""
        return self._last

    @property
    def question(self) -> Question | None:
        """Return what is asked now, or None."""
        now, frame = self.now, self._playback.frame
        return None if now is None else now.question(frame)

    @property
    def report(self) -> Report | None:
        """Return the run of Predict that is on, or the last one; None before the first answer."""
        now = self.now
        if now is not None and now.record.attempts:
            return now.report
        return self._last_report

    def toggle(self, mode: Mode) -> None:
        """Begin a mode, which ends another one, or end it if it is on."""
        if self.now is not None and self.now.mode == mode:
            self.leave()
        elif mode != "hunt":
            self._begin(mode)

    def leave(self) -> None:
        """End the mode that is on; its record is handed out."""
        self._playback.ask(None)

    def set_level(self, level: str) -> None:
        """Set what is asked of each step; the mode that is on begins again with it."""
        self.choose(level, self._last)

    def set_last(self, last: int | None) -> None:
        """Ask about the last steps only, this many; None for all."""
        self.choose(self._level, last)

    def choose(self, level: str, last: int | None) -> None:
        """Set both at once."""
        if (level, last) != (self._level, self._last):
            self._level, self._last = level, last
            self._begin_again()

    def note_drawn(self, seed: int, graph: Graph) -> None:
        """Remember the seed of the friendly numbers of a graph, for the record of its runs."""
        self._drawn = (seed, graph)

    # answering

    def check(self, text: str, digits: Digits = DIGITS_SHOWN) -> None:
        """Grade an answer; one that can't be read stays in the field with what to write."""
        if self.now is not None:
            self._playback.ask(self.now.answered(self._frame, text, digits, self._seconds))

    def hint(self) -> None:
        """Give one more hint, of three."""
        if self.now is not None and self.question is not None:
            self._playback.ask(replace(self.now, hints=min(self.now.hints + 1, HINTS)))

    def show_answer(self) -> None:
        """Show the answer; it does not count as right."""
        if self.now is not None:
            self._playback.ask(self.now.revealed(self._frame, self._seconds))

    def skip(self) -> None:
        """Pass over the question; it counts neither as right nor as wrong."""
        if self.now is not None:
            self._playback.ask(self.now.skipped(self._frame, self._seconds))

    def go_on(self) -> None:
        """Take the step whose questions are done."""
        if self.now is not None and self.now.is_done(self._frame):
            self._playback.step()

    def open_card(self) -> None:
        """Open the card, with the text that was kept, and give it the keyboard."""
        if self.now is not None and not self.now.card_open:
            self._playback.ask(replace(self.now, card_open=True))
        self.card_wanted.emit()

    def close_card(self, text: str) -> None:
        """Close the card, and keep the text of its field."""
        if self.now is not None and self.now.card_open:
            self._playback.ask(replace(self.now, card_open=False, text=text))

    # private

    @property
    def _frame(self) -> Frame:
        return self._playback.frame

    @property
    def _seconds(self) -> float:
        return self._since.elapsed() / MS if self._since.isValid() else 0.0

    def _begin(self, mode: Mode) -> None:
        """Begin a mode where it has something to ask, or say why it can't."""
        playback, once = self._playback, LEVELS[self._level].once
        playback.pause()
        self.by_hand.leave()
        problem = pass_obstacle(self._frame.graph)
        if problem is not None:
            playback.stuck.emit(problem, "backward")
            return
        obstacle = self._obstacle(mode)
        if obstacle:
            playback.said.emit(obstacle)
            return
        over = playback.phase == "backward" and playback.cursor == playback.frame.total
        if mode == "predict" and (playback.phase == "live" or over):
            playback.backward(cursor=0 if once else 1)
        elif once and playback.phase == "backward":
            playback.go(0)
        playback.ask(self._begun(mode))

    def _obstacle(self, mode: Mode) -> str:
        """Return why there is nothing to ask of a pass that can run, or too much; else ""."""
        graph = self._frame.graph
        assert graph.root is not None
        try:
            steps = schedule_of(graph, graph.root, "backward", self._playback.rules)
        except EngineError as error:
            return str(error)
        most = max(len(steps), self._frame.total)
        if most > MOST_STEPS:
            return _TOO_LONG.format(mode=TITLES[mode], most=MOST_STEPS, steps=most)
        if not any(firing.kind == "contribution" and firing.sends for firing in steps.firings):
            return _NO_GRADIENT.format(root=graph.brief(graph.root))
        return ""

    def _begun(self, mode: Mode) -> Asking:
        graph, rules = self._frame.graph, self._playback.rules
        seed = None
        if self._drawn is not None and not changed_leaves(self._drawn[1], graph):
            seed = self._drawn[0]
        asking = begun(mode, graph, self._level, self._last, rules, seed)
        return replace(asking, title=self._playback.title)

    def _begin_again(self) -> None:
        """Begin the mode that is on again; the record so far is handed out."""
        self.changed.emit()
        if self.now is not None and self.now.hunt is None:
            self._playback.ask(self._begun(self.now.mode))

    def _follow(self, shown: Shown) -> None:
        """Time questions, and hand out the record of a mode that has ended."""
        question = self.question
        if question != self._question:
            self._question = question
            self._since.restart()
        before, self._before = self._before, shown.asking
        if before is not None and before.record.attempts and not _goes_on(before, shown.asking):
            self._last_report = before.report
            self.ended.emit(self._last_report)
        if shown.asking is not None:
            self._fade(shown.asking, shown.frame)

    def _fade(self, asking: Asking, frame: Frame) -> None:
        """After a clean round ask about one step more in the next one, and say so."""
        following = asking.next_last(frame)
        if asking.last is None or following in (asking.last, self._last):
            return
        self._last = following
        self.changed.emit()
        assert following is not None
        whole = following >= frame.total
        template = _NOW_WHOLE if whole else _NOW_LAST
        self._playback.said.emit(template.format(steps=following))


def _goes_on(before: Asking, now: Asking | None) -> bool:
    """Return whether a mode is still the run that it was."""
    return now is not None and (
        now.mode == before.mode
        and len(now.record.attempts) >= len(before.record.attempts)
        and now.record.level == before.record.level
    )
