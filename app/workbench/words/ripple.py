"""Ripple words: the effect of a change on the root, in the strip.

The sentence gives the difference of two forward runs, and relates it to the gradient; the line
below derives it from slopes, if their rounded products add up to it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from app.controls.spans import Span, Spans, filled, number_span, verbatim
from app.document.sheet import is_large
from app.workbench.gradients.formulas import enumerated, values_text
from app.workbench.playback.view_state import ViewState
from app.workbench.words.strip import RIPPLE_CHANGES, Button, Strip, StripContext, transport_buttons
from engine.asking.nudge import (
    NOT_KNOWN,
    GraphRipple,
    RatioVerdict,
    complete_gradient,
    in_words,
    ratio_verdict,
)
from engine.graph import OpNode, Root, Wire
from engine.numbers import Digits, counted, plain, short, signed
from engine.ops import never
from engine.problems import CHOOSE_A_ROOT, local_derivative, obstacle

CHANGE_BY: Final = "Change by"
_ORDERED: Final = ("Raise **{node}** by {change}{wires}", "Lower **{node}** by {change}{wires}")
_TOLD: Final = ("**{node}** rises by {change}{wires}", "**{node}** falls by {change}{wires}")
_OVER: Final = " over {wires} alone"
_WIRE: Final = "its {place} wire to {name}"
_PLACES: Final = ("first", "second", "third", "fourth")
NAME_LENGTH: Final = 16
"""Characters of a node's name in the sentence; a longer one is shortened."""
PATHS_WRITTEN: Final = 3
"""Maximum number of paths in the sum: more would not fit the line."""
FACTORS_WRITTEN: Final = 6
"""Maximum number of slopes written out for one path."""


def ripple_strip(now: ViewState, context: StripContext) -> Strip:
    """Return the strip while a change is shown, or after a value was dragged."""
    if now.ripple is None:
        assert now.released is not None
        return Strip(released_text(now.released, context.digits), (), transport_buttons(now))
    below = derivation_text(now.ripple, context.digits)
    if now.dragged:
        told = ripple_text(now.ripple, None, context.digits, tells=True)
        return Strip(told, below, transport_buttons(now))
    sentence = ripple_sentence(now, context.digits, tells=context.in_lesson)
    return Strip(sentence, below, _buttons(now.ripple.planned_change), caption=CHANGE_BY)


def _buttons(change: float) -> tuple[Button, ...]:
    return tuple(Button(act, plain(by), on=by == change) for act, by in RIPPLE_CHANGES.items())


def ripple_sentence(now: ViewState, digits: Digits, *, tells: bool = False) -> Spans:
    """Return the sentence about the ripple that is shown."""
    found = now.ripple
    assert found is not None
    comparable = found.leads_to_root and found.root is not None and not now.dragged
    gradient = complete_gradient(now.frame, found.node)
    # a ripple along some wires alone (`along`) moves the root by a part of what the gradient says
    comparable = comparable and found.along is None and (gradient is not None or not tells)
    comparison = ratio_verdict(found, now.frame, digits) if comparable else None
    return ripple_text(found, comparison, digits, gradient, tells=tells)


# the sentence


def ripple_text(
    found: GraphRipple,
    judged: RatioVerdict | None,
    digits: Digits,
    gradient: float | None = None,
    *,
    tells: bool = False,
) -> Spans:
    """Return `Raise a by 0.01 and L rises by 0.04: 4 times as much. That is a.grad.`

    `judged` compares the ratio with the `gradient`; without it the sentence ends after the ratio.
    `tells`: it begins `a rises by 0.01`, where the change was made already, or all else commands.
    """
    graph = found.graph
    # a change too small for the leaf's number to differ moves nothing
    has_moved = found.moved != 0 and math.isfinite(found.moved)
    change = found.moved if has_moved else found.planned_change
    start = _change_text(found, change, digits, _TOLD if tells else _ORDERED)
    if found.root is None:
        count = sum(found.is_changed(node) for node in found.columns) - 1  # without the leaf
        others = counted(count, "{count} other number changes", "{count:,} other numbers change")
        return filled("{start} and {others}.", start=start, others=others)
    root = Span(graph.brief(found.root, NAME_LENGTH), bold=True)
    if not found.leads_to_root:
        return filled("{start} and {root} stays: no path leads there.", start=start, root=root)
    if not math.isfinite(found.effect):
        return filled("{start} and {goes}.", start=start, goes=_change_from_to(found, root, digits))
    ratio_text = short(found.ratio, digits) if judged is None else judged.ratio
    rest = "." if judged is None else _gradient_relation(found, judged, gradient, digits)
    if not has_moved:
        return filled("{start} and {root} stays{rest}", start=start, root=root, rest=rest)
    return filled(
        "{start} and {root} {moves}: {ratio} times as much{rest}",
        start=start,
        root=root,
        moves=_movement_text(found.effect, digits),
        ratio=_ratio(found.ratio, ratio_text),
        rest=rest,
    )


def _change_text(
    found: GraphRipple, change: float, digits: Digits, templates: tuple[str, str]
) -> Spans:
    """Return `Raise a by 0.01` or `a rises by 0.01`."""
    return filled(
        templates[change < 0],
        node=found.graph.brief(found.node, NAME_LENGTH),
        change=_value(abs(change), digits),
        wires=_wires_text(found),
    )


def _wires_text(found: GraphRipple) -> str:
    """Return ` over e alone`, of a node that fills two slots ` over its first wire to y alone`."""
    graph = found.graph
    names: list[str] = []
    for target, slot in found.request.wires:
        name = graph.brief(target, NAME_LENGTH)
        is_one_of_several = list(graph.inputs(target)).count(found.node) > 1
        names.append(_WIRE.format(place=_PLACES[slot], name=name) if is_one_of_several else name)
    return _OVER.format(wires=enumerated(names)) if names else ""


def _movement_text(effect: float, digits: Digits) -> Spans:
    if effect == 0:
        return (Span("stays"),)
    way = "rises" if effect > 0 else "falls"
    return filled("{way} by {effect}", way=way, effect=_value(abs(effect), digits))


def _value(number: float, digits: Digits) -> Span:
    return Span(in_words(short(number, digits)), "value", bold=True)


def _ratio(ratio: float, text: str) -> Spans:
    """Return a ratio in the colour of gradients, and `about` before it in ink."""
    text = in_words(text)
    number = text.removeprefix("about ")
    about = (Span("about "),) if number != text else ()
    return (*about, number_span(ratio, "gradient", number))


def _gradient_relation(
    found: GraphRipple, judged: RatioVerdict, gradient: float | None, digits: Digits
) -> Spans:
    """Return the clause that compares the gradient with the ratio, with the full stop."""
    name = Span(f"{found.graph.brief(found.node)}.grad", bold=True)
    if judged.relation == "agrees":
        return filled(". That is {name}.", name=name)
    if judged.relation == "apart" and gradient is not None:
        number = number_span(gradient, "gradient", in_words(short(gradient, digits)))
        return filled("; {name} is {number}: {why}.", name=name, number=number, why=judged.why)
    if judged.why == NOT_KNOWN.format(name=name.text):  # said in a sentence of its own
        return filled(". {name} is not known yet.", name=name)
    return verbatim(f"; {judged.why}.")


def _change_from_to(found: GraphRipple, root: Span, digits: Digits) -> Spans:
    """Return the root's change where it is no finite difference."""
    assert found.root is not None
    before, after = found.before[found.root], found.after[found.root]
    old, new = (number_span(x, "value", short(x, digits)) for x in (before, after))
    if old.text == new.text:
        return filled("{root} stays {new}", root=root, new=new)
    return filled("{root} goes from {old} to {new}", root=root, old=old, new=new)


def released_text(found: GraphRipple, digits: Digits) -> Spans:
    """Return `y is 3 × 5 = 15. Before it was 10: 5 more for 1 more of a.`"""
    graph, root = found.graph, found.root
    if root is None or not found.leads_to_root:
        return ripple_text(found, None, digits)
    before, after = found.before[root], found.after[root]
    name = Span(graph.brief(root, NAME_LENGTH), bold=True)
    formula = ""
    if isinstance(graph.nodes[root], OpNode):
        formula = f"{values_text(found.after, graph, root, digits)} = "
    value_text = filled(
        "{name} is {formula}{after}.",
        name=name,
        formula=formula,
        after=number_span(after, "value", short(after, digits)),
    )
    if not math.isfinite(found.effect):
        old = number_span(before, "value", short(before, digits))
        return filled("{now} Before it was {old}.", now=value_text, old=old)
    return filled(
        "{now} Before it was {old}: {more} for {moved} of **{node}**.",
        now=value_text,
        old=_value(before, digits),
        more=_change_words(found.effect, digits) if found.effect else "the same",
        moved=_change_words(found.moved, digits),
        node=graph.brief(found.node, NAME_LENGTH),
    )


def _change_words(change: float, digits: Digits) -> Spans:
    way = "less" if change < 0 else "more"
    return filled("{number} {way}", number=_value(abs(change), digits), way=way)


# its derivation


class RootPath(Struct, frozen=True):
    """One path of a change to the root: its wires, and the slope of each."""

    wires: tuple[Wire, ...]
    slopes: tuple[float, ...]

    @property
    def nodes(self) -> tuple[int, ...]:
        """Return the nodes after the first."""
        return tuple(target for target, _slot in self.wires)


def derivation_text(found: GraphRipple, digits: Digits) -> Spans:
    """Return the root's change as a sum over paths; () where that is not exact as printed."""
    graph, root = found.graph, found.root
    if root is None:
        active = graph.root
        problem = None if active is None else obstacle(graph, active)
        return verbatim(CHOOSE_A_ROOT if problem is None else problem.sentence)
    if is_large(graph) or not (found.effect and math.isfinite(found.effect)):
        return ()
    paths = _root_paths(found)
    path_effects = [found.moved * math.prod(path.slopes) for path in paths]
    if len(paths) <= PATHS_WRITTEN and short(sum(path_effects), digits) == short(
        found.effect, digits
    ):
        sentence = (
            _one_path(found, paths[0], digits)
            if len(paths) == 1
            else _several_paths(found, paths, digits)
        )
        if sentence:
            return sentence
    return _joint_effect(found, digits) or _slope_change(found, digits)


def _root_paths(found: GraphRipple) -> list[RootPath]:
    """Return the paths of the change to the root, at most one more than `PATHS_WRITTEN`."""
    graph, root = found.graph, found.root
    assert root is not None
    inside = set(graph.plan(root).order)
    paths: list[RootPath] = []

    def walk(node: int, wires: tuple[Wire, ...], slopes: tuple[float, ...]) -> None:
        if node == root:
            paths.append(RootPath(wires, slopes))
            return
        for wire in graph.outgoing[node]:
            carried = found.carried(wire) if wire[0] in inside else None
            if carried is not None and len(paths) <= PATHS_WRITTEN:
                walk(wire[0], (*wires, wire), (*slopes, carried.slope))

    walk(found.node, (), ())
    return paths


def _one_path(found: GraphRipple, path: RootPath, digits: Digits) -> Spans:
    """Return `Slope by slope: +0.01 × 2 × 1 × −2 = −0.04.`"""
    if not 0 < len(path.slopes) <= FACTORS_WRITTEN:
        return ()
    slopes: list[Span] = []
    for slope in path.slopes:
        slopes += [Span(" × "), Span(short(slope, digits), "local", bold=True)]
    return filled(
        "Slope by slope: {moved}{slopes} = {effect}.",
        moved=_signed(found.moved, digits),
        slopes=slopes,
        effect=_signed(found.effect, digits),
    )


def _several_paths(found: GraphRipple, paths: Sequence[RootPath], digits: Digits) -> Spans:
    """Return `Through e, L changes by −0.03 × −2 = +0.06; directly by …; together +0.04.`"""
    graph = found.graph
    assert found.root is not None
    distinguishing = [_distinguishing_node_index(path, paths) for path in paths]
    if distinguishing.count(None) > 1:
        return ()
    sentence: list[Span] = []
    order = sorted(zip(paths, distinguishing, strict=True), key=lambda pair: pair[1] is None)
    for index, (path, at) in enumerate(order):
        k = 0 if at is None else at + 1  # slopes up to that node
        change_there = found.moved * math.prod(path.slopes[:k])
        remaining_slope = math.prod(path.slopes[k:])
        number = Span(
            f"{signed(change_there, digits)} × {short(remaining_slope, digits)}"
            f" = {signed(change_there * remaining_slope, digits)}",
            "value",
            bold=True,
        )
        through = (
            "directly" if at is None else f"through {graph.brief(path.nodes[at], NAME_LENGTH)}"
        )
        if not index:
            template = "{Through}, {root} changes by {number}"
        else:
            template = "; {through} by {number}"
        root = graph.brief(found.root, NAME_LENGTH)
        capital = through[:1].upper() + through[1:]
        sentence += filled(template, Through=capital, through=through, root=root, number=number)
    return (*sentence, *filled("; together {effect}.", effect=_signed(found.effect, digits)))


def _distinguishing_node_index(path: RootPath, paths: Sequence[RootPath]) -> int | None:
    """Return the index of the first node of a path that is on no other path."""
    others = {node for other in paths if other is not path for node in other.nodes}
    return next((k for k, node in enumerate(path.nodes) if node not in others), None)


def _signed(number: float, digits: Digits) -> Span:
    return Span(signed(number, digits), "value", bold=True)


def _joint_effect(found: GraphRipple, digits: Digits) -> Spans:
    """Return the joint effect of two changes at one operation, if some operation has one."""
    for node in _smooth_ops(found):
        parts = list(found.parts(node).values())
        joint = found.joint_effect(node)
        if not joint or len(parts) != 2:
            continue
        op = found.graph.op(node)
        first, second = (part.change for part in parts)
        text = short(joint, digits)
        if op.name == "mul" and short(first * second, digits) == text:
            text = f"{short(first, digits)} × {short(second, digits)}"
        amount = "a small extra" if abs(joint) < abs(found.change(node)) / 2 else "an extra"
        return filled(
            "Both inputs of {op} changed, so there is {extra}, {rest};"
            " it shrinks faster than the step.",
            op=op.symbol,
            extra=amount,
            rest=Span(text, "value", bold=True),
        )
    return ()


def _slope_change(found: GraphRipple, digits: Digits) -> Spans:
    """Return the sentence about the first operation whose slope the change alters, or ()."""
    graph = found.graph
    for node in _smooth_ops(found):
        for wire in found.parts(node):
            old = short(local_derivative(graph, wire, found.before), digits)
            new = short(local_derivative(graph, wire, found.after), digits)
            if old != new:
                return filled(
                    "The slope of {op} ({node}) changes on the way, from {old} to {new}.",
                    op=graph.op(node).symbol,
                    node=graph.brief(node, NAME_LENGTH),
                    old=Span(old, "local", bold=True),
                    new=Span(new, "local", bold=True),
                )
    return ()


def _smooth_ops(found: GraphRipple) -> Iterator[int]:
    """Yield the operations between the change and the root that have neither kink nor jump."""
    graph, root = found.graph, found.root
    order = () if root is None else graph.plan(root).order
    for node in order:
        is_op = isinstance(graph.nodes[node], OpNode) and node != found.node
        if is_op and node in found.columns and graph.op(node).kink is never:
            yield node


def pill_text(found: GraphRipple, node: int, digits: Digits) -> tuple[str, str]:
    """Return the text of a node's pill, and its last, grey part: the rest of several changes.

    `Δ −0.03`, or of several changes `−0.03 + 0.01 = −0.02`.
    """
    change = found.change(node)
    effects = [part.effect for part in found.parts(node).values() if part.effect]
    if len(effects) < 2 or not all(map(math.isfinite, (change, *effects))):
        return f"Δ {signed(change, digits)}", ""
    joint = found.joint_effect(node)
    total = "" if joint else f" = {signed(change, digits)}"
    first, *others = effects
    sums = "".join(_summand_text(effect, digits) for effect in others)
    return f"{signed(first, digits)}{sums}{total}", _summand_text(joint, digits) if joint else ""


def _summand_text(number: float, digits: Digits) -> str:
    text = short(abs(number), digits)
    return f" {'−' if number < 0 else '+'} {text}"


def spoken_change(found: GraphRipple, node: int, digits: Digits) -> str:
    """Return the accessible text of a node that the change reaches; "" of another."""
    if node not in found.columns or isinstance(found.graph.nodes[node], Root):
        return ""
    return f"changes by {signed(found.change(node), digits)}"
