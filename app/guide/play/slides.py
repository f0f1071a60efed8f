"""Slides: the steps of a lesson as a room sees them, one for each question of a step.

    slides_of(lesson, seed)   all slides; the seed draws friendly numbers and hidden mistakes
    on_graph(slide, graph)    a slide on another graph: after a live edit, or with new numbers

A hunt asks which mistake is on. What learners do in a step is left to the lecturer: a task is
appended to the notes, a pass by hand is shown as the program runs it. A slide follows the wire or
node of its step over an edit; one that no longer fits has a reason, and is skipped.

>>> from app.lessons.load import lesson
>>> slides = slides_of(lesson("two-paths"), seed=1)
>>> [slide.ask.kind if slide.ask else slide.kind for slide in slides[:6]]
['say', 'sign', 'say', 'say', 'contribution', 'say']
>>> slides[4].situation.cursor, slides[4].revealed.cursor, slides[4].title
(5, 6, 'The second one')
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from app.lessons.lesson import Ask, Choice, Lesson, Step, is_same_wiring, plain_text, wire_name
from app.lessons.parsing import LINE_LIMIT, TITLE_LIMIT
from app.lessons.questions import drawn, question_of
from app.lessons.situation import PassPlace, Situation, situation_of, with_rules, with_values
from engine.asking.diagnose import huntable_mistakes
from engine.asking.hand_run import click_slip
from engine.asking.judging import MOST_CHOICES
from engine.asking.kinds import KINDS, is_askable, long_name, wire_title
from engine.asking.paths import LISTED_PATHS_LIMIT, path_count
from engine.asking.question import MOST_STEPS, Question, step_questions
from engine.asking.revealing import SAY_LIMIT
from engine.errors import EngineError
from engine.frame import Frame, Phase, frame_at
from engine.graph import Constant, Graph, Leaf, Root, Wire
from engine.names import brief, is_plain_line
from engine.numbers import short
from engine.problems import pass_obstacle
from engine.rules import CORRECT, MISTAKES, Rules
from engine.trace import Computed, Trace, run, run_forward

_TO_A_ROOM: Final = tuple(kind for kind in KINDS.values() if kind.asks)
STEP_KINDS: Final = tuple(kind.name for kind in _TO_A_ROOM if kind.place != "pass")
"""The questions about one step of a pass, asked before it and revealed at it."""
PASS_KINDS: Final = tuple(kind.name for kind in _TO_A_ROOM if kind.place == "pass")
"""The questions asked before a pass and revealed at its end."""
CHOICES_ONLY: Final = (*(k.name for k in KINDS.values() if k.choices is not None), "mistake")
"""The questions that are answered by a word, so that no number can be called out."""
_SHOWN_AT_END: Final = ("final", "sign")
"""Questions where the reveal of one shows the answers of all."""
_CLAUSE_END: Final = re.compile(r"[.,;:](?= |$)")


class Slide(Struct, frozen=True):
    """A step as the room sees it, or one question of it.

    `at` is the index of the step. `graph` is the first graph of its wiring: slides with the same
    one share a sheet. `rules` are those of its pass, a hunt's drawn mistake among them.
    """

    at: int
    step: Step
    graph: Graph
    rules: Rules = CORRECT
    title: str = ""
    notes: str = ""
    ask: Ask | None = None
    question: Question | None = None
    """The engine's question; None for own words, a mistake, and a slide that asks nothing."""
    situation: Situation | None = None
    """The situation on entering, which has the numbers asked about: the caller hides them."""
    revealed: Situation | None = None
    """The situation that shows the answer; both are None if the slide does not fit."""
    passed: Trace | None = None
    """The backward pass with its values and rules, if there is one."""
    misfit: str = ""
    """Why the slide no longer fits its graph, a clause; "" if it fits."""

    @property
    def kind(self) -> Literal["say", "ask", "blank"]:
        """Return what the room gets: the sheet, a question, or a black screen with one line."""
        return "blank" if self.step.kind == "blank" else "say" if self.ask is None else "ask"

    @property
    def asks(self) -> str:
        """Return the kind of its question; "" without one."""
        return "" if self.ask is None else self.ask.kind

    @property
    def text(self) -> str:
        """Return the line of a black screen, or a question in own words."""
        if self.kind == "blank":
            return plain_line(plain_text(self.step.text, self._frame), LINE_LIMIT)
        return "" if self.ask is None else self.ask.text

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Return the choices of a question in own words."""
        return () if self.ask is None else self.ask.choices

    @property
    def is_hunt(self) -> bool:
        """Return whether it asks which mistake is on in a pass that the room may step."""
        return self.step.kind == "hunt" and self.asks == "mistake"

    @property
    def printed(self) -> Situation | None:
        """Return the situation on paper, where nobody steps a pass; its numbers are hidden."""
        return self.revealed if self.is_hunt else self.situation

    @property
    def form(self) -> Literal["choices", "number"]:
        """Return whether hands are counted, or numbers called out and typed by the speaker."""
        return "choices" if self.step.form == "choices" or self.asks in CHOICES_ONLY else "number"

    @property
    def trace(self) -> Trace:
        """Return the backward pass of a slide that asks about one."""
        assert self.passed is not None
        return self.passed

    @property
    def place(self) -> PassPlace | None:
        """Return the place of a pass that it shows or asks about; None if it has none."""
        found = self.situation if self.asks in PASS_KINDS else self.revealed
        if found is None or self.kind == "blank":
            return None
        return PassPlace(found.phase, found.cursor, _mistake_name(self.rules))

    @property
    def _frame(self) -> Frame:
        return self.step.begun.known_frame


def slides_of(lesson: Lesson, seed: int = 0) -> tuple[Slide, ...]:
    found: list[Slide] = []
    graphs: list[Graph] = []
    for k, step in enumerate(lesson.steps):
        begun = step.begun if step.fault else drawn(step, seed + k)
        graph = next((g for g in graphs if is_same_wiring(g, begun.graph)), None)
        if graph is None:
            graph = lesson.graph if is_same_wiring(lesson.graph, begun.graph) else begun.graph
            graphs.append(graph)
        title = plain_line(plain_text(step.title, begun.known_frame), TITLE_LIMIT)
        slide = Slide(k, step, graph, begun.rules, title, _notes(step, begun))
        if step.fault:
            found.append(replace(slide, title=title or step.heading, misfit=step.fault))
        else:
            found += _slides_of_step(slide, begun, seed + k)
    return tuple(found)


def on_graph(slide: Slide, graph: Graph) -> Slide:
    """Return a slide on a graph, with its own numbers already there; a misfit keeps its question.

    Its place is the event of the pass as it was: the nearest step with it where there are several.
    """
    try:
        begun = _begun_on(slide, graph)
        ask = None if slide.ask is None else _present(slide.ask, graph)
        found = replace(slide, misfit="")
        if ask is None:
            return _shown(found, begun)
        return _asked(found, begun, ask, slide.question)
    except EngineError as error:
        misfit = str(error).rstrip(".")
        return replace(slide, situation=None, revealed=None, passed=None, misfit=misfit)


def as_before(slide: Slide, before: Slide) -> Slide:
    """Return a slide on the graph that it had the last time, unless its step has another now."""
    if slide.step.fault or slide.step.begun.graph != before.step.begun.graph:
        return slide
    begun, was = slide.situation, before.situation
    graph = before.graph if was is None else was.graph
    is_same_hunt = slide.is_hunt and slide.step.mistakes == before.step.mistakes
    is_other = is_same_hunt and slide.rules is not before.rules
    if is_other:  # drawn when the question was asked again
        slide = replace(slide, rules=before.rules, ask=before.ask)
    if is_other or begun is None or graph != begun.graph:
        slide = on_graph(slide, graph)
    return slide if slide.graph == before.graph else replace(slide, graph=before.graph)


def with_other_mistake(slide: Slide, seed: int) -> Slide:
    """Return a hunt with another mistake of its step; EngineError, with a sentence, without."""
    from app.lessons.step_checks import is_visible_mistake

    begun = slide.situation
    assert begun is not None
    others = [rules for rules in slide.step.mistakes if rules is not slide.rules]
    others = [rules for rules in others if is_visible_mistake(begun.graph, rules)]
    if not others:
        raise EngineError("The mistake stays: this step has no other that shows.")
    return _hunt(slide, begun.graph, random.Random(seed).choice(others))


def place_title(slide: Slide) -> str:
    """Return a short title of what a slide shows or asks about: "× (e) → a", "values"."""
    situation, question = slide.revealed, slide.question
    if slide.text or slide.asks == "mistake":
        return brief(slide.text or "which mistake", TITLE_LIMIT)
    if situation is None:
        return slide.step.heading
    if question is not None:
        return _question_title(question, situation.graph)
    return _frame_title(situation.known_frame)


def _frame_title(frame: Frame) -> str:
    if frame.phase == "live":
        return "values"
    part, graph = _part_of(frame), frame.graph
    if part is None:
        return f"before the {frame.phase} pass"
    if frame.cursor == frame.total:
        return f"end of the {frame.phase} pass"
    if isinstance(part, tuple):
        return wire_title(graph, part)
    kind = "value" if frame.phase == "forward" else "gradient"
    return f"{kind} of {graph.brief(part)}"


def _part_of(frame: Frame) -> int | Wire | None:
    """Return the wire or node of the last step of a pass; None before the first."""
    step = frame.current
    if step is None or isinstance(step, Computed):
        return None if step is None else step.node
    return step.wire or step.node


def _question_title(question: Question, graph: Graph) -> str:
    return long_name(question, graph)


# the slides of a step


def _slides_of_step(slide: Slide, begun: Situation, seed: int) -> Iterator[Slide]:
    """Yield the slides of a step, of which only the first has its title."""
    asked = list(_questions(slide, begun, seed)) or [_shown(slide, by_program(begun))]
    for k, each in enumerate(asked):
        yield replace(each, title=place_title(each) if k or not slide.title else slide.title)


def _questions(slide: Slide, begun: Situation, seed: int) -> Iterator[Slide]:
    """Yield the questions of a step, without those whose answers another reveal has shown."""
    step = slide.step
    if step.kind == "hunt" and step.mistakes:
        yield _hunt(slide, begun.graph, random.Random(seed).choice(step.mistakes))
    revealed = set[tuple[str, int]]()
    for ask in () if step.guess else step.asks:
        found = _question(slide, begun, ask)
        shown = None if found is None else _revealed_place(found)
        if found is not None and shown not in revealed:
            revealed |= set() if shown is None else {shown}
            yield found


def _revealed_place(slide: Slide) -> tuple[str, int] | None:
    """Return the place that reveals an answer; None if it reveals no other answer."""
    if slide.asks in _SHOWN_AT_END:
        return "end", 0
    found = slide.revealed
    return (found.phase, found.cursor) if found and slide.asks in STEP_KINDS else None


def _question(slide: Slide, begun: Situation, ask: Ask) -> Slide | None:
    """Return the slide of a question; None for an upstream gradient, which its node shows.

    None also where the program's pass has no such step.
    """
    if ask.kind == "upstream":
        return None
    shown = by_program(begun)
    if ask.kind in ("mistake", "text"):
        frame = begun.known_frame
        text = plain_line(plain_text(ask.text, frame), LINE_LIMIT)
        choices = tuple(_choice(choice, frame) for choice in ask.choices)
        return _asked(slide, shown, replace(ask, text=text, choices=choices), None)
    by_hand = begun.hand is not None or begun.phase != "backward"
    try:
        question = None
        if ask.kind in STEP_KINDS and ask.kind != "value":
            trace = _trace(shown, "backward")
            question = question_of(ask, trace, 0 if by_hand else begun.cursor)
        return _asked(slide, shown, ask, question)
    except EngineError as error:
        if begun.hand is not None:  # a step of the pass by hand that the program's pass lacks
            return None
        return replace(slide, ask=ask, misfit=str(error).rstrip("."))


def _hunt(slide: Slide, graph: Graph, hidden: Rules) -> Slide:
    """Return the question about a mistake of the step, before the pass, which the room steps."""
    others = [rules for rules in slide.step.mistakes if rules is not hidden]
    others = others or [rules for rules in huntable_mistakes(graph) if rules is not hidden]
    # no other changes a gradient here: any other is a wrong choice
    others = others or [rules for rules in MISTAKES if rules is not hidden]
    offered = {hidden.name, *(rules.name for rules in others[: MOST_CHOICES - 1])}
    choices = tuple(_mistake_choice(r, hidden) for r in MISTAKES if r.name in offered)
    entered = _in_pass(with_rules(situation_of(graph), hidden), "backward", 0)
    return _asked(replace(slide, rules=hidden), entered, Ask("mistake", choices=choices), None)


def _mistake_choice(rules: Rules, hidden: Rules) -> Choice:
    say = shortened(rules.sentence)
    return Choice(rules.title, "" if say.endswith("…") else say, right=rules is hidden)


def _choice(choice: Choice, frame: Frame) -> Choice:
    return Choice(choice.text, shortened(plain_text(choice.say, frame)), choice.right)


def by_program(begun: Situation) -> Situation:
    """Return a situation without a mode; of a pass by hand the program's, at its last event."""
    plain = replace(begun, hand=None, mode="", plane=None)
    if begun.hand is None:
        return plain
    frame = begun.known_frame
    plain = situation_of(begun.graph)
    if not frame.cursor or frame.phase == "live":
        return _in_pass(plain, frame.phase, 0) if frame.phase != "live" else plain
    part = _part_of(frame)
    if frame.cursor == frame.total or part is None:
        return _in_pass(plain, frame.phase, -1 if frame.cursor == frame.total else frame.cursor)
    steps = _trace(plain, frame.phase).schedule.steps_of.get(part, ())
    nearest = min(steps, key=lambda step: abs(step - frame.cursor), default=0)
    return _in_pass(plain, frame.phase, nearest)


# questions


def _shown(slide: Slide, begun: Situation) -> Slide:
    trace = None
    if begun.phase == "backward":
        trace = begun.known_frame.trace
    return replace(slide, situation=begun, revealed=begun, passed=trace)


def _asked(slide: Slide, begun: Situation, ask: Ask, question: Question | None) -> Slide:
    """Return the slide of a question; EngineError, with the reason, if it can't be asked.

    `question` is that of a step, which may be another step now.
    """
    slide = replace(slide, ask=ask)
    if ask.kind == "text":
        return _shown(slide, begun)
    trace = _trace(begun, "backward")
    if ask.kind == "mistake":
        _check_mistake_shows(trace)
        revealed = _in_pass(begun, "backward", -1) if slide.is_hunt else begun
        return replace(slide, situation=begun, revealed=revealed, passed=trace)
    if ask.kind in PASS_KINDS:
        question = _pass_question(ask, trace)
        entered, revealed = _in_pass(begun, "backward", 0), _end_of(begun, question)
        return replace(slide, question=question, situation=entered, revealed=revealed, passed=trace)
    if ask.kind == "value":
        question, phase, step = _value_question(ask, begun)
    else:
        assert question is not None
        question, phase = _step_question(question, trace), "backward"
        step = question.step
    situations = _in_pass(begun, phase, step - 1), _in_pass(begun, phase, step)
    return replace(
        slide, question=question, situation=situations[0], revealed=situations[1], passed=trace
    )


def _check_mistake_shows(trace: Trace) -> None:
    from app.lessons.step_checks import is_visible_mistake

    if not is_visible_mistake(trace.graph, trace.rules):
        raise EngineError("the mistake changes no gradient now")


def _pass_question(ask: Ask, trace: Trace) -> Question:
    """Return a question that is asked before the pass; EngineError if it can't be."""
    graph = trace.graph
    assert ask.node is not None
    name = node_name(graph, ask.node)
    if ask.kind == "paths":
        paths = path_count(graph, ask.node, trace.root)
        if not paths:
            raise EngineError("{name} gets no gradient now", name=name)
        if paths > LISTED_PATHS_LIMIT:
            raise EngineError(
                "more than {limit:,} paths lead from {name}", limit=LISTED_PATHS_LIMIT, name=name
            )
        return Question("paths", ask.node)
    question = question_of(ask, trace)
    if not is_askable(question, trace):
        reason = "is not computed" if ask.kind == "change" else "gets no gradient"
        raise EngineError("{name} {reason} now", name=name, reason=reason)
    leaf = graph.nodes.get(question.leaf)
    if ask.kind == "change" and isinstance(leaf, Leaf) and leaf.value == ask.to:
        template = "{leaf} is {number} already"
        raise EngineError(template, leaf=node_name(graph, question.leaf), number=short(ask.to))
    return question


def _end_of(begun: Situation, question: Question) -> Situation:
    """Return the end of the pass, after a question of kind change with its leaf changed."""
    if question.kind == "change":
        begun = with_values(situation_of(begun.graph), {question.leaf: question.to})
    return _in_pass(begun, "backward", -1)


def _value_question(ask: Ask, begun: Situation) -> tuple[Question, Phase, int]:
    assert ask.node is not None
    computed = [each.node for each in _trace(begun, "forward").computed]
    if ask.node not in computed:
        name = node_name(begun.graph, ask.node)
        raise EngineError("{name} is given now, not computed", name=name)
    return Question("value", ask.node), "forward", computed.index(ask.node) + 1


def _step_question(question: Question, trace: Trace) -> Question:
    """Return a question about a step at the nearest step that asks it now."""
    steps = range(1, len(trace) + 1)
    kinds = (question.kind,)
    if question.wire is not None:
        steps = trace.schedule.steps_of.get(question.wire, ())
    found = [q for step in steps for q in step_questions(trace, step, kinds)]
    if question.kind == "next":
        found = [q for q in found if q.node == question.node]
        found = [q for q in found if click_slip(trace, q.step, q.node) is None]
    if not found:
        raise EngineError("{reason}", reason=_lost_question_reason(question, trace))
    return min(found, key=lambda each: abs(each.step - question.step))


def _lost_question_reason(question: Question, trace: Trace) -> str:
    graph, wire = trace.graph, question.wire
    name = node_name(graph, question.node)
    if wire is None:
        if trace.rules is not CORRECT and question.node in trace.schedule.actors:
            return f"{name} fires before it may under this mistake"
        return f"{name} does not fire after another node now"
    if wire in trace.schedule.wires:
        return f"the sum after {wire_name(graph, wire)} is the contribution itself now"
    return _lost_wire_reason(wire, trace)


def _lost_wire_reason(wire: Wire, trace: Trace) -> str:
    graph = trace.graph
    for node in (wire[0], graph.source(wire)):
        if node is not None and node not in graph.plan(trace.root).with_gradient:
            return f"{node_name(graph, node)} gets no gradient now"
    return f"nothing is passed along {wire_name(graph, wire)} now"


# places


def _trace(situation: Situation, phase: Phase) -> Trace:
    """Return a pass; EngineError, with the reason as a clause, if it can't be run."""
    graph, root = situation.graph, situation.graph.root
    if (problem := pass_obstacle(graph)) is not None:
        if root is None:
            raise EngineError("the graph has no root")
        raise EngineError(
            "{root} is not computed: a slot of {node} is empty",
            root=node_name(graph, root),
            node=node_name(graph, problem.node),
        )
    found = situation.known_frame.unhidden
    if found is not None and found.phase == phase and found.graph is graph:
        return found
    return (
        run_forward(graph)
        if phase == "forward"
        else run(graph, rules=situation.rules, most=MOST_STEPS)
    )


def _in_pass(begun: Situation, phase: Phase, step: int) -> Situation:
    """Return the situation after `step` steps of a pass, −1 for its end."""
    trace = _trace(begun, phase)
    cursor = len(trace) if step < 0 else min(step, len(trace))
    return replace(begun, phase=phase, cursor=cursor, frame=frame_at(trace, cursor))


def _begun_on(slide: Slide, graph: Graph) -> Situation:
    """Return the place where a slide begins on a graph; EngineError if its event is gone."""
    before = by_program(slide.step.begun)
    begun = with_rules(situation_of(graph), slide.rules)
    if slide.ask is not None and slide.ask.kind in (*STEP_KINDS, *PASS_KINDS):
        return begun
    if slide.is_hunt:
        return _in_pass(begun, "backward", 0)
    frame = before.known_frame
    if before.phase == "live":
        return begun
    if frame.cursor in (0, frame.total):
        return _in_pass(begun, before.phase, -1 if frame.cursor else 0)
    return _in_pass(begun, before.phase, _step_of_event(frame, _trace(begun, before.phase)))


def _step_of_event(frame: Frame, trace: Trace) -> int:
    """Return the nearest step with the event of a frame; EngineError, with the reason, without."""
    graph, part = trace.graph, _part_of(frame)
    assert part is not None
    _check_part(part, graph, frame.graph)
    steps = trace.schedule.steps_of.get(part, [])
    if steps:
        return min(steps, key=lambda step: abs(step - frame.cursor))
    if isinstance(part, tuple):
        raise EngineError("{reason}", reason=_lost_wire_reason(part, trace))
    reason = "is given now, not computed" if trace.phase == "forward" else "gets no gradient now"
    raise EngineError("{name} {reason}", name=node_name(graph, part), reason=reason)


def _check_part(part: int | Wire, graph: Graph, before: Graph) -> None:
    """Raise EngineError, with the reason, if a node or wire is gone."""
    node = part[0] if isinstance(part, tuple) else part
    if node not in graph.nodes:
        raise EngineError("node {name} is gone", name=node_name(before, node))
    if isinstance(part, tuple):
        inputs = graph.inputs(node)
        if part[1] >= len(inputs) or inputs[part[1]] is None:
            raise EngineError("wire {name} is gone", name=wire_name(graph, part))
    if isinstance(graph.nodes[node], Root):
        raise EngineError("a root is no place of a pass")


def _present(ask: Ask, graph: Graph) -> Ask:
    """Return an ask whose node, wire and leaf are in a graph; else EngineError."""
    for part in (ask.node, ask.wire, ask.leaf):
        if part is not None:
            _check_part(part, graph, graph)
    if ask.leaf is not None and not isinstance(graph.nodes[ask.leaf], Leaf | Constant):
        raise EngineError("{name} is no leaf now", name=node_name(graph, ask.leaf))
    return ask


def node_name(graph: Graph, node: int) -> str:
    """Return the name of a node, shortened."""
    return brief(graph.names.get(node, str(node)))


def _mistake_name(rules: Rules) -> str:
    return "" if rules is CORRECT else rules.name


# texts


def _notes(step: Step, begun: Situation) -> str:
    """Return notes and text of a step, and the task, which the lecturer does."""
    frame = begun.known_frame
    text = "" if step.kind == "blank" else step.text
    paragraphs = [part for part in (step.notes, plain_text(text, frame)) if part]
    if step.task:
        paragraphs.append(f"To do: {plain_text(step.task, frame)}")
    lines: Sequence[str] = "\n\n".join(paragraphs).split("\n")
    return "\n".join(plain_line(line, len(line)) for line in lines)


def plain_line(text: str, limit: int) -> str:
    """Return a text as one plain line of at most `limit` characters.

    >>> plain_line("a\u202e  long\ttitle", 9)
    'a lo…itle'
    """
    words = " ".join(text.split())
    if not is_plain_line(words):
        words = "".join(letter for letter in words if letter.isprintable())
    return brief(words, limit)


def shortened(text: str, limit: int = SAY_LIMIT) -> str:
    """Return an explanation up to the last end of a clause that fits, else as many words as fit.

    >>> shortened("The gradient is assigned instead of accumulated, so the last writer wins.")
    'The gradient is assigned instead of accumulated.'
    """
    line = plain_line(text, len(text))
    if len(line) <= limit:
        return line
    ends = [found.start() for found in _CLAUSE_END.finditer(line, 0, limit)]
    if ends:
        return f"{line[: ends[-1]]}."
    return f"{line[: limit - 1].rpartition(' ')[0] or line[: limit - 1]}…"
