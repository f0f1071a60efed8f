"""Selection: the selected nodes, wires and sections, and the node with the keyboard focus."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from app.document.change import Change
from app.document.document import Document
from engine.frame import Frame
from engine.graph import Wire

if TYPE_CHECKING:
    import networkx


class Chosen(NamedTuple):
    """A selection, immutable."""

    nodes: frozenset[int]
    wires: frozenset[Wire]
    focus: int | None
    sections: frozenset[int] = frozenset()
    made: bool = False
    """Whether an edit selected its new nodes, not the user."""


class Marks(NamedTuple):
    """The targets of a lesson: nodes and wires with a solid ring, and with a dashed one."""

    lit: frozenset[int | Wire] = frozenset()
    watched: frozenset[int | Wire] = frozenset()


NO_MARKS = Marks()
_NOTHING = Chosen(frozenset(), frozenset(), None)


class Selection(QObject):
    """The selection on the canvas.

    Deleted nodes are dropped, and everything when another group is entered. It must be created
    before the playback, so that views that learn of an edit from the playback find the selection
    updated.
    """

    changed = Signal()
    """Emitted after a change of the selection, except for deletions, which the edit announces."""

    lit_changed = Signal()
    """Emitted when other wires are lit, or a lesson points at something else."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._chosen = _NOTHING
        self._lit = frozenset[Wire]()
        self._marks = NO_MARKS
        document.changed.connect(self._forget_gone)

    @property
    def nodes(self) -> frozenset[int]:
        """Return the selected nodes."""
        return self._chosen.nodes

    @property
    def wires(self) -> frozenset[Wire]:
        """Return the selected wires."""
        return self._chosen.wires

    @property
    def sections(self) -> frozenset[int]:
        """Return the selected sections."""
        return self._chosen.sections

    @property
    def focus(self) -> int | None:
        """Return the node with the keyboard focus: the one selected last."""
        return self._chosen.focus

    @property
    def only(self) -> int | None:
        """Return the only selected node, or None."""
        return next(iter(self.nodes)) if len(self.nodes) == 1 else None

    @property
    def section(self) -> int | None:
        """Return the only selected section, if nothing else is selected."""
        alone = len(self.sections) == 1 and not self.nodes and not self.wires
        return next(iter(self.sections)) if alone else None

    @property
    def made(self) -> bool:
        """Return whether an edit selected its new nodes, not the user."""
        return self._chosen.made

    @property
    def lit(self) -> frozenset[Wire]:
        """Return the wires that a panel points at; they are not selected."""
        return self._lit

    def light(self, wires: Iterable[Wire]) -> None:
        """Point at exactly these wires on the canvas."""
        lit = frozenset(wires)
        if lit != self._lit:
            self._lit = lit
            self.lit_changed.emit()

    @property
    def marks(self) -> Marks:
        """Return the targets of a lesson."""
        return self._marks

    def mark(self, marks: Marks) -> None:
        """Point at the targets of a lesson's step."""
        if marks != self._marks:
            self._marks = marks
            self.lit_changed.emit()

    @property
    def anything(self) -> bool:
        """Return whether anything is selected."""
        return bool(self.nodes or self.wires or self.sections)

    def choose(
        self,
        nodes: Iterable[int] = (),
        wires: Iterable[Wire] = (),
        sections: Iterable[int] = (),
        made: bool = False,
    ) -> None:
        """Select exactly these; `made` if an edit has just added them."""
        chosen = frozenset(nodes)
        focus = self.focus if self.focus in chosen else next(iter(sorted(chosen)), None)
        self._set(Chosen(chosen, frozenset(wires), focus, frozenset(sections), made))

    def focus_on(self, node: int | None) -> None:
        """Select one node and give it the keyboard focus."""
        chosen = frozenset(() if node is None else (node,))
        self._set(Chosen(chosen, frozenset(), node))

    def add(self, nodes: Iterable[int] = (), sections: Iterable[int] = ()) -> None:
        """Add these to the selection."""
        more = frozenset(nodes)
        focus = next(iter(sorted(more)), self.focus)
        chosen = self._chosen
        boxes = chosen.sections | frozenset(sections)
        self._set(Chosen(chosen.nodes | more, chosen.wires, focus, boxes))

    def toggle(self, nodes: Iterable[int] = (), sections: Iterable[int] = ()) -> None:
        """Select each of these that is not selected, and deselect the others."""
        given, before = frozenset(nodes), self._chosen
        now, boxes = before.nodes ^ given, before.sections ^ frozenset(sections)
        focus = min(given & now or now, default=None) if given else before.focus
        self._set(Chosen(now, before.wires, focus, boxes))

    def choose_next_section(self) -> None:
        """Select the section after the selected one, and nothing else."""
        order = sorted(self._sections())
        later = (n for n in order if n > max(self.sections, default=-1))
        found = next(later, next(iter(order), None))
        self.choose(sections=() if found is None else (found,))

    def chosen(self) -> Chosen:
        """Return the current selection, to be restored later."""
        return self._chosen

    def choose_again(self, chosen: Chosen) -> None:
        """Restore a selection, as far as its nodes, wires and sections still exist."""
        self._set(self._present(chosen))

    def choose_all(self) -> None:
        """Select all visible nodes and sections."""
        self.choose(self._document.seen, (), self._sections())

    def choose_ancestors(self) -> None:
        """Add the inputs of the selection, and their inputs, to the selection."""
        self._grow(self._document.graph.structure.wiring.reverse(copy=False))

    def choose_descendants(self) -> None:
        """Add everything that the selection feeds to the selection."""
        self._grow(self._document.graph.structure.wiring)

    def clear(self) -> None:
        """Clear the selection."""
        self._set(Chosen(frozenset(), frozenset(), None))

    def _sections(self) -> Iterable[int]:
        """Return the visible sections: none inside a group."""
        return self._document.sheet.sections if self._document.inside is None else ()

    def _grow(self, wiring: networkx.MultiDiGraph[int]) -> None:
        """Add everything reachable to the selection, as far as it is visible."""
        import networkx

        reached = chain.from_iterable(networkx.bfs_layers(wiring, [*self.nodes]))
        self._set(self._chosen._replace(nodes=self._document.seen & {*reached}, made=False))

    def _forget_gone(self, change: Change) -> None:
        """Clear the selection for another document, where the same numbers mean other nodes."""
        away = change.whole or change.inside
        self._chosen = _NOTHING if away else self._present(self._chosen)

    def _present(self, chosen: Chosen) -> Chosen:
        """Return a selection without deleted nodes, wires and sections."""
        graph = self._document.graph
        nodes = frozenset(n for n in chosen.nodes if n in graph.nodes)
        wires = chosen.wires and chosen.wires & {wire for _source, wire in graph.wires()}
        focus = chosen.focus if chosen.focus in graph.nodes else None
        sections = chosen.sections & self._document.sheet.sections.keys()
        return Chosen(nodes, wires, focus, sections, chosen.made)

    def _set(self, chosen: Chosen) -> None:
        if chosen != self._chosen:
            self._chosen = chosen
            self.changed.emit()


def explained(frame: Frame, selection: Selection) -> int | None:
    """Return the selected node; at a step, if the user selected nothing, its receiver."""
    if frame.event is not None and follows_step(frame, selection):
        return frame.event.node
    only = selection.only
    return only if only is not None and only in frame.graph.nodes else None


def follows_step(frame: Frame, selection: Selection) -> bool:
    """Return whether a step is shown, and the user has selected nothing."""
    return frame.event is not None and (selection.made or not selection.nodes)
