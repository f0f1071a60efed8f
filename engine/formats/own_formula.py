"""Operations of one's own from text: read, changed, and taken away, with those that use them.

>>> bend = own_operation("bend", "a * sigmoid(a)")
>>> twice = own_operation("twice", "bend(bend(x))", "", (bend,))
>>> changed = with_operation((bend, twice), own_operation("bend", "a + 1"), "bend")
>>> [(op.name, op.value) for op in changed]
[('bend', 'a + 1'), ('twice', 'x + 1 + 1')]
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from engine.errors import EngineError, FormatError
from engine.formats.expression import ITSELF, read_typed
from engine.formats.notation import BLOCKS
from engine.names import LONGEST_NAME, RESERVED, is_name
from engine.ops import Op, in_order_of_use, meant, names_in, renamed
from engine.own import LONGEST, own


def own_operation(name: str, formula: str, rule: str = "", operations: Sequence[Op] = ()) -> Op:
    """Return the operation that a typed formula defines; it may use `operations`.

    Raises EngineError with one sentence for a name or a formula that can't be one.
    """
    check_name(name)
    if len(formula) > LONGEST:
        raise FormatError("The formula has up to {most} characters.", most=LONGEST)
    if re.search(rf"\b{name}\s*\(", formula):
        raise FormatError(ITSELF, name=name)
    known = [op for op in operations if op.name != name]
    typed = read_typed(formula, (), known)
    if len(typed.graph.roots()) != 1 or ";" in formula or "\n" in formula:
        raise FormatError("The value is one formula on one line.")
    if len(typed.graph.nodes) - 1 == len(typed.graph.leaves):
        raise FormatError("The value is a formula of its slots, such as a * sigmoid(a).")
    return own(name, formula, typed.named, rule)


def check_name(name: str, operations: Iterable[Op] = ()) -> None:
    """Raise EngineError with a sentence for a word that no operation of one's own can be called.

    `operations` are those that have their names already.
    """
    taken = {*BLOCKS, *RESERVED, *(op.name for op in operations)}
    if meant(name) or name in taken:
        raise EngineError("{name} is taken; choose another name.", name=name)
    if not is_name(name) or len(name) > LONGEST_NAME:
        raise EngineError(
            "The name is one word of up to {most} letters, digits and _.", most=LONGEST_NAME
        )


def with_operation(operations: Sequence[Op], op: Op, former: str = "") -> tuple[Op, ...]:
    """Return operations with one added, or changed, and those that use it read again.

    `former` is its name before, "" if it is new. Raises EngineError if its name is taken by another
    one, and if it would come to use itself.
    """
    others = [renamed(each, {former: op.name}) for each in operations if each.name != former]
    check_name(op.name, others)
    uses = {each.name: names_in(each.expansion) for each in (op, *others)}
    if op.name in _behind(op.name, uses):
        raise EngineError("{name} would use itself.", name=op.name)
    found: dict[str, Op] = {}
    for each in in_order_of_use((op, *others)):
        known = tuple(found.values())
        again = own_operation(each.name, each.typed, each.rule, known) if each.typed else each
        found[each.name] = again
    return tuple(found.values())


def _behind(name: str, uses: Mapping[str, Collection[str]]) -> set[str]:
    """Return what an operation uses, also by way of others."""
    found: set[str] = set()
    waiting = {name}
    while waiting:
        new = {used for each in waiting for used in uses.get(each, ())} - found
        found |= new
        waiting = new
    return found
