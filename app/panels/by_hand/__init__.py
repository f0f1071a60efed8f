"""By hand: how far the learner's pass is, every turn, and who waits for whom."""

from app.panels.by_hand.by_hand import ByHandPanel

__all__ = ["ByHandPanel"]
