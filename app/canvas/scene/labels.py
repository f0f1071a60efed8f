"""Labels: what the wires of a scene say, and the rectangles in which they say it."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from PySide6.QtCore import QRectF

from app.canvas.appearance.look import LabelLook
from app.canvas.appearance.looks import Looks
from app.canvas.appearance.visible_nodes import VisibleNodes
from app.canvas.layout.text_sizes import label_width
from app.canvas.layout.wire_layout import WireLayout
from app.style import sizes
from engine.graph import Wire

LABEL_ORDER = {"done": 0, "next": 1, "asked": 2, "firing": 3}
"""Painting order of labels: those of this step and the next are on top."""

LONGEST_NUMBER = -sys.float_info.min
"""A number that is written with the most characters, at any number of digits."""


class Labels:
    """The labels of one scene; looks are computed once until they are forgotten."""

    def __init__(self, looks: Looks, visible: VisibleNodes, wire_layout: WireLayout) -> None:
        self._looks, self._visible, self._wire_layout = looks, visible, wire_layout
        self._kept: dict[Wire, LabelLook | None] = {}

    def show(self, looks: Looks, visible: VisibleNodes) -> None:
        """Read labels from other looks; what was read before stays until it is forgotten."""
        self._looks, self._visible = looks, visible

    def forget(self, wires: Iterable[Wire] | None = None) -> None:
        """Forget the cached labels of these wires, or all of them."""
        if wires is None:
            self._kept.clear()
            return
        for wire in wires:
            self._kept.pop(self._visible.drawn_as_one(wire)[0], None)

    def look(self, wire: Wire) -> LabelLook | None:
        """Return a wire's label, or None; into a collapsed group the sum of what it carries."""
        if wire not in self._kept:
            inside = wire[0] in self._visible.home
            self._kept[wire] = self._sum(wire) if inside else self._looks.label(wire)
        return self._kept[wire]

    @property
    def any_shown(self) -> bool:
        """Return whether wires have labels: only while a pass is shown, and no ripple."""
        return self._looks.frame.phase == "backward" and self._looks.rippled is None

    @property
    def most_width(self) -> float:
        """Return the width in sheet px of a label whose numbers are as long as any."""
        number = self._looks.short(LONGEST_NUMBER)
        return label_width(LabelLook(number, number, number, "done", 0, number))

    def rect(self, wire: Wire, whole: bool = False) -> QRectF | None:
        """Return the rectangle of a label as drawn now, or as a whole; None if there is none."""
        look = self.look(wire) if wire in self._wire_layout.courses else None
        # only a finished label is shortened: that of the current step is drawn whole
        done = look is not None and look.state == "done"
        short = done and not whole and self._wire_layout.label_layout[wire].form == "short"
        return self._rect(wire, short)

    def short_rect(self, wire: Wire) -> QRectF | None:
        """Return the rectangle of a label that shows its contribution alone."""
        return self._rect(wire, short=True)

    def _rect(self, wire: Wire, short: bool) -> QRectF | None:
        look = self.look(wire)
        if look is None or wire not in self._wire_layout.courses:
            return None
        seat, wide = self._wire_layout.label_layout[wire], label_width(look, short)
        high = (
            sizes.LABEL_LINE if short or not (look.local or look.state == "asked") else sizes.LABEL
        )
        return QRectF(seat.right - wide, seat.y - high / 2, wide, high)

    def _sum(self, wire: Wire) -> LabelLook | None:
        """Return the label of the wires that are drawn as one, on the first of them."""
        wires = self._visible.drawn_as_one(wire)
        looks = [look for one in wires if (look := self._looks.label(one)) is not None]
        if not looks or wire != wires[0]:
            return None
        look = max(looks, key=lambda look: LABEL_ORDER[look.state])
        fired = [event for one, event in self._looks.frame.fired.items() if one in wires]
        fired = [event for event in fired if event.sweep == max(e.sweep for e in fired)]
        if look.state in ("firing", "done") and len(wires) > 1:
            trace = self._looks.frame.trace
            adds = trace is None or trace.rules.accumulate
            total = sum(event.contribution for event in fired) if adds else fired[-1].contribution
            look = look._replace(contribution=self._looks.signed(total), wrong="")
        return look._replace(upstream="", local="", hue=looks[0].hue)
