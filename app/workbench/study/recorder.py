"""Recorder: a teacher writes a lesson on the sheet; the draft, its steps, and what is recorded.

It owns the draft and its undo steps, not the sheet: a step takes the sheet as it is, and the moves
of a step are read off what is done there. `RecordPart` of the page Lesson shows and edits it;
`Recorders` makes it once it is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.lessons.draft import (
    NO_GRAPH,
    UNNAMED,
    Draft,
    counterpart,
    new_step,
    part_name,
    reading,
    situation_after,
    written,
)
from app.lessons.lesson import StepKind
from app.lessons.load import Reading
from app.lessons.parsing import StepFile, move_of, part_called
from app.lessons.progress import Mark
from app.lessons.recording import (
    Moves,
    Offer,
    became_true,
    braced,
    followed,
    live_texts,
    obstacle,
    offer_of,
    offers,
    visible_mistakes,
)
from app.lessons.situation import Situation, after_move
from app.workbench.lesson_state import ResumePoint
from app.workbench.playback.view_state import ViewState
from app.workbench.selection import NO_TARGETS, LessonTargets
from app.workbench.study.lesson_runner import LessonRunner, Tools
from engine.errors import EngineError
from engine.graph import Wire
from engine.rules import Rules

MOST_UNDONE = 200
"""Edits of a draft that can be undone."""
_NEEDS_GRAPH = "Type a formula first: a lesson has a graph."
_NO_TRY = "Not yet: {fault}"
_FROM_SHEET = ("start", "values", "mistake", "settings", "graph", "light")
"""The keys of a step that `take_sheet` replaces."""


class _Version(Struct, frozen=True):
    """A draft before or after an edit, and the index of its chosen step."""

    draft: Draft
    at: int


class Recorder(QObject):
    """Writes one lesson; `changed` follows every change of the draft, and of what is recorded."""

    changed = Signal()
    begun_anew = Signal()
    """Emitted when another lesson is recorded."""
    said = Signal(str)
    """Emitted with a sentence about what could not be done."""
    tried = Signal(bool)
    """Emitted with True when a try of the lesson begins, with False when it ends."""

    def __init__(self, tools: Tools, lessons: LessonRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tools, self._lessons = tools, lessons
        self._draft = self._saved = Draft()
        self._at = -1
        self._done: tuple[_Version, ...] = ()
        """The versions before each edit that can be undone."""
        self._undone: tuple[_Version, ...] = ()
        """The versions to which redo goes, the next one first."""
        self._last_about: object = None
        """What the last edit changed, such as the keys of a step; None if the next is another."""
        self._reading: tuple[Draft, Path, Reading] | None = None
        """The last reading, with the draft and the path that it is of."""
        self._recording: Moves | None = None
        self._recorded: tuple[StepFile, Moves] | None = None
        """The last recording, with the step it belongs to as it was then."""
        self._before_try: tuple[int, Situation] | None = None
        """The length of the undo stack and the situation before the try that is on."""
        self.path: Path | None = None
        """The file of the draft; None if it was never saved."""
        self.active = False
        """Whether a lesson is being recorded."""
        tools.playback.shown.connect(self._follow)
        tools.checks.changed.connect(self._follow_settings)
        tools.selection.changed.connect(self._follow_selection)
        tools.document.leaving.connect(self._end_if_opening)
        lessons.changed.connect(self._follow_lesson)

    # the draft

    @property
    def draft(self) -> Draft:
        """Return the draft."""
        return self._draft

    @property
    def at(self) -> int:
        """Return the index of the chosen step; −1 for none."""
        return self._at

    @property
    def step(self) -> StepFile | None:
        """Return the chosen step."""
        return self._draft.steps[self._at] if 0 <= self._at < len(self._draft.steps) else None

    @property
    def unsaved(self) -> bool:
        """Return whether closing would lose the draft."""
        return self.active and self._draft != self._saved and not self._draft.is_unwritten

    @property
    def reading(self) -> Reading:
        """Return the draft as the checker reads it, a memo until it changes."""
        path = self.path or UNNAMED
        if self._reading is None or self._reading[:2] != (self._draft, path):
            self._reading = self._draft, path, reading(self._draft, path)
        return self._reading[2]

    @property
    def can_undo(self) -> bool:
        """Return whether an edit of the draft can be undone."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Return whether an edit of the draft can be done again."""
        return bool(self._undone)

    @property
    def trying(self) -> bool:
        """Return whether the lesson is being tried."""
        return self._before_try is not None

    def begin(self, draft: Draft | None = None, path: Path | None = None) -> None:
        """Begin with a draft, or with an empty one; its first step is chosen."""
        self._draft = self._saved = draft or Draft()
        self._at = 0 if self._draft.steps else -1
        self._done = self._undone = ()
        self._recording = self._recorded = None
        self.path, self.active = path, True
        self.begun_anew.emit()
        self._emit()
        if self._draft.steps:
            self.show_step()

    def end(self) -> None:
        """End recording, and a try; the sheet stays."""
        self.end_try()
        self._recording = None
        self.active = False
        self._tools.selection.set_lesson_targets(NO_TARGETS)
        self._emit()

    def restore(self, draft: Draft, path: Path | None) -> None:
        """Begin with a draft that a crash left behind: it is not saved."""
        self.begin(draft, path)
        self._saved = Draft()
        self._emit()

    def mark_saved(self, path: Path) -> None:
        """Note that the draft is saved in this file."""
        self.path, self._saved = path, self._draft
        self._emit()

    def set_head(self, **keys: object) -> None:
        """Change keys of the head."""
        self._edit(replace(self._draft, **keys), self._at, ("head", *keys))

    def set_step(self, **keys: object) -> None:
        """Change keys of the chosen step."""
        if self.step is not None:
            about = ("step", self._at, *keys)
            self._edit(self._draft.with_changed(self._at, **keys), self._at, about)

    def choose(self, at: int) -> None:
        """Choose a step; −1 chooses none."""
        if at != self._at and -1 <= at < len(self._draft.steps):
            self._stop()
            self._at, self._last_about = at, None
            self._emit()

    def move_step(self, by: int) -> None:
        """Move the chosen step by so many places: −1 is up, 1 down."""
        to = self._at + by
        if self.step is not None and 0 <= to < len(self._draft.steps):
            self._edit(self._draft.with_moved(self._at, to), to)

    def remove_step(self) -> None:
        """Delete the chosen step."""
        if self.step is not None:
            draft = self._draft.without_step(self._at)
            self._edit(draft, min(self._at, len(draft.steps) - 1))

    def undo(self) -> None:
        """Undo the last edit of the draft."""
        if self._done:
            last, self._done = self._done[-1], self._done[:-1]
            self._undone = (_Version(self._draft, self._at), *self._undone)
            self._draft, self._at, self._last_about = last.draft, last.at, None
            self._emit()

    def redo(self) -> None:
        """Redo the edit that was undone last."""
        if self._undone:
            following, self._undone = self._undone[0], self._undone[1:]
            self._done = (*self._done, _Version(self._draft, self._at))
            self._draft, self._at, self._last_about = following.draft, following.at, None
            self._emit()

    def _edit(self, draft: Draft, at: int, about: object = None) -> None:
        """Change the draft; edits about the same keys are one step of undo, as typing is."""
        if draft == self._draft and at == self._at:
            return
        if about is None or about != self._last_about:
            self._done = (*self._done, _Version(self._draft, self._at))[-MOST_UNDONE:]
        self._undone = ()
        self._draft, self._at, self._last_about = draft, at, about
        self._emit()

    def _emit(self) -> None:
        """Point at what the chosen step points at, and emit `changed`."""
        if self.active and not self.trying:
            self._tools.selection.set_lesson_targets(self._targets())
        self.changed.emit()

    def _targets(self) -> LessonTargets:
        """Return what the chosen step points at, as far as the sheet has it."""
        step, graph = self.step, self._tools.document.graph
        if step is None:
            return NO_TARGETS
        found: tuple[set[int | Wire], ...] = (set(), set())
        for parts, names in zip(found, (step.light, step.watch), strict=True):
            for name in names:
                with suppress(EngineError):
                    parts.add(part_called(name, graph))
        return LessonTargets(frozenset(found[0]), frozenset(found[1]))

    # steps from the sheet

    @property
    def now(self) -> Situation:
        """Return the situation on the sheet."""
        shown = self._tools.playback.now
        # the runner knows the mode of a lesson's step alone
        mode = "descent" if shown.loop is not None else "hand" if shown.by_hand is not None else ""
        return replace(self._lessons.situation(shown), mode=mode)

    def add_step(self, kind: StepKind) -> None:
        """Add a step after the chosen one, with the sheet as it is now."""
        self._stop()
        at = self._at + 1
        self._edit_or_say(at, lambda: self._with_sheet(at, kind, None))

    def take_sheet(self) -> None:
        """Let the chosen step begin as the sheet is now."""
        step = self.step
        if step is not None:
            self._stop()
            self._edit_or_say(self._at, lambda: self._with_sheet(self._at, step.kind, step))

    def _edit_or_say(self, at: int, make_draft: Callable[[], Draft]) -> None:
        """Change the draft and choose a step, or say why it can't be made."""
        try:
            draft = make_draft()
        except EngineError as error:
            self.said.emit(str(error))
        else:
            self._edit(draft, at)

    def _with_sheet(self, at: int, kind: StepKind, old: StepFile | None) -> Draft:
        """Return the draft with a step that begins as the sheet is, in place of `old` if given."""
        if not self._tools.document.graph.nodes:
            raise EngineError(_NEEDS_GRAPH)
        draft = self._draft if old is None else self._draft.without_step(at)
        before = None
        if draft.graph != NO_GRAPH and (at > 0 or len(draft.steps) > at):
            before = situation_after(draft, at, self.path or UNNAMED)
        selection = self._tools.selection
        parts = (*sorted(selection.nodes), *sorted(selection.wires))
        step, graph = new_step(kind, self.now, before, parts)
        if old is not None:
            step = replace(old, **{key: getattr(step, key) for key in _FROM_SHEET})
        if graph is not None and at == 0 and not draft.steps:
            return replace(draft, graph=graph).with_step(at, step)
        if graph is not None:
            own: dict[str, Any] = {"expression": graph.expression, "values": {**graph.values}}
            step = replace(step, graph=own)
        return draft.with_step(at, step)

    def set_pointed(self, key: str) -> None:
        """Let the chosen step light ("light") or watch ("watch") exactly what is selected."""
        graph, selection = self._tools.document.graph, self._tools.selection
        parts = (*sorted(selection.nodes), *sorted(selection.wires))
        self.set_step(**{key: tuple(part_name(part, graph) for part in parts)})

    def show_step(self) -> None:
        """Show the sheet with which the chosen step begins."""
        if (begun := self.begun) is not None:
            self._lessons.show_beginning(begun)

    @property
    def begun(self) -> Situation | None:
        """Return the situation in which the chosen step begins; None if it can't be played."""
        played = self.reading.played.get(self._at)
        return None if played is None or played.step is None else played.step.begun

    # recording moves

    @property
    def recording(self) -> Moves | None:
        """Return the moves that are being recorded; None while nothing is."""
        return self._recording

    @property
    def recorded(self) -> Moves | None:
        """Return the moves of the chosen step with their situations, as it is shown."""
        step, begun = self.step, self.begun
        if self._recording is not None or step is None or begun is None:
            return self._recording
        if self._recorded is not None and self._recorded[0] is step:
            return self._recorded[1]
        return recording_of(step, begun)

    def record(self) -> None:
        """Record moves from the beginning of the chosen step."""
        if self.begun is None or self.trying:
            return
        self.show_step()
        self._recording = Moves(self.now)
        self._emit()

    def stop(self) -> None:
        """Stop recording; the moves become those of Show me, and what they reach can be asked."""
        self._stop()
        self._emit()

    def _stop(self) -> None:
        """Stop recording, and keep its moves in the chosen step; the caller emits `changed`."""
        recording, self._recording = self._recording, None
        step = self.step
        if recording is None or step is None or not recording.moves:
            return
        true_now = [table for table, _text in became_true(recording)]
        checks = tuple(table for table in step.check if table in true_now)
        if not checks and step.kind == "do":
            checks = tuple(true_now[:1])
        keys: dict[str, Any] = {"check": checks}
        if step.kind == "do":
            keys["show"] = recording.moves
        self._edit(self._draft.with_changed(self._at, **keys), self._at)
        kept = self.step
        if kept is not None:
            self._recorded = kept, recording

    def set_check(self, table: dict[str, Any], on: bool) -> None:
        """Ask for a check in the chosen step, or no longer; the step keeps its recording."""
        recorded = self._recorded
        self._toggle("check", table, on)
        step = self.step
        if recorded is not None and step is not None:
            self._recorded = step, recorded[1]

    def set_ask(self, table: dict[str, Any], on: bool) -> None:
        """Ask a question in the chosen step, or no longer."""
        self._toggle("ask", table, on)

    def set_hunted(self, name: str, on: bool) -> None:
        """Let a mistake be among those that are hunted, or not."""
        self._toggle("hunt", name, on)

    def _toggle(self, key: str, entry: object, on: bool) -> None:
        step = self.step
        if step is not None:
            others = tuple(each for each in getattr(step, key) if each != entry)
            self.set_step(**{key: (*others, entry) if on else others})

    # what can be asked here

    def questions(self) -> list[Offer]:
        """Return the questions about what is selected, where the chosen step begins."""
        step, begun = self.step, self.begun
        if step is None or begun is None:
            return []
        return offers(begun, self._selected_part(begun), step.form)

    def obstacle(self) -> str:
        """Return why nothing can be asked about what is selected, where the chosen step begins."""
        step, begun = self.step, self.begun
        if step is None or begun is None or (part := self._selected_part(begun)) is None:
            return ""
        return obstacle(begun, part, step.form)

    def asked(self) -> list[Offer]:
        """Return the questions of the chosen step, with answers as far as they have one."""
        step, begun = self.step, self.begun
        if step is None:
            return []
        return [Offer(t, "") if begun is None else offer_of(t, begun) for t in step.ask]

    def _selected_part(self, begun: Situation) -> int | Wire | None:
        """Return the selected node or wire, as one of the step's graph."""
        selection = self._tools.selection
        ids = counterpart(self._tools.document.graph, begun.graph)
        if ids is None:
            return None
        wires = [(ids[node], slot) for node, slot in selection.wires if node in ids]
        node = selection.only
        return wires[0] if wires else ids.get(node) if node is not None else None

    def live_texts(self) -> list[str]:
        """Return the live numbers of what is selected, or else of all nodes, as texts hold them."""
        begun = self.begun
        if begun is None:
            return []
        part = self._selected_part(begun)
        parts = (
            [n for n in begun.graph.nodes if n in begun.known_frame.values]
            if part is None
            else [part]
        )
        return [text for each in parts for text in live_texts(begun, each)]

    def live_text(self, node: int, slot: int | None, quantity: str) -> str:
        """Return the text of a number on the sheet: of a node, or of the wire into its slot."""
        begun, graph = self.begun, self._tools.document.graph
        ids = None if begun is None else counterpart(graph, begun.graph)
        if node not in (graph.nodes if ids is None else ids):
            return ""
        part = node if slot is None else (node, slot)
        # a sheet that is not the step's graph has names of its own
        if begun is None or ids is None:
            name = part_name(part, graph)
        else:
            name = part_name(part, begun.graph, ids)
        return braced(f"{name}.{quantity}" if quantity else name)

    def mistakes(self) -> list[Rules]:
        """Return the mistakes that show where the chosen step begins."""
        begun = self.begun
        return [] if begun is None else visible_mistakes(begun)

    # trying

    def try_step(self) -> None:
        """Play the lesson as a learner, from the chosen step on, on a sheet of its own."""
        self._stop()
        lesson = self.reading.lesson
        if lesson is None:
            fault = self.reading.faults[0]
            where = f"{fault.where}: " if fault.where else ""
            self.said.emit(_NO_TRY.format(fault=f"{where}{fault.clause}."))
            return
        self._before_try = len(self._tools.document.done), self.now
        at = max(self._at, 0)
        marks: tuple[Mark, ...] = ("done",) * at + ("",) * (len(lesson.steps) - at)
        if not self._lessons.begin(lesson, ResumePoint(at, marks)):
            self._before_try = None
            return
        self.tried.emit(True)
        self._emit()

    def end_try(self) -> None:
        """Come back from a try: the sheet is as it was before."""
        if self._before_try is None:
            return
        (index, situation), self._before_try = self._before_try, None
        self._lessons.dismiss()
        if len(self._tools.document.done) > index:
            self._tools.document.go_to(index)
        self._lessons.show_beginning(situation)
        self.tried.emit(False)
        self._emit()

    # following

    def _follow(self, _now: ViewState) -> None:
        """Record the moves that lead to what the sheet shows now."""
        if self._recording is None or self._lessons.active:
            return
        if self._tools.playback.lags_behind_document:
            return  # the view state of the edit follows
        found = followed(self._recording, self.now)
        if found != self._recording:
            self._recording = found
            self._emit()

    def _follow_settings(self) -> None:
        if self._recording is not None:
            self._follow(self._tools.playback.now)

    def _follow_selection(self) -> None:
        """Offer other questions; the draft itself stays."""
        step = self.step
        if self.active and not self.trying and step is not None and step.kind == "ask":
            self.changed.emit()

    def _follow_lesson(self) -> None:
        """Come back once the learner's lesson is left; another lesson ends recording."""
        if self._before_try is not None and not self._lessons.active:
            self.end_try()
        elif self.active and self._before_try is None and self._lessons.active:
            self.end()

    def _end_if_opening(self, opens: bool) -> None:
        if self.active and opens:
            self.end()

    @property
    def text(self) -> str:
        """Return the text of the draft's file."""
        return written(self._draft)


def recording_of(step: StepFile, begun: Situation) -> Moves:
    """Return the moves of a step as they were recorded, as far as they can be made."""
    found = Moves(begun)
    for text in step.show:
        try:
            after = after_move(found.now, move_of(text, found.now.graph))
        except EngineError:
            break
        found = Moves(begun, (*found.moves, text), (*found.situations, after))
    return found
