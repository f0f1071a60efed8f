"""Documents made wrong: bytes changed at random, JSON changed with an eye for its structure.

Each is made from a seed and a number alone, so that any of them can be made again.
"""

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from tests.proofs.fuzzing.giants import giant
from tests.proofs.fuzzing.values import STRINGS, TOKENS, VALUES

EXAMPLES = Path(__file__).parents[3] / "resources" / "examples"
GIANT_EVERY = 250
"""One document of so many is up to the size limit, or beyond."""

GOOD = (
    ("value", "NaN"),
    ("value", -0.0),
    ("value", 1e308),
    ("value", 7),
    ("position", [1e7, -1e7]),
    ("position", [0.1, 5e-324]),
)
TASKS = (
    None,
    {"text": "Why is größe 0?"},
    {"text": "", "start": "by hand", "locked": True},
    {"text": "x" * 240, "start": "predict", "level": "whole step", "steps": "every"},
)
OPS = ("add", "mul", "tanh", "pow", "where_gt0", "relu", "sub", "exp")


def document(seed: int, number: int) -> tuple[str, bytes]:
    """What was done to a document, in one word, and what a file of it holds."""
    chance = random.Random(f"document {seed} {number}")
    if is_giant(number):
        return "giant", giant(chance)
    whole = _whole(chance)
    name, change = chance.choice(_WAYS)
    return name, change(chance, whole)


def is_giant(number: int) -> bool:
    """Whether the document of this number is one of the large ones."""
    return number % GIANT_EVERY == GIANT_EVERY - 1


@cache
def _examples() -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted(EXAMPLES.glob("*.backwire")))


def _whole(chance: random.Random) -> bytes:
    """A document with nothing wrong in it."""
    if chance.random() < 0.4:
        return chance.choice(_examples())
    return json.dumps(_made(chance), ensure_ascii=chance.random() < 0.5).encode()


def _made(chance: random.Random) -> dict[str, Any]:
    """A document of up to 40 nodes, with sections and nested groups."""
    nodes: list[dict[str, Any]] = [_made_leaf(chance, k) for k in range(1, chance.randint(2, 6))]
    for number in range(len(nodes) + 1, len(nodes) + chance.randint(2, 34)):
        source = chance.choice((number - 1, chance.randint(1, number - 1), None))
        op = chance.choice(OPS)
        slots = {"add": 2, "mul": 2, "pow": 2, "sub": 2, "where_gt0": 3}.get(op, 1)
        inputs = [source, *(chance.randint(1, number - 1) for _ in range(slots - 1))]
        nodes.append({"id": number, "kind": "op", "op": op, "inputs": inputs, "label": "größe"})
    root = len(nodes) + 1
    nodes.append({"id": root, "kind": "root", "inputs": [root - 1]})
    task = chance.choice(TASKS)
    return {
        "format": "backwire",
        "version": 1 if task is None else 2,
        "nodes": nodes,
        "active_root": root,
        "next_id": root + chance.randint(1, 9),
        "sections": [{"id": 3, "title": "part", "rect": [0.0, 0.0, 240.0, 120.0], "colour": 2}],
        "groups": [
            {"id": 1, "title": "outer", "members": [1]},
            {"id": 2, "title": "", "members": [2], "collapsed": True, "parent": 1},
        ],
        **({} if task is None else {"task": task}),
    }


def _made_leaf(chance: random.Random, number: int) -> dict[str, Any]:
    value = chance.choice((1.0, -2.5, 0.0, "NaN", "Infinity", "-Infinity", 5e-324, 1e308, 3))
    place = [chance.uniform(-900, 900), chance.uniform(-900, 900)]
    kind = chance.choice(("leaf", "leaf", "constant"))
    return {"id": number, "kind": kind, "label": f"x{number}", "value": value, "position": place}


# bytes


def _flip(chance: random.Random, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.randint(1, 8)):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _cut(chance: random.Random, content: bytes) -> bytes:
    return content[: chance.randrange(len(content))]


def _splice(chance: random.Random, content: bytes) -> bytes:
    other = _whole(chance)
    return content[: chance.randrange(len(content))] + other[chance.randrange(len(other)) :]


def _repeat(chance: random.Random, content: bytes) -> bytes:
    start, end = sorted(chance.randrange(len(content) + 1) for _ in range(2))
    return content[:end] + content[start:end] * chance.randint(1, 4) + content[end:]


def _leave_out(chance: random.Random, content: bytes) -> bytes:
    start = chance.randrange(len(content))
    return content[:start] + content[start + chance.choice((1, 1, 2, 5, 30)) :]


def _insert(chance: random.Random, content: bytes) -> bytes:
    for _ in range(chance.randint(1, 3)):
        token = chance.choice(TOKENS) if chance.random() < 0.8 else chance.randbytes(4)
        place = chance.randrange(len(content) + 1)
        content = content[:place] + token + content[place:]
    return content


# structure


def _structure(chance: random.Random, content: bytes) -> bytes:
    """One to three changes that keep it JSON."""
    tree = json.loads(content)
    for _ in range(chance.randint(1, 3)):
        if isinstance(tree, dict | list) and tree:
            tree = chance.choice(_CHANGES)(chance, tree)
    escaped = chance.random() < 0.5
    return json.dumps(tree, ensure_ascii=escaped).encode("utf-8", "surrogatepass")


def _place(chance: random.Random, tree: Any) -> tuple[Any, Any]:
    """A list or an object somewhere in a tree, and one of its keys."""
    places = []
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        keys = list(part) if isinstance(part, dict) else list(range(len(part)))
        places += [(part, key) for key in keys]
        waiting += [part[key] for key in keys if isinstance(part[key], dict | list)]
    return chance.choice(places)


def _replace(chance: random.Random, tree: Any) -> Any:
    part, key = _place(chance, tree)
    part[key] = chance.choice(VALUES)
    return tree


def _remove(chance: random.Random, tree: Any) -> Any:
    part, key = _place(chance, tree)
    del part[key]
    return tree


def _rename(chance: random.Random, tree: Any) -> Any:
    part, key = _place(chance, tree)
    if isinstance(part, dict):
        part[chance.choice(STRINGS)] = part.pop(key)
    return tree


def _exchange(chance: random.Random, tree: Any) -> Any:
    """Copy a part of the tree to another place, itself included."""
    (source, key), (target, other) = _place(chance, tree), _place(chance, tree)
    target[other] = json.loads(json.dumps(source[key]))
    return tree


def _gentle(chance: random.Random, tree: Any) -> Any:
    """Other values, labels and places, all of which a file may hold."""
    nodes = tree.get("nodes") if isinstance(tree, dict) else ()
    for node in nodes if isinstance(nodes, list) else ():
        if isinstance(node, dict) and chance.random() < 0.3:
            name, value = chance.choice(GOOD)
            if name != "value" or name in node:
                node[name] = value
    return tree


def _number(chance: random.Random, tree: Any) -> Any:
    """Shift a number by a little, so that ids and slots point elsewhere."""
    for _ in range(20):
        part, key = _place(chance, tree)
        if type(part[key]) in (int, float):
            part[key] += chance.choice((-1, 1, 2, -3, 0.5, 10**6, 2**53, -(2**63)))
            break
    return tree


def _nest(chance: random.Random, tree: Any) -> Any:
    part, key = _place(chance, tree)
    for _ in range(chance.choice((1, 2, 15, 25, 200))):
        part[key] = [part[key]] if chance.random() < 0.8 else {"a": part[key]}
    return tree


_CHANGES = (
    _replace,
    _replace,
    _replace,
    _remove,
    _rename,
    _exchange,
    _number,
    _number,
    _nest,
    _gentle,
    _gentle,
)
_WAYS: tuple[tuple[str, Callable[[random.Random, bytes], bytes]], ...] = (
    ("flip", _flip),
    ("truncate", _cut),
    ("splice", _splice),
    ("repeat", _repeat),
    ("leave out", _leave_out),
    ("insert", _insert),
    ("structure", _structure),
    ("structure", _structure),
    ("structure", _structure),
    ("structure", _structure),
)
