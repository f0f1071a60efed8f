"""Actions for passes, steps, mistakes, breakpoints and the ripple."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.window.actions import action, pass_action, revealing_action, room_question_is_open
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


@pass_action(
    "&Zero grad",
    enabled=when.needs_zeroing,
    icon="zero",
    folded="mistakes page-mistakes",
    search="reset gradients accumulate clear",
)
def zero_grad(context: Context) -> None:
    """Zero every gradient before backward, which the mistake forgets."""
    context.playback.set_rules(CORRECT)
    context.messages.toast("All gradients are zero again, and backward starts from there.")


@pass_action(
    "&Play",
    "Return Enter",
    when.has_steps,
    icon="play",
    checked=lambda c: c.playback.playing,
    search="start pause animate watch",
)
def play(context: Context) -> None:
    """Play or pause."""
    modes = context.modes
    if modes.asks and modes.question is not None:
        modes.reveal()  # in Ask me this focuses the blank
    elif context.playback.now.mode.shows_answer:
        modes.answer()
    else:
        context.playback.toggle_play()


@pass_action("Next &way to say it", "V", folded="voice")
def next_voice(context: Context) -> None:
    """Say each step in words, as maths or as code, in turn."""
    index = VOICES.index(context.settings.voice)
    context.shell.set_voice(VOICES[(index + 1) % len(VOICES)])


@pass_action(
    "&Backward",
    "B",
    when.has_nodes,
    icon="backward",
    search="backprop backpropagation gradient gradients autograd reverse run",
)
def backward(context: Context) -> None:
    """Start the backward pass at the seed."""
    _start(context, "backward")


@pass_action(
    "&Forward",
    "Shift+B",
    when.has_nodes,
    icon="forward",
    search="evaluate compute calculate run values",
)
def forward(context: Context) -> None:
    """Start the forward pass."""
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


@pass_action("&Step", "Right", when.has_nodes, icon="step", search="next one")
def step(context: Context) -> None:
    """One step on."""
    by_hand = context.modes.by_hand
    (context.playback.step if by_hand.now is None else by_hand.take_turn)()


def step_or_skip(context: Context) -> None:
    """Go one step on; a question is skipped."""
    if context.modes.asks:
        context.modes.skip()
    else:
        step(context)


@pass_action("Step bac&k", "Left", when.in_a_pass, icon="step_back", search="previous rewind")
def step_back(context: Context) -> None:
    """One step back."""
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


@pass_action(
    "To the first &difference",
    enabled=lambda c: _first_difference(c) is not None,
    folded="mistakes page-mistakes",
    search="diverge wrong where",
)
def first_difference(context: Context) -> None:
    """To the step at which the mistake first shows."""
    first = _first_difference(context)
    if first is not None:
        context.playback.go(first, pause=True)


@revealing_action(
    "&Descent",
    "D",
    when.has_nodes,
    icon="down",
    checked=lambda c: c.descents.now is not None,
    search="gradient sgd optimize optimise minimize minimise learning rate eta",
)
def descent(context: Context) -> None:
    """Move the leaves against their gradients, step by step or epoch by epoch."""
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


def _node_to_stop_at(context: Context) -> int | None:
    """Return the node of the cursor's line of code while the keyboard is there, or the selected."""
    return next(iter(context.selection.lit_nodes), _selected_value_node(context))


def gradient_selected(context: Context) -> bool:
    """Return whether one node with a gradient is selected, and no question could be given away."""
    node = _selected_value_node(context)
    if node is None or context.playback.now.asks:
        return False
    return not isinstance(context.document.graph.nodes.get(node), Constant)


def gradient_of_mistake_selected(context: Context) -> bool:
    """Return whether a node with a gradient is selected in a pass with a mistake no hunt hides."""
    return gradient_selected(context) and context.playback.rules.is_mistake


@pass_action(
    "Stop at this &node",
    "F9",
    when.has_nodes,
    checked=lambda c: _node_to_stop_at(c) in c.time_machine.breakpoints,
    folded="stops",
    search="breakpoint pause stop",
)
def toggle_break(context: Context) -> None:
    """Stop a pass whenever the selected node, or that of the cursor's line, fires or receives."""
    node = _node_to_stop_at(context)
    if node is None:
        context.messages.toast("Select one node: passes then stop there.")
    else:
        context.time_machine.toggle(node)


@pass_action("Go to where its gradient became &final", enabled=gradient_selected, folded="go to")
def to_final(context: Context) -> None:
    """Go to the last step at which the selected node receives."""
    node = _selected_value_node(context)
    if node is not None:
        context.time_machine.to_final(node)


@pass_action(
    "Go to where its gradient first went &wrong",
    enabled=gradient_of_mistake_selected,
    folded="go to",
)
def to_first_wrong(context: Context) -> None:
    """Go to the first step at which the mistake shows in the selected node."""
    node = _selected_value_node(context)
    if node is not None:
        context.time_machine.to_first_wrong(node)


def _rules_action(rules: Rules) -> None:
    @revealing_action(
        rules.title,
        id=f"rules-{rules.name}",
        tooltip=rules.sentence,
        folded="mistakes page-mistakes",
        search="mistake",
        checked=lambda c: c.playback.rules == rules,
    )
    def use(context: Context) -> None:
        context.playback.set_rules(rules)


_VOICES: Final[dict[Voice, tuple[str, str]]] = {
    "plain": ("Plain words", "in words"),
    "maths": ("Maths", "as maths"),
    "code": ("Code", "as code"),
}


def _voice_action(voice: Voice, text: str, says: str) -> None:
    @revealing_action(
        text,
        id=f"voice-{voice}",
        tooltip=f"The sentence below the canvas says each step {says}",
        folded="voice",
        search="voice sentence language narration say",
        checked=lambda c: c.settings.voice == voice,
    )
    def use(context: Context) -> None:
        context.shell.set_voice(voice)


def _speed_action(speed: float) -> None:
    number = short(speed)

    @revealing_action(
        f"{number} steps a second".replace("0.5 steps", "½ step").replace("1 steps", "1 step"),
        id=f"speed-{number}",
        folded="speed",
        search="speed tempo fast slow pace",
        checked=lambda c: c.playback.speed == speed,
    )
    def use(context: Context) -> None:
        """How fast Play goes through the pass."""
        context.playback.set_speed(speed)


@pass_action("Step a whole node", "Shift+Right Shift+PgDown", when.has_steps, folded="go to")
def step_node(context: Context) -> None:
    """To the end of the current node."""
    context.playback.step(whole_node=True)


@pass_action("Back a whole node", "Shift+Left Shift+PgUp", when.in_a_stepped_pass, folded="go to")
def step_node_back(context: Context) -> None:
    """Back to where the current node began."""
    context.playback.step_back(whole_node=True)


@pass_action(
    "To the start",
    "Home",
    when.in_a_stepped_pass,
    icon="first",
    folded="go to",
    search="beginning first rewind reset",
)
def to_start(context: Context) -> None:
    """Back to where nothing is known yet."""
    context.playback.go(0)


@pass_action(
    "To the end", "End", when.has_steps, icon="last", folded="go to", search="finish last skip"
)
def to_end(context: Context) -> None:
    """To the end of the pass."""
    context.playback.to_end()


@pass_action(
    "Stop after each &node",
    checked=lambda c: c.playback.by_node,
    folded="by_node",
    search="breakpoint coarse",
)
def by_node(context: Context) -> None:
    """A step goes to the end of the current node."""
    context.playback.set_by_node(not context.playback.by_node)


@revealing_action(
    "&Cover the next number",
    "C",
    icon="cover",
    checked=lambda c: c.modes.is_cover,
    folded="cover",
    search="hide peek conceal ask room class audience",
)
def cover(context: Context) -> None:
    """Hide the next number until it is clicked or stepped."""
    context.modes.toggle(cover=True)


@action(
    "Re&veal what is asked",
    ".",
    lambda c: c.modes.question is not None and not room_question_is_open(c),
    search="solution answer uncover show",
)
def reveal(context: Context) -> None:
    """Under Cover show the numbers that are asked for; in Ask me go to the blank."""
    context.modes.reveal()


@revealing_action(
    "&Ask me",
    "P",
    icon="predict",
    checked=lambda c: c.modes.asks,
    search="quiz test question questions exercise practice practise predict exam guess",
)
def predict(context: Context) -> None:
    """Each number is asked before it is shown; a wrong one is told what it is."""
    context.modes.toggle()


@pass_action(
    "&Leave the pass", enabled=when.in_a_pass, folded="go to", search="values only live reset stop"
)
def leave(context: Context) -> None:
    """Show all values and no gradients."""
    context.playback.leave()


for voice, text in _VOICES.items():
    _voice_action(voice, *text)
for speed in SPEEDS:
    _speed_action(speed)
for rules in (CORRECT, *MISTAKES):
    _rules_action(rules)


@pass_action(
    "&Run to the next stop",
    "F8",
    when.has_steps,
    folded="stops",
    search="continue resume breakpoint",
)
def run_on(context: Context) -> None:
    """Go on to the next step at which a node with a stop fires or receives."""
    context.time_machine.run_to_breakpoint()


@pass_action(
    "&Clear all stops",
    enabled=lambda c: bool(c.time_machine.breakpoints),
    folded="stops",
    search="breakpoints remove",
)
def clear_breaks(context: Context) -> None:
    """Let passes run through again."""
    context.time_machine.clear()


@revealing_action(
    "R&ipple",
    "N",
    when.has_nodes,
    checked=lambda c: c.ripples.on,
    folded="ripple",
    search="perturb wiggle nudge change forward sensitivity delta influence",
)
def ripple(context: Context) -> None:
    """Change the selected number a little, and see what it changes up to the root."""
    context.ripples.toggle()


@action(
    "Ripple: lower the change", "Shift+N", lambda c: c.ripples.on, search="lower perturb smaller"
)
def ripple_down(context: Context) -> None:
    """From 1 to 0.1, 0.01 and 0.001, then again from 1."""
    context.ripples.lower()
