"""What the Run menu does: passes, steps, mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.window.actions import Action
from app.window.commands import conditions as when
from app.workbench.narration import Voice
from app.workbench.playback import SPEEDS
from engine.frame import Phase
from engine.graph import Root
from engine.problems import Problem
from engine.rules import CORRECT, MISTAKES, Rules

if TYPE_CHECKING:
    from app.window.context import Context


def zero_grad(context: Context) -> None:
    """Do what the mistake forgets: start backward from gradients of zero."""
    context.playback.set_rules(CORRECT)
    context.messages.toast("All gradients are zero again, and backward starts from there.")


def help_stuck(context: Context, problem: Problem, phase: Phase) -> None:
    """Say why a pass can't start, and offer what would help; then the pass that was wanted starts.

    `phase` is the pass that was wanted.
    """
    document, messages = context.document, context.messages
    if problem.slot is not None or document.graph.active_root is not None:
        context.selection.focus_on(problem.node)
        context.canvas.framing.show_node(problem.node)
        messages.toast(problem.sentence)
        return
    node = _root_candidate(context)
    if node is None:
        messages.toast(f"{problem.sentence} Select its node and press Backward.")
        return
    messages.offer(
        problem.sentence,
        f"Mark {document.graph.title(node)} as root",
        lambda: _mark_and_run(context, node, phase),
    )


def _root_candidate(context: Context) -> int | None:
    """The selected node, or the only one that is plugged into nothing."""
    graph, chosen = context.document.graph, context.selection.only
    if chosen is not None and not isinstance(graph.nodes[chosen], Root):
        return chosen
    sinks = graph.sinks()
    return sinks[0] if len(sinks) == 1 else None


def _mark_and_run(context: Context, node: int, phase: Phase) -> None:
    document, playback = context.document, context.playback
    if node in document.graph.nodes and document.mark_root(node) is not None:
        (playback.forward if phase == "forward" else playback.backward)()


def _rules(rules: Rules) -> Action:
    return Action(
        f"rules-{rules.name}",
        rules.title,
        lambda c: c.playback.set_rules(rules),
        menu="Run/Mistakes",
        tip=rules.sentence,
        checked=lambda c: c.playback.rules == rules,
    )


def _voice(voice: Voice, text: str, tip: str) -> Action:
    return Action(
        f"voice-{voice}",
        text,
        lambda c: c.shell.set_voice(voice),
        menu="Run/Say it in",
        tip=tip,
        checked=lambda c: c.settings.voice == voice,
    )


def _speed(speed: float) -> Action:
    return Action(
        f"speed-{speed:g}",
        f"{speed:g} steps a second".replace("0.5 steps", "½ step").replace("1 steps", "1 step"),
        lambda c: c.playback.set_speed(speed),
        menu="Run/Speed",
        checked=lambda c: c.playback.speed == speed,
    )


RUN: tuple[Action, ...] = (
    Action(
        "backward",
        "&Backward",
        lambda c: c.playback.backward(),
        ("B",),
        "backward",
        "Run",
        "Start the backward pass at the seed",
        when.has_nodes,
    ),
    Action(
        "forward",
        "&Forward",
        lambda c: c.playback.forward(),
        ("Shift+B",),
        "forward",
        "Run",
        "Start the forward pass",
        when.has_nodes,
    ),
    Action(
        "step",
        "&Step",
        lambda c: c.playback.step(),
        ("Right", "PgDown"),
        "step",
        "Run",
        "One step on",
        when.has_nodes,
        gap=True,
    ),
    Action(
        "step_back",
        "Step bac&k",
        lambda c: c.playback.step_back(),
        ("Left", "PgUp"),
        "step_back",
        "Run",
        "One step back",
        when.in_a_pass,
    ),
    Action(
        "step_node",
        "Step a whole node",
        lambda c: c.playback.step(whole_node=True),
        ("Shift+Right", "Shift+PgDown"),
        "",
        "Run",
        "To the end of the current node",
        when.has_nodes,
    ),
    Action(
        "step_node_back",
        "Back a whole node",
        lambda c: c.playback.step_back(whole_node=True),
        ("Shift+Left", "Shift+PgUp"),
        "",
        "Run",
        "Back to where the current node began",
        when.in_a_pass,
    ),
    Action(
        "to_start",
        "To the start",
        lambda c: c.playback.go(0),
        ("Home",),
        "first",
        "Run",
        "Back to where nothing is known yet",
        when.in_a_pass,
    ),
    Action(
        "to_end",
        "To the end",
        lambda c: c.playback.to_end(),
        ("End",),
        "last",
        "Run",
        "To the end of the pass",
        when.has_nodes,
    ),
    Action(
        "play",
        "&Play",
        lambda c: c.playback.toggle_play(),
        ("Return", "Enter"),
        "play",
        "Run",
        "Play or pause",
        when.has_nodes,
        lambda c: c.playback.playing,
    ),
    Action(
        "by_node",
        "Stop after each &node",
        lambda c: c.playback.set_by_node(not c.playback.by_node),
        menu="Run",
        tip="A step goes to the end of the current node",
        checked=lambda c: c.playback.by_node,
        gap=True,
    ),
    Action(
        "cover",
        "&Cover the next number",
        lambda c: c.playback.set_cover(not c.playback.now.cover),
        ("C",),
        "cover",
        "Run",
        "Hide the next contribution until it is clicked or stepped",
        checked=lambda c: c.playback.now.cover,
    ),
    Action(
        "leave",
        "&Leave the pass",
        lambda c: c.playback.leave(),
        menu="Run",
        tip="Show all values and no gradients",
        enabled=when.in_a_pass,
    ),
    _voice("plain", "Plain words", "The sentence below the canvas says each step in words"),
    _voice("maths", "Maths", "The sentence below the canvas says each step as maths"),
    _voice("code", "Code", "The sentence below the canvas says each step as code"),
    *(_speed(speed) for speed in SPEEDS),
    _rules(CORRECT),
    *(_rules(rules) for rules in MISTAKES),
    Action(
        "zero_grad",
        "&Zero grad",
        zero_grad,
        icon="zero",
        menu="Run",
        tip="Zero every gradient before backward, which the mistake forgets",
        enabled=when.needs_zeroing,
        hides=True,
    ),
)
