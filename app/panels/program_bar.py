"""ProgramBar, above the canvas, asks before a program runs; PassList shows the passes seen."""

from __future__ import annotations

from collections import Counter
from typing import Final

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app.controls.cell_view import CellView
from app.controls.choices import Segmented
from app.controls.focus import NAVIGATION_KEYS, claim_keys
from app.controls.layouts import (
    fill_background,
    in_column,
    in_row,
    plain_label,
    rule,
    scroll_area,
    set_kind,
    show_text,
)
from app.controls.painted_buttons import IconButton, push_button
from app.controls.rich_text import RichLine
from app.controls.row_list import Column, RowList
from app.controls.spans import ListRow, Span
from app.guard import exception_safe
from app.runner import default_python
from app.runner.run import claims
from app.style import sizes
from app.style.current import Style
from app.workbench.trials.program_run import Line, ProgramRun
from engine.formats.program_graph import FOLDED_ABOVE, ProgramGraph
from engine.formats.recording import Place, as_told, passes_seen, why_unshown
from engine.names import brief
from engine.numbers import counted, short

RUN_IT: Final = "Run it and show its graphs"
_ROLES: Final = {"right": "text", "adds": "gradient", "wrong": "error"}
_BESIDE: Final = 720
"""Width of the bar from which its buttons stand beside the texts, in px at 100 %."""
_CHOOSE: Final = "↑ ↓ choose, Enter opens. Opening is one step of Undo."
_OPEN: Final = "Enter opens it. That is one step of Undo."
_NOT_SHOWN: Final = Span("not shown", "secondary")
_BY_CALLS: Final = "by the calls that made it"
_CELL_LINES: Final = 10
"""Most lines of a cell that are seen at once."""
_LIT: Final = ("selection_tint", "firing")
"""The colour of a line that called a fold, and of the one that started the pass."""
_SENTENCES: Final = 3
"""Most sentences about a run that are shown."""


@exception_safe
class ProgramBar(QFrame):
    """What was read of a program, and the question whether to run it; then how its run ended."""

    run_wanted = Signal()
    """Emitted when the user agrees to run the program as the bar says."""
    network_wanted = Signal()
    """Emitted when the user agrees to run it again with the network."""
    how_wanted = Signal()
    """Emitted when the user asks by which Python and with which bounds it runs."""

    def __init__(self, style: Style, run: ProgramRun, passes: PassList) -> None:
        super().__init__()
        self._style, self._run, self._passes = style, run, passes
        self.covered = False
        """Whether Training stands in the place of the sheet, of which the bar speaks."""
        fill_background(self, "panel")
        self.setAccessibleName("Program")
        self.how = IconButton(style, "code", "Python, bounds and arguments of the run")
        self.how.set_kind("question")
        self.how.clicked.connect(self.how_wanted)
        self.head = RichLine(style, font_role="interface")
        self.words = plain_label(kind="secondary", wraps=True)
        self.leave = push_button("Leave it so")
        self.again = push_button()
        self.main = push_button(kind="asking")
        texts = in_column(1, self.head, self.words, 1, style=style, gap=3)
        buttons = in_row(1, self.leave, self.again, self.main, style=style, gap=8)
        top = Qt.AlignmentFlag.AlignTop
        said = in_row((self.how, top), (texts, 1), style=style, gap=10)
        self._parts = in_row((said, 1), buttons, style=style, edges=(14, 7, 14, 7), gap=12)
        in_column(self._parts, rule(), parent=self, gap=0)
        self.leave.clicked.connect(self._leave)
        self.again.clicked.connect(self._again)
        self.main.clicked.connect(self._do)
        run.changed.connect(self.refresh)
        run.progressed.connect(self._show_progress)
        passes.staged_changed.connect(self.refresh)

    def text(self) -> str:
        """Return all that the bar says."""
        return f"{self.head.text()} {self.words.text()}".strip()

    def refresh(self) -> None:
        """Show what is known of the program."""
        run = self._run
        self.setVisible(run.program is not None and not self.covered)
        if run.program is None:
            return
        if run.running:
            self._show_progress(0.0, 0)
            self._show_buttons("Cancel", "", "Stop and show what was seen", "")
        elif run.result is None and not run.refusal:
            told = [claims(run.request)]
            if run.request.python != default_python():
                told.append(f"It runs by {as_told(run.request.python)}.")
            self._say(run.read, " ".join(told))
            self._show_buttons("Leave it so", "", RUN_IT, "asking")
        else:
            self._show_end()

    def _show_end(self) -> None:
        run, result = self._run, self._run.result
        name = run.request.name
        sentences = run.sentences
        if result is not None and result.status == "ok":
            self._say(f"{name} ran; {passes_seen(result.passes)}", "")
        else:
            self._say(f"{name}: {sentences[0] if sentences else ''}", "")
            sentences = sentences[1:]
        if run.shown is not None:
            sentences = (f"{title_of(run.shown)}: {run.shown.verdict.sentence}", *sentences)
        more = len(sentences) - _SENTENCES
        shown = [*sentences[:_SENTENCES], *([f"And {more} more."] if more > 0 else [])]
        show_text(self.words, " ".join(shown))
        wants_network = result is not None and any(kind == "network" for kind, _ in result.refused)
        again = "Allow and run again" if wants_network else "Run again"
        passes = "Back to the sheet" if self._passes.stage_title else "Its passes"
        self._show_buttons("Close", again, passes if run.lines else "", "")

    def _show_progress(self, seconds: float, passes: int) -> None:
        name = self._run.request.name
        seen = counted(passes, "{count} pass seen", "{count:,} passes seen")
        reading = f"{name} ran; its graphs are being read, {seen}"
        running = f"Running {name}, {short(float(int(seconds)))} s, {seen}"
        self._say(reading if self._run.reading else running, "")

    def _say(self, head: str, words: str) -> None:
        self.words.setVisible(bool(words))
        name = self._run.request.name
        before, named, after = head.partition(name)
        spans = (Span(before), Span(named, bold=True), Span(after))
        self.head.set_spans([span for span in spans if span.text])
        self.words.setText(words)

    def _show_buttons(self, leave: str, again: str, main: str, kind: str) -> None:
        show_text(self.leave, leave)
        show_text(self.again, again)
        show_text(self.main, main)
        set_kind(self.main, kind)

    def _leave(self) -> None:
        run = self._run
        if run.running:
            run.cancel()
        else:
            run.forget()

    def _again(self) -> None:
        run = self._run
        if self.again.text() == "Allow and run again":
            self.network_wanted.emit()
        elif run.may_run_again:
            self.run_wanted.emit()
        else:
            run.ask(run.request)

    def _do(self) -> None:
        run = self._run
        if run.running:
            run.stop()
        elif run.result is None and not run.refusal:
            self.run_wanted.emit()
        elif self._passes.stage_title:
            self._passes.leave_stage()
        else:
            self._passes.show_passes()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = event.size().width() >= self._style.px(_BESIDE)
        row, column = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._parts.setDirection(row if is_wide else column)


def title_of(graph: ProgramGraph) -> str:
    """Return what the list calls a pass: its root, its place, and which one of its line it is."""
    recording = graph.recording
    root = recording.root.label or recording.root.name
    return ", ".join(filter(None, (root, str(recording.where), recording.which)))


@exception_safe
class PassList(QWidget):
    """The lines of a program that start a pass, latest first, in the sheet's place."""

    open_wanted = Signal(object)
    """Emitted with the ProgramGraph of the pass that is to be on the sheet."""
    happening_wanted = Signal(object)
    """Emitted with the ProgramGraph of a pass that is to be stepped as the program ran it."""
    staged_changed = Signal()
    """Emitted when the list takes the sheet's place, and when it leaves it."""
    retitled = Signal()
    """Emitted when `stage_title` has changed."""

    def __init__(self, style: Style, run: ProgramRun) -> None:
        super().__init__()
        self._style, self._run, self._is_shown = style, run, False
        self._firsts: set[int] = set()
        """The rows of which the first pass is chosen."""
        fill_background(self, "canvas")
        self.stage: QWidget = self
        self.rows = RowList(
            style,
            "Passes of the program",
            (Column(), Column(), Column(stretches=True)),
            row_height=30,
        )
        self.which = Segmented(style, (("first", "First pass"), ("last", "Last pass")), "Pass")
        self.happening = push_button("See it happen")
        self.open = push_button("Open", "primary")
        self.heading = plain_label(kind="heading")
        self.order = plain_label("latest first", "secondary")
        head = in_row((self.heading, 1), self.order)
        content = QWidget()
        fill_background(content, "canvas")
        in_column(self.rows, 1, parent=content)
        foot = in_row(self.which, 1, self.happening, self.open, style=style, gap=8)
        parts = (head, (scroll_area(content, fills_background=False), 1), foot)
        passes = in_column(*parts, style=style, gap=10)
        self.source = PassSource(style, run)
        both = ((passes, 3), (self.source, 2))
        in_row(*both, parent=self, style=style, edges=(20, 14, 20, 12), gap=20)
        self.run_controls = QWidget()
        fill_background(self.run_controls, "panel")
        self.sentence = RichLine(style, font_role="step")
        self.hint = plain_label(kind="secondary")
        in_column(
            *(1, self.sentence, self.hint, 1),
            parent=self.run_controls,
            style=style,
            edges=(sizes.PAGE_EDGE, 8, sizes.PAGE_EDGE, 8),
            gap=6,
        )
        self._connect()

    def _connect(self) -> None:
        self.rows.moved.connect(self._show_chosen)
        self.rows.confirmed.connect(self._open)
        self.rows.itemDoubleClicked.connect(self._open)
        self.open.clicked.connect(self._open)
        self.happening.clicked.connect(self._see_it_happen)
        self.which.chosen.connect(self._choose_pass)
        self._run.changed.connect(self._on_run_changed)

    # as a stage

    @property
    def stage_title(self) -> str:
        """Return the title in place of the sheet's formula; "" while the sheet is shown."""
        return f"{self._run.request.name}, its passes" if self._is_shown else ""

    def show_passes(self) -> None:
        """Take the sheet's place, if there are passes: the sheet's is chosen, else the latest."""
        if not self._run.lines:
            return
        self._is_shown = True
        shown = self._run.shown
        lines = [line.passes for line in self._run.lines]
        index = next((k for k, passes in enumerate(lines) if shown in passes), -1)
        if index < 0:  # the latest that can be shown
            index = next((k for k, passes in enumerate(lines) if passes), 0)
        is_first = shown in lines[index][:-1]
        self._firsts = {index} if is_first else set()
        self._fill()
        self.rows.set_current(index)
        self._show_chosen()
        self.staged_changed.emit()
        self.rows.setFocus(Qt.FocusReason.OtherFocusReason)

    def leave_stage(self) -> None:
        """Show the sheet again."""
        if self._is_shown:
            self._is_shown = False
            self.staged_changed.emit()

    def stop_running(self) -> bool:
        """Return False: no run goes on while the list is shown."""
        return False

    # the rows

    @property
    def chosen(self) -> ProgramGraph | None:
        """Return the pass that is chosen; None of a line of which none can be shown."""
        index = self.rows.currentRow()
        passes = self._run.lines[index].passes if 0 <= index < len(self._run.lines) else ()
        return passes[0 if index in self._firsts else -1] if passes else None

    def _fill(self) -> None:
        lines = self._run.lines
        self.rows.show_rows([self._row(k, line) for k, line in enumerate(lines)])
        result = self._run.result
        passes = 0 if result is None else result.passes
        none = "No backward pass was seen: this is the largest graph that it built."
        some = "The graphs that its backward passes saw"
        show_text(self.heading, some if passes else "The largest graph that it built")
        show_text(self.order, "latest first" if len(lines) > 1 else "")
        show_text(self.hint, _CHOOSE if len(lines) > 1 else _OPEN)
        seen = counted(
            passes,
            "One backward pass was seen.",
            "{count:,} backward passes were seen. Each line that starts one is a row.",
        )
        self.sentence.set_spans((Span(seen if passes else none),))

    def _row(self, index: int, line: Line) -> ListRow:
        place = str(line.place)
        if line.unshown is not None:
            what = line.place.text.removesuffix(".backward()") or "The graph"
            title, why = brief(what, 12), why_unshown(line.unshown)
            cells = ((Span(title, bold=True),), (Span(place, "secondary"),), (_NOT_SHOWN,))
            spoken = f"{title}, {place}, not shown: {why}"
            return ListRow(cells, spoken, below=(Span(why, "secondary"),), tooltip=what)
        found = line.passes[0 if index in self._firsts else -1]
        recording, verdict = found.recording, found.verdict
        root = recording.root.label or recording.root.name or "a number"
        folds = counted(len(found.drawing.groups), ", {count} fold", ", {count:,} folds")
        numbers = f"{len(found.nodes):,} numbers{folds if found.drawing.groups else ''}"
        facts = "   ".join(part for part in (recording.which, numbers) if part)
        return ListRow(
            cells=(
                (Span(root, bold=True),),
                (Span(place, "secondary"),),
                (Span(facts, "secondary"),),
            ),
            spoken=f"{root}, {place}, {facts}: {verdict.sentence}",
            below=(Span(verdict.marked, _ROLES.get(verdict.kind, "text")),),
            tooltip=recording.where.text,
        )

    def _show_chosen(self, _index: int = 0) -> None:
        found, index = self.chosen, self.rows.currentRow()
        line = self._run.lines[index]
        self.which.setVisible(len(line.passes) > 1)
        self.which.set_choice("first" if index in self._firsts else "last")
        adds = found is not None and found.verdict.kind == "adds"
        self.happening.setVisible(adds or (found is not None and found.is_replayed))
        self.open.setEnabled(found is not None)
        self.source.show_pass(line.place, found)

    def _choose_pass(self, which: str) -> None:
        index = self.rows.currentRow()
        self._firsts ^= {index} if (which == "first") != (index in self._firsts) else set()
        self._fill()
        self.rows.set_current(index)
        self._show_chosen()
        self.rows.setFocus(Qt.FocusReason.OtherFocusReason)  # for Enter

    def _open(self, _row: object = None) -> None:
        if self.chosen is not None:
            self.open_wanted.emit(self.chosen)

    def _see_it_happen(self) -> None:
        if self.chosen is not None:
            self.happening_wanted.emit(self.chosen)

    def _on_run_changed(self) -> None:
        if not self._run.lines:
            self.leave_stage()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()  # the sheet below gets nothing
        self.rows.setFocus(Qt.FocusReason.MouseFocusReason)  # for Enter

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.source.setVisible(event.size().width() >= self._style.px(_BESIDE))


@exception_safe
class PassSource(QWidget):
    """The cell of a pass and the folds of its graph: what is chosen in one lights in the other."""

    def __init__(self, style: Style, run: ProgramRun) -> None:
        super().__init__()
        self._run = run
        self._folds: list[tuple[QTreeWidgetItem, str, int]] = []
        """The pass and its folds, each with the cell and the line that called it."""
        self._cell = ""
        self.heading = plain_label(kind="heading")
        self.cell = CellView(style, "Cell, read only", _CELL_LINES)
        self.folds = QTreeWidget()
        self.folds.setAccessibleName("Folds of this graph, by the calls that made it")
        self.folds.setColumnCount(2)
        self.folds.setHeaderHidden(True)
        self.folds.setUniformRowHeights(True)
        self.folds.setSelectionMode(QTreeWidget.SelectionMode.ExtendedSelection)
        self.folds.header().setStretchLastSection(False)
        self.folds.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.folds.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        claim_keys(self.folds, *NAVIGATION_KEYS)
        heads = (
            in_row((self.heading, 1), plain_label("read only", "secondary")),
            in_row((plain_label("Folds", "strong"), 1), plain_label(_BY_CALLS, "secondary")),
        )
        parts = (heads[0], self.cell, heads[1], (self.folds, 1))
        in_column(*parts, parent=self, style=style, gap=8)
        self.folds.itemClicked.connect(self._light_line)
        self.folds.currentItemChanged.connect(self._light_line)
        self.cell.line_chosen.connect(self._light_folds)

    def show_pass(self, where: Place, found: ProgramGraph | None) -> None:
        """Show the line that started a pass, and the folds of its graph."""
        groups = () if found is None else found.drawing.groups
        counts = Counter[int | None]()
        for group in reversed(groups):  # a fold comes before those in it
            counts[group.id] += len(group.members)
            counts[group.parent] += counts[group.id]
        whole = QTreeWidgetItem([where.text or "The graph"])
        items: dict[int | None, QTreeWidgetItem] = {None: whole}
        for group in groups:
            item = items[group.id] = QTreeWidgetItem(items[group.parent], [group.title])
            item.setText(1, counted(counts[group.id], "{count} node", "{count:,} nodes"))
        self._folds = [(whole, where.title, where.line)]
        if found is not None:
            every = found.calls.items()
            self._folds += [(items[group], call.cell, call.line) for group, call in every]
        self.folds.clear()
        self.folds.addTopLevelItem(whole)
        self.folds.expandToDepth(0 if len(groups) > FOLDED_ABOVE else len(groups))
        self.folds.setCurrentItem(whole)  # lights the line

    def _light_line(self, item: QTreeWidgetItem | None) -> None:
        """Light the line that a fold was called from."""
        fold = next((fold for fold in self._folds if fold[0] is item), None)
        if fold is not None:
            _item, self._cell, line = fold
            source = self._run.source_of(self._cell)
            self.heading.setText(self._cell or self._run.request.name)
            self.cell.show_line(source or "", line, _LIT[item is self._folds[0][0]])

    def _light_folds(self, line: int) -> None:
        """Light the folds that a line of the cell has called."""
        lit = [item for item, *place in self._folds if place == [self._cell, line]]
        self.folds.blockSignals(True)
        self.folds.clearSelection()
        for item in lit:
            item.setSelected(True)
        for item in lit[:1]:
            kept = QItemSelectionModel.SelectionFlag.NoUpdate
            self.folds.setCurrentItem(item, 0, kept)
            self.folds.scrollToItem(item)
        self.folds.blockSignals(False)
        _whole, cell, started = self._folds[0]
        if not lit:
            line = started if cell == self._cell else 0
        self.cell.light(line, _LIT[(cell, started) == (self._cell, line)])
