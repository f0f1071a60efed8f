"""backwire export: writes a graph, or a step of its passes, as a picture or as text."""

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from app.cli.calling import Parser, naming, output_file, say
from app.document.sections import clusters
from app.document.sheet import sheet_of
from engine.errors import EngineError, FormatError
from engine.formats import FORMATS, dot
from engine.formats.dot_classic import DPI, draw
from engine.formats.files import load_drawing, save, write_whole
from engine.formats.native import Drawing
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph
from engine.trace import Trace, run, run_forward

PICTURES = (".png", ".svg", ".pdf")
STEPPED = (".dot", ".gv")
THEMES = ("light", "dark", "print")
LEAST_DPI, MOST_DPI = 24, 1200
"""Dots per inch of a picture: a quarter of 1:1, and more than printers show."""

StepChoice = int | str | None
"""A backward cursor, "all", "forward" or "backward" for the end of that pass, or None."""


def do(verb: str, arguments: Sequence[str]) -> int:
    """Write a graph in another format."""
    usage = (
        "FILE -o OUT.(png|svg|pdf|dot|...) [--step K|all | --forward | --backward] "
        "[--theme light|dark|print] [--dpi N] [--transparent] [--format classic]"
    )
    parser = Parser(verb, usage, "Write a picture of a graph, or its text in another format.")
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("-o", "--output", metavar="OUT", type=output_file, required=True)
    parser.add_argument("--step", metavar="K|all", type=_cursor, help="backward, after K steps")
    parser.add_argument("--forward", action="store_true", help="the end of the forward pass")
    parser.add_argument("--backward", action="store_true", help="the end of the backward pass")
    parser.add_argument("--theme", choices=THEMES, help="light unless given")
    parser.add_argument("--dpi", type=_dpi, help=f"{DPI} is 1:1, and what is taken unless given")
    parser.add_argument("--transparent", action="store_true", help="no background")
    parser.add_argument(
        "--format", choices=("classic",), help="as micrograd draws it: DOT, SVG, PNG or PDF"
    )
    found = parser.read(arguments)
    if (found.step is not None) + found.forward + found.backward > 1:
        parser.error("--step, --forward and --backward exclude one another")
    step = "forward" if found.forward else "backward" if found.backward else found.step
    out = Path(found.output)
    if found.format == "classic" and found.theme is not None:
        parser.error("--theme does not go with --format classic, which has one look")
    _check_suffix(out, found.format)
    looks = {"--theme": found.theme, "--dpi": found.dpi, "--transparent": found.transparent}
    if found.format is None and out.suffix.lower() not in PICTURES:
        for option in (option for option, given in looks.items() if given):
            parser.error(f"{option} goes with pictures, and {out.suffix.lower()} is text")
    with naming(found.file, found.output):
        drawing = load_drawing(found.file)
        written = _export(found, drawing, step, out)
    for path in written:
        say(str(path))
    return 0


def numbered(out: Path, k: int, total: int) -> Path:
    """Return the file name for step k of `total`: `OUT-03.png`."""
    return out.with_name(f"{out.stem}-{k:0{len(str(total))}d}{out.suffix}")


def _check_suffix(out: Path, form: str | None) -> None:
    texts = (suffix for form in FORMATS if form.write for suffix in form.suffixes)
    known = (*STEPPED, *PICTURES) if form else tuple(dict.fromkeys((*PICTURES, *texts)))
    if not out.name.lower().endswith(known):
        raise FormatError(
            '{name} can\'t be written: "{suffix}" is no format for that; the formats are {known}.',
            name=out.name or out,
            suffix=out.suffix.lower(),
            known=", ".join(known),
        )


def _export(
    found: argparse.Namespace, drawing: Drawing, step: StepChoice, out: Path
) -> Sequence[Path]:
    suffix, graph = out.suffix.lower(), drawing.graph
    if found.format == "classic" or suffix == ".gv":
        form = suffix.removeprefix(".")
        return _stepped(
            graph, step, out, lambda frame: draw(frame, form, found.dpi or DPI, found.transparent)
        )
    if suffix in PICTURES:
        _check_cursor(graph, step)
        return _pictures(found, drawing, step, out)
    if suffix == ".dot":
        boxes = clusters(sheet_of(drawing))
        return _stepped(graph, step, out, lambda frame: dot.write(graph, frame, boxes).encode())
    if step is not None:
        raise FormatError(
            '"{suffix}" holds a whole graph; only pictures and DOT hold a step.', suffix=suffix
        )
    save(drawing if suffix == ".backwire" else drawing.graph, out)
    return [out]


def _pictures(
    found: argparse.Namespace, drawing: Drawing, step: StepChoice, out: Path
) -> Sequence[Path]:
    from PySide6.QtGui import QGuiApplication

    if QGuiApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"  # a picture needs no display
    application = QGuiApplication.instance() or QGuiApplication(["backwire"])
    from app.canvas.paint.picture_export import Shot, export_pictures

    shot = Shot(found.theme or "light", found.dpi or DPI, found.transparent)
    written = export_pictures(drawing, out, step, shot)
    del application  # painting needs it until here
    return written


def _stepped(
    graph: Graph, step: StepChoice, out: Path, content: Callable[[Frame], bytes]
) -> Sequence[Path]:
    written: list[Path] = []
    for frame in _frames(graph, step):
        path = numbered(out, frame.cursor, frame.total) if step == "all" else out
        write_whole(path, content(frame))
        written.append(path)
    return written


def _frames(graph: Graph, step: StepChoice) -> Iterator[Frame]:
    if step is None:
        yield live_frame(graph)
    elif step == "forward":
        trace = run_forward(graph)
        yield frame_at(trace, len(trace))
    else:
        trace = run(graph)
        cursors = range(len(trace) + 1) if step == "all" else [_cursor_of(trace, step)]
        for cursor in cursors:
            yield frame_at(trace, cursor)


def _check_cursor(graph: Graph, step: StepChoice) -> None:
    if isinstance(step, int):
        _cursor_of(run(graph), step)


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
