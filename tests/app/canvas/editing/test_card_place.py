"""The question card covers what it must not cover only where the canvas is too small."""

from PySide6.QtCore import QRectF, QSizeF

from app.canvas.editing.card_place import EDGE, LABEL, NODE, OTHER, Taken, card_place, leader

CANVAS, CARD = QRectF(0, 0, 1000, 500), QSizeF(400, 160)


def test_it_is_near_the_label_and_covers_nothing():
    label = Taken(QRectF(480, 200, 60, 36), LABEL)
    node = Taken(QRectF(560, 180, 120, 110), NODE)
    place = card_place(CARD, CANVAS, [label, node])
    assert not place.intersects(label.rect)
    assert not place.intersects(node.rect)
    assert CANVAS.contains(place)
    assert abs(place.center().y() - label.rect.center().y()) < 200


def test_where_there_is_no_free_place_other_nodes_are_covered_and_not_the_label():
    nodes = [Taken(QRectF(x, y, 200, 120), OTHER) for x in range(0, 1000, 220) for y in (0, 250)]
    label = Taken(QRectF(480, 200, 60, 36), LABEL)
    assert not card_place(CARD, CANVAS, [label, *nodes]).intersects(label.rect)


def test_in_a_canvas_that_is_too_small_it_is_in_the_upper_right_corner():
    place = card_place(CARD, QRectF(0, 0, 420, 120), [Taken(QRectF(0, 0, 50, 50), LABEL)])
    assert place.topLeft().y() == EDGE


def test_its_line_leads_from_its_border_to_the_label():
    label = QRectF(480, 200, 60, 36)
    for card in (QRectF(300, 20, 400, 100), QRectF(20, 180, 300, 100), QRectF(20, 350, 300, 100)):
        line = leader(card, label)
        assert card.adjusted(-1, -1, 1, 1).contains(line[0])
        assert label.adjusted(-1, -1, 1, 1).contains(line[-1])
    assert leader(label, label) == []
