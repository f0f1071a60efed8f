"""RateTrials: tries smaller rates on a network whose rate was too large, between events."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.controls.slices import Slices
from app.workbench.training.training import Training
from app.workbench.training.words import trouble_of
from engine.numbers import short
from engine.training.trouble import Tried, rates_to_try, tries

REST: Final = 80
"""Milliseconds for which the training has to rest before a trial begins."""


class RateTrials(QObject):
    """What to do about a rate that is too large, as soon as that has been tried."""

    changed = Signal()
    """Emitted when it is known what to do."""

    def __init__(self, training: Training, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._training = training
        self._of: tuple[object, ...] = ()
        self._tried: Tried | None = None
        self._slices = Slices(self, budget=6)
        self._slices.finished.connect(self._take)
        training.advanced.connect(self._follow)
        training.reset_done.connect(self._follow)

    @property
    def waits(self) -> bool:
        """Return whether rates are being tried."""
        return self._slices.active

    @property
    def advice(self) -> str:
        """Return what to do about the trouble of the training, in one sentence, or ""."""
        wrong, found = trouble_of(self._training), self._tried
        if wrong is None or wrong.rate is None:
            return "" if wrong is None else wrong.remedy
        if self._training.running or self._of != self._now(wrong.rate):
            return ""
        if found is None:
            return "Smaller rates are being tried on this network …"
        if found.rate is None:
            rates = rates_to_try(wrong.rate, self._training.rate)
            span = f"No rate from {short(rates[0])} down to {short(rates[-1])} does better here:"
            return f"{span} look at the samples, or take other neurons." if rates else ""
        again = found.rate == self._training.rate < wrong.rate
        rate = short(found.rate)
        what = f"Reset, so that {rate} starts again" if again else f"Reset and try {rate}"
        return f"{what}: {found.epochs:,} epochs of it come to a loss of {short(found.loss)}."

    def _now(self, blamed: float) -> tuple[object, ...]:
        """Return all that the outcome of trials depends on."""
        training = self._training
        setup = replace(training.setup, rate=0.0, changes=())
        return setup, training.learner.samples, blamed, training.rate

    def _follow(self) -> None:
        """Begin to try where a smaller rate is wanted; what is known of this network stays."""
        wrong, training = trouble_of(self._training), self._training
        if wrong is None or wrong.rate is None or training.running:
            self._slices.cancel()
            self._of = () if self._tried is None else self._of
            return
        now = self._now(wrong.rate)
        if now != self._of:
            self._of, self._tried = now, None
            work = tries(training.learner, wrong.rate, training.rate)
            self._slices.start(work, after=REST)

    def _take(self, tried: Tried) -> None:
        self._tried = tried
        self.changed.emit()
