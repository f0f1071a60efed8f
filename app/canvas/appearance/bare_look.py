"""Bare looks: what a node shows but for names and numbers, so that many nodes look alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.canvas.appearance.look import EMPTY_FIGURE, NodeLook

NO_TEXTS: Final[Mapping[str, Any]] = {
    "label": "",
    "name": "",
    "caption": "",
    "shorter": (),
    "slot_captions": (),
    "update": None,
    "value": EMPTY_FIGURE,
    "was": "",
    "locals": (),
    "chips": (),
    "correct": None,
    "here": "",
    "before": "",
    "start": "",
    "come": 0,
    "due": 0,
    "more": 0,
    "total": "",
    "waiting": None,
    "badge": 0,
    "badge_filled": False,
    "right": "",
}
"""What a bare look has in place of names and numbers, but for the gradient, which may be none."""


def bare(look: NodeLook) -> NodeLook:
    """Return the look without names and numbers: equal for two looks with the same body."""
    return look._replace(grad=None if look.grad is None else EMPTY_FIGURE, **NO_TEXTS)
