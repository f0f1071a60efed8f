"""Moves that a teacher makes, and what a step may ask about where it begins.

    Moves, followed       situations as they follow one another, as moves of Show me
    became_true(found)    the checks that the moves have made true
    offers(...)           the questions that have an answer about a node or a wire
    obstacle(...)         why there are none
    visible_mistakes(...) the mistakes that can be hunted

A change is kept only if the moves in its place lead to the same sheet: what no move can do is
said, not recorded.

>>> from engine import from_expression
>>> from app.lessons.situation import at_start, situation_of
>>> graph = from_expression("y = a*b", {"a": 2, "b": 3})
>>> begun = at_start(situation_of(graph), "end")
>>> found = followed(Moves(begun), at_start(situation_of(graph.with_values({2: 0})), "end"))
>>> found.moves, [table for table, _text in became_true(found)][:1]
(('b = 0',), [{'grad': 'a', 'is': 0}])
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from app.lessons.draft import counterpart, part_name
from app.lessons.lesson import Ask, Form, wire_name
from app.lessons.lesson_faults import Faults
from app.lessons.parsing import MOST_PARTS, NONE, check_of, move_of
from app.lessons.questions import NOT_OF_ENGINE, ask_of, question_of, refusal
from app.lessons.situation import Situation, after_move, trace_of
from app.lessons.step_checks import holds, is_visible_mistake, success_text
from app.lessons.toml_file import number_text
from engine.asking.judging import number_choices
from engine.asking.kinds import KINDS, WIRE_KINDS, answer
from engine.edits import can_unfold, unfold
from engine.errors import EngineError
from engine.graph import Graph, Leaf, OpNode, Root, Wire
from engine.numbers import short
from engine.rules import CORRECT, MISTAKES, Rules

NO_MOVE: Final = "No move of a lesson does this; undo it, or begin a new step with this sheet."
TOO_MANY: Final = "A step has up to {most} moves; press Stop."
_MOST_ROUNDS: Final = 24
"""Most moves tried for one change: a bound, in case moves lead to and fro."""
_DIGITS: Final = 10
"""Digits of a number in a check, which is compared up to rounding."""


class Moves(Struct, frozen=True):
    """Moves as a file has them, from the situation `begun`; `situations` has that after each.

    `lost` says why the last change could not be recorded; "" if it was.
    """

    begun: Situation
    moves: tuple[str, ...] = ()
    situations: tuple[Situation, ...] = ()
    lost: str = ""

    @property
    def now(self) -> Situation:
        return self.situations[-1] if self.situations else self.begun

    def without_last(self) -> Moves:
        return replace(self, moves=self.moves[:-1], situations=self.situations[:-1])


def followed(recording: Moves, now: Situation) -> Moves:
    """Return the recording with the moves that lead to the situation on the sheet.

    A move that repeats the last one with another number takes its place: dragging is one move.
    Where moves lead only part of the way, as towards another graph, none is recorded.
    """
    found = replace(recording, lost="")
    for _ in range(_MOST_ROUNDS):
        text = _next_move(found.now, now)
        if text is None:
            break
        if text and found.moves and _subject(text) == _subject(found.moves[-1]):
            found = found.without_last()  # the move from there has the sum of both epochs, too
            text = _next_move(found.now, now)
            if text is None:
                break
        if not text:
            return replace(recording, lost=NO_MOVE)
        if len(found.moves) == MOST_PARTS:
            return replace(found, lost=TOO_MANY.format(most=MOST_PARTS))
        try:
            after = after_move(found.now, move_of(text, found.now.graph))
        except EngineError:
            return replace(recording, lost=NO_MOVE)
        found = Moves(found.begun, (*found.moves, text), (*found.situations, after))
    return found


def _subject(text: str) -> str:
    """Return what a move sets: of two moves in a row with the same subject the last is kept.

    >>> _subject("b = 4"), _subject("epochs 5"), _subject("fire e")
    ('b =', 'epochs', 'fire e')
    """
    words = text.split()
    if len(words) > 1 and words[1] == "=":
        return f"{words[0]} ="
    if words[0] in ("fire", "wire", "unfold", "update"):
        return text
    return words[0]


def _next_move(before: Situation, now: Situation) -> str | None:
    """Return a move towards the situation now; None if it is reached, "" if no move leads there."""
    if now.rules is not before.rules and now.hand is None:
        name = NONE if now.rules is CORRECT else now.rules.name
        return f"mistake {name}"
    if now.mode == "descent" and before.mode == "descent":
        if now.rate != before.rate:
            return f"rate {number_text(now.rate)}"
        if now.epochs > before.epochs:
            return f"epochs {now.epochs - before.epochs}"
    if now.hand is not None and before.hand is not None:
        fired = before.hand.fired
        if now.hand.fired[: len(fired)] == fired and len(now.hand.fired) > len(fired):
            name = before.graph.names.get(now.hand.fired[len(fired)])
            return "" if name is None else f"fire {name}"
    ids = counterpart(now.graph, before.graph)
    if ids is None:
        return _wiring_move(before.graph, now.graph)
    return _value_move(before, now, ids) or _place_move(before, now)


def _value_move(before: Situation, now: Situation, ids: Mapping[int, int]) -> str | None:
    """Return the move that sets the first leaf that differs; `ids`: node now → node before."""
    if now.mode == "descent":
        return None  # its updates have changed the leaves
    for node, same in ids.items():
        one, other = now.graph.nodes[node], before.graph.nodes[same]
        if isinstance(one, Leaf) and isinstance(other, Leaf) and one.value != other.value:
            return f"{before.graph.names[same]} = {number_text(one.value)}"
    return None


def _place_move(before: Situation, now: Situation) -> str | None:
    """Return the move to another step of the pass, or one that sets the page Numeric."""
    stepped = now.phase == "backward" and now.hand is None and before.hand is None and not now.mode
    if stepped and (before.phase, before.cursor) != (now.phase, now.cursor):
        return f"step {now.cursor}"
    if now.h != before.h:
        return f"h {number_text(now.h)}"
    if now.method != before.method:
        return f"method {now.method}"
    return None


def _wiring_move(before: Graph, now: Graph) -> str:
    """Return a move that brings the wiring nearer to the one now; "" if there is none."""
    if now.root is not None and before.root != now.root and now.root in before.names:
        return f"root {before.names[now.root]}"
    for node in before.nodes:
        if can_unfold(before, node) and counterpart(now, unfold(before, node)) is not None:
            return f"unfold {before.names[node]}"
    added = now.nodes.keys() - before.nodes.keys()
    if any(not isinstance(now.nodes[node], Root) for node in added):
        return ""
    return next(_rewirings(before, now), "")


def _rewirings(before: Graph, now: Graph) -> Iterator[str]:
    """Yield a move for each slot that another node feeds now; "" for another operation."""
    for node, found in now.nodes.items():
        old = before.nodes.get(node)
        if not isinstance(found, OpNode) or not isinstance(old, OpNode):
            continue
        if found.op != old.op or len(found.inputs) != len(old.inputs):
            yield ""
            return
        for slot, (source, earlier) in enumerate(zip(found.inputs, old.inputs, strict=True)):
            if source != earlier and source is not None:
                if source not in before.names:  # of another graph
                    yield ""
                    return
                yield f"wire {before.names[source]} {wire_name(before, (node, slot))}"


# what has become true


def became_true(recording: Moves) -> list[tuple[dict[str, Any], str]]:
    """Return the checks that were false before the moves and are true after.

    Each is a table of the file, with its clause: `({"grad": "a", "is": 0}, "a.grad is 0")`.
    """
    before, now = recording.begun, recording.now
    found: list[tuple[dict[str, Any], str]] = []
    for table in _candidates(before, now, recording.moves):
        try:
            check = check_of(table, now.graph, before.graph)
            if holds(check, now) and not holds(check, before):
                found.append((table, success_text(check, now)))
        except EngineError:
            continue
    return found


def check_text(table: Mapping[str, Any], situation: Situation) -> str:
    """Return a check of a file as a clause, or as it is written if it does not hold."""
    try:
        check = check_of(table, situation.graph)
        return success_text(check, situation) if holds(check, situation) else _plain(table)
    except EngineError:
        return _plain(table)


def _plain(table: Mapping[str, Any]) -> str:
    """Return the keys and values of a check: `h is 1e-15`."""
    words = [str(word) for key, value in table.items() for word in (key, value) if word is not True]
    return " ".join(words)


def _candidates(
    before: Situation, now: Situation, moves: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    """Yield checks that may hold now, the more telling ones first."""
    graph, shown = now.graph, now.known_frame
    names = {n: graph.names[n] for n, f in graph.nodes.items() if not isinstance(f, Root)}
    was_set = {move.split(" = ")[0] for move in moves if " = " in move}
    leaves = [n for n in names if isinstance(graph.nodes[n], Leaf)]
    operations = [n for n in names if n not in leaves]
    operations.sort(key=lambda node: node != graph.root)
    if now.phase == "backward":
        yield {"at": "end" if now.cursor == shown.total else f"backward {now.cursor}"}
    yield {"order": "done"}
    yield {"mistake": "none" if now.rules is CORRECT else now.rules.name}
    yield from ({"differs": True}, {"checked": True})
    numbers = [("grad", node, shown.grads) for node in (*leaves, *operations)]
    numbers += [("value", node, shown.values) for node in operations]
    numbers += [("value", node, shown.values) for node in leaves if names[node] in was_set]
    for key, node, known in numbers:
        if (number := known.get(node)) is not None:
            yield {key: names[node], "is": _rounded(number)}
    yield from _wiring_candidates(before.graph, graph, names)
    yield from _setting_candidates(now)


def _setting_candidates(now: Situation) -> Iterator[dict[str, Any]]:
    yield from ({"h": True, "is": now.h}, {"method": now.method}, {"rate": True, "is": now.rate})
    if now.epochs:
        yield {"epochs": True, "above": now.epochs - 1}
    if now.loss is not None:
        yield {"loss": True, "is": _rounded(now.loss)}


def _wiring_candidates(
    before: Graph, graph: Graph, names: Mapping[int, str]
) -> Iterator[dict[str, Any]]:
    if graph.root is not None:
        yield {"root": names[graph.root]}
    for source, (node, slot) in graph.wires():
        if node in names and (
            node not in before.nodes or before.inputs(node) != graph.inputs(node)
        ):
            yield {"wired": wire_name(graph, (node, slot)), "from": names[source]}
    for node, name in names.items():
        readers = [t for t, _slot in graph.outgoing[node] if not isinstance(graph.nodes[t], Root)]
        yield {"readers": name, "above": len(readers) - 1}


def _rounded(number: float) -> float:
    rounded = float(f"{number:.{_DIGITS}g}")
    # a whole number is written without a point
    return int(rounded) if number_text(rounded).lstrip("-").isdigit() else rounded


# questions and mistakes


class Offer(Struct, frozen=True):
    """A question that can be asked: as the file has it, its answer, and what slips would say.

    `answer` is "" for a question without one number as its answer.
    """

    table: dict[str, Any]
    answer: str
    distractors: tuple[str, ...] = ()


def offers(situation: Situation, part: int | Wire | None, form: Form) -> list[Offer]:
    """Return the questions about a node or wire of the situation's graph; without one, `next`."""
    found: list[Offer] = []
    for table in _tables_about(situation, part):
        faults = Faults({})  # without lines: nobody sees them
        ask = ask_of(table, situation.graph, ("ask",), faults)
        if ask is None or faults.count or refusal(ask, situation, by_choices=form == "choices"):
            continue
        found.append(_offer(table, ask, situation))
    return found


def obstacle(situation: Situation, part: int | Wire, form: Form) -> str:
    """Return why nothing can be asked about a node or wire of the situation's graph; "" if it can.

    >>> from engine import from_expression
    >>> from app.lessons.situation import at_start, situation_of
    >>> obstacle(at_start(situation_of(from_expression("y = a*b")), "end"), (3, 0), "field")
    'y.1 is passed at step 2 already'
    """
    found = ""
    for table in _tables_about(situation, part):
        if table["kind"] == "next":
            continue  # it is about no node or wire
        ask = ask_of(table, situation.graph, ("ask",), Faults({}))
        clause = "" if ask is None else refusal(ask, situation, by_choices=form == "choices")
        if not clause:
            return ""
        found = found or clause.partition(";")[0]  # without the advice, which is for a file
    return found


def offer_of(table: dict[str, Any], situation: Situation) -> Offer:
    """Return a question of a file with its answer, as far as it has one here."""
    faults = Faults({})
    ask = ask_of(table, situation.graph, ("ask",), faults)
    if ask is None or faults.count or refusal(ask, situation, by_choices=False):
        return Offer(table, "")
    return _offer(table, ask, situation)


def _tables_about(situation: Situation, part: int | Wire | None) -> Iterator[dict[str, Any]]:
    """Yield the questions about a node or wire, as the file has them; also those refused here."""
    graph = situation.graph
    if isinstance(part, tuple):
        name = part_name(part, graph)
        yield from ({"kind": kind, "wire": name} for kind in WIRE_KINDS)
    elif part is not None and part in graph.nodes and not isinstance(graph.nodes[part], Root):
        name = graph.names[part]
        yield from ({"kind": kind, "node": name} for kind in KINDS if KINDS[kind].keys == ("node",))
        leaf = graph.nodes[part]
        if isinstance(leaf, Leaf) and graph.root is not None and graph.root != part:
            root = graph.names[graph.root]
            yield {"kind": "change", "leaf": name, "to": leaf.value + 1, "node": root}
    yield {"kind": "next"}


def _offer(table: dict[str, Any], ask: Ask, situation: Situation) -> Offer:
    if ask.kind == "next" or ask.kind in NOT_OF_ENGINE:
        return Offer(table, "")
    trace = trace_of(situation)
    cursor = situation.cursor if situation.phase == "backward" else 0
    question = question_of(ask, trace, cursor)
    right = answer(question, trace)
    others = number_choices(question, trace) or ()
    return Offer(table, short(right), tuple(short(x) for x in others if x != right))


def visible_mistakes(situation: Situation) -> list[Rules]:
    """Return the mistakes that change a gradient of the situation's graph."""
    return [rules for rules in MISTAKES if is_visible_mistake(situation.graph, rules)]


def live_texts(situation: Situation, part: int | Wire) -> list[str]:
    """Return the live numbers about a node or a wire, as they stand in a text."""
    graph = situation.graph
    name = part_name(part, graph)
    quantities = ("", ".local") if isinstance(part, tuple) else ("", ".grad")
    return [braced(f"{name}{quantity}") for quantity in quantities]


def braced(name: str) -> str:
    """Return a live number as it stands in a text: `{a.grad}`."""
    return "{" + name + "}"
