"""Who hears of a change, in the order that docs/architecture.md prints."""

import re
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from app.guide.play.guide import learner_of
from app.lessons.load import lesson
from app.window.frame.main_window import MainWindow
from tests.helpers.sentences import ROOT

_ROW = re.compile(r"^\| `(\w+)` \| (.+) \|$", re.MULTILINE)


def told(heading: str) -> list[str]:
    """The listeners in the table below a heading."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rows = _ROW.findall(text.partition(heading)[2].partition("\n\n|")[2].partition("\n\n")[0])
    assert all(reason.strip() for _name, reason in rows)
    return [name for name, _reason in rows]


def heard(emitter: str, act: Callable[[], object]) -> list[str]:
    """The objects that a signal calls while a function emits it, once each."""
    found: list[str] = []
    emitting: list[FrameType] = []

    def note(frame: FrameType, event: str, arg: Any) -> None:
        if event == "call" and emitting and frame.f_back is emitting[-1]:
            found.append(type(frame.f_locals.get("self")).__name__)
        elif frame.f_code.co_name == emitter and getattr(arg, "__name__", "") == "emit":
            if event == "c_call":
                emitting.append(frame)
            elif emitting:
                emitting.pop()

    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
    return [*dict.fromkeys(found)]


def test_a_change_is_heard_by_three_and_what_is_shown_by_all_others_in_the_order_told(
    shared_leaf: MainWindow,
):
    window = shared_leaf
    leaf = window.document.graph.leaves[0]
    assert heard("_emit_change", lambda: window.document.set_value(leaf, 5.0)) == told(
        "**`changed`**"
    )
    wanted = told("**`shown`**")
    made = heard("_emit", lambda: window.playback.set_by_node(True))
    assert made[: len(wanted)] == wanted
    window.show_page("history")
    window.context.recorders.get()
    later = heard("_emit", lambda: window.playback.set_by_node(False))
    assert later == [*made, "HistoryPage", "Recorder"], "pages come after these once they are made"


def test_entering_a_step_of_a_lesson_shows_it_once(shared_leaf: MainWindow):
    window, shown = shared_leaf, list[object]()
    window.context.guides.begin(learner_of(lesson("gears"), seed=7))
    window.playback.shown.connect(shown.append)
    for at in range(8):
        shown.clear()
        window.context.guides.go_to(at)
        assert len(shown) == 1, at
