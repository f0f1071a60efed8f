"""Formulas as people write them: what each form means, and that no other meaning is ever read."""

import random
import sys

import pytest

from engine import FormatError, Graph
from engine.errors import PlacedFormatError
from engine.formats.expression import read, read_typed
from engine.formats.notation import LENGTH_LIMIT
from tests.helpers.formulas import FORMS, MEANING, Spelling
from tests.helpers.graphs import gradients, values

AT = (0.7, 1.3, 0.4, 1.9, 0.9, 1.6, 0.2, 1.1)


def numbers(graph: Graph) -> dict[str, float]:
    """The root's value and the gradient of each leaf, at fixed values of the leaves."""
    names = sorted(graph.names[leaf] for leaf in graph.leaves)
    at = dict(zip(names, AT, strict=False))
    graph = graph.with_values({leaf: at[graph.names[leaf]] for leaf in graph.leaves})
    found = gradients(graph)
    return {name: found[name] for name in names} | {"": values(graph)[graph.root_name]}


def refusal(text: str) -> FormatError | None:
    """The error about a text, if it is refused."""
    try:
        read_typed(text)
    except FormatError as error:
        return error
    return None


def calls_of(text: str) -> int:
    """How many calls of Python it takes to read a text."""
    calls = 0

    def count(_frame: object, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        read_typed(text)
    finally:
        sys.setprofile(None)
    return calls


def test_each_form_of_the_collection_means_its_formula_or_is_refused_with_its_hint():
    for text, meant, *_rest in FORMS:
        if meant.startswith("✗"):
            with pytest.raises(PlacedFormatError) as caught:
                read(text)
            assert MEANING[text] in str(caught.value), text
            continue
        found, plain = read(text), read(meant)
        assert numbers(found) == pytest.approx(numbers(plain)), text
        given = {found.names[n]: found.leaf_values[n] for n in found.leaves}
        assert given == {plain.names[n]: plain.leaf_values[n] for n in plain.leaves}, text
        assert read_typed(text).names - {"f"} == read_typed(meant).names - {"f"}, text


def test_a_formula_in_any_mixture_of_notations_is_the_plain_one_or_refused():
    draw, refused = random.Random(49), 0
    for _ in range(2000):
        spelled = Spelling(draw)
        plain, written = spelled.formula()
        try:
            found = read(written)
        except FormatError:
            refused += 1
            continue
        expected = pytest.approx(numbers(read(plain)), rel=1e-6, nan_ok=True)
        assert numbers(found) == expected, (plain, written)
    assert refused < 400


def test_a_power_between_a_function_and_its_brackets_is_that_of_the_call():
    for text in ("sin²(x)", "sin^2(x)", "sin**2(x)", "sin^{2}(x)", r"\sin^2(x)", r"\sin^{2}(x)"):
        assert read(text) == read("sin(x)**2"), text
    assert read("sin²(x)³") == read("(sin(x)**2)**3")
    for text in ("sin² x", "sin^{-1}(x)", "sin^n(x)"):
        assert "write the power after the brackets: sin(x)**2." in str(refusal(text)), text


def test_a_letter_with_a_number_is_no_product_of_both():
    assert read_typed("x*x1 + 1").remark == ""
    assert read_typed("x*w + xw").remark == "xw is one name; for a product write x*w."


def test_every_beginning_of_a_form_is_read_or_refused_in_one_sentence_with_its_place():
    for text, *_rest in FORMS:
        for end in range(len(text)):
            error = refusal(text[:end])
            if isinstance(error, PlacedFormatError):
                assert 0 <= error.start <= end, text[:end]
                assert ". " not in str(error), text[:end]
            else:
                assert error is None or str(error) == "The expression is empty.", text[:end]


def test_a_garbled_form_is_read_or_refused_with_its_place():
    draw, texts = random.Random(7), [form[0] for form in FORMS]
    for _ in range(1000):
        text, other = draw.choice(texts), draw.choice(texts)
        cut, end = draw.randrange(len(text) + 1), draw.randrange(len(text) + 1)
        at = draw.randrange(len(other))
        text = text[:cut] + other[at : at + draw.randint(1, 6)] + text[end:]
        error = refusal(text)
        if isinstance(error, PlacedFormatError):
            assert 0 <= error.start <= len(text), text


def test_bad_input_is_one_sentence_and_bounded_work():
    bad = {
        "a" * 100_000: "The expression is longer than 4,000 characters.",
        "Value(" + "a" * 100_000: "The program is longer than 20,000 characters.",
        "(" * 10_000: "The expression is longer than 4,000 characters.",
        "(" * LENGTH_LIMIT: "brackets are nested too deeply.",
        "|" * LENGTH_LIMIT: "brackets are nested too deeply.",
        "|x": "Line 1, column 1: this | is never closed.",
        "√" * LENGTH_LIMIT: "The expression is nested too deeply.",
        "x^" * 2000: "The expression is nested too deeply.",
        "sin " * 1000: "The expression is nested too deeply.",
        "-" * LENGTH_LIMIT: "something is missing here.",
        r"\frac" * 800: r"write \frac{a}{b}.",
        "²" * LENGTH_LIMIT: "²²²²²²²²²²²…²²²²²²²²²²²² can't stand here.",
        "вес*x": "Line 1, column 1: names are made of the letters a to z, digits and _.",
        "x\u200b + 1": "Line 1, column 2: this character can't stand in an expression.",
        "x\u202e*y": "Line 1, column 2: this character can't stand in an expression.",
        r"\frac{1}": r"write \frac{a}{b}.",
        r"\frac{1}{": "Line 1, column 9: this bracket is never closed.",
        r"\sqrt": "write a name, a number or a bracket after the root.",
        r"e^{-x": "Line 1, column 3: this bracket is never closed.",
        "a ×× b  c": "write one sign here.",
        "in = 3": "Line 1, column 1: in can't stand here.",
        "x + 0xn": "Line 1, column 5: 0xn can't stand here.",
        "tanh a.relu()": "tanh a.relu() is tanh(a).relu() or tanh(a.relu()): write one.",
        "f(x, x)=x": "x is assigned twice.",
        "x².relu()": "Line 1, column 3: write brackets around the power before this one.",
        "(1/2\nx)": "1/2 x is (1/2)*x or 1/(2*x): write one.",
        f"({'a+' * 30}b)^2x": "write one.",
        "f(x)=f(x)": "f is used in its own formula.",
        "f(x)=g(x); g(x)=f(x); g(2)": "there is no function called g",
        "; ".join(["f0(x)=x", *(f"f{k}(x)=f{k - 1}(f{k - 1}(x))" for k in range(1, 40)), "f39(2)"]):
            "The expression is nested too deeply.",
    }  # fmt: skip
    for text, sentence in bad.items():
        error = refusal(text)
        assert sentence in str(error), text[:40]
        assert "\n" not in str(error), text[:40]
    for piece in ("(x+y)z²+", "|x|+", "√x+", "θ₁·", "f(x)+", r"\frac{a}{b}+", "tanh x+"):
        count = LENGTH_LIMIT // len(piece) // 2
        one, two = (calls_of(f"f(x)=x²; {piece * times}1") for times in (count // 2, count))
        assert two < 2.2 * one, piece
