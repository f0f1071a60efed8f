"""Course folder: a page for each lesson, an index, and a workflow that publishes the folder."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from app.lessons.course import Unit, course, lesson
from app.lessons.course_view import NEWCOMER, minutes_text
from app.takeaway.html_page import html_file, html_page, resource
from app.takeaway.lesson_page import page_of_lesson
from app.takeaway.page_data import PageTheme

INDEX: Final = "index.html"
WORKFLOW: Final = ".github/workflows/pages.yml"
_WORKFLOW_TEXT: Final = """\
# Publishes this folder as a site: put it into a repository of its own on GitHub, and choose
# "GitHub Actions" as the source under Settings, Pages.
name: pages

"on":
  push:
    branches: [main]
  workflow_dispatch:

permissions:
  contents: read
  pages: write
  id-token: write

concurrency:
  group: pages
  cancel-in-progress: true

jobs:
  publish:
    runs-on: ubuntu-latest
    environment:
      name: github-pages
      url: ${{ steps.deployment.outputs.page_url }}
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683  # v4.2.2
      - uses: actions/configure-pages@983d7736d9b0ae728b81ab479565c72886d7745b  # v5.0.0
      - uses: actions/upload-pages-artifact@56afc609e74202658d3ffba0e8f6dda462b719fa  # v3.0.1
        with:
          path: .
      - id: deployment
        uses: actions/deploy-pages@d6db90164ac5ed86f2b6aed7e0febac5b3c0c03e  # v4.0.5
"""
_INDEX_BODY: Final = """\
<body class="index">
<main>
<h1>{title}</h1>
<p>{lead}</p>
{units}
</main>
</body>"""
_LEAD: Final = "{lessons} short lessons on backpropagation, about {minutes} minutes in all."


def course_files(theme: PageTheme = "auto", *, cover: bool = False) -> dict[str, str]:
    """Return the text of each file by its path in the folder; equal options give equal texts."""
    pages = {
        f"{head.name}.html": html_page(page_of_lesson(lesson(head.name), theme, cover=cover))
        for head in course().lessons
    }
    return {INDEX: _index(theme), **pages, WORKFLOW: _WORKFLOW_TEXT}


def _index(theme: PageTheme) -> str:
    lessons = course().lessons
    lead = _LEAD.format(lessons=len(lessons), minutes=sum(head.minutes for head in lessons))
    units = "\n".join(_units())
    body = _INDEX_BODY.format(title=escape(NEWCOMER), lead=escape(lead), units=units)
    return html_file(NEWCOMER, body, theme=theme, style=resource("index.css"))


def _units() -> Iterator[str]:
    first_number = 1
    for unit_number, unit in enumerate(course().units, 1):
        yield f"<h2>Unit {unit_number} · {escape(unit.title)}</h2>"
        yield f'<ol start="{first_number}">'
        yield from _lessons(unit, first_number)
        yield "</ol>"
        first_number += len(unit.lessons)


def _lessons(unit: Unit, first_number: int) -> Iterator[str]:
    for number, head in enumerate(unit.lessons, first_number):
        yield (
            f'<li><a href="{escape(head.name)}.html"><b>{number}</b> {escape(head.title)}</a>'
            f" <small>{minutes_text(head.minutes)}</small></li>"
        )
