"""Why: value, chain rule, paths, order and full digits of the selected node."""

from app.panels.why.why_page import WhyPage

__all__ = ["WhyPage"]
