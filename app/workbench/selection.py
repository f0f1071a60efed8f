"""Selection: the nodes and wires that are chosen, and the node the keyboard is on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from app.document.change import Change
from app.document.document import Document
from engine.graph import Wire


class Chosen(NamedTuple):
    """What was chosen at one time."""

    nodes: frozenset[int]
    wires: frozenset[Wire]
    focus: int | None


class Selection(QObject):
    """What is chosen on the canvas; `changed` says that any of it differs."""

    changed = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._nodes: frozenset[int] = frozenset()
        self._wires: frozenset[Wire] = frozenset()
        self._focus: int | None = None
        document.changed.connect(self._forget_gone)

    @property
    def nodes(self) -> frozenset[int]:
        """The chosen nodes."""
        return self._nodes

    @property
    def wires(self) -> frozenset[Wire]:
        """The chosen wires."""
        return self._wires

    @property
    def focus(self) -> int | None:
        """The node that keys act on: the one chosen last."""
        return self._focus

    @property
    def only(self) -> int | None:
        """The one chosen node, or None."""
        return next(iter(self._nodes)) if len(self._nodes) == 1 else None

    def choose(self, nodes: Iterable[int] = (), wires: Iterable[Wire] = ()) -> None:
        """Choose exactly these."""
        chosen = frozenset(nodes)
        focus = self._focus if self._focus in chosen else next(iter(sorted(chosen)), None)
        self._set(chosen, frozenset(wires), focus)

    def focus_on(self, node: int | None) -> None:
        """Choose one node and put the keyboard on it."""
        self._set(frozenset() if node is None else frozenset({node}), frozenset(), node)

    def add(self, nodes: Iterable[int]) -> None:
        """Choose these as well."""
        more = frozenset(nodes)
        focus = next(iter(sorted(more)), self._focus)
        self._set(self._nodes | more, self._wires, focus)

    def toggle(self, node: int) -> None:
        """Choose a node, or no longer."""
        nodes = self._nodes ^ {node}
        self._set(nodes, self._wires, node if node in nodes else next(iter(sorted(nodes)), None))

    def chosen(self) -> Chosen:
        """What is chosen now, to be chosen again later."""
        return Chosen(self._nodes, self._wires, self._focus)

    def choose_again(self, chosen: Chosen) -> None:
        """Choose what was chosen then, as far as it is still there."""
        self._set(*self._present(chosen))

    def choose_all(self) -> None:
        """Choose every node."""
        self.choose(self._document.graph.nodes)

    def choose_ancestors(self) -> None:
        """Choose the inputs, and the inputs of inputs, of what is chosen as well."""
        graph = self._document.graph
        self._grow(lambda n: (s for s in graph.inputs(n) if s is not None))

    def choose_descendants(self) -> None:
        """Choose everything that what is chosen feeds as well."""
        graph = self._document.graph
        self._grow(lambda n: (target for target, _slot in graph.outgoing[n]))

    def clear(self) -> None:
        """Choose nothing."""
        self._set(frozenset(), frozenset(), None)

    def _grow(self, neighbours: Callable[[int], Iterable[int]]) -> None:
        found = set(self._nodes)
        stack = list(found)
        while stack:
            for node in neighbours(stack.pop()):
                if node not in found:
                    found.add(node)
                    stack.append(node)
        self._set(frozenset(found), self._wires, self._focus)

    def _forget_gone(self, _change: Change) -> None:
        self._set(*self._present(self.chosen()))

    def _present(self, chosen: Chosen) -> Chosen:
        """Without what has gone."""
        graph = self._document.graph
        nodes = frozenset(n for n in chosen.nodes if n in graph.nodes)
        wires = frozenset(
            w for w in chosen.wires if w[0] in graph.nodes and graph.source(w) is not None
        )
        return Chosen(nodes, wires, chosen.focus if chosen.focus in graph.nodes else None)

    def _set(self, nodes: frozenset[int], wires: frozenset[Wire], focus: int | None) -> None:
        if (nodes, wires, focus) != (self._nodes, self._wires, self._focus):
            self._nodes, self._wires, self._focus = nodes, wires, focus
            self.changed.emit()
