"""Records are graded again and summed up; graphs are compared whatever their nodes are called."""

import math
from functools import partial
from typing import Any

import msgspec

from engine import from_expression
from engine.asking.answering import grade
from engine.asking.beliefs import BELIEFS, belief_numbers
from engine.asking.kinds import answer
from engine.asking.question import LEVELS, Kind, Question, level_questions, step_questions
from engine.asking.record import (
    Attempt,
    Record,
    Try,
    askable_steps,
    differing_values,
    is_clean,
    missing_answers,
    regraded,
    right_first_time,
    slips_made,
    summary,
)
from engine.edits import add
from engine.graph import Graph, Leaf, Node, OpNode, Root
from engine.trace import Trace, run
from tests.helpers.graphs import demonstration
from tests.helpers.tables import in_turn


def attempt(trace: Trace, question: Question, text: str) -> Attempt:
    verdict = grade(question, trace, text)
    slips = tuple(slip.name for slip in verdict.slips)
    return Attempt(question, (Try(text, verdict.kind, slips),))


def with_attempt(record: Record, found: Attempt) -> Record:
    return msgspec.structs.replace(record, attempts=(*record.attempts, found))


def learner(trace: Trace, level: str, belief: str) -> Record:
    """A run of someone who holds one wrong belief and else computes right."""
    record = Record("predict", level)
    for question in level_questions(trace, LEVELS[level]):
        wrong = [n for slip, n in belief_numbers(question, trace) if slip.name == belief]
        number = wrong[0] if wrong else answer(question, trace)
        record = with_attempt(record, attempt(trace, question, repr(number)))
    return record


ASKED = (
    ("own value", "slope", "c=a+b; d=a*b; y=c*d"),
    ("own value", "contribution", "c=a+b; d=a*b; e=c+d; f=c*d; y=e+f"),
    ("upstream forgotten", "contribution", "c=a+b; d=a*b; e=c*d; f=e*c; y=f*a"),
    ("replaced", "sum", "c=a+b; d=a*b; e=c+d; f=c*d; y=e+f"),
    ("minus lost in the slope", "slope", "c=a-b; d=-c; y=d - a"),
    ("minus lost in the slope", "contribution", "p=a*a; c=p-b; d=c*b; e=d-a; y=e*a"),
    ("value for slope", "slope", "c=tanh(a); d=sigmoid(c); y=d*b"),
    ("value for slope", "contribution", "c=tanh(a); d=sigmoid(c); y=d*b"),
)


@in_turn(("belief", "level", "text"), ASKED)
def test_a_belief_is_named_by_the_second_answer_that_it_changes(belief, level, text):
    trace = run(from_expression(text, {"a": 2, "b": 3}))
    record, changed = Record("predict", level), 0
    for told in learner(trace, level, belief).attempts:
        record = with_attempt(record, told)
        changed += not told.right
        if changed == 2:
            break
    assert changed == 2, "the graph shows the belief twice"
    slip, count = slips_made(record.attempts)[0]
    assert (slip.name, count) == (belief, 2)


def test_a_summary_counts_what_was_right_first_time():
    trace = run(demonstration())
    record = learner(trace, "sum", "replaced")
    found = summary(record)
    wrong = sum(not told.right for told in record.attempts)
    assert (found.answered, found.right_first) == (
        len(record.attempts),
        len(record.attempts) - wrong,
    )
    assert [(slip.name, count) for slip, count in found.slips] == [("replaced", wrong)]


def test_grading_again_gives_the_same_verdicts_whatever_the_file_says():
    graph = demonstration()
    true = learner(run(graph), "whole step", BELIEFS[0].name)
    forged = Record("predict", "whole step", attempts=tuple(
        Attempt(told.question, (Try(told.text, "right"),)) for told in true.attempts
    ))  # fmt: skip
    assert regraded(forged, graph) == true


def test_an_answer_after_a_change_of_values_is_graded_with_the_new_ones():
    graph = from_expression("y = a*b", {"a": 2, "b": 3})
    question = Question("local", 3, 0, 2)
    told = Attempt(question, (Try("5", "right"),), values={2: 5.0})
    record = with_attempt(Record("predict", "slope", changed=True), told)
    assert [attempt.verdict for attempt in regraded(record, graph).attempts] == ["right"]


def test_a_question_of_three_more_is_judged_where_the_blanks_before_it_show_their_answers():
    graph = from_expression("y = a*b + a", {"a": 2, "b": 3})
    passed, product = Question("contribution", 3, 0, 4), Try("20", "wrong", answer=1)
    in_pass = Attempt(passed, (product,), values={1: 4.0, 2: 5.0})
    more = [msgspec.structs.replace(in_pass, drawn=number) for number in (1, 2)]
    record = regraded(Record("predict", "whole step", attempts=(in_pass, *more)), graph)
    assert [each.verdict for each in record.attempts] == ["slip", "wrong", "wrong"]
    assert [each.slips for each in record.attempts] == [("value for slope",), (), ()]
    assert missing_answers(record) == []


GRAPH = from_expression("y = tanh(a - b)*f + a", {"a": 2, "b": 1.5, "f": -2})
ALONG_F, ALONG_D = (6, 1, 5), (4, 0, 6)
"""Target, slot and step of the wires of f, whose slope is 0.4621, and of a − b, −2 × 0.7864."""


def again(*attempts: Attempt) -> list[list[tuple[str, tuple[str, ...]]]]:
    """The verdicts and slips of tries, judged again."""
    record = regraded(Record("predict", "whole step", attempts=attempts), GRAPH)
    return [[(each.verdict, each.slips) for each in told.tries] for told in record.attempts]


def typed(kind: Kind, at: tuple[int, int, int], *texts: str, begin: int = 1) -> Attempt:
    """One blank of a step: what was typed into it, from one Answer on; 0: each try alone."""
    tries = (Try(text, "wrong", (), begin and k) for k, text in enumerate(texts, begin))
    return Attempt(Question(kind, *at), tuple(tries))


def test_what_follows_from_a_wrong_blank_of_the_same_answer_is_no_slip_of_its_own():
    slope, led = (
        partial(typed, "local", ALONG_F, "-2"),
        partial(typed, "contribution", ALONG_F, "-2"),
    )
    own = ("slip", ("own value",))
    assert again(slope(), led()) == [[own], [("wrong", ())]]
    assert again(led(), slope()) == [[("wrong", ())], [own]], "left to right"
    alone = ("slip", ("own value", "other input's slope"))
    assert again(slope(begin=0), led(begin=0)) == [[own], [alone]]
    assert again(slope(), led(begin=2)) == [[own], [alone]], "another Answer"


def test_a_product_of_a_rounded_slope_is_rounded_in_any_pass():
    slope = typed("local", ALONG_D, "0.79")
    then = typed("contribution", ALONG_D, "7", "-1.58")
    assert again(slope, then)[1] == [("wrong", ()), ("rounded", ())]
    assert again(then) == [[("wrong", ()), ("rounded", ())]]


def test_an_unreadable_text_of_an_answer_leaves_the_others_judged():
    told = typed("local", ALONG_D, "three"), typed("contribution", ALONG_D, "-1.5729")
    assert again(*told) == [[("unread", ())], [("rounded", ())]]


@in_turn(
    ("node", "verdict", "slips"),
    [
        ("6", "right", ()), ("7", "slip", ("fired",)), ("4", "slip", ("waits",)),
        ("1", "slip", ("passes nothing",)), ("99", "slip", ("no way",)), ("f", "unread", ()),
    ],
)  # fmt: skip
def test_the_node_that_was_clicked_is_judged_again(node, verdict, slips):
    click = Attempt(Question("next", 6, step=4), (Try(node, "right", (), 1),))
    record = regraded(Record("predict", "next node", attempts=(click,)), GRAPH)
    assert record.attempts[0].tries == (Try(node, verdict, slips, 1),)
    assert sum(count for _slip, count in summary(record).slips) == len(slips)


def test_each_question_of_a_step_counts_whether_it_was_right_first_time():
    trace = run(demonstration())
    both = next(
        found
        for step in range(1, len(trace) + 1)
        if len(found := step_questions(trace, step, LEVELS["contribution and sum"].kinds)) > 1
    )
    right = [Attempt(q, (Try(repr(answer(q, trace)), "right", (), 1),)) for q in both]
    assert right_first_time(right) == dict.fromkeys(both, True)
    change = msgspec.structs.replace
    for worse in (
        change(right[1], tries=(Try("7", "wrong", (), 1), Try("8", "right", (), 2))),
        change(right[1], hints=1),
        change(right[1], shown=True),
        change(right[1], seen=True),
    ):
        one_wrong = {both[0]: True, both[1]: False}
        assert right_first_time([right[0], worse]) == one_wrong
        assert not is_clean([right[0], worse], both)
        later = [change(attempt, round=1) for attempt in right]
        assert right_first_time([right[0], worse, *later]) == one_wrong, "the first counts"
    skipped = [Attempt(question) for question in both]
    assert right_first_time(skipped) == {}
    later = [change(attempt, round=1) for attempt in right]
    found = right_first_time([*skipped, *later])
    assert found == dict.fromkeys(both, True), "what was skipped does not count"


def test_a_slope_asked_for_in_a_later_pass_does_not_change_what_was_right_first_time():
    first = typed("contribution", ALONG_F, "0.4621")
    first = regraded(Record("predict", "contribution", attempts=(first,)), GRAPH).attempts[0]
    unfolded = msgspec.structs.replace(typed("local", ALONG_F, "9"), round=1)
    assert right_first_time([first, unfolded]) == {first.question: True}


def test_a_slope_that_unfolded_as_help_is_no_question():
    change = msgspec.structs.replace
    product, slope = typed("contribution", ALONG_F, "9"), typed("local", ALONG_F, "1")
    tries = tuple(change(product.tries[0], answer=k, verdict="wrong") for k in (1, 2))
    product = change(product, tries=tries)
    late = change(slope, tries=(change(slope.tries[0], answer=3, verdict="right"),))
    upstream = typed("upstream", ALONG_F, "1")
    for attempts, count in (
        ([product, late], 1),  # after two wrong answers
        ([change(product, tries=tries[:1]), change(slope, hints=2)], 1),
        ([change(product, hints=2, tries=(), shown=True), change(slope, hints=2, tries=())], 1),
        ([change(slope, tries=tries[:1]), product], 2),  # asked from the start
        ([upstream, product, late], 3),  # a whole step, the slope answered last
    ):
        record = Record("predict", "contribution", attempts=tuple(attempts))
        assert len(right_first_time(attempts)) == summary(record).answered == count


def test_what_was_seen_or_helped_is_not_right_first_time():
    trace = run(demonstration())
    first, second, third, fourth = level_questions(trace, LEVELS["slope"])[:4]

    def given(question: Question, *texts: str, **rest: Any) -> Attempt:
        return Attempt(
            question, tuple(Try(t, grade(question, trace, t).kind) for t in texts), **rest
        )

    right = [repr(answer(question, trace)) for question in (first, second, third, fourth)]
    record = Record("predict", "slope", attempts=(
        given(first, right[0], seen=True),
        given(second, "77", right[1]),
        given(third, right[2], hints=1),
        given(fourth, right[3]),
    ))  # fmt: skip
    found = summary(record)
    assert (found.answered, found.seen, found.hinted, found.right_first) == (4, 1, 1, 1)
    assert [attempt.right for attempt in record.attempts] == [True] * 4
    wanted = [attempt.question for attempt in record.attempts]
    assert not is_clean(record.attempts, wanted)
    assert is_clean([given(q, text) for q, text in zip(wanted, right, strict=True)], wanted)


@in_turn(("level", "last", "meet", "number"), [
    ("slope", None, False, 10), ("slope", 3, False, 3), ("slope", 99, False, 10),
    ("whole step", None, False, 10), ("contribution and sum", None, False, 10),
    ("contribution and sum", None, True, 4), ("sum", None, False, 4), ("sum", None, True, 4),
    ("sum", 3, False, 3), ("final gradients", 3, False, 2),
])  # fmt: skip
def test_there_were_as_many_steps_as_were_chosen_and_have_a_blank(level, last, meet, number):
    graph = demonstration()
    assert askable_steps(Record("predict", level, last=last, meet=meet), graph) == number


def test_the_slope_that_the_unfolded_sentence_asks_for_is_no_step_of_its_own():
    graph = demonstration()
    told = tuple(
        Attempt(question)
        for kind in ("contribution", "local")
        for question in level_questions(run(graph), LEVELS["slope"])[:1]
        for question in [msgspec.structs.replace(question, kind=kind)]
    )
    assert (
        askable_steps(Record("predict", "contribution and sum", attempts=told, last=1), graph) == 2
    )


def test_of_more_leaves_than_are_asked_about_those_that_were_put_count():
    graph = from_expression("y = a + b + c + d + e")
    put = tuple(Attempt(Question("final", leaf)) for leaf in graph.leaves[:2])
    assert askable_steps(Record("predict", "final gradients", attempts=put), graph) == 2


def test_the_values_count_where_one_of_them_was_asked():
    graph = demonstration()
    value = Attempt(Question("value", 3), (Try("5", "right"),))
    both = Attempt(Question("final", 1), (Try("5", "right"),))
    assert askable_steps(Record("predict", "final gradients", attempts=(value,)), graph) == 5
    assert askable_steps(Record("predict", "final gradients", attempts=(value, both)), graph) == 7


GIVEN = from_expression("y = a*b + a", {"a": 2, "b": 3})


def renumbered(graph: Graph) -> Graph:
    """The same graph with other ids, in another order."""
    ids = {node: 100 - 7 * node for node in graph.nodes}
    nodes: dict[int, Node] = {}
    for node in sorted(graph.nodes, reverse=True):
        found = graph.nodes[node]
        if isinstance(found, OpNode):
            inputs = tuple(None if s is None else ids[s] for s in found.inputs)
            found = OpNode(found.op, inputs, found.label)
        elif isinstance(found, Root):
            found = Root(None if found.input is None else ids[found.input])
        nodes[ids[node]] = found
    root = graph.active_root
    return Graph(nodes, None if root is None else ids[root], 101)


def test_ids_and_names_do_not_count():
    assert differing_values(GIVEN, renumbered(GIVEN)) == ()
    assert differing_values(GIVEN, from_expression("z = p*q + p", {"p": 2, "q": 3})) == ()


def test_nan_is_nan_and_minus_zero_is_another_number():
    odd = GIVEN.with_values({1: math.nan, 2: 0.0})
    assert differing_values(odd, renumbered(odd)) == ()
    assert differing_values(odd, odd.with_values({2: -0.0})) == (2,)


@in_turn(
    "other",
    [
        "y = a*b + b", "y = a + a*b", "y = a*b - a", "y = a*b + c", "y = a*b", "y = (a*b + a) * 1",
        "p = a*b; y = p + a; z = 2*y",
    ],
)  # fmt: skip
def test_other_nodes_or_wires_make_another_graph(other: str):
    found = from_expression(other, {"a": 2, "b": 3} if "b" in other else {"a": 2})
    assert differing_values(GIVEN, found) is None
    assert differing_values(found, GIVEN) is None


def test_a_node_that_is_shared_is_not_two_alike():
    shared = from_expression("m = a*b; y = m + m", {"a": 2, "b": 3})
    twice = from_expression("m = a*b; n = a*b; y = m + n", {"a": 2, "b": 3})
    assert differing_values(shared, twice) is None
    assert differing_values(twice, shared) is None


def test_what_leads_to_no_root_counts_too():
    more = add(GIVEN, Leaf(1.0))
    assert differing_values(GIVEN, more) is None
    assert differing_values(more, renumbered(more)) == ()
    assert differing_values(more, add(GIVEN, Leaf(2.0))) is None


def test_a_deep_graph_is_compared():
    text = "; ".join(f"v{k} = v{k - 1}*w + v{k - 1}" for k in range(1, 120))
    deep = from_expression(text, {"v0": 1.5, "w": 0.5})
    assert differing_values(deep, renumbered(deep)) == ()
