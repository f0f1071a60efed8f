"""backwire grade: what learners have handed in is judged again, whatever their files say."""

import csv
import io
from pathlib import Path

import pytest

from app.__main__ import main
from engine import from_expression
from engine.formats.report import Report, write
from engine.graph import Graph
from engine.study.question import Question
from engine.study.record import Attempt, Record
from tests.app.cli.test_running import refused

GRAPH = from_expression("y = a*b + a", {"a": 2, "b": 3})
ALONG_A, ALONG_B = Question("local", 3, 0, 4), Question("local", 3, 1, 5)


def handed_in(folder: Path, name: str, *attempts: Attempt, level: str = "local") -> str:
    path = folder / name
    path.write_text(write(Report(GRAPH, Record("predict", level, attempts=attempts))), "utf-8")
    return str(path)


@pytest.fixture
def honest(tmp_path: Path) -> str:
    wrong = Attempt(ALONG_A, "2", "slip", ("own value",))
    return handed_in(tmp_path, "ada.report.json", wrong, Attempt(ALONG_B, "4/2", "right"))


def test_a_report_is_summed_up(honest: str, capsys):
    assert main(["grade", honest]) == 0
    head, row = capsys.readouterr().out.splitlines()
    assert head.split()[:4] == ["report", "right", "first", "time"]
    assert row.split() == ["ada.report.json", "1", "2", "0", "own", "value"]


def test_a_verdict_is_not_believed(tmp_path: Path, capsys):
    forged = handed_in(tmp_path, "bob.json", Attempt(ALONG_A, "2", "right"))
    assert main(["grade", forged]) == 1
    row = capsys.readouterr().out.splitlines()[1]
    assert row.split() == ["bob.json", "0", "1", "0", "own", "value", *LIE.split()]


LIE = "1 verdict in the file differs"


def test_a_table_for_a_spreadsheet_has_no_formula_in_it(tmp_path: Path, capsys):
    sly = handed_in(tmp_path, "=HYPERLINK(1),2.json", Attempt(ALONG_A, "3", "right"))
    assert main(["grade", "--csv", sly]) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert rows[0][0] == "report"
    assert rows[1] == ["'=HYPERLINK(1),2.json", "1", "1", "0", "", ""]


def test_one_bad_report_does_not_hide_the_others(honest: str, tmp_path: Path, capsys):
    bad = tmp_path / "bad.json"
    bad.write_text("{", "utf-8")
    assert main(["grade", str(bad), honest, str(tmp_path / "gone.json")]) == 1
    found = capsys.readouterr()
    assert "ada.report.json" in found.out
    first, second = found.err.splitlines()
    assert first.startswith("backwire: bad.json: Line 1, column 2")
    assert "gone.json can't be read" in second


@pytest.mark.parametrize(
    "question",
    [
        Question("local", 3, 0, 3),  # that step is about another wire
        Question("local", 3, 0, 9_999),
        Question("local", 3, 0, -1),
        Question("contribution", 3),
        Question("value", 1),
        Question("final", 5),
        Question("sign", 5, 0, 2),
    ],
)
def test_an_answer_about_nothing_is_refused(question: Question, tmp_path: Path, capsys):
    path = handed_in(tmp_path, "x.json", Attempt(question, "3", "right"))
    said = refused(capsys, 1, "grade", path)
    assert said == "backwire: x.json: Answer 1 is about something that the graph has not.\n"


def test_a_graph_that_can_not_be_run_is_refused(tmp_path: Path, capsys):
    path = tmp_path / "x.json"
    broken = Graph(GRAPH.nodes, None, GRAPH.next_id)
    record = Record("predict", "local", attempts=(Attempt(ALONG_A, "3", "right"),))
    path.write_text(write(Report(broken, record)), "utf-8")
    assert refused(capsys, 1, "grade", str(path)).startswith("backwire: x.json: ")


def test_wrong_usage_exits_with_2(capsys):
    assert refused(capsys, 2, "grade").startswith("backwire grade: ")
    assert refused(capsys, 2, "grade", "--xml", "x.json").startswith("backwire grade: ")
