"""Tables of samples: columns are chosen, and what is no number is named by its row."""

import pytest

from engine import EngineError
from engine.training.datasets import Sample
from engine.training.table import read_table, samples_of
from engine.training.trouble import trouble

TEXT = "size,weight,kind\n1,2,0\n3,4.5,1\n\n-1,1e2,0\n"


def test_columns_are_chosen_and_two_targets_become_classes():
    table = read_table(TEXT)
    assert table.names == ("size", "weight", "kind")
    assert samples_of(table, [1], 2) == (
        Sample((2.0,), -1.0),
        Sample((4.5,), 1.0),
        Sample((100.0,), -1.0),
    )
    assert samples_of(table, [2, 0], 1)[1] == Sample((1.0, 3.0), 4.5)


def test_a_table_without_names_has_numbered_columns():
    table = read_table("1;2\n3;4\n")
    assert table.names == ("column 1", "column 2")
    assert samples_of(table, [0], 1) == (Sample((1.0,), -1.0), Sample((3.0,), 1.0))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("a,b\n", "no row"),
        ("a,b\n1,2\n1,2,3\n", "Row 3 has 3 cells"),
        ("a,b\n1,2\nx,3\n", "Row 3, column a: “x” is no number"),
        ("a,b\n1,2\n\n3,\n", "Row 4, column b: an empty cell is no number"),
        ("a,b\n1,nan\n2,3\n", "Row 2, column b: “nan” is no number"),
        ("a,b\n1,1_0\n2,3\n", "Row 2, column b: “1_0” is no number"),
    ],
)
def test_what_is_no_table_of_numbers_is_refused_with_its_row(text: str, said: str):
    with pytest.raises(EngineError, match=said):
        samples_of(read_table(text), [0], 1)


def test_inputs_are_not_the_target():
    table = read_table(TEXT)
    with pytest.raises(EngineError, match="input and target"):
        samples_of(table, [0, 2], 2)
    with pytest.raises(EngineError, match="at least one"):
        samples_of(table, [], 2)


def test_trouble_is_named_and_a_good_training_has_none():
    falling = [1.0 / (k + 1) for k in range(50)]
    assert trouble(falling, 0.5) == ""
    assert trouble([], 0.5) == ""
    assert "At epoch 2 the loss is infinite: the rate 5 is too large" in trouble(
        [1.0, 9.0, float("inf")], 5.0
    )
    assert "not a number" in trouble([1.0, float("nan")], 5.0)
    assert "At epoch 1 the loss is infinite" in trouble([1.0, float("inf"), float("nan")], 5.0)
    assert "before the first epoch" in trouble([float("nan")], 5.0)
    assert "has grown from 1 to 3" in trouble([1.0, *[3.0] * 20], 5.0)
    assert "stands still at 0.9" in trouble([1.0, *[0.9] * 20], 5.0)
    assert trouble([1.0, *[0.9] * 20], 5.0, lambda _epoch: 9.0).endswith("5 starts again.")


@pytest.mark.parametrize("rate", [5.0, 1e-12])
def test_a_loss_that_stands_still_has_several_causes_all_of_which_are_named(rate: float):
    said = trouble([1.0, *[0.9] * 20], rate)
    assert all(cause in said for cause in ("too large", "too small", "can do no better"))
    assert said.endswith("Reset and try another rate, or more neurons.")


def test_cells_may_be_separated_by_tabs():
    table = read_table("x\ty\tclass\n1\t2,5\tno\n")
    assert table.names == ("x", "y", "class")
    assert table.rows == (("1", "2,5", "no"),)
