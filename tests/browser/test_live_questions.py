"""At the reader's numbers a page asks, judges and answers as the window does, as text.

The window's half is made by the engine and the window's own words at the same numbers.
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import pytest
from msgspec.structs import replace

from app.controls.rich_text import plain_text
from app.lessons.load import lesson
from app.lessons.questions import drawn, questions_of
from app.takeaway.estimated_layout import laid_out_drawing
from app.takeaway.lesson_page import SEED, page_of_lesson
from app.takeaway.page_data import QuestionData
from app.takeaway.page_questions import StepQuestions, write_questions
from app.workbench.modes.quiz import JudgedAnswer
from app.workbench.words.help import praise_of_belief, second_hint, wrong_answer_line
from engine import from_expression
from engine.asking.answering import belief_sentence, right_sentence
from engine.asking.beliefs import belief_numbers
from engine.asking.judging import judge, rounded_forms
from engine.asking.kinds import answer
from engine.asking.question import DEFAULT_LEVEL, LEVELS, Question, Task, step_questions
from engine.formats.native import Drawing, json_number
from engine.formats.report import read as read_report
from engine.frame import frame_at
from engine.graph import Graph
from engine.numbers import plain as exact
from engine.numbers import short
from engine.trace import Trace, run
from tests.app.takeaway.test_live_page import drawings
from tests.app.takeaway.test_page_says import Asked
from tests.browser.reader import SCREEN, Reader, first_in_firefox
from tests.browser.test_live import SHARED, drag
from tests.browser.test_live import live_page as live_page
from tests.browser.test_pages import SEEN
from tests.helpers.exported import plain
from tests.helpers.sampling import is_whole, sampled, spread

TEXTS = ("sentence", "answered", "worked_sentence", "worked", "rule", "wrong", "second")
OF_ANSWER = ("label", "because", "digits")

ASK = """([numbers, asked, at]) => {
  if (at !== null) go(at);
  setLeaves({ ...OWN_NUMBERS, ...Object.fromEntries(numbers.map(([n, x]) => [n, Number(x)])) });
  const spanned = (text) => text.map((span) => (typeof span === 'string' ? span : span[0]));
  const written = (text) => (typeof text === 'string' ? text : spanned(text).join(''));
  const steps = at === null ? page.steps : [page.steps[at]];
  const all = steps.flatMap(({ questions }) => questions ?? []);
  const found = asked.map(([step, kind, texts]) => {
    const question = all.find(({ record }) => record.step === step && record.kind === kind);
    const chosen = (text) => chosenText(question, text ?? '');
    const said = TEXTS.map((name) => written(chosen(question[name])));
    said.push(...OF_ANSWER.map((name) => written(chosen(question.answer[name]))));
    const judged = texts.map((text) => {
      const found = judge(question, parseExpression(text));
      const quoted = shortened(text.replaceAll('-', MINUS), QUOTED);
      const first = found.right ? found.says ?? '' : plain(found.first, quoted);
      const second = found.right ? '' : plain(found.second ?? chosen(question.second));
      return [found.verdict, found.slip ?? '', first, second, found.full ?? '', found.mended ?? ''];
    });
    return [said, judged];
  });
  setLeaves({ ...OWN_NUMBERS });
  return found;
}""".replace("TEXTS", str([*TEXTS])).replace("OF_ANSWER", str([*OF_ANSWER]))


def number_sets(graph: Graph) -> Iterator[dict[int, float]]:
    """The page's numbers, drawn ones, with two decimals, and specials."""
    rng = random.Random(3)
    special = (0.0, -1.0, 1e-9, 1e6, 10.0, 1234567.0, -0.5, math.inf, math.nan, 1e200)
    yield {}
    yield {leaf: float(rng.choice((*range(-9, 0), *range(2, 10)))) for leaf in graph.leaves}
    yield {leaf: round(rng.uniform(-4, 4), 2) for leaf in graph.leaves}
    yield {leaf: rng.choice(special[:7]) for leaf in graph.leaves}
    yield {leaf: rng.choice(special) for leaf in graph.leaves}


def typed(question: Question, trace: Trace) -> list[str]:
    """Answers to try: the right one in five spellings, slips, both rounded, and numbers near."""
    right = answer(question, trace)
    numbers = [right, *(x for _belief, x in belief_numbers(question, trace)), -right]
    texts = [exact(x) for x in (*numbers, 3.7, 0.0)]
    texts += [f" {texts[0]} ", texts[0].replace("-", "−"), f"({texts[0]})", f"={texts[0]}"]
    for x in numbers:
        if math.isfinite(x) and x:
            texts += [exact(form) for form in rounded_forms(x)[:6]]
            texts += [short(x, digits).removeprefix("≈ ") for digits in (2, 4)]
    texts += [exact(right * factor) for factor in (1.004, 0.97, 1 + 1e-10, 1 + 1e-7)]
    return list(dict.fromkeys(texts))


def window(
    asked: Asked, question: Question, trace: Trace, text: str, accepted: Sequence[Any]
) -> list[str]:
    """The verdict on a text, its slip, and what is said at each try, of the slip, and after it."""
    (found,) = judge(trace, [(question, text)], accepted=accepted)
    if found.right:
        return [found.verdict, "", right_sentence(found), "", "", ""]
    given = JudgedAnswer(question, text, False, found)
    quiz = replace(asked.quiz, last_answers={**asked.quiz.last_answers, question: given}, tries=1)
    first = plain_text(wrong_answer_line(quiz, [given], trace, 4))
    slope = {replace(question, kind="local")} if question.kind == "contribution" else set()
    helped = replace(quiz, tries=2, done=quiz.done | slope)
    second = plain_text(second_hint(helped, question, trace, 4))
    full, mended = "", ""
    if found.slip:
        full = belief_sentence(found.slip, found.slip_number, question, trace, 4)
        praise = (praise_of_belief(slip.name, question, trace, 4) for slip in found.slips)
        mended = next(filter(None, praise), "")
    return [found.verdict, found.slip.name if found.slip else "", first, second, full, mended]


def texts_of(data: QuestionData) -> list[str]:
    assert data.answer is not None
    found = [plain(getattr(data, name), "…") for name in TEXTS]
    return [*found, *(getattr(data.answer, name) for name in OF_ANSWER)]


Said = tuple[int, Question, list[str], list[str], list[list[str]]]
"""Step, question, its texts, what is typed, and what is said of that."""
_SAID: dict[tuple[int, str, int], tuple[Drawing, list[list[Said]]]] = {}


def said_by_window(
    drawing: Drawing, level: str, sets: Sequence[Mapping[int, float]]
) -> list[list[Said]]:
    """What the window asks, says and judges at all numbers, found once for each drawing."""
    key = id(drawing), level, len(sets)
    if key not in _SAID:
        _SAID[key] = drawing, [[*_said(drawing.graph, leaves, level)] for leaves in sets]
    return _SAID[key][1]


def _said(graph: Graph, leaves: Mapping[int, float], level: str) -> Iterator[Said]:
    trace = run(graph.with_values(leaves))
    for step in range(1, len(trace) + 1):
        if questions := step_questions(trace, step, LEVELS[level].kinds):
            yield from _said_at(trace, questions)


def _said_at(trace: Trace, questions: tuple[Question, ...]) -> Iterator[Said]:
    """What the window asks, says and judges at one step of a pass."""
    step = questions[0].step
    written = write_questions(StepQuestions(questions, trace, frame_at(trace, step), 4))
    for place, question in enumerate(questions):
        asked = Asked(questions, place, trace, "field")
        accepted = [(q, exact(answer(q, trace))) for q in questions[:place]]
        texts = typed(question, trace)
        lines = [window(asked, question, trace, text, accepted) for text in texts]
        yield step, question, texts_of(written.questions[place]), texts, lines


def asked_otherwise(
    reader: Reader, drawing: Drawing, level: str, sets: Sequence[Mapping[int, float]]
) -> list[object]:
    """Where the texts and verdicts of a page differ from those of the window."""
    return differing(reader, sets, said_by_window(drawing, level, sets))


def differing(
    reader: Reader,
    sets: Sequence[Mapping[int, float]],
    by_window: Sequence[Sequence[Said]],
    at: int | None = None,
) -> list[object]:
    """Where a page, or its step of an index, says something else."""
    wrong: list[object] = []
    for leaves, expected in zip(sets, by_window, strict=True):
        numbers = [[leaf, str(json_number(x))] for leaf, x in leaves.items()]
        given = [[step, question.kind, texts] for step, question, _said, texts, _lines in expected]
        found = reader.js(ASK, [numbers, given, at])
        for (_step, question, said, texts, lines), page in zip(expected, found, strict=True):
            for names, mine, theirs in zip(
                ((*TEXTS, *OF_ANSWER), texts), (said, lines), page, strict=True
            ):
                wrong += [
                    (leaves, question, name, a, b)
                    for name, a, b in zip(names, mine, theirs, strict=True)
                    if a != b
                ]
    return wrong


@pytest.mark.parametrize(
    ("named", "level"),
    first_in_firefox(
        spread(sampled(drawings(), every=5), ["contribution and sum", "whole step", "slope"])
    ),
    ids=lambda each: each if isinstance(each, str) else each[0],
)
def test_at_all_numbers_a_page_asks_judges_and_says_what_the_window_does(
    live_page: Callable[..., Reader], named: tuple[str, Drawing], level: str
):
    name, drawing = named
    asking = dataclasses.replace(drawing, task=Task(start="predict", level=level, steps="every"))
    reader = live_page(asking, size=SCREEN, ask="all")
    sets = list(number_sets(drawing.graph))[:: 1 if is_whole() else 2]
    assert asked_otherwise(reader, asking, level, sets) == [], name


LIVE_LESSONS = ("seven-numbers", "gears", "plus-times", "one-neuron")


@pytest.mark.parametrize("name", sampled(LIVE_LESSONS, every=4))
def test_a_lesson_asks_about_wires_at_all_numbers_as_the_window_does(
    live_page: Callable[..., Reader], name: str
):
    data = page_of_lesson(lesson(name))
    reader = live_page(data, size=SCREEN)
    reader.js("() => session.steps.forEach((each) => { each.passedOver = true; })")
    asking = [at for at, step in enumerate(data.steps) if step.live is not None]
    for at in asking:
        step = lesson(name).steps[at]
        trace, questions, _own = questions_of(step, drawn(step, SEED))
        sets = list(number_sets(trace.graph))[:: 1 if is_whole() else 2]
        said: list[list[Said]] = []
        for leaves in sets:
            then = run(trace.graph.with_values(leaves))
            sentences = groupby(questions, key=lambda q: q.step)
            said.append([each for _k, found in sentences for each in _said_at(then, (*found,))])
        assert differing(reader, sets, said, at) == [], at
    assert asking


def test_a_blank_of_a_lesson_is_practised_at_dragged_numbers(live_page: Callable[..., Reader]):
    reader = live_page(page_of_lesson(lesson("seven-numbers")), size=SCREEN)
    reader.to_step(3)
    right = "String(numberOf(openQuestion().answer.number, numbersAround(openQuestion())))"
    first, text = reader.js(right), reader.text(".step")
    reader.page.locator(".leaf-chip").nth(0).focus()
    reader.press("ArrowUp", "ArrowUp", "ArrowUp")
    reader.submit(reader.js(right))
    assert reader.verdict.startswith("Right: ")
    assert not reader.js("isDone(session.at)")
    reader.next()
    assert (reader.js(right), reader.text(".step")) == (first, text), "the lesson's numbers"
    reader.to_step(99)
    assert "1 more at your own numbers, 1 right." in reader.text(".step")
    assert "\ufdd0" not in reader.js("document.body.textContent")


CURVED = laid_out_drawing(
    from_expression("n = x*w + b; o = tanh(n)*x", {"x": 2, "w": -3, "b": 6.88})
)
OPPOSED = laid_out_drawing(from_expression("y = a*b + c", {"a": 2, "b": -2, "c": 1}))
PRODUCT = laid_out_drawing(from_expression("y = a*b", {"a": 2, "b": 3}))
PLANTED = (
    ("judging", CURVED, "if (exact.length)", "if (exact.length && !rounds(number, right))"),
    ("likelihood", OPPOSED, "(one.rank ?? 0) - (other.rank", "(other.rank ?? 0) - (one.rank"),
    ("roundings", CURVED, "count = 2; count < MOST_DIGITS", "count = 3; count < MOST_DIGITS"),
    ("1 %", CURVED, "MOST_RELATIVE_ERROR = 0.01", "MOST_RELATIVE_ERROR = 0.001"),
    ("sources", CURVED, "= areRounded(digitsShown", "= !areRounded(digitsShown"),
    ("short", CURVED, 'figures[count] >= "5"', 'figures[count] > "5"'),
    ("an experiment", CURVED, "Number(found.toFixed(Math.min(places, 100)))", "found * 2"),
)


@pytest.mark.parametrize(("what", "drawing", "text", "instead"), sampled(PLANTED, every=2))
def test_a_planted_change_of_each_part_written_by_hand_is_found(
    live_page: Callable[..., Reader], what: str, drawing: Drawing, text: str, instead: str
):
    reader = live_page(drawing, (text, instead), SCREEN, "all")
    sets = list(number_sets(drawing.graph))[:3]
    assert asked_otherwise(reader, drawing, DEFAULT_LEVEL, sets) != [], what


def test_a_blank_asks_at_dragged_numbers_and_its_answer_is_practice(
    live_page: Callable[..., Reader],
):
    reader = live_page(SHARED, size=SCREEN, ask="all")
    reader.to_step(5)
    reader.submit("-2")
    assert reader.verdict.startswith("Right: Right. ")
    reader.page.locator(".leaf-chip").nth(2).focus()
    reader.press("ArrowUp", "ArrowUp")
    field = reader.page.locator(".field")
    assert field.get_attribute("placeholder") == "-2, at f = −2", "of what has changed since"
    assert field.input_value() == ""
    assert not reader.has(".verdict")
    for text in ("12 apples", "9" * 4_400, ""):
        field.evaluate("(each, text) => { each.value = text; }", text)
        reader.button("Answer").click()
        assert reader.js("openAttempt().tries.length") == 0, text[:20]
    reader.submit("-2")
    assert reader.verdict.startswith("Wrong: −2 is not it.")
    reader.submit("-1.8")
    assert reader.verdict.startswith("Right: Right the second time.")
    reader.next()
    assert reader.count.startswith("6 of")
    assert reader.js("isOwnNumbers()")
    assert '"text": "-1.8"' not in reader.js("recordText()")
    assert reader.js("session.practised") == {"asked": 1, "right": 1}


def test_a_number_that_is_given_again_is_a_try_also_where_the_sentence_asks_for_it(
    live_page: Callable[..., Reader],
):
    reader = live_page(SHARED, size=SCREEN, ask="all")
    reader.to_step(6)
    for line in ("What is L at f = −1?", "f up: which way does L go?"):
        reader.submit("4")
        assert reader.verdict.endswith(line)


def test_keys_of_a_question_that_a_drag_asks_again_are_seen(live_page: Callable[..., Reader]):
    reader = live_page(SHARED, ask="all")
    reader.to_step(9)
    reader.button("Show me").click()
    reader.page.locator(".leaf-chip").first.scroll_into_view_if_needed()
    drag(reader, 0, 4)
    assert not reader.page.locator(".leaves").is_visible()
    assert reader.js(SEEN, ".key, .field, .sentence")


def test_a_try_at_dragged_numbers_is_none_of_the_open_question(live_page: Callable[..., Reader]):
    reader = live_page(SHARED, size=SCREEN, ask="all")
    reader.to_step(5)
    reader.submit("7")
    reader.page.locator(".leaf-chip").nth(2).focus()
    reader.press("ArrowUp", "ArrowUp")
    reader.submit("3")
    reader.button("Back to the first numbers").click()
    reader.submit("-2")
    assert reader.verdict.startswith("Right: Right the second time.")
    (attempt,) = read_report(reader.js("recordText()")).record.attempts
    assert [(each.text, each.answer) for each in attempt.tries] == [("7", 1), ("-2", 2)]


@pytest.mark.parametrize("leaf", ["nan", "∞", "1e308"])
def test_an_answer_at_numbers_that_are_none_is_judged_as_in_the_window(
    live_page: Callable[..., Reader], leaf: str
):
    reader = live_page(PRODUCT, size=SCREEN, ask="all")
    reader.to_step(3)
    reader.page.locator(".leaf-chip").nth(0).focus()
    reader.press("Enter")
    reader.page.locator(".leaf-field").fill(leaf)
    reader.press("Enter")
    right = reader.js(
        "String(numberOf(openQuestion().answer.number, numbersAround(openQuestion())))"
    )
    reader.submit(right.replace("Infinity", "∞"))
    assert reader.verdict.startswith("Right: "), right
