"""Plain: the strip of a pass that is stepped through."""

from __future__ import annotations

from typing import Final

from app.controls.rich_text import Spans, filled
from app.document.beginnings import Begun
from app.workbench.gradients.formulas import enumerated
from app.workbench.playback.view_state import ViewState
from app.workbench.words.ends import plain_end
from app.workbench.words.steps import correct_text, next_step_text, taken_text
from app.workbench.words.strip import (
    EXAMPLE,
    Button,
    Say,
    Strip,
    is_over,
    joined,
    mistake_name,
    told_count,
    transport_buttons,
)
from engine.numbers import plural
from engine.study.beginning import is_small

_MOST_NAMED: Final = 3
"""Leaves that are named; of more the others are counted."""
_LONGEST_NAME: Final = 16
_SMALL: Final = 20
"""Size up to which a number is called small."""


def plain_strip(now: ViewState, say: Say) -> Strip:
    """Return the strip of a pass that is stepped through."""
    frame = now.frame
    if is_over(now):
        return plain_end(now, say)
    correct, coming = correct_text(now, say.digits), next_step_text(now, say.digits)
    below = coming if say.presented else joined(correct, coming)
    answer, offers = told_count(frame, below), ()
    if frame.phase == "live" and not frame.graph.nodes:
        offers = (Button("try", f"Try {EXAMPLE}"),)
    elif frame.phase == "live" and say.begun is not None:
        answer, offers = beginning_text(say.begun), beginning_offers(say.begun)
    return Strip(
        (
            *mistake_name(now, say),
            *taken_text(now, say.voice, say.digits, say.notation, say.presented),
            *(correct if say.presented else ()),
        ),
        answer,
        transport_buttons(now),
        offers,
    )


def beginning_text(begun: Begun) -> Spans:
    """Return which leaves got numbers that nobody typed."""
    graph, count = begun.graph, len(begun.leaves)
    shown = begun.leaves if count <= _MOST_NAMED + 1 else begun.leaves[:_MOST_NAMED]
    names = [graph.brief(leaf, _LONGEST_NAME) for leaf in shown]
    if len(shown) < count:
        names.append(f"{count - len(shown):,} more")
    if begun.all_ones:
        got = plural(count, "{names} is 1 to begin with.", "{names} are 1 to begin with.")
    elif max(map(abs, begun.numbers)) <= _SMALL:
        one = "{names} got a small number to begin with."
        got = plural(count, one, "{names} got small, different numbers to begin with.")
    else:
        got = "{names} got different numbers to begin with."
    return filled(
        f"{got} {plural(count, 'Click it', 'Click one')} to change it.", names=enumerated(names)
    )


def beginning_offers(begun: Begun) -> tuple[Button, ...]:
    """Return the offers about numbers that nobody typed."""
    graph = begun.graph
    small = graph.root is not None and is_small(len(graph.plan(graph.root).order) + 1)
    others = (Button("others", "Other numbers"),) if small else ()
    return others if begun.all_ones else (*others, Button("ones", "All 1"))
