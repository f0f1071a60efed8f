"""Page parts: what an HTML page shows of a frame.

Its figure is a graph with the numbers known at the frame. Its sentences are those of the strip and
of lessons, as spans of the page. A page has the buttons Back, Show me and Step or Next, choices,
and no panels of the window, so some phrases of lessons are said in another way. A step of a
lesson that no page can do keeps the words of the window, behind "On a computer:".
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from app.canvas.appearance.captions import Captions
from app.canvas.layout.lanes import LaneAssignment
from app.canvas.layout.spatial_index import Sides, overlap
from app.canvas.layout.wire_path import Course, route_past, runs_back
from app.controls.spans import Span
from app.document.node_sizes import capsule_middle, is_pill, row_middle
from app.document.sheet import is_large
from app.style.sizes import SLOT
from app.takeaway.estimated_layout import estimated_sizes
from app.takeaway.page_data import Focus, GraphData, NodeData, PageSpan, PageText, StateChange
from app.workbench.gradients.comparison import correct_pass_words
from app.workbench.playback.view_state import ViewState, view_of
from app.workbench.words.ends import (
    EFFECTS,
    FIRST_CLAUSE,
    LATER_CLAUSE,
    LEAF_CHANGE,
    gradients_template,
)
from app.workbench.words.help import PRAISE_BY_TRIES
from app.workbench.words.narration import correct_pass_text, last_step_text, step_text
from app.workbench.words.strip import BLANK_ROLE_PREFIX, Strip, StripContext
from app.workbench.words.strip_writers import write_strip
from engine.asking.answering import RIGHT_ROUNDED
from engine.asking.judging import EMPTY, UNREAD
from engine.errors import EngineError
from engine.formats.native import Point
from engine.frame import Frame
from engine.graph import Graph, Root, Wire, kind_of
from engine.numbers import ASKED, COMMA_READINGS, Digits, short, signed
from engine.schedule import schedule_of
from engine.trace import Computed, Event

NAME_LENGTH: Final = 16
"""Most characters of a name on a node."""
LIVE_LENGTH: Final = 6
"""Characters of a number, such as −12.5, for which nodes of a live page have room."""
LIVE_GAP: Final = 72.0
"""The least gap in px between a node that was given room and the next one: a wire's label."""
_DECIMALS: Final = 1
"""Decimals of a coordinate in px; more would only make the file larger."""

State = Mapping[str, str]
"""The texts of the numbers on a figure by keys such as `v3`, see `app.takeaway.page_data`."""


def graph_data(
    graph: Graph, positions: Mapping[int, Point], digits: Digits, *, is_live: bool = False
) -> GraphData:
    """Return a graph with its layout in px, the upper left corner of nodes and wires at 0, 0.

    In one that is live a node has room for longer numbers, as far as the next node lets it.
    """
    captions = Captions(graph, lambda x: short(x, digits))
    boxes = _boxes(graph, positions)
    if is_live:
        boxes = _with_room(boxes, estimated_sizes(graph, LIVE_LENGTH)[0], graph)
    courses = wire_courses(graph, boxes)
    drawn = [*boxes.values(), *(course.bounds for course in courses.values())]
    left, top, right, bottom = (
        f((sides[k] for sides in drawn), default=0.0) for k, f in enumerate((min, min, max, max))
    )
    return GraphData(
        [
            _node_data(graph, node, boxes[node], (left, top), captions)
            for node in sorted(graph.nodes)
        ],
        root=-1 if graph.root is None else graph.root,
        width=round(right - left, _DECIMALS),
        height=round(bottom - top, _DECIMALS),
        arrivals=_arrivals(graph),
        courses={wire_key(wire): c.translated(-left, -top).svg for wire, c in courses.items()},
    )


def _node_data(graph: Graph, node: int, box: Sides, corner: Point, captions: Captions) -> NodeData:
    left, top, right, bottom = box
    readers = graph.outgoing.get(node, ())
    return NodeData(
        id=node,
        kind=kind_of(graph.nodes[node]),
        name=graph.title(node),
        short=graph.brief(node, NAME_LENGTH),
        x=round(left - corner[0], _DECIMALS),
        y=round(top - corner[1], _DECIMALS),
        width=round(right - left, _DECIMALS),
        height=round(bottom - top, _DECIMALS),
        symbol=captions.symbol(node),
        # the longest form that fits; other nodes than ops have no symbol and no formula
        formula=captions.formulas(node)[0] if captions.symbol(node) else "",
        captions=list(captions.slots(node)),
        inputs=list(graph.inputs(node)),
        seated=readers[0][0] if is_pill(graph, node) else None,
    )


def _boxes(graph: Graph, positions: Mapping[int, Point]) -> dict[int, Sides]:
    """Return the estimated rectangle of each node; one without a position is in a corner."""
    sizes, _label_widths = estimated_sizes(graph)
    placed = [positions[node] for node in graph.nodes if node in positions]
    corner = min((x for x, _y in placed), default=0.0), min((y for _x, y in placed), default=0.0)
    boxes: dict[int, Sides] = {}
    for node, (width, height) in sizes.items():
        x, y = positions.get(node, corner)
        boxes[node] = x, y, x + width, y + height
    return boxes


def _with_room(
    boxes: Mapping[int, Sides], wanted: Mapping[int, tuple[float, float]], graph: Graph
) -> dict[int, Sides]:
    """Return rectangles widened to the right, up to a gap before the next one."""
    found: dict[int, Sides] = {}
    for node, (left, top, right, bottom) in boxes.items():
        others = (n for n in boxes if n != node and not is_pill(graph, n))
        beside = (n for n in others if boxes[n][0] >= right and _share_a_height(boxes, n, node))
        # to a root nothing is sent, so its wire has no label
        gaps = ((n, LIVE_GAP / (1 + 2 * isinstance(graph.nodes[n], Root))) for n in beside)
        limit = min((boxes[n][0] - gap for n, gap in gaps), default=math.inf)
        width = 0.0 if is_pill(graph, node) else wanted[node][0]
        found[node] = left, top, max(right, min(left + width, limit)), bottom
    return found


def _share_a_height(boxes: Mapping[int, Sides], one: int, other: int) -> bool:
    return boxes[one][1] < boxes[other][3] and boxes[other][1] < boxes[one][3]


def wire_courses(graph: Graph, boxes: Mapping[int, Sides]) -> dict[Wire, Course]:
    """Return the course of each wire past the rectangles of the nodes, as on the canvas."""
    obstacles = {node: box for node, box in boxes.items() if not is_pill(graph, node)}
    courses: dict[Wire, Course] = {}
    lanes = LaneAssignment()
    for source, wire in graph.wires():
        if source not in obstacles or wire[0] not in obstacles:
            continue
        a, b = boxes[source], boxes[wire[0]]
        start = a[2] + SLOT / 2, a[1] + capsule_middle(kind_of(graph.nodes[source]))
        end = b[0] - SLOT / 2, b[1] + row_middle(kind_of(graph.nodes[wire[0]]), wire[1])
        own = () if runs_back(start, end) else (source, wire[0])  # back, it passes its own nodes
        route = route_past(start, end, [box for n, box in obstacles.items() if n not in own])
        lanes.set_route(wire, route)
        courses[wire] = route if isinstance(route, Course) else route.course()
    in_lanes = lanes.pop_changed(
        lambda area: [box for box in obstacles.values() if overlap(box, area)],
        graph.source,
        plain=is_large(graph),
    )
    return courses | {wire: route.course() for wire, route in in_lanes.items()}


def _arrivals(graph: Graph) -> dict[str, list[str]]:
    """Return the wires of each node's contributions, in the order of the correct backward pass.

    Both are keys as in JSON; {} for a graph without a backward pass.
    """
    if graph.root is None:
        return {}
    try:
        schedule = schedule_of(graph, graph.root, "backward")
    except EngineError:
        return {}
    return {
        str(node): [wire_key(wire) for k in steps if (wire := schedule.wires[k]) is not None]
        for node, steps in schedule.arrivals.items()
    }


def wire_key(wire: Wire) -> str:
    """Return the key of a wire, `sender.slot`; a letter before it makes a key of a state."""
    return f"{wire[0]}.{wire[1]}"


def state_of(frame: Frame, digits: Digits) -> State:
    """Return the texts of all numbers that a frame shows; hidden ones are `?`.

    While the next step is asked about, each number that its question asks for is `?`. Its receiver
    keeps the gradient from before the step: the one after it has the key `a` of the wire. A Root
    has its input's value and gradient under its own id.
    """
    state: dict[str, str] = {}
    for node, value in frame.values.items():
        state[f"v{node}"] = short(value, digits)
    for node, grad in frame.grads.items():
        state[f"g{node}"] = short(grad, digits)
    for event in frame.fired.values():
        state |= _event_texts(event, digits)
    state |= asked_texts(frame, digits)
    add_roots(state, frame.graph)
    return state


def asked_texts(frame: Frame, digits: Digits) -> State:
    """Return the texts of the numbers that are asked for, each `?`, and of those beside them."""
    state: State = {f"g{node}": "?" for node in frame.asked_finals}
    if frame.hides == "step" and frame.hides_number and frame.next_event is not None:
        state |= _event_texts(frame.next_event, digits)
    if frame.hides == "step" and isinstance(frame.upcoming, Computed):
        state[f"v{frame.upcoming.node}"] = short(frame.upcoming.value, digits)
    return state


def _event_texts(event: Event, digits: Digits) -> State:
    """Return the texts of the wire of a step of a backward pass, by their keys."""
    if event.wire is None:
        return {}
    wire = wire_key(event.wire)
    return {
        f"u{wire}": short(event.upstream, digits),
        f"l{wire}": short(event.local, digits),
        f"c{wire}": signed(event.contribution, digits),
        f"a{wire}": short(event.after, digits),
    }


def events_state(events: Sequence[Event], graph: Graph, digits: Digits) -> State:
    """Return the texts that some steps of a backward pass bring, each the gradient after it."""
    texts: dict[str, str] = {}
    for event in events:
        texts |= {f"g{event.node}": short(event.after, digits), **_event_texts(event, digits)}
    add_roots(texts, graph)
    return texts


def step_change(before: State, frame: Frame, digits: Digits) -> StateChange | None:
    """Return the change of the state of a frame, which hides nothing, by its last step."""
    step = frame.current
    if step is None or frame.cursor in (1, frame.total):
        return state_change(before, state_of(frame, digits))
    if isinstance(step, Computed):
        texts = {f"v{step.node}": short(step.value, digits)}
        add_roots(texts, frame.graph)
    else:
        texts = events_state([step], frame.graph, digits)
    changed = {key: text for key, text in texts.items() if before.get(key) != text}
    return StateChange(changed) if changed else None


def add_roots(state: dict[str, str], graph: Graph) -> None:
    """Give each Root the numbers of its input."""
    for node, root in graph.nodes.items():
        if isinstance(root, Root) and root.input is not None:
            for letter in "vg":
                if (text := state.get(f"{letter}{root.input}")) is not None:
                    state[f"{letter}{node}"] = text


def state_change(before: State, after: State) -> StateChange | None:
    """Return the difference of two states; None if they are equal."""
    changed = {key: text for key, text in after.items() if before.get(key) != text}
    removed = [key for key in before if key not in after]
    return StateChange(changed, removed) if changed or removed else None


def change_over(
    state: State, before: Mapping[str, str], after: Mapping[str, str]
) -> StateChange | None:
    """Return the difference of a state with some texts and with others in their place."""
    own = {key: text for key in (*before, *after) if (text := state.get(key)) is not None}
    return state_change({**own, **before}, {**own, **after})


def applied(state: State, change: StateChange | None) -> State:
    if change is None:
        return state
    found = {**state, **change.set}
    for key in change.gone:
        found.pop(key, None)
    return found


def focus_of(frame: Frame) -> Focus | None:
    """Return the focus on the step that is asked about, else on the last step; None without one."""
    step = frame.highlighted
    if step is None:
        return None
    number = frame.cursor + 1 if step is frame.upcoming else frame.cursor
    if isinstance(step, Computed) or step.wire is None:
        return Focus(step.node, step=number)
    return Focus(step.node, step.sender, wire_key(step.wire), number)


TYPED: Final = "+0000.000e00"
"""Placeholder of the reader's answer in a sentence of the strip: a spelling that nobody types."""
TYPED_PLACEHOLDER: Final = "…"
"""Shown in place of the reader's answer where no script runs."""
PAGE_WORDS: Final[Mapping[str, str]] = {
    "unread": UNREAD,
    "comma": COMMA_READINGS,
    "empty": EMPTY,
    "rounded": RIGHT_ROUNDED,
    **dict(zip(("first", "second", "third", "fourth"), PRAISE_BY_TRIES[1:], strict=True)),
    "more": FIRST_CLAUSE.replace("{step}", short(LEAF_CHANGE)),
    "later": LATER_CLAUSE,
    **correct_pass_words(),
    **{f"{effect} {alike}".lower(): text for (effect, alike), text in EFFECTS.items()},
}
"""`PageData.words`: the sentences that belong to no step."""
PHRASES: Final = {
    # where the window has Backward, Step begins the pass as well
    "Press Backward, then Step until the timeline is full.": "Press Step until the end.",
    " Both are beside the sentence.": "",
    "Press Backward, then Step, until": "Press Step until",
    " on the page **Mistakes**.": ".",
    "Watch the losses below the sheet:": "Watch the losses:",
    " The page **Numeric** draws the curve with its tangent.": "",
    " Afterwards the referee can be asked.": "",
    # what only the window lists
    "The page **Why** lists": "On a computer, the page **Why** lists",
    "step to the end; then click a and open Why": "step to the end",
}
"""The wording on a page of each phrase of a lesson, both with `**` for bold."""
STRIP_PHRASES: Final = {"Click it.": "Choose it."}
"""The same for spans of the strip."""


def strip_of(view: ViewState, digits: Digits) -> Strip:
    """Return the strip of a view: its sentence, and the line below it."""
    return write_strip(view, StripContext(digits=digits))


def text_of(spans: Sequence[Span]) -> PageText:
    """Return spans of the window as those of a page; TYPED becomes a span of role `typed`."""
    found: PageText = []
    for span in spans:
        for k, words in enumerate(span.text.split(TYPED)):
            if k:
                found.append([TYPED_PLACEHOLDER, "typed", *(["b"] if span.bold else [])])
            if words:
                found.append(_span(words, span))
    return found


def without_box(text: PageText) -> PageText:
    """Return a text with a plain `?` in place of the box of its question."""
    plain = [ASKED, "selection", "b"]
    return [plain if isinstance(span, list) and span[1] == "blank" else span for span in text]


def template_text(frame: Frame, digits: Digits) -> PageText:
    """Return the sentence about the last step of a frame of fields, without the correct pass.

    [] before the first step.
    """
    if frame.current is None:
        return []
    return text_of(last_step_text(view_of(frame), "plain", digits))


def verdict_text(frame: Frame, digits: Digits) -> PageText:
    """Return the remark about the correct pass at a step that goes wrong, else []."""
    return text_of(correct_pass_text(view_of(frame), digits))


def end_template(frame: Frame, digits: Digits) -> PageText:
    """Return the sentence about the end of a pass of fields."""
    return text_of(gradients_template(frame, digits))


def narration_text(frame: Frame, digits: Digits) -> PageText:
    """Return the sentence about the last step of a frame; [] before the first one."""
    if frame.current is None:
        return []
    return text_of(step_text(view_of(frame), "plain", digits))


def on_page(text: str) -> str:
    """Return a text of a lesson as a page says it.

    >>> on_page("Press Backward, then Step, until there is a number at grad in u.")
    'Press Step until there is a number at grad in u.'
    """
    for phrase, replacement in PHRASES.items():
        text = text.replace(phrase, replacement)
    return text


def _span(words: str, span: Span) -> PageSpan:
    """Return one span in its shortest form: a string, or a list without empty marks."""
    if span.under:
        words = f"{words}/{span.under}"
    if span.role == f"{BLANK_ROLE_PREFIX}0":
        return [words, "blank"]
    if span.role.startswith(BLANK_ROLE_PREFIX):  # a page has one box at a time
        return [ASKED, "selection", "b"]
    role = span.role
    marks = "b" * span.bold + "c" * span.code + "s" * span.strike
    if marks:
        return [words, role, marks]
    return words if role == "text" else [words, role]
