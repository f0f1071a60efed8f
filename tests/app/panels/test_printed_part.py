"""Numbers typed into the fields of the leaves are answered with the mistakes that give them."""

from collections.abc import Mapping

import pytest
from PySide6.QtTest import QTest

from app.panels.mistakes.page import PrintedPart
from engine import from_expression
from engine.rules import BY_NAME
from tests.app.workbench.study.test_lab import NAMES, ROWS


@pytest.fixture
def part(qtbot, style) -> PrintedPart:
    found = PrintedPart(style)
    qtbot.addWidget(found)
    return found


def type_all(part: PrintedPart, gradients: Mapping[str, float]) -> None:
    """Type the gradient of every leaf into its field, by keys."""
    for name, field in part.fields.items():
        field.clear()
        QTest.keyClicks(field, f"{gradients[name]:g}")


def test_every_row_of_the_table_is_typed_and_answered(part: PrintedPart):
    assert {said for _text, _leaves, said, _gradients in ROWS} == set(NAMES)
    for text, leaves, said, gradients in ROWS:
        graph, name = from_expression(text, leaves), NAMES[said]
        part.show_graph(graph)
        assert part.fields.keys() == leaves.keys()
        type_all(part, gradients)
        answer, found = part.sentence.text(), part.buttons
        if not found:  # by accident these are the numbers of the correct pass
            assert answer.startswith("The correct pass gives these numbers. By accident so do")
            assert BY_NAME[name].title in answer
        elif len(found) == 1:
            assert (answer, [*found]) == ("One mistake gives these numbers.", [name])
        else:
            assert name in found
            assert answer.startswith(("They can not be told apart", "On this graph they can"))
