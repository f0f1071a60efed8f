"""The strip in a lesson: its sentence commands, while the page Lesson explains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from app.controls.spans import Span, Spans, filled, number_span, verbatim
from app.guide.play.guide import Learner
from app.guide.words.lesson_texts import is_ahead, step_heading
from app.lessons.lesson import Step
from app.workbench.playback.view_state import ViewState
from app.workbench.words.ends import NAME_LENGTH
from app.workbench.words.live_texts import hint_spans, live_spans
from app.workbench.words.strip import Act, Button, Strip, StripContext
from engine.numbers import Digits, short

_HUNT: Final = "step to the first wrong number, then name the mistake"
_AHEAD: Final = "Press Step until it is asked."
_PASS_ACTS: Final[tuple[Act, ...]] = ("back", "step", "play")
"""The acts that a task has for its pass; at its beginning there is no step back."""
_AT_FIRST: Final[Mapping[Act, str]] = {"step": "Backward", "play": "Play"}
"""What begins a pass is called by its name, as a task does."""
_ASIDE: Final[tuple[Act, ...]] = ("ask", "ripple")
"""The acts that lead away from a step."""


def step_strip(content: Strip, state: Learner, now: ViewState, context: StripContext) -> Strip:
    """Return the strip of a mode, `content`, as the step of the lesson has it."""
    step, is_live = state.step, now.frame.phase == "live"
    kept = tuple(
        replace(button, text=_AT_FIRST[button.act])
        if is_live and button.act in _AT_FIRST
        else button
        for button in content.buttons
        if step is None or button.act not in _ASIDE
    )
    if now.quiz is not None and is_ahead(state, now):
        return replace(content, answer=verbatim(_AHEAD), buttons=kept)
    if step is None and is_live:
        done = verbatim(f"✓ {state.lesson.title}")
        return replace(content, sentence=done, buttons=kept)
    if step is None or now.quiz is not None:
        return replace(content, buttons=kept)
    following = (Button("next", "Next"),) if state.may_go_on else ()
    if now.ripple is not None and not now.dragged:  # its sentence is about what was sent
        return _while_rippling(content, step, kept, following)
    begins = _is_at_beginning(state, now)
    digits = context.digits
    command, seen = command_text(state, now, digits), _seen(content, state, now, digits)
    hint = hint_spans(step.hint, now, digits) if state.shows_hint else ()
    sentence = tuple(replace(span, bold=True) for span in command)
    is_free = step.kind == "free"
    if following and not is_free:
        return Strip(sentence, () if step.kind in ("say", "blank") and begins else seen, following)
    if step.kind == "ask" or content.answer_over_timeline:  # an edit ended it; a click was refused
        return content
    if not is_free and now.by_hand is None and now.loop is None:
        kept = _pass_buttons(kept, step, begins=begins, is_live=is_live)
    said = sentence if begins else content.sentence
    aside = seen if begins else () if context.playing else command
    answer = hint or (content.answer if is_free else ()) or aside
    return replace(content, sentence=said, answer=answer, buttons=(*kept, *following))


def _while_rippling(
    content: Strip, step: Step, kept: tuple[Button, ...], following: tuple[Button, ...]
) -> Strip:
    """Return the strip of a change; that which a step shows has its own size."""
    if step.kind == "ripple":
        return replace(content, buttons=following, caption="")
    return replace(content, buttons=(*kept, *following))


def _pass_buttons(
    buttons: tuple[Button, ...], step: Step, *, begins: bool, is_live: bool
) -> tuple[Button, ...]:
    """Return the buttons of a task's pass: none before one that Show me does not step through."""
    steps = step.kind == "hunt" or any(move.verb == "step" for move in step.moves)
    acts = () if begins and not steps else _PASS_ACTS[is_live:]
    return tuple(button for button in buttons if button.act in acts)


def command_text(state: Learner, now: ViewState, digits: Digits) -> Spans:
    """Return what the step wants done, as a sentence; of one that only says something its title."""
    step = state.step
    assert step is not None
    if step.kind in ("say", "ask", "ripple", "blank"):
        text = verbatim(step_heading(state, step))
    elif now.hunt is not None and state.ended:
        text = verbatim(now.hunt.named)
    else:
        task = step.task or (_HUNT if step.kind == "hunt" else step.heading)
        task = f"Try: {task}" if step.kind == "free" else f"{task[:1].upper()}{task[1:]}"
        text = live_spans(f"{task}.", now, digits)
    wants = step.kind not in ("say", "ripple", "blank")
    done = state.ended == "done" and wants and not state.is_test
    shown = verbatim("shown  ", "secondary") if state.ended == "shown" else ()
    return (*((Span("✓ "),) if done else shown), *text)


def _is_at_beginning(state: Learner, now: ViewState) -> bool:
    """Return whether no step of a pass or a loop was taken since the step was entered."""
    run, loop, frame = now.by_hand, now.loop, now.frame
    if run is not None:
        return not run.fired and run.seed is None
    if loop is not None:
        return loop.at == 0 and not loop.done
    begun = state.begun
    return not frame.cursor or (frame.phase, frame.cursor) == (begun.phase, begun.cursor)


def _seen(content: Strip, state: Learner, now: ViewState, digits: Digits) -> Spans:
    """Return what became so: the last step, the change of a value, else the value of the root."""
    frame, graph = now.frame, now.frame.graph
    is_told = now.ripple is not None or now.released is not None
    if is_told or frame.cursor or now.by_hand is not None or now.loop is not None:
        return content.sentence
    value = None if graph.root is None else frame.values.get(graph.root)
    if graph.root is None or value is None or state.begun.mode == "training":
        return ()
    name = Span(graph.brief(graph.root, NAME_LENGTH), bold=True)
    return filled(
        "{name} is {value}.", name=name, value=number_span(value, "value", short(value, digits))
    )
