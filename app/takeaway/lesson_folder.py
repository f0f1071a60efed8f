"""Lesson folder: the page, the worksheet with its key, and the strip of one lesson."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

from msgspec import Struct

from app.canvas.paint.figure import PictureOptions
from app.document.sheet import sheet_of
from app.lessons.lesson import Lesson
from app.style.theme import PRINT
from app.takeaway.estimated_layout import laid_out_drawing
from app.takeaway.filmstrip import MAX_PANELS, filmstrip, step_of
from app.takeaway.html_page import html_page
from app.takeaway.lesson_page import page_of_lesson
from app.takeaway.options import Source, WorksheetOptions
from app.takeaway.worksheet import worksheets
from engine.errors import EngineError
from engine.numbers import DIGITS_SHOWN, Digits
from engine.trace import run

_FILE_ENDS: Final = {
    "page": ".html",
    "worksheet": "-worksheet.pdf",
    "key": "-worksheet-key.pdf",
    "strip": "-strip.pdf",
}
"""The kinds of files in their order; a name is the lesson's with this end."""


class LessonFolder(Struct, frozen=True):
    """The content of each file by its name, and a sentence about each kind that cannot be made."""

    files: dict[str, bytes]
    kinds: tuple[str, ...]
    """The kinds of `files`, in the same order."""
    missing: tuple[str, ...]


def file_names(lesson: Lesson) -> dict[str, str]:
    """Return the names of page, worksheet, key and strip, by kind."""
    return {kind: f"{lesson.name}{end}" for kind, end in _FILE_ENDS.items()}


def lesson_folder(
    lesson: Lesson, digits: Digits = DIGITS_SHOWN
) -> Generator[None, None, LessonFolder]:
    """Yield between the steps of making page, worksheets and strip, then return the folder."""
    names = file_names(lesson)
    files = {names["page"]: html_page(page_of_lesson(lesson, digits=digits)).encode()}
    drawing = laid_out_drawing(lesson.graph)
    missing: list[str] = []
    yield
    try:
        stem = names["worksheet"].removesuffix(".pdf")
        source = Source(drawing, lesson.title, stem, lesson)
        sheet, key = yield from worksheets(source, WorksheetOptions(digits=digits))
        files |= {names["worksheet"]: sheet, names["key"]: key}
    except EngineError as error:
        missing.append(f"There is no worksheet: {error}")
    yield
    trace = run(lesson.graph)
    try:
        steps = [step_of(trace, k, digits) for k in strip_steps(len(trace))]
        picture_options = PictureOptions(theme=PRINT.name)
        files[names["strip"]] = filmstrip(".pdf", sheet_of(drawing), steps, picture_options)
    except EngineError as error:
        missing.append(f"There is no strip: {error}")
    kinds = tuple(kind for kind, name in names.items() if name in files)
    return LessonFolder(files, kinds, tuple(missing))


def strip_steps(total: int) -> tuple[int, ...]:
    """Return the steps of a strip of a whole pass: all, or MAX_PANELS at even distances.

    >>> strip_steps(7), strip_steps(13), strip_steps(3)
    ((1, 2, 3, 5, 6, 7), (1, 3, 6, 8, 11, 13), (1, 2, 3))
    """
    if total <= MAX_PANELS:
        return tuple(range(1, total + 1))
    return tuple(1 + round(k * (total - 1) / (MAX_PANELS - 1)) for k in range(MAX_PANELS))
