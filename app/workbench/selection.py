"""Selection: the selected nodes, wires and frames, and the node with the keyboard focus."""

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


class SelectionState(NamedTuple):
    """The state of a selection, immutable."""

    nodes: frozenset[int]
    wires: frozenset[Wire]
    focus: int | None
    frames: frozenset[int] = frozenset()
    """The drawn groups chosen without what lies in them; others are chosen by their members."""
    by_edit: bool = False
    """Whether an edit selected its new nodes, not the user; panels then still follow the step."""


class LessonTargets(NamedTuple):
    """What a lesson's step points at: `lit` have a solid ring, `watched` a dashed one.

    They are apart from `Selection.lit`, the nodes and wires that a panel points at.
    """

    lit: frozenset[int | Wire] = frozenset()
    watched: frozenset[int | Wire] = frozenset()


NO_TARGETS = LessonTargets()
_EMPTY = SelectionState(frozenset(), frozenset(), None)


class Selection(QObject):
    """The selection on the canvas.

    Deleted nodes are dropped, and everything when another group is entered. It must be created
    before the playback, so that views that learn of an edit from the playback find the selection
    updated.
    """

    changed = Signal()
    """Emitted after a change of the selection, except for deletions, which the edit announces."""

    lit_changed = Signal()
    """Emitted after a change of what is lit or of the lesson's targets."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._state = _EMPTY
        self.lit = frozenset[int | Wire]()
        """The nodes and wires that a panel points at; they are not selected."""
        self.lesson_targets = NO_TARGETS
        """The nodes and wires that a lesson's step points at."""
        document.changed.connect(self._drop_deleted)

    @property
    def nodes(self) -> frozenset[int]:
        return self._state.nodes

    @property
    def wires(self) -> frozenset[Wire]:
        return self._state.wires

    @property
    def frames(self) -> frozenset[int]:
        """Return the selected drawn groups."""
        return self._state.frames

    @property
    def focus(self) -> int | None:
        """Return the node with the keyboard focus: the one selected last."""
        return self._state.focus

    @property
    def only(self) -> int | None:
        """Return the only selected node, or None."""
        return next(iter(self.nodes)) if len(self.nodes) == 1 else None

    @property
    def frame(self) -> int | None:
        """Return the only selected drawn group, if nothing else is selected."""
        alone = len(self.frames) == 1 and not self.nodes and not self.wires
        return next(iter(self.frames)) if alone else None

    @property
    def by_edit(self) -> bool:
        """Return whether an edit selected its new nodes, not the user."""
        return self._state.by_edit

    @property
    def lit_nodes(self) -> frozenset[int]:
        """Return the nodes that a panel points at."""
        return frozenset(part for part in self.lit if isinstance(part, int))

    def light(self, parts: Iterable[int | Wire]) -> None:
        """Point at exactly these nodes and wires on the canvas."""
        lit = frozenset(parts)
        if lit != self.lit:
            self.lit = lit
            self.lit_changed.emit()

    def set_lesson_targets(self, targets: LessonTargets) -> None:
        """Point at the targets of a lesson's step."""
        if targets != self.lesson_targets:
            self.lesson_targets = targets
            self.lit_changed.emit()

    @property
    def anything(self) -> bool:
        return bool(self.nodes or self.wires or self.frames)

    def choose(
        self,
        nodes: Iterable[int] = (),
        wires: Iterable[Wire] = (),
        frames: Iterable[int] = (),
        by_edit: bool = False,
    ) -> None:
        """Select exactly these; `by_edit`: an edit has just added them, see `SelectionState`."""
        selected = frozenset(nodes)
        focus = self.focus if self.focus in selected else next(iter(sorted(selected)), None)
        self._set(SelectionState(selected, frozenset(wires), focus, frozenset(frames), by_edit))

    def focus_on(self, node: int | None) -> None:
        """Select one node and give it the keyboard focus."""
        selected = frozenset(() if node is None else (node,))
        self._set(SelectionState(selected, frozenset(), node))

    def add(self, nodes: Iterable[int] = (), frames: Iterable[int] = ()) -> None:
        more = frozenset(nodes)
        focus = next(iter(sorted(more)), self.focus)
        state = self._state
        boxes = state.frames | frozenset(frames)
        self._set(SelectionState(state.nodes | more, state.wires, focus, boxes))

    def toggle(self, nodes: Iterable[int] = (), frames: Iterable[int] = ()) -> None:
        """Select each of these that is not selected, and deselect those that are."""
        toggled, before = frozenset(nodes), self._state
        now, boxes = before.nodes ^ toggled, before.frames ^ frozenset(frames)
        focus = min(toggled & now or now, default=None) if toggled else before.focus
        self._set(SelectionState(now, before.wires, focus, boxes))

    def choose_next_frame(self) -> None:
        """Select the drawn group after the selected one, and nothing else."""
        order = sorted(self._visible_frames())
        after = (n for n in order if n > max(self.frames, default=-1))
        found = next(after, next(iter(order), None))
        self.choose(frames=() if found is None else (found,))

    def snapshot(self) -> SelectionState:
        """Return the current selection, to be restored later."""
        return self._state

    def restore(self, state: SelectionState) -> None:
        """Restore a selection, as far as its nodes, wires and frames still exist."""
        self._set(self._existing(state))

    def choose_all(self) -> None:
        """Select all visible nodes and drawn groups."""
        self.choose(self._document.visible_nodes, (), self._visible_frames())

    def choose_ancestors(self) -> None:
        """Add the inputs of the selection, and their inputs, to the selection."""
        self._add_reachable(self._document.graph.structure.wiring.reverse(copy=False))

    def choose_descendants(self) -> None:
        """Add everything that the selection feeds to the selection."""
        self._add_reachable(self._document.graph.structure.wiring)

    def clear(self) -> None:
        self._set(SelectionState(frozenset(), frozenset(), None))

    def _visible_frames(self) -> Iterable[int]:
        """Return the visible drawn groups: none inside a group."""
        return self._document.sheet.drawn if self._document.inside is None else ()

    def _add_reachable(self, wiring: networkx.MultiDiGraph[int]) -> None:
        """Add everything reachable to the selection, as far as it is visible."""
        import networkx

        reached = chain.from_iterable(networkx.bfs_layers(wiring, [*self.nodes]))
        self._set(
            self._state._replace(nodes=self._document.visible_nodes & {*reached}, by_edit=False)
        )

    def _drop_deleted(self, change: Change) -> None:
        """Clear the selection for another document, where the same numbers mean other nodes."""
        shows_other_nodes = change.whole or change.inside
        self._state = _EMPTY if shows_other_nodes else self._existing(self._state)

    def _existing(self, state: SelectionState) -> SelectionState:
        """Return a selection without deleted nodes, wires and frames."""
        graph = self._document.graph
        nodes = frozenset(n for n in state.nodes if n in graph.nodes)
        # without selected wires, those of a large graph are not listed after each edit
        wires = state.wires and state.wires & {wire for _source, wire in graph.wires()}
        focus = state.focus if state.focus in graph.nodes else None
        frames = state.frames and state.frames & self._document.sheet.drawn.keys()
        return SelectionState(nodes, wires, focus, frames, state.by_edit)

    def _set(self, state: SelectionState) -> None:
        if state != self._state:
            self._state = state
            self.changed.emit()


def explained_node(frame: Frame, selection: Selection) -> int | None:
    """Return the node that a page explains: the only selected one, or None.

    At a step, if the user selected nothing, it is the node whose gradient the step changes.
    """
    if frame.event is not None and follows_step(frame, selection):
        return frame.event.node
    only = selection.only
    return only if only is not None and only in frame.graph.nodes else None


def follows_step(frame: Frame, selection: Selection) -> bool:
    """Return whether a step is shown, and the user has selected nothing."""
    return frame.event is not None and (selection.by_edit or not selection.nodes)
