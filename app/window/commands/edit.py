"""What the Edit menu does; what goes through the clipboard is text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from app.canvas.layout.geometry import as_rect
from app.canvas.scene.section_hits import content
from app.document.clipboard import clip, copied
from app.document.copies import extent
from app.document.place import columns, free_block, snapped
from app.document.sheet import Point, sheet_of
from app.style import sizes
from app.window.actions import Action
from app.window.commands import conditions as when
from engine.errors import EngineError
from engine.formats.native import Drawing

if TYPE_CHECKING:
    from app.window.context import Context

STEP = 2.0 * sizes.GRID
"""How far a copy stands from what it is a copy of, in scene px."""


def copy(context: Context) -> None:
    """Put what is selected on the clipboard, as the text of a file."""
    nodes, boxes = _chosen(context)
    if nodes or boxes:
        QGuiApplication.clipboard().setText(copied(context.document.sheet, nodes, boxes))
        context.repeated_paste.forget()


def cut(context: Context) -> None:
    """Copy what is selected, then delete it."""
    nodes, boxes = _chosen(context)
    copy(context)
    context.document.remove(sorted(nodes), (), sorted(boxes), "Cut")


def paste(context: Context) -> None:
    """Add what the clipboard holds: nodes at once, a formula or a program after a preview."""
    canvas, messages = context.canvas, context.messages
    canvas.editing.leave()  # a preview that is still open is not wanted any more
    text = QGuiApplication.clipboard().text()
    if not text.strip():
        messages.toast("There is no text on the clipboard to paste.")
        return
    try:
        found = clip(text)
    except EngineError as error:
        messages.refuse(f"This can't be pasted. {error}")
        return
    context.shell.show_work()
    at = canvas.hover.on_sheet()
    place = (at.x(), at.y())
    if found.kind == "nodes":
        shift = STEP * context.repeated_paste.count(text, place)
        _add(context, found.drawing, (place[0] + shift, place[1] + shift))
        return
    canvas.editing.preview_paste(
        found.drawing, found.told, place, lambda: _add(context, found.drawing, place)
    )
    if found.drawing.remark:
        messages.toast(found.drawing.remark)


def duplicate(context: Context) -> None:
    """Add a copy of what is selected beside it, fed by what feeds the selection.

    Sections are copied below themselves, so that nothing lies in both.
    """
    nodes, boxes = _chosen(context)
    high = context.canvas.scene.node_layout.sections.bounds(boxes).height()
    by = (0.0, high + STEP) if boxes else (STEP, STEP)
    _choose_new(context, lambda: context.document.duplicate(nodes, boxes, snapped(by)))


def unplug(context: Context) -> None:
    """Take the selected wires off their slots."""
    context.document.remove((), sorted(context.selection.wires))


def escape(context: Context) -> None:
    """Let go of one thing: the gesture, the selection, the full screen, the pass."""
    if context.cancel():
        return
    shell, messages = context.shell, context.messages
    if shell.on_start_page and not context.document.empty:
        shell.show_work()
    elif messages.notice.isVisible():
        messages.notice.dismiss()
    elif context.selection.anything:
        context.selection.clear()
    elif shell.full_screen or shell.presenting:
        shell.leave_full_screen()
    elif context.playback.phase != "live":
        context.playback.leave()


def _chosen(context: Context) -> tuple[frozenset[int], frozenset[int]]:
    """The selected nodes and sections, and what lies in these."""
    nodes, boxes = content(context.canvas.scene, context.selection.sections)
    return context.selection.nodes | nodes, boxes


def _add(context: Context, drawing: Drawing, middle: Point) -> None:
    """Add what a drawing holds with its middle at a point, and select it.

    What comes without places of its own is put where it covers nothing.
    """
    sheet = sheet_of(drawing)
    rough = len(sheet.positions) < len(sheet.graph.nodes)
    if rough:
        sheet = sheet.with_graph(sheet.graph, columns(sheet.graph))
    _x, _y, wide, high = extent(sheet)
    place = (middle[0] - wide / 2, middle[1] - high / 2)
    if rough:
        layout = context.canvas.scene.node_layout
        taken = [*layout.extents(), *layout.sections.rects().values()]
        place = free_block([as_rect(rect) for rect in taken], (*place, wide, high))
    _choose_new(context, lambda: context.document.paste(drawing, place))


def _choose_new(context: Context, add: Callable[[], frozenset[int]]) -> None:
    """Do something that adds nodes and sections, and select what it has added."""
    before = context.document.sheet.sections.keys()
    nodes = add()
    context.selection.choose(nodes, (), context.document.sheet.sections.keys() - before)


EDIT: tuple[Action, ...] = (
    Action(
        "undo",
        "&Undo",
        lambda c: c.document.stack.undo(),
        ("Ctrl+Z",),
        "undo",
        "Edit",
        enabled=when.can_undo,
    ),
    Action(
        "redo",
        "&Redo",
        lambda c: c.document.stack.redo(),
        ("Ctrl+Shift+Z", "Ctrl+Y"),
        "redo",
        "Edit",
        enabled=when.can_redo,
    ),
    Action(
        "cut",
        "Cu&t",
        cut,
        ("Ctrl+X",),
        "",
        "Edit",
        enabled=when.content_chosen,
        gap=True,
    ),
    Action(
        "copy",
        "&Copy",
        copy,
        ("Ctrl+C",),
        "copy",
        "Edit",
        enabled=when.content_chosen,
    ),
    Action(
        "paste",
        "&Paste",
        paste,
        ("Ctrl+V",),
        "",
        "Edit",
        "Paste nodes, a formula, or a program",
    ),
    Action(
        "duplicate",
        "&Duplicate",
        duplicate,
        ("Ctrl+D",),
        "",
        "Edit",
        enabled=when.content_chosen,
    ),
    Action(
        "delete",
        "De&lete",
        lambda c: c.canvas.editing.delete(),
        ("Del",),
        "trash",
        "Edit",
        enabled=when.anything_chosen,
        gap=True,
    ),
    Action(
        "unplug",
        "Unplug",
        unplug,
        ("Alt+Del",),
        "",
        "Edit",
        "Take the selected wires off their slots",
        when.wires_chosen,
    ),
    Action(
        "heal",
        "Delete and &join",
        lambda c: c.canvas.editing.delete(heal=True),
        ("Ctrl+Del", "Backspace", "Ctrl+Backspace"),
        "",
        "Edit",
        "Delete a node with one slot and join its neighbours",
        when.some_chosen,
    ),
    Action(
        "select_all",
        "Select &all",
        lambda c: c.selection.choose_all(),
        ("Ctrl+A",),
        "",
        "Edit",
        enabled=when.has_nodes,
        gap=True,
    ),
    Action(
        "select_ancestors",
        "Select ancestors",
        lambda c: c.selection.choose_ancestors(),
        ("Ctrl+Shift+Left",),
        "",
        "Edit",
        "Select the inputs, and the inputs of inputs, as well",
        when.some_chosen,
    ),
    Action(
        "select_descendants",
        "Select descendants",
        lambda c: c.selection.choose_descendants(),
        ("Ctrl+Shift+Right",),
        "",
        "Edit",
        "Select everything that the selection feeds as well",
        when.some_chosen,
    ),
    Action(
        "escape",
        "Let go: gesture, selection, full screen, pass",
        escape,
        ("Esc",),
        tip="Cancel the gesture; else clear the selection, leave full screen, leave the pass",
    ),
)
