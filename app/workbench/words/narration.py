"""Narration: the sentence about the last step of a frame, in one of three voices.

A sentence is a tuple of spans, each with the role that gives its colour; `plain_text` joins them
for a screen reader. Sentences are in the present tense, name the sender first, and the receiver by
label.

As maths a contribution is an equation. ∂ is used only for gradients that are complete and correct;
any other number is called the `grad` of its node. A wrong step shows its own product, then, after
≠, that of the rule.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import islice

from app.controls.spans import Span, Spans, filled, number_span
from app.style.derivative_notation import Notation
from app.workbench.gradients.chain_rule import (
    Derivation,
    derivation,
    distinguishing_digits,
    partial_sum_text,
    product,
)
from app.workbench.gradients.code_listing import event_code, forward_code
from app.workbench.gradients.comparison import Comparison, same, step_verdict
from app.workbench.gradients.formulas import (
    FRACTION_NAME_LIMIT,
    bracketed,
    derivative_text,
    grad_name,
    gradient_text,
    local_fraction,
    names_text,
    notation_without_grad,
    term,
    values_text,
    variable,
)
from app.workbench.playback.stops import (
    CollapsedStep,
    collapsed_step_done,
    collapsed_step_next,
    outermost_collapsed,
)
from app.workbench.playback.view_state import ViewState
from app.workbench.words.sentences import Fields, Voice, case_of, sentence
from engine.asking.facts import StepFacts, step_facts
from engine.frame import Frame
from engine.graph import ASIDE, LONGEST_NAME, Graph, Leaf
from engine.numbers import ASKED, DIGITS_SHOWN, HIDDEN, Digits, counted, short, signed
from engine.problems import by_convention, first_not_finite, name_with_op, pass_obstacle
from engine.rules import UNKNOWN
from engine.schedule import NO_NODE
from engine.trace import Computed, Event

_NO_LEAF = "{root} is {value}. No leaf leads to it. Press **{backward}** to start there."
_LONE = "Press **Backward**: {root} becomes the root, as it feeds nothing else."
GRADIENT_OVERFLOWS = "Here the gradient grows past the largest number there is."
SLOPE_NOT_FINITE = "Here the slope of {op} is {local}."
"""The remarks at the first contribution that is not finite, where all values are."""
REMOTE_KEY = "PageDown"
"""The key of a remote that advances."""


def narrate(
    frame: Frame,
    voice: Voice = "plain",
    digits: Digits = DIGITS_SHOWN,
    comparison: Comparison | None = None,
    notation: Notation = "partial",
    presented: bool = False,
) -> Spans:
    """Return the sentence about the last step of a frame; outside a pass, the prompt.

    A prompt names the button to press, or in a presentation, which has none, the remote's key. The
    maths voice compares a wrong pass with the correct one, which is run here unless given.
    """
    trace = frame.trace
    if trace is None or frame.current is None:
        return _prompt(frame, digits, presented)
    if trace.rules is UNKNOWN:
        voice = "plain"  # the others show the rule
    at = step_facts(trace, frame.cursor)
    if at.kind == "compute":
        return _forward_sentence(frame, at, voice, digits)
    return _backward_sentence(frame, at, voice, digits, comparison, notation)


def upcoming(frame: Frame, digits: Digits = DIGITS_SHOWN) -> Spans:
    """Return the announcement of the next step without its number; in a quiz with a blank.

    () where the learner is to choose the next step, or may not know whether there is one.
    """
    step = frame.upcoming
    if step is None and (frame.hides == "end" or frame.cursor < frame.total):
        return ()
    if step is None:
        return filled("end of the pass", "secondary") if frame.phase != "live" else ()
    graph = frame.graph
    if isinstance(step, Computed):
        return filled("next: {node}", "secondary", node=name_with_op(graph, step.node, brief=True))
    receiver = graph.brief(step.node)
    if step.kind == "seed":
        return filled("next: the seed at {receiver}", "secondary", receiver=receiver)
    if step.kind == "zero":
        return filled("next: {receiver} back to 0", "secondary", receiver=receiver)
    contribution = number_span(step.contribution, "gradient", signed(step.contribution, digits))
    return filled(
        "next: {node} to {receiver} = {sent}"  # the blank of a question about the next step
        if frame.hides == "step"
        else "next: {node} to {receiver}",
        "secondary",
        node=name_with_op(graph, step.sender, brief=True),
        receiver=receiver,
        sent=Span(ASKED, "selection", bold=True) if step.contribution is HIDDEN else contribution,
    )


def _prompt(frame: Frame, digits: Digits, presented: bool) -> Spans:
    """Return the prompt before the first step."""
    if frame.phase == "live":
        return _live_prompt(frame, digits, presented)
    step = REMOTE_KEY if presented else "Step"
    if frame.phase == "forward":
        template = "Leaves and constants are known. Press **{step}** to compute the first node."
        return filled(template, step=step)
    template = "No gradient is known yet. Press **{step}** to seed the root with 1."
    if frame.trace is not None and frame.trace.rules is UNKNOWN:
        template = "No gradient is known yet. Press **{step}** to see what this program does."
    return filled(template, step=step)


def _live_prompt(frame: Frame, digits: Digits, presented: bool) -> Spans:
    graph = frame.graph
    if not graph.nodes:
        if presented:
            return filled("Nothing to run yet.")
        return filled("Type a formula above, or press Tab to add a node.")
    problem = pass_obstacle(graph)
    if problem is not None and graph.active_root is None and not presented:
        sink = graph.lone_sink
        name = "" if sink is None else graph.brief(sink)
        template = "{choose} Select its node and press **Backward**." if sink is None else _LONE
        return filled(template, choose=problem.sentence, root=Span(name, bold=True))
    if problem is not None:
        return (Span(problem.sentence),)
    assert graph.root is not None
    value = frame.values.get(graph.root)
    if value is None:
        return filled("The leaves get numbers to begin with.")
    order = graph.plan(graph.root).order
    leaves = [node for node in order if isinstance(graph.nodes[node], Leaf)]
    question = "how much does each leaf matter?"
    if len(leaves) == 1:
        question = f"how much does {graph.brief(leaves[0])} matter?"
    return filled(
        "{root} is {value}. Press **{backward}**: {asked}" if leaves else _NO_LEAF,
        asked=question,
        root=Span(graph.brief(graph.root), bold=True),
        value=number_span(value, "value", short(value, digits)),
        backward=REMOTE_KEY if presented else "Backward",
    )


def _with_remark(spans: Spans, remark: Spans) -> Spans:
    """Join a step and a remark; separated, as `= inf ÷ (w)` would read as a quotient."""
    if not remark:
        return spans
    return (*spans, Span(" " if spans[-1].text.endswith(".") else ". "), *remark)


def _with_grey_aside(graph: Graph, node: int, text: str) -> Spans:
    """Return a text about a node in bold, its automatic name after the label in grey."""
    aside = f"{ASIDE}{graph.distinguishing_name(node)}"
    head, aside_found, tail = text.rpartition(aside) if aside != ASIDE else ("", "", text)
    spans = (Span(head, bold=True), Span(aside_found, "secondary"), Span(tail, bold=True))
    return tuple(span for span in spans if span.text)


def _forward_sentence(frame: Frame, at: StepFacts, voice: Voice, digits: Digits) -> Spans:
    """Return the sentence about a computed value; the first that is not finite has a remark."""
    trace, graph, node = frame.trace, frame.graph, at.receiver
    assert trace is not None
    fields: Fields = {
        "name": term(graph, node, LONGEST_NAME),
        "formula": names_text(graph, node, digits),
        "numbers": values_text(trace.values, graph, node, digits),
        "value": number_span(at.value, "value", short(at.value, digits)),
        "code": Span(forward_code(graph, node), code=True),
    }
    spans = sentence(at.kind, case_of(at), fields, voice)
    problem = None if math.isfinite(at.value) else first_not_finite(graph, trace.values)
    if problem is None or problem.node != node:
        return spans
    return _with_remark(spans, (Span(problem.sentence, "error"),))


def step_numbers(at: StepFacts, digits: Digits) -> dict[str, Span | Spans | str]:
    """Return the numbers of a step as all sentences write them."""
    upstream, local, before, sent, after = (
        short(x, digits) for x in (at.upstream, at.local, at.before, at.contribution, at.after)
    )
    return {
        "upstream": number_span(at.upstream, "gradient", upstream),
        "local": number_span(at.local, "local", local),
        "factor": number_span(at.local, "local", bracketed(local)),
        "contribution": number_span(at.contribution, "gradient", signed(at.contribution, digits)),
        "summand": number_span(at.contribution, "gradient", bracketed(sent)),
        "before": number_span(at.before, "gradient", before),
        "after": number_span(at.after, "gradient", after),
        "held": before,
        "product": f"{upstream} × {local}",
    }


def receiver_text(
    graph: Graph, sender: int, slot: int, receiver: int, longest: int = LONGEST_NAME
) -> str:
    """Return the receiver, with the slot where the node that fires uses it twice."""
    name = graph.brief(receiver, longest)
    if sender != NO_NODE and graph.inputs(sender).count(receiver) > 1:
        return f"{name} (slot {slot + 1})"
    return name


def _backward_sentence(
    frame: Frame,
    at: StepFacts,
    voice: Voice,
    digits: Digits,
    comparison: Comparison | None,
    notation: Notation,
) -> Spans:
    """Return the sentence about a seed, a contribution, or a gradient set back to 0."""
    trace, graph, event = frame.trace, frame.graph, frame.event
    assert trace is not None
    assert event is not None
    sender = at.receiver if at.operation is None else at.sender
    receiver = receiver_text(graph, at.sender, at.slot, at.receiver)
    name = variable(graph, at.receiver, LONGEST_NAME)
    fields = {
        **step_numbers(at, digits),
        "node": _with_grey_aside(graph, sender, name_with_op(graph, sender, brief=True)),
        "receiver": _with_grey_aside(graph, at.receiver, receiver),
        "held_in": grad_name(graph, at.receiver),
        "code": Span(event_code(trace, event), code=True) if voice == "code" else "",
        # of a seed
        "itself": receiver,
        "seeded": derivative_text(name, name, notation),
        "seed": Span(short(at.after, digits), "root", bold=True),
        # of a contribution that replaces another
        "assigned": Span("=", "error", bold=True),
        "kept": number_span(at.after, "error", short(at.after, digits)),
    }
    if voice == "maths" and at.operation is not None:
        fields |= equation_fields(frame, at, digits, comparison, notation)
    spans = sentence(at.kind, case_of(at), fields, voice)
    if at.sweeps > 1:
        sweep = Span(f"Pass {at.sweep}: ", "secondary")
        spans = filled("{sweep}{sentence}", sweep=sweep, sentence=spans)
    return _with_remark(spans, _remark(frame, at, digits))


def _remark(frame: Frame, at: StepFacts, digits: Digits) -> Spans:
    """Return the remark on a derivative by convention, or on the first infinite or nan."""
    trace, graph = frame.trace, frame.graph
    if at.operation is None or trace is None:
        return ()
    if by_convention(graph, (at.sender, at.slot), trace.values):
        return (Span(at.op.convention, "secondary"),)
    earlier = trace.events[: frame.cursor - 1]
    if math.isfinite(at.contribution) or any(
        not math.isfinite(event.contribution) for event in earlier
    ):
        return ()
    problem = first_not_finite(graph, trace.values)
    if problem is not None:
        return (Span(problem.sentence, "error"),)
    if math.isfinite(at.local):
        return filled(GRADIENT_OVERFLOWS, "error")
    local = short(at.local, digits)
    return filled(SLOPE_NOT_FINITE, "error", op=at.op.symbol, local=local)


def equation_fields(
    frame: Frame,
    at: StepFacts,
    digits: Digits,
    comparison: Comparison | None = None,
    notation: Notation = "partial",
) -> dict[str, Span | Spans | str]:
    """Return the fields of `a.grad += ∂L/∂e · ∂e/∂a = (−2) · (−3) = +6, so ∂L/∂a = 4.`

    `∂L/∂a` alone is on the left only if this contribution is the whole gradient.
    """
    assert frame.trace is not None
    assert frame.event is not None
    terms = derivation(frame, at.receiver, comparison)
    name = grad_name(frame.graph, at.receiver, FRACTION_NAME_LIMIT)
    root = frame.trace.root
    derivative_name = gradient_text(frame.graph, root, at.receiver, notation)
    left_side = derivative_name if terms.is_derivative else name
    partial_sum = partial_sum_text(frame, at.receiver)
    return {
        "held_as": left_side if len(terms.terms) == 1 and not at.before else name,
        "assigned": "+=" if at.adds else "=",
        "equation": _equation(frame.graph, root, frame.event, terms, digits, notation),
        "held_is": left_side,
        "partial_sum": f" {partial_sum}" if partial_sum else "",
    }


def _equation(
    graph: Graph, root: int, event: Event, found: Derivation, digits: Digits, notation: Notation
) -> Spans:
    """Return the contribution in symbols and numbers; a wrong one begins with the product sent."""
    assert event.wire is not None
    numerator, denominator = local_fraction(graph, event.wire, notation)
    comparison = found.comparison
    is_correct = comparison is None or comparison.sends_rightly(event)
    upstream_notation = notation if is_correct else notation_without_grad(notation)
    upstream = gradient_text(graph, root, event.sender, upstream_notation)
    symbols = (Span(upstream, "gradient"), Span(" · "), Span(f"{numerator}/{denominator}", "local"))
    if comparison is None or is_correct:
        return (*symbols, Span(" = "), *_equation_product(event, digits))
    right = comparison.correct[event.wire]
    digits = distinguishing_digits(right.contribution, event.contribution, (right, event), digits)
    is_equal = same(right.contribution, event.contribution)
    relation = Span(" = ") if is_equal else Span(" ≠ ", "error", bold=True)
    return (
        *_equation_product(event, digits),
        relation,
        *symbols,
        Span(" = "),
        *_equation_product(right, digits),
    )


def _equation_product(event: Event, digits: Digits) -> Spans:
    number = signed(event.contribution, digits)
    return (
        *product(event, digits, " · "),
        Span(" = "),
        number_span(event.contribution, "gradient", number),
    )


_NODES_NAMED = 3
"""Maximum number of nodes named with their numbers, so that the sentence fits a line."""


def step_text(
    shown: ViewState, voice: Voice, digits: Digits, notation: Notation = "partial"
) -> Spans:
    """Return the sentence about the last step, and the correct pass where that differs."""
    return last_step_text(shown, voice, digits, notation) + correct_pass_text(shown, digits)


def last_step_text(
    shown: ViewState,
    voice: Voice,
    digits: Digits,
    notation: Notation = "partial",
    presented: bool = False,
) -> Spans:
    """Return the sentence about the last step, or about those of a collapsed group."""
    if several := _group_text(shown, digits):
        return several
    return narrate(shown.frame, voice, digits, shown.comparison, notation, presented)


def correct_pass_text(shown: ViewState, digits: Digits) -> Spans:
    """Return the sentence about the correct pass where the last step is wrong, else ()."""
    return () if collapsed_step_done(shown) else step_verdict(shown.frame, shown.comparison, digits)


def next_step_text(shown: ViewState, digits: Digits) -> Spans:
    """Return the announcement of the next step, without its number."""
    return _group_next_text(shown) or upcoming(shown.frame, digits)


def _group_text(shown: ViewState, digits: Digits) -> Spans:
    """Return the sentence about a collapsed group's several steps; () for a single step."""
    done, frame = collapsed_step_done(shown), shown.frame
    if done is None:
        return ()
    forward = frame.phase == "forward"
    sweeps = frame.trace is not None and frame.trace.rules.passes > 1 and not forward
    spans = filled(
        "{sweep}**{group}** {acts} in steps {first} to {last}{text}.",
        sweep=Span(f"Pass {frame.sweep}: ", "secondary") if sweeps else (),
        group=done.title,
        acts="is computed" if forward else "fires",
        first=f"{done.steps.start + 1:,}",
        last=f"{done.steps.stop:,}",
        text=_enumerated(shown, _group_outputs(shown, done), "{name} = {number}", digits)
        if forward
        else _enumerated(
            shown, _outside_receivers(shown, done), "{name} now holds {number}", digits
        ),
    )
    return (*spans, *_wrong_steps_text(done, shown.comparison))


def _group_next_text(shown: ViewState) -> Spans:
    """Return which collapsed group fires next, if the next step is several of the pass."""
    coming, cursor = collapsed_step_next(shown), shown.frame.cursor
    if coming is None or coming.steps.stop == cursor + 1:
        return ()
    return filled(
        "next: {group}, steps {first} to {last}",
        "secondary",
        group=coming.title,
        first=f"{cursor + 1:,}",
        last=f"{coming.steps.stop:,}",
    )


def _outside_receivers(shown: ViewState, done: CollapsedStep) -> Mapping[int, float]:
    """Return the gradients of the outside nodes that the group has sent to."""
    frame = shown.frame
    assert frame.trace is not None
    events = (frame.trace.events[k] for k in done.steps)
    return {e.node: frame.grads[e.node] for e in events if e.node not in done.members}


def _group_outputs(shown: ViewState, done: CollapsedStep) -> Mapping[int, float]:
    """Return the values that nodes outside read, or that are the root's."""
    frame, graph = shown.frame, shown.frame.graph
    assert frame.trace is not None
    computed = (frame.trace.schedule.actors[k] for k in done.steps)
    return {
        node: frame.values[node]
        for node in computed
        if node == graph.root or any(t not in done.members for t, _slot in graph.outgoing[node])
    }


def _enumerated(
    shown: ViewState, numbers: Mapping[int, float], template: str, digits: Digits
) -> Spans:
    """Return numbers with their names after a colon; of many the rest is counted."""
    role = "value" if shown.frame.phase == "forward" else "gradient"
    spans: list[Span] = []
    for node in islice(numbers, _NODES_NAMED):
        number = number_span(numbers[node], role, short(numbers[node], digits))
        name = Span(_name_with_group(shown, node), bold=True)
        spans += [Span(", " if spans else ": "), *filled(template, name=name, number=number)]
    if not numbers:
        return (Span("; all of it stays inside"),)
    if len(numbers) > _NODES_NAMED:
        spans.append(Span(f" and {len(numbers) - _NODES_NAMED:,} more"))
    return tuple(spans)


def _name_with_group(shown: ViewState, node: int) -> str:
    """Return the name of a node, and of the collapsed group that hides it, unless it has fired."""
    groups, name = shown.sheet.groups, shown.frame.graph.brief(node)
    hidden_by = outermost_collapsed(groups, node, shown.inside)
    done = collapsed_step_done(shown)
    if hidden_by is None or (done is not None and node in done.members):
        return name
    return f"{name} in {groups[hidden_by].title}"


def _wrong_steps_text(done: CollapsedStep, comparison: Comparison | None) -> Spans:
    """Return how many of the steps go wrong under the mistake that is on."""
    wrong = 0 if comparison is None else sum(k + 1 in comparison.wrong for k in done.steps)
    if not wrong:
        return ()
    text = counted(
        wrong, "{count} of these steps goes wrong.", "{count:,} of these steps go wrong."
    )
    return (Span(" "), Span(f"✘ {text}", "error"))
