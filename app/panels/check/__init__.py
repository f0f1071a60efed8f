"""Check: whether the gradients are right, numerically, by a nudge, and by PyTorch."""

from app.panels.check.check import CheckPanel

__all__ = ["CheckPanel"]
