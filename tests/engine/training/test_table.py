"""Tables of samples: columns are chosen, and what is no number is named by its row."""

from collections.abc import Sequence

import pytest

from engine import EngineError
from engine.training.table import read_table, samples_of, target_words
from engine.training.templates import Sample
from tests.helpers.tables import in_turn

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


@in_turn(
    ("text", "said"),
    [
        ("", "empty"),
        ("a,b\n", "no row"),
        ("a,b\n1,2\n1,2,3\n", "Row 3 has 3 cells"),
        ("a,b\n1,2\nx,3\n", "Row 3, column a: “x” is no number"),
        ("a,b\n1,2\n\n3,\n", "Row 4, column b: an empty cell is no number"),
        ("a,b\n1,nan\n2,3\n", "Row 2, column b: “nan” is no number"),
        ("a,b\n1,1_0\n2,3\n", "Row 2, column b: “1_0” is no number"),
        ("a,b\n1\n", "Row 2 has 1 cell; the first row has 2"),
        ("a;b\n1,5;2\n", "Row 2, column a: “1,5” is no number: write a decimal point"),
        ("1,5;2,5\n3,5;4,5\n", "Row 1, column 1: “1,5” is no number: write a decimal point"),
        (
            "a,b\n1,2\n−1e308,3\n",
            "Row 3, column a: “−1e308” can't be drawn, as numbers below 1e150",
        ),
        ("a,b\n1,1e150\n", "Row 2, column b: “1e150” can't be drawn"),
        ("1,inf\n2,3\n", "Row 1, column 2: “inf” is no number"),
        ("x,x\n1,2\nn,3\n", r"Row 3, column x \(column 1\): “n” is no number"),
        (",t\n1,2\nn,3\n", "Row 3, column 1: “n” is no number"),
        (f"x,t\n1,{'9' * 200_000}\n", "Row 2 is no row of a table"),
    ],
)
def test_what_is_no_table_of_numbers_is_refused_with_its_row(text: str, said: str):
    with pytest.raises(EngineError, match=said):
        samples_of(read_table(text), [0], 1)


@pytest.mark.parametrize("between", [",", ";", "\t"])
@pytest.mark.parametrize("first", ["", "\n", "\r\n"])
def test_two_words_become_classes_in_the_order_of_the_alphabet(between: str, first: str):
    text = first + "\n".join(between.join(row) for row in ("xt", "1y", "2n", "3y"))
    table = read_table(text)
    assert target_words(table, 1) == ("n", "y")
    assert [sample.target for sample in samples_of(table, [0], 1)] == [1.0, -1.0, 1.0]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ("abc", "Column kind has 3 different words: a target is a number or one of two words."),
        ("aa", "Column kind holds only one word: a target is a number or one of two words."),
        (("a", '""', "b"), "Row 3, column kind: an empty cell is no target."),
        (("a", "1", "b"), "Row 2, column kind: “a” is no number."),
    ],
)
def test_a_target_of_other_words_is_refused_by_its_column(cells: Sequence[str], said: str):
    table = read_table("x,kind\n" + "".join(f"1,{cell}\n" for cell in cells))
    with pytest.raises(EngineError) as refused:
        samples_of(table, [0], 1)
    assert str(refused.value) == said


def test_no_column_has_the_name_of_another_or_none():
    table = read_table(f"x,,x,{'y' * 99}\n1,2,3,4\n")
    assert table.names[:3] == ("x (column 1)", "column 2", "x (column 3)")
    assert len(table.names[3]) == 40


def test_inputs_are_not_the_target():
    table = read_table(TEXT)
    with pytest.raises(EngineError, match="input and target"):
        samples_of(table, [0, 2], 2)
    with pytest.raises(EngineError, match="at least one"):
        samples_of(table, [], 2)


def test_cells_may_be_separated_by_tabs():
    table = read_table("x\ty\tclass\n1\t2,5\tno\n")
    assert table.names == ("x", "y", "class")
    assert table.rows == (("1", "2,5", "no"),)
