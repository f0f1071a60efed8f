"""Actions that change a node's operation: one per operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.window.actions import Action, sheet_action
from app.window.commands import conditions as when
from engine.op import Op
from engine.ops import OPS

if TYPE_CHECKING:
    from app.window.context import Context


def change_op(context: Context, op: str) -> None:
    """Change the operation of the selected node."""
    node = context.selection.only
    if node is not None:
        context.document.set_op(node, op)


def _change(op: Op) -> Action:
    return sheet_action(
        f"op-{op.name}",
        op.name,
        lambda c: change_op(c, op.name),
        tip=f"Make the selected node a {op.name}; wires stay where it has a slot for them",
        enabled=when.op_chosen,
        checked=lambda c: when.op_is(c, op.name),
    )


OPERATIONS: tuple[Action, ...] = tuple(_change(op) for op in OPS)
