"""What a page copies is what the program itself writes, and `backwire grade` reads it."""

import json
from dataclasses import replace

import pytest

from app.__main__ import main
from app.lessons.load import lesson
from app.lessons.progress import read_handed_in
from app.takeaway.estimated_layout import laid_out_drawing
from app.takeaway.graph_page import PageOptions, page_of_graph
from app.takeaway.page_data import RecordData
from app.takeaway.page_record import (
    BASE32_DIGITS,
    CodeCounts,
    asked_record,
    code_of,
    graph_record,
    lesson_record,
    read_code,
)
from app.workbench.modes.quiz import STEPS
from engine import from_expression
from engine.asking.question import LEVELS, Question, Task
from engine.asking.record import Attempt, Record, Try
from engine.formats.files import save
from engine.formats.native import Drawing
from engine.formats.report import Report, write
from engine.rules import CORRECT
from tests.app.cli.test_running import refused
from tests.helpers.sampling import sampled, spread

GRAPH = from_expression("e = a*b; d = e + a; L = d*f", {"a": 3, "b": -2, "f": 5})
ATTEMPTS = (
    Attempt(
        Question("contribution", 3, 0, 6),
        tries=(Try("−2", "slip", answer=1), Try("-10", "right", answer=2)),
        hints=1,
        seconds=12.5,
    ),
    Attempt(Question("sum", 3, 0, 6), shown=True, seconds=3.0),
)
WRITTEN = (
    '{"kind": "contribution", "node": 3, "slot": 0, "step": 6, "hints": 1, "seconds": 12.5,'
    ' "tries": [{"text": "−2", "verdict": "slip", "answer": 1},'
    ' {"text": "-10", "verdict": "right", "answer": 2}]}',
    '{"kind": "sum", "node": 3, "slot": 0, "step": 6, "shown": true, "seconds": 3.0}',
)
"""The attempts as the script writes them."""


def copied(record: RecordData, student: str = "", rows: tuple[str, ...] = WRITTEN) -> str:
    """The record that a page copies, by the docstring of `RecordData`."""
    name = f' "student": {json.dumps(student, ensure_ascii=False)},\n' if student else ""
    joined = ",\n  ".join(rows)
    attempts = f',\n "attempts": [\n  {joined}\n ]' if rows else ""
    return f"{record.head}{name}{record.body}{attempts}\n}}\n"


@pytest.mark.parametrize("student", ["", "Ada"])
@pytest.mark.parametrize("rows", [WRITTEN, ()])
def test_a_pages_report_is_byte_for_byte_that_of_the_program(student, rows):
    made = graph_record(GRAPH, "Paths", asked_record("all", CORRECT))
    attempts = ATTEMPTS if rows else ()
    record = Record("predict", "contribution and sum", attempts=attempts)
    assert copied(made, student, rows) == write(Report(GRAPH, record, student, "Paths"))


def test_grade_judges_a_pages_report_again(tmp_path, capsys):
    path = tmp_path / "paths.report.json"
    path.write_text(
        copied(graph_record(GRAPH, "Paths", asked_record("all", CORRECT)), "Ada"), "utf-8"
    )
    assert main(["grade", str(path), "--csv"]) == 0
    row = capsys.readouterr().out.splitlines()[1]
    assert '"Ada","Paths: ' in row
    assert "upstream forgotten" in row
    path.write_text(path.read_text("utf-8").replace('"slip"', '"right"'), "utf-8")
    assert main(["grade", str(path)]) == 1
    assert "changed: answer 1 is a slip, not right" in capsys.readouterr().out


def test_a_lessons_record_is_a_progress_file_that_grade_lists(tmp_path, capsys):
    found = lesson("two-paths")
    record = lesson_record(found, 1).lesson
    assert record is not None
    states = ["done"] * (len(found.steps) - 1) + ["shown"]
    file = {
        "format": "backwire progress",
        "version": 2,
        "lessons": {
            record.key: {
                "digest": record.digest,
                "at": len(states) - 1,
                "states": states,
                "seed": record.seed,
                "right": 2,
                "asked": 4,
                "seconds": 61.5,
                "ended": "2026-03-02",
            }
        },
        "slips": [
            {
                "name": "upstream forgotten",
                "kind": "contribution",
                "lesson": record.key,
                "title": record.title,
                "last": "2026-03-02",
                "next": "2026-03-03",
            }
        ],
        "asked": [
            {
                "kind": "contribution",
                "lesson": record.key,
                "title": record.title,
                "last": "2026-03-02",
            }
        ],
        "student": "Ada",
    }
    text = json.dumps(file, ensure_ascii=False, indent=1)
    assert read_handed_in(text.encode()).progress.of("two-paths").right == 2
    path = tmp_path / "ada.json"
    path.write_text(text, "utf-8")
    assert main(["grade", str(path)]) == 0
    assert "upstream forgotten" in capsys.readouterr().out


def test_a_code_tells_its_counts_and_no_misread_sign_goes_unseen():
    code = code_of("K7Q2", CodeCounts(5, 7, 1, 0))
    assert len(code.replace("-", "")) == 12
    assert read_code(code.lower().replace("0", "o").replace("1", "l")) == (
        "K7Q2",
        CodeCounts(5, 7, 1, 0),
    )
    signs = code.replace("-", "")
    for place, sign in enumerate(signs):
        for other in BASE32_DIGITS.replace(sign, ""):
            assert read_code(signs[:place] + other + signs[place + 1 :]) is None
    for place in range(11):
        one, two = signs[place : place + 2]
        swapped = f"{signs[:place]}{two}{one}{signs[place + 2 :]}"
        assert one == two or read_code(swapped) is None
    assert read_code(code_of("0000", CodeCounts(9999, 9999, 99, 99))) is not None


def test_grade_lists_a_code_and_refuses_a_misread_one(capsys):
    code = code_of("K7Q2", CodeCounts(5, 7, 1, 0))
    assert main(["grade", code]) == 0
    assert capsys.readouterr().out.split("\n")[1].split() == [
        code,
        "page",
        "K7Q2",
        "7",
        "5",
        "0",
        "1",
        "0",
    ]
    told = refused(capsys, 1, "grade", f"{code[:-1]}{'0' if code[-1] != '0' else '1'}")
    assert "misread" in told


LEVELS_OF_STEPS = ("contribution and sum", "slope", "contribution", "sum", "whole step")


def test_the_page_of_an_exercise_says_its_task_and_asks_what_it_asks(tmp_path, capsys):
    """Of every level that asks at steps, and every choice of steps."""
    for level, steps in sampled(spread(LEVELS_OF_STEPS, STEPS), 2):
        task = Task("Fill in each blank.", "predict", level, steps)
        exercise = Drawing(GRAPH, task=task)
        save(exercise, tmp_path / "exercise.backwire")
        page = page_of_graph(replace(laid_out_drawing(GRAPH), task=task), "Paths", PageOptions())
        (said,) = page.steps[page.begins].text
        assert said == [task.text]
        asked = {q.record.kind for step in page.steps for q in step.questions if q.record}
        assert asked, (level, steps)
        assert asked == set(LEVELS[level].kinds) or (
            steps != "every" and asked < set(LEVELS[level].kinds)
        )
        handed_in = tmp_path / "page.report.json"
        handed_in.write_text(copied(page.record, "Ada", ()), "utf-8")
        given = str(tmp_path / "exercise.backwire")
        assert main(["grade", str(handed_in), "--graph", given]) == 0, (level, steps)
        assert "asked otherwise" not in capsys.readouterr().out
