"""A process that makes and reads every n-th document or text; its parent counts what comes of it.

    python -m tests.proofs.fuzzing.worker KIND SEED FIRST END STEP FOLDER

It writes the number under trial to FOLDER/now before it begins, so that its parent knows which
one it died of, and a line of JSON for each that is done.
"""

import codecs
import json
import os
import pickle
import signal
import sys
import unicodedata  # noqa: F401  (Python's parser imports it for some names and texts)
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar, cast

from app.lessons.lesson_faults import fields_of
from app.lessons.parsing import AskFile, ChoiceFile, GraphFile, LessonFile, RippleFile, StepFile
from engine.errors import EngineError
from engine.formats.files import load_drawing
from engine.formats.python import from_python
from engine.ops import OPS
from tests.proofs.fuzzing import documents, texts
from tests.proofs.fuzzing.trial import Outcome, Trials, with_slides

T = TypeVar("T")

HANG = 30
"""Seconds after which a trial is ended by the system."""
ROOM = 2 * 2**30
"""Bytes of address space that a trial may take, so that the machine stays usable."""
TRIES = 3
"""How often something slow is timed; the best time counts."""

MAKERS: dict[str, Callable[[int, int], tuple[str, bytes | str]]] = {
    "documents": documents.document,
    "expressions": texts.expression,
    "programs": texts.program,
}


def main(arguments: list[str]) -> int:
    """Try what the arguments name; see above."""
    kind, seed, first, end, step, folder = arguments
    worker = Worker(kind, int(seed), Path(folder))
    for number in range(int(first), int(end), int(step)):
        way, outcome = worker.attempt(number)
        row = [number, way, outcome.verdict, outcome.seconds, outcome.peak, outcome.said]
        sys.stdout.write(json.dumps(row) + "\n")
    return 0


class Worker:
    """Makes and tries one kind of thing; `folder` is for the files that are read."""

    def __init__(self, kind: str, seed: int, folder: Path) -> None:
        warnings.simplefilter("ignore")
        # what is loaded on its first use, so that it is there before the watch begins
        codecs.lookup("utf-8-sig")
        from_python("a = Value(1.0)\na.backward()")
        warm_up(folder)
        self._kind, self._seed = kind, seed
        self._file = folder / "trial.backwire"
        self._now = folder / "now"
        self._trials = Trials()
        _limit_room()

    def attempt(self, number: int) -> tuple[str, Outcome]:
        """Make one, try it, and try it again if it took long."""
        self._now.write_text(str(number))
        if self._kind != "documents":
            way, made = MAKERS[self._kind](self._seed, number)
            return way, best(lambda: self.text(cast(str, made)))
        if documents.is_giant(number):
            way = apart(lambda: self._made(number))
            return way, best(lambda: apart(lambda: self.document(self._file)))
        way = self._made(number)
        return way, best(lambda: self.document(self._file))

    def _made(self, number: int) -> str:
        """Write the document; what was done to it."""
        way, content = documents.document(self._seed, number)
        self._file.write_bytes(content)
        return way

    def document(self, path: Path) -> Outcome:
        """Read a file."""
        with hang_ends_it():
            return self._trials.document(path)

    def text(self, text: str) -> Outcome:
        """Read an expression or a program."""
        with hang_ends_it():
            if self._kind == "expressions":
                return self._trials.expression(text)
            return self._trials.program(text)


def warm_up(folder: Path) -> None:
    """Read some documents, which imports what that needs, and compile all operations."""
    for op in OPS:
        assert op.forward
        assert len(op.partials) == len(op.slots)
    for schema in (LessonFile, GraphFile, StepFile, AskFile, RippleFile, ChoiceFile):
        fields_of(schema)  # compiles the annotations of the keys, which are texts
    path = folder / "first.backwire"
    for number in range(40):
        path.write_bytes(documents.document(0, number)[1])
        with suppress(EngineError):
            with_slides(load_drawing(str(path)))


def try_file(kind: str, path: Path) -> Outcome:
    """Try what a file holds, as main() does."""
    worker = Worker(kind, 0, path.parent)
    if kind == "documents":
        return best(lambda: apart(lambda: worker.document(path)))
    text = path.read_bytes().decode("utf-8", "surrogatepass")
    return best(lambda: worker.text(text))


def best(read: Callable[[], Outcome]) -> Outcome:
    """Read it; what was slow is read again, and its best time counts."""
    outcome = read()
    for _ in range(TRIES - 1):
        if outcome.slow:
            outcome.seconds = min(outcome.seconds, read().seconds)
    return outcome


def apart(work: Callable[[], T]) -> T:
    """Do it in a process of its own, whose memory begins idle; end as that process did."""
    assert os.name == "posix"
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        with os.fdopen(theirs, "wb") as answer:
            pickle.dump(work(), answer)
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as answer:
        said = answer.read()
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if ended < 0:
        os.kill(os.getpid(), -ended)
    if ended:
        raise SystemExit(ended)
    return pickle.loads(said)


@contextmanager
def hang_ends_it() -> Iterator[None]:
    """Let the system end the process when this takes too long; nothing in it can prevent that."""
    assert os.name == "posix"
    signal.setitimer(signal.ITIMER_REAL, HANG)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _limit_room() -> None:
    if os.name != "posix" or not Path("/proc/self/statm").exists():
        return
    import resource

    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (taken + ROOM, hard))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
