"""Documents near the size limit, each large in another way."""

import json
import random
from collections.abc import Callable

from engine.formats.strict_json import SIZE_LIMIT

MIB = 2**20
HEAD = '{"format": "backwire", "version": 1, "nodes": ['
LEAF = '{"id": 1, "kind": "leaf", "value": 1.0}'


def giant(chance: random.Random) -> bytes:
    """A document of 1 MiB up to just above the limit, half of them just below it."""
    below = SIZE_LIMIT - chance.randint(1, MIB)
    size = chance.choice((chance.randint(MIB, SIZE_LIMIT + MIB), below, below - MIB // 2, MIB))
    return chance.choice(_WAYS)(chance, size)


def _long_key(_chance: random.Random, size: int) -> bytes:
    return f'{HEAD}{LEAF}], "{"k" * size}": 1}}'.encode()


def _long_keys(_chance: random.Random, size: int) -> bytes:
    keys = ", ".join(f'"{k}{"k" * MIB}": {k}' for k in range(max(1, size // MIB)))
    return f'{HEAD}{LEAF}], "groups": [{{{keys}}}]}}'.encode()


def _many_keys(_chance: random.Random, size: int) -> bytes:
    keys = ",".join(f'"{k:x}":0' for k in range(size // 10))
    return f'{HEAD}{LEAF}], "x": {{{keys}}}}}'.encode()


def _long_label(chance: random.Random, size: int) -> bytes:
    letter = chance.choice(("x", "é", "€", "🦉"))
    label = letter * (size // len(letter.encode()))
    return f'{HEAD}{{"id": 1, "kind": "leaf", "value": 1.0, "label": "{label}"}}]}}'.encode()


def _wide_beside_narrow(_chance: random.Random, size: int) -> bytes:
    """One owl makes every other character of the text as wide as it is."""
    label = "x" * size + "🦉"
    return f'{HEAD}{{"id": 1, "kind": "leaf", "value": 1.0, "label": "{label}"}}]}}'.encode()


def _escapes(_chance: random.Random, size: int) -> bytes:
    label = "\\ud83e\\udd89" * (size // 12)
    return f'{HEAD}{{"id": 1, "kind": "leaf", "value": 1.0, "label": "{label}"}}]}}'.encode()


def _long_number(_chance: random.Random, size: int) -> bytes:
    return f'{HEAD}{{"id": {"9" * size}, "kind": "leaf", "value": 1.0}}]}}'.encode()


def _long_fraction(_chance: random.Random, size: int) -> bytes:
    return f'{HEAD}{{"id": 1, "kind": "leaf", "value": 0.{"3" * size}}}]}}'.encode()


def _many_numbers(_chance: random.Random, size: int) -> bytes:
    return b'{"nodes": [' + b"1.5," * (size // 4) + b"0]}"


def _many_names(_chance: random.Random, size: int) -> bytes:
    """Many different short strings, each an object of its own."""
    names = ",".join(f'"{k:06x}"' for k in range(size // 9))
    return f'{{"nodes": [{names}]}}'.encode()


def _many_lists(_chance: random.Random, size: int) -> bytes:
    return b'{"nodes": [' + b"[]," * (size // 3) + b"0]}"


def _many_nodes(_chance: random.Random, size: int) -> bytes:
    rows = [f'{{"id":{k},"kind":"leaf","value":1}}' for k in range(1, size // 34)]
    return f"{HEAD}{','.join(rows)}]}}".encode()


def _many_sections(_chance: random.Random, size: int) -> bytes:
    rows = [f'{{"id":{k},"title":"","rect":[0,0,1,1]}}' for k in range(1, size // 42)]
    return f'{HEAD}{LEAF}], "sections": [{",".join(rows)}]}}'.encode()


def _many_members(_chance: random.Random, size: int) -> bytes:
    row = ",".join(map(str, range(1, size // 8)))
    group = f'{{"id": 1, "title": "", "members": [{row}]}}'
    return f'{HEAD}{LEAF}], "groups": [{group}]}}'.encode()


def _deep(chance: random.Random, size: int) -> bytes:
    return chance.choice((b"[", b'{"a":', b'["a",[')) * (size // 6)


def _blank(_chance: random.Random, size: int) -> bytes:
    return (HEAD + LEAF).encode() + b" \n" * (size // 2) + b"]}"


def _not_text(chance: random.Random, size: int) -> bytes:
    return chance.randbytes(MIB) * (size // MIB)


def _nothing_closed(_chance: random.Random, size: int) -> bytes:
    return b'"' + b"\\" * size


def _quotes(_chance: random.Random, size: int) -> bytes:
    return json.dumps('"\\' * (size // 4)).encode()


_WAYS: tuple[Callable[[random.Random, int], bytes], ...] = (
    _long_key,
    _long_keys,
    _many_keys,
    _long_label,
    _wide_beside_narrow,
    _escapes,
    _long_number,
    _long_fraction,
    _many_numbers,
    _many_names,
    _many_lists,
    _many_nodes,
    _many_sections,
    _many_members,
    _deep,
    _blank,
    _not_text,
    _nothing_closed,
    _quotes,
)
