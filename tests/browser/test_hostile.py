"""Pages with hostile labels, titles and tasks run no script, and show them as texts."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from app.takeaway.estimated_layout import laid_out_drawing
from app.takeaway.graph_page import PageOptions, page_of_graph
from app.takeaway.page_data import PageData
from engine import EngineError, from_expression
from engine.asking.question import Task
from engine.edits import set_label
from engine.graph import LABEL_LIMIT
from engine.rules import BY_NAME as RULES
from tests.app.takeaway.test_html_page import HOSTILE as LABELS
from tests.browser.reader import PHONE, Reader
from tests.browser.test_live import live_page as live_page
from tests.helpers.sampling import is_whole

ALERT = "alert(1)"
TEXTS = (
    *LABELS.values(),
    f"<svg/onload={ALERT}>",
    f"<iframe srcdoc='<script>{ALERT}</script>'>",
    f"</svg></text><img src=x onerror={ALERT}>",
    f"javascript:{ALERT}",
    f"</title><base href=//x.org><script>{ALERT}</script>",
    f"<style>@import'//x.org'</style><a href=javascript:{ALERT}>a</a>",
    f"]]><script>{ALERT}</script>",
    f"`-{ALERT}-`${{{ALERT}}}",
    f"';{ALERT}//\\';{ALERT}//",
    "__proto__",
    "constructor.prototype",
    "hasOwnProperty",
    "\ufdd0v1:4\ufdd1",
    "\\u003cscript\\u003e" + ALERT,
    f"<math><mtext><script>{ALERT}</script>",
    f"<template><script>{ALERT}</script></template>",
    f"<p {'x' * 60} onfocus={ALERT} autofocus>",
)
ELEMENTS = {
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "main",
    "section",
    "script",
    "header",
    "nav",
    "h1",
    "h2",
    "p",
    "b",
    "i",
    "s",
    "div",
    "span",
    "strong",
    "bdi",
    "ol",
    "li",
    "details",
    "summary",
    "label",
    "input",
    "button",
    "select",
    "option",
    "output",
    "textarea",
    "code",
    "svg",
    "defs",
    "symbol",
    "use",
    "g",
    "path",
    "rect",
    "circle",
    "text",
}
"""All that a page without these texts may have."""
PLACES = ("leaf", "operation", "title", "task")
FORMS = (PageOptions(ask="none", mistakes=(RULES["assign"],)), PageOptions(ask="last"))
GRAPH = from_expression("e = a*b; L = e + a", {"a": 3, "b": -2})


def page_of(text: str, place: str, form: PageOptions) -> PageData:
    """The page of a graph with this text at a place; EngineError if the text is refused there."""
    graph = GRAPH
    if place in ("leaf", "operation"):
        node = graph.node_named({"leaf": "a", "operation": "e"}[place])
        assert node is not None
        graph = set_label(graph, node, text[:LABEL_LIMIT].strip())
    drawing = laid_out_drawing(graph)
    if place == "task":
        task = Task(start="predict", text=text, steps="every")
        drawing = dataclasses.replace(drawing, task=task)
    return page_of_graph(drawing, text if place == "title" else "A graph", form)


WALK = """(text) => {
  // all steps, with what is typed into fields and peeked at on the map; which elements there were
  const tags = new Set(), [, show, next] = document.querySelectorAll('.buttons button');
  const look = () => { for (const e of document.querySelectorAll('*')) tags.add(e.localName); };
  const type = (field) => {
    field.value = text;
    field.dispatchEvent(new Event('input'));
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    look();
  };
  for (let k = 0; k < 30 && !isAtEnd(); k += 1) {
    look();
    document.querySelectorAll('.field').forEach(type);
    if (k === 2 && !numbersRest()) live.leaves.forEach(({ node }) => endTyping(node, text));
    if (next.getAttribute('aria-disabled') === 'true') show.click();
    next.click();
  }
  for (const id of [...mapPlaces.keys()]) tapNode(id);
  look();
  setMistake('assign');
  render('');
  look();
  return [[...tags], document.querySelectorAll('script').length, document.body.textContent];
}"""


@pytest.mark.parametrize("place", PLACES)
def test_hostile_pages_run_no_script_and_show_it_as_a_text(
    live_page: Callable[..., Reader], place: str
):
    """200 pages where all is tried; whoever runs a script, or asks for a file, is complained of."""
    shown = 0
    texts = TEXTS if is_whole() else TEXTS[PLACES.index(place) :: 12]
    for k, text in enumerate(texts):
        for form in FORMS if is_whole() else FORMS[k % 2 :: 2]:
            try:
                data = page_of(text, place, form)
            except EngineError:  # as of a label with a mark that no text has
                continue
            reader = live_page(data, size=PHONE)
            tags, scripts, seen = reader.js(WALK, text)
            assert set(tags) <= ELEMENTS, text
            assert scripts == 3, text
            assert reader.complaints == [], text
            shown += text[:6] in seen
    assert shown > 0
