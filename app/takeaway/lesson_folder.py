"""Lesson folder: all that is taken away of one lesson: page, worksheet with key, and strip."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

from msgspec import Struct

from app.canvas.paint.figure import Shot
from app.document.sheet import sheet_of
from app.lessons.lesson import Lesson
from app.style.theme import PRINT
from app.takeaway.estimated_layout import laid_out_drawing
from app.takeaway.filmstrip import MAX_PANELS, filmstrip
from app.takeaway.html_page import html_page
from app.takeaway.lesson_page import page_of_lesson
from app.takeaway.step_panel import step_of
from app.takeaway.worksheet import Options, Source, worksheets
from engine.errors import EngineError
from engine.numbers import DIGITS_SHOWN, Digits
from engine.trace import run


class LessonFolder(Struct, frozen=True):
    """The files of a lesson by name, and for what it has not, a sentence that says why."""

    files: dict[str, bytes]
    kinds: tuple[str, ...]
    """What the files are, in their order."""
    missing: tuple[str, ...]


_KINDS: Final = ("page", "worksheet", "key", "strip")


def file_names(lesson: Lesson) -> tuple[str, str, str, str]:
    """Return the names of page, worksheet, key and strip."""
    name = lesson.name
    return f"{name}.html", f"{name}-worksheet.pdf", f"{name}-worksheet-key.pdf", f"{name}-strip.pdf"


def lesson_folder(
    lesson: Lesson, digits: Digits = DIGITS_SHOWN
) -> Generator[None, None, LessonFolder]:
    """Make the page, then the worksheet, then the strip, one after the other."""
    page, sheet, key, strip = file_names(lesson)
    files = {page: html_page(page_of_lesson(lesson, digits=digits)).encode()}
    drawing = laid_out_drawing(lesson.graph)
    missing: list[str] = []
    yield
    try:
        source = Source(drawing, lesson.title, sheet.removesuffix(".pdf"), lesson)
        files[sheet], files[key] = yield from worksheets(source, Options(digits=digits))
    except EngineError as error:
        missing.append(f"There is no worksheet: {error}")
    yield
    trace = run(lesson.graph)
    try:
        steps = [step_of(trace, k, digits) for k in strip_steps(len(trace))]
        files[strip] = filmstrip(".pdf", sheet_of(drawing), steps, Shot(theme=PRINT.name))
    except EngineError as error:
        missing.append(f"There is no strip: {error}")
    kinds = tuple(
        kind for kind, name in zip(_KINDS, file_names(lesson), strict=True) if name in files
    )
    return LessonFolder(files, kinds, tuple(missing))


def strip_steps(total: int) -> tuple[int, ...]:
    """Return the steps of a pass that a strip shows unless others are chosen: spread over it.

    >>> strip_steps(7), strip_steps(13), strip_steps(3)
    ((1, 2, 3, 5, 6, 7), (1, 3, 6, 8, 11, 13), (1, 2, 3))
    """
    if total <= MAX_PANELS:
        return tuple(range(1, total + 1))
    return tuple(1 + round(k * (total - 1) / (MAX_PANELS - 1)) for k in range(MAX_PANELS))
