"""Questions: an ask of a lesson as a question about a pass, and whether it can be asked there.

>>> from engine import from_expression
>>> from engine.trace import run
>>> trace = run(from_expression("y = a*b", {"a": 2, "b": 3}))
>>> question_of(Ask("contribution", wire=(3, 0)), trace).step
2
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from app.lessons.lesson import Ask, Choice, Step, wire_name
from app.lessons.lesson_faults import Faults, KeyPath, one_of, quoted
from app.lessons.parsing import (
    UNSET,
    AskFile,
    ChoiceFile,
    leaf_called,
    node_called,
    number_of,
    wire_called,
)
from app.lessons.situation import Situation, trace_of, with_values
from app.lessons.step_checks import is_visible_mistake
from engine.asking.friendly import friendly_for
from engine.asking.judging import MOST_CHOICES, number_choices
from engine.asking.kinds import KINDS, WIRE_KINDS, is_askable
from engine.asking.paths import LISTED_PATHS_LIMIT, path_count
from engine.asking.question import Kind, Question, step_questions
from engine.errors import EngineError
from engine.graph import Graph, Leaf
from engine.numbers import short
from engine.rules import CORRECT, MISTAKES, Rules
from engine.trace import Trace, run

NOT_OF_ENGINE: Final = ("paths", "mistake", "text")
"""Kinds of asks for which `app.lessons` or the lesson itself has the answer, not the engine."""
GUESSED: Final = tuple(kind.name for kind in KINDS.values() if kind.is_guessable)
"""Kinds of asks of which any answer can be taken as a guess."""
KEYS: Final = {kind.name: kind.keys for kind in KINDS.values() if kind.name != "text"} | {
    "mistake": (),
    "text": KINDS["text"].keys,
}
"""The keys that each kind of ask needs; it has no others, but for those of `_OPTIONAL_KEYS`."""
_OPTIONAL_KEYS: Final = {"mistake": ("text", "choices")}
_WHICH_MISTAKE: Final = "Which mistake is on?"


def question_of(ask: Ask, trace: Trace, cursor: int = 0) -> Question:
    """Return the engine's question that an ask is about, in the part of a pass after `cursor`.

    Raises EngineError if that part has none, and for an ask that is none of the engine's.
    """
    if ask.kind == "next":
        return _next_question(trace, cursor)
    if ask.kind in WIRE_KINDS:
        return _wire_question(ask, trace, cursor)
    assert ask.kind not in NOT_OF_ENGINE
    assert ask.node is not None
    if ask.kind == "change":
        assert ask.leaf is not None
        return Question("change", ask.node, leaf=ask.leaf, to=ask.to)
    return Question(ask.kind, ask.node)  # pyright: ignore[reportArgumentType]


def asking(question: Question) -> Ask:
    """Return the ask of a question of the engine: the inverse of `question_of`."""
    about = {key: getattr(question, key) for key in KINDS[question.kind].keys}
    return Ask(question.kind, **about)


def questions_of(
    step: Step, begun: Situation
) -> tuple[Trace, tuple[Question, ...], dict[Question, Ask]]:
    """Return the pass of a step that asks, its questions, and the asks the lesson wrote itself.

    Such a question is known by the index of its ask.
    """
    trace = run(begun.graph, rules=begun.rules)
    cursor = begun.cursor if begun.phase == "backward" else 0
    questions = tuple(_question(ask, k, trace, cursor) for k, ask in enumerate(step.asks))
    asks = zip(questions, step.asks, strict=True)
    return trace, questions, {question: ask for question, ask in asks if ask.text or ask.choices}


def _question(ask: Ask, index: int, trace: Trace, cursor: int) -> Question:
    """Return the question of an ask, also of one that is none of the engine's."""
    if ask.kind in ("text", "mistake"):
        return Question("text", index)
    if ask.kind == "paths":
        return Question("paths", -1 if ask.node is None else ask.node)
    return question_of(ask, trace, cursor)


def drawn(step: Step, seed: int) -> Situation:
    """Return the situation at the beginning of a step, with other numbers if it is `friendly`.

    The seed determines the numbers; if none are found, the leaves keep their values.
    """
    if not step.friendly:
        return step.begun
    trace, begun = trace_of(step.begun), step.begun
    cursor = begun.cursor if begun.phase == "backward" else 0
    questions = [
        question_of(ask, trace, cursor) for ask in step.asks if ask.kind not in NOT_OF_ENGINE
    ]
    graph = friendly_for(begun.graph, seed, questions, begun.rules).graph
    return with_values(begun, graph.leaf_values)


def ask_of(table: dict[str, Any], graph: Graph, path: KeyPath, faults: Faults) -> Ask | None:
    """Return the ask in a table; None, with faults added, if there is an error."""
    before = faults.count
    file = faults.table(AskFile, table, path)
    if file is None:
        return None
    if file.kind not in KEYS:
        faults.add((*path, "kind"), f'"{quoted(file.kind)}" is no question; {one_of(KEYS)}')
        return None
    _check_keys(file.kind, table, path, faults)
    fields: dict[str, Any] = {"kind": file.kind, "text": file.text}
    finders: dict[str, Callable[[str, Graph], object]] = {
        "node": node_called, "leaf": leaf_called, "wire": wire_called
    }  # fmt: skip
    for key, find in finders.items():
        if name := getattr(file, key):
            try:
                fields[key] = find(name, graph)
            except EngineError as error:
                faults.add((*path, key), error)
    if file.to is not UNSET:
        try:
            fields["to"] = number_of(file.to)
        except EngineError as error:
            faults.add((*path, "to"), error)
    fields["choices"] = written_choices(file.choices, path, faults)
    return Ask(**fields) if faults.count == before else None


def with_mistakes(ask: Ask, situation: Situation) -> Ask:
    """Return an ask, of the mistake that is on with a text and choices where it has none.

    It has none where no other mistake can be distinguished from that one.
    """
    if ask.kind != "mistake" or situation.rules is CORRECT:
        return ask
    trace = trace_of(situation)
    choices = [Choice(rules.title, right=rules is trace.rules) for rules in likest_mistakes(trace)]
    return replace(ask, text=ask.text or _WHICH_MISTAKE, choices=ask.choices or tuple(choices))


def likest_mistakes(trace: Trace) -> tuple[Rules, ...]:
    """Return the mistake of a pass, and those whose pass differs latest from it, up to four.

    () without a mistake, or if no other one can be distinguished from it.
    """
    from engine.asking.diagnose import (  # few lessons ask for a mistake
        first_difference,
        huntable_mistakes,
    )

    if trace.rules is CORRECT:
        return ()
    steps = len(trace)
    differs = {
        rules: step
        for rules in huntable_mistakes(trace.graph)
        if rules is not trace.rules and (step := first_difference(trace, rules, steps)) is not None
    }
    likest = sorted(differs, key=lambda rules: -differs[rules])[: MOST_CHOICES - 1]
    listed = tuple(rules for rules in MISTAKES if rules is trace.rules or rules in likest)
    return listed if likest else ()


def refusal(ask: Ask, situation: Situation, *, by_choices: bool) -> str:
    """Return why a question can't be asked in a situation, as a clause; "" if it can.

    `by_choices`: the learner chooses the answer among those that slips give.
    """
    graph = situation.graph
    try:
        trace = trace_of(situation)
        if ask.kind == "text":
            return ""
        if ask.kind == "mistake":
            return _mistake_refusal(ask, situation)
        if ask.kind == "paths":
            assert ask.node is not None
            return _paths_refusal(graph, ask.node)
        cursor = situation.cursor if situation.phase == "backward" else 0
        question = question_of(ask, trace, cursor)
        if not is_askable(question, trace):
            return _not_askable_text(ask, graph)
        if ask.kind == "change" and (problem := _change_refusal(ask, graph)):
            return problem
        # `next` is a click and `sign` has three choices of its own: both need no slips
        needs_slips = by_choices and KINDS[ask.kind].choices is None
        if needs_slips and not number_choices(question, trace):
            return f'{ask.kind}: no slip gives another number here; write form = "field"'
    except EngineError as error:
        return str(error).rstrip(".")
    return ""


def _next_question(trace: Trace, cursor: int) -> Question:
    """Return the first question after the cursor of which node fires next."""
    for step in range(cursor + 1, len(trace) + 1):
        if found := step_questions(trace, step, ("next",)):
            return found[0]
    raise EngineError("next: no other node fires after step {cursor}", cursor=cursor)


def _wire_question(ask: Ask, trace: Trace, cursor: int) -> Question:
    """Return the question about the first step after the cursor that uses the wire."""
    assert ask.wire is not None
    node, slot = ask.wire
    name = wire_name(trace.graph, ask.wire)
    steps = [k for k, wire in enumerate(trace.schedule.wires, 1) if wire == ask.wire]
    later = [k for k in steps if k > cursor]
    if steps and not later:
        raise EngineError(
            '{wire} is passed at step {step} already; begin before it: start = "backward {start}"',
            wire=name,
            step=steps[-1],
            start=steps[-1] - 1,
        )
    if not steps:
        raise EngineError("nothing is passed along {wire}", wire=name)
    kind: Kind = ask.kind  # pyright: ignore[reportAssignmentType]
    if kind == "sum" and not step_questions(trace, later[0], ("sum",)):
        raise EngineError(
            "the sum after {wire} is the contribution itself, for it is the first to arrive",
            wire=name,
        )
    return Question(kind, node, slot, later[0])


def _mistake_refusal(ask: Ask, situation: Situation) -> str:
    if not is_visible_mistake(situation.graph, situation.rules):
        return 'a mistake that shows must be on: mistake = "assign", or another'
    return "" if ask.choices else "no other mistake is like this one; write choices"


def _not_askable_text(ask: Ask, graph: Graph) -> str:
    assert ask.node is not None
    name = graph.names[ask.node]
    if ask.kind == "value":
        return f"the value of {name} is given, so it can't be asked for"
    return f"{name} gets no gradient, so {ask.kind} can't be asked of it"


def _paths_refusal(graph: Graph, node: int) -> str:
    paths, name = path_count(graph, node), graph.names[node]
    if not paths:
        return f"no path leads from {name} to the root"
    return (
        ""
        if paths <= LISTED_PATHS_LIMIT
        else f"more than {LISTED_PATHS_LIMIT:,} paths lead from {name} to the root"
    )


def _change_refusal(ask: Ask, graph: Graph) -> str:
    assert ask.leaf is not None
    leaf = graph.nodes[ask.leaf]
    if isinstance(leaf, Leaf) and leaf.value == ask.to:
        return f"{graph.names[ask.leaf]} is {short(ask.to)} already; give another number for to"
    return ""


def _check_keys(kind: str, table: dict[str, Any], path: KeyPath, faults: Faults) -> None:
    """Add a fault for each key that is missing or belongs to another kind."""
    needed = KEYS[kind]
    for key in needed:
        if key not in table:
            faults.add(path, f"a question of kind {kind} needs {key}")
    for key in table:
        if (
            key not in ("kind", *needed, *_OPTIONAL_KEYS.get(kind, ()))
            and key in AskFile.__struct_fields__
        ):
            faults.add((*path, key), f"a question of kind {kind} has no {key}")


def written_choices(
    tables: Sequence[dict[str, Any]], path: KeyPath, faults: Faults
) -> tuple[Choice, ...]:
    """Return written choices; faults are added unless exactly one is right."""
    if not tables:
        return ()
    place = (*path, "choices")
    found: list[Choice] = []
    for k, table in enumerate(tables):
        choice = faults.table(ChoiceFile, table, (*place, k))
        if choice is not None:
            found.append(Choice(choice.text, choice.say, choice.right))
    if not 2 <= len(tables) <= MOST_CHOICES:
        faults.add(place, f"there are 2 to 4 choices, not {len(tables)}")
    elif len(found) == len(tables):
        right = sum(choice.right for choice in found)
        if right != 1:
            faults.add(place, f"one choice has right = true, not {right}")
        if len({choice.text for choice in found}) < len(found):
            faults.add(place, "two choices have the same text")
    return tuple(found)
