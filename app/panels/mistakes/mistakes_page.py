"""MistakesPage: the choice of a mistake, wrong nodes with causes, typed gradients, and the hunt."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from app.controls.focus import ENTER, TakenKeys, claim_keys
from app.controls.layouts import ElidedLabel, in_column, in_row, plain_label, set_kind, show_text
from app.controls.painted_buttons import IconButton, PaintedButton, push_button
from app.controls.panel import Block, Page
from app.controls.rich_text import RichLine
from app.controls.row_list import Column, RowList
from app.controls.slices import Slices, Work
from app.controls.spans import ListRow, Span
from app.document.sheet import is_large
from app.guard import exception_safe
from app.style.current import Style
from app.style.icons import paint_icon
from app.style.strokes import antialiased
from app.workbench.gradients.comparison import Comparison, differing_text
from app.workbench.gradients.formulas import grad_name
from app.workbench.playback.playback import Playback
from app.workbench.playback.view_state import ViewState
from app.workbench.runners.hunt_runner import HuntRunner
from app.workbench.trials.lab import (
    NOTHING_TYPED,
    Referee,
    RefereeLine,
    WrongNode,
    diagnose,
    differing_lines,
    typed_leaves,
    wrong_count_text,
    wrong_nodes,
)
from engine.asking.diagnose import WrongCount, wrong_counts
from engine.asking.judging import ANSWER_LIMIT
from engine.errors import EngineError
from engine.frame import Frame
from engine.graph import Graph
from engine.numbers import Digits
from engine.rules import CORRECT, MISTAKES, Rules

if TYPE_CHECKING:
    from app.panels.mistakes.hunt_part import HuntPart


@exception_safe
class MistakesPage(Page):
    """Introduces a mistake before a pass runs, then shows its effects; or the hunt for one."""

    node_chosen = Signal(int)
    """Emitted with a wrong node that was clicked."""

    def __init__(self, style: Style, playback: Playback, hunt_runner: HuntRunner) -> None:
        super().__init__(style, "Mistakes")
        self._playback, self._runner = playback, hunt_runner
        self.choose = ChoosePart(style)
        self.begin_hunt = _hunt_button(style)
        self.begin_hunt.setProperty("edges", "narrow")
        row = in_row(self.begin_hunt, plain_label("one is drawn; you find it", "caption"), 1, gap=8)
        self.offer = Block(style, "", row)
        self._hunt: HuntPart | None = None
        self._hunt_place = in_column(gap=0)
        self.wrong = WrongPart(style)
        self.referee = RefereePart(style)
        self.printed = PrintedPart(style)
        self.mend = push_button("Find, explain, fix", "question")
        self.next_hunt = _hunt_button(style)
        self.add(
            self.choose, self.offer, self._hunt_place, self.wrong, self.referee, self.printed, 1
        )
        self.set_foot((self.mend, 1), (self.next_hunt, 1))
        self._connect()

    def _connect(self) -> None:
        self._playback.shown.connect(self._forget_printed)  # before `refresh`, and while hidden
        self.follow(self._playback.shown)
        self.choose.rules_chosen.connect(self._playback.set_rules)
        self.choose.first_difference_wanted.connect(self._go_to_first)
        self.choose.left.connect(self.left)
        self.mend.clicked.connect(self._begin_to_mend)
        for button in (self.begin_hunt, self.next_hunt):
            button.clicked.connect(self._begin_hunt)
        self.printed.run_wanted.connect(self._run)
        self.printed.answered.connect(
            self._show_answer, Qt.ConnectionType.QueuedConnection
        )  # queued: the answer has to be laid out first
        self.wrong.node_chosen.connect(self.node_chosen)
        self._reveal_current_rows(self.choose.list, self.wrong.list)

    @property
    def hunt(self) -> HuntPart:
        """Return the part of the hunt, created on first use."""
        if self._hunt is None:
            from app.panels.mistakes.hunt_part import HuntPart

            self._hunt = hunt = HuntPart(self._style, self._runner)
            hunt.another_wanted.connect(self._hunt_again)
            hunt.left.connect(self.left)
            hunt.answered.connect(self._reveal_verdict, Qt.ConnectionType.QueuedConnection)
            self._reveal_current_rows(hunt.names, hunt.reasons, hunt.lines)
            self._hunt_place.add(hunt)
            hunt.set_line(False)  # no separator above: it is alone on the page
        return self._hunt

    def _reveal_current_rows(self, *lists: RowList) -> None:
        for rows in lists:
            rows.moved.connect(partial(self._reveal_row_at, rows))

    def ask_for_numbers(self) -> None:
        """Unfold the fields for the printed gradients; the first one gets the keyboard."""
        self.printed.set_collapsed(False)
        field = next(iter(self.printed.fields.values()), None)
        if field is not None:
            field.show()  # a hidden one can't be focused, and the layout shows it later
            field.setFocus()
            self.reveal(field)

    def first_field(self) -> QWidget | None:
        """Return the field of the hunt, else that of the active mistake or the list of all."""
        return self.hunt.field() if self._runner.now is not None else super().first_field()

    def refresh(self) -> None:
        """Show the mistake with its effects, or the hunt."""
        now, digits = self._playback.now, self._style.digits
        hunt, rules, frame = self._runner.now, now.rules, now.frame
        is_mistake, in_quiz = rules.is_mistake, now.quiz is not None
        self.choose.setVisible(hunt is None)
        if hunt is not None:
            self.hunt.show_hunt(hunt, frame, now.unhidden_trace)
            self.hunt.show()
        else:
            self.choose.show_mistake(rules, frame.graph, now.comparison, asked=in_quiz)
            if self._hunt is not None:
                self._hunt.end()
                self._hunt.hide()
        # during a quiz or a hunt the wrong nodes would give the answer away
        gives_away = in_quiz or (hunt is not None and hunt.stage != "done")
        comparison = None if gives_away else now.comparison
        self.wrong.show_wrong(frame, comparison, digits)
        self.referee.show_referee(frame, comparison, rules, digits)
        self.offer.setVisible(hunt is None and not is_mistake and not in_quiz)
        self.show_foot(hunt is None and is_mistake and not in_quiz)
        if in_quiz or hunt is not None or frame.graph.root is None:
            self.printed.hide()
        else:
            self.printed.show_graph(frame.graph)

    def _forget_printed(self, shown: ViewState) -> None:
        """Forget the typed gradients once another document is shown."""
        if shown.change.whole:
            self.printed.forget()

    def _reveal_row_at(self, rows: RowList, index: int) -> None:
        if index >= 0:
            self.reveal_row(rows, rows.rect_of(index))

    def _go_to_first(self) -> None:
        """Go to the step at which the pass first differs from the correct one."""
        playback = self._playback
        if playback.phase != "backward" and not playback.backward(cursor=0):
            return
        comparison = playback.now.comparison
        if comparison is not None and comparison.first_wrong is not None:
            playback.go(comparison.first_wrong, pause=True)

    def _begin_to_mend(self) -> None:
        self._runner.begin_to_mend()
        self.left.emit()  # the keyboard goes to the canvas, whose keys step through the pass

    def _begin_hunt(self) -> None:
        self._runner.begin()
        self.left.emit()

    def _hunt_again(self) -> None:
        self._runner.leave()
        self._begin_hunt()

    def _run(self, rules: Rules) -> None:
        self._playback.set_rules(rules)
        if self._playback.phase == "backward" or self._playback.backward():
            self._playback.to_end()

    def _show_answer(self) -> None:
        """Scroll to the answer, then back as far as the focused field needs."""
        for part in (self.printed.answer, QApplication.focusWidget()):
            if part is not None and self.printed.isAncestorOf(part):
                self.reveal(part)

    def _reveal_verdict(self) -> None:
        """Scroll the verdict on a choice into view."""
        self.reveal(self.hunt.card)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._runner.now is not None:
            self.hunt.leave()
        else:
            super().keyPressEvent(event)


def _hunt_button(style: Style) -> IconButton:
    button = IconButton(style, "search", "Hunt for one", text="Hunt for one")
    button.set_kind("question")
    return button


MAX_WRONG_NODES = 12
"""Number of wrong nodes that are listed."""
_ROW_HEIGHT = 23
"""Height of a row of a table, in px at 100 %."""
_MIN_REASON_WIDTH = 130
"""A reason with less width moves under the numbers; in px at 100 %."""


class WrongPart(Block):
    """A row per wrong node: its name, `25 → 1`, and why it is wrong here."""

    node_chosen = Signal(int)
    """Emitted with the node of a clicked row."""

    def __init__(self, style: Style) -> None:
        super().__init__(style, "Wrong by now, and why", key="wrong")
        columns = (
            Column(),
            Column(),
            Column(stretches=True, font="caption", wraps_from=_MIN_REASON_WIDTH),
        )
        self.list = RowList(style, "Wrong gradients", columns, row_height=_ROW_HEIGHT)
        self.more = plain_label(kind="caption")
        self.add(self.list, self.more)
        self._nodes: tuple[int, ...] = ()
        self.list.chosen.connect(self._choose)

    def _choose(self, row: int) -> None:
        self.node_chosen.emit(self._nodes[row])

    def texts(self) -> list[str]:
        """Return the rows as they are read aloud."""
        return self.list.texts()

    def show_wrong(self, frame: Frame, comparison: Comparison | None, digits: Digits) -> None:
        """Show the nodes whose gradient is wrong at this step."""
        wrong_now = list(wrong_nodes(frame, comparison, digits))
        listed = wrong_now[:MAX_WRONG_NODES]
        self._nodes = tuple(wrong.node for wrong in listed)
        receiver = None if frame.event is None else frame.event.node
        self.setVisible(bool(wrong_now))
        self.set_note(f"{len(wrong_now):,} of {len(frame.grads):,}")
        self.list.show_rows([_row(wrong, is_current=wrong.node == receiver) for wrong in listed])
        unlisted = len(wrong_now) - len(listed)
        show_text(self.more, f"{unlisted:,} more" if unlisted else "")


def _row(wrong: WrongNode, *, is_current: bool) -> ListRow:
    cells = (Span(wrong.name, bold=True),), wrong.change, (Span(wrong.why, "secondary"),)
    return ListRow(cells, wrong.spoken, tone="now" if is_current else "")


class RefereePart(Block):
    """The gradients of each leaf: numerical, of the correct pass, and of the mistake."""

    def __init__(self, style: Style) -> None:
        super().__init__(style, "Referee", key="referee", note="knows no chain rule")
        self._referee = Referee()
        self._shown: tuple[RefereeLine, ...] = ()
        columns = (
            Column(stretches=True),
            Column(right=True),
            Column(width=52, right=True),
            Column(width=70, right=True),
        )
        self.list = RowList(style, "Referee", columns, row_height=_ROW_HEIGHT, choosable=False)
        self.add(self.list)

    def texts(self) -> list[str]:
        return [f"{j.name} {j.numerical} {j.correct} {j.wrong_with_mark}" for j in self._shown]

    def show_referee(
        self, frame: Frame, comparison: Comparison | None, rules: Rules, digits: Digits
    ) -> None:
        """Compare the leaves with finite differences from the first wrong step on."""
        self._shown = tuple(self._referee.judge(frame, comparison, digits))
        self.setVisible(bool(self._shown))
        heads = "leaf", "numerical", *_heads(rules)
        self.list.show_heads([(Span(head, "secondary"),) for head in heads])
        self.list.show_rows([_referee_row(judged, heads) for judged in self._shown])


def _heads(rules: Rules) -> tuple[str, str]:
    # a mistake that overwrites is named by its operator
    return ("correct", "by now") if rules.accumulate == CORRECT.accumulate else ("+=", "= by now")


_VERDICT_MARKS = {"agrees": " ✓", "differs": " ✘", "can't tell": " ?"}


def _referee_row(judged: RefereeLine, heads: tuple[str, ...]) -> ListRow:
    number, _space, mark = judged.wrong_with_mark.partition(" ")  # of `25 ✘`
    role = "error" if judged.agrees is False else "gradient"
    by_now = [Span(number, role, bold=True)]
    if mark:
        by_now.append(Span(f" {mark}", "secondary" if judged.agrees is None else role))
    correct = f"{judged.correct}{_VERDICT_MARKS[judged.verdict]}"
    cells = (
        (Span(judged.name, bold=True),),
        (Span(judged.numerical, bold=True),),
        (Span(correct, "gradient", bold=True),),
        tuple(by_now),
    )
    texts = (judged.numerical, judged.correct, judged.wrong_with_mark)
    spoken = ", ".join(f"{head} {text}" for head, text in zip(heads[1:], texts, strict=True))
    return ListRow(cells, f"{judged.name}: {spoken}")


_LONGEST_NAME = 14
"""Characters of the gradient's name before its field."""
_MAX_NAME_FOR_TWO = 58
"""Width of a name up to which two leaves are in a row, in px at 100 %."""


class PrintedPart(Block):
    """Finds the mistakes that give the gradients a learner's own program has printed.

    One field per leaf.
    """

    run_wanted = Signal(object)
    """Emitted with the Rules of a mistake that is to be run."""
    answered = Signal()
    """Emitted after something was typed and answered."""

    def __init__(self, style: Style) -> None:
        super().__init__(style, "My program printed", key="printed")
        self._graph = Graph()
        self._leaves: tuple[int, ...] = ()
        self._fields: dict[int, QLineEdit] = {}
        self._names: list[QLabel] = []
        self._suspect_rows: list[_SuspectRow] = []
        self.sentence = plain_label(kind="caption", wraps=True)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self.answer = QWidget()
        suspects = QWidget()
        self._suspects = in_column(parent=suspects, style=style, gap=4)
        in_column(self.sentence, suspects, parent=self.answer, gap=6)
        self.add(self._grid, self.answer)
        style.changed.connect(self._place_fields)

    @property
    def fields(self) -> dict[str, QLineEdit]:
        """Return the fields by the names of their leaves."""
        return {self._graph.names[node]: field for node, field in self._fields.items()}

    @property
    def buttons(self) -> dict[str, QPushButton]:
        """Return the buttons that run the mistakes found, by their names."""
        return {row.rules.name: row.run for row in self._suspect_rows if not row.isHidden()}

    def forget(self) -> None:
        """Forget the leaves with what was typed for them."""
        self._leaves = ()
        self._make_fields()

    def show_graph(self, graph: Graph) -> None:
        """Make a field for each leaf; typed text is kept while the leaves are the same."""
        changed, previous = graph is not self._graph, self._graph
        leaves = typed_leaves(graph)
        named = [(n, graph.names[n]) for n in leaves]
        self._graph = graph
        if named != [(n, previous.names.get(n)) for n in self._leaves]:
            self._leaves = leaves
            self._make_fields()
        if changed and not is_large(graph):
            self._refresh()
        elif changed:
            self._clear_answer()
        self.setVisible(bool(self._leaves))

    def _make_fields(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._fields, self._names = {}, []
        for node in self._leaves:
            name = grad_name(self._graph, node, _LONGEST_NAME)
            field = QLineEdit()
            field.setMaxLength(ANSWER_LIMIT)
            field.setAccessibleName(f"{name} came out as")
            field.setPlaceholderText("–")
            claim_keys(field, *ENTER)
            field.textEdited.connect(self._answer_if_small)
            field.returnPressed.connect(self._answer)
            self._fields[node] = field
            self._names.append(plain_label(name))
        self._place_fields()

    def _place_fields(self) -> None:
        """Place two leaves in a row, or one where a name is wide."""
        px, metrics = self._style.px, QFontMetricsF(self._style.font("interface"))
        widest = max((metrics.horizontalAdvance(n.text()) for n in self._names), default=0.0)
        per_row = 2 if widest <= px(_MAX_NAME_FOR_TWO) else 1
        for index, (label, field) in enumerate(
            zip(self._names, self._fields.values(), strict=True)
        ):
            row, column = divmod(index, per_row)
            self._grid.addWidget(label, row, 2 * column)
            self._grid.addWidget(field, row, 2 * column + 1)
        for column in (1, 3):  # those of the fields; the second is empty with one leaf in a row
            self._grid.setColumnStretch(column, 1 if column < 2 * per_row else 0)
        self._grid.setHorizontalSpacing(px(8))
        self._grid.setVerticalSpacing(px(6))

    def _answer_if_small(self) -> None:
        if not is_large(self._graph):
            self._answer()
        else:
            self._clear_answer()

    def _clear_answer(self) -> None:
        """Clear an outdated answer; on a large graph a new one waits for Enter."""
        typed = any(field.text().strip() for field in self._fields.values())
        self.sentence.setText("Press Enter to compare." if typed else NOTHING_TYPED)
        set_kind(self.sentence, "caption")
        for row in self._suspect_rows:
            row.hide()

    def _answer(self) -> None:
        self._refresh()
        self.answered.emit()

    def _refresh(self) -> None:
        """List the mistakes that give the typed gradients."""
        found = diagnose(self._graph, {n: field.text() for n, field in self._fields.items()})
        self.sentence.setText(found.sentence)
        set_kind(self.sentence, "error" if found.is_error else "caption")
        while len(self._suspect_rows) < len(found.mistakes):
            row = _SuspectRow(self._style)
            row.run_wanted.connect(self.run_wanted)
            self._suspect_rows.append(row)
            self._suspects.addWidget(row)
        for row, rules in zip(self._suspect_rows, found.mistakes, strict=False):
            row.show_rules(rules)  # rows beyond these are hidden below
        for index, row in enumerate(self._suspect_rows):
            row.setVisible(index < len(found.mistakes))


class _SuspectRow(QWidget):
    """One mistake that gives the typed gradients, with a button that runs it."""

    run_wanted = Signal(object)
    """Emitted with its Rules."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self.rules = CORRECT  # until `show_rules`
        self._title = ElidedLabel(style, kind="strong")
        self.run = push_button("Run")
        right = Qt.AlignmentFlag.AlignRight
        in_row((self._title, 1), (self.run, right), parent=self, style=style, gap=6)
        self.run.clicked.connect(lambda: self.run_wanted.emit(self.rules))

    def show_rules(self, rules: Rules) -> None:
        self.rules = rules
        self._title.setText(rules.title)
        self.run.setAccessibleName(f"Run {rules.title}")


_TITLE = "Run the pass with a mistake"
COUNTS_LEGEND = "Right: gradients that differ on this graph."  # the column at the right
NO_ROOT = "Mark a root; a mistake shows in its gradients."
FIRST, NO_STEP = "First difference", "No step differs"
_FITS_WITH_ICON, _FITS_WITHOUT_ICON = len(": step 6"), len(": step 999")
"""Characters after FIRST that fit into the button with its icon, and without."""
_MISTAKE_HEIGHT, _FIELD_HEIGHT, _FIELD_MARGIN, _ARROW = 27, 30, 10, 12
"""Heights of a row and of the field, its inner edge, and the side of its arrow, in px at 100 %."""


class ChoosePart(Block):
    """The list of mistakes; while one is active a field with it, which unfolds the list."""

    rules_chosen = Signal(object)
    """Emitted with the Rules of a mistake, or CORRECT."""
    first_difference_wanted = Signal()
    """Emitted when the playback should go to the step at which the pass first differs."""
    left = Signal()
    """Emitted when the focus may return to the sheet, as what had it has gone with the mistake."""

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._rules, self._graph, self._asked = CORRECT, Graph(), False
        self._counts: dict[Rules, WrongCount] = {}
        self._problem = ""
        self._unfolded = False
        self._slices = Slices(self)
        self.title = plain_label(_TITLE, "strong")
        self.note = plain_label(kind="caption", wraps=True)
        self.count_button = push_button("Count the gradients that differ", "offer")
        self.field = MistakeField(style)
        columns = (Column(stretches=True), Column(right=True, font="caption"))
        self.list = RowList(style, "Mistakes", columns, row_height=_MISTAKE_HEIGHT)
        self.sentence = plain_label(kind="caption", wraps=True)
        self.code = RichLine(style, font_role="interface")
        self.first_button = IconButton(style, "mistakes", FIRST, text=FIRST)
        self.first_button.set_kind("mistake")
        self.correct_button = push_button("Correct pass")
        card = QFrame()
        card.setProperty("kind", "code")
        in_column(self.code, parent=card, style=style, edges=(10, 6, 10, 6))
        for button in (self.first_button, self.correct_button):
            button.setProperty("edges", "narrow")
        self._card, left = card, Qt.AlignmentFlag.AlignLeft
        buttons = in_row((self.first_button, 1), self.correct_button, style=style, gap=6)
        self.add(self.title, self.field, self.note, (self.count_button, left), self.list)
        self.add(self.sentence, card, buttons)
        self._connect()

    def _connect(self) -> None:
        self.count_button.clicked.connect(self._count)
        self.field.clicked.connect(self._unfold)
        self.list.chosen.connect(self._choose_row)
        self.first_button.clicked.connect(self.first_difference_wanted)
        self.correct_button.clicked.connect(lambda: self.rules_chosen.emit(CORRECT))
        self._slices.progressed.connect(self._show)
        self._slices.finished.connect(self._show)

    @property
    def counting(self) -> bool:
        return self._slices.active

    def show_mistake(
        self, rules: Rules, graph: Graph, comparison: Comparison | None, asked: bool
    ) -> None:
        """Show the active mistake; `asked`: a question is open, so nothing here may answer it."""
        if rules is not self._rules or asked:
            self._unfolded = False
        if rules is not self._rules:
            self.list.set_current(-1)  # a row that is off looks like the others
        self._rules, self._asked = rules, asked
        if graph is not self._graph:
            self._graph = graph
            self._forget_counts()
        if not asked and not self._has_begun_counting and self._counts_at_once:
            self._count()
        self._show_first(comparison)
        self._show()

    def _forget_counts(self) -> None:
        self._slices.cancel()
        self._counts, self._problem = {}, ""

    @property
    def _has_begun_counting(self) -> bool:
        return bool(self._counts or self._problem or self.counting)

    @property
    def _counts_at_once(self) -> bool:
        """Return whether the graph is small enough to be counted without a click."""
        return self._graph.root is not None and not is_large(self._graph)

    def _count(self) -> None:
        """Run all mistakes in slices of some milliseconds."""
        self._slices.start(self._counted_in_slices(self._graph))

    def _counted_in_slices(self, graph: Graph) -> Work:
        try:
            for count in wrong_counts(graph):
                self._counts[count.rules] = count
                yield
        except EngineError as error:
            self._problem = str(error)

    def _show_first(self, comparison: Comparison | None) -> None:
        first = None if comparison is None else comparison.first_wrong
        no_difference = comparison is not None and first is None
        text = NO_STEP if no_difference else FIRST
        if first is not None:
            text = f"{FIRST}: step {first:,}"
        extra_length = len(text) - len(FIRST)  # of ": step 6"; NO_STEP is shorter than FIRST
        self.first_button.set_icon("mistakes" if extra_length <= _FITS_WITH_ICON else "")
        self.first_button.setText(FIRST if extra_length > _FITS_WITHOUT_ICON else text)
        self.first_button.set_tooltip(text)
        self.first_button.setEnabled(not no_difference and self._graph.root is not None)

    def _show(self) -> None:
        # UNKNOWN is the mistake of a hunt, which has a part of its own
        active, asked = self._rules.is_mistake, self._asked
        has_root = self._graph.root is not None
        waits_for_click = has_root and not self._has_begun_counting and not self._counts_at_once
        opened = not active or self._unfolded
        had_focus, of_mistake = self.list.hasFocus(), (self.field, self.first_button)
        leaves = not active and any(p.hasFocus() for p in (*of_mistake, self.correct_button))
        self.title.setVisible(not active)
        self.field.setVisible(active)
        self.list.setVisible(opened)
        self.count_button.setVisible(waits_for_click and opened and not asked)
        explained = COUNTS_LEGEND if self._counts and opened else ""
        note = (self._problem or explained) if has_root else NO_ROOT
        self.note.setText(note)
        self.note.setVisible(bool(note) and not asked)
        for part in (self.sentence, self._card):
            part.setVisible(active)
        for part in (self.first_button, self.correct_button):
            part.setVisible(active and not asked)
        if active:
            self.field.show_mistake(self._rules, self._count_text(), self._unfolded, not asked)
            self.sentence.setText(self._rules.sentence)
            self.code.set_spans(differing_lines(self._rules))
            self._card.setVisible(bool(self._rules.code))  # the pass of a program has none
        if opened:
            self.list.show_rows([self._row(rules) for rules in MISTAKES])
        elif had_focus and self.field.isEnabled():
            self.field.setFocus()
        if leaves:
            self.left.emit()

    def _count_text(self) -> str:
        count = self._counts.get(self._rules)
        if count is None or count.wrong is None or self._asked:  # None: it took too long to run
            return ""
        return differing_text(count.wrong, count.known)

    def _row(self, rules: Rules) -> ListRow:
        count = None if self._asked else self._counts.get(rules)
        text = "" if count is None else wrong_count_text(count)
        harmless = count is not None and not count.wrong  # or too long to run
        title = Span(rules.title, "secondary" if harmless else "text", bold=True)
        spoken = f"{rules.title}, {text}" if text else rules.title
        cells = ((title,), (Span(text, "secondary"),) if text else ())
        return ListRow(cells, spoken, tooltip=f"{rules.title}. {rules.sentence}")

    def _unfold(self) -> None:
        self._unfolded = not self._unfolded
        self._show()
        if self._unfolded:
            self.list.set_current(MISTAKES.index(self._rules) if self._rules in MISTAKES else -1)
            self.list.setFocus()

    def _choose_row(self, index: int) -> None:
        self._unfolded = False
        self.rules_chosen.emit(MISTAKES[index])
        self._show()


@exception_safe
class MistakeField(PaintedButton):
    """A button with the active mistake; a click or an arrow key unfolds the list."""

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._rules, self._unfolded = CORRECT, False
        keys = TakenKeys(self, Qt.Key.Key_Up, Qt.Key.Key_Down)
        keys.pressed.connect(self._unfold)
        self._restyle()

    def show_mistake(self, rules: Rules, count: str, unfolded: bool, usable: bool) -> None:
        """Show a mistake; `count` says how many gradients it makes wrong, as text or ""."""
        self._rules, self._unfolded = rules, unfolded
        spoken = f"Mistake, {rules.title}"
        self.setAccessibleName(f"{spoken}, {count}" if count else spoken)
        self.set_title(rules.title, "↓ unfolds the list" if usable else "")
        self.setEnabled(usable)
        self.update()

    def _restyle(self) -> None:
        self.setFixedHeight(self._style.px(_FIELD_HEIGHT))
        super()._restyle()

    def _unfold(self) -> None:
        if not self._unfolded:
            self.click()

    def paintEvent(self, _event: QPaintEvent) -> None:
        style, theme, px = self._style, self._style.theme, self._style.px
        with antialiased(self) as painter:
            self.paint_box(painter, theme.error_tint, theme.error, radius=8, width=1.4)
            right = self.width() - px(_FIELD_MARGIN)
            if self.isEnabled():
                side = px(_ARROW)
                box = QRectF(right - side, (self.height() - side) / 2, side, side)
                paint_icon(painter, box, "up" if self._unfolded else "down", theme.text)
                right = box.left() - px(6)
                if self._rules in MISTAKES:  # else the pass of a program
                    place = f"{MISTAKES.index(self._rules) + 1} of {len(MISTAKES)}"
                    right -= self._draw_right(painter, place, "interface", theme.secondary, right)
            painter.setFont(style.font("interface strong"))
            painter.setPen(theme.text)
            title_width = right - px(6) - px(_FIELD_MARGIN)
            metrics = painter.fontMetrics()
            title = metrics.elidedText(
                self._rules.title, Qt.TextElideMode.ElideRight, int(title_width)
            )
            painter.drawText(QPointF(px(_FIELD_MARGIN), self._baseline(painter)), title)

    def _draw_right(
        self, painter: QPainter, text: str, role: str, color: QColor, right: float
    ) -> float:
        """Draw a text that ends at `right`; return its width."""
        painter.setFont(self._style.font(role))
        painter.setPen(color)
        width = painter.fontMetrics().horizontalAdvance(text)
        painter.drawText(QPointF(right - width, self._baseline(painter)), text)
        return width

    def _baseline(self, painter: QPainter) -> float:
        metrics = painter.fontMetrics()
        return (self.height() + metrics.ascent() - metrics.descent()) / 2
