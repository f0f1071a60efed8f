"""Handout: a lecture on paper as a PDF, a page for each step and a key at the end.

A step has its figure, its question with choices to tick, and lines for notes. A page has one
step or two; one where the type of a figure would be too small, or where a step would show the
answer that the other one asks for. Equal lectures give equal files.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from functools import partial
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QPainter

from app.canvas.paint.picture_export import Paint, pdf
from app.controls.slices import drained
from app.controls.spans import Span, Spans, plain_text, verbatim
from app.document.sheet import Sheet, sheet_of
from app.guide.play.guide import Room
from app.guide.play.poll import LETTERS, PollChoice, poll_of, right_choice
from app.guide.play.slides import Slide
from app.guide.words.room import answer_sentence, question_sentence, told_sentence, view_at
from app.style import fonts
from app.style.strokes import draw_text, elided, pen, text_sizes_outside_presentation, width
from app.style.theme import PRINT
from app.takeaway.handout_figure import (
    SharedSizes,
    SlideFigure,
    nodes_of_step,
    prints_one_pass,
    shows_answer,
    sizes_of,
    slide_figure,
)
from app.takeaway.options import HandoutOptions, Maker, Preview, Source
from app.takeaway.paper import (
    FOOT_GAP,
    LEAST_TYPE,
    MARGIN,
    MM,
    PAPERS,
    TOP,
    Block,
    Pages,
    Paper,
    page_image,
    paint_rule,
    paint_text,
    printable_text,
    text_height,
)
from app.takeaway.qr_code import paint_code
from app.takeaway.worksheet_rows import slip_lines
from app.workbench.words.alt_text import AltText
from app.workbench.words.help import lesson_text
from app.workbench.words.strip import StripContext
from engine.asking.answering import belief_sentence
from engine.asking.beliefs import belief_numbers
from engine.asking.question import Question, near
from engine.errors import FormatError
from engine.graph import Graph
from engine.numbers import Digits
from engine.trace import Trace

PER_PAGE: Final = (1, 2)
"""Steps a page."""
NOTE_LINES: Final = 6
"""Lines below a step to write on."""
_NO_STEPS: Final = (
    "There is no step, so there is nothing to hand out: press A on the sheet to add one."
)
_NOTE: Final = "A page, or a part of one, for each step; the key with each slip is at the end."
_NONE_FITS: Final = "No step fits its graph: {reason}."
_ALL_BLANK: Final = "All steps are blank screens, so there is nothing to hand out."
_TOO_LARGE: Final = (
    "Step {number}: the graph is too large for a handout: its figure would have type of {size} pt"
    " on {paper}, and {least} pt is the least."
)


class Entry(Struct, frozen=True):
    """A slide on paper, with its number and the lines of the blank screens before it.

    `total` counts the steps of the lesson. `text` is its question, or the sentence of the step that
    it shows. `notes` are paragraphs.
    """

    number: int
    total: int
    slide: Slide
    heading: tuple[str, ...]
    text: Spans
    question: PaperQuestion | None = None
    notes: tuple[Spans, ...] = ()

    @property
    def title(self) -> str:
        return printable_text(self.slide.title)


def handout_file(lecture: Room, options: HandoutOptions) -> bytes:
    """Return the handout as PDF; raises FormatError if there can be none."""
    return drained(handouts(lecture, options))


def handouts(lecture: Room, options: HandoutOptions) -> Generator[None, None, bytes]:
    """Lay out one step after the other, then return the file as `handout_file`."""
    found, cells = entries(lecture, options), list[Cell]()
    groups = _figure_groups(found)
    for entry in found:
        yield
        with text_sizes_outside_presentation():
            cells.append(_cell(lecture, entry, options, groups.get(entry.number)))
    yield
    with text_sizes_outside_presentation():
        painters = _pages(lecture, options, cells).painters(partial(_paint_foot, lecture, options))
        return pdf(
            painters, PAPERS[options.paper].size, AltText(printable_text(lecture.lesson.title))
        )


@text_sizes_outside_presentation()
def first_page(lecture: Room, options: HandoutOptions) -> Paint:
    """Return the painter of the first page; raises FormatError as `handout_file`.

    Its foot has no number of pages, as the others are not laid out.
    """
    found = entries(lecture, options)
    groups = _figure_groups(found)
    # no more steps than a page has: the rest is not seen
    on_page = found[: options.per_page]
    cells = [_cell(lecture, entry, options, groups.get(entry.number)) for entry in on_page]
    pages = _pages(lecture, options, cells)
    return pages.painters(lambda painter, k, _pages: _paint_foot(lecture, options, painter, k))[0]


def _preview(source: Source, options: HandoutOptions, room: tuple[float, float]) -> Preview:
    paint = first_page(_lecture_of(source), options)
    return Preview(page_image(paint, PAPERS[options.paper], room), note=_NOTE)


def _write(
    source: Source, options: HandoutOptions, _suffix: str
) -> Generator[None, None, tuple[bytes]]:
    return ((yield from handouts(_lecture_of(source), options)),)


def _lecture_of(source: Source) -> Room:
    if source.room is None:
        raise FormatError(_NO_STEPS)
    return source.room


HANDOUT: Final = Maker(_write, _preview)


def entries(lecture: Room, options: HandoutOptions) -> tuple[Entry, ...]:
    """Return the steps on paper, without misfits and blank screens.

    The line of a blank screen is a heading of the step after it. Raises FormatError if there is no
    step on paper.
    """
    if not lecture.slides:
        raise FormatError(_NO_STEPS)
    found: list[Entry] = []
    heading: list[str] = []
    every = lecture.slides
    for number, slide in enumerate(every, 1):
        if slide.kind == "blank":
            heading.append(printable_text(slide.text))
        elif not slide.misfit:
            found.append(_entry(number, len(lecture.lesson.steps), slide, tuple(heading), options))
            heading = []
    if not found:
        reason = next((slide.misfit for slide in every if slide.misfit), "")
        raise FormatError(_NONE_FITS if reason else _ALL_BLANK, reason=reason)
    return tuple(found)


def _entry(
    number: int, total: int, slide: Slide, heading: tuple[str, ...], options: HandoutOptions
) -> Entry:
    digits = options.digits
    question = paper_question(slide, digits) if slide.kind == "ask" else None
    if question is None:
        assert slide.situation is not None
        text = told_sentence(slide, view_at(slide.situation), StripContext(digits=digits))
    else:
        text = question.text
    lines = slide.notes.split("\n") if options.notes else []
    notes = tuple(lesson_text(line) for line in lines if line.strip())
    return Entry(number, total, slide, heading, text, question, notes)


# the cell of a step


class Grid(Struct, frozen=True):
    """How many steps a page has below one another, and the sizes of their type, in px."""

    count: int
    text: float
    """Size of the question."""
    line: float
    """Least height of a line to write on, in px."""

    def size(self, paper: Paper) -> tuple[float, float]:
        """Return the width and height of a cell."""
        high = paper.bottom - FOOT_GAP - TOP - _HEAD
        # whole px, else rounding turns the page
        return paper.text_width, float((high - (self.count - 1) * _GAP) // self.count)


GRIDS: Final = (Grid(2, 13.0, 5 * MM), Grid(1, 16.0, 7 * MM), Grid(1, 14.0, 5 * MM))
"""From the smallest cells to the largest; the last is a whole page with narrower lines."""
_HEAD: Final = 32.0
"""Height of the head of a page."""
_GAP: Final = 22.0
"""Gap between two cells."""
_CAPTION: Final = 21.0
"""Height of the line with the number of a step, and of a heading."""
_SPACE: Final = 9.0
"""Space between the parts of a cell."""
_CHOICE: Final = 24.0
"""Height of a line of choices."""
_WIDEST_LINE: Final = 9 * MM
"""Most height of a line to write on."""
_ANSWER: Final = 30.0
"""Height of the line to write an answer on."""
_BOX: Final = 12.0
"""Side of the box to tick."""
_BOX_GAP: Final = 7.0
_LEAST_FIGURE: Final = 90.0
"""Least height in px for which a figure is tried."""
_NOTE_SIZE: Final = 11.0
"""Size of the speaker's notes and of the sentences of the key in px: 8 pt."""


class Cell(Struct, frozen=True):
    """A step laid out on its part of a page, sizes in px; with `notes_follow` notes have a page."""

    entry: Entry
    grid: Grid
    figure: SlideFigure
    wide: float
    high: float
    line: float
    """Height of a line to write on."""
    notes_follow: bool = False

    @property
    def free(self) -> float:
        """Return the height that is left below its lines and notes."""
        fixed = _fixed_height(self.entry, self.grid, self.wide, notes_follow=self.notes_follow)
        lines = NOTE_LINES * (self.line - self.grid.line)
        return self.high - fixed - self.figure.size.height() - lines

    def paint(self, painter: QPainter, x: float, y: float) -> None:
        """Paint it with its upper left corner at a point."""
        entry, wide = self.entry, self.wide
        for line in entry.heading:
            y += paint_text(painter, (Span(line),), fonts.font("heading"), (x, y), wide)
        _paint_caption(painter, entry, (x, y), wide)
        y += _CAPTION + _SPACE
        size = self.figure.size
        self.figure.paint(painter, QPointF(x + (wide - size.width()) / 2, y))
        y += size.height() + _SPACE
        y += paint_text(painter, entry.text, _text_font(self.grid), (x, y), wide) + _SPACE
        if entry.question is not None:
            y += _paint_answers(painter, entry.question.choices, (x, y), wide)
        for k in range(NOTE_LINES):
            paint_rule(painter, x, x + wide, y + (k + 1) * self.line, PRINT.line)
        y += NOTE_LINES * self.line + _SPACE
        if not self.notes_follow:
            for paragraph in entry.notes:
                y += paint_text(
                    painter, paragraph, fonts.sized("caption", _NOTE_SIZE), (x, y), wide
                )


class FigureGroup:
    """Steps of one graph under the same rules, whose figures share layout and scale."""

    def __init__(self, found: Sequence[Entry]) -> None:
        self._entries = found
        self._sizes: SharedSizes | None = None
        self.unreadable: dict[float, float] = {}
        """The greatest height, by width, at which the type of such a figure can't be read."""

    def sizes(self, digits: Digits) -> SharedSizes:
        if self._sizes is None:
            self._sizes = SharedSizes([sizes_of(entry.slide, digits) for entry in self._entries])
        return self._sizes

    def least_height(self, grid: Grid, paper: Paper, *, notes_follow: bool) -> float:
        """Return the least height in px that a cell leaves for one of the figures."""
        return min(
            _figure_height(each, grid, paper, notes_follow=notes_follow) for each in self._entries
        )


def _figure_groups(found: Sequence[Entry]) -> dict[int, FigureGroup]:
    """Return the group of each step, by its number; steps alone in their group are left out."""
    lists: dict[tuple[int, str], list[Entry]] = {}
    for entry in found:
        slide = entry.slide
        if prints_one_pass(slide):
            lists.setdefault((id(slide.graph), slide.rules.name), []).append(entry)
    shared = ((members, FigureGroup(members)) for members in lists.values() if len(members) > 1)
    return {entry.number: group for members, group in shared for entry in members}


def _cell(lecture: Room, entry: Entry, options: HandoutOptions, group: FigureGroup | None) -> Cell:
    """Return a step in the smallest cell that it fits, from that of `per_page` steps up.

    Raises FormatError if the type of its figure is below LEAST_TYPE in all of them.
    """
    slide, size, paper = entry.slide, 0.0, PAPERS[options.paper]
    for grid, notes_follow, nodes in _layouts(slide, options):
        free = _figure_height(entry, grid, paper, notes_follow=notes_follow)
        if free < _LEAST_FIGURE:
            continue
        wide, high = grid.size(paper)
        sheet, figure = _sheet(lecture, slide.graph), None
        if group is not None and not nodes:
            least = max(group.least_height(grid, paper, notes_follow=notes_follow), _LEAST_FIGURE)
            figure = _shared_figure(slide, sheet, options.digits, (wide, (least, free)), group)
        if figure is None:
            figure = slide_figure(slide, sheet, options.digits, (wide, free), nodes)
        if figure.type_size >= LEAST_TYPE:
            left = (free - figure.size.height()) / NOTE_LINES
            line = min(grid.line + left, _WIDEST_LINE)
            follow = notes_follow and bool(entry.notes)
            return Cell(entry, grid, figure, wide, high, line, follow)
        size = max(size, figure.type_size)
    least_size = f"{LEAST_TYPE:g}"
    raise FormatError(
        _TOO_LARGE,
        number=entry.slide.at + 1,
        size=f"{size:.1f}",
        paper=paper.name,
        least=least_size,
    )


def _shared_figure(
    slide: Slide,
    sheet: Sheet,
    digits: Digits,
    space: tuple[float, Sequence[float]],
    group: FigureGroup,
) -> SlideFigure | None:
    """Return the figure with the sizes of its group, in the first of the heights in which its
    type has LEAST_TYPE; None if there is none."""
    wide, heights = space
    for high in heights:
        if high > group.unreadable.get(wide, 0.0):
            found = slide_figure(slide, sheet, digits, (wide, high), NO_NODES, group.sizes(digits))
            if found.type_size >= LEAST_TYPE:
                return found
            group.unreadable[wide] = high
    return None


def _figure_height(entry: Entry, grid: Grid, paper: Paper, *, notes_follow: bool) -> float:
    """Return the height in px that a cell leaves for its figure."""
    wide, high = grid.size(paper)
    return high - _fixed_height(entry, grid, wide, notes_follow=notes_follow)


NO_NODES: Final = frozenset[int]()


def _layouts(slide: Slide, options: HandoutOptions) -> Iterator[tuple[Grid, bool, frozenset[int]]]:
    """Yield the cells to try, whether notes follow on a page of their own, and the nodes shown.

    The last resort may show the nodes of the step alone.
    """
    step = nodes_of_step(slide)
    for grid in GRIDS:
        if grid.count <= options.per_page:
            yield grid, False, NO_NODES
    yield GRIDS[-1], True, NO_NODES
    if step:
        yield GRIDS[-1], False, step
        yield GRIDS[-1], True, step


def _sheet(lecture: Room, graph: Graph) -> Sheet:
    """Return the sheet of a graph, all of whose nodes have positions."""
    from app.takeaway.estimated_layout import node_positions

    sheet = sheet_of(lecture.lesson.drawing_of(graph))
    if sheet.graph.nodes.keys() - sheet.positions.keys():
        return sheet.with_graph(sheet.graph, node_positions(sheet.graph))
    return sheet


def _fixed_height(entry: Entry, grid: Grid, wide: float, *, notes_follow: bool) -> float:
    """Return the height of all that a cell has besides its figure."""
    heading = sum(text_height((Span(line),), fonts.font("heading"), wide) for line in entry.heading)
    high = heading + _CAPTION + _SPACE
    high += _SPACE + text_height(entry.text, _text_font(grid), wide) + _SPACE
    if entry.question is not None:
        high += _answers_height(entry.question.choices, wide)
    high += NOTE_LINES * grid.line
    return high if notes_follow else high + _notes_height(entry.notes, wide)


def _notes_height(notes: Sequence[Spans], wide: float) -> float:
    font = fonts.sized("caption", _NOTE_SIZE)
    return sum(text_height(each, font, wide) for each in notes) + (_SPACE if notes else 0.0)


def _text_font(grid: Grid) -> QFont:
    return fonts.sized("interface", grid.text)


def _paint_caption(painter: QPainter, entry: Entry, at: tuple[float, float], wide: float) -> None:
    """Paint the number of a step, its title, and the line below them."""
    (x, y), middle = at, at[1] + _CAPTION / 2 - 2
    count = f"Step {entry.slide.at + 1} of {entry.total}"
    x_title = x + draw_text(painter, count, "caption strong", PRINT.text, (x, middle)) + 12
    title = elided(entry.title, "caption", x + wide - x_title)
    draw_text(painter, title, "caption", PRINT.secondary, (x_title, middle))
    paint_rule(painter, x, x + wide, y + _CAPTION, PRINT.line)


# choices


def _answers_height(choices: Sequence[PollChoice], wide: float) -> float:
    if not choices:
        return _ANSWER
    return -(-len(choices) // _choices_per_line(choices, wide)) * _CHOICE


def _choices_per_line(choices: Sequence[PollChoice], wide: float) -> int:
    """Return the number of choices in a line: 4, 2 or 1, the most that fit."""
    each = _LABEL_LEFT + max(width(printable_text(c.label), "number") for c in choices) + _SPACE
    return next((n for n in (4, 2) if n * each <= wide), 1)


_LABEL_LEFT: Final = _BOX + _BOX_GAP + 22.0
"""Where the label of a choice begins, behind its box and its letter."""


def _paint_answers(
    painter: QPainter, choices: Sequence[PollChoice], at: tuple[float, float], wide: float
) -> float:
    """Paint the choices with boxes to tick, or a line to write on; returns the height."""
    (x, y), high = at, _answers_height(choices, wide)
    if not choices:
        left = x + draw_text(painter, "Answer", "caption", PRINT.secondary, (x, y + 14)) + _SPACE
        paint_rule(painter, left, x + wide / 2, y + 22, PRINT.line, 1.2)
        return high
    across = _choices_per_line(choices, wide)
    for k, choice in enumerate(choices):
        row, column = divmod(k, across)
        left, middle = x + column * wide / across, y + (row + 0.5) * _CHOICE
        painter.setPen(pen(PRINT.outline, 1.3))
        painter.drawRect(QRectF(left, middle - _BOX / 2, _BOX, _BOX))
        letter_at = (left + _BOX + _BOX_GAP, middle)
        draw_text(painter, LETTERS[k], "interface", PRINT.secondary, letter_at)
        label = elided(printable_text(choice.label), "number", wide / across - _LABEL_LEFT)
        draw_text(painter, label, "number", PRINT.text, (left + _LABEL_LEFT, middle))
    return high


# pages


_CODE: Final = 25 * MM
"""Width of the code of an address."""


def _pages(lecture: Room, options: HandoutOptions, cells: Sequence[Cell]) -> Pages:
    pages = Pages(PAPERS[options.paper])
    pages.heads, pages.head_height = partial(_paint_head, lecture, options), _HEAD
    pages.add(_HEAD, pages.heads)
    on_page: list[Cell] = []
    for cell in cells:
        if on_page and not _fits_page_of(cell, on_page):
            _add_cells(pages, on_page)
            pages.turn()
            on_page = []
        on_page.append(cell)
    _add_cells(pages, on_page)
    if lecture.lesson.address:
        _add_code(pages, printable_text(lecture.lesson.address), on_page)
    _add_key(pages, lecture, options, [cell.entry for cell in cells])
    return pages


def _fits_page_of(cell: Cell, others: Sequence[Cell]) -> bool:
    """Return whether a step fits on the page of others without showing an answer of theirs."""
    if len(others) == cell.grid.count or others[-1].notes_follow or cell.notes_follow:
        return False
    slide = cell.entry.slide
    return all(
        other.grid == cell.grid
        and not shows_answer(slide, other.entry.slide)
        and not shows_answer(other.entry.slide, slide)
        for other in others
    )


def _add_cells(pages: Pages, cells: Sequence[Cell]) -> None:
    """Add the cells of one page, then the notes that did not fit on it."""
    for k, cell in enumerate(cells, 1):
        pages.add(cell.high, cell.paint)
        if k < cell.grid.count:
            pages.skip(_GAP)
    for cell in cells:
        if cell.notes_follow:
            _add_notes(pages, cell)


def _add_notes(pages: Pages, cell: Cell) -> None:
    """Add the speaker's notes on pages of their own."""
    pages.turn()
    font, wide = fonts.sized("caption", _NOTE_SIZE), pages.paper.text_width
    title = (Span(f"Notes on step {cell.entry.slide.at + 1}", bold=True),)
    for paragraph in (title, *cell.entry.notes):
        _add_text(pages, paragraph, font, wide)


def _add_code(pages: Pages, address: str, last: Sequence[Cell]) -> None:
    """Add the code of an address, 25 mm wide, and the address below it, to the last cells."""
    if not any(cell.notes_follow for cell in last):
        pages.y -= last[-1].free
    shown = elided(address, "small", pages.paper.text_width)

    def paint(painter: QPainter, x: float, y: float) -> None:
        paint_code(painter, address, x, y + _GAP, _CODE, PRINT.text)
        draw_text(painter, shown, "small", PRINT.secondary, (x, y + _GAP + _CODE + _GAP))

    pages.add(_CODE + 3 * _GAP, paint)


def _add_text(
    pages: Pages, spans: Spans, font: QFont, wide: float, left: float = 0.0, after: float = 0.0
) -> None:
    """Add a paragraph as a block, with some space after it."""

    def paint(painter: QPainter, x: float, y: float) -> None:
        paint_text(painter, spans, font, (x + left, y), wide - left)

    pages.add(text_height(spans, font, wide - left) + after, paint)


def _paint_head(
    lecture: Room, options: HandoutOptions, painter: QPainter, x: float, y: float
) -> None:
    wide = PAPERS[options.paper].text_width
    title = elided(printable_text(lecture.lesson.title), "heading", wide - 90)
    draw_text(painter, title, "heading", PRINT.text, (x, y + 8))
    draw_text(painter, "Handout", "caption", PRINT.secondary, (x + wide, y + 8), "right")


def _paint_foot(
    lecture: Room, options: HandoutOptions, painter: QPainter, page: int, pages: int = 0
) -> None:
    """Paint the foot of a page; 0 for an unknown number of pages."""
    paper = PAPERS[options.paper]
    left, right, y = MARGIN, MARGIN + paper.text_width, paper.bottom
    paint_rule(painter, left, right, y, PRINT.line)
    name = elided(
        printable_text(lecture.lesson.name or lecture.lesson.title), "small", paper.text_width / 2
    )
    draw_text(painter, f"Backwire handout {name}", "small", PRINT.secondary, (left, y + 18))
    count = f"page {page} of {pages}" if pages else f"page {page}"
    draw_text(painter, count, "small", PRINT.secondary, (right, y + 18), "right")


# the key


_INDENT: Final = 26.0
"""Where the text of a key begins, behind the number of its step."""


def _add_key(pages: Pages, lecture: Room, options: HandoutOptions, found: Sequence[Entry]) -> None:
    """Add the answers on pages of their own: each right one, and the slip behind each wrong one."""
    asked = [entry for entry in found if entry.question is not None]
    if not asked:
        return
    pages.turn()
    wide = PAPERS[options.paper].text_width
    _add_text(pages, (Span("Key", bold=True),), fonts.sized("heading", 15.0), wide, after=_SPACE)
    for entry in asked:
        question = entry.question
        assert question is not None
        pages.add(*_key_head(entry, question, wide), with_next=2 * _CAPTION)
        _add_text(pages, _right_spans(question), fonts.sized("interface", 13.0), wide, _INDENT, 4.0)
        for line in question.slips:
            _add_text(
                pages, _slip_spans(line), fonts.sized("caption", _NOTE_SIZE), wide, _INDENT, 2.0
            )
        pages.skip(_SPACE)


def _key_head(entry: Entry, question: PaperQuestion, wide: float) -> tuple[float, Block]:
    """Return the height and the block of a question in the key, with the number of its step."""
    font, line = fonts.sized("interface", 13.0), wide - _INDENT

    def paint(painter: QPainter, x: float, y: float) -> None:
        paint_text(painter, (Span(f"{entry.slide.at + 1}", bold=True),), font, (x, y), _INDENT)
        paint_text(painter, question.text, font, (x + _INDENT, y), line)

    return text_height(question.text, font, line) + 4.0, paint


def _right_spans(question: PaperQuestion) -> Spans:
    line, answer = question.right, question.answer
    letter = (Span(f"{line.letter}  "),) if line.letter else ()
    gap = "" if plain_text(answer).startswith(":") else "   "
    return (Span("✓ "), *letter, Span(line.label, bold=True), Span(gap), *answer)


def _slip_spans(line: KeyLine) -> Spans:
    letter = (Span(f"{line.letter}  "),) if line.letter else ()
    sentence = line.sentence
    if sentence.startswith(f"{line.label} "):  # the number is said once
        return (*letter, Span(line.label, bold=True), Span(sentence.removeprefix(line.label)))
    return (*letter, Span(line.label, bold=True), Span(f": {sentence}" if sentence else ""))


# a question on paper


class KeyLine(Struct, frozen=True):
    """A wrong answer with its letter, and the full sentence about it; "" if there is none."""

    letter: str
    label: str
    sentence: str


class PaperQuestion(Struct, frozen=True):
    """A question on paper: its sentence, its choices, and the lines of the key.

    Without choices the answer is written. `right` is the answer, with the letter of its choice;
    `answer` is the sentence about it, () where the answer says it all.
    """

    text: Spans
    choices: tuple[PollChoice, ...]
    right: KeyLine
    answer: Spans
    slips: tuple[KeyLine, ...]


def paper_question(slide: Slide, digits: Digits) -> PaperQuestion:
    found = poll_of(slide, digits).choices
    right = _right_line(slide, found, digits)
    return PaperQuestion(
        question_sentence(slide, digits),
        found,
        right,
        _answer_spans(slide, right, digits),
        tuple(_key_lines(slide, found, digits)),
    )


def _right_line(slide: Slide, found: Sequence[PollChoice], digits: Digits) -> KeyLine:
    """Return the answer; where several choices are right, all of them."""
    pairs = [pair for pair in zip(LETTERS, found, strict=False) if pair[1].right]
    if pairs:
        letters = ", ".join(letter for letter, _choice in pairs)
        labels = ", ".join(choice.label for _letter, choice in pairs)
        return KeyLine(letters, labels, " ".join(choice.say for _letter, choice in pairs))
    right = right_choice(slide, digits)
    return KeyLine("", "" if right is None else right.label, "" if right is None else right.say)


def _answer_spans(slide: Slide, right: KeyLine, digits: Digits) -> Spans:
    """Return the sentence about the answer, without the answer itself where it begins with it."""
    # a question in own words is about no step: its choices say what they say
    if slide.question is None and slide.asks != "mistake":
        return verbatim(right.sentence)
    assert slide.revealed is not None
    spans = answer_sentence(slide, view_at(slide.revealed), StripContext(digits=digits))
    return spans[1:] if spans and spans[0].text == right.label else spans


def full_sentence(question: Question, trace: Trace, choice: PollChoice, digits: Digits) -> str:
    """Return the full sentence of a wrong choice's slip; its own explanation without a slip."""
    for slip, number in belief_numbers(question, trace) if choice.slip else ():
        if slip.name == choice.slip and choice.number is not None and near(number, choice.number):
            return belief_sentence(slip, number, question, trace, digits)
    return choice.say


def _key_lines(slide: Slide, found: Sequence[PollChoice], digits: Digits) -> Iterator[KeyLine]:
    """Yield the wrong choices; where numbers are called out, those that a slip gives."""
    question = slide.question
    wrong = [pair for pair in zip(LETTERS, found, strict=False) if not pair[1].right]
    if question is None:
        yield from (KeyLine(letter, choice.label, choice.say) for letter, choice in wrong)
        return
    trace = slide.trace
    for letter, choice in wrong:
        yield KeyLine(letter, choice.label, full_sentence(question, trace, choice, digits))
    if not found and question.kind != "next":
        for line in slip_lines(question, trace, digits):
            yield KeyLine("", line.number, line.sentence)
