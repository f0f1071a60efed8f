"""What must hold after anything that a hand may do: of the sheet, the pass and the canvas."""

from collections.abc import Iterator

from PySide6.QtCore import QRectF

from app.canvas.scene.scene import Scene
from app.document.boxes import members_of
from app.document.sheet import Sheet
from app.style import sizes
from app.workbench.playback.playback import Playback
from app.workbench.selection import Selection
from engine.graph import Graph, OpNode, Root, is_name
from tests.helpers.canvas import node_boxes

EVERYWHERE = QRectF(-1e8, -1e8, 2e8, 2e8)


def broken(sheet: Sheet, playback: Playback, selection: Selection, scene: Scene) -> list[str]:
    """Everything that does not hold now; empty when all is well."""
    return [
        *_of_the_graph(sheet.graph),
        *_of_the_names(sheet.graph),
        *_of_the_sheet(sheet),
        *_of_the_pass(sheet.graph, playback),
        *_of_the_selection(sheet.graph, selection),
        *_of_the_stage(sheet, playback, scene),
        *_of_the_wires(sheet, scene),
        *_of_its_past(sheet, scene),
    ]


def _of_the_graph(graph: Graph) -> Iterator[str]:
    for node, found in graph.nodes.items():
        if isinstance(found, OpNode) and len(found.inputs) != len(graph.op(node).slots):
            yield f"{node} has {len(found.inputs)} slots"
        for source in graph.inputs(node):
            if source is not None and isinstance(graph.nodes.get(source), Root | None):
                yield f"{node} is fed by {source}, which is none of its kind"
        if node >= graph.next_id:
            yield f"the id {node} will be given once more"
    if not _acyclic(graph):
        yield "there is a loop"
    if graph.active_root is not None and not isinstance(graph.nodes.get(graph.active_root), Root):
        yield f"the active root {graph.active_root} is no Root"


def _of_the_names(graph: Graph) -> Iterator[str]:
    names = [graph.names[n] for n, found in graph.nodes.items() if not isinstance(found, Root)]
    if len(set(names)) != len(names) or not all(is_name(name) for name in names):
        yield f"names: {names}"


def _acyclic(graph: Graph) -> bool:
    """Kahn's algorithm."""
    waits = {n: sum(s is not None for s in graph.inputs(n)) for n in graph.nodes}
    ready = [n for n, count in waits.items() if not count]
    done = 0
    while ready:
        done += 1
        for target, _slot in graph.outgoing[ready.pop()]:
            waits[target] -= 1
            if not waits[target]:
                ready.append(target)
    return done == len(graph.nodes)


def _of_the_sheet(sheet: Sheet) -> Iterator[str]:
    if sheet.positions.keys() != sheet.graph.nodes.keys():
        yield f"places without nodes, or nodes without: {sheet.positions.keys()}"
    direct = [n for group in sheet.groups.values() for n in group.members]
    if len(set(direct)) != len(direct):
        yield "a node lies in two groups"
    for number, group in sheet.groups.items():
        if not group.members <= sheet.graph.nodes.keys():
            yield f"the group {number} holds what is gone"
        if group.parent is not None and group.parent not in sheet.groups:
            yield f"the group {number} lies in a group that is gone"
        if group.rect is None and not members_of(sheet.groups, number):
            yield f"the group {number} is empty"


def _of_the_pass(graph: Graph, playback: Playback) -> Iterator[str]:
    frame = playback.frame
    if frame.graph is not graph:
        yield "the numbers are those of another graph"
    if not 0 <= frame.cursor <= frame.total:
        yield f"step {frame.cursor} of {frame.total}"
    if (playback.frame.trace is None) != (frame.phase == "live"):
        yield f"{frame.phase} with the trace {playback.frame.trace}"
    if playback.frame.trace is not None and playback.frame.trace.graph is not graph:
        yield "the trace is that of another graph"


def _of_the_selection(graph: Graph, selection: Selection) -> Iterator[str]:
    if not selection.nodes <= graph.nodes.keys():
        yield "what is gone is chosen"
    if selection.focus is not None and selection.focus not in graph.nodes:
        yield "the keyboard is on what is gone"
    for wire in selection.wires:
        if wire[0] not in graph.nodes or graph.source(wire) is None:
            yield f"the wire {wire} is chosen and gone"


def _of_the_stage(sheet: Sheet, playback: Playback, scene: Scene) -> Iterator[str]:
    if scene.sheet is not sheet:
        yield "the canvas shows another sheet"
        return
    if scene.looks.frame is not playback.frame:
        yield "the canvas shows another frame"
    inside = scene.visible.inside
    hidden = _hidden(sheet, inside, playback.now.opens)
    seen = sheet.graph.nodes.keys() if inside is None else members_of(sheet.groups, inside)
    if node_boxes(scene).keys() != seen - hidden:
        yield f"boxes {sorted(node_boxes(scene))} for nodes {sorted(seen - hidden)}"
    yield from _of_the_places(sheet, scene)
    if set(scene.index.within(EVERYWHERE)) != set(scene.boxes):
        yield "other nodes can be found by the pointer than are drawn"


def _of_the_places(sheet: Sheet, scene: Scene) -> Iterator[str]:
    """Nodes are where the sheet says, or elsewhere while texts or a pass need more room."""
    texts = scene.text_sizes
    for node, box in node_boxes(scene).items():
        wanted, there = sheet.positions[node], (box.x, box.y)
        if box.kind == "pill":
            reader = sheet.graph.outgoing[node][0]
            slot = scene.node_layout.slot_point(reader)
            if slot is None and there == wanted:
                continue  # its reader lies outside of the group that is looked into
            if slot is None or (box.rect.right(), box.rect.center().y()) != (
                slot.x() - sizes.LABEL_TO_SLOT,
                slot.y(),
            ):
                yield f"{node} is drawn at {there}, not at the slot {reader}"
        elif texts.needs_more_room or texts.is_of_pass or node in scene.node_layout.preview:
            continue
        elif there != tuple(wanted):
            yield f"{node} is drawn at {there}, not at {wanted}"


def _hidden(sheet: Sheet, inside: int | None, opens: frozenset[int]) -> frozenset[int]:
    """The nodes in collapsed groups, but those around the group looked into, or that `opens`."""
    around = set[int](opens)
    while inside is not None:
        around.add(inside)
        inside = sheet.groups[inside].parent
    folded = (n for n, group in sheet.groups.items() if group.collapsed and n not in around)
    return frozenset[int]().union(*(members_of(sheet.groups, n) for n in folded))


def _of_the_wires(sheet: Sheet, scene: Scene) -> Iterator[str]:
    wires = {wire for _source, wire in sheet.graph.wires()}
    if not scene.courses.keys() <= wires:
        yield f"wires drawn that are not there: {scene.courses.keys() - wires}"
    if not sheet.groups and scene.courses.keys() != wires:
        yield f"wires not drawn: {wires - scene.courses.keys()}"
    if set(scene.wire_index.within(EVERYWHERE)) != set(scene.courses):
        yield "other wires can be found by the pointer than are drawn"


def _of_its_past(sheet: Sheet, scene: Scene) -> Iterator[str]:
    """What stands where, and how wires run, does not depend on what was before."""
    if scene.sheet is not sheet or scene.node_layout.preview or not scene.is_layout_complete:
        return
    yield from differences_from_new(scene)


def differences_from_new(scene: Scene) -> list[str]:
    """Say which nodes and groups, or else which wires and labels, a new canvas draws otherwise."""
    fresh = anew(scene)
    return list(_other_boxes(scene, fresh)) or list(_other_wires(scene, fresh))


def _other_boxes(scene: Scene, fresh: Scene) -> Iterator[str]:
    for key in scene.boxes.keys() | fresh.boxes.keys():
        mine, other = scene.boxes.get(key), fresh.boxes.get(key)
        if mine != other:
            yield f"{mine} of {key} would be {other}"
    for group in scene.visible.opened:
        frame, other = (s.node_layout.groups.rect(group) for s in (scene, fresh))
        if frame != other:
            yield f"the frame {frame} of {group} would be {other}"


def _other_wires(scene: Scene, fresh: Scene) -> Iterator[str]:
    if scene.courses.keys() != fresh.courses.keys():
        yield f"only one has the wires {scene.courses.keys() ^ fresh.courses.keys()}"
    for wire in scene.courses.keys() & fresh.courses.keys():
        if not scene.courses[wire].has_same_path_as(fresh.courses[wire]):
            yield f"the wire {wire} would run otherwise"
        elif scene.wire_layout.label_layout[wire] != fresh.wire_layout.label_layout[wire]:
            yield f"the label of {wire} would have another place"


def anew(scene: Scene) -> Scene:
    """A stage that shows the same, made from nothing."""
    found = Scene(scene._short, scene._signed, scene._optional_numbers, scene._notation)
    found.wrap_for(scene.node_layout.spacing.viewport)
    found.show(scene._shown)
    return found
