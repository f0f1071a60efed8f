"""The graph of a recording: which operations a program's own are, and what its pass got wrong.

Each node of a `Recording` is read as one of these:

    known    an operation of ours: value and slopes agree, under its own name, or under another
             where it is smooth and agrees at two different inputs; so it is never a look-alike
    late     the same, but its operands changed after the forward pass, and its slopes read them now
    rule     an operation of ours by its name and value, whose step sends something else
    frozen   an operation of the program's own: value and slopes as measured, for these inputs alone

Then the pass is run again by ours, from the gradients that were there. If a leaf comes out
otherwise, the program's own order and steps are tried, which tell what went wrong.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal

from msgspec import Struct

from engine.formats.native import Drawing, GroupEntry
from engine.formats.recording import Call, Recording, Seen
from engine.graph import LABEL_LIMIT, Constant, Graph, Leaf, Node, OpNode, Root, Wire
from engine.names import is_plain_line
from engine.numbers import counted, short
from engine.ops import BY_NAME, OPS, Op, Use, meant, never
from engine.rules import Recorded
from engine.value import frozen_operations

Kind = Literal["leaf", "constant", "known", "late", "rule", "frozen"]
Operand = int | Constant
"""An operand: the index of a node, or a number in the program's text."""
Start = Literal["leaves", "all", "zero"]
"""Which gradients of before a pass begins from."""

FOLDED_ABOVE = 60
"""Number of nodes above which a graph opens with its groups folded."""
_VALUE, _SLOPE = 1e-9, 1e-6
"""Relative tolerances: of a value, computed once, and of slopes and gradients, which add up."""
_NEAR, _NUDGED = 1.01e-4, 1e-3
"""Most distance of the two trials beside a number, and tolerance of a difference quotient."""
_SWAPPED = {"rsub": "sub", "rdiv": "div", "rpow": "pow"}
"""Names of methods for operations whose operands are swapped."""
_SMOOTH = tuple(op for op in OPS if op.kink is never)


class Verdict(Struct, frozen=True):
    """What is to be said of a pass, in one sentence.

    right: all as in the program; adds: the same, to gradients of an earlier pass; wrong: the
    program's pass is not that of its graph; own: with an operation of its own; late: data changed
    after the forward pass; none: no pass was seen.
    """

    kind: Literal["right", "adds", "wrong", "own", "late", "none"]
    sentence: str

    @property
    def marked(self) -> str:
        """Return the sentence after its mark, if it has one."""
        marks = {"right": "✓", "adds": "+", "wrong": "✘", "own": "ƒ"}
        return f"{marks.get(self.kind, '')} {self.sentence}".strip()


class Read(Struct, frozen=True):
    """A node as it was read: its operation, its operands, and the program's slope along each."""

    kind: Kind
    op: Op | None = None
    operands: tuple[Operand, ...] = ()
    slopes: tuple[float, ...] = ()
    right: tuple[float, ...] = ()
    """The slopes of the operation itself."""


def close(a: float | None, b: float | None, tolerance: float = _SLOPE) -> bool:
    """Return whether two numbers agree up to rounding; nan agrees with nan."""
    if a is None or b is None:
        return False
    if a == b or (math.isnan(a) and math.isnan(b)):
        return True
    return abs(a - b) <= tolerance * max(1e-3, abs(a), abs(b))


class ProgramGraph:
    """What is made of one recording: the reading of its nodes, its verdict, its drawing."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.nodes = recording.nodes
        self._constants = _constants(self.nodes)

    # operations

    @cached_property
    def reads(self) -> tuple[Read, ...]:
        """Return each node as it was read; those of one method and sign alike, or frozen."""
        found = [
            Read("constant" if i in self._constants else "leaf") if not node.kids else _frozen(node)
            for i, node in enumerate(self.nodes)
        ]
        alike: dict[tuple[str, str], list[int]] = {}
        for i, node in enumerate(self.nodes):
            if node.kids:
                alike.setdefault((node.method, node.sign), []).append(i)
        for members in alike.values():
            for i, read in self._reading_of(members).items():
                found[i] = read
        return tuple(found)

    def _reading_of(self, members: Sequence[int]) -> dict[int, Read]:
        """Return how the nodes of one method are read, {} if none of our operations is theirs."""
        first = self.nodes[members[0]]
        for name in _own_names(first):
            reads = self._all_as(name, members, late=True)
            if reads and self._trials_agree(first.method, reads):
                return reads
        for op in _SMOOTH:
            reads = self._all_as(op.name, members, late=False)
            if reads and self._agrees_twice(first.method, op, reads):
                return reads
        return {}

    def _all_as(self, name: str, members: Sequence[int], *, late: bool) -> dict[int, Read]:
        """Return these nodes read as an operation, {} once one is not that."""
        reads: dict[int, Read] = {}
        for i in members:
            read = self._as(name, i, late=late)
            if read is None or not (late or read.kind == "known"):
                return {}
            reads[i] = read
        return reads

    def _as(self, name: str, i: int, *, late: bool) -> Read | None:
        """Return a node read as an operation, or None if its value, or else its slopes, differ."""
        node = self.nodes[i]
        op, swapped = BY_NAME[_SWAPPED.get(name, name)], name in _SWAPPED
        best = None
        for operands in _operands(node, self.nodes):
            ordered = operands[::-1] if swapped else operands
            if name == "rdiv" and len(operands) == 1:
                ordered = (Constant(1.0), *operands)
            if len(ordered) != len(op.slots):
                continue
            read = self._fitted(op, ordered, node, late=late)
            if read is not None and read.kind == "known":
                return read
            best = best or read
        return best

    def _fitted(
        self, op: Op, operands: tuple[Operand, ...], node: Seen, *, late: bool
    ) -> Read | None:
        """Return a node read as an operation of these operands, or None if it is not that."""
        inputs = self._inputs(operands)
        value = op.forward(*inputs)
        agrees = close(value, node.data, _VALUE)
        if not agrees and not (late and self._was(op, operands, node)):
            return None
        right = tuple([partial(*inputs, value) for partial in op.partials])
        if node.slopes is None:
            return Read("known" if agrees else "late", op, operands, right, right)
        theirs = _by_kid(node)
        spread = _spread(operands, right, theirs)
        if not agrees:
            return Read("late", op, operands, spread, right)
        every = [_sums(operands, right)]
        if node.assigns:  # of an operand in two slots the last one is left
            every.append({x: k for x, k in zip(operands, right, strict=True) if isinstance(x, int)})
        free = {x for slot, x in enumerate(operands) if op.by_convention(slot, *inputs)}
        live = [kid for kid in theirs if kid not in self._constants and kid not in free]
        if any(all(close(ours.get(kid), theirs[kid]) for kid in live) for ours in every):
            return Read("known", op, operands, spread if free else right, right)
        return Read("rule", op, operands, spread, right)

    def _inputs(self, operands: Sequence[Operand]) -> tuple[float, ...]:
        return tuple([x.value if isinstance(x, Constant) else self.nodes[x].data for x in operands])

    def _was(self, op: Op, operands: Sequence[Operand], node: Seen) -> bool:
        """Return whether a node is an operation of what its operands were when it was made."""
        then = dict(zip(node.args, node.then, strict=False))
        inputs = [x.value if isinstance(x, Constant) else then.get(x) for x in operands]
        return None not in inputs and close(op.forward(*inputs), node.data, _VALUE)

    def _trials_agree(self, method: str, reads: Mapping[int, Read]) -> bool:
        """Return whether an operation has the values of ours also where the program tried it."""
        read = next(iter(reads.values()))
        return all(
            close(_forward(read, x), value, _VALUE)
            for x, value, _slope in self._rows(method, read)
            if value is not None
        )

    def _agrees_twice(self, method: str, op: Op, reads: Mapping[int, Read]) -> bool:
        """Return whether a smooth operation has value and slope of ours at two inputs or more."""
        inputs: set[tuple[float, ...]] = set()
        for i, read in reads.items():
            if self.nodes[i].slopes is None:
                return False
            inputs.add(self._inputs(read.operands))
        read = next(iter(reads.values()))
        for x, value, slope in self._rows(method, read):
            ours = _forward(read, x)
            if not close(ours, value, _VALUE) or not close(_slope(read, x, ours), slope):
                return False
            inputs.add((x,))
        return len(inputs) > 1

    def _rows(self, method: str, read: Read) -> Iterator[tuple[float, float | None, float | None]]:
        """Yield input, value and slope of the trials of a method with these numbers."""
        numbers = tuple(x.value for x in read.operands if isinstance(x, Constant))
        for trial in self.recording.trials:
            if trial.method == method and trial.args == numbers:
                yield from trial.rows

    # the pass

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """Return the indices of the leaves."""
        return tuple(i for i, read in enumerate(self.reads) if read.kind == "leaf")

    def replay(
        self, start: Start, *, own_rules: bool = False, own_order: bool = False, seed: float = 1.0
    ) -> list[float]:
        """Return the gradients after the pass by ours, or as far as asked by the program's steps.

        With `own_order` the steps run as they did in the program, and those that assign do so.
        """
        last = len(self.nodes) - 1
        grads = [_before(node, start) for node in self.nodes]
        grads[last] = seed
        order = self.recording.fired if own_order else range(last, -1, -1)
        for i in order:
            read, sets = self.reads[i], self.nodes[i].assigns if own_order else ()
            slopes = read.slopes if own_rules else read.right
            for operand, slope in zip(read.operands, slopes, strict=True):
                if isinstance(operand, int):
                    kept = 0.0 if operand in sets else grads[operand]
                    grads[operand] = slope * grads[i] + kept
        return grads

    def fits(self, grads: Sequence[float]) -> bool:
        """Return whether these are the leaves' gradients of the program."""
        scale = max((abs(g) for i in self.leaves if math.isfinite(g := grads[i])), default=0.0)
        return all(
            close(grads[i], self.nodes[i].after)
            or abs(grads[i] - (self.nodes[i].after or 0.0)) <= _VALUE * scale
            for i in self.leaves
        )

    @cached_property
    def verdict(self) -> Verdict:
        """Return what is to be said of the pass."""
        if not self.recording.number:
            text = "No backward pass was seen. Shown is the largest graph that it built."
            return Verdict("none", text)
        if all(node.after is None for node in self.nodes):
            text = "Where its gradients are kept is not known, so none of them is compared."
            return Verdict("none", text)
        conventions = not any(read.kind == "rule" for read in self.reads)
        if not (
            self.fits(self.replay("leaves", own_rules=conventions))
            or self.fits(self.replay("zero", own_rules=conventions))
        ):
            return Verdict("wrong", self._fault)
        if any(self.nodes[i].before for i in self.leaves) and not self._begins_from_zero:
            return Verdict("adds", f"Adds to {self._left}: shown with both.")
        for kind in ("frozen", "late", "known"):
            for i, read in enumerate(self.reads):
                if read.kind == kind and (kind != "known" or not _same(read)):
                    return self._remark(i, read)
        one, many = (
            "{count} leaf gradient as in the program.",
            "{count:,} leaf gradients as in the program.",
        )
        return Verdict("right", counted(len(self.leaves), one, many))

    @property
    def _left(self) -> str:
        """Return what the leaves' gradients were that the pass adds to, for its sentence."""
        earlier = self.recording.adds_to
        if earlier == self.recording.where:
            return "what the pass before it left, without zero_grad"
        return (
            f"the gradients that {earlier} has left" if earlier else "gradients of an earlier pass"
        )

    @cached_property
    def _begins_from_zero(self) -> bool:
        """Return whether the program's pass sets all gradients to 0 first."""
        return not self.fits(self.replay("leaves", own_rules=True)) and self.fits(
            self.replay("zero", own_rules=True)
        )

    def _remark(self, i: int, read: Read) -> Verdict:
        theirs, ours = (" and ".join(map(short, slopes)) for slopes in (read.slopes, read.right))
        if read.kind == "frozen":
            name = _own_title(self.nodes[i])
            text = f"{name} is an operation of its own: slope as its step sends it, {theirs}"
            quotient = self._quotient(i)
            if quotient is None or close(quotient, sum(read.slopes), _NUDGED):
                return Verdict("own", f"{text}.")
            return Verdict("own", f"{text}, where a difference quotient gives {short(quotient)}.")
        if read.kind == "known" and read.op is not None:
            text = f"{read.op.name} has no slope here: the program uses {theirs}, ours {ours}."
            return Verdict("own", text)
        node = self.nodes[i]
        changed = next(
            arg
            for arg, then in zip(node.args, node.then, strict=False)
            if isinstance(arg, int) and then is not None and then != self.nodes[arg].data
        )
        return Verdict(
            "late",
            f"{self.title(changed)} changed after the forward pass: "
            "slopes are those of the program, which reads data late.",
        )

    def _quotient(self, i: int) -> float | None:
        """Return the difference quotient of an operation of one number, if it was tried nearby."""
        node = self.nodes[i]
        at = self.nodes[node.kids[0]].data
        tried = (trial.rows for trial in self.recording.trials if trial.method == node.method)
        near = sorted(
            (x, y) for rows in tried for x, y, _ in rows if y is not None and abs(x - at) <= _NEAR
        )
        if len(near) != 3 or near[1] != (at, node.data):  # it draws lots, or was made elsewhere
            return None
        return (near[2][1] - near[0][1]) / (near[2][0] - near[0][0])

    @cached_property
    def _replayed(self) -> tuple[Start, bool, float] | None:
        """Return how the program's wrong pass comes out: its start, its order, its seed."""
        seed = self.nodes[-1].after
        seeds = (1.0,) if seed is None or seed == 1.0 else (1.0, seed)
        for own_order in (False, True):
            for one in seeds:
                for start in ("leaves", "all", "zero"):
                    if self.fits(self.replay(start, own_rules=True, own_order=own_order, seed=one)):
                        return start, own_order, one
        return None

    @property
    def is_replayed(self) -> bool:
        """Return whether the pass is wrong, and comes out so by its own order and steps."""
        return self.verdict.kind == "wrong" and self._replayed is not None

    @cached_property
    def _fault(self) -> str:
        """Return what is wrong with the program's pass, naming the first place where it shows."""
        ours = self.replay("leaves")
        differs = next(i for i in self.leaves if not close(ours[i], self.nodes[i].after))
        theirs = self.nodes[differs].after
        name = self.title(differs)
        begin = (
            f"{name}.grad is {short(theirs)} in the program, the graph says {short(ours[differs])}"
            if theirs is not None
            else f"{name} has no gradient in the program"
        )
        return f"{begin}: {self._cause}."

    @cached_property
    def _cause(self) -> str:
        found = self._replayed
        if found is None:
            return "why, its steps do not tell"
        start, own_order, seed = found
        if seed != 1.0:
            return f"the root begins with {short(seed)}, not 1"
        wrong = next((i for i, read in enumerate(self.reads) if read.kind == "rule"), None)
        if not own_order:
            if start == "all":
                return "inner nodes send on what an earlier pass left in them"
            assert wrong is not None
            return self._wrong_rule(wrong)
        return self._order

    def _wrong_rule(self, i: int) -> str:
        read = self.reads[i]
        assert read.op is not None
        slot = next(
            k
            for k, pair in enumerate(zip(read.slopes, read.right, strict=True))
            if not close(*pair)
        )
        return (
            f"{self.title(i)} sends {short(read.slopes[slot])} times its gradient "
            f"where the slope is {short(read.right[slot])}"
        )

    @property
    def _order(self) -> str:
        """Return what is wrong with the order of the program's own steps, or with the steps."""
        made = [i for i, node in enumerate(self.nodes) if node.kids]
        fired = [i for i in self.recording.fired if self.nodes[i].kids]
        place = {i: k for k, i in enumerate(fired)}
        idle = next((i for i in made if i not in place), None)
        if idle is not None and place.keys() == {len(self.nodes) - 1}:
            return f"only {self.title(fired[0])}'s own step runs"
        if len(place) < len(fired):
            return "nodes fire again for each path"
        if idle is not None:
            return f"the step of {self.title(idle)} never runs"
        users = _users(self.nodes)
        for i in fired:
            if any(place[user] > place[i] for user in users.get(i, ())):
                return f"{self.title(i)} fires before its gradient is complete"
        for i, node in enumerate(self.nodes):
            if 0 < len(node.assigns) < len(set(node.kids)):
                which = "first" if self.reads[i].operands[0] in node.assigns else "second"
                return f"{self.title(i)} uses = instead of += for its {which} operand"
        return "= instead of +="

    def title(self, i: int) -> str:
        """Return how a sentence names a node."""
        node, read = self.nodes[i], self.reads[i]
        name = node.label or node.name
        if not node.kids:
            return name or short(node.data)
        op = _own_title(node) if read.op is None else read.op.name
        return f"{op} ({name})" if name else op

    # the drawing

    @cached_property
    def drawing(self) -> Drawing:
        """Return the graph with its folds, and what the program's pass did to it."""
        folds, draft = self._folds, _Draft()
        for i, read in enumerate(self.reads):
            if read.kind == "constant":
                continue
            label, data = folds.label(i), self.nodes[i].data
            if read.kind == "leaf":
                draft.ids[i] = draft.add(i, Leaf(data, label), data)
                continue
            inputs = tuple([draft.input(i, x, self.nodes) for x in read.operands])
            given = tuple([draft.values[source] for source in inputs])
            if read.op is not None:
                node = OpNode(read.op.name, inputs, label)
                draft.ids[i] = draft.add(i, node, read.op.forward(*given))
            else:
                draft.ids[i] = number = draft.add(i, OpNode("", inputs, label), data)
                draft.uses[number] = _own_title(self.nodes[i]), Use(given, data, read.slopes)
        operations = frozen_operations(draft.uses, draft.made)
        root = draft.add(-1, Root(draft.ids[len(self.nodes) - 1]), 0.0)
        graph = Graph(draft.made, root, root + 1, operations)
        del draft.belongs[root]
        groups = folds.groups(draft.belongs)
        return Drawing(graph, groups=groups, recorded=self._recorded(draft.ids))

    @cached_property
    def _folds(self) -> "_Folds":
        return _Folds(self.recording)

    @property
    def calls(self) -> Mapping[int, Call]:
        """Return the call that each fold of the drawing is, by the id of its group."""
        _ = self.drawing  # makes the folds
        return self._folds.calls

    @property
    def recorded(self) -> Recorded:
        """Return what the program's pass did, by the ids of the drawing."""
        assert self.drawing.recorded is not None
        return self.drawing.recorded

    def _recorded(self, ids: Mapping[int, int]) -> Recorded:
        wrong = self.verdict.kind == "wrong"
        slopes: dict[Wire, float] = {}
        for i, read in enumerate(self.reads):
            if not _same(read) and (read.kind != "rule" or wrong):
                slopes |= {(ids[i], slot): slope for slot, slope in enumerate(read.slopes)}
        ours = ("zero" if self._begins_from_zero else "leaves", False, 1.0)
        start, own_order, seed = (wrong and self._replayed) or ours
        nodes = [(ids[i], node) for i, node in enumerate(self.nodes) if i in ids]
        assigned = (
            (ids[i], slot)
            for i, read in enumerate(self.reads)
            for slot, operand in enumerate(read.operands)
            if operand in self.nodes[i].assigns
        )
        return Recorded(
            values={n: node.data for n, node in nodes},
            before={n: kept for n, node in nodes if (kept := _before(node, start))},
            grads={
                n: node.after
                for n, node in nodes
                if node.after is not None and self.recording.number  # else there was no pass
            },
            fired=tuple(ids[i] for i in self.recording.fired if i in ids) if own_order else (),
            assigns=frozenset(assigned) if own_order else frozenset(),
            slopes=slopes,
            seed=seed,
            wrong=wrong,
        )


class _Draft:
    """The nodes of a drawing as they are made, with ids from 1."""

    def __init__(self) -> None:
        self.made: dict[int, Node] = {}
        self.values: dict[int, float] = {}
        """By our formulas: with these inputs a frozen operation will be looked up."""
        self.uses: dict[int, tuple[str, Use]] = {}
        self.ids: dict[int, int] = {}
        """The node of the drawing for each one of the recording."""
        self.belongs: dict[int, int] = {}
        """The node of the recording for each one of the drawing, constants too."""

    def add(self, i: int, node: Node, value: float) -> int:
        """Add a node for one of the recording; return its id."""
        number = len(self.made) + 1
        self.made[number], self.values[number], self.belongs[number] = node, value, i
        return number

    def input(self, i: int, operand: Operand, nodes: Sequence[Seen]) -> int:
        """Return the id of an operand of a node; a number becomes a constant of its own."""
        if isinstance(operand, int):
            if operand in self.ids:
                return self.ids[operand]
            operand = Constant(nodes[operand].data)
        return self.add(i, operand, operand.value)


class _Folds:
    """The calls of a pass as groups: those that hold some of its operations, but not all.

    A leaf lies in the innermost call that holds all that read it, but in none of an object that
    holds other leaves by name and not this one: an input stays outside of the network. A leaf
    without a name is an input if it was handed on to calls within.
    """

    def __init__(self, recording: Recording) -> None:
        self._nodes = recording.nodes
        self.calls: Mapping[int, Call] = {}
        """The call that each group is, by its id."""
        whole = [
            tuple(recording.sites[node.site]) if node.site >= 0 else () for node in self._nodes
        ]
        made = [i for i, node in enumerate(self._nodes) if node.kids]
        within: dict[Call, set[int]] = {}
        for i in made:
            for call in whole[i]:
                within.setdefault(call, set()).add(i)
        self._kept = {call for call, inside in within.items() if 1 < len(inside) < len(made)}
        self._calls = {i: self._distinct(whole[i], within) for i in made}
        users = _users(self._nodes)
        leaves = [i for i, node in enumerate(self._nodes) if not node.kids]
        names = [self._nodes[i].name for i in leaves]
        owners = {name[:at] for name in names for at, sign in enumerate(name) if sign == "."}
        for i in leaves:
            name, chains = self._nodes[i].name, [self._calls[k] for k in users.get(i, ())]
            calls = _common(chains)
            is_input = any(len(chain) > len(calls) for chain in chains)  # handed to calls
            foreign = (
                k
                for k, call in enumerate(calls)
                if (name or is_input)
                and call.title in owners
                and not name.startswith(f"{call.title}.")
            )
            self._calls[i] = calls[: next(foreign, None)]

    def _distinct(
        self, calls: tuple[Call, ...], within: Mapping[Call, set[int]]
    ) -> tuple[Call, ...]:
        """Return the calls that are kept, without one that holds only what the next one does."""
        kept = [call for call in calls if call in self._kept]
        return tuple(
            call
            for call, inner in zip(kept, [*kept[1:], None], strict=False)
            if inner is None or within[call] != within[inner]
        )

    def label(self, i: int) -> str:
        """Return the label of a node: its own, else its path within its fold."""
        node = self._nodes[i]
        path = node.name
        for call in reversed(self._calls[i]):
            if path.startswith(f"{call.title}."):
                path = path[len(call.title) + 1 :]
                break
        return _line(node.label or path)

    def groups(self, belongs: Mapping[int, int]) -> tuple[GroupEntry, ...]:
        """Return the groups of a drawing, in which each node `belongs` to one of the recording."""
        members: dict[tuple[Call, ...], list[int]] = {}
        for number, i in belongs.items():
            calls = self._calls[i]
            for depth in range(1, len(calls) + 1):
                members.setdefault(calls[:depth], [])
            if calls:
                members[calls].append(number)
        numbers = {calls: k for k, calls in enumerate(members, 1)}
        self.calls = {k: calls[-1] for calls, k in numbers.items()}
        titles = _titles(list(members))
        folded = len(belongs) > FOLDED_ABOVE
        return tuple(
            GroupEntry(
                *(numbers[calls], titles[calls], inside),
                collapsed=folded,
                parent=numbers.get(calls[:-1]),
            )
            for calls, inside in members.items()
        )


def _common(chains: Sequence[tuple[Call, ...]]) -> tuple[Call, ...]:
    """Return the calls, outer first, that all chains begin with."""
    if not chains:
        return ()
    length = 0
    for calls in zip(*chains, strict=False):
        if len(set(calls)) > 1:
            break
        length += 1
    return chains[0][:length]


def _titles(folds: Sequence[tuple[Call, ...]]) -> dict[tuple[Call, ...], str]:
    """Return the title of each fold: its call, less what the fold around it says, numbered."""
    alike: dict[tuple[tuple[Call, ...], str], list[tuple[Call, ...]]] = {}
    for calls in folds:
        title, outer = calls[-1].title, calls[-2].title if len(calls) > 1 else ""
        if outer and title.startswith(f"{outer}."):
            title = f"…{title[len(outer) + 1 :]}"
        alike.setdefault((calls[:-1], _line(title)), []).append(calls)
    return {
        calls: title if len(same) == 1 else f"{title[: LABEL_LIMIT // 2]} · {k} of {len(same)}"
        for (_outer, title), same in alike.items()
        for k, calls in enumerate(same, 1)
    }


def _line(text: str) -> str:
    """Return a text of the program as a label can hold it; "" if it can't."""
    line = " ".join(text.split())[:LABEL_LIMIT]
    return line if is_plain_line(line) else ""


def _before(node: Seen, start: Start) -> float:
    """Return the gradient that a node begins a pass with."""
    return node.before or 0.0 if start == "all" or (start == "leaves" and not node.kids) else 0.0


def _constants(nodes: Sequence[Seen]) -> frozenset[int]:
    """Return the leaves that an operation made of a plain number: unnamed, and no argument."""
    users = _users(nodes)
    return frozenset(
        i
        for i, node in enumerate(nodes)
        if not (node.kids or node.name or node.label)
        and i in users
        and all(nodes[user].args and i not in nodes[user].args for user in users[i])
    )


def _users(nodes: Sequence[Seen]) -> dict[int, set[int]]:
    """Return the nodes that use each node."""
    found: dict[int, set[int]] = {}
    for i, node in enumerate(nodes):
        for kid in node.kids:
            found.setdefault(kid, set()).add(i)
    return found


def _own_names(node: Seen) -> list[str]:
    """Return the operations that a node may be by its method or its sign."""
    found: list[str] = []
    for word in (node.method.strip("_").lower(), node.sign.lower().replace(" ", "")):
        name = "**" if word.startswith(("**", "^")) else word
        known = [meant(name), meant(name.replace("_", ""))]
        if not any(known) and name[:1] in ("r", "i"):  # radd, isub
            base = meant(name[1:])
            known = [f"r{base}" if f"r{base}" in _SWAPPED and name[0] == "r" else base]
        found += filter(None, known)
    return list(dict.fromkeys(found))


def _operands(node: Seen, nodes: Sequence[Seen]) -> list[tuple[Operand, ...]]:
    """Return the lists of operands that a node may have, the likeliest first."""
    kids = node.kids
    lists = [_given(node, nodes)] if node.args else []
    if node.sign.startswith(("**", "^")) and len(kids) == 1:
        exponent = _exponent(node.sign.strip("*^ ()[]{}"))
        lists += [(kids[0], exponent)] if exponent is not None else []
    lists.append(kids)
    if len(kids) == 1:
        lists.append((kids[0], kids[0]))  # a set has lost the second one
    if len(kids) == 2:
        lists.append(kids[::-1])
    return list(dict.fromkeys(each for each in lists if set(kids) <= set(each)))


def _given(node: Seen, nodes: Sequence[Seen]) -> tuple[Operand, ...]:
    """Return the arguments of a node's call as operands."""
    rest = [kid for kid in node.kids if kid not in node.args]
    found: list[Operand] = []
    for arg in node.args:
        if isinstance(arg, int):
            found += [arg] if arg in node.kids else []
        elif arg[0] is not None:  # a number, or the Value that was made of it
            made = next((kid for kid in rest if nodes[kid].data == arg[0]), None)
            found.append(Constant(arg[0]) if made is None else made)
            rest = [kid for kid in rest if kid != made]
    return tuple(found)


def _exponent(text: str) -> Constant | None:
    try:
        return Constant(float(text))
    except ValueError:
        return None


def _own_title(node: Seen) -> str:
    """Return what the program calls an operation of its own."""
    return _line(node.method.strip("_") or node.sign) or "own"


def _frozen(node: Seen) -> Read:
    """Return a node as an operation of its own: value and slopes as measured."""
    sums = _by_kid(node)
    slopes = tuple(sums.values())
    return Read("frozen", None, tuple(sums), slopes, slopes)


def _by_kid(node: Seen) -> dict[int, float]:
    """Return the measured slope along each operand; nan where none was measured."""
    return _sums(node.kids, node.slopes or (math.nan,) * len(node.kids))


def _sums(operands: Sequence[Operand], slopes: Sequence[float]) -> dict[int, float]:
    """Return the sum of the slopes along all slots of each operand that is a node."""
    sums: dict[int, float] = {}
    for operand, slope in zip(operands, slopes, strict=True):
        if isinstance(operand, int):
            sums[operand] = sums.get(operand, 0.0) + slope
    return sums


def _spread(
    operands: Sequence[Operand], right: Sequence[float], theirs: Mapping[int, float]
) -> tuple[float, ...]:
    """Return the program's slope along each slot; of an operand in two slots, half in each."""
    return tuple(
        theirs[x] / operands.count(x) if isinstance(x, int) and x in theirs else slope
        for x, slope in zip(operands, right, strict=True)
    )


def _same(read: Read) -> bool:
    """Return whether the program's slopes are those of the operation."""
    return all(close(*pair) for pair in zip(read.slopes, read.right, strict=True))


def _inputs(read: Read, x: float) -> list[float]:
    return [each.value if isinstance(each, Constant) else x for each in read.operands]


def _forward(read: Read, x: float) -> float:
    """Return the value of a node's operation of one number elsewhere."""
    assert read.op is not None
    return read.op.forward(*_inputs(read, x))


def _slope(read: Read, x: float, value: float) -> float:
    assert read.op is not None
    pairs = zip(read.operands, read.op.partials, strict=True)
    inputs = _inputs(read, x)
    return sum(partial(*inputs, value) for each, partial in pairs if isinstance(each, int))
