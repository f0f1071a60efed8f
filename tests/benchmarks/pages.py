"""How large the page of a graph is, and how long its export takes.

python3 run.py bench pages [--nodes N]

The examples, and irregular graphs up to this many nodes. Figures are thousands of bytes, of which
"data" is what is packed in the page and "list" what a reader without script sees, and seconds of
the processor. Then, of pages up to 30 nodes, the ms of a move of a dragged leaf (`drags`).
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import time
from collections.abc import Iterator, Sequence
from itertools import product

from app.document.examples import FOLDER
from app.takeaway.estimated_layout import laid_out_drawing
from app.takeaway.graph_page import PageOptions, page_of_graph
from app.takeaway.html_page import html_page
from app.takeaway.page_data import AskedSteps
from engine.errors import EngineError
from engine.formats.files import load_drawing
from engine.formats.native import Drawing
from tests.benchmarks.answers import irregular
from tests.benchmarks.drags import SIZES, browser, dragged
from tests.benchmarks.peers import Reach

MOST_KB = ((20, 300.0), (110, 400.0), (1_000, 700.0))
"""The largest page by the most steps that it may have for it."""
LONGEST = 3.0
"""Seconds of an export."""
ASKED: tuple[AskedSteps, ...] = ("none", "all")
LONGEST_MOVE = 16.0
"""Milliseconds of the median move of a drag: a frame."""
MOST_DRAGGED = 30
"""Nodes of a page whose moves may take no longer."""


def main(argv: Sequence[str]) -> int:
    """Print the table; 0 if each page is as small and as fast as it may be."""
    parser = argparse.ArgumentParser(prog="bench pages")
    parser.add_argument("--nodes", type=int, default=237)
    most, reach = parser.parse_known_args(argv)[0].nodes, Reach()
    print(f"\n{'Pages':22}{'ask':>6}{'steps':>7}{'KB':>7}{'data':>7}{'list':>7}{'s':>8}")
    for name, drawing in drawings(most):
        for ask in ASKED:
            begun = time.process_time()
            try:
                page = page_of_graph(drawing, name, PageOptions(ask))
            except EngineError as refusal:
                print(f"{name:22}{ask:>6}  {refusal}")
                continue
            text = html_page(page)
            taken, steps = time.process_time() - begun, len(page.steps)
            size, data, listed = (len(part.encode()) / 1e3 for part in (text, *parts_of(text)))
            row = f"{size:7.0f}{data:7.0f}{listed:7.0f}{taken:8.2f}"
            print(f"{name:22}{ask:>6}{steps:7}{row}", flush=True)
            reach.at_most(
                f"{name}, {ask}, KB", size, next(kb for count, kb in MOST_KB if steps <= count)
            )
            reach.at_most(f"{name}, {ask}, s", taken, LONGEST)
    _time_drags(reach)
    return 0 if reach.report("To be reached") else 1


def _time_drags(reach: Reach) -> None:
    """Print what a move takes on pages of both sizes, with questions and without."""
    graphs = [(path.stem, load_drawing(path)) for path in sorted(FOLDER.glob("*.backwire"))]
    graphs.append((f"{MOST_DRAGGED} nodes", laid_out_drawing(irregular(MOST_DRAGGED))))
    for chromium in browser():
        print(f"\nA move of a drag, ms, at a load of {os.getloadavg()[0]:.1f}")
        columns = f"{'median':>9}{'90 %':>7}{'script':>8}{'layout':>8}{'lift':>7}"
        print(f"{'':22}{'ask':>6}{'px':>7}{columns}")
        for (name, drawing), ask, size in product(graphs, ASKED, SIZES):
            text = html_page(page_of_graph(drawing, name, PageOptions(ask)))
            drag = dragged(chromium, text, size)
            median, lift = drag.median, statistics.median(each.total for each in drag.lifts)
            row = f"{median.total:9.1f}{drag.slowest:7.1f}{median.script:8.1f}{median.layout:8.1f}"
            print(f"{name:22}{ask:>6}{size[0]:7}{row}{lift:7.0f}", flush=True)
            reach.at_most(f"{name}, {ask}, {size[0]} px, ms", median.total, LONGEST_MOVE)


def drawings(most: int) -> Iterator[tuple[str, Drawing]]:
    """Yield the examples that have a page, and graphs of so many nodes, by name."""
    for name in ("shared-leaf", "neuron", "two-weights-loss"):
        yield name, load_drawing(FOLDER / f"{name}.backwire")
    for count in (43, 60, most):
        yield f"{count} nodes", laid_out_drawing(irregular(count))


def parts_of(text: str) -> Iterator[str]:
    """Yield the data and the list of a page."""
    for part in (r'id="data">(.*?)</script>', r'<section id="words">(.*?)</section>'):
        found = re.search(part, text, re.DOTALL)
        assert found is not None
        yield found[1]
