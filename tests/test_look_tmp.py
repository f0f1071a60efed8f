import sys
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.helpers.window import open_example, press
import os
S=os.environ.get("SHOTS","/tmp/shots")
def shot(window,name):
    os.makedirs(S,exist_ok=True)
    QTest.qWait(30)
    window.grab().save(f"{S}/{name}.png")

def test_look(window,qtbot):
    window.resize(1366,768)
    open_example(window)
    QTest.qWait(200)
    shot(window,"0live")
    press(window,"b"); shot(window,"1seed")
    press(window, Qt.Key.Key_Right); shot(window,"2step")
    window.context.modes.choose("contribution and sum","every")
    for _ in range(3): press(window, Qt.Key.Key_Right)
    shot(window,"3step5")
    press(window,"p"); shot(window,"4asked")
    f=window.strip.sentence.fields
    print([x.geometry() for x in f], window.focusWidget())
    QTest.keyClicks(f[0],"-4"); shot(window,"5typed")
    QTest.keyClick(f[0],Qt.Key.Key_Return)
    QTest.keyClicks(window.strip.sentence.fields[1],"-6")
    QTest.keyClick(window.strip.sentence.fields[1],Qt.Key.Key_Return)
    shot(window,"6wrong")
    f=window.strip.sentence.fields
    QTest.keyClicks(f[0],"-5");QTest.keyClicks(f[1],"-7");QTest.keyClick(f[1],Qt.Key.Key_Return); shot(window,"7wrong2")
    f=window.strip.sentence.fields; print(len(f))
    for x,t in zip(f,("-3","6","4")): QTest.keyClicks(x,t)
    QTest.keyClick(f[-1],Qt.Key.Key_Return); shot(window,"8right")
    window.strip.act("go on"); shot(window,"9next")
    window.strip.act("show"); shot(window,"10shown")
    window.strip.act("go on"); shot(window,"11end")
