"""Context menus: the actions for the thing under the pointer."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtWidgets import QMenu

from app.canvas.scene.hit_test import Hit
from app.window.actions import Actions
from app.window.context import Context
from app.window.frame.menus import MenuBar
from engine.graph import Leaf, Root, Wire

LINE = ""
SHOWN_SOURCES = 30
_LEAF_BEFORE = 216.0
"""Distance to the left of a node at which a leaf for its slot is put, in px at 100 %."""

NODE = (
    *("edit_value", "label", "toggle_constant", ">Build/Change to", "mark_root", "activate_root"),
    LINE,
    *("cut", "copy", "duplicate", "delete", "heal"),
    LINE,
    *("select_ancestors", "select_descendants"),
    *("group", "collapse_group", "enter_group", "unpack_group", "section"),
    LINE,
    *("arrange_selection", "arrange_selection_down", "fit_selection"),
    LINE,
    *("toggle_break", "to_final", "to_first_wrong"),
    LINE,
    "copy_picture",
)
GROUP = (
    *("collapse_group", "enter_group", "unpack_group", "section"),
    LINE,
    *("cut", "copy", "duplicate", "delete"),
    LINE,
    *("select_ancestors", "select_descendants", "fit_selection"),
)
SECTION = (
    *("label", ">Build/Group/Section colour", "select_content"),
    LINE,
    *("cut", "copy", "duplicate", "delete"),
    LINE,
    *("section", "fit_selection"),
)
WIRE = ("quick_add", LINE, "unplug")
SLOT = ("unplug", LINE)
CANVAS = (
    *("quick_add", "paste", "section"),
    LINE,
    *("undo", "redo"),
    LINE,
    *("select_all", "arrange", "arrange_down", "fit_all"),
    LINE,
    *("forward", "backward", "copy_picture"),
)
"""The entries of each menu, by action id; ">" begins the path of a submenu."""


class ContextMenus(QObject):
    """Opens the menu of a node, a slot, a wire, a group, a section, or the empty canvas."""

    def __init__(self, context: Context, actions: Actions, menu_bar: MenuBar) -> None:
        super().__init__(context.shell.widget)
        self._context = context
        self._actions = actions
        self._menu_bar = menu_bar
        context.canvas.menu_wanted.connect(self.open)

    def open(self, hit: Hit, at: QPoint) -> None:
        """Show the menu at a screen position; what it adds goes to that position."""
        canvas = self._context.canvas
        menu = QMenu(self._context.shell.widget)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._actions.refresh()
        self.fill(menu, _names_for(hit))
        if hit.part == "slot" and hit.wire is not None:
            self._fill_slot(menu, hit.wire)
        self._actions.draw_icons(menu)
        canvas.hover.aim(QPointF(canvas.viewport().mapFromGlobal(at)))
        menu.aboutToHide.connect(self._forget_place)
        menu.popup(at)

    def fill(self, menu: QMenu, names: tuple[str, ...]) -> None:
        """Fill a menu by ids; actions that are disabled here are left out."""
        for name in names:
            if name == LINE:
                menu.addSeparator()
            elif name.startswith(">"):
                part = self._menu_bar.menu(name[1:])
                if _can_do_any(part):
                    _copy(part, menu.addMenu(part.title()))
            elif self._actions[name].isEnabled():
                menu.addAction(self._actions[name])

    def _forget_place(self) -> None:
        """Clear the position after the chosen entry has run, which is after the menu closes."""
        QTimer.singleShot(0, self, lambda: self._context.canvas.hover.aim(None))

    def _fill_slot(self, menu: QMenu, wire: Wire) -> None:
        """Add what could be connected to a slot."""
        document = self._context.document
        sources = [
            (document.graph.title(n), n)
            for n, found in document.graph.nodes.items()
            if not isinstance(found, Root)
            and document.graph.source(wire) != n
            and document.wires.refusal(n, *wire) is None
        ]
        plug = menu.addMenu("Plug in")
        plug.setEnabled(bool(sources))
        for title, node in sources[:SHOWN_SOURCES]:
            entry = plug.addAction(title.replace("&", "&&"))
            entry.triggered.connect(lambda _on=False, n=node: document.wires.connect(n, *wire))
        if document.graph.source(wire) is None:
            leaf = menu.addAction("Add a leaf here")
            leaf.triggered.connect(lambda: self._add_leaf(wire))

    def _add_leaf(self, wire: Wire) -> None:
        document = self._context.document
        x, y = document.positions[wire[0]]
        document.add_wired(Leaf(), (x - _LEAF_BEFORE, y), wire=wire)


def _copy(source: QMenu, menu: QMenu) -> None:
    """Copy the entries of another menu, since a menu can have only one parent."""
    for entry in source.actions():
        inner = entry.menu()
        if isinstance(inner, QMenu):
            _copy(inner, menu.addMenu(inner.title()))
        else:
            menu.addAction(entry)


def _can_do_any(menu: QMenu) -> bool:
    """Return whether any entry of a menu or its submenus is enabled."""
    return any(
        _can_do_any(inner) if isinstance(inner := entry.menu(), QMenu) else entry.isEnabled()
        for entry in menu.actions()
    )


def _names_for(hit: Hit) -> tuple[str, ...]:
    if hit.part == "slot":
        return SLOT
    if hit.wire is not None:
        return WIRE
    if hit.group is not None:
        return GROUP
    if hit.section is not None:
        return SECTION
    return CANVAS if hit.node is None else NODE
