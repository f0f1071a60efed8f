"""LectureEditor: adds, orders and edits the marks of the sheet.

The marks belong to the sheet, and each edit is a step of undo of the document. The editor owns
the chosen mark, and the lecture of a file over several graphs, which it shows but never edits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.document.change import Change
from app.document.document import Document
from app.document.files import SUFFIX
from app.document.sheet import Home, Sheet, sheet_of
from app.lessons.lecture import (
    Lecture,
    PassPlace,
    Slide,
    lecture_of,
    mark_at,
    mark_on,
    question_kinds,
    slide_of,
    slides,
    title_of,
    with_kind,
)
from app.workbench.playback.playback import Playback
from app.workbench.selection import Selection
from engine.errors import EngineError
from engine.graph import Graph, Root, Wire
from engine.rules import BY_NAME, CORRECT, UNKNOWN, Rules
from engine.study.lecture import MARK_LIMIT, OWN_KINDS, TOO_MANY, AskedKind, Mark, MarkKind
from engine.trace import run_forward

SET = "Mark {number} is set: {title}. A takes it away again."
TAKEN_AWAY = "Mark {number} is taken away. Undo brings it back."
IN_A_FILE = "This lecture is over {count} graphs: choose a mark, then edit those of its graph."


_PLACE_KEYS = ("phase", "step", "node", "slot", "name", "mistake")
"""The fields of a mark that determine its place."""


def misfit_sentence(clause: str) -> str:
    """Return a clause, such as a misfit, as a sentence: with a capital and a full stop."""
    return f"{clause[:1].upper()}{clause[1:].rstrip('.')}."


class OpenedLecture(Struct, frozen=True, eq=False):
    """A lecture over several graphs, its file, and the homes of the sheets that show them."""

    lecture: Lecture
    path: Path
    homes: tuple[Home, ...]


class SheetFile(Struct, frozen=True, eq=False):
    """The lecture file that holds the marks of a sheet with this home, and its hash as written.

    `graph` is the index of the sheet's graph in a lecture over several; −1 if it is the only one.
    """

    home: Home
    path: Path
    known_hash: str
    graph: int = -1


class LectureEditor(QObject):
    """Edits the marks of the sheet; `changed` is emitted when its page must be refreshed."""

    changed = Signal()
    page_requested = Signal()
    """Emitted when the page is asked for."""
    said = Signal(str)
    """Emitted with a sentence about an edit."""
    refused = Signal(str)
    """Emitted with a sentence about a refused edit."""

    def __init__(
        self,
        document: Document,
        playback: Playback,
        selection: Selection,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document, self._playback, self._selection = document, playback, selection
        self._at = -1
        self._chosen: Mark | None = None
        """The mark at this index, which undo and redo move; None until the next change."""
        self._is_requested = False
        self._opened: OpenedLecture | None = None
        self._file: SheetFile | None = None
        self._graph_when_chosen: Graph = document.graph
        """The graph when the mark was chosen: `store_values` stores the differences from it."""
        self.revision = 0
        """How often `changed` was emitted: a view of this revision is up to date."""
        self.choice_count = 0
        """How often another mark was chosen, to discard a text typed for the former one."""
        self._is_held, self._is_behind = False, False
        """Whether a value is being dragged, and whether the marks must be updated afterwards."""
        self._slides: tuple[Lecture, tuple[Slide, ...]] | None = None
        self._lecture: tuple[Sheet, str, Lecture] | None = None
        self._last_edit: object = None
        """The index and keys of the last edit, which typing continues; None after any other."""
        self._gesture = 0
        document.changed.connect(self._follow_document)
        document.value_held.connect(self._hold)
        document.value_released.connect(self._release)

    # state for the views

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Return the marks of the sheet, in their order."""
        return self._document.sheet.marks

    @property
    def graph(self) -> Graph:
        """Return the graph of the sheet."""
        return self._document.graph

    @property
    def at(self) -> int:
        """Return the index of the chosen mark of `lecture`; −1 for none."""
        opened = self.opened
        marks = self.marks if opened is None else opened.lecture.marks
        return self._at if self._at < len(marks) else -1

    @property
    def mark(self) -> Mark | None:
        """Return the chosen mark of the sheet; None without one, and for that of a file."""
        return self.marks[self.at] if self.opened is None and self.at >= 0 else None

    @property
    def opened(self) -> OpenedLecture | None:
        """Return the lecture over several graphs whose sheet is shown."""
        found = self._opened
        return found if found is not None and self._document.home in found.homes else None

    @property
    def file(self) -> SheetFile | None:
        """Return the lecture file that holds the marks of the sheet, if no other file does."""
        found, home = self._file, self._document.home
        return found if found is not None and found.home is home and home.path is None else None

    def note_file(self, path: Path, known_hash: str, graph: int = -1) -> None:
        """Note the lecture file from which the sheet was opened, or to which it was saved."""
        self._file = SheetFile(self._document.home, path, known_hash, graph)

    @property
    def lecture(self) -> Lecture | None:
        """Return the lecture of the opened file, or of the sheet's marks; None without marks."""
        if (opened := self.opened) is not None:
            return opened.lecture
        sheet = self._document.sheet
        title = self._document.title.removesuffix(SUFFIX) or "Lecture"
        if not sheet.marks:
            return None
        memo = self._lecture
        if memo is None or memo[0] is not sheet or memo[1] != title:
            source = self._document.title
            memo = self._lecture = sheet, title, lecture_of(sheet.drawing(), title, source)
        return memo[2]

    @property
    def slides(self) -> tuple[Slide, ...]:
        """Return each mark of `lecture` as the room sees it, a memo until it changes."""
        lecture = self.lecture
        if lecture is None:
            return ()
        memo = self._slides
        if memo is None:
            memo = self._slides = lecture, slides(lecture)
        elif memo[0] is not lecture:
            memo = self._slides = lecture, _slides_again(lecture, *memo)
        return memo[1]

    @property
    def flags(self) -> dict[PassPlace, str]:
        """Return the titles of the marks of the sheet by their places, for the timeline."""
        found: dict[PassPlace, str] = {}
        if self.opened is not None:
            return found
        for k, slide in enumerate(self.slides, 1):
            if (place := slide.place) is not None:
                title = f"Mark {k}: {title_of(slide.mark, self.graph)}"
                found[place] = f"{found[place]}\n{title}" if place in found else title
        return found

    @property
    def is_preparing(self) -> bool:
        """Return whether a lecture is being prepared: requested, or the sheet has marks."""
        return self._is_requested or bool(self.marks) or self.opened is not None

    def prepare(self) -> None:
        """Show the lecture of the sheet, even while it has no mark."""
        self._is_requested = True
        self.page_requested.emit()
        self._emit_changed()

    def open(self, lecture: Lecture, path: Path) -> None:
        """Note that the sheet just opened is the first of a lecture over several graphs."""
        self._opened = OpenedLecture(lecture, path, (self._document.home,))
        self._choose(-1)
        self._emit_changed()

    # choosing

    def choose(self, at: int) -> None:
        """Choose a mark, and show its place on the sheet; −1 chooses none."""
        lecture = self.lecture
        if lecture is None or not -1 <= at < len(lecture.marks):
            return
        self._choose(at)
        self._chosen, self._graph_when_chosen = self.mark, self._document.graph
        self.show()
        self._emit_changed()

    def _choose(self, at: int) -> None:
        self._at, self._chosen, self._last_edit = at, None, None
        self.choice_count += 1

    def show(self) -> None:
        """Show the place of the chosen mark on the sheet, under its mistake, unless it misfits.

        The numbers of the sheet stay: those of a mark are in the lecture alone.
        """
        playback = self._playback
        if self.at < 0 or playback.now.mode.name != "stepping":
            return  # a quiz, pass by hand or training keeps the cursor
        slide = self.slides[self.at]
        place = slide.place
        if place is None:
            return
        if (opened := self.opened) is not None:
            self._show_sheet(opened, slide)
        rules = BY_NAME.get(place.mistake, CORRECT)
        if playback.rules is not rules:
            playback.set_rules(rules)
        playback.show_place(place.phase, place.step)

    def _show_sheet(self, opened: OpenedLecture, slide: Slide) -> None:
        """Show the graph of a mark of a file, with the numbers of the mark."""
        drawing, situation = opened.lecture.drawings[slide.placed.graph], slide.situation
        assert situation is not None
        if self._document.graph == situation.graph:
            return
        sheet = sheet_of(drawing).with_graph(situation.graph)
        if self._document.open_practice(sheet, opened.lecture.title) >= 0:
            homes = (*opened.homes, self._document.home)
            self._opened = OpenedLecture(opened.lecture, opened.path, homes)

    # marks

    def mark_here(self, hovered: Wire | None = None) -> Mark:
        """Return a mark at the selected node or wire, else at the wire under the pointer.

        Without one it is at the step shown. Raises EngineError if the pass has no event there.
        """
        playback, selection, graph = self._playback, self._selection, self.graph
        wires = selection.wires
        wire = next(iter(wires)) if len(wires) == 1 and not selection.nodes else hovered
        node = selection.only if not selection.by_edit else None
        found = None if node is None else graph.nodes.get(node)
        if isinstance(found, Root):
            node = found.input
        part = node if node is not None else wire
        if part is None:
            return self._mark_shown()
        if playback.phase != "forward":
            return mark_on(graph, part, self._rules)
        computed = part[0] if isinstance(part, tuple) else part
        receivers = run_forward(graph).schedule.receivers
        if computed not in receivers:  # a leaf has its value before any step
            return mark_at(graph, "live", 0)
        return mark_at(graph, "forward", receivers.index(computed) + 1)

    def _mark_shown(self) -> Mark:
        """Return a mark at the step shown."""
        playback = self._playback
        return mark_at(self.graph, playback.phase, playback.cursor, self._rules)

    @property
    def _rules(self) -> Rules:
        rules = self._playback.rules
        return CORRECT if rules is UNKNOWN else rules

    def toggle(self, hovered: Wire | None = None) -> None:
        """Add the mark of `mark_here`, or delete the one at its place; emit `said` or `refused`."""
        if self._is_in_a_file():
            return
        try:
            mark = self.mark_here(hovered)
        except EngineError as error:
            self.refused.emit(misfit_sentence(str(error)))
            return
        place = PassPlace(mark.phase, mark.step, mark.mistake)
        there = [k for k, slide in enumerate(self.slides) if slide.place == place]
        if there:
            at = self.at if self.at in there else there[-1]
            self.remove(at)
            self.said.emit(TAKEN_AWAY.format(number=at + 1))
        elif self._add(mark):
            self.said.emit(SET.format(number=self.at + 1, title=title_of(mark, self.graph)))

    def add(self, kind: MarkKind = "show") -> None:
        """Add a mark of a kind at the step shown, after the chosen one, and choose it."""
        if self._is_in_a_file():
            return
        try:
            mark = self._mark_shown()
            asks = self._first_question(mark) if kind == "ask" else ""
            self._add(with_kind(mark, self.graph, kind, asks))
        except EngineError as error:
            self.refused.emit(misfit_sentence(str(error)))

    def _first_question(self, mark: Mark) -> AskedKind:
        """Return the question with which a mark begins to ask."""
        kinds = question_kinds(self.graph, mark)
        return "contribution" if "contribution" in kinds else kinds[0]

    def _add(self, mark: Mark) -> bool:
        if len(self.marks) >= MARK_LIMIT:
            self.refused.emit(TOO_MANY.format(most=MARK_LIMIT))
            return False
        at = self.at + 1 if self.at >= 0 else len(self.marks)
        self._graph_when_chosen = self.graph
        return self._set((*self.marks[:at], mark, *self.marks[at:]), "Add a mark", at)

    def _is_in_a_file(self) -> bool:
        """Return whether the marks are those of a file, not editable here; emit `refused` if so."""
        opened = self.opened
        if opened is not None:
            self.refused.emit(IN_A_FILE.format(count=len(opened.lecture.drawings)))
        return opened is not None

    def remove(self, at: int | None = None) -> None:
        """Delete a mark, by default the chosen one, and choose the next one."""
        at = self.at if at is None else at
        if self.opened is None and 0 <= at < len(self.marks):
            marks = (*self.marks[:at], *self.marks[at + 1 :])
            self._set(marks, "Delete a mark", min(at, len(marks) - 1))

    def move(self, at: int, to: int) -> None:
        """Move a mark to another index."""
        marks = list(self.marks)
        if self.opened is None and at != to and 0 <= at < len(marks) and 0 <= to < len(marks):
            marks.insert(to, marks.pop(at))
            self._set(marks, "Move a mark", to)

    def set(self, **keys: object) -> None:
        """Change keys of the chosen mark; edits of the same keys are one step, as typing is."""
        mark = self.mark
        if mark is None:
            return
        about = (self.at, *keys)
        if about != self._last_edit:
            self._last_edit, self._gesture = about, self._document.new_gesture()
        marks = self._marks_with(replace(mark, **keys))
        self._document.set_marks(marks, "Edit a mark", self._gesture)

    def _marks_with(self, mark: Mark) -> list[Mark]:
        """Return the marks with another one instead of the chosen one."""
        marks = list(self.marks)
        marks[self.at] = mark
        return marks

    def set_kind(self, kind: MarkKind) -> None:
        """Let the chosen mark show, ask or blank the screen; a question begins as the first one."""
        mark = self.mark
        if mark is not None and kind != mark.kind:
            asks = self._first_question(mark) if kind == "ask" else ""
            self._replace(lambda: with_kind(mark, self.graph, kind, asks))

    def set_question(self, asks: AskedKind) -> None:
        """Let the chosen mark ask another question."""
        mark = self.mark
        if mark is not None and asks != mark.asks:
            self._replace(lambda: with_kind(mark, self.graph, "ask", asks))

    def question_kinds(self) -> tuple[AskedKind, ...]:
        """Return the questions that the chosen mark can ask."""
        return () if self.mark is None else question_kinds(self.graph, self.mark)

    def move_to_shown_step(self) -> None:
        """Move the chosen mark to the step shown; it stays where it is if it can't ask there."""
        mark = self.mark
        if mark is None:
            return

        def moved() -> Mark:
            here = self._mark_shown()
            place = {key: getattr(here, key) for key in _PLACE_KEYS}
            shown = replace(with_kind(mark, self.graph, "show"), **place)
            if mark.asks in OWN_KINDS or mark.kind != "ask":
                return replace(mark, **place)
            asking = with_kind(shown, self.graph, "ask", mark.asks)
            return replace(asking, form=mark.form, reveals=mark.reveals)

        self._replace(moved)

    def _replace(self, make: Callable[[], Mark]) -> None:
        """Replace the chosen mark by that of `make`; emit `refused` if it raises EngineError."""
        try:
            mark = make()
        except EngineError as error:
            self.refused.emit(misfit_sentence(str(error)))
            return
        self._set(self._marks_with(mark), "Edit a mark", self.at)

    def store_values(self) -> None:
        """Store the changed values and the mistake of the sheet in the chosen mark.

        Values that differ from those when the mark was chosen become the mark's, and the sheet
        gets its former ones back.
        """
        mark, base, graph = self.mark, self._graph_when_chosen, self._document.graph
        if mark is None:
            return
        now, own = graph.leaf_values, base.leaf_values
        taken = {n: x for n, x in now.items() if n in own and own[n] != x}
        known = {n: x for n, x in dict(mark.values).items() if n in now} | taken
        values = tuple(sorted(known.items()))
        mistake = "" if self._rules is CORRECT else self._rules.name
        restored = graph.with_values({n: own[n] for n in taken})
        marks = self._marks_with(replace(mark, values=values, mistake=mistake))
        self._document.set_marks(marks, "Take values for a mark", graph=restored)

    def clear_values(self) -> None:
        """Remove the values and the mistake of the chosen mark."""
        self.set(values=(), mistake="")

    def _set(self, marks: Sequence[Mark], text: str, at: int) -> bool:
        """Change the marks as one step of undo, and choose one; return whether they changed."""
        before = self._at
        self._choose(at)
        if not self._document.set_marks(marks, text):
            self._at = before
            return False
        return True

    # following the document

    def _follow_document(self, change: Change) -> None:
        if change.opened:
            self._choose(-1)
            self._is_requested, self._graph_when_chosen = False, self._document.graph
        if change.task:
            self._follow_chosen()
        concerns_marks = bool(self.marks) or self._opened is not None
        if change.task or change.file or (change.wiring and concerns_marks):
            self._emit_changed()
        elif change.graph and concerns_marks:
            self._is_behind = True
            if not self._is_held:
                self._emit_changed()

    def _follow_chosen(self) -> None:
        """Update the index of the chosen mark after undo or redo moved it."""
        found = [k for k, mark in enumerate(self.marks) if mark is self._chosen]
        if found and found[0] != self._at:
            self._choose(found[0])
        self._chosen = self.mark

    def _hold(self) -> None:
        self._is_held = True

    def _release(self) -> None:
        """Update the marks once a dragged value is released: resolving all takes over a frame."""
        self._is_held = False
        if self._is_behind:
            self._emit_changed()

    def _emit_changed(self) -> None:
        self._is_behind = False
        self.revision += 1
        self.changed.emit()


def _slides_again(lecture: Lecture, before: Lecture, known: Sequence[Slide]) -> tuple[Slide, ...]:
    """Return the slides of a lecture, reusing `known` ones of equal marks on unchanged graphs."""
    graphs = [drawing.graph for drawing in lecture.drawings]
    if any(
        drawing.graph is not graph for drawing, graph in zip(before.drawings, graphs, strict=False)
    ):
        return slides(lecture)
    kept = {slide.placed: slide for slide in known}
    return tuple(
        kept[placed] if placed in kept else slide_of(placed, graphs[placed.graph])
        for placed in lecture.marks
    )
