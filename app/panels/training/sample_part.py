"""The chosen sample: what the network says of it, and its graph."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from app.controls.keys import PressedByEnter
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.rich_line import RichLine
from app.controls.rich_text import Span
from app.style.current import Style
from app.workbench.training.boundary import nearest
from app.workbench.training.training import Training

GAP = "   "
NEAR = ", nearest the boundary"
STEP, NEAREST, NEXT = "Step its backward", "Nearest", "Next"


class SamplePart(QFrame):
    """The card of a sample; `step_wanted` asks for its graph with a backward pass begun."""

    step_wanted = Signal(int)
    next_wanted = Signal()
    nearest_wanted = Signal()

    def __init__(self, style: Style, training: Training, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style, self._training = style, training
        self._sample = 0
        self.setProperty("kind", "question")
        self.title = plain_label(kind="strong")
        self.target = plain_label(kind="secondary")
        self.numbers = RichLine(style, font_role="caption")
        self.step, self.next = QPushButton(STEP), QPushButton(NEXT)
        self.nearest = QPushButton(NEAREST)
        self.nearest.setToolTip("Choose the sample whose output is nearest 0, the boundary")
        self.step.setProperty("kind", "backward")
        self.step.setToolTip("Put the graph of this sample on the sheet and step its backward pass")
        for button in (self.step, self.nearest, self.next):
            PressedByEnter(button)
        buttons = in_row((self.step, 1), self.nearest, self.next)
        head = in_row((self.title, 1), self.target)
        in_column(head, self.numbers, buttons, parent=self, style=style, edges=12, gap=8)
        self.step.clicked.connect(lambda: self.step_wanted.emit(self._sample))
        self.next.clicked.connect(self.next_wanted)
        self.nearest.clicked.connect(self.nearest_wanted)

    def show_sample(self, sample: int) -> None:
        """Show a sample with what the network says of it now."""
        self._sample = sample
        training, short = self._training, self._style.short
        learner = training.learner
        found = learner.samples[sample]
        near = learner.classes and sample == nearest(training.outputs)
        self.title.setText(f"Sample {sample + 1}{NEAR if near else ''}")
        self.nearest.setHidden(not learner.classes)
        self.nearest.setEnabled(not near)
        self.target.setText(f"target {short(found.target)}")
        output = float(training.outputs[sample])
        loss = float(learner.sample_losses(training.state)[sample])
        given = zip(training.titles, found.inputs, strict=True)
        numbers = [*given, ("o", output), ("loss", loss)]
        spans: list[Span] = []
        for title, value in numbers:
            gap = Span(GAP) if spans else Span("")
            spans += [
                gap,
                Span(title, "secondary"),
                Span(" "),
                Span(short(value), "value", bold=True),
            ]
        self.numbers.set_spans(tuple(spans))
