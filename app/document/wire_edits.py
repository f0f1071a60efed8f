"""WireEdits: what a person means to do with wires, each one named undo step."""

from __future__ import annotations

from collections.abc import Callable

from app.document import step_names, wiring
from app.document.history import History, Text
from app.document.sheet import Point
from app.document.step_names import about, kind_word
from engine import edits
from engine.graph import Graph, Node, Wire


class WireEdits:
    """Plugs, unplugs and inserts on the sheet of one history."""

    def __init__(self, history: History) -> None:
        self._history = history

    def refusal(self, source: int, target: int, slot: int) -> str | None:
        """Why this wire can't be, as a sentence, or None if it can."""
        return edits.refusal(self._history.graph, source, target, slot)

    def connect(self, source: int, target: int, slot: int) -> bool:
        """Plug a node into a slot, in place of what was there."""
        text = about("Connect {} → {}", source, target)
        return self._edit(text, lambda g: edits.connect(g, source, target, slot))

    def disconnect(self, target: int, slot: int) -> bool:
        """Unplug a slot."""
        wire = (target, slot)
        return self._edit(about("Unplug {}", target), lambda g: wiring.unplugged(g, [wire]))

    def replug(self, old: Wire, new: Wire) -> bool:
        """Take a wire off its slot and plug it into another."""
        text = step_names.replugged(old, new)
        return self._edit(text, lambda g: wiring.replugged(g, old, new))

    def replug_all(self, old: int, new: int) -> bool:
        """Give all wires that leave one node to another node."""
        text = about("Move wires {} → {}", old, new)
        return self._edit(text, lambda g: wiring.all_replugged(g, old, new))

    def insert(self, node: int, wire: Wire, slot: int = 0, place: Point | None = None) -> bool:
        """Put a node that stands on the sheet into a wire."""
        places = {} if place is None else {node: place}
        return self._history.commit(
            about("Insert {}", node),
            lambda sheet: sheet.with_graph(edits.insert(sheet.graph, node, wire, slot), places),
        )

    def insert_new(self, node: Node, place: Point, wire: Wire, slot: int = 0) -> int | None:
        """Add a node into a wire."""
        number = self._history.graph.next_id
        done = self._history.commit(
            f"Insert {kind_word(node)}",
            lambda sheet: sheet.with_graph(
                edits.insert(edits.add(sheet.graph, node), number, wire, slot), {number: place}
            ),
        )
        return number if done else None

    def heal(self, node: int) -> bool:
        """Delete a one-slot op and join its neighbours."""
        text = about("Delete {} and join", node)
        return self._edit(text, lambda g: edits.heal(g, node))

    def _edit(self, text: Text, edit: Callable[[Graph], Graph]) -> bool:
        return self._history.commit(text, lambda sheet: sheet.with_graph(edit(sheet.graph)))
