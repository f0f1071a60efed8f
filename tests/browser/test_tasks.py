"""Tasks of a lesson on the page are done, and followed by the pass, as in the window."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from app.guide.words.lesson_texts import paragraphs
from app.lessons.course import course
from app.lessons.lesson import Lesson, Step
from app.lessons.load import lesson
from app.lessons.situation import Situation, at_step, with_rules, with_values
from app.lessons.step_checks import holds
from app.takeaway.lesson_page import page_of_lesson
from app.takeaway.lesson_task import mistakes_of
from app.takeaway.page_parts import narration_text, on_page, state_of, template_text
from app.workbench.playback.view_state import view_of
from app.workbench.words.live_texts import live_spans
from engine.rules import CORRECT
from tests.app.takeaway.test_live_page import number_sets
from tests.browser.reader import PHONE, SCREEN, Reader, first_in_firefox
from tests.browser.test_live import for_page, type_leaf
from tests.browser.test_live import live_page as live_page
from tests.helpers.exported import plain
from tests.helpers.sampling import sampled

PLACES = """([sets]) => page.steps.flatMap(({ doing }, at) => {
  const taken = (index, moves, numbers) => {
    session = newSession();
    session.at = at;
    work().pass = index;
    followStep();
    work().moves = moves;
    const typed = numbers.map(([node, text]) => [node, Number(text)]);
    setLeaves({ ...OWN_NUMBERS, ...Object.fromEntries(typed) });
    const move = step().moves?.[moves - 1], texts = (move?.text ?? step().text ?? []);
    const says = move ? plain(saying(move)) : '', isDone = doing.checks.every(holds);
    return [{ ...stateNow() }, isDone, texts.map((text) => plain(text)), says];
  };
  const passes = isPlayed(doing) ? [] : doing?.passes ?? [];
  const counts = passes.map(({ moves }) => [...(moves ?? []), null].keys());
  const rows = counts.flatMap((places, index) =>
    [...places].map((moves) => sets[at].map((numbers) => taken(index, moves, numbers))));
  return doing && !isPlayed(doing) ? [[at, rows]] : [];
})"""


@pytest.fixture
def opened(live_page: Callable[..., Reader]) -> Callable[..., Reader]:
    """Open the page of a lesson, with a planted change of its script."""
    return lambda found, *planted, **how: live_page(page_of_lesson(found), *planted, **how)


def told_otherwise(reader: Reader, found: Lesson) -> list[object]:
    """Where figure, checks, texts or sentence of a page differ from those of the window."""
    sets = [list(number_sets(step.begun.graph)) for step in found.steps]
    typed = [[[[n, for_page(x)] for n, x in leaves.items()] for leaves in each] for each in sets]
    wrong: list[object] = []
    for at, rows in reader.js(PLACES, [typed]):
        step, place = found.steps[at], 0
        passes = reader.js(
            "(at) => page.steps[at].doing.passes.map((each) => each.moves?.length ?? 0)", at
        )
        rules_of = (step.begun.rules, *mistakes_of(found))[: len(passes)]
        for rules, count in zip(rules_of, passes, strict=True):
            for moves in range(count + 1):
                for leaves, row in zip(sets[at], rows[place], strict=True):
                    now = with_values(with_rules(step.begun, rules), leaves)
                    now = at_step(now, step.begun.cursor + moves) if moves else now
                    if row != expected(step, now, moves, bool(leaves)):
                        wrong.append((at, rules.name, moves, leaves, row))
                place += 1
    return wrong


def expected(step: Step, now: Situation, moves: int, changed: bool) -> list[object]:
    """What the window shows of a situation, as the page writes it."""
    frame = now.known_frame
    texts = [
        "".join(span.text for span in live_spans(on_page(part), view_of(frame), 4))
        for part in paragraphs(step.text)
    ]
    write = template_text if changed and now.rules is not CORRECT else narration_text
    says = plain(write(frame, 4)) if moves else ""
    return [dict(state_of(frame, 4)), all(holds(c, now) for c in step.checks), texts, says]


LESSONS = [head.name for head in course().lessons]


@pytest.mark.parametrize("name", first_in_firefox(sampled(LESSONS, every=2)))
def test_tasks_of_a_page_are_as_in_the_window_at_all_numbers(
    opened: Callable[..., Reader], name: str
):
    found = lesson(name)
    assert told_otherwise(opened(found), found) == []


@pytest.mark.parametrize(
    ("name", "text", "instead"),
    [
        ("two-paths", "is: (x, y) => near(x, y, 1)", "is: (x, y) => x === y + 1"),
        ("one-neuron", "not: (x, y) => !near(x, y, 1)", "not: () => true"),
        ("gears", "above: (x, y) => x > y &&", "above: (x, y) => x >= y - 1 ||"),
        (
            "missing-plus",
            "found.moves = found.doing.passes[index]",
            "found.moves = found.doing.passes[0]",
        ),
        ("same-leaf-twice", "of.replaces ? contribution :", ""),
        ("referee", "sender, slot, used = slot]", "sender, slot, _, used = slot]"),
    ],
)
def test_a_planted_change_of_tasks_is_found(
    opened: Callable[..., Reader], name: str, text: str, instead: str
):
    found = lesson(name)
    assert told_otherwise(opened(found, (text, instead)), found) != []


def test_a_mistake_is_chosen_and_stepped_through_and_another_one_is_not_the_task(
    opened: Callable[..., Reader],
):
    reader = opened(lesson("missing-plus"))
    menu = reader.page.get_by_label("Mistake in the pass")
    other = "Not yet: the task needs another mistake. Choose it in the menu beside your numbers."
    for title, status in (("× uses its own input", other), ("= instead of +=", "✓ Done.")):
        menu.select_option(title)
        for k in range(10):
            assert reader.text(".status") == (other if k > 0 and status == other else ""), k
            reader.next()
        assert reader.text(".status").startswith(status)
        assert reader.may_go == (status == "✓ Done.")
        assert reader.count.startswith("1 of")
    reader.next()
    assert reader.count.startswith("2 of")


def test_the_end_of_a_lesson_links_to_the_next_one(live_page: Callable[..., Reader]):
    onward = [("Next lesson: Who next?", "who-next.html"), ("All lessons", "index.html")]
    reader = live_page(replace(page_of_lesson(lesson("missing-plus")), onward=onward))
    assert not reader.has(".ask a")
    reader.js("session.at = page.steps.length; render('step')")
    links = [
        (each.text_content(), each.get_attribute("href"))
        for each in reader.page.locator(".ask a").all()
    ]
    assert links == onward
    colours = "[...document.querySelectorAll('.ask a, h2')].map((e) => getComputedStyle(e).color)"
    assert len(set(reader.js(colours))) == 1, "read in dark, too"


def test_the_answer_to_who_fires_next_is_in_the_picture(opened: Callable[..., Reader]):
    reader = opened(lesson("who-next"))
    reader.js("page.steps.forEach((_, k) => { if (k < 4) session.steps[k].passedOver = true; })")
    reader.js("go(4)")
    fired = """() => [...document.querySelectorAll('.focus .node')]
      .map((node) => node.querySelector('.t-name').textContent)"""
    assert reader.js(fired) == ["d", "f"]
    right = reader.js("openQuestion().choices.find(({ right }) => right).label")
    assert right == "+ (e)"
    reader.page.locator(".choice", has_text="(e)").click()
    assert reader.verdict.startswith("Right: ")
    assert reader.js(fired) == ["c", "e"], "the firing node is on the right"


LEDGERS = """() => [...document.querySelectorAll('.focus .node')].flatMap((node) => {
  const chips = [...node.querySelectorAll('.chip.landed')].map((each) => each.textContent);
  const texts = [...node.querySelectorAll(':scope > .t-chip')].map((each) => each.textContent);
  return node.querySelector('.chip') ? [[texts, chips]] : [];
})"""


def test_each_ledger_under_recursion_adds_up_or_claims_no_sum(opened: Callable[..., Reader]):
    reader = opened(lesson("who-next"))
    reader.js("session.steps[0].passedOver = true; go(1)")
    reader.page.get_by_label("Mistake in the pass").select_option("Recursion without an order")
    seen: list[list[list[str]]] = []
    while reader.js("movesLeft()"):
        reader.next()
        seen += reader.js(LEDGERS)
    sums = [(texts[-1], texts[0], chips) for texts, chips in seen if texts[-1] != "= –"]
    for total, start, chips in sums:
        number = float(total[2:].replace("−", "-"))
        adds = sum(float(each.replace("−", "-")) for each in chips) == number
        assert total[0] == ("=" if adds else "→"), (chips, total)
        assert start in ("0" if adds else "…", total), "in little room none"
    assert "→ 8" in [total for total, *_ in sums], "a got a contribution twice over one wire"


def test_show_me_chooses_the_mistake_and_takes_its_steps(opened: Callable[..., Reader]):
    reader = opened(lesson("missing-plus"))
    for _ in range(11):
        assert not reader.text(".status")
        reader.button("Show me").click()
    assert reader.text(".status") == "This is one way."
    assert reader.button("Show me").get_attribute("aria-disabled") == "true"


def test_show_me_takes_the_steps_of_a_pass_without_a_mistake(opened: Callable[..., Reader]):
    reader = opened(lesson("one-wire"))
    reader.to_step(3)
    for left in (3, 2, 1):
        assert reader.js("movesLeft()") == left
        reader.button("Show me").click()
    assert reader.text(".status") == "This is one way."


def test_a_number_of_any_size_is_typed(opened: Callable[..., Reader]):
    reader = opened(lesson("inside-operation"))
    reader.to_step(6)
    type_leaf(reader, 0, "401")
    assert not reader.text(".status")
    type_leaf(reader, 0, "400")
    assert reader.text(".status") == "✓ Done."
    reader.page.locator(".reset").click()
    assert reader.may_go, "what is done stays done"


@pytest.mark.parametrize("size", [PHONE, SCREEN])
def test_the_link_of_a_lesson_leads_to_its_step_and_numbers(
    opened: Callable[..., Reader], size: tuple[int, int]
):
    reader = opened(lesson("inside-operation"), size=size)
    reader.to_step(6)
    type_leaf(reader, 0, "300")
    reader.button("Copy link").click()
    found = reader.page.get_by_label("Link", exact=True).input_value()
    assert found.endswith("=300&step=6")
    reader.page.goto(found)
    reader.page.reload()
    assert reader.count.startswith("6 of")
    chip = reader.page.get_by_role("slider").first
    assert chip.get_attribute("aria-valuetext") == "300"
