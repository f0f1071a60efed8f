"""Planes: the plane of dots on the start page and beside a sheet; the panels get it from here.

`app.panels.train.plane` needs numpy, so it is imported when a plane is wanted.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Final

import msgspec
from PySide6.QtWidgets import QSizePolicy

from app.lessons.course import OPENING, path_of
from app.lessons.situation import PlaneFile

if TYPE_CHECKING:
    from app.panels.train.plane import PlaneView
    from app.window.context import Context
    from app.workbench.training import Training

EPOCHS: Final = 300
"""Steps that the network of the start page learns: the cold open has its weights after them."""


def opening_plane(context: Context) -> PlaneView:
    """Return the plane of the start page, whose network learns once: that of the cold open."""
    from app.panels.train.plane import PlaneView

    steps = tomllib.loads(path_of(OPENING).read_text("utf-8"))["step"]
    plane = msgspec.convert(steps[0]["plane"], PlaneFile)
    training = _training(plane, EPOCHS)
    view = PlaneView(context.style, training, told=True)
    training.setParent(view)
    view.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
    view.choose(plane.sample - 1)
    view.learn()
    return view


def sheet_plane(context: Context, plane: PlaneFile) -> PlaneView:
    """Return the plane of a lesson's step, which has the weights of the sheet."""
    return following_plane(context, _training(plane, 0), plane.sample - 1)


def following_plane(context: Context, training: Training, sample: int) -> PlaneView:
    """Return a plane of the samples of a training, of its own, with the weights of the sheet."""
    from app.panels.train.plane import PlaneView

    view = PlaneView(context.style, training, told=True)
    training.setParent(view)
    view.choose(sample)
    view.follow(context.playback)
    return view


def _training(plane: PlaneFile, epochs: int) -> Training:
    from app.workbench.training import Training
    from engine.training.learning import Setup

    training = Training()
    training.change(Setup(plane.sizes, seed=plane.seed, epochs=epochs))
    training.set_data(plane.data)
    return training
