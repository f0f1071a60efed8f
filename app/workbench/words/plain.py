"""Plain: the strip of a pass that is stepped through."""

from __future__ import annotations

from app.workbench.playback.view_state import ViewState
from app.workbench.words.ends import plain_end
from app.workbench.words.steps import next_step_text, step_text
from app.workbench.words.strip import (
    Say,
    Strip,
    is_over,
    mistake_name,
    told_count,
    transport_buttons,
)


def plain_strip(now: ViewState, say: Say) -> Strip:
    """Return the strip of a pass that is stepped through."""
    frame = now.frame
    if is_over(now):
        return plain_end(now, say)
    return Strip(
        (
            *mistake_name(now, say),
            *step_text(now, say.voice, say.digits, say.notation, say.presented),
        ),
        told_count(frame, next_step_text(now, say.digits)),
        transport_buttons(now),
    )
