"""One fixture per kind of object; what uses Qt is imported only where it is asked for.

A test that needs its object filled overrides the fixture and takes the empty one as argument:

    @pytest.fixture
    def document(document):
        document.start(Drawing(from_expression("y = a*b")))
        return document

From the cheapest to the dearest (CPU time on two cores): `document`, `playback`, `selection` and
`style` cost nothing worth a thought, `host` shows one panel (10 ms), `canvas` one canvas (30 ms),
`window` the whole window (200 ms; a copy of an open one, see `forks`, 20 ms). A test takes the
cheapest that shows what it proves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from app.document.document import Document
    from app.style.current import Style
    from app.window.frame.main_window import MainWindow
    from app.workbench.playback.playback import Playback
    from app.workbench.selection import Selection
    from tests.helpers.canvas import CanvasFixture
    from tests.helpers.panel_host import PanelHost


@pytest.fixture
def document(qapp: QApplication) -> Iterator[Document]:
    """An empty document."""
    from shiboken6 import delete

    from app.document.document import Document

    found = Document()
    yield found
    # Left to the collector, cycles of Qt's objects are taken apart in an order that crashes PySide.
    delete(found)


@pytest.fixture
def playback(document: Document) -> Playback:
    """The playback of the document."""
    from app.workbench.playback.playback import Playback

    return Playback(document, document)


@pytest.fixture
def selection(document: Document) -> Selection:
    """The selection in the document."""
    from app.workbench.selection import Selection

    return Selection(document, document)


@pytest.fixture
def store(qapp: QApplication, tmp_path: Path) -> QSettings:
    """Empty settings in a file of the test's own."""
    from PySide6.QtCore import QSettings

    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def style(qapp: QApplication) -> Style:
    """The light style at full size; the application does not wear it."""
    from app.style.current import Style

    return Style()


@pytest.fixture
def plain_application(qapp: QApplication) -> Iterator[QApplication]:
    """The application without our style; what the test gives it is taken away again."""
    from tests.helpers.application import kept_look

    with kept_look(qapp):
        yield qapp


@pytest.fixture
def styled(plain_application: QApplication, style: Style) -> Style:
    """The style, given to the whole application for one test."""
    from app.style.stylesheet import apply

    apply(plain_application, style)
    return style


@pytest.fixture
def all_looks(qapp: QApplication, styled: Style) -> Callable[[], Iterator[str]]:
    """Goes through light, dark, projector and 200 %, giving the application each look."""
    from app.style.stylesheet import apply

    def looks() -> Iterator[str]:
        for theme, size in (("light", 1.0), ("dark", 1.0), ("projector", 1.0), ("light", 2.0)):
            styled.set_theme(theme)
            styled.set_size(size)
            apply(qapp, styled)
            yield f"{theme} {size}"

    return looks


@pytest.fixture
def host(
    qtbot: QtBot, styled: Style, document: Document, selection: Selection, playback: Playback
) -> PanelHost:
    """What a panel needs, without a window around it."""
    from tests.helpers.panel_host import PanelHost

    return PanelHost(qtbot, styled, document, playback, selection)


@pytest.fixture
def canvas(qtbot: QtBot, qapp: QApplication) -> Iterator[CanvasFixture]:
    """An empty canvas of 1600 × 900 with a document, a playback and a selection."""
    from shiboken6 import isValid

    from tests.helpers.canvas import make_canvas

    canvas = make_canvas(qtbot)
    yield canvas
    if isValid(canvas.view):  # a test may have let it go
        canvas.view.auto_layout.cancel()  # Qt warns of a process that is destroyed while it runs


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    """The window as a newcomer meets it: the start page."""
    from tests.helpers.window import opened_window

    with opened_window(qtbot) as window:
        yield window


@pytest.fixture
def shared_leaf(qtbot: QtBot) -> Iterator[MainWindow]:
    """The window with (a*b + a) * f on the canvas; the start page has never been shown."""
    from tests.helpers.window import opened_window

    with opened_window(qtbot, example="shared-leaf") as window:
        window.canvas.setFocus()
        yield window
