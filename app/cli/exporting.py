"""backwire export: writes a graph, or a step of its passes, as a picture or as text."""

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from app.cli.calling import Parser, complain, naming, output_file, say, with_values
from app.cli.making import places
from app.cli.running import rules_named
from app.document.sections import clusters
from app.document.sheet import sheet_of
from engine.errors import EngineError, FormatError
from engine.formats import FORMATS, dot, dot_classic, native
from engine.formats.dot_classic import DPI, draw
from engine.formats.files import check_target, load_drawing, save, write_whole
from engine.formats.native import Drawing
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph
from engine.numbers import DIGITS_SHOWN, short
from engine.rules import CORRECT, Rules
from engine.trace import Trace, run, run_forward

PICTURES = (".png", ".svg", ".pdf")
STEPPED = (".dot", ".gv")
THEMES = ("light", "dark", "print")
LEAST_DPI, MOST_DPI = 24, 1200
"""Dots per inch of a picture: a quarter of 1:1, and more than printers show."""
LEAST_WIDTH, MOST_WIDTH = 2, 120
"""Width of a figure in cm: a stamp, and a poster."""
MOST_DIGITS = 17
"""Significant digits that tell any two numbers apart."""
CLASSIC = "classic"
CLASSICS: dict[str, tuple[str, ...]] = {
    CLASSIC: (*STEPPED, *PICTURES),
    "classic-png": (".png",),
    "classic-svg": (".svg",),
    dot_classic.FORMAT.name: STEPPED,
}
"""What --format may say for micrograd's look, with the suffixes of each."""
OURS = {suffix.removeprefix("."): (suffix,) for suffix in PICTURES}
WRITTEN = {found.name: found for found in FORMATS if found.write}
TEXTS = {
    name: tuple(dict.fromkeys(s for own in found.suffixes for s in (own, Path(f"x{own}").suffix)))
    for name, found in WRITTEN.items()
}
"""The same for texts; a PyTorch program may also end in .py alone."""
FORMS = OURS | TEXTS | CLASSICS

StepChoice = int | str | None
"""A backward cursor, "all", "forward" or "backward" for the end of that pass, or None."""


def do(verb: str, arguments: Sequence[str]) -> int:
    """Write a graph in another format."""
    parser = _parser(verb)
    found = parser.read(arguments)
    if found.output is None:
        with naming(found.file):
            parser.graph(found)  # what is wrong with it is said first
        parser.error(f"say with -o where {found.file or 'the picture'} goes, such as -o step.svg")
    step = _checked_step(parser, found)
    rules = rules_named(found.mistake)
    out = Path(found.output)
    found.format = _form(out, found.format)
    _check_looks(parser, found, out)
    with naming(found.file, found.output):
        drawing = _drawing(parser, found)
        written = _export(found, drawing, step, rules, out)
    for path in written:
        say(str(path))
    return 0


def _drawing(parser: Parser, found: argparse.Namespace) -> Drawing:
    """Return the drawing of FILE or -e; what comes without positions is laid out."""
    if found.file is None or found.expression is not None:
        graph = parser.graph(found)
        return Drawing(graph, places(graph))
    drawing = load_drawing(found.file)
    drawing = replace(drawing, graph=with_values(drawing.graph, found.values))
    if not drawing.positions and Path(found.output).suffix.lower() in PICTURES:
        return replace(drawing, positions=places(drawing.graph))
    return drawing


def _parser(verb: str) -> Parser:
    usage = (
        "FILE | -e EXPR [--set a=2 ...] -o OUT.(png|svg|pdf|dot|...) "
        "[--step K|all | --forward | --backward] [--mistake NAME] [--theme light|dark|print] "
        "[--dpi N] [--width CM] [--digits N] [--format FORMAT] [--transparent]"
    )
    parser = Parser(verb, usage, "Write a picture of a graph, or its text in another format.")
    parser.take_graph()
    parser.add_argument("-o", "--output", metavar="OUT", type=output_file)
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
    return parser


def _checked_step(parser: Parser, found: argparse.Namespace) -> StepChoice:
    """Return the step that is asked for."""
    if (found.step is not None) + found.forward + found.backward > 1:
        parser.error("--step, --forward and --backward exclude one another")
    if found.mistake is not None and found.forward:
        parser.error("--mistake goes with the backward pass, not with --forward")
    if found.forward:
        return "forward"
    ends = found.backward or (found.mistake is not None and found.step is None)
    return "backward" if ends else found.step


def _check_looks(parser: Parser, found: argparse.Namespace, out: Path) -> None:
    """Refuse the options of our own pictures where something else is written."""
    looks = {"--theme": found.theme, "--digits": found.digits}
    suffix = out.suffix.lower()
    if found.format in CLASSICS:
        for option in (option for option, given in looks.items() if given is not None):
            parser.error(f"{option} does not go with --format classic, which has one look")
    if suffix not in PICTURES:
        looks = {**looks, "--width": found.width}
        if found.format != CLASSIC:
            looks |= {"--dpi": found.dpi, "--transparent": found.transparent or None}
        for option in (option for option, given in looks.items() if given is not None):
            parser.error(f"{option} goes with pictures, and {suffix} is text")


def numbered(out: Path, k: int, total: int) -> Path:
    """Return the file name for step k of `total`: `OUT-03.png`."""
    return out.with_name(f"{out.stem}-{k:0{len(str(total))}d}{out.suffix}")


def _form(out: Path, form: str | None) -> str:
    """Return the key of FORMS that is asked for, by name or by suffix; refuses another suffix."""
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
    found: argparse.Namespace, drawing: Drawing, step: StepChoice, rules: Rules, out: Path
) -> Sequence[Path]:
    suffix, graph = out.suffix.lower(), drawing.graph
    frames = _frames(graph, step, rules)
    if found.format in CLASSICS:
        form, dpi = suffix.removeprefix("."), found.dpi or DPI
        if found.width is not None:
            return _classic_figures(found, list(frames), step, out)
        return _stepped(frames, step, out, lambda f: draw(f, form, dpi, found.transparent))
    if found.format in OURS:
        return _pictures(found, drawing, list(frames), step, out)
    if found.format == dot.FORMAT.name:
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
    write = WRITTEN[found.format].write
    if found.format == native.FORMAT.name or write is None:
        save(drawing, out)
    else:
        write_whole(out, write(graph).encode())
    return [out]


def _classic_figures(
    found: argparse.Namespace, frames: Sequence[Frame], step: StepChoice, out: Path
) -> Sequence[Path]:
    """Write micrograd's picture at a width on paper, and say where its type is small."""
    form, dpi = out.suffix.lower().removeprefix("."), found.dpi or DPI
    sized = dot_classic.fitted(frames[-1], found.width)
    written = _stepped(
        iter(frames),
        step,
        out,
        lambda f: dot_classic.draw_fitted(f, form, sized, dpi, found.transparent),
    )
    if sized.type_size < dot_classic.LEAST_TYPE:
        sides = (found.width, sized.height, sized.type_size)
        wide, high, size = (short(round(side, 1)) for side in sides)
        complain(
            f"backwire export: {wide} × {high} cm, type {size} pt. This is small: below 8 pt. "
            "The classic picture has no rows; without --format classic there are some."
        )
    return written


def _pictures(
    found: argparse.Namespace,
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
        found.theme or ("print" if is_pdf else "light"),
        found.dpi or DPI,
        found.transparent,
        digits=found.digits or DIGITS_SHOWN,
        width=found.width,
    )
    paths = [out]
    if step == "all" and not is_pdf:
        paths = [numbered(out, frame.cursor, frame.total) for frame in frames]
    sheet = sheet_of(drawing)
    figure = save_pictures(paths, sheet, frames, shot)
    if said := advice(figure, sheet, frames[0], shot):
        complain(f"backwire export: {described(figure, shot)} {said}")
    del application  # painting needs it until here
    return paths


def _stepped(
    frames: Iterator[Frame], step: StepChoice, out: Path, content: Callable[[Frame], bytes]
) -> Sequence[Path]:
    """Write the text or picture of each frame; all are made before any is written."""
    made = [
        (numbered(out, frame.cursor, frame.total) if step == "all" else out, content(frame))
        for frame in frames
    ]
    for path, _content in made:
        check_target(path)
    for path, text in made:
        write_whole(path, text)
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
    if text.isascii() and text.isdigit() and len(text) < 6 and LEAST_DPI <= int(text) <= MOST_DPI:
        return int(text)
    raise argparse.ArgumentTypeError(
        f"{text!r} is not a whole number from {LEAST_DPI} to {MOST_DPI}"
    )


def _width(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if LEAST_WIDTH <= found <= MOST_WIDTH:
        return found
    raise argparse.ArgumentTypeError(
        f"{text!r} is not a width in cm from {LEAST_WIDTH} to {MOST_WIDTH}"
    )


def _digits(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 3 and 2 <= int(text) <= MOST_DIGITS:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 2 to {MOST_DIGITS}")
