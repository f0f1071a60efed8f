import os

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.helpers.window import open_example, press

S = os.environ.get("SHOTS", "/tmp/shots")


def shot(window, name):
    os.makedirs(S, exist_ok=True)
    QTest.qWait(30)
    window.grab().save(f"{S}/{name}.png")


def test_look(window, qtbot):
    window.resize(1366, 768)
    open_example(window)
    QTest.qWait(200)
    shot(window, "0live")
    press(window, "b")
    shot(window, "1seed")
    press(window, Qt.Key.Key_Right)
    shot(window, "2step")
    window.context.modes.choose("contribution and sum", "every")
    for _ in range(3):
        press(window, Qt.Key.Key_Right)
    shot(window, "3step5")
    press(window, "p")
    shot(window, "4asked")
    f = window.strip.sentence.fields
    print([x.geometry() for x in f], window.focusWidget())
    QTest.keyClicks(f[0], "-4")
    shot(window, "5typed")
    QTest.keyClick(f[0], Qt.Key.Key_Return)
    QTest.keyClicks(window.strip.sentence.fields[1], "-6")
    QTest.keyClick(window.strip.sentence.fields[1], Qt.Key.Key_Return)
    shot(window, "6wrong")
    f = window.strip.sentence.fields
    QTest.keyClicks(f[0], "-5")
    QTest.keyClicks(f[1], "-7")
    QTest.keyClick(f[1], Qt.Key.Key_Return)
    shot(window, "7wrong2")
    f = window.strip.sentence.fields
    print(len(f))
    for x, t in zip(f, ("-3", "6", "4")):
        QTest.keyClicks(x, t)
    QTest.keyClick(f[-1], Qt.Key.Key_Return)
    shot(window, "8right")
    window.strip.act("go on")
    shot(window, "9next")
    window.strip.act("show")
    shot(window, "10shown")
    window.strip.act("go on")
    shot(window, "11end")
    press(window, "p")
    press(window, "b")
    for _ in range(9):
        press(window, Qt.Key.Key_Right)
    shot(window, "12plainend")
    for lv in (
        "slope",
        "sum",
        "whole step",
        "final gradients",
        "values",
        "next node",
        "contribution",
    ):
        window.context.modes.choose(lv, "every")
        press(window, "p")
        if lv not in ("final gradients", "values"):
            for _ in range(4):
                window.context.modes.skip()
        shot(window, "lv-" + lv.split()[0])
        press(window, "p")
        window.context.playback.leave()
    press(window, "h")
    shot(window, "h1")
    window.context.modes.by_hand.set_seed(1.0)
    g = window.context.document.graph
    from tests.helpers.window import node

    window.context.modes.by_hand.click(node(window, "e"))
    shot(window, "h2")
    window.strip.act("why")
    shot(window, "h3")
    for n in ("L", "d", "e"):
        window.context.modes.by_hand.click(node(window, n))
    shot(window, "h4")
    press(window, "h")
    window.context.modes.choose("contribution and sum", "every")
    window.toggle_presentation()
    window.resize(1280, 720)
    press(window, "p")
    for _ in range(4):
        window.context.modes.skip()
    shot(window, "p1")
    QTest.keyClicks(window.strip.sentence.fields[0], "-4")
    QTest.keyClicks(window.strip.sentence.fields[1], "1")
    window.strip.act("answer")
    shot(window, "p2")
