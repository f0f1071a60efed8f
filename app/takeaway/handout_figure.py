"""Handout figure: a graph at a step of a lecture, with an empty box for the number asked about.

The canvas's painter paints it. Nothing about the figure depends on a number that is hidden, not
even its size: a figure reserves space for the numbers that its page shows and for the box of the
number asked about. With SharedSizes it also reserves what the other pages show.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence, Set
from dataclasses import replace
from functools import cached_property, partial
from typing import Final, TypeVar

import msgspec
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from app.canvas.appearance.detail import smallest_text_size
from app.canvas.appearance.face import WholePass
from app.canvas.appearance.looks import ChipLook, LabelLook, Looks, NodeLook, NumberLook, Write
from app.canvas.layout.node_box import LEDGER_RIGHT, ledger_tops, total_middle
from app.canvas.layout.text_sizes import TextSizes
from app.canvas.paint import figure
from app.canvas.paint.figure import PictureOptions, scene_of
from app.canvas.paint.painter import paint_scene
from app.canvas.scene.scene import Scene
from app.document.node_sizes import PAD_LEFT, PAD_RIGHT, TextWidths, is_pill, number_middle
from app.document.sheet import Group, Sheet
from app.guide.play.slides import Slide
from app.style.strokes import width
from app.style.theme import PRINT
from app.takeaway.paper import PaperFigure, PaperSizes, fitted_figure
from app.takeaway.worksheet_figure import paint_box
from app.workbench.gradients.comparison import Comparison
from app.workbench.modes.hunt import HiddenMistake
from app.workbench.modes.quiz import LessonQuestions, Quiz
from app.workbench.playback.view_state import ViewState
from engine import numbers
from engine.asking.kinds import steps_before
from engine.asking.question import Question
from engine.frame import Frame
from engine.graph import Graph, Wire
from engine.numbers import HIDDEN, Digits
from engine.rules import CORRECT, Rules
from engine.trace import Computed, Event, Trace

LARGEST_TYPE: Final = 10.0
"""Size in pt that the smallest text of a figure has at most, where the page is larger."""
BOX_HEIGHT: Final = 18.0
"""Height in sheet px of the empty box: the space between two captions."""
_NAME_WIDTH: Final = 18.0
"""Width in sheet px left of a part of a graph for the names at the ends of wires that lead in."""
_SPACE: Final = "\N{EM SPACE}"


class SlideFigure(PaperFigure, frozen=True):
    """A figure on a handout; the number that `question` asks for is an empty box."""

    question: Question | None = None

    def paint(self, painter: QPainter, corner: QPointF) -> None:
        """Paint it with its upper left corner at a point."""
        painter.save()
        painter.translate(corner)
        painter.scale(self.scale, self.scale)
        painter.translate(-self.area.topLeft())
        paint_scene(painter, self.scene, PRINT, self.area, 1.0)
        if self.question is not None:
            for rect in _boxes(self.scene, self.question):
                paint_box(painter, rect)
        painter.restore()


def slide_figure(
    slide: Slide,
    sheet: Sheet,
    digits: Digits,
    space: tuple[float, float],
    nodes: frozenset[int] = frozenset(),
    shared: SharedSizes | None = None,
) -> SlideFigure:
    """Return the figure of a slide that fits a width and a height in px.

    `sheet` is that of its graph, of which only `nodes` are shown, if any are named. Its type is as
    large as fits, below LEAST_TYPE of `paper.py` only where nothing else fits. With `shared` sizes,
    the figures of all these slides are equal in layout and scale. Raises FormatError for a graph
    that no picture can hold.
    """
    situation = slide.printed
    assert situation is not None
    sheet, frame = sheet.with_graph(situation.graph), hidden_frame(slide)
    new_scene = scene_of  # compares a pass with the correct one
    if nodes or prints_one_pass(slide):
        asked = partial(_AskedScene, slide.question, digits, shared)
        new_scene = partial(_asked_scene, asked, nodes)
    found, (wide, high) = fitted_figure(sheet, frame, digits, space, new_scene), space
    area = found.area
    if nodes and _has_incoming_wire(found.scene):
        area = area.adjusted(-_NAME_WIDTH, 0, 0, 0)
    most = LARGEST_TYPE * figure.DPI / figure.POINTS / smallest_text_size()
    scale = min(most, wide / area.width(), high / area.height())
    return SlideFigure(found.scene, area, scale, slide.question)


def prints_one_pass(slide: Slide) -> bool:
    """Return whether a slide's figure has its pass alone, without the correct one to compare."""
    situation = slide.printed
    return slide.kind == "ask" or (situation is not None and situation.rules is CORRECT)


def sizes_of(slide: Slide, digits: Digits) -> AskedSizes:
    """Return the sizes of the nodes in the figure of a slide, by the numbers that it shows."""
    short, signed = _formatters(digits)
    # only widths and heights are shared, and these depend on no rules in a _ShownPass
    return AskedSizes(Looks(hidden_frame(slide), short, signed), CORRECT, slide.question)


def _has_incoming_wire(scene: Scene) -> bool:
    """Return whether a wire leads from elsewhere into the leftmost node of a part of a graph."""
    first = min(scene.visible.shown, key=lambda node: scene.boxes[node].x)
    return any(source not in scene.boxes for source in scene.sheet.graph.inputs(first))


def nodes_of_step(slide: Slide) -> frozenset[int]:
    """Return the nodes of the step that a slide is about; none if it is about more than a step."""
    revealed, question = slide.revealed, slide.question
    asks_in_own_words = slide.kind == "ask" and question is None
    if revealed is None or not revealed.cursor or asks_in_own_words:
        return frozenset()
    if question is not None and question.wire is None and question.kind != "value":
        return frozenset()
    graph, trace = revealed.graph, revealed.known_frame.unhidden
    if trace is None:
        return frozenset()
    if revealed.phase == "forward":
        node = trace.computed[revealed.cursor - 1].node
        return frozenset({node, *(n for n in graph.inputs(node) if n is not None)})
    event = trace.events[revealed.cursor - 1]
    return frozenset(n for n in (event.node, event.sender) if n in graph.nodes)


# hiding


def quiz_of(question: Question) -> Quiz:
    """Return the quiz of one question, which hides its numbers."""
    return Quiz(lesson_questions=LessonQuestions((question,), by_choices=True))


def hidden_frame(slide: Slide) -> Frame:
    """Return the frame of a slide on entering, without any number that its question asks for."""
    situation = slide.printed
    assert situation is not None
    shown = situation.known_frame
    if slide.asks == "mistake":
        return HiddenMistake().hide(shown)
    return shown if slide.question is None else frame_hidden_for(slide.question, shown)


def frame_hidden_for(question: Question, frame: Frame) -> Frame:
    """Return a frame without the numbers that a question asks for.

    It reserves no space for them, as they are never shown.
    """
    hidden = quiz_of(question).hide(frame)
    if hidden.hidden is None or hidden.trace is None:
        return hidden
    reserved = msgspec.structs.replace(hidden.hidden, trace=_filled(hidden.trace))
    return replace(hidden, hidden=reserved)


def _filled(covered: Trace) -> Trace:
    """Return a trace with a short number in place of each hidden one."""

    def known(number: float) -> float:
        return 0.0 if number is HIDDEN else number

    events = tuple(_filled_event(event, known) for event in covered.events)
    computed = tuple(
        Computed(step.node, tuple(map(known, step.inputs)), known(step.value))
        for step in covered.computed
    )
    values = {node: known(value) for node, value in covered.values.items()}
    return replace(covered, values=values, events=events, computed=computed)


def _filled_event(event: Event, known: Callable[[float], float]) -> Event:
    names = ("upstream", "local", "contribution", "before", "after")
    fields = {name: known(getattr(event, name)) for name in names}
    return msgspec.structs.replace(event, **fields)


# the scene


def _asked_scene(
    new_scene: Callable[[], Scene],
    nodes: frozenset[int],
    sheet: Sheet,
    frame: Frame,
    _picture_options: PictureOptions,
    back_run: float,
) -> Scene:
    """Return the scene of a figure; `back_run` is as for `figure.scene_of`."""
    scene = new_scene()
    scene.node_layout.back_run = back_run
    inside = None
    if nodes:  # shown like an entered group on the canvas
        sheet, inside = msgspec.structs.replace(sheet, groups={_PART: Group("", nodes)}), _PART
    scene.show(ViewState(sheet, frame, inside=inside))
    return scene


_PART: Final = 0
"""The id of the group of the nodes shown, where only some are."""


class _AskedScene(Scene):
    """A scene with nothing where the number asked about belongs, for a box to be painted."""

    def __init__(
        self, question: Question | None, digits: Digits, shared: SharedSizes | None
    ) -> None:
        self._question, self._shared = question, shared
        super().__init__(*_formatters(digits))

    def node(self, node: int) -> NodeLook:
        if node not in self.node_looks:
            look = super().node(node)
            if self._question is not None:
                look = _without_number(look, node, self._question, self.sheet.graph)
            self.node_looks[node] = look
        return self.node_looks[node]

    def label(self, wire: Wire) -> LabelLook | None:
        look, question = super().label(wire), self._question
        is_blank = question is not None and (question.wire, question.kind) == (wire, "contribution")
        return look._replace(contribution=_SPACE) if look is not None and is_blank else look

    def _sizes_of(self, shown: ViewState) -> TextSizes:
        return AskedSizes(self.looks, shown.rules, self._question, self._shared)


def _formatters(digits: Digits) -> tuple[Write, Write]:
    """Return the formatters of numbers: without and with a plus sign."""
    return partial(numbers.short, digits=digits), partial(numbers.signed, digits=digits)


def _without_number(look: NodeLook, node: int, question: Question, graph: Graph) -> NodeLook:
    """Return the look of a node without the `?` of the number asked about."""
    cell = _cell(look, node, question, graph)
    if cell is not None:
        blank = NumberLook("", "asked")
        look = look._replace(numbers=(*look.numbers[:cell], blank, *look.numbers[cell + 1 :]))
    if node != receiver_of(question, graph):
        return look
    if question.kind == "sum" and look.ledger.asked:
        return look._replace(ledger=look.ledger._replace(total=f"= {_spaces(BOX_WIDTH)}"))
    if question.kind != "contribution":
        return look
    chips = [_blank_chip(chip) for chip in look.ledger.chips]
    waiting = None if look.waiting is None else _blank_chip(look.waiting)
    return look._replace(ledger=look.ledger._replace(chips=tuple(chips)), waiting=waiting)


def _cell(look: NodeLook, node: int, question: Question, graph: Graph) -> int | None:
    """Return the index of the number asked about among those of a node; None if it is no cell."""
    if question.kind == "local":
        return 2 + question.slot if node == question.node else None
    if question.kind == "value":
        return 0 if node == question.node else None
    if question.kind == "final" or (question.kind == "sum" and not look.ledger.chips):
        return 1 if node == receiver_of(question, graph) else None
    return None


def _blank_chip(chip: ChipLook) -> ChipLook:
    return chip._replace(text=_SPACE) if chip.state == "asked" else chip


def _spaces(wide: float) -> str:
    """Return spaces of at least a width in sheet px."""
    text = _SPACE
    while width(text, "number") < wide:
        text += _SPACE
    return text


# painting over the scene


def _boxes(scene: Scene, question: Question) -> Iterator[QRectF]:
    """Yield the boxes for the number asked about, in sheet px; a label has a box already."""
    graph = scene.sheet.graph
    for node in scene.visible.shown:
        box = scene.boxes[node]
        look = scene.node(node)
        cell = _cell(look, node, question, graph)
        if cell is not None:
            row, is_left = (cell - 2, True) if cell > 1 else (cell, False)
            wide = min(BOX_WIDTH, box.left - PAD_LEFT) if is_left else BOX_WIDTH
            x = box.x + PAD_LEFT - 2 if is_left else box.x + box.w - PAD_RIGHT - wide
            middle = box.y + number_middle(box.kind, row) + 1
            yield QRectF(x, middle - BOX_HEIGHT / 2, wide, BOX_HEIGHT)
        elif question.kind == "sum" and node == receiver_of(question, graph) and look.ledger.asked:
            ledger, top = ledger_tops(look)[-1]
            middle = box.y + total_middle(ledger, top)
            right = box.x + box.w - LEDGER_RIGHT
            yield QRectF(right - BOX_WIDTH, middle - BOX_HEIGHT / 2, BOX_WIDTH, BOX_HEIGHT)


# steps on one page


def shows_answer(slide: Slide, other: Slide) -> bool:
    """Return whether the figure of a slide shows the answer that another slide asks for."""
    question, here, there = other.question, slide.printed, other.printed
    if question is None or here is None or there is None or here.rules != there.rules:
        return False
    if question.kind == "change":
        return here.graph == there.graph.with_values({question.leaf: question.to})
    if here.graph != there.graph or question.kind == "paths":
        return False
    if question.kind == "value":
        return question.node in here.known_frame.values
    done = here.cursor if here.phase == "backward" else 0
    return done > steps_before(question, other.trace)


# sizes

BOX_WIDTH: Final = 50.0
"""Width of the box of a number in sheet px: 10 mm on paper at the smallest type, 7 pt."""

T = TypeVar("T")


class _ShownPass(WholePass):
    """The pass that is shown, never the one that would follow: its numbers may be asked for."""

    @cached_property
    def trace(self) -> Trace | None:
        return self.shown if self.backward else None

    @cached_property
    def comparison(self) -> Comparison | None:
        return None


class AskedSizes(PaperSizes):
    """Sizes with space for the box of the number asked about, or `shared` ones."""

    def __init__(
        self,
        looks: Looks,
        rules: Rules,
        question: Question | None,
        shared: SharedSizes | None = None,
    ) -> None:
        super().__init__(looks, rules)
        self.whole_pass = _ShownPass(looks, rules)
        self._question, self._shared = question, shared

    @cached_property
    def ledgers(self) -> Set[int]:
        return super().ledgers if self._shared is None else self._shared.ledgers

    def ledger_height(self, node: int) -> float:
        shared = self._shared
        return super().ledger_height(node) if shared is None else shared.ledger_height(node)

    def pill(self, node: int) -> float:
        return super().pill(node) if self._shared is None else self._shared.pill(node)

    def node(self, node: int) -> TextWidths:
        return self._own_node(node) if self._shared is None else self._shared.node(node)

    def label(self, wire: Wire) -> tuple[float, float]:
        return self._own_label(wire) if self._shared is None else self._shared.label(wire)

    def before_slot(self, wire: Wire, source: int | None) -> float:
        """Return the width before a slot: of a label or a pill."""
        shared = self._shared
        if shared is not None:
            return shared.before_slot(wire, source)
        from_pill = source is not None and is_pill(self._graph, source)
        if self.whole_pass.trace is None and not from_pill:
            return 0.0  # outside of a backward pass paper never gets a label
        return super()._before_slot(wire, source)

    def _before_slot(self, wire: Wire, source: int | None) -> float:
        return self.before_slot(wire, source)

    def _own_node(self, node: int) -> TextWidths:
        found, question = super().node(node), self._question
        if question is None:
            return found
        left, right, chips = found.left, found.right, found.chips
        if question.kind == "local" and node == question.node:
            left = max(left, BOX_WIDTH)
        if question.kind in ("value", "final") and node == question.node:
            right = max(right, BOX_WIDTH)
        if question.kind == "sum" and node == receiver_of(question, self._graph):
            right = right if chips else max(right, BOX_WIDTH)
            chips += BOX_WIDTH if chips else 0.0
        return msgspec.structs.replace(found, left=left, right=right, chips=chips)

    def _own_label(self, wire: Wire) -> tuple[float, float]:
        whole, short = super().label(wire)
        if self._question is None or self._question.wire != wire:
            return whole, short
        return max(whole, BOX_WIDTH), max(short, BOX_WIDTH)


class SharedSizes:
    """The largest sizes on any of several pages, each computed once."""

    def __init__(self, pages: Sequence[AskedSizes]) -> None:
        self._pages = pages
        self._known: dict[Hashable, object] = {}

    @cached_property
    def ledgers(self) -> Set[int]:
        """Return the nodes with a ledger on any page."""
        return frozenset[int]().union(*(page.ledgers for page in self._pages))

    def ledger_height(self, node: int) -> float:
        return self._once("ledger", node, lambda: max(p.ledger_height(node) for p in self._pages))

    def pill(self, node: int) -> float:
        """Return the largest width of a pill."""
        return self._once("pill", node, lambda: max(p.pill(node) for p in self._pages))

    def node(self, node: int) -> TextWidths:
        return self._once("node", node, lambda: _largest([p.node(node) for p in self._pages]))

    def label(self, wire: Wire) -> tuple[float, float]:
        """Return the largest widths of a wire's label, full and shortened."""
        return self._once("label", wire, lambda: self._largest_label(wire))

    def before_slot(self, wire: Wire, source: int | None) -> float:
        """Return the largest width before a slot."""
        widest = lambda: max(p.before_slot(wire, source) for p in self._pages)  # noqa: E731
        return self._once("slot", wire, widest)

    def _largest_label(self, wire: Wire) -> tuple[float, float]:
        wholes, shorts = zip(*(page.label(wire) for page in self._pages), strict=True)
        return max(wholes), max(shorts)

    def _once(self, kind: str, key: Hashable, compute: Callable[[], T]) -> T:
        """Return what was computed before for this key, or compute it."""
        if (kind, key) not in self._known:
            self._known[kind, key] = compute()
        return self._known[kind, key]  # pyright: ignore[reportReturnType]


def _largest(found: Sequence[TextWidths]) -> TextWidths:
    columns = zip(*(msgspec.structs.astuple(widths) for widths in found), strict=True)
    return TextWidths(*map(max, columns))


def receiver_of(question: Question, graph: Graph) -> int:
    """Return the node that the number asked about belongs to."""
    source = None if question.wire is None else graph.source(question.wire)
    return question.node if source is None else source
