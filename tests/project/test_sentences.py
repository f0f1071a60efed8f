"""Sentences are whole: templates with named fields, not words joined by code.

So each can be read where it stands, filled with anything, and translated one day.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter

import pytest

from app.controls.rich_text import Span, filled, plain_text
from engine.numbers import counted

ROOT = Path(__file__).resolve().parents[2]
CODE = (
    "engine/compiled",
    "engine/generated",
    "engine/formats",
    "engine/training/templates.py",
    "app/style",
)
"""Where most texts are code, names or markup of other programs."""
SPACED = ("  #", "{f0}  no path", "{f0}  {f2}")
"""Two spaces that are meant: before a comment in code, and between two columns."""
HEBREW, ARABIC = "\u202e\u05e9\u05dc\u05d5\u05dd", "\u0646\u0645\u0631\u0647"
ODD_TEXTS = ("", "a" * 5_000, "{x}", "}{", "**", "%s", HEBREW, ARABIC, "a\nb", "nan", "−0")
ODD_NUMBERS = (0, 1, -1, 10**30, float("nan"), float("-inf"))
OF_NO_NUMBER = ("%", ".80")
"""How formats of dates and of long texts start; any other must suit every number."""

WORD = re.compile(r"[A-Za-z]{2}")
FRAGMENT = re.compile(r"[ ,;\n].*\w|.*\w.* \Z", re.DOTALL)
"""What can only be part of a sentence: a text that starts or ends with what joins it to another."""

Text = ast.Constant | ast.JoinedStr


def modules(*without: str) -> list[Path]:
    found = [path for top in ("app", "engine") for path in sorted((ROOT / top).rglob("*.py"))]
    return [p for p in found if not p.relative_to(ROOT).as_posix().startswith(without)]


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def words(node: ast.AST) -> str:
    """The fixed words of a text, or of all texts in an expression."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.FormattedValue):
        return "{}"
    return "".join(map(words, ast.iter_child_nodes(node)))


def has_words(node: ast.AST) -> bool:
    return any(is_text(part) and WORD.search(words(part)) for part in ast.walk(node))


def joined(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Where words become a sentence only by code, and how."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue) and any(map(chooses_words, ast.walk(node.value))):
            yield node.lineno, "an expression with words in a field"
        elif adds_words(node):
            yield getattr(node, "lineno", 0), "words added"
        elif isinstance(node, ast.IfExp):
            yield from ((node.lineno, how) for how in conditions(node))
        elif any(FRAGMENT.match(text) for text in span_texts(node)):
            yield getattr(node, "lineno", 0), "a sentence in several spans"


def conditions(node: ast.IfExp) -> Iterator[str]:
    """What is wrong with a choice between texts."""
    arms = [arm for arm in (node.body, node.orelse) if is_text(arm)]
    if any(FRAGMENT.match(words(arm)) for arm in arms):
        yield "part of a sentence under a condition"
    elif len(arms) == 2 and is_of_one(node.test) and all(map(has_words, arms)):
        yield "a plural without counted()"


def chooses_words(node: ast.AST) -> bool:
    if isinstance(node, ast.IfExp):
        return has_words(node.body) or has_words(node.orelse)
    sides = (node.left, node.right) if isinstance(node, ast.BinOp) else ()
    return any(re.search("[A-Za-z]", words(side)) for side in sides if is_text(side))


def adds_words(node: ast.AST) -> bool:
    sides: list[ast.expr] = []
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mult):
        sides = [node.left, node.right]
    elif isinstance(node, ast.AugAssign):
        sides = [node.value]
    return any(is_text(side) and WORD.search(words(side)) for side in sides)


def is_of_one(test: ast.expr) -> bool:
    """Whether a condition compares with 1, as those for plurals do."""
    return isinstance(test, ast.Compare) and any(
        isinstance(side, ast.Constant) and side.value == 1 for side in test.comparators
    )


def span_texts(node: ast.AST) -> Iterator[str]:
    """The words of each Span that stands beside others."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List) and len(node.elts) > 1 else ()
    for part in parts:
        if isinstance(part, ast.Call) and part.args and ast.unparse(part.func) == "Span":
            yield words(part.args[0])


def texts(tree: ast.AST) -> Iterator[Text]:
    """Every text that is no docstring and no part of another text."""
    inner = set[ast.AST]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            inner.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            inner.update(part for value in node.values for part in ast.walk(value))
        elif isinstance(node, ast.FormattedValue) and node.format_spec:
            inner.add(node.format_spec)
    for node in ast.walk(tree):
        if isinstance(node, Text) and is_text(node) and node not in inner:
            yield node


def template(node: Text) -> str | None:
    """A text as a template: the fields of an f-string are numbered. None without fields."""
    if isinstance(node, ast.Constant):
        text = str(node.value)
        try:
            fields = [name for _words, name, _format, _conversion in Formatter().parse(text)]
        except ValueError:
            return None
        named = [name for name in fields if name is not None]
        return text if named and all(map(str.isidentifier, named)) else None
    parts: list[str] = []
    for k, part in enumerate(node.values):
        if isinstance(part, ast.Constant):
            parts.append(str(part.value).replace("{", "{{").replace("}", "}}"))
        elif isinstance(part, ast.FormattedValue):
            form = "" if part.format_spec is None else words(part.format_spec)
            parts.append(f"{{f{k}:{form}}}" if form and "{" not in form else f"{{f{k}}}")
    return "".join(parts)


def templates() -> Iterator[tuple[str, str]]:
    """Every template with words in the program, and its place."""
    for path in modules(*CODE):
        for node in texts(ast.parse(path.read_text(encoding="utf-8"))):
            found = template(node)
            if found is not None and WORD.search(words(node)):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", found


def faults(text: str) -> Iterator[str]:
    """What is wrong with a template, whatever is put in."""
    parts = [(words, name, form) for words, name, form, _conversion in Formatter().parse(text)]
    forms = {name: form or "" for _words, name, form in parts if name is not None}
    plain = "".join(words + ("" if name is None else "x") for words, name, _form in parts)
    if "  " in plain and not any(spaced in text for spaced in SPACED):
        yield "two spaces"
    if re.search(r"[{}]", plain):
        yield "a brace is left"
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


def test_every_template_can_be_filled_with_anything():
    found = dict(templates())
    wrong = [f"{place}: {text}: {fault}" for place, text in found.items() for fault in faults(text)]
    assert len(found) > 300
    assert not wrong, "\n".join(wrong)


def test_no_sentence_is_joined_from_words():
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {how}"
        for path in modules(*CODE)
        for line, how in joined(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not wrong, "\n".join(wrong)


def test_a_sentence_is_said_in_one_place():
    places: dict[str, list[str]] = defaultdict(list)
    for path in modules(*CODE):
        for node in texts(ast.parse(path.read_text(encoding="utf-8"))):
            said = re.sub(r"\{\w*[^}]*\}", "{}", words(node))
            if said.count(" ") > 3 and said.endswith((".", "?")):
                places[said].append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert not {said: found for said, found in places.items() if len(found) > 1}


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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
