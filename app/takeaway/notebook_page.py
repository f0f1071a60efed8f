"""Notebook page: both passes of a Value as a page, in the output of a cell.

    backwire.page(L)                        # as the last line of a cell: the page
    backwire.page(L, step=6).save("L.html")

The output is a frame that holds the page as text, so nothing is requested. A notebook that is not
trusted removes frames and shows their inside: the picture of the Value.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Final, get_args

from msgspec import Struct

from app.takeaway.estimated_layout import laid_out_drawing
from app.takeaway.graph_page import PageOptions, page_of_graph, passes_of
from app.takeaway.html_page import FRAME_HEIGHT, end_of_address, frame, html_page
from app.takeaway.page_data import AskedSteps, PageData, PageTheme
from app.takeaway.page_record import retitled
from engine.errors import EngineError, FormatError
from engine.formats.files import write_atomically
from engine.formats.value_display import SVG, TEXT, Picture, names_of_caller
from engine.rules import CORRECT, rules_named
from engine.value import Value, graph_and_values

HTML: Final = "text/html"
_INSIDE: Final = "<p>Trust this notebook, or run the cell, to step through {title}.</p>{picture}"
"""Shown in a frame's place where frames are removed."""


class Page(Struct, frozen=True, eq=False):
    """A page as a file, `text`; a notebook shows it in a frame that is `height` px high.

    `opening` is the end of an address, as `#step=6`.
    """

    data: PageData
    opening: str
    height: int
    picture: Picture

    @property
    def title(self) -> str:
        """Return the name of the Value."""
        return self.data.title

    @property
    def text(self) -> str:
        """Return the text of the file, called as the Value is."""
        return html_page(self.data, opening=self.opening)

    def __repr__(self) -> str:
        return f"<page of {self.title}; .save(filename) writes it>"

    def save(self, path: str | Path) -> None:
        """Write the page as a file .html, called as the file is.

        Raises FormatError if it can't be written.
        """
        if Path(path).suffix.lower() not in (".html", ".htm"):
            raise FormatError("{name} can't be written: a page is a file .html.", name=path)
        called = retitled(self.data, Path(path).stem)
        write_atomically(Path(path), html_page(called, opening=self.opening).encode())

    def _repr_html_(self) -> str:
        return self._repr_mimebundle_()[HTML]

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        bundle = self.picture.mime_bundle(repr(self))
        svg = b64encode(bundle.get(SVG, "").encode()).decode()
        picture = f'<img alt="" src="data:{SVG};base64,{svg}">' if svg else ""
        inside = _INSIDE.format(title=escape(self.title), picture=picture)
        # the delimiter is the quote that is rarer in a page
        text = self.text.replace("&", "&amp;").replace("'", "&#39;")
        shown = frame(f"srcdoc='{text}'", self.title, self.height, inside)
        return {HTML: shown, **bundle, TEXT: bundle[TEXT]}


def page(
    root: Value,
    ask: AskedSteps = "all",
    step: int | None = None,
    mistakes: Iterable[str] = (),
    height: int = FRAME_HEIGHT,
    theme: PageTheme = "auto",
) -> Page:
    """Return the page of both passes of a Value, at the data of its leaves as they are now.

    `ask` says which steps have blanks: "all", "last", "sums" or "none". The page opens at `step`,
    from 1, forward steps too. `mistakes` are names such as ["assign"], which the reader of a page
    that asks nothing may choose; a single one, "assign", is chosen at first. `theme` is "light" or
    "dark", for a notebook that is not as the system, which "auto" is.
    Raises EngineError for what is no Value, and for a graph without a page.
    """
    _check_look(ask, theme, height)
    if not isinstance(root, Value):  # pyright: ignore
        raise EngineError("What a page shows is a Value, not {root!r:.80}.", root=root)
    chosen = mistakes if isinstance(mistakes, str) else ""
    names = [chosen] if chosen else [*mistakes]
    if names and ask != "none":
        raise EngineError('A page that offers mistakes asks nothing: ask="none".')
    offered = tuple(rules_named(name) for name in dict.fromkeys(names))
    graph, order = graph_and_values(root, names_of_caller())
    passes_of(graph, CORRECT)  # what it refuses is refused before the layout, which can take long
    title = graph.title(len(order))
    options = PageOptions(ask, theme=theme, mistakes=offered)
    data = page_of_graph(laid_out_drawing(graph), title, options)
    opening, picture = (
        end_of_address(data, step, chosen),
        Picture(root, look={"bgcolor": "transparent"}),
    )
    return Page(data, opening, height, picture)


def _check_look(ask: str, theme: str, height: object) -> None:
    """Refuse what is no choice of steps, no theme and no height."""
    if ask not in get_args(AskedSteps):
        known = ", ".join(get_args(AskedSteps))
        raise EngineError("A page asks {known}, not {ask!r:.40}.", known=known, ask=ask)
    if theme not in get_args(PageTheme):
        known = ", ".join(get_args(PageTheme))
        raise EngineError("A page is {known}, not {theme!r:.40}.", known=known, theme=theme)
    if not isinstance(height, int) or height <= 0:
        raise EngineError("A page is some px high, such as 560, not {height!r:.40}.", height=height)
