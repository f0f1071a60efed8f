"""RulePart: an operation of one's own and its backward rule, judged while one types."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFormLayout, QLineEdit, QPlainTextEdit

from app.controls.layouts import in_row, plain_label, set_valid, show_text
from app.controls.painted_buttons import push_button
from app.controls.panel import Block
from app.controls.row_list import Column, RowList
from app.controls.spans import ListRow, Span
from app.document.document import Document
from app.guard import exception_safe
from app.style.current import Style
from app.workbench.playback.playback import Playback
from app.workbench.selection import Selection
from engine.asking.rule_judging import OWN_RULE, Verdict, as_rules, judge
from engine.errors import EngineError
from engine.formats.own_formula import check_name, own_operation
from engine.graph import OpNode
from engine.names import numbered_label
from engine.ops import Op
from engine.rules import CORRECT

_JUDGED_AFTER_MS: Final = 60
"""Pause in typing after which a rule is judged: a long formula takes longer than a frame."""
_RULE_LINES: Final = 4
FIRST: Final = ("bend", "a * sigmoid(a)", "a.grad += out.grad * ")
"""Name, value and rule of a new operation, to be written over."""
_RULE: Final = "Backward rule, one line per slot"
_NOT_RUN: Final = "What this rule sends is no multiple of out.grad, so no wire could show it."


@exception_safe
class RulePart(Block):
    """Name, value and rule of the selected operation of one's own, or of a new one."""

    _kept = ("", "", "")
    """The texts as they are in the sheet, or as a new operation begins."""

    def __init__(
        self, style: Style, document: Document, playback: Playback, selection: Selection
    ) -> None:
        super().__init__(style, "")
        self._document, self._playback, self._selection = document, playback, selection
        self._former = ""
        """The name under which the sheet has it, "" for a new one."""
        self._op: Op | None = None
        self._verdicts: tuple[Verdict, ...] = ()
        self.name, self.value = QLineEdit(), QLineEdit()
        self.rule = QPlainTextEdit()
        self.rule.setProperty("kind", "code")
        self.rule.setTabChangesFocus(True)
        self.refusal = plain_label(kind="error", wraps=True)
        self.says = plain_label(wraps=True)
        self.derivation = plain_label(kind="caption", wraps=True)
        self.table = RowList(style, "Points tried", [Column(right=True, font="factors")] * 4)
        self.derive, self.use = push_button("Derive it"), push_button("Use it so, ✗")
        self.delete, self.new = push_button("Delete"), push_button("New")
        self.keep = push_button("Keep", "primary")
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(style.px(8))
        for text, field in (("Name", self.name), ("Value", self.value)):
            field.setAccessibleName(text)
            form.addRow(text, field)
        self.rule.setAccessibleName(_RULE)
        self.add(form, self.refusal, plain_label(_RULE, "group"), self.rule, self.says)
        self.add(self.table, self.derivation, in_row(self.derive, self.use, 1, gap=6))
        self.add(in_row(self.new, self.delete, 1, self.keep, gap=6))
        self._timer = QTimer(self, singleShot=True, interval=_JUDGED_AFTER_MS)
        self._connect()
        style.run_now_and_on_change(self._restyle)
        self.write_new()

    def _connect(self) -> None:
        self._timer.timeout.connect(self.judge_now)
        for signal in (self.name.textChanged, self.value.textChanged, self.rule.textChanged):
            signal.connect(self._timer.start)
        self.derive.clicked.connect(self._derive)
        self.use.clicked.connect(self._use)
        self.keep.clicked.connect(self.keep_operation)
        self.delete.clicked.connect(self._delete)
        self.new.clicked.connect(self.write_new)
        self._selection.changed.connect(self._follow_selection)

    def write_new(self) -> None:
        """Begin a new operation."""
        name, *rest = FIRST
        taken = {op.name for op in self._document.graph.operations}
        self._show("", numbered_label(f"{name}_", taken) if name in taken else name, *rest)

    def show_operation(self, op: Op) -> None:
        """Show one of the sheet; a frozen one has no formula yet."""
        self._show(op.name, op.name, op.typed, op.rule)

    def _show(self, former: str, name: str, value: str, rule: str) -> None:
        self._former = former
        self.name.setText(name)
        self.value.setText(value)
        self.rule.setPlainText(rule)
        self.derivation.hide()
        self._kept = self._texts()
        self.judge_now()

    def _texts(self) -> tuple[str, str, str]:
        return self.name.text().strip(), self.value.text(), self.rule.toPlainText()

    def _follow_selection(self) -> None:
        graph, only = self._document.graph, self._selection.only
        node = None if only is None else graph.nodes.get(only)
        if self._texts() != self._kept or not self.isVisible():  # what was typed stays
            return
        if isinstance(node, OpNode) and only is not None:
            op = graph.op(only)
            if (op.typed or op.uses) and op.name != self._former:
                self.show_operation(op)

    def judge_now(self) -> None:
        """Read name, value and rule, and say what is wrong with each."""
        self._timer.stop()
        others = self._others()
        of_name, of_value, self._op = "", "", None
        try:
            check_name(self._texts()[0], others)
        except EngineError as error:
            of_name = str(error)
        try:
            self._op = own_operation(*self._texts(), others)
        except EngineError as error:
            of_value = str(error).removeprefix("Line 1, ")
        refusal = of_name or of_value
        show_text(self.refusal, refusal)
        set_valid(self.name, not of_name)
        set_valid(self.value, bool(of_name) or not of_value)
        op = self._op
        self._verdicts = () if op is None else judge(op, op.rule, others)
        self.says.setText("\n".join(map(_line, self._verdicts)))
        self._show_table()
        is_wrong = any(verdict.kind == "wrong" for verdict in self._verdicts)
        self.use.setEnabled(is_wrong)
        self.keep.setEnabled(op is not None and not refusal)
        self.delete.setVisible(bool(self._former))
        self.derive.setEnabled(op is not None)

    def _others(self) -> tuple[Op, ...]:
        return tuple(op for op in self._document.graph.operations if op.name != self._former)

    def _show_table(self) -> None:
        """Show the points of the first slot that is wrong, else of the first one."""
        shown = next((v for v in self._verdicts if v.kind == "wrong"), None)
        shown = shown or next(iter(self._verdicts), None)
        rows = () if shown is None else shown.rows
        slots = () if self._op is None else self._op.slots
        heads = (", ".join(slots), "out.grad", "it sends", "right")
        self.table.show_heads([(Span(text, "secondary"),) for text in heads] if rows else ())
        short = self._style.short
        self.table.show_rows(
            [
                ListRow(
                    (
                        (Span(", ".join(map(short, inputs)), "value"),),
                        (Span(short(upstream), "gradient"),),
                        (Span(short(got), "text" if _near(got, wanted) else "error"),),
                        (Span(short(wanted), bold=True),),
                    ),
                    f"at {', '.join(map(short, inputs))} and out.grad {short(upstream)}"
                    f" it sends {short(got)}, right is {short(wanted)}",
                )
                for inputs, upstream, got, wanted in rows
            ]
        )

    def _derive(self) -> None:
        if self._op is not None:
            lines = [
                f"∂out/∂{slot} = {slope}"
                for slot, slope in zip(self._op.slots, self._op.slopes, strict=True)
            ]
            show_text(self.derivation, "\n".join(lines))

    def keep_operation(self) -> bool:
        """Keep it in the sheet, as one step of undo."""
        self.judge_now()
        if self._op is None or not self.keep.isEnabled():
            return False
        done = self._document.keep_operation(self._op, self._former)
        if done:
            self._former, self._kept = self._op.name, self._texts()
            self.delete.show()
            if self._playback.rules.name == OWN_RULE:  # those of the rule before
                self._playback.set_rules(CORRECT)
        return done

    def _delete(self) -> None:
        if self._document.delete_operation(self._former):
            self.write_new()

    def _use(self) -> None:
        """Run the pass by the rule as it is, marked as a mistake is."""
        if self.keep_operation() and self._op is not None:
            rules = as_rules(self._op, self._document.graph)
            if rules is None:
                self.says.setText(_NOT_RUN)
            else:
                self._playback.set_rules(rules)

    def _restyle(self) -> None:
        font = self._style.font("code")
        for field in (self.value, self.rule):
            field.setFont(font)
        line = self.rule.fontMetrics().lineSpacing()
        self.rule.setFixedHeight(_RULE_LINES * line + self._style.px(16))


def _near(got: float, wanted: float) -> bool:
    return abs(got - wanted) <= 1e-7 * abs(wanted)


def _line(verdict: Verdict) -> str:
    if verdict.kind == "right":
        return f"✓ {verdict.says}"
    return f"✗ Along {verdict.slot}. {verdict.says}" if verdict.kind == "wrong" else verdict.says
