"""A page in a real Chromium: it steps, asks, judges, keeps to the screen, and asks no network."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from app.__main__ import main
from app.lessons.course import course
from app.lessons.load import lesson
from app.takeaway.html_page import html_page
from app.takeaway.lesson_page import page_of_lesson
from app.takeaway.page_record import read_code
from engine.asking.beliefs import belief_numbers
from engine.asking.judging import judge, read_answer
from engine.asking.kinds import answer
from engine.asking.question import Question
from engine.numbers import plain
from engine.trace import run, run_forward
from tests.browser.reader import (
    LESSON,
    NEURON,
    ON_ITS_SIDE,
    PATHS,
    PHONE,
    SCREEN,
    SIZES,
    SMALL,
    Reader,
    made,
)
from tests.helpers.exported import data_of, said
from tests.helpers.exported import plain as plain_text
from tests.helpers.sampling import sampled

Read = Callable[..., Reader]


# what is typed


TYPED = (
    *("-2*-3", "−2 × −3", "1/3", "1-0.5^2", "∞", "-∞", "nan", "2^-1", "-2^2", "2^3^2", "(1+2)*3"),
    *("5 × −2", "0.1+0.2", "1e3", "-.5", "5.", ".5", "= 4", "--4", "+-4", "2·3", "8÷4", "2**3"),
    *("((((1))))", "inf-inf", "3*(2-4)", "1e400", "00", "pi", "INF", "  7  ", "1 + 2 * 3 - 4 / 5"),
    *(
        "",
        " ",
        "3a",
        "1,5",
        "1,000",
        "2*0,125",
        "(1,5)",
        "two",
        "1 2",
        "2(3)",
        "()",
        "(1",
        "1)",
        "1+",
        "*2",
        "07",
        "1..2",
        "0x10",
    ),
    *("1_0", "2^", "5;5", "<b>", "'", "e3", "--", "." * 9, "1" * 81),
)
"""What people type, and what no person would."""


def test_a_page_reads_what_is_typed_as_the_program_does(read: Read):
    read_here = read("graph").js(
        "(texts) => texts.map((text) => String(parseExpression(text)))", list(TYPED)
    )
    for text, found in zip(TYPED, read_here, strict=True):
        number = None if "_" in text or "0x" in text else read_answer(text).number
        if number is None:
            assert found == "null", text
        else:
            value = float(found.replace("Infinity", "inf"))
            assert value == number or (math.isnan(value) and math.isnan(number)), text


Given = list[tuple[int, int, str]]
"""Step, question, and the answer typed there."""


@cache
def judged_by_program(name: str) -> tuple[Given, list[str]]:
    """Answers at each question of a page, and how the program judges them.

    They are the right ones, each slip, all of these rounded, and numbers beside them.
    """
    graph = {"graph": PATHS, "neuron": NEURON}[name]
    given: Given = []
    expected: list[str] = []
    for at, step in enumerate(made(name).steps):
        for place, asked in enumerate(step.questions):
            record = asked.record
            slot = -1 if record.slot is None else record.slot
            question = Question(record.kind, record.node, slot, record.step)  # type: ignore[arg-type]
            trace = run_forward(graph) if record.kind == "value" else run(graph)
            numbers = [answer(question, trace), *(x for _, x in belief_numbers(question, trace))]
            texts = [plain(x) for x in (*numbers, 0.0, 1.0, -1.0, 1234.5)]
            texts += [f"{x:.{digits}g}" for x in numbers for digits in (2, 3, 4, 6)]
            texts += [plain(x * factor) for x in numbers for factor in (1.0000001, 1.004, 1.02)]
            for text in dict.fromkeys(texts):
                (judged,) = judge(trace, [(question, text)])
                expected.append(f"{judged.verdict} {judged.slip.name if judged.slip else ''}")
                given.append((at, place, text))
    return given, expected


def judged_otherwise(reader: Reader, name: str) -> list[object]:
    """The answers that the page of a graph judges otherwise than the program."""
    given, expected = judged_by_program(name)
    found = reader.js(
        """(given) => given.map(([at, place, text]) => {
          const judged = judge(page.steps[at].questions[place], parseExpression(text), []);
          return `${judged.verdict} ${judged.slip ?? ''}`;
        })""",
        given,
    )
    assert len(given) > 100
    return [row for row in zip(given, expected, found, strict=True) if row[1] != row[2]]


@pytest.mark.parametrize("name", ["graph", "neuron"])
def test_a_page_judges_each_answer_as_the_program_does(read: Read, name: str):
    assert judged_otherwise(read(name), name) == []


# every question, right and by each slip

PLAY = """(round) => {
  // the round-th slip first, then the answer; returns what was wrong with what the page said
  const wrong = [];
  const [, show, next] = document.querySelectorAll('.buttons button');
  const said = () => document.querySelector('.verdict')?.className + ' '
    + (document.querySelector('.verdict .lines')?.textContent ?? '');
  const give = (text, label) => {
    const field = document.querySelector('.field');
    if (!field) {
      const choice = [...document.querySelectorAll('.choice:not(:disabled)')]
        .find((each) => each.textContent.trim() === label);
      if (choice) choice.click();
      return Boolean(choice);
    }
    field.value = text;
    field.dispatchEvent(new Event('input'));
    document.querySelector('.field-row button').click();
    return true;
  };
  for (let k = 0; k < 400 && !isAtEnd(); k += 1) {
    const question = openQuestion();
    if (question && !openAttempt().done) {
      const choices = question.choices ?? [];
      const own = numbersAround(question);
      const given = (question.slips ?? []).map(({ number }) => numberOf(number, own));
      const slip = given.filter((x) => !judge(question, x).right)[round];
      const other = choices.filter((each) => !each.right)[round];
      if (choices.length ? other : slip !== undefined) {
        const text = choices.length ? other.text : String(slip);
        const held = give(text, other?.label);
        if (held && (!said().startsWith('verdict wrong') || openAttempt().done)) {
          wrong.push([session.at, text, said()]);
        }
        if (openAttempt().says && choices.length === 0) {
          const quoted = shortened(text.replaceAll('-', MINUS), QUOTED);
          const first = plain(judge(question, slip).first, quoted);
          if (!said().endsWith(first.replace(/^✘ /, ''))) wrong.push([session.at, first, said()]);
          const kept = document.querySelector('.field').value;
          if (kept !== '') wrong.push([session.at, 'not emptied', kept]);
        }
      }
      const right = choices.find((each) => each.right);
      give(right ? right.text : String(numberOf(question.answer.number, own)), right?.label);
      if (!said().startsWith('verdict right')) wrong.push([session.at, 'right', said()]);
      if (document.activeElement !== document.querySelector('.verdict')) wrong.push('focus');
    } else if (played) {
      if (work().state === '') show.click();
    } else if (step().doing && work().moves === 0) {
      const { numbers = {}, shows = 0 } = step().doing;
      if (work().pass !== shows) takePass(shows);
      changeLeaves({ ...leafNumbers, ...numbers });
      render();
    }
    next.click();
  }
  if (!isAtEnd()) wrong.push('the page does not end');
  return wrong;
}"""


@pytest.mark.parametrize("name", ["lesson", "graph", "neuron"])
def test_every_question_can_be_answered_right_and_by_each_slip(read: Read, name: str):
    reader = read(name, PHONE)
    rounds = reader.js(
        "Math.max(...page.steps.flatMap((s) => s.questions ?? []).map((q) =>"
        " Math.max((q.slips ?? []).length, (q.choices ?? []).length - 1)))"
    )
    assert rounds > 2
    for round_ in sampled(range(rounds), every=3):
        assert reader.js(PLAY, round_) == []
        reader.button("Begin again").click()
    assert reader.js(PLAY, 99) == []
    right, asked = reader.text(".sentence b").split(" of ")
    assert right == asked != "0"


SAY = """(runs) => {
  // the line after each text of a run, "hint" being a press of Hint, without drawing the page
  const drawn = render;
  render = () => undefined;
  const found = runs.map(([at, place, texts]) => {
    session = newSession();
    session.at = at;
    work().place = place;
    work().given.slice(0, place).forEach((each) => { each.done = true; });
    const lines = [];
    for (const text of texts) {
      if (openAttempt().done) break;
      if (text === 'hint') hint();
      else submit(text);
      const { kind, lines: said, typed } = openAttempt().says;
      const words = said.map((line) => plain(line, typed)).join('');
      lines.push(kind === 'right' && !words.startsWith('✓') ? `✓ ${words}` : words);
    }
    return lines;
  });
  render = drawn;
  session = newSession();
  render();
  return found;
}"""


@pytest.mark.parametrize("name", ["lesson"])
def test_a_page_says_at_each_try_what_is_compared_with_the_window(read: Read, name: str):
    """`tests.app.takeaway.test_page_says` compares the same lines with those of the window."""
    page = data_of(html_page(made(name)))
    runs: list[tuple[int, int, tuple[str, ...]]] = []
    for at, step in enumerate(page["steps"]):
        for place, question in enumerate(step.get("questions", [])):
            if question.get("answer") and question["record"]["kind"] != "sign":
                slips = [str(s["number"]) for s in question.get("slips", [])]
                right = str(question["answer"]["number"])
                for text in (*slips, "3.7"):
                    runs += [(at, place, (text, other, right)) for other in (text, *slips[:3])]
                    runs += [(at, place, each) for each in ((text, "hint", text), ("hint", text))]
                runs.append((at, place, ("12 apples", "1,000", "", "9" * 99, "3.7", "≈ " + right)))
                runs += [(at, place, (right,)), (at, place, ("hint", "hint", "hint"))]
    expected = [
        said(page, step["questions"][place], texts, plain_text(step.get("hint", [])))
        for at, place, texts in runs
        for step in [page["steps"][at]]
    ]
    assert len(runs) > 100
    found = read(name).js(SAY, runs)
    wrong = [row for row in zip(runs, expected, found, strict=True) if row[1] != row[2]]
    assert wrong == []


def test_a_page_that_asks_last_opens_at_its_question(read: Read):
    reader = read("last", PHONE)
    assert reader.count.startswith("10 of")
    assert reader.has(".field")
    reader.submit("15")
    assert reader.verdict.startswith("Right: Right. ")
    reader.button("Back").click()
    assert reader.count.startswith("9 of")


def test_three_rungs_lead_to_the_answer_and_name_no_number_before(read: Read):
    reader = read("graph")
    reader.to_step(9)
    reader.submit("4")
    assert reader.verdict.startswith("Wrong: 4 is not it. ")
    assert "-10" not in reader.text(".ask").replace("−", "-")
    reader.submit("5")
    assert "How much of L is that" in reader.verdict
    reader.submit("17")
    assert reader.verdict.startswith("Worked: ")
    assert "−10" in reader.verdict
    assert reader.may_go


def test_what_is_no_number_is_quoted_and_not_judged(read: Read):
    reader = read("graph")
    reader.to_step(9)
    reader.submit("3a")
    assert reader.verdict == "Can't read 3a. Write −3, 0.5, 1/3, 2*3, ∞ or nan."
    reader.submit("")
    assert reader.verdict == "One blank is empty."
    assert reader.page.locator(".field").input_value() == ""
    reader.submit("-10")
    assert reader.verdict.startswith("Right: Right.")


def test_hint_climbs_the_same_rungs_and_counts(read: Read):
    reader = read("lesson")
    reader.to_step(3)
    said = []
    for name in ("Hint", "Hint", "Hint", "Show it"):
        reader.button(name).click()
        said.append(reader.verdict)
    assert said[0] == "Hint: The slope of a × b along a is not a."
    assert said[-1].startswith("Worked: ")
    assert len(set(said)) == 4
    reader.to_step(99)
    assert read_code(reader.text(".code")) is not None


@pytest.mark.parametrize("size", [PHONE, SCREEN])
def test_an_exercise_without_hints_has_none_and_no_show_me(read: Read, size: tuple[int, int]):
    reader = read("unaided", size)
    reader.to_step(9)
    for name in ("Hint", "Show it", "Show me"):
        assert reader.page.get_by_role("button", name=name).count() == 0
    reader.press("PageDown")
    assert reader.verdict == "Type an answer."
    for wrong in ("4", "5", "17"):
        reader.submit(wrong)
    assert reader.verdict.startswith("Worked: "), "three wrong answers show the right one"
    assert reader.may_go
    reader.to_step(99)
    code = read_code(reader.text(".code"))
    assert code is not None
    assert code[1].hinted == 0


# a person at work


def test_what_is_typed_stands_on_the_wire_at_once(read: Read):
    reader = read("graph", ON_ITS_SIDE)
    reader.to_step(9)
    reader.tap("5×−2")
    assert reader.text(".focus .label.asked") == "−10"
    assert reader.text(".reads") == "= −10"
    reader.page.locator('.key[data-key="back"]').click()
    assert reader.text(".focus .label.asked") == "5×−"


def test_a_wrong_choice_stays_struck_and_the_others_stay(read: Read):
    reader = read("lesson")
    reader.to_step(3)
    top = reader.js(
        where := "document.querySelector('.choice').getBoundingClientRect().top + scrollY"
    )
    reader.page.locator(".choice").nth(1).click()
    assert reader.page.locator(".choice.wrong s").all_text_contents() == ["−2"]
    assert reader.page.locator(".choice:enabled").count() == 3
    assert reader.js(where) == top
    reader.page.locator(".choice").first.click()
    assert reader.verdict.startswith("Right: Right the second time.")


def test_by_keys_alone_to_the_end(read: Read):
    reader = read("graph", SCREEN)
    for _ in range(60):
        if reader.count == "End":
            break
        question = reader.js(
            "openQuestion() && !openAttempt().done ? String(numberOf("
            "openQuestion().answer.number, numbersAround(openQuestion()))) : ''"
        )
        if question:
            reader.page.keyboard.type(question)
            reader.press("Enter", "Enter")
        else:
            reader.press("PageDown")
    assert reader.text(".sentence") == "7 of 7 right first time."
    reader.press("PageUp")
    assert reader.count == "11 of 11"


def test_digits_choose_and_arrows_go(read: Read):
    reader = read("lesson", SCREEN)
    reader.to_step(3)
    reader.press("2")
    assert reader.page.locator(".choice.wrong").count() == 1
    reader.press("1")
    assert reader.verdict.startswith("Right")
    reader.press("Tab")
    assert reader.js("document.activeElement.textContent") == "Next"
    reader.press("ArrowLeft")
    assert reader.count == "2 of 7"


def swipe(reader: Reader, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Draw a finger over the glass."""
    session = reader.page.context.new_cdp_session(reader.page)
    for kind, points in (("Start", [start]), ("Move", [end]), ("End", [])):
        session.send(
            "Input.dispatchTouchEvent",
            {"type": f"touch{kind}", "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )


def test_a_swipe_goes_on_and_back_and_never_past_a_question(read: Read):
    reader = read("lesson")
    swipe(reader, (300, 450), (90, 460))
    assert reader.count == "2 of 7"
    swipe(reader, (90, 450), (300, 440))
    assert reader.count == "1 of 7"
    swipe(reader, (200, 600), (210, 400))
    assert reader.count == "1 of 7"
    reader.to_step(3)
    swipe(reader, (300, 560), (90, 560))
    assert reader.count == "3 of 7"
    assert reader.js("work().place") == 0


def test_turning_the_phone_keeps_step_text_and_verdict(read: Read):
    reader = read("graph", PHONE)
    reader.to_step(9)
    reader.submit("4")
    verdict = reader.verdict
    reader.tap("12")
    reader.page.set_viewport_size({"width": 844, "height": 390})
    assert reader.js("layout()") == "landscape"
    assert (reader.count, reader.verdict) == ("9 of 11", verdict)
    assert reader.page.locator(".field").input_value() == "12"
    reader.page.set_viewport_size({"width": 390, "height": 844})
    assert reader.page.locator(".field").input_value() == "12"


def test_a_tap_on_the_map_goes_to_that_nodes_step_but_not_past_a_question(read: Read):
    reader = read("graph")
    reader.to_step(9)
    place = "(name) => mapPlaces.get(page.graphs[0].nodes.find((n) => n.name === name).id)"
    x, y = reader.js(place, "d")
    reader.js("window.scrollTo(0, 0)")
    reader.page.locator(".map").click(position={"x": x, "y": y})
    assert reader.js("page.steps[session.at].focus.sender ?? page.steps[session.at].focus.receiver")
    assert int(reader.count.split()[0]) < 9


def test_a_tap_on_a_node_without_a_step_shows_its_numbers(read: Read):
    reader = read("lesson")
    reader.to_step(4)
    place = "mapPlaces.get(page.graphs[0].nodes.find((n) => n.name === 'f').id)"
    x, y = reader.js(place)
    for shown in ("leaffdata5grad−3", "leafadata3grad−5"):
        reader.page.locator(".map").click(position={"x": x, "y": y})
        assert reader.js(IN_FOCUS).startswith(shown)
        assert reader.count == "4 of 7"


def test_a_number_is_set_until_the_task_is_done(read: Read):
    reader = read("lesson")
    reader.to_step(4)
    assert not reader.may_go
    reader.page.get_by_role("slider", name="b").focus()
    for _ in range(10):
        assert not reader.text(".status")
        reader.press("ArrowRight")
    assert reader.page.get_by_role("slider", name="b").get_attribute("aria-valuetext") == "−1"
    assert reader.text(".status") == "✓ Done."
    reader.press("ArrowRight")
    assert reader.text(".status") == "✓ Done.", "what is done stays done"
    assert reader.count == "4 of 7"
    assert reader.may_go


def test_covered_numbers_are_shown_by_a_tap(read: Read):
    reader = read("covered")
    reader.to_step(9)
    assert reader.page.locator(".field, .choice").count() == 0
    assert "?" in reader.text(".focus")
    reader.page.locator(".focus").click()
    assert "−10" in reader.text(".focus")


@pytest.mark.parametrize("size", [PHONE, SCREEN])
def test_covered_numbers_follow_a_leaf_and_stay_covered_until_they_are_shown(
    read: Read, size: tuple[int, int]
):
    reader = read("covered", size)
    reader.to_step(9)
    reader.page.locator(".leaf-chip").nth(2).focus()
    reader.press("ArrowDown", "ArrowDown")  # f from 5 to 4.8
    assert not reader.has(".verdict")
    assert "9.6" not in reader.text(".focus")
    reader.page.locator(".ask button").first.click()
    assert "−9.6" in reader.text(".focus")
    reader.page.locator(".ask button").first.click()
    assert "4.8 − 9.6 = −4.8" in reader.verdict
    reader.page.locator(".leaf-chip").nth(2).focus()
    reader.press("ArrowDown", "ArrowDown")
    assert "4.6 − 9.2 = −4.6" in reader.verdict
    reader.next()
    assert reader.js("leafNumbers[live.leaves[2].node]") == 4.6, "the next step is at them too"
    reader.to_step(99)
    assert not reader.has(".code"), "nothing was answered"


@pytest.mark.parametrize(
    ("numbers", "label"),
    [
        ([1.5, -2, -2], "+4"),
        ([1.5, -2.5, -2], "+5"),  # −2 × −3 would not be +5
        ([1, 0.25, 0.125], "+0.031"),
    ],
)
def test_a_label_without_room_leaves_factors_out_before_they_are_wrong(
    read: Read, numbers: list[float], label: str
):
    reader = read("covered", SCREEN)
    reader.to_step(9)
    reader.page.locator(".ask button").first.click()
    reader.js(
        "(x) => changeLeaves(Object.fromEntries(live.leaves.map(({ node }, k) => [node, x[k]])))",
        numbers,
    )
    assert reader.text(".label:has(.fires)") == label


def test_a_value_is_written_narrower_before_it_loses_a_digit(read: Read):
    reader = read("covered", SCREEN)
    reader.to_step(9)
    reader.js("changeLeaves({ ...leafNumbers, [live.leaves[0].node]: 3.1 })")
    texts = reader.page.locator(".t-number").all_text_contents()
    assert texts.count("−3.1") == 3, "data of d, the slope of L along f, and f's gradient"


# what a newcomer looks for

IN_FOCUS = """[...document.querySelectorAll('.focus .node')].map((e) =>
  e.getAttribute('class').replace('node ', '') + e.textContent.replace('leaf', '')).join(' ')"""
SEEN = """(selector) => {
  // is it between what stays at the upper edge and the buttons, or in its own half
  const boxes = [...document.querySelectorAll(selector)].map((e) => e.getBoundingClientRect());
  const buttons = document.querySelector('.buttons').getBoundingClientRect();
  const floor = layout() === 'landscape' ? innerHeight : buttons.top;
  const ceiling = layout() === 'landscape' ? 0 : stuckHeight();
  const isSeen = (box) => box.top >= ceiling - 0.5 && box.bottom <= floor + 0.5;
  return boxes.length > 0 && boxes.every(isSeen);
}"""
BROWSER_BARS = (390, 664)
"""A phone whose browser shows its own bars."""


@pytest.mark.parametrize("size", [PHONE, BROWSER_BARS, SMALL, ON_ITS_SIDE])
def test_the_numbers_that_paper_needs_are_seen_and_the_keys_come_up(
    read: Read, size: tuple[int, int]
):
    reader = read("lesson", size)
    reader.to_step(5)
    on_map = reader.text(".map")
    assert all(text in on_map for text in ("a−5", "b−7", "f−1", "× e35", "+ d30", "× L−30"))
    label = reader.page.locator(".focus").get_attribute("aria-label")
    assert label == ("a = −5. b = −7. e = a × b = 35. d = e + a = 30. f = −1. L = d × f = −30.")
    reader.page.locator(".field").click()
    assert reader.js(SEEN, ".key")
    assert reader.js(SEEN, ".sentence, .field")
    reader.submit("4")
    reader.tap("−")
    assert reader.js(SEEN, ".field, .key")
    assert "a−5−" in reader.text(".map")


@pytest.mark.parametrize("size", [PHONE, BROWSER_BARS])
def test_where_a_phone_has_the_room_title_map_and_keys_are_seen_at_once(
    read: Read, size: tuple[int, int]
):
    reader = read("graph", size)
    reader.to_step(8)
    assert (reader.js("scrollY") == 0) == (size == PHONE)
    assert reader.js(SEEN, ".key, .sentence, .field")
    top, bottom = (
        reader.js(f"document.querySelector('{part}').getBoundingClientRect().{side}")
        for part, side in ((".keys", "top"), (".field", "bottom"))
    )
    assert top - bottom < 80


@pytest.mark.parametrize("size", [PHONE, BROWSER_BARS])
def test_after_a_wrong_choice_verdict_and_hint_are_seen_beside_the_question(
    read: Read, size: tuple[int, int]
):
    reader = read("lesson", size)
    reader.to_step(3)
    assert reader.js("parts.map.getBoundingClientRect().top <= 0 || scrollY === 0")
    for _ in range(2):
        reader.page.locator(".choice:enabled").last.click()
        assert reader.js(SEEN, ".verdict, .hint, .choice")
    assert reader.js(SEEN, ".sentence")


def test_a_step_shows_what_its_text_points_at(read: Read):
    reader = read("lesson")
    reader.to_step(2)
    assert reader.js(IN_FOCUS).startswith("leafadata3grad–······= – op+d")
    assert reader.text(".note") == "Press Step: each press is one move."
    reader.page.set_viewport_size({"width": SMALL[0], "height": SMALL[1]})
    reader.next()
    assert reader.js(SEEN, ".sentence"), "what the move did"
    reader.to_step(3)
    reader.button("Back").click()
    assert reader.page.locator(".task.done").count() == 1
    reader.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    reader.to_step(6)
    high = "parts.step.getBoundingClientRect().top + scrollY"
    before = reader.js(high)
    while reader.text(".buttons .main") == "Step":
        reader.next()
    assert reader.js(high) == before, "map and focus are as high as the map before them"
    reader.button("Show me").click()
    assert "grad–" not in reader.js(IN_FOCUS), "the numbers of the mistake stay"
    reader.to_step(7)
    assert reader.text(".aside").startswith("On a computer: ")
    assert reader.js("parts.step.children[1].className") == "aside"


def test_a_wrong_answer_does_not_stand_where_the_right_one_is_shown(read: Read):
    reader = read("graph")
    reader.to_step(9)
    reader.submit("5*2")
    reader.button("Show me").click()
    assert reader.page.locator(".field").input_value() == "−10"


# what stays, and what leaves


def test_nothing_is_stored_unless_the_reader_says_so(read: Read):
    reader = read("graph")
    reader.to_step(9)
    assert reader.js("localStorage.length") == 0
    reader.js("go(0)")
    reader.page.get_by_label("Remember on this phone").check()
    reader.to_step(9)
    reader.page.reload()
    assert reader.count == "9 of 11"
    assert reader.js("localStorage.length") == 1
    reader.js("go(0)")
    reader.page.get_by_label("Remember on this phone").uncheck()
    assert reader.js("localStorage.length") == 0


def test_a_damaged_store_begins_anew(read: Read):
    reader = read("lesson")
    for damage in (
        "kept.at = -3",
        "kept.at = 'x'",
        "kept.at = 3; kept.steps[3].pass = 999",
        "kept.at = 2; kept.steps[2].given[0] = null",
        "kept.at = 2; kept.steps[2].given[0].tries = null",
        "kept.steps = 7",
    ):
        reader.js(
            f"() => {{ const kept = newSession(); {damage};"
            " localStorage.setItem(STORAGE_KEY, JSON.stringify(kept)); }"
        )
        reader.page.reload()
        assert reader.count == "1 of 7", damage
        assert reader.page.locator("#words").is_hidden()


@pytest.mark.parametrize("name", ["graph", "lesson"])
def test_the_record_is_copied_or_saved_and_graded(read: Read, name: str, tmp_path, capsys):
    reader = read(name, permissions=["clipboard-read", "clipboard-write"])
    assert reader.js(PLAY, 0) == []
    reader.page.get_by_label("Your name").fill('Ada "L." <b>')
    reader.button("Copy the record").click()
    reader.page.get_by_text("Copied.").wait_for()
    text = reader.js("navigator.clipboard.readText()")
    form = "report" if name == "graph" else "progress"
    assert json.loads(text)["format"] == f"backwire {form}"
    assert json.loads(text)["student"] == 'Ada "L." <b>'
    with reader.page.expect_download() as saving:
        reader.button("Save it as a file").click()
    file = saving.value.suggested_filename
    assert re.fullmatch(rf"Ada-L-b-\w+(-\w+)*\.{form}\.json", file)
    reader.page.get_by_text(f"Saved as {file}.").wait_for()
    path = tmp_path / f"mine.{form}.json"
    saving.value.save_as(path)
    assert path.read_text("utf-8") == text
    result, said = main(["grade", str(path)]), capsys.readouterr().out
    assert "changed" not in said
    assert result == 0 or re.search(r"can't be: [\w-]+, \d+ right of \d+ in \d+ s\n", said), said
    code = read_code(reader.text(".code"))
    assert code is not None
    assert reader.text(".sentence").startswith(f"{code[1].right_first} of {code[1].answered}")
    if name == "graph":  # a second run says that it is one
        reader.button("Begin again").click()
        assert reader.js(PLAY, 0) == []
        path.write_text(reader.js("recordText()"), "utf-8")
        assert main(["grade", "--csv", str(path)]) == 0
        [row] = csv.DictReader(io.StringIO(capsys.readouterr().out))
        assert (row["student"], row["runs"]) == ('Ada "L." <b>', "2")


# the screen


BOXES = """() => {
  // what is too small on the page as it is: texts, targets; and what is beyond its edge
  const found = [];
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) found.push('scrolls sideways');
  for (const e of document.querySelectorAll('#page *')) {
    const box = e.getBoundingClientRect();
    if (!e.getClientRects().length || e.closest('.spoken')) continue;
    const name = `${e.tagName} ${e.getAttribute('class')} ${e.textContent.slice(0, 20)}`;
    if ([...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim())) {
      const svg = e.closest('svg');
      const size = parseFloat(getComputedStyle(e).fontSize) * (svg ? e.getScreenCTM().a : 1);
      if (size < (svg ? 9.99 : 16)) found.push(`${name}: ${size} px`);
    }
    if (e.matches('button, .field, input[type=range], .keep, .name, summary')
        && (box.height < 47.9 || box.width < 47.9)) {
      found.push(`${name}: target ${box.width} x ${box.height}`);
    }
    // many numbers are a row that is scrolled
    const isBeyond = box.left < -0.5 || box.right > width + 0.5;
    if (isBeyond && !e.parentElement.closest('.chips')) found.push(`${name}: beyond the edge`);
  }
  return found;
}"""

WALK = (
    f"const boxes = {BOXES};"
    """
    const found = [];
    const [, show, next] = document.querySelectorAll('.buttons button');
    const look = (when) => found.push(...boxes().map((each) => `${session.at} ${when}: ${each}`));
    for (let k = 0; k < 300 && !isAtEnd(); k += 1) {
      look('begun');
      if (openQuestion() && !openAttempt().done) {
        const field = document.querySelector('.field');
        if (field) field.value = '-0.123456789';
        field?.dispatchEvent(new Event('input'));
        document.querySelector('.choice:not(:disabled)')?.click();
        look('typed');
        document.querySelector('.field-row button')?.click();
        look('answered');
      }
      if (next.getAttribute('aria-disabled') === 'true') show.click();
      look('shown');
      next.click();
    }
    look('end');
    if (!isAtEnd()) found.push('no end');
    return found;
    """
)


def boxes(reader: Reader) -> list[str]:
    """What does not fit the screen as the page is."""
    return reader.js(BOXES)


@pytest.mark.parametrize(
    ("name", "size"),
    sampled(
        [
            *(("lesson", size) for size in SIZES),
            *(("neuron", size) for size in reversed(SIZES)),
            *(("hostile", size) for size in (SMALL, SCREEN)),
            ("graph", PHONE),
        ],
        every=2,
    ),
)
def test_every_step_fits_its_screen(read: Read, name: str, size: tuple[int, int]):
    reader = read(name, size)
    assert reader.page.locator("h1:visible").count() == 1
    assert reader.js(f"() => {{ {WALK} }}") == []


# guesses, ripples, hunts and tasks are among the lessons of each run
@pytest.mark.parametrize("name", sampled((head.name for head in course().lessons), 3, first=2))
def test_a_lesson_of_the_course_is_played_to_its_end_on_a_phone(
    read: Read, pages: dict[str, Path], tmp_path: Path, name: str
):
    pages[name] = tmp_path / f"{name}.html"
    pages[name].write_text(html_page(page_of_lesson(lesson(name))), "utf-8")
    reader = read(name, PHONE)
    assert reader.js(PLAY, 0) == []
    reader.button("Begin again").click()
    assert reader.js(f"() => {{ {WALK} }}") == []


@pytest.mark.parametrize("size", [PHONE, SMALL, ON_ITS_SIDE])
def test_texts_twice_as_large_make_one_column(read: Read, size: tuple[int, int]):
    reader = read("lesson", size, text=2.0)
    reader.to_step(3)
    assert boxes(reader) == []
    lefts = reader.js(
        "[...document.querySelectorAll('.choice')].map((e) => e.getBoundingClientRect().left)"
    )
    assert len(set(lefts)) == 1
    reader.to_step(5)
    assert boxes(reader) == []
    wide = "document.querySelector('.field').getBoundingClientRect().width"
    assert reader.js(wide) > 200, "room for an expression"


@pytest.mark.parametrize(
    ("size", "name"),
    [(PHONE, "portrait"), (ON_ITS_SIDE, "landscape"), (SMALL, "portrait"), (SCREEN, "wide")],
)
def test_each_screen_has_its_layout(read: Read, size: tuple[int, int], name: str):
    reader = read("graph", size)
    assert reader.js("layout()") == name
    reader.to_step(9)
    assert reader.page.locator(".keys").count() == (0 if name == "wide" else 1)
    sizes = reader.js(
        "['.map', '.figure'].map((s) => Math.round("
        "document.querySelector(s).getBoundingClientRect().height))"
    )
    if name == "portrait":
        assert sizes == [92, 178]
    elif name == "landscape":
        assert sizes[0] == 56
        keys = reader.page.locator(".key").last.bounding_box()
        assert keys is not None
        assert keys["y"] + keys["height"] <= size[1]
    else:
        assert sizes[0] == 0
        assert reader.page.locator(".focus .node").count() == len(PATHS.nodes)


def test_nothing_moves_when_a_verdict_comes(read: Read):
    reader = read("graph", (390, 1100))
    reader.to_step(9)
    where = (
        "['.sentence', '.field', '.keys'].map((s) => document.querySelector(s)"
        ".getBoundingClientRect().top + scrollY)"
    )
    before = reader.js(where)
    reader.submit("4")
    assert reader.verdict
    assert reader.js(where) == before


# readers who see or move otherwise


def test_a_screen_reader_hears_the_step_the_figure_and_the_verdict(read: Read):
    reader = read("lesson")
    reader.to_step(3)
    tree = reader.page.locator("#page").aria_snapshot()
    assert tree.count("heading") == 2
    assert 'heading "Two paths from a to L" [level=1]' in tree
    assert tree.count("img") == 1, "map, bar and symbols are hidden"
    assert 'img "× (e) passes blank to a; a.grad is now ?."' in tree
    assert 'group "contribution of × (e) → a"' in tree
    assert 'button "−10"' in tree
    reader.page.locator(".choice").nth(1).click()
    assert 'button "−2, wrong" [disabled]' in reader.page.locator("#page").aria_snapshot()
    focused = "document.activeElement.textContent"
    assert reader.js(focused).startswith("✘Wrong: −2 is how far e moves for 1 of a on this wire.")
    reader.page.locator(".choice").first.click()
    assert reader.js(focused).startswith("✓Right: Right the second time.")
    assert reader.js("document.querySelector('.step').getAttribute('aria-live')") == "polite"


def test_dark_follows_the_reader_unless_the_page_was_made_so(read: Read):
    background = "getComputedStyle(document.body).backgroundColor"
    assert read("graph", color_scheme="light").js(background) == "rgb(255, 255, 255)"
    assert read("graph", color_scheme="dark").js(background) == "rgb(25, 29, 35)"
    assert read("dark", color_scheme="light").js(background) == "rgb(25, 29, 35)"


def test_nothing_moves_for_who_wants_no_motion(read: Read):
    moves = "document.getAnimations().length"
    for motion, most in (("no-preference", 1), ("reduce", 0)):
        reader = read("graph", reduced_motion=motion)
        reader.to_step(9)
        reader.js(
            "document.querySelector('.field').value = '4';"
            " document.querySelector('.field-row button').click()"
        )
        assert reader.js(moves) == most


@pytest.mark.parametrize(
    ("name", "size"), [*(("lesson", size) for size in SIZES), ("hostile", SMALL)]
)
def test_without_script_the_page_is_a_list_of_all_steps(
    read: Read, name: str, size: tuple[int, int]
):
    reader = read(name, size, script=False)
    page = reader.page
    assert page.locator("h1:visible").count() == 1
    assert page.locator("#page").is_hidden()
    steps = len(page_of_lesson(LESSON).steps)
    if name == "lesson":
        assert page.locator("#words > ol > li").count() == steps
        assert "b = −7. e = a × b = 35." in page.locator("#words > ol > li").nth(4).inner_text()
    answers = page.locator("#words details ol")
    assert answers.is_hidden()
    page.locator("summary").click()
    assert answers.is_visible()
    box = page.locator("#words").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size[0]


def test_on_paper_is_the_list_with_the_answers_closed(read: Read):
    reader = read("lesson")
    reader.page.emulate_media(media="print")
    assert reader.page.locator("#words").is_visible()
    assert reader.page.locator("#page").is_hidden()
    assert reader.page.locator("#words details ol").is_hidden()


def test_a_hostile_label_is_a_text(read: Read):
    reader = read("hostile")
    assert reader.page.locator("img").count() == 0
    assert reader.text("h1").startswith("</script><img src=x")
    reader.to_step(4)
    assert "</scrip…" in reader.text(".focus")
    assert "…" in reader.text(".focus")
