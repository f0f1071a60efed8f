"""What the Graph menu does with the operation of a node: one action for each, by family."""

from __future__ import annotations

from app.window.actions import Action
from app.window.commands import conditions as when
from engine.op import Op
from engine.ops import OPS


def _change(op: Op) -> Action:
    return Action(
        f"op-{op.name}",
        op.name,
        lambda w: w.running.change_op(op.name),
        menu=f"Graph/Change to/{op.family}",
        tip=f"Make the selected node a {op.name}; wires stay where it has a slot for them",
        enabled=when.op_chosen,
        checked=lambda w: when.op_is(w, op.name),
    )


OPERATIONS: tuple[Action, ...] = tuple(_change(op) for op in OPS)
