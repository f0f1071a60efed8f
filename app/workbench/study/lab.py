"""The mistake lab in words: the lines that differ, which nodes are wrong and why, the suspects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from app.controls.rich_text import Span, Spans
from app.workbench.gradients.causes import causes
from app.workbench.gradients.comparison import Comparison
from app.workbench.gradients.formulas import enumerated, grad_name
from app.workbench.gradients.verdict import pair_text
from app.workbench.study.checking import rows
from engine.errors import EngineError
from engine.frame import Frame
from engine.graph import Graph
from engine.numbers import DIGITS_SHOWN, Digits, decimals, full
from engine.rules import Rules
from engine.study.answers import read
from engine.study.diagnose import Suspects, suspects
from engine.study.program import wrong_and_right

MOST_LEAVES = 8
"""Leaves whose gradients are compared, and can be typed."""
_NEXT_LINE = Span("\n")


def differing_lines(rules: Rules) -> Spans:
    """Return the lines of the program that a mistake writes, with ✗, and the right ones, with ✓."""
    wrong, right = wrong_and_right(rules)
    indent = min((len(x) - len(x.lstrip()) for x in (*wrong, *right)), default=0)
    spans: list[Span] = []
    for mark, role, lines in (("✗", "error", wrong), ("✓", "text", right)):
        for line in lines:
            code = line[indent:].replace(" ", "\u00a0")
            spans += [
                Span(f"{mark}\u00a0", role, bold=True),
                Span(code, role, code=True, bold=role == "text"),
                _NEXT_LINE,
            ]
    return tuple(spans[:-1])


class WrongNode(Struct, frozen=True):
    """A node with a wrong gradient: its name, the right and the wrong number, and why."""

    node: int
    name: str
    right: str
    found: str
    why: str

    @property
    def change(self) -> Spans:
        """Return `25 → 1`."""
        return (
            Span(self.right, "gradient", bold=True),
            Span(" → ", "secondary"),
            Span(self.found, "error", bold=True),
        )


def wrong_nodes(
    frame: Frame, beside: Comparison | None, digits: Digits = DIGITS_SHOWN
) -> Iterator[WrongNode]:
    """Yield the nodes that have a wrong gradient by now, in the order in which they got one."""
    if beside is None:
        return
    for node, found in frame.grads.items():
        right = beside.right(frame, node)
        if right is not None:
            texts = pair_text(right, found, digits)
            why = causes(frame, beside, node, digits)
            yield WrongNode(node, frame.graph.brief(node), *texts, why)


class Judged(Struct, frozen=True):
    """A leaf before the referee: the numerical gradient, the correct one, that of the mistake."""

    name: str
    numerical: str
    correct: str
    wrong: str
    agrees: bool
    """Whether the mistake's gradient is right all the same."""


def referee(frame: Frame, beside: Comparison | None) -> Iterator[Judged]:
    """Yield what finite differences say of each leaf at the end of a wrong pass."""
    if beside is None or frame.cursor < frame.total:
        return
    graph = frame.graph
    leaves = graph.leaves[:MOST_LEAVES]
    try:
        found = list(rows(graph, beside.trace.root, way="central", nodes=leaves))
    except EngineError:
        return
    for row in found:
        if row.backward is None:
            continue
        wrong = frame.grads.get(row.node, 0.0)
        texts = pair_text(row.backward, wrong, DIGITS_SHOWN)
        agrees = beside.has_final(frame, row.node)
        yield Judged(row.name, _numerical(row.numerical), *texts, agrees)


PLACES, LARGE = 6, 1e6
"""Decimals of a quotient, and the size from which on it is written in full."""


def _numerical(number: float) -> str:
    """Return a quotient with at most six places, as far as it is not too large for them."""
    return decimals(number, PLACES) if abs(number) < LARGE else full(number)


# which mistake gave these numbers


class Found(Struct, frozen=True):
    """What typed gradients say: the mistakes that give them, and a sentence about those."""

    mistakes: tuple[Rules, ...]
    sentence: str
    is_error: bool = False


NOTHING_TYPED = "Type the gradients that your program printed, as far as you know them."


def typed_leaves(graph: Graph) -> tuple[int, ...]:
    """Return the leaves whose gradients can be typed."""
    return graph.leaves[:MOST_LEAVES]


def found_from(graph: Graph, typed: Mapping[int, str]) -> Found:
    """Return which mistakes would give the gradients that were typed."""
    answers = {node: read(text) for node, text in typed.items() if text.strip()}
    if not answers:
        return Found((), NOTHING_TYPED)
    for answer in answers.values():
        if answer.number is None:
            return Found((), answer.advice, is_error=True)
    numbers = {node: answer.number for node, answer in answers.items()}
    rounded = {node: answer.half_unit for node, answer in answers.items()}
    try:
        found = suspects(graph, numbers, rounded)
    except EngineError as error:
        return Found((), str(error), is_error=True)
    return Found(found.mistakes, _told(graph, found))


def _told(graph: Graph, found: Suspects) -> str:
    if found.correct:
        said = "The correct pass gives these numbers."
        if not found.accidents:
            return said
        titles = enumerated([rules.title for rules in found.accidents])
        return f"{said} By accident so do, on this graph: {titles}."
    if not found.mistakes:
        return "No mistake of the list gives these numbers."
    if len(found.mistakes) == 1:
        return "One mistake gives these numbers."
    if found.telling is None:
        return "On this graph they can not be told apart: every gradient is the same."
    return f"They can not be told apart by these; {grad_name(graph, found.telling)} would tell."


def guessed(text: str, among: Sequence[Rules]) -> Rules | None:
    """Return the only mistake whose title or name begins with a text or holds it, or None."""
    wanted = text.strip().casefold()
    if not wanted:
        return None
    exact = [r for r in among if wanted in (r.title.casefold(), r.name)]
    found = exact or [r for r in among if wanted in f"{r.title} {r.name}".casefold()]
    return found[0] if len(found) == 1 else None
