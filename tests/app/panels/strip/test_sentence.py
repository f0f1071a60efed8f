"""The sentence: voices, blanks with their keys, sizes."""

from itertools import count

import pytest
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QApplication

from app.controls.spans import Span
from app.lessons.lesson import Ask, Choice
from app.workbench.gradients.formulas import DIRECT_TIP
from engine.asking.question import Question
from engine.rules import MISTAKES
from tests.helpers.panel_host import DEMONSTRATION


@pytest.mark.parametrize(
    ("voice", "told"),
    [
        ("plain", "× (e) got −2 and passes −2 × −3 = +6 to a, which held −2: now 4."),
        ("maths", "a.grad += ∂L/∂e · ∂e/∂a = (−2) · (−3) = +6, so ∂L/∂a = 4."),
        ("code", "a.grad += e.grad * b.data  # −2 + (−2 × −3) = 4"),
    ],
)
def test_it_speaks_in_the_voice_that_is_chosen(learner, voice, told):
    now = learner(6)
    now.strip.set_voice(voice)
    assert now.told == told
    assert now.strip.voice == voice


def test_the_blanks_hide_what_is_asked_and_each_is_a_named_field(learner):
    now = learner()
    now.be_asked(5)
    assert "6" not in now.told
    assert [field.accessibleName() for field in now.blanks] == [
        "contribution of × (e) → a",
        "sum after × (e) → a",
    ]
    assert [field.text() for field in now.blanks] == ["", ""]
    said = now.strip.sentence.accessibleName()
    assert "blank 1 of 2, contribution of × (e) → a, empty" in said
    assert "blank 2 of 2, sum after × (e) → a, empty" in said


def test_a_blank_is_48_by_28_and_stands_where_the_sentence_has_it(learner):
    now = learner()
    now.be_asked(5)
    first, second = (field.geometry() for field in now.blanks)
    assert (first.width(), first.height()) == (second.width(), second.height()) == (48, 28)
    assert first.center().y() == second.center().y()
    assert 80 < first.left() < first.right() < second.left() - 100


def test_punctuation_follows_its_blank_at_once(learner):
    now = learner()
    now.be_asked(5)
    sentence = now.strip.sentence
    _font, (line, *_more) = sentence.fitted()
    blanks = [piece for piece in line.pieces if piece.span.role.startswith("blank")]
    for field, piece in zip(now.blanks, blanks, strict=True):
        assert 0 <= piece.x + piece.width - field.geometry().right() <= 3


def test_a_blank_takes_80_characters(learner):
    now = learner()
    now.be_asked(5)
    now.qtbot.keyClicks(now.blanks[0], "1" * 90)
    assert now.blanks[0].text() == "1" * 80


def test_the_second_wrong_try_unfolds_the_sentence_in_the_size_it_has(learner):
    now = learner()
    now.be_asked(5)
    before = now.strip.sentence.fitted()[0].pixelSize()
    now.type("-5", "4")
    now.type("-7")
    assert now.told.startswith("× (e) got −2 and passes −2 × ? = ? to a")
    assert now.blanks[0].accessibleName().startswith("slope")
    assert now.strip.sentence.fitted()[0].pixelSize() == before


@pytest.mark.parametrize(("width", "size"), [(1100, 17), (760, 13)])
def test_it_is_as_large_as_the_fullest_form_of_the_pass_allows(learner, width, size):
    now = learner(width=width)
    now.be_asked(5)
    pixels = now.strip.sentence.fitted()[0].pixelSize()
    assert size <= pixels <= 17
    now.quiz.show_answer()
    assert now.strip.sentence.fitted()[0].pixelSize() <= pixels + 1


def test_a_long_sentence_is_made_smaller_instead_of_cut(learner):
    now = learner(6, 480)
    now.host.document.set_label(now.host.node("e"), "the product of the first two inputs")
    font, lines = now.strip.sentence.fitted()
    assert font.pixelSize() < 17
    assert len(lines) >= 2
    assert now.strip.sentence.toolTip() == now.told


def test_a_long_name_has_16_characters_where_it_is_asked(learner):
    now = learner()
    now.host.document.set_label(now.host.node("a"), "the first of all the inputs")
    now.be_asked(5)
    assert "the first of all the inputs" not in now.told
    assert "to the fir…e inputs; the fir…e inputs.grad" in now.told


def test_the_part_through_one_wire_is_explained_by_the_tooltip(learner):
    now = learner()
    now.host.open("L = a*b + a", {"a": 2, "b": -3})
    now.strip.set_voice("maths")
    now.host.playback.backward()
    while "∂⁺" not in now.told:
        now.host.playback.step()
    assert now.strip.sentence.toolTip() == f"{now.told}\n{DIRECT_TIP}"
    now.host.playback.go(0)
    assert DIRECT_TIP not in now.strip.sentence.toolTip()


@pytest.mark.parametrize("rules", MISTAKES, ids=lambda rules: rules.name)
def test_every_mistake_can_be_stepped_through(learner, rules):
    now = learner()
    now.host.open(DEMONSTRATION, {"a": 2, "b": 3})
    now.host.playback.set_rules(rules)
    now.host.playback.backward()
    while now.host.playback.cursor < now.host.playback.frame.total:
        now.host.playback.step()
        now.strip.timeline.repaint()
        assert now.told


def test_where_the_mistake_first_shows_the_answer_line_says_so(learner):
    now = learner()
    now.host.open(DEMONSTRATION, {"a": 2, "b": 3})
    now.host.playback.set_rules(MISTAKES[0])
    now.host.playback.backward()
    now.host.playback.go(6)
    assert now.told.endswith(" which held 6: = forgets the 6 and keeps 1.")
    assert "✘ First difference: the correct pass has 7." in now.answer
    now.host.playback.go(5)
    assert "✘" not in now.answer


def test_other_whole_names_alone_change_the_tooltip_and_what_is_read_aloud(learner):
    now = learner()
    sentence = now.strip.sentence
    short = (Span("× (a_lo…) got 1."),)
    sentence.show_sentence(short, unshortened=(Span("× (a_long_name) got 1."),))
    sentence.show_sentence(short, unshortened=(Span("× (a_lower_name) got 1."),))
    assert sentence.accessibleName() == "× (a_lower_name) got 1."
    assert "a_lower_name" in sentence.toolTip()


def ask_choices(now, number: int, *texts: str) -> None:
    """Ask a lesson's question with these choices, the first of them right."""
    question = Question("text", number)
    choices = tuple(Choice(text, "", not k) for k, text in enumerate(texts))
    now.quiz.ask([question], asks={question: Ask("text", text="How many?", choices=choices)})


def test_what_is_typed_beside_numbers_is_a_number_and_else_a_key(learner):
    now = learner()
    words = ("the gradient", "the slope")
    cases = (  # choices, typed, chosen, told
        (("0", "1", "2", "3"), "2", ["2"], ""),
        (("0", "3", "6", "12"), "3", ["3"], ""),
        (("0", "3", "6", "12"), "1", [], "1 …"),
        (("0", "3", "6", "12"), "12", ["12"], ""),
        (("0", "3", "6", "12"), "2", [], "2 is none of the choices. Backspace begins again."),
        (("0", "3", "6", "12"), "36", [], "36 is none of the choices. Backspace begins again."),
        (("0", "3", "6", "12"), "4\b3", ["3"], ""),
        (("−1", "1", "2"), "1", ["1"], ""),
        (("−1", "1", "2"), "-1", ["−1"], ""),
        (("−1", "0.5", "many"), ".5", ["0.5"], ""),
        (("−1", "0.5", "many"), "3", [], "3 is none of the choices. Backspace begins again."),
        (words, "2", ["the slope"], ""),
    )
    asked = count()
    stolen = QShortcut("0", now.strip)
    stolen.activated.connect(lambda: pytest.fail("0 was a shortcut"))
    for choices, typed, chosen, told in cases:
        for on_option in (False, True):
            ask_choices(now, next(asked), *choices)
            (now.strip.options.buttons[0] if on_option else now.strip).setFocus()
            for character in typed:
                now.qtbot.keyClick(QApplication.focusWidget(), character)
            case = choices, typed
            assert [b.text() for b in now.strip.options.buttons if b.isChecked()] == chosen, case
            hint = "keys 1–2 choose" if choices == words else "type one of the numbers"
            assert now.answer == (told or f"{hint}, Enter answers"), case
