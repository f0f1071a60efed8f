"""Recorder: edits the steps of the sheet's lesson, and records what is done on the sheet.

The steps belong to the sheet, so the document undoes, saves and recovers them. The recorder owns
the chosen step and the moves being recorded. A try, moves, and a step with a graph of its own are
shown on a sheet of their own, from which `come_back` leads. `Recorders` makes it when it is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from app.document.change import NO_CHANGE, Change
from app.document.document_file import SUFFIX
from app.document.sheet import Home, Sheet
from app.guide.play.guide import learner_of
from app.guide.play.slides import Slide, slides_of
from app.guide.run.demonstration import Tools
from app.guide.run.guide_runner import GuideRunner, OwnSheet, practice_sheet
from app.guide.words.written import OWN_KINDS
from app.lessons.course import MOST_LESSON_STEPS
from app.lessons.draft import (
    NO_GRAPH,
    UNNAMED,
    Draft,
    counterpart,
    draft_of,
    graph_file,
    new_step,
    part_name,
    reading,
    situation_after,
    start_at,
    step_text,
    with_kind,
    written,
)
from app.lessons.lesson import Lesson, StepKind
from app.lessons.load import Reading
from app.lessons.moves import (
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
from app.lessons.parsing import GraphFile, StepFile, move_of, part_called
from app.lessons.progress import Done
from app.lessons.renaming import on_sheet, whole_step
from app.lessons.situation import PassPlace, Situation, after_move
from app.workbench.playback.view_state import ViewState
from app.workbench.selection import NO_TARGETS, LessonTargets
from engine.errors import EngineError, FormatError
from engine.graph import Graph, Root, Wire
from engine.rules import BY_NAME, CORRECT, UNKNOWN, Rules

SET: Final = "Step {number} is added: {title}. A takes it away again."
TAKEN_AWAY: Final = "Step {number} is taken away. Undo brings it back."
HAS_CONTENT: Final = "Step {number} stands here and says or asks something: delete it in the list."
READING_DELAY_MS: Final = 250
"""Time after the last edit at which the steps are read: 20 take 58 ms, 200 take 420."""
_NEEDS_GRAPH: Final = "Type a formula first: a lesson has a graph."
_NO_TRY: Final = "Not yet: {fault}"
_UNREADABLE: Final = (
    "The text of this sheet's lesson can't be read: {reason}. It is kept in the file of the sheet"
    " as it is."
)
_AWAY: Final = "This sheet is shown for one step. Go back to the sheet first."
_TOO_MANY: Final = f"A lesson has up to {MOST_LESSON_STEPS} steps."
_NO_STEP: Final = "There is no step to be pasted."
_OWN_QUESTION: Final[dict[str, Any]] = {
    "kind": "text",
    "text": "Your question?",
    "choices": [{"text": "yes", "right": True}, {"text": "no"}],
}
_FROM_SHEET: Final = ("start", "values", "mistake", "settings", "graph")
"""The keys of a step that `take_sheet` replaces."""


class SourceFile(Struct, frozen=True, eq=False):
    """The lesson file in which the lesson of a sheet with this home is saved, and its hash.

    `table` is that of its graph, as long as the sheet has `graph`.
    """

    home: Home
    path: Path
    known_hash: str
    table: GraphFile = NO_GRAPH
    graph: Graph | None = None


class Recorder(QObject):
    """Edits the lesson of one sheet; `changed` follows every change of what is shown of it."""

    changed = Signal()
    said = Signal(str)
    """Emitted with a sentence about an edit."""
    refused = Signal(str)
    """Emitted with a sentence about what could not be done."""
    page_requested = Signal()
    tried = Signal(bool)
    """Emitted with True when a try of the lesson begins, with False when it ends."""

    def __init__(self, tools: Tools, guides: GuideRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tools, self._guides, self._document = tools, guides, tools.document
        self._at = -1
        self._chosen: StepFile | None = None
        """The step at this index, which undo may move."""
        self._is_requested = False
        self._away: OwnSheet | None = None
        """The sheet of the lesson while another one is shown, and its situation."""
        self._is_try = self._is_returning = self._is_editing = False
        """Whether that is a try; whether the recorder itself shows the sheet again, or edits."""
        self._file: SourceFile | None = None
        self._base: Graph = self._document.graph
        """The graph when the step was chosen: leaves that differ from it are taken for the step."""
        self._listed: list[dict[str, Any]] = []
        """The questions with a row: those of the chosen step, and those that were unticked."""
        self._last_edit: tuple[object, int] = None, 0
        """What the last edit changed, such as the keys of a step, and its gesture."""
        self._draft: tuple[str, Draft, str] = "", draft_of(""), ""
        self._reading: tuple[str, Graph, Path, Reading] | None = None
        self._slides: tuple[Reading, tuple[Slide, ...]] | None = None
        self.recording: Moves | None = None
        """The moves that are being recorded; None while nothing is."""
        self._recorded: tuple[StepFile, Moves] | None = None
        """The last recording, with the step it belongs to as it was then."""
        self._pause = QTimer(self, singleShot=True, interval=READING_DELAY_MS)
        self._pause.timeout.connect(self._emit)
        tools.playback.shown.connect(self._follow)
        tools.checks.changed.connect(self._follow_moves)
        tools.selection.changed.connect(self._follow_selection)
        guides.changed.connect(self._follow_lesson)

    # the lesson of the sheet

    @property
    def sheet(self) -> Sheet:
        """Return the sheet with the lesson, also while another one is shown."""
        return self._document.sheet if self._away is None else self._away.edit.sheet

    @property
    def draft(self) -> Draft:
        """Return the lesson as it is written; an empty one if it can't be read."""
        self._read_draft()
        return self._draft[1]

    @property
    def unreadable(self) -> str:
        """Return why the text can't be read, a sentence; "" if it can."""
        self._read_draft()
        return self._draft[2]

    def _read_draft(self) -> None:
        text = self.sheet.lesson
        if self._draft[0] == text:
            return
        try:
            self._draft = text, draft_of(text), ""
        except FormatError as error:
            reason = _UNREADABLE.format(reason=str(error).rstrip("."))
            self._draft = text, Draft(carries=False), reason

    @property
    def steps(self) -> tuple[StepFile, ...]:
        return self.draft.steps

    @property
    def at(self) -> int:
        """Return the index of the chosen step; −1 for none."""
        return self._at if self._at < len(self.steps) else -1

    @property
    def step(self) -> StepFile | None:
        return self.steps[self.at] if self.at >= 0 else None

    @property
    def active(self) -> bool:
        """Return whether there is a lesson to be shown: the sheet has one, or it is requested."""
        return self._is_requested or bool(self.sheet.lesson)

    @property
    def away(self) -> bool:
        """Return whether another sheet is shown: that of a step, of moves or of a try."""
        return self._away is not None

    @property
    def trying(self) -> bool:
        """Return whether the lesson is being tried."""
        return self._away is not None and self._is_try

    @property
    def title(self) -> str:
        """Return the title of the lesson, or of the document."""
        title = self._document.title if self._away is None else self._away.edit.home.title
        return self.draft.title or title.removesuffix(SUFFIX) or "Lesson"

    @property
    def file(self) -> SourceFile | None:
        """Return the lesson file of the sheet, if it was opened from one or saved to it."""
        home = self._document.home if self._away is None else self._away.edit.home
        return self._file if self._file is not None and self._file.home is home else None

    @property
    def path(self) -> Path:
        """Return the file in whose folder those of graphs are."""
        file = self.file
        return file.path if file is not None else self._document.path or UNNAMED

    @property
    def reading(self) -> Reading:
        """Return the lesson as the checker reads it; as before until a pause after an edit."""
        sheet, memo = self.sheet, self._reading
        if memo is not None:
            is_same = memo[0] == sheet.lesson and memo[1] is sheet.graph and memo[2] == self.path
            if is_same or self._pause.isActive():
                return memo[3]
        found = reading(self.draft, self.path, sheet.graph)
        self._reading = sheet.lesson, sheet.graph, self.path, found
        return found

    @property
    def lesson(self) -> Lesson | None:
        """Return the lesson as a room gets it, with steps that have faults; None without a step."""
        return self.reading.for_room(self.title, self.sheet.drawing()) if self.steps else None

    @property
    def slides(self) -> tuple[Slide, ...]:
        found = self.reading
        if self._slides is None or self._slides[0] is not found:
            lesson = self.lesson
            self._slides = found, () if lesson is None else slides_of(lesson)
        return self._slides[1]

    @property
    def flags(self) -> dict[PassPlace, str]:
        """Return the titles of the steps by their places, for the timeline."""
        found: dict[PassPlace, str] = {}
        for slide in () if self.away else self.slides:
            if (place := slide.place) is not None and slide.graph is self.sheet.graph:
                title = f"Step {slide.at + 1}: {slide.title}"
                found[place] = f"{found[place]}\n{title}" if place in found else title
        return found

    def note_file(self, path: Path, known_hash: str, table: GraphFile | None = None) -> None:
        """Note the lesson file from which the sheet was opened, or to which it was saved."""
        graph = None if table is None else self._document.graph
        self._file = SourceFile(self._document.home, path, known_hash, table or NO_GRAPH, graph)

    @property
    def text(self) -> str:
        """Return the text of a lesson file; EngineError if its graph is no formula."""
        file, graph = self.file, self.sheet.graph
        is_same = file is not None and file.graph is not None and file.graph == graph
        table = file.table if file is not None and is_same else graph_file(graph)
        return written(replace(self.draft, title=self.title[:40], graph=table))

    def show(self) -> None:
        """Show the lesson of the sheet on its page, even one without a step."""
        self._is_requested = True
        self.page_requested.emit()
        self._emit()

    # edits

    def set_head(self, **keys: object) -> None:
        """Change keys of the head."""
        self._edit(replace(self.draft, **keys), "Edit the lesson", self.at, ("head", *keys))

    def set_step(self, **keys: object) -> None:
        """Change keys of the chosen step; edits of the same keys are one step of undo."""
        if self.step is not None:
            about = ("step", self.at, *keys)
            self._edit(self.draft.with_changed(self.at, **keys), "Edit a step", self.at, about)

    def set_kind(self, kind: StepKind) -> None:
        """Let the chosen step be of another kind; one that asks begins with a question."""
        step = self.step
        if step is None or step.kind == kind:
            return
        at = self.at
        draft = self.draft.without_step(at).with_step(at, with_kind(step, kind))
        if kind == "ask":
            draft = self._with_question(draft, at, self.sheet.graph)
        self._edit(draft, "Edit a step", at)

    def _with_question(self, draft: Draft, at: int, graph: Graph) -> Draft:
        """Return the draft with a question in a step about what is selected, or the next wire.

        One in own words where neither can be asked about.
        """
        played = reading(draft, self.path, graph).played.get(at)
        begun = self.now if played is None or played.step is None else played.step.begun
        following = begun.known_frame.next_event
        for part in (self._selected_part(begun), None if following is None else following.wire):
            found = [] if part is None else offers(begun, part, "choices")
            if found:
                usual = [offer for offer in found if offer.table["kind"] == "contribution"]
                return draft.with_changed(at, form="choices", ask=((usual or found)[0].table,))
        return draft.with_changed(at, ask=({**_OWN_QUESTION},))

    def choose(self, at: int) -> None:
        """Choose a step, and show its place; −1 chooses none."""
        if at != self._at and -1 <= at < len(self.steps):
            self._stop()
            self.come_back()
            self._choose(at)
            self._listed = []
            self._show_place()
            self._emit()

    def _choose(self, at: int) -> None:
        self._at, self._last_edit, self._base = at, (None, 0), self.sheet.graph
        self._chosen = self.step

    def move(self, at: int, to: int) -> None:
        """Move a step to another index."""
        if at != to and 0 <= at < len(self.steps) and 0 <= to < len(self.steps):
            self._edit(self.draft.with_moved(at, to), "Move a step", to, shows=True)

    def remove(self, at: int | None = None) -> None:
        """Delete a step, by default the chosen one."""
        at = self.at if at is None else at
        if 0 <= at < len(self.steps):
            draft = self.draft.without_step(at)
            self._edit(draft, "Delete a step", min(at, len(draft.steps) - 1), shows=True)

    def drop(self) -> None:
        """Delete the lesson, also one that can't be read, as one step of undo."""
        self.come_back()
        self._document.set_lesson("", "Drop the lesson")
        self._emit()

    def _edit(
        self,
        draft: Draft,
        name: str,
        at: int,
        about: object = None,
        graph: Graph | None = None,
        *,
        shows: bool = False,
    ) -> bool:
        """Commit a draft and choose a step, whose place the sheet `shows` then.

        Edits about the same are one step of undo.
        """
        if self.unreadable:
            self.refused.emit(self.unreadable)
            return False
        if len(draft.steps) > MOST_LESSON_STEPS:
            self.refused.emit(_TOO_MANY)
            return False
        if draft == self.draft and graph is None:
            return False
        self.come_back()
        if about is None or about != self._last_edit[0]:
            self._last_edit = about, self._document.new_gesture()
        text = written(draft) if draft != Draft(carries=draft.carries) else ""
        self._is_editing = True
        is_done = self._document.set_lesson(text, name, self._last_edit[1], graph)
        self._is_editing = False
        if not is_done:
            return False
        if about is None:
            self._pause.stop()  # typing is read after a pause, anything else at once
            self._choose(at)
            if shows:
                self._show_place()
        self._chosen = self.step
        self._emit()
        return True

    def copied(self) -> str:
        """Return the chosen step as TOML, whole: with its graph, values and mistake."""
        step, begun = self.step, self.begun
        if step is None:
            return ""
        try:
            return step_text(step if begun is None else whole_step(step, begun))
        except EngineError:
            return step_text(step)

    def paste(self, text: str) -> bool:
        """Add the steps of a text after the chosen one; return False if it has none."""
        try:
            steps = draft_of(text).steps if "[[step]]" in text else ()
        except FormatError:
            steps = ()
        if not steps:
            self.refused.emit(_NO_STEP)
            return False
        graph, at = self.sheet.graph, self.at + 1 if self.at >= 0 else len(self.steps)
        found = tuple(on_sheet(step, graph) for step in steps)
        draft = replace(self.draft, steps=(*self.steps[:at], *found, *self.steps[at:]))
        return self._edit(draft, "Paste a step", at + len(found) - 1, shows=True)

    # steps from the sheet

    @property
    def now(self) -> Situation:
        shown = self._tools.playback.now
        # the runner knows the mode of a lesson's step alone
        mode = "descent" if shown.loop is not None else "hand" if shown.by_hand is not None else ""
        return replace(self._guides.situation(shown), mode=mode, rules=self._rules)

    @property
    def _rules(self) -> Rules:
        rules = self._tools.playback.rules
        return CORRECT if rules is UNKNOWN else rules

    def toggle(self, hovered: Wire | None = None) -> None:
        """Add a step at the selection, the wire under the pointer, or the step shown, else take
        the one at its place away; emit `said` or `refused`."""
        if self.away:
            self.refused.emit(_AWAY)
            return
        try:
            start = start_at(self.now, self._part(hovered))
        except EngineError as error:
            self.refused.emit(_sentence(str(error)))
            return
        there = [slide.at for slide in self.slides if slide.place == start.place]
        if there:
            at = self.at if self.at in there else there[-1]
            made = self.steps[at]
            # one stray key must not cost a step that somebody has written
            if made != StepFile("say", start=made.start, mistake=made.mistake):
                self.refused.emit(HAS_CONTENT.format(number=at + 1))
                return
            self.remove(at)
            self.said.emit(TAKEN_AWAY.format(number=at + 1))
            return
        mistake = "" if self._rules is CORRECT else self._rules.name
        step = StepFile("say", start=start.text, mistake=mistake)
        at = self.at + 1 if self.at >= 0 else len(self.steps)
        if self._edit(self.draft.with_step(at, step), "Add a step", at):
            title = next((slide.title for slide in self.slides if slide.at == at), "")
            self.said.emit(SET.format(number=at + 1, title=title))

    def _part(self, hovered: Wire | None) -> int | Wire | None:
        """Return the selected wire or node, else the wire under the pointer."""
        selection, graph = self._tools.selection, self._document.graph
        wires = selection.wires
        wire = next(iter(wires)) if len(wires) == 1 and not selection.nodes else hovered
        node = selection.only if not selection.by_edit else None
        found = None if node is None else graph.nodes.get(node)
        if isinstance(found, Root):
            node = found.input
        return node if node is not None else wire

    def add_step(self, kind: StepKind) -> None:
        """Add a step after the chosen one, with the sheet as it is now."""
        self._stop()
        at = self.at + 1 if self.at >= 0 else len(self.steps)
        self._edit_or_say(at, "Add a step", lambda: self._with_sheet(at, kind, None))

    def take_sheet(self) -> None:
        """Let the chosen step begin as the sheet is now, which gets its own numbers back."""
        step = self.step
        if step is not None:
            self._stop()
            at = self.at
            self._edit_or_say(at, "Take the sheet", lambda: self._with_sheet(at, step.kind, step))

    def _edit_or_say(self, at: int, name: str, make: Callable[[], tuple[Draft, Graph]]) -> None:
        """Commit a draft and choose a step, or say why it can't be made."""
        try:
            draft, graph = make()
        except EngineError as error:
            self.refused.emit(_sentence(str(error)))
            return
        self._edit(draft, name, at, graph=graph if graph != self.sheet.graph else None)

    def _with_sheet(self, at: int, kind: StepKind, old: StepFile | None) -> tuple[Draft, Graph]:
        """Return the draft with a step that begins as the sheet is, in place of `old` if given.

        The second is the sheet's graph: leaves that were changed for the step have their numbers
        of before.
        """
        now, sheet = self.now, self.sheet
        if not now.graph.nodes:
            raise EngineError(_NEEDS_GRAPH)
        draft = self.draft if old is None else self.draft.without_step(at)
        base = sheet.graph
        if old is not None and not self.away:
            base = base.with_values(_changed_back(self._base, base))
        before = situation_after(draft, at, self.path, base)
        selection = self._tools.selection
        parts = (*sorted(selection.nodes), *sorted(selection.wires))
        is_lit = old is None and kind != "hunt"  # a ring would point at something while it is on
        step, graph = new_step(kind, now, before, parts if is_lit else ())
        if old is not None:
            step = replace(old, **{key: getattr(step, key) for key in _FROM_SHEET})
        if graph is not None:
            own: dict[str, Any] = {"expression": graph.expression, "values": {**graph.values}}
            step = replace(step, graph=own)
        elif kind == "blank" and old is None:
            step = replace(step, text="Talk to your neighbour", start="values", light=())
        draft = draft.with_step(at, step)
        return self._with_question(
            draft, at, base
        ) if kind == "ask" and old is None else draft, base

    def set_pointed(self, key: str) -> None:
        """Let the chosen step light ("light") or watch ("watch") exactly what is selected."""
        graph, selection = self._document.graph, self._tools.selection
        parts = (*sorted(selection.nodes), *sorted(selection.wires))
        self.set_step(**{key: tuple(part_name(part, graph) for part in parts)})

    def _show_place(self) -> None:
        """Show the place of the chosen step; a graph of its own on a sheet of its own."""
        begun, playback = self.begun, self._tools.playback
        if begun is None or playback.now.mode.name != "stepping":
            return  # a quiz, pass by hand or training keeps the cursor
        if counterpart(self.sheet.graph, begun.graph) is None:
            self.show_step()
            return
        slide = next((slide for slide in self.slides if slide.at == self.at), None)
        place = None if slide is None else slide.place
        if place is not None:
            rules = BY_NAME.get(place.mistake, CORRECT)
            if playback.rules is not rules:
                playback.leave()  # else the reset to the start of the pass is announced
            playback.set_rules(rules)
            playback.show_place(place.phase, place.step)

    def show_step(self) -> None:
        """Show the sheet with which the chosen step begins, on a sheet of its own."""
        if (begun := self.begun) is not None:
            self._go_away(begun)
            self._emit()

    def _go_away(self, begun: Situation) -> None:
        document, sheet = self._document, practice_sheet(self.lesson, begun.graph)
        self._leave_sheet(is_try=False)
        document.open_practice(sheet, f"Step {self.at + 1}")
        self._guides.show_beginning(begun)
        document.undo_floor = len(document.done)

    def _leave_sheet(self, *, is_try: bool) -> None:
        if self._away is None:
            self._away = replace(self._guides.own_sheet(), situation=self.now)
            self._is_try = is_try
            self._document.lent_to_lecture = True  # the copy for a crash stays that of the sheet

    def come_back(self) -> None:
        """Show the sheet of the lesson again, as it was before another one was shown."""
        away, self._away = self._away, None
        if away is None:
            return
        self.recording = None
        is_try, self._is_try = self._is_try, False
        if is_try:
            self._guides.dismiss()
        self._is_returning = True
        self._guides.restore(away)
        self._is_returning = False
        self._guides.show_beginning(replace(away.situation, graph=self._document.graph))
        if is_try:
            self.tried.emit(False)
        self._emit()

    @property
    def begun(self) -> Situation | None:
        """Return the situation in which the chosen step begins; None if it can't be played."""
        played = self.reading.played.get(self.at)
        return None if played is None or played.step is None else played.step.begun

    # recording moves

    @property
    def recorded(self) -> Moves | None:
        """Return the moves of the chosen step with their situations, as it is shown."""
        step, begun = self.step, self.begun
        if self.recording is not None or step is None or begun is None:
            return self.recording
        if self._recorded is not None and self._recorded[0] is step:
            return self._recorded[1]
        return recording_of(step, begun)

    def record(self) -> None:
        """Record moves from the beginning of the chosen step, on a sheet of its own."""
        begun = self.begun
        if begun is None or self.trying:
            return
        self.come_back()
        self._go_away(begun)
        self.recording = Moves(self.now)
        self._emit()

    def stop(self) -> None:
        """Stop recording; the moves become those of Show me, and what they reach can be asked."""
        self._stop()
        self.come_back()
        self._emit()

    def _stop(self) -> None:
        """Stop recording, and keep its moves in the chosen step."""
        recording, self.recording = self.recording, None
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
        self._edit(self.draft.with_changed(self.at, **keys), "Record moves", self.at)
        kept = self.step
        if kept is not None:
            self._recorded = kept, recording

    def tick(self, key: str, entry: object, on: bool) -> None:
        """Add an entry to a list of the chosen step, or remove it; the step keeps its recording.

        The lists are those of its checks, its questions and the mistakes that are hunted.
        """
        step, recorded = self.step, self._recorded
        if step is None:
            return
        others = tuple(each for each in getattr(step, key) if each != entry)
        keys = {key: (*others, entry) if on else others}
        self._edit(self.draft.with_changed(self.at, **keys), "Edit a step", self.at)
        if recorded is not None and self.step is not None:
            self._recorded = self.step, recorded[1]

    # what can be asked here

    def questions(self) -> list[Offer]:
        """Return the questions about what is selected, where the chosen step begins."""
        step, begun = self.step, self.begun
        if step is None or begun is None:
            return []
        found = offers(begun, self._selected_part(begun), step.form)
        own = () if any(ask.get("kind") == "text" for ask in step.ask) else (_OWN_QUESTION,)
        mistake = ({"kind": "mistake"},) if begun.rules is not CORRECT else ()
        return [*found, *(Offer({**table}, "") for table in (*mistake, *own))]

    def obstacle(self) -> str:
        """Return why nothing can be asked about what is selected, where the chosen step begins."""
        step, begun = self.step, self.begun
        if step is None or begun is None or (part := self._selected_part(begun)) is None:
            return ""
        return obstacle(begun, part, step.form)

    def asked(self) -> list[Offer]:
        """Return the questions of the chosen step, with answers as far as they have one.

        Those that were unticked are listed until another step or part is selected: else the rows
        below them would move under the mouse.
        """
        step, begun = self.step, self.begun
        if step is None:
            return []
        asked = [table for table in step.ask if table.get("kind") not in OWN_KINDS]
        own = [table for table in step.ask if table not in asked]
        self._listed += [table for table in asked if table not in self._listed]
        tables = (*self._listed, *own)
        return [Offer(t, "") if begun is None else offer_of(t, begun) for t in tables]

    def _selected_part(self, begun: Situation) -> int | Wire | None:
        """Return the selected node or wire, as one of the step's graph."""
        selection = self._tools.selection
        ids = counterpart(self._document.graph, begun.graph)
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
        begun, graph = self.begun, self._document.graph
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
        self.come_back()
        self._pause.stop()
        lesson = self.reading.lesson
        if lesson is None or not lesson.steps:
            faults = self.reading.faults
            where = f"{faults[0].where}: " if faults and faults[0].where else ""
            clause = f"{where}{faults[0].clause}." if faults else "it has no step."
            self.refused.emit(_NO_TRY.format(fault=clause))
            return
        at = max(self.at, 0)
        done: tuple[Done, ...] = ("done",) * at + ("",) * (len(lesson.steps) - at)
        drawings = (self.sheet.drawing(), *lesson.drawings)
        self._leave_sheet(is_try=True)
        lesson = replace(lesson, title=self.title, drawings=drawings)
        if not self._guides.begin(learner_of(lesson, at, done)):
            self.come_back()
            return
        self.tried.emit(True)
        self._emit()

    # following

    def _follow(self, now: ViewState) -> None:
        self._follow_moves()
        if now.change != NO_CHANGE:
            self._follow_document(now.change)

    def _follow_moves(self) -> None:
        """Record the moves that lead to what the sheet shows now."""
        if self.recording is None or self._guides.active:
            return
        if self._tools.playback.lags_behind_document:
            return  # the view state of the edit follows
        found = followed(self.recording, self.now)
        if found != self.recording:
            self.recording = found
            self._emit()

    def _follow_selection(self) -> None:
        """Offer other questions; the lesson itself stays."""
        step = self.step
        self._listed = []
        if self.active and not self.trying and step is not None and step.kind == "ask":
            self.changed.emit()

    def _follow_lesson(self) -> None:
        """Come back once the lesson that is tried is left."""
        if self.trying and not self._guides.active:
            self.come_back()

    def _follow_document(self, change: Change) -> None:
        if self._is_returning:
            return
        if self._away is not None and change.opened and not self._document.home.practice:
            self._away, self.recording = None, None  # a file was opened, which ends it
            self._document.lent_to_lecture = False
        if change.opened and self._away is None:
            self._choose(-1)
            self._is_requested, self._reading = False, None
            self._emit()
            return
        if self._away is not None or not (change.lesson or change.file or change.graph):
            return
        if change.lesson:
            self._follow_chosen()
        elif self.active:
            self._pause.start()

    def _follow_chosen(self) -> None:
        """Choose the same step after undo or redo moved it; show the place of another one."""
        steps, before = self.steps, self._chosen
        same = [k for k, step in enumerate(steps) if step == before]
        if same:  # a pasted step may equal the copied one
            self._at = min(same, key=lambda k: abs(k - self._at))
        self._at = min(self._at, len(steps) - 1)
        now = self._chosen = self.step
        if self._is_editing:
            self._pause.start()
            self.changed.emit()
            return
        self._pause.stop()  # undone or done again: it is read at once
        self._emit()
        if before and now and _begun_by(now) != _begun_by(before):
            QTimer.singleShot(0, self, self._show_place)  # once all have heard of the undo

    def _emit(self) -> None:
        """Point at what the chosen step points at, and emit `changed`."""
        if self.active and not self.trying and not self._guides.active:
            self._tools.selection.set_lesson_targets(self._targets())
        self.changed.emit()

    def _targets(self) -> LessonTargets:
        """Return what the chosen step points at, as far as the sheet has it."""
        step, graph = self.step, self._document.graph
        if step is None:
            return NO_TARGETS
        found: tuple[set[int | Wire], ...] = (set(), set())
        for parts, names in zip(found, (step.light, step.watch), strict=True):
            for name in names:
                with suppress(EngineError):
                    parts.add(part_called(name, graph))
        return LessonTargets(frozenset(found[0]), frozenset(found[1]))


def _begun_by(step: StepFile) -> tuple[object, ...]:
    """Return the keys of a step by which its place on the sheet is found."""
    return step.kind, step.start, step.mistake, step.values, step.graph


def _changed_back(before: Graph, now: Graph) -> dict[int, float]:
    """Return the former numbers of the leaves that have another one now."""
    own = before.leaf_values
    return {n: own[n] for n, x in now.leaf_values.items() if n in own and own[n] != x}


def _sentence(clause: str) -> str:
    """Return a clause, such as a fault, as a sentence: with a capital and a full stop."""
    return f"{clause[:1].upper()}{clause[1:].rstrip('.')}."


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
