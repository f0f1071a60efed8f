"""Extras: what nodes show beyond the pass, where the user has asked for it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from app.style.current import Extra
from engine.errors import EngineError
from engine.frame import Frame
from engine.graph import Wire
from engine.problems import arguments, pass_obstacle, true_local
from engine.trace import run


class Extras:
    """Local derivatives, final gradients and the order of one frame."""

    def __init__(self, frame: Frame, shown: frozenset[Extra]) -> None:
        self._frame = frame
        self._shown = shown

    def slope(self, wire: Wire, values: Mapping[int, float] | None = None) -> float | None:
        """Return the local derivative along a wire, once its inputs and its value are known.

        `values` are those of the whole pass, where not those of the frame.
        """
        graph, node = self._frame.graph, wire[0]
        known = self._frame.values if values is None else values
        if "slopes" not in self._shown or node not in known:
            return None
        if len(arguments(graph, node, known)) < len(graph.op(node).slots):
            return None
        return true_local(graph, wire, known)

    def final(self, node: int) -> float | None:
        """Return the gradient of a node at the end of the correct pass, before one has begun."""
        return self._finals.get(node)

    def place(self, node: int) -> int:
        """Return the place of a node in the order of the backward pass, leaves included; else 0."""
        return self._places.get(node, 0)

    @cached_property
    def _finals(self) -> Mapping[int, float]:
        frame = self._frame
        if "finals" not in self._shown or frame.phase == "backward" or pass_obstacle(frame.graph):
            return {}
        try:
            trace = run(frame.graph)
        except EngineError:
            return {}
        return trace.gradients

    @cached_property
    def _places(self) -> Mapping[int, int]:
        graph = self._frame.graph
        if "order" not in self._shown or graph.root is None:
            return {}
        return {node: turn + 1 for node, turn in graph.plan(graph.root).turns.items()}
