"""Worksheet: a backward pass to be worked out on paper, and its key, as two PDF files.

The sheet has the graph after its forward pass with boxes for the gradients, a table of the steps,
and up to three questions. The key has the same filled in, and in each row the slips behind wrong
numbers. Copies have other numbers, by seed; equal seeds give equal files. All lengths are px of 96
to the inch, unless another unit is given.
"""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Iterator, Sequence
from functools import partial
from itertools import accumulate, groupby
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from app.canvas.paint.picture_export import Paint, pdf
from app.controls.slices import drained
from app.controls.spans import Span, Spans, filled, plain_text, verbatim
from app.document.sheet import Sheet, sheet_of
from app.style import fonts
from app.style.strokes import Align, draw_text, elided, text_sizes_outside_presentation, width
from app.style.theme import PRINT
from app.takeaway.options import Blank, Maker, Preview, Source, WorksheetOptions
from app.takeaway.paper import (
    FILLED,
    LEAST_TYPE,
    MARGIN,
    MM,
    PAPERS,
    SLANT,
    Pages,
    Paper,
    grid,
    page_image,
    paint_rule,
    paint_text,
    printable_text,
    text_height,
)
from app.takeaway.worksheet_figure import Printed, WorksheetFigure, worksheet_figure
from app.takeaway.worksheet_rows import (
    MOST_ASKED_STEPS,
    MOST_QUESTIONS,
    NAME_LENGTH,
    AskedNumbers,
    Cell,
    OpenQuestion,
    Row,
    SlipLine,
    asked_of,
    copies_of,
    drawn_questions,
    gradient_rows,
    lesson_questions,
    step_rows,
)
from app.workbench.words.alt_text import AltText
from engine.asking.question import Task
from engine.errors import FormatError
from engine.graph import Graph
from engine.trace import Trace, run

ROW: Final = 9 * MM
"""Height of a row to write in."""
KEY_ROW: Final = 7 * MM
"""Least height of a row of the key."""
HEAD: Final = 26.0
"""Height of the head of a sheet's table, of one line."""
_KEY_HEAD: Final = HEAD + 8
"""Height of the head of a key's table, whose narrow columns need two lines."""
_CELL_PAD, _KEY_CELL_PAD = 8.0, 5.0
"""Left padding of the cells of a sheet, and of those of a key."""
_SLIP_PAD: Final = 6.0
"""Padding of the column of slips, on all sides."""
_SLIP_GAP: Final = 4.0
"""Space between the slips of two columns."""
MOST_STEPS: Final = 100
"""Steps of the longest pass that a worksheet has rows for; they take four pages."""
_SUBTITLE, _KEY_SUBTITLE = "Backward by hand", "Answer key"
_FIELDS: Final = (("Name", 0.0, 0.459), ("Group", 0.485, 0.724), ("Date", 0.75, 1.0))
"""Fields to fill in at the top, with the shares of the width at which each begins and ends."""
_INTRO: Final[dict[Blank, str]] = {
    "all": "The forward pass is done. Start with **{root}.grad = {seed}** and go from right to"
    " left. A number in a circle is a step: work it out in the table, then write each gradient into"
    " its node.",
    "grads": "The forward pass is done. Start with **{root}.grad = {seed}** and go from right to"
    " left, along the numbers in circles. Write each gradient into its node.",
    "steps": "Both passes are done, and each node shows its gradient. A number in a circle is a"
    " step: work out in the table how it came about.",
    "sums": "The forward pass is done, and the table has each contribution. Add up what comes to a"
    " node, then write its gradient into it. A number in a circle is a step.",
}
_GIVEN_STEPS: Final = " The first {count} are done."
_STEP_HEADS: Final = (
    "step", "who fires", "to", "upstream", "slope", "contribution", "receiver's sum now"
)  # fmt: skip
_STEP_WIDTHS: Final = (42, 112, 80, 90, 116, 102, 138)
"""Relative widths of a sheet's columns, which together have the width of the text."""
_KEY_STEP_WIDTHS: Final = (32, 76, 54, 56, 60, 68, 58)
"""Least widths of a key's columns; the column of slips has the rest."""
_GRAD_HEADS: Final = ("node", "how it comes about", "gradient")
_GRAD_WIDTHS: Final = (120, 440, 120)
_KEY_GRAD_WIDTHS: Final = (80, 70, 70)
_SLIPS_HEAD: Final = "a wrong number, and what is behind it"
_STEP_NOTE: Final = "upstream × slope = contribution"
_TOO_LARGE: Final = (
    "The graph is too large for a worksheet: its figure would have type of {size} pt on {paper}, "
    "and {least} pt is the least. Take a part of it."
)
_TOO_LONG: Final = (
    "The pass has {steps:,} steps; a worksheet has room for {most}. Take a part of the graph."
)
_FIGURE_GOES_ON: Final = "The figure goes on on the next page; wires go on straight down."
_ONE_NOTE: Final = "One sheet with the numbers as they are; the key is a file of its own."
_MANY_NOTE: Final = (
    "{count} sheets, each with numbers of its own; one key for all, a file of its own."
)
_NOTHING: Final = "The pass has no step to be worked out: no wire leads to the root from a leaf."


class Worksheet(Struct, frozen=True):
    """One copy, laid out: its figure, the rows of its table and its questions.

    `seed` is None for the numbers of the drawing.
    """

    source: Source
    options: WorksheetOptions
    seed: int | None
    figure: WorksheetFigure
    parts: tuple[QRectF, ...]
    """The rectangles of the sheet that its pages show, in sheet px; more than one if it is cut."""
    rows: tuple[Row, ...]
    questions: tuple[OpenQuestion, ...]

    @property
    def paper(self) -> Paper:
        return PAPERS[self.options.paper]

    @property
    def asked(self) -> AskedNumbers:
        return self.figure.printed.asked


def worksheet_files(source: Source, options: WorksheetOptions) -> tuple[bytes, bytes]:
    """Return the PDF of all copies and that of their keys.

    Raises FormatError for a pass without a step to work out or with more than MOST_STEPS, a figure
    too large for the paper, and a graph with too few different numbers for its copies.
    """
    return drained(worksheets(source, options))


def worksheets(
    source: Source, options: WorksheetOptions, _suffix: str = ""
) -> Generator[None, None, tuple[bytes, bytes]]:
    """Yield before each copy and each file, then return as `worksheet_files`."""
    sheets: list[Worksheet] = []
    for seed, graph in _graphs(source, options):
        yield
        with text_sizes_outside_presentation():
            sheets.append(_worksheet_of(source, options, seed, graph))
    files: list[bytes] = []
    for is_key, title in ((False, source.title), (True, f"{source.title}: {_KEY_SUBTITLE}")):
        yield
        with text_sizes_outside_presentation():
            painters = [paint for sheet in sheets for paint in _pages(sheet, is_key=is_key)]
            if is_key and len(sheets) > 1:
                painters = [*_answer_list(sheets), *painters]
            files.append(pdf(painters, PAPERS[options.paper].size, AltText(printable_text(title))))
    return files[0], files[1]


@text_sizes_outside_presentation()
def _preview(source: Source, options: WorksheetOptions, room: tuple[float, float]) -> Preview:
    """Return the first page of the first copy."""
    (seed, graph), *_ = _graphs(source, replace(options, copies=1, seed=None))
    paint = _pages(_worksheet_of(source, options, seed, graph), is_key=False)[0]
    note = _MANY_NOTE.format(count=options.copies) if options.copies > 1 else _ONE_NOTE
    return Preview(page_image(paint, PAPERS[options.paper], room), note=note)


def _graphs(source: Source, options: WorksheetOptions) -> Sequence[tuple[int | None, Graph]]:
    """Return the graph of each copy, with its seed."""
    graph = source.drawing.graph
    _check_length(options, run(graph))
    if options.seed is not None or options.copies > 1:
        return copies_of(graph, options.seed or 1, options.copies)
    return [(None, graph)]


def _check_length(_options: WorksheetOptions, trace: Trace) -> None:
    """Raise FormatError for a pass without a step to work out, or with too many."""
    if len(trace) > MOST_STEPS:
        raise FormatError(_TOO_LONG, steps=len(trace), most=MOST_STEPS)
    if not any(event.kind == "contribution" for event in trace.events):
        raise FormatError(_NOTHING)


def _worksheet_of(
    source: Source, options: WorksheetOptions, seed: int | None, graph: Graph
) -> Worksheet:
    """Lay out one copy, whose graph has the numbers of `seed`."""
    sheet, trace = sheet_of(source.drawing).with_graph(graph), run(graph)
    asked = asked_of(trace, options.blank)
    rows_of = gradient_rows if options.blank == "grads" else step_rows
    rows = rows_of(trace, asked, options.digits)
    questions: list[OpenQuestion] = []
    if source.lesson is not None:
        drawn = seed is not None
        questions = lesson_questions(source.lesson, trace, drawn=drawn, digits=options.digits)
    questions += drawn_questions(trace, seed or 0, options.digits)
    chosen = tuple(questions[:MOST_QUESTIONS])
    printed = Printed(trace, asked, options.digits)
    figure, parts = _figure(sheet, printed, PAPERS[options.paper], rows, chosen)
    return Worksheet(source, options, seed, figure, tuple(parts), rows, chosen)


_INTRO_HEIGHT: Final = 132.0
"""Height of title, fields and introduction."""
_FIGURE_GAP: Final = 14.0
"""Space above the figure, and below it."""
_TABLE_TITLE: Final = 34.0
"""Height of the line with the table's title, and the space below it."""
_TABLE_GAP: Final = 14.0
"""Space below the table."""
MOST_FIGURE_PAGES: Final = 3
"""Most pages that a figure is cut into: more parts are hard to follow."""
_GOES_ON_LINE: Final = 20.0
"""Height of the line below a figure that continues on the next page."""
LEAST_FIGURE: Final = 120.0
"""Least height for which a figure is tried: about that of one operation at the least type."""


def _figure(
    sheet: Sheet,
    printed: Printed,
    paper: Paper,
    rows: Sequence[Row],
    questions: Sequence[OpenQuestion],
) -> tuple[WorksheetFigure, Sequence[QRectF]]:
    """Return the figure with readable type on the fewest pages, and its parts.

    Its page is to hold the table and the questions as well; else the table; else the figure alone;
    else it is cut between its rows of nodes. Raises FormatError if the type is too small even then.
    """
    whole_page = Pages(paper).room
    first_page = whole_page - _intro_height(sheet.task, paper) - 2 * _FIGURE_GAP
    table_height = _TABLE_TITLE + HEAD + ROW * len(rows)
    with_table = first_page - table_height
    below = sum(_question_height(q, paper.text_width) for q in questions)
    beside = _height_beside(questions, paper) if questions else 0.0
    above_questions = with_table - _TABLE_GAP - _QUESTIONS_TITLE
    heights = [above_questions - below, above_questions - beside - _ROUNDING, with_table]
    heights = heights if _table_may_share(rows) else []
    all_pages = first_page + (MOST_FIGURE_PAGES - 1) * whole_page
    best_type = 0.0
    for high in (*heights, first_page, all_pages):
        if high < LEAST_FIGURE:
            continue
        figure = worksheet_figure(sheet, printed, paper.text_width, high)
        best_type = max(best_type, figure.type_size)
        first_height = first_page if high == all_pages else high
        parts = figure.parts(first_height, whole_page - _GOES_ON_LINE)
        if figure.type_size >= LEAST_TYPE and parts is not None:
            return figure, parts
    raise FormatError(
        _TOO_LARGE, size=f"{best_type:.1f}", paper=paper.name, least=f"{LEAST_TYPE:g}"
    )


def _table_may_share(rows: Sequence[Row]) -> bool:
    """Return whether the table is short enough for the page of the figure."""
    return len(rows) <= MOST_ASKED_STEPS


# pages


def _pages(sheet: Worksheet, *, is_key: bool) -> list[Paint]:
    pages = Pages(sheet.paper)
    high = _intro_height(sheet.source.drawing.task, sheet.paper)
    pages.add(high, partial(_paint_intro, sheet, is_key))
    pages.skip(_FIGURE_GAP)
    for k, part in enumerate(sheet.parts):
        if k:
            pages.turn()
        high = part.height() * sheet.figure.scale
        pages.add(high, partial(_paint_figure, sheet, k, is_key))
    pages.skip(_FIGURE_GAP)
    _add_table(pages, sheet, is_key=is_key)
    _add_questions(pages, sheet, is_key=is_key)
    return pages.painters(partial(_paint_foot, sheet, is_key))


_LIST_TITLE: Final = 44.0
"""Height of the title of the list of answers, and the space below it."""
_LIST_ROW: Final = 15.0
"""Height of a row of that list: a page holds those of 60 copies."""
_LISTED_ANSWER: Final = 160.0
"""Width of the answer to a question in that list, beyond which it is cut off."""
_ANSWERS: Final = "Answers: gradients and questions of all copies"


def _answer_list(sheets: Sequence[Worksheet]) -> list[Paint]:
    """Return the pages with a row for each copy, one page up to 60: its seed and its gradients."""
    graph, paper = sheets[0].figure.printed.trace.graph, sheets[0].paper
    grads = [
        {event.node: event.after for event in sheet.figure.printed.trace.events if event.wire}
        for sheet in sheets
    ]
    columns = [["seed", *(f"{sheet.seed}" for sheet in sheets)]]
    widths = [_listed_width(columns[0])]
    of_nodes = {
        node: [s.figure.printed.short(g[node]) for s, g in zip(sheets, grads, strict=True)]
        for node in grads[0]
    }
    named = {n: [graph.brief(n, NAME_LENGTH), *numbers] for n, numbers in of_nodes.items()}
    leaves = [named[node] for node in graph.leaves if node in named]
    answers = zip(*(map(_listed_answer, sheet.questions) for sheet in sheets), strict=False)
    asked = [[f"question {k}", *texts] for k, texts in enumerate(answers, 1)]
    others = [named[node] for node in sorted(named) if node not in graph.leaves]
    for column in (*leaves, *asked, *others):
        if sum(widths) + _listed_width(column) <= paper.text_width:
            columns.append(column)
            widths.append(_listed_width(column))

    def paint_row(k: int, painter: QPainter, x: float, y: float) -> None:
        for column, left in zip(columns, accumulate(widths, initial=x), strict=False):
            at = (left + _KEY_CELL_PAD, y + _LIST_ROW / 2)
            role = "caption" if k else "caption strong"
            draw_text(painter, printable_text(column[k]), role, PRINT.text, at)
        grid(painter, (x, y), widths, _LIST_ROW)

    def paint_title(painter: QPainter, x: float, y: float) -> None:
        draw_text(painter, _ANSWERS, "title", PRINT.text, (x, y + 18))

    pages = Pages(paper)
    pages.add(_LIST_TITLE, paint_title)
    pages.add(_LIST_ROW, partial(paint_row, 0))
    pages.heads, pages.head_height = partial(paint_row, 0), _LIST_ROW
    for k in range(1, len(sheets) + 1):
        pages.add(_LIST_ROW, partial(paint_row, k))
    return pages.painters(partial(_paint_foot, replace(sheets[0], seed=None), True))


def _listed_answer(question: OpenQuestion) -> str:
    """Return the answer to a question without its reason, in the width of a column."""
    return elided(re.split("[.:] ", plain_text(question.answer))[0], "caption", _LISTED_ANSWER)


def _listed_width(column: Sequence[str]) -> float:
    """Return the width of a column of the list that holds all its texts."""
    return max(width(text, "caption strong") for text in column) + 2 * _KEY_CELL_PAD


def _add_table(pages: Pages, sheet: Worksheet, *, is_key: bool) -> None:
    """Add the table; that of a sheet begins a new page if the rest of this one can't hold it."""
    table = _Table(sheet, is_key=is_key)
    high = _TABLE_TITLE + table.head_height + sum(table.row_heights)
    if not _table_may_share(sheet.rows) or (not is_key and high > pages.room):
        pages.turn()
    first = table.row_heights[0]
    pages.add(_TABLE_TITLE, table.paint_title, with_next=table.head_height + first)
    pages.add(table.head_height, table.paint_head, with_next=first)
    pages.heads, pages.head_height = table.paint_head, table.head_height
    for k, high in enumerate(table.row_heights):
        pages.add(high, partial(table.paint_row, k))
    pages.heads = None


def _add_questions(pages: Pages, sheet: Worksheet, *, is_key: bool) -> None:
    if not sheet.questions:
        return
    pages.skip(_TABLE_GAP)
    wide = sheet.paper.text_width
    heights = [_question_height(q, wide, is_key=is_key) for q in sheet.questions]
    beside = _height_beside(sheet.questions, sheet.paper)
    room = pages.room - _QUESTIONS_TITLE
    if not is_key and beside <= room < sum(heights):  # else a page for a line or two
        pages.add(_QUESTIONS_TITLE, _paint_questions_title)
        every = range(1, len(heights) + 1)
        pages.add(beside, partial(_paint_questions, sheet, every, is_key))
        return
    pages.add(_QUESTIONS_TITLE, _paint_questions_title, with_next=heights[0])
    for number, high in enumerate(heights, 1):
        pages.add(high, partial(_paint_questions, sheet, (number,), is_key))


def _intro_height(task: Task | None, paper: Paper) -> float:
    """Return the height above the figure, with the text of an exercise."""
    if task is None or not task.text:
        return _INTRO_HEIGHT
    return (
        _INTRO_HEIGHT + text_height(verbatim(task.text), fonts.font("step"), paper.text_width) + 8
    )


def _paint_intro(sheet: Worksheet, is_key: bool, painter: QPainter, x: float, y: float) -> None:
    wide = sheet.paper.text_width
    subtitle = _KEY_SUBTITLE if is_key else _SUBTITLE
    subtitle_width = width(subtitle, "interface") + 24
    title = elided(printable_text(sheet.source.title), "title", wide - subtitle_width)
    draw_text(painter, title, "title", PRINT.text, (x, y + 18))
    at = (x + wide, y + 18)
    draw_text(painter, subtitle, "interface", PRINT.secondary, at, "right")
    for name, begin, end in _FIELDS:
        left = x + wide * begin
        left += draw_text(painter, name, "caption", PRINT.secondary, (left, y + 53)) + 8
        paint_rule(painter, left, x + wide * end, y + 60, PRINT.line, 1.2)
    trace, task = sheet.figure.printed.trace, sheet.source.drawing.task
    if task is not None and task.text:
        y += paint_text(painter, verbatim(task.text), fonts.font("step"), (x, y + 77), wide) + 8
    template = _INTRO[sheet.asked.blank]
    given_steps = min(sheet.asked.steps, default=1) - 1
    if sheet.asked.blank != "grads" and given_steps > 1:  # more than the seed
        template += _GIVEN_STEPS
    spans = filled(
        template,
        root=trace.graph.brief(trace.root, NAME_LENGTH),
        seed=sheet.figure.printed.short(trace.rules.seed),
        count=f"{given_steps}",
    )
    paint_text(painter, spans, fonts.font("interface"), (x, y + 77), wide)


def _paint_figure(
    sheet: Worksheet, k: int, is_key: bool, painter: QPainter, x: float, y: float
) -> None:
    figure, part, count = sheet.figure, sheet.parts[k], len(sheet.parts)
    wide = sheet.paper.text_width
    left = x + (wide - figure.size.width()) / 2
    figure.paint(painter, QPointF(left, y), part if count > 1 else None, filled=is_key)
    if k + 1 < count:
        at = (x + wide, y + part.height() * figure.scale + 9)
        draw_text(painter, _FIGURE_GOES_ON, "small", PRINT.secondary, at, "right")


class _Table:
    """The table of a sheet or of its key, whose rows are higher for the slips in a last column."""

    def __init__(self, sheet: Worksheet, *, is_key: bool) -> None:
        self._sheet, self._is_key = sheet, is_key
        by_gradient = sheet.asked.blank == "grads"
        heads = _GRAD_HEADS if by_gradient else _STEP_HEADS
        wide = sheet.paper.text_width
        self._title = "Gradients" if by_gradient else "Step by step"
        self._note = "" if by_gradient else _STEP_NOTE
        if is_key:
            least = _KEY_GRAD_WIDTHS if by_gradient else _KEY_STEP_WIDTHS
            number_widths = _key_widths(sheet.rows, least)
            self._widths = [*number_widths, wide - sum(number_widths)]
            self._heads = (*heads, _SLIPS_HEAD)
        else:
            shares = _GRAD_WIDTHS if by_gradient else _STEP_WIDTHS
            self._widths = [wide * share / sum(shares) for share in shares]
            self._heads = heads
        self.head_height = _KEY_HEAD if is_key else HEAD
        self._pad = _KEY_CELL_PAD if is_key else _CELL_PAD
        self.row_heights = [self._row_height(row) for row in sheet.rows]

    def _row_height(self, row: Row) -> float:
        if not self._is_key:
            return ROW
        return max(KEY_ROW, _slips_height(row.slips, self._slips_width) + 2 * _SLIP_PAD)

    @property
    def _slips_width(self) -> float:
        return self._widths[-1] - 2 * _SLIP_PAD

    def paint_title(self, painter: QPainter, x: float, y: float) -> None:
        """Paint the title above the table, and the note at its right."""
        middle, wide = y + 14, self._sheet.paper.text_width
        draw_text(painter, self._title, "heading", PRINT.text, (x, middle))
        at = (x + wide, middle)
        draw_text(painter, self._note, "caption", PRINT.secondary, at, "right")

    def paint_head(self, painter: QPainter, x: float, y: float) -> None:
        painter.fillRect(QRectF(x, y, sum(self._widths), self.head_height), PRINT.header_op)
        role = "caption strong"
        font = fonts.sized(role, _SLIP_SIZE) if self._is_key else fonts.font(role)
        for left, wide, head in zip(self._lefts(x), self._widths, self._heads, strict=True):
            spans, text_width = (Span(head),), wide - self._pad - 2
            top = y + (self.head_height - text_height(spans, font, text_width)) / 2
            paint_text(painter, spans, font, (left + self._pad, top), text_width)
        grid(painter, (x, y), self._widths, self.head_height)

    def paint_row(self, k: int, painter: QPainter, x: float, y: float) -> None:
        """Paint one row; numbers that are asked appear in the key alone, grey and slanted."""
        row, high = self._sheet.rows[k], self.row_heights[k]
        middle = y + (KEY_ROW if self._is_key else high) / 2
        lefts = self._lefts(x)
        name_column = 0 if self._sheet.asked.blank == "grads" else 1
        for column, cell in enumerate(row.cells):
            if cell.asked and not self._is_key:
                continue
            role = "interface strong" if column == name_column else "interface"
            text_width = self._widths[column] - self._pad - 3
            _paint_cell(painter, cell, role, (lefts[column] + self._pad, middle), text_width)
        if self._is_key:
            corner = (lefts[-1] + _SLIP_PAD, y + _SLIP_PAD)
            _paint_slips(painter, row.slips, corner, self._slips_width)
        grid(painter, (x, y), self._widths, high)

    def _lefts(self, x: float) -> list[float]:
        return [x + sum(self._widths[:k]) for k in range(len(self._widths))]


def _key_widths(rows: Sequence[Row], least: Sequence[int]) -> list[float]:
    """Return the widths of a key's columns of numbers, which hold them up to _MOST_KEY_WIDTH."""
    widths = list(map(float, least))
    for row in rows:
        for k, cell in enumerate(row.cells):
            if cell.asked:
                needed = width(cell.text, "interface") + 2 * _KEY_CELL_PAD
                widths[k] = max(widths[k], min(needed, _MOST_KEY_WIDTH))
    return widths


def _paint_cell(
    painter: QPainter, cell: Cell, role: str, at: tuple[float, float], room: float
) -> None:
    """Paint the text of a cell, at a smaller scale if it is too long, and elided at the least one.

    `at` is its left end, in the middle of its height.
    """
    text = printable_text(cell.text)
    scale = min(1.0, max(room / max(width(text, role), 1.0), _LEAST_CELL_SCALE))
    painter.save()
    painter.translate(*at)
    painter.scale(scale, scale)
    if cell.asked:
        painter.shear(SLANT, 0)
    color = FILLED if cell.asked else PRINT.text
    draw_text(painter, elided(text, role, room / scale), role, color, (0, 0))
    painter.restore()


_MOST_KEY_WIDTH: Final = 90.0
"""Largest width of a column of numbers in a key."""
_LEAST_CELL_SCALE: Final = 0.75
"""Least scale of the text of a cell, whose type of 13 px then has 7.3 pt."""
_SLIP_SIZE: Final = 10.0
"""Size of the sentences of a key in px: 7.5 pt."""


def _slip_paragraphs(slips: Sequence[SlipLine]) -> Iterator[Spans]:
    """Yield a paragraph for the slips of each column, with its name first."""
    for column, group in groupby(slips, lambda slip: slip.column):
        spans = [Span(f"{column}  ", "secondary", bold=True)] if column else []
        for slip in group:
            sentence = slip.sentence
            if sentence.startswith(f"{slip.number} "):  # the number, in bold, is not repeated
                sentence = sentence.removeprefix(slip.number)
            else:
                sentence = f": {sentence}"
            spans += [Span(slip.number, bold=True), Span(f"{sentence}  ")]
        yield tuple(spans)


def _slips_height(slips: Sequence[SlipLine], wide: float) -> float:
    font = fonts.sized("caption", _SLIP_SIZE)
    heights = [text_height(spans, font, wide) for spans in _slip_paragraphs(slips)]
    return sum(heights) + _SLIP_GAP * max(len(heights) - 1, 0)


def _paint_slips(
    painter: QPainter, slips: Sequence[SlipLine], at: tuple[float, float], wide: float
) -> None:
    (x, y), font = at, fonts.sized("caption", _SLIP_SIZE)
    for spans in _slip_paragraphs(slips):
        y += paint_text(painter, spans, font, (x, y), wide, as_key_answer=True) + _SLIP_GAP


# questions

_QUESTIONS_TITLE: Final = 30.0
"""Height of the title of the questions, and the space below it."""
_INDENT: Final = 20.0
"""Width of the column with the numbers of the questions."""
_LINE: Final = 34.0
"""Height of a line to write on."""
_ANSWER_LINE: Final = 17.0
"""Height of an answer that fits on that line; the lines below the first need more."""


_ROUNDING: Final = 1.0
"""Height that is left free, as a sum of heights is not exact."""
_COLUMN_GAP: Final = 24.0
"""Space between questions that stand beside each other."""


def _column(count: int, paper: Paper) -> float:
    """Return the width of each of some questions that stand beside each other."""
    return (paper.text_width - (count - 1) * _COLUMN_GAP) / count


def _height_beside(questions: Sequence[OpenQuestion], paper: Paper) -> float:
    """Return the height of questions beside each other; infinite where a choice would be cut."""
    column = _column(len(questions), paper)
    for question in questions:
        room = _choice_room(question.choices, column - _INDENT)
        if any(width(printable_text(choice), "interface") > room for choice in question.choices):
            return math.inf
    return max(_question_height(question, column) for question in questions)


def _choice_room(choices: Sequence[str], room: float) -> float:
    """Return the width that each choice has for its text, beside its box."""
    return room / max(len(choices), 3) - 28


def _question_height(question: OpenQuestion, wide: float, *, is_key: bool = False) -> float:
    room = wide - _INDENT
    high = text_height(question.text, fonts.font("interface"), room) + _LINE + 8
    if not is_key:
        return high
    high += max(0.0, text_height(question.answer, fonts.font("interface"), room) - _ANSWER_LINE)
    return high + _slips_height(question.slips, room)


def _paint_questions_title(painter: QPainter, x: float, y: float) -> None:
    draw_text(painter, "Questions", "heading", PRINT.text, (x, y + 12))


def _paint_questions(
    sheet: Worksheet, numbers: Sequence[int], is_key: bool, painter: QPainter, x: float, y: float
) -> None:
    """Paint questions, by their numbers from 1, beside each other."""
    font, wide = fonts.font("interface"), _column(len(numbers), sheet.paper)
    room = wide - _INDENT
    for k, number in enumerate(numbers):
        question, begin = sheet.questions[number - 1], x + k * (wide + _COLUMN_GAP)
        left = begin + _INDENT
        paint_text(painter, (Span(f"{number}", bold=True),), font, (begin, y), _INDENT)
        high = paint_text(painter, question.text, font, (left, y), room)
        if is_key:
            at = (left, y + high + 8)
            answered = paint_text(painter, question.answer, font, at, room, as_key_answer=True)
            _paint_slips(painter, question.slips, (left, at[1] + answered + 4), room)
        elif question.choices:
            _paint_choices(painter, question.choices, left, y + high + 16, room)
        else:
            line = y + high + _LINE - 6
            paint_rule(painter, left, begin + wide, line, PRINT.line, 1.2)


def _paint_choices(
    painter: QPainter, choices: Sequence[str], left: float, middle: float, room: float
) -> None:
    """Paint the choices in a line, each with a box to tick."""
    each = room / max(len(choices), 3)
    for k, choice in enumerate(choices):
        x = left + k * each
        painter.setPen(PRINT.outline)
        painter.drawRect(QRectF(x, middle - 6, 12, 12))
        text = elided(printable_text(choice), "interface", _choice_room(choices, room))
        draw_text(painter, text, "interface", PRINT.text, (x + 20, middle))


def _paint_foot(sheet: Worksheet, is_key: bool, painter: QPainter, page: int, pages: int) -> None:
    paper = sheet.paper
    left, right, y = MARGIN, MARGIN + paper.text_width, paper.bottom
    paint_rule(painter, left, right, y, PRINT.line)
    name, room = printable_text(sheet.source.name), paper.text_width / 4
    fields = {
        "name": elided(name, "small", room),
        "seed": sheet.seed,
        "page": page,
        "pages": pages,
        "key": elided(f"{name}-key.pdf", "small", room),
    }
    texts = _FEET[is_key, sheet.seed is not None]
    for text, x, align in zip(texts, (left, right), _ALIGNS, strict=True):
        at = (x, y + 18)
        draw_text(painter, text.format(**fields), "small", PRINT.secondary, at, align)


_ALIGNS: Final[tuple[Align, Align]] = ("left", "right")
_SHEET_PAGE: Final = "page {page} of {pages}; the key is a file of its own, {key}"
_KEY_PAGE: Final = "page {page} of {pages}"
_FEET: Final = {
    (False, False): ("Backwire worksheet {name}", _SHEET_PAGE),
    (False, True): ("Backwire worksheet {name}, seed {seed}", _SHEET_PAGE),
    (True, False): ("Backwire key {name}", _KEY_PAGE),
    (True, True): ("Backwire key {name}, seed {seed}", _KEY_PAGE),
}
"""The texts of the foot at the left and at the right, by (is of a key, has a seed)."""


WORKSHEET: Final = Maker(worksheets, _preview, _check_length)
