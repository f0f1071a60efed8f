"""The transport: moves through a pass and says what each step does."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QBoxLayout, QWidget

from app.controls.layouts import fill_background, in_column
from app.controls.rich_text import Span, Spans, filled
from app.controls.tab_order import visit_after
from app.document.document import Document
from app.panels.transport.buttons import Buttons
from app.panels.transport.face import Face
from app.panels.transport.lane import ABOVE, LARGE_ROWS, SMALL_ROWS, THIN_ROWS, LaneRows
from app.panels.transport.timeline import Timeline
from app.panels.transport.words import Words
from app.style import sizes
from app.style.current import Style
from app.workbench.comparison import Comparison
from app.workbench.descents import Descents
from app.workbench.modes import Modes
from app.workbench.narration import Voice
from app.workbench.playback import Playback
from app.workbench.question_words import keys_told, put
from app.workbench.shown import Shown
from app.workbench.step_words import coming_told, step_told
from app.workbench.ticks import Track, tracks, veiled_tracks
from engine.frame import Frame
from engine.graph import Graph, Structure
from engine.problems import obstacle
from engine.rules import CORRECT, UNKNOWN

if TYPE_CHECKING:
    from app.panels.transport.epochs import LoopFace
    from app.panels.transport.hand_buttons import HandFace

_SENTENCE_CENTRE = {False: 20, True: 10}
"""Centre line of the sentence below the timeline, in px at 100 % of the sheet; by small window."""
_PRESENTED, _PRESENTED_CENTRE = 80, 18
"""Height, and the sentence's centre line, during a presentation, in px at 100 %."""


def playback_height(style: Style, small: bool) -> int:
    """Return the height of the transport in px; its sentence grows with the sheet."""
    if style.presented:
        return style.px(_PRESENTED)
    above = ABOVE + sizes.CONTROL + _rows(small).height
    whole = sizes.PLAYBACK_SMALL if small else sizes.PLAYBACK
    return style.px(above) + round((whole - above) * style.scale)


class Transport(QWidget):
    """The lower edge of the window; `voice` is the style of the sentence."""

    voice_changed = Signal(str)

    def __init__(
        self,
        style: Style,
        document: Document,
        playback: Playback,
        modes: Modes,
        descents: Descents,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._document = document
        self._playback = playback
        self._voice: Voice = "plain"
        self._small = False
        self._known: tuple[Structure, int | None, str] | None = None
        self._tracks: tuple[Track, ...] = ()
        fill_background(self, "panel")
        self.setAccessibleName("Playback")
        self.buttons = Buttons(style, playback, modes)
        self.timeline = Timeline(style)
        self._faces: list[Face] = []
        self.words = words = Words(style)
        self.count, self.sentence, self.mark, self.next = (
            words.count,
            words.sentence,
            words.mark,
            words.next,
        )
        parts = (self.buttons, self.timeline, words, 1)
        self._column = in_column(*parts, parent=self, style=style, edges=(14, ABOVE, 14, 0), gap=0)
        self._modes, self._descents = modes, descents
        modes.by_hand.changed.connect(self._refresh)
        self.buttons.voice_chosen.connect(self.set_voice)
        self.timeline.scrubbed.connect(self._scrub)
        self.mark.clicked.connect(self._mark_root)
        descents.changed.connect(self._refresh)
        playback.shown.connect(self._refresh)
        style.changed.connect(self._restyle)
        self._restyle()

    @cached_property
    def loop(self) -> LoopFace:
        """Return what is shown of a training loop."""
        from app.panels.transport.epochs import LoopFace

        face = LoopFace(self._style, self._playback, self._descents)
        self._add(face)
        return face

    @cached_property
    def by_hand(self) -> HandFace:
        """Return what is shown of a pass by hand."""
        from app.panels.transport.hand_buttons import HandFace

        face = HandFace(self._style, self._modes.by_hand)
        self._add(face)
        return face

    @property
    def voice(self) -> Voice:
        """Return plain, maths or code."""
        return self._voice

    def set_voice(self, voice: Voice) -> None:
        """Say the step in another voice."""
        self.buttons.show_voice(voice)
        if voice == self._voice:
            return
        self._voice = voice
        self._refresh()
        self.voice_changed.emit(voice)

    def set_small(self, small: bool) -> None:
        """Use the rows and the buttons of a small window."""
        if small != self._small:
            self._small = small
            self._restyle()

    def _refresh(self) -> None:
        digits, now = self._style.digits, self._playback.now
        frame, beside = now.frame, now.comparison
        face = self._face(now)
        self._show_which(face)
        if face is not None:
            said = face.refresh(now, digits)
            self.count.setText(said.count)
            self.sentence.set_spans(said.sentence)
            self.next.set_spans(said.next)
            self.words.refresh(True, False)
            return
        self.buttons.refresh(_reached(beside, frame))
        self.count.setText(_count(frame))
        asked = put(now.asking, frame, digits)
        style = self._style
        said = asked or step_told(now, self._voice, digits, style.notation, bool(style.presented))
        self.sentence.set_spans((*self._mistake(), *said))
        self.next.set_spans(keys_told(now.asking, frame) or coming_told(now, digits))
        self.words.refresh(frame.phase != "live", self._offer_root(frame))
        wrong = frozenset[int]() if beside is None else beside.wrong
        marks = {} if now.asking is None else now.asking.marks()
        self.timeline.show_tracks(self._ticks(frame), frame, wrong, marks)

    def _mistake(self) -> Spans:
        """Return the name of the mistake that is on, for a presentation, which has no toolbar."""
        rules = self._playback.rules
        if not self._style.presented or rules in (CORRECT, UNKNOWN):
            return ()
        return filled("{name}: ", "error", name=Span(rules.title, "error", bold=True))

    def _face(self, now: Shown) -> Face | None:
        """Return the face of the mode that is on; None where the steps of a pass are shown."""
        if now.by_hand is not None:
            return self.by_hand
        return None if now.descending is None else self.loop

    def _add(self, face: Face) -> None:
        """Put a face above the timeline, hidden."""
        for part in (face.line, face.buttons):
            part.hide()
            self._column.insertWidget(1, part)
            visit_after(self.buttons, (part, *part.findChildren(QWidget)))
        self._faces.append(face)
        self._resize(face)

    def _resize(self, face: Face) -> None:
        face.buttons.setFixedHeight(self._style.px(sizes.CONTROL))
        face.set_rows(THIN_ROWS if self._style.presented else _rows(self._small))

    def _show_which(self, face: Face | None) -> None:
        """Show a face, or the steps of a pass."""
        presented = bool(self._style.presented)
        self.buttons.setHidden(presented or face is not None)
        self.timeline.setHidden(face is not None)
        for made in self._faces:
            made.buttons.setHidden(presented or made is not face)
            made.line.setHidden(made is not face)

    def _offer_root(self, frame: Frame) -> bool:
        """Return whether only one node can be meant as the root, and name it on the button."""
        node = _only_sink(frame.graph)
        if node is not None:
            self.mark.setText(f"Mark {frame.graph.brief(node, 20)} as root".replace("&", "&&"))
        return node is not None

    def _mark_root(self) -> None:
        node = _only_sink(self._document.graph)
        if node is not None:
            self._document.mark_root(node)

    def _ticks(self, frame: Frame) -> tuple[Track, ...]:
        """Return the tracks of both passes, cached while wiring and rules are unchanged."""
        graph, rules = frame.graph, self._playback.rules
        if frame.trace is not None and frame.phase == "backward":
            rules = frame.trace.rules  # of the pass shown, which is older while the rules change
        root = frame.trace.root if frame.trace is not None else graph.root
        if rules is UNKNOWN and frame.trace is not None and root is not None:
            self._known = None  # the order shows step by step
            return veiled_tracks(graph, root, frame.trace.schedule)
        known = (graph.structure, root, rules.name)
        if self._known is not None and _same(self._known, known):
            return self._tracks
        self._known = known
        if root is None or obstacle(graph, root) is not None:
            self._tracks = ()
        else:
            self._tracks = tracks(graph, root, rules)
        return self._tracks

    def _scrub(self, phase: str, cursor: int) -> None:
        if phase == self._playback.phase:
            self._playback.go(cursor, pause=True)
        elif phase == "forward":
            self._playback.forward(cursor=cursor)
        else:
            self._playback.backward(cursor=cursor)

    def _restyle(self) -> None:
        px, presented = self._style.px, bool(self._style.presented)
        up, down = QBoxLayout.Direction.BottomToTop, QBoxLayout.Direction.TopToBottom
        self._column.setDirection(up if presented else down)
        rows = THIN_ROWS if presented else _rows(self._small)
        self.timeline.set_rows(rows)
        for face in self._faces:
            self._resize(face)
        whole = playback_height(self._style, self._small)
        self.setFixedHeight(whole)
        if presented:  # the sentence above a thin timeline
            self.words.set_centre(_PRESENTED_CENTRE)
            self.words.setFixedHeight(px(_PRESENTED - rows.height))
        else:
            self.buttons.setFixedHeight(px(sizes.CONTROL))
            self.buttons.set_small(self._small)
            self.words.set_centre(_SENTENCE_CENTRE[self._small])
            self.words.setFixedHeight(whole - px(ABOVE + sizes.CONTROL + rows.height))
        self._refresh()


def _rows(small: bool) -> LaneRows:
    return SMALL_ROWS if small else LARGE_ROWS


def _only_sink(graph: Graph) -> int | None:
    """Return the only node that feeds nothing, if there is no Root; else None."""
    sinks = graph.sinks() if graph.active_root is None else []
    return sinks[0] if len(sinks) == 1 else None


def _same(a: tuple[Structure, int | None, str], b: tuple[Structure, int | None, str]) -> bool:
    return a[0] is b[0] and a[1:] == b[1:]


def _reached(beside: Comparison | None, frame: Frame) -> int | None:
    """Return the cursor where the pass first differs from the correct one, once it was shown."""
    first = None if beside is None else beside.first
    return first if first is not None and first <= frame.cursor else None


def _count(frame: Frame) -> str:
    if frame.end_hidden:
        return f"Step {frame.cursor:,}"
    return "" if frame.phase == "live" else f"Step {frame.cursor:,} of {frame.total:,}"
