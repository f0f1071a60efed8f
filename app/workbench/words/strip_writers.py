"""Writers: the function that writes the strip of each mode."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from app.workbench.playback.view_state import ViewState
from app.workbench.words.ends import plain_strip
from app.workbench.words.ripple import ripple_strip
from app.workbench.words.strip import Button, Strip, StripContext


def write_strip(now: ViewState, context: StripContext) -> Strip:
    is_ripple = (now.ripple is not None and now.evidence is None) or now.released is not None
    content = (ripple_strip if is_ripple else _writer(now.mode.name))(now, context)
    if is_ripple or context.in_lesson or context.waiting_epoch is None:
        return content
    offer = Button("resume", f"Back to epoch {context.waiting_epoch:,}")
    return replace(content, offers=(offer,), offers_last=True)


def _writer(mode: str) -> Callable[[ViewState, StripContext], Strip]:
    """Return the function that writes the strip of a mode; most are loaded when first needed."""
    match mode:
        case "quiz":
            from app.workbench.words.asked import quiz_strip

            return quiz_strip
        case "by hand":
            from app.workbench.words.hand import hand_strip

            return hand_strip
        case "loop":
            from app.workbench.words.loop_strip import loop_strip

            return loop_strip
        case _:
            return plain_strip
