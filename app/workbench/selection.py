"""Selection: the nodes, wires and sections that are chosen, and the node the keyboard is on."""

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
    sections: frozenset[int] = frozenset()


_NOTHING = Chosen(frozenset(), frozenset(), None)


class Selection(QObject):
    """What is chosen on the canvas.

    It forgets by itself what an edit takes away, and all that was chosen when another group is
    looked into. It must be made before the playback: views that hear of the edit from there find
    the selection up to date.
    """

    changed = Signal()
    """Something else was chosen; what an edit takes away is told with the edit alone."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._chosen = _NOTHING
        document.changed.connect(self._forget_gone)

    @property
    def nodes(self) -> frozenset[int]:
        """The chosen nodes."""
        return self._chosen.nodes

    @property
    def wires(self) -> frozenset[Wire]:
        """The chosen wires."""
        return self._chosen.wires

    @property
    def sections(self) -> frozenset[int]:
        """The chosen sections."""
        return self._chosen.sections

    @property
    def focus(self) -> int | None:
        """The node that keys act on: the one chosen last."""
        return self._chosen.focus

    @property
    def only(self) -> int | None:
        """The one chosen node, or None."""
        return next(iter(self.nodes)) if len(self.nodes) == 1 else None

    @property
    def section(self) -> int | None:
        """The one chosen section, where nothing else is chosen."""
        alone = len(self.sections) == 1 and not self.nodes and not self.wires
        return next(iter(self.sections)) if alone else None

    @property
    def anything(self) -> bool:
        """Whether anything is chosen."""
        return bool(self.nodes or self.wires or self.sections)

    def choose(
        self,
        nodes: Iterable[int] = (),
        wires: Iterable[Wire] = (),
        sections: Iterable[int] = (),
    ) -> None:
        """Choose exactly these."""
        chosen = frozenset(nodes)
        focus = self.focus if self.focus in chosen else next(iter(sorted(chosen)), None)
        self._set(Chosen(chosen, frozenset(wires), focus, frozenset(sections)))

    def focus_on(self, node: int | None) -> None:
        """Choose one node and put the keyboard on it."""
        chosen = frozenset(() if node is None else (node,))
        self._set(Chosen(chosen, frozenset(), node))

    def add(self, nodes: Iterable[int] = (), sections: Iterable[int] = ()) -> None:
        """Choose these as well."""
        more = frozenset(nodes)
        focus = next(iter(sorted(more)), self.focus)
        chosen = self._chosen
        boxes = chosen.sections | frozenset(sections)
        self._set(Chosen(chosen.nodes | more, chosen.wires, focus, boxes))

    def toggle(self, node: int) -> None:
        """Choose a node, or no longer."""
        nodes = self.nodes ^ {node}
        focus = node if node in nodes else next(iter(sorted(nodes)), None)
        self._set(self._chosen._replace(nodes=nodes, focus=focus))

    def toggle_section(self, section: int) -> None:
        """Choose a section, or no longer."""
        self._set(self._chosen._replace(sections=self.sections ^ {section}))

    def choose_next_section(self) -> None:
        """Choose the section after the one that is chosen, and nothing else."""
        order = sorted(self._sections())
        later = (n for n in order if n > max(self.sections, default=-1))
        found = next(later, next(iter(order), None))
        self.choose(sections=() if found is None else (found,))

    def chosen(self) -> Chosen:
        """What is chosen now, to be chosen again later."""
        return self._chosen

    def choose_again(self, chosen: Chosen) -> None:
        """Choose what was chosen then, as far as it is still there."""
        self._set(self._present(chosen))

    def choose_all(self) -> None:
        """Choose every node and every section that can be seen."""
        self.choose(self._document.seen, (), self._sections())

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
        self._set(Chosen(frozenset(), frozenset(), None))

    def _sections(self) -> Iterable[int]:
        """The sections that can be seen: inside a group there are none."""
        return self._document.sheet.sections if self._document.inside is None else ()

    def _grow(self, neighbours: Callable[[int], Iterable[int]]) -> None:
        """Choose all that is reached as well, as far as it can be seen."""
        found = set(self.nodes)
        stack = list(found)
        while stack:
            for node in neighbours(stack.pop()):
                if node not in found:
                    found.add(node)
                    stack.append(node)
        self._set(self._chosen._replace(nodes=self._document.seen & found))

    def _forget_gone(self, change: Change) -> None:
        """Nothing of another sheet is chosen on this one, even where its numbers are the same."""
        away = change.whole or change.inside
        self._chosen = _NOTHING if away else self._present(self._chosen)

    def _present(self, chosen: Chosen) -> Chosen:
        """Without what has gone."""
        graph = self._document.graph
        nodes = frozenset(n for n in chosen.nodes if n in graph.nodes)
        wires = chosen.wires and chosen.wires & {wire for _source, wire in graph.wires()}
        focus = chosen.focus if chosen.focus in graph.nodes else None
        return Chosen(nodes, wires, focus, chosen.sections & self._document.sheet.sections.keys())

    def _set(self, chosen: Chosen) -> None:
        if chosen != self._chosen:
            self._chosen = chosen
            self.changed.emit()
