"""Readers of what is exported: texts of a PDF, labels of DOT, the JSON of an HTML page."""

from __future__ import annotations

import json
import math
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.asking.answering import RIGHT_ROUNDED
from engine.asking.judging import read_answer, rounds
from engine.numbers import is_rounded, short, signed
from engine.ops import BY_NAME

if TYPE_CHECKING:
    from app.canvas.paint.figure import PictureOptions
    from app.document.sheet import Sheet
    from engine.frame import Frame


def save_picture(
    path: Path, sheet: Sheet, frame: Frame, picture_options: PictureOptions | None = None
) -> None:
    """Write the picture of one step."""
    from app.canvas.paint.figure import PLAIN, figure_of
    from app.canvas.paint.picture_export import save_pictures

    chosen = picture_options or PLAIN
    save_pictures([path], figure_of(sheet, frame, chosen), [frame], chosen)


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


AMPERSAND = re.compile(r"&amp;(#?\w+;)")


def unquoted(label: str) -> str:
    """The text that `dot.quoted` was given."""
    plain = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], label)
    return AMPERSAND.sub(r"&\1", plain)


_TOLERANCE = 1e-9
_COMMA = re.compile(r"(?<![\w.,])(\d+),(\d+)(?![\d.,])", re.ASCII)
_GROUPED = re.compile(r"[1-9]\d{0,2},\d{3}", re.ASCII)


def data_of(text: str) -> dict[str, Any]:
    """The JSON of a file."""
    found = re.search(r'<script type="text/plain" id="data">(.*?)</script>', text)
    assert found is not None
    return json.loads(zlib.decompress(b64decode(found[1]), -zlib.MAX_WBITS))


def plain(text: list[Any], typed: str = "") -> str:
    """A text as it is read, with the reader's own answer."""
    return "".join(
        span if isinstance(span, str) else typed if span[1] == "typed" else span[0] for span in text
    )


def states(
    page: dict[str, Any], leaves: Mapping[int, float] | None = None
) -> Iterator[tuple[dict[str, Any], list[dict[str, str]]]]:
    """Each step with the numbers on its figure: on entering, and after each of its questions.

    Those of a live page are at its own numbers, or at those that are given.
    """
    state: dict[str, str] = {}
    for step in page["steps"]:
        state = folded(state, step.get("shown"))
        found = [state]
        for question in step.get("questions", []):
            state = folded(state, question.get("reveals"))
            found.append(state)
        task = step["doing"]["passes"][0]["live"] if "doing" in step else None
        live = page.get("live") or step.get("live") or task
        numbers = field_numbers(live, leaves or {}) if live else {}
        yield step, [{key: with_numbers(text, numbers) for key, text in s.items()} for s in found]


def field_numbers(live: dict[str, Any], leaves: Mapping[int, float]) -> dict[str, float]:
    """The numbers of both passes of a live page by the keys of holes, as its script has them."""
    values = {each["node"]: float(each["value"]) for each in live["leaves"]} | dict(leaves)
    values |= {int(node): float(number) for node, number in live["constants"].items()}
    computed = {node: (BY_NAME[name], inputs) for node, name, *inputs in live["computed"]}
    for node, (op, inputs) in computed.items():
        values[node] = op.forward(*[values[source] for source in inputs])
    found, gradients = {f"v{node}": value for node, value in values.items()}, dict[int, float]()
    for k, (node, *wire) in enumerate(live["ticks"]):
        if len(wire) < 2:
            gradients[node] = 0.0 if wire else live["seed"]
            continue
        sender, used = wire[0], wire[-1]
        op, inputs = computed[sender]
        local = op.partials[used](*[values[source] for source in inputs], values[sender])
        contribution = gradients.get(sender, 0.0) * local
        before = 0.0 if live["replaces"] else gradients.get(node, 0.0)
        gradients[node] = before + contribution
        found |= {f"l{k}": local, f"c{k}": contribution, f"a{k}": gradients[node]}
    return found


_HOLE = re.compile("\ufdd0(\\w+):(\\d+)([+([]*)\ufdd1")


def with_numbers(text: str, numbers: Mapping[str, float]) -> str:
    """A text with its holes filled."""

    def filled(hole: re.Match[str]) -> str:
        write = signed if "+" in hole[3] else short
        found = write(numbers[hole[1]], int(hole[2]))
        in_brackets = (found[0] in "−+" and "(" in hole[3]) or (found[0] == "≈" and "[" in hole[3])
        return f"({found})" if in_brackets else found

    return _HOLE.sub(filled, text)


def folded(state: dict[str, str], change: dict[str, Any] | None) -> dict[str, str]:
    if change is None:
        return state
    after = {**state, **change.get("set", {})}
    for key in change.get("gone", []):
        del after[key]
    return after


def said(
    page: dict[str, Any], question: dict[str, Any], texts: Sequence[str], own_hint: str = ""
) -> list[str]:
    """The line after each text that is typed into a field, "hint" being a press of Hint.

    It ends with the answer, right or worked. A line has its ✓ or ✘, as in the window. `own_hint` is
    that of the step.
    """
    typed = [text for text in texts if read_answer(text).number is not None]
    lines, words, mended = list[str](), page["words"], ""
    tries, helped, hints, asked = 0, 0, 0, math.nan
    for text in texts:
        if text == "hint":
            asked, hints = math.nan, hints + (not own_hint)
            rung = min(tries + hints, 3)
            lines.append(own_hint or plain(question[("", "rule", "second", "worked")[rung]]))
            if rung == 3 and not own_hint:
                break
            own_hint = ""
            continue
        if read_answer(text).number is None:
            lines.append(_refusal(words, text))
            continue
        verdict, slip, line = _judged(question, text)
        right, is_open = verdict in ("right", "rounded"), tries == 1 and not math.isnan(asked)
        is_helped = not right and is_open and _near(read_answer(text).number or 0.0, asked)
        tries, helped = tries + (not is_helped), helped + is_helped
        if right:
            lines.append(_praise(words, question, tries + helped, line, mended))
            break
        asked, mended = (
            float(slip.get("asked", math.nan)),
            slip.get("mended", "" if slip else mended),
        )
        rung = tries + hints
        if rung >= 3:
            lines.append(plain(question["worked"]))
            break
        again = (
            question["wrong_same"]
            if typed[: tries + helped][-2:] == 2 * [text]
            else slip.get("again", question["wrong_again"])
        )
        repeated = plain(again if tries > 1 else question["wrong_hinted"], _quoted(text))
        lines.append(
            line if rung == 1 else repeated + plain(slip.get("second", question["second"]))
        )
    return lines


def _refusal(words: dict[str, str], text: str) -> str:
    if not text.strip():
        return words["empty"]
    found = next((m for m in _COMMA.finditer(text) if _GROUPED.fullmatch(m[0])), None)
    if found is None:
        return words["unread"].replace("{text}", _quoted(text))
    return words["comma"].format(text=found[0], whole=found[1], part=found[2])


def _praise(
    words: dict[str, str], question: dict[str, Any], tries: int, remark: str, mended: str
) -> str:
    word = words[("first", "second", "third", "fourth")[min(tries, 4) - 1]]
    says = mended or remark or question["answer"].get("because", "")
    return f"✓ {(says if remark and not mended and tries == 1 else f'{word} {says}').strip()}"


def judged(question: dict[str, Any], text: str) -> tuple[str, str, str]:
    """The verdict on a typed text, its slip, and the line below it at the first try."""
    verdict, slip, line = _judged(question, text)
    return verdict, slip.get("name", ""), line


def _judged(question: dict[str, Any], text: str) -> tuple[str, dict[str, Any], str]:
    """As judging.js does at the page's own numbers."""
    reading, found = read_answer(text), question["answer"]
    x = reading.number
    assert x is not None
    right, scale = float(found["number"]), float(found.get("scale", 0.0))
    if _near(x, right, scale):
        return "right", {}, ""
    numbers = [(float(each["number"]), each) for each in question.get("slips", [])]
    slips = [(y, each) for y, each in numbers if not _near(y, right, scale)]
    exact = [each for each in slips if _near(x, each[0])]
    if _near(x, -right):
        exact.sort(key=lambda each: each[1].get("rank", 0))
    if exact:
        return _slipped(question, x, text, exact, slips)
    if rounds(x, right):
        return "rounded", {}, f"{RIGHT_ROUNDED} {found.get('because', '')}".rstrip()
    if rounded := [each for each in slips if rounds(x, each[0])]:
        return _slipped(question, x, text, rounded, slips)
    is_near = math.isfinite(x - right) and abs(x - right) <= 0.01 * abs(right)
    if is_near and any(is_rounded(float(y)) for y in found.get("sources", [])):
        return "rounded", {}, f"{found['digits']} {found.get('because', '')}".rstrip()
    return "wrong", {}, plain(question["wrong"], _quoted(text))


Numbered = tuple[float, dict[str, Any]]


def _slipped(
    question: dict[str, Any], x: float, text: str, found: list[Numbered], slips: list[Numbered]
) -> tuple[str, dict[str, Any], str]:
    number, slip = found[0]
    shown = short(number)
    reasons = [_reason(y, each) for y, each in found if _near(y, number)]
    reason = next(filter(None, reasons), None)
    right = question["answer"]["label"].replace("−", "").lstrip("+")
    told = [] if reason is None else [n.replace("−", "").lstrip("+") for n in reason["numbers"]]
    says = (
        None
        if reason is None or (right in told and right != shown.replace("−", ""))
        else reason["says"]
    )
    if says and not _near(x, number) and short(x) != shown:
        cross, typed, rest, *more = says
        about = str(rest).replace(" is ", " is about ", 1)
        says = [cross, typed, about, *more] if str(rest).startswith(" is ") else None
    named = (next(each for each in slips if each[1]["name"] == s["name"]) for _y, s in found)
    mended = next((r["mended"] for each in named if (r := _reason(*each)) and r["mended"]), "")
    asked = math.nan if reason is None else float(reason.get("asked", math.nan))
    line = plain(says or slip["fact"] or question["wrong"], _quoted(text))
    kept = {"name": slip["name"], "asked": asked, "mended": mended}
    return "slip", kept | ({"second": slip["second"]} if "second" in slip else {}), line


def _reason(number: float, slip: dict[str, Any]) -> dict[str, Any] | None:
    found = slip["reason"]
    if not found:
        return None
    if len(plain(found["says"][1:], short(number))) > 100:
        return None
    return found | {"mended": found["mended"] if len(found["mended"]) <= 140 else ""}


def _near(x: float, y: float, scale: float = 0.0) -> bool:
    if not (math.isfinite(x) and math.isfinite(y)):
        return x == y or (math.isnan(x) and math.isnan(y))
    return abs(x - y) <= _TOLERANCE * max(abs(y), scale if math.isfinite(scale) else 0.0)


def _quoted(text: str) -> str:
    written = text.strip().replace("-", "−")
    return written if len(written) <= 12 else f"{written[:11]}…"


class Tags(HTMLParser):
    """The elements of a file with their attributes, and the text of each script."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.words: list[str] = []
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open = tag

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open == "script":
            self.scripts.append(data)
        elif self._open != "style":
            self.words.append(data)
