"""Chosen: what a lesson alone asks, as sentences, and the answers to choose from.

By how much a value changes, whether the root rises or falls, how many paths there are, and what the
lesson wrote itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from app.controls.rich_text import Span, Spans, filled, verbatim
from app.workbench.gradients.chain_rule import figure
from app.workbench.gradients.formulas import bracketed, enumerated, values_text
from app.workbench.modes.quiz import Quiz
from app.workbench.words.strip import Option
from engine.graph import OpNode, Root
from engine.numbers import Digits, short, signed
from engine.problems import spoken
from engine.study.choices import choices
from engine.study.paths import count
from engine.study.question import Kind, Question, answer, changed_value, final_gradient
from engine.study.ripple import USUAL, ripple
from engine.trace import Trace, evaluate_values

SIGN_WORDS: Final[Mapping[str, str]] = {"1": "rises", "−1": "falls", "0": "stays"}
"""Verb for the root, by the sign of the gradient as an answer gives it."""
SIGNED: Final[tuple[Kind, ...]] = ("contribution", "change")
"""Kinds whose numbers are written with their sign."""
_SENTENCES: Final[Mapping[Kind, str]] = {
    "change": "**{leaf}** goes from {old} to {new}. **{node}** changes by {answer}.",
    "sign": "Raise **{node}** by a little. **{root}** {answer}.",
    "paths": "{answer} paths lead from **{node}** to **{root}**.",
}
_ONE_PATH: Final = "{answer} path leads from **{node}** to **{root}**."
_PROMPTS: Final[Mapping[Kind, str]] = {
    "sign": "The other leaves stay as they are.",
    "paths": "A path goes along the wires, from one node to the next.",
}
_MOST_NAMED: Final = 3
_GUESS: Final = "Guess; then try it."
_KEYS: Final = "keys 1–{most} choose, Enter answers"


def chosen_sentence(
    question: Question,
    trace: Trace,
    blank: Span | Spans,
    digits: Digits,
    longest: int,
    *,
    done: bool = False,
) -> Spans:
    """Return the sentence of a change, a sign or a number of paths, with its blank."""
    graph, fields = trace.graph, dict[str, Span | Spans | str](answer=blank)
    fields["node"] = graph.brief(question.node, longest)
    fields["root"] = graph.brief(trace.root, longest)
    if question.kind == "change":
        old = trace.values[question.leaf]
        fields["leaf"] = graph.brief(question.leaf, longest)
        fields["old"] = figure(old, "value", short(old, digits))
        fields["new"] = figure(question.to, "value", short(question.to, digits))
    text = _SENTENCES[question.kind]
    if question.kind == "paths" and done and answer(question, trace) == 1:
        text = _ONE_PATH
    return filled(text, **fields)


def chosen_prompt(question: Question, trace: Trace, digits: Digits, longest: int) -> Spans:
    """Return what to go by: what stays as it is, or what a path is."""
    if question.kind != "change":
        return verbatim(_PROMPTS[question.kind])
    graph, plan = trace.graph, trace.graph.plan(question.node)
    others = [node for node in graph.leaves if node in plan.order and node != question.leaf]
    if len(others) > _MOST_NAMED:
        return verbatim(f"All else stays. {_GUESS}")
    told = [f"{graph.brief(n, longest)} stays {short(trace.values[n], digits)}" for n in others]
    return verbatim(f"{enumerated(told)}. {_GUESS}" if told else _GUESS)


def own_sentence(text: str) -> Spans:
    """Return a text that a lesson wrote, in which `**` makes words bold."""
    return filled(text.replace("{", "{{").replace("}", "}}"))


def answer_label(question: Question, text: str) -> str:
    """Return an answer as it is shown: that to a sign as a word."""
    return SIGN_WORDS.get(text, text) if question.kind == "sign" else text


def number_text(question: Question, number: float, digits: Digits) -> str:
    """Return a right number as an answer."""
    return (signed if question.kind in SIGNED else short)(number, digits)


def right_label(quiz: Quiz, question: Question, trace: Trace, digits: Digits) -> str:
    """Return the right answer as it is shown, for every kind of question that a lesson asks."""
    own = quiz.own(question)
    if own is not None:
        return next((choice.text for choice in own.choices if choice.right), "")
    if question.kind == "next":
        return trace.graph.brief(question.node)
    return answer_label(question, number_text(question, answer(question, trace), digits))


def options(
    quiz: Quiz, question: Question, trace: Trace | None, digits: Digits
) -> tuple[Option, ...]:
    """Return the answers from which one is chosen; () where it is typed."""
    chosen, own = quiz.chosen, quiz.own(question)
    texts: Sequence[str] = ()
    if own is not None and own.choices:
        texts = [choice.text for choice in own.choices]
    elif (
        trace is not None and chosen is not None and (chosen.by_choices or question.kind == "sign")
    ):
        texts = [number_text(question, x, digits) for x in choices(question, trace, digits)]
    typed, struck = quiz.typed.get(question, ""), quiz.struck(question)
    return tuple(
        Option(
            question,
            answer_label(question, text),
            text,
            "chosen" if text == typed else "struck" if text in struck else "",
        )
        for text in texts
    )


def keys_told(found: Sequence[Option]) -> Spans:
    """Return which keys choose."""
    return (Span(_KEYS.format(most=len(found)), "secondary"),)


# help


def outside_help(question: Question, trace: Trace, digits: Digits) -> str:
    """Return all but the last part of the work; a ripple for a sign."""
    graph = trace.graph
    if question.kind == "change":
        old = short(trace.values[question.node], digits)
        return f"{_new_value(question, trace, digits)} = …; before it was {old}."
    if question.kind == "sign":
        found = ripple(graph, question.node, USUAL, trace.values)
        by, root = short(found.change(trace.root), digits), graph.brief(trace.root)
        return f"Raise {graph.brief(question.node)} by {short(USUAL)} and {root} changes by {by}."
    ways = _ways(question, trace)
    if len(ways) < 2:
        return f"One wire leads on, to {', '.join(ways)}; count from there."
    return f"Ways from there on: {', '.join(f'{name} {count:,}' for name, count in ways.items())}."


def outside_worked(question: Question, trace: Trace, digits: Digits) -> Spans:
    """Return how the right answer comes about, without a full stop."""
    right, graph = answer(question, trace), trace.graph
    if question.kind == "change":
        new, old = changed_value(question, trace), trace.values[question.node]
        return filled(
            "{found} = {new}; {new} − {old} = {number}",
            found=_new_value(question, trace, digits),
            new=short(new, digits),
            old=bracketed(short(old, digits)),
            number=figure(right, "value", signed(right, digits)),
        )
    if question.kind == "sign":
        gradient = final_gradient(question.node, trace)
        return filled(
            "{node}.grad is {gradient}, so {root} {does}",
            node=graph.brief(question.node),
            gradient=figure(gradient, "gradient", short(gradient, digits)),
            root=graph.brief(trace.root),
            does=answer_label(question, short(right)),
        )
    ways = [f"{count:,}" for count in _ways(question, trace).values()]
    text = " + ".join(ways)
    return filled("{text}", text=f"{text} = {short(right, digits)}" if ways[1:] else text or "1")


def _new_value(question: Question, trace: Trace, digits: Digits) -> str:
    """Return `y is then 3 × 5`."""
    graph, node = trace.graph.with_values({question.leaf: question.to}), question.node
    name = graph.brief(node)
    if not isinstance(graph.nodes[node], OpNode):
        return f"{name} is then {short(question.to, digits)}"
    return f"{name} is then {values_text(evaluate_values(graph), graph, node, digits)}"


def _ways(question: Question, trace: Trace) -> Mapping[str, int]:
    """Return how many paths lead on from each node that reads this one, by its name."""
    graph, root = trace.graph, trace.root
    found: dict[str, int] = {}
    for target, _slot in graph.outgoing.get(question.node, ()):
        ways = 0 if isinstance(graph.nodes[target], Root) else count(graph, target, root)
        if ways:
            name = spoken(graph, target, brief=True)
            found[name] = found.get(name, 0) + ways
    return found
