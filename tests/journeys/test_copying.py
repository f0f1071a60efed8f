"""What is explained can be taken along: derivations as text and LaTeX, the pass as text."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from app.window.frame.main_window import MainWindow
from tests.helpers.window import node, press, said


def copied(window: MainWindow, action: str) -> str:
    window.commands[action].trigger()
    return QGuiApplication.clipboard().text()


def test_a_derivation_is_copied_as_text(shared_leaf: MainWindow):
    press(shared_leaf, "b", Qt.Key.Key_End)
    shared_leaf.context.selection.choose((node(shared_leaf, "a"),))
    lines = copied(shared_leaf, "copy_text").splitlines()
    assert lines[0] == "∂L/∂a = ∂L/∂d · ∂⁺d/∂a + ∂L/∂e · ∂e/∂a"
    assert lines[1] == "= (−2) · 1 + (−2) · (−3) = 4"
    assert lines[2] == "0 − 2 + 6 = 4"
    assert said(shared_leaf) == "The derivation is on the clipboard."


def test_a_derivation_is_copied_as_latex(shared_leaf: MainWindow):
    press(shared_leaf, "b", Qt.Key.Key_End)
    shared_leaf.context.selection.choose((node(shared_leaf, "a"),))
    text = copied(shared_leaf, "copy_latex")
    assert text.startswith("\\begin{align*}\n& \\frac{\\partial L}{\\partial a}=")
    assert "(-2)\\cdot 1+(-2)\\cdot (-3)=4" in text
    assert text.isascii()
    assert text.count("{") == text.count("}")


def test_the_pass_is_copied_in_the_chosen_voice(shared_leaf: MainWindow):
    press(shared_leaf, "b")
    lines = copied(shared_leaf, "copy_pass").splitlines()
    assert len(lines) == 7
    assert lines[5].startswith("6. × (e) got −2 and passes −2 × −3 = +6 to a")
    shared_leaf.commands["voice-code"].trigger()
    assert "a.grad += e.grad * b.data" in copied(shared_leaf, "copy_pass")


def test_while_a_learner_is_asked_only_what_is_known_is_copied(shared_leaf: MainWindow):
    press(shared_leaf, "b", Qt.Key.Key_Right, "c")
    lines = copied(shared_leaf, "copy_pass").splitlines()
    assert len(lines) == 2
    assert "4" not in "".join(line.partition(".")[2] for line in lines)


def test_without_a_pass_or_a_node_there_is_nothing_to_copy(shared_leaf: MainWindow):
    shared_leaf.context.selection.clear()
    for action in ("copy_text", "copy_latex", "copy_pass"):
        assert not shared_leaf.commands[action].isEnabled(), action
    shared_leaf.context.selection.choose((node(shared_leaf, "L"),))
    assert "no contribution" not in said(shared_leaf)
    shared_leaf.commands["copy_latex"].trigger()
    assert said(shared_leaf) == "There is no formula to copy: no contribution comes here."
