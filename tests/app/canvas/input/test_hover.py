from app.canvas.input.hover import tooltip_text
from app.canvas.scene.hit_test import Hit
from engine.formats.expression import read
from engine.formats.native import Drawing
from tests.helpers.easel import Easel
from tests.helpers.reading import value


def test_a_ledger_with_more_contributions_than_it_shows_is_written_out_on_hover(easel: Easel):
    easel.document.start(Drawing(read(" + ".join(f"{k}*a" for k in range(2, 11)))))
    easel.playback.backward()
    easel.playback.to_end()
    context, hit = easel.view.context, Hit("node", easel.node("a"))
    assert "0 + 10 + 9 + 8 + 7 + 6 + 5 + 4 + 3 + 2 = 54" in tooltip_text(context, hit)
    easel.playback.go(4)
    assert " + " not in tooltip_text(context, hit)


def test_zero_has_its_minus_in_full_alone(easel: Easel):
    easel.document.start(Drawing(read("y = -0.0 * a")))
    assert "value −0.0" in tooltip_text(easel.view.context, Hit("node", easel.node("y")))
    assert value(easel.view, "y") == "0"
