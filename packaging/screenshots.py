"""Take the pictures of the README again: the real window, used by a mouse and keys.

python3 run.py screenshots [FOLDER]     resources/pictures unless told
"""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QImage

from app.window.commands.file_actions import open_example
from app.window.commands.view_actions import choose_theme

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
SIZE = (1600, 1000)
FILM = (1280, 760)
COLORS = 64
STEP_MS, LAST_MS = 1_500, 3_000
"""How long the moving picture shows a step, and the end of the pass."""


def main(arguments: list[str]) -> int:
    """Take every picture; returns the exit code."""
    folder = Path(arguments[0]) if arguments else ROOT / "resources" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as home:
        for kind in ("CONFIG", "STATE", "DATA"):
            os.environ[f"XDG_{kind}_HOME"] = home
        take_all(folder)
    return 0


def take_all(folder: Path) -> None:
    """One window, one picture after another."""
    from app.window.frame.main_window import MainWindow
    from app.window.start import make_application

    make_application()
    window = MainWindow()
    window.context.style.set_motion(False)
    window.resize(*SIZE)
    window.begin()
    for name, prepare in PICTURES.items():
        finish = prepare(window)
        settle()
        window.grab().save(str(folder / f"{name}.png"))
        print(folder / f"{name}.png")
        if finish is not None:
            finish()
    film(window, folder / "backward-pass.gif")
    window.document.start()
    window.close()
    store = window.context.settings.store
    store.sync()  # else it is written when the folder is gone, and makes another


def film(window, path: Path) -> None:  # noqa: ANN001
    """Save the backward pass over the shared leaf as a GIF, one frame per step."""
    from PIL import Image

    main_window(window)
    window.resize(*FILM)
    settle()
    window.canvas.framing.fit_all()
    frames = []
    for cursor in range(1, window.playback.frame.total + 1):
        window.playback.go(cursor)
        settle()
        grabbed = window.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
        size = (grabbed.width(), grabbed.height())
        whole = Image.frombytes(
            "RGB", size, bytes(grabbed.constBits()), "raw", "RGB", grabbed.bytesPerLine()
        )
        frames.append(whole.quantize(COLORS, dither=Image.Dither.NONE))
    times = [STEP_MS] * (len(frames) - 1) + [LAST_MS]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=times, loop=0)
    print(path)


def settle() -> None:
    """Let everything be laid out and painted."""
    from PySide6.QtWidgets import QApplication

    for _ in range(5):
        QApplication.processEvents()


def start_page(window) -> None:  # noqa: ANN001
    """What a newcomer meets."""
    choose_theme(window.context, "light")
    window.show_start_page()


def main_window(window) -> None:  # noqa: ANN001
    """The shared leaf, one step before the end: both contributions have come to a."""
    choose_theme(window.context, "light")
    open_example(window.context, "shared-leaf")
    settle()
    window.canvas.framing.fit_all()
    window.playback.backward()
    window.playback.go(6)
    window.selection.focus_on(window.document.graph.node_named("a"))


def main_window_dark(window) -> None:  # noqa: ANN001
    """The same in the dark."""
    main_window(window)
    choose_theme(window.context, "dark")


def mistake(window) -> Callable[[], None]:  # noqa: ANN001
    """The shared leaf with = in place of +=: what came to a first is lost."""
    from engine.rules import CORRECT, MISTAKES

    main_window(window)
    window.playback.leave()
    window.playback.set_rules(next(rules for rules in MISTAKES if rules.name == "assign"))
    window.playback.backward()
    window.playback.go(6)

    def finish() -> None:
        window.playback.leave()
        window.playback.set_rules(CORRECT)

    return finish


def building(window) -> Callable[[], object]:  # noqa: ANN001
    """A wire that would close a loop, held over the slot that refuses it."""
    from PySide6.QtCore import QPointF, Qt
    from PySide6.QtTest import QTest

    main_window(window)
    window.playback.leave()
    window.selection.clear()
    settle()
    canvas, graph = window.canvas, window.document.graph
    box = canvas.scene.boxes[graph.node_named("e")]
    start = canvas.camera.to_screen(
        canvas.scene.node_layout.output(graph.node_named("d"))
    ).toPoint()
    end = canvas.camera.to_screen(box.slot(1) + QPointF(2, 3)).toPoint()
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(canvas.viewport(), left, Qt.KeyboardModifier.NoModifier, start)
    for k in range(1, 9):
        QTest.mouseMove(canvas.viewport(), start + (end - start) * k / 8)
    return canvas.mouse.cancel_or_close


PICTURES = {
    "start-page": start_page,
    "main-window": main_window,
    "main-window-dark": main_window_dark,
    "mistake": mistake,
    "building": building,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
