"""The program as a learner starts it, with a driver that edits without a pause until it is killed.

    python -m tests.proofs.crashing.editor LOG SEED ANSWER SECONDS SAVED [FILE]

ANSWER (Restore, Later or Throw away) is given when unsaved work is offered. After SECONDS, if not
negative, the document is saved as SAVED and the window closed.
"""

import os
import random
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMessageBox

import app.window.frame.main_window as main_window
from app.document.change import Change
from app.document.document import Document
from app.window.commands.save_actions import offer_recovered, save_now
from app.window.start import start
from engine import from_expression
from engine.graph import Constant, Leaf, OpNode
from tests.helpers.window import answer
from tests.proofs.crashing.log import Log

PAUSES = (1, 60)
"""Milliseconds between two edits, at least and at most."""
MOST = 60
"""Nodes that are added to a document."""


class Driver:
    """Answers what the start offers, then edits at random."""

    def __init__(self, window: main_window.MainWindow, log: Log, arguments: list[str]) -> None:
        seed, self._answer, seconds, saved, *_file = arguments
        self._saved = Path(saved)
        self._window, self._log = window, log
        self._chance = random.Random(int(seed))
        self._added = 0
        self._at_it = True
        self._left = float(seconds)
        self._timer = QTimer(window)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._edit)
        self._document.changed.connect(self._follow)
        self._parent = os.getppid()
        self._watch = QTimer(window)
        self._watch.timeout.connect(self._end_with_parent)
        self._watch.start(1000)

    def begin(self) -> None:
        """Answer the offer, if there is one, and start editing."""
        offered = self._offer() is not None
        self._note("started", offered)
        if offered:
            answer(self._window, self._answer)
            while self._answer == "Throw away" and self._offered_again():
                answer(self._window, self._answer)
            self._note("answered", offered)
        if self._left >= 0:
            QTimer.singleShot(int(self._left * 1000), self._window, self._end)
        if self._answer == "Later" and offered:
            return
        if self._document.empty:
            self._document.replace_graph(from_expression("y = tanh(w*x + b)"))
            self._note("edit")
        self._at_it = False
        self._timer.start(1)

    @property
    def _document(self) -> Document:
        return self._window.document

    def _offer(self) -> QMessageBox | None:
        """The question about unsaved work that is open."""
        boxes = self._window.findChildren(QMessageBox)
        return next((b for b in boxes if b.isVisible() and "unsaved work" in b.text()), None)

    def _offered_again(self) -> bool:
        offer_recovered(self._window.context)
        return self._offer() is not None

    def _note(self, what: str, offered: bool = False) -> None:
        document = self._document
        self._log.write(what, document.sheet, document.modified, offered)

    def _follow(self, _change: Change) -> None:
        """Note what changes by itself: nodes that are settled later."""
        if not self._at_it:
            self._note("edit")

    def _edit(self) -> None:
        deeds = (self._value, self._value, self._move, self._label, self._add, self._undo)
        before, self._at_it = self._document.sheet, True
        self._chance.choice(deeds)()
        self._at_it = False
        if self._document.sheet is not before:  # noted now: it counts as unsaved only afterwards
            self._note("edit")
        self._timer.start(self._chance.randint(*PAUSES))

    def _value(self) -> None:
        nodes = self._document.graph.nodes.items()
        numbers = [n for n, found in nodes if isinstance(found, Leaf | Constant)]
        if numbers:
            self._document.set_value(self._chance.choice(numbers), self._chance.uniform(-9, 9))

    def _move(self) -> None:
        nodes = list(self._document.graph.nodes)
        place = (float(self._chance.randint(-900, 900)), float(self._chance.randint(-900, 900)))
        if nodes:  # the deed before may have undone everything
            self._document.move({self._chance.choice(nodes): place})

    def _label(self) -> None:
        nodes = list(self._document.graph.nodes)
        if nodes:
            label = f"n{self._chance.randint(1, 10**6)}"
            self._document.set_label(self._chance.choice(nodes), label)

    def _add(self) -> None:
        if self._added < MOST:
            self._added += 1
            node = self._chance.choice((Leaf(1.0), Constant(2.0), OpNode("mul", (None, None))))
            self._document.add_node(node, (0.0, 0.0))

    def _undo(self) -> None:
        self._chance.choice((self._document.undo, self._document.redo))()

    def _end_with_parent(self) -> None:
        """Do not go on for ever when the proof itself is ended."""
        if os.getppid() != self._parent:
            os._exit(1)

    def _end(self) -> None:
        """Save and close, as a learner does who has finished."""
        self._timer.stop()
        assert save_now(self._window.context, self._saved)
        self._note("saved")
        self._window.close()


def main(arguments: list[str]) -> int:
    """Start the program with a driver at its window."""
    path, *rest = arguments

    class Driven(main_window.MainWindow):
        """The window of the program, which begins to be edited when it has started."""

        def after_start(self) -> None:
            super().after_start()
            self._driver = Driver(self, Log(Path(path)), rest)
            QTimer.singleShot(0, self, self._driver.begin)

    main_window.MainWindow = Driven
    return start(rest[4:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
