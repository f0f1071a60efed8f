"""RightBar: the tiles at the right edge of the window, and the frame with the open page."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QStackedWidget, QWidget

from app.controls.focus import set_tab_order_after
from app.controls.layouts import fill_background, in_column, in_row, plain_label, rule
from app.controls.painted_buttons import IconButton, PaintedButton, push_button
from app.guard import exception_safe
from app.style import sizes
from app.style.current import Style
from app.style.icons import paint_icon
from app.style.theme import mixed
from app.window.actions import tooltip_of
from app.window.commands.asking_actions import begin_exercise, exercise, save_report
from app.window.commands.lesson_actions import begin_lesson, lesson_take_along, open_page_of_step
from app.window.commands.sheet_lesson_actions import present_step, save_lesson_file
from app.window.commands.training_actions import show_code, train_page
from app.window.commands.view_actions import PAGES, choose_theme, show_node
from app.window.context import Context
from app.window.planes import sheet_plane

if TYPE_CHECKING:
    from app.controls.panel import Page

TILE_SIZE: Final = QSize(48, 38)
"""Size of a tile, in px at 100 %."""
_ICON_CENTRE, _LABEL_CENTRE, _LABEL_HEIGHT = 13, 29, 16
"""Centres of a tile's icon and label below its top, and the label's height, in px at 100 %."""
_TILE_PITCH = 42
"""Distance between the tops of two tiles, in px at 100 %."""
_LAST_OF_GROUP: Final = ("lesson", "train")
"""Pages whose tile is followed by `_GROUP_GAP`."""
_GROUP_GAP, _TOP_MARGIN = 6, 8
"""Extra space between groups of tiles, and space above the first, in px at 100 %."""
_HEAD_HEIGHT = 40
"""Height of the line with the page's title, in px at 100 %."""
_TITLE_SIZE = 14
"""Font size of the page's title, in px at 100 %."""
_EDGE_WIDTH = 8
"""Width of what a drag of the page's edge can begin at, in px at 100 %."""
_DOT_DIAMETER = 10
"""Diameter of the dot on the tile of a running mode, in px at 100 %."""


def _lesson_page(context: Context) -> Page:
    from app.panels.lesson import LessonPage

    page = LessonPage(
        style=context.style,
        document=context.document,
        playback=context.playback,
        quiz_runner=context.modes,
        lessons=context.guides,
        progress=context.progress,
    )
    page.set_recorders(context.recorders)
    page.present_wanted.connect(partial(present_step, context))
    page.exercise_wanted.connect(partial(exercise, context))
    page.projector_wanted.connect(partial(choose_theme, context, "projector"))
    page.save_lesson_wanted.connect(partial(save_lesson_file, context))
    page.save_wanted.connect(partial(save_report, context))
    page.result_wanted.connect(context.shell.show_test_result)
    page.exercise.begin_wanted.connect(partial(begin_exercise, context))
    page.exercise.page_wanted.connect(context.shell.show_page)
    page.player.set_plane_maker(partial(sheet_plane, context))
    page.player.along_wanted.connect(partial(lesson_take_along, context))
    page.player.page_wanted.connect(partial(open_page_of_step, context))
    page.lesson_wanted.connect(partial(begin_lesson, context))
    page.start_page_wanted.connect(context.shell.show_start_page)
    return page


def _why_page(context: Context) -> Page:
    from app.panels.why import WhyPage

    page = WhyPage(context.style, context.document, context.playback, context.selection)
    page.node_chosen.connect(partial(show_node, context))
    page.ripple_wanted.connect(context.ripples.toggle)
    page.line_wanted.connect(partial(show_code, context))
    return page


def _numeric_page(context: Context) -> Page:
    from app.panels.numeric import NumericPage

    page = NumericPage(
        style=context.style,
        document=context.document,
        playback=context.playback,
        selection=context.selection,
        checks=context.checks,
        settings=context.settings,
    )
    page.node_chosen.connect(partial(show_node, context))
    return page


def _mistakes_page(context: Context) -> Page:
    from app.panels.mistakes import MistakesPage

    page = MistakesPage(context.style, context.playback, context.hunting)
    page.node_chosen.connect(partial(show_node, context))
    return page


def _code_page(context: Context) -> Page:
    from app.panels.code import CodePage

    machine, canvas = context.time_machine, context.canvas
    page = CodePage(context.style, context.playback, context.selection, machine, context.programs)
    canvas.hover.node_changed.connect(page.point_at)
    return page


def _history_page(context: Context) -> Page:
    from app.panels.history_page import HistoryPage

    return HistoryPage(context.style, context.document, context.playback)


_PAGE_MAKERS: Final[dict[str, Callable[[Context], Page]]] = {
    "lesson": _lesson_page,
    "why": _why_page,
    "numeric": _numeric_page,
    "mistakes": _mistakes_page,
    "train": train_page,
    "code": _code_page,
    "history": _history_page,
}
"""Makes a page by its name, with its signals connected."""


@exception_safe
class RightBar(QWidget):
    """Seven tiles, and a frame with the page of one of them; pages are made on demand."""

    turned = Signal(str)
    """Emitted with the name of the page that is open now, "" for none."""
    all_tools_wanted = Signal()
    """Emitted when the tile All tools is clicked."""
    made = Signal(str)
    """Emitted with the name of a page that has just been made."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context, self._style = context, context.style
        self._pages: dict[str, Page] = {}
        """The pages made so far, by name."""
        self.name = ""
        """The name of the page that is open, or ""."""
        fill_background(self, "panel")
        self.setAccessibleName("Pages")
        self.tiles = {name: self._make_tile(name) for name in PAGES}
        self.all_tools = Tile(context.style, "plus", "All tools", self)
        self.all_tools.setToolTip("Show every page and every line of the menus")
        self.all_tools.clicked.connect(self.all_tools_wanted)
        self.frame = _PageFrame(context.style)
        self.frame.fold_button.clicked.connect(partial(self.fold, focus=True))
        self.frame.back.clicked.connect(partial(self.open, "lesson", focus=True))
        context.style.changed.connect(self._restyle)
        context.recorders.changed.connect(self._show_note)
        context.guides.changed.connect(self._show_way_back)
        self._restyle()
        set_tab_order_after(self, (*self.tiles.values(), self.all_tools))

    @property
    def page(self) -> Page | None:
        """Return the page that is open."""
        return self._pages.get(self.name)

    def get(self, name: str) -> Page:
        """Return a page, which is created on first access."""
        if name not in self._pages:
            page = _PAGE_MAKERS[name](self._context)
            settings = self._context.settings
            for block in page.blocks():
                if block.key:
                    block.set_collapsed(settings.is_block_folded(block.key, block.collapsed))
            page.block_collapsed.connect(settings.set_block_folded)
            page.left.connect(self._context.canvas.setFocus)
            self._pages[name] = page
            self.frame.add(page)
            self.made.emit(name)
        return self._pages[name]

    def open(self, name: str, *, focus: bool = False) -> None:
        """Open a page; with `focus` its first field gets the keyboard focus."""
        page = self.get(name)
        if name != self.name:
            self.name = name
            self.frame.show_page(PAGES[name].text, page)
            self._show_note()
            self._show_way_back()
            self._check_open_tile()
            self.turned.emit(name)
        if focus:
            (page.first_field() or self.frame.fold_button).setFocus(
                Qt.FocusReason.ShortcutFocusReason
            )

    def fold(self, *, focus: bool = False) -> None:
        """Fold the page; focus the canvas if the focus was on the page, or with `focus`."""
        if not self.name:
            return
        had_focus = self.frame.isAncestorOf(self.focusWidget() or self)
        self.name = ""
        self.frame.hide()
        self._check_open_tile()
        self.turned.emit("")
        if focus or had_focus:
            self._context.canvas.setFocus()

    def set_dot(self, name: str, color: QColor | None) -> None:
        """Set the colour of the dot on a tile; None for no dot."""
        self.tiles[name].set_dot(color)

    def show_tiles(self, names: Collection[str]) -> None:
        """Show the tiles of these pages, and the tile All tools if some are missing."""
        for name, tile in self.tiles.items():
            tile.setVisible(name in names)
        self.all_tools.setVisible(len(names) < len(self.tiles))
        self._lay_out()

    def _make_tile(self, name: str) -> Tile:
        page = PAGES[name]
        tile = Tile(self._style, page.icon, page.text, self)
        tile.setToolTip(tooltip_of(page))
        tile.clicked.connect(partial(self._on_tile_clicked, name))
        return tile

    def _on_tile_clicked(self, name: str) -> None:
        if name == self.name:
            self.fold()
        else:
            self.open(name)

    def _show_note(self) -> None:
        """Note in the head of the page Lesson that moves are being recorded."""
        recorder = self._context.recorders.now
        records = recorder is not None and recorder.recording is not None
        records = records and self.name == "lesson"
        self.frame.note.setText("recording" if records else "")

    def _show_way_back(self) -> None:
        """Show the button that leads back to the lesson that is on, on every other page."""
        self.frame.back.setVisible(self._context.guides.active and self.name != "lesson")

    def _check_open_tile(self) -> None:
        for name, tile in self.tiles.items():
            tile.setChecked(name == self.name)

    def _restyle(self) -> None:
        self.setFixedWidth(self._style.px(sizes.RAIL))
        self._lay_out()

    def _lay_out(self) -> None:
        """Place the tiles, closer to each other in a low window."""
        px, top = self._style.px, self._style.px(_TOP_MARGIN)
        tiles = [*self.tiles.items(), ("", self.all_tools)]
        shown = [(name, tile) for name, tile in tiles if not tile.isHidden()]
        gaps = px(_GROUP_GAP) * len(_LAST_OF_GROUP)
        pitch = min(px(_TILE_PITCH), (self.height() - top - gaps) // max(len(shown), 1))
        width, height = px(TILE_SIZE.width()), pitch - px(_TILE_PITCH - TILE_SIZE.height())
        left = (px(sizes.RAIL) - width) // 2
        for name, tile in shown:
            tile.setGeometry(left, top, width, height)
            top += pitch + (px(_GROUP_GAP) if name in _LAST_OF_GROUP else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()


@exception_safe
class Tile(PaintedButton):
    """An icon over a label, or alone in a low window; outlined while its page is open."""

    def __init__(self, style: Style, icon: str, label: str, parent: QWidget) -> None:
        super().__init__(style, parent)
        self._icon = icon
        self.dot: QColor | None = None
        """The colour of the dot, if there is one."""
        self.setText(label)
        self.setCheckable(True)
        self.setAccessibleName(label)

    def set_dot(self, color: QColor | None) -> None:
        """Show a dot, or none."""
        if color != self.dot:
            self.dot = color
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(TILE_SIZE.width()), self._style.px(TILE_SIZE.height()))

    def nextCheckState(self) -> None:
        """Stay as it is: the bar checks the tile of the open page."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, px, is_open = self._style.theme, self._style.px, self.isChecked()
        fill = theme.header_op if is_open else theme.panel
        if self.underMouse() and not is_open:
            fill = mixed(fill, theme.text, 0.05)
        color = theme.text if is_open else theme.secondary
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            line, width = (theme.text, 1.5) if is_open else (theme.line, 1.0)
            self.paint_box(painter, fill, line, sizes.RADIUS_SYMBOL, width)
            side = px(sizes.ICON)
            has_label = self.height() >= px(TILE_SIZE.height())
            middle = px(_ICON_CENTRE) if has_label else self.height() / 2
            box = QRectF((self.width() - side) / 2, middle - side / 2, side, side)
            paint_icon(painter, box, self._icon, color)
            painter.setFont(self._style.font("tile"))
            painter.setPen(color)
            half = px(_LABEL_HEIGHT / 2)
            label = QRectF(0, px(_LABEL_CENTRE) - half, self.width(), px(_LABEL_HEIGHT))
            if has_label:
                painter.drawText(label, Qt.AlignmentFlag.AlignCenter, self.text())
            if self.dot is not None:
                radius = px(_DOT_DIAMETER) / 2
                painter.setPen(theme.panel)
                painter.setBrush(self.dot)
                painter.drawEllipse(QPointF(self.width() - radius, radius), radius, radius)


@exception_safe
class _PageFrame(QFrame):
    """The head of the page that is open, with the button that folds it, above the page."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        fill_background(self, "over")
        self.title = plain_label(kind="strong")
        self.note = plain_label(kind="error")
        self.back = push_button("Back to the lesson", "offer")
        self.back.setToolTip("Open the page Lesson (Ctrl+1)")
        self.back.hide()
        self.fold_button = IconButton(style, "right", "Fold the page")
        self.fold_button.set_kind("quiet")
        self._head = QWidget()
        edges = (sizes.PAGE_EDGE, 0, 6, 0)
        parts = (self.title, (self.note, 1), self.back, self.fold_button)
        in_row(*parts, parent=self._head, style=style, edges=edges, gap=10)
        self._stack = QStackedWidget()
        parts = (self._head, rule(), (self._stack, 1))
        # 1 px on the left, where the style sheet draws the frame's border
        in_column(*parts, parent=self, edges=(1, 0, 0, 0), gap=0)
        self.edge = _Edge(style, self)
        style.changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.edge.setGeometry(0, 0, self._style.px(_EDGE_WIDTH), self.height())
        self.edge.raise_()

    def add(self, page: Page) -> None:
        """Add a page, which is not shown yet."""
        self._stack.addWidget(page)

    def show_page(self, title: str, page: Page) -> None:
        self.title.setText(title)
        self._stack.setCurrentWidget(page)
        self.setAccessibleName(title)
        self.show()

    def _restyle(self) -> None:
        self._head.setFixedHeight(self._style.px(_HEAD_HEIGHT))
        font = self._style.font("interface strong")
        font.setPixelSize(self._style.px(_TITLE_SIZE))
        font.setWeight(font.Weight.Bold)
        self.title.setFont(font)


@exception_safe
class _Edge(QWidget):
    """The edge of the page towards the canvas, which makes pages wider."""

    dragged = Signal(int)
    """Emitted with the width in px that the page is dragged to; 0 for the usual one."""

    def __init__(self, style: Style, page: QWidget) -> None:
        super().__init__(page)
        self._style, self._page, self._grip = style, page, 0.0
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # paints it as the pointer comes and goes
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setToolTip("Drag to make pages wider; double-click for the usual width")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._grip = event.position().x()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        # the edge moves along with the page
        self.dragged.emit(round(self._page.width() + self._grip - event.position().x()))

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        self.dragged.emit(0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.underMouse():
            with QPainter(self) as painter:
                painter.fillRect(0, 0, 2, self.height(), self._style.theme.selection)
