"""A monkey at the window: mouse, wheel, keys, drops, resizes, in an order that a seed decides."""

import random
import sys
import traceback
from collections import Counter, deque
from collections.abc import Callable
from types import TracebackType

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QWidget

from app.document.boxes import members_of
from app.window.commands import ACTIONS
from app.window.commands.view_actions import PAGES
from app.window.frame.main_window import MainWindow
from app.workbench.adding import entries
from tests.helpers import mouse
from tests.helpers.canvas import node_boxes
from tests.helpers.invariants import broken
from tests.helpers.window import forget_changes, open_example

NOT_OURS = ("This plugin does not support",)
KEPT_FROM = ("quit", "open", "save", "save_as")
"""Actions that would leave the window or write outside of it."""
WORDS = ("tanh", "a*b + 1", "x", "7", "-2.5", "1e9", "nan", "leaf", "", "((", "y = a + b; y*y")
EXAMPLES = ("shared-leaf", "demonstration", "square", "neuron")
STEPS = ("step", "step", "step", "step_back", "step_node", "to_end", "to_start", "cover")
ON_MANY = (
    "group",
    "draw_group",
    "enter_group",
    "collapse_group",
    "duplicate",
    "copy",
    "cut",
    "heal",
)
MODIFIERS = (mouse.NONE, mouse.NONE, mouse.NONE, mouse.SHIFT, mouse.CTRL, mouse.ALT)
OFTEN = (
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Return,
    Qt.Key.Key_Escape,
    Qt.Key.Key_W,
    Qt.Key.Key_Tab,
)
MOST_NODES = 40
CHECK_EVERY = 20
SPARE = 40
"""So many widgets more may live after the second half than after the first: panels made late."""
POOLS = {
    "_ProblemRow": 16,
    "_NumberRow": 48,
    "RichLine": 96,
    "ElidedLabel": 96,
    "ContributionCard": 24,
}
"""What panels make when they first need it and keep, and how many there may be of it."""


class FaultError(AssertionError):
    """What went wrong, and what had been done just before."""


class Monkey:
    """Throws events at a window and looks, again and again, whether all is well."""

    def __init__(self, window: MainWindow, seed: int) -> None:
        self.window = window
        self.seed = seed
        self.chance = random.Random(seed)
        self.done = 0
        self.last: deque[str] = deque(maxlen=25)
        self.faults: list[str] = []
        self.deeds: tuple[tuple[int, Callable[[], str]], ...] = (
            (30, self.press_key),
            (22, self.click),
            (22, self.drag),
            (8, self.hover),
            (6, self.double_click),
            (6, self.wheel),
            (6, self.drop),
            (6, self.elsewhere),
            (4, self.write),
            (3, self.hold_and_type),
            (2, self.resize),
            (2, self.act),
            (7, self.run_through),
            (5, self.choose_and_act),
            (2, self.right_click),
        )
        keys = [key for action in ACTIONS if action.id not in KEPT_FROM for key in action.keys]
        self.keys = [QKeySequence(key)[0] for key in keys]  # pyright: ignore[reportIndexIssue]
        for name in KEPT_FROM:
            window.commands[name].triggered.disconnect()
            window.commands[name].setShortcuts([])

    def run(self, events: int) -> None:
        """Throw so many events; a fault says the seed and the last deeds."""
        hook, sys.excepthook = sys.excepthook, self._catch
        before = qInstallMessageHandler(self._read)
        try:
            for _ in range(events):
                self._do()
        finally:
            sys.excepthook = hook
            qInstallMessageHandler(before)

    def _do(self) -> None:
        weights = [weight for weight, _deed in self.deeds]
        (deed,) = self.chance.choices([deed for _weight, deed in self.deeds], weights)
        self.done += 1
        self.last.append(f"{self.done} {deed.__name__}: {deed()}")
        self._answer()
        if self.done % 4 == 0:
            QApplication.processEvents()
        if self.done % CHECK_EVERY == 0:
            self._check()
        if self.faults:
            self._fail(self.faults[0])

    # deeds

    def press_key(self) -> str:
        combination = self.chance.choice(self.keys)
        key, modifiers = combination.key(), combination.keyboardModifiers()
        if self.chance.random() < 0.35:
            key = self.chance.choice(OFTEN)
            modifiers = mouse.NONE
        QTest.keyClick(self._focused(), key, modifiers)
        return f"{QKeySequence(key).toString()} {modifiers.name}"

    def click(self) -> str:
        at = self._point()
        button = self.chance.choice((mouse.LEFT, mouse.LEFT, mouse.LEFT, mouse.MIDDLE))
        mouse.click(self.window.canvas, at, self._held(), button)
        return f"{at}"

    def double_click(self) -> str:
        at = self._point()
        mouse.double_click(self.window.canvas, at)
        return f"{at}"

    def hover(self) -> str:
        at = self._point()
        mouse.hover(self.window.canvas, at)
        return f"{at}"

    def drag(self) -> str:
        start, end = self._point(), self._point()
        steps = self.chance.randint(1, 5)
        mouse.drag(self.window.canvas, start, end, self._held(), steps)
        return f"{start} to {end}"

    def hold_and_type(self) -> str:
        """Do something else in the middle of a drag."""
        start, end = self._point(), self._point()
        with mouse.held(self.window.canvas, start, end, self._held(), 3):
            told = self.press_key()
        return f"{start} to {end}, meanwhile {told}"

    def wheel(self) -> str:
        notches = self.chance.choice((-4, -2, -1, 1, 2, 4))
        mouse.wheel(self.window.canvas, self._point(), notches, self._held())
        return f"{notches}"

    def drop(self) -> str:
        entry = self.chance.choice(entries()).key
        if self.window.canvas.isVisible():
            mouse.drop(self.window.canvas, mouse.entry(entry), self._point())
        return entry

    def write(self) -> str:
        text = self.chance.choice(WORDS)
        for letter in text:
            QTest.keyClicks(self._focused(), letter)
        if self.chance.random() < 0.7:
            QTest.keyClick(self._focused(), Qt.Key.Key_Return)
        return text

    def elsewhere(self) -> str:
        """Click or turn the wheel on any widget of the window."""
        shown = [w for w in self.window.findChildren(QWidget) if w.isVisible() and w.isEnabled()]
        widget = self.chance.choice(shown)
        at = QPoint(
            self.chance.randrange(max(widget.width(), 1)),
            self.chance.randrange(max(widget.height(), 1)),
        )
        if self.chance.random() < 0.3:
            mouse.wheel(widget, at, self.chance.choice((-1, 1)))
        else:
            QTest.mouseClick(widget, mouse.LEFT, mouse.NONE, at)
        return f"{type(widget).__name__} {at}"

    def resize(self) -> str:
        wide, high = self.chance.randint(880, 1300), self.chance.randint(560, 900)
        self.window.resize(wide, high)
        return f"{wide} × {high}"

    def act(self) -> str:
        """Anything from the menus that needs no file."""
        names = [a.id for a in ACTIONS if a.id not in KEPT_FROM and "export" not in a.id]
        name = self.chance.choice(names)
        self.window.commands[name].trigger()
        return name

    def run_through(self) -> str:
        """Start a pass, on another graph where this one can't run, and go some steps."""
        window = self.window
        if window.playback.phase == "live" and not window.playback.backward():
            forget_changes(window)
            open_example(window, self.chance.choice(EXAMPLES))
            window.playback.backward()
        names = self.chance.choices(STEPS, k=self.chance.randint(1, 6))
        for name in names:
            window.commands[name].trigger()
        return " ".join(names)

    def choose_and_act(self) -> str:
        """Choose some nodes, and do something with all of them."""
        nodes = sorted(self.window.document.graph.nodes)
        chosen = self.chance.sample(nodes, min(len(nodes), self.chance.randint(1, 4)))
        groups = self.window.document.sheet.groups
        if groups and self.chance.random() < 0.6:
            chosen = sorted(members_of(groups, self.chance.choice(sorted(groups))))
        self.window.selection.choose(chosen)
        name = self.chance.choice(ON_MANY)
        self.window.commands[name].trigger()
        return f"{name} {chosen}"

    def right_click(self) -> str:
        at = self._point().toPoint()
        view = self.window.canvas
        place = view.viewport().mapToGlobal(at)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, place)
        QApplication.sendEvent(view.viewport(), event)
        return f"{at}"

    # what surrounds a deed

    def _answer(self) -> None:
        """Leave menus, dialogs and the start page again, after a look or a choice."""
        while (popup := QApplication.activePopupWidget()) is not None:
            if self.chance.random() < 0.3:
                QTest.keyClick(popup, Qt.Key.Key_Down)
                QTest.keyClick(popup, Qt.Key.Key_Return)
            popup.close()
        for dialog in [d for d in self.window.findChildren(QDialog) if d.isVisible()]:
            if not isinstance(dialog, QFileDialog) and self.chance.random() < 0.3:
                QTest.keyClick(dialog, Qt.Key.Key_Down)
            dialog.reject()
        crowded = len(self.window.document.graph.nodes) > MOST_NODES
        if crowded or (self.window.on_full_page and self.chance.random() < 0.4):
            forget_changes(self.window)
            open_example(self.window, self.chance.choice(EXAMPLES))

    def _check(self) -> None:
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        window = self.window
        if not window.isVisible():
            self._fail("the window is gone")
        while window.canvas.auto_layout.running:  # else what is checked depends on the clock
            QApplication.processEvents()
        sheet, scene = window.document.sheet, window.canvas.scene
        found = broken(sheet, window.playback, window.selection, scene)
        if found:
            self._fail("; ".join(found))
        for widget in (window.canvas, window.strip, window.bar.frame):
            if self.chance.random() < 0.2 and widget.isVisible():
                widget.grab()

    def _catch(self, kind: type[BaseException], error: BaseException, trace: TracebackType) -> None:
        self.faults.append("".join(traceback.format_exception(kind, error, trace)))

    def _read(self, kind: QtMsgType, _context: object, text: str | None) -> None:
        serious = kind in (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)
        if serious and not any(word in (text or "") for word in NOT_OURS):
            self.faults.append(f"Qt says: {text}")

    def _fail(self, what: str) -> None:
        told = "\n".join(self.last)
        raise FaultError(f"seed {self.seed}, event {self.done}:\n{told}\n{what}")

    # choices

    def _held(self) -> Qt.KeyboardModifier:
        return self.chance.choice(MODIFIERS)

    def _point(self) -> QPointF:
        """A point of the canvas, mostly one where something is."""
        view, scene = self.window.canvas, self.window.canvas.scene
        area = view.viewport().rect()
        nodes = sorted(node_boxes(scene))
        if nodes and self.chance.random() < 0.75:
            node = self.chance.choice(nodes)
            box = scene.boxes[node]
            slots = len(self.window.document.graph.inputs(node))
            places = [
                box.output(),
                box.rect.center(),
                QPointF(box.x + 30, box.y + 12),
                QPointF(box.x + box.w - 20, box.y + 45),
                *(box.slot(k) for k in range(slots)),
                *(c.path.pointAtPercent(0.5) for w, c in scene.courses.items() if w[0] == node),
            ]
            at = view.camera.to_screen(self.chance.choice(places))
            if QPointF(area.bottomRight()).x() > at.x() > 0 < at.y() < area.height():
                return at
        return QPointF(
            self.chance.randrange(max(area.width(), 1)),
            self.chance.randrange(max(area.height(), 1)),
        )

    def _focused(self) -> QWidget:
        popup = QApplication.activePopupWidget()
        return popup or QApplication.focusWidget() or self.window.canvas


def throw(events: int, seed: int, kind: type[Monkey] = Monkey) -> None:
    """Throw events at a window of its own; FaultError says what went wrong, and how."""
    QGuiApplication.clipboard().setText("")  # offscreen a cleared one has no data at all
    window = MainWindow()
    window.resize(1000, 700)
    window.begin(None)
    window.activateWindow()
    QApplication.processEvents()
    for name in PAGES:  # what is made late is made now, so that leaks stand out
        window.bar.open(name)
    open_example(window, "shared-leaf")
    monkey = kind(window, seed)
    try:
        monkey.run(events // 2)
        left, before = Counter[str](), widgets_at_rest(window)
        for _ in range(2):  # what is made once and kept, such as a plot, is no leak
            monkey.run(events - events // 2)
            after = widgets_at_rest(window)
            left, before = left_behind(before, after), after
            if left.total() <= SPARE:
                return
        raise FaultError(f"seed {seed}: widgets are left behind: {left.most_common(8)}")
    finally:
        leave(window)


def leave(window: MainWindow) -> None:
    """Close a window without its question."""
    quieten(window)
    window.close()
    window.deleteLater()
    widgets_alive()


def quieten(window: MainWindow) -> None:
    """Let go of whatever goes on."""
    window.canvas.auto_layout.cancel()
    window.playback.pause()
    window.canvas.mouse.cancel_or_close()
    forget_changes(window)


def widgets_at_rest(window: MainWindow) -> Counter[str]:
    """The widgets there are when nothing goes on and the first example has just been opened."""
    quieten(window)
    open_example(window, "shared-leaf")
    return widgets_alive()


def left_behind(before: Counter[str], after: Counter[str]) -> Counter[str]:
    """The widgets that have come to stay, without those that may."""
    more = after - before
    return Counter({kind: more[kind] for kind in more if after[kind] > POOLS.get(kind, 0)})


def widgets_alive() -> Counter[str]:
    """How many widgets of each kind there are, once those that are to go have gone."""
    for _ in range(3):
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QApplication.processEvents()
    return Counter(type(widget).__name__ for widget in QApplication.allWidgets())
