"""ViewState: the playback's one message to all views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from app.document.boxes import all_members
from app.document.change import NO_CHANGE, Change
from app.document.sheet import Sheet
from app.lessons.course import Folded
from app.workbench.gradients.comparison import Comparison, compare
from app.workbench.modes.evidence import Evidence
from app.workbench.modes.mode import STEPPING, ByHand, Mode
from app.workbench.modes.quiz import Quiz
from engine.asking.hand_run import HandRun
from engine.asking.nudge import GraphRipple
from engine.asking.question import MODE_TITLES, Question
from engine.asking.reasons import named_nodes
from engine.frame import Frame
from engine.graph import Wire
from engine.rules import CORRECT, Rules
from engine.trace import Trace

if TYPE_CHECKING:
    from app.workbench.modes.hunt import Hunt
    from app.workbench.modes.loop import LoopState


class ViewState(Struct, frozen=True, eq=False):
    """A sheet, its frame, and how it is viewed; the frame belongs to the sheet's graph.

    `inside` is the entered group, or None. `mode` is the learner's activity; the frame hides the
    numbers it asks for. `comparison` compares the pass with the correct one under a mistake.
    `change` is the edit of the document that led here; NO_CHANGE if only the playback moved.
    `rules` are those of the next backward pass, or of the one that is shown.
    """

    sheet: Sheet
    frame: Frame
    inside: int | None = None
    mode: Mode = STEPPING
    comparison: Comparison | None = None
    change: Change = NO_CHANGE
    rules: Rules = CORRECT
    unhidden_trace: Trace | None = None
    """The pass with the steps and numbers that `frame` may hide; answers are judged by it."""
    ripple: GraphRipple | None = None
    """The effect of a changed number on all nodes, shown in the graph."""
    dragged: bool = False
    """Whether `ripple` is that of a value being dragged, since the press."""
    evidence: Evidence | None = None
    """The question whose truth or experiment `ripple` is, until Go on."""
    folded: frozenset[Folded] = frozenset()
    """What the lesson that is on does not show, as it keeps it for later."""
    released: GraphRipple | None = None
    """The ripple of a value that was dragged, until something else is shown."""

    @property
    def hides_numbers(self) -> bool:
        """Return whether numbers are asked for, so that no view may give them away.

        At the end of a backward pass Cover and Ask me ask no more.
        """
        quiz, frame = self.quiz, self.frame
        at_end = frame.phase == "backward" and frame.cursor == frame.total > 0
        asks_no_more = (
            quiz is not None and at_end and not (frame.hides == "end" or quiz.shows_answer)
        )
        return self.asks and not asks_no_more

    @property
    def values(self) -> Mapping[int, float]:
        """Return the values of all nodes, also of those not yet computed in a forward pass."""
        return self.frame.values if self.unhidden_trace is None else self.unhidden_trace.values

    @property
    def asks(self) -> bool:
        """Return whether the learner is asked about the pass, so that parts of it are hidden."""
        return self.mode.asks

    @property
    def opens(self) -> frozenset[int]:
        """Return the collapsed groups that are opened for a question: those that hold its nodes.

        Where a node is to be chosen, all are; without a question those of the step that is shown.
        Once help or a verdict is shown, so are the nodes that it names, and on which its marks lie.
        """
        frame, groups = self.frame, self.sheet.groups
        if not self.mode.opens_groups or not groups:
            return frozenset()
        asked = self._questions
        chooses = self.mode.takes_clicks(frame) or any(q.kind == "next" for q in asked)
        nodes, step = self.asked_nodes, frame.current
        if not asked and step is not None:
            nodes = frozenset((step.node, getattr(step, "sender", step.node)))
        members = all_members(groups)
        return frozenset(
            n for n, g in groups.items() if g.collapsed and (chooses or members[n] & nodes)
        )

    @property
    def asked_nodes(self) -> frozenset[int]:
        """Return the nodes that the question names, and what is said of it."""
        quiz, trace = self.quiz, self.frame.unhidden
        if quiz is None or trace is None:
            return frozenset()
        helped = bool(quiz.rung or quiz.way or quiz.answered_questions)
        asked = (q for q in self._questions if q.kind != "text")
        return frozenset[int]().union(*(named_nodes(q, trace, helped=helped) for q in asked))

    @property
    def asked_step(self) -> tuple[int, Wire] | None:
        """Return the receiver and the wire of the step that is asked about, or None."""
        wire = next((q.wire for q in self._questions if q.wire is not None), None)
        source = None if wire is None else self.frame.graph.source(wire)
        return None if wire is None or source is None else (source, wire)

    @property
    def _questions(self) -> Sequence[Question]:
        quiz = self.quiz
        return () if quiz is None else quiz.answered_questions or quiz.questions(self.frame)

    @property
    def does_task(self) -> bool:
        """Return whether the mode of the sheet's task is on."""
        task = self.sheet.task
        if task is None:
            return False
        return (
            self.loop is not None
            if task.start == "descent"
            else self.mode.title == MODE_TITLES[task.start]
        )

    @property
    def takes_clicks(self) -> bool:
        """Return whether a click on a node says which one fires."""
        return self.mode.takes_clicks(self.frame)

    @property
    def is_before_pass(self) -> bool:
        """Return whether a question is asked before the backward pass, of which no step is done."""
        quiz = self.quiz
        return quiz is not None and quiz.begins_before_seed and not self.frame.cursor

    # for the pages and marks of one mode

    @property
    def quiz(self) -> Quiz | None:
        """Return Cover or Ask me, or None."""
        return self.mode if isinstance(self.mode, Quiz) else None

    @property
    def by_hand(self) -> HandRun | None:
        """Return the pass that the learner does by hand, or None."""
        return self.mode.run if isinstance(self.mode, ByHand) else None

    @property
    def hunt(self) -> Hunt | None:
        return cast("Hunt", self.mode) if self.mode.name == "hunt" else None

    @property
    def loop(self) -> LoopState | None:
        """Return the training loop that is shown, or None."""
        return cast("LoopState", self.mode) if self.mode.name == "loop" else None


def _comparison(frame: Frame, last: ViewState, mode: Mode) -> Comparison | None:
    """Return the comparison with the correct pass, a memo per trace; None if hidden."""
    if frame.trace is None or not mode.allows_comparison:
        return None
    same = frame.trace is last.frame.unhidden and last.comparison is not None
    return last.comparison if same else compare(frame.trace)


def next_view_state(
    last: ViewState, sheet: Sheet, frame: Frame, mode: Mode, rules: Rules
) -> ViewState:
    """Return the view state of the playback's frame in a mode; `last` is that before it."""
    frame = mode.frame(frame, sheet.graph)
    comparison = _comparison(frame, last, mode)
    hidden = mode.hide(frame)
    return ViewState(
        sheet, hidden, mode=mode, comparison=comparison, rules=rules, unhidden_trace=frame.trace
    )


def view_of(frame: Frame, mode: Mode = STEPPING) -> ViewState:
    """Return what the window shows at a frame of which nothing is hidden yet."""
    rules = CORRECT if frame.trace is None else frame.trace.rules
    sheet = Sheet(frame.graph)
    return next_view_state(ViewState(sheet, frame), sheet, frame, mode, rules)
