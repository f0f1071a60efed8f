"""backwire export to HTML: one page of a graph or a lesson, or the whole course as a folder."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, quote

from app.cli.command_line import (
    Parser,
    Whole,
    asks_for,
    name_file_in_errors,
    parse_assignment,
    parse_output_path,
    placing,
    print_line,
    waiting_for,
    with_values,
)
from app.takeaway.html_page import GENERATOR, end_of_address, frame, frame_height, html_page
from app.takeaway.options import PageOptions, fields_of
from app.takeaway.page_data import AskedSteps, PageData, PageTheme
from engine.errors import FormatError
from engine.formats.expression import write
from engine.formats.files import check_target, load_drawing, read_content, write_atomically
from engine.formats.native import Drawing
from engine.graph import Graph
from engine.rules import CORRECT, Rules, rules_named

SUFFIX: Final = ".html"
LESSON_SUFFIX: Final = ".toml"
_HEAD_LENGTH: Final = 2000
"""Bytes of a page within which its generator is named."""
_STEP: Final = Whole(1, 9_999)
_COURSE: Final = "--course"
_USAGE: Final = (
    "FILE | -e EXPR [--set a=2 ...] | LESSON.toml -o OUT.html [--ask none|last|sums|all] "
    "[--cover] [--mistake NAME] [--mistakes NAME,...] [--theme light|dark|auto] "
    "[--address URL] [--frame STEP|LINK]\n"
    "       backwire export --course DIR [--replace]"
)
_DESCRIPTION: Final = (
    "Write an HTML page that steps and asks, or the course. Whoever looks into the source of a page"
    " finds the answers: for marks, use the report of the program."
)


def is_meant(arguments: Sequence[str]) -> bool:
    """Return whether `backwire export` with these arguments writes a page or the course."""
    return asks_for(arguments, (_COURSE,), SUFFIX)


def do(verb: str, arguments: Sequence[str]) -> int:
    """Write a page, or the folder of the course; return the exit code."""
    parser = _parser(verb)
    options = parser.read(arguments)
    if options.course is not None:
        return _export_course(parser, options)
    if options.replace:
        parser.error("--replace goes with --course")
    out = Path(options.output)
    with waiting_for(f"writing {out}"), name_file_in_errors(options.file, options.output):
        check_target(out)
        page = _page(parser, options)
        mistake = options.mistake if options.mistake and options.mistakes else ""
        moment: dict[str, Any] = {"mistake": mistake} | (options.frame or {})
        end = end_of_address(page, **moment)
        opening = end_of_address(page, mistake=mistake)
        text = html_page(page, opening=opening, address=options.address or "")
        write_atomically(out, text.encode())
    print_line(str(out))
    if options.frame is not None:
        address = (options.address or quote(out.name)) + end
        print_line(frame(f'src="{escape(address)}"', page.title, frame_height(page)))
    return 0


def _parser(verb: str) -> Parser:
    parser = Parser(verb, _USAGE, _DESCRIPTION)
    parser.add_graph_arguments()
    parser.add_argument("-o", "--output", metavar="OUT.html", type=parse_output_path)
    fields = fields_of(PageOptions)
    parser.add_option(fields["ask"])
    parser.add_option(fields["cover"])
    parser.add_argument(
        "--mistake",
        metavar="NAME",
        help="a classic mistake to make on purpose in the pass; with --mistakes, the chosen one",
    )
    parser.add_argument(
        "--mistakes",
        metavar="NAME,...",
        help="mistakes that the reader of a page without questions may choose",
    )
    parser.add_option(fields["theme"])
    _add_places(parser)
    return parser


def _add_places(parser: Parser) -> None:
    """Add the options about where a page will lie, and where the course is written."""
    parser.add_argument(
        "--address",
        metavar="URL",
        type=_parse_address,
        help="where the page will lie, for its Copy link and for --frame",
    )
    parser.add_argument(
        "--frame",
        metavar="STEP|LINK",
        type=_parse_moment,
        help="also print the code that shows this step in a frame of another page, or the moment"
        " of a link, such as 'a=2&step=6'",
    )
    parser.add_argument(
        _COURSE, metavar="DIR", help="a folder of pages, one a lesson, and an index"
    )
    parser.add_argument(
        "--replace", action="store_true", help="files of others in that folder, without asking"
    )


def _parse_address(text: str) -> str:
    """Return the address of a page on the web, without the end that names a step."""
    if not re.fullmatch(r"https?://[^\s#]+", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no address such as https://host/x.html")
    return text


def _parse_moment(text: str) -> dict[str, Any]:
    """Return what `end_of_address` is told of a step, or of the end of a copied link."""
    if "=" not in text:
        return {"step": _STEP(text)}
    numbers: dict[str, float] = {}
    found: dict[str, Any] = {"numbers": numbers}
    for name, value in parse_qsl(text.rpartition("#")[2], keep_blank_values=True):
        if name == "step":
            found[name] = _STEP(value)
        elif name == "mistake":
            found[name] = value
        else:
            numbers |= [parse_assignment(f"{name}={value}")]
    return found


def _page(parser: Parser, options: argparse.Namespace) -> PageData:
    """Return the page of FILE, -e or LESSON.toml."""
    theme: PageTheme = options.theme or "auto"
    if options.file is not None and options.file.lower().endswith(LESSON_SUFFIX):
        graph_only = {
            "-e": options.expression,
            "--set": options.values or None,
            "--ask": options.ask,
            "--mistake": options.mistake,
            "--mistakes": options.mistakes,
        }
        for option in (name for name, value in graph_only.items() if value is not None):
            parser.error(f"{option} goes with a graph; a lesson has its own")
        return _lesson_page(options, theme)
    from app.takeaway.graph_page import page_of_graph, passes_of

    mistakes = _offered(parser, options)
    rules = CORRECT if mistakes else rules_named(options.mistake)
    drawing, title = titled_drawing(parser, options, lambda graph: passes_of(graph, rules))
    ask: AskedSteps = options.ask or ("none" if mistakes else "all")
    page_options = PageOptions(ask, options.cover, rules, theme, mistakes=mistakes)
    return page_of_graph(drawing, title, page_options)


def _offered(parser: Parser, options: argparse.Namespace) -> tuple[Rules, ...]:
    """Return the mistakes that the reader may choose, each once."""
    if options.mistakes is None:
        return ()
    if options.ask not in (None, "none"):
        parser.error("--mistakes goes with a page that asks nothing: --ask none")
    names = [*options.mistakes.split(","), *filter(None, [options.mistake])]
    return tuple(rules_named(name) for name in dict.fromkeys(names))


def _lesson_page(options: argparse.Namespace, theme: PageTheme) -> PageData:
    from app.lessons.load import load_lesson
    from app.takeaway.lesson_page import page_of_lesson

    return page_of_lesson(load_lesson(Path(options.file)), theme, cover=options.cover)


def titled_drawing(
    parser: Parser,
    options: argparse.Namespace,
    check: Callable[[Graph], object] = bool,
    *,
    lays_out: bool = True,
) -> tuple[Drawing, str]:
    """Return the drawing of FILE or -e, all of whose nodes have positions, and its title.

    Without `lays_out` a file may lack them. `check` raises EngineError for what can't be exported,
    before the layout, which can take long.
    """
    from app.takeaway.estimated_layout import laid_out_drawing, node_positions

    if options.file is None or options.expression is not None:
        graph = parser.graph(options)  # ends with an error for both, and for neither
        check(graph)
        with placing(graph):
            return laid_out_drawing(graph), write(graph, values=False)
    drawing = load_drawing(options.file)
    drawing = replace(drawing, graph=with_values(drawing.graph, options.values))
    check(drawing.graph)
    if lays_out and drawing.graph.nodes.keys() - drawing.positions.keys():
        with placing(drawing.graph):
            drawing = replace(drawing, positions=node_positions(drawing.graph))
    return drawing, Path(options.file).stem


def _export_course(parser: Parser, options: argparse.Namespace) -> int:
    of_one_page = vars(options).keys() - {"course", "cover", "theme", "replace"}
    if any(getattr(options, name) not in (None, []) for name in of_one_page):
        parser.error("--course takes a folder and, if you like, --cover and --theme")
    from app.takeaway.lesson_page import course_files

    if not options.course:
        parser.error("--course wants the name of a folder, not ''")
    folder = Path(options.course)
    _check_folder(folder)
    with waiting_for("writing the pages of all lessons"):
        files = course_files(options.theme or "auto", cover=options.cover)
    for name in files:
        _check_place(folder, name)
    others = [name for name, text in files.items() if _is_of_others(folder / name, text)]
    if others and not options.replace and not _agrees_to_replace(folder, others):
        parser.error(f"{folder}: not written by Backwire: {', '.join(others)}; --replace does it")
    for name, text in files.items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FormatError(
                "{name} can't be made: {reason}.", name=path.parent, reason=error.strerror
            ) from None
        write_atomically(path, text.encode())
    size = sum(len(text.encode()) for text in files.values())
    print_line(f"{folder}: {len(files)} files, {size // 1000:,} KB; open index.html")
    return 0


def _check_folder(path: Path) -> None:
    """Refuse what is there and is no folder."""
    if os.path.exists(path) and not os.path.isdir(path):
        raise FormatError("{name} is a file, not a folder.", name=path)


def _check_place(folder: Path, name: str) -> None:
    """Refuse what --replace can't replace in the place of a file or of a folder above it.

    That is a folder, a pipe, a file above; and a link, for it leads out of `folder`.
    """
    path = folder / name
    folders = [folder / parent for parent in Path(name).parents[:-1]]
    for each in (path, *folders):
        if os.path.islink(each):
            raise FormatError(
                "{name} is a link, which would be written through; delete it first.", name=each
            )
    for each in folders:
        _check_folder(each)
    if os.path.lexists(path):
        check_target(path)


def _is_of_others(path: Path, text: str) -> bool:
    """Return whether a file is there that is neither this text nor a page of Backwire."""
    if not os.path.lexists(path):
        return False
    try:
        content = read_content(path)
    except FormatError:
        return True
    return content != text.encode() and GENERATOR.encode() not in content[:_HEAD_LENGTH]


def _agrees_to_replace(folder: Path, names: Sequence[str]) -> bool:
    """Ask in a terminal whether to replace files; return False without one."""
    if sys.stdin is None or not sys.stdin.isatty():
        return False
    print(f"Replace {', '.join(names)} in {folder}? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
