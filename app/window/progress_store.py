"""ProgressStore: the learner's progress in the lessons, read from and written to one file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths, Signal

from app.lessons import progress
from app.lessons.progress import LessonProgress, Progress
from engine.errors import FormatError


def progress_file() -> Path:
    """Return the path of the file in the application's data folder."""
    place = QStandardPaths.StandardLocation.GenericDataLocation
    return Path(QStandardPaths.writableLocation(place)) / "backwire" / "lessons.json"


class ProgressStore(QObject):
    """Keeps the progress, also where its file can't be written."""

    changed = Signal()
    said = Signal(str)
    """Emitted with a sentence when the file could not be written or deleted."""

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._progress: Progress | None = None
        self._is_unwritten = False

    @property
    def progress(self) -> Progress:
        """Return the progress; the file is read when it is first asked for."""
        if self._progress is None:
            self._progress = progress.read(self._path)
        return self._progress

    def put(self, name: str, lesson: LessonProgress) -> None:
        """Replace the progress in one lesson and write the file.

        The file is read again before, since another window may have changed other lessons.
        """
        found = self.progress if self._is_unwritten else progress.read(self._path)
        self._progress = found.updated(name, lesson)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            progress.write(self._path, self._progress)
        except (FormatError, OSError) as error:
            if not self._is_unwritten:
                self.said.emit(f"Your progress can't be kept: {error}")
            self._is_unwritten = True
        else:
            self._is_unwritten = False
        self.changed.emit()

    def export(self, path: Path) -> None:
        """Write the progress to a file of the user's choice; FormatError if that fails."""
        progress.write(path, self.progress)

    def forget(self) -> None:
        """Delete all progress."""
        try:
            progress.forget(self._path)
        except OSError as error:
            self.said.emit(f"Your progress can't be deleted: {error.strerror}.")
            return
        self._progress = Progress()
        self._is_unwritten = False
        self.changed.emit()
