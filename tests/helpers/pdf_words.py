"""What a reader of a PDF copies: its texts, by the maps from glyphs to characters in it."""

import re
import zlib


def words_of(content: bytes) -> list[str]:
    """Each text that a page shows, in the order of writing; for PDF as Qt writes it."""
    objects = {
        int(found[1]): found[2]
        for found in re.finditer(rb"(?<!\d)(\d+) 0 obj\n(.*?)endobj", content, re.DOTALL)
    }
    fonts = {
        number: _characters(_stream(objects[int(found[1])]))
        for number, body in objects.items()
        if (found := re.search(rb"/ToUnicode (\d+) 0 R", body))
    }
    pages = [int(k) for body in objects.values() for k in re.findall(rb"/Contents (\d+) 0 R", body)]
    return [word for page in pages for word in _written(_stream(objects[page]), fonts)]


def _stream(body: bytes) -> bytes:
    head, _, rest = body.partition(b"stream\n")
    raw = rest.rpartition(b"endstream")[0]
    return zlib.decompressobj().decompress(raw) if b"/FlateDecode" in head else raw


def _characters(text: bytes) -> dict[int, str]:
    """The character of each glyph, from a ToUnicode map."""
    found: dict[int, str] = {}
    for block in re.findall(rb"beginbfrange(.*?)endbfrange", text, re.DOTALL):
        for first, last, rest in re.findall(
            rb"<(\w+)>\s*<(\w+)>\s*(\[.*?\]|<\w+>)", block, re.DOTALL
        ):
            start, end = int(first, 16), int(last, 16)
            codes = [bytes.fromhex(code.decode()) for code in re.findall(rb"<(\w+)>", rest)]
            for place in range(end - start + 1):
                listed = rest.startswith(b"[")
                code = codes[place] if listed else codes[0]
                character = code.decode("utf-16-be")
                found[start + place] = character if listed else chr(ord(character) + place)
    for block in re.findall(rb"beginbfchar(.*?)endbfchar", text, re.DOTALL):
        for glyph, code in re.findall(rb"<(\w+)>\s*<(\w+)>", block):
            found[int(glyph, 16)] = bytes.fromhex(code.decode()).decode("utf-16-be")
    return found


def _written(page: bytes, fonts: dict[int, dict[int, str]]) -> list[str]:
    words: list[str] = []
    for block in re.findall(rb"\nBT\n(.*?)\nET\n", page, re.DOTALL):
        word, font = "", {}
        for name, shown in re.findall(rb"/F(\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)> Tj", block):
            if name:
                font = fonts[int(name)]
            glyphs = re.findall(rb"....", shown)
            word += "".join(font.get(int(glyph, 16), "\ufffd") for glyph in glyphs)
        words.append(word)
    return words
