"""Read and change libraries of Linux, so that a bundle holds less of them.

The wheel of pygraphviz brings libraries that are zeros for the most part: tools that renamed them
put each piece at a multiple of 2 MB. And it brings a plugin for GD, which we do not use, with
libraries that nothing else needs, one of them under the GPL.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

LOAD, DYNAMIC = 1, 2
NULL, NEEDED, STRTAB, SYMTAB, RELA, RELASZ, PLTRELSZ, JMPREL = 0, 1, 5, 6, 7, 8, 2, 23
PAGES = {62: 0x1000, 183: 0x10000}
"""Largest page by the number of a processor: x86-64, and ARM 64."""
WEAK = 2


@dataclass
class Segment:
    """A program header: where a piece is in the file, and where in memory."""

    kind: int
    flags: int
    offset: int
    address: int
    physical: int
    size: int
    memory: int
    align: int

    def packed(self) -> bytes:
        """Return the header as it is in the file."""
        fields = (self.offset, self.address, self.physical, self.size, self.memory, self.align)
        return struct.pack("<IIQQQQQQ", self.kind, self.flags, *fields)


def is_library(content: bytes) -> bool:
    """Is this a program or library of a Linux with 64 bits that we can change?"""
    return content[:6] == b"\x7fELF\x02\x01" and struct.unpack_from("<H", content, 18)[0] in PAGES


def needed(content: bytes) -> list[str]:
    """Return the names of the libraries that one is linked to."""
    return [_text(content, value) for tag, value, _ in _dynamic(content) if tag == NEEDED]


def without_padding(content: bytes) -> bytes:
    """Return a library with its pieces side by side; in memory it is what it was.

    Goes without section headers and what is loaded never: debuggers read them, programs don't.
    """
    page = PAGES[struct.unpack_from("<H", content, 18)[0]]
    start, segments = _segments(content)
    loads = sorted((each for each in segments if each.kind == LOAD), key=lambda each: each.offset)
    packed, moved = bytearray(), {}
    for load in loads:
        place = len(packed)
        place += (load.address - place) % page
        moved[load.offset] = place
        packed += bytes(place - len(packed)) + content[load.offset : load.offset + load.size]

    for each in segments:
        for load in loads:
            if load.address <= each.address < load.address + load.size and each.kind != LOAD:
                each.offset = moved[load.offset] + each.address - load.address
        each.align = min(each.align, page)
    headers = next(
        moved[load.offset] + start - load.offset
        for load in loads
        if load.offset <= start < load.offset + load.size
    )
    for load in loads:
        load.offset = moved[load.offset]
    packed[headers : headers + 56 * len(segments)] = b"".join(each.packed() for each in segments)
    struct.pack_into("<QQ", packed, 32, headers, 0)
    struct.pack_into("<HHH", packed, 58, 64, 0, 0)
    return bytes(packed)


def without_library(content: bytes, library: str, prefix: str) -> bytes:
    """Return a library that is no longer linked to `library`.

    Its names that begin with `prefix` are then missing; what uses them must not be called.
    """
    changed = bytearray(content)
    entries = list(_dynamic(content))
    kept = [
        (tag, value)
        for tag, value, _ in entries
        if not (tag == NEEDED and _text(content, value).startswith(library))
    ]
    place = entries[0][2]
    for tag, value in [*kept, *[(NULL, 0)] * (len(entries) - len(kept))]:
        struct.pack_into("<qQ", changed, place, tag, value)
        place += 16
    for place in _missing_symbols(content):
        name, info = struct.unpack_from("<IB", content, place)
        if _text(content, name).startswith(prefix):
            changed[place + 4] = WEAK << 4 | info & 15
    return bytes(changed)


def _segments(content: bytes) -> tuple[int, list[Segment]]:
    start, count = (
        struct.unpack_from(kind, content, at)[0] for kind, at in (("<Q", 32), ("<H", 56))
    )
    return start, [
        Segment(*struct.unpack_from("<IIQQQQQQ", content, start + 56 * k)) for k in range(count)
    ]


def _offset(content: bytes, address: int) -> int:
    """Return where in the file is what will be at an address."""
    for each in _segments(content)[1]:
        if each.kind == LOAD and each.address <= address < each.address + each.size:
            return address - each.address + each.offset
    raise ValueError(f"nothing is loaded at {address:#x}")


def _dynamic(content: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield tag, value and place of each entry for the dynamic linker, the last one too."""
    for each in _segments(content)[1]:
        if each.kind == DYNAMIC:
            for place in range(each.offset, each.offset + each.size, 16):
                tag, value = struct.unpack_from("<qQ", content, place)
                yield tag, value, place
                if tag == NULL:
                    return


def _values(content: bytes) -> dict[int, int]:
    return {tag: value for tag, value, _ in _dynamic(content)}


def _text(content: bytes, index: int) -> str:
    start = _offset(content, _values(content)[STRTAB]) + index
    return content[start : content.index(b"\0", start)].decode()


def _missing_symbols(content: bytes) -> Iterator[int]:
    """Yield the places of the symbols that a library expects from others."""
    values = _values(content)
    symbols = _offset(content, values[SYMTAB])
    for table, size in ((RELA, RELASZ), (JMPREL, PLTRELSZ)):
        if table in values:
            start = _offset(content, values[table])
            for place in range(start, start + values[size], 24):
                symbol = struct.unpack_from("<QQ", content, place)[1] >> 32
                at = symbols + 24 * symbol
                if symbol and not struct.unpack_from("<H", content, at + 6)[0]:
                    yield at
