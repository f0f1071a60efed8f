"""The mode of a learner, in any order: answers, steps, edits, mistakes, undo, saving, leaving.

After each step numbers are hidden as they should be, the record fits what was answered, no undo
step is the mode's, and a saved file says nothing of it.
"""

from contextlib import suppress

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from app.document.document import Document
from app.document.document_file import whole_text
from app.workbench.modes.quiz import STEPS, WORKED_RUNG, Steps
from app.workbench.playback.playback import Playback
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.trials.predictions import AnswerRows
from engine import from_expression
from engine.asking.beliefs import BY_NAME, belief_numbers
from engine.asking.inference import IDEAS, tallies
from engine.asking.judging import number_from_causes, read_blanks
from engine.asking.kinds import answer
from engine.asking.question import LEVELS, Question
from engine.asking.record import (
    Record,
    askable_questions,
    askable_steps,
    missing_answers,
    regraded,
    right_first_time,
    summary,
)
from engine.errors import EngineError
from engine.formats.native import Drawing
from engine.formats.report import Report, read, write
from engine.graph import Leaf
from engine.numbers import DIGITS_SHOWN, HIDDEN, Digits, plain, short
from engine.rules import CORRECT, MISTAKES
from engine.trace import Trace
from tests.helpers.pupil import Pupil
from tests.helpers.sampling import sized

FORMULAS = ("a*b + a", "tanh(w*x + b)", "c = a+b; d = a*b; c*d + c", "y = a - 3; y**2", "-a")
NUMBERS = st.sampled_from((-3.0, -0.5, 0.0, 2.0, 7.0))
PICK = st.integers(0, 30)
DIGITS: tuple[Digits, ...] = (DIGITS_SHOWN, 2, "shortest")


def typed(how: str, question: Question, trace: Trace, known: dict[Question, str]) -> str:
    """What is typed: right, rounded, a slip, what follows from a blank before, or nonsense."""
    right = answer(question, trace)
    slips = [plain(number) for _slip, number in belief_numbers(question, trace)]
    texts = {"wrong": "12345.678", "unread": "two", "empty": "", "rounded": short(right, 3)}
    if how == "slip" and slips:
        return slips[0]
    if how == "follows" and question.wire is not None:
        causes = [(q, text) for q, text in known.items() if q.kind in ("local", "contribution")]
        with suppress(EngineError):
            return next(
                (short(number_from_causes([c], question, trace), 4) for c in read_blanks(causes)),
                "7",
            )
    return texts.get(how, plain(right))


class Learning(RuleBasedStateMachine):
    """A learner, and somebody who edits the graph meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self.document = Document()
        self.document.start(Drawing(from_expression(FORMULAS[0], {"a": 2, "b": -3})))
        self.playback = Playback(self.document, self.document)
        self.modes = QuizRunner(self.playback, self.document)
        self.ended: list[Report] = []
        self.undo_steps = 0
        self.modes.ended.connect(self.ended.append)

    # what a learner does

    @rule(is_cover=st.booleans())
    def toggle(self, is_cover) -> None:
        self.modes.toggle(cover=is_cover)

    @rule()
    def leave(self) -> None:
        before = self.modes.now
        count = len(self.ended)
        self.modes.leave()
        assert self.modes.now is None
        if before is not None and before.record.attempts:
            assert self.ended[count].record == before.record, "the record stays"

    @rule(level=st.sampled_from(tuple(LEVELS)))
    def level(self, level) -> None:
        self.modes.set_level(level)

    @rule(steps=st.sampled_from(STEPS))
    def steps(self, steps) -> None:
        self.modes.set_steps(steps)

    @precondition(lambda self: self.modes.asks and self.modes.question is not None)
    @rule(
        how=st.sampled_from(("right", "rounded", "slip", "follows", "wrong", "unread", "empty")),
        digits=st.sampled_from(DIGITS),
    )
    def answer(self, how, digits) -> None:
        now, trace = self.modes.now, self.playback.frame.unhidden
        assert now is not None
        assert trace is not None
        blanks = now.open_questions(self.playback.frame)
        if blanks[0].kind == "next":
            self.modes.click(blanks[0].node if how == "right" else trace.root)
            return
        texts: dict[Question, str] = {}
        for question in blanks:
            texts[question] = typed(how, question, trace, texts)
            self.modes.set_text(question, texts[question])
        self.modes.answer(digits)
        after = self.modes.now
        assert after is not None
        if how in ("unread", "empty"):
            assert after.refusal
            assert after.record == now.record, "what can't be read is not graded"
            return
        assert not after.refusal
        told = {a.question: a.tries[-1] for a in after.record.attempts if a.tries}
        assert all(told[q].text for q in blanks)
        if how == "right":
            assert after.done.issuperset(blanks)
        elif how == "wrong":
            assert all(told[q].verdict == "wrong" for q in blanks)
            assert after.done.isdisjoint(blanks) != (after.rung == WORKED_RUNG)

    @rule(
        act=st.sampled_from(("hint", "show_answer", "skip", "answer", "reveal", "begin_next_pass"))
    )
    def help(self, act) -> None:
        if act != "begin_next_pass" or self.modes.asks:
            getattr(self.modes, act)()

    # what moves the pass

    @rule(act=st.sampled_from(("step", "step_back", "to_end", "forward", "backward")))
    def move(self, act) -> None:
        getattr(self.playback, act)()

    @rule(cursor=PICK)
    def scrub(self, cursor) -> None:
        self.playback.go(cursor)

    @rule()
    def leave_pass(self) -> None:
        self.playback.leave()
        assert self.modes.now is None or self.modes.is_cover

    # what somebody edits

    @rule(pick=PICK, number=NUMBERS)
    def edit_value(self, pick, number) -> None:
        leaves = [n for n, x in self.document.graph.nodes.items() if isinstance(x, Leaf)]
        before = self.modes.now
        leaf = leaves[pick % len(leaves)] if leaves else None
        if leaf is None:
            return
        old = self.document.graph.nodes[leaf]
        assert isinstance(old, Leaf)
        was_on = before is not None and self.playback.phase != "live"
        if self.document.set_value(leaf, number) and was_on and old.value != number:
            assert self.modes.now is not None
            assert self.modes.now.record.changed
            assert self.modes.now.done == frozenset(), "everything is asked anew"

    @rule(pick=PICK)
    def edit_wiring(self, pick) -> None:
        wires = [wire for _source, wire in self.document.graph.wires()]
        running = self.playback.phase != "live"
        if wires and self.document.wires.disconnect(*wires[pick % len(wires)]) and running:
            assert self.modes.now is None, "the mode ends"

    @rule(pick=PICK)
    def label(self, pick) -> None:
        leaves = [n for n, x in self.document.graph.nodes.items() if isinstance(x, Leaf)]
        if leaves:
            self.document.set_label(leaves[pick % len(leaves)], f"n{pick}")

    @rule(rules=st.sampled_from((CORRECT, *MISTAKES)))
    def mistake(self, rules) -> None:
        on = self.modes.now is not None and self.playback.phase == "backward"
        changes = rules != self.playback.rules
        self.playback.set_rules(rules)
        if on and changes:
            assert self.modes.now is None

    @rule(formula=st.sampled_from(FORMULAS))
    def open(self, formula) -> None:
        self.document.start(Drawing(from_expression(formula)))
        assert self.modes.now is None or self.playback.phase == "live"

    @rule(redo=st.booleans())
    def undo(self, redo) -> None:
        document = self.document
        graph, done, steps = document.graph, document.done, document.steps
        document.redo() if redo else document.undo()
        if document.done is done:
            assert document.graph is graph, "nothing of the mode is undone"
        assert document.steps == steps

    # what holds at any time

    @invariant()
    def hidden_as_it_should_be(self) -> None:
        frame, now = self.playback.frame, self.modes.now
        whole, trace = frame.unhidden, frame.trace
        if trace is None or whole is None:
            return
        assert len(trace) == len(whole)
        if now is None:
            assert trace is whole
            return
        if frame.phase == "backward":
            assert trace.events[: frame.cursor] == whole.events[: frame.cursor]
            for event in trace.events[frame.cursor + 1 :]:
                for number in (event.upstream, event.local, event.contribution, event.after):
                    assert number is HIDDEN
            question = now.question(frame)
            if question is not None and question.kind in ("local", "contribution"):
                event = trace.events[frame.cursor]
                assert getattr(event, question.kind) is HIDDEN
        for number in frame.grads.values():
            assert number is not HIDDEN

    @invariant()
    def no_undo_step_is_the_modes(self) -> None:
        names = [step.name for step in self.document.steps]
        assert not [name for name in names if "redict" in name or "over" in name]

    @invariant()
    def a_saved_file_says_nothing_of_it(self) -> None:
        text = whole_text(self.document.sheet)
        now = self.modes.now
        if now is not None:
            assert b"predict" not in text
            assert b"attempts" not in text

    @invariant()
    def the_record_is_graded_again_as_it_was(self) -> None:
        now = self.modes.now
        if now is not None and now.record.attempts:
            report = Report(now.graph, now.record)
            assert regraded(now.record, now.graph).attempts == now.record.attempts
            assert not missing_answers(now.record)
            handed_in = read(write(report))
            assert summary(regraded(handed_in.record, handed_in.graph)) == summary(now.record)
            assert handed_in.steps == askable_steps(handed_in.record, handed_in.graph)

    @invariant()
    def the_list_marks_as_right_what_is_counted_as_right_first_time(self) -> None:
        now = self.modes.now
        if now is None or not now.record.attempts:
            return
        right, counted = right_first_time(now.record.attempts), summary(now.record)
        rows = AnswerRows().rows(Report(now.graph, now.record))
        assert sum(row.right_first for row in rows) <= sum(right.values())
        counted_ideas = {tally.title for tally in tallies(now.record.attempts)}
        known = {*(idea.title for idea in IDEAS), *(slip.brief for slip in BY_NAME.values())}
        listed_ideas = {row.sentence for row in rows if row.sentence in known}
        assert listed_ideas <= counted_ideas, "an idea has one name"
        assert (counted.right_first, counted.answered) == (sum(right.values()), len(right))
        assert askable_questions(now.record, now.graph) >= right.keys()


def test_anything_in_any_order_leaves_the_mode_consistent(qapp):
    many = settings(
        max_examples=sized(12, 120),
        stateful_step_count=30,
        deadline=None,
        suppress_health_check=(HealthCheck.too_slow, HealthCheck.filter_too_much),
    )
    run_state_machine_as_test(Learning, settings=many)


# the record of one quiz


def pupil_asked(level: str = "contribution and sum", steps: Steps = "every") -> Pupil:
    """Who is asked about L = (a*b + a)*f from its first step on."""
    pupil = Pupil("L = (a*b + a)*f", {"a": 2, "b": -3, "f": -2})
    pupil.runner.choose(level, steps)
    pupil.runner.toggle()
    return pupil


def test_a_hint_counts_for_who_goes_back_and_comes_again():
    pupil = pupil_asked()
    pupil.runner.hint()
    pupil.playback.step_back()
    pupil.playback.step()
    pupil.give("−2")
    [attempt] = pupil.quiz.record.attempts
    assert (attempt.right, attempt.hints, attempt.right_first) == (True, 1, False)


def test_the_answers_of_a_step_that_was_left_are_numbered_on():
    pupil = pupil_asked("slope")
    pupil.give("7")
    pupil.playback.step_back()
    pupil.playback.step()
    pupil.give("8")
    pupil.give("−2")
    [attempt] = pupil.quiz.record.attempts
    assert [(each.text, each.answer) for each in attempt.tries] == [("7", 1), ("8", 2), ("−2", 3)]


def test_each_answer_is_told_at_once_not_only_at_the_end_of_the_run():
    pupil, told = pupil_asked("slope"), list[tuple[list[str], int]]()

    def note(report: Report, before: Record) -> None:
        (attempt,) = report.record.attempts
        told.append(([each.text for each in attempt.tries], len(before.attempts)))

    pupil.runner.answered.connect(note)
    for text in ("7", "−2"):
        pupil.give(text)
    assert told == [(["7"], 0), (["7", "−2"], 1)]
    pupil.runner.leave()
    assert len(told) == 2


def test_digits_that_are_changed_between_two_tries_are_kept_with_each():
    pupil = pupil_asked("slope")
    pupil.give("7")
    question = pupil.runner.question
    assert question is not None
    pupil.runner.set_text(question, "-2")
    pupil.runner.answer("shortest")
    [attempt] = pupil.quiz.record.attempts
    assert [each.digits for each in attempt.tries] == [DIGITS_SHOWN, "shortest"]


def test_a_new_pass_is_a_new_round():
    pupil = pupil_asked()
    pupil.give("−2")
    pupil.playback.backward()
    pupil.playback.backward()
    pupil.give("−2")
    assert [attempt.round for attempt in pupil.quiz.record.attempts] == [0, 1]


def test_where_paths_meet_only_what_comes_second_is_asked_about():
    pupil = pupil_asked(steps="meet")
    steps = set[int]()
    while pupil.playback.cursor < pupil.playback.frame.total:
        if pupil.runner.question is not None:
            steps.add(pupil.runner.question.step)
            pupil.runner.skip()
        pupil.playback.step()
    trace = pupil.playback.frame.unhidden
    assert trace is not None
    assert [trace.graph.names[trace.events[step - 1].node] for step in steps] == ["a"]
    assert askable_steps(Record("predict", "sum", meet=True), pupil.document.graph) == 1


def test_a_forward_pass_that_ends_asks_for_no_more_steps_afterwards():
    pupil = pupil_asked(steps="last")
    pupil.playback.forward()
    while pupil.playback.cursor < pupil.playback.frame.total:
        trace, question = pupil.playback.frame.unhidden, pupil.runner.question
        assert trace is not None
        assert question is not None
        pupil.give(plain(answer(question, trace)))
        pupil.playback.step()
    assert pupil.playback.phase == "forward"
    assert pupil.runner.last == 1
