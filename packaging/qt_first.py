"""Runs first in a bundle: Qt must be loaded before Graphviz, whose own start-up hook follows."""

import PySide6.QtGui  # noqa: F401
