"""What a learner reads on the canvas, as text: values, gradients, labels, sums."""

from PySide6.QtCore import QRectF

from app.canvas.appearance.looks import NodeLook
from app.canvas.canvas_view import CanvasView
from engine.graph import Wire
from tests.helpers.canvas import painted
from tests.helpers.mouse import node_named


def look_of(view: CanvasView, name: str) -> NodeLook:
    return view.scene.node(node_named(view, name))


def value(view: CanvasView, name: str) -> str:
    """What stands in the row `data`."""
    return look_of(view, name).value.text


def grad(view: CanvasView, name: str) -> str:
    """What stands in the row `grad`; empty where a node has no such row."""
    found = look_of(view, name).grad
    return found.text if found else ""


def ledger(view: CanvasView, name: str) -> str:
    """The sum under a node, as it is read: `0 −2 +6 = 4`, a waiting chip as `…`; `?` if asked."""
    look = look_of(view, name)
    if not look.ledger.chips:
        return look.ledger.total
    chips = " ".join(chip.text or "…" for chip in look.ledger.chips)
    return f"{look.ledger.start} {chips} {look.ledger.total}"


def label(view: CanvasView, target: str, slot: int = 0) -> str:
    """What stands on the wire into a slot; empty while nothing does."""
    found = view.scene.label((node_named(view, target), slot))
    return found.text if found else ""


def labels(view: CanvasView) -> dict[Wire, str]:
    """Everything that stands on wires."""
    wires = [wire for _source, wire in view.context.document.graph.wires()]
    found = {wire: view.scene.label(wire) for wire in wires}
    return {wire: look.text for wire, look in found.items() if look is not None}


def written(view: CanvasView) -> list[str]:
    """Every piece of text that the canvas paints at its zoom, in view or not."""
    return [piece.text for piece in painted(view.scene, view.camera.scale, view.context.theme.name)]


def in_view(view: CanvasView, node: int) -> bool:
    """Whether a node can be seen whole."""
    return view.camera.visible_area.contains(QRectF(view.scene.boxes[node].rect))
