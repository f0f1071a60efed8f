"""backwire grade: what learners have handed in is judged again, whatever their files say.

Progress files are listed: lessons, right first time, and slips.
"""

import csv
import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from app.__main__ import main
from app.cli.grading import _most_asked
from app.document.examples import FOLDER
from app.lessons.course import names, path_of
from app.lessons.load import lesson, load_lesson
from app.lessons.progress import LessonProgress, Origin, Progress, read_progress, write_progress
from app.lessons.review import noted
from app.takeaway.lesson_page import page_of_lesson
from app.takeaway.page_record import CodeCounts, code_of, lesson_record
from engine import from_expression
from engine.asking import record
from engine.asking.judging import VerdictKind
from engine.asking.question import Question, Task
from engine.asking.record import Attempt, Record, Try
from engine.formats import native
from engine.formats.files import save
from engine.formats.native import Drawing
from engine.formats.report import Report, write
from engine.graph import Graph
from tests.app.cli.test_running import refused
from tests.helpers.sampling import sampled
from tests.helpers.tables import in_turn

GRAPH = from_expression("y = a*b + a", {"a": 2, "b": 3})
ALONG_A, ALONG_B = Question("local", 3, 0, 4), Question("local", 3, 1, 5)
OF_SUM, OF_PRODUCT = Question("local", 4, 1, 3), Question("local", 4, 0, 2)


def handed_in(
    folder: Path,
    name: str,
    *attempts: Attempt,
    level: str = "slope",
    student: str = "",
    graph: Graph = GRAPH,
    title: str = "",
) -> str:
    path = folder / name
    record = Record("predict", level, attempts=attempts)
    path.write_text(write(Report(graph, record, student, title)), "utf-8")
    return str(path)


def answer(question: Question, *texts: str, verdict: VerdictKind = "right", **rest: Any) -> Attempt:
    return Attempt(question, tuple(Try(text, verdict) for text in texts), **rest)


def table(capsys: pytest.CaptureFixture[str], code: int, *arguments: str) -> list[dict[str, str]]:
    """What the program says in a table for a spreadsheet, row by row."""
    assert main(["grade", "--csv", *arguments]) == code
    found = capsys.readouterr()
    assert found.err == ""
    return list(csv.DictReader(io.StringIO(found.out)))


@pytest.fixture
def honest(tmp_path: Path) -> str:
    wrong = answer(ALONG_A, "2", verdict="slip")
    return handed_in(tmp_path, "ada.report.json", wrong, answer(ALONG_B, "4/2"), student="Ada")


def test_an_answer_that_was_taken_out_and_a_day_that_can_not_be_are_told(capsys, tmp_path: Path):
    tried = tuple(
        Try(text, "right" if text == "3" else "wrong", (), k)
        for k, text in ((1, "9"), (2, "8"), (3, "3"))
    )
    cases = {
        (): "",
        (0,): "changed: answer 1 is missing at step 4",
        (1,): "changed: answer 2 is missing at step 4",
        (0, 1): "changed: answer 1 is missing at step 4, and 1 more",
        (1, 2): "",  # what was last can't be known
    }
    for out, note in cases.items():
        kept = tuple(each for k, each in enumerate(tried) if k not in out)
        [row] = table(capsys, bool(note), handed_in(tmp_path, "x.json", Attempt(ALONG_A, kept)))
        assert row["note"] == note, out
    path = handed_in(tmp_path, "x.json", Attempt(ALONG_A, tried))
    text = (
        Path(path).read_text("utf-8").replace('"version": 2', '"version": 3, "date": "2026-03-01"')
    )
    for day, note in (("2026-03-01", ""), ("2999-01-01", "changed: saved on 2999-01-01")):
        Path(path).write_text(text.replace("2026-03-01", day), "utf-8")
        [row] = table(capsys, bool(note), path)
        assert (row["date"], row["note"]) == (day, note)


def test_a_report_is_summed_up(honest: str, capsys):
    assert main(["grade", honest]) == 0
    head, row = capsys.readouterr().out.splitlines()
    assert head.split()[:4] == ["report", "student", "graph", "level"]
    names = ["ada.report.json", "Ada", "y", "=", "a*b", "+", "a", "slope"]
    assert row.split() == [*names, "4", "2", "1", "0", "0", "0", "own", "value"]


def test_all_columns_are_in_the_table_for_a_spreadsheet(tmp_path: Path, capsys):
    path = handed_in(
        tmp_path,
        "bob.json",
        answer(ALONG_A, "2", "3", verdict="right"),
        answer(ALONG_B, "2", seen=True),
        answer(OF_SUM, "1", hints=1),
        Attempt(OF_PRODUCT, shown=True),
        student="Bob",
        title="Sharing",
    )
    [row] = table(capsys, 1, path)
    assert row == {
        "report": "bob.json", "student": "Bob", "graph": "Sharing: y = a*b + a",
        "level": "slope", "mistake": "", "questions": "4", "answered": "4", "right first time": "0",
        "seen": "1", "hints": "1", "shown": "1", "slips": "own value",
        "three more": "", "score": "", "runs": "", "date": "",
        "note": "changed: answer 1 is a slip, not right",
    }  # fmt: skip


def test_three_more_are_judged_at_their_numbers_and_counted_by_themselves(tmp_path: Path, capsys):
    first, second = {1: 4.0, 2: -5.0}, {1: -7.0, 2: 6.0}
    path = handed_in(
        tmp_path,
        "bob.json",
        answer(ALONG_A, "2", "3", verdict="slip"),
        answer(ALONG_A, "-5", drawn=3, values=first),
        answer(ALONG_A, "6", drawn=4, values=second),
        answer(ALONG_A, "4", verdict="right", drawn=5, values={1: 4.0, 2: 8.0}),
        Attempt(ALONG_B, drawn=3, values=first, shown=True),
    )
    [row] = table(capsys, 1, path)
    counts = [row[name] for name in ("answered", "right first time", "shown", "three more")]
    assert counts == ["1", "0", "0", "2 of 4"]
    assert row["slips"] == "own value × 2"
    assert row["note"] == "changed: answer 1 is right, not a slip, and 1 more"


@pytest.mark.parametrize(("texts", "verdicts", "said"), [
    (("2", "3"), ("slip", "right"), ""),
    (("2", "3"), ("slip", "wrong"), "changed: answer 1 is right, not wrong"),
    (("2", "2"), ("right", "right"), "changed: answer 1 is a slip, not right, and 1 more"),
    (("three",), ("right",), "changed: answer 1 is no number, not right"),
    (("NaN",), ("right",), "changed: answer 1 is wrong, not right"),
])  # fmt: skip
def test_each_try_is_judged_again(texts, verdicts, said, tmp_path: Path, capsys):
    tries = tuple(Try(*pair) for pair in zip(texts, verdicts, strict=True))
    path = handed_in(tmp_path, "x.json", Attempt(ALONG_A, tries))
    [row] = table(capsys, 1 if said else 0, path)
    assert row["note"] == said
    assert row["right first time"] == "0"


def test_the_number_of_steps_is_not_believed(honest: str, tmp_path: Path, capsys):
    report = json.loads(Path(honest).read_text("utf-8"))
    forged = tmp_path / "few.json"
    forged.write_text(json.dumps(report | {"steps": 2}), "utf-8")
    [row] = table(capsys, 1, str(forged))
    assert (row["questions"], row["note"]) == ("4", "changed: there were 4 steps, not 2")


@pytest.mark.parametrize("name", [
    "=HYPERLINK(1),2.json", "+1.json", "-1.json", "@x.json", " =1.json", "\uff1d1.json",
    "a;=1.json", 'a",=1.json',
])  # fmt: skip
def test_a_table_for_a_spreadsheet_has_no_formula_in_it(name: str, tmp_path: Path, capsys):
    sly = handed_in(tmp_path, name, answer(ALONG_A, "3"), student=name, title=name)
    assert main(["grade", "--csv", f"{tmp_path}/{name}"]) == 0
    text = capsys.readouterr().out
    [row] = csv.DictReader(io.StringIO(text))
    told = name if name.startswith("a") else f"'{name}"
    assert row["report"] == told
    assert row["student"] in (told, told.replace("' ", "'"))
    assert row["graph"] in (f"{told}: y = a*b + a", f"{told}: y = a*b + a".replace("' ", "'"))
    assert row["answered"] == "1"
    assert '"' + told.replace('"', '""') + '"' in text, "a separator of any kind is in quotes"
    assert sly


@pytest.mark.parametrize("sign", ["\n", "\r", "\t", "\x1b[2K", "\x85", "\u2028", "\u202e", "\x00"])
def test_a_name_with_a_line_end_makes_no_row(sign: str, tmp_path: Path, capsys):
    name = "a.json" if "\x00" in sign else f"a{sign}b.json"
    path = handed_in(tmp_path, name, answer(ALONG_A, "3"), student=f"A{sign}B", title=f"T{sign}U")
    for verb in (["grade", path], ["grade", "--csv", path]):
        assert main(verb) == 0
        text = capsys.readouterr().out
        assert len(text.splitlines()) == 2
        assert all(line.isprintable() for line in text.splitlines())
        assert "A\ufffd" in text
    (tmp_path / name).write_text("{", "utf-8")
    assert main(["grade", path]) == 1
    assert capsys.readouterr().err.rstrip("\n").isprintable()


def test_what_is_handed_in_twice_is_said(tmp_path: Path, capsys):
    rest = answer(ALONG_B, "2", seconds=1.7), answer(OF_SUM, "1"), answer(OF_PRODUCT, "1")
    run = answer(ALONG_A, "3", seconds=4.2), *rest
    other = answer(ALONG_A, "3", seconds=9.9), *rest
    paths = [
        handed_in(tmp_path, "ada.json", *run, student="Ada"),
        handed_in(tmp_path, "again.json", *run, student=" ADA "),
        handed_in(tmp_path, "ben.json", *run, student="Ben"),
        handed_in(tmp_path, "late.json", *other, student="Ada"),
        handed_in(tmp_path, "cleo.json", *other[:1], student="Cleo"),
        handed_in(tmp_path, "no1.json", student=""),
        handed_in(tmp_path, "no2.json", student=""),
    ]
    notes = {row["report"]: row["note"] for row in table(capsys, 1, *paths)}
    assert notes == {
        "ada.json": "the same report as again.json; the same run, to the second, as ben.json;"
        " the same student as late.json",
        "again.json": "the same report as ada.json; the same run, to the second, as ben.json;"
        " the same student as late.json",
        "ben.json": "the same run, to the second, as ada.json and 1 more",
        "late.json": "the same student as ada.json and 1 more",
        "cleo.json": "",
        "no1.json": "",
        "no2.json": "",
    }


def test_a_few_answers_in_equal_times_are_no_copy(tmp_path: Path, capsys):
    few = answer(ALONG_A, "3", seconds=4.2), answer(ALONG_B, "2"), answer(OF_SUM, "1")
    paths = [handed_in(tmp_path, f"{name}.json", *few, student=name) for name in ("Ada", "Ben")]
    assert [row["note"] for row in table(capsys, 0, *paths)] == ["", ""]


def test_bad_reports_do_not_hide_others_and_equal_names_are_told_apart_by_folder(
    tmp_path: Path, capsys
):
    ada, ben, cleo = (tmp_path / name for name in ("ada", "ben", "cleo"))
    for folder in (ada, ben, cleo):
        folder.mkdir()
    paths = [
        handed_in(folder, "work.json", answer(ALONG_A, "3", seconds=seconds))
        for folder, seconds in ((ada, 1.0), (ben, 2.0))
    ]
    broken = cleo / "work.json"
    broken.write_text("{", "utf-8")
    bad, gone = tmp_path / "bad.json", tmp_path / "gone.json"
    bad.write_text("{", "utf-8")
    call = ["grade", "--csv", str(bad), *paths, str(broken), paths[0], str(gone)]
    assert main(call) == 1
    out, err = capsys.readouterr()
    rows = {row["report"]: row["note"] for row in csv.DictReader(out.splitlines())}
    assert [*rows] == ["bad.json", *paths, str(broken), "gone.json"]
    assert [rows[path] for path in paths] == ["", ""]
    first, second, third = err.splitlines()
    assert first.startswith("backwire: bad.json: Line 1, column 2")
    assert second.endswith(f"({broken})")
    assert "gone.json can't be read" in third


def test_a_report_about_another_graph_is_named(tmp_path: Path, capsys):
    given = tmp_path / "given.backwire"
    save(from_expression("m = p*q; z = m + p", {"p": 2, "q": 3}), given)
    paths = [
        handed_in(tmp_path, "same.json", answer(ALONG_A, "3")),
        handed_in(tmp_path, "drawn.json", graph=GRAPH.with_values({2: 7.0})),
        handed_in(tmp_path, "other.json", graph=from_expression("y = a*b + b")),
    ]
    rows = table(capsys, 1, *paths, "--graph", str(given))
    assert [row["note"] for row in rows] == [
        "",
        "other values than in given.backwire: q",
        "about another graph than given.backwire",
    ]
    said = refused(capsys, 1, "grade", paths[0], "--graph", str(tmp_path / "gone.backwire"))
    assert "gone.backwire" in said


def test_a_report_that_was_asked_otherwise_than_its_exercise_says_so(tmp_path: Path, capsys):
    text, other = "Fill in each slope.", from_expression("y = a*b + b")
    given = tmp_path / "given.backwire"
    save(Drawing(GRAPH, task=Task(text, "predict", "slope", "every", locked=True)), given)
    runs = (
        (GRAPH, Record("predict", "slope"), text),
        (GRAPH, Record("predict", "sum"), text),
        (GRAPH, Record("predict", "slope", last=2), "Fill in."),
        (other, Record("predict", "sum", meet=True), ""),
    )
    paths = [str(tmp_path / f"{number}.json") for number in range(len(runs))]
    for path, (graph, run, task) in zip(paths, runs, strict=True):
        Path(path).write_text(write(Report(graph, run, task=task)), "utf-8")
    rows = table(capsys, 1, *paths, "--graph", str(given))
    other_task = "asked otherwise than in given.backwire: "
    assert [row["note"] for row in rows] == [
        "",
        f"{other_task}level sum, not slope",
        f"{other_task}another text and steps last, not every",
        f"about another graph than given.backwire; {other_task}"
        "no text and level sum, not slope and steps meet, not every",
    ]
    save(Drawing(GRAPH, task=Task(start="by hand")), given)
    [row] = table(capsys, 1, paths[1], "--graph", str(given))
    assert row["note"] == f"{other_task}another text and mode Ask me, not By hand"


def test_each_pass_of_a_report_is_run_once(tmp_path: Path, monkeypatch, capsys):
    passes: list[object] = []
    run = record.run_within_limit
    monkeypatch.setattr(record, "run_within_limit", lambda *a: passes.append(a) or run(*a))
    turns = ((k, b) for k in range(50) for b in (5, 6))
    answers = [answer(ALONG_A, f"{b}", values={2: float(b)}, round=2 * k + b) for k, b in turns]
    path = handed_in(tmp_path, "x.json", *answers)
    passes.clear()
    assert table(capsys, 0, path)[0]["right first time"] == "1"
    assert len(passes) == 2 + 1, "and one for the number of questions"


def test_values_that_change_again_and_again_are_refused(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.setattr(record, "COMPUTED_NODES_LIMIT", 20)
    answers = [answer(ALONG_A, "5", values={2: float(k)}, round=k) for k in range(9)]
    path = handed_in(tmp_path, "x.json", *answers)
    said = "x.json: Answer 5: the values were changed 4 times, too often for 5 nodes."
    assert refused(capsys, 1, "grade", path) == f"backwire: {said}\n"


def test_progress_is_told_to_a_terminal_alone(honest: str, tmp_path: Path, monkeypatch, capsys):
    long = handed_in(tmp_path, "long.json", *[answer(ALONG_A, "3", round=k) for k in range(400)])
    assert main(["grade", long]) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["grade", honest, long]) == 0
    *lines, blank, end = capsys.readouterr().err.split("\r")[1:]
    assert [line.rstrip() for line in lines if line] == [
        "1 of 2: ada.report.json",
        "2 of 2: long.json",
        "2 of 2: long.json, 200 of 400 answers",
        "2 of 2: long.json, 400 of 400 answers",
    ]
    assert blank.strip() == end == ""


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
        Question("next", 3, step=5),  # it has fired by then
        Question("next", 3, step=99),
    ],
)
def test_an_answer_about_nothing_is_refused(question: Question, tmp_path: Path, capsys):
    path = handed_in(tmp_path, "x.json", answer(question, "3"))
    said = refused(capsys, 1, "grade", path)
    assert said == "backwire: x.json: Answer 1 is about something that the graph has not.\n"


def test_a_graph_that_can_not_be_run_is_refused(honest: str, tmp_path: Path, capsys):
    path = tmp_path / "x.json"
    broken = native.write(Graph(GRAPH.nodes, None, GRAPH.next_id))
    report = json.loads(Path(honest).read_text("utf-8"))
    path.write_text(json.dumps(report | {"graph": broken}), "utf-8")
    assert refused(capsys, 1, "grade", str(path)).startswith("backwire: x.json: Choose a root")


DONE = LessonProgress("a", 5, ("done",) * 6, right=4, asked=5, seconds=300, ended="2026-03-01")
SHOWN = LessonProgress("b", 5, ("done", "shown"), right=1, asked=3, seconds=90, ended="2026-03-04")
BEGUN = LessonProgress("c", 1, ("done", ""), right=1, asked=1, seconds=30)
OTHER_VERSION = "another version of this lesson"
GEARS = Origin("gears", "Gears in a row")


@pytest.fixture
def ada(tmp_path: Path) -> str:
    slips = [("own value", "contribution"), ("replaced", "sum"), ("own value", "local")]
    progress = Progress({"one-wire": DONE, "gears": SHOWN, "xor": BEGUN})
    progress = noted(progress, slips, GEARS, date(2026, 3, 4))  # pyright: ignore
    write_progress(tmp_path / "ada.json", progress, "Ada")
    assert read_progress(tmp_path / "ada.json") == progress
    return str(tmp_path / "ada.json")


@pytest.fixture
def bo(tmp_path: Path) -> str:
    write_progress(tmp_path / "bo.json", Progress({"one-wire": BEGUN, "0f" * 32: DONE}), "Bo")
    return str(tmp_path / "bo.json")


def test_a_class_is_a_table_with_a_row_for_each_learner(capsys, ada: str, bo: str):
    assert main(["grade", "--csv", ada, bo]) == 0
    first, second = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert first == {
        "progress": "ada.json", "student": "Ada", "lessons done": "1", "shown": "1", "begun": "1",
        "last": "2026-03-04", "minutes": "7", "answered": "9", "right first time": "6",
        "slips": "own value; replaced", "note": f"{OTHER_VERSION}: one-wire, gears, xor",
    }  # fmt: skip
    assert second["student"] == "Bo"
    assert second["note"] == f"{OTHER_VERSION}: one-wire; 1 lesson of another file"


def test_reports_and_progress_are_two_tables(capsys, tmp_path: Path, ada: str):
    report = handed_in(tmp_path, "run.report.json", answer(ALONG_B, "2"), student="Ada")
    assert main(["grade", ada, report]) == 0
    above, below, last = capsys.readouterr().out.split("\n\n")
    assert above.splitlines()[0].startswith("report")
    assert below.splitlines()[0].startswith("progress")
    assert last == "All 2: 7 of 10 right first time. Slips: own value; replaced\n"


def progress_text(**changes: Any) -> str:
    """A progress file as the program writes it, with changes of the entry of its lesson."""
    known = lesson("one-wire")
    states = ["done"] * len(known.steps)
    asks = sum(len(step.asks) for step in known.steps)
    entry = {"digest": known.digest, "at": 1, "states": states, "right": asks, "asked": asks,
             "seconds": 60.0, "ended": "2026-03-01"}  # fmt: skip
    slip = {"name": "replaced", "kind": "sum", "lesson": "one-wire", "title": "One wire",
            "last": "2026-03-01", "next": "2026-03-02"}  # fmt: skip
    asked = {key: slip[key] for key in ("kind", "lesson", "title", "last")}
    file = {"format": "backwire progress", "version": 3, "lessons": {"one-wire": entry | changes},
            "slips": [slip], "asked": [asked], "student": "Cy"}  # fmt: skip
    return json.dumps(file)


HONEST = progress_text()
ENTRY = json.dumps(json.loads(HONEST)["lessons"]["one-wire"])
SLIP = json.dumps(json.loads(HONEST)["slips"][0])
KIND = json.dumps(json.loads(HONEST)["asked"][0])
FORGED = {
    "more right than asked": (progress_text(right=90), "90 right of"),
    "more asked than there is": (progress_text(right=90, asked=90, seconds=900), "and it asks"),
    "one more than there is": (progress_text(asked=json.loads(ENTRY)["asked"] + 2), "and it asks"),
    "in no time": (progress_text(seconds=0), "in 0 s"),
    "before any step": (progress_text(states=[]), "before the end of any step"),
    "other steps": (progress_text(states=["done"] * 2), "2 steps of"),
    "a day to come": (progress_text(ended="2999-01-01"), "ended on 2999-01-01"),
    "no day": (progress_text(ended="2025-13-45"), "ended on 2025-13-45"),
    "before Backwire": (progress_text(ended="1066-10-14"), "ended on 1066-10-14"),
    "a slip to come": (HONEST.replace('"last": "2026-03-01"', '"last": "2999-01-01"'), "to come"),
    "a slip put off": (HONEST.replace("2026-03-02", "2999-01-01"), "to come"),
    "a slip twice": (HONEST.replace(SLIP, f"{SLIP}, {SLIP}"), "stands twice"),
    "a kind twice": (HONEST.replace(f"[{KIND}]", f"[{KIND}, {KIND}]"), "stands twice"),
    "a lesson twice": (
        HONEST.replace(ENTRY, f'{ENTRY}, "one-wire": {ENTRY}'),
        '"one-wire" stands twice',
    ),
}


def test_no_page_asks_more_than_the_lesson_is_believed_to():
    for name in sampled(names(), 3):
        known = lesson(name)
        page = page_of_lesson(known)
        asked = [len(step.questions) for step in page.steps]
        most = map(_most_asked, known.steps)
        assert all(count <= limit for count, limit in zip(asked, most, strict=True)), name


def test_what_is_clicked_through_with_show_me_can_be(capsys, tmp_path: Path):
    path = tmp_path / "x.json"
    states = ["shown"] * len(lesson("one-wire").steps)
    for right, seconds in ((0, 3.0), (0, 0.0), (1, 1.5)):
        path.write_text(progress_text(states=states, right=right, seconds=seconds), "utf-8")
        assert table(capsys, 0, str(path))[0]["note"] == "", (right, seconds)
    path.write_text(progress_text(states=states, right=2, seconds=1.0), "utf-8")
    assert "2 right of" in table(capsys, 1, str(path))[0]["note"]


@pytest.mark.parametrize("forged", FORGED)
def test_counts_and_dates_that_can_not_be_are_told(capsys, tmp_path: Path, forged: str):
    text, said = FORGED[forged]
    path = tmp_path / "x.json"
    path.write_text(HONEST, "utf-8")
    assert table(capsys, 0, str(path))[0]["note"] == ""
    path.write_text(text, "utf-8")
    [row] = table(capsys, 1, str(path))
    assert row["note"].startswith("can't be: ")
    assert said in row["note"]
    path.write_text(progress_text(digest="0" * 64), "utf-8")
    assert table(capsys, 0, str(path))[0]["note"] == f"{OTHER_VERSION}: one-wire"


@in_turn(
    ("counts", "honest"),
    [
        (CodeCounts(5, 7, 1, 0), True),
        (CodeCounts(5, 7, 2, 2), True),
        (CodeCounts(0, 0, 0, 0), True),
        (CodeCounts(8, 7, 0, 0), False),
        (CodeCounts(7, 7, 1, 0), False),
        (CodeCounts(0, 3, 0, 4), False),
    ],
)
def test_a_code_whose_counts_can_not_be_is_told(capsys, counts: CodeCounts, honest: bool):
    [row] = table(capsys, 0 if honest else 1, code_of("K7Q2", counts))
    assert row["note"] == ("" if honest else "can't be: these counts of a code")


def test_a_code_that_many_hand_in_is_one_row_that_says_so(capsys):
    code = code_of("K7Q2", CodeCounts(5, 5, 0, 0))
    [row] = table(capsys, 0, code, code, code)
    assert row["note"] == "given 3 times: a code names nobody"
    [row] = table(capsys, 0, code, "--graph", str(FOLDER / "shared-leaf.backwire"))
    assert row["note"] == "a code can't be compared with a graph"


def test_records_in_one_file_are_graded_one_by_one_and_summed_up(
    capsys, tmp_path: Path, honest: str
):
    path = tmp_path / "class.json"
    report = Path(honest).read_text("utf-8")
    path.write_text(f"\ufeff{HONEST}\n{report}\n\n{HONEST.replace('Cy', 'Di')}", "utf-8")
    assert main(["grade", str(path)]) == 0
    above, below, last = capsys.readouterr().out.split("\n\n")
    assert above.splitlines()[1].startswith("class.json, 2  Ada")
    assert [line.split("  ")[:2] for line in below.splitlines()[1:]] == [
        ["class.json, 1", "Cy"],
        ["class.json, 3", "Di"],
    ]
    asks = json.loads(ENTRY)["asked"]
    assert last == (
        f"All 3: {2 * asks + 1} of {2 * asks + 2} right first time."
        " Slips: replaced × 2; own value\n"
    )
    path.write_text(f"{HONEST}\n{report[:-9]}", "utf-8")
    assert main(["grade", str(path)]) == 1
    found = capsys.readouterr()
    assert "(class.json, 2)" in found.err
    assert "Cy" in found.out, "what stands before it is graded"


def test_a_folder_and_a_pattern_are_the_records_in_them(capsys, tmp_path: Path, honest: str):
    folder = tmp_path / "class [1a]"
    folder.mkdir()
    for name in ("b.report.json", "a.report.json", "exercise.backwire", "c.txt"):
        (folder / name).write_bytes(Path(honest).read_bytes())
    for given in (folder, f"{folder}/", tmp_path / "class ?1a?" / "*.json"):
        rows = table(capsys, 1, str(given))
        assert [row["report"] for row in rows] == ["a.report.json", "b.report.json"], given
    (tmp_path / "empty").mkdir()
    for nothing in ("empty", "*.nothing"):
        assert nothing in refused(capsys, 1, "grade", str(tmp_path / nothing))


def test_a_damaged_progress_file_is_named_and_left_alone(capsys, tmp_path: Path, ada: str):
    path = tmp_path / "damaged.json"
    path.write_text('{"format": "backwire progress", "version": 2, "lessons": 3}', "utf-8")
    assert main(["grade", str(path), ada]) == 1
    found = capsys.readouterr()
    assert "damaged.json" in found.err
    assert "Ada" in found.out
    assert path.exists()


def test_the_last_line_leaves_out_what_can_not_be_and_what_is_double(capsys, tmp_path: Path):
    run = answer(ALONG_A, "3", seconds=4.2), answer(ALONG_B, "9", verdict="wrong")
    files = {
        "1.json": HONEST,
        "2.json": HONEST,
        "3.json": progress_text(right=90).replace("Cy", "Di"),
        "4.json": HONEST.replace("Cy", "Ed"),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    paths = [str(tmp_path / name) for name in files]
    paths += [handed_in(tmp_path, f"{k}.report.json", *run, student="Ada") for k in "12"]
    paths += [
        code_of("K7Q2", counts) for counts in (CodeCounts(5, 7, 1, 0), CodeCounts(9, 5, 0, 0))
    ]
    asks = json.loads(ENTRY)["asked"]
    for order in (paths, paths[::-1]):
        assert main(["grade", *order]) == 1
        out = capsys.readouterr().out
        assert out.splitlines()[-1] == (
            f"All 8 without 2 double and 2 that can't be: {2 * asks + 6} of {2 * asks + 9}"
            " right first time. Slips: replaced × 2"
        )
        assert out.count("the same progress as in") == 1


def test_copies_of_progress_are_one_learners_whatever_they_hold(capsys, tmp_path: Path):
    asks, begun = json.loads(ENTRY)["asked"], progress_text(asked=0, right=0)
    nameless = HONEST.replace("Cy", "")
    assert '"student": ""' in nameless
    for text, last_line in (
        (HONEST, f"All 3 without 2 double: {asks} of {asks} right first time"),
        (nameless, f"All 3 without 2 double: {asks} of {asks} right first time"),
        (begun, "All 3 without 2 double: 0 of 0 right first time"),
        (progress_text(right=90), "All 3 without 3 that can't be: 0 of 0 right first time"),
    ):
        (tmp_path / "twice.json").write_text(f"{text}\n{text}", "utf-8")
        (tmp_path / "again.json").write_text(f"{text}\n", "utf-8")
        main(["grade", str(tmp_path / "twice.json"), str(tmp_path / "again.json")])
        out = capsys.readouterr().out
        assert out.count("the same progress as in twice.json, 1") == 2, text
        assert out.splitlines()[-1].startswith(last_line), text


def test_each_record_that_is_refused_has_a_row_with_the_reason(capsys, tmp_path: Path, honest: str):
    report = json.loads(Path(honest).read_text("utf-8"))
    other_steps = answer(Question("local", 3, 0, 9_999), "3")
    asked = handed_in(tmp_path, "asked.json", other_steps, student="Bo")
    texts = {
        "empty.json": ("", ""),
        "array.json": ("[1, 2]", ""),
        "broken.json": ("{", ""),
        "newer.json": (HONEST.replace('"version": 3', '"version": 99'), "Cy"),
        "part.json": (json.dumps({key: report[key] for key in ("format", "student")}), "Ada"),
        "list.json": (json.dumps(report | {"student": ["Ada"] * 999, "title": 3}), ""),
    }
    for name, (text, _student) in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe{")
    students = {name: student for name, (_text, student) in texts.items()}
    students |= {"bytes.json": "", "asked.json": "Bo", "gone.json": ""}
    paths = [str(tmp_path / name) for name in students]
    for csv_too in (True, False):
        assert main(["grade", *["--csv"] * csv_too, honest, *paths]) == 1
        out, err = capsys.readouterr()
        for name, student in students.items():
            [line] = [line for line in out.splitlines() if name in line]
            [reason] = [line for line in err.splitlines() if name in line]
            assert reason[-20:].strip('"') in line, name
            assert student in line, name
            assert "['" not in line, name
    assert out.splitlines()[-1].startswith("All 10 without 9 that can't be read: 1 of 2 right")
    assert refused(capsys, 1, "grade", asked).startswith("backwire: asked.json: Answer 1")


def test_a_lesson_is_named_by_its_digest_or_else_by_its_title(
    capsys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    known = lesson("one-wire")
    copy = tmp_path / "copy.toml"
    copy.write_bytes(path_of("one-wire").read_bytes())
    own = tmp_path / "own.toml"
    own.write_text(copy.read_text("utf-8") + "\n", "utf-8")
    monkeypatch.chdir(path_of("one-wire").parent)
    path = tmp_path / "x.json"
    expected = {
        Path("one-wire.toml"): ("", "can't be: one-wire, 90 right of"),
        copy: ("", "can't be: one-wire, 90 right of"),
        own: ("1 lesson of another file: One wire", "can't be: One wire, 90 right of"),
    }
    for file, (note, forged) in expected.items():
        record = lesson_record(load_lesson(file), 1).lesson
        assert record is not None
        assert (record.key == known.name) == (file.name == "one-wire.toml")
        for right, said in ((1, note), (90, forged)):
            text = progress_text(right=right, digest=record.digest)
            path.write_text(text.replace('"one-wire"', f'"{record.key}"'), "utf-8")
            [row] = table(capsys, int(right == 90), str(path))
            assert row["note"].startswith(said), file
            assert len(row["note"]) < 120, "not by its digest"
            assert bool(row["note"]) == bool(said), file
    nameless = json.loads(path.read_text("utf-8")) | {"slips": [], "asked": []}
    path.write_text(json.dumps(nameless), "utf-8")
    assert table(capsys, 1, str(path))[0]["note"].startswith(
        "can't be: a lesson of another file, 90"
    )
