"""Predictions: what the learner has answered in this run, and what that shows."""

from app.panels.predictions.predictions import PredictionsPanel

__all__ = ["PredictionsPanel"]
