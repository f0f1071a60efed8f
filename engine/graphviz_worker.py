"""The worker process of `engine.graphviz`: DOT in, one answer out, and an end.

It is started by its path and imports nothing of ours, so that a crash, a hang or a missing
library of Graphviz stays in here. The request is a line of JSON and the DOT text; the answer is
`ok LENGTH` or `no LENGTH`, a line end, and that many bytes: what was asked, or a sentence.
"""

import json
import os
import sys
import tempfile
from html import escape
from pathlib import Path
from typing import Any

FONTS = Path(__file__).resolve().parent.parent / "resources" / "fonts"


def main() -> int:
    """Answer the request on standard input."""
    head, _, text = sys.stdin.buffer.read().partition(b"\n")
    with tempfile.TemporaryDirectory(prefix="backwire-graphviz-") as folder:
        _use_only_our_fonts(Path(folder))
        try:
            answer = _drawn(text.decode("utf-8"), json.loads(head)["format"])
        except ImportError:
            return _say(b"no", b"Graphviz is missing: the library pygraphviz can't be loaded.")
        except (ValueError, OSError) as error:
            return _say(b"no", f"Graphviz can't draw this: {error}.".encode())
    return _say(b"ok", answer)


def _drawn(text: str, form: str) -> bytes:
    import pygraphviz  # pyright: ignore[reportMissingTypeStubs]

    graph: Any = pygraphviz.AGraph(string=text)
    return graph.draw(format=form, prog="dot")  # once only: a second write may crash


def _use_only_our_fonts(folder: Path) -> None:
    """The same letters, and so the same pictures, on every machine."""
    setting = folder / "fonts.conf"
    setting.write_text(
        f"<fontconfig><dir>{escape(str(FONTS))}</dir><cachedir>{escape(str(folder))}</cachedir>"
        "</fontconfig>",
        encoding="utf-8",
    )
    os.environ["FONTCONFIG_FILE"] = str(setting)


def _say(word: bytes, content: bytes) -> int:
    sys.stdout.buffer.write(b"%s %d\n%s" % (word, len(content), content))
    sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
