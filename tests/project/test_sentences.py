"""Sentences are whole: templates with named fields, not words joined by code.

So each can be read where it stands, filled with anything, and translated one day.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from string import Formatter

import pytest

from app.controls.spans import Span, filled, plain_text
from engine.numbers import counted
from tests.helpers.sentences import (
    WORD,
    fieldless,
    joined,
    makers,
    modules,
    template,
    texts,
    walked,
    words,
)
from tests.helpers.tables import in_turn

CODE = {
    "app/style/mark.py": "SVG",
    "engine/compiled/arrays.py": "Python",
    "engine/formats/dot.py": "DOT",
    "engine/formats/latex.py": "TeX",
    "engine/formats/notation.py": "a regular expression",
    "engine/formats/python/writer.py": "Python",
    "engine/rules.py": "Python",
    "engine/training/torch_script.py": "Python",
    "engine/writers.py": "TeX",
}
"""The languages of files that write code: it has indents and braces. Their sentences do not."""
INDENT, BRACE = "two spaces", "a brace is left"
SPACED = ("  #", "{f0}  no path", "{f0}  {f2}")
"""Two spaces that are meant: before a comment in code, and between two columns."""
HEBREW, ARABIC = "\u202e\u05e9\u05dc\u05d5\u05dd", "\u0646\u0645\u0631\u0647"
ODD_TEXTS = ("", "a" * 500 + "{x} }{ ** %s " + HEBREW + ARABIC + "a\nb nan −0")
ODD_NUMBERS = (0, 1, -1, 10**30, float("nan"), float("-inf"))
OF_NO_NUMBER = ("%", ".80")
"""How formats of dates and of long texts start; any other must suit every number."""
LONG_WORD = re.compile(r"[A-Za-z']{2,}")
SHORT = 3
"""Words of a sentence that is mostly fields: `{name} takes {count} numbers, not {given}.`"""


@pytest.fixture(scope="module", autouse=True)
def trees() -> Iterator[None]:
    """Forget the trees of all modules: a million objects, which the copies of a window map."""
    yield
    for cached in (modules, texts, walked):
        cached.cache_clear()


def templates() -> Iterator[tuple[str, int, str]]:
    """Every template with words in the program: its file, its line and its text."""
    for path, tree in modules().items():
        for node in texts(tree):
            found = template(node)
            if found is not None and WORD.search(words(node)):
                yield path, node.lineno, found


def is_code(path: str, text: str, fault: str) -> bool:
    """Whether a fault of a template is none, as it is a piece of code and no sentence."""
    return path in CODE and fault in (INDENT, BRACE) and not text.endswith((".", "?"))


def faults(text: str) -> Iterator[str]:
    """What is wrong with a template, whatever is put in."""
    parts = [(words, name, form) for words, name, form, _conversion in Formatter().parse(text)]
    forms = {name: form or "" for _words, name, form in parts if name is not None}
    plain = "".join(words + ("" if name is None else "x") for words, name, _form in parts)
    if "  " in plain and not any(spaced in text for spaced in SPACED):
        yield INDENT
    if re.search(r"[{}]", plain):
        yield BRACE
    for odd in (*ODD_NUMBERS, *ODD_TEXTS):
        fits = not any(form.startswith(OF_NO_NUMBER) for form in forms.values())
        given = {name: 1 if form and isinstance(odd, str) else odd for name, form in forms.items()}
        if fits and isinstance(fault := filled_by(text, given), str):
            yield fault
        if isinstance(odd, str) and not any(forms.values()) and not_said(parts, text, odd):
            yield f"{odd!r:.20} is not said as it is"


def filled_by(text: str, given: Mapping[str, object]) -> str | None:
    """Why fields can't be put into a template, or None."""
    try:
        text.format(**given)
    except (ValueError, TypeError, LookupError) as error:
        return f"{given!r:.60} can't be put in: {error}"
    return None


def not_said(parts: list[tuple[str, str | None, str | None]], text: str, odd: str) -> bool:
    """Whether the spans of a template say something else than its words and its fields."""
    names = [name for _words, name, _form in parts if name is not None]
    said = plain_text(filled(text, **dict.fromkeys(names, Span(odd, "value"))))
    pieces = (words.replace("**", "") + ("" if name is None else odd) for words, name, _ in parts)
    return said != "".join(pieces)


def is_one_truth(said: str) -> bool:
    is_long = said.count(" ") > SHORT and len(LONG_WORD.findall(said)) > SHORT
    return is_long and said.endswith((".", "?"))


def test_every_template_can_be_filled_with_anything():
    found = list(templates())
    wrong = [(*place, text, fault) for *place, text in found for fault in faults(text)]
    code = [fault for fault in wrong if is_code(str(fault[0]), *map(str, fault[2:]))]
    assert len(found) > 500
    assert [fault for fault in wrong if fault not in code] == []
    assert {path for path, *_rest in code} == CODE.keys()


def test_no_sentence_is_joined_from_words():
    wrong = [
        f"{path}:{line}: {how}" for path, tree in modules().items() for line, how in joined(tree)
    ]
    assert not wrong, "\n".join(wrong)


def test_every_error_keeps_its_fields():
    found = modules()
    errors = makers(found.values())
    wrong = [f"{path}:{line}" for path, tree in found.items() for line in fieldless(tree, errors)]
    assert {"EditError", "FormatError", "PlacedFormatError"} <= errors
    assert not wrong, "\n".join(wrong)


def test_a_sentence_is_said_in_one_place():
    places: dict[str, list[str]] = defaultdict(list)
    for path, tree in modules().items():
        for node in texts(tree):
            said = re.sub(r"\{\w*[^}]*\}", "{}", words(node))
            if is_one_truth(said):
                places[said].append(f"{path}:{node.lineno}")
    assert not {said: found for said, found in places.items() if len(found) > 1}


@in_turn(
    "code",
    [
        "f\"{n} node{'s' * (n > 1)}\"",
        "f\"{n} {'node' if n == 1 else 'nodes'}\"",
        'text + " and more"',
        'text += "\\nDelete removes it"',
        '", now" if now else ""',
        '"It is protected. " if protected else ""',
        '"1 wire" if n == 1 else f"{n} wires"',
        '(node, Span(" passes "), product)',
        '(Span("Why is "), fraction, Span("?"))',
    ],
)
def test_a_joined_sentence_is_found(code: str):
    assert list(joined(ast.parse(code)))


@in_turn(
    "code",
    [
        'f"{name} has no slot {slot}."',
        'counted(n, "{count} node", "{count} nodes")',
        'filled("**{node}** got {upstream}", node=name, upstream=Span("1", "gradient"))',
        '"Pause" if playing else "Play"',
        '(Span("="), Span(" + "), number)',
        "f\"{name}.grad = {1 if kind == 'seed' else 0}\"",
    ],
)
def test_a_whole_sentence_is_let_through(code: str):
    assert not list(joined(ast.parse(code)))


@in_turn(
    "code",
    [
        'raise EditError(f"{name} has no slot {slot}.")',
        'raise graph.refusal(part, f"{name} has no slot {slot}.")',
        'reason = f"{name} has no slot"; raise EditError(reason)',
        'reason = counted(n, "1 slot", "{count} slots"); raise EditError(reason)',
        'raise EditError("{place}: there is nothing in it.", place=f"Group {number}")',
    ],
)
def test_an_error_that_loses_its_fields_is_found(code: str):
    assert list(fieldless(ast.parse(f"def f(): {code}"), {"EditError", "refusal"}))


@pytest.mark.parametrize("text", ["{a}  and {b}", "{a} and {{b}}", "{a:d} of {b}", "{a[0]} of {b}"])
def test_a_template_that_can_not_be_read_is_found(text: str):
    assert list(faults(text))


def test_a_plural_is_chosen_by_the_count():
    texts = [
        counted(n, "{count} wire to {to}", "{count:,} wires to {to}", to="{x}") for n in range(3)
    ]
    assert texts == ["0 wires to {x}", "1 wire to {x}", "2 wires to {x}"]


def test_marks_stay_with_their_fields():
    spans = filled("**{a}** got {b} and {a}.", "secondary", a="{b}", b=Span("1", "gradient"))
    assert spans == (
        Span("{b}", "secondary", bold=True),
        Span(" got ", "secondary"),
        Span("1", "gradient"),
        Span(" and {b}.", "secondary"),
    )
