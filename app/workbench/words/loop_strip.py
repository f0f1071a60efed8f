"""The strip of a training loop: one sentence about its last step, or about its trouble."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from app.controls.spans import Span, Spans, filled, verbatim
from app.workbench.gradients.formulas import enumerated, grad_name
from app.workbench.modes.loop import LoopState, Step
from app.workbench.playback.view_state import ViewState
from app.workbench.words.strip import EPOCHS_PER_CLICK, Button, Strip, StripContext
from engine.numbers import are_finite, counted, decimals

NAMES: Final[dict[Step, str]] = {
    "zero_grad": "zero grad",
    "forward": "forward",
    "backward": "backward",
    "update": "update",
}
_DONE: Final[dict[Step, str]] = {
    "zero_grad": "zeroed",
    "forward": "forward done",
    "backward": "backward done",
    "update": "updated",
}
_ROUNDING: Final = 1e-12
"""Relative change of the loss or of a leaf that counts as rounding."""
_EXPECTED_FALL_SHARE: Final = 1e-9
"""Relative fall of the loss, predicted from the slopes, above which an unchanged loss means that
the rate is too large. Close to a minimum the prediction is smaller; rounding is far below it."""
_TOO_LARGE: Final = (
    "The loss rose from {before} to {after}: **the rate {rate} is too large here**, "
    "so the step went past the minimum."
)
_UNCHANGED: Final = (
    "The loss stays {after} though the leaves move: **the rate {rate} is too large here**, "
    "so each step lands as high on the other side."
)
_OLD_GRADIENTS: Final = (
    "The loss rose from {before} to {after}: **zero grad was left out**, "
    "so the update went along old gradients as well."
)
_OLD_GRADIENTS_AND_RATE: Final = (
    "The loss rose from {before} to {after}: **zero grad was left out**, and **the rate {rate} is "
    "too large here** as well: with zero grad the loss would be {clean}."
)
_ACCUMULATED: Final = (
    "**zero grad was left out**: {held_in} is not the new {fresh} "
    "but {old} + {fresh} = {grad}, the old one and the new one."
)
_UPDATE: Final = "**{leaf}** goes against its gradient: {before} − {rate} × {grad} = {after}."
_SUMMED_UPDATE: Final = (
    "**{leaf}** goes against the sum of its old and new gradients: "
    "{before} − {rate} × {grad} = {after}."
)
_NOT_FINITE: Final = "**{what} is {number}**: the numbers have grown beyond all bounds. {remedy}"
_BEGINNING: Final = (
    "Each update moves {leaves} against the gradient, so that {root} becomes smaller. {press}"
)
_PRESS: Final = "Begin with **{step}**, or press **1 epoch**."
EPOCH: Final = "Epoch {at}"
_STALE_LOSS: Final = "The loss {loss} is from before the update."
_STALE: Final = "{root} = {loss} is from before the update."
_REMEDY: Final = "Go back to an earlier epoch, or undo the run, and take a smaller rate."


def loop_strip(now: ViewState, context: StripContext) -> Strip:
    """Return the strip of a training loop: its last step or its trouble, and its buttons."""
    loop = now.loop
    assert loop is not None
    idle = not context.running
    buttons = (
        Button("back", enabled=loop.at > 0),
        Button("epoch", "1 epoch", idle),
        Button("epochs", f"{EPOCHS_PER_CLICK} epochs", idle),
        Button("run", "Stop" if context.running else "Run", on=context.running),
    )
    sentence, stale_text = trouble(loop) or last_step_text(loop), stale_loss_text(loop)
    if context.presented and stale_text:
        sentence, stale_text = (*sentence, Span(" "), *stale_text), ()
    next_text = f"next: {NAMES[loop.next]}" if loop.done else ""
    parts = (
        verbatim(EPOCH.format(at=f"{loop.at:,}"), "secondary"),
        stale_text,
        verbatim(next_text, "secondary"),
    )
    offers = (Button("step this", "Step this backward", idle),)
    return Strip(sentence, _spaced(parts), buttons, offers, offers_last=True)


def trouble(loop: LoopState) -> Spans:
    """Return the trouble of a loop with its cause, or ()."""
    for diagnose in (_not_finite_number, _accumulated, _loss_not_falling):
        if sentence := diagnose(loop):
            return sentence
    return ()


def last_step_text(loop: LoopState) -> Spans:
    """Return the sentence for the step that was done last, or for a loop that begins."""
    last = loop.done[-1] if loop.done else None
    writers: dict[Step | None, Callable[[LoopState], Spans]] = {
        None: lambda loop: beginning_text(loop, filled(_PRESS, step=NAMES[loop.next])),
        "zero_grad": _zero_grad_text,
        "forward": _forward_text,
        "backward": _backward_text,
        "update": _update_text,
    }
    return writers[last](loop)


def status(loop: LoopState) -> tuple[str, ...]:
    """Return the parts of the status line about a loop: its position, and a warning or ""."""
    stale = "values right of the leaves are from before the update" if loop.stale else ""
    if not loop.done:
        return f"epoch {loop.at:,}", stale
    return f"epoch {loop.at:,}, {NAMES[loop.done[-1]]} done", stale


def epoch_text(loop: LoopState) -> str:
    """Return the epoch with its last step."""
    return f"epoch {loop.at:,}, {_DONE[loop.done[-1]]}" if loop.done else f"epoch {loop.at:,}"


def loss_text(loss: float | None) -> str:
    """Return a loss as the label of an epoch."""
    return "not yet" if loss is None else decimals(loss)


def _not_finite_number(loop: LoopState) -> Spans:
    graph, loss = loop.graph, loop.descent.loss
    assert graph.root is not None
    numbers = [(graph.brief(graph.root), loss)]
    numbers += [(grad_name(graph, n), loop.descent.grads[n]) for n in loop.learners]
    numbers += [(graph.brief(n), loop.value(n)) for n in loop.learners]
    for name, number in numbers:
        if number is not None and not are_finite((number,)):
            number_text = Span(decimals(number), "error", bold=True)
            remedy = _REMEDY if loop.at else "Change a leaf first: here nothing can be learned."
            return filled(_NOT_FINITE, what=name, number=number_text, remedy=remedy)
    return ()


def _accumulated(loop: LoopState) -> Spans:
    """Return the sentence about a gradient to which backward added without zero grad."""
    if not loop.done or loop.done[-1] != "backward":
        return ()
    for node in loop.learners:
        old = loop.leftover_grads.get(node, 0.0)
        if old:
            grad = loop.descent.grads[node]
            return filled(
                _ACCUMULATED,
                held_in=grad_name(loop.graph, node),
                fresh=_gradient(grad - old),
                old=_gradient(old),
                grad=_gradient(grad),
            )
    return ()


def _loss_not_falling(loop: LoopState) -> Spans:
    """Return the reason why the loss of this epoch is not below that of the one before, or ()."""
    if loop.at == 0 or not loop.done or loop.done[-1] not in ("forward", "update"):
        return ()
    at = loop.latest_loss_epoch
    if at == 0:
        return ()
    before, after, rate = loop.losses[at - 1], loop.losses[at], loop.epochs[at].rate
    if before is None or after is None or rate is None:
        return ()
    fields = {
        "before": _value(before),
        "after": _value(after),
        "rate": Span(decimals(rate), bold=True),
    }
    moves = [(loop.value(n, at), loop.value(n, at - 1)) for n in loop.leaves]
    if all(abs(now - then) <= _ROUNDING * abs(then) for now, then in moves):
        return ()  # nothing moves any more: a run has stopped with that reason
    if abs(after - before) <= _ROUNDING * abs(before):
        changes = [now - then for now, then in moves]
        # each change is −rate · slope, and the loss should fall by change · slope for each;
        # change * change, as ** raises where * gives inf
        predicted_fall = sum(change * change for change in changes) / rate
        blames_rate = predicted_fall > _EXPECTED_FALL_SHARE * abs(before)
        return filled(_UNCHANGED, **fields) if blames_rate else ()
    if after < before:
        return ()
    if not loop.epochs[at].used_old_gradients:
        return filled(_TOO_LARGE, **fields)
    clean = loop.loss_with_zero_grad
    blames_rate = not clean <= before  # or it is nan
    return filled(
        _OLD_GRADIENTS_AND_RATE if blames_rate else _OLD_GRADIENTS, clean=_value(clean), **fields
    )


def beginning_text(loop: LoopState, press: Spans) -> Spans:
    """Return what an update does, and which button to press."""
    graph = loop.graph
    assert graph.root is not None
    root = Span(graph.brief(graph.root), bold=True)
    return filled(_BEGINNING, leaves=_leaf_names(loop), root=root, press=press)


def _zero_grad_text(loop: LoopState) -> Spans:
    return filled("**zero grad**: every gradient is 0, so backward adds to nothing old.")


def _forward_text(loop: LoopState) -> Spans:
    loss, graph = loop.descent.loss, loop.graph
    assert graph.root is not None
    assert loss is not None
    root = graph.brief(graph.root)
    before = loop.losses[loop.at - 1] if loop.at else None
    if before is None:
        return filled("**forward**: {root} is {loss}.", root=root, loss=_value(loss))
    return filled(
        "**forward**: {root} was {before} and is now {loss}.",
        root=root,
        before=_value(before),
        loss=_value(loss),
    )


def _backward_text(loop: LoopState) -> Spans:
    names = [grad_name(loop.graph, node) for node in loop.learners]
    grads = [_gradient(loop.descent.grads[node]) for node in loop.learners]
    if not names:
        return filled("**backward**: no leaf learns, so update would move nothing.")
    if len(names) == 1:
        template = "**backward**: {first} is {grad}. Update goes against it."
        return filled(template, first=names[0], grad=grads[0])
    template = "**backward**: {first} is {grad}, {second} is {other}. {rest}"
    others, conclusion = len(names) - 2, "Update goes against both."
    if others:
        conclusion = counted(others, "One more leaf has its own.", "{count:,} more have their own.")
    fields = {"first": names[0], "second": names[1], "rest": conclusion}
    return filled(template, grad=grads[0], other=grads[1], **fields)


def _update_text(loop: LoopState) -> Spans:
    node, move = next(iter(loop.moves.items()))  # `learners` may have changed since
    return filled(
        _SUMMED_UPDATE if loop.leftover_grads.get(node) else _UPDATE,
        leaf=loop.graph.brief(node),
        before=_value(move.before),
        rate=decimals(move.rate),
        grad=_gradient(move.grad),
        after=_value(move.after),
    )


def stale_loss_text(loop: LoopState) -> Spans:
    """Return the remark that the shown loss precedes the update, or ()."""
    loss, root = loop.descent.loss, loop.graph.root
    assert root is not None
    if loss is None or not loop.stale or not loop.done or loop.done[-1] != "update":
        return ()
    name = loop.graph.brief(root)
    template = _STALE_LOSS if name == "loss" else _STALE
    return filled(template, root=name, loss=_value(loss))


def _spaced(parts: Sequence[Spans]) -> Spans:
    """Return the parts of the answer line that are not empty, with space between them."""
    spans: Spans = ()
    for part in parts:
        spans += (Span("    "), *part) if spans and part else part
    return spans


def _leaf_names(loop: LoopState) -> str:
    names = [loop.graph.brief(node) for node in loop.learners]
    if len(names) > 3:  # from four on, two and their number are shorter
        names = [*names[:2], f"{len(names) - 2:,} more leaves"]
    return enumerated(names) or "no leaf"


def _value(x: float) -> Span:
    return Span(decimals(x), "value", bold=True)


def _gradient(x: float) -> Span:
    return Span(decimals(x), "gradient", bold=True)
