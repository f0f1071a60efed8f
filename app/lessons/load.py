"""Load: read a lesson from a TOML file, or all its faults; each step is played as a test.

    lesson(name)            a lesson of the course, ready to be begun
    load_lesson(path)       that in any file; FormatError if it has a fault
    problems(path)          all faults, for `backwire lessons --check`
    reading_of(text, path)  faults and steps of a text not saved yet, for the recorder

No code of a file is run: formulas and moves are parsed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from app.lessons.course import MOST_LESSON_STEPS, names, path_of
from app.lessons.lesson import Ask, Check, Lesson, Move, Step, live_number, text_pieces
from app.lessons.lesson_faults import Fault, Faults, KeyPath, meant, meant_or_one_of, one_of, quoted
from app.lessons.parsing import (
    KEYS_OF_KIND,
    LINE_LIMIT,
    MISTAKE_NAMES,
    PANELS,
    PARAGRAPH_LENGTH,
    PARAGRAPH_LIMIT,
    REQUIRED_KEYS,
    UNSET,
    GraphReader,
    LessonFile,
    RippleFile,
    SettingsFile,
    StepFile,
    check_of,
    leaf_called,
    leaf_values,
    mistake_called,
    move_of,
    number_of,
    part_called,
    ripple_of,
    start_of,
)
from app.lessons.questions import (
    GUESSED,
    NOT_OF_ENGINE,
    ask_of,
    question_of,
    refusal,
    with_mistakes,
)
from app.lessons.situation import (
    PlaneFile,
    Situation,
    after_move,
    at_start,
    plane_learner,
    situation_of,
    trace_of,
    with_rules,
    with_values,
)
from app.lessons.step_checks import failure_text, holds, is_visible_mistake, success_text, work_of
from app.lessons.toml_file import MOST_WORK, TOO_SLOW, fault_of, has_version, parsed, tables_of
from engine.asking.beliefs import BY_NAME as BELIEFS
from engine.asking.first_numbers import SMALL, is_small
from engine.asking.nudge import RippleRequest
from engine.errors import EngineError, FormatError
from engine.formats.files import read_content, shown_name
from engine.formats.native import Drawing
from engine.graph import Graph, Wire
from engine.rules import BY_NAME, CORRECT, Rules


@cache
def lesson(name: str) -> Lesson:
    """Return a lesson of the course, played through once."""
    return load_lesson(path_of(name))


def load_lesson(path: Path) -> Lesson:
    """Return the lesson in a file; FormatError with the first fault and the number of others."""
    lesson, faults = _read(path)
    if lesson is None:
        first = faults[0].line_text(shown_name(path))
        raise FormatError("{first}", first=first)
    return lesson


def problems(path: Path) -> tuple[str, ...]:
    """Return the faults of a file, one line each."""
    name = shown_name(path)
    return tuple(fault.line_text(name) for fault in _read(path)[1])


class Reading(Struct, frozen=True):
    """A lesson as far as it could be read: its faults, and its steps that could be played.

    `lesson` is None if there are faults; `played` has the index of each step that was played.
    """

    lesson: Lesson | None
    faults: tuple[Fault, ...]
    played: Mapping[int, Played]

    def for_room(self, title: str, drawing: Drawing) -> Lesson | None:
        """Return the lesson with all its steps, also those with a fault; None without any step.

        It has the title if it has none of its own, and the layout of `drawing`.
        """
        if not self.played:
            return None
        drawing = dataclasses.replace(drawing, lesson="", task=None)
        steps = list[Step]()
        for at, played in sorted(self.played.items()):
            clauses = (each.clause for each in self.faults if each.step == at)
            fault = next(clauses, "").partition("; ")[0]
            step = played.step or Step("say", "", "", played.left_behind)
            steps.append(replace(step, fault=fault))
        head = self.lesson or Lesson("", title, "", "", 0, drawing.graph, ())
        drawings = (drawing, *head.drawings)
        return replace(head, title=head.title or title, steps=tuple(steps), drawings=drawings)


def reading_of(text: str, path: Path, graph: Graph | None = None) -> Reading:
    """Return the reading of a text that is not saved yet; `path` is where it belongs.

    With `graph` it is the lesson of a sheet, which has no graph of its own.
    """
    try:
        table, faults = parsed(text.encode("utf-8"))
    except FormatError as error:
        return Reading(None, (fault_of(error),), {})
    reader = _LessonReader(path, table, faults, graph)
    lesson = reader.lesson(digest="")  # of a draft no progress is kept
    return Reading(None if faults.count else lesson, faults.found, reader.played)


def _read(path: Path) -> tuple[Lesson | None, tuple[Fault, ...]]:
    try:
        content = read_content(path)
        table, faults = parsed(content)
    except FormatError as error:
        return None, (fault_of(error),)
    lesson = _LessonReader(path, table, faults).lesson(digest=sha256(content).hexdigest())
    return (None, faults.found) if faults.count or lesson is None else (lesson, ())


class _LessonReader:
    """Reads the tables of one file."""

    def __init__(
        self, path: Path, table: dict[str, Any], faults: Faults, graph: Graph | None = None
    ) -> None:
        self._path, self._table, self._faults = path, table, faults
        self._sheet_graph = graph
        self._graphs = GraphReader(path, faults)
        self.played: dict[int, Played] = {}
        """The steps that could be played, by their indices."""

    def lesson(self, digest: str) -> Lesson | None:
        """Return the lesson; None where its tables are too wrong to be played."""
        if not has_version(self._table, self._faults):
            return None
        if "mark" in self._table:
            self._faults.add(("mark",), "it has [[mark]]; a lesson has [[step]]", within=())
            return None
        table = self._table
        if self._sheet_graph is not None:
            table: dict[str, Any] = {**table, "graph": {}, "title": table.get("title") or "-"}
        file = self._faults.table(LessonFile, table, ())
        if file is not None:
            self._check_names(file)
        graph = self._sheet_graph
        if graph is None:
            graph = self._graph(self._table.get("graph"), ("graph",))
        steps = self._steps(tables_of(self._table.get("step")), graph)
        if file is None or graph is None:
            return None
        return Lesson(
            name=self._path.stem,
            title=file.title if self._sheet_graph is None else self._table.get("title", ""),
            able=file.able,
            surprise=file.surprise,
            minutes=file.minutes,
            graph=graph,
            steps=tuple(steps),
            needs=file.needs,
            attacks=file.attacks,
            digest=digest,
            path=self._path,
            drawings=tuple(self._graphs.drawings),
            stays=file.end == "stays",
            address=file.address,
        )

    def _graph(self, table: object, path: KeyPath) -> Graph | None:
        """Return the graph in a table; None, with faults added, if there is an error."""
        drawing = self._graphs.drawing(table, path)
        return None if drawing is None else drawing.graph

    def _check_names(self, file: LessonFile) -> None:
        known = names()
        for name in file.needs:
            if name not in known:
                self._faults.add(
                    ("needs",), f'"{quoted(name)}" is no lesson; {meant_or_one_of(name, known)}'
                )
        for name in file.attacks:
            if name not in BELIEFS and name not in MISTAKE_NAMES:
                hint = meant(name, (*BELIEFS, *MISTAKE_NAMES)) or "docs/lessons.md lists them"
                clause = f'"{quoted(name)}" is neither a slip nor a mistake; {hint}'
                self._faults.add(("attacks",), clause)

    def _steps(self, tables: list[dict[str, Any]], graph: Graph | None) -> list[Step]:
        """Return the steps that could be played; after a graph that is wrong they are only read."""
        count = len(tables)
        if "step" in self._table and not 1 <= count <= MOST_LESSON_STEPS:
            clause = f"a lesson has 1 to {MOST_LESSON_STEPS} steps, not {count:,}"
            self._faults.add(("step",), clause)
        is_of_file = self._sheet_graph is None
        steps, player = list[Step](), _StepPlayer(self._faults, needs_slips=is_of_file)
        situation = first = None if graph is None else situation_of(graph)
        carries = self._table.get("carries") is not False
        for k, table in enumerate(tables[:MOST_LESSON_STEPS]):
            path: KeyPath = ("step", k)
            file = player.read(table, path)
            own = self._graph(table.get("graph"), (*path, "graph")) if "graph" in table else None
            if "graph" in table:  # steps can be played again, also after a wrong graph of the head
                situation = None if own is None else situation or situation_of(own)
            if not carries:
                situation = first
            if situation is None:
                continue
            if file is None:
                self.played[k] = Played(None, situation)
                continue
            played = player.play(file, path, own, situation)
            situation, self.played[k] = played.left_behind, played
            if played.step is not None:
                steps.append(played.step)
        return steps


SETTINGS: Final = SettingsFile.__struct_fields__
"""The names of the settings, which are also fields of Situation."""
MOST_EPOCHS: Final = 1_000
"""Most epochs of all steps together, so that a lesson is played within a second."""
NODES_OF_AN_EPOCH: Final = 20
"""Nodes of a graph whose update takes as long as an epoch of a network."""
WORK_OF_CHOICES: Final = 3
"""Times that slips carry each node's number on to each other node, to compute the choices."""
MOST_WORK_OF_CHECKS: Final = 12_000
"""Most nodes computed for the checks of one step: a learner's every move computes them again."""


class Played(Struct, frozen=True):
    """A step and the situation that it leaves behind; `step` is None if it can't be entered."""

    step: Step | None
    left_behind: Situation


class _StepPlayer:
    """Plays steps one after the other; each begins as the one before left the sheet."""

    def __init__(self, faults: Faults, *, needs_slips: bool) -> None:
        self._faults = faults
        self._needs_slips = needs_slips
        """Whether a question with choices is wrong where no slip gives one: on a sheet, whose
        numbers change, it is asked for a number then."""
        self._epochs = 0
        """Epochs and updates of the steps played before."""
        self._work = 0
        """Nodes computed for them."""

    def read(self, table: dict[str, Any], path: KeyPath) -> StepFile | None:
        """Return the keys of a step; None, with faults added, if they don't match the schema."""
        file = self._faults.table(StepFile, table, path)
        if file is not None:
            self._check_keys(file, table, path)
        return file

    def play(self, file: StepFile, path: KeyPath, graph: Graph | None, before: Situation) -> Played:
        """Play a step; `graph` is its own, or None. Faults are added."""
        begun = self._begun(file, path, graph, before)
        if begun is None:
            return Played(None, before)
        moves, situations = self._moves(file, path, begun)
        checks = self._checks(file, path, situations)
        asks = self._asks(file, path, begun)
        graphs = (begun.graph, situations[-1].graph)
        self._check_texts(file, path, graphs)
        step = Step(
            kind=file.kind,
            title=file.title,
            text=file.text,
            begun=begun,
            task=file.task,
            hint=file.hint,
            notes=file.notes,
            timer=file.timer,
            reveal=file.reveal,
            start=file.start,
            mistake=rules_called(file.mistake) if file.mistake else None,
            lit=self._parts(file.light, (*path, "light"), graphs),
            watched=self._parts(file.watch, (*path, "watch"), graphs),
            sliders=self._sliders(file, path, begun.graph),
            panel=self._panel(file, path),
            checks=checks,
            moves=moves,
            asks=asks,
            form=file.form,
            friendly=file.friendly,
            guess=file.guess,
            ripple=self._ripple(file, path, begun),
            mistakes=self._mistakes(file, path, begun.graph),
            settings={key: getattr(begun, key) for key in file.settings if key in SETTINGS},
            sets_graph=bool(graph or file.start or file.values or file.mistake),
        )
        return Played(step, self._situation_after(file, begun, situations[-1], asks))

    def _check_keys(self, file: StepFile, table: Mapping[str, Any], path: KeyPath) -> None:
        for key in table:
            kinds = [kind for kind, keys in KEYS_OF_KIND.items() if key in keys]
            if kinds and file.kind not in kinds:
                clause = f"{key} belongs to kind {' or '.join(kinds)}, and this is {file.kind}"
                self._faults.add((*path, key), clause, within=path)
        for key in REQUIRED_KEYS[file.kind]:
            if not table.get(key):
                self._faults.add(path, f"a step of kind {file.kind} needs {key}")
        if file.kind == "hunt" and "mistake" in table:
            self._faults.add((*path, "mistake"), "a hunt draws its mistake; leave this out")

    # where the step begins

    def _begun(
        self, file: StepFile, path: KeyPath, graph: Graph | None, before: Situation
    ) -> Situation | None:
        """Return the situation in which a step begins; None, with a fault added, on an error."""
        situation = before
        if graph is not None:
            fresh = situation_of(graph)
            situation = replace(
                before,
                graph=graph,
                phase="live",
                cursor=0,
                rules=CORRECT,
                frame=fresh.frame,
                hand=None,
                mode="",
                plane=None,
            )
        key_path = path  # of the key that is read: an EngineError is its fault
        try:
            key_path = (*path, "values")
            if file.values:
                values = leaf_values(file.values, situation.graph, path, self._faults)
                situation = with_values(situation, values)
            key_path = (*path, "mistake")
            if file.mistake:
                situation = with_rules(situation, rules_called(file.mistake))
            key_path = (*path, "settings")
            situation = self._with_settings(situation, file, path)
            key_path = (*path, "plane")
            situation = self._with_plane(situation, file, path)
            key_path = (*path, "start")
            start, cursor = start_of(file.start, situation, asks=file.kind == "ask")
            if start == "training" and len(situation.sizes) < 2:
                raise EngineError("training needs settings = { sizes = [2, 8, 1] }")
            if start in ("descent", "training"):
                self._count_epochs(situation.epochs, replace(situation, mode=start, epochs=0))
            return at_start(situation, start, cursor)
        except EngineError as error:
            self._faults.add(key_path, error)
            return None

    def _with_settings(self, situation: Situation, file: StepFile, path: KeyPath) -> Situation:
        if not file.settings:
            return situation
        found = self._faults.table(SettingsFile, file.settings, (*path, "settings"))
        if found is None:
            return situation
        if found.sizes and (found.sizes[0], found.sizes[-1]) != (2, 1):
            clause = "a network of a lesson learns XOR: sizes begin with 2 and end with 1"
            self._faults.add((*path, "settings", "sizes"), clause)
            return situation
        settings = {key: getattr(found, key) for key in SETTINGS}
        return replace(
            situation, **{key: value for key, value in settings.items() if value is not UNSET}
        )

    def _with_plane(self, situation: Situation, file: StepFile, path: KeyPath) -> Situation:
        """Return the situation with the plane of a step; EngineError if its graph is another."""
        plane = self._faults.table(PlaneFile, file.plane, (*path, "plane")) if file.plane else None
        if plane is None:
            return situation
        if (plane.sizes[0], plane.sizes[-1]) != (2, 1):
            raise EngineError("a plane has two inputs: sizes begin with 2 and end with 1")
        learner = plane_learner(plane)
        if plane.sample > len(learner.samples):
            raise EngineError("there are {count} samples", count=len(learner.samples))
        inputs = learner.samples[plane.sample - 1].inputs
        named = (situation.graph.node_named(name) or 0 for name in ("x1", "x2"))
        found = tuple(map(situation.known_frame.values.get, named))
        if learner.state_of(situation.graph) is None or found != inputs:
            raise EngineError("the graph does not compute o of this sample from x1 and x2")
        return replace(situation, plane=plane)

    def _count_epochs(self, epochs: int, situation: Situation) -> None:
        """Count epochs; EngineError once a lesson takes too many of them to be played."""
        if situation.mode == "training":
            self._epochs += situation.epochs + epochs  # trained from the beginning each time
        else:
            self._epochs += epochs * len(situation.graph.nodes) // NODES_OF_AN_EPOCH
        if self._epochs > MOST_EPOCHS:
            raise EngineError("all steps together take more than {most:,} epochs", most=MOST_EPOCHS)

    def _count_work(self, nodes: int) -> None:
        """Count computed nodes; EngineError once a lesson takes too many of them to be played."""
        self._work += nodes
        if self._work > MOST_WORK:
            raise EngineError(TOO_SLOW)

    # what is done in it

    def _moves(
        self, file: StepFile, path: KeyPath, begun: Situation
    ) -> tuple[tuple[Move, ...], tuple[Situation, ...]]:
        """Return the moves of Show me, and the situations before, between and after them.

        After a move that can't be made, neither has the moves behind it.
        """
        moves, situations = list[Move](), [begun]
        for text in file.show if file.kind == "do" else ():
            try:
                move = move_of(text, situations[-1].graph)
                if move.verb in ("epochs", "update"):
                    epochs = int(move.number) or 1  # an update has no number
                    self._count_epochs(epochs, situations[-1])
                self._count_work(len(situations[-1].graph.nodes))
                situations.append(after_move(situations[-1], move))
                moves.append(move)
            except EngineError as error:
                self._faults.add((*path, "show"), f'"{quoted(text)}": {error}')
                break
        return tuple(moves), tuple(situations)

    def _checks(
        self, file: StepFile, path: KeyPath, situations: tuple[Situation, ...]
    ) -> tuple[Check, ...]:
        """Return the checks of a step, each of them false at first and true once shown."""
        found: list[Check] = []
        begun, end = situations[0], situations[-1]
        was_shown = bool(file.show) and len(situations) > len(file.show)  # no move has failed
        work_of_all = 0
        for table in file.check if file.kind in ("do", "free") else ():
            try:
                check = check_of(table, begun.graph, end.graph)
                work = max(work_of(check, begun.graph), work_of(check, end.graph))
                work_of_all += work
                if work_of_all > MOST_WORK_OF_CHECKS:
                    raise EngineError(TOO_SLOW)
                self._count_work(work * (len(situations) + 1))  # `begun` is examined twice
            except EngineError as error:
                self._faults.add((*path, "check"), error)
                continue
            found.append(check)
            if holds(check, begun):
                clause = f"{success_text(check, begun)} before anything is done"
                self._faults.add((*path, "check"), clause)
            elif was_shown and not any(holds(check, each) for each in situations):
                shown = ", ".join(f'"{quoted(text)}"' for text in file.show)
                clause = f"after show = [{shown}] {failure_text(check, end)}"
                self._faults.add((*path, "show"), clause, within=path)
        return tuple(found)

    def _asks(self, file: StepFile, path: KeyPath, begun: Situation) -> tuple[Ask, ...]:
        found: list[Ask] = []
        by_choices = file.form == "choices" and self._needs_slips
        if file.friendly and not is_small(len(begun.graph.nodes)):
            clause = f"numbers are drawn for graphs of up to {SMALL} nodes"
            self._faults.add((*path, "friendly"), clause)
        for k, table in enumerate(file.ask if file.kind == "ask" else ()):
            place = (*path, "ask", k)
            ask = ask_of(table, begun.graph, place, self._faults)
            if ask is None:
                continue
            nodes = len(begun.graph.nodes)
            try:
                self._count_work(WORK_OF_CHOICES * nodes**2 if by_choices else nodes)
            except EngineError as error:
                self._faults.add(place, error)
                continue
            ask = with_mistakes(ask, begun)
            found.append(ask)
            if file.guess and ask.kind not in GUESSED:
                clause = f"{ask.kind} can't be guessed; {one_of(GUESSED)}"
                self._faults.add((*place, "kind"), clause)
            if clause := refusal(ask, begun, by_choices=by_choices):
                self._faults.add(place, clause)
            for text in (ask.text, *(choice.say for choice in ask.choices)):
                self._check_markup(text, place, (begun.graph,))
        return tuple(found)

    def _situation_after(
        self, file: StepFile, begun: Situation, after: Situation, asks: tuple[Ask, ...]
    ) -> Situation:
        """Return the situation after a step: after its moves, its questions or its hunt."""
        if file.kind == "hunt":  # it ends on the sheet at rest, its mistake mended
            return at_start(replace(begun, rules=CORRECT), "values")
        # by hand (`hand`) the learner's own order is the pass, and nothing is stepped
        if file.kind == "ask" and begun.phase == "backward" and begun.hand is None:
            # the learner has stepped to the last question
            trace = trace_of(begun)
            steps = [begun.cursor]
            for ask in asks:
                if ask.kind not in NOT_OF_ENGINE:
                    try:
                        steps.append(question_of(ask, trace, begun.cursor).step)
                    except EngineError:
                        continue
            return at_start(begun, "backward", max(steps))
        return after

    # what is named and said

    def _mistakes(self, file: StepFile, path: KeyPath, graph: Graph) -> tuple[Rules, ...]:
        found: list[Rules] = []
        for name in file.hunt if file.kind == "hunt" else ():
            try:
                rules = rules_called(name)
            except EngineError as error:
                self._faults.add((*path, "hunt"), error)
                continue
            if rules is CORRECT or not is_visible_mistake(graph, rules):
                self._faults.add((*path, "hunt"), f"{name} changes no gradient of this graph")
            found.append(rules)
        return tuple(found)

    def _parts(
        self, names: tuple[str, ...], path: KeyPath, graphs: tuple[Graph, ...]
    ) -> tuple[int | Wire, ...]:
        found: list[int | Wire] = []
        for name in names:
            try:
                found.append(part_called(name, *graphs))
            except EngineError as error:
                self._faults.add(path, error)
        return tuple(found)

    def _sliders(
        self, file: StepFile, path: KeyPath, graph: Graph
    ) -> Mapping[int, tuple[float, float]]:
        found: dict[int, tuple[float, float]] = {}
        for name, (low, high) in file.slider.items():
            try:
                leaf = leaf_called(name, graph)
                if not number_of(low) < number_of(high):
                    raise EngineError("{name}: a range goes up, as in [-4, 0]", name=name)
                found[leaf] = (low, high)
            except EngineError as error:
                self._faults.add((*path, "slider"), error)
        return found

    def _ripple(self, file: StepFile, path: KeyPath, begun: Situation) -> RippleRequest | None:
        table = self._faults.table(RippleFile, file.ripple, (*path, "ripple"))
        if not file.ripple or table is None:
            return None
        try:
            return ripple_of(table, begun.graph, begun.known_frame.values)
        except EngineError as error:
            self._faults.add((*path, "ripple"), error)
            return None

    def _panel(self, file: StepFile, path: KeyPath) -> str:
        if file.panel and file.panel not in PANELS:
            clause = f'"{quoted(file.panel)}" is no page; {one_of(PANELS)}'
            self._faults.add((*path, "panel"), clause)
        return file.panel

    def _check_texts(self, file: StepFile, path: KeyPath, graphs: tuple[Graph, ...]) -> None:
        paragraphs = [part.strip() for part in file.text.split("\n\n")]
        if len(paragraphs) > PARAGRAPH_LIMIT:
            clause = f"it has {len(paragraphs)} paragraphs; {PARAGRAPH_LIMIT} is the limit"
            self._faults.add((*path, "text"), clause)
        longest = max(map(len, paragraphs))
        if longest > PARAGRAPH_LENGTH:
            clause = f"a paragraph has {longest:,} characters; {PARAGRAPH_LENGTH} is the limit"
            self._faults.add((*path, "text"), clause)
        if file.kind == "blank" and len(file.text) > LINE_LIMIT:
            clause = f"a blank screen has one line of up to {LINE_LIMIT} characters"
            self._faults.add((*path, "text"), clause)
        for key in ("title", "text", "task", "hint"):
            self._check_markup(getattr(file, key), (*path, key), graphs)

    def _check_markup(self, text: str, path: KeyPath, graphs: tuple[Graph, ...]) -> None:
        try:
            for piece in text_pieces(text):
                if piece.kind == "live" and not any(_has_number(piece.text, g) for g in graphs):
                    live_number(piece.text, graphs[0])  # raises the reason
        except EngineError as error:
            self._faults.add(path, error)


def rules_called(name: str) -> Rules:
    """Return the rules of a mistake by name, or the right ones for "none"."""
    return BY_NAME.get(mistake_called(name), CORRECT)


def _has_number(text: str, graph: Graph) -> bool:
    try:
        live_number(text, graph)
    except EngineError:
        return False
    return True
