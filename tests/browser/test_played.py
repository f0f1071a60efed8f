"""A pass by hand and a descent on the page of a lesson are those of the window."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import pytest
from msgspec.structs import replace

from app.controls.spans import filled, plain_text
from app.lessons.course import course
from app.lessons.lesson import Lesson, Step
from app.lessons.load import lesson
from app.lessons.situation import Situation
from app.lessons.step_checks import holds
from app.takeaway.lesson_page import page_of_lesson
from app.takeaway.page_parts import state_of
from app.takeaway.played_task import BEGIN, PRESS
from app.workbench.modes.loop import new_loop
from app.workbench.modes.mode import ByHand
from app.workbench.playback.view_state import ViewState, view_of
from app.workbench.words.hand import hand_strip
from app.workbench.words.loop_strip import beginning_text, loop_strip
from app.workbench.words.strip import Strip, StripContext
from engine.asking.hand_run import HandRun
from engine.frame import live_frame
from engine.graph import Graph
from engine.numbers import decimals
from tests.app.takeaway.test_live_page import number_sets
from tests.browser.reader import PHONE, SCREEN, Reader
from tests.browser.test_live import for_page, type_leaf
from tests.browser.test_live import live_page as live_page
from tests.helpers.sampling import sampled, sized

DONE = """([at, numbers, acts]) => {
  session = newSession();
  session.at = at;
  followed = "";
  render("");
  const typed = numbers.map(([node, text]) => [node, Number(text)]);
  changeLeaves({ ...OWN_NUMBERS, ...Object.fromEntries(typed) });
  const texts = () => [...parts.ask.querySelectorAll(".played p")].map((p) => p.textContent);
  const seen = () => [{ ...stateNow() }, ...texts(), step().doing.checks.every(holds)];
  return [seen(), ...acts.map((act) => {
    if (typeof act === "number") clickNode(act);
    else [...parts.ask.querySelectorAll("button")].find((b) => b.textContent === act)?.click();
    return seen();
  })];
}"""
CONTEXT = StripContext(digits=4)


@pytest.fixture
def opened(live_page: Callable[..., Reader]) -> Callable[..., Reader]:
    """Open the page of a lesson, with a planted change of its script."""
    return lambda found, *planted, **how: live_page(made(found.name), *planted, **how)


made = cache(lambda name: page_of_lesson(lesson(name)))


def played(mode: str) -> list[tuple[str, int]]:
    """The steps of the course that are played, by their lesson and index."""
    heads = [head.name for head in course().lessons]
    return [
        (name, at)
        for name in heads
        for at, step in enumerate(lesson(name).steps)
        if step.kind == "do" and step.begun.mode == mode
    ]


class WindowByHand:
    """A pass by hand in the window."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.mode = graph, ByHand(HandRun())

    @property
    def view(self) -> ViewState:
        return view_of(live_frame(self.graph), self.mode)

    @property
    def strip(self) -> Strip:
        return hand_strip(self.view, CONTEXT)

    def texts(self) -> list[str]:
        if self.mode.run.needs_seed:
            begin = filled(BEGIN, root=self.graph.brief(self.graph.root or 0))
            total = len(self.mode.run.turns(self.graph))
            refused = self.mode.run.refused is not None
            first = plain_text(self.strip.sentence)
            return (
                [first, plain_text(begin)]
                if refused
                else [plain_text(begin), f"0 of {total} fired"]
            )
        return [plain_text(self.strip.sentence), plain_text(self.strip.answer)]

    def acts(self) -> list[int | str]:
        """What can be done now."""
        labels = {b.text for b in (*self.strip.buttons, *self.strip.offers) if b.enabled}
        kept = labels & {"Take back", "Fire anyway", "Why the order?", "Again"}
        return [*self.graph.nodes, *sorted(kept)]

    def act(self, act: int | str) -> None:
        run, graph = self.mode.run, self.graph
        if isinstance(act, int):
            node = graph.root if act == graph.active_root else act
            assert node is not None
            seeds = run.needs_seed and node == graph.root
            run = run.seeded(1.0) if seeds else run.clicked(graph, node)
        elif act == "Why the order?":
            self.mode = replace(self.mode, explains_refusal=True)
            return
        else:
            run = {
                "Take back": run.taken_back,
                "Fire anyway": lambda: run.forced(graph),
                "Again": HandRun,
            }[act]()
        self.mode = ByHand(run)

    def seen(self, step: Step) -> list[object]:
        frame = self.view.frame
        now = Situation(self.graph, "backward", frame.cursor, frame=frame, hand=self.mode.run)
        return [dict(state_of(frame, 4)), *self.texts(), all(holds(c, now) for c in step.checks)]


class WindowDescent:
    """A descent in the window."""

    def __init__(self, graph: Graph, rate: float) -> None:
        self.loop, self.reason = new_loop(graph, rate), ""

    def act(self, act: str) -> None:
        for _ in range({"1 epoch": 1, "10 epochs": 10}[act]):
            if self.reason:
                return
            self.loop, self.reason = self.loop.finish_epoch()

    def seen(self, step: Step) -> list[object]:
        loop = self.loop
        frame = loop.frame(live_frame(loop.graph), loop.graph)
        strip = loop_strip(view_of(live_frame(loop.graph), loop), CONTEXT)
        sentence, line = plain_text(strip.sentence), plain_text(strip.answer)
        if not loop.done:
            sentence = plain_text(beginning_text(loop, filled(PRESS)))
        line = line.partition("    next: ")[0]
        if self.reason == "Nothing moves any more.":
            line += f"    {self.reason}"
        losses = [decimals(x) for x in loop.losses if x is not None]
        shown = [f"loss: {', '.join(losses[-12:])}"] if losses else []
        at = loop.latest_loss_epoch
        now = Situation(
            loop.graph,
            frame=frame,
            rate=loop.descent.rate,
            epochs=loop.at,
            loss=loop.losses[at] if at >= 0 else None,
            mode="descent",
        )
        done = all(holds(c, now) for c in step.checks)
        return [dict(state_of(frame, 4)), sentence, line, *shown, done]


def clicks(window: WindowByHand, count: int, seed: int) -> list[int | str]:
    """Some clicks and buttons, drawn among those that there are, to the end of a pass and on."""
    rng, found = Random(seed), list[int | str]()
    for _ in range(count):
        acts, run = window.acts(), window.mode.run
        ready = list(run.ready(window.graph)) or [window.graph.active_root or 0]
        forced = [act for act in acts if act == "Fire anyway"] * 12
        left = [n for n in run.turns(window.graph) if n not in run.fired]
        act = rng.choice([*ready * 2, *left * 2, *forced, *acts])
        window.act(act)
        found.append(act)
    return found


def by_hand_otherwise(reader: Reader, found: Lesson, at: int) -> list[object]:
    """Where a pass by hand on the page is not that of the window, at all kinds of numbers."""
    step, wrong = found.steps[at], list[object]()
    for seed, leaves in enumerate(sampled(number_sets(step.begun.graph), 3)):
        graph = step.begun.graph.with_values(leaves)
        acts = clicks(WindowByHand(graph), sized(20, 40), seed)
        window = WindowByHand(graph)
        typed = [[n, for_page(x)] for n, x in leaves.items()]
        rows = reader.js(DONE, [at, typed, acts])
        for act, row in zip((None, *acts), rows, strict=True):
            if act is not None:
                window.act(act)
            if row != window.seen(step):
                wrong.append((seed, act, row, window.seen(step)))
    return wrong


EPOCHS = ("1 epoch", "1 epoch", "1 epoch", "10 epochs", "1 epoch", "10 epochs")


def descent_otherwise(reader: Reader, found: Lesson, at: int) -> list[object]:
    """Where a descent on the page is not that of the window, at all kinds of numbers."""
    step, wrong = found.steps[at], list[object]()
    for leaves in sampled(number_sets(step.begun.graph), 2):
        window = WindowDescent(step.begun.graph.with_values(leaves), step.begun.rate)
        rows = reader.js(DONE, [at, [[n, for_page(x)] for n, x in leaves.items()], EPOCHS])
        for act, row in zip((None, *EPOCHS), rows, strict=True):
            if act is not None:
                window.act(act)
            if row != window.seen(step):
                wrong.append((leaves, act, row, window.seen(step)))
    return wrong


OTHERWISE = {"hand": by_hand_otherwise, "descent": descent_otherwise}


def test_all_steps_by_hand_and_all_updates_of_the_course_are_played_on_their_pages():
    assert (len(played("hand")), len(played("descent"))) == (5, 5)
    for name, at in played("hand") + played("descent"):
        doing = made(name).steps[at].doing
        assert doing is not None, name
        assert doing.hand or doing.descent, name


@pytest.mark.parametrize("mode", ["hand", "descent"])
def test_clicks_on_a_page_say_and_show_what_they_do_in_the_window(
    opened: Callable[..., Reader], mode: str
):
    for name in dict.fromkeys(name for name, _at in played(mode)):
        found = lesson(name)
        reader = opened(found)
        for each, at in played(mode):
            if each == name:
                assert OTHERWISE[mode](reader, found, at) == [], (name, at)


@pytest.mark.parametrize(
    ("name", "at", "text", "instead"),
    [
        ("who-next", 5, "found[`u${k}`] = gradients[sender] ?? 0", "found[`u${k}`] = 1"),
        ("who-next", 5, "fired.includes(each) ? 0 : 2 ** k", "fired.includes(each) ? 2 ** k : 0"),
        ("who-next", 5, "remarks.push(...(refusedByHand()", "remarks.push(...(false"),
        ("who-next", 5, "passOf(leafNumbers, ticksByHand())", "passOf(leafNumbers)"),
        ("who-next", 5, "filter((each) => !isRight(each))", "filter(isRight)"),
        ("two-weights", 3, "fromJson(rate) * found", "-fromJson(rate) * found"),
        ("two-weights", 5, "passOf(before ?? leafNumbers)", "passOf(leafNumbers)"),
        ("two-weights", 5, "isTie && isOdd ?", "false && isOdd ?"),
        ("too-fast", 5, "earlier ? 2 : 1", "earlier ? 1 : 2"),
    ],
)
def test_a_planted_change_of_what_is_played_is_found(
    opened: Callable[..., Reader], name: str, at: int, text: str, instead: str
):
    found = lesson(name)
    mode = found.steps[at].begun.mode
    assert OTHERWISE[mode](opened(found, (text, instead)), found, at) != []


BOXES = """() => [".top", ".map", ".figure", ".leaves", ".buttons", ".acts"].map((name) => {
  const { x, y, width, height } = document.querySelector(name).getBoundingClientRect();
  return [name, x, y + window.scrollY, width, height];
})"""
OVERLAPS = """() => {
  const texts = [...document.querySelectorAll("#page svg text, #page p, #page button")];
  const boxes = texts.filter((each) => each.textContent.trim() && !each.closest(".buttons"))
    .map((each) => [each.textContent, each.getBoundingClientRect()]).filter(([, box]) => box.width);
  const meet = (one, other) => one.left + 1 < other.right && other.left + 1 < one.right
    && one.top + 3 < other.bottom && other.top + 3 < one.bottom;
  return boxes.flatMap(([text, box], k) =>
    boxes.slice(k + 1).filter(([, other]) => meet(box, other)).map(([other]) => [text, other]));
}"""


@pytest.mark.parametrize("size", [PHONE, SCREEN])
def test_a_pass_is_fired_by_clicks_and_keys_and_moves_no_box(
    opened: Callable[..., Reader], size: tuple[int, int]
):
    reader = opened(lesson("firing-order"), size=size)
    reader.to_step(6)
    places = reader.js(BOXES)
    node = {name: reader.page.get_by_role("button", name=name, exact=True) for name in "onspq"}
    node["o"].click()
    assert reader.text(".played .sentence").startswith("o starts with 1.")
    node["o"].focus()
    reader.press("Enter")
    assert reader.js("document.activeElement.dataset.node") == "10", "it keeps the focus"
    assert reader.text(".played .sentence").startswith("o (tanh) passed +0.5 to n.")
    node["s"].click()
    assert reader.text(".played .sentence") == "s can't fire yet: it waits for 1 of 1."
    assert (reader.js(BOXES), reader.js(OVERLAPS)) == (places, [])
    assert not reader.may_go
    reader.button("Why the order?").click()
    assert "sends on what it holds at that moment: now 0." in reader.text(".played")
    reader.button("Fire anyway").click()
    node["n"].click()
    assert reader.text(".status") == "✓ Done."
    assert reader.may_go
    for name in "pq":
        node[name].click()
    assert "5 nodes have fired, 1 of them too early." in reader.text(".played")
    assert reader.js(OVERLAPS) == []


@pytest.mark.parametrize("size", [PHONE, SCREEN])
def test_epochs_are_taken_and_a_changed_leaf_begins_anew(
    opened: Callable[..., Reader], size: tuple[int, int]
):
    reader = opened(lesson("two-weights"), size=size)
    reader.to_step(6)
    places = reader.js(BOXES)
    reader.button("1 epoch").click()
    assert reader.page.get_by_role("slider", name="w1").get_attribute("aria-valuetext") == "1.5"
    assert "The loss 2.5 is from before the update." in reader.text(".played")
    assert not reader.may_go
    reader.button("10 epochs").click()
    assert reader.text(".status") == "✓ Done."
    assert (reader.js(BOXES), reader.js(OVERLAPS)) == (places, [])
    type_leaf(reader, 0, "3")
    assert "Epoch 0" in reader.text(".played")
    reader.button("1 epoch").click()
    assert "w1 goes against its gradient: 3 − 0.5 × 2 = 2." in reader.text(".played")
    reader.page.locator(".reset").click()
    assert "Epoch 0" in reader.text(".played")
    assert reader.may_go, "what is done stays done"


@pytest.mark.parametrize(("name", "at"), played("hand") + played("descent"))
def test_show_me_plays_a_step_to_its_end_from_wherever_it_is(
    opened: Callable[..., Reader], name: str, at: int
):
    reader = opened(lesson(name))
    reader.js("(at) => { session.at = at; render(''); }", at)
    type_leaf(reader, 0, "7")
    for _ in range(20):
        if reader.text(".status"):
            break
        reader.button("Show me").click()
    assert reader.text(".status") == "This is one way."
    assert reader.may_go
