"""The panel of a pass by hand: progress, every turn, and who waits for whom."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QProgressBar, QWidget

from app.controls.elided_label import ElidedLabel
from app.controls.empty_state import LEAST_HEIGHT, EmptyState
from app.controls.kind import set_kind
from app.controls.layouts import (
    PANEL_EDGES,
    Part,
    fill_background,
    in_column,
    in_row,
    plain_label,
    scroll_area,
)
from app.controls.rows_on_demand import RowsOnDemand
from app.guard import guarded
from app.style.current import Style
from app.workbench.playback.playback import Playback
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.words.hand import rule_told
from app.workbench.words.hand_log import Turn, Waiting, counts, log, waiting
from engine.numbers import counted

NOTHING = "Press H to do the pass by hand: set the seed, then click the node that fires next."
_TITLES = {"backward": "Backward by hand", "forward": "Forward by hand"}
_ORDERS = {True: "one order is right", False: "several orders are right"}
_KINDS = {"right": "card", "wrong": "mistake", "refused": "mistake", "now": "question"}
_MARKS = {"right": "✓", "wrong": "✗", "refused": "✗"}
_NUMBER = 20
"""Width of the number of a turn, in px at 100 %."""
_BAR = 6
"""Height of the progress bar, in px at 100 %."""
_NAME, _STATE = 38, 116
"""Least widths of name and state of a node that waits, in px at 100 %."""
MOST = 60
"""Turns that are listed at most, the newest."""


@guarded
class ByHandPanel(QWidget):
    """Follows the pass by hand of one playback."""

    def __init__(
        self, style: Style, playback: Playback, modes: QuizRunner, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._playback = playback
        self._modes = modes
        fill_background(self, "panel")
        self.setAccessibleName("By hand")
        self.empty = EmptyState(style, NOTHING)
        self.title, self.orders = plain_label(kind="strong"), plain_label(kind="secondary")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.count, self.early = plain_label(kind="secondary"), plain_label(kind="secondary")
        self.turns, self.waiting = _Rows(style, _TurnRow), _Rows(style, _WaitingRow)
        self.rule = plain_label(kind="secondary", wraps=True)
        page = QWidget()
        self._run, self._rest = self._parts()
        self._line = QFrame()
        self._line.setProperty("kind", "rule")
        in_column(self.empty, self._run, self._line, self._rest, 1, parent=page, edges=0, gap=0)
        self._area = scroll_area(page)
        in_column(self._area, parent=self, edges=0)
        playback.shown.connect(self._refresh)
        modes.by_hand.changed.connect(self._refresh)
        style.changed.connect(self._restyle)
        self._restyle()

    def texts(self) -> list[str]:
        """Return the turns as they are read aloud."""
        return self.turns.texts()

    def _parts(self) -> tuple[QWidget, QWidget]:
        def part(*widgets: Part) -> QWidget:
            made = QWidget()
            in_column(*widgets, parent=made, style=self._style, edges=PANEL_EDGES, gap=8)
            return made

        heading = plain_label("Waiting and ready", "strong")
        run = part(
            in_row((self.title, 1), self.orders),
            self.bar,
            in_row((self.count, 1), self.early),
            self.turns,
        )
        return run, part(heading, self.waiting, self.rule)

    def _refresh(self) -> None:
        """Show the run; a hidden panel is refreshed when it is shown."""
        if not self.isVisible():
            return
        now, digits = self._playback.now, self._style.digits
        run = now.by_hand
        self.empty.setVisible(run is None)
        for part in (self._run, self._line, self._rest):
            part.setVisible(run is not None)
        if run is None:
            return
        fired, total, early = counts(now)
        self.title.setText(_TITLES[run.phase])
        self.orders.setText(_ORDERS[run.has_one_order(now.frame.graph)])
        self.bar.setRange(0, total)
        self.bar.setValue(fired)
        nodes = "{done:,} of {count} node fired", "{done:,} of {count:,} nodes fired"
        self.count.setText(counted(total, *nodes, done=fired))
        clicks = counted(early, "{count} early click", "{count:,} early clicks")
        self.early.setText(clicks if early else "")
        self.turns.show_rows(log(now, digits)[-MOST:])
        self.waiting.show_rows(waiting(now, self._modes.by_hand.shows_ready))
        self.rule.setText(rule_told(run))

    def _restyle(self) -> None:
        self.empty.setMinimumHeight(self._style.px(LEAST_HEIGHT))
        self.bar.setFixedHeight(self._style.px(_BAR))
        self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()


class _TurnRow(QFrame):
    """One turn: number, title and detail, and whether it was right."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._number = plain_label(kind="secondary")
        self._number.setMinimumWidth(style.px(_NUMBER))
        self._title, self._detail = ElidedLabel(style), ElidedLabel(style)
        self._mark = plain_label(kind="strong")
        texts = in_column(self._title, self._detail, edges=0, gap=0)
        parts = (self._number, (texts, 1), self._mark)
        in_row(*parts, parent=self, style=style, edges=(10, 5, 12, 5), gap=6)
        self._turn: Turn | None = None

    def show_row(self, turn: Turn) -> None:
        """Show one turn."""
        if turn == self._turn:
            return
        self._turn = turn
        self._number.setText(f"{turn.number}" if turn.number else "")
        self._title.setText("?" if turn.state == "now" else turn.title)
        self._detail.setText(turn.title if turn.state == "now" else turn.detail)
        self._mark.setText(_MARKS.get(turn.state, ""))
        set_kind(self, _KINDS[turn.state])
        set_kind(self._title, "strong")
        set_kind(self._detail, "secondary")
        set_kind(self._mark, "strong" if turn.state == "right" else "error")
        spoken = (self._number.text(), turn.title, turn.detail, self._mark.text())
        self.setAccessibleName(" ".join(text for text in spoken if text))


class _WaitingRow(QWidget):
    """One node that has not fired: its name, whether it is ready, and for whom it waits."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._name = plain_label(kind="strong")
        self._state = plain_label(kind="secondary")
        self._rest = ElidedLabel(style)
        self._name.setMinimumWidth(style.px(_NAME))
        self._state.setMinimumWidth(style.px(_STATE))
        parts: tuple[Part, ...] = (self._name, self._state, (self._rest, 1))
        in_row(*parts, parent=self, style=style, edges=0, gap=8)

    def show_row(self, found: Waiting) -> None:
        """Show one node."""
        self._name.setText(found.name)
        self._state.setText(found.state)
        self._rest.setText(found.rest)
        set_kind(self._state, "asked" if found.ready else "secondary")
        self.setAccessibleName(f"{found.name} {found.state} {found.rest}".strip())


class _Rows(QWidget):
    """Rows of one kind."""

    def __init__(self, style: Style, make: type[_TurnRow] | type[_WaitingRow]) -> None:
        super().__init__()
        column = in_column(parent=self, style=style, edges=0, gap=6)
        self._rows = RowsOnDemand[_TurnRow | _WaitingRow](lambda: make(style), column.addWidget)

    def texts(self) -> list[str]:
        """Return the rows that are shown as they are read aloud."""
        return [row.accessibleName() for row in self._rows.shown]

    def show_rows(self, found: Sequence[Turn] | Sequence[Waiting]) -> None:
        """Show these and no others."""
        for row, one in zip(self._rows.show(len(found)), found, strict=True):
            row.show_row(one)  # type: ignore[arg-type]  # rows and content are of one kind
