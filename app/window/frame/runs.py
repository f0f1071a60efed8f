"""Runs: brings the panel of a mode to the front, and says what a run came to when it ends."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject

from app.window.commands.asking import set_friendly
from app.window.context import Context
from app.window.frame.parts import Parts
from app.window.frame.side_panel import SidePanel
from app.window.frame.side_tabs import ASIDE_WHILE_LEARNING, EMPTY_WHILE_ASKED, HIDDEN_IN_HUNT
from app.workbench.modes.mode import STEPPING
from app.workbench.playback.view_state import ViewState
from app.workbench.words.ends import summary_of
from engine.formats.report import Report
from engine.rules import CORRECT, UNKNOWN
from engine.study.record import right_first_time


class Runs(QObject):
    """Follows the mode in which a learner is asked; keeps the chosen level in the settings."""

    def __init__(self, context: Context, side: SidePanel, parts: Parts) -> None:
        super().__init__(context.shell.widget)
        self._context = context
        self._side, self._parts = side, parts
        self._front = ""
        """The panel that was brought to the front for the mode that is on."""
        self._rules = context.playback.rules
        context.modes.choose(context.settings.level, context.settings.asked_steps)
        self._descending = self._learned = False
        context.playback.shown.connect(self._follow)
        context.descents.changed.connect(self._follow_descent)
        side.tabs_changed.connect(self._make_room)
        context.modes.changed.connect(self._keep_level)
        context.modes.ended.connect(self._sum_up)
        context.friendly.found.connect(partial(set_friendly, context))
        context.friendly.lasts.connect(self._show_search)

    def _follow(self, shown: ViewState) -> None:
        """Bring the panel of a mode to the front when it begins; hide empty tabs meanwhile."""
        front = "by_hand" if shown.by_hand is not None else ""
        if shown.quiz is not None and not shown.quiz.covers:
            front = "predictions"
        for name in EMPTY_WHILE_ASKED:
            self._side.show_tab(name, not front and not self._puts_aside(name))
        if front and front != self._front:
            self._side.bring(front)
            if front == "by_hand":  # no mistake is on
                self._side.show_tab("mistakes", False)
        if self._front == "by_hand" != front:
            self._side.show_tab("by_hand", False)
        if shown.change.opened and not front:  # what it lists is about another document
            self._side.show_tab("predictions", False)
        self._front = front
        self._introduce(shown)

    def _introduce(self, shown: ViewState) -> None:
        """Bring the panel of a mistake to the front when it is switched on, or hunted."""
        hunting = shown.rules is UNKNOWN
        for name in HIDDEN_IN_HUNT:
            self._side.show_tab(name, not hunting)
        if shown.rules is not self._rules and shown.rules is not CORRECT:
            self._side.bring("mistakes")
        self._rules = shown.rules
        self._end_training(shown)
        self._follow_descent()

    def _follow_descent(self) -> None:
        """Bring the panel to the front when Descent begins, and hide its tab at the end."""
        descending = self._context.descents.now is not None
        if descending != self._descending:
            self._descending = descending
            self._side.show_tab("descent", descending)
            if descending:
                self._side.bring("descent")
        self._make_room()

    def _end_training(self, shown: ViewState) -> None:
        """End Training when a mode begins; show the sheet again for a pass."""
        if shown.mode is not STEPPING:
            self._side.show_tab("training", False)
        elif shown.frame.phase != "live" and self._parts.staged:
            self._side.bring("why")

    def _make_room(self) -> None:
        """Put tabs aside while something is learned; keep its panel, or the hunt's, in sight.

        The nodes grow when the mistake is named; the panel of the hunt must not give way to them.
        """
        learns = self._learns
        if learns != self._learned:
            self._learned = learns
            for name in ASIDE_WHILE_LEARNING:
                self._side.show_tab(name, not learns)
        self._parts.keep_side(learns or self._context.hunting.now is not None)

    @property
    def _learns(self) -> bool:
        return self._context.descents.now is not None or self._side.shows_tab("training")

    def _puts_aside(self, tab: str) -> bool:
        return tab in ASIDE_WHILE_LEARNING and self._learns

    def _keep_level(self) -> None:
        settings, modes = self._context.settings, self._context.modes
        settings.level, settings.asked_steps = modes.level, modes.steps

    def _show_search(self, lasts: bool) -> None:
        messages = self._context.messages
        if lasts:
            messages.progress.wait_for("Drawing friendly numbers", self._context.friendly.cancel)
        else:
            messages.end_progress()

    def _sum_up(self, report: Report) -> None:
        if right_first_time(report.record.attempts):
            self._context.messages.toast(summary_of(report.record))

    def begin_drill(self) -> None:
        """Ask three more questions like the one of the slip."""
        self._side.bring("predictions")
        panel = self._side.panel("predictions")
        begin = getattr(panel, "begin_drill", None)
        if begin is not None:
            begin()
