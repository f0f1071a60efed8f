"""TopLine: title, clock and time of a lecture; StepRow: its steps; LeafFields: the leaves of the
sheet; NotesPane: a step's notes."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QDateTime, QEvent, QLocale, QObject, QSize, Qt, Signal
from PySide6.QtGui import QTextBlockFormat, QTextCursor, QWheelEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QTextEdit,
    QWidget,
)

from app.controls.focus import set_tab_order_after
from app.controls.layouts import (
    ElidedLabel,
    fill_background,
    in_column,
    in_row,
    plain_label,
    plain_tooltip,
    rule,
    set_kind,
    show_text,
)
from app.controls.painted_buttons import push_button
from app.controls.text_fields import NumberEdit
from app.guard import exception_safe
from app.guide.play.guide import Room
from app.guide.play.slides import Slide
from app.style.current import Style
from app.style.fonts import with_features
from app.window.settings import NOTES_SIZES
from engine.graph import Graph
from engine.numbers import ASKED


@exception_safe
class ScrolledRow(QScrollArea):
    """A row of widgets as high as they are, which the wheel scrolls sideways."""

    def __init__(self, style: Style, name: str) -> None:
        super().__init__()
        self._style = style
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setWidgetResizable(True)
        self._page = QWidget()
        self.row = in_row(parent=self._page, style=style, gap=6)
        self.setWidget(self._page)
        self._page.setAutoFillBackground(False)

    def sizeHint(self) -> QSize:
        return self._page.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._page.sizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Be as high as the widgets, which have no height before they are shown."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta()
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - (turned.y() or turned.x()))
        event.accept()


class StepRow(ScrolledRow):
    """The steps of a lecture in a row, scrolled to the current one."""

    chosen = Signal(int)
    """Emitted with the index of the clicked step."""

    def __init__(self, style: Style) -> None:
        super().__init__(style, "Steps")
        self._slides: tuple[Slide, ...] = ()
        self.buttons: list[QPushButton] = []

    def show_state(self, state: Room) -> None:
        """Show the steps of a lecture and the current one."""
        if state.slides is not self._slides:
            self._replace_buttons(state.slides)
        for index, button in enumerate(self.buttons):
            done = bool(state.done[index]) and (index != state.at or state.stage == "revealed")
            show_slide(button, state.slides[index], current=index == state.at, done=done)
        self.show_current(state.at)

    def show_current(self, at: int) -> None:
        """Scroll to a step, once it has its place."""
        self._page.layout().activate()  # pyright: ignore[reportOptionalMemberAccess]
        self.ensureWidgetVisible(self.buttons[at], self.width() // 3, 0)

    def _replace_buttons(self, slides: tuple[Slide, ...]) -> None:
        """Replace the buttons: those of a new lecture, or after an edit during one."""
        self._slides = slides
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = [push_button(kind="step") for _slide in slides]
        for index, button in enumerate(self.buttons):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setCheckable(True)
            button.clicked.connect(lambda _on=False, index=index: self.chosen.emit(index))
            self.row.add((button, 1))
        set_tab_order_after(self, self.buttons)


def show_slide(button: QPushButton, slide: Slide, *, current: bool, done: bool) -> None:
    """Show a step on its button: number, tick or question mark, and title."""
    asks, misfit = slide.kind == "ask", slide.misfit
    sign = "✓" if done and not current else ASKED if asks and not misfit else ""
    title = misfit or slide.title
    button.setText(f"{slide.at + 1}  {sign}\n{title}")
    button.setToolTip(plain_tooltip(title))
    button.setEnabled(not misfit)
    button.setChecked(current)
    states = {"current": current, "done": done, "question": asks}
    words = [f"Step {slide.at + 1}, {slide.title}"]
    words += [word for word, on in states.items() if on]
    words += [f"skipped: {misfit}"] if misfit else []
    button.setAccessibleName(", ".join(words))


class LeafFields(ScrolledRow):
    """The leaves of the sheet with their values, which are typed here during a lecture."""

    typed = Signal(int, float)
    """Emitted with a leaf and its typed value."""
    refused = Signal(str)
    """Emitted with the reason why a typed text is no number."""

    def __init__(self, style: Style) -> None:
        super().__init__(style, "Leaves")
        self.fields: dict[int, NumberEdit] = {}
        """The field of each leaf."""
        self._labels: list[QLabel] = []
        self.row.addStretch(1)

    def show_graph(self, graph: Graph) -> None:
        leaves = graph.leaf_values
        if list(leaves) != list(self.fields):
            self._replace_fields(list(leaves))
        for label, (node, field) in zip(self._labels, self.fields.items(), strict=True):
            label.setText(graph.brief(node, _NAME_LENGTH))
            field.setAccessibleName(f"Value of {graph.title(node)}")
            if field.value() != leaves[node] and not field.hasFocus():
                field.set_value(leaves[node])

    def _replace_fields(self, leaves: list[int]) -> None:
        for old in (*self._labels, *self.fields.values()):
            old.hide()
            old.deleteLater()
        self._labels, self.fields = [plain_label(kind="strong") for _leaf in leaves], {}
        for index, (label, node) in enumerate(zip(self._labels, leaves, strict=True)):
            field = self.fields[node] = NumberEdit(self._style)
            field.fit_width(_FIELD_WIDTH)
            field.committed.connect(partial(self._take, node))
            field.cancelled.connect(self._leave)
            field.refused.connect(self.refused)
            self.row.insertWidget(2 * index, label)
            self.row.insertWidget(2 * index + 1, field)
        set_tab_order_after(self, self.fields.values())

    def _take(self, node: int, value: float) -> None:
        self._leave()
        self.typed.emit(node, value)

    def _leave(self) -> None:
        """Give the keyboard back to the window, so that the keys of the lecture work again."""
        if any(field.hasFocus() for field in self.fields.values()):
            self.window().setFocus()


_NAME_LENGTH: Final = 16
"""Characters of a leaf's name."""
_FIELD_WIDTH: Final = 60
"""Least width of the field of a value, in px at 100 %."""
_MINUTE: Final = 60


def clock_text(seconds: float) -> str:
    """Return a time in seconds as m:ss, or h:mm:ss from an hour on."""
    total = int(seconds)
    hours, minutes = total // _MINUTE // _MINUTE, total // _MINUTE % _MINUTE
    rest = f"{minutes:02}:{total % _MINUTE:02}" if hours else f"{minutes}:{total % _MINUTE:02}"
    return f"{hours}:{rest}" if hours else rest


class TopLine(QWidget):
    """Lecture and step at the left, the clock in the middle, the times at the right."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self.title = ElidedLabel(style, kind="heading")
        self.step_number = plain_label(kind="secondary")
        self.clock = plain_label(kind="clock")
        self.running_time = plain_label(kind="strong")
        self.total = plain_label(kind="secondary")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        fill_background(self, "panel")
        left = QWidget()
        left.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        in_row(self.title, self.step_number, 1, parent=left, style=style, gap=12)
        running = plain_label("running", "secondary")
        times = in_row(running, self.running_time, self.total, style=style, gap=8)
        row = QGridLayout()  # a column with a row would not keep the clock in the middle
        row.addWidget(left, 0, 0)
        row.addWidget(self.clock, 0, 1)
        right = in_column(1, times, self.bar, 1, style=style, gap=2)
        row.addLayout(in_row(1, right), 0, 2)
        for side in (0, 2):
            row.setColumnStretch(side, 1)
        line = in_row((row, 1), style=style, edges=(16, 6, 16, 6))
        in_column(line, rule(), parent=self, style=style, gap=0)

    def show_step(self, title: str, at: int, count: int) -> None:
        """Show the title of the lecture, the index of its step from 0, and the count of steps."""
        self.title.setText(title)
        self.step_number.setText(f"step {at + 1} of {count}")

    def show_times(self, seconds: float, planned: float) -> None:
        """Show elapsed and planned seconds of the lecture; 0 planned if no step has a time."""
        time = QDateTime.currentDateTime().time()
        self.clock.setText(QLocale().toString(time, QLocale.FormatType.ShortFormat))
        self.running_time.setText(clock_text(seconds))
        show_text(self.total, f"of {clock_text(planned)}" if planned else "")
        self.bar.setVisible(bool(planned))
        self.bar.setRange(0, max(round(planned), 1))
        self.bar.setValue(min(round(seconds), self.bar.maximum()))
        set_kind(self.bar, "over" if seconds > planned else "")


_PARAGRAPH: Final = 0.5
"""Space below a paragraph, as a share of the font size."""
_LEAST_NOTES: Final = 200.0
"""Least height of the notes in px at 100 %."""
_NO_NOTES: Final = "This step has no notes."


class NotesPane(QFrame):
    """The notes as selectable plain text, and two buttons for their font size."""

    resized = Signal(int)
    """Emitted with the chosen font size in px at 100 %."""

    def __init__(self, style: Style, size: int) -> None:
        super().__init__()
        self._style = style
        self._size = size
        self._notes = ""
        self.setProperty("kind", "card")
        self.text = QTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setAcceptRichText(False)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setProperty("kind", "notes")
        self.text.setAccessibleName("Notes")
        self.text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        flags = Qt.TextInteractionFlag.TextSelectableByMouse
        self.text.setTextInteractionFlags(flags | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self.smaller = self._button("A−", "Smaller notes", -1)
        self.larger = self._button("A+", "Larger notes", +1)
        row = in_row(1, self.smaller, self.larger, style=style, gap=0)
        in_column((self.text, 1), row, parent=self, style=style, edges=(8, 8, 8, 6), gap=4)
        style.run_now_and_on_change(self._write)

    def show_notes(self, notes: str) -> None:
        """Show the notes of a step, scrolled to their beginning."""
        if notes != self._notes:
            self._notes = notes
            self._write()

    def scroll_by(self, steps: int) -> None:
        """Scroll by thirds of the visible height: positive steps down."""
        bar = self.text.verticalScrollBar()
        bar.setValue(bar.value() + steps * max(bar.pageStep() // 3, 1))

    def change_size(self, steps: int) -> None:
        """Choose a size some steps of `NOTES_SIZES` larger."""
        nearest = min(NOTES_SIZES, key=lambda size: abs(size - self._size))
        index = NOTES_SIZES.index(nearest) + steps
        size = NOTES_SIZES[min(max(index, 0), len(NOTES_SIZES) - 1)]
        if size != self._size:
            self._size = size
            self._write()
            self.resized.emit(size)

    def _button(self, text: str, name: str, steps: int) -> QPushButton:
        button = QPushButton(text, self)
        button.setProperty("kind", "quiet")
        button.setProperty("small", "true")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(name)
        button.setToolTip(name)
        button.clicked.connect(lambda: self.change_size(steps))
        return button

    def _write(self) -> None:
        """Write the notes in their font size, with space between paragraphs."""
        self.setMinimumHeight(self._style.px(_LEAST_NOTES))
        pixels = self._style.px(self._size)
        font = self._style.font("interface")
        font.setPixelSize(pixels)
        self.text.setPlainText(self._notes or _NO_NOTES)
        block = QTextBlockFormat()
        block.setBottomMargin(_PARAGRAPH * pixels)
        block.setLineHeight(122.0, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor = QTextCursor(self.text.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(block)
        theme = self._style.theme
        character = cursor.charFormat()
        character.setFont(with_features(font))
        character.setForeground(theme.text if self._notes else theme.secondary)
        cursor.mergeCharFormat(character)
        self.smaller.setEnabled(self._size > NOTES_SIZES[0])
        self.larger.setEnabled(self._size < NOTES_SIZES[-1])
