"""backwire export: writes a graph, or a step of its passes, as a picture or as text."""

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from app.cli.command_line import (
    Parser,
    parse_output_path,
    prefix_file_name,
    print_error,
    print_line,
    with_values,
)
from app.cli.making import node_positions
from app.cli.running import rules_named
from app.document.sections import clusters
from app.document.sheet import sheet_of
from engine.errors import EngineError, FormatError
from engine.formats import FORMATS, dot, dot_classic, native
from engine.formats.dot_classic import DPI, draw
from engine.formats.files import check_target, load_drawing, save, write_atomically
from engine.formats.native import Drawing
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph
from engine.numbers import DIGITS_SHOWN, short
from engine.rules import CORRECT, Rules
from engine.trace import Trace, run, run_forward

PICTURES = (".png", ".svg", ".pdf")
STEPPED = (".dot", ".gv")
THEMES = ("light", "dark", "print")
MIN_DPI, MAX_DPI = 24, 1200
"""Dots per inch of a picture: a quarter of 1:1, and more than printers show."""
MIN_WIDTH, MAX_WIDTH = 2, 120
"""Width of a figure in cm: a stamp, and a poster."""
MAX_DIGITS = 17
"""Significant digits that distinguish any two floats."""
CLASSIC = "classic"
CLASSICS: dict[str, tuple[str, ...]] = {
    CLASSIC: (*STEPPED, *PICTURES),
    "classic-png": (".png",),
    "classic-svg": (".svg",),
    dot_classic.FORMAT.name: STEPPED,
}
"""Values of --format for micrograd's look, with their suffixes."""
OURS = {suffix.removeprefix("."): (suffix,) for suffix in PICTURES}
WRITTEN = {found.name: found for found in FORMATS if found.write}
TEXTS = {
    name: tuple(dict.fromkeys(s for own in found.suffixes for s in (own, Path(f"x{own}").suffix)))
    for name, found in WRITTEN.items()
}
"""Values of --format for texts, with their suffixes; .torch.py may also be .py."""
FORMS = OURS | TEXTS | CLASSICS

StepChoice = int | str | None
"""A backward cursor, "all", "forward" or "backward" for the end of that pass, or None."""


def do(verb: str, arguments: Sequence[str]) -> int:
    """Write a graph in another format."""
    parser = _parser(verb)
    options = parser.read(arguments)
    if options.output is None:
        with prefix_file_name(options.file):
            parser.graph(options)  # an error in the graph comes first
        parser.error(f"say with -o where {options.file or 'the picture'} goes, such as -o step.svg")
    step = _checked_step(parser, options)
    rules = rules_named(options.mistake)
    out = Path(options.output)
    options.format = _form(out, options.format)
    _check_looks(parser, options, out)
    with prefix_file_name(options.file, options.output):
        drawing = _drawing(parser, options)
        written = _export(options, drawing, step, rules, out)
    for path in written:
        print_line(str(path))
    return 0


def _drawing(parser: Parser, options: argparse.Namespace) -> Drawing:
    """Return the drawing of FILE or -e, laid out if it has no positions."""
    if options.file is None or options.expression is not None:
        graph = parser.graph(options)
        return Drawing(graph, node_positions(graph))
    drawing = load_drawing(options.file)
    drawing = replace(drawing, graph=with_values(drawing.graph, options.values))
    if not drawing.positions and Path(options.output).suffix.lower() in PICTURES:
        return replace(drawing, positions=node_positions(drawing.graph))
    return drawing


def _parser(verb: str) -> Parser:
    usage = (
        "FILE | -e EXPR [--set a=2 ...] -o OUT.(png|svg|pdf|dot|...) "
        "[--step K|all | --forward | --backward] [--mistake NAME] [--theme light|dark|print] "
        "[--dpi N] [--width CM] [--digits N] [--format FORMAT] [--transparent]"
    )
    parser = Parser(verb, usage, "Write a picture of a graph, or its text in another format.")
    parser.add_graph_arguments()
    parser.add_argument("-o", "--output", metavar="OUT", type=parse_output_path)
    _add_step_arguments(parser)
    _add_look_arguments(parser)
    return parser


def _add_step_arguments(parser: Parser) -> None:
    parser.add_argument(
        "--step",
        metavar="K|all",
        type=_cursor,
        help="backward, after K steps; all: numbered files, or the pages of one PDF (not classic)",
    )
    parser.add_argument("--forward", action="store_true", help="the end of the forward pass")
    parser.add_argument("--backward", action="store_true", help="the end of the backward pass")
    parser.add_argument(
        "--mistake",
        metavar="NAME",
        help="a classic mistake to make on purpose; the end of the pass unless --step is given",
    )


def _add_look_arguments(parser: Parser) -> None:
    parser.add_argument("--theme", choices=THEMES, help="print for PDF, else light, unless given")
    parser.add_argument("--dpi", type=_dpi, help=f"{DPI} is 1:1, and what is taken unless given")
    parser.add_argument(
        "--width",
        metavar="CM",
        type=_width,
        help="width on paper; nodes are moved into rows until type is as near "
        "8 to 10 pt as rows allow",
    )
    parser.add_argument(
        "--digits", metavar="N", type=_digits, help=f"of numbers; {DIGITS_SHOWN} unless given"
    )
    parser.add_argument("--transparent", action="store_true", help="no background")
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        choices=tuple(FORMS),
        help="that of the suffix unless given; classic: as micrograd draws it, DOT, SVG, PNG or "
        f"PDF; others: {', '.join(name for name in FORMS if name != CLASSIC)}",
    )


def _checked_step(parser: Parser, options: argparse.Namespace) -> StepChoice:
    """Validate and combine --step, --forward and --backward."""
    if (options.step is not None) + options.forward + options.backward > 1:
        parser.error("--step, --forward and --backward exclude one another")
    if options.mistake is not None and options.forward:
        parser.error("--mistake goes with the backward pass, not with --forward")
    if options.forward:
        return "forward"
    ends = options.backward or (options.mistake is not None and options.step is None)
    return "backward" if ends else options.step


def _check_looks(parser: Parser, options: argparse.Namespace, out: Path) -> None:
    """Refuse the options of our own pictures where something else is written."""
    looks = {"--theme": options.theme, "--digits": options.digits}
    suffix = out.suffix.lower()
    if options.format in CLASSICS:
        for option in (option for option, given in looks.items() if given is not None):
            parser.error(f"{option} does not go with --format classic, which has one look")
    if suffix not in PICTURES:
        looks = {**looks, "--width": options.width}
        if options.format != CLASSIC:
            looks |= {"--dpi": options.dpi, "--transparent": options.transparent or None}
        for option in (option for option, given in looks.items() if given is not None):
            parser.error(f"{option} goes with pictures, and {suffix} is text")


def numbered(out: Path, k: int, total: int) -> Path:
    """Return the file name for step k of `total`: `OUT-03.png`."""
    return out.with_name(f"{out.stem}-{k:0{len(str(total))}d}{out.suffix}")


def _form(out: Path, form: str | None) -> str:
    """Return the key of FORMS by --format or by suffix; refuses a suffix that does not match."""
    texts = (suffix for found in WRITTEN.values() for suffix in found.suffixes)
    known = FORMS[form] if form else tuple(dict.fromkeys((*PICTURES, *texts)))
    name = out.name.lower()
    if not name.endswith(known):
        raise FormatError(
            '{name} can\'t be written: "{suffix}" is no format for that; the formats are {known}.',
            name=out.name or out,
            suffix=out.suffix.lower(),
            known=", ".join(known),
        )
    by_suffix = {**OURS, **{found.name: found.suffixes for found in WRITTEN.values()}}
    return form or next(found for found, ends in by_suffix.items() if name.endswith(ends))


def _export(
    options: argparse.Namespace, drawing: Drawing, step: StepChoice, rules: Rules, out: Path
) -> Sequence[Path]:
    suffix, graph = out.suffix.lower(), drawing.graph
    frames = _frames(graph, step, rules)
    if options.format in CLASSICS:
        form, dpi = suffix.removeprefix("."), options.dpi or DPI
        if options.width is not None:
            return _classic_figures(options, list(frames), step, out)
        return _stepped(frames, step, out, lambda f: draw(f, form, dpi, options.transparent))
    if options.format in OURS:
        return _pictures(options, drawing, list(frames), step, out)
    if options.format == dot.FORMAT.name:
        boxes = clusters(sheet_of(drawing))
        return _stepped(frames, step, out, lambda f: dot.write(graph, f, boxes).encode())
    if rules is not CORRECT:
        raise FormatError(
            '"{suffix}" holds no pass with a mistake; only pictures and DOT hold one.',
            suffix=suffix,
        )
    if step is not None:
        raise FormatError(
            '"{suffix}" holds a whole graph; only pictures and DOT hold a step.', suffix=suffix
        )
    write = WRITTEN[options.format].write
    if options.format == native.FORMAT.name or write is None:
        save(drawing, out)
    else:
        write_atomically(out, write(graph).encode())
    return [out]


def _classic_figures(
    options: argparse.Namespace, frames: Sequence[Frame], step: StepChoice, out: Path
) -> Sequence[Path]:
    """Write micrograd's picture at a width on paper, with a warning if its type is small."""
    form, dpi = out.suffix.lower().removeprefix("."), options.dpi or DPI
    sized = dot_classic.size_on_paper(frames[-1], options.width)
    written = _stepped(
        iter(frames),
        step,
        out,
        lambda f: dot_classic.draw_on_paper(f, form, sized, dpi, options.transparent),
    )
    if sized.type_size < dot_classic.MIN_TYPE_PT:
        sides = (options.width, sized.height, sized.type_size)
        wide, high, size = (short(round(side, 1)) for side in sides)
        print_error(
            f"backwire export: {wide} × {high} cm, type {size} pt. This is small: below 8 pt. "
            "The classic picture has no rows; without --format classic there are some."
        )
    return written


def _pictures(
    options: argparse.Namespace,
    drawing: Drawing,
    frames: Sequence[Frame],
    step: StepChoice,
    out: Path,
) -> Sequence[Path]:
    from PySide6.QtGui import QGuiApplication

    if QGuiApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"  # a picture needs no display
    application = QGuiApplication.instance() or QGuiApplication(["backwire"])
    from app.canvas.paint.figure import advice, described
    from app.canvas.paint.picture_export import Shot, save_pictures

    is_pdf = out.suffix.lower() == ".pdf"
    shot = Shot(
        options.theme or ("print" if is_pdf else "light"),
        options.dpi or DPI,
        options.transparent,
        digits=options.digits or DIGITS_SHOWN,
        width=options.width,
    )
    paths = [out]
    if step == "all" and not is_pdf:
        paths = [numbered(out, frame.cursor, frame.total) for frame in frames]
    sheet = sheet_of(drawing)
    figure = save_pictures(paths, sheet, frames, shot)
    if said := advice(figure, sheet, frames[0], shot):
        print_error(f"backwire export: {described(figure, shot)} {said}")
    del application  # painting needs it until here
    return paths


def _stepped(
    frames: Iterator[Frame], step: StepChoice, out: Path, content: Callable[[Frame], bytes]
) -> Sequence[Path]:
    """Write the content of each frame; all are computed before the first is written."""
    made = [
        (numbered(out, frame.cursor, frame.total) if step == "all" else out, content(frame))
        for frame in frames
    ]
    for path, _content in made:
        check_target(path)
    for path, text in made:
        write_atomically(path, text)
    return [path for path, _content in made]


def _frames(graph: Graph, step: StepChoice, rules: Rules) -> Iterator[Frame]:
    if step is None:
        yield live_frame(graph)
    elif step == "forward":
        trace = run_forward(graph)
        yield frame_at(trace, len(trace))
    else:
        trace = run(graph, rules=rules)
        cursors = range(len(trace) + 1) if step == "all" else [_cursor_of(trace, step)]
        for cursor in cursors:
            yield frame_at(trace, cursor)


def _cursor_of(trace: Trace, step: StepChoice) -> int:
    if step == "backward":
        return len(trace)
    assert isinstance(step, int)
    if step > len(trace):
        raise EngineError(
            "The backward pass has {steps} steps; there is no step {step}.",
            steps=len(trace),
            step=step,
        )
    return step


def _cursor(text: str) -> int | str:
    if text == "all" or (text.isascii() and text.isdigit() and len(text) < 10):
        return text if text == "all" else int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is neither a number of steps nor all")


def _dpi(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 6 and MIN_DPI <= int(text) <= MAX_DPI:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {MIN_DPI} to {MAX_DPI}")


def _width(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if MIN_WIDTH <= found <= MAX_WIDTH:
        return found
    raise argparse.ArgumentTypeError(
        f"{text!r} is not a width in cm from {MIN_WIDTH} to {MAX_WIDTH}"
    )


def _digits(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 3 and 2 <= int(text) <= MAX_DIGITS:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 2 to {MAX_DIGITS}")
