"""Running: what a pass needs from the window when it can't start, and edits that prepare one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from engine.graph import Constant, Root
from engine.problems import Problem
from engine.rules import CORRECT

if TYPE_CHECKING:
    from app.window.frame.main_window import MainWindow


class Running(QObject):
    """Answers `Playback.stuck` with what would help, and does it when asked."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._document = window.document
        self._playback = window.playback
        self._wanted: Callable[[], object] = window.playback.backward
        window.playback.stuck.connect(self._help)

    def forward(self) -> None:
        """Start the forward pass; a root that is missing is asked for in between."""
        self._wanted = self._playback.forward
        self._playback.forward()
        self._wanted = self._playback.backward

    def mark_chosen(self) -> None:
        """Mark the chosen node as the root."""
        node = self._window.selection.only
        if node is not None:
            self._document.mark_root(node)

    def activate_chosen(self) -> None:
        """Make the chosen Root the active one."""
        node = self._window.selection.only
        if node is not None:
            self._document.set_active_root(node)

    def change_op(self, op: str) -> None:
        """Make another operation of the chosen node."""
        node = self._window.selection.only
        if node is not None:
            self._document.set_op(node, op)

    def unplug(self) -> None:
        """Take the chosen wires off their slots."""
        self._document.remove((), sorted(self._window.selection.wires))

    def toggle_constant(self) -> None:
        """Turn the chosen leaf into a constant, or back."""
        node = self._window.selection.only
        if node is not None:
            found = self._document.graph.nodes[node]
            self._document.set_constant(node, not isinstance(found, Constant))

    def zero_grad(self) -> None:
        """Do what the mistake forgets: start backward from gradients of zero."""
        self._playback.set_rules(CORRECT)
        self._window.toast("All gradients are zero again, and backward starts from there.")

    # inside

    def _help(self, problem: Problem) -> None:
        if problem.slot is not None or self._document.graph.active_root is not None:
            self._window.selection.focus_on(problem.node)
            self._window.show_node(problem.node)
            self._window.toast(problem.sentence)
            return
        node = self._candidate()
        if node is None:
            self._window.toast(f"{problem.sentence} Select its node and press Backward.")
            return
        wanted = self._wanted
        self._window.notice.offer(
            problem.sentence,
            f"Mark {self._document.graph.title(node)} as root",
            lambda: self._mark_and_go_on(node, wanted),
        )

    def _candidate(self) -> int | None:
        """The selected node, or the only one that is plugged into nothing."""
        graph = self._document.graph
        chosen = self._window.selection.only
        if chosen is not None and not isinstance(graph.nodes[chosen], Root):
            return chosen
        sinks = graph.sinks()
        return sinks[0] if len(sinks) == 1 else None

    def _mark_and_go_on(self, node: int, wanted: Callable[[], object]) -> None:
        if node in self._document.graph.nodes and self._document.mark_root(node) is not None:
            wanted()
