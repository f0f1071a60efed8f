"""Recordings: what came back from a program that ran, read strictly; and what is told of the run.

`app/runner/runner.py` writes a line of JSON for each backward pass, and one for the end. All of it
is of a program's making, so nothing is trusted: types, bounds and every index are checked.

>>> line = '{"ended": "ok", "passes": 0, "classes": []}'
>>> found = read_back(line)
>>> told(found)
('No number in it is a Value.',)
"""

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import force_setattr, replace

from engine.errors import FormatError, one_line
from engine.formats.native import DEPTH_LIMIT, NODE_LIMIT
from engine.names import is_plain_line
from engine.numbers import counted, short

_TEXT_LIMIT, _SENTENCE_LIMIT = 300, 1_000
"""Most characters of a text of the program's making, and of a sentence about it."""
_LISTED = Meta(max_length=100)
"""Most errors and the like that are told of a run."""

Status = Literal["ok", "time", "stopped", "memory", "killed", "exit", "start"]
"""How a run ended: by itself, by its bounds or its user, or not at all."""
LineNumber = Annotated[int, Meta(ge=0, lt=1 << 31)]
Count = Annotated[int, Meta(ge=0, lt=1 << 53)]
Argument = int | tuple[float | None]
"""An argument of a call: the index of a node, or a number of its own."""


class Seen(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """A node of a program's graph: `kids` are the indices of its operands.

    `before` and `after` are its gradient around the pass. `label` is what the program calls it,
    `name` the shortest path to it, `sign` and `method` its operation, `args` those of the call.
    `then` is the data of those that are nodes, when it was made. `slopes` were found by running the
    node's own step; to the operands in `assigns` it uses = for +=. `site` is the index of its
    calls, or -1.
    """

    kids: tuple[int, ...]
    data: float
    before: float | None
    after: float | None
    label: str
    name: str
    sign: str
    method: str
    args: tuple[Argument, ...]
    slopes: tuple[float, ...] | None
    assigns: tuple[int, ...]
    site: int
    then: tuple[float | None, ...] = ()

    def __post_init__(self) -> None:
        label = " ".join(self.label.split())
        label = label if is_plain_line(label) else ""  # a name is better than half of one
        force_setattr(self, "label", label[:_TEXT_LIMIT])
        _make_plain(self, "name", "sign", "method")


class Place(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A line of a program: the title of its cell or file, its number and its text."""

    title: str
    line: LineNumber
    text: str

    def __post_init__(self) -> None:
        _make_plain(self, "title", "text")

    def __str__(self) -> str:
        return f"{self.title}, line {self.line}" if self.line else self.title


class Call(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A call around a node: what was called, which call it is, and the line that called it.

    `cell` is the title of the cell or file of that line, "" where none is known.
    """

    title: str
    serial: Count
    cell: str = ""
    line: LineNumber = 0

    def __post_init__(self) -> None:
        _make_plain(self, "title", "cell")


class Trial(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """An operation of one number, tried elsewhere: rows of input, value and slope."""

    method: str
    args: tuple[float, ...]
    rows: Annotated[tuple[tuple[float, float | None, float | None], ...], _LISTED]

    def __post_init__(self) -> None:
        _make_plain(self, "method")


class Recording(Struct, frozen=True, forbid_unknown_fields=True):
    """One backward pass of a program: its nodes, operands first, so that the root is the last.

    `number` counts the passes of the program from 1; it is 0 if no pass was seen, and this is the
    largest graph that was made. `times` is how often the line `where` started a pass, of which this
    is the `nth`. `sites` are the calls around nodes, outer first; `fired` are the nodes as their
    steps ran. `adds_to` is the line of an earlier pass that left gradients in its leaves, as far
    as it is known.
    """

    where: Place
    number: Count
    times: Count
    nodes: tuple[Seen, ...]
    sites: tuple[Annotated[tuple[Call, ...], Meta(max_length=DEPTH_LIMIT)], ...] = ()
    fired: tuple[int, ...] = ()
    trials: Annotated[tuple[Trial, ...], _LISTED] = ()
    adds_to: Place | None = None
    nth: Count = 1

    @property
    def which(self) -> str:
        """Return which pass of its line it is; "" of a line that started no other."""
        if self.times < 2:
            return ""
        if self.nth in (1, self.times):
            return f"pass {self.nth:,} of {self.times:,}"
        return f"pass {self.nth:,} of {self.times:,} seen: the last one that was noted"

    @property
    def root(self) -> Seen:
        """Return the node whose `backward` was called."""
        return self.nodes[-1]


class Trouble(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """An error that a piece of a program ended with."""

    where: Place
    kind: str
    message: str


Unshown = tuple[Place, Count, Count | str]
"""A line, the number of its last pass that can't be shown, and how many numbers that has, or the
shape or the type of one that is no single number, "" where none is found."""


class _End(Struct, frozen=True, kw_only=True):
    """What the runner tells last.

    `unseen` are last passes of which calls were not noted, with the data of their roots.
    """

    passes: Count = 0
    errors: Annotated[tuple[Trouble, ...], _LISTED] = ()
    missing: Annotated[tuple[tuple[str, str], ...], _LISTED] = ()
    refused: Annotated[tuple[tuple[str, str], ...], _LISTED] = ()
    said: str = ""
    unshown: Annotated[tuple[Unshown, ...], _LISTED] = ()
    classes: Annotated[tuple[str, ...], _LISTED] = ()
    unseen: tuple[tuple[Count, float | None], ...] = ()


class RunResult(_End, frozen=True):
    """What is known of a run, and the bounds that it had.

    `graphs` are the first and the last pass of each line, in order; `dropped` counts those that
    were too much to keep, `unread` the lines of the answer that its own runner would not write.
    """

    status: Status = "ok"
    seconds: float = 0.0
    memory: int = 0
    dropped: int = 0
    unread: int = 0
    graphs: tuple[Recording, ...] = ()


class _Line(_End, frozen=True, forbid_unknown_fields=True):
    """A line of the answer: a pass, the end, or how many passes there are by now."""

    graph: Recording | None = None
    ended: Status | None = None


def read_back(answer: str | bytes) -> RunResult:
    """Return what a run wrote; a line that its own runner would not write is counted, not read."""
    content = answer.encode() if isinstance(answer, str) else answer
    graphs: dict[int, Recording] = {}
    found, unread = RunResult("exit"), 0
    for text in content.splitlines():
        try:
            line = msgspec.json.decode(text, type=_Line, strict=False)  # "NaN" is a number
            if line.graph is not None:
                _check(line.graph)
                graphs[line.graph.number] = line.graph
        except (msgspec.MsgspecError, RecursionError, FormatError):
            unread += 1
            continue
        if line.ended is not None:
            fields = {name: getattr(line, name) for name in _End.__struct_fields__}
            found = RunResult(line.ended, **fields)
    passes = max(found.passes, *graphs, 0)
    return replace(found, graphs=_ends(graphs.values()), passes=passes, unread=unread)


def merged(first: RunResult, second: RunResult) -> RunResult:
    """Return a run with the passes that a second one noted, if it gave the same numbers."""
    expected = dict(first.unseen)
    same = tuple(
        graph
        for graph in second.graphs
        if (x := expected.get(graph.number)) is not None
        and abs(x - graph.root.data) <= 1e-6 * max(1.0, abs(x))
    )
    return replace(first, graphs=_ends((*first.graphs, *same)))


def _ends(graphs: Iterable[Recording]) -> tuple[Recording, ...]:
    """Return the first and the last pass of each line, in order; all know how often it ran."""
    lines: dict[Place, list[Recording]] = {}
    for graph in sorted(graphs, key=lambda graph: graph.number):
        lines.setdefault(graph.where, []).append(graph)
    ends = [
        replace(graph, times=max(each.times for each in every))
        for every in lines.values()
        for graph in ([every[0], every[-1]] if len(every) > 1 else every)
    ]
    return tuple(sorted(ends, key=lambda graph: graph.number))


def _check(graph: Recording) -> None:
    """Raise FormatError if an index of a pass is none."""
    count, operands = len(graph.nodes), 0
    if not 0 < count <= NODE_LIMIT:
        raise FormatError("a pass has up to {limit:,} nodes.", limit=NODE_LIMIT)
    for i, row in enumerate(graph.nodes):
        used = [*row.kids, *(arg for arg in row.args if isinstance(arg, int))]
        used += row.assigns
        operands += len(row.kids) + len(row.args)
        if not all(0 <= kid < i for kid in row.kids) or not all(0 <= k < count for k in used):
            raise FormatError("node {node} has an operand that is not before it.", node=i)
        if row.slopes is not None and len(row.slopes) != len(row.kids):
            raise FormatError("node {node} has a slope too many.", node=i)
        if not -1 <= row.site < len(graph.sites):
            raise FormatError("node {node} stands in no call.", node=i)
    if operands > 10 * NODE_LIMIT or len(graph.sites) > NODE_LIMIT:
        raise FormatError("a pass has up to {limit:,} operands.", limit=10 * NODE_LIMIT)
    if not all(0 <= i < count for i in graph.fired):
        raise FormatError("a node that fires is none of the pass.")


def _make_plain(found: Struct, *fields: str) -> None:
    for field in fields:
        force_setattr(found, field, as_told(getattr(found, field)))


def as_told(text: str, most: int = _TEXT_LIMIT) -> str:
    """Return a text of the program's making as one line, without signs that a terminal obeys."""
    text = text if len(text) <= most else f"{text[: most - 1]}…"
    return text if text.isprintable() else one_line(" ".join(text.split()))


def title_of_file(name: str) -> str:
    """Return the name of a program's file as the places of its recording have it."""
    return as_told(name[:200].encode("utf-8", "replace").decode())


# What is told of a run


def told(result: RunResult, asked: int = 0, *, has_rows: bool = False) -> tuple[str, ...]:
    """Return what stopped a run or is missing in it, most important first; () if all went well.

    `asked` is the number of the pass that was asked for, if one was. With rows for its passes,
    why one of them can't be shown is said there.
    """
    return tuple(as_told(each, _SENTENCE_LIMIT) for each in _told(result, asked, has_rows))


def why_unshown(found: Unshown) -> str:
    """Return why a pass can't be shown, as a sentence."""
    what = found[2]
    if isinstance(what, int):
        most = f"a sheet holds {NODE_LIMIT:,}"
        return f"One pass has {what:,} numbers; {most}. Give the program fewer samples."
    if not what:
        return "Where its numbers are kept is not known: none of their attributes is called data."
    kind = "arrays of shape" if what.startswith("(") else "of the type"
    return as_told(
        f"The numbers are {kind} {as_told(what)}. A graph here is made of single numbers."
    )


def _told(result: RunResult, asked: int, has_rows: bool) -> list[str]:
    found = [*_end(result), *map(_refusal, result.refused), *map(_error, result.errors)]
    if not has_rows:
        found += [f"{each[0]}: {why_unshown(each)}".removeprefix(": ") for each in result.unshown]
    if result.dropped:
        found.append("The oldest passes were dropped: what came back is longer than 64 MB.")
    if result.unread:
        found.append("A part of what came back can't be read, and is left out.")
    if result.graphs or (has_rows and result.unshown):
        return found
    if asked > result.passes and result.status == "ok":
        count = counted(result.passes, "there is {count} pass", "there are {count:,} passes")
        return [*found, f"There is no pass {asked:,}: {count}."]
    found += _no_graph(result)
    if any(name == "torch" for name, _use in result.missing):
        found.append("Passes of PyTorch itself are not seen.")
    return found or ["No number in it is a Value."]


def passes_seen(count: int) -> str:
    """Return how many passes were seen, as the end of a sentence."""
    if not count:
        return "no pass was seen."
    return counted(count, "{count} pass was seen.", "{count:,} passes were seen.")


def _end(result: RunResult) -> list[str]:
    """Return how a run ended that did not end by itself."""
    seen = passes_seen(result.passes)
    if result.status == "time":
        return [f"Stopped after {short(result.seconds)} s; {seen}"]
    if result.status == "stopped":
        return [f"Stopped; {seen}"]
    if result.status == "memory":
        return [f"More than {short(result.memory / 2**30)} GB."]
    if result.status == "killed":
        return ["It did not stop and was ended."]
    if result.status == "start":
        return [f"It can't be started: {result.said}."]
    if result.status == "exit":
        usage = [line for line in result.said.splitlines() if line.lower().startswith("usage:")]
        if usage:
            return [f"It ended itself: {usage[0].strip()}; give arguments."]
        return [f"It ended itself; {seen}"]
    return []


def _refusal(refused: tuple[str, str]) -> str:
    kind, name = refused
    if kind == "network":
        return "It wanted the network."
    if kind == "start":
        return "It wanted to start another program."
    inside = not any(sign in name for sign in "/\\")
    return f"It wanted to write {name} beside itself." if inside else f"It wanted to write {name}."


def _error(trouble: Trouble) -> str:
    """Return an error of a piece of the program, with its place."""
    where = str(trouble.where)
    if "nobody can type here" in trouble.message:
        return (
            f"{where}: It asks for input(), and nobody can type here: put the number into the line."
        )
    parts = filter(None, (where, trouble.kind, trouble.message))
    text = ": ".join(parts).removesuffix(".")
    if trouble.kind == "ModuleNotFoundError":
        return f"{text}. Choose a Python that has it."
    quoted = f" ({trouble.where.text})" if trouble.where.text else ""
    return f"{text}{quoted}."


def _no_graph(result: RunResult) -> list[str]:
    """Return why a program has no graph that can be shown."""
    told_of = result.errors or result.unshown
    if result.classes and result.status == "ok" and not told_of:
        return ["It makes no graph: no number of it comes from another."]
    return []
