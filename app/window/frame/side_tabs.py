"""The tabs of the side panel, and which of them are hidden when."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QWidget

from app.window.commands.report import ask_report
from app.window.commands.training import training_panel
from app.window.commands.view import show_node
from app.window.context import Context

Maker = Callable[[Context], QWidget]


def _why(context: Context) -> QWidget:
    from app.panels.why import WhyPanel

    panel = WhyPanel(context.style, context.document, context.playback, context.selection)
    panel.step_chosen.connect(context.playback.go)
    return panel


def _inspector(context: Context) -> QWidget:
    from app.panels.inspector import Inspector

    panel = Inspector(context.style, context.document, context.playback, context.selection)
    panel.node_chosen.connect(partial(show_node, context))
    return panel


def _check(context: Context) -> QWidget:
    from app.panels.check import CheckPanel

    panel = CheckPanel(context.style, context.document, context.playback, context.checks)
    panel.follow(context.selection)
    panel.torch.python.setText(context.settings.python)
    panel.torch.python_chosen.connect(context.settings.set_python)
    panel.node_chosen.connect(partial(show_node, context))
    return panel


def _history(context: Context) -> QWidget:
    from app.panels.history import HistoryPanel

    return HistoryPanel(context.style, context.document)


def _paths(context: Context) -> QWidget:
    from app.panels.paths import PathsPanel

    return PathsPanel(context.style, context.playback, context.selection)


def _predictions(context: Context) -> QWidget:
    from app.panels.predictions import PredictionsPanel

    panel = PredictionsPanel(context.style, context.playback, context.modes)
    panel.save_wanted.connect(partial(ask_report, context))
    panel.left.connect(context.canvas.setFocus)
    return panel


def _mistakes(context: Context) -> QWidget:
    from app.panels.mistakes import MistakesPanel

    panel = MistakesPanel(context.style, context.playback, context.hunting)
    panel.node_chosen.connect(partial(show_node, context))
    panel.left.connect(context.canvas.setFocus)
    return panel


def _by_hand(context: Context) -> QWidget:
    from app.panels.by_hand import ByHandPanel

    return ByHandPanel(context.style, context.playback, context.modes)


def _descent(context: Context) -> QWidget:
    from app.panels.descent import DescentPanel

    return DescentPanel(context.style, context.document, context.playback, context.descents)


def _training(context: Context) -> QWidget:
    return training_panel(context)


def _sliders(context: Context) -> QWidget:
    from app.panels.sliders import SlidersPanel

    return SlidersPanel(context.style, context.document, context.playback)


def _source(context: Context) -> QWidget:
    from app.panels.source import SourcePanel

    return SourcePanel(context.style, context.document, context.selection)


SIDE: tuple[tuple[str, str, Maker], ...] = (
    ("mistakes", "Mistakes", _mistakes),
    ("by_hand", "By hand", _by_hand),
    ("predictions", "Predictions", _predictions),
    ("descent", "Descent", _descent),
    ("training", "Training", _training),
    ("sliders", "Sliders", _sliders),
    ("why", "Why", _why),
    ("inspector", "Inspector", _inspector),
    ("paths", "Paths", _paths),
    ("check", "Check", _check),
    ("source", "Source", _source),
    ("history", "History", _history),
)
"""The tabs of the side panel; each is created when it is first shown."""
MODE_TABS = ("mistakes", "by_hand", "predictions", "descent", "training", "sliders", "source")
"""Tabs that are hidden until there has been something to show in them."""
EMPTY_WHILE_ASKED = ("paths", "check")
"""Tabs that are hidden in Ask me and By hand, as they have nothing to show until the end."""

ASIDE_WHILE_LEARNING = ("inspector", "paths")
"""Tabs that are hidden in Descent and Training, to have room for theirs."""

FIRST_ASIDE = ("history", "check", "paths", "inspector")
"""Tabs for which there is no room first, when a mode or a mistake has a tab of its own."""

HIDDEN_IN_HUNT = ("why",)
"""Tabs that are hidden while a mistake is to be named, as they explain what it does."""
