"""The look of the whole application, kept and given back."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from app.style.strokes import set_presented
from tests.helpers.forks import is_ending
from tests.helpers.sampling import is_whole


@contextmanager
def kept_look(application: QApplication) -> Iterator[None]:
    """Give the application its style sheet, palette and font back afterwards.

    Each new style sheet polishes all widgets anew, so those that are to go should have gone. A
    process that is about to end gives nothing back: that would be a third of a short test.
    """
    font, palette, sheet = application.font(), application.palette(), application.styleSheet()
    try:
        yield
    finally:
        if is_whole() or not is_ending():
            set_presented(False)  # a test may end in a presentation
            delete_widgets(application)
            if application.styleSheet() != sheet:
                application.setStyleSheet(sheet)
            application.setPalette(palette)
            application.setFont(font)


def delete_widgets(application: QApplication) -> None:
    """Delete now what was told to be deleted later."""
    application.sendPostedEvents(None, QEvent.Type.DeferredDelete)
