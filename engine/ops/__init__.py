"""OPS: every operation, in the order in which palettes and lists show them."""

from engine.op import Op
from engine.ops.activations import RELU, SIGMOID, TANH
from engine.ops.arithmetic import ADD, DIV, MUL, NEG, POW, SUB
from engine.ops.exponentials import EXP, LOG

OPS: tuple[Op, ...] = (ADD, SUB, MUL, DIV, POW, NEG, EXP, LOG, TANH, RELU, SIGMOID)

BY_NAME: dict[str, Op] = {op.name: op for op in OPS}

FAMILIES: tuple[str, ...] = tuple(dict.fromkeys(op.family for op in OPS))
