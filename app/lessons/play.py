"""Play: every step of a lesson once, with its task shown, which proves that it can be done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from app.lessons.checks import holds, said, shows, told
from app.lessons.faults import Faults, one_of, quoted
from app.lessons.lesson import Ask, Check, Move, Step
from app.lessons.lines import KeyPath
from app.lessons.markup import live, parts
from app.lessons.parsing import (
    check_of,
    leaf_called,
    mistake_called,
    move_of,
    number_of,
    part_called,
    start_of,
)
from app.lessons.questions import OWN, ask_of, question_of, refusal
from app.lessons.schema import (
    KEYS_OF_KIND,
    LEFT,
    NEEDED,
    PANELS,
    PARAGRAPH,
    PARAGRAPHS,
    SettingsFile,
    StepFile,
)
from app.lessons.situation import (
    Situation,
    moved,
    placed,
    situation_of,
    trace_of,
    with_rules,
    with_values,
)
from engine.errors import EngineError
from engine.graph import Graph, Wire
from engine.rules import BY_NAME, CORRECT, Rules
from engine.study.beginning import SMALL, is_small

SETTINGS: Final = SettingsFile.__struct_fields__
MOST_EPOCHS: Final = 1_000
"""Epochs of all steps together, so that a lesson is played within a second."""
NODES_OF_AN_EPOCH: Final = 20
"""Nodes of a graph whose update takes as long as an epoch of a network."""


class Played(Struct, frozen=True):
    """A step and the situation that it leaves behind."""

    step: Step | None
    left: Situation


class Player:
    """Plays steps one after the other; each begins as the one before left the sheet."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._epochs = 0

    def read(self, table: dict[str, Any], path: KeyPath) -> StepFile | None:
        """Return the keys of a step; None, and faults are added, if they are too wrong."""
        file = self._faults.table(StepFile, table, path)
        if file is not None:
            self._check_keys(file, table, path)
        return file

    def play(self, file: StepFile, path: KeyPath, graph: Graph | None, before: Situation) -> Played:
        """Play a step; `graph` is its own, or None. Faults are added."""
        begun = self._begun(file, path, graph, before)
        if begun is None:
            return Played(None, before)
        moves, after = self._moves(file, path, begun)
        checks = self._checks(file, path, begun, after)
        asks = self._asks(file, path, begun)
        graphs = (begun.graph, after[-1].graph)
        self._check_texts(file, path, graphs)
        step = Step(
            kind=file.kind,
            title=file.title,
            text=file.text,
            begun=begun,
            task=file.task,
            hint=file.hint,
            notes=file.notes,
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
            mistakes=self._mistakes(file, path, begun.graph),
            settings={key: getattr(begun, key) for key in file.settings if key in SETTINGS},
            sets_graph=bool(graph or file.start or file.values or file.mistake),
        )
        return Played(step, self._left(file, begun, after[-1], asks))

    def _check_keys(self, file: StepFile, table: Mapping[str, Any], path: KeyPath) -> None:
        for key in table:
            kinds = [kind for kind, keys in KEYS_OF_KIND.items() if key in keys]
            if kinds and file.kind not in kinds:
                clause = f"{key} belongs to kind {' or '.join(kinds)}, and this is {file.kind}"
                self._faults.add((*path, key), clause, within=path)
        for key in NEEDED[file.kind]:
            if not table.get(key):
                self._faults.add(path, f"a step of kind {file.kind} needs {key}")
        if file.kind == "hunt" and "mistake" in table:
            self._faults.add((*path, "mistake"), "a hunt draws its mistake; leave this out")

    # where the step begins

    def _begun(
        self, file: StepFile, path: KeyPath, graph: Graph | None, before: Situation
    ) -> Situation | None:
        """Return where a step begins; None if it can't."""
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
            )
        place = path
        try:
            place = (*path, "values")
            if file.values:
                situation = with_values(situation, self._values(file, path, situation.graph))
            place = (*path, "mistake")
            if file.mistake:
                situation = with_rules(situation, rules_called(file.mistake))
            place = (*path, "settings")
            situation = self._with_settings(situation, file, path)
            place = (*path, "start")
            start, cursor = start_of(file.start)
            if start == "training" and len(situation.sizes) < 2:
                raise EngineError("training needs settings = { sizes = [2, 8, 1] }")
            if start in ("descent", "training"):
                self._spend(situation.epochs, replace(situation, mode=start, epochs=0))
            return placed(situation, start, cursor)
        except EngineError as error:
            self._faults.add(place, error)
            return None

    def _values(self, file: StepFile, path: KeyPath, graph: Graph) -> dict[int, float]:
        found: dict[int, float] = {}
        for name, value in file.values.items():
            try:
                found[leaf_called(name, graph)] = number_of(value)
            except EngineError as error:
                self._faults.add((*path, "values", name), error)
        return found

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
        given = {key: getattr(found, key) for key in SETTINGS}
        return replace(
            situation, **{key: value for key, value in given.items() if value is not LEFT}
        )

    def _spend(self, epochs: int, situation: Situation) -> None:
        """Count epochs; EngineError once a lesson takes too many of them to be played."""
        if situation.mode == "training":
            self._epochs += situation.epochs + epochs  # trained from the beginning each time
        else:
            self._epochs += epochs * len(situation.graph.nodes) // NODES_OF_AN_EPOCH
        if self._epochs > MOST_EPOCHS:
            raise EngineError("all steps together take more than {most:,} epochs", most=MOST_EPOCHS)

    # what is done in it

    def _moves(
        self, file: StepFile, path: KeyPath, begun: Situation
    ) -> tuple[tuple[Move, ...], tuple[Situation, ...]]:
        """Return the moves of Show me, and the situations before, between and after them."""
        moves, situations = list[Move](), [begun]
        for text in file.show if file.kind == "do" else ():
            try:
                move = move_of(text, situations[-1].graph)
                if move.verb in ("epochs", "update"):
                    self._spend(int(move.number) or 1, situations[-1])
                situations.append(moved(situations[-1], move))
                moves.append(move)
            except EngineError as error:
                self._faults.add((*path, "show"), f'"{quoted(text)}": {error}')
                break
        return tuple(moves), tuple(situations)

    def _checks(
        self, file: StepFile, path: KeyPath, begun: Situation, after: tuple[Situation, ...]
    ) -> tuple[Check, ...]:
        """Return the checks of a step, each of them false at first and true once shown."""
        found: list[Check] = []
        for table in file.check if file.kind in ("do", "free") else ():
            try:
                check = check_of(table, begun.graph, after[-1].graph)
            except EngineError as error:
                self._faults.add((*path, "check"), error)
                continue
            found.append(check)
            if holds(check, begun):
                clause = f"{said(check, begun)} before anything is done"
                self._faults.add((*path, "check"), clause)
            elif len(after) > len(file.show) > 0 and not any(holds(check, s) for s in after):
                shown = ", ".join(f'"{quoted(text)}"' for text in file.show)
                clause = f"after show = [{shown}] {told(check, after[-1])}"
                self._faults.add((*path, "show"), clause, within=path)
        return tuple(found)

    def _asks(self, file: StepFile, path: KeyPath, begun: Situation) -> tuple[Ask, ...]:
        found: list[Ask] = []
        if file.friendly and not is_small(len(begun.graph.nodes)):
            clause = f"numbers are drawn for graphs of up to {SMALL} nodes"
            self._faults.add((*path, "friendly"), clause)
        for k, table in enumerate(file.ask if file.kind == "ask" else ()):
            place = (*path, "ask", k)
            ask = ask_of(table, begun.graph, place, self._faults)
            if ask is None:
                continue
            found.append(ask)
            if clause := refusal(ask, begun, file.form == "choices"):
                self._faults.add(place, clause)
            for text in (ask.text, *(choice.say for choice in ask.choices)):
                self._check_markup(text, place, (begun.graph,))
        return tuple(found)

    def _left(
        self, file: StepFile, begun: Situation, after: Situation, asks: tuple[Ask, ...]
    ) -> Situation:
        """Return what a step leaves behind: after its moves, its questions or its hunt."""
        if file.kind == "hunt":
            return placed(replace(begun, rules=CORRECT), "values")
        if file.kind == "ask" and begun.phase == "backward" and begun.hand is None:
            trace = trace_of(begun)
            steps = [begun.cursor]
            for ask in asks:
                if ask.kind not in OWN:
                    try:
                        steps.append(question_of(ask, trace, begun.cursor).step)
                    except EngineError:
                        continue
            return placed(begun, "backward", max(steps))
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
            if rules is CORRECT or not shows(graph, rules):
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

    def _panel(self, file: StepFile, path: KeyPath) -> str:
        if file.panel and file.panel not in PANELS:
            clause = f'"{quoted(file.panel)}" is no page; {one_of(PANELS)}'
            self._faults.add((*path, "panel"), clause)
        return file.panel

    def _check_texts(self, file: StepFile, path: KeyPath, graphs: tuple[Graph, ...]) -> None:
        paragraphs = [part.strip() for part in file.text.split("\n\n")]
        if len(paragraphs) > PARAGRAPHS:
            clause = f"it has {len(paragraphs)} paragraphs; {PARAGRAPHS} is the limit"
            self._faults.add((*path, "text"), clause)
        longest = max(map(len, paragraphs))
        if longest > PARAGRAPH:
            clause = f"a paragraph has {longest:,} characters; {PARAGRAPH} is the limit"
            self._faults.add((*path, "text"), clause)
        for key in ("title", "text", "task", "hint"):
            self._check_markup(getattr(file, key), (*path, key), graphs)

    def _check_markup(self, text: str, path: KeyPath, graphs: tuple[Graph, ...]) -> None:
        try:
            for part in parts(text):
                if part.kind == "live" and not any(_has_live(part.text, g) for g in graphs):
                    live(part.text, graphs[0])
        except EngineError as error:
            self._faults.add(path, error)


def rules_called(name: str) -> Rules:
    """Return the rules of a mistake by name, or the right ones for "none"."""
    return BY_NAME.get(mistake_called(name), CORRECT)


def _has_live(text: str, graph: Graph) -> bool:
    try:
        live(text, graph)
    except EngineError:
        return False
    return True
