"""How a derivative is written: ∂L/∂a, dL/da or a.grad; needs no Qt."""

from typing import Literal

Notation = Literal["partial", "total", "grad"]
