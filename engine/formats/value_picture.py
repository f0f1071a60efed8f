"""Draws the graph of a Value as micrograd's notebooks do, with the bundled Graphviz.

    draw_dot(y)       # a picture that a notebook shows; .source, .render("y", format="png")
    trace_graph(y)    # all Values that lead to y, and the edges between them

A Value itself is shown in a notebook as the same picture. Where there can be none, the notebook
shows why in words.
"""

# micrograd's own drawing reads these members of a Value, which its users know.
# pyright: reportPrivateUsage=false

import os
from collections.abc import Iterator
from numbers import Real
from pathlib import Path
from typing import Literal

from engine.errors import EngineError, sentence
from engine.formats import dot_classic
from engine.formats.dot_classic import Record
from engine.formats.files import write_whole
from engine.formats.graphviz import PICTURES, render
from engine.formats.native import NODE_LIMIT
from engine.order import post_order
from engine.value import Value, is_changed_after_forward

DRAWN_LIMIT = 300
"""Maximum number of Values in a notebook's picture; Graphviz takes seconds for more."""
SVG, TEXT = "image/svg+xml", "text/plain"
_NEWER = "Values are newer than gradients: data was changed after the forward pass."
_NOT_DRAWN = (
    "The picture is left out: it would have {count:,} Values, and a notebook shows up to {limit:,}."
)


class Picture:
    """The picture of a Value's graph with the data and grad of all Values when it was made."""

    def __init__(
        self,
        root: Value,
        format: str = "svg",
        rankdir: Literal["LR", "TB"] = "LR",
        look: dict[str, str] | None = None,
    ) -> None:
        """`format` is svg, png, pdf or dot; `look` holds further attributes of the DOT graph."""
        if rankdir not in ("LR", "TB"):
            raise EngineError("rankdir is LR or TB, not {rankdir!r:.40}.", rankdir=rankdir)
        self.format = format
        """What `render` and `pipe` write unless they are told."""
        records = list(_records(root))
        attributes = {"rankdir": rankdir, "fontname": dot_classic.FONT, **(look or {})}
        if is_changed_after_forward(root):
            attributes["label"] = _NEWER
        self.source = dot_classic.text_of(records, attributes)
        """The picture as DOT."""
        self._count = len(records)

    def __repr__(self) -> str:
        return f"<picture of {self._count:,} Values; .render(filename) writes it>"

    def pipe(self, format: str | None = None) -> bytes:
        """Return the picture as a file's content; raises EngineError if it can't be drawn."""
        return render(self.source, format or self.format)

    def render(
        self,
        filename: str | os.PathLike[str] = "Digraph.gv",
        directory: str | os.PathLike[str] | None = None,
        view: bool = False,
        cleanup: bool = False,
        format: str | None = None,
    ) -> str:
        """Write `filename` (the DOT, not with `cleanup`) and `filename.format`; returns the latter.

        The arguments are those of the package graphviz; `view` shows nothing. Raises EngineError
        if the picture can't be drawn or written.
        """
        form = format or self.format
        source = Path(directory or "", filename)
        picture = source.with_name(f"{source.name}.{form}")
        content = self.pipe(form)
        if not cleanup:
            write_whole(source, self.source.encode("utf-8"))
        write_whole(picture, content)
        return str(picture)

    def shown(self, says: str) -> dict[str, str]:
        """Return what a notebook shows, by kind: the picture, and the text that stands for it."""
        if self._count > DRAWN_LIMIT:
            return _too_large(says, self._count)
        try:
            return {SVG: self.pipe("svg").decode("utf-8"), TEXT: says}
        except EngineError as error:
            reason = sentence("The picture is left out: {reason}", {"reason": error})
            return {TEXT: "\n".join([says, reason])}

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return what a notebook shows."""
        return self.shown(repr(self))


def draw_dot(root: Value, format: str = "svg", rankdir: Literal["LR", "TB"] = "LR") -> Picture:
    """Return the picture of a Value's graph, as micrograd's function of this name draws it."""
    if format not in PICTURES:
        known = ", ".join(PICTURES)
        raise EngineError("Pictures are {known}, not {format!r:.40}.", known=known, format=format)
    return Picture(root, format, rankdir)


def trace_graph(root: Value) -> tuple[set[Value], set[tuple[Value, Value]]]:
    """Return all Values that lead to one, itself included, and the edges (operand, result)."""
    nodes = _below(root)
    return set(nodes), {(operand, node) for node in nodes for operand in node._prev}


def bundle(root: Value) -> dict[str, str]:
    """Return what a notebook shows of a Value; see `Picture.shown`."""
    count = len(_below(root))
    if count > DRAWN_LIMIT:  # before a text of many MB is made
        shown = _too_large(repr(root), count)
    else:
        shown = Picture(root, look={"bgcolor": "transparent"}).shown(repr(root))
    if SVG not in shown and count < NODE_LIMIT:
        shown[TEXT] = "\n".join([shown[TEXT], "Its show() opens it in a window."])
    return shown


def _too_large(says: str, count: int) -> dict[str, str]:
    reason = sentence(_NOT_DRAWN, {"count": count, "limit": DRAWN_LIMIT})
    return {TEXT: "\n".join([says, reason])}


def _below(root: Value) -> list[Value]:
    """Return all Values that lead to one, operands before what is made of them.

    They may be micrograd's own, whose operands are a set.
    """
    if not hasattr(root, "_prev"):
        raise EngineError("What is drawn is a Value, not {root!r:.80}.", root=root)
    return list(post_order((root,), lambda node: list(node._prev)))


def _records(root: Value) -> Iterator[Record]:
    nodes = _below(root)
    number = {node: k for k, node in enumerate(nodes, 1)}
    labels = [str(getattr(node, "label", "")) for node in nodes]
    has_labels = any(labels)
    for node, label in zip(nodes, labels, strict=True):
        rows = [label] if has_labels else []
        rows += [f"data {_written(node.data)}", f"grad {_written(node.grad)}"]
        operands = tuple(dict.fromkeys(number[operand] for operand in node._prev))
        yield Record(number[node], rows, node._op, operands)


def _written(number: object) -> str:
    """Return a number as micrograd's drawing has it; a program may have set grad to None."""
    return f"{number:.4f}" if isinstance(number, Real) else f"{number}"[:20]
