"""Page record: what a page knows of the record that its reader copies, and the code of 12 signs.

>>> code_of("K7Q2", Counts(5, 7, 1, 0))
'K7Q2-0507-10DP'
>>> read_code("k7q2 05o7 1odp")
('K7Q2', Counts(right_first=5, answered=7, hinted=1, shown=0))
>>> read_code("K7Q2-0607-10DP") is None  # a sign misread
True
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

from msgspec import Struct

from app.lessons.index import is_of_course
from app.lessons.lesson import Lesson
from app.takeaway.page_data import Asked, LessonRecord, RecordData
from engine.formats import report
from engine.formats.report import TEXT_LIMIT, Report
from engine.graph import Graph
from engine.rules import Rules
from engine.study.record import Record

SIGNS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The digits of a code, base 32: without I, L, O and U, which are misread."""
LEVELS_ASKED: Final = {
    "none": "contribution and sum",
    "last": "contribution and sum",
    "sums": "sum",
    "all": "contribution and sum",
}
"""The level of a report, by which steps a page asks about."""
_MISREAD: Final = str.maketrans("ILOU", "110V")
_CODE: Final = re.compile(rf"[{SIGNS}]{{12}}")
_WIDTHS: Final = (2, 2, 1, 1)
"""The signs of each count in a code."""
_FACTOR, _MODULUS = 37, 1021
_TITLE_LINE: Final = '\n "title": '
_END: Final = "\n}\n"


class Counts(Struct, frozen=True):
    """What a code tells: how many questions were right first time, answered, hinted and shown."""

    right_first: int
    answered: int
    hinted: int
    shown: int


def graph_record(graph: Graph, title: str, ask: Asked, rules: Rules) -> RecordData:
    """Return the report of a page before its first answer; EngineError without a pass."""
    record = Record(
        "predict", LEVELS_ASKED[ask], rules=rules.name, last=1 if ask == "last" else None
    )
    text = report.write(Report(graph, record, title=title[:TEXT_LIMIT] or "–"))
    head, rest = text.split(_TITLE_LINE)
    body = f"{_TITLE_LINE.removeprefix(chr(10))}{rest.removesuffix(_END)}"
    return RecordData("report", page_signs(text), head=f"{head}\n", body=body)


def lesson_record(lesson: Lesson, seed: int) -> RecordData:
    """Return what a progress file says of a lesson before its first answer."""
    key = lesson.name if is_of_course(lesson) else lesson.digest
    found = LessonRecord(key, lesson.digest, lesson.title, seed)
    return RecordData("progress", page_signs(f"{lesson.title}\n{lesson.digest}"), lesson=found)


def page_signs(text: str) -> str:
    """Return the four signs by which the code of one page is told from that of another."""
    number = int.from_bytes(sha256(text.encode()).digest()[:4])
    return _written(number % 32**4, 4)


def code_of(page: str, counts: Counts) -> str:
    """Return the code of a page with these counts, in three groups; larger counts are cut off."""
    numbers = (counts.right_first, counts.answered, counts.hinted, counts.shown)
    signs = page + "".join(
        _written(min(number, 32**width - 1), width)
        for number, width in zip(numbers, _WIDTHS, strict=True)
    )
    signs += _written(_checksum(signs), 2)
    return "-".join((signs[:4], signs[4:8], signs[8:]))


def read_code(text: str) -> tuple[str, Counts] | None:
    """Return the page and the counts of a code; None for any other text, and for a misread one."""
    signs = _signs(text)
    if not _CODE.fullmatch(signs) or _written(_checksum(signs[:10]), 2) != signs[10:]:
        return None
    counts = (_number(signs[4:6]), _number(signs[6:8]), _number(signs[8]), _number(signs[9]))
    return signs[:4], Counts(*counts)


def is_code(text: str) -> bool:
    """Return whether a text has the form of a code, with right signs or a misread one."""
    return _CODE.fullmatch(_signs(text)) is not None


def _signs(text: str) -> str:
    """Return the signs of a code without spaces and hyphens, those easily misread corrected."""
    return re.sub(r"[\s-]", "", text).upper().translate(_MISREAD)


def _written(number: int, width: int) -> str:
    signs = ""
    for _ in range(width):
        number, digit = divmod(number, 32)
        signs = SIGNS[digit] + signs
    return signs


def _number(signs: str) -> int:
    number = 0
    for sign in signs:
        number = 32 * number + SIGNS.index(sign)
    return number


def _checksum(signs: str) -> int:
    """Return a sum that a misread sign, or two in the wrong order, changes."""
    weighted = (place * SIGNS.index(sign) for place, sign in enumerate(signs, 1))
    return sum(weighted) * _FACTOR % _MODULUS
