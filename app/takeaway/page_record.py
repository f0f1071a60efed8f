"""Page record: the record that a page's reader copies, before its first answer, and its code.

A code has 12 characters, base 32: 4 identify the page, 6 are its `CodeCounts`, 2 a checksum.

>>> code_of("K7Q2", CodeCounts(5, 7, 1, 0))
'K7Q2-0507-10DP'
>>> read_code("k7q2 05o7 1odp")
('K7Q2', CodeCounts(right_first=5, answered=7, hinted=1, shown=0))
>>> read_code("K7Q2-0607-10DP") is None  # a digit misread
True
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from app.lessons.course import is_of_course
from app.lessons.lesson import Lesson
from app.takeaway.page_data import AskedSteps, LessonRecord, PageData, RecordData
from engine.asking.question import LEVELS, Task
from engine.asking.record import Record
from engine.formats import report
from engine.formats.report import TEXT_LIMIT, Report
from engine.graph import Graph
from engine.rules import Rules

BASE32_DIGITS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: without I, L, O and U, which are misread as 1, 1, 0 and V."""
LEVELS_ASKED: Final = {
    "none": "contribution and sum",
    "last": "contribution and sum",
    "sums": "sum",
    "all": "contribution and sum",
}
"""The name of a report's level in `LEVELS`, by the steps that a page asks about."""
_STEP_KINDS: Final = frozenset(LEVELS["whole step"].kinds)
"""The kinds of questions that a page asks at the steps of a pass."""
_MISREAD: Final = str.maketrans("ILOU", "110V")
_CODE: Final = re.compile(rf"[{BASE32_DIGITS}]{{12}}")
_COUNT_WIDTHS: Final = (2, 2, 1, 1)
"""Digits of each of `CodeCounts` in a code."""
_CHECKSUM_FACTOR: Final = 37
"""32 + 5: a sum that is off by 1 changes both digits of the checksum."""
_CHECKSUM_MODULUS: Final = 1021
"""The largest prime below 32²: no position times a difference of digits is 0 modulo it."""
_TITLE_LINE: Final = '\n "title": '
_END: Final = "\n}\n"


class CodeCounts(Struct, frozen=True):
    """Numbers of questions in a code; `answered` includes those whose answer was shown.

    `right_first`: right at the first try, without hint or Show me.
    """

    right_first: int
    answered: int
    hinted: int
    shown: int


def asked_record(ask: AskedSteps, rules: Rules, task: Task | None = None) -> Record:
    """Return the record, without answers, of a page: `all` steps are asked as the task says."""
    if (
        ask == "all"
        and task
        and task.start == "predict"
        and _STEP_KINDS.issuperset(LEVELS[task.level].kinds)
    ):
        last, meet = (1 if task.steps == "last" else None), task.steps == "meet"
        return Record("predict", task.level, rules.name, last=last, meet=meet)
    return Record("predict", LEVELS_ASKED[ask], rules.name, last=1 if ask == "last" else None)


def graph_record(
    graph: Graph, title: str, record: Record, task: str = "", *, has_sets: bool = False
) -> RecordData:
    """Return the report of a page before its first answer, cut where a name and attempts go.

    `has_sets`: the page may ask three more, and then needs the newest version of reports.
    Raises EngineError for a graph without a pass.
    """
    empty = Report(graph, record, title=title[:TEXT_LIMIT] or "–", task=task)
    return _report_record(replace(empty, version=report.VERSION) if has_sets else empty)


def _report_record(empty: Report) -> RecordData:
    text = report.write(empty)
    head, rest = text.split(_TITLE_LINE)
    body = f"{_TITLE_LINE.removeprefix(chr(10))}{rest.removesuffix(_END)}"
    return RecordData("report", page_id(text), head=f"{head}\n", body=body)


def retitled(page: PageData, title: str) -> PageData:
    """Return the page of a graph with another title, which its report has too."""
    empty = report.read(f"{page.record.head}{page.record.body}{_END}")
    record = _report_record(replace(empty, title=title[:TEXT_LIMIT] or empty.title))
    return replace(page, title=title, record=record)


def lesson_record(lesson: Lesson, seed: int) -> RecordData:
    """Return the entry of a progress file for a lesson whose numbers are drawn by a seed.

    Its key is the lesson's name, or for a lesson that is not of the course its digest.
    """
    key = lesson.name if is_of_course(lesson) else lesson.digest
    entry = LessonRecord(key, lesson.digest, lesson.title, seed)
    return RecordData("progress", page_id(f"{lesson.title}\n{lesson.digest}"), lesson=entry)


def page_id(text: str) -> str:
    """Return the first four characters of a page's code: a hash of its record."""
    number = int.from_bytes(sha256(text.encode()).digest()[:4])
    return _to_base32(number % 32**4, 4)


def code_of(page: str, counts: CodeCounts) -> str:
    """Return the code of a page in three groups; a count too large is the largest that fits.

    `page` is a `page_id`.
    """
    numbers = (counts.right_first, counts.answered, counts.hinted, counts.shown)
    digits = page + "".join(
        _to_base32(min(number, 32**width - 1), width)
        for number, width in zip(numbers, _COUNT_WIDTHS, strict=True)
    )
    digits += _checksum(digits)
    return "-".join((digits[:4], digits[4:8], digits[8:]))


def read_code(text: str) -> tuple[str, CodeCounts] | None:
    """Return the page id and the counts of a code; None for another text or a wrong checksum."""
    digits = _digits_of(text)
    if not _CODE.fullmatch(digits) or _checksum(digits[:10]) != digits[10:]:
        return None
    counts = (digits[4:6], digits[6:8], digits[8], digits[9])
    return digits[:4], CodeCounts(*map(_from_base32, counts))


def is_code(text: str) -> bool:
    """Return whether a text has the form of a code, with a right checksum or a wrong one."""
    return _CODE.fullmatch(_digits_of(text)) is not None


def _digits_of(text: str) -> str:
    """Return a text in capitals without spaces and hyphens, I, L, O and U read as digits."""
    return re.sub(r"[\s-]", "", text).upper().translate(_MISREAD)


def _to_base32(number: int, width: int) -> str:
    digits = ""
    for _ in range(width):
        number, digit = divmod(number, 32)
        digits = BASE32_DIGITS[digit] + digits
    return digits


def _from_base32(digits: str) -> int:
    number = 0
    for digit in digits:
        number = 32 * number + BASE32_DIGITS.index(digit)
    return number


def _checksum(digits: str) -> str:
    """Return two digits that change with one misread digit, or with two in the wrong order."""
    weighted = (k * BASE32_DIGITS.index(digit) for k, digit in enumerate(digits, 1))
    return _to_base32(sum(weighted) * _CHECKSUM_FACTOR % _CHECKSUM_MODULUS, 2)
