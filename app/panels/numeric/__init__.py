"""The page Numeric: whether the gradients are right, numerically, by a nudge, and by PyTorch."""

from app.panels.numeric.numeric_page import NumericPage

__all__ = ["NumericPage"]
