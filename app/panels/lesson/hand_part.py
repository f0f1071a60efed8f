"""HandPart: a pass by hand: progress, every turn, and who waits for whom."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QWidget

from app.controls.layouts import in_column, in_row, plain_label
from app.controls.rich_text import Span
from app.controls.row_list import Column, ListRow, RowList
from app.style.current import Style
from app.workbench.playback.view_state import ViewState
from app.workbench.words.hand import Turn, Waiting, counts, log, rule_text, waiting
from engine.numbers import Digits, counted

_TITLES = {"backward": "Backward by hand", "forward": "Forward by hand"}
_ORDERS = {True: "one order is right", False: "several orders are right"}
_MARKS = {"right": "✓", "wrong": "✗", "refused": "✗"}
_TONES = {"wrong": "wrong", "refused": "wrong", "now": "asked"}
_BAR = 6
"""Height of the progress bar, in px at 100 %."""
MOST = 60
"""Turns that are listed at most, the newest."""


class HandPart(QWidget):
    """Shows the pass by hand of a view state."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.count, self.early = plain_label(kind="secondary"), plain_label(kind="secondary")
        columns = (Column(20), Column(takes_rest=True), Column(right=True))
        self.turns = RowList(style, "Turns", columns, row_height=28, choosable=False)
        columns = (Column(38), Column(100), Column(takes_rest=True))
        self.waiting = RowList(style, "Waiting and ready", columns, choosable=False)
        self.rule = plain_label(kind="secondary", wraps=True)
        heading = plain_label("Waiting and ready", "strong")
        counts_row = in_row((self.count, 1), self.early)
        parts = (self.bar, counts_row, self.turns, heading, self.waiting, self.rule)
        in_column(*parts, parent=self, style=style, edges=0, gap=8)
        style.changed.connect(self._restyle)
        self._restyle()

    def show_run(self, now: ViewState, shows_ready: bool, digits: Digits) -> tuple[str, str]:
        """Show a run; return its title and whether several orders are right."""
        run = now.by_hand
        assert run is not None
        fired, total, early = counts(now)
        self.bar.setRange(0, total)
        self.bar.setValue(fired)
        nodes = "{done:,} of {count} node fired", "{done:,} of {count:,} nodes fired"
        self.count.setText(counted(total, *nodes, done=fired))
        clicks = counted(early, "{count} early click", "{count:,} early clicks")
        self.early.setText(clicks if early else "")
        self.turns.show_rows([_turn(turn) for turn in log(now, digits)[-MOST:]])
        self.waiting.show_rows([_waiting(found) for found in waiting(now, shows_ready)])
        self.rule.setText(rule_text(run))
        return _TITLES[run.phase], _ORDERS[run.has_one_order(now.frame.graph)]

    def _restyle(self) -> None:
        self.bar.setFixedHeight(self._style.px(_BAR))


def _turn(turn: Turn) -> ListRow:
    number = f"{turn.number}" if turn.number else ""
    mark = _MARKS.get(turn.state, "")
    cells = (
        (Span(number, "secondary"),),
        (Span(turn.title, bold=True),),
        (Span(mark, "text" if mark == "✓" else "error", bold=True),),
    )
    below = (Span(turn.detail, "secondary"),) if turn.detail else ()
    spoken = " ".join(text for text in (number, turn.title, turn.detail, mark) if text)
    return ListRow(cells, spoken, below, _TONES.get(turn.state, ""))


def _waiting(found: Waiting) -> ListRow:
    role = "selection" if found.ready else "secondary"
    cells = ((Span(found.name, bold=True),), (Span(found.state, role),), (Span(found.rest),))
    return ListRow(cells, f"{found.name} {found.state} {found.rest}".strip(), tip=found.rest)
