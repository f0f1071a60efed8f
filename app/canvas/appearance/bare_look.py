"""Bare looks: what a node shows but for names and numbers, so that many nodes look alike."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from app.canvas.appearance.look import EMPTY_FIGURE, NodeLook
from app.canvas.appearance.looks import Looks
from app.document.node_sizes import is_seated
from engine.graph import Constant, Root, kind_of

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


def read_bare(looks: Looks, node: int) -> NodeLook:
    """Return the bare look of a node, at a tenth of the cost of a whole one."""
    graph, frame = looks.graph, looks.frame
    found = graph.nodes[node]
    shown = found.input if isinstance(found, Root) else node
    value = None if shown is None else frame.values.get(shown)
    return NodeLook(
        kind="pill" if is_seated(graph, node) else kind_of(found),
        symbol=looks.captions.symbol(node),
        grad=None if isinstance(found, Constant) else EMPTY_FIGURE,
        plugged=tuple(source is not None for source in graph.inputs(node)),
        state=looks.state(node),
        value_known=value is not None,
        grad_known=shown in frame.grads,
        bad=value is not None and not math.isfinite(value),
        active=not isinstance(found, Root) or node == graph.active_root,
        learns=looks.descending is not None and node in looks.descending.loop.chosen,
        **NO_TEXTS,
    )
