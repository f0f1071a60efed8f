"""Use the window of this program by its keys, to see that a bundle's window works.

    backwire --try-window FOLDER FILE.backwire

opens the file in the real window, starts a backward pass, steps three times and exports the step
through the dialog; then it opens the plot of Training. FOLDER then holds window.png and step.png.
One line says what was seen; the exit code is 1 when something was not as it should be.
`python try_window.py --try-window ...` does the same with the Backwire that is installed. Only what
is on the screen is used here, so that this stays true when modules are renamed. QtTest, which could
press keys, is not in a bundle: what a key stands for is triggered.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

WORD = "--try-window"
STEPS = 3
PATIENCE = 30.0  # seconds for each thing to appear
SETTLING = 0.5  # seconds until nothing moves any more


def main(program: Callable[[list[str]], int] | None = None) -> int:
    """Open the file that is named with a program, ours unless given; use it, and close it."""
    from PySide6.QtWidgets import QApplication

    folder, file = Path(sys.argv[2]), sys.argv[3]
    said: list[str] = []

    def use(*_: object) -> int:
        try:
            said.append(_use(folder))
        except AssertionError as wrong:
            said.append(f"no: {wrong}")
        sys.stdout.write(said[-1] + "\n")
        sys.stdout.flush()
        # The pass is over; a question about unsaved changes must not keep it from ending.
        os._exit(0 if said[-1].startswith("yes") else 1)

    QApplication.exec = use  # type: ignore[method-assign, assignment]
    if program is None:
        from app.__main__ import main as program
    return program([file])


def _use(folder: Path) -> str:
    """Step and export; returns what was seen."""
    from PySide6.QtGui import QGuiApplication
    from PySide6.QtWidgets import QApplication, QMainWindow

    def window() -> QMainWindow | None:
        found = [w for w in QApplication.topLevelWidgets() if isinstance(w, QMainWindow)]
        return next((w for w in found if w.isVisible()), None)

    main = _wait(window, "no window came up")
    main.activateWindow()  # where no window manager does
    _wait(lambda: main.isActiveWindow() or None, "the window did not get the keyboard")
    _settle()
    before = main.grab().toImage()
    _step(main)
    after = main.grab()
    assert after.toImage() != before, "stepping changed nothing in the window"
    assert after.save(str(folder / "window.png")), "window.png could not be written"
    step = folder / "step.png"
    _export(main, step)
    size = step.stat().st_size
    _plot(main)
    title = main.windowTitle().replace("[*]", "")
    return f"yes: {title} on {QGuiApplication.platformName()}, {size} bytes exported"


def _step(main: "QMainWindow") -> None:
    """Start a backward pass, whose first step is the seed, and step on."""
    _press(main, "B")
    for _ in range(STEPS - 1):
        _press(main, "Right")
    _settle()


def _press(main: "QMainWindow", key: str) -> None:
    """Do what a key stands for in the window, where that can be done now."""
    from PySide6.QtGui import QAction, QKeySequence

    meant = [a for a in main.findChildren(QAction) if QKeySequence(key) in a.shortcuts()]
    able = next((action for action in meant if action.isEnabled()), None)
    assert able is not None, f"{key} does nothing in the window"
    able.trigger()
    _settle(0.05)


def _export(main: "QMainWindow", path: Path) -> None:
    """Write this step into a file, through the dialog."""
    from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit

    def dialog() -> QDialog | None:
        return next((d for d in main.findChildren(QDialog) if d.isVisible()), None)

    _press(main, "Ctrl+E")
    asking = _wait(dialog, "no dialog asked what to export")
    lines = asking.findChildren(QLineEdit)
    field = next((line for line in lines if Path(line.text()).suffix), None)
    assert field is not None, "the dialog has no field for the file"
    field.selectAll()
    field.insert(str(path))
    field.textEdited.emit(field.text())
    box = asking.findChild(QDialogButtonBox)
    assert box is not None, "the dialog has no buttons"
    default = next((b for b in box.buttons() if b.isDefault()), None)
    assert default is not None, "the dialog has no button for Enter"
    default.click()
    _wait(lambda: path if path.exists() else None, f"{path.name} was not exported")
    _settle()


def _plot(main: "QMainWindow") -> None:
    """Open Training, whose curves are drawn by a library of its own."""
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QGraphicsView

    def plot() -> QGraphicsView | None:
        views = main.findChildren(QGraphicsView)
        return next((v for v in views if v.isVisible() and hasattr(v, "plotItem")), None)

    opens = next((a for a in main.findChildren(QAction) if "Train a network" in _words(a)), None)
    assert opens is not None, "nothing opens Training"
    opens.trigger()
    _wait(plot, "Training shows no plot")
    _settle()


def _words(action: "QAction") -> str:
    return action.text().replace("&", "")


def _wait(seen: Callable, complaint: str):  # noqa: ANN202
    """What `seen` finds, as soon as it finds something."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = seen()
        if found is not None:
            return found
        _settle(0.05)
    raise AssertionError(complaint)


def _settle(seconds: float = SETTLING) -> None:
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()


if __name__ == "__main__":
    from backwire.__main__ import main as installed  # pyright: ignore

    sys.exit(main(installed))
