"""Actions found only in the command palette: zooms, blocks, examples, lessons, files."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from app.document.examples import Example, examples
from app.lessons.course import Head, course
from app.window.actions import Action
from app.window.commands.file_actions import open_example, open_file
from app.window.commands.lesson_actions import begin_lesson
from app.window.commands.view_actions import percent
from app.workbench.adding import BLOCKS, Entry, entries
from engine.formats.files import shown_name
from engine.graph import Graph, OpNode, kind_of

if TYPE_CHECKING:
    from app.window.context import Context


_MOST_NODES = 200
"""Maximum number of nodes in the palette; Ctrl+F finds every node."""
_ZOOMS = (0.25, 0.5, 0.75, 1.5, 2.0, 4.0)
"""Zooms other than the 100 % of the View menu."""


def palette_extras(context: Context) -> tuple[Action, ...]:
    """Return one action per zoom, block, example, lesson, recent file and labelled node."""
    graph = context.document.graph
    labelled = [n for n in graph.names if graph.label(n)][:_MOST_NODES]
    nodes = (_node_action(graph, node) for node in labelled)
    return (*_fixed_actions(), *map(_recent_action, context.files.recent.paths), *nodes)


@cache
def _fixed_actions() -> tuple[Action, ...]:
    """Return the actions that do not change while the program runs, created on first use."""
    blocks = (entry for entry in entries() if entry.family == BLOCKS)
    lessons = map(_lesson_action, course().lessons)
    return (
        *map(_zoom_action, _ZOOMS),
        *map(_block_action, blocks),
        *map(_example_action, examples()),
        *lessons,
    )


def _node_action(graph: Graph, node: int) -> Action:
    found = graph.nodes[node]
    kind = graph.op(node).name if isinstance(found, OpNode) else kind_of(found)
    return Action(
        f"Go to {graph.title(node).replace('&', '&&')}: {kind}",
        id=f"node:{node}",
        call=lambda c: c.canvas.editing.show_node(node),
        icon="search",
        tooltip="Select this node and bring it into view",
        on_sheet=True,
    )


def _lesson_action(head: Head) -> Action:
    return Action(
        f"Lesson: {head.title}",
        id=f"lesson-{head.name}",
        call=lambda c: begin_lesson(c, head.name),
        icon="lesson",
        tooltip=head.able,
    )


def _zoom_action(zoom: float) -> Action:
    return Action(
        f"Zoom to {percent(zoom)}",
        id=f"zoom-{percent(zoom)}",
        call=lambda c: c.canvas.camera.set_zoom(zoom),
        icon="search",
        tooltip="Look at the graph closely, or from afar",
    )


def _block_action(entry: Entry) -> Action:
    def add(context: Context) -> None:
        context.shell.show_work()
        context.canvas.editing.adding.add_at_selected(entry.key)

    return Action(
        f"Add block: {entry.title}",
        id=entry.key,
        call=add,
        icon=entry.title.lower(),
        tooltip=entry.says,
    )


def _example_action(example: Example) -> Action:
    return Action(
        f"Open example: {example.title}",
        id=f"example:{example.name}",
        call=lambda c: open_example(c, example.name),
        icon="open",
        tooltip=f"{example.note}: {example.expression}",
    )


def _recent_action(path: Path) -> Action:
    return Action(
        f"Open recent: {shown_name(path).replace('&', '&&')}",
        id=f"recent:{path}",
        call=lambda c: open_file(c, path),
        icon="open",
        tooltip=str(path),
    )
