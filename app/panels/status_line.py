"""StatusLine: content of the sheet, position in the pass, unsaved changes, zoom."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStatusBar, QWidget

from app.controls.layouts import ElidedLabel, in_row
from app.document.document import Document
from app.style import sizes
from app.style.current import Style
from app.workbench.gradients.comparison import pass_verdict, same
from app.workbench.modes.quiz import Quiz
from app.workbench.playback.playback import Playback
from app.workbench.playback.view_state import ViewState
from engine.graph import Graph, Structure
from engine.numbers import counted, short
from engine.problems import empty_slots
from engine.rules import UNKNOWN, Rules

_SEPARATOR = "     "
_ZOOM_WIDTH = 56
"""Width of `400 %`, in px at 100 %."""
_RESULT_FACTS = ("Offline, nothing leaves this computer", "Enter opens the chosen row")
_START_PAGE_FACTS = (
    "Offline, nothing leaves this computer",
    "Arrows move over the lessons, Enter opens; what you type goes into the formula",
)


class StatusLine(QStatusBar):
    """Status at the left, or a hint while something is hovered or dragged; zoom at the right."""

    def __init__(
        self, style: Style, document: Document, playback: Playback, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._document = document
        self._playback = playback
        self._structure: Structure | None = None
        self._counts = self._slots_text = self._facts_text = self._remark = ""
        self._hint = self._lesson = ""
        self._zoom = 1.0
        self._on_full_page = self._staged = False
        self._start_facts = _START_PAGE_FACTS
        self.setSizeGripEnabled(False)
        self._words = ElidedLabel(style)
        self.zoom = ElidedLabel(style)
        self._words.setAccessibleName("Status")
        page, edges = QWidget(), (14, 0, 12, 0)
        in_row((self._words, 1), self.zoom, parent=page, style=style, edges=edges, gap=12)
        self.addWidget(page, 1)
        playback.shown.connect(self._refresh)
        style.changed.connect(self._restyle)
        self._refresh()
        self._restyle()

    def text(self) -> str:
        return self._words.text()

    def set_hint(self, text: str) -> None:
        """Show a hint; an empty text restores the status."""
        self._hint = text
        self._show()

    def set_lesson(self, text: str) -> None:
        """Show the position in a lesson; "" without one."""
        if text != self._lesson:
            self._lesson = text
            self._refresh()

    def set_full_page(self, on_full_page: bool) -> None:
        """Set whether a full page is shown, whose status replaces that of the hidden sheet."""
        self._on_full_page, self._start_facts = on_full_page, _START_PAGE_FACTS
        self.zoom.setVisible(not on_full_page)
        self._refresh()

    def set_staged(self, staged: bool) -> None:
        """Set whether a stage covers the sheet, whose mistake is none of the stage's."""
        if staged != self._staged:
            self._staged = staged
            self._refresh()

    def set_at_result(self) -> None:
        """Show the status of the result of a test, which is in place of the sheet."""
        self._start_facts = _RESULT_FACTS
        self._refresh()

    def set_zoom(self, zoom: float) -> None:
        """Show the zoom of the canvas, 1.0 for 100 %."""
        self._zoom = zoom
        self.zoom.setText(f"{zoom * 100:.0f} %")
        self.zoom.setFixedWidth(self._style.px(_ZOOM_WIDTH))

    def _refresh(self) -> None:
        """Update the status; parts that depend only on the wiring are cached."""
        graph = self._playback.frame.graph
        if graph.structure is not self._structure:
            self._structure = graph.structure
            self._counts, self._slots_text = _counts_text(graph), _slots_text(graph)
            self._remark = self._document.typed.remark_for(graph)
        facts = self._start_facts if self._on_full_page else self._facts()
        self._facts_text = _SEPARATOR.join(fact for fact in facts if fact)
        self._show()

    def _show(self) -> None:
        self._words.setText(self._hint or self._facts_text)

    def _facts(self) -> tuple[str, ...]:
        """Return the parts of the status from left to right; "" for one that does not apply."""
        document, playback = self._document, self._playback
        frame = playback.frame
        rules, shown = playback.rules, playback.now
        loop, by_hand = shown.loop, shown.by_hand is not None
        return (
            self._counts,
            _root_text(frame.graph),
            self._remark if playback.phase == "live" else "",
            *(_position_facts(shown) if loop is None and not by_hand else _mode_facts(shown)),
            _quiz_text(shown.quiz) if shown.quiz is not None else "",
            self._lesson,
            "" if self._staged else _mistake_text(rules),
            _program_text(shown),
            pass_verdict(frame, shown.comparison) if not by_hand else "",
            _ripple_text(shown),
            self._slots_text if not (by_hand or shown.quiz or shown.ripple or self._lesson) else "",
            "edited" if document.edited else "saved" if document.path else "",
        )

    def _restyle(self) -> None:
        self.zoom.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setFixedHeight(self._style.px(sizes.STATUS))
        self.set_zoom(self._zoom)


def _counts_text(graph: Graph) -> str:
    nodes, wires = len(graph.nodes), sum(1 for _wire in graph.wires())
    if not nodes:
        return "empty sheet"
    wires_text = counted(wires, "{count} wire", "{count:,} wires")
    return counted(nodes, "{count} node, {wires}", "{count:,} nodes, {wires}", wires=wires_text)


def _slots_text(graph: Graph) -> str:
    if not graph.nodes:
        return ""
    empty = len(empty_slots(graph))
    if not empty:
        return "all slots plugged"
    return counted(empty, "{count} empty slot", "{count:,} empty slots")


def _root_text(graph: Graph) -> str:
    if graph.root is None:
        return "no root" if graph.nodes else ""
    return f"root {graph.brief(graph.root)}"


def _ripple_text(shown: ViewState) -> str:
    if shown.ripple is None or shown.dragged or shown.evidence is not None:
        return ""
    return f"Ripple of {shown.ripple.graph.brief(shown.ripple.node)}: N or Esc ends it"


def _position_facts(shown: ViewState) -> tuple[str, ...]:
    frame = shown.frame
    if frame.phase == "live" or shown.is_before_pass:
        return ()
    if frame.hides == "end":
        return (f"{frame.phase}, step {frame.cursor:,}",)
    return (f"{frame.phase}, step {frame.cursor:,} of {frame.total:,}",)


def _quiz_text(quiz: Quiz) -> str:
    """Return the questions of a quiz: `Ask me: contribution and sum, last 2 steps`."""
    if quiz.lesson_questions is not None:
        return ""  # the position in the lesson says enough
    steps = {
        "last": counted(quiz.last, "last step", "last {count:,} steps"),
        "every": "every step",
        "meet": "where paths meet",
    }
    at_steps = "" if quiz.level.before_pass else f", {steps[quiz.steps]}"
    return f"{quiz.title}: {quiz.level.name}{at_steps}"


def _mistake_text(rules: Rules) -> str:
    """Return the active mistake; during a hunt only that there is one."""
    if rules is UNKNOWN:
        return "hunt: a mistake is on"
    return f"mistake: {rules.title}" if rules.is_mistake else ""


def _program_text(shown: ViewState) -> str:
    """Return what the program had at the root, if another number is computed here."""
    graph, recorded = shown.frame.graph, shown.sheet.recorded
    if recorded is None or graph.root is None or shown.hides_numbers:
        return ""
    ours, theirs = shown.frame.values.get(graph.root), recorded.values.get(graph.root)
    if ours is None or theirs is None or same(ours, theirs, abs(theirs)):
        return ""
    return f"computed here now; the program had {graph.title(graph.root)} {short(theirs)}"


def _mode_facts(shown: ViewState) -> tuple[str, ...]:
    """Return the progress of a training loop or of a pass by hand."""
    from app.workbench.words.hand import fired_counts
    from app.workbench.words.loop_strip import status

    if shown.loop is not None:
        return status(shown.loop)
    fired, total, _early = fired_counts(shown)
    text = "by hand, {fired:,} of {count} node fired", "by hand, {fired:,} of {count:,} nodes fired"
    return counted(total, *text, fired=fired), "H or Esc ends"
