from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from app.style.current import Style
from app.style.stylesheet import apply


@pytest.fixture
def style(qapp: QApplication) -> Style:
    return Style()


@pytest.fixture
def styled(qapp: QApplication, style: Style) -> Iterator[Style]:
    """The style, given to the whole application for one test."""
    palette, font = qapp.palette(), qapp.font()
    apply(qapp, style)
    yield style
    qapp.setStyleSheet("")
    qapp.setPalette(palette)
    qapp.setFont(font)
