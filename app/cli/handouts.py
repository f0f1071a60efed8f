"""backwire export of what is handed out: worksheets and keys, lessons for rooms, strips, GIFs."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from app.cli.command_line import (
    Parser,
    asks_for,
    name_file_in_errors,
    painting_application,
    parse_output_path,
    print_error,
    print_line,
    waiting_for,
)
from app.cli.page_export import LESSON_SUFFIX, titled_drawing
from app.takeaway.forms import FORMS
from app.takeaway.options import HandoutOptions, Look, Source, fields_of, usage_of
from engine.errors import FormatError
from engine.formats.files import write_files
from engine.formats.native import Drawing
from engine.rules import rules_named
from engine.trace import Trace, run, run_forward

if TYPE_CHECKING:
    from engine.graph import Graph

_FORMS: Final = dict(
    sorted(
        ((name, form) for name, form in FORMS.items() if form.usage),
        key=lambda pair: pair[1].group,
        reverse=True,  # first what is handed out
    )
)
_FIELDS: Final = {name: fields_of(form.options) for name, form in _FORMS.items()}
_FLAGGED: Final = [name for name, form in _FORMS.items() if form.help or name in _FIELDS[name]]
"""The forms with an option of their name; the suffix asks for another one."""
_LOOK: Final = fields_of(Look)


def is_meant(arguments: Sequence[str]) -> bool:
    """Return whether `backwire export` with these arguments writes a handout."""
    suffixes = [form.suffixes for name, form in _FORMS.items() if name not in _FLAGGED]
    return asks_for(arguments, [f"--{name}" for name in _FLAGGED], tuple(chain(*suffixes)))


def do(verb: str, arguments: Sequence[str]) -> int:
    """Write a worksheet and its key, a handout, a strip, or a GIF and its narration; return 0."""
    parser = _parser(verb)
    options = parser.read(arguments)
    if options.output is None:
        parser.error("say with -o where it goes, such as -o sheet.pdf")
    name, out = _form(parser, options), Path(options.output)
    form = FORMS[name]
    chosen = parser.chosen(form.options, options)
    if not out.name.lower().endswith(form.suffixes):
        raise FormatError(
            "{name} can't be written: a {kind} is a file with {suffixes}.",
            name=out.name or out,
            kind=name,
            suffixes=" or ".join(form.suffixes),
        )
    paths = form.paths(out)
    _check_beside(paths, options.file)
    with waiting_for(f"writing {out}"), name_file_in_errors(options.file, options.output):
        application = painting_application()
        from app.controls.slices import drained

        assert form.maker is not None
        maker = form.maker()
        if isinstance(chosen, HandoutOptions):
            source = _of_lesson(parser, options, chosen.seed)
        else:
            check = partial(maker.check, chosen)
            checked = _source(parser, options, lambda graph: check(_trace(chosen, graph)))
            source = replace(checked, trace=_trace(chosen, checked.drawing.graph))
        made = drained(maker.write(source, chosen, out.suffix.lower()))
        del application  # kept until here, as Qt paints only while one exists
        write_files(dict(zip(paths, made, strict=True)))
    for path in paths:
        print_line(str(path))
    return 0


def _parser(verb: str) -> Parser:
    parser = Parser(
        verb,
        _usage(),
        "Write a worksheet and its key, a lecture as a handout, a strip of steps, or a GIF.",
    )
    parser.add_graph_arguments()
    parser.add_argument("-o", "--output", metavar="OUT", type=parse_output_path)
    added = set(_LOOK) - {"digits"}  # the look comes last
    for name, form in _FORMS.items():
        if form.help:
            parser.add_argument(f"--{name}", action="store_true", help=form.help)
        for field in _FIELDS[name].values():
            if field.name not in added and field.help:
                added.add(field.name)
                parser.add_option(field)
    for field in _LOOK.values():
        if field.name != "digits":
            parser.add_option(field)
    return parser


def _usage() -> str:
    """Return a line for each form, and one for the look that strips and GIFs share."""
    lines: list[str] = []
    for name, form in _FORMS.items():
        has_look = issubclass(form.options, Look)
        own = [each for each in _FIELDS[name].values() if not (has_look and each.name in _LOOK)]
        own = sorted((each for each in own if each.name != name), key=lambda each: not each.is_flag)
        lines.append(" ".join([form.usage, usage_of(own), *["[LOOK]"] * has_look]))
    joined = "\n       backwire export ".join(lines)
    return f"{joined}\nLOOK: {usage_of(_LOOK.values())}"


def _form(parser: Parser, options: argparse.Namespace) -> str:
    """Return the form; ends with a usage error for options of another one."""
    wanted = [name for name in _FLAGGED if getattr(options, name)]
    if len(wanted) > 1:
        parser.error(f"--{wanted[0]} and --{wanted[1]} exclude one another")
    by_suffix = (n for n in _FORMS if options.output.lower().endswith(_FORMS[n].suffixes))
    form = wanted[0] if wanted else next(n for n in by_suffix if n not in _FLAGGED)
    text = f"--{form}" if wanted else f"a {_FORMS[form].text_of(form)}"
    for field in (field for fields in _FIELDS.values() for field in fields.values()):
        if field.name not in _FIELDS[form] and getattr(options, field.name, None):
            parser.error(f"{field.flag} does not go with {text}")
    if options.forward and options.mistake is not None:
        parser.error("--mistake goes with the backward pass, not with --forward")
    return form


def _check_beside(paths: Sequence[Path], source: str | None) -> None:
    """Refuse to replace a file that nobody named, unless an export before has written the two."""
    out, *others = paths
    for beside in filter(os.path.lexists, others):
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


def _source(
    parser: Parser, options: argparse.Namespace, check: Callable[[Graph], object]
) -> Source:
    """Return the drawing of a graph or a lesson with its title, and the lesson."""
    name = Path(options.output).stem
    if options.file is None or not options.file.lower().endswith(LESSON_SUFFIX):
        return Source(*titled_drawing(parser, options, check), name, remark=_print_remark)
    from app.lessons.load import load_lesson
    from app.takeaway.estimated_layout import laid_out_drawing

    if options.expression is not None or options.values:
        parser.error("-e and --set go with a graph; a lesson has its own")
    lesson = load_lesson(Path(options.file))
    drawing = laid_out_drawing(lesson.graph)
    return Source(drawing, lesson.title, name, lesson, remark=_print_remark)


def _print_remark(remark: str) -> None:
    print_error(f"backwire export: {remark}")


def _of_lesson(parser: Parser, options: argparse.Namespace, seed: int) -> Source:
    """Return the slides of a lesson file, or of the lesson on a graph."""
    from app.guide.play.guide import room_of
    from app.lessons.draft import UNNAMED
    from app.lessons.lesson import Lesson
    from app.lessons.load import load_lesson, reading_of

    file = options.file
    if file is None or options.expression is not None:
        parser.error("--handout needs a FILE: the steps of a lesson are kept with a graph")
    if file.lower().endswith(LESSON_SUFFIX):
        if options.values:
            parser.error("--set goes with a graph; a lesson has its own")
        lesson = load_lesson(Path(file))
        return Source(Drawing(lesson.graph), lesson.title, room=room_of(lesson, seed))
    drawing, title = titled_drawing(parser, options)
    path = Path(file).with_suffix(UNNAMED.suffix)
    reading = reading_of(drawing.lesson, path, drawing.graph) if drawing.lesson else None
    lesson = None if reading is None else reading.for_room(title, drawing)
    if lesson is None:
        lesson = Lesson("", title, "", "", 0, drawing.graph, ())
    return Source(drawing, title, room=room_of(replace(lesson, name=Path(file).name), seed))


def _trace(chosen: Struct, graph: Graph) -> Trace:
    """Return the pass whose steps are shown."""
    if not isinstance(chosen, Look):
        return run(graph)
    return run_forward(graph) if chosen.forward else run(graph, rules=rules_named(chosen.mistake))
