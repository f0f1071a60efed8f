"""HTML page: one file that steps and asks, made from `PageData`.

Scripts and style sheet are inline. The Content-Security-Policy allows these by their SHA-256, so
nothing else can run or be loaded.

    <main id="page"></main>                       filled by the script
    <section id="words"> … </section>             all steps as a list; the script hides it
    <script type="text/plain" id="data">          a `PageData`, packed
    <script> … </script>                          of a live page the operations, then the page
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Final
from unicodedata import bidirectional
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from app.takeaway.page_data import PageData, PageText, PageTheme, QuestionData, StepData
from engine.errors import EngineError

RESOURCES: Final = Path(__file__).resolve().parents[2] / "resources" / "page"
SCRIPT_PARTS: Final = (
    *("page", "elements", "numbers", "pass", "judging", "states", "session", "more", "mistakes"),
    *("ends", "answering", "nodes", "focus", "map", "whole", "view", "controls", "figure"),
    *("scrolling", "leaves", "tasks", "played", "link", "input", "record", "start"),
)
"""The files of the script, in the order in which they are joined."""
NO_NUMBERS: Final[Mapping[str, float]] = MappingProxyType({})
FRAME_HEIGHT: Final = 560
"""Usual height in px of a frame of a notebook, where figure and text are side by side."""
GENERATOR: Final = '<meta name="generator" content="Backwire">'
"""The line by which a page of Backwire is known again."""
_FILE: Final = """\
<!DOCTYPE html>
<html lang="en" data-theme="{theme}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
{generator}
<title>{title}</title>
<style>{style}</style>
</head>
{body}
</html>
"""
_BODY: Final = """\
<body>
<main id="page"{places}></main>
<section id="words">
{words}
</section>
<script type="text/plain" id="data">{data}</script>
{scripts}
</body>"""
_MARK_TAGS: Final = {"b": "b", "c": "code", "s": "s"}


def html_page(page: PageData, *, opening: str = "", address: str = "") -> str:
    """Return the text of the file; equal arguments give equal texts.

    `opening` is the end of an address, as `#step=6`, of a page that is opened without one;
    `address` is where the file will lie, for Copy link. Nothing is requested from it.
    """
    given = {"opening": opening, "address": address}
    places = "".join(f' data-{name}="{escape(text)}"' for name, text in given.items() if text)
    scripts = [*filter(None, [page.script]), page_script()]
    body = _BODY.format(
        places=places,
        words="\n".join(_list_of_steps(page)),
        data=_packed(page),
        scripts="\n".join(f"<script>{script}</script>" for script in scripts),
    )
    title = _without_controls(page.title)
    return html_file(title, body, theme=page.theme, style=resource("page.css"), scripts=scripts)


def end_of_address(
    page: PageData,
    step: object = None,
    mistake: str = "",
    numbers: Mapping[str, float] = NO_NUMBERS,
) -> str:
    """Return the end of the address at which a page opens: `#a=2&step=6&mistake=assign`.

    A step counts from 1, forward steps too; `mistake` is the name of one that the page offers,
    `numbers` those of leaves by their keys in links. Raises EngineError for a step that the page,
    under that mistake, does not have, for a mistake that it does not offer, and for a leaf without
    a number to change.
    """
    steps = {"": page.steps} | {each.name: each.steps for each in page.mistakes}
    if mistake not in steps:
        raise EngineError("This page does not offer the mistake {name!r:.40}.", name=mistake)
    if step is not None and not (isinstance(step, int) and 1 <= step <= len(steps[mistake])):
        raise EngineError(
            "This page has {steps:,} steps, and no step {step!r:.20}.",
            steps=len(steps[mistake]),
            step=step,
        )
    leaves = [] if page.live is None else [leaf.key for leaf in page.live.leaves]
    for name in numbers.keys() - {*leaves}:
        raise EngineError("This page has no leaf {name!r:.40} to give a number.", name=name)
    named = {quote(name, safe=""): _in_link(x) for name, x in numbers.items()}
    given = "&".join(
        f"{name}={value}"
        for name, value in (named | {"step": step, "mistake": mistake}).items()
        if value
    )
    return f"#{given}" if given else ""


def _in_link(number: float) -> str:
    return repr(number).removesuffix(".0").replace("+", "")


def frame_height(page: PageData) -> int:
    """Return the height in px at which a frame, 380 px wide or more, shows figure and question."""
    has_controls = page.mistakes or any(step.questions or step.doing for step in page.steps)
    return 840 if has_controls else 680


def frame(source: str, title: str, height: int = FRAME_HEIGHT, inside: str = "") -> str:
    """Return the HTML of a frame of full width, in which a page runs and may copy, nothing else.

    `source` is its attribute src or srcdoc; `inside` is shown where frames are removed.
    """
    style = f"width:100%;height:{height}px;border:0"
    named = escape(f"Backwire: {_without_controls(title)}")
    return (
        f'<iframe {source} sandbox="allow-scripts" allow="clipboard-write" loading="lazy" '
        f'style="{style}" title="{named}">{inside}</iframe>'
    )


def html_file(
    title: str, body: str, *, theme: PageTheme, style: str, scripts: Sequence[str] = ()
) -> str:
    """Return an HTML file whose policy allows its own style sheet and scripts, and nothing else."""
    hashes = " ".join(f"'{_source_hash(script)}'" for script in scripts)
    sources = {
        "default-src": "'none'",
        **({"script-src": hashes} if scripts else {}),
        "style-src": f"'{_source_hash(style)}'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    policy = "; ".join(f"{directive} {source}" for directive, source in sources.items())
    return _FILE.format(
        generator=GENERATOR,
        theme=theme,
        policy=escape(policy, quote=False),
        title=escape(title),
        style=style,
        body=body,
    )


@lru_cache
def page_script() -> str:
    """Return the script of pages: its parts, joined, without their comments on lines of their own.

    These are an eighth of it, and each page of a course has its own copy.
    """
    script = "\n".join(resource(f"{part}.js") for part in SCRIPT_PARTS)
    return re.sub(r"^ */\*.*?\*/\n", "", script, flags=re.MULTILINE | re.DOTALL)


@lru_cache
def resource(name: str) -> str:
    """Return a script or style sheet of pages by its file name, such as "page.css".

    An end tag would end its block, and a browser hashes a carriage return as a line feed.
    """
    text = (RESOURCES / name).read_text(encoding="utf-8")
    assert "</script" not in text.lower()
    assert "</style" not in text.lower()
    assert "\r" not in text
    return text


def _source_hash(text: str) -> str:
    """Return the hash source of an inline block in a Content-Security-Policy."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _packed(page: PageData) -> str:
    """Return the JSON of a page as a raw deflate with fixed codes, in base 64.

    A sentence that comes again at each step, with other names and holes, then counts once. JSON in
    ASCII has blocks of one kind alone, as no stored one is shorter: `unpacked` in page.js reads
    these. Fixed codes are an eighth longer than others, and take half the script to read.
    """
    text = json.dumps(
        msgspec.to_builtins(replace(page, said=[], script="")),
        separators=(",", ":"),
        allow_nan=False,
    )
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zlib.Z_FIXED)
    return b64encode(packer.compress(text.encode("ascii")) + packer.flush()).decode()


# the list of steps, for a reader without script


def _list_of_steps(page: PageData) -> Iterator[str]:
    yield f"<h1>{escape(_without_controls(page.title))}</h1>"
    yield "<ol>"
    steps = page.said or page.steps
    for step in steps:
        yield from _step(step)
    yield "</ol>"
    with_questions = [(k, step) for k, step in enumerate(steps, 1) if step.questions]
    if with_questions:
        yield "<details><summary>Answers</summary><ol>"
        for k, step in with_questions:
            firsts = [q for q, is_first in _marked_firsts(step.questions) if is_first]
            answers = " ".join(f"{_html(q.worked_sentence)} {_html(q.worked)}" for q in firsts)
            yield f'<li value="{k}">{answers}</li>'
        yield "</ol></details>"


def _step(step: StepData) -> Iterator[str]:
    yield f"<li><h2>{escape(_without_controls(step.title))}</h2>"
    if step.on_computer:  # first, as the text after it names parts of the window
        yield f"<p>{escape(step.on_computer)}</p>"
    for paragraph in step.text:
        yield f"<p>{_html(paragraph)}</p>"
    if step.given:
        yield f"<p>{_html(step.given)}</p>"
    if step.task and not step.on_computer:
        yield f"<p>{_html(step.task)}</p>"
    if step.says and not step.questions:
        yield f"<p>{_html(step.says)}</p>"
    for move in step.moves:
        yield f"<p>{_html(move.says)}</p>"
    yield from _questions(step.questions)
    yield "</li>"


def _questions(questions: Iterable[QuestionData]) -> Iterator[str]:
    for question, is_first in _marked_firsts(questions):
        if is_first:  # the sentence of a later one contains the answer of the first
            yield f"<p>{_html(question.sentence)}</p>"
        if question.choices:
            labels = (
                f"<li>{escape(_without_controls(choice.label))}</li>" for choice in question.choices
            )
            title = "" if is_first else f"<p>{escape(_without_controls(question.title))}</p>"
            yield f"{title}<ul>{''.join(labels)}</ul>"


def _marked_firsts(questions: Iterable[QuestionData]) -> Iterator[tuple[QuestionData, bool]]:
    """Yield each question with whether it is the first of its sentence."""
    left_in_sentence = 0
    for question in questions:
        yield question, not left_in_sentence
        left_in_sentence = question.rest


def _html(text: PageText) -> str:
    parts: list[str] = []
    for span in text:
        words, _role, marks = (span, "", "") if isinstance(span, str) else (*span, "", "")[:3]
        part = _bidi_isolated(escape(_without_controls(words)))
        for mark in marks:
            part = f"<{_MARK_TAGS[mark]}>{part}</{_MARK_TAGS[mark]}>"
        parts.append(part)
    return "".join(parts)


def _bidi_isolated(text: str) -> str:
    """Return a text in <bdi> if it has right-to-left letters, which would reorder its sentence."""
    if any(bidirectional(character) in ("R", "AL") for character in text):
        return f"<bdi>{text}</bdi>"
    return text


def _without_controls(text: str) -> str:
    """Return a text without control characters and surrogates, which HTML does not allow."""
    return "".join(c for c in text if c >= " " and not "\ud800" <= c <= "\udfff")
