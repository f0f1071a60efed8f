from __future__ import annotations

from PySide6.QtWidgets import QPushButton

from app.controls.layouts import plain_tooltip, set_kind


def test_a_kind_can_be_seen_at_once(qtbot, styled):
    button = QPushButton("Step")
    qtbot.addWidget(button)
    button.show()
    middle = button.rect().adjusted(6, 6, 0, 0).topLeft()
    assert button.grab().toImage().pixelColor(middle) == styled.theme.node
    set_kind(button, "primary")
    assert button.grab().toImage().pixelColor(middle) == styled.theme.text


def test_a_tooltip_is_never_html_by_accident():
    assert plain_tooltip("a < b") == "a < b"
    assert "&lt;b&gt;" in plain_tooltip("<b>x</b>")
