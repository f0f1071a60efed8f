"""Renaming: the steps of a lesson after nodes got other names, or on another sheet.

    renamed(text, before, after)  the text of a sheet's lesson after an edit of its graph
    whole_step(step, begun)       a step to be copied, with its graph, values and mistake
    on_sheet(step, graph)         a copied step, without its graph where that is the sheet's

>>> from app.lessons.parsing import StepFile
>>> step = StepFile("do", text="{a.grad} of **a**", show=("a = 2", "fire e"), light=("a", "e.1"))
>>> found = renamed_step(step, {"a": "b"})
>>> found.text, found.show, found.light
('{b.grad} of **b**', ('b = 2', 'fire e'), ('b', 'e.1'))
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from app.lessons.draft import counterpart, draft_of, graph_file, start_text, written
from app.lessons.parsing import KEYWORDS, StepFile
from app.lessons.situation import Situation
from engine.errors import EngineError, FormatError
from engine.formats.expression import read
from engine.graph import Graph
from engine.rules import CORRECT

_LIVE: Final = re.compile(r"(?<=\{)[^{}.]+(?=[.}])")
_BOLD: Final = re.compile(r"(?<=\*\*)[^*\s]+(?=\*\*)")
_ASSIGNED: Final = re.compile(r"[^\s=]+(?=\s*=)")
_NAMING_VERBS: Final = ("fire", "root", "unfold", "wire")
_NAMING_KEYS: Final = ("node", "leaf", "wire", "from", "value", "grad", "readers", "wired", "root")
"""The keys of questions, checks and ripples that name a node or a wire."""
_GONE: Final = "{name}_gone"
"""The name in place of one that another node has now: else the step would be about that node."""


def renamed(text: str, before: Graph, after: Graph) -> str:
    """Return the text of a sheet's lesson after an edit of its graph.

    A text that can't be read stays as it is.
    """
    if before.structure is after.structure:
        return text
    taken, names = set(after.names.values()), dict[str, str]()
    for node, name in before.names.items():
        now = after.names.get(node, _GONE.format(name=name) if name in taken else name)
        if now != name:
            names[name] = now
    if not names:
        return text
    try:
        draft = draft_of(text)
    except FormatError:
        return text
    steps, has_own = list[StepFile](), False
    for step in draft.steps:
        has_own = bool(step.graph) or (has_own and draft.carries)
        steps.append(step if has_own else renamed_step(step, names))
    return written(replace(draft, steps=tuple(steps)))


def renamed_step(step: StepFile, names: Mapping[str, str]) -> StepFile:
    """Return a step with other names of nodes, by their former ones."""
    part, table, live = partial(_part, names), partial(_table, names), partial(_text, names)
    is_place = step.start in KEYWORDS or " " in step.start
    return replace(
        step,
        title=live(step.title),
        text=live(step.text),
        task=live(step.task),
        hint=live(step.hint),
        start=step.start if is_place else part(step.start),
        values={names.get(name, name): number for name, number in step.values.items()},
        slider={names.get(name, name): ends for name, ends in step.slider.items()},
        light=tuple(map(part, step.light)),
        watch=tuple(map(part, step.watch)),
        check=tuple(map(table, step.check)),
        show=tuple(_move(names, move) for move in step.show),
        ask=tuple(map(table, step.ask)),
        ripple=table(step.ripple),
    )


def _part(names: Mapping[str, str], text: str) -> str:
    """Return a node or a wire, such as `e.1`, by its name now."""
    head, dot, rest = text.partition(".")
    return f"{names.get(head, head)}{dot}{rest}"


def _text(names: Mapping[str, str], text: str) -> str:
    """Return a text with other names in its live numbers, and where a name alone is bold."""
    text = _LIVE.sub(lambda found: names.get(found[0], found[0]), text)
    shown = {name: now for name, now in names.items() if now != _GONE.format(name=name)}
    return _BOLD.sub(lambda found: shown.get(found[0], found[0]), text)


def _table(names: Mapping[str, str], old: Mapping[str, Any]) -> dict[str, Any]:
    """Return the table of a question, a choice, a check or a ripple."""
    found = {**old}
    for key in _NAMING_KEYS:
        if isinstance(value := old.get(key), str):
            found[key] = _part(names, value)
    for key in ("text", "say"):
        if isinstance(value := old.get(key), str):
            found[key] = _text(names, value)
    if "wires" in old:
        found["wires"] = [_part(names, wire) for wire in old["wires"]]
    if "choices" in old:
        found["choices"] = [_table(names, choice) for choice in old["choices"]]
    return found


def _move(names: Mapping[str, str], text: str) -> str:
    verb, *words = text.split() or [""]
    if verb in _NAMING_VERBS and words and words[0] != "=":
        return " ".join((verb, *(_part(names, word) for word in words)))
    return _ASSIGNED.sub(lambda found: names.get(found[0], found[0]), text, count=1)


def whole_step(step: StepFile, begun: Situation) -> StepFile:
    """Return a step with the graph, values and mistake with which it begins, written whole.

    Raises EngineError if the graph can't be written as a formula.
    """
    own, graph = graph_file(begun.graph), begun.graph
    names = _names(graph, read(own.expression))
    table: dict[str, Any] = {"expression": own.expression, "values": {**own.values}}
    start = step.start or start_text(begun, asks=step.kind == "ask")
    mistake = "none" if begun.rules is CORRECT else begun.rules.name
    if step.kind == "hunt":  # draws its own
        mistake = ""
    whole = replace(step, start=start, values={}, mistake=mistake)
    return replace(renamed_step(whole, names), graph=table)


def on_sheet(step: StepFile, graph: Graph) -> StepFile:
    """Return a step without its graph where that is the graph of the sheet."""
    expression = step.graph.get("expression")
    try:
        if not expression or graph_file(graph).expression != expression:
            return step
        own = read(str(expression), step.graph.get("values"))
    except EngineError:
        return step
    back = {new: old for old, new in _names(graph, own).items()}
    known = {graph.names[leaf]: value for leaf, value in graph.leaf_values.items()}
    set_there = {back.get(own.names[n], own.names[n]): x for n, x in own.leaf_values.items()}
    values = {name: x for name, x in set_there.items() if known.get(name) != x}
    mistake = "" if step.mistake == "none" else step.mistake
    found = renamed_step(step, back)
    return replace(found, graph={}, values={**values, **found.values}, mistake=mistake)


def _names(graph: Graph, other: Graph) -> dict[str, str]:
    """Return the names in another graph of the same wiring, by those in a graph."""
    ids = counterpart(graph, other) or {}
    pairs = {graph.names[n]: other.names[m] for n, m in ids.items()}
    return {old: new for old, new in pairs.items() if old != new}
