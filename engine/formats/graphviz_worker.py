"""The worker process of `engine.formats.graphviz`: reads one request, writes one answer.

It is started by its path and imports no other module of ours, so that a crash, a hang or a missing
Graphviz library affects only this process. The request is a line of JSON and the DOT text; the
answer is `ok LENGTH` or `no LENGTH`, a newline, and that many bytes: the result, or a sentence. It
writes no file, so nothing is left behind when it is killed.
"""

import json
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

MOST_MEMORY = 2 << 30
"""Bytes; a layout of 3,000 nodes takes some hundred million."""
FONTS = Path(__file__).resolve().parents[2] / "resources" / "fonts"


def main() -> int:
    """Answer the request on standard input."""
    head, _, text = sys.stdin.buffer.read().partition(b"\n")
    _limit_memory()
    _use_only_our_fonts()
    try:
        picture = _drawn(text.decode("utf-8"), json.loads(head)["format"])
    except ImportError:
        return _answer(b"no", b"Graphviz is missing: the library pygraphviz can't be loaded.")
    except (ValueError, OSError) as error:
        return _answer(b"no", f"Graphviz can't draw this: {error}.".encode())
    return _answer(b"ok", picture)


def _drawn(text: str, form: str) -> bytes:
    import pygraphviz  # pyright: ignore[reportMissingTypeStubs]

    graph: Any = pygraphviz.AGraph(string=text)
    with _no_files():
        return graph.draw(format=form, prog="dot")  # once only: a second write may crash


def _limit_memory() -> None:
    """Let a layout fail that takes MOST_MEMORY, where the system has limits: Linux obeys it."""
    if os.name == "posix":
        import resource

        with suppress(ValueError, OSError):  # a limit that is lower already
            hard = resource.getrlimit(resource.RLIMIT_AS)[1]
            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, hard))


@contextmanager
def _no_files() -> Generator[None]:
    """Prevent file writes: fontconfig 2.13 would leave a `.uuid` in every folder of fonts."""
    if os.name != "posix":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))  # Python ignores the signal, SIGXFSZ
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _use_only_our_fonts() -> None:
    """Restrict fontconfig to the bundled fonts, so that pictures are reproducible; no cache."""
    # fonts.conf names the folder ".", which an old fontconfig takes for the current one
    os.chdir(FONTS)
    os.environ["FONTCONFIG_FILE"] = str(FONTS / "fonts.conf")
    os.environ["XDG_CACHE_HOME"] = os.devnull  # where no folder can be made


def _answer(word: bytes, content: bytes) -> int:
    sys.stdout.buffer.write(b"%s %d\n%s" % (word, len(content), content))
    sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
