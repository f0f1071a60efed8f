"""Rows, columns and labels, as panels and dialogs build them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QLayout, QScrollArea, QWidget

from app.style.current import Style

Part = QWidget | QLayout | int | tuple[QWidget | QLayout, int | Qt.AlignmentFlag]
"""A widget or a layout, optionally with its stretch or alignment; a number is empty stretch."""
Edges = float | tuple[float, float, float, float]
"""Margins: the same all round, or left, top, right, bottom."""


class Box(QBoxLayout):
    """A row or column. With a style its edges and gap are px at 100 % and follow the scale.

    Without `edges` or `gap` they are those that Qt gives to such a layout.
    """

    def __init__(
        self,
        direction: QBoxLayout.Direction,
        parts: tuple[Part, ...],
        parent: QWidget | None,
        style: Style | None,
        edges: Edges | None,
        gap: float | None,
    ) -> None:
        super().__init__(direction, parent)
        self._style, self._edges, self._gap = style, edges, gap
        for part in parts:
            self.add(part)
        self._restyle()
        if style is not None:
            style.changed.connect(self._restyle)

    def add(self, part: Part) -> None:
        """Add a part at the end."""
        if isinstance(part, int):
            self.addStretch(part)
            return
        found, how = part if isinstance(part, tuple) else (part, 0)
        aligned = isinstance(how, Qt.AlignmentFlag)
        if isinstance(found, QLayout):
            self.addLayout(found, 0 if aligned else how)
        else:
            self.addWidget(found, 0 if aligned else how)
        if aligned:
            self.setAlignment(found, how)

    def _restyle(self) -> None:
        scale = 1.0 if self._style is None else self._style.control_scale
        if self._edges is not None:
            edges = self._edges if isinstance(self._edges, tuple) else (self._edges,) * 4
            self.setContentsMargins(*(round(edge * scale) for edge in edges))
        if self._gap is not None:
            self.setSpacing(round(self._gap * scale))


def in_row(
    *parts: Part,
    parent: QWidget | None = None,
    style: Style | None = None,
    edges: Edges | None = None,
    gap: float | None = None,
) -> Box:
    """Return a layout of parts beside one another."""
    return Box(QBoxLayout.Direction.LeftToRight, parts, parent, style, edges, gap)


def in_column(
    *parts: Part,
    parent: QWidget | None = None,
    style: Style | None = None,
    edges: Edges | None = None,
    gap: float | None = None,
) -> Box:
    """Return a layout of parts one below another."""
    return Box(QBoxLayout.Direction.TopToBottom, parts, parent, style, edges, gap)


def plain_label(
    text: str = "", kind: str = "", wraps: bool = False, parent: QWidget | None = None
) -> QLabel:
    """Return a label that never takes its text for HTML."""
    label = QLabel(text, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("kind", kind)
    label.setWordWrap(wraps)
    return label


def scroll_area(page: QWidget, fills_background: bool = True) -> QScrollArea:
    """Return a frameless area that scrolls a page vertically, with or without a background."""
    area = QScrollArea()
    if not fills_background:
        area.setViewport(QWidget())  # to ask for Qt's has PySide prepare all its widget classes
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(page)
    page.setAutoFillBackground(False)  # after setWidget, which turns it on
    return area


def fill_background(widget: QWidget, kind: str) -> None:
    """Let the style sheet paint the background of a widget of its own class."""
    widget.setProperty("kind", kind)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
