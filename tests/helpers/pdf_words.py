"""What a reader of a PDF copies: its texts, by the maps from glyphs to characters in it."""

import re
import zlib


def words_of(content: bytes) -> list[str]:
    """Each text that a page shows, in the order of writing; for PDF as Qt writes it."""
    return [word for page in words_by_page(content) for word in page]


def words_by_page(content: bytes) -> list[list[str]]:
    """The texts of each page."""
    objects = _objects(content)
    fonts = {
        number: _characters(_stream(objects[int(found[1])]))
        for number, body in objects.items()
        if (found := re.search(rb"/ToUnicode (\d+) 0 R", body))
    }
    return [_written(page, fonts) for page in page_streams(content)]


def page_streams(content: bytes) -> list[bytes]:
    """The drawing instructions of each page."""
    objects = _objects(content)
    pages = [int(k) for body in objects.values() for k in re.findall(rb"/Contents (\d+) 0 R", body)]
    return [_stream(objects[page]) for page in pages]


def type_sizes(page: bytes) -> set[float]:
    """The sizes in pt of all texts of a page, from its drawing instructions."""
    scale, saved, found = 1.0, list[float](), set[float]()
    number = rb"(-?[\d.]+)"
    pattern = rb"\b(q|Q)\b|" + rb" ".join([number] * 6) + rb" cm|/F\d+ ([\d.]+) Tf"
    for match in re.finditer(pattern, page):
        if match[1] == b"q":
            saved.append(scale)
        elif match[1] == b"Q":
            scale = saved.pop()
        elif match[8]:
            found.add(round(scale * float(match[8]), 2))
        else:
            a, b, c, d = (float(match[k]) for k in range(2, 6))
            scale *= abs(a * d - b * c) ** 0.5
    return found


def _objects(content: bytes) -> dict[int, bytes]:
    pattern = rb"(?<!\d)(\d+) 0 obj\n(.*?)endobj"
    return {int(each[1]): each[2] for each in re.finditer(pattern, content, re.DOTALL)}


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
                if listed and place >= len(codes):
                    break  # the glyphs behind it have no characters of their own
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
