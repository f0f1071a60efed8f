"""Versions of a document, of very different sizes, each known by the text that its file holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from app.document.document import Document
from app.document.document_file import DocumentFile, whole_text
from app.document.placement import columns
from app.document.sheet import Sheet
from engine.edits import set_value
from engine.formats.files import save
from engine.graph import Graph, Leaf
from engine.training.templates import mlp

SIZES: Sequence[Sequence[int]] = ((1, 1), (2, 3, 1), (6, 8, 1), (10, 20, 1), (16, 20, 14, 1))


@dataclass(frozen=True)
class Version:
    """A document and what a file of it holds, to the byte."""

    sheet: Sheet
    text: bytes

    def save_as_window(self, path: Path) -> None:
        """Save it as the window does."""
        document = Document()
        document.start(self.sheet.drawing())
        DocumentFile(document).save(path)

    def save_as_library(self, path: Path) -> None:
        """Save it as `engine.save` and the command line do."""
        save(self.sheet.drawing(), path)


def versions(each: int = 2) -> list[Version]:
    """So many versions of each size, from 5 to 2,000 nodes."""
    graphs = [mlp(sizes) for sizes in SIZES]
    return [version(graph, float(k)) for k in range(each) for graph in graphs]


def version(graph: Graph, value: float) -> Version:
    """A graph with another value of its first leaf, which makes it a version of its own."""
    leaf = next(node for node, found in graph.nodes.items() if isinstance(found, Leaf))
    changed = set_value(graph, leaf, 1000.0 + value)
    sheet = replace(Sheet(changed), positions=columns(changed))
    return Version(sheet, whole_text(sheet))
