"""Actions of editing; the clipboard holds text, also derivations and the narrated pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from app.canvas.editing.new_node import bring_into_view, free_corner
from app.canvas.layout.group_layout import united
from app.canvas.scene.hit_test import content
from app.document.clipboard import clipboard_text, read_clip, sheet_bounds
from app.document.placement import columns, snapped
from app.document.sheet import Point, sheet_of
from app.style import sizes
from app.window.actions import action, sheet_action
from app.window.commands import when as when
from app.window.commands.lesson_actions import lesson_leave
from app.window.commands.programs_actions import offer_pasted
from app.window.window_files import graph_file
from app.workbench.gradients.chain_rule import Derivation, derivation
from app.workbench.modes.mode import STEPPING
from app.workbench.selection import explained_node
from engine.errors import EngineError
from engine.formats.expression import read_typed
from engine.formats.files import read_content, source_text
from engine.formats.native import Drawing
from engine.rules import UNKNOWN

if TYPE_CHECKING:
    from app.window.context import Context


COPY_OFFSET = 2.0 * sizes.GRID
"""Offset of a copy from its original, in scene px."""


@sheet_action("&Undo", "Ctrl+Z", when.can_undo, icon="undo", search="revert back mistake")
def undo(context: Context) -> None:
    """Take the last change of the sheet back."""
    context.document.undo()


@sheet_action("&Redo", "Ctrl+Shift+Z Ctrl+Y", when.can_redo, icon="redo", search="again repeat")
def redo(context: Context) -> None:
    """Make the change again that was taken back."""
    context.document.redo()


@sheet_action("Cu&t", "Ctrl+X", when.content_selected)
def cut(context: Context) -> None:
    """Take the selection away, and put it on the clipboard."""
    nodes, frames = _selected_content(context)
    copy(context)
    context.document.remove(sorted(nodes), (), sorted(frames), "Cut")


@sheet_action("&Copy", "Ctrl+C", when.content_selected, icon="copy")
def copy(context: Context) -> None:
    """Put the selection on the clipboard."""
    nodes, frames = _selected_content(context)
    if nodes or frames:
        QGuiApplication.clipboard().setText(clipboard_text(context.document.sheet, nodes, frames))


@sheet_action("&Paste", "Ctrl+V")
def paste(context: Context) -> None:
    """Paste nodes, a formula, or a program."""
    canvas, messages = context.canvas, context.messages
    canvas.editing.leave()  # closes a preview that is still open
    mime = QGuiApplication.clipboard().mimeData()
    text, file = mime.text(), graph_file(mime)
    if not text.strip() and file is None:
        messages.toast("There is no text on the clipboard to paste.")
        return
    offered = False
    try:
        # a copied file has a text, too: its path
        text = text if file is None else source_text(read_content(file), file.suffix)
        offered = offer_pasted(context, text, file)
        clip = read_clip(text)
    except EngineError as error:
        if not offered:
            messages.refuse(f"This can't be pasted. {error}")
        return
    context.shell.show_work()
    pointer = canvas.hover.on_sheet()
    middle = (pointer.x(), pointer.y())
    if clip.kind == "nodes":  # they were seen when they were copied, so without a preview
        _paste_drawing(context, clip.drawing, middle)
        return

    def add() -> None:
        if clip.kind == "expression":
            context.document.typed.remember(text, clip.drawing.graph, read_typed(text))
        _paste_drawing(context, clip.drawing, middle)

    canvas.editing.preview_paste(clip.drawing, clip.description, middle, add)
    if clip.drawing.remark:
        messages.toast(clip.drawing.remark)


@sheet_action("&Duplicate", "Ctrl+D", when.content_selected, search="copy twice clone")
def duplicate(context: Context) -> None:
    """Add a copy of the selection, wired to the same inputs.

    A copied drawn group goes below its original: an overlap would put nodes into both.
    """
    nodes, frames = _selected_content(context)
    height = united(map(context.canvas.scene.node_layout.groups.rect, frames)).height()
    offset = (0.0, height + COPY_OFFSET) if frames else (COPY_OFFSET, COPY_OFFSET)
    _select_added(context, lambda: context.document.duplicate(nodes, frames, snapped(offset)))


@sheet_action("De&lete", "Del", when.anything_selected, icon="trash", search="remove erase clear")
def delete(context: Context) -> None:
    """Delete the selected nodes, wires and drawn groups."""
    context.canvas.editing.delete()


@sheet_action("Unplug", "Alt+Del", when.wires_selected, search="disconnect cut wire remove")
def unplug(context: Context) -> None:
    """Take the selected wires off their slots."""
    context.document.remove((), sorted(context.selection.wires))


@action(
    "End gesture, ripple, selection, fold, full screen, pass", "Esc", search="cancel stop abort"
)
def escape(context: Context) -> None:
    """Cancel the gesture; else end the ripple, clear the selection, leave mode or pass.

    With nothing left to end, the sheet gets the keyboard focus. By hand each click selects the node
    that is to fire: there Esc ends the mode.
    """
    shell, messages = context.shell, context.messages
    if context.cancel() or shell.parts.fold_page() or shell.parts.end_stage():
        return
    if shell.on_full_page and not context.document.empty:
        shell.show_work()
    elif messages.dismiss_offer() or context.ripples.end() or _let_go(context):
        return
    elif shell.widget.isFullScreen() or shell.presenting:
        shell.leave_full_screen()
    elif context.guides.active:
        lesson_leave(context)
    elif not _leave_pass(context) and not shell.on_full_page:
        context.canvas.setFocus()


def _let_go(context: Context) -> bool:
    """End the selection, or without one leave the fold; return whether there was either."""
    if context.selection.anything and context.playback.now.by_hand is None:
        context.selection.clear()
        return True
    return context.canvas.groups.leave()


def _leave_pass(context: Context) -> bool:
    """End the mode, or without one the pass; return whether there was either.

    In Descent, Esc first stops the epochs that are running.
    """
    if context.playback.now.mode is not STEPPING:
        if not context.descents.escape():
            context.modes.leave()
        return True
    in_pass = context.playback.phase != "live"
    if in_pass:
        context.playback.leave()
    return in_pass


def _selected_content(context: Context) -> tuple[frozenset[int], frozenset[int]]:
    """Return the selected nodes and drawn groups, with all that lies in these groups."""
    nodes, frames = content(context.canvas.scene, context.selection.frames)
    return context.selection.nodes | nodes, frames


def _paste_drawing(context: Context, drawing: Drawing, middle: Point) -> None:
    """Add a drawing, select it and bring it into view.

    It is centred on `middle`, or on the nearest point where it covers nothing. It may lie in a
    drawn group, unless its nodes have no positions yet: their final layout is not known.
    """
    sheet = sheet_of(drawing)
    unplaced = len(sheet.positions) < len(sheet.graph.nodes)
    if unplaced:
        sheet = sheet.with_graph(sheet.graph, columns(sheet.graph))
    _x, _y, width, height = sheet_bounds(sheet)
    corner = (middle[0] - width / 2, middle[1] - height / 2)
    canvas = context.canvas.context
    past_frames = unplaced or bool(sheet.drawn)
    free = free_corner(canvas, corner, (width, height), past_frames=past_frames)
    _select_added(context, lambda: context.document.paste(drawing, free))
    bring_into_view(canvas, canvas.scene.bounds(context.selection.nodes))


def _select_added(context: Context, add: Callable[[], frozenset[int]]) -> None:
    """Call `add`, which returns the new nodes, and select these and the new drawn groups."""
    before = context.document.sheet.drawn
    nodes = add()
    new = context.document.sheet.drawn.keys() - before
    context.selection.choose(nodes, (), new, by_edit=True)


def has_explanation(context: Context) -> bool:
    """Return whether Why explains a node."""
    hidden = context.playback.now.rules is UNKNOWN  # an explanation would reveal the hunted rule
    return not hidden and explained_node(context.playback.frame, context.selection) is not None


@action(
    "Derivation as text", enabled=has_explanation, search="copy clipboard explanation chain rule"
)
def copy_text(context: Context) -> None:
    """Copy the chain rule of the selected node, or of this step, as text."""
    from app.workbench.trials.copying import derivation_text

    text = derivation_text(
        _explained_derivation(context), context.style.digits, context.style.notation
    )
    _set_clipboard(context, text, "The derivation")


@action(
    "Derivation as LaTeX", enabled=has_explanation, search="copy clipboard formula tex equation"
)
def copy_latex(context: Context) -> None:
    """Copy the chain rule of the selected node, or of this step, as LaTeX."""
    from app.workbench.trials.copying import derivation_latex

    text = derivation_latex(
        _explained_derivation(context), context.style.digits, context.style.notation
    )
    if text:
        _set_clipboard(context, text, "The derivation in LaTeX")
    else:
        context.messages.toast("There is no formula to copy: no contribution comes here.")


@action("Pass as text", enabled=when.in_a_pass, search="copy clipboard steps narration")
def copy_pass(context: Context) -> None:
    """Copy a sentence for each step, in the chosen voice."""
    from app.workbench.trials.copying import pass_text

    now, voice, style = context.playback.now, context.settings.voice, context.style
    text = pass_text(now.frame, voice, style.digits, now.comparison, style.notation)
    if text:
        _set_clipboard(context, text, "The pass")
    else:
        context.messages.toast("There is no step to copy yet.")


def _explained_derivation(context: Context) -> Derivation:
    """Return the derivation that the page Why shows."""
    now = context.playback.now
    node = explained_node(now.frame, context.selection)
    assert node is not None  # else the action is not enabled
    return derivation(now.frame, node, now.comparison)


def _set_clipboard(context: Context, text: str, what: str) -> None:
    """Set the text of the clipboard, and confirm it; `what` begins the sentence."""
    QGuiApplication.clipboard().setText(text)
    context.messages.toast(f"{what} is on the clipboard.")


@sheet_action(
    "Delete and &join",
    "Ctrl+Del Backspace Ctrl+Backspace",
    when.nodes_selected,
    search="remove bypass keep wires",
)
def heal(context: Context) -> None:
    """Delete a node with one slot and join its neighbours."""
    context.canvas.editing.delete(bypass=True)


@sheet_action(
    "&Find a node",
    "Ctrl+F",
    when.has_nodes,
    icon="search",
    search="search node go to label name operation value",
)
def find(context: Context) -> None:
    """Find a node by its label, name, operation or value; Enter goes to the next."""
    context.canvas.editing.find()


@sheet_action("Select &all", "Ctrl+A", when.has_nodes)
def select_all(context: Context) -> None:
    """Select every node."""
    context.selection.choose_all()


@sheet_action("Select ancestors", "Ctrl+Shift+Left", when.nodes_selected)
def select_ancestors(context: Context) -> None:
    """Select the inputs, and the inputs of inputs, as well."""
    context.selection.choose_ancestors()


@sheet_action("Select descendants", "Ctrl+Shift+Right", when.nodes_selected)
def select_descendants(context: Context) -> None:
    """Select everything that the selection feeds as well."""
    context.selection.choose_descendants()
