"""The survey: whole passes over graphs, every text of every moment read and judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from app.document.examples import examples
from engine.errors import EngineError
from engine.formats.files import load_drawing
from engine.formats.native import Drawing, GroupEntry
from engine.graph import Graph, Root
from engine.rules import CORRECT, MISTAKES
from engine.schedule import EVENT_LIMIT
from engine.trace import run
from tests.helpers.random_graphs import made_up
from tests.truth.claims import Said
from tests.truth.judge import has_number, judge
from tests.truth.moment import Moment, Run
from tests.truth.oracle import OWN, rules
from tests.truth.places import Views
from tests.truth.written import latex_texts

NAMES = (CORRECT.name, *(each.name for each in MISTAKES), *OWN)
PHASES = ("live", "forward", "backward")


class Fault(NamedTuple):
    """A text that is false or was not read, and where it was found."""

    kind: str
    place: str
    graph: str
    mistake: str
    phase: str
    cursor: int
    text: str
    why: str


@dataclass
class Tally:
    """What was read, by place and mistake, and what was wrong with it."""

    texts: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    equations: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    claims: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    faults: list[Fault] = field(default_factory=list[Fault])
    moments: int = 0

    def add(self, other: Tally) -> None:
        """Take in what another has counted."""
        self.texts += other.texts
        self.equations += other.equations
        self.claims += other.claims
        self.faults += other.faults
        self.moments += other.moments

    def read(self, said: Said, now: Moment, graph: str) -> None:
        """Read one text; its faults are kept."""
        if not has_number(said.text):
            return
        key = said.place, now.run.mistake
        found = judge(said, now)
        self.texts[key] += 1
        self.equations[key] += found.equations
        self.claims[key] += found.claims
        for kind, whys in (("false", found.false), ("unread", found.unread)):
            if whys:
                where = (graph, now.run.mistake, now.phase, now.cursor)
                self.faults.append(Fault(kind, said.place, *where, said.text, "; ".join(whys)))


def example_graphs() -> list[tuple[str, Drawing]]:
    """Every example that comes with the program."""
    return [(found.name, load_drawing(found.path)) for found in examples()]


def random_drawings(count: int, seed: int) -> list[tuple[str, Drawing]]:
    """Graphs of all kinds: tame ones, ones with infinite numbers, ones with labels that clash.

    Some have a group, open or collapsed.
    """
    found = enumerate(made_up(count, seed))
    return [(f"random {k}", Drawing(graph, {}, groups=_grouped(graph, k))) for k, graph in found]


def _grouped(graph: Graph, k: int) -> tuple[GroupEntry, ...]:
    """A group of every other node, for one graph in three; every second one collapsed."""
    nodes = sorted(n for n, part in graph.nodes.items() if not isinstance(part, Root))[k % 2 :: 2]
    if k % 3 or len(nodes) < 2:
        return ()
    return (GroupEntry(graph.next_id, "group", nodes, collapsed=k % 2 == 1),)


def is_short(graph: Graph, mistake: str, most: int = EVENT_LIMIT) -> bool:
    """Whether a pass can be run, in so many steps at most."""
    try:
        return len(run(graph, rules=rules(graph, mistake))) <= most
    except EngineError:
        return False


def survey(
    views: Views,
    name: str,
    drawing: Drawing,
    mistakes: Iterable[str] = NAMES,
    most: int = 400,
    phases: Collection[str] = PHASES,
) -> Tally:
    """Read a graph outside of a pass, forward, and backward under mistakes.

    Of a pass so many moments are read at most, evenly spread; at each moment Why and Inspector of
    all nodes at its ends, else of those that the step is about.
    """
    tally = Tally()
    views.open(drawing)
    for phase, mistake in _passes(mistakes):
        if phase not in phases:
            continue
        if phase == "backward" and not is_short(drawing.graph, mistake, 400):
            continue
        views.start(phase, mistake)
        found = Run(drawing.graph, mistake, views.style.digits)
        total = Moment(found, phase).total
        every = 1 + total // most
        for cursor in range(total + 1):
            if cursor % every == 0 or cursor == total:
                views.go(cursor)
                now = Moment(found, phase, cursor)
                _read(views, name, now, tally)
    return tally


def survey_written(name: str, graph: Graph) -> Tally:
    """Read the LaTeX derivation of a graph."""
    tally = Tally()
    now, lines = latex_texts(graph)
    for said in lines:
        tally.read(said, now, name)
    return tally


def _passes(mistakes: Iterable[str]) -> Iterator[tuple[str, str]]:
    yield "live", "correct"
    yield "forward", "correct"
    for mistake in mistakes:
        yield "backward", mistake


def _read(views: Views, name: str, now: Moment, tally: Tally) -> None:
    tally.moments += 1
    views.selection.choose(())
    for said in (*views.texts(), *views.code()):
        tally.read(said, now, name)
    for node in _looked_at(now):
        for said in views.of(node):
            tally.read(said, now, name)
    for said in views.groups():
        tally.read(said, now, name)


def _looked_at(now: Moment) -> Iterable[int]:
    nodes = now.graph.nodes
    step = now.step
    if now.phase == "live" or now.cursor in (0, now.total) or len(nodes) < 6:
        return list(nodes)
    if step is None:
        return now.run.ops[now.cursor - 1 : now.cursor]
    firing = [] if step.wire is None else [step.wire[0]]
    return [step.node, *firing, *(n for n in nodes if isinstance(nodes[n], Root))]
