"""Page wording: what a lesson says about parts of the window, as a page says it.

A page has the buttons Back, Show me and Step or Next, choices, and no pages beside the sheet. Only
sentences of steps that a page can do stand here: of the others it says that they need a computer.
"""

from __future__ import annotations

from typing import Final

PHRASES: Final = {
    # where the window has Backward, Step begins the pass as well
    "press **Backward**, and **Step** to the end": "press **Step** to the end",
    "press Backward, step": "press Step",
    # Step seeds the root, and fires the next node
    "**By hand** is on: nothing fires by itself. Click the root o, type its seed, 1, and press"
    " Enter. A node fires when you click it: first o, then n.": "Each **Step** is one thing that"
    " somebody does by hand: give the root o its seed, 1; then let a node fire, first o, then n.",
    "s before n: **Fire anyway** lets you.": "s before n.",
    "Click the node that may go next.": "Choose the node that may go next.",
    "Then open Mistakes, and name": "Then name",
    "Watch the losses below the sheet:": "Watch the losses:",
    " Afterwards ask the referee.": "",
    # what only the window lists
    "The page **Why** lists": "On a computer, the page **Why** lists",
    "step to the end; then click a and open Why": "step to the end",
}
"""Phrases of lessons, with their signs for bold, and what stands for them on a page."""
CLICK: Final = {"Click it.": "Choose it."}
"""The same for sentences of the strip."""


def on_page(text: str) -> str:
    """Return a text of a lesson as a page says it.

    >>> on_page("set x to 4, press Backward, step until u has a gradient")
    'set x to 4, press Step until u has a gradient'
    """
    for phrase, instead in PHRASES.items():
        text = text.replace(phrase, instead)
    return text
