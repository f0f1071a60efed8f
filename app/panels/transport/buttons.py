"""The buttons of the transport; in a narrow window the less important ones are hidden."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.controls.choice_box import ChoiceBox
from app.controls.icon_button import IconButton
from app.controls.layouts import Box, in_row, plain_label
from app.controls.row_visibility import row_width, show_only
from app.controls.segmented import Segmented
from app.guard import guarded
from app.panels.transport.ask_for import AskFor
from app.style import sizes
from app.style.current import Style
from app.workbench.modes import Modes
from app.workbench.narration import Voice
from app.workbench.playback import Playback
from app.workbench.playback_state import SPEEDS
from engine.numbers import short


@guarded
class Buttons(QWidget):
    """First, back, step, last, play; step size and speed; what is asked for; the voice."""

    voice_chosen = Signal(str)

    def __init__(
        self, style: Style, playback: Playback, modes: Modes, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._playback = playback
        self.first = IconButton(style, "first", "To the start of the pass", "Home")
        self.back = IconButton(style, "step_back", "One step back", "Left")
        self.step = IconButton(style, "step", "One step on", "Right", text="Step")
        self.last = IconButton(style, "last", "To the end of the pass", "End")
        self.play = IconButton(style, "play", "Play", "Return")
        self.stops = Segmented(
            style, (("contribution", "contribution"), ("node", "node")), "Stop after each"
        )
        self.difference = IconButton(style, "mistakes", "Go to where the mistake first shows")
        self.difference.setProperty("only", "")
        self.difference.set_kind("mistake")
        self._first_difference: int | None = None
        self._small = self._asks = False
        self.speed = _speeds()
        self.voices = Segmented(
            style, (("plain", "Plain"), ("maths", "Maths"), ("code", "Code")), "Say it in"
        )
        self.ask_for = AskFor(style, modes)
        self._stops_caption = _caption("Stop after each")
        self._asked_caption = _caption("Ask for")
        self._voices_caption = _caption("Say it in")
        self._widgets, self._row = self._lay_out()
        self._connect()
        self._restyle()
        self.refresh(None)

    def show_voice(self, voice: Voice) -> None:
        """Show the current voice."""
        self.voices.set_choice(voice)

    def set_small(self, small: bool) -> None:
        """Leave out captions and speed in a small window; the Run menu has the speed."""
        if small != self._small:
            self._small = small
            self._fit()

    def refresh(self, first_difference: int | None) -> None:
        """Update enabled states; `first_difference` is the step where a mistake shows."""
        if self._asks != self.ask_for.on:
            self._asks = self.ask_for.on
            self._fit()
        if first_difference != self._first_difference:
            self._first_difference = first_difference
            known = first_difference is not None
            self.difference.setText(f"First difference: step {first_difference:,}" if known else "")
            self._fit()
        playback = self._playback
        live, start = playback.phase == "live", playback.cursor == 0
        end = not live and playback.cursor >= playback.frame.total
        something = bool(playback.frame.graph.nodes)
        self.first.setEnabled(not start)
        self.back.setEnabled(not start)
        self.step.setEnabled(something and not end)
        self.last.setEnabled(something and not end)
        self.play.setEnabled(something)
        self.play.set_icon("pause" if playback.playing else "play")
        self.play.set_tip("Pause" if playback.playing else "Play", "Return")
        self.stops.set_choice("node" if playback.by_node else "contribution")
        if playback.speed in SPEEDS:
            self.speed.setCurrentIndex(SPEEDS.index(playback.speed))

    def _lay_out(self) -> tuple[tuple[QWidget, ...], Box]:
        """Return the widgets from left to right, and the row in which they are."""
        self.step.set_kind("primary")
        self.step.set_icon_last()
        runs = (self.first, self.back, self.step, self.last, self.play)
        asked = (self._asked_caption, self.ask_for)
        settings = (self._stops_caption, self.stops, self.speed, *asked, self.difference)
        voices = (self._voices_caption, self.voices)
        row = in_row(*runs, *settings, 1, *voices, parent=self, style=self._style, edges=0, gap=6)
        return (*runs, *settings, *voices), row

    def _connect(self) -> None:
        playback = self._playback
        self.first.clicked.connect(self._go_to_start)
        self.back.clicked.connect(playback.step_back)
        self.step.clicked.connect(playback.step)
        self.last.clicked.connect(playback.to_end)
        self.play.clicked.connect(playback.toggle_play)
        self.stops.chosen.connect(self._stop)
        self.difference.clicked.connect(self._go_to_difference)
        self.speed.activated.connect(self._speed)
        self.voices.chosen.connect(self.voice_chosen)
        self.ask_for.steps_changed.connect(self._fit)
        self._style.changed.connect(self._restyle)

    def _go_to_start(self) -> None:
        self._playback.go(0)

    def _stop(self, each: str) -> None:
        self._playback.set_by_node(each == "node")

    def _speed(self, place: int) -> None:
        self._playback.set_speed(SPEEDS[place])

    def _go_to_difference(self) -> None:
        if self._first_difference is not None:
            self._playback.go(self._first_difference, pause=True)

    def _restyle(self) -> None:
        self.step.setMinimumWidth(self._style.px(84))
        self._fit()

    def _fit(self) -> None:
        """Hide captions first, then speed and stops, until the rest fits."""
        shown = {*self._widgets}
        if not self._asks:
            shown -= {self._asked_caption, self.ask_for}
        if self._small:
            shown -= {self._voices_caption, self._stops_caption, self.speed}
        if self._first_difference is None:
            shown -= {self.difference}
        for group in (
            (self._voices_caption, self._stops_caption),
            (self.speed,),
            (self.stops,),
            (self._asked_caption,),
            (self.difference,),
            (self.voices,),
            (self.ask_for,),
        ):
            if row_width(shown, self._row.spacing()) <= self.width():
                break
            shown -= {*group}
        show_only(self._widgets, shown)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(200), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


def _caption(text: str) -> QLabel:
    label = plain_label(text, "secondary")
    label.setContentsMargins(sizes.SPACES[1], 0, 0, 0)
    return label


def _speeds() -> ChoiceBox:
    box = ChoiceBox("Speed")
    box.setToolTip("Steps a second while playing")
    for speed in SPEEDS:
        box.addItem(f"{short(speed)} / s".replace("0.5", "½"))
    box.setCurrentIndex(SPEEDS.index(1.0))
    return box
