"""The log that an edited window writes and that outlives it: one line of JSON for each deed."""

import hashlib
import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from app.document.sheet import Sheet
from engine.formats.native import write_drawing


@dataclass(frozen=True)
class Deed:
    """What happened, when (seconds of the system's steady clock), and what the document was then.

    `what` is started, answered, edit or saved. `unsaved` says whether something would be lost
    now, `offered` whether the start has offered a copy.
    """

    what: str
    when: float
    digest: str
    unsaved: bool
    offered: bool = False


class Log:
    """Writes deeds to a file, each in one piece, so that a kill loses none that is written."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def write(self, what: str, sheet: Sheet, unsaved: bool, offered: bool = False) -> None:
        """Note a deed that was just done."""
        when = time.monotonic()
        deed = Deed(what, when, digest(sheet), unsaved, offered)
        os.write(self._file, (json.dumps(asdict(deed)) + "\n").encode())


def digest(sheet: Sheet) -> str:
    """What a document is known by: equal for equal documents."""
    return hashlib.sha256(write_drawing(sheet.drawing()).encode()).hexdigest()[:16]


def read(path: Path) -> list[Deed]:
    """The deeds of a log, oldest first; a line that is not whole yet is left out."""
    if not path.exists():
        return []
    whole = path.read_text().rpartition("\n")[0]
    return [Deed(**json.loads(line)) for line in whole.splitlines()]
