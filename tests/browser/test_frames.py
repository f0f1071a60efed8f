"""A page in a frame of a notebook or of another page: it runs, without storage or clipboard."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.takeaway.html_page import frame, frame_height, html_page
from app.takeaway.notebook_page import page
from app.takeaway.page_data import AskedSteps
from engine import Value
from tests.browser.reader import PATHS, SCREEN, Reader, Windows, graph_page, made

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Frame, Route

ADDRESS = "https://example.org/x.html"
LINK = "input[aria-label=Link]"
Open = Callable[..., "Frame"]


@pytest.fixture
def open_frame(windows: Windows, tmp_path: Path) -> Iterator[Open]:
    """Open another page with this frame; nothing but the file in it and the clipboard is wanted."""
    readers: list[Reader] = []

    def opened(code: str, size: tuple[int, int] = SCREEN) -> Frame:
        host = tmp_path / "host.html"
        host.write_text(f"<!DOCTYPE html><title>Host</title>{code}", "utf-8")
        readers.append(Reader(windows, host, size))
        # the Chromium without windows would ask for what one with windows grants to a click
        readers[-1].page.context.grant_permissions(["clipboard-write"])
        found = readers[-1].page.main_frame.child_frames[0]
        found.wait_for_selector("#page.ready")
        return found

    yield opened
    for reader in readers:
        reader.close()
        fine = (
            f"request: {(tmp_path / 'x.html').as_uri()}",
            "error: Permissions policy violation:",
        )
        assert [each for each in reader.complaints if not each.startswith(fine)] == []


def of_notebook(ask: AskedSteps = "none", step: int = 6) -> str:
    """The output of a cell."""
    a, b, f = Value(3.0, label="a"), Value(-2.0, label="b"), Value(5.0, label="f")
    return page((a * b + a) * f, ask=ask, step=step)._repr_html_()


SIDE_BY_SIDE = """() => {
  const sides = (selector) => document.querySelector(selector).getBoundingClientRect();
  return sides(".step").left >= sides(".figure").right;
}"""


def buttons(found: Frame) -> list[str]:
    return found.locator("button").all_text_contents()


def test_in_a_notebook_it_opens_at_its_step_and_keeps_nothing(open_frame: Open):
    found = open_frame(of_notebook())
    assert found.url == "about:srcdoc"
    assert found.inner_text(".count") == "6 of 11"
    assert "Copy link" not in buttons(found)  # it would lead nowhere
    host = found.page.url
    found.locator("[role=slider]").first.press("ArrowRight")
    assert found.locator("[role=slider]").first.get_attribute("aria-valuetext") == "3.1"
    found.get_by_role("button", name="Back", exact=True).click()
    assert found.inner_text(".count") == "5 of 11"
    assert found.page.url == host
    for _ in range(4):
        found.get_by_role("button", name="Back", exact=True).click()
    assert found.inner_text(".count") == "1 of 11"
    assert found.locator(".keep").count() == 0  # Remember would not


def holding(policy: str, inside: str) -> str:
    return (
        f'<!DOCTYPE html><meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>Host</title>{inside}"
    )


def framed(place: int, sandbox: str, allow: str = "") -> str:
    return (
        f'<iframe src="https://{place}.test/" sandbox="{sandbox}" allow="{allow}"'
        ' style="width:1200px;height:640px"></iframe>'
    )


INLINE = "default-src https: 'unsafe-inline'"
SCRIPTED = "allow-scripts allow-same-origin allow-forms allow-pointer-lock allow-downloads"
# index.html of VS Code's webviews, and what backLayerWebView.ts writes into it, with the policy of
# its setting notebook.experimental.enableCsp
VS_CODE = (
    holding(INLINE, framed(1, SCRIPTED)),
    holding(
        "default-src 'none'; script-src 'self'; frame-src https:; style-src 'unsafe-inline'",
        framed(2, SCRIPTED),
    ),
    holding(
        "default-src 'none'; script-src https: 'unsafe-inline' 'unsafe-eval';"
        " style-src https: 'unsafe-inline'; img-src https: http: data:; font-src https:;"
        " connect-src https:; child-src https: data:",
        '<div id="cell"></div>',
    ),
)
# the frame of Colab's outputs, which is of another origin
COLAB = (
    holding(
        INLINE, framed(1, f"{SCRIPTED} allow-popups allow-modals", "clipboard-write; fullscreen")
    ),
    holding(INLINE, '<div id="cell"></div>'),
)
INTO_SHADOW = "(output) => { cell.attachShadow({ mode: 'open' }).innerHTML = output; }"
INTO_CELL = "(output) => { cell.innerHTML = output; }"


@pytest.mark.parametrize(
    ("documents", "insert"), [(VS_CODE, INTO_SHADOW), (COLAB, INTO_CELL)], ids=["vs-code", "colab"]
)
def test_under_the_policies_of_notebooks_a_page_asks_and_follows_a_leaf(
    windows: Windows, documents: tuple[str, ...], insert: str
):
    """Frames and policies are as in VS Code and Colab, which are not run here."""
    tab = windows.window(phone=False, script=True, text=1.0)
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        complaints.append(message.text)

    def answer(route: Route) -> None:
        place = int(route.request.url.removeprefix("https://")[0])
        route.fulfill(body=documents[place], content_type="text/html")

    tab.route(re.compile(r"https://\d\.test/"), answer)
    tab.on("console", hear)
    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.goto("https://0.test/")
    found = tab.main_frame
    for _ in documents[1:]:
        found = inside(found)
    found.evaluate(insert, of_notebook("all", 9))
    found = inside(found)
    found.wait_for_selector("#page.ready")
    assert found.inner_text(".count") == "9 of 11"
    assert found.locator(".keep").count() == 0
    found.locator(".field").fill("-10")
    found.get_by_role("button", name="Answer", exact=True).click()
    assert "Right" in found.inner_text(".verdict")
    found.locator("[role=slider]").first.press("ArrowRight")
    assert found.locator("[role=slider]").first.get_attribute("aria-valuetext") == "3.1"
    tab.remove_listener("console", hear)
    tab.unroute_all()
    assert complaints == []


def inside(found: Frame) -> Frame:
    """The document in the only frame of another one."""
    element = found.wait_for_selector("iframe", state="attached")
    within = element.content_frame() if element else None
    assert within is not None
    return within


def test_its_layout_follows_the_frame(open_frame: Open):
    for width, is_beside in ((900, True), (899, False), (400, False)):
        found = open_frame(f'<div style="width:{width}px">{of_notebook()}</div>')
        assert found.evaluate(SIDE_BY_SIDE) == is_beside, width


IN_VIEW = """(asks) => {
  // is what a reader needs first between the upper edge and the buttons
  const sides = (selector) => document.querySelector(selector).getBoundingClientRect();
  const floor = sides(".buttons").top, named = [".top h1", ".count", ".figure", ".sentence"];
  const wanted = asks ? [...named, ".field", ".main"] : [...named, ".chips", ".copy"];
  document.querySelectorAll(".leaves button, .foot button").forEach((e) => {
    if (e.textContent === "Copy link") e.classList.add("copy");
  });
  return wanted.filter((each) => sides(each).top < 0 || sides(each).bottom > floor);
}"""


@pytest.mark.parametrize("width", [380, 760, 1000])
@pytest.mark.parametrize("name", ["graph", "plain"])
def test_the_printed_frame_opens_at_its_top_with_figure_and_question(
    open_frame: Open, tmp_path: Path, name: str, width: int
):
    data = made("graph") if name == "graph" else graph_page(PATHS, "Paths", ask="none")
    (tmp_path / "x.html").write_text(html_page(data, address=ADDRESS), "utf-8")
    code = frame('src="x.html#step=8"', "Paths", frame_height(data))
    found = open_frame(f'<div style="width:{width}px">{code}</div>')
    assert found.evaluate(IN_VIEW, name == "graph") == []


ALLOWED = ' allow="clipboard-write"'


def pasted(found: Frame) -> str:
    """What the reader pastes into a field of the page around the frame."""
    found.page.locator("#paste").press("Control+v")
    return found.page.locator("#paste").input_value()


@pytest.mark.parametrize("is_allowed", [True, False])
def test_in_a_blog_copy_link_copies_or_selects_the_address_that_it_was_told(
    open_frame: Open, tmp_path: Path, *, is_allowed: bool
):
    data = graph_page(PATHS, "Paths", ask="none")
    (tmp_path / "x.html").write_text(html_page(data, address=ADDRESS), "utf-8")
    code = frame('src="x.html#step=7"', "Paths")
    found = open_frame(
        f"{code if is_allowed else code.replace(ALLOWED, '')}<textarea id='paste'></textarea>"
    )
    assert found.inner_text(".count") == "7 of 11"
    found.locator("[role=slider]").first.press("ArrowRight")
    found.get_by_role("button", name="Copy link").click()
    told = f"{ADDRESS}#a=3.1&step=7"
    if is_allowed:
        found.get_by_role("button", name="Copied").wait_for()
        assert pasted(found) == told
        return
    found.get_by_role("button", name="Copy this:").wait_for()
    assert found.locator(LINK).input_value() == told
    assert found.evaluate("getSelection().toString()") == told


def test_the_record_can_be_copied_out_of_a_frame(open_frame: Open, tmp_path: Path):
    data = made("graph")
    (tmp_path / "x.html").write_text(html_page(data), "utf-8")
    code = frame(f'src="x.html#step={len(data.steps)}"', "Paths")
    found = open_frame(f"{code}<textarea id='paste'></textarea>")
    found.get_by_role("button", name="Back", exact=True).click()
    found.locator(".field").fill("1")
    found.get_by_role("button", name="Show me", exact=True).click()
    for _ in range(2):
        found.locator(".buttons button").nth(2).click()
    found.get_by_role("button", name="Copy the record").click()
    status = found.locator(".told[role=status]")
    status.filter(has_text="Cop").wait_for()
    record = found.locator("textarea").input_value()
    assert status.text_content() == "Copied."
    assert '"format": "backwire report"' in record
    assert pasted(found) == record
