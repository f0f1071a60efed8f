"""Step words: a collapsed group that fires is told as one step, with what leaves it."""

import pytest

from app.controls.rich_text import plain_text
from app.workbench.words.narration import next_step_text, step_text
from tests.helpers.desk import Desk
from tests.helpers.graphs import demonstration


def made(desk: Desk, names: str) -> Desk:
    """The demonstration with some of its nodes collapsed into one group."""
    desk.document.replace_graph(demonstration())
    desk.document.groups.make([desk.node(name) for name in names], "inner")
    return desk


@pytest.fixture
def grouped(desk: Desk) -> Desk:
    return made(desk, "cd")


def told(desk: Desk) -> tuple[str, str]:
    """What is said of the group, of the step just taken and of the next one; "" of a single one."""
    now = desk.playback.now
    done, coming = step_text(now, "plain", 4), next_step_text(now, 4)
    assert done
    assert coming
    first, second = plain_text(done), plain_text(coming)
    return first if "inner" in first else "", second if "inner" in second else ""


def test_a_forward_pass_names_what_the_group_computes_for_others(grouped: Desk):
    grouped.playback.forward()
    assert told(grouped) == ("", "next: inner, steps 1 to 2")
    grouped.playback.step()
    assert told(grouped) == ("inner is computed in steps 1 to 2: c = 5, d = 6.", "")


def test_a_backward_pass_names_what_comes_out_of_the_group(grouped: Desk):
    said = []
    grouped.playback.backward()
    while grouped.playback.cursor < grouped.playback.frame.total:
        grouped.playback.step()
        said += [text for text in told(grouped) if text]
    assert said == [
        "next: inner, steps 8 to 11",
        "inner fires in steps 8 to 11: a now holds 25, b now holds 19.",
    ]


def test_what_stays_in_the_group_is_not_named(desk: Desk):
    made(desk, "cdf").playback.backward()
    desk.playback.go(3)
    assert told(desk) == ("", "next: inner, steps 4 to 5")
    desk.playback.step()
    assert told(desk) == ("inner fires in steps 4 to 5; all of it stays inside.", "")


def test_within_the_steps_of_a_group_each_is_told_by_itself(grouped: Desk):
    grouped.playback.backward()
    grouped.playback.go(9)
    assert told(grouped) == ("", "next: inner, steps 10 to 11")


def test_in_the_group_each_step_is_told_by_itself(grouped: Desk):
    (group,) = grouped.document.sheet.groups
    grouped.document.look_inside(group)
    grouped.playback.backward()
    while grouped.playback.cursor < grouped.playback.frame.total:
        grouped.playback.step()
        assert told(grouped) == ("", "")
    assert grouped.playback.cursor == 11
