"""Parsing: checks, moves, places and questions, from the words of a file to node ids."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from app.lessons.checks import ANY, CHECKS, RELATIONS
from app.lessons.lesson import Check, Relation
from app.lessons.markup import wire_named
from app.lessons.situation import Method, Move, Start, Verb
from engine.errors import EngineError
from engine.graph import Graph, Leaf, Wire
from engine.ops import BY_NAME as OPS
from engine.rules import MISTAKES
from engine.study.unfold import can_unfold

METHODS: Final[tuple[str, ...]] = get_args(Method)
MISTAKE_NAMES: Final = tuple(rules.name for rules in MISTAKES)
NONE: Final = "none"
_NAMED: Final = 12
_STARTS: Final = ("values", "end", "hand", "descent", "training")
_SET: Final = re.compile(r"\s*([^\s=]+)\s*=\s*(\S+)\s*")
_BACKWARD: Final = re.compile(r"backward (\d{1,6})")
_MOVE_TEXTS: Final = (
    '"b = -1", "step 5", "fire e", "wire a e.2", "root y", "epochs 10", "mistake assign", '
    '"h 1e-15", "method forward", "rate 1", "unfold v3", "seed 1", "update"'
)
_NUMBERED: Final[Mapping[str, tuple[Verb, float, float]]] = {
    "step": ("step", 0, 10_000),
    "epochs": ("epochs", 1, 1000),
    "h": ("h", 5e-324, math.inf),
    "rate": ("rate", 5e-324, math.inf),
    "seed": ("seed", 0, 2**31 - 1),
}
"""The verbs with one number, and its range."""
_WHOLE: Final = ("step", "epochs", "seed")


# names


def node_called(name: str, *graphs: Graph) -> int:
    """Return the node of this name in the first graph that has it; EngineError if none has."""
    for graph in graphs:
        if (node := graph.node_named(name)) is not None:
            return node
    raise EngineError(
        '"{name}" is no node of the graph; {known}', name=name, known=_known(graphs[0])
    )


def leaf_called(name: str, graph: Graph) -> int:
    """Return the leaf of this name; EngineError if there is none."""
    node = graph.node_named(name)
    if node is None or not isinstance(graph.nodes[node], Leaf):
        leaves = ", ".join([graph.names[leaf] for leaf in graph.leaves][:_NAMED])
        raise EngineError('"{name}" is no leaf; one of {leaves}', name=name, leaves=leaves)
    return node


def wire_called(text: str, *graphs: Graph) -> Wire:
    """Return a wire, written `e.1`, of the first graph that has it."""
    for graph in graphs:
        name, _dot, _slot = text.rpartition(".")
        if graph.node_named(name) is not None:
            return wire_named(text, graph)
    raise EngineError(
        '"{text}" is no wire; write node.slot, as in "e.1"; {known}',
        text=text,
        known=_known(graphs[0]),
    )


def part_called(text: str, *graphs: Graph) -> int | Wire:
    """Return a node, or a wire written `e.1`."""
    for graph in graphs:
        if (node := graph.node_named(text)) is not None:
            return node
    return wire_called(text, *graphs) if "." in text else node_called(text, *graphs)


def mistake_called(name: str) -> str:
    """Return the name of a mistake, or "none"; EngineError for another."""
    if name not in (*MISTAKE_NAMES, NONE):
        raise EngineError(
            '"{name}" is no mistake; one of {known}',
            name=name,
            known=", ".join((NONE, *MISTAKE_NAMES)),
        )
    return name


def _known(graph: Graph) -> str:
    names = list(graph.names.values())
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"one of {', '.join(names[:_NAMED])}{more}"


# where a step begins


def start_of(text: str) -> tuple[Start, int]:
    """Return where a step begins, and at which step of the pass."""
    if found := _BACKWARD.fullmatch(text):
        return "backward", int(found[1])
    if text in ("", *_STARTS):
        return text, 0  # pyright: ignore[reportReturnType]
    raise EngineError(
        '"{text}" is no start; one of values, backward K, end, hand, descent, training', text=text
    )


# moves


def move_of(text: str, graph: Graph) -> Move:
    """Return a move of Show me on a graph; EngineError for one that can't be read."""
    words = text.split()
    match words:
        case ["update"]:
            return Move(text, "update")
        case [verb, number] if verb in _NUMBERED:
            return Move(text, _NUMBERED[verb][0], number=_move_number(verb, number))
        case ["fire", name]:
            return Move(text, "fire", node=node_called(name, graph))
        case ["root", name]:
            return Move(text, "root", node=node_called(name, graph))
        case ["unfold", name]:
            node = node_called(name, graph)
            if not can_unfold(graph, node):
                raise EngineError("{name} is not made of simpler operations", name=name)
            return Move(text, "unfold", node=node)
        case ["wire", name, wire]:
            node = node_called(name, graph)
            return Move(text, "wire", node=node, wire=wire_called(wire, graph))
        case ["mistake", name]:
            return Move(text, "mistake", name=mistake_called(name))
        case ["method", name] if name in METHODS:
            return Move(text, "method", name=name)
        case _:
            return _value_move(text, graph)


def _value_move(text: str, graph: Graph) -> Move:
    found = _SET.fullmatch(text)
    if found is None:
        raise EngineError("it is no move; one of {known}", known=_MOVE_TEXTS)
    return Move(text, "set", node=leaf_called(found[1], graph), number=number_of(found[2]))


def number_of(text: str) -> float:
    """Return a finite number; EngineError for anything else."""
    try:
        number = float(text.replace("\N{MINUS SIGN}", "-"))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise EngineError('"{text}" is no number', text=text)
    return number


def _move_number(verb: str, text: str) -> float:
    number = number_of(text)
    _verb, least, most = _NUMBERED[verb]
    if not least <= number <= most or (verb in _WHOLE and number != int(number)):
        what = "a whole number" if verb in _WHOLE else "a number above 0"
        limit = f" from {least:.0f} to {most:.0f}" if verb in _WHOLE else ""
        raise EngineError("{verb} takes {what}{limit}", verb=verb, what=what, limit=limit)
    return number


# checks


def check_of(table: Mapping[str, Any], *graphs: Graph) -> Check:
    """Return the check that a table means; `graphs` are those in which its names are looked up."""
    relations = [key for key in table if key in RELATIONS]
    others = [key for key in table if key not in RELATIONS and key != "from"]
    unknown = [key for key in others if key not in CHECKS]
    if unknown or not others:
        name = unknown[0] if unknown else ""
        raise EngineError(
            '"{name}" is no check; one of {known}', name=name, known=", ".join(CHECKS)
        )
    if len(others) > 1:
        raise EngineError(
            "{one} and {other} are two checks; write two tables", one=others[0], other=others[1]
        )
    kind = others[0]
    check = _about(kind, table, graphs)
    _check_keys(kind, table, relations)
    if not relations:
        return check
    relation: Relation = relations[0]  # pyright: ignore[reportAssignmentType]
    return Check(kind, check.about, relation, _number(kind, relation, table[relation]))


def _check_keys(kind: str, table: Mapping[str, Any], relations: Sequence[str]) -> None:
    compares = CHECKS[kind].numbers is not None
    if compares and len(relations) != 1:
        raise EngineError("{kind} needs one of is, not, above, below, and a number", kind=kind)
    if relations and not compares:
        raise EngineError(
            "{kind} compares no number; leave {word} out", kind=kind, word=relations[0]
        )
    if ("from" in table) != (kind == "wired"):
        reason = 'wired needs from: { wired = "e.2", from = "b" }'
        raise EngineError(reason if kind == "wired" else "from belongs to wired")


def _number(kind: str, relation: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise EngineError("{kind} {relation}: a number is wanted", kind=kind, relation=relation)
    return number_of(repr(value)[:400])


def _about(kind: str, table: Mapping[str, Any], graphs: Sequence[Graph]) -> Check:
    value = table[kind]
    what = CHECKS[kind].about
    if what == "true":
        if value is not True:
            raise EngineError("write {kind} = true", kind=kind)
        return Check(kind)
    if not isinstance(value, str):
        raise EngineError(
            "{kind} takes a text in quotes: {example}", kind=kind, example=EXAMPLES[kind]
        )
    match what:
        case "node":
            node = (
                ANY if value == ANY and kind in ("value", "grad") else node_called(value, *graphs)
            )
            return Check(kind, node)
        case "wire":
            source = table.get("from")
            if not isinstance(source, str):
                raise EngineError("{example} is how it is written", example=EXAMPLES[kind])
            return Check(kind, wire_called(value, *graphs), source=node_called(source, *graphs))
        case "operation":
            if value not in OPS and value not in ("leaf", "constant"):
                raise EngineError(
                    '"{value}" is no operation; see backwire ops, or write leaf or constant',
                    value=value,
                )
            return Check(kind, value)
        case "place":
            return _place(value)
        case "mistake":
            return Check(kind, mistake_called(value))
        case _:
            allowed = METHODS if kind == "method" else ("done",)
            if value not in allowed:
                raise EngineError(
                    "{kind} is {known}, not {value}",
                    kind=kind,
                    known=" or ".join(allowed),
                    value=value,
                )
            return Check(kind, value)


def _place(text: str) -> Check:
    if text == "end":
        return Check("at", text)
    if found := _BACKWARD.fullmatch(text):
        return Check("at", text, number=float(found[1]))
    raise EngineError('"{text}" is no place; write "backward 5" or "end"', text=text)


EXAMPLES: Final[Mapping[str, str]] = {
    "value": '{ value = "y", is = 6 }',
    "grad": '{ grad = "a", is = 0 }',
    "readers": '{ readers = "a", above = 2 }',
    "wired": '{ wired = "e.2", from = "b" }',
    "nodes": '{ nodes = "mul", above = 1 }',
    "root": '{ root = "y" }',
    "at": '{ at = "backward 5" }',
    "order": '{ order = "done" }',
    "mistake": '{ mistake = "assign" }',
    "differs": "{ differs = true }",
    "checked": "{ checked = true }",
    "h": "{ h = true, is = 1e-15 }",
    "method": '{ method = "central" }',
    "rate": "{ rate = true, is = 1 }",
    "epochs": "{ epochs = true, above = 9 }",
    "loss": "{ loss = true, below = 0.1 }",
}
"""How each check is written."""
