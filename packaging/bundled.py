"""Start a bundle: as the program, as its Graphviz worker, or to try its own window."""

import contextlib
import ctypes
import os
import sys
from pathlib import Path

from app.cli import VERBS
from engine.formats.graphviz import WORKER_WORD
from try_window import WORD as TRY_WORD

INSIDE = Path(__file__).resolve().parent
LENT = ("libxcb.so.1", "libGLdispatch.so.0", "libGLX.so.0", "libGL.so.1", "libEGL.so.1")
"""Libraries in `lent`, in the order in which they need one another."""


def lend_libraries() -> None:
    """Load our own copies of libraries that this Linux lacks.

    Qt and Graphviz are linked to them, but a verb draws without them. The window, which may use
    the graphics card, only ever takes the system's.
    """
    for name in LENT:
        try:
            ctypes.CDLL(name)
        except OSError:
            with contextlib.suppress(OSError):
                ctypes.CDLL(str(INSIDE / "lent" / name), mode=ctypes.RTLD_GLOBAL)


def use_own_fonts_configuration() -> None:
    """Keep Qt's fontconfig from complaining on a Linux that has no fonts."""
    if not Path("/etc/fonts/fonts.conf").exists():
        ours = INSIDE / "resources" / "fonts" / "fonts.conf"
        os.environ.setdefault("FONTCONFIG_FILE", str(ours))


if __name__ == "__main__":
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    if sys.platform == "linux":
        use_own_fonts_configuration()
        if word in VERBS or word == WORKER_WORD:
            lend_libraries()
    if word == WORKER_WORD:
        from engine.formats.graphviz_worker import main
    elif word == TRY_WORD:
        from try_window import main
    else:
        from app.__main__ import main
    sys.exit(main())
