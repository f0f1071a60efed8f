"""backwire export of what is handed out: worksheets and keys, lessons for rooms, strips, GIFs."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, get_args

from app.cli.command_line import (
    PAPER_WIDTH,
    TYPE_SIZE,
    Measure,
    Parser,
    Whole,
    asks_for,
    name_file_in_errors,
    painting_application,
    parse_output_path,
    print_error,
    print_line,
    waiting_for,
)
from app.cli.page_export import LESSON_SUFFIX, titled_drawing
from engine.errors import FormatError
from engine.formats.dot import DPI, INCH_CM
from engine.formats.files import write_files
from engine.formats.native import Drawing
from engine.numbers import DIGITS_SHOWN, is_short_whole
from engine.rules import rules_named
from engine.trace import Trace, run, run_forward

if TYPE_CHECKING:
    from app.guide.play.guide import Room
    from app.lessons.lesson import Lesson
    from engine.graph import Graph

GIF: Final = ".gif"
_SHEET, _LECTURE, _STRIP = "--worksheet", "--handout", "--strip"
TEXT_KINDS: Final = ("outlines", "font", "system")
"""The values of `figure.TextKind`, which cannot be imported here, as it needs Qt."""
THEMES: Final = ("light", "dark", "print")
_SUFFIXES: Final = {
    "worksheet": (".pdf",),
    "handout": (".pdf",),
    "strip": (".png", ".svg", ".pdf"),
    "gif": (GIF,),
}
_MAX_SEED: Final = 999_999
"""A seed is printed at the foot of a worksheet, to be typed again."""
_USAGE: Final = (
    "FILE | -e EXPR [--set a=2 ...] | LESSON.toml -o OUT.pdf --worksheet "
    "[--blank grads|steps|sums|all] [--seed N] [--copies K] [--paper A4|Letter]\n"
    "       backwire export FILE | LESSON.toml -o OUT.pdf --handout [--notes] "
    "[--per-page 1|2] [--seed N] [--paper A4|Letter] [--digits N]\n"
    "       backwire export ... -o OUT.(png|svg|pdf) --strip 4,5,6 [--upright] [--width CM] "
    "[--min-type PT] "
    "[--dpi N] [--text outlines|font|system] [LOOK]\n"
    "       backwire export ... -o OUT.gif [--blank-first] [--loop] [--seconds S] [--width PX] "
    "[LOOK]\n"
    "LOOK: [--forward | --mistake NAME] [--cover] [--theme light|dark|print] [--digits N]"
)
_LOOK: Final = ("forward", "mistake", "cover", "theme", "digits")
_ONLY: Final = {
    "worksheet": ("blank", "seed", "copies", "paper", "digits"),
    "handout": ("notes", "per_page", "seed", "paper", "digits"),
    "strip": ("upright", "width", "min_type", "dpi", "text", *_LOOK),
    "gif": ("blank_first", "loop", "seconds", "width", *_LOOK),
}
"""The options that each kind of handout accepts, by attribute."""
_KIND_TEXTS: Final = {"worksheet": _SHEET, "handout": _LECTURE, "strip": _STRIP, "gif": "a GIF"}


def is_meant(arguments: Sequence[str]) -> bool:
    """Return whether `backwire export` with these arguments writes a handout."""
    return asks_for(arguments, (_SHEET, _LECTURE, _STRIP), GIF)


def do(verb: str, arguments: Sequence[str]) -> int:
    """Write a worksheet and its key, a handout, a strip, or a GIF and its narration; return 0."""
    parser = _parser(verb)
    options = parser.read(arguments)
    if options.output is None:
        parser.error("say with -o where it goes, such as -o sheet.pdf")
    kind, out = _kind(parser, options), Path(options.output)
    if options.width is not None:
        options.width = _width(parser, kind, options.width)
    if not out.name.lower().endswith(_SUFFIXES[kind]):
        raise FormatError(
            "{name} can't be written: a {kind} is a file with {suffixes}.",
            name=out.name or out,
            kind=kind,
            suffixes=" or ".join(_SUFFIXES[kind]),
        )
    beside = _beside(kind, out)
    if beside is not None:
        _check_beside(beside, out, options.file)
    with waiting_for(f"writing {out}"), name_file_in_errors(options.file, options.output):
        application = painting_application()
        if kind == "handout":
            files = {out: _handout(parser, options)}
        else:
            write = {"worksheet": _worksheet, "strip": _filmstrip, "gif": _animation}[kind]
            files = write(options, *_source(parser, options, _check(kind, options)))
        del application  # kept until here, as Qt paints only while one exists
        write_files(files)
    for path in files:
        print_line(str(path))
    return 0


def _parser(verb: str) -> Parser:
    from app.takeaway.paper import PAPERS
    from app.takeaway.worksheet_rows import MAX_COPIES, Blank

    parser = Parser(
        verb,
        _USAGE,
        "Write a worksheet and its key, a lecture as a handout, a strip of steps, or a GIF.",
    )
    parser.add_graph_arguments()
    parser.add_argument("-o", "--output", metavar="OUT", type=parse_output_path)
    parser.add_argument(
        _SHEET, action="store_true", help="a sheet to fill in; OUT-key.pdf: its key"
    )
    parser.add_argument("--blank", choices=get_args(Blank), help="what is blank; all unless given")
    parser.add_argument(
        "--seed", metavar="N", type=Whole(1, _MAX_SEED), help="other numbers, by this seed"
    )
    parser.add_argument(
        "--copies", metavar="K", type=Whole(1, MAX_COPIES), help="sheets with other numbers each"
    )
    parser.add_argument("--paper", choices=tuple(PAPERS), help="A4 unless given")
    parser.add_argument("--digits", metavar="N", type=Whole(2, 17), help="of numbers")
    _add_lecture_arguments(parser)
    _add_step_arguments(parser)
    return parser


def _add_lecture_arguments(parser: Parser) -> None:
    """Add the arguments of a handout of a lecture."""
    parser.add_argument(
        _LECTURE, action="store_true", help="what a room sees of a lesson, and a key"
    )
    parser.add_argument("--notes", action="store_true", help="the speaker's notes, too")
    parser.add_argument("--per-page", choices=("1", "2"), help="most steps a page; 1 unless given")


def _add_step_arguments(parser: Parser) -> None:
    """Add the arguments of filmstrips and GIFs."""
    parser.add_argument(_STRIP, metavar="K,K", type=_parse_steps, help="2 to 6 steps on one page")
    parser.add_argument("--upright", action="store_true", help="the steps below one another")
    parser.add_argument("--width", metavar="W", help="of a strip in cm, of a GIF in px")
    parser.add_argument(
        "--min-type",
        metavar="PT",
        type=TYPE_SIZE,
        help="of a strip with --width; less lays its steps side by side",
    )
    parser.add_argument("--dpi", metavar="N", type=Whole(24, 1200), help=f"{DPI} is 1:1")
    parser.add_argument("--text", choices=TEXT_KINDS, help="of SVG; outlines unless given")
    parser.add_argument("--blank-first", action="store_true", help="? before each number")
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=Measure("duration in seconds", 0.1, 60),
        help="of a step of a GIF; 1.2 unless given; sums and the last step take longer",
    )
    parser.add_argument("--loop", action="store_true", help="play it again and again")
    parser.add_argument("--forward", action="store_true", help="the forward pass")
    parser.add_argument("--mistake", metavar="NAME", help="a classic mistake in the pass")
    parser.add_argument("--cover", action="store_true", help="? in place of each step's numbers")
    parser.add_argument("--theme", choices=THEMES, help="print for PDF, else light")


def _kind(parser: Parser, options: argparse.Namespace) -> str:
    """Return the kind of handout; ends with a usage error for options of another kind."""
    wanted = [name for name in ("worksheet", "handout", "strip") if getattr(options, name)]
    if len(wanted) > 1:
        parser.error(f"--{wanted[0]} and --{wanted[1]} exclude one another")
    kind = wanted[0] if wanted else "gif"
    for name in (name for names in _ONLY.values() for name in names):
        if name not in _ONLY[kind] and getattr(options, name):
            parser.error(f"--{name.replace('_', '-')} does not go with {_KIND_TEXTS[kind]}")
    if options.forward and options.mistake is not None:
        parser.error("--mistake goes with the backward pass, not with --forward")
    if options.min_type is not None and options.width is None:
        parser.error("--min-type goes with --width: without it type has the size on the screen")
    return kind


def _beside(kind: str, out: Path) -> Path | None:
    """Return the second file that goes with `out`: the key of a worksheet, a GIF's narration."""
    from app.takeaway.worksheet import key_stem

    if kind == "worksheet":
        return out.with_stem(key_stem(out.stem))
    return out.with_suffix(".txt") if kind == "gif" else None


def _check_beside(beside: Path, out: Path, source: str | None) -> None:
    """Refuse to replace a file that nobody named, unless an export before has written the two."""
    if not os.path.lexists(beside):
        return
    is_source = (
        source is not None
        and os.path.exists(source)
        and beside.exists()
        and beside.samefile(source)
    )
    if is_source or not os.path.lexists(out):
        raise FormatError(
            "{name} is there already and would be replaced: give {out} another name.",
            name=beside,
            out=out.name,
        )


def _width(parser: Parser, kind: str, text: str) -> float:
    """Return the width in cm of a strip or a GIF, whose width is given in px."""
    from app.takeaway.filmstrip import MAX_WIDTH, MIN_WIDTH

    in_px = Measure("width in px", MIN_WIDTH, MAX_WIDTH)
    try:
        return in_px(text) / DPI * INCH_CM if kind == "gif" else PAPER_WIDTH(text)
    except argparse.ArgumentTypeError as error:
        parser.error(f"argument --width: {error}")


def _check(kind: str, options: argparse.Namespace) -> Callable[[Graph], object]:
    """Return what refuses a graph of which a handout of this kind can't be made."""
    from app.takeaway import filmstrip, worksheet

    if kind == "worksheet":
        return lambda graph: worksheet.check_length(run(graph))
    if kind == "gif":
        return lambda graph: filmstrip.check_length(_trace(options, graph))
    return lambda graph: filmstrip.check_steps(_trace(options, graph), options.strip)


def _source(
    parser: Parser, options: argparse.Namespace, check: Callable[[Graph], object]
) -> tuple[Drawing, str, Lesson | None]:
    """Return the drawing of a graph or a lesson with its title, and the lesson."""
    if options.file is None or not options.file.lower().endswith(LESSON_SUFFIX):
        return (*titled_drawing(parser, options, check), None)
    from app.lessons.load import load_lesson
    from app.takeaway.estimated_layout import laid_out_drawing

    if options.expression is not None or options.values:
        parser.error("-e and --set go with a graph; a lesson has its own")
    lesson = load_lesson(Path(options.file))
    return laid_out_drawing(lesson.graph), lesson.title, lesson


def _handout(parser: Parser, options: argparse.Namespace) -> bytes:
    from app.takeaway.handout import Options, handout_file
    from app.takeaway.paper import PAPERS

    chosen = Options(
        int(options.per_page or 1),
        options.notes,
        PAPERS[options.paper or "A4"],
        options.digits or DIGITS_SHOWN,
    )
    return handout_file(_lecture(parser, options), chosen)


def _lecture(parser: Parser, options: argparse.Namespace) -> Room:
    """Return the slides of a lesson file, or of the lesson on a graph."""
    from msgspec.structs import replace

    from app.guide.play.guide import room_of
    from app.lessons.draft import UNNAMED
    from app.lessons.lesson import Lesson
    from app.lessons.load import load_lesson, reading_of

    file = options.file
    if file is None or options.expression is not None:
        parser.error(f"{_LECTURE} needs a FILE: the steps of a lesson are kept with a graph")
    seed = options.seed or 1
    if file.lower().endswith(LESSON_SUFFIX):
        if options.values:
            parser.error("--set goes with a graph; a lesson has its own")
        lesson = load_lesson(Path(file))
        return room_of(lesson, seed)
    drawing, title = titled_drawing(parser, options)
    path = Path(file).with_suffix(UNNAMED.suffix)
    reading = reading_of(drawing.lesson, path, drawing.graph) if drawing.lesson else None
    lesson = None if reading is None else reading.for_room(title, drawing)
    if lesson is None:
        lesson = Lesson("", title, "", "", 0, drawing.graph, ())
    lesson = replace(lesson, name=Path(file).name)
    return room_of(lesson, seed)


def _worksheet(
    options: argparse.Namespace, drawing: Drawing, title: str, lesson: Lesson | None
) -> dict[Path, bytes]:
    from app.takeaway.paper import PAPERS
    from app.takeaway.worksheet import Options, Source, key_stem, worksheet_files

    out = Path(options.output)
    chosen = Options(
        options.blank or "all",
        options.seed,
        options.copies or 1,
        PAPERS[options.paper or "A4"],
        options.digits or DIGITS_SHOWN,
    )
    sheet, key = worksheet_files(Source(drawing, title, out.stem, lesson), chosen)
    return {out: sheet, out.with_stem(key_stem(out.stem)): key}


def _filmstrip(
    options: argparse.Namespace, drawing: Drawing, _title: str, _lesson: Lesson | None
) -> dict[Path, bytes]:
    from app.canvas.paint.figure import PictureOptions
    from app.document.sheet import sheet_of
    from app.takeaway.filmstrip import column_remark, filmstrip, step_of

    out, digits = Path(options.output), options.digits or DIGITS_SHOWN
    suffix, trace = out.suffix.lower(), _trace(options, drawing.graph)
    picture_options = PictureOptions(
        theme=options.theme or ("print" if suffix == ".pdf" else "light"),
        dpi=options.dpi or DPI,
        digits=digits,
        width=options.width,
        min_type=options.min_type,
        text=options.text or "outlines",
    )
    steps = [step_of(trace, number, digits, cover=options.cover) for number in options.strip]
    sheet = sheet_of(drawing)
    if not options.upright and (remark := column_remark(sheet, steps, picture_options)):
        print_error(f"backwire export: {remark}")
    return {out: filmstrip(suffix, sheet, steps, picture_options, upright=options.upright)}


def _animation(
    options: argparse.Namespace, drawing: Drawing, title: str, _lesson: Lesson | None
) -> dict[Path, bytes]:
    from app.canvas.paint.figure import PictureOptions
    from app.document.sheet import sheet_of
    from app.takeaway.filmstrip import STEP_MS, GifOptions, animation_of

    out = Path(options.output)
    chosen = GifOptions(
        PictureOptions(
            theme=options.theme or "light",
            digits=options.digits or DIGITS_SHOWN,
            width=options.width,
        ),
        blank_first=options.blank_first,
        cover=options.cover,
        loop=options.loop,
        seconds=options.seconds or STEP_MS / 1000,
    )
    made = animation_of(title, sheet_of(drawing), _trace(options, drawing.graph), chosen)
    return {out: made.content, out.with_suffix(".txt"): made.narration.encode()}


def _trace(options: argparse.Namespace, graph: Graph) -> Trace:
    if options.forward:
        return run_forward(graph)
    return run(graph, rules=rules_named(options.mistake))


def _parse_steps(text: str) -> tuple[int, ...]:
    """Parse `4,5,6`."""
    parts = text.split(",")
    if all(map(is_short_whole, parts)):
        return tuple(map(int, parts))
    raise argparse.ArgumentTypeError(f"{text!r} is no list of steps such as 4,5,6")
