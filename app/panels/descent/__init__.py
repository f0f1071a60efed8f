"""Descent: a training loop in four steps, its losses, and where the parameters went."""

from app.panels.descent.descent import DescentPanel

__all__ = ["DescentPanel"]
