"""Recent: the files opened or saved last, newest first."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal

LENGTH = 10
_KEY = "recent"


class Recent(QObject):
    """The list of recent files, kept in the settings."""

    changed = Signal()

    def __init__(self, settings: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings

    @property
    def paths(self) -> tuple[Path, ...]:
        """Return the existing files, newest first."""
        return tuple(path for path in self._read_list() if path.is_file())

    def add(self, path: Path) -> None:
        """Move a file to the top."""
        whole = path.absolute()
        self._write([whole, *(p for p in self._read_list() if p != whole)][:LENGTH])

    def clear(self) -> None:
        """Clear the list."""
        self._write([])

    def _read_list(self) -> list[Path]:
        found = self._settings.value(_KEY, [])
        texts: list[object] = list(found) if isinstance(found, list) else [found]  # type: ignore[arg-type]
        return [Path(text) for text in texts if isinstance(text, str) and text and "\0" not in text]

    def _write(self, paths: list[Path]) -> None:
        self._settings.setValue(_KEY, [str(path) for path in paths])
        self.changed.emit()
