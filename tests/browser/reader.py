"""Reader: a person in front of an HTML page, and the pages that are read."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from msgspec.structs import replace

from app.lessons.load import load_lesson
from app.takeaway.estimated_layout import laid_out_drawing
from app.takeaway.graph_page import PageOptions, page_of_graph
from app.takeaway.html_page import html_page
from app.takeaway.lesson_page import page_of_lesson
from app.takeaway.page_data import PageData
from engine import from_expression
from engine.asking.question import Task
from engine.edits import set_label
from engine.graph import LABEL_LIMIT, Graph

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Dialog, Error, Locator, Page, Request

IN_FIREFOX: Final = pytest.mark.firefox
"""On a test that crosses page and window: it runs in Firefox each time, not with --whole alone."""
PHONE: Final = (390, 844)
ON_ITS_SIDE: Final = (844, 390)
SMALL: Final = (320, 568)
SCREEN: Final = (1280, 800)
SIZES: Final = (PHONE, ON_ITS_SIDE, SMALL, SCREEN)

PATHS: Final = from_expression("e = a*b; d = e + a; L = d*f", {"a": 3, "b": -2, "f": 5})
NEURON: Final = from_expression(
    "n = x1*w1 + x2*w2 + b; o = tanh(n)", {"x1": 2, "w1": -3, "x2": 0.5, "w2": 1, "b": 6.88}
)
LESSON: Final = load_lesson(Path(__file__).with_name("two-paths.toml"))
"""A lesson with a step of each kind that a page has; those of the course go their own ways."""
HOSTILE: Final = "</script><img src=x onerror=alert(1)> \"'שלום&amp; " + "long " * 40


def first_in_firefox(cases: Iterable[Any]) -> list[Any]:
    """Parameters of a test, the first of which run in Firefox each time."""
    rows = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*row, marks=[IN_FIREFOX] if k == 0 else []) for k, row in enumerate(rows)]


def graph_page(graph: Graph, title: str, **options: Any) -> PageData:
    """The page of a graph without positions."""
    return page_of_graph(laid_out_drawing(graph), title, PageOptions(**options))


def _hostile_page() -> PageData:
    plain = from_expression("e = a*b; L = e + a", {"a": 3, "b": -2})
    labelled = set_label(plain, next(iter(plain.nodes)), HOSTILE[:LABEL_LIMIT].strip())
    return graph_page(labelled, HOSTILE)


def _unaided_page() -> PageData:
    """An exercise that is to be done without hints."""
    drawing = laid_out_drawing(PATHS)
    drawing = dataclasses.replace(drawing, task=Task("Do it alone.", "predict", hints=False))
    return page_of_graph(drawing, "Paths", PageOptions())


PAGES: Final[Mapping[str, Callable[[], PageData]]] = {
    "lesson": lambda: page_of_lesson(LESSON),
    "graph": lambda: graph_page(PATHS, "Paths"),
    "neuron": lambda: graph_page(NEURON, "A neuron"),
    "covered": lambda: replace(made("graph"), cover=True),
    "hostile": _hostile_page,
    "dark": lambda: replace(made("graph"), theme="dark"),
    "unaided": _unaided_page,
    "last": lambda: graph_page(PATHS, "Paths", ask="last"),
}
"""The pages that are read, by name."""


@cache
def made(name: str) -> PageData:
    """One of these pages, made once: to write the answers to slips takes seconds."""
    return PAGES[name]()


def made_pages() -> Mapping[str, str]:
    """The texts of the pages that are read."""
    blank = "<!DOCTYPE html><title>Blank</title>"  # without a policy: a test runs scripts there
    return {name: html_page(made(name)) for name in PAGES} | {"blank": blank}


class Windows:
    """Windows of one browser: one for each kind of reader, used again, as one takes 0.2 s."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._open: dict[str, Page] = {}

    def window(self, *, phone: bool, script: bool, text: float, **how: Any) -> Page:
        """Return the window of a reader whose texts are this many times as large as usual."""
        key = repr((phone, script, text, sorted(how.items())))
        if key not in self._open:
            context = self._browser.new_context(
                has_touch=phone, is_mobile=phone, java_script_enabled=script, **how
            )
            page = self._open[key] = context.new_page()
            page.set_default_timeout(10_000)
            if text != 1.0:  # as in the browser's settings, so that `em` in media queries follows
                sizes = {"standard": round(16 * text), "fixed": round(13 * text)}
                context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": sizes})
        return self._open[key]


class Reader:
    """Opens one page in a window of this size; keeps what the browser complains about."""

    def __init__(
        self,
        windows: Windows,
        path: Path,
        size: tuple[int, int],
        *,
        script: bool = True,
        text: float = 1.0,
        **how: Any,
    ) -> None:
        width, height = size
        self.page = windows.window(phone=min(size) < 500, script=script, text=text, **how)
        self.complaints: list[str] = []
        self._address = path.as_uri()
        self.page.on("console", self._hear)
        self.page.on("pageerror", self._see_error)
        self.page.on("request", self._see_request)
        self.page.on("dialog", self._see_dialog)
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.goto(self._address)

    def _see_error(self, error: Error) -> None:
        self.complaints.append(str(error))

    def _hear(self, message: ConsoleMessage) -> None:
        self.complaints.append(f"{message.type}: {message.text}")

    def _see_request(self, request: Request) -> None:
        if request.url.split("#")[0] != self._address:
            self.complaints.append(f"request: {request.url}")

    def _see_dialog(self, dialog: Dialog) -> None:
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def close(self) -> None:
        """Leave the window to the next reader, with nothing stored."""
        self.page.evaluate("localStorage.clear()")
        self.page.emulate_media(media="screen")
        self.page.remove_listener("console", self._hear)
        self.page.remove_listener("pageerror", self._see_error)
        self.page.remove_listener("request", self._see_request)
        self.page.remove_listener("dialog", self._see_dialog)

    # what is seen

    def js(self, script: str, value: object = None) -> Any:
        """Return what a script of the test says about the page."""
        return self.page.evaluate(script, value)

    def text(self, selector: str) -> str:
        return (self.page.locator(selector).first.text_content() or "").strip()

    @property
    def count(self) -> str:
        return self.text(".count")

    @property
    def verdict(self) -> str:
        """The verdict, without its sign."""
        return self.text(".verdict .lines").lstrip("✓✘") if self.has(".verdict") else ""

    def has(self, selector: str) -> bool:
        return self.page.locator(selector).count() > 0

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    @property
    def may_go(self) -> bool:
        return self.button_next.get_attribute("aria-disabled") == "false"

    @property
    def button_next(self) -> Locator:
        return self.page.locator(".buttons button").nth(2)

    # what is done

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def tap(self, signs: str) -> None:
        """Tap own number keys."""
        for sign in signs:
            self.page.locator(f'.key[data-key="{sign}"]').click()

    def next(self) -> None:
        self.js("document.querySelectorAll('.buttons button')[2].click()")

    def to_step(self, number: int) -> None:
        """Go on to a step; what is asked on the way is shown."""
        self.js(
            """(number) => {
              const [, show, next] = document.querySelectorAll('.buttons button');
              const count = () => parseInt(document.querySelector('.count').textContent) || 999;
              for (let k = 0; k < 500 && count() < number; k += 1) {
                if (next.getAttribute('aria-disabled') === 'true') show.click();
                next.click();
              }
            }""",
            number,
        )

    def submit(self, text: str) -> None:
        """Type an answer and press Answer."""
        self.page.locator(".field").fill(text)
        self.button("Answer").click()
