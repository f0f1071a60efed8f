"""What is seen of the window apart from the writing on nodes: colours, rings, tips, menus, the map.

Colours are read off a picture of the canvas as it is on the screen.
"""

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QAction, QColor, QContextMenuEvent, QHelpEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolTip, QWidget

from app.canvas.canvas_view import CanvasView
from app.canvas.overlay.minimap import Minimap
from app.canvas.overlay.overlay import ZoomButton
from app.style import sizes
from engine.graph import Wire
from tests.helpers.canvas import node_boxes
from tests.helpers.mouse import Place, over_sheet

ALIKE = 40
"""Two colours that differ by less than this, over red, green and blue, are one ink."""


# colours


def picture(view: CanvasView) -> QImage:
    """The canvas as it is on the screen."""
    return view.grab().toImage()


def alike(one: QColor, other: QColor) -> bool:
    red, green = one.red() - other.red(), one.green() - other.green()
    return abs(red) + abs(green) + abs(one.blue() - other.blue()) < ALIKE


def shows(seen: QImage, color: QColor, at: QPointF, reach: int = 3) -> bool:
    """Whether a colour is there, within a few pixels of a point of the screen."""
    x, y = round(at.x()), round(at.y())
    near = [
        QPoint(x + dx, y + dy)
        for dx in range(-reach, reach + 1)
        for dy in range(-reach, reach + 1)
        if seen.rect().contains(x + dx, y + dy)
    ]
    return any(alike(seen.pixelColor(point), color) for point in near)


def differs(before: QImage, after: QImage, at: QPointF, reach: int = 3) -> bool:
    """Whether something else is seen within a few pixels of a point of the screen."""
    x, y, size = round(at.x()) - reach, round(at.y()) - reach, 2 * reach + 1
    return before.copy(x, y, size, size) != after.copy(x, y, size, size)


def ringed(view: CanvasView) -> set[str]:
    """The nodes that are seen to be chosen: those with a ring round them."""
    seen, scene, found = picture(view), view.scene, set[str]()
    gap = float(sizes.SELECTION_GAP)
    for node, box in node_boxes(scene).items():
        low = view.camera.to_screen(QPointF(box.x + box.w * 0.4, box.y + box.h + gap))
        top = view.camera.to_screen(QPointF(box.x + box.w * 0.4, box.y - gap))
        if all(shows(seen, view.context.theme.selection, at, 2) for at in (top, low)):
            root = node == view.context.document.graph.active_root
            found.add("root" if root else view.context.document.graph.names[node])
    return found


def lit_wire(view: CanvasView, wire: Wire, color: QColor) -> bool:
    """Whether a wire is drawn in a colour all along, apart from what lies on it."""
    seen, path = picture(view), view.scene.courses[wire].path
    places = [view.camera.to_screen(path.pointAtPercent(k / 20)) for k in range(4, 17)]
    return sum(shows(seen, color, at, 1) for at in places) >= 9


# words that come up


def tip_at(view: CanvasView, at: Place) -> str:
    """What the tooltip says that comes up at a point; empty where none does."""
    place = QPointF(at).toPoint()
    _hide_tip()
    beyond, target = view.viewport().mapToGlobal(place), over_sheet(view, place)
    event = QHelpEvent(QEvent.Type.ToolTip, target.mapFromGlobal(beyond), beyond)
    QApplication.sendEvent(target, event)
    text = QToolTip.text() if QToolTip.isVisible() else ""
    _hide_tip()
    return text


def _hide_tip() -> None:
    """At once; Qt itself takes its time."""
    for widget in QApplication.topLevelWidgets():
        if widget.inherits("QTipLabel"):
            widget.hide()


def menu_at(view: CanvasView, at: Place) -> QMenu:
    """The menu that a right click opens; it is on the screen until it is closed."""
    place = QPointF(at).toPoint()
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, place, view.viewport().mapToGlobal(place)
    )
    QApplication.sendEvent(view.viewport(), event)
    return next(menu for menu in view.window().findChildren(QMenu) if menu.isVisible())


def rows(menu: QMenu) -> dict[str, str]:
    """The entries of an open menu, each with the keys that are shown beside it."""
    return {
        entry.text().replace("&", ""): _keys(entry)
        for entry in menu.actions()
        if entry.isVisible() and not entry.isSeparator()
    }


def _keys(entry: QAction) -> str:
    return entry.shortcut().toString() if entry.isShortcutVisibleInContextMenu() else ""


# the map


def minimap(view: CanvasView) -> Minimap:
    """The map, which is shown while a part of the sheet is out of view."""
    return view.overlay.minimap


def zoom_button(view: CanvasView, name: str) -> ZoomButton:
    """A button below the map, by its name."""
    found = view.overlay.zoom_buttons.buttons
    return next(button for button in found if button.accessibleName() == name)


def place_of(view: CanvasView, widget: QWidget) -> QRectF:
    """The rectangle of a widget on the canvas."""
    return QRectF(QRect(widget.mapTo(view.viewport(), QPoint()), widget.size()))


def on_map(view: CanvasView, point: QPointF) -> QPointF:
    """The place on the map that stands for a point of the sheet."""
    zero, one = (minimap(view).to_sheet(QPointF(k, k)) for k in (0, 1))
    away = point - zero
    at = QPointF(away.x() / (one.x() - zero.x()), away.y() / (one.y() - zero.y()))
    return at + QPointF(minimap(view).pos())


def map_frame(view: CanvasView) -> QRectF:
    """The frame on the map round what is in view."""
    return minimap(view).frame.translated(QPointF(minimap(view).pos()))


def take(menu: QMenu, text: str) -> None:
    """Click an entry of an open menu."""
    entry = next(a for a in menu.actions() if a.text().replace("&", "").startswith(text))
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())
    QApplication.processEvents()
