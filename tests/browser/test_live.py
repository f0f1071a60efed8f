"""A page computes and writes numbers as the engine does, in real browsers."""

import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path

import pytest

from app.takeaway.estimated_layout import laid_out_drawing
from app.takeaway.graph_page import PageOptions, page_of_graph
from app.takeaway.html_page import html_page, resource
from app.takeaway.page_data import AskedSteps, PageData
from app.takeaway.page_parts import narration_text, state_of, strip_of, text_of
from app.workbench.playback.view_state import view_of
from engine import from_expression
from engine.edits import set_label
from engine.formats.native import Drawing
from engine.frame import frame_at
from engine.graph import LABEL_LIMIT
from engine.numbers import short, signed
from engine.ops import BY_NAME, OPS, Op
from engine.rules import BY_NAME as RULES
from engine.rules import CORRECT, Rules
from engine.trace import run, run_forward
from tests.app.takeaway.test_live_page import EXAMPLES, drawings, number_sets
from tests.browser.reader import (
    IN_FIREFOX,
    PHONE,
    SCREEN,
    SMALL,
    Reader,
    Windows,
    first_in_firefox,
    made,
)
from tests.browser.test_pages import judged_otherwise
from tests.engine.test_ops import points
from tests.helpers.exported import plain
from tests.helpers.sampling import is_whole, sampled, sized, spread

Read = Callable[..., Reader]
SPECIALS = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 20.0, 709.78, -745.2, 1e308, 5e-324, math.pi / 2)
NOT_FINITE = (math.inf, -math.inf, math.nan)
DRAWN = 40
MOST_RELATIVE_ERROR = 1e-12

COMPUTE = """([script, inputs]) => {
  const ops = new Function(script + '; return OPS;')();
  const written = (x) => (Object.is(x, -0) ? '-0' : String(x));
  return inputs.map(([op, ...texts]) => {
    const numbers = texts.map(Number), [forward, ...slopes] = ops[op], out = forward(...numbers);
    return [out, ...slopes.map((slope) => slope(...numbers, out))].map(written);
  });
}"""


def from_page(text: str) -> float:
    return float(text.replace("Infinity", "inf"))


def for_page(x: float) -> str:
    return repr(x).replace("inf", "Infinity").replace("nan", "NaN")


def inputs_of(ops: Sequence[Op]) -> list[tuple[Op, tuple[float, ...]]]:
    """Inputs at which something happens, and drawn ones."""
    rng, found = random.Random(1), list[tuple[Op, tuple[float, ...]]]()
    for op in ops:
        every = sized(2, 1) * (1 if len(op.slots) < 3 else 3)
        specials = (*SPECIALS, *NOT_FINITE)[::every]
        drawn = [tuple(rng.uniform(-6, 6) for _slot in op.slots) for _ in range(DRAWN)]
        each = (*product(specials, repeat=len(op.slots)), *points(op), *drawn)
        found += [(op, numbers) for numbers in each]
    return found


def differing(read: Read, ops: Sequence[Op], planted: tuple[str, str] = ("", "")) -> list[object]:
    """The numbers that a page computes otherwise than the engine, with a planted change."""
    inputs = inputs_of(ops)
    table = ",\n".join(f"{op.name}: {op.javascript}" for op in ops)
    script = f"{resource('functions.js')}\n{resource('normal.js')}\nconst OPS = {{{table}}};"
    assert planted[0] in script
    script = script.replace(*planted)
    rows = [[op.name, *map(for_page, numbers)] for op, numbers in inputs]
    wrong: list[object] = []
    for (op, numbers), texts in zip(inputs, read("blank").js(COMPUTE, [script, rows]), strict=True):
        theirs = [from_page(text) for text in texts]
        # a slope at the page's own value, by which it computes
        mine = [op.forward(*numbers), *(p(*numbers, theirs[0]) for p in op.partials)]
        pairs = zip(mine, theirs, strict=True)
        wrong += [(op.name, numbers, x, y) for x, y in pairs if not is_same(float(x), y)]
    return wrong


def is_same(mine: float, theirs: float) -> bool:
    """Whether they are of one kind, nan, infinite or with a sign, and equal to six digits."""
    if not (math.isfinite(mine) and math.isfinite(theirs) and mine and theirs):
        return repr(mine) == repr(theirs)
    is_near = abs(mine - theirs) <= MOST_RELATIVE_ERROR * abs(mine)
    return is_near and all(short(mine, digits) == short(theirs, digits) for digits in (2, 4, 6))


@IN_FIREFOX
def test_operations_in_a_page_have_the_engines_values_and_slopes(read: Read):
    assert differing(read, OPS) == []


PLANTED = (
    ("pow", "b !== 0 ? b", "b ? b"),  # nan is false in JavaScript
    ("pow", "a === 1 ||", "false ||"),
    ("sigmoid", "a < SIGMOID_ZERO_BELOW ? 0 :", ""),
    ("gelu", "8.45062911510467529297e-1", "8.4506291e-1"),
)


@pytest.mark.parametrize(("name", "text", "instead"), sampled(PLANTED, every=2))
def test_a_planted_change_of_an_operation_is_found(read: Read, name: str, text: str, instead: str):
    assert differing(read, [BY_NAME[name]], (text, instead)) != []


# a whole pass, as text

SAY = """([sets, digits]) => sets.map((numbers) => {
  const typed = numbers.map(([node, text]) => [node, Number(text)]);
  setLeaves({ ...OWN_NUMBERS, ...Object.fromEntries(typed) });
  const shown = (k) => ({ ...filledState(STATES[k].at(-1)) });
  const steps = page.steps.slice(0, -1).map((found, k) => [plain(saying(found)), shown(k)]);
  const ends = [plain(endSentence(page.steps.at(-1))), plain(endLine())];
  const all = Object.values(fields), raw = all.map((x) => (Object.is(x, -0) ? '-0' : String(x)));
  const forms = (x) => digits.map((count) => [short(x, count), short(x, count, '+')]);
  setLeaves({ ...OWN_NUMBERS });
  return [steps, ends, raw, all.map(forms)];
})"""
WRITE = """([texts, digits]) => texts.map((text) => digits.map((count) =>
  [short(Number(text), count), short(Number(text), count, '+')]))"""
DIGITS = (2, 4, 6)
LIVE = ("kinks", "brackets", "bad", "shared-leaf", "neuron")


def crossed() -> list[tuple[str, Drawing]]:
    """All drawings by name, or where little is done those at which most happens."""
    return [each for each in drawings() if is_whole() or each[0] in LIVE]


_LIVE: dict[tuple[int, PageOptions], tuple[Drawing, PageData]] = {}


def live(drawing: Drawing, options: PageOptions) -> PageData:
    """The page of a drawing, made once: both browsers and several tests open it."""
    key = id(drawing), options
    if key not in _LIVE:
        _LIVE[key] = drawing, page_of_graph(drawing, "Live", options)
    return _LIVE[key][1]


@pytest.fixture
def live_page(windows: Windows, tmp_path: Path) -> Iterator[Callable[..., Reader]]:
    """Open a page, or that of a drawing, with a planted change of its script."""
    readers: list[Reader] = []

    def open_page(
        of: Drawing | PageData,
        planted: tuple[str, str] = ("", ""),
        size: tuple[int, int] = PHONE,
        ask: AskedSteps = "none",
        rules: Rules = CORRECT,
        mistakes: tuple[Rules, ...] = (),
    ) -> Reader:
        options = PageOptions(ask=ask, rules=rules, mistakes=mistakes)
        text = html_page(live(of, options) if isinstance(of, Drawing) else of)
        if planted[0]:
            assert planted[0] in text
            text = without_policy(text.replace(*planted))
        path = tmp_path / f"{len(readers)}.html"
        path.write_text(text, "utf-8")
        if readers:  # who sat at the same window
            readers[-1].close()
        readers.append(Reader(windows, path, size))
        return readers[-1]

    yield open_page
    if readers:
        readers[-1].close()
    assert [each for reader in readers for each in reader.complaints] == []


def without_policy(text: str) -> str:
    """A page whose scripts may be changed."""
    return re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)


def told_otherwise(reader: Reader, drawing: Drawing, rules: Rules = CORRECT) -> list[object]:
    """What a page says or writes otherwise than the window, at all sets of numbers."""
    sets, wrong = list(number_sets(drawing.graph)), list[object]()
    given = [[[leaf, for_page(x)] for leaf, x in leaves.items()] for leaves in sets]
    for leaves, (steps, ends, raw, written) in zip(
        sets, reader.js(SAY, [given, DIGITS]), strict=True
    ):
        graph = drawing.graph.with_values(leaves)
        frames = [
            frame_at(trace, k)
            for trace in (run_forward(graph), run(graph, rules=rules))
            for k in range(1, len(trace) + 1)
        ]
        for frame, (says, state) in zip(frames, steps, strict=True):
            if says != plain(narration_text(frame, 4)) or state != state_of(frame, 4):
                wrong.append((leaves, frame.phase, frame.cursor, says))
        strip = strip_of(view_of(frames[-1]), 4)
        if ends != [plain(text_of(text)) for text in (strip.sentence, strip.answer)]:
            wrong.append((leaves, "end", ends))
        for text, forms in zip(raw, written, strict=True):
            x = from_page(text)
            if forms != [[short(x, count), signed(x, count)] for count in DIGITS]:
                wrong.append((x, forms))
    return wrong


@IN_FIREFOX
@pytest.mark.parametrize(("name", "drawing"), crossed())
def test_a_page_says_and_shows_what_the_window_does_at_all_numbers(
    live_page: Callable[..., Reader], name: str, drawing: Drawing
):
    assert told_otherwise(live_page(drawing), drawing) == [], name


@pytest.mark.parametrize("name", ["assign", "mul-own-input", "zero-leaves-only"])
def test_a_page_under_a_mistake_follows_its_steps(live_page: Callable[..., Reader], name: str):
    drawing, rules = dict(drawings())["kinks"], RULES[name]
    assert told_otherwise(live_page(drawing, rules=rules), drawing, rules) == []


OFFERED = (RULES["assign"], RULES["recursive"])


def choose(reader: Reader, title: str) -> None:
    reader.page.get_by_label("Mistake in the pass").select_option(title)


@pytest.mark.parametrize("size", [PHONE, SCREEN])
def test_a_mistake_of_the_menu_is_made_in_the_pass_and_unmade(
    live_page: Callable[..., Reader], size: tuple[int, int]
):
    drawing = dict(drawings())["kinks"]
    reader = live_page(drawing, size=size, mistakes=OFFERED)
    reader.to_step(9)
    for rules in OFFERED:
        choose(reader, rules.title)
        assert told_otherwise(reader, drawing, rules) == []
        assert reader.count.startswith("9 of")
        reader.press("ArrowDown", "ArrowUp")
        assert reader.count.startswith("9 of"), "keys are the menu's"
    reader.js("go(page.steps.length - 1)")
    choose(reader, "No mistake")
    assert told_otherwise(reader, drawing) == []
    assert reader.count.split(" of ")[0] == reader.count.split(" of ")[1], "its own last step"


UNREACHED = """() => {
  // leaves that no scrolling of their row brings up, and a menu without room for its longest title
  const row = document.querySelector('.chips'), found = [];
  for (const chip of row.children) {
    chip.scrollIntoView({ block: 'nearest' });
    const [{ left, right, top, bottom }, to] = [chip, row].map((e) => e.getBoundingClientRect());
    const isIn = left >= to.left && right <= to.right && top >= to.top && bottom <= to.bottom;
    const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!isIn || !chip.contains(seen)) found.push(chip.textContent);
  }
  const menu = document.querySelector('.mistakes'), text = document.createElement('span');
  document.body.append(text);
  text.style.font = getComputedStyle(menu).font;
  for (const { textContent } of menu.options) {
    text.textContent = textContent;
    if (text.offsetWidth + 32 > menu.offsetWidth) found.push(textContent);
  }
  text.remove();
  return [row.children.length, found, row.scrollWidth - row.clientWidth];
}"""


@pytest.mark.parametrize("count", [3, 5, 20])
def test_beside_the_menu_of_mistakes_a_finger_reaches_each_leaf(
    live_page: Callable[..., Reader], count: int
):
    leaves = [f"x{k}" for k in range(count)]
    graph = from_expression("+".join(leaves), dict.fromkeys(leaves, -1.5))
    reader = live_page(laid_out_drawing(graph), mistakes=OFFERED)
    sideways = 0  # a sideways drag changes a number, and scrolls nothing
    assert reader.js(UNREACHED) == [count, [], sideways]
    assert not reader.has(".step .note")
    choose(reader, OFFERED[0].title)
    assert reader.text(".step .note") == OFFERED[0].sentence


@pytest.mark.parametrize("size", [PHONE, SCREEN])
def test_a_mistake_is_seen_in_the_figure_at_any_numbers(
    live_page: Callable[..., Reader], size: tuple[int, int]
):
    reader = live_page(SHARED, size=size, mistakes=(RULES["assign"],))
    for end, struck, is_wrong in (
        ("#step=9", 0, False),
        ("#step=9&mistake=assign", 1, True),
        ("#a=5&step=9&mistake=assign", 1, True),
        ("#f=0&step=9&mistake=assign", 1, False),  # nothing was lost
    ):
        open_at(reader, end)
        assert reader.page.locator(".focus .chip.struck").count() == struck, end
        assert ("✘" in "".join(seen(reader)[2])) == is_wrong, end
        assert reader.has(".focus .t-number.wrong") == is_wrong, end
        assert ("First difference" in sentence(reader)) == is_wrong, end


PLANTED_IN_PAGES = (
    ("kinks", 'figures[count] >= "5"', 'figures[count] > "5"'),
    ("kinks", "(gradients[node] ?? 0) + contribution", "contribution"),
    ("brackets", 'isSigned && marks.includes("(")', "isSigned"),
    ("kinks", "CONVENTIONS[op]?.[slot]", "CONVENTIONS.none?.[slot]"),
    ("bad", "!isFirst) return null", "false) return null"),
)


@pytest.mark.parametrize(("name", "text", "instead"), sampled(PLANTED_IN_PAGES, every=2))
def test_a_planted_change_of_the_pass_or_of_numbers_is_found(
    live_page: Callable[..., Reader], name: str, text: str, instead: str
):
    drawing = dict(drawings())[name]
    assert told_otherwise(live_page(drawing, (text, instead)), drawing) != []


def numbers_to_write() -> list[float]:
    """Numbers of all sizes, with noise beside them, at halves of a last digit, and at the ends."""
    rng, found = random.Random(2), [0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, 1.7976e308]
    for _ in range(400):
        x = round(rng.uniform(-10, 10), rng.randint(0, 6)) * 10.0 ** rng.randint(-9, 12)
        noisy = x * (1 + rng.choice((1e-16, 3e-14, 3e-12, 3e-10)))
        half = (rng.randint(-9_999, 9_999) + 0.5) * 10.0 ** rng.randint(-8, 9)
        found += [x, noisy, half, rng.uniform(-1, 1) * 10.0 ** rng.randint(-300, 300)]
    whole = [float(rng.randint(-99_999_999, 99_999_999)) for _ in range(200)]
    return [*found, *whole, *(x * (1 + 2e-16) for x in whole), *(x * (1 + 1e-13) for x in whole)]


def written_otherwise(reader: Reader) -> list[object]:
    numbers = numbers_to_write()
    found = reader.js(WRITE, [list(map(for_page, numbers)), DIGITS])
    expected = [[[short(x, count), signed(x, count)] for count in DIGITS] for x in numbers]
    return [each for each in zip(numbers, found, expected, strict=True) if each[1] != each[2]]


@IN_FIREFOX
def test_a_page_writes_numbers_as_the_engine_does(live_page: Callable[..., Reader]):
    assert written_otherwise(live_page(dict(drawings())["kinks"])) == []


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("const NOISE = 1e-12", "const NOISE = 1e-11"),
        ("const NOISE_OF_WHOLE = 4", "const NOISE_OF_WHOLE = 4000"),
        ("EXPONENT_FROM = 7", "EXPONENT_FROM = 8"),
        ('"0".repeat(Math.max(0, digits - shown))', '""'),
    ],
)
def test_a_planted_change_of_how_numbers_are_written_is_found(
    live_page: Callable[..., Reader], text: str, instead: str
):
    assert written_otherwise(live_page(dict(drawings())["kinks"], (text, instead))) != []


# judging


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("if (rounds(number, right)) return", "if (false) return"),
        ("slips.filter((slip) => rounds(number, slip.number))", "[]"),
        ("MOST_RELATIVE_ERROR = 0.01", "MOST_RELATIVE_ERROR = 0.001"),
        ("const TOLERANCE = 1e-9", "const TOLERANCE = 1e-4"),
    ],
)
def test_a_planted_change_of_judging_is_found(
    live_page: Callable[..., Reader], text: str, instead: str
):
    reader = live_page(made("neuron"), (text, instead))
    assert judged_otherwise(reader, "neuron") != []


# the row of numbers


def drag(reader: Reader, place: int, steps: int, *, lifts: bool = True) -> None:
    """Drag a number sideways by so many of its steps, as a finger does."""
    box = reader.page.locator(".leaf-chip").nth(place).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = reader.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 7 * steps, y, steps=3)
    reader.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    if lifts:
        mouse.up()


def sentence(reader: Reader) -> str:
    return reader.text(".sentence")


SHARED = laid_out_drawing(
    from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})
)


@pytest.mark.parametrize("size", [PHONE, SCREEN])
def test_what_a_dragged_number_moves_is_underlined_and_the_step_stays(
    live_page: Callable[..., Reader], size: tuple[int, int]
):
    reader = live_page(SHARED, size=size)
    reader.to_step(9)
    assert "−2 × −3 = +6" in sentence(reader)
    drag(reader, 0, 9, lifts=False)
    moved = reader.js("[...document.querySelectorAll('.focus .moved')].map((t) => t.textContent)")
    assert "2.9" in moved, "a itself"
    assert "−8.7" in moved, "e, which is a × b"
    assert "−2 × −3 = +6" in sentence(reader), "what e sends to a is made of b"
    reader.page.mouse.up()
    assert not reader.has(".moved")
    assert reader.count.startswith("9 of")
    drag(reader, 1, 10)
    assert "−2 × −2 = +4" in sentence(reader)
    reader.page.locator(".reset").click()
    assert "−2 × −3 = +6" in sentence(reader)


TYPED = (
    ("1/3", "−2 × 0.3333 = −0.6667"),
    ("nan", "−2 × nan = nan"),
    ("∞", "−2 × inf = −inf"),
    ("-0,5", "−2 × −0.5 = +1"),
)
NO_NUMBERS = ("12 apples", "", "1,000", "1e999", "<b>", "x" * 4_400)


def test_a_number_is_typed_into_the_row_and_what_is_none_is_told(live_page: Callable[..., Reader]):
    reader = live_page(SHARED)
    reader.to_step(9)
    for typed, says in TYPED:
        type_leaf(reader, 1, typed)
        assert says in sentence(reader), typed
        assert not reader.text(".leaves .told")
    before = sentence(reader)
    for typed in NO_NUMBERS:
        type_leaf(reader, 0, typed)
        assert reader.text(".leaves .told"), typed
        assert sentence(reader) == before


def type_leaf(reader: Reader, place: int, text: str) -> None:
    reader.page.locator(".leaf-chip").nth(place).click()
    reader.page.locator(".leaf-field").fill(text)
    reader.press("Enter")


def test_the_row_goes_by_keys_and_is_a_slider_for_a_screen_reader(live_page: Callable[..., Reader]):
    reader = live_page(SHARED, size=SCREEN)
    reader.to_step(9)
    chip = reader.page.get_by_role("slider", name="b")
    chip.focus()
    reader.press("ArrowRight", "ArrowRight", "ArrowDown")
    assert reader.count.startswith("9 of")
    assert chip.get_attribute("aria-valuetext") == "−2.9"
    reader.press("Enter")
    reader.page.keyboard.type("-1")
    reader.press("Enter")
    assert "−2 × −1 = +2" in sentence(reader)
    reader.press("Escape")
    assert chip.get_attribute("aria-valuetext") == "−1"


AT_OWN_NUMBERS = "This is asked at the page's numbers, not at yours."


def test_numbers_rest_while_a_question_is_asked_and_at_the_end(live_page: Callable[..., Reader]):
    reader = live_page(SHARED, ask="last")
    reader.press("ArrowLeft")
    type_leaf(reader, 0, "7")
    assert "7" in reader.js("Object.values(filledState(STATES[session.at][0]))")
    reader.next()
    assert not reader.page.locator(".leaves").is_visible()
    assert reader.js("fields.v1") == 2
    assert reader.text(".step .note") == AT_OWN_NUMBERS
    reader.submit("-4")
    assert not reader.has(".step .note")
    reader.next()
    assert reader.count.startswith("11 of")
    end = reader.text(".sentence")
    assert "The pass is over" in end
    type_leaf(reader, 0, "7")
    assert "a.grad 4" in reader.text(".sentence")
    reader.page.locator(".reset").click()
    assert reader.text(".sentence") == end


MOVED_BY_DRAGS = """([mistakes, every, numbers]) => {
  // what moves or overlaps, over steps with their questions open and answered, and mistakes
  const texts = () => [...document.querySelectorAll('.focus text, .map text')]
    .filter((text) => text.textContent.trim()).map((text) => text.getBoundingClientRect());
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  const overlaps = () => {
    const found = texts();
    return found.some((a, k) => found.slice(0, k).some((b) => meet(a, b)));
  };
  const shapeOf = (node) =>
    node.getAttribute('transform') + node.querySelector('path, rect').outerHTML;
  const drawn = () => [...document.querySelectorAll('.focus .node, .map .node')];
  const boxes = () => drawn().map(shapeOf).join();
  const wrong = [];
  const look = (...place) => {
    const places = boxes();
    if (overlaps()) wrong.push([...place, 'overlaps']);
    const drags = live.leaves.flatMap(({ node }) => numbers.map((number) => [node, number]));
    for (const [node, number] of drags) for (const lifts of [false, true]) {
      stateBefore = lifts ? null : { ...stateNow() };
      setLeaves({ ...OWN_NUMBERS, [node]: number });
      showNumbers();
      stateBefore = null;
      if (overlaps()) wrong.push([...place, node, number, lifts, 'overlaps']);
      if (boxes() !== places) wrong.push([...place, node, number, lifts, 'moves']);
    }
  };
  let looked = 0;
  for (const mistake of ['', ...mistakes]) {
    setMistake(mistake);
    page.steps.forEach(({ questions = [] }, at) => {
      for (let done = 0; at % every === 0 && done <= questions.length; done += 1) {
        setLeaves({ ...OWN_NUMBERS });
        session = newSession();
        session.at = at;
        work().given.forEach((attempt, k) => { attempt.done = attempt.right = k < done; });
        work().place = Math.max(0, Math.min(done, questions.length - 1));
        render('');
        if (numbersRest()) continue; // as before the answer on a phone
        looked += 1;
        look(mistake, at, done);
      }
    });
  }
  return [looked, wrong];
}"""
DRAGGED = ("shared-leaf", "neuron", "by-hand")
LENGTHS = (-12.34, 0.123456, -1234.5)
FORMS: tuple[PageOptions, ...] = (
    PageOptions(ask="none"),
    PageOptions(ask="all"),
    PageOptions(ask="none", mistakes=(RULES["assign"], RULES["recursive"], RULES["mul-own-input"])),
)


@pytest.mark.parametrize("size", [PHONE, SCREEN])
@pytest.mark.parametrize(
    ("name", "form"),
    first_in_firefox(spread(EXAMPLES if is_whole() else DRAGGED, FORMS)),
    ids=lambda each: each if isinstance(each, str) else f"{each.ask}-{len(each.mistakes)}",
)
def test_a_drag_of_any_leaf_moves_no_box_and_overlaps_no_texts(
    live_page: Callable[..., Reader], name: str, form: PageOptions, size: tuple[int, int]
):
    """On pages that ask, with answers and blanks, and under mistakes."""
    options = {"ask": form.ask, "mistakes": form.mistakes}
    reader = live_page(dict(drawings())[name], size=size, **options)
    mistakes = [rules.name for rules in form.mistakes]
    every = 1 if is_whole() else 4
    looked, wrong = reader.js(MOVED_BY_DRAGS, [mistakes, every, LENGTHS])
    assert wrong == []
    assert looked > 1


def test_a_page_of_more_leaves_than_anybody_finds_says_so(live_page: Callable[..., Reader]):
    names = [f"x{k}" for k in range(61)]
    graph = from_expression(f"L = {' + '.join(names)}", dict.fromkeys(names, 1))
    reader = live_page(laid_out_drawing(graph))
    assert not reader.page.locator(".leaves").is_visible()
    assert "up to 60, and this graph has 61." in reader.text(".step .aside")
    reader.next()
    assert not reader.has(".step .aside")


CONTRADICTING = r"""(ends) => ends.flatMap((end) => {
  // numbers on the figure that are rounded to a whole one, or to one digit, without ≈
  location.hash = end;
  readLink();
  render('');
  const drawn = [...document.querySelectorAll('.focus text:not(.on-fill)')];
  const texts = drawn.map((text) => text.textContent);
  const found = texts.flatMap((text) => text.replace(/^= /, '').split(' × '))
    .filter((text) => /^[−+]?[\d.]+$/.test(text));
  const numbers = Object.entries(fields).filter(([key]) => 'vglcua'.includes(key[0]));
  const forms = numbers.flatMap(([, x]) => [4, 3, 2].map((digits) => [short(x, digits), x]));
  const isTrue = (text) => forms.some(([form, x]) => form.replace('+', '') === text.replace('+', '')
    && (form.includes('.') || Number.isInteger(x)));
  return found.filter((text) => !isTrue(text)).map((text) => [end, text, texts]);
})"""


@pytest.mark.parametrize("size", [PHONE, SCREEN])
def test_a_number_whose_room_leaves_whole_digits_alone_is_about(
    live_page: Callable[..., Reader], size: tuple[int, int]
):
    drawing = laid_out_drawing(from_expression("L = (a*b + a)*f", {"a": 1.5, "b": -2, "f": 4}))
    reader = live_page(drawing, size=size)
    ends = ["#a=2.1&b=-2.4&f=4.3&step=9", "#a=2.1&step=11", "#a=-12.34&b=7.77&f=0.31&step=11"]
    assert reader.js(CONTRADICTING, ends) == []


def test_while_a_number_is_dragged_texts_change_alone(live_page: Callable[..., Reader]):
    reader = live_page(SHARED, size=SCREEN, ask="all")
    reader.to_step(9)
    reader.submit("4")
    assert reader.verdict
    drag(reader, 0, 2, lifts=False)
    assert not reader.verdict, "it was about other numbers"
    held = "const held = () => [...document.querySelectorAll('.focus *, .step *, .ask *')];"
    reader.js(f"{held} window.before = held()")
    for k in (5, 3, 9):
        reader.page.mouse.move(100 + 7 * k, 700)
        reader.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    same = f"{held} held().length === before.length && held().every((e, k) => e === before[k])"
    assert reader.js(same)
    dragged = reader.js("stateNow().v1")
    assert dragged == reader.page.locator(".leaf-chip output").first.text_content()
    assert dragged in reader.text(".focus")
    spoken = "document.querySelector('.step').ariaLive"
    assert reader.js(spoken) == "off", "each move would be said"
    reader.page.mouse.up()
    assert not reader.js(same)
    assert reader.js(spoken) == "polite"


CRAMMED = """() => {
  // of each step: what scrolls sideways, is cut without an ellipsis, or overlaps
  const found = [];
  const look = (place) => {
    const across = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > across) found.push([place, 'scrolls sideways']);
    for (const e of document.querySelectorAll('#page *')) {
      if (!e.getClientRects().length || e.closest('.spoken, svg, input')) continue;
      const { overflowX, textOverflow } = getComputedStyle(e);
      const { left, right } = e.getBoundingClientRect();
      if (left < -0.5 || right > across + 0.5) found.push([place, 'beyond', e.className]);
      const isCut = overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1;
      if (isCut && textOverflow !== 'ellipsis') found.push([place, 'cut', e.className]);
    }
    const texts = [...document.querySelectorAll('.focus text, .map text, .leaf-chip > *')];
    const drawn = texts.filter((text) => text.textContent.trim());
    const boxes = drawn.map((text) => text.getBoundingClientRect());
    boxes.forEach((a, k) => boxes.slice(0, k).forEach((b, j) => {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 1.5 && high > 4) found.push([place, drawn[k].textContent, drawn[j].textContent]);
      if (a.left < 0 || a.right > across) found.push([place, 'beyond', drawn[k].textContent]);
    }));
  };
  page.steps.forEach((_, at) => {
    session.at = at;
    render('');
    look(at);
  });
  const long = live.leaves.map(({ node }, k) => [node, -0.123456 * 10 ** (k % 5)]);
  setLeaves(Object.fromEntries(long));
  render('');
  look('long numbers');
  return found;
}"""


@pytest.mark.parametrize("size", [PHONE, SMALL])
def test_long_labels_of_many_leaves_fit_a_phone_and_differ(
    live_page: Callable[..., Reader], size: tuple[int, int]
):
    leaves = [f"x{k}" for k in range(12)]
    graph = from_expression("+".join(leaves), dict.fromkeys(leaves, -1.5))
    for leaf in graph.leaves:
        label = f"the weight of the input number {graph.label(leaf)} of layer one"
        graph = set_label(graph, leaf, label[:LABEL_LIMIT])
    reader = live_page(laid_out_drawing(graph), size=size, ask="none")
    assert reader.js(CRAMMED) == []
    names = reader.page.locator(".leaf-chip b").all_text_contents()
    assert len({*names}) == len(leaves)
    reader.page.locator(".leaf-chip").first.press("Enter")
    assert reader.js(CRAMMED) == []


WIRE_LABEL = """() => {
  const found = document.querySelector('.focus .label:has(rect.fires)');
  return [found.textContent, found.classList.contains('asked')];
}"""


def test_while_a_number_is_dragged_an_answered_wire_is_drawn_as_after_the_drag(
    live_page: Callable[..., Reader],
):
    reader = live_page(SHARED, size=SCREEN, ask="all")
    reader.to_step(5)
    reader.next()
    step = reader.count
    reader.js("work().given.forEach((_, k) => showMe())")
    assert reader.count == step
    answered = reader.js(WIRE_LABEL)
    assert not answered[1]
    drag(reader, 2, 3, lifts=False)
    held = reader.js(WIRE_LABEL)
    assert held == ["?", True], "it is asked again, at other numbers"
    for steps, shown in ((0, answered), (3, held)):
        box = reader.page.locator(".leaf-chip").nth(2).bounding_box()
        assert box is not None
        reader.page.mouse.move(box["x"] + box["width"] / 2 + 7 * steps, box["y"] + 9)
        reader.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert reader.js(WIRE_LABEL) == shown, steps
    reader.page.mouse.up()
    assert reader.js(WIRE_LABEL) == held


SQUEEZED = """(ends) => ends.flatMap((end) => {
  // numbers of ledgers that touch their mark or border, overlap, or have letters much too narrow
  location.hash = end;
  readLink();
  const found = [];
  page.steps.forEach((_, k) => {
    session.at = k;
    render('');
    for (const node of document.querySelectorAll('.focus .node:has(.chip)')) {
      let from = 0;
      const look = (text, start, to) => {
        const { x, width } = text.getBBox(), natural = widthOf(text.textContent, 'chip');
        const isFree = x >= start + 1.5 && x + width <= to - 5;
        if (!isFree || natural > width * 1.45) found.push([end, k + 1, text.textContent]);
      };
      for (const chip of node.querySelectorAll('.chip')) {
        const { x, width } = chip.querySelector('rect').getBBox();
        const { x: left, width: wide } = chip.querySelector('use').getBBox();
        if (x < from) found.push([end, k + 1, chip.textContent]);
        look(chip.querySelector('text'), left + wide, x + width);
        from = x + width;
      }
      const { width: most } = node.querySelector('.body').getBBox();
      look(node.querySelector(':scope > text:last-of-type'), from, most);
    }
  });
  return found;
})"""


@pytest.mark.parametrize("ask", ["all", "none"])
@pytest.mark.parametrize("size", [PHONE, SMALL, SCREEN])
def test_numbers_of_a_ledger_keep_clear_of_the_borders_of_their_chips(
    live_page: Callable[..., Reader], size: tuple[int, int], ask: AskedSteps
):
    for name, ends in (
        ("shared-leaf", ("#", "#a=-12.34&b=0.0777&f=3.3", "#a=123.4&b=-88.8&f=-0.31")),
        ("brackets", ("#", "#a=-2.4&b=1.7&c=3.3")),
    ):
        reader = live_page(dict(drawings())[name], size=size, ask=ask)
        assert reader.js(SQUEEZED, ends) == [], name


# this moment as a link


def open_at(reader: Reader, end: str) -> None:
    """Open the page by its address with this end, as from a message."""
    reader.page.goto(reader.js("location.href").split("#")[0] + end)
    reader.page.reload()


def seen(reader: Reader) -> tuple[str, str, list[str]]:
    texts = "[...document.querySelectorAll('.focus text')].map((t) => t.textContent)"
    return reader.count, sentence(reader), reader.js(texts)


def test_a_link_opened_elsewhere_shows_the_same_texts(live_page: Callable[..., Reader]):
    reader = live_page(SHARED, ask="last")
    for _ in range(3):
        reader.press("ArrowLeft")
    type_leaf(reader, 0, "1/3")
    type_leaf(reader, 1, "-∞")
    end = reader.js("location.hash")
    assert end == "#a=0.3333333333333333&b=-inf&step=7"
    there = seen(reader)
    other = live_page(SHARED, ask="last")
    open_at(other, end)
    assert seen(other) == there
    other.next()
    assert other.count.startswith("8 of"), "what is before the link is passed over"


def test_the_end_keeps_the_numbers_and_back_leads_to_them(live_page: Callable[..., Reader]):
    reader = live_page(SHARED, mistakes=OFFERED)
    open_at(reader, "#a=7&step=11&mistake=assign")
    there = seen(reader)
    reader.next()
    assert reader.count == "End"
    assert reader.js("location.hash") == "#a=7&mistake=assign"
    assert "7" in reader.js("[...document.querySelectorAll('.map text')].map((t) => t.textContent)")
    reader.button("Back").click()
    assert seen(reader) == there


SCROLLED_OPEN = """() => {
  // how far it is scrolled, and what a reader needs first that is not in view
  const sides = (selector) => document.querySelector(selector).getBoundingClientRect();
  const floor = sides('.buttons').top, wanted = ['h1', '.count', '.figure', '.sentence', '.field'];
  const isSeen = (part) => sides(part).top >= 0 && sides(part).bottom <= floor;
  return [scrollY, wanted.filter((part) => !isSeen(part))];
}"""


def test_a_phone_opens_a_link_to_a_question_at_the_top_of_the_page(
    live_page: Callable[..., Reader],
):
    reader = live_page(SHARED, ask="all")
    for step in range(5, 11):  # 9 is asked in two lines
        open_at(reader, f"#step={step}")
        assert reader.js(SCROLLED_OPEN) == [0, []], step
    reader.page.set_viewport_size({"width": SMALL[0], "height": SMALL[1]})
    open_at(reader, "#step=9")
    assert reader.js(SCROLLED_OPEN)[1] == ["h1", ".count"], "less is in view than the question"


def test_a_link_passes_over_steps_that_ask(live_page: Callable[..., Reader]):
    reader = live_page(SHARED, ask="all")
    open_at(reader, "#step=9")
    assert reader.count.startswith("9 of")
    reader.submit("6")
    reader.next()
    assert reader.count.startswith("9 of"), "the sum of this step"
    assert "Right" not in reader.js("recordText()")
    assert reader.js("allAttempts().filter(({ attempt }) => wasTouched(attempt)).length") == 1


def test_a_link_to_a_question_keeps_its_numbers_or_says_that_these_are_not_asked_about(
    live_page: Callable[..., Reader],
):
    reader = live_page(SHARED, ask="all", size=SCREEN)
    open_at(reader, "#f=-1.4&step=5")
    assert reader.count.startswith("5 of")
    assert reader.js("location.hash") == "#f=-1.4&step=5"
    assert not reader.has(".step .note")
    reader.submit("-1.4")
    assert reader.verdict.startswith("Right: ")
    assert reader.js("session.practised") == {"asked": 1, "right": 1}
    reader.next()
    assert reader.js("location.hash") == "#step=5"
    assert reader.text(".step .note") == AT_OWN_NUMBERS
    reader.js("delete page.steps[4].questions[0].like")  # it has no formulas for other numbers
    reader.page.goto(reader.page.url.split("#")[0] + "#a=7&step=5")
    assert reader.js("[location.hash, fields.v1]") == ["#step=5", 2]
    assert reader.text(".step .note") == AT_OWN_NUMBERS


def test_a_link_with_parts_that_cannot_be_read_says_so_in_one_sentence(
    live_page: Callable[..., Reader],
):
    reader = live_page(SHARED)
    say = "The link says more than this page can read: {}."
    for end, left in {
        "#a=7&step=3": "",
        "#a=7&zz=3": "zz = 3",
        "#a=apples&step=99&b": "a = apples, step = 99, b",
        "#mistake=none&<img src=x onerror=alert(1)>=<b>": "mistake = none, <img src = x onerror=a…",
        "#" + "&".join(f"n{k}=1" for k in range(200)): "200 parts",
    }.items():
        address = reader.page.url.split("#")[0]
        reader.page.goto("about:blank")
        reader.page.goto(address + end)
        notes = reader.page.locator(".step .note").all_text_contents()
        assert notes == ([say.format(left)] if left else []), end
        assert not reader.has(".step img, .step b b")
    reader.next()
    assert not reader.has(".step .note"), "said where the link leads"


def test_a_number_in_little_room_has_fewer_digits_before_it_has_an_exponent(
    live_page: Callable[..., Reader],
):
    reader = live_page(SHARED, size=SCREEN)
    found = reader.js(
        """(numbers) => numbers.flatMap((x) => {
          fields = { v1: x };
          const hole = { holes: { v1: "\ufdd0v1:4+\ufdd1" } };
          const text = filled(hole.holes.v1);
          const fitted = (_, room) => fittedText(hole, "v1", { text }, "number", room);
          return Array.from({ length: 60 }, fitted);
        })""",
        [12.34, -12.34, 9.996, 0.1234, 123.4, 999.6, -0.05],
    )
    assert [text for text in found if "e" in text] == []
    assert {"+12.34", "+12.3", "−12.3", "+0.12"} <= {*found}
    assert not {"+12", "−12", "+123"} & {*found}, "a whole number that is none is marked"


def test_a_link_names_the_mistake(live_page: Callable[..., Reader]):
    reader = live_page(SHARED, mistakes=OFFERED)
    type_leaf(reader, 0, "7")
    choose(reader, OFFERED[0].title)
    reader.to_step(9)
    end = reader.js("location.hash")
    assert end == "#a=7&step=9&mistake=assign"
    there = seen(reader)
    assert "forgets the −2" in there[1]
    other = live_page(SHARED, mistakes=OFFERED)
    for known in (end, end.replace("assign", "ASSIGN&mistake=assign"), "#a=7&step=9"):
        open_at(other, known)
        assert (seen(other) == there) == (known == end), known


def test_leaves_with_names_of_a_link_are_in_it(live_page: Callable[..., Reader]):
    graph = from_expression("L = step*mistake", {"step": 2, "mistake": 3})
    reader = live_page(laid_out_drawing(graph), mistakes=OFFERED)
    choose(reader, OFFERED[0].title)
    reader.to_step(3)
    type_leaf(reader, 0, "7")
    type_leaf(reader, 1, "-4")
    end = reader.js("location.hash")
    assert end == "#step.=7&mistake.=-4&step=3&mistake=assign"
    there = seen(reader)
    other = live_page(laid_out_drawing(graph), mistakes=OFFERED)
    open_at(other, end)
    assert seen(other) == there


def test_a_page_opens_with_a_mistake_that_its_reader_can_take_back(
    live_page: Callable[..., Reader],
):
    opened = ('id="page"', 'id="page" data-opening="#mistake=assign"')
    reader = live_page(SHARED, opened, mistakes=OFFERED)
    assert reader.text(".step .note") == OFFERED[0].sentence
    choose(reader, "No mistake")
    end = reader.js("location.hash")
    reader.page.reload()
    assert (end, reader.has(".step .note")) == ("#step=1", False)


HOSTILE = (
    *("<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "javascript:alert(1)"),
    *("%3Cb%3E", '"><svg onload=alert(1)>', "${alert(1)}", "__proto__", "constructor", "toString"),
    *("12 apples", "", "%", "%E0%A4%A", "9" * 4_400, "1/0*0", "1e999", "nan", "∞", "\u202e1"),
    *("-1", "2.5", "1e99", "NaN", "9999", "0", "&&===", "=", "&a=1" * 500, "\ufdd0v1:4\ufdd1", "#"),
)


def hostile_links() -> Iterator[str]:
    """Ends of an address whose names and numbers can't be read but by chance."""
    rng = random.Random(3)
    names = ("a", "step", "mistake", "b", *HOSTILE)
    for _ in range(sized(40, 100)):
        parts = (f"{rng.choice(names)}={rng.choice(HOSTILE)}" for _ in range(rng.randint(1, 4)))
        yield f"#{'&'.join(parts)}"


def test_a_hundred_hostile_links_run_no_script_and_throw_nothing(live_page: Callable[..., Reader]):
    reader = live_page(SHARED, mistakes=OFFERED)
    tags = reader.js("document.querySelectorAll('*').length")
    for k, end in enumerate(hostile_links()):
        if k % 10:
            reader.page.goto(reader.js("location.href").split("#")[0] + end)
        else:  # as from a message
            open_at(reader, end)
        assert reader.count in ("1 of 11", "End"), end
        assert reader.js("document.querySelectorAll('script, img').length") == 3, end
        assert abs(reader.js("document.querySelectorAll('*').length") - tags) < 12, end
        assert reader.js("mistake === NO_MISTAKE && Object.keys(leafNumbers).length === 3"), end


@pytest.mark.parametrize(("size", "place"), [(PHONE, ".foot"), (SCREEN, ".leaves")])
def test_the_link_is_copied_or_selected(
    live_page: Callable[..., Reader], size: tuple[int, int], place: str
):
    reader = live_page(SHARED, size=size)
    assert reader.page.locator(place).get_by_role("button", name="Copy link").is_visible()
    reader.js("delete Navigator.prototype.clipboard")
    type_leaf(reader, 0, "7")
    assert not reader.page.get_by_label("Link", exact=True).is_visible()
    reader.button("Copy link").click()
    assert reader.page.get_by_label("Link", exact=True).input_value().endswith("html#a=7")
    assert reader.js("getSelection().toString() || document.activeElement.value").endswith("#a=7")
