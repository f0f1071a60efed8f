"""The expression bar: the graph as text, with its leaves beside it."""

from app.panels.expression_bar.expression_bar import ExpressionBar

__all__ = ["ExpressionBar"]
