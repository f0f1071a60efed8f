"""The training panel: a network that learns, its boundary, its losses, and one sample."""

from app.panels.training.training_panel import TrainingPanel

__all__ = ["TrainingPanel"]
