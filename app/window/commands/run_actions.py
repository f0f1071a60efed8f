"""Actions for passes, steps, mistakes, breakpoints and the ripple."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.window.actions import Action, room_question_is_open, sheet_action
from app.window.commands import when as when
from app.workbench.playback.playback import SPEEDS
from app.workbench.words.sentences import VOICES, Voice
from engine.graph import Constant, Root
from engine.numbers import short
from engine.problems import Problem
from engine.rules import CORRECT, MISTAKES, Rules
from engine.schedule import Pass

if TYPE_CHECKING:
    from app.window.context import Context


def zero_grad(context: Context) -> None:
    """Zero all gradients, which the mistake forgets, and start backward."""
    context.playback.set_rules(CORRECT)
    context.messages.toast("All gradients are zero again, and backward starts from there.")


def play_or_ask(context: Context) -> None:
    """Play or pause; while a question is open, turn to its blank, and go on once it is answered."""
    modes = context.modes
    if modes.asks and modes.question is not None:
        modes.reveal()  # in Ask me this focuses the blank
    elif context.playback.now.mode.shows_answer:
        modes.answer()
    else:
        context.playback.toggle_play()


def next_voice(context: Context) -> None:
    """Say the step in the next voice."""
    index = VOICES.index(context.settings.voice)
    context.shell.set_voice(VOICES[(index + 1) % len(VOICES)])


def start_backward(context: Context) -> None:
    """Start the backward pass; while a pass is done by hand, start it by hand."""
    _start(context, "backward")


def start_forward(context: Context) -> None:
    """Start the forward pass; while a pass is done by hand, start it by hand."""
    _start(context, "forward")


def _start(context: Context, phase: Pass) -> None:
    if context.modes.by_hand.now is not None:
        context.modes.by_hand.begin(phase)
    else:
        _begin_pass(context, phase)
        if context.modes.asks:
            context.modes.reveal()  # turn to the blank


def _begin_pass(context: Context, phase: Pass) -> None:
    (context.playback.forward if phase == "forward" else context.playback.backward)()


def step(context: Context) -> None:
    """Go one step forward; by hand, take the turn that the program would take."""
    by_hand = context.modes.by_hand
    (context.playback.step if by_hand.now is None else by_hand.take_turn)()


def step_or_skip(context: Context) -> None:
    """Go one step on; a question is skipped."""
    if context.modes.asks:
        context.modes.skip()
    else:
        step(context)


def step_back(context: Context) -> None:
    """Go one step back; by hand, take back the last turn."""
    by_hand = context.modes.by_hand
    (context.playback.step_back if by_hand.now is None else by_hand.take_back)()


def turn_epoch(context: Context, by: int) -> bool:
    """Go an epoch on or back where epochs are shown, after the last one by one more; else False.

    Nothing happens while epochs run.
    """
    descents = context.descents
    if context.shell.parts.staged:
        runner = context.training()
        at, last = runner.state.epochs, runner.epochs
    elif descents.now is not None and descents.shown:
        runner, at, last = descents, descents.now.at, len(descents.now.epochs) - 1
    else:
        return False
    if not runner.running and at + by > last:
        runner.run(1)
    elif not runner.running:
        runner.go(max(at + by, 0))
    return True


def _first_difference(context: Context) -> int | None:
    """Return the cursor where the pass first differs from the correct one, if it got that far."""
    now = context.playback.now
    first = None if now.comparison is None else now.comparison.first_wrong
    return first if first is not None and first <= now.frame.cursor else None


def go_to_first_difference(context: Context) -> None:
    """Show the step at which a mistake first shows."""
    first = _first_difference(context)
    if first is not None:
        context.playback.go(first, pause=True)


def toggle_descent(context: Context) -> None:
    """Begin Descent on its page, or end it."""
    context.descents.toggle()
    if context.descents.now is not None:
        context.shell.show_page("train", focus=False)


def explain_stuck_pass(context: Context, problem: Problem, phase: Pass) -> None:
    """Say why the requested pass can't start, and offer to mark a root and start it then."""
    document, messages = context.document, context.messages
    if not document.graph.nodes:
        messages.toast("Nothing to run yet. Type a formula, or press Tab to add a node.")
        return
    # an empty slot, or another problem of one node: show that node
    if problem.slot is not None or document.graph.active_root is not None:
        context.selection.focus_on(problem.node)
        context.canvas.framing.show_node(problem.node)
        messages.toast(problem.sentence)
        return
    node = context.selection.only
    if node is None or isinstance(document.graph.nodes[node], Root):
        if context.shell.presenting:  # which shows no button to press
            messages.toast(problem.sentence)
        else:
            messages.toast(f"{problem.sentence} Select its node and press Backward.")
        return
    messages.offer(
        problem.sentence,
        f"Mark {document.graph.title(node)} as root",
        lambda: _mark_and_run(context, node, phase),
    )


def _mark_and_run(context: Context, node: int, phase: Pass) -> None:
    document = context.document
    if node in document.graph.nodes and document.mark_root(node) is not None:
        _begin_pass(context, phase)


def _selected_value_node(context: Context) -> int | None:
    """Return the selected node; for a Root the node plugged into it."""
    only = context.selection.only
    found = None if only is None else context.document.graph.nodes.get(only)
    return found.input if isinstance(found, Root) else only


def gradient_selected(context: Context) -> bool:
    """Return whether one node with a gradient is selected, and no question could be given away."""
    node = _selected_value_node(context)
    if node is None or context.playback.now.asks:
        return False
    return not isinstance(context.document.graph.nodes.get(node), Constant)


def gradient_of_mistake_selected(context: Context) -> bool:
    """Return whether a node with a gradient is selected in a pass with a mistake no hunt hides."""
    return gradient_selected(context) and context.playback.rules.is_mistake


def toggle_breakpoint(context: Context) -> None:
    """Set or clear the breakpoint of the selected node, or ask for one node."""
    node = _selected_value_node(context)
    if node is None:
        context.messages.toast("Select one node: passes then stop there.")
    else:
        context.time_machine.toggle(node)


def to_final(context: Context) -> None:
    """Go to where the gradient of the selected node became final."""
    node = _selected_value_node(context)
    if node is not None:
        context.time_machine.to_final(node)


def to_first_wrong(context: Context) -> None:
    """Go to where the gradient of the selected node first went wrong."""
    node = _selected_value_node(context)
    if node is not None:
        context.time_machine.to_first_wrong(node)


def _rules_action(rules: Rules) -> Action:
    return Action(
        f"rules-{rules.name}",
        lambda c: c.playback.set_rules(rules),
        text=rules.title,
        tooltip=rules.sentence,
        checked=lambda c: c.playback.rules == rules,
    )


def _voice_action(voice: Voice, text: str, tooltip: str) -> Action:
    return Action(
        f"voice-{voice}",
        lambda c: c.shell.set_voice(voice),
        text=text,
        tooltip=tooltip,
        checked=lambda c: c.settings.voice == voice,
    )


def _speed_action(speed: float) -> Action:
    number = short(speed)
    return Action(
        f"speed-{number}",
        lambda c: c.playback.set_speed(speed),
        text=f"{number} steps a second".replace("0.5 steps", "½ step").replace("1 steps", "1 step"),
        checked=lambda c: c.playback.speed == speed,
    )


RUN: tuple[Action, ...] = (
    sheet_action("backward", start_backward, when.has_nodes),
    sheet_action("forward", start_forward, when.has_nodes),
    sheet_action("step", step, when.has_nodes),
    sheet_action("step_back", step_back, when.in_a_pass),
    sheet_action("step_node", lambda c: c.playback.step(whole_node=True), when.has_steps),
    sheet_action(
        "step_node_back", lambda c: c.playback.step_back(whole_node=True), when.in_a_stepped_pass
    ),
    sheet_action("to_start", lambda c: c.playback.go(0), when.in_a_stepped_pass),
    sheet_action("to_end", lambda c: c.playback.to_end(), when.has_steps),
    sheet_action("play", play_or_ask, when.has_steps, checked=lambda c: c.playback.playing),
    sheet_action(
        "first_difference", go_to_first_difference, lambda c: _first_difference(c) is not None
    ),
    sheet_action(
        "by_node",
        lambda c: c.playback.set_by_node(not c.playback.by_node),
        checked=lambda c: c.playback.by_node,
    ),
    Action("cover", lambda c: c.modes.toggle(cover=True), checked=lambda c: c.modes.is_cover),
    Action(
        "reveal",
        lambda c: c.modes.reveal(),
        lambda c: c.modes.question is not None and not room_question_is_open(c),
    ),
    Action("predict", lambda c: c.modes.toggle(), checked=lambda c: c.modes.asks),
    Action("descent", toggle_descent, when.has_nodes, checked=lambda c: c.descents.now is not None),
    sheet_action("leave", lambda c: c.playback.leave(), when.in_a_pass),
    sheet_action("next_voice", next_voice),
    _voice_action("plain", "Plain words", "The sentence below the canvas says each step in words"),
    _voice_action("maths", "Maths", "The sentence below the canvas says each step as maths"),
    _voice_action("code", "Code", "The sentence below the canvas says each step as code"),
    *(_speed_action(speed) for speed in SPEEDS),
    _rules_action(CORRECT),
    *(_rules_action(rules) for rules in MISTAKES),
    sheet_action("zero_grad", zero_grad, when.needs_zeroing),
)


TIME_MACHINE: tuple[Action, ...] = (
    sheet_action(
        "toggle_break",
        toggle_breakpoint,
        when.has_nodes,
        checked=lambda c: _selected_value_node(c) in c.time_machine.breakpoints,
    ),
    sheet_action("run_on", lambda c: c.time_machine.run_to_breakpoint(), when.has_steps),
    sheet_action(
        "clear_breaks", lambda c: c.time_machine.clear(), lambda c: bool(c.time_machine.breakpoints)
    ),
    sheet_action("to_final", to_final, gradient_selected),
    sheet_action("to_first_wrong", to_first_wrong, gradient_of_mistake_selected),
)


RIPPLE: tuple[Action, ...] = (
    Action("ripple", lambda c: c.ripples.toggle(), when.has_nodes, checked=lambda c: c.ripples.on),
    Action("ripple_down", lambda c: c.ripples.lower(), lambda c: c.ripples.on),
)
