"""Context menus: what can be done with the thing under the pointer, from the actions table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QMenu

from app.canvas.hits import Hit
from engine.graph import Leaf, Root, Wire

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

LINE = ""
NODE = (
    "edit_value",
    "label",
    "mark_root",
    "activate_root",
    "toggle_constant",
    LINE,
    "cut",
    "copy",
    "duplicate",
    "delete",
    "heal",
    LINE,
    "select_ancestors",
    "select_descendants",
    "group",
    "collapse_group",
    "enter_group",
    "unpack_group",
    LINE,
    "arrange_selection",
    "fit_selection",
)
GROUP = (
    "collapse_group",
    "enter_group",
    "unpack_group",
    LINE,
    "cut",
    "copy",
    "duplicate",
    "delete",
    LINE,
    "fit_selection",
)
WIRE = ("delete",)
CANVAS = (
    "quick_add",
    "paste",
    LINE,
    "select_all",
    "arrange",
    "fit_all",
    LINE,
    "backward",
    "forward",
    "copy_picture",
)


class ContextMenus(QObject):
    """Opens the menu of a node, a slot, a wire, or the empty canvas."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        window.canvas.menu_wanted.connect(self.open)

    def open(self, hit: Hit, at: QPoint) -> None:
        """Show the menu at a place of the screen."""
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if hit.wire is not None:
            self._fill_wire(menu, hit.wire)
        else:
            self._fill(menu, GROUP if hit.group else CANVAS if hit.node is None else NODE)
        self._window.commands.draw_icons(menu)
        menu.popup(at)

    def _fill(self, menu: QMenu, names: tuple[str, ...]) -> None:
        """Actions that can't be done with this thing are left out."""
        for name in names:
            if name == LINE:
                menu.addSeparator()
            elif self._window.commands[name].isEnabled():
                menu.addAction(self._window.commands[name])

    def _fill_wire(self, menu: QMenu, wire: Wire) -> None:
        document = self._window.document
        if document.graph.source(wire) is not None:
            unplug = menu.addAction("Unplug")
            unplug.triggered.connect(lambda: document.disconnect_slot(*wire))
            return
        sources = [
            (document.graph.title(n), n)
            for n, found in document.graph.nodes.items()
            if not isinstance(found, Root) and document.refusal(n, *wire) is None
        ]
        plug = menu.addMenu("Plug in")
        plug.setEnabled(bool(sources))
        for title, node in sources[:30]:
            entry = plug.addAction(title.replace("&", "&&"))
            entry.triggered.connect(lambda _on=False, n=node: document.connect_nodes(n, *wire))
        leaf = menu.addAction("Add a leaf here")
        leaf.triggered.connect(lambda: self._add_leaf(wire))

    def _add_leaf(self, wire: Wire) -> None:
        document = self._window.document
        x, y = document.positions[wire[0]]
        document.add_wired(Leaf(), (x - 216.0, y), wire=wire)
