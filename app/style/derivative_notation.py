"""Notations: how the derivative of the root by a node is written."""

from typing import Literal

Notation = Literal["partial", "total", "grad"]
"""∂L/∂a, dL/da or a.grad."""
NOTATIONS = ("partial", "total", "grad")
