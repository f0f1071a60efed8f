"""A window that does what it is told, line by line, and says what a user sees.

    python -m tests.proofs.saving.writer FILE

`value X` sets the first leaf, `save` saves, `answer TEXT` clicks a button of the open question.
After each line it prints the text of the open question, or an empty line.
"""

import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication, QMessageBox

from app.window.commands.save_actions import save
from app.window.frame.main_window import MainWindow
from app.window.start import make_application
from engine.graph import Leaf
from tests.helpers.window import answer


def main(arguments: list[str]) -> int:
    """Open the file and run_verb until there are no more lines."""
    application = make_application()
    window = MainWindow()
    window.begin(Path(arguments[0]))
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "value":
            nodes = window.document.graph.nodes.items()
            leaf = next(node for node, found in nodes if isinstance(found, Leaf))
            window.document.set_value(leaf, float(rest))
        elif word == "save":
            save(window.context)
        elif word == "answer":
            answer(window, rest)
        application.processEvents()
        sys.stdout.write(f"{_question(window)}\n")
        sys.stdout.flush()
    return 0


def _question(window: MainWindow) -> str:
    QApplication.processEvents()
    boxes = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
    return boxes[0].text().replace("\n", " ") if boxes else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
