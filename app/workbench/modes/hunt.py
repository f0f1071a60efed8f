"""Hunt: a mistake is on; the learner names it, finds where it shows, explains and mends it.

`HuntRunner` makes each choice of the learner a new value. Its stages:

name      mistake and comparison are hidden; the learner steps and names the mistake
find      the mistake is known, the comparison hidden: which step is the first wrong one?
explain   why does that step go wrong?
fix       which line of the program is to be mended?
done      the pass is correct again
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar, Literal

from msgspec.structs import replace

from app.document.change import Change
from app.workbench.gradients.comparison import Comparison, compare
from app.workbench.gradients.formulas import enumerated, grad_name
from app.workbench.modes.mode import STEPPING, Answered, Mode
from engine.asking.diagnose import first_difference, indistinguishable_mistakes, trace_of_all_rules
from engine.asking.micrograd_program import Line
from engine.asking.question import hide_unseen_steps
from engine.frame import Frame, Hidden
from engine.graph import Graph
from engine.numbers import DIGITS_SHOWN, Digits, short, signed
from engine.rules import CORRECT, MISTAKES, UNKNOWN, Rules
from engine.trace import Trace, run

Stage = Literal["name", "find", "explain", "fix", "done"]

REASONS_OFFERED = 4
"""Reasons to choose from: the right one and three distractors."""


class Hunt(Mode, frozen=True):
    """The mistake that is on (CORRECT once it is mended), and how far the learner is.

    `seed` drew the mistake; it is None if the mistake was chosen. `verdict_text` judges the last
    choice, `right` says whether it was right, and is None where the answer was shown instead.
    `seen_steps` counts the steps that have been shown.
    """

    name: ClassVar[str] = "hunt"
    mistake: Rules
    stage: Stage
    seed: int | None = None
    verdict_text: str = ""
    right: bool | None = None
    seen_steps: int = 0
    solved: bool = False
    """Whether the learner named it; else it was shown, or known from the beginning."""
    among: tuple[Rules, ...] = MISTAKES
    """The mistakes to choose from."""
    ruled_out: frozenset[Rules] = frozenset()
    """The mistakes that were chosen and can not be the one that is on."""

    @property
    def hides_mistake(self) -> bool:
        """Return whether the mistake must stay hidden."""
        return self.stage == "name"

    @property
    def hides_comparison(self) -> bool:
        """Return whether no step may be compared with the correct pass."""
        return self.stage in ("name", "find")

    @property
    def title(self) -> str:
        return "Hunt"

    @property
    def asks(self) -> bool:
        return True

    @property
    def survives_pass(self) -> bool:
        return False

    @property
    def allows_comparison(self) -> bool:
        return not self.hides_comparison

    @property
    def sets_rules(self) -> bool:
        return True

    @property
    def clears_mistake(self) -> bool:
        return self.stage == "done"

    def rules(self, chosen: Rules) -> Rules:
        return self.mistake

    def known_rules(self, chosen: Rules) -> Rules:
        return UNKNOWN if self.hides_mistake else self.mistake

    def hide(self, frame: Frame) -> Frame:
        """Return the frame with the mistake's name and the unseen steps hidden."""
        if not self.hides_mistake or frame.trace is None or frame.phase != "backward":
            return frame
        return hide_unseen_steps(
            frame, self.seen_steps, reserved_trace(frame.graph, frame.trace.root)
        )

    def with_seen_frame(self, frame: Frame) -> Hunt:
        if frame.phase != "backward":
            return self
        return replace(self, seen_steps=max(self.seen_steps, frame.cursor))

    def after_edit(self, change: Change, graph: Graph) -> Mode:
        return STEPPING if change.whole else self

    # what the learner says

    def judge_name(self, guess: Rules, trace: Trace, digits: Digits = DIGITS_SHOWN) -> Hunt:
        """Judge the name of the mistake by the steps seen so far alone."""
        step = first_difference(trace, guess, self.seen_steps)
        if step is not None:
            return self._rule_out(guess, _consequence_text(trace, guess, step, digits))
        fitting = indistinguishable_mistakes(trace, self.seen_steps)
        at_end = self.seen_steps >= len(trace)
        others = [rules.title for rules in fitting if rules is not guess]
        if others and not at_end:  # more steps may tell them apart
            return self._wrong(_AMBIGUOUS.format(guess=guess.title, others=_enumerate(others)))
        verdict_text = f"Found: {self.mistake.title}."
        if others:
            alike = [rules.title for rules in fitting if rules is not self.mistake]
            verdict_text = _INDISTINGUISHABLE.format(found=verdict_text, others=_enumerate(alike))
        return replace(self, stage="find", verdict_text=verdict_text, right=True, solved=True)

    @property
    def named(self) -> str:
        """Return the sentence that names the mistake, of a hunt that hides it no more."""
        return f"It is: {self.mistake.title}."

    def reveal(self) -> Hunt:
        return replace(self, stage="find", verdict_text=self.named, right=None)

    def judge_step(self, cursor: int, trace: Trace) -> Hunt:
        """Judge the step chosen as the first wrong one."""
        comparison = compare(trace)
        first = None if comparison is None else comparison.first_wrong
        if first is None:
            return replace(
                self, stage="explain", verdict_text="No step goes wrong here.", right=True
            )
        if cursor == first:
            verdict_text = f"Right: step {first:,} is the first that differs from the correct pass."
            return replace(self, stage="explain", verdict_text=verdict_text, right=True)
        assert comparison is not None
        return self._wrong(_not_first_text(cursor, comparison))

    def judge_reason(self, choice: Rules, trace: Trace, digits: Digits = DIGITS_SHOWN) -> Hunt:
        """Judge the reason chosen for the first wrong step."""
        comparison = compare(trace)
        first = None if comparison is None else comparison.first_wrong
        if choice is self.mistake or first is None:  # without a wrong step none has a reason
            return replace(self, stage="fix", verdict_text=self.mistake.sentence, right=True)
        step = first_difference(trace, choice, first)
        if step is None:
            return self._rule_out(choice, _SAME_STEP.format(step=first))
        return self._rule_out(choice, _consequence_text(trace, choice, step, digits))

    def judge_line(self, line: Line) -> Hunt:
        """Judge the line chosen as the wrong one."""
        if line.wrong:
            verdict_text = "Mended: every gradient is as in the correct pass again."
            return replace(
                self, mistake=CORRECT, stage="done", verdict_text=verdict_text, right=True
            )
        if line.purpose:
            return self._wrong(f"This line is right: it {line.purpose}.")
        return self._wrong("This line is right: it says what the lines below it belong to.")

    def reasons(self, trace: Trace) -> Sequence[Rules]:
        """Return the reasons to choose from, in the order of `MISTAKES`.

        Mistakes whose pass differs by the first wrong step are preferred as distractors.
        """
        comparison = compare(trace)
        first = (
            len(trace)
            if comparison is None or comparison.first_wrong is None
            else comparison.first_wrong
        )
        distractors = [
            r for r in MISTAKES if r is not self.mistake and first_difference(trace, r, first)
        ]
        chosen = {self.mistake.name, *(r.name for r in distractors[: REASONS_OFFERED - 1])}
        return [rules for rules in MISTAKES if rules.name in chosen]

    def _rule_out(self, choice: Rules, verdict_text: str) -> Hunt:
        return replace(self._wrong(verdict_text), ruled_out=self.ruled_out | {choice})

    def _wrong(self, verdict_text: str) -> Hunt:
        return replace(self, verdict_text=verdict_text, right=False)


_AMBIGUOUS = (
    "The steps so far fit {guess}, but also {others}. Go on, or change a value and look again."
)
_INDISTINGUISHABLE = "{found} On this graph it can not be told apart from {others}."
_SAME_STEP = "With that, step {step:,} would be the same; something else is wrong here."
_MOST_LISTED = 3


def _enumerate(titles: Sequence[str]) -> str:
    """Return `A, B, C and 2 more`."""
    shown = [*titles[:_MOST_LISTED]]
    if len(titles) > _MOST_LISTED:
        shown.append(f"{len(titles) - _MOST_LISTED} more")
    return enumerated(shown)


def _consequence_text(trace: Trace, guess: Rules, step: int, digits: Digits) -> str:
    """Return the sentence about what a step would do under the guessed rules."""
    # the two passes may differ in their lengths, in the order of their steps, or in a number
    alternative, graph = run(trace.graph, trace.root, guess).events, trace.graph
    if step > len(alternative):
        return f"With {guess.title}, the pass would be over after step {step - 1:,}."
    if step > len(trace):
        return f"With {guess.title}, the pass would go on after step {step - 1:,}."
    actual, other = trace.events[step - 1], alternative[step - 1]
    name, held_in = graph.brief(other.node), grad_name(graph, other.node)
    if other.kind != "contribution":
        after = short(other.after, digits)
        return f"With {guess.title}, step {step:,} would set {held_in} to {after}."
    if actual.kind == other.kind and actual.wire == other.wire:
        if signed(actual.contribution, digits) != signed(other.contribution, digits):
            return (
                f"With {guess.title}, step {step:,} would send"
                f" {signed(other.contribution, digits)} to {name}."
            )
        return (
            f"With {guess.title}, step {step:,} would leave {held_in} at"
            f" {short(other.after, digits)}."
        )
    return f"With {guess.title}, step {step:,} would go from {graph.brief(other.sender)} to {name}."


def _not_first_text(cursor: int, comparison: Comparison) -> str:
    if cursor in comparison.wrong:
        return f"Step {cursor:,} goes wrong too, but an earlier one did before."
    if comparison.first_wrong is not None and cursor > comparison.first_wrong:
        return f"Step {cursor:,} is as in the correct pass; an earlier step is not."
    return f"Step {cursor:,} is as in the correct pass: look further on."


def reserved_trace(graph: Graph, root: int) -> Trace:
    """Return the steps of the passes under all mistakes, for whose numbers space is reserved.

    Sizes of labels thus give no mistake away.
    """
    if not (_RESERVED and _RESERVED[0].graph is graph and _RESERVED[0].root == root):
        _RESERVED[:] = [trace_of_all_rules(graph, root)]
    return _RESERVED[0]


_RESERVED: list[Trace] = []
"""A memo of one trace, read at each step."""


class HiddenMistake(Mode, frozen=True):
    """A pass at one of its steps, without any sign of its rules until they are `revealed`.

    Unlike in a hunt the rules are those of the playback, and the pass stays at its step. Before and
    after the reveal, nodes have the sizes that numbers under any mistake need, so that nothing
    moves: wrong gradients get their flags, but there is no second, correct ledger.
    """

    name: ClassVar[str] = "hidden mistake"
    revealed: bool = False

    @property
    def asks(self) -> bool:
        return not self.revealed

    @property
    def survives_pass(self) -> bool:
        return False

    @property
    def allows_comparison(self) -> bool:
        return self.revealed

    def known_rules(self, chosen: Rules) -> Rules:
        return chosen if self.revealed else UNKNOWN

    def hide(self, frame: Frame) -> Frame:
        """Return the frame without later steps and rules; if revealed, with its space reserved."""
        if frame.trace is None or frame.phase != "backward":
            return frame
        reserved = reserved_trace(frame.graph, frame.trace.root)
        if self.revealed:
            return dataclasses.replace(frame, hidden=Hidden("mistake", reserved))
        return hide_unseen_steps(frame, frame.cursor, reserved)


def mode_of_answer(asks: str) -> Mode:
    """Return the mode in which a room sees the answer to a question of a kind."""
    return HiddenMistake(revealed=True) if asks == "mistake" else Answered()
