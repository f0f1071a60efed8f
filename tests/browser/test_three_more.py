"""Three more in a real browser: the question again at drawn numbers, and what of it is recorded."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from app.__main__ import main
from engine.asking.friendly import DRILL_COUNT, SETS
from engine.asking.kinds import answer
from engine.asking.question import Question
from engine.formats.report import read as read_report
from engine.numbers import plain
from engine.trace import run
from tests.browser.reader import PATHS, PHONE, SCREEN, Reader

Read = Callable[..., Reader]
SENT = Question("contribution", 3, 0, 6)
"""What e sends to a, asked at step 9."""


def right(reader: Reader) -> str:
    """The answer at the numbers of the set that is asked, by the engine."""
    numbers = reader.js("live.leaves.map(({ node }) => [node, leafNumbers[node]])")
    return plain(answer(SENT, run(PATHS.with_values({n: float(x) for n, x in numbers}))))


def after_a_wrong_answer(reader: Reader, set_: int) -> None:
    """Answer what e sends wrongly, then right, where this set is the next one."""
    reader.js("(set) => { session.set = set; }", set_)
    reader.to_step(9)
    assert not reader.button("Three more").count()
    reader.submit("3")
    assert not reader.button("Three more").count(), "the question is open"
    reader.submit("-10")


def ask_three_more(reader: Reader) -> list[str]:
    """Take three more, the second right at the second try; return the answers."""
    reader.button("Three more").click()
    texts: list[str] = []
    for count in range(1, DRILL_COUNT + 1):
        assert reader.text(".step .note") == f"Three more: {count} of 3"
        assert not reader.may_go
        assert reader.has(".step .sentence .blank")
        texts.append(right(reader))
        if count == 2:
            reader.submit("123")
            assert reader.verdict.startswith("Wrong: 123 is not it.")
        reader.submit(texts[-1])
        assert reader.verdict.startswith("Right: ")
        if count < DRILL_COUNT:
            reader.next()
    return texts


@pytest.mark.parametrize("size", [PHONE, SCREEN])
def test_three_more_ask_at_three_sets_and_the_report_counts_them(
    read: Read, tmp_path: Path, capsys, size: tuple[int, int]
):
    reader, said = read("graph", size), "Three more: 2 of 3 right first time."
    after_a_wrong_answer(reader, SETS - 1)
    texts = ask_three_more(reader)
    assert len({*texts, "-10"}) == 4
    assert reader.text(".step .note") == said
    reader.next()
    assert reader.js("isOwnNumbers() && OWN_NUMBERS[live.leaves[0].node]") == 3, "the page's"
    assert reader.js("work().place") == 1, "the next blank of the step"
    reader.to_step(99)
    assert reader.page.locator(".step .note").all_text_contents() == [said]
    path = tmp_path / "ada.report.json"
    path.write_text(reader.js("recordText()"), "utf-8")
    attempts = [each for each in read_report(path.read_bytes()).record.attempts if each.drawn]
    typed = [(each.drawn, *(t.text for t in each.tries)) for each in attempts]
    assert typed == [(SETS, texts[0]), (1, "123", texts[1]), (2, texts[2])]
    assert main(["grade", str(path), "--csv"]) == 0
    (counts,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert counts["three more"] == "2 of 3"
    assert counts["answered"] == reader.js("String(allAttempts().length)")


def test_numbers_of_the_readers_own_are_practice_in_three_more_too(read: Read):
    reader = read("graph", SCREEN)
    after_a_wrong_answer(reader, 4)
    reader.button("Three more").click()
    asked = right(reader)
    reader.page.locator(".leaf-chip").nth(2).focus()
    reader.press("ArrowUp")
    assert right(reader) != asked
    reader.submit(right(reader))
    assert reader.verdict.startswith("Right: ")
    assert reader.js("[session.practised, moreAttempts()]") == [{"asked": 1, "right": 1}, []]
    reader.button("Back to the first numbers").click()
    assert right(reader) == asked
    reader.submit(asked)
    assert reader.js("moreAttempts().map(({ set }) => set)") == [4]
    reader.button("Back").click()
    assert reader.count.startswith("9 of")
    assert reader.js("more.length === 0 && isOwnNumbers()")
    assert reader.verdict.startswith("Right: "), "the answer at the page's numbers stands"


def test_each_set_is_asked_once_and_then_no_more_are_offered(read: Read):
    reader = read("graph", SCREEN)
    after_a_wrong_answer(reader, 7)
    for _ in range(SETS // DRILL_COUNT):
        reader.button("Three more").click()
        for _ in range(DRILL_COUNT):
            reader.button("Show me").click()
            reader.js("more.length < MORE ? goOn() : (endMore(), render())")
    assert not reader.button("Three more").count()
    sets = reader.js("moreAttempts().map(({ set }) => set)")
    assert sorted(sets) == [*range(SETS)]
    assert sets[0] == 7
    assert '"set": 12' in reader.js("recordText()")
    assert read_report(reader.js("recordText()")).version == 4


def test_neighbours_begin_at_different_sets(read: Read):
    reader = read("graph")
    chance = "(x) => { Math.random = () => x; return newSession().set; }"
    assert [reader.js(chance, (k + 0.5) / SETS) for k in range(SETS)] == [*range(SETS)]


def test_a_session_with_a_set_that_is_none_is_dropped(read: Read):
    reader = read("graph")
    after_a_wrong_answer(reader, 0)
    reader.button("Three more").click()
    reader.submit("1")
    for hurt in ("each.set = 99", "each.place = 7", "delete each.attempt.tries"):
        kept = reader.js(
            """(hurt) => {
              const bad = structuredClone(session), each = bad.steps[session.at].more[0];
              if (hurt.startsWith('each.set')) each.set = 99;
              else if (hurt.startsWith('each.place')) each.place = 7;
              else delete each.attempt.tries;
              const before = session;
              storage = () => ({ getItem: () => JSON.stringify(bad) });
              load();
              return session !== before;
            }""",
            hurt,
        )
        assert not kept, hurt


def test_the_end_offers_three_more_of_the_last_slip_and_is_where_they_end(read: Read):
    reader = read("graph", SCREEN)
    after_a_wrong_answer(reader, 0)
    reader.to_step(10)
    reader.submit("1")  # no slip, so what e sends to a is asked
    reader.to_step(99)
    ask_three_more(reader)
    reader.next()
    assert reader.count == "End"
    assert "Three more: 2 of 3 right first time." in reader.text(".step")
    for _ in range(SETS // DRILL_COUNT - 1):
        ask_three_more(reader)
        reader.next()
    assert not reader.button("Three more").count(), "each set was asked"
    reader.button("Begin again").click()
    assert reader.js("[more.length, moreAttempts().length]") == [0, 0]
