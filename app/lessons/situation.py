"""Situation: graph, pass and settings as a lesson's checks see them; a move leads to another one.

The loader plays a lesson with these values alone; the window makes one from what it shows, so both
judge by the same checks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from engine.frame import Frame
from engine.graph import Graph
from engine.rules import CORRECT, Rules
from engine.study.hand_run import HandRun

Phase = Literal["live", "forward", "backward"]


class Situation(Struct, frozen=True):
    """What is on the sheet, how far the pass is, and what the pages are set to.

    `frame` holds what is known at the place of the pass. `hand` is the pass by hand that is on, or
    None. `h` and `method` are those of the page Numeric. `rate`, `epochs` and `loss` are those of
    the training loop, or of the network that is trained; `sizes` and `seed` those of the network.
    """

    graph: Graph
    phase: Phase = "live"
    cursor: int = 0
    rules: Rules = CORRECT
    frame: Frame | None = None
    hand: HandRun | None = None
    h: float = 1e-3
    method: str = "forward"
    rate: float = 0.1
    epochs: int = 0
    loss: float | None = None
    sizes: tuple[int, ...] = ()
    seed: int = 1
    mode: Literal["", "hand", "descent", "training"] = ""
    settings: Mapping[str, object] = {}
