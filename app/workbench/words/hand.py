"""The strip of a pass by hand (each turn, refusals, hints, the end), and its log as rows."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from app.controls.spans import Span, Spans, filled, number_span, verbatim
from app.workbench.gradients.formulas import enumerated, grad_name
from app.workbench.modes.mode import HINT_LIMIT, ByHand
from app.workbench.playback.view_state import ViewState
from app.workbench.words.strip import Button, Strip, StripContext
from engine.asking.hand_run import EarlyClick, HandRun
from engine.frame import Frame
from engine.graph import Graph, Wire
from engine.numbers import DIGITS_SHOWN, Digits, counted, short, signed
from engine.problems import name_with_op
from engine.rules import CORRECT
from engine.trace import Event

_FIRING_RULE = {
    "backward": "A node may fire when every wire that leads from it to the root has brought its"
    " share; else it sends on a part of its sum.",
    "forward": "A node can be computed when all its inputs have values.",
}
_PROMPT = {
    "backward": "Click the node that may fire next.",
    "forward": "Click the node that can be computed next.",
}
FIRED_COUNT = "{fired:,} of {total:,} fired"
IN_ORDER_OF_PROGRAM = "All have fired: {order}. That is the program's order, too."
IN_ANOTHER_ORDER = (
    "All have fired: {order}. The program's order is {program}. Both are right: each node fired"
    " after all that it waits for."
)
FIRED_EARLY = "{nodes} fired early, so what came later was never sent on: {wrong}."
FIRED_EARLY_IN_VAIN = (
    "{nodes} fired early, and what came later happened to be 0: all gradients are right."
)
WRONG_GRADIENT = "{held_in} is {grad}, not {right}"


# the strip


def hand_strip(now: ViewState, context: StripContext) -> Strip:
    """Return the strip of a pass by hand: the turn, or why the clicked node may not fire."""
    run, graph = now.by_hand, now.frame.graph
    mode = now.mode
    assert run is not None
    assert isinstance(mode, ByHand)
    is_over = run.is_over(graph)
    buttons = (
        Button("take back", "Take back", bool(run.fired) or run.seed is not None),
        Button("hint", "Hint", not is_over and mode.hints < HINT_LIMIT),
        Button("ready", "Which are ready?", not is_over, context.shows_ready),
    )
    if is_over:
        sentence, line = end_texts(now, context.digits)
        again = (Button("take back", "Take back"), Button("again", "Again"))
        return Strip(sentence, verbatim(line), again)
    refused_click = refusal(now, context.digits)
    if refused_click is not None:
        return _refusal_strip(now, refused_click, mode, buttons, context.digits)
    hint = hint_text(run, graph, mode.hints)
    fired, total = len(run.fired), len(run.turns(graph))
    count = Span(FIRED_COUNT.format(fired=fired, total=total), "secondary")
    line = (count, Span(" " * 4), *verbatim(hint)) if hint else (count,)
    return Strip(turn_text(now, context.digits), line, buttons)


def _refusal_strip(
    now: ViewState, found: Refusal, mode: ByHand, buttons: tuple[Button, ...], digits: Digits
) -> Strip:
    """Return the strip after a click on a node that may not fire."""
    if not found.forceable:
        return Strip(verbatim(found.title), turn_text(now, digits), buttons)
    title, line = refusal_texts(now.frame.graph, found)
    offers = (Button("force", "Fire anyway"), Button("why", "Why the order?"))
    if mode.explains_refusal:
        line, offers = verbatim(why_the_order(now, digits)), offers[:1]
    return Strip(title, line, buttons, offers, answer_over_timeline=True)


def refusal_texts(graph: Graph, found: Refusal) -> tuple[Spans, Spans]:
    """Return the sentence and the line about a click on a node that may fire all the same."""
    name = graph.brief(found.node)
    title = filled("**{name}**{rest}", name=name, rest=found.title.removeprefix(name))
    return title, (Span("✘ ", "error", bold=True), *verbatim(found.detail))


def turn_text(shown: ViewState, digits: Digits = DIGITS_SHOWN) -> Spans:
    """Return the sentence about the last turn, and the prompt for the next."""
    run, frame = shown.by_hand, shown.frame
    assert run is not None
    graph = frame.graph
    if run.needs_seed:
        assert graph.root is not None
        return filled(
            "Click the root **{root}** and type its seed. 1 is right: {root} changes as fast as"
            " itself.",
            root=graph.brief(graph.root),
        )
    return filled("{turn}{choose}", turn=_last_turn(run, frame, digits), choose=_PROMPT[run.phase])


def _last_turn(run: HandRun, frame: Frame, digits: Digits) -> Spans:
    graph = frame.graph
    if not run.fired:
        if run.phase == "forward":
            return filled("Leaves and constants have their values. ")
        assert graph.root is not None
        assert run.seed is not None
        seed = number_span(run.seed, "gradient", short(run.seed, digits))
        template = "**{root}** starts with {seed}. "
        if run.seed != CORRECT.seed:
            template = (
                "**{root}** starts with {seed}, not 1: every gradient will be {seed} × the"
                " derivative. "
            )
        return filled(template, root=graph.brief(graph.root), seed=seed)
    node = run.fired[-1]
    name = name_with_op(graph, node, brief=True)
    if run.phase == "forward":
        value = number_span(frame.values[node], "value", short(frame.values[node], digits))
        return filled("**{node}** is {value}. ", node=name, value=value)
    contributions = _enumerate(_sent_parts(frame, node, digits))
    return filled("**{node}** passed {sent}. ", node=name, sent=contributions)


def sent_by(frame: Frame, node: int) -> list[Event]:
    """Return the events along which a node has sent, slot by slot."""
    wires = [(node, slot) for slot in range(len(frame.graph.inputs(node)))]
    return [event for wire in wires if (event := frame.fired.get(wire)) is not None]


def _sent_parts(frame: Frame, node: int, digits: Digits) -> list[Spans]:
    return [
        filled(
            "{sent} to **{to}**",
            sent=number_span(event.contribution, "gradient", signed(event.contribution, digits)),
            to=frame.graph.brief(event.node),
        )
        for event in sent_by(frame, node)
    ]


def _enumerate(parts: list[Spans]) -> Spans:
    if not parts:
        return filled("nothing")
    *others, last = parts
    if not others:
        return last
    return filled("{others} and {last}", others=reduce(_with_comma, others), last=last)


def _with_comma(before: Spans, part: Spans) -> Spans:
    return filled("{before}, {part}", before=before, part=part)


# the end


def end_texts(shown: ViewState, digits: Digits = DIGITS_SHOWN) -> tuple[Spans, str]:
    """Return the result of a pass by hand, and the line below: early clicks, orders, damage."""
    run, graph = shown.by_hand, shown.frame.graph
    assert run is not None
    count = len(run.fired)
    if run.phase == "forward":
        text = counted(count, "The node has its value.", "All {count:,} nodes have their values.")
        return filled(text), "Any order is right in which inputs come first."
    early = run.fired_early(graph)
    if early:
        parts = [_early_firing_sentence(shown, early, digits), *_seed_remark(run, digits)]
        return end_title(count, early=len(early)), " ".join(parts)
    parts = [
        *(early_click_remark(graph, click) for click in run.early_clicks[:1]),
        *_seed_remark(run, digits),
        _order_sentence(run, graph),
    ]
    return end_title(count, clicks=len(run.early_clicks)), " ".join(parts)


def end_title(count: int, *, early: int = 0, clicks: int = 0) -> Spans:
    """Return that all nodes have fired, how many of them too early, else the early clicks."""
    if early:
        text = counted(count, "The node has fired", "All {count:,} nodes have fired")
        return filled(f"{text}, {early:,} of them too early.")
    text = counted(count, "The node fired", "All {count:,} nodes fired, in an order that works")
    if clicks:
        text += counted(clicks, "; **{count}** early click", "; **{count:,}** early clicks")
    return filled(f"{text}.")


def _seed_remark(run: HandRun, digits: Digits) -> list[str]:
    """Return the remark on a seed other than 1, if any."""
    parts: list[str] = []
    if run.seed != CORRECT.seed:
        assert run.seed is not None
        parts.append(
            "The seed was {seed}, so every gradient is {seed} × the derivative.".format(
                seed=short(run.seed, digits)
            )
        )
    return parts


def early_click_remark(graph: Graph, click: EarlyClick) -> str:
    """Return `c was clicked before + (e) had fired.`"""
    who = enumerated([name_with_op(graph, n, brief=True) for n in click.waited_for])
    return f"{graph.brief(click.node)} was clicked before {who} had fired."


def _firing_ranks(run: HandRun, graph: Graph) -> list[list[int]] | None:
    """Return the nodes in ranks, if any order is right that takes the ranks in turn, else None.

    That holds if each node of a rank waits for all nodes of the rank before.
    """
    import networkx

    if run.phase == "forward":
        return None
    wiring = graph.structure.wiring
    firing = wiring.subgraph(run.turns(graph)).reverse(copy=False)
    ranks: list[list[int]] = [*networkx.topological_generations(firing)]
    waits = ({*before} <= {*wiring[node]} for before, rank in pairwise(ranks) for node in rank)
    return ranks if all(waits) else None


def ranks_sentence(run: HandRun, graph: Graph) -> str:
    """Return in which ranks any order works; "" where that depends on more."""
    ranks = _firing_ranks(run, graph)
    if ranks is None or len(ranks) < 2 or max(map(len, ranks)) < 2:
        return ""
    steps = ", then ".join(enumerated([graph.brief(n) for n in sorted(rank)]) for rank in ranks)
    return f"Any order works here that takes {steps}."


def _order_sentence(run: HandRun, graph: Graph) -> str:
    if sentence := ranks_sentence(run, graph):
        return sentence
    turns = run.turns(graph)
    template = IN_ORDER_OF_PROGRAM if run.fired == turns else IN_ANOTHER_ORDER
    order, program = names_listed(graph, run.fired), names_listed(graph, turns)
    return template.format(order=order, program=program)


def _early_firing_sentence(shown: ViewState, early: tuple[int, ...], digits: Digits) -> str:
    """Return the sentence about nodes that fired early and the gradients that are wrong for it."""
    graph, frame, comparison = shown.frame.graph, shown.frame, shown.comparison
    corrections = (
        {}
        if comparison is None
        else {n: comparison.correction(frame, n) for n in sorted(frame.grads)}
    )
    wrong = [
        WRONG_GRADIENT.format(
            held_in=grad_name(graph, node),
            grad=short(frame.grads[node], digits),
            right=short(right, digits),
        )
        for node, right in corrections.items()
        if right is not None
    ]
    template = FIRED_EARLY if wrong else FIRED_EARLY_IN_VAIN
    return template.format(nodes=names_listed(graph, early), wrong=", ".join(wrong))


def names_listed(graph: Graph, nodes: tuple[int, ...]) -> str:
    return ", ".join(graph.brief(node) for node in nodes)


# refusals


class Refusal(Struct, frozen=True):
    """A refused click: `title` is its reason, `detail` names the contributions that are missing.

    It is `forceable` if the node may fire all the same, with a part of its gradient.
    """

    node: int
    title: str
    detail: str
    forceable: bool


def refusal(shown: ViewState, digits: Digits = DIGITS_SHOWN) -> Refusal | None:
    """Return the refusal of the node that was just clicked, or None."""
    run, frame = shown.by_hand, shown.frame
    if run is None or run.refused is None:
        return None
    graph, node = frame.graph, run.refused
    waits = run.waits(graph, node)
    if run.phase == "forward" or not run.may_force(graph, node):
        return Refusal(node, run.obstacle(graph, node), "", forceable=False)
    total = len(waits) + len(arrived(frame, node))
    title = f"{graph.brief(node)} can't fire yet: it waits for {len(waits)} of {total}."
    return Refusal(node, title, _missing_text(frame, node, waits, digits), forceable=True)


def _missing_text(frame: Frame, node: int, waits: tuple[Wire, ...], digits: Digits) -> str:
    graph = frame.graph
    senders = " and ".join(
        dict.fromkeys(name_with_op(graph, target, brief=True) for target, _slot in waits)
    )
    grad = frame.grads.get(node)
    name = graph.brief(node)
    grad_text = (
        f"{name} has received nothing yet"
        if grad is None
        else f"{name} holds {short(grad, digits)}"
    )
    return counted(
        len(waits),
        "The wire from {senders} has brought nothing yet; {holds}.",
        "The wires from {senders} have brought nothing yet; {holds}.",
        senders=senders,
        holds=grad_text,
    )


def why_the_order(shown: ViewState, digits: Digits = DIGITS_SHOWN) -> str:
    """Return the explanation of the loss if the refused node fired now."""
    run, frame = shown.by_hand, shown.frame
    if run is None or run.refused is None:
        return ""
    held = short(frame.grads.get(run.refused, 0.0), digits)
    return (
        f"A node fires once, and sends on what it holds at that moment: now {held}. What comes"
        " later stays in its own grad and never reaches its inputs."
    )


def arrived(frame: Frame, node: int) -> list[Wire]:
    return [wire for wire in frame.graph.outgoing[node] if wire in frame.fired]


def rule_text(run: HandRun) -> str:
    """Return the rule by which nodes may fire."""
    return _FIRING_RULE[run.phase]


def hint_text(run: HandRun, graph: Graph, hints: int) -> str:
    """Return the hint of a turn: how many nodes may fire, then which one."""
    if not hints or run.is_over(graph):
        return ""
    if run.needs_seed:
        return "The seed is the gradient of the root along itself: 1."
    ready = run.ready(graph)
    if hints == 1:  # the first counts, the second names
        criterion = "chips are all filled" if run.phase == "backward" else "inputs all have values"
        return counted(
            len(ready),
            "One node may fire now: look for the one whose {what}.",
            "{count:,} nodes may fire now: look for those whose {what}.",
            what=criterion,
        )
    return f"{name_with_op(graph, ready[0], brief=True)} may fire now."


State = Literal["right", "wrong", "refused", "now", "coming"]
"""A right turn, an early one or a seed other than 1, a refused click, the next turn, a later one.
"""


class Turn(Struct, frozen=True):
    """One turn of a pass by hand; `number` is its place in the learner's order, 0 for the seed.

    `brief` is `detail` in as few words as fit into a box.
    """

    number: int
    title: str
    detail: str
    brief: str
    state: State


def turn_log(shown: ViewState, digits: Digits = DIGITS_SHOWN) -> tuple[Turn, ...]:
    """Return all turns, early clicks among them, and the next one."""
    run, frame = shown.by_hand, shown.frame
    if run is None:
        return ()
    graph, turns = frame.graph, list[Turn]()
    if run.seed is not None:
        assert graph.root is not None
        text = f"{grad_name(graph, graph.root)} = {short(run.seed, digits)}"
        right = run.seed == CORRECT.seed
        turns.append(Turn(0, "seed", f"you set {text}", text, "right" if right else "wrong"))
    fired_early = run.fired_early(graph)
    for index, node in enumerate((*run.fired, None)):
        for click in run.early_clicks:
            if run.turn_index(click) == index:
                title = name_with_op(graph, click.node, brief=True)
                turns.append(Turn(index + 1, title, "too early: it had to wait", "", "refused"))
        if node is not None:
            state: State = "wrong" if node in fired_early else "right"
            turns.append(_turn(frame, node, index + 1, state, digits))
    if not run.is_over(graph):
        number = 0 if run.needs_seed else len(run.fired) + 1
        turns.append(Turn(number, "your turn", "", "", "now"))
    return tuple(turns)


def order_boxes(shown: ViewState, digits: Digits = DIGITS_SHOWN) -> tuple[Turn, ...]:
    """Return the learner's order: turns done, the current one, and empty boxes for the rest."""
    run = shown.by_hand
    if run is None:
        return ()
    done = [turn for turn in turn_log(shown, digits) if turn.state != "refused"]
    total = len(run.turns(shown.frame.graph)) + (run.phase == "backward")  # with the seed
    first = done[-1].number + 1 if done else 1
    coming = (Turn(first + k, "", "", "", "coming") for k in range(total - len(done)))
    return (*done, *coming)


def _turn(frame: Frame, node: int, number: int, state: State, digits: Digits) -> Turn:
    graph, title = frame.graph, name_with_op(frame.graph, node, brief=True)
    if frame.phase == "forward":
        value = short(frame.values[node], digits)
        return Turn(number, title, f"is {value}", value, state)
    events = sent_by(frame, node)
    sent = [(graph.brief(event.node), signed(event.contribution, digits)) for event in events]
    detail = ", ".join(f"{number} to {name}" for name, number in sent)
    return Turn(
        number,
        title,
        f"passed {detail or 'nothing'}",
        ", ".join(f"{name} {number}" for name, number in sent),
        state,
    )


def fired_counts(shown: ViewState) -> tuple[int, int, int]:
    """Return how many nodes have fired, of how many, and how many clicks were early."""
    run = shown.by_hand
    if run is None:
        return (0, 0, 0)
    return len(run.fired), len(run.turns(shown.frame.graph)), len(run.early_clicks)


class Waiting(Struct, frozen=True):
    """A row about a node that has not fired: its name and state; `rest` names what it waits for."""

    node: int
    name: str
    state: str
    rest: str
    ready: bool


def waiting_rows(shown: ViewState, shows_ready: bool) -> tuple[Waiting, ...]:
    """Return each node that has not fired; with `shows_ready` whether it may fire by now."""
    run, frame = shown.by_hand, shown.frame
    if run is None:
        return ()
    graph = frame.graph
    rows = [
        _waiting(run, frame, node, shows_ready)
        for node in run.turns(graph)
        if node not in run.fired
    ]
    if run.phase == "backward" and graph.leaves:
        names = names_listed(graph, graph.leaves)
        rows.append(Waiting(graph.leaves[0], names, "leaves pass nothing on", "", ready=False))
    return tuple(rows)


def _waiting(run: HandRun, frame: Frame, node: int, shows_ready: bool) -> Waiting:
    graph = frame.graph
    name, waits = graph.brief(node), run.waits(graph, node)
    if not shows_ready:
        return Waiting(node, name, "not yet", "", ready=False)
    if not waits and run.needs_seed:
        return Waiting(node, name, "waits for the seed", "", ready=False)
    if not waits:
        return Waiting(node, name, "ready", "", ready=True)
    total = len(waits) + len(arrived(frame, node))
    if run.phase == "forward":
        sources = dict.fromkeys(graph.source(wire) for wire in waits)
        source_names = ", ".join(graph.brief(n) for n in sources if n is not None)
        values = counted(len(waits), "waits for {count} value", "waits for {count} values")
        return Waiting(node, name, values, source_names, ready=False)
    senders = ", ".join(dict.fromkeys(name_with_op(graph, t, brief=True) for t, _slot in waits))
    return Waiting(node, name, f"waits for {len(waits)} of {total}", senders, ready=False)
