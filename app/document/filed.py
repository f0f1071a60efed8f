"""Filed: a history whose sheet belongs to a file, or has a title without one.

Where it belongs is part of the steps: a formula typed over a sheet begins another one, and undo
leads back to the former with its file.
"""

from __future__ import annotations

from pathlib import Path

from app.document.history import History


class Filed(History):
    """A sheet with its history, its file, and whether work would be lost with it."""

    @property
    def path(self) -> Path | None:
        """Return the file it was read from or saved to."""
        return self._home.path

    @property
    def unsaved(self) -> bool:
        """Return whether closing would lose work.

        An empty sheet without a file holds none, and one of a lesson can be had again.
        """
        return self.edited and (self.path is not None or not self.empty)

    @property
    def edited(self) -> bool:
        """Return whether the sheet is called edited; one of a lesson never is."""
        return self.modified and (self.path is not None or not self._home.practice)

    @property
    def title(self) -> str:
        """Return the file's name, or the title it began with, or ""."""
        return self.path.name if self.path is not None else self._home.title

    def saved(self, path: Path) -> None:
        """Record that the current sheet is saved in this file."""
        self._at_rest = False  # the path and the mark change in one message
        self._home.path, self._home.saved = path, True
        self._home.kept = self._sheet
        self.stack.setClean()
        self._at_rest = True
        self.tell(file=True)

    def end_practice(self) -> None:
        """Treat what is done to the sheet of a lesson from now on as the user's work."""
        if self._home.practice:
            self._home.practice, self._home.kept = False, self._sheet
            self.tell()

    def mark_unsaved(self) -> None:
        """Record that no file holds the sheet, as it was recovered or its file is gone."""
        self._home.kept = None
        self.stack.resetClean()
        self.tell()
