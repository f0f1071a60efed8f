"""Reports: what is written is read again, and what may not be in one is refused with its place."""

import json
import math

import msgspec
import pytest
from msgspec.structs import replace

from engine import FormatError, from_expression
from engine.asking.question import Question
from engine.asking.record import Attempt, Record, Try
from engine.formats import native
from engine.formats.report import ATTEMPT_LIMIT, NODE_LIMIT, Report, read, write
from engine.graph import Graph, Leaf
from tests.helpers.tables import in_turn

GRAPH = from_expression("y = a*b", {"a": 2, "b": 3})
QUESTION = Question("local", 3, 0, 2)


def report(*attempts: Attempt, graph: Graph = GRAPH) -> Report:
    record = Record("predict", "slope", "assign", 7, True, attempts, last=3)
    return Report(graph, record, "Ada Lovelace", "Product", steps=2)


def test_a_report_is_read_as_it_was_written():
    whole = report(
        Attempt(
            QUESTION,
            (Try("−3", "wrong", (), 1), Try("3", "right", (), 2, "shortest")),
            hints=2,
            seen=True,
            seconds=1.5,
            values={1: math.inf, 2: 0.5},
            round=4,
        ),
        Attempt(Question("local", 3, 1, 3), shown=True),
        Attempt(Question("next", 3, step=2), (Try("3", "right", (), 1),)),
    )
    meeting = Report(GRAPH, Record("predict", "sum", meet=True), steps=0)
    exercise = replace(report(), task="Fill in größe.", date="2026-03-01", version=3)
    drawn = Attempt(QUESTION, values={1: 4.0}, drawn=12)
    more = replace(report(Attempt(QUESTION), drawn), version=4)
    for each in (whole, meeting, exercise, more):
        assert read(write(each)) == each
        assert write(read(write(each))) == write(each)
        assert "not a lock" in write(each)
    assert json.loads(write(report()))["version"] == 2, "older programs read it"


def test_the_number_of_steps_that_there_were_is_written():
    for last, number in ((None, 2), (1, 1), (2, 2), (9, 2)):
        whole = Report(GRAPH, Record("predict", "slope", last=last))
        assert json.loads(write(whole))["steps"] == number


def test_numbers_that_json_has_not_are_kept_in_graph_and_answers():
    odd = GRAPH.with_values({1: math.nan, 2: -math.inf})
    whole = report(Attempt(QUESTION, (Try("nan", "right"),), values={1: math.nan}), graph=odd)
    found = read(write(whole))
    assert math.isnan(found.record.attempts[0].values[1])
    assert found.graph.nodes[2] == odd.nodes[2]


def changed(**fields: object) -> str:
    """A report of one answer with other fields."""
    document = json.loads(write(report(Attempt(QUESTION, (Try("3", "right"),)))))
    entry = {k: fields.pop(k) for k in tuple(fields) if k in ENTRY}
    document["attempts"][0] |= entry
    return json.dumps(document | fields)


ENTRY = (
    "kind",
    "node",
    "slot",
    "step",
    "tries",
    "hints",
    "seconds",
    "values",
    "round",
    "seen",
    "set",
)


def typed(text: object, verdict: str = "right", **rest: object) -> list[dict[str, object]]:
    return [{"text": text, "verdict": verdict} | rest]


def clicked(text: str) -> str:
    return changed(kind="next", slot=None, tries=typed(text))


HOSTILE: tuple[tuple[str | bytes, str], ...] = (
    ("", "ends too early"),
    ("[]", "not a Backwire report"),
    (b"\xff", "not UTF-8"),
    ('{"format": "backwire", "version": 1}', "not a Backwire report"),
    (native.write(GRAPH), 'it has no "format": "backwire report"'),
    ('{"format": "backwire report"}', "no version"),
    (changed(version=5), "version 5"),
    (changed(version=3, task="x" * 241), "the task has at most 240 characters"),
    (changed(task="x"), "A report of version 2 has no task."),
    (changed(version=0), "no version"),
    (changed(version=1), "A report of version 1 is no longer read"),
    (changed(version=1.0), "no version"),
    (changed(version="2"), "no version"),
    (changed(mode="hunt"), 'no mode "hunt"'),
    (changed(level="everything"), 'no level "everything"'),
    (changed(rules="cheat"), 'no mistake "cheat"'),
    (changed(extra=1), "unknown field"),
    (changed(graph="{}"), "The graph of the report: "),
    (changed(graph=7), "Expected `str`"),
    (changed(graph=native.write(GRAPH)[:-9]), "The graph of the report: "),
    (changed(node=99), "Answer 1: the graph has no node 99."),
    (changed(node=2**70), "Answer 1: the graph has no node"),
    (changed(slot=5), "Answer 1: node 3 has no slot 5."),
    (changed(slot=-1), "Answer 1: node 3 has no slot -1."),
    (changed(kind="guess"), "Invalid enum value"),
    (changed(tries=typed("3", "splendid")), "Invalid enum value"),
    (changed(tries=typed("9" * 81)), "Answer 1: an answer has at most 80 characters."),
    (changed(tries=typed(None)), "$.attempts[0].tries[0].text"),
    (changed(tries=7), "Expected `array`"),
    (changed(tries=typed("3") * 10_001), "up to 10,000 answers"),
    (changed(tries=typed("3", digits=0)), "Answer 1: numbers have 1 to 17 digits."),
    (changed(tries=typed("3", digits=10**9)), "Answer 1: numbers have 1 to 17 digits."),
    (changed(tries=typed("3", digits=True)), "$.attempts[0].tries[0].digits"),
    (changed(tries=typed("3", answer=-1)), "Answer 1: the numbers of its Answers go up from 1."),
    (changed(tries=typed("3", answer=1) * 2), "Answer 1: the numbers of its Answers go up"),
    (changed(tries=[*typed("3", answer=2), *typed("3", answer=1)]), "Answers go up from 1."),
    (changed(tries=typed("3", answer="first")), "$.attempts[0].tries[0].answer"),
    (changed(round=-1), "Answer 1: rounds are no less than 0."),
    (changed(attempts=json.loads(changed())["attempts"] * 2), "Answer 2: it stands twice"),
    (clicked("99"), 'Answer 1: the graph has no node "99".'),
    (clicked("a"), 'Answer 1: the graph has no node "a".'),
    (clicked("3.0"), 'Answer 1: the graph has no node "3.0".'),
    (clicked("\uff19"), 'Answer 1: the graph has no node "\uff19".'),
    (changed(meet=True), "the last steps are asked or those where paths meet"),
    (changed(meet="yes", last=None), "$.meet"),
    (changed(seen="yes"), "$.attempts[0].seen"),
    (changed(student="A" * 201), "the student's name has at most 200"),
    (changed(student=["Ada"]), "$.student"),
    (changed(title="A" * 201), "the title has at most 200"),
    (changed(steps=-1), "no fewer than 0"),
    (changed(last=0), "last ones than 1"),
    (changed(hints=-1), "no less than 0"),
    (changed(seconds=-0.5), "no less than 0"),
    (changed(version=4, set=-1, values={"1": 4}), "sets are numbered from 1"),
    (changed(version=4, set="3"), "$.attempts[0].set"),
    (changed(version=4, set=3), "Answer 1: set 3 has no numbers."),
    (changed(set=3, values={"1": 4}), "A report of version 2 has no sets."),
    (
        changed(
            version=4,
            attempts=[
                {"kind": "local", "node": 3, "slot": k, "values": {"1": k}, "set": 3}
                for k in (0, 1)
            ],
        ),
        "Answer 2: set 3 has other numbers than before.",
    ),
    (changed(values={"3": 1.0}), "node 3 holds no number of its own"),
    (changed(values={"x": 1.0}), "Expected `int`"),
    (changed(values={"1": "many"}), "not a Backwire report"),
    (changed().replace('"mode"', '"mode": "cover", "mode"'), "stands twice"),
    (changed(values={"1": 1}).replace('"1": 1', '"1": NaN'), "write it as the string"),
    (changed(seconds=1).replace('"seconds": 1', '"seconds": 1e999'), "out of range"),
    (f'{{"format": {"[" * 5000}', "too deeply"),
    (changed().replace("[{", "[" * 100_000 + "{"), "too deeply"),
    (changed(attempts=[{}] * 10_001).replace("{}", '{"kind":"local","node":3}'), "up to 10,000"),
    ('{"attempts": [' + "{}," * 10**6 + "{}]}", "more than 750,000"),
    (changed(note="x" * 2**24), "larger than 16 MiB"),
    (changed(attempts=[{}]), "missing required field"),
)


@in_turn(("text", "words"), HOSTILE)
def test_what_is_no_report_is_refused_with_the_reason(text: str | bytes, words: str):
    with pytest.raises(FormatError) as caught:
        read(text)
    assert words in str(caught.value)


def test_too_many_answers_or_nodes_are_refused():
    many = report(*[Attempt(QUESTION, (Try("3", "right"),))] * (ATTEMPT_LIMIT + 1))
    with pytest.raises(FormatError, match="up to 10,000 answers"):
        read(write(many))
    leaves = {number: Leaf(1.0) for number in range(1, NODE_LIMIT + 2)}
    large = native.write(Graph(leaves, None, NODE_LIMIT + 2))
    with pytest.raises(FormatError, match="up to 5,000 nodes"):
        read(changed(graph=large))


def test_every_field_of_a_record_and_an_answer_is_in_a_report():
    """A field that is added to them has to be written, too."""
    record = {"mode", "level", "rules", "seed", "changed", "attempts", "last", "meet"}
    attempt = {"question", "tries", "hints", "shown", "seen", "seconds", "values", "round", "drawn"}
    tried = {"text", "verdict", "slips", "answer", "digits"}
    computed = {"follows"}  # by judging again whenever a report is read
    assert {field.name for field in msgspec.structs.fields(Record)} == record
    assert {field.name for field in msgspec.structs.fields(Attempt)} == attempt
    assert {field.name for field in msgspec.structs.fields(Try)} == tried | computed
