"""EndPart: the end page of a lesson; NextLesson: the card of the lesson that follows."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QWidget

from app.controls.layouts import in_column, in_row, plain_label
from app.controls.lesson_ring import paint_ring
from app.controls.painted_button import PaintedButton
from app.controls.rich_line import RichLine
from app.controls.rich_text import filled
from app.controls.row_list import Column, ListRow, RowList
from app.guard import guarded
from app.lessons.course_view import LessonEntry
from app.style import sizes
from app.style.current import Style
from app.style.theme import mixed
from app.workbench.lesson_state import LessonState
from app.workbench.words.lesson import end_rows

ONCE_MORE, NEW_NUMBERS = "Once more", "Once more, new numbers"
_HIGH, _RING = 62, 40
"""Height of the card, and diameter of its ring, in px at 100 %."""
_LEFT, _TEXT, _EDGE = 10, 62, 10
"""Left edges of ring and text in the card, and its margin, in px at 100 %."""

_COUNT = "**{right} of {asked}** right first time"


class EndPart(QWidget):
    """What the lesson has taught, how its questions were answered, and what comes next."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self.able = plain_label(kind="heading", wraps=True)
        self.surprise = plain_label(wraps=True)
        box = QFrame()
        box.setProperty("kind", "code")
        in_column(plain_label("The surprise", "caption"), self.surprise, parent=box, style=style,
                  edges=(12, 8, 12, 8), gap=4)  # fmt: skip
        self.count, self.shown = RichLine(style, font_role="interface"), plain_label(kind="caption")
        columns = (Column(14), Column(takes_rest=True, wraps_from=60), Column(right=True))
        self.answers = RowList(style, "Wrong answers", columns, choosable=False)
        self.answers.setProperty("kind", "clear")
        self.wrong = QFrame()
        self.wrong.setProperty("kind", "card")
        in_column(self.answers, parent=self.wrong, style=style, edges=(4, 4, 4, 8))
        self.again = QPushButton(ONCE_MORE)
        self.again.setProperty("kind", "offer")
        in_column(
            plain_label("Now you can", "caption"),
            self.able,
            box,
            plain_label("Your answers", "strong"),
            in_row((self.count, 1), self.shown),
            self.wrong,
            (self.again, Qt.AlignmentFlag.AlignLeft),
            parent=self,
            style=style,
            edges=0,
            gap=10,
        )

    def show_end(self, state: LessonState) -> None:
        """Show the end of a lesson."""
        lesson = state.lesson
        self.able.setText(lesson.able)
        self.surprise.setText(lesson.surprise)
        right, asked = state.right_first
        self.count.set_spans(filled(_COUNT, right=f"{right}", asked=f"{asked}"))
        count = sum(mark == "shown" for mark in state.marks)
        self.shown.setText(f"{count} step{'s' if count > 1 else ''} shown" if count else "")
        rows: list[ListRow] = end_rows(state)
        self.answers.show_rows(rows)
        self.wrong.setVisible(bool(rows))
        is_drawn = any(step.friendly for step in lesson.steps)
        self.again.setText(NEW_NUMBERS if is_drawn else ONCE_MORE)


@guarded
class NextLesson(PaintedButton):
    """The lesson that comes next: its ring, its title, and how long it takes."""

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._lesson: LessonEntry | None = None
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_lesson(self, lesson: LessonEntry) -> None:
        """Show a lesson with its progress."""
        self._lesson = lesson
        self.setText(lesson.title)
        self.setAccessibleName(lesson.spoken)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(120), self._style.px(_HIGH))

    def paintEvent(self, _event: QPaintEvent) -> None:
        lesson, style, px = self._lesson, self._style, self._style.px
        if lesson is None:
            return
        side = px(_RING)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_background(painter)
            ring = QRectF(px(_LEFT), (self.height() - side) / 2, side, side)
            paint_ring(painter, ring, lesson, style)
            text = self.rect().adjusted(px(_TEXT), px(_EDGE), -px(_EDGE), -px(_EDGE))
            half = text.height() // 2
            upper, lower = text.adjusted(0, 0, 0, -half), text.adjusted(0, half, 0, 0)
            self._paint_text(painter, upper, lesson.title, "interface strong", style.theme.text)
            self._paint_text(painter, lower, lesson.caption, "caption", style.theme.secondary)

    def _paint_background(self, painter: QPainter) -> None:
        theme = self._style.theme
        fill = mixed(theme.panel, theme.text, 0.05) if self.underMouse() else theme.panel
        self.paint_box(painter, fill, theme.text, sizes.RADIUS_BUTTON, 1.5)

    def _paint_text(
        self, painter: QPainter, rect: QRect, text: str, role: str, color: QColor
    ) -> None:
        font = self._style.font(role)
        shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.setFont(font)
        painter.setPen(color)
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, shown)
