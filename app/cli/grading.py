"""backwire grade: judges again what learners have handed in."""

import csv
import io
from collections.abc import Sequence

from app.cli.calling import Parser, complain, naming, say, table, told
from engine.errors import EngineError
from engine.formats import report
from engine.formats.files import read_content, shown_name
from engine.numbers import counted
from engine.study.record import Summary, judged, summary

HEADINGS = ("report", "right first time", "of", "shown", "slips", "note")


def do(verb: str, arguments: Sequence[str]) -> int:
    """Print what each report comes to; returns 1 if one can't be read or holds other verdicts."""
    parser = Parser(verb, "REPORT... [--csv]", "Judge every answer of reports again.")
    parser.add_argument("reports", nargs="+", metavar="REPORT", action="extend")
    parser.add_argument("--csv", action="store_true", help="a table for a spreadsheet")
    found = parser.read(arguments)
    rows: list[tuple[str, ...]] = []
    for path in found.reports:
        try:
            rows.append(_row(path))
        except EngineError as error:
            complain(f"backwire: {told(error)}")
    if found.csv:
        say(_csv([HEADINGS, *rows]))
    elif rows:
        say(table([HEADINGS, *rows]))
    believed = not any(row[-1] for row in rows)
    return 0 if believed and len(rows) == len(found.reports) else 1


def _row(path: str) -> tuple[str, ...]:
    with naming(path):
        handed_in = report.read(read_content(path))
        record = judged(handed_in.record, handed_in.graph)
    told, stored = summary(record), handed_in.record
    pairs = zip(record.attempts, stored.attempts, strict=True)
    differ = sum(now.verdict != then.verdict for now, then in pairs)
    one, many = "{count} verdict in the file differs", "{count} verdicts in the file differ"
    return (
        shown_name(path),
        str(told.right_first),
        str(told.asked),
        str(told.shown),
        _slips(told),
        counted(differ, one, many) if differ else "",
    )


def _slips(told: Summary) -> str:
    return "; ".join(
        slip.name if count == 1 else f"{slip.name} × {count}" for slip, count in told.slips
    )


def _csv(rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(_safe, rows))
    return text.getvalue().rstrip("\n")


def _safe(row: Sequence[str]) -> list[str]:
    """Return a row in which no cell, such as the name of a file, is a formula of a spreadsheet."""
    return [f"'{cell}" if cell[:1] in "=+-@\t\r" and cell else cell for cell in row]
