"""Files with groups and the sections of older ones open as they were saved: written as JSON.

Nodes stand in the cells of a wide grid and sections cover whole cells, so that what lies in which
frame is known without measuring anything.
"""

import json
import random
from typing import Any

import pytest
from PySide6.QtCore import QPointF

from app.canvas.layout.group_layout import as_rect
from app.canvas.scene.hit_test import content
from app.canvas.scene.scene import Scene
from engine.formats.native import read_drawing
from tests.helpers.canvas import CanvasFixture, folded_boxes, node_boxes
from tests.helpers.sampling import sized

WIDE, HIGH = 600.0, 480.0
COLUMNS, ROWS = 6, 5
Cell = tuple[int, int]
Cells = dict[int, Cell]


def corner(cell: Cell) -> list[float]:
    return [cell[0] * WIDE, cell[1] * HIGH]


def drawn_nodes(chance: random.Random) -> list[dict[str, Any]]:
    nodes: list[dict[str, Any]] = [
        {"id": n, "kind": "leaf", "value": float(n)} for n in range(1, chance.randint(3, 5))
    ]
    for number in range(len(nodes) + 1, len(nodes) + chance.randint(4, 12)):
        sources = [chance.randint(1, number - 1), chance.randint(1, number - 1)]
        op = chance.choice(("add", "mul", "tanh"))
        slots = 1 if op == "tanh" else 2
        nodes.append({"id": number, "kind": "op", "op": op, "inputs": sources[:slots]})
    return [*nodes, {"id": len(nodes) + 1, "kind": "root", "inputs": [len(nodes)]}]


def drawn_sections(chance: random.Random) -> list[dict[str, Any]]:
    """Up to four, which may lie in one another or overlap."""
    found: list[dict[str, Any]] = []
    for number in range(1, chance.randint(1, 5)):
        left, top = chance.randrange(COLUMNS), chance.randrange(ROWS)
        wide, high = chance.randint(1, COLUMNS - left), chance.randint(1, ROWS - top)
        rect = [left * WIDE - 90, top * HIGH - 90, wide * WIDE - 60, high * HIGH - 60]
        found.append(
            {"id": number, "title": f"s{number}", "rect": rect, "colour": chance.randrange(4)}
        )
    return found


def drawn_groups(
    chance: random.Random, nodes: list[int], cells: list[Cell]
) -> list[dict[str, Any]]:
    """Up to four of the nodes, one in another or beside it; folded ones have a cell of their own.

    Their numbers may be those of sections.
    """
    chance.shuffle(nodes)
    found: list[dict[str, Any]] = []
    for number in range(1, chance.randint(1, 5)):
        members = sorted(nodes.pop() for _ in range(min(chance.randint(1, 3), len(nodes))))
        if members:
            parent = chance.choice([None, *(g["id"] for g in found)])
            place = corner(cells.pop())
            group = {"id": number, "title": f"g{number}", "members": members}
            group |= {"collapsed": chance.random() < 0.5, "position": place, "parent": parent}
            found.append(group)
    return found


def drawn(seed: int) -> tuple[dict[str, Any], Cells]:
    """A file of version 1, and the cell of each node."""
    chance = random.Random(seed)
    nodes = drawn_nodes(chance)
    cells = [(x, y) for x in range(COLUMNS) for y in range(ROWS)]
    chance.shuffle(cells)
    at = {entry["id"]: cells.pop() for entry in nodes}
    for entry in nodes:
        entry["position"] = corner(at[entry["id"]])
    groups = drawn_groups(chance, [entry["id"] for entry in nodes[:-1]], cells)
    return {
        "format": "backwire",
        "version": 1,
        "nodes": nodes,
        "active_root": nodes[-1]["id"],
        "next_id": nodes[-1]["id"] + 1,
        "sections": drawn_sections(chance),
        "groups": groups,
    }, at


class Drawn:
    """A drawn file, with what is to be seen of it."""

    def __init__(self, seed: int) -> None:
        self.file, self.cells = drawn(seed)
        self.groups = {group["id"]: group for group in self.file["groups"]}
        ways = {number: self._way(number) for number in self.groups}
        self.within = {n: {other for other in ways if n in ways[other]} for n in ways}
        """Each group with those in it."""
        folded = {n for n in ways if self.groups[n]["collapsed"]}
        self.folded = {n for n in folded if not folded & set(ways[n][1:])}
        """The folded groups that are drawn."""
        self.opened = {n for n in ways if not folded & set(ways[n])}
        self.hidden = set[int]().union(*(self.members(n) for n in self.folded))

    def _way(self, number: int) -> list[int]:
        """A group and those it lies in, the inner ones first."""
        parent = self.groups[number]["parent"]
        return [number] + ([] if parent is None else self._way(parent))

    def members(self, number: int) -> set[int]:
        """The nodes of a group and of those in it."""
        return {n for other in self.within[number] for n in self.groups[other]["members"]}


def without_defaults(file: dict[str, Any]) -> dict[str, Any]:
    defaults = {"parent": None, "collapsed": False, "position": [0.0, 0.0]}
    return {
        key: [
            {name: x for name, x in box.items() if name not in defaults or x != defaults[name]}
            for box in value
        ]
        if key == "groups"
        else value
        for key, value in file.items()
        if value != []
    }


@pytest.fixture(params=range(sized(12, 50)))
def file(request: pytest.FixtureRequest) -> Drawn:
    return Drawn(request.param)


@pytest.fixture
def opened(file: Drawn, canvas: CanvasFixture) -> CanvasFixture:
    canvas.document.start(read_drawing(json.dumps(file.file)))
    return canvas


def test_a_file_with_sections_and_groups_opens_as_it_was_saved(file: Drawn, opened: CanvasFixture):
    graph, positions, scene = opened.graph, opened.document.positions, opened.scene
    wires = {entry["id"]: entry.get("inputs", []) for entry in file.file["nodes"]}
    assert {n: list(graph.inputs(n)) for n in graph.nodes} == wires
    assert {n: list(positions[n]) for n in positions} == {
        n: corner(c) for n, c in file.cells.items()
    }
    _check_groups(file, scene)
    numbers = {group.title: n for n, group in opened.document.sheet.groups.items()}
    for section in file.file["sections"]:
        number = numbers[section["title"]]
        rect = scene.node_layout.groups.drawn[number]
        assert as_rect(rect) == tuple(section["rect"])
        inside = {n for n, c in file.cells.items() if rect.contains(QPointF(*corner(c)))}
        inside -= file.hidden
        for folded in file.folded:
            if rect.contains(QPointF(*file.groups[folded]["position"])):
                inside |= file.members(folded)
        assert content(scene, (number,))[0] == inside
    opened.view.grab()
    drawn = [{"members": [], **s, "id": numbers[s["title"]]} for s in file.file["sections"]]
    groups = sorted([*file.file["groups"], *drawn], key=lambda group: group["id"])
    saved = file.file | {"version": 6 if drawn else 1, "sections": [], "groups": groups}
    assert without_defaults(json.loads(opened.bytes())) == without_defaults(saved)


def _check_groups(file: Drawn, scene: Scene) -> None:
    visible, frame_of = scene.visible, scene.node_layout.groups.rect
    assert node_boxes(scene).keys() == file.cells.keys() - file.hidden
    folded = {key.group: item.members for key, item in visible.folded.items()}
    assert folded == {n: file.members(n) for n in file.folded}
    assert visible.opened == {n: file.members(n) for n in file.opened}
    for number, box in folded_boxes(scene).items():
        assert [box.x, box.y] == file.groups[number]["position"]
    for number, members in visible.opened.items():
        frame = frame_of(number)
        assert all(frame.contains(scene.boxes[n].rect) for n in members - file.hidden)
        inner = file.folded & file.within[number]
        assert all(frame.contains(folded_boxes(scene)[n].rect) for n in inner)
