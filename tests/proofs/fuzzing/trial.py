"""One trial: a document or a text is read under watch, and what came of it is judged."""

import contextlib
import os
import re
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.document.change import same_sheet
from app.document.document_file import whole_text
from app.document.sheet import sheet_of
from app.guide.play.poll import poll_choices
from app.guide.play.slides import slides_of
from app.lessons.draft import UNNAMED
from app.lessons.load import reading_of
from engine import from_expression
from engine.errors import LENGTH_LIMIT, EngineError, one_line
from engine.formats import expression, native, python
from engine.formats.files import load_drawing
from engine.formats.notation import LENGTH_LIMIT as EXPRESSION_LIMIT
from engine.formats.python.writer import _PROGRAM_NAMES
from engine.graph import Graph, OpNode, Root
from tests.proofs.fuzzing.watch import Watch

SECONDS = 1.0
MEMORY = 200 * 2**20
OUT = _PROGRAM_NAMES | {""}
"""Labels that a program can't have as names."""
MOST_ASKED = 20
"""Slides of a lesson that are asked."""
STATUS = Path("/proc/self/status")
PEAK = Path("/proc/self/clear_refs")


@dataclass
class Outcome:
    """What came of one trial: loaded, refused or escaped.

    Seconds are those of the processor, since others may use the machine; `peak` is the most
    memory in bytes above the idle process.
    """

    verdict: str
    seconds: float
    peak: int
    said: str = ""

    @property
    def slow(self) -> bool:
        """Whether it took longer than a second."""
        return self.seconds > SECONDS

    @property
    def large(self) -> bool:
        """Whether it took more than 200 MiB above the idle process."""
        return self.peak > MEMORY


class Trials:
    """Reads texts and files under one audit hook."""

    def __init__(self) -> None:
        self._watch = Watch()

    def document(self, path: Path) -> Outcome:
        """Read a file; what loads must be saved and read again as it is."""
        return self._read(lambda: with_slides(load_drawing(str(path))), _check_drawing, str(path))

    def expression(self, text: str) -> Outcome:
        """Read an expression."""
        return self._read(lambda: from_expression(text), _check_expression)

    def program(self, text: str) -> Outcome:
        """Read a program in Python."""
        return self._read(lambda: python.from_python(text), _check_program)

    def _read(
        self, read: Callable[[], Any], check: Callable[[Any], None], readable: str | None = None
    ) -> Outcome:
        found, error = None, None
        idle = _memory("VmRSS")
        _forget_peak()
        start = time.process_time()
        try:
            with self._watch.armed(readable):
                found = read()
        except BaseException as raised:
            error = raised
        seconds = time.process_time() - start
        peak = max(0, _memory("VmHWM") - idle)
        verdict, said = self._judged(found, error, check)
        return Outcome(verdict, seconds, peak, said)

    def _judged(
        self, found: Any, error: BaseException | None, check: Callable[[Any], None]
    ) -> tuple[str, str]:
        if self._watch.caught:
            return "escaped", self._watch.caught[0]
        if isinstance(error, EngineError):
            wrong = _badly_said(error)
            return ("escaped", wrong) if wrong else ("refused", str(error))
        if error is not None:
            return "escaped", _told(error)
        try:
            check(found)
        except Exception as raised:
            return "escaped", f"loaded, but not again: {_told(raised)}"
        return "loaded", ""


def with_slides(drawing: native.Drawing) -> native.Drawing:
    """A drawing whose lesson was read and asked, as the window does when it opens one."""
    if not drawing.lesson:
        return drawing
    lesson = reading_of(drawing.lesson, UNNAMED, drawing.graph).for_room("Lesson", drawing)
    for slide in () if lesson is None else slides_of(lesson)[:MOST_ASKED]:
        assert slide.misfit or slide.situation is not None
        assert one_line(slide.misfit) == slide.misfit
        if slide.kind == "ask" and not slide.misfit:
            offered = poll_choices(slide)
            assert not offered or 2 <= len(offered) <= 4, f"{len(offered)} choices"
            assert sum(choice.right for choice in offered) == bool(offered), f"{offered}"
            assert len({choice.label for choice in offered}) == len(offered), f"{offered}"
    return drawing


def _check_drawing(drawing: native.Drawing) -> None:
    """What the window would save is what was loaded."""
    sheet = sheet_of(drawing)
    again = native.read_drawing(whole_text(sheet))
    assert same_sheet(sheet_of(again), sheet), "the sheet is another one"
    written, read = ({g.id: (set(g.members), g) for g in d.groups} for d in (drawing, again))
    for number, (members, group) in written.items():  # a file has them by their ids
        group.members = read[number][1].members
        assert (members, group) == read[number], "the groups are others"
    assert written.keys() == read.keys(), "the groups are others"
    assert again.positions == drawing.positions, "the positions are others"
    assert again.graph == drawing.graph, "the graph is another one"


def _check_graph(graph: Graph) -> None:
    again = native.read(native.write(graph))
    assert again == graph, "the graph is another one"


def _check_expression(graph: Graph) -> None:
    _check_graph(graph)
    text = expression.write(graph)
    if len(text) <= EXPRESSION_LIMIT:
        _check_same(graph, from_expression(text), text)


def _check_program(graph: Graph) -> None:
    _check_graph(graph)
    text = python.write(graph)
    _check_same(graph, python.from_python(text), text)


def _check_same(graph: Graph, again: Graph, text: str) -> None:
    """What leads to the root is the same, and what had a name that can be written still has it."""
    ours, theirs = _shape(graph), _shape(again)
    assert [row[0] for row in ours] == [row[0] for row in theirs], f"written as {text[:200]}"
    kept = all(a == b for (_, a), (_, b) in zip(ours, theirs, strict=True) if a not in OUT)
    assert kept, f"names were lost in {text[:200]}"


def _shape(graph: Graph) -> list[tuple[object, str]]:
    """Each node that leads to the root: what it is, with its inputs' places in this list, and its
    label where that is its name.
    """
    assert graph.root is not None
    order = graph.plan(graph.root).order
    place: dict[int | None, int] = {node: k for k, node in enumerate(order)}
    rows: list[tuple[object, str]] = []
    for node in order:
        found = graph.nodes[node]
        assert not isinstance(found, Root)
        if isinstance(found, OpNode):
            what: tuple[object, ...] = (found.op, *(place.get(s, s) for s in found.inputs))
        else:
            what = (type(found).__name__, repr(found.value))
        rows.append((what, found.label if graph.names[node] == found.label else ""))
    return rows


def _badly_said(error: EngineError) -> str:
    """Why a refusal is no sentence that can be shown; empty if it is one."""
    sentence = str(error)
    shown = re.sub("[\u200c\u200d]", "", sentence)  # joiners belong to words of some languages
    if not (shown and shown.isprintable() and len(sentence) <= LENGTH_LIMIT):
        return f"no sentence: {sentence!r}"
    try:
        sentence.encode()
    except UnicodeEncodeError:
        return f"can't be printed: {sentence!r}"
    return "" if sentence.endswith((".", "?")) else f"no whole sentence: {sentence!r}"


def _told(error: BaseException) -> str:
    """An error with the last places it went through."""
    places = traceback.extract_tb(error.__traceback__)[-3:]
    way = " < ".join(f"{Path(p.filename).name}:{p.lineno}" for p in reversed(places))
    return f"{type(error).__name__}: {str(error)[:200]!r} at {way}"


def _forget_peak() -> None:
    """Let the process's peak of memory begin anew, where the system can (Linux)."""
    with contextlib.suppress(OSError):
        PEAK.write_text("5")


def _memory(field: str) -> int:
    """Bytes in memory now (VmRSS), or the most since the peak was forgotten (VmHWM)."""
    try:
        lines = STATUS.read_text().splitlines()
    except OSError:  # no such file: the highest ever, in KiB, or in bytes on macOS
        if os.name != "posix":
            return 0
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return next(int(row.split()[1]) for row in lines if row.startswith(f"{field}:")) * 1024
