"""A page in a frame of a notebook or of another page: it runs, without storage or clipboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.takeaway.html_page import frame, html_page
from app.takeaway.notebook_page import page
from engine import Value
from tests.browser.reader import PATHS, SCREEN, Reader, Windows, graph_page, made

if TYPE_CHECKING:
    from playwright.sync_api import Frame

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


def of_notebook() -> str:
    """The output of a cell."""
    a, b, f = Value(3.0, label="a"), Value(-2.0, label="b"), Value(5.0, label="f")
    return page((a * b + a) * f, ask="none", step=6)._repr_html_()


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


def test_its_layout_follows_the_frame(open_frame: Open):
    for width, is_beside in ((900, True), (899, False), (400, False)):
        found = open_frame(f'<div style="width:{width}px">{of_notebook()}</div>')
        assert found.evaluate(SIDE_BY_SIDE) == is_beside, width


def test_in_a_blog_copy_link_selects_the_address_that_it_was_told(open_frame: Open, tmp_path: Path):
    data = graph_page(PATHS, "Paths", ask="none")
    (tmp_path / "x.html").write_text(html_page(data, address=ADDRESS), "utf-8")
    found = open_frame(frame('src="x.html#step=7"', "Paths"))
    assert found.inner_text(".count") == "7 of 11"
    found.locator("[role=slider]").first.press("ArrowRight")
    found.get_by_role("button", name="Copy link").click()
    found.locator(LINK).wait_for()
    told = f"{ADDRESS}#a=3.1&step=7"
    assert found.locator(LINK).input_value() == told
    assert found.evaluate("getSelection().toString()") == told


def test_the_record_can_be_copied_out_of_a_frame(open_frame: Open, tmp_path: Path):
    data = made("graph")
    (tmp_path / "x.html").write_text(html_page(data), "utf-8")
    found = open_frame(frame(f'src="x.html#step={len(data.steps)}"', "Paths"))
    found.get_by_role("button", name="Back", exact=True).click()
    found.locator(".field").fill("1")
    found.get_by_role("button", name="Show me", exact=True).click()
    for _ in range(2):
        found.locator(".buttons button").nth(2).click()
    found.get_by_role("button", name="Copy the record").click()
    status = found.locator(".told[role=status]")
    status.filter(has_text="Cop").wait_for()
    record = found.locator("textarea").input_value()
    assert status.text_content() in ("Copied.", "Copy what is selected.")
    assert '"format": "backwire report"' in record
    assert found.evaluate("getSelection().toString()") == record
