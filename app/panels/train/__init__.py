"""Train: gradient descent on the sheet, and a network that learns from samples."""

from app.panels.train.train_page import TrainPage

__all__ = ["TrainPage"]
