"""Why: the chain rule of the selected node, and the pass as code."""

from app.panels.why.why import WhyPanel

__all__ = ["WhyPanel"]
