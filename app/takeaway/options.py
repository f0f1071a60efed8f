"""The options of all forms of export, what a form is made of, and who makes it.

    Opt, fields_of      what is said of an option: command line and dialog go through the fields
    ...Options          the options of one form, for both
    Source              what a form is made of: `cli` has it of a file, `window` of its sheet
    Maker               checks, writes and previews a form; in the module of each

Nothing here needs Qt: a command line is read, and the window begins, without it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from itertools import chain
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    TypeAlias,
    Union,
    get_args,
    get_origin,
)

from msgspec import Struct
from msgspec.structs import fields as struct_fields
from msgspec.structs import replace

from app.document.placement import MOST_BANDS
from app.document.sheet import Rect
from app.takeaway.page_data import AskedSteps, PageTheme
from engine.formats.dot import DPI
from engine.numbers import DIGITS_SHOWN, Digits
from engine.rules import CORRECT, Rules
from engine.trace import Trace, run

if TYPE_CHECKING:
    from app.guide.play.guide import Room
    from app.lessons.lesson import Lesson
    from app.style.derivative_notation import Notation
    from engine.formats.native import Drawing

Blank = Literal["grads", "steps", "sums", "all"]
"""The numbers that are to be worked out, which a sheet leaves blank.

grads  the gradients of the nodes, without a table of steps
steps  upstream gradient, local derivative and contribution of each step; gradients are given
sums   the gradients, from contributions and local derivatives that are given
all    each number of each step, and each gradient
"""
PaperName = Literal["A4", "Letter"]
ThemeName = Literal["light", "dark", "print"]
TextKind = Literal["outlines", "font", "system"]
"""Ways to write the text of an SVG: as outlines, with a font inside the file, or as text alone."""
Texts: TypeAlias = Mapping[Any, str]
"""The values of an option with the texts that the dialog shows for them."""
RESOLUTIONS: Final = (96, 144, 192, 300, 600)
"""Choices for PNG, in dots per inch."""
MAX_GIF_WIDTH: Final = 1280


class Size(NamedTuple):
    """The page or slide that a picture is made for: title, width and height in cm; None: any."""

    title: str
    width: float | None = None
    height: float | None = None


AS_DRAWN: Final = "drawn"
"""The size of a picture in which it is drawn."""
SIZES: Final = {
    AS_DRAWN: Size("As drawn"),
    "column": Size("8.5 cm, a column", 8.5),
    "page": Size("17 cm, a page", 17.0),
    "slide": Size("Slide, 16:9", 16.0, 9.0),
}
"""The choices of a width, by the key that is stored."""


class Opt(Struct, frozen=True):
    """What is said of an option where it is chosen; the last three are those of its field."""

    label: str = ""
    """Its label in the dialog; without one it is on the command line alone."""
    help: str = ""
    """Its help on the command line; without one it is in the dialog alone."""
    metavar: str | None = None
    """How its value is called in the help; None: as it is called itself."""
    usage: str | None = None
    """The same in the usage, if not as in the help; "": the usage leaves it out."""
    least: float = 0
    most: float = 0
    unit: str = ""
    """What a number is that need not be whole, such as "width in cm"."""
    texts: Texts = {}
    """The choices in the dialog; those of a theme are the window's."""
    first: Any = None
    """What the dialog begins with, if not with the default."""
    suffixes: tuple[str, ...] = ()
    """The kinds of file that it is for; () means all."""
    instead: str = ""
    """The option that excludes this one."""
    name: str = ""
    type: Any = None
    default: Any = None

    @property
    def flag(self) -> str:
        """Return it as it is typed, such as `--min-type`."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def is_flag(self) -> bool:
        """Return whether it is given or not, without a value."""
        return self.type is bool

    @property
    def choices(self) -> tuple[Any, ...]:
        """Return the values that its type allows, if it lists them."""
        is_union = get_origin(self.type) in (Union, UnionType)
        parts = [part for part in get_args(self.type) if part is not NoneType] if is_union else []
        listed = [get_args(part) for part in parts or [self.type] if get_origin(part) is Literal]
        return tuple(chain(*listed)) if len(listed) == len(parts or [self.type]) else ()

    @property
    def in_usage(self) -> str:
        """Return it as the usage shows it, or an empty text."""
        if self.usage == "" or not self.help:
            return ""
        value = self.usage or self.metavar or "|".join(map(str, self.choices))
        return self.flag if self.is_flag else f"{self.flag} {value}"


def fields_of(options: type[Struct]) -> dict[str, Opt]:
    """Return the options of a form by name, its own before those that it shares."""
    found = {
        each.name: replace(opt, name=each.name, type=each.type.__origin__, default=each.default)
        for each in struct_fields(options)
        for opt in getattr(each.type, "__metadata__", ())
    }
    shared = getattr(options.__base__, "__struct_fields__", ())
    return dict(sorted(found.items(), key=lambda pair: pair[0] in shared))


def usage_of(fields: Iterable[Opt]) -> str:
    """Return options as a usage lists them; those that exclude each other share a bracket."""
    brackets: dict[str, list[str]] = {}
    for field in fields:
        brackets.setdefault(field.instead or field.name, []).append(field.in_usage)
    return " ".join(f"[{' | '.join(texts)}]" for texts in brackets.values() if texts != [""])


# the options that several forms have


def _texts(text: str) -> Texts:
    """Return choices written as in `all: All steps | none: Nothing`; `:` alone is None."""
    pairs = (each.split(": ", 1) for each in text.split(" | "))
    return {key or None: shown for key, shown in pairs}


_MISTAKE: Final = Opt("", "a classic mistake in the pass", "NAME", instead="forward")
_TRANSPARENT, _ALL_STEPS = "Transparent background", "All steps"
_WIDTH_OF_STEPS: Final = "of a strip in cm, of a GIF in px"
_COVER: Final = Opt("Cover the numbers of each step", "? in place of each step's numbers")
_PAPER: Final = Opt("Paper", "A4 unless given", texts={"A4": "A4", "Letter": "Letter"})
_SEED: Final = Opt("", "other numbers, by this seed", "N", least=1, most=999_999)
"""It is printed at the foot of a worksheet, to be typed again."""
_DIGITS: Final = Opt("", "of numbers", "N", least=2, most=17)
_THEME: Final = Opt("Look", "print for PDF, else light")
_DOTS: Final = {dots: f"{dots} dots per inch" for dots in RESOLUTIONS}
_DPI: Final = Opt(
    "Sharpness", f"{DPI} is 1:1", "N", "N", 24, 1200, "", _DOTS, first=192, suffixes=(".png",)
)
_TYPES: Final = {None: "8 to 10 pt where that fits"} | {n: f"At least {n} pt" for n in range(5, 11)}
_MIN_TYPE: Final = Opt("", "", "PT", None, 2, 72, "size in pt", _TYPES)
_WIDTH: Final = Opt("", _WIDTH_OF_STEPS, "W", "CM", 2, 120, "width in cm")
"""That of a figure on paper: a stamp, and a poster."""
_TEXT: Final = Opt(
    "Text",
    "of SVG; outlines unless given",
    texts=_texts(
        "outlines: The same look everywhere | font: Our font inside, for browsers"
        " | system: The reader's fonts"
    ),
    suffixes=(".svg",),
)


class Look(Struct, frozen=True, kw_only=True):
    """How the steps of a pass look in a strip and in a GIF, and of which pass they are.

    The window takes the pass from its sheet. Without a theme it is the usual one of the file.
    """

    forward: Annotated[bool, Opt("", "the forward pass")] = False
    mistake: Annotated[str | None, _MISTAKE] = None
    cover: Annotated[bool, _COVER] = False
    theme: Annotated[ThemeName | None, _THEME] = None
    digits: Annotated[Digits, _DIGITS] = DIGITS_SHOWN


def usual_theme(suffix: str) -> ThemeName:
    """Return the theme unless another is chosen: black on white for a PDF, which is printed."""
    return "print" if suffix == ".pdf" else "light"


# the options of each form


class NoOptions(Struct, frozen=True):
    """A form without options."""


_DPI_HELP: Final = f"{DPI} is 1:1, and what is taken unless given"
_DIGITS_HELP: Final = f"of numbers; {DIGITS_SHOWN} unless given"
_WIDTH_HELP: Final = (
    "width on paper; nodes are moved into rows until type is as near 8 to 10 pt as rows allow"
)
_ROWS_HELP: Final = "of nodes; as few as the type needs unless given"
_TYPE_HELP: Final = "of the smallest text, with --width; of a figure in rows, less makes it lower"
_TEXT_HELP: Final = (
    "of SVG: as outlines unless given; font: with our font inside the file, for browsers; system: "
    "in the fonts of the reader"
)
_CROPS: Final = _texts(
    ": The whole graph | selection: What is selected | rectangle: A rectangle, drawn in the preview"
)
_ROWS: Final = {None: "As few as the type needs"} | {n: f"{n}" for n in range(1, MOST_BANDS + 1)}
_MARGINS: Final = {None: "Usual margin"} | {mm: f"{mm} mm" for mm in (0, 1, 2, 5, 10)}


class FigureOptions(Struct, frozen=True, kw_only=True):
    """The options of a picture in Backwire's look."""

    theme: Annotated[ThemeName | None, replace(_THEME, help=f"{_THEME.help}, unless given")] = None
    dpi: Annotated[int, replace(_DPI, help=_DPI_HELP, metavar=None)] = DPI
    paper: Annotated[str, Opt("Width", texts={key: on.title for key, on in SIZES.items()})] = (
        AS_DRAWN
    )
    """A key of SIZES."""
    width: Annotated[float | None, replace(_WIDTH, help=_WIDTH_HELP, metavar="CM")] = None
    crop: Annotated[frozenset[int] | Rect | None, Opt("Show", texts=_CROPS)] = None
    """The nodes, or the rectangle of the sheet, that it is limited to."""
    rows: Annotated[int | None, Opt("Rows", _ROWS_HELP, "N", "N", 1, MOST_BANDS, "", _ROWS)] = None
    min_type: Annotated[float | None, replace(_MIN_TYPE, label="Type", help=_TYPE_HELP)] = None
    margin: Annotated[float | None, Opt("Margin", texts=_MARGINS)] = None
    """In mm; None is the usual one."""
    digits: Annotated[Digits, replace(_DIGITS, help=_DIGITS_HELP)] = DIGITS_SHOWN
    transparent: Annotated[bool, Opt(_TRANSPARENT, "no background")] = False
    text: Annotated[TextKind, replace(_TEXT, help=_TEXT_HELP)] = "outlines"
    all_steps: Annotated[bool, Opt(_ALL_STEPS)] = False


class ClassicOptions(Struct, frozen=True, kw_only=True):
    """The options of a picture as micrograd draws it."""

    dpi: Annotated[int, replace(_DPI, help="")] = DPI
    transparent: Annotated[bool, Opt(_TRANSPARENT, suffixes=(".png", ".svg"))] = False
    all_steps: Annotated[bool, Opt(_ALL_STEPS)] = False


_ASKS: Final = _texts(
    "all: Every number of a step | sums: The sums | last: The last step | none: Nothing"
)
_ASK: Final = Opt("Ask for", "which steps of a graph have blanks; all unless given", texts=_ASKS)
_PAGE_THEMES: Final = _texts("auto: As the reader's | light: Light | dark: Dark")
_PAGE_THEME: Final = Opt("Look", "auto, as the reader's, unless given", texts=_PAGE_THEMES)
_PAGE_COVER: Final = replace(_COVER, help="blanks have no field; a tap shows what is in them")


class PageOptions(Struct, frozen=True):
    """The options of a page of a graph.

    `rules` are those of the backward pass, with a mistake or without; `mistakes` those that the
    reader may choose in their place, on a page that asks nothing.
    """

    ask: Annotated[AskedSteps, _ASK] = "all"
    cover: Annotated[bool, _PAGE_COVER] = False
    rules: Rules = CORRECT
    theme: Annotated[PageTheme, _PAGE_THEME] = "auto"
    digits: Digits = DIGITS_SHOWN
    mistakes: tuple[Rules, ...] = ()


_BLANKS: Final = _texts(
    "all: Steps and gradients | steps: Steps | sums: The sums | grads: Gradients alone"
)


class WorksheetOptions(Struct, frozen=True):
    """The options of worksheets. One copy without a seed has the numbers of the drawing."""

    blank: Annotated[Blank, Opt("Blank", "what is blank; all unless given", texts=_BLANKS)] = "all"
    seed: Annotated[int | None, _SEED] = None
    """That of the first copy."""
    copies: Annotated[int, Opt("Copies", "sheets with other numbers each", "K", "K", 1, 200)] = 1
    paper: Annotated[PaperName, _PAPER] = "A4"
    digits: Annotated[Digits, replace(_DIGITS, usage="")] = DIGITS_SHOWN


_PAGES: Final = {1: "One", 2: "Up to two"}
_PER_PAGE: Final = Opt("Steps a page", "most steps a page; 1 unless given", texts=_PAGES)


class HandoutOptions(Struct, frozen=True):
    """The options of a handout of a lesson's steps."""

    notes: Annotated[bool, Opt("With the speaker's notes", "the speaker's notes, too")] = False
    per_page: Annotated[Literal[1, 2], _PER_PAGE] = 1
    seed: Annotated[int, _SEED] = 1
    paper: Annotated[PaperName, _PAPER] = "A4"
    digits: Annotated[Digits, _DIGITS] = DIGITS_SHOWN


_STRIP_TYPE: Final = "of a strip with --width; less lays its steps side by side"


class StripOptions(Look, frozen=True, kw_only=True):
    """The options of a strip of several steps."""

    strip: Annotated[tuple[int, ...], Opt("Steps", "2 to 6 steps on one page", "K,K")] = ()
    """The steps, from 1."""
    upright: Annotated[bool, Opt("One below the other", "the steps below one another")] = False
    width: Annotated[float | None, _WIDTH] = None
    min_type: Annotated[float | None, replace(_MIN_TYPE, help=_STRIP_TYPE)] = None
    dpi: Annotated[int, _DPI] = DPI
    text: Annotated[TextKind, _TEXT] = "outlines"
    transparent: Annotated[bool, Opt(_TRANSPARENT)] = False


_SECONDS: Final = "of a step of a GIF; 1.2 unless given; sums and the last step take longer"
_IN_PX: Final = Opt("", _WIDTH_OF_STEPS, "W", "PX", 160, MAX_GIF_WIDTH, "width in px")
_DURATION: Final = Opt("", _SECONDS, "S", None, 0.1, 60, "duration in seconds")


class GifOptions(Look, frozen=True, kw_only=True):
    """The options of a GIF.

    `blank_first`: each frame with numbers has one with `?` before it; `cover`: only that one.
    """

    blank_first: Annotated[bool, Opt("Show ? before each number", "? before each number")] = False
    seconds: Annotated[float, _DURATION] = 1.2
    """Duration of a step; a sum, the last step and a blank last longer in proportion."""
    loop: Annotated[bool, Opt("Play again and again", "play it again and again")] = False
    width: Annotated[float | None, _IN_PX] = None
    """In px."""


# what a form is made of, and who makes it


class Source(Struct, frozen=True):
    """A drawing whose nodes have positions, its title, and what else a form is made of.

    `name` is that of the file without its suffix; it is printed at the foot of paper.
    """

    drawing: Drawing
    title: str
    name: str = ""
    lesson: Lesson | None = None
    """The lesson that the drawing belongs to."""
    trace: Trace | None = None
    """The pass whose steps are shown; None is the one backward, by `rules`."""
    rules: Rules = CORRECT
    cursor: int = 0
    """The step at which a preview shows it."""
    room: Room | None = None
    """The slides of a lesson, for a form that is made of its steps."""
    notation: Notation = "partial"
    remark: Callable[[str], object] = bool
    """Hears what else is to be said of what was made."""

    @property
    def shown_pass(self) -> Trace:
        """Return the pass whose steps are shown."""
        return run(self.drawing.graph, rules=self.rules) if self.trace is None else self.trace


class Preview(NamedTuple):
    """The preview of a form: a picture or a text, and a sentence about it."""

    picture: Any = None
    """A QImage."""
    text: str = ""
    note: str = ""


class Maker(NamedTuple):
    """Who makes a form; each raises EngineError for what can't be made."""

    write: Callable[[Source, Any, str], Generator[int | None, None, tuple[bytes, ...]]]
    """Makes the content of the form's files, of a suffix, in slices."""
    preview: Callable[[Source, Any, tuple[float, float]], Preview]
    """Makes the preview in at most a width and a height in device px."""
    check: Callable[[Any, Trace], object] = lambda _options, _trace: None
    """Refuses a pass of which the form can't be made, before the layout, which takes long."""
