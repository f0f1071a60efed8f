"""Under each choice stands in few words why it is wrong or right, with numbers that are true."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace

import pytest

from engine import Graph, from_expression
from engine.asking.beliefs import BELIEFS, belief_numbers
from engine.asking.diagnose import first_difference
from engine.asking.hand_run import NEXT_BELIEFS, click_slip
from engine.asking.question import LEVELS, Question, level_questions
from engine.asking.revealing import (
    SAY_LIMIT,
    belief_reveal,
    mistake_reveal,
    next_reveal,
    right_reveal,
    sign_reveal,
)
from engine.graph import Constant
from engine.numbers import short
from engine.rules import BY_NAME, CORRECT, MISTAKES
from engine.trace import Trace, run
from tests.helpers.graphs import EXAMPLES
from tests.helpers.sampling import sampled
from tests.truth import oracle

OTHERS = [
    ("y = a**3 * b + square(b) / a", {"a": 2, "b": -3}),
    ("y = sigmoid(a) * 3 - sqrt(b) + tanh(a)", {"a": 0.5, "b": 7}),
    ("y = a**b + silu(a) * cos(b)", {"a": 1.5, "b": 2}),
    (
        "the_first_long_name = a_rather_long_leaf * another_long_leaf; "
        "y = the_first_long_name + a_rather_long_leaf * 7",
        {"a_rather_long_leaf": -1234.567, "another_long_leaf": -9876.543},
    ),
    ("y = a*b + a; L = y*y", {"a": 1e-7, "b": -123456789}),
    ("y = (a - b) * log(b)", {"a": 3, "b": 5}),
]
GRAPHS = [(found.name, found.graph) for found in EXAMPLES]
GRAPHS += [(text, from_expression(text, leaves)) for text, leaves in OTHERS]
RULES = ["correct", "assign", "mul-own-input", "no-zero-grad"]

N = r"((?:≈ )?[+−]?(?:\d[\d,]*(?:\.\d+)?(?:e−?\d+)?|inf)|nan)(?![\w.]*\w)"
"""A number as a sentence has it."""
CLAIMS: Mapping[str, str] = {
    rf"itself, {N}, as": "input",
    rf"(?<!other) slope is (?:[^;]+, )?{N}\.$": "local",
    rf"that of (?:the product|a sum) is {N}": "local",
    rf"the {N} that [^;]+ got was": "upstream",
    rf"the slope alone, {N}": "local",
    rf"(?:got|held), {N}(?=[;.,])": "upstream",
    rf"the slope, {N}, was": "local",
    rf"the {N} that [^;]+ held was": "before",
    rf"the {N} that came was": "contribution",
    rf"wrong sign; {N} ×": "upstream",
    rf" × {N} =": "local",
    rf" = {N}\.$": "contribution",
    rf"take it at {N}": "input",
    rf"the value of [^;]+, {N}, for its grad": "value",
    rf"for its grad, {N}": "upstream",
    rf"added {N} and": "upstream",
    rf"and {N}; the chain rule": "local",
    rf"added {N} twice": "contribution",
    rf"multiplied {N} by": "before",
    rf"by {N}(?:; contributions add)?\.$": "contribution",
    rf"of a sum, {N}, as": "one",
    rf"the value of [^;]+, {N}, as the slope": "value",
    rf"of a product, {N}, as": "other",
    rf"slope at the value, {N}, as": "slope_at_value",
    rf"to the other input, {N}": "other_sent",
    rf"^upstream {N} times": "upstream",
    rf"times slope {N}\.": "local",
    rf"held {N}; ": "before",
    rf"; {N} was added": "contribution",
    rf"replaced the {N} that": "before",
    rf"its gradient is {N}\.": "final",
    rf"over {N} paths": "paths",
    rf"the change from {N} is": "old",
    rf"(?:change from .+|that of .+|here it|the change) is {N}\.$": "change",
    rf"goes from {N} to": "old",
    rf"from .+ to {N}\.$": "new",
}
"""The number that stands at a place of a sentence, by the words around it."""
_SPEECH = ("1 more of",)


def moved(graph: Graph, root: int, leaf: int, to: float) -> float:
    """The value of a node once a leaf has another number."""
    return oracle.values(graph.with_values({leaf: to}))[root]


def path_count(graph: Graph, node: int, root: int) -> int:
    """How many ways lead from a node to the root, counted one by one."""
    if node == root:
        return 1
    inside = oracle.order(graph, root)
    return sum(
        path_count(graph, target, root)
        for target, _slot in graph.outgoing.get(node, ())
        if target in inside
    )


def facts_by_hand(question: Question, graph: Graph, root: int, rules: str) -> SimpleNamespace:
    """Everything that a sentence about a question may say, from the oracle."""
    known, steps = oracle.values(graph), oracle.steps(graph, root, rules)
    node = question.node
    if question.kind == "change":
        old, new = known[node], moved(graph, node, question.leaf, question.to)
        return SimpleNamespace(old=old, new=new, change=new - old)
    if question.slot < 0:
        ends = [step.after for step in steps if step.node == node]
        paths = path_count(graph, node, root)
        return SimpleNamespace(final=ends[-1] if ends else 0.0, paths=paths)
    step = steps[question.step - 1]
    inputs = [known[source] for source in graph.inputs(node) if source is not None]
    op, slopes = graph.op(node), oracle.locals_of(graph, known, node)
    other = 1 - question.slot if len(inputs) == 2 else 0
    return SimpleNamespace(
        input=inputs[question.slot],
        value=known[node],
        upstream=step.upstream,
        local=step.local,
        contribution=step.contribution,
        before=step.before,
        one=1.0,
        other=inputs[other],
        other_sent=step.upstream * slopes[other],
        slope_at_value=op.partials[0](known[node], op.forward(known[node]))
        if len(inputs) == 1
        else math.nan,
    )


def unexplained(text: str, graph: Graph) -> set[str]:
    """The numbers of a sentence that are neither in names nor in fixed words."""
    for words in (*_SPEECH, *(f"“{rules.title}”" for rules in MISTAKES)):
        text = text.replace(words, "")
    names = {graph.brief(n, k) for n in graph.names for k in (24, 16, 10, 6)}
    for name in sorted(names, key=len, reverse=True):
        if not name[0].isdigit():
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "", text)
    return set(re.findall(N, text))


def check_sentence(text: str, graph: Graph, facts: SimpleNamespace) -> None:
    assert 0 < len(text) <= SAY_LIMIT
    assert text.endswith(".")
    assert not {"{", "}"} & set(text)
    rest = list(text)
    for pattern, name in CLAIMS.items():
        found = re.search(pattern, text)
        if found is None or not hasattr(facts, name):
            continue
        said = found.group(1)
        written = short(float(getattr(facts, name)))
        assert said.replace("+", "").replace(",", "") == written, (text, name)
        rest[found.start(1) : found.end(1)] = "·" * len(said)
    allowed = set[str]()
    if text.startswith("the slope of"):  # a formula: `2 × a`, `1 ÷ d`
        numbers = (n.value for n in graph.nodes.values() if isinstance(n, Constant))
        allowed = {"1", "2", *map(short, numbers)}
    assert unexplained("".join(rest), graph) <= allowed, text


def asked(trace: Trace, root: int) -> Iterator[Question]:
    for name in ("whole step", "final gradients"):
        yield from level_questions(trace, LEVELS[name])
    for leaf in trace.graph.leaves:
        yield Question("change", root, leaf=leaf, to=trace.values[leaf] + 0.5)


def told(rules: str) -> Iterator[tuple[Graph, Trace, Question]]:
    for _name, graph in GRAPHS:
        trace = run(graph, rules=BY_NAME.get(rules, CORRECT))
        for question in asked(trace, trace.root):
            if question.kind != "upstream":
                yield graph, trace, question


@pytest.mark.parametrize("rules", RULES)
def test_what_stands_under_a_number_is_short_and_each_number_in_it_is_one_of_the_step(rules):
    minuses = set[str]()
    for graph, trace, question in told(rules):
        facts = facts_by_hand(question, graph, trace.root, rules)
        text = right_reveal(question, trace)
        check_sentence(text, graph, facts)
        if question.kind == "contribution":
            negative = (facts.upstream < 0) + (facts.local < 0)
            minuses |= {words for words in ("Two minus", "One minus") if words in text}
            assert ("Two minus signs make plus" not in text) or negative == 2
            assert ("One minus sign makes minus" not in text) or negative == 1
        for slip, number in belief_numbers(question, trace):
            text = belief_reveal(slip, number, question, trace)
            check_sentence(text, graph, facts)
    assert minuses == {"Two minus", "One minus"}


def test_every_slip_has_its_sentence_and_is_met_here():
    met = {
        slip.name
        for rules in RULES[:2]
        for _graph, trace, question in told(rules)
        for slip, _number in belief_numbers(question, trace)
    }
    assert all(slip.said for slip in (*BELIEFS, *NEXT_BELIEFS))
    assert {slip.name for slip in BELIEFS} == met | {"own sign", "value read for gradient"}


def test_long_names_are_shortened_before_the_numbers_go():
    graph = from_expression(
        "hidden_activation = input_one * weight_one_one; y = hidden_activation * output_weight",
        {"input_one": 1234.5, "weight_one_one": -0.5, "output_weight": -17.25},
    )
    trace = run(graph)
    node = graph.node_named("hidden_activation") or 0
    question = Question("contribution", node, 0, 4)
    texts = {
        slip.name: belief_reveal(slip, x, question, trace)
        for slip, x in belief_numbers(question, trace)
    }
    assert all(len(text) <= SAY_LIMIT for text in texts.values())
    assert "…" in texts["local derivative forgotten"]
    assert "−0.5" in texts["local derivative forgotten"]


@pytest.mark.parametrize("sign", [1.0, -1.0, 0.0])
def test_a_sign_is_explained_by_the_gradient(sign: float):
    for _name, graph in GRAPHS:
        trace = run(graph)
        ends = {step.node: step.after for step in oracle.steps(graph, trace.root)}
        for leaf in graph.leaves:
            gradient = ends.get(leaf, 0.0)
            text = sign_reveal(sign, Question("sign", leaf), trace)
            assert len(text) <= SAY_LIMIT
            assert f"is {short(gradient)}" in text
            is_right = (gradient > 0) - (gradient < 0) == sign
            assert text.startswith("needs") != is_right
            if is_right and sign:
                assert ("above 0" in text) == (gradient > 0)


def test_a_node_that_waits_names_one_that_has_not_fired():
    for _name, graph in sampled(GRAPHS, 2):
        trace = run(graph)
        for question in level_questions(trace, LEVELS["next node"]):
            fired = {e.sender for e in trace.events[: question.step - 1] if e.wire is not None}
            for node in graph.names:
                text = next_reveal(node, question, trace)
                assert len(text) <= SAY_LIMIT
                assert "{" not in text
                slip = click_slip(trace, question.step, node)
                if slip is not None and slip.name == "waits":
                    readers = [t for t, _s in graph.outgoing[node] if t not in fired]
                    names = {graph.brief(t, k) for t in readers for k in (16, 10, 6)}
                    assert any(f"for what {name} sends" in text for name in names)


def test_a_mistake_is_told_by_the_step_at_which_it_shows():
    graph = from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})
    trace = run(graph, rules=BY_NAME["assign"])
    wrong, right = oracle.steps(graph, trace.root, "assign"), oracle.steps(graph, trace.root)
    first = next(k for k, (x, y) in enumerate(zip(wrong, right, strict=True), 1) if x != y)
    found = first_difference(trace, CORRECT, len(trace))
    assert mistake_reveal(found, right=True) == f"goes wrong first at step {first}."
    assert mistake_reveal(2, right=False) == "differs from this pass at step 2."
    assert len(mistake_reveal(1_234_567, right=True)) <= SAY_LIMIT


def test_a_titled_mistake_fits_its_sentence():
    by_name: dict[str, Callable[..., object]] = {rules.name: rules.partial for rules in MISTAKES}
    said = [slip.said for slip in BELIEFS if slip.name in by_name]
    assert len(said) == len(MISTAKES)
    assert all(len(text) <= SAY_LIMIT for text in said)
