"""What a move of a dragged leaf costs a page, in Chromium on a processor slowed six times.

Figures are ms that the page's thread takes for one move: the event, the frame after it with its
texts, style, layout and the recording of its paint. What the reading itself takes is measured
beside and taken off. Other threads make pixels of the recording; Chromium does not slow these.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from playwright.sync_api import Browser, CDPSession, Page

PACKAGING: Final = Path(__file__).resolve().parents[2] / "packaging"
SLOWER: Final = 6
SIZES: Final = ((390, 844), (1280, 800))
WARM, MOVES, RESTS = 6, 24, 8
"""Moves before those that are measured, these, and readings without a move."""
PIXELS: Final = 7
"""Of a drag for one step, as `leaves.js` has it."""

OPEN = """(share) => {
  // a step of the backward pass, answered where the answer needs the keys; whether leaves are shown
  const at = Math.min(page.steps.length - 2, Math.floor(page.steps.length * share));
  session = newSession();
  for (const { given } of session.steps) for (const each of given) each.done = each.right = true;
  session.at = at;
  for (const each of work().given) each.done = each.right = hasKeys();
  render('');
  return !numbersRest();
}"""
FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"


class Taken(NamedTuple):
    """The ms that the page's thread has worked: in all, in scripts, and for style and layout."""

    total: float
    script: float
    layout: float

    def less(self, other: Taken) -> Taken:
        return Taken(*(one - each for one, each in zip(self, other, strict=True)))


@dataclass
class Drag:
    """What each move of a drag takes on one page, and each lift, at which all is drawn."""

    moves: list[Taken]
    lifts: list[Taken]

    @property
    def median(self) -> Taken:
        return _medians(self.moves)

    @property
    def slowest(self) -> float:
        """The ms of the 90th of 100 moves."""
        return sorted(each.total for each in self.moves)[int(0.9 * len(self.moves))]


def _medians(found: Sequence[Taken]) -> Taken:
    return Taken(*map(statistics.median, zip(*found, strict=True)))


def browser() -> Iterator[Browser]:
    """Yield the system's Chromium; nothing where there is none."""
    sys.path.append(str(PACKAGING))  # pytest has it on its path, a benchmark has not
    try:
        from playwright.sync_api import sync_playwright

        from libraries import find_chromium
    except ImportError:
        return
    path = find_chromium()
    if path is None:
        return
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=path, args=["--disable-gpu", *sandbox])
        yield found
        found.close()


def dragged(found: Browser, text: str, size: tuple[int, int]) -> Drag:
    """Drag the first leaf of a page over steps of its backward pass."""
    width, height = size
    is_phone = width < 500
    with TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_text(text, "utf-8")
        context = found.new_context(
            viewport={"width": width, "height": height}, has_touch=is_phone, is_mobile=is_phone
        )
        page = context.new_page()
        page.goto(path.as_uri())
        session = context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        drag = Drag([], [])
        for share in (0.5, 0.7, 0.9):
            if page.evaluate(OPEN, share):
                _drag(page, session, drag)
        context.close()
    return drag


def _drag(page: Page, session: CDPSession, drag: Drag) -> None:
    box = page.locator(".leaf-chip").first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()

    def moved(steps: Sequence[int]) -> Iterator[Taken]:
        for step in steps:
            before = _taken(session)
            # Playwright's own move runs two scripts of its own in the page while a button is held
            event = {"type": "mouseMoved", "x": x + PIXELS * step, "y": y, "buttons": 1}
            session.send("Input.dispatchMouseEvent", {**event, "button": "left"})
            page.evaluate(FRAMES)
            yield _taken(session).less(before)

    way = [step if step % 2 else -step for step in range(1, WARM + MOVES + 1)]
    found = list(moved(way))[WARM:]
    rest = _medians(list(moved([way[-1]] * RESTS)))
    drag.moves += [each.less(rest) for each in found]
    before = _taken(session)
    page.mouse.up()
    page.evaluate(FRAMES)
    drag.lifts.append(_taken(session).less(before).less(rest))


def _taken(session: CDPSession) -> Taken:
    """Return what the page's thread has worked so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    ms = {each["name"]: 1e3 * each["value"] for each in metrics}
    layout = ms["RecalcStyleDuration"] + ms["LayoutDuration"]
    return Taken(ms["TaskDuration"], ms["ScriptDuration"], layout)
