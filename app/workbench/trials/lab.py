"""The mistake lab in words: the lines that differ, which nodes are wrong and why, the suspects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct

from app.controls.spans import Span, Spans, on_lines
from app.workbench.gradients.comparison import Comparison, pair_text
from app.workbench.gradients.explanation import causes
from app.workbench.gradients.formulas import enumerated, grad_name
from engine.asking.diagnose import Suspects, WrongCount, suspects
from engine.asking.judging import read_answer
from engine.asking.micrograd_program import wrong_and_right
from engine.errors import EngineError
from engine.frame import Frame
from engine.graph import Graph
from engine.numbers import DIGITS_SHOWN, NOT_COMPUTED, Digits, decimals, full, short
from engine.problems import name_with_op
from engine.rules import Rules

if TYPE_CHECKING:
    from app.workbench.trials.checking import CheckRow, Verdict

TYPED_LEAF_LIMIT = 8
"""Leaves whose gradients are compared, and can be typed."""


def differing_lines(rules: Rules) -> Spans:
    """Return the lines of the program that a mistake writes, with ✘, and the right ones, with ✓."""
    wrong, right = wrong_and_right(rules)
    indent = min((len(x) - len(x.lstrip()) for x in (*wrong, *right)), default=0)
    found: list[Spans] = []
    for mark, role, lines in (("✘", "error", wrong), ("✓", "text", right)):
        for line in lines:
            code = line[indent:].replace(" ", "\u00a0")
            found.append(
                (
                    Span(f"{mark}\u00a0", role, bold=True),
                    Span(code, role, code=True, bold=role == "text"),
                )
            )
    return on_lines(found)


class WrongNode(Struct, frozen=True):
    """A node with a wrong gradient: its name, the right and the wrong number, and why."""

    node: int
    name: str
    right: str
    found: str
    why: str

    @property
    def spoken(self) -> str:
        """Return its accessible text."""
        return f"{self.name}: {self.found}, right would be {self.right}. {self.why}".rstrip()

    @property
    def change(self) -> Spans:
        """Return `25 → 1`."""
        return (
            Span(self.right, "gradient", bold=True),
            Span(" → ", "secondary"),
            Span(self.found, "error", bold=True),
        )


def wrong_nodes(
    frame: Frame, comparison: Comparison | None, digits: Digits = DIGITS_SHOWN
) -> Iterator[WrongNode]:
    """Yield the nodes with a wrong gradient by now, in the order of the pass."""
    if comparison is None:
        return
    for node, found in frame.grads.items():
        right = comparison.correction(frame, node)
        if right is not None:
            texts = pair_text(right, found, digits)
            why = causes(frame, comparison, node, digits)
            yield WrongNode(node, frame.graph.brief(node), *texts, why)


class RefereeLine(Struct, frozen=True):
    """The gradients of a leaf: numerical, correct, and `wrong`, that of the pass with a mistake."""

    name: str
    numerical: str
    correct: str
    verdict: Verdict
    """Whether the numerical gradient confirms the correct one."""
    wrong: str
    agrees: bool | None
    """Whether the mistake's gradient is right all the same; None while a step may change it."""

    @property
    def wrong_with_mark(self) -> str:
        """Return the mistake's gradient with ✓ or ✘, or as a partial sum."""
        if self.wrong == NOT_COMPUTED:
            return self.wrong
        mark = {True: "✓", False: "✘", None: "so far"}[self.agrees]
        return f"{self.wrong} {mark}"


class Referee:
    """Judges the gradients of leaves by finite differences, cached for one graph."""

    def __init__(self) -> None:
        self._graph: Graph | None = None
        self._rows: tuple[CheckRow, ...] = ()

    def judge(
        self, frame: Frame, comparison: Comparison | None, digits: Digits = DIGITS_SHOWN
    ) -> Iterator[RefereeLine]:
        """Yield a line for each leaf once the cursor has reached the first wrong step."""
        if (
            comparison is None
            or comparison.first_wrong is None
            or frame.cursor < comparison.first_wrong
        ):
            return
        for row in self._rows_of(frame.graph, comparison.trace.root):
            if row.backward is None:
                continue
            found, settled = frame.grads.get(row.node), comparison.is_settled(frame, row.node)
            agrees = comparison.holds_derivative(frame, row.node)  # not before it has a gradient
            texts = short(row.backward, digits), NOT_COMPUTED
            if found is not None:
                texts = texts[0], short(found, digits)
                if not agrees:
                    texts = pair_text(row.backward, found, digits)
            yield RefereeLine(
                row.short_name,
                _quotient_text(row.numerical),
                texts[0],
                row.verdict,
                texts[1],
                agrees if settled else None,
            )

    def _rows_of(self, graph: Graph, root: int) -> tuple[CheckRow, ...]:
        if graph is not self._graph:
            from app.workbench.trials.checking import rows

            self._graph, self._rows = graph, ()
            with suppress(EngineError):
                found = rows(graph, root, method="central", nodes=typed_leaves(graph))
                self._rows = tuple(found)
        return self._rows


QUOTIENT_DECIMALS, FULL_FROM = 6, 1e6
"""Decimals of a quotient, whose further digits are rounding; a larger one is written in full."""


def _quotient_text(number: float) -> str:
    """Return a quotient with QUOTIENT_DECIMALS, or in full from FULL_FROM on."""
    return decimals(number, QUOTIENT_DECIMALS) if abs(number) < FULL_FROM else full(number)


def wrong_count_text(count: WrongCount) -> str:
    """Return how many gradients differ under a mistake: `4 of 7`."""
    if count.wrong is None:
        return "too long here"
    return f"{count.wrong:,} of {count.known:,}" if count.wrong else "none here"


# the mistake that gave these numbers


class Diagnosis(Struct, frozen=True):
    """The mistakes that give the typed gradients, and a sentence about them."""

    mistakes: tuple[Rules, ...]
    sentence: str
    is_error: bool = False


_MOST_FIRED = 8
"""Nodes of a firing order that a sentence names."""
NOTHING_TYPED = "Type the gradients that your program printed, as far as you know them."


def typed_leaves(graph: Graph) -> tuple[int, ...]:
    """Return the leaves whose gradients can be typed."""
    return graph.leaves[:TYPED_LEAF_LIMIT]


def diagnose(graph: Graph, typed: Mapping[int, str]) -> Diagnosis:
    """Return the mistakes that would give the typed gradients."""
    answers = {node: read_answer(text) for node, text in typed.items() if text.strip()}
    if not answers:
        return Diagnosis((), NOTHING_TYPED)
    for answer in answers.values():
        if answer.number is None:
            return Diagnosis((), answer.advice, is_error=True)
    numbers = {node: answer.number for node, answer in answers.items()}
    rounded = {node: answer.half_unit for node, answer in answers.items()}
    try:
        found = suspects(graph, numbers, rounded)
    except EngineError as error:
        return Diagnosis((), str(error), is_error=True)
    return Diagnosis(found.mistakes, _suspects_text(graph, found))


def _suspects_text(graph: Graph, found: Suspects) -> str:
    if found.correct:
        sentence = "The correct pass gives these numbers."
        if not found.indistinguishable:
            return sentence
        titles = enumerated([rules.title for rules in found.indistinguishable])
        return f"{sentence} By accident so do, on this graph: {titles}."
    if not found.mistakes:
        sentence = "No mistake of the list gives these numbers."
        if found.orders_tried is None:
            return sentence
        return f"{sentence} Of its valid orders = was tried in {found.orders_tried:,}."
    if found.other_order:
        return _other_order_text(graph, found)
    if len(found.mistakes) == 1:
        return "One mistake gives these numbers."
    if found.distinguishing_node is None:
        return "On this graph they can not be told apart: every gradient is the same."
    grad = grad_name(graph, found.distinguishing_node)
    return f"They can not be told apart by these; {grad} would tell."


def _other_order_text(graph: Graph, found: Suspects) -> str:
    titles = [name_with_op(graph, node, brief=True) for node in found.other_order]
    order = " → ".join(titles[:_MOST_FIRED] + ["…"] * (len(titles) > _MOST_FIRED))
    if len(found.mistakes) == 1:
        return f"It gives these numbers where nodes fire in another valid order: {order}."
    title = found.mistakes[0].title
    return f"{title} gives these numbers where nodes fire in another valid order: {order}."


def matching_mistakes(text: str, mistakes: Sequence[Rules]) -> tuple[Rules, ...]:
    """Return the mistakes whose title or name is a text, else those that contain it."""
    wanted = text.strip().casefold()
    exact = tuple(r for r in mistakes if wanted in (r.title.casefold(), r.name))
    return exact or tuple(r for r in mistakes if wanted in f"{r.title} {r.name}".casefold())
