"""FORMS: what can be exported, and in which kinds of file; those who make it are imported late."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from app.takeaway.options import (
    ClassicOptions,
    FigureOptions,
    GifOptions,
    HandoutOptions,
    Maker,
    NoOptions,
    PageOptions,
    StripOptions,
    WorksheetOptions,
)
from engine.formats import FORMATS, dot

Group = Literal["Picture", "Teach", "Code"]


class Form(Struct, frozen=True):
    """A form: how it is found, in which kinds of file it is written, and its options."""

    title: str
    group: Group
    kinds: Mapping[str, str]
    """The suffix of each kind of file, by a name that no two forms share: of actions, of the
    settings, and of `--format`."""
    options: type[Struct]
    words: str = ""
    """More words by which it is found."""
    maker: Callable[[], Maker] | None = None
    """Imports the maker; pictures of one step and texts of a graph have none."""
    of_pass: bool = False
    """Whether it holds the numbers of a whole pass though it has no maker."""
    of_step: bool = False
    """Whether it shows one step, whose number is part of the file's name."""
    of_lesson: bool = False
    """Whether it is made of the steps of a lesson, and not of the graph."""
    titles: Mapping[str, str] = {}
    """The titles of its kinds of file, if these are no suffixes."""
    usage: str = ""
    """What it is made of and where it goes, as the usage of `backwire export` lists it."""
    help: str = ""
    """Of its option on the command line, if that is no field of its own."""
    beside: str = ""
    """The name of the second file that goes with it: a worksheet's key, a GIF's narration."""

    @property
    def shows_hidden(self) -> bool:
        """Return whether it may show numbers that a question hides.

        One of the step that is shown hides what the sheet hides.
        """
        return self.of_pass or self.maker is not None

    @property
    def suffixes(self) -> tuple[str, ...]:
        return tuple(self.kinds.values())

    def text_of(self, kind: str) -> str:
        """Return how a kind of file is called beside the others."""
        return self.titles.get(kind) or self.kinds[kind][1:].upper()

    def title_of(self, kind: str) -> str:
        """Return how a kind of file is called by itself."""
        alone = self.title if len(self.kinds) == 1 else f"{self.title} as {self.text_of(kind)}"
        return self.titles.get(kind) or alone

    def paths(self, out: Path) -> list[Path]:
        second = self.beside.format(stem=out.stem, suffix=out.suffix)
        return [out, out.with_name(second)] if second else [out]


def _page() -> Maker:
    from app.takeaway.graph_page import PAGE

    return PAGE


def _worksheet() -> Maker:
    from app.takeaway.worksheet import WORKSHEET

    return WORKSHEET


def _handout() -> Maker:
    from app.takeaway.handout import HANDOUT

    return HANDOUT


def _strip() -> Maker:
    from app.takeaway.filmstrip import STRIP

    return STRIP


def _gif() -> Maker:
    from app.takeaway.filmstrip import GIF

    return GIF


def _of_formats() -> dict[str, Form]:
    """Return a form for the formats of a graph that can be written; those of a suffix share one."""
    found: dict[str, Form] = {}
    written = [each for each in FORMATS if each.write is not None and each is not dot.CLASSIC]
    for suffix in dict.fromkeys(each.suffixes[0] for each in written):
        first, *_ = formats = [each for each in written if each.suffixes[0] == suffix]
        titles = {each.name: each.title for each in formats}
        form = Form(first.title, "Code", dict.fromkeys(titles, suffix), NoOptions, titles=titles)
        found[first.name] = replace(
            form, of_pass=first.write_pass is not None, of_step=first is dot.FORMAT
        )
    return found


_PICTURES: Final = {"png": ".png", "svg": ".svg", "pdf": ".pdf"}
_STRIPS: Final = {"strip": ".png", "strip-svg": ".svg", "strip-pdf": ".pdf"}
_CLASSIC: Final = {"classic-png": ".png", "classic-svg": ".svg", dot.CLASSIC.name: ".gv"}
FORMS: Final[dict[str, Form]] = {
    "picture": Form("Picture of this step", "Picture", _PICTURES, FigureOptions, of_step=True),
    "strip": Form(
        "Filmstrip of several steps",
        "Picture",
        _STRIPS,
        StripOptions,
        "slides",
        _strip,
        usage="... -o OUT.(png|svg|pdf) --strip 4,5,6",
    ),
    "gif": Form(
        "GIF of the pass",
        "Picture",
        {"gif": ".gif"},
        GifOptions,
        "animation moving picture slides",
        _gif,
        usage="... -o OUT.gif",
        beside="{stem}.txt",
    ),
    "classic": Form(
        "Picture in micrograd's look", "Picture", _CLASSIC, ClassicOptions, of_step=True
    ),
    "page": Form(
        "HTML page of both passes",
        "Teach",
        {"page": ".html"},
        PageOptions,
        "web phone quiz student",
        _page,
    ),
    "worksheet": Form(
        "Worksheet and its key",
        "Teach",
        {"worksheet": ".pdf"},
        WorksheetOptions,
        "pdf print paper exercise class student key answers",
        _worksheet,
        usage="FILE | -e EXPR [--set a=2 ...] | LESSON.toml -o OUT.pdf --worksheet",
        help="a sheet to fill in; OUT-key.pdf: its key",
        beside="{stem}-key{suffix}",
    ),
    "handout": Form(
        "Handout of a lecture",
        "Teach",
        {"handout": ".pdf"},
        HandoutOptions,
        "pdf print paper lecture marks notes class student key",
        _handout,
        of_lesson=True,
        usage="FILE | LESSON.toml -o OUT.pdf --handout",
        help="what a room sees of a lesson, and a key",
    ),
    **_of_formats(),
}
"""Every form by its name, in the order of the dialog."""
KINDS: Final = {kind: name for name, form in FORMS.items() for kind in form.kinds}
"""The form of each kind of file."""
