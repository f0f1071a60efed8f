from app.canvas.input.hover import tooltip_text
from app.canvas.scene.hit_test import Hit
from engine.formats.expression import read
from engine.formats.native import Drawing
from tests.helpers.canvas import CanvasFixture
from tests.helpers.reading import value


def test_a_ledger_with_more_contributions_than_it_shows_is_written_out_on_hover(
    canvas: CanvasFixture,
):
    canvas.document.start(Drawing(read(" + ".join(f"{k}*a" for k in range(2, 11)))))
    canvas.playback.backward()
    canvas.playback.to_end()
    context, hit = canvas.view.context, Hit("node", canvas.node("a"))
    assert "0 + 10 + 9 + 8 + 7 + 6 + 5 + 4 + 3 + 2 = 54" in tooltip_text(context, hit)
    canvas.playback.go(4)
    assert " + " not in tooltip_text(context, hit)


def test_zero_has_its_minus_in_full_alone(canvas: CanvasFixture):
    canvas.document.start(Drawing(read("y = -0.0 * a")))
    assert "value −0.0" in tooltip_text(canvas.view.context, Hit("node", canvas.node("y")))
    assert value(canvas.view, "y") == "0"
