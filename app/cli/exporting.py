"""backwire export: writes a graph, or a step of its passes, as a picture or as text."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from app.cli import handouts, page_export
from app.cli.command_line import (
    Parser,
    name_file_in_errors,
    painting_application,
    parse_output_path,
    print_error,
    print_line,
    waiting_for,
)
from app.document.boxes import clusters
from app.document.sheet import Sheet, sheet_of
from app.takeaway.options import FigureOptions, fields_of, usage_of, usual_theme
from engine.errors import EngineError, FormatError
from engine.formats import FORMATS, dot, native
from engine.formats.dot import draw
from engine.formats.files import numbered_path, save, write_atomically, write_files
from engine.formats.native import Drawing
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph
from engine.numbers import short
from engine.rules import CORRECT, Rules, rules_named
from engine.trace import Trace, run, run_forward

if TYPE_CHECKING:
    from app.canvas.paint.figure import Figure, PictureOptions

PICTURE_SUFFIXES = (".png", ".svg", ".pdf")
DOT_SUFFIXES = (".dot", ".gv")
_LOOK = {name: each for name, each in fields_of(FigureOptions).items() if each.help}
"""The options of a picture in Backwire's look that the command line has."""
_OF_CLASSIC = ("dpi", "width", "transparent")
"""Those that micrograd's picture has too."""
_USAGE = (
    "FILE ... | -e EXPR [--set a=2 ...] -o OUT.(png|svg|pdf|dot|...) "
    "[--step K|all | --forward | --backward] [--mistake NAME] [--cover] {look}"
)
_OTHER_OUTPUTS = (
    "A page, -o OUT.html, takes --ask, --mistakes, --address and --frame. Paper and films take"
    " --worksheet, --handout or --strip. Such a call with --help says more of them."
)
CLASSIC = "classic"
CLASSIC_FORMATS: dict[str, tuple[str, ...]] = {
    CLASSIC: (*DOT_SUFFIXES, *PICTURE_SUFFIXES),
    "classic-png": (".png",),
    "classic-svg": (".svg",),
    dot.CLASSIC.name: DOT_SUFFIXES,
}
"""Values of --format for micrograd's look, with their suffixes."""
PICTURE_FORMATS = {suffix.removeprefix("."): (suffix,) for suffix in PICTURE_SUFFIXES}
"""Values of --format for Backwire's own pictures, with their suffixes."""
WRITABLE = {found.name: found for found in FORMATS if found.write}


def _last_part(suffix: str) -> str:
    return f".{suffix.rpartition('.')[-1]}"


TEXT_FORMATS = {
    name: tuple(
        dict.fromkeys(each for suffix in found.suffixes for each in (suffix, _last_part(suffix)))
    )
    for name, found in WRITABLE.items()
}
"""Values of --format for texts, with their suffixes; .torch.py may also be .py."""
SUFFIXES_OF = PICTURE_FORMATS | TEXT_FORMATS | CLASSIC_FORMATS
"""Every value of --format, with the suffixes that its file may have."""

_SMALL = "backwire export: {size} {advice}"
_SMALL_IN_ALL = "backwire export: all have the type of {name}: {size} {advice}"

StepChoice = int | str | None
"""A backward cursor, "all", "forward" or "backward" for the end of that pass, or None."""


def do(verb: str, arguments: Sequence[str]) -> int:
    """Write a graph in another format, or what is taken away from it."""
    if handouts.is_meant(arguments):
        return handouts.do(verb, arguments)
    if page_export.is_meant(arguments):
        return page_export.do(verb, arguments)
    parser = _parser(verb)
    options = parser.read(arguments)
    if options.output is None:
        with name_file_in_errors(options.file):
            parser.graph(options)  # an error in the graph is reported before the missing -o
        parser.error(f"say with -o where {options.file or 'the picture'} goes, such as -o step.svg")
    step = _step_choice(parser, options)
    rules = rules_named(options.mistake)
    out = Path(options.output)
    options.format = _resolved_format(out, options.format)
    _refuse_look_options(parser, options, out)
    look = parser.chosen(FigureOptions, options)
    if options.format in PICTURE_FORMATS:
        with waiting_for(f"writing {out}"):
            paths = _write_pictures(options, look, _series(parser, options, step, rules, out))
    elif options.more:
        parser.error("several files go with pictures in Backwire's look")
    else:
        with waiting_for(f"writing {out}"), name_file_in_errors(options.file, options.output):
            drawing, _title = page_export.titled_drawing(parser, options, lays_out=False)
            paths = _export(options, look, drawing, step, rules, out)
    for path in paths:
        print_line(str(path))
    return 0


class _Pictures(NamedTuple):
    """A graph of which pictures are written, the frames that they show, and the files."""

    graph_file: str | None
    sheet: Sheet
    frames: Sequence[Frame]
    files: Sequence[Path]


def _series(
    parser: Parser, options: argparse.Namespace, step: StepChoice, rules: Rules, out: Path
) -> list[_Pictures]:
    """Return the pictures of OUT, or of several graphs for `OUT-FILE.svg`."""
    if options.more and options.expression is not None:
        parser.error("several files go without -e")
    series: dict[Path, _Pictures] = {}
    for file in (options.file, *options.more):
        options.file = file
        with name_file_in_errors(file, options.output):
            drawing, _title = page_export.titled_drawing(parser, options)
            frames = list(_frames(drawing.graph, step, rules, cover=options.cover))
        target = out.with_name(f"{out.stem}-{Path(file).stem}{out.suffix}") if options.more else out
        if target in series:
            raise FormatError("Two of the files would be written to {name}.", name=target)
        files = [target]
        if step == "all" and options.format != "pdf":
            files = [numbered_path(target, frame.cursor, frame.total) for frame in frames]
        series[target] = _Pictures(file, sheet_of(drawing), frames, files)
    return list(series.values())


def _parser(verb: str) -> Parser:
    look = usage_of(_LOOK.values()).replace("[--tr", "[--format FORMAT] [--tr")
    parser = Parser(
        verb, _USAGE.format(look=look), "Write a picture of a graph, or its text in another format."
    )
    parser.epilog = _OTHER_OUTPUTS
    parser.add_graph_arguments()
    parser.add_argument(
        "more",
        nargs="*",
        metavar="FILE",
        help="more graphs: OUT-FILE.svg for each, with type of one size at the same --width",
    )
    parser.add_argument("-o", "--output", metavar="OUT", type=parse_output_path)
    _add_step_arguments(parser)
    for field in _LOOK.values():
        parser.add_option(field)
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        choices=tuple(SUFFIXES_OF),
        help="that of the suffix unless given; classic: as micrograd draws it, DOT, SVG, PNG or "
        f"PDF; others: {', '.join(name for name in SUFFIXES_OF if name != CLASSIC)}",
    )
    return parser


def _add_step_arguments(parser: Parser) -> None:
    parser.add_argument(
        "--step",
        metavar="K|all",
        type=_parse_step,
        help="backward, after K steps; all: numbered files, or the pages of one PDF (not classic)",
    )
    parser.add_argument("--forward", action="store_true", help="the end of the forward pass")
    parser.add_argument("--backward", action="store_true", help="the end of the backward pass")
    parser.add_argument(
        "--mistake",
        metavar="NAME",
        help="a classic mistake to make on purpose; the end of the pass unless --step is given",
    )
    parser.add_argument(
        "--cover",
        action="store_true",
        help="with --step: the numbers of the next step are ?, as Cover shows it",
    )


def _step_choice(parser: Parser, options: argparse.Namespace) -> StepChoice:
    """Combine --step, --forward and --backward, of which one at most may be given."""
    # the booleans count how many of the three are given
    if (options.step is not None) + options.forward + options.backward > 1:
        parser.error("--step, --forward and --backward exclude one another")
    if options.mistake is not None and options.forward:
        parser.error("--mistake goes with the backward pass, not with --forward")
    if options.cover and options.step is None:
        parser.error("--cover hides numbers of the next step: say after which with --step")
    if options.forward:
        return "forward"
    at_end = options.backward or (options.mistake is not None and options.step is None)
    return "backward" if at_end else options.step


def _refuse_look_options(parser: Parser, options: argparse.Namespace, out: Path) -> None:
    """Refuse options of Backwire's own pictures where text or micrograd's picture is written."""
    given = [field for name, field in _LOOK.items() if getattr(options, name)]
    own = [field for field in given if field.name not in _OF_CLASSIC]
    suffix = out.suffix.lower()
    if options.text is not None and suffix in PICTURE_SUFFIXES and suffix != ".svg":
        parser.error(f"--text goes with SVG; {suffix} always keeps its look")
    if options.format in CLASSIC_FORMATS:
        for field in own:
            parser.error(f"{field.flag} does not go with --format classic, which has one look")
    if suffix not in PICTURE_SUFFIXES:
        of_text = ("dpi", "transparent") if options.format == CLASSIC else ()
        for field in (field for field in given if field.name not in of_text):
            parser.error(f"{field.flag} goes with pictures, and {suffix} is text")


def _resolved_format(out: Path, chosen: str | None) -> str:
    """Return the --format that was chosen, or that of the suffix; refuses a suffix of neither."""
    texts = (suffix for found in WRITABLE.values() for suffix in found.suffixes)
    known = SUFFIXES_OF[chosen] if chosen else tuple(dict.fromkeys((*PICTURE_SUFFIXES, *texts)))
    name = out.name.lower()
    if not name.endswith(known):
        raise FormatError(
            '{name} can\'t be written: "{suffix}" is no format for that; the formats are {known}.',
            name=out.name or out,
            suffix=out.suffix.lower(),
            known=", ".join(known),
        )
    formats = {**PICTURE_FORMATS, **{found.name: found.suffixes for found in WRITABLE.values()}}
    return chosen or next(key for key, suffixes in formats.items() if name.endswith(suffixes))


def _export(
    options: argparse.Namespace,
    look: FigureOptions,
    drawing: Drawing,
    step: StepChoice,
    rules: Rules,
    out: Path,
) -> Sequence[Path]:
    """Write the file, or one per step; returns their paths."""
    suffix, graph = out.suffix.lower(), drawing.graph
    frames = _frames(graph, step, rules, cover=options.cover)
    if options.format in CLASSIC_FORMATS:
        form = suffix.removeprefix(".")
        if look.width is not None:
            return _write_classic_figures(look, look.width, list(frames), step, out)
        return _write_each(frames, step, out, lambda f: draw(f, form, look.dpi, look.transparent))
    if options.format == dot.FORMAT.name:
        groups = clusters(sheet_of(drawing))
        return _write_each(frames, step, out, lambda f: dot.write(graph, f, groups).encode())
    if rules is not CORRECT:
        raise FormatError(
            '"{suffix}" holds no pass with a mistake; only pictures and DOT hold one.',
            suffix=suffix,
        )
    if step is not None:
        raise FormatError(
            '"{suffix}" holds a whole graph; only pictures and DOT hold a step.', suffix=suffix
        )
    write = WRITABLE[options.format].write
    if options.format == native.FORMAT.name or write is None:
        save(drawing, out)
    else:
        write_atomically(out, write(graph).encode())
    return [out]


def _write_classic_figures(
    look: FigureOptions, width: float, frames: Sequence[Frame], step: StepChoice, out: Path
) -> Sequence[Path]:
    """Write micrograd's picture at a width on paper, with a warning if its type is small."""
    form = out.suffix.lower().removeprefix(".")
    figure = dot.size_on_paper(frames[-1], width)
    paths = _write_each(
        iter(frames),
        step,
        out,
        lambda f: dot.draw_on_paper(f, form, figure, look.dpi, look.transparent),
    )
    if figure.type_size < dot.MIN_TYPE_PT:
        lengths = (width, figure.height, figure.type_size)
        wide, high, type_size = (short(round(length, 1)) for length in lengths)
        print_error(
            f"backwire export: {wide} × {high} cm, type {type_size} pt. "
            "This is small: below 8 pt. "
            "The classic picture has no rows; without --format classic there are some."
        )
    return paths


def _write_pictures(
    options: argparse.Namespace, look: FigureOptions, series: Sequence[_Pictures]
) -> Sequence[Path]:
    """Write pictures of one or more graphs, the type of which has one size; return their paths."""
    application = painting_application()
    from app.canvas.paint.figure import Figure, PictureOptions, figure_of, with_one_type_size
    from app.canvas.paint.picture_export import check_pictures, save_pictures

    def figures(chosen: PictureOptions) -> Iterator[Figure]:
        for each in series:
            with name_file_in_errors(each.graph_file, options.output):
                figure = figure_of(each.sheet, each.frames[0], chosen)
                check_pictures(each.files, figure, chosen)
            yield figure

    picture_options = chosen = PictureOptions(
        theme=look.theme or usual_theme(f".{options.format}"),
        dpi=look.dpi,
        transparent=look.transparent,
        digits=look.digits,
        width=look.width,
        rows=look.rows,
        min_type=look.min_type,
        text=look.text,
    )
    alone = drawn = list(figures(picture_options))
    if len(alone) > 1:
        chosen = with_one_type_size(alone, picture_options)
        drawn = list(figures(chosen))
    for figure, each in zip(drawn, series, strict=True):
        save_pictures(each.files, figure, each.frames, chosen)
    _print_advice(series, drawn, alone, picture_options)
    del application  # painting needs it until here
    return [path for each in series for path in each.files]


def _print_advice(
    series: Sequence[_Pictures],
    drawn: "Sequence[Figure]",
    alone: "Sequence[Figure]",
    picture_options: "PictureOptions",
) -> None:
    """Say that the type of a figure is small; of several figures only the one whose type all have.

    `alone` are the figures as each would be by itself.
    """
    from app.canvas.paint.figure import advice, described

    least = min(figure.type_sizes[0] for figure in alone)
    for each, figure, by_itself in zip(series, drawn, alone, strict=True):
        if by_itself.type_sizes[0] > least:
            continue  # alone its type would be larger: no advice about it would help
        if remark := advice(figure, each.sheet, each.frames[0], picture_options):
            template = _SMALL_IN_ALL if len(series) > 1 else _SMALL
            size = described(figure, picture_options)
            print_error(template.format(name=each.files[0].name, size=size, advice=remark))


def _write_each(
    frames: Iterator[Frame], step: StepChoice, out: Path, content: Callable[[Frame], bytes]
) -> Sequence[Path]:
    """Write a file per frame; all are computed and checked before the first is written."""
    contents = {
        numbered_path(out, frame.cursor, frame.total) if step == "all" else out: content(frame)
        for frame in frames
    }
    write_files(contents)
    return list(contents)


def _frames(graph: Graph, step: StepChoice, rules: Rules, *, cover: bool) -> Iterator[Frame]:
    """Yield the frame of a step; those of every step for "all", live values for None."""
    if cover:
        from app.workbench.modes.quiz import Quiz

        yield from map(Quiz(is_cover=True).hide, _frames(graph, step, rules, cover=False))
        return
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


def _parse_step(text: str) -> int | str:
    # so many digits are more steps than any pass has, and of a million Python refuses to read them
    if text == "all" or (text.isascii() and text.isdigit() and len(text) < 10):
        return text if text == "all" else int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is neither a number of steps nor all")
