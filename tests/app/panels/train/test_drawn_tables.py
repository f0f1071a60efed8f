"""Tables of all sorts train in the panel, or are refused by one sentence that names the place."""

import math
import random
import sys

import pytest
from PySide6.QtCore import QCoreApplication

from app.controls.panel import Block
from app.panels.train.training_view import TrainingView
from app.workbench.training import Training
from engine.errors import EngineError
from engine.training.table import ROW_LIMIT, read_table
from tests.helpers.panel_host import PanelHost
from tests.helpers.sampling import sized

FILES = sized(24, 200)
NAMES = ("x", "y", "x", "", "größe", "a b", "1", "nan", "t" * 300)
ODD = ("", "nan", "inf", "−inf", "1e309", "1,5", "n/a", "0x1", "1_0", " ", '"', "\0", "💡")
SCALES = (1e308, 9e149, 9e149, 1e100, 1e16, 1.0, 1e-16, 1e-150, 1e-308, 5e-324)
PLACE = ("Row ", "column", "Column ", "The table ", "Choose ", "This network ")


def drawn_table(dice: random.Random) -> str:
    """A table of numbers, one in two with something odd in it."""
    between = dice.choice(",;\t")
    count, rows = dice.choice((1, 2, 2, 3, 3, 3, 5, 20)), dice.choice((1, 2, 3, 8, 30))
    columns = [drawn_column(dice, rows) for _k in range(count - 1)]
    columns.append(drawn_target(dice, rows))
    lines = [list(row) for row in zip(*columns, strict=True)]
    if dice.random() < 0.8:
        lines.insert(0, [dice.choice((f"c{k}", *NAMES)) for k in range(count)])
    if dice.random() < 0.2:
        row = dice.choice(lines)
        row[dice.randrange(len(row))] = dice.choice(ODD)
    if dice.random() < 0.1:
        row = dice.choice(lines)
        row[:] = row[: dice.randrange(len(row))] + ["7"] * dice.randrange(4)
    text = dice.choice(("\n", "\r\n", "\r", "\n\n")).join(between.join(row) for row in lines)
    return dice.choice(("", "", "\ufeff", "\n")) + text


def drawn_column(dice: random.Random, rows: int) -> list[str]:
    scale = dice.choice(SCALES)
    constant = dice.random() < 0.25
    number = dice.uniform(-1.0, 1.0) * scale
    return [repr(number if constant else dice.uniform(-1, 1) * scale) for _k in range(rows)]


def drawn_target(dice: random.Random, rows: int) -> list[str]:
    kinds = (("yes", "no"), ("a", "b", "c"), ("1", "-1"), ("0", "1"), ("1",))
    chosen = dice.choice((*kinds, None))
    return (
        drawn_column(dice, rows) if chosen is None else [dice.choice(chosen) for _k in range(rows)]
    )


@pytest.fixture
def panel(host: PanelHost) -> TrainingView:
    panel = TrainingView(host.style, Training(host.document), Block(host.style), Block(host.style))
    host.qtbot.addWidget(panel)
    host.show(panel.stage, 900, 700)
    return panel


def use(panel: TrainingView, text: str) -> str:
    """Take a table as the window does, with its first columns; return why it is refused, or ""."""
    said: list[str] = []
    try:
        table = read_table(text.encode().decode("utf-8-sig"))
    except EngineError as error:
        return str(error)
    panel.offer_columns(table, "table.csv")
    panel.refused.connect(said.append)
    panel.columns.use.click()
    panel.refused.disconnect(said.append)
    assert len(said) <= 1
    return "".join(said)


def test_drawn_tables_train_or_are_refused_by_their_place(panel: TrainingView, monkeypatch):
    faults: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda *fault: faults.append(fault))
    dice, trained = random.Random(7), 0
    for k in range(FILES):
        text, before = drawn_table(dice), panel.training.learner
        if refused := use(panel, text):
            assert panel.training.learner is before, text
            assert any(place in refused for place in PLACE), (text, refused)
            assert refused.endswith(".")
            assert "\n" not in refused
            continue
        trained += 1
        see(panel)
        if k % 4 == 0:
            learn_on(panel)
            see(panel)
        assert not faults, (text, faults)
    assert 0.3 < trained / FILES < 0.7


def learn_on(panel: TrainingView) -> None:
    """Train two epochs at once."""
    training = panel.training
    training.set_pace("full")
    training.run(2)
    while training.running:
        QCoreApplication.processEvents()


def see(panel: TrainingView) -> None:
    """Paint everything, and look where it is painted."""
    panel.show_state()
    boundary = panel.stage.boundary
    panel.stage.grab()
    for sample in range(len(panel.training.learner.samples)):
        place = boundary.position_of(sample)
        assert boundary.rect().toRectF().contains(place), place
    ends = [end for line in boundary._lines for end in (line.p1(), line.p2())]
    assert all(
        math.isfinite(at.x()) and math.isfinite(at.y()) for at in (*ends, *boundary._curve.toList())
    )
    panel.curve.grab()
    assert all(math.isfinite(x) for side in panel.curve.viewRange() for x in side)


def test_of_a_million_rows_as_many_are_read_as_may_be():
    rows = "1,2,3\n" * 1_000_000
    with pytest.raises(EngineError, match=f"more than {ROW_LIMIT:,} rows"):
        read_table(f"x,y,t\n{rows}")
