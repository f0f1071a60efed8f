"""Which nodes a mistake makes wrong and why, and what finite differences say of the leaves."""

from __future__ import annotations

from PySide6.QtCore import Signal

from app.controls.layouts import plain_label
from app.controls.panel import Block
from app.controls.rich_text import Span
from app.controls.row_list import Column, ListRow, RowList
from app.style.current import Style
from app.workbench.gradients.comparison import Comparison
from app.workbench.study.lab import Judged, Referee, WrongNode, wrong_nodes
from engine.frame import Frame
from engine.numbers import Digits
from engine.rules import CORRECT, Rules

MOST = 12
"""Wrong nodes that are listed."""
_ROW = 23
_REASON = 130
"""Width of a reason below which it is placed under the numbers, in px at 100 %."""


class WrongPart(Block):
    """A row per wrong node: its name, `25 → 1`, and why it is wrong here."""

    node_chosen = Signal(int)

    def __init__(self, style: Style) -> None:
        super().__init__(style, "Wrong by now, and why", key="wrong")
        columns = (Column(), Column(), Column(takes_rest=True, font="caption", wraps_from=_REASON))
        self.list = RowList(style, "Wrong gradients", columns, row_height=_ROW)
        self.more = plain_label(kind="caption")
        self.add(self.list, self.more)
        self._nodes: tuple[int, ...] = ()
        self.list.chosen.connect(self._choose)

    def _choose(self, place: int) -> None:
        self.node_chosen.emit(self._nodes[place])

    def texts(self) -> list[str]:
        """Return the rows as they are read aloud."""
        return self.list.texts()

    def show_wrong(self, frame: Frame, comparison: Comparison | None, digits: Digits) -> None:
        """Show the nodes that are wrong by now."""
        found = list(wrong_nodes(frame, comparison, digits))
        self._nodes = tuple(wrong.node for wrong in found[:MOST])
        event = frame.event
        now = None if event is None else event.node
        self.setVisible(bool(found))
        self.set_note(f"{len(found):,} of {len(frame.grads):,}")
        self.list.show_rows([_row(wrong, wrong.node == now) for wrong in found[:MOST]])
        self.more.setText(f"{len(found) - MOST:,} more" if len(found) > MOST else "")
        self.more.setVisible(len(found) > MOST)


def _row(wrong: WrongNode, is_now: bool) -> ListRow:
    cells = (Span(wrong.name, bold=True),), wrong.change, (Span(wrong.why, "secondary"),)
    return ListRow(cells, wrong.spoken, tone="now" if is_now else "")


class RefereePart(Block):
    """A small table: leaf, numerical gradient, that of the correct pass, that of the mistake."""

    def __init__(self, style: Style) -> None:
        super().__init__(style, "Referee", key="referee", note="knows no chain rule")
        self._referee = Referee()
        self._shown: tuple[Judged, ...] = ()
        columns = (
            Column(takes_rest=True),
            Column(right=True),
            Column(width=52, right=True),
            Column(width=70, right=True),
        )
        self.list = RowList(style, "Referee", columns, row_height=_ROW, choosable=False)
        self.add(self.list)

    def texts(self) -> list[str]:
        """Return the rows as text."""
        return [f"{j.name} {j.numerical} {j.correct} {j.by_now}" for j in self._shown]

    def show_referee(
        self, frame: Frame, comparison: Comparison | None, rules: Rules, digits: Digits
    ) -> None:
        """Compare the leaves with finite differences from the first wrong step on."""
        self._shown = tuple(self._referee.judge(frame, comparison, digits))
        self.setVisible(bool(self._shown))
        heads = "leaf", "numerical", *_heads(rules)
        self.list.show_heads([(Span(head, "secondary"),) for head in heads])
        self.list.show_rows([_judged(judged, heads) for judged in self._shown])


def _heads(rules: Rules) -> tuple[str, str]:
    same_sum = rules.accumulate == CORRECT.accumulate
    return ("correct", "by now") if same_sum else ("+=", "= by now")


_MARKS = {"agrees": " ✓", "differs": " ✗", "can't tell": " ?"}


def _judged(judged: Judged, heads: tuple[str, ...]) -> ListRow:
    number, _space, mark = judged.by_now.partition(" ")
    role = "error" if judged.agrees is False else "gradient"
    found = [Span(number, role, bold=True)]
    if mark:
        found.append(Span(f" {mark}", "secondary" if judged.agrees is None else role))
    right = f"{judged.correct}{_MARKS[judged.verdict]}"
    cells = (
        (Span(judged.name, bold=True),),
        (Span(judged.numerical, bold=True),),
        (Span(right, "gradient", bold=True),),
        tuple(found),
    )
    texts = (judged.numerical, judged.correct, judged.by_now)
    said = ", ".join(f"{head} {text}" for head, text in zip(heads[1:], texts, strict=True))
    return ListRow(cells, f"{judged.name}: {said}")
