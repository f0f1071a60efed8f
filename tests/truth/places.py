"""Places: everything that is shown of a graph at a moment, as whoever looks at it gets it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QWidget

from app.canvas.accessibility import group_name, node_name, wire_name
from app.canvas.canvas_view import CanvasView
from app.canvas.input.hover import status_text, tooltip_text
from app.canvas.scene.hit_test import Hit
from app.controls.spans import plain_text
from app.document.boxes import members_of
from app.document.document import Document
from app.panels.code import CodePage
from app.panels.status_line import StatusLine
from app.panels.strip import StripPanel
from app.panels.strip.timeline import brackets
from app.panels.why import WhyPage
from app.style.current import Style
from app.workbench.gradients.formulas import variable
from app.workbench.playback.playback import Playback
from app.workbench.playback.time_machine import TimeMachine
from app.workbench.runners.loop_runner import LoopRunner
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.selection import Selection
from app.workbench.words.narration import step_text
from app.workbench.words.sentences import VOICES
from engine.asking.question import hide_answers
from engine.formats.native import Drawing
from engine.graph import Graph, OpNode, Root
from tests.helpers.mouse import tick_x
from tests.truth.claims import Said
from tests.truth.groups import group_texts
from tests.truth.oracle import Wire, rules
from tests.truth.painted import painted_label, painted_node


class Views:
    """The canvas and the panels of one document, on a screen that nobody looks at."""

    def __init__(self) -> None:
        self.style = Style()
        self.style.set_motion(False)
        self.document = Document()
        self.playback = Playback(self.document)
        self.selection = Selection(self.document)
        parts = (self.style, self.document, self.playback)
        modes, machine = QuizRunner(self.playback), TimeMachine(self.document, self.playback)
        self.canvas = CanvasView(*parts, modes, self.selection)
        self.why = WhyPage(*parts, self.selection)
        self.why.block("inspector").set_collapsed(False)
        self.listing = CodePage(self.style, self.playback, self.selection, machine)
        self.transport = StripPanel(*parts, modes, LoopRunner(self.document, self.playback))
        self.status = StatusLine(*parts)
        for widget in (self.why, self.listing, self.transport, self.status):
            widget.resize(1400, 900)
            widget.show()

    def open(self, found: Graph | Drawing) -> None:
        """Show a graph, outside of any pass."""
        self.document.start(found if isinstance(found, Drawing) else Drawing(found, {}))
        self.canvas.auto_layout.cancel()

    def start(self, phase: str, mistake: str = "correct") -> None:
        """Begin a pass; its steps are gone through with `go`."""
        self.playback.leave()
        self.playback.set_rules(rules(self.document.graph, mistake))
        if phase == "forward":
            self.playback.forward()
        elif phase == "backward":
            self.playback.backward()

    def go(self, cursor: int) -> None:
        self.playback.go(cursor)

    def close(self) -> None:
        for widget in (self.canvas, self.why, self.listing, self.transport, self.status):
            widget.close()
            widget.deleteLater()

    # what is shown

    def texts(self) -> Iterator[Said]:
        """All texts of this moment that do not depend on what is selected."""
        graph, frame = self.document.graph, self.playback.frame
        for node in graph.nodes:
            yield from self._node(node)
        for _source, wire in graph.wires():
            yield from self._wire(wire)
        for key, item in self.canvas.scene.visible.folded.items():
            name = group_name(self.canvas.scene, key.group)
            yield Said("accessible", name, count=len(item.members))
        yield from self._narration()
        for said in _widgets("transport", self.transport, self._receiver, {"Sentence"}):
            yield replace(said, members=self._folded())
        yield from _widgets("status", self.status, None)
        for asked in (frame, hide_answers(frame, ("contribution",))):
            for bracket in brackets(asked, self.style):
                yield Said("timeline", bracket.text)
        yield from self._ticks()

    def _narration(self) -> Iterator[Said]:
        receiver, members = self._receiver, self._folded()
        for voice in VOICES:
            self.transport.set_voice(voice)
            text = self.transport.sentence.text()
            yield Said(f"narration {voice}", text, receiver, members=members)
            for part in self.transport.answer.text().split("    "):
                yield Said("answer line", part, receiver, members=members)
        yield Said(
            "spoken",
            plain_text(step_text(self.playback.now, "plain", self.style.digits)),
            receiver,
            members=members,
        )

    def _folded(self) -> frozenset[int]:
        """The nodes in collapsed groups."""
        folded = self.canvas.scene.visible.folded.values()
        return frozenset(n for group in folded for n in group.members)

    def _ticks(self) -> Iterator[Said]:
        timeline, frame = self.transport.timeline, self.playback.frame
        for cursor in range(1, frame.total + 1) if frame.cursor in (0, frame.total) else ():
            x = tick_x(timeline, frame.phase, cursor)
            yield Said("timeline", timeline.tooltip_at(x), step=cursor)

    def of(self, node: int) -> Iterator[Said]:
        """The texts that a selected node brings up: Why, code and Inspector."""
        self.selection.choose((node,))
        shown = self._shown(node)
        yield from self._why(shown)
        yield from _inspector(self.why, shown)

    def groups(self) -> Iterator[Said]:
        """What the chain-rule panel says of each group that is selected whole."""
        groups = self.document.sheet.groups
        for group in groups:
            members = members_of(groups, group)
            self.selection.choose(tuple(members))
            if self.why.group.isVisibleTo(self.why):
                yield from group_texts(self.why.group, members)

    def code(self) -> Iterator[Said]:
        """The lines of the listing, each of the step it stands for."""
        listing = self.listing.steps
        ahead = sum(isinstance(self.document.graph.nodes[n], OpNode) for n in self._order)
        phase = self.playback.frame.phase
        for k, line in enumerate(listing.text().split("\n")):
            step = k + 1 if phase == "forward" else k + 1 - ahead
            yield Said("code", line, step=step if step > 0 and phase != "live" else None)
        said = listing.accessibleDescription()
        now = self.playback.frame.cursor
        if now:
            count = now + (0 if phase == "forward" else ahead)
            yield Said("code", said, step=now, count=count)

    # inside

    @property
    def _order(self) -> tuple[int, ...]:
        graph = self.document.graph
        return () if graph.root is None else graph.plan(graph.root).order

    @property
    def _receiver(self) -> int | None:
        step = self.playback.frame.current
        return None if step is None else step.node

    def _shown(self, node: int) -> int | None:
        part = self.document.graph.nodes[node]
        return part.input if isinstance(part, Root) else node

    def _node(self, node: int) -> Iterator[Said]:
        look, shown = self.canvas.scene.node(node), self._shown(node)
        for place, text, slot in painted_node(look):
            yield Said(place, text, shown, None if slot < 0 else (node, slot), count=node)
        if look.kind == "op" and not (caption := look.texts.captions[0]).endswith("empty"):
            yield Said("caption", f"{self.document.graph.names[node]} = {caption}", shown)
        yield Said("accessible", node_name(self.canvas.scene, node, self.style.digits), shown)
        hit = Hit("node", node=node)
        yield Said("hover", status_text(self.canvas.context, hit), shown, full=True)
        for k, line in enumerate(tooltip_text(self.canvas.context, hit).split("\n")):
            yield Said("tooltip", line, shown, full=k == 0)

    def _wire(self, wire: Wire) -> Iterator[Said]:
        source = self.document.graph.source(wire)
        label = self.canvas.scene.label(wire)
        wires = self.canvas.scene.visible.wire(wire).wires
        if label is not None:
            yield Said("label", label.text, source, wire, wires=wires)
            for short in (False, True):
                yield Said("label", painted_label(label, short), source, wire, wires=wires)
        name = wire_name(self.canvas.scene, wire)
        yield Said("accessible", name, source, wire, wires=wires)
        hit = Hit("wire", wire=wire)
        yield Said("hover", status_text(self.canvas.context, hit), source, wire, full=True)

    def _why(self, node: int | None) -> Iterator[Said]:
        why = self.why
        symbols, numbers = why.symbols, why.numbers
        if symbols.isVisibleTo(why):
            below = numbers.text() if numbers.isVisibleTo(why) else ""
            yield Said("Why", f"{self._in_symbols(symbols.text())} {below}", node)
        if why.sum.isVisibleTo(why):
            yield Said("Why", f"{why.sum_name.text()} ~ {why.sum.text()}", node)
        shown = {id(w) for w in (symbols, numbers, why.sum_name, why.sum, why.line)}
        cards = [w for w in why.cards.findChildren(QWidget) if w.isVisibleTo(why)]
        shown |= {id(w) for w in cards}
        for card in cards:
            yield Said("card", card.accessibleName(), node)
            for line in card.toolTip().split("\n"):
                yield Said("card", line, node, step=getattr(card, "step", None))
        yield from _widgets("Why", why.why, node, skip=shown, count=len(why.cards.shown()))

    def _in_symbols(self, text: str) -> str:
        """The true sum with derivatives for a.grad, which elsewhere is what a node holds now."""
        graph, root = self.document.graph, self.playback.frame.graph.root
        if self.style.notation != "grad" or root is None:
            return text
        called = sorted((variable(graph, n) for n in graph.names), key=len, reverse=True)
        held = "|".join(map(re.escape, called))
        return re.sub(
            rf"(?<!\w)({held})\.grad\b", lambda found: f"∂{variable(graph, root)}/∂{found[1]}", text
        )


def _inspector(panel: WhyPage, node: int | None) -> Iterator[Said]:
    part = panel.node
    rest = "".join(re.findall("^so far.*", part.verdict.text()))
    for row, role, more in ((part.value, "value", ""), (part.gradient, "gradient", rest)):
        if row.isVisibleTo(panel):
            yield Said("Inspector", f"{role} {row.text()} {more}".rstrip(), node, full=True)
    for line in part.slopes.text().split("\n") if part.slopes.isVisibleTo(panel) else ():
        yield Said("Inspector", line, node)
    if part.formula.isVisibleTo(panel):
        name = part.name.text().removeprefix("in code: ") if part.name.isVisibleTo(panel) else ""
        yield Said("Inspector", f"{name or part.title.text()} = {part.formula.text()}", node)
    shown = {id(part.slopes), id(part.op)}
    for widget in (part.value, part.gradient, part.formula):
        shown |= {id(w) for w in widget.findChildren(QWidget)}
    if panel.value.isVisibleTo(panel):
        for line in panel.value.findChildren(QLineEdit):
            yield Said("Inspector", f"value {line.text()}", node, full=True)
    yield from _widgets("Inspector", part, node, {"QComboBox", "QLineEdit"}, shown)


def _widgets(
    place: str,
    panel: QWidget,
    node: int | None,
    skip_classes: set[str] | None = None,
    skip: set[int] | None = None,
    count: int | None = None,
) -> Iterator[Said]:
    """Every text, name, description and tip of the visible widgets of a panel."""
    seen: set[str] = set()
    for widget in panel.findChildren(QWidget):
        if not widget.isVisibleTo(panel) or id(widget) in (skip or ()):
            continue
        if type(widget).__name__ in (skip_classes or ()):
            continue
        texts = [widget.accessibleName(), widget.accessibleDescription(), tip_text(widget)]
        if isinstance(widget, QLabel | QAbstractButton | QLineEdit):
            texts.append(widget.text())
        for text in texts:
            if text and text not in seen:
                seen.add(text)
                yield Said(place, text, node, count=count)


def tip_text(widget: QWidget) -> str:
    """A tooltip as it is read, without the marks of rich text."""
    return re.sub(r"<[^>]*>", "", widget.toolTip())
