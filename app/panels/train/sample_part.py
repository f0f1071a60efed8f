"""The chosen sample: the network's output for it, and its graph."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.controls.icon_button import IconButton
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.rich_line import RichLine
from app.controls.rich_text import Span, Spans
from app.style.current import Style
from app.workbench.training import Training, nearest

GAP = "   "
NEAR = ", nearest the boundary"
STEP, NEAREST, NEXT = "Step its backward", "Nearest", "Next"


class SamplePart(QFrame):
    """A sample, as a card on the stage, or `brief` in the page.

    `step_wanted` asks for its graph with a backward pass begun.
    """

    step_wanted = Signal(int)
    next_wanted = Signal()
    nearest_wanted = Signal()

    def __init__(
        self, style: Style, training: Training, brief: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._style, self._training, self._brief = style, training, brief
        self._sample = 0
        self.title = plain_label(kind="strong")
        self.target = plain_label(kind="secondary")
        self.numbers = RichLine(style, font_role="interface", wrap=not brief)
        self.step = IconButton(
            style, "backward", "Put its graph on the sheet and step its backward pass", text=STEP
        )
        self.step.set_kind("backward")
        self.nearest = IconButton(
            style, "", "The sample whose output is nearest 0, the boundary", text=NEAREST
        )
        self.next = IconButton(style, "", "The next sample", text=NEXT)
        self._lay_out()
        self.step.clicked.connect(self._ask_step)
        self.next.clicked.connect(self.next_wanted)
        self.nearest.clicked.connect(self.nearest_wanted)

    def _lay_out(self) -> None:
        style = self._style
        for button in (self.step, self.nearest, self.next):
            button.setProperty("low", "true" if self._brief else "")
        buttons = in_row(
            (self.step, 1), self.nearest, self.next, style=style, gap=4 if self._brief else 6
        )
        if self._brief:
            head = in_row(self.title, 1, self.numbers, self.target, style=style, gap=8)
            in_column(head, buttons, parent=self, style=style, edges=0, gap=6)
        else:
            self.setProperty("kind", "question")
            parts = (self.title, self.target, self.numbers, buttons)
            in_column(*parts, parent=self, style=style, edges=12, gap=5)

    def show_sample(self, sample: int) -> None:
        """Show a sample with the network's current output for it."""
        self._sample = sample
        training, short = self._training, self._style.short
        learner = training.learner
        near = learner.classes and sample == nearest(training.outputs)
        self.title.setText(f"Sample {sample + 1}{NEAR if near and not self._brief else ''}")
        self.nearest.setHidden(not learner.classes)
        self.nearest.setEnabled(not near)
        self.target.setText(f"target {short(learner.samples[sample].target)}")
        self.numbers.set_spans(self._said(sample))

    def _said(self, sample: int) -> Spans:
        """Write the output, on the card with the inputs before it and the loss behind it."""
        training, learner = self._training, self._training.learner
        numbers = [("o", float(training.outputs[sample]))]
        if not self._brief:
            given = zip(training.titles, learner.samples[sample].inputs, strict=True)
            loss = float(learner.sample_losses(training.state)[sample])
            numbers = [*given, *numbers, ("loss", loss)]
        spans: list[Span] = []
        for title, value in numbers:
            number = Span(self._style.short(value), "value", bold=True)
            gap = "" if not spans else "\n" if title == "o" else GAP
            spans += [Span(gap), Span(title, "secondary"), Span("\N{NO-BREAK SPACE}"), number]
        return tuple(span for span in spans if span.text)

    def _ask_step(self) -> None:
        self.step_wanted.emit(self._sample)
