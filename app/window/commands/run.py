"""What the Run menu does: passes, steps, mistakes."""

from __future__ import annotations

from app.window.actions import Action
from app.window.commands import conditions as when
from app.workbench.narration import Voice
from app.workbench.playback import SPEEDS
from engine.rules import CORRECT, MISTAKES, Rules


def _rules(rules: Rules) -> Action:
    return Action(
        f"rules-{rules.name}",
        rules.title,
        lambda w: w.playback.set_rules(rules),
        menu="Run/Mistakes",
        tip=rules.sentence,
        checked=lambda w: w.playback.rules == rules,
    )


def _voice(voice: Voice, text: str, tip: str) -> Action:
    return Action(
        f"voice-{voice}",
        text,
        lambda w: w.transport.set_voice(voice),
        menu="Run/Say it in",
        tip=tip,
        checked=lambda w: w.transport.voice == voice,
    )


def _speed(speed: float) -> Action:
    return Action(
        f"speed-{speed:g}",
        f"{speed:g} steps a second".replace("0.5 steps", "½ step").replace("1 steps", "1 step"),
        lambda w: w.playback.set_speed(speed),
        menu="Run/Speed",
        checked=lambda w: w.playback.speed == speed,
    )


RUN: tuple[Action, ...] = (
    Action(
        "backward",
        "&Backward",
        lambda w: w.playback.backward(),
        ("B",),
        "backward",
        "Run",
        "Start the backward pass at the seed",
        when.has_nodes,
    ),
    Action(
        "forward",
        "&Forward",
        lambda w: w.running.forward(),
        ("Shift+B",),
        "forward",
        "Run",
        "Start the forward pass",
        when.has_nodes,
    ),
    Action(
        "step",
        "&Step",
        lambda w: w.playback.step(),
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
        lambda w: w.playback.step_back(),
        ("Left", "PgUp"),
        "step_back",
        "Run",
        "One step back",
        when.in_a_pass,
    ),
    Action(
        "step_node",
        "Step a whole node",
        lambda w: w.playback.step_node(),
        ("Shift+Right", "Shift+PgDown"),
        "",
        "Run",
        "To the end of the current node",
        when.has_nodes,
    ),
    Action(
        "step_node_back",
        "Back a whole node",
        lambda w: w.playback.step_node_back(),
        ("Shift+Left", "Shift+PgUp"),
        "",
        "Run",
        "Back to where the current node began",
        when.in_a_pass,
    ),
    Action(
        "to_start",
        "To the start",
        lambda w: w.playback.to_start(),
        ("Home",),
        "first",
        "Run",
        "Back to where nothing is known yet",
        when.in_a_pass,
    ),
    Action(
        "to_end",
        "To the end",
        lambda w: w.playback.to_end(),
        ("End",),
        "last",
        "Run",
        "To the end of the pass",
        when.has_nodes,
    ),
    Action(
        "play",
        "&Play",
        lambda w: w.playback.toggle_play(),
        ("Return", "Enter"),
        "play",
        "Run",
        "Play or pause",
        when.has_nodes,
        lambda w: w.playback.playing,
    ),
    Action(
        "by_node",
        "Stop after each &node",
        lambda w: w.playback.set_by_node(not w.playback.by_node),
        menu="Run",
        tip="A step goes to the end of the current node",
        checked=lambda w: w.playback.by_node,
        gap=True,
    ),
    Action(
        "cover",
        "&Cover the next number",
        lambda w: w.playback.set_cover(not w.playback.cover),
        ("C",),
        "cover",
        "Run",
        "Hide the next contribution until it is clicked or stepped",
        checked=lambda w: w.playback.cover,
    ),
    Action(
        "leave",
        "&Leave the pass",
        lambda w: w.playback.leave(),
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
        lambda w: w.running.zero_grad(),
        icon="zero",
        menu="Run",
        tip="Zero every gradient before backward, which the mistake forgets",
        enabled=when.needs_zeroing,
        hides=True,
    ),
)
