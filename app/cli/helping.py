"""backwire --help and --version."""

from collections.abc import Sequence

from app import described_version
from app.cli.calling import complain, say

TEXT = """\
backwire [FILE]                      open the window
backwire run FILE | -e EXPR          values and gradients
backwire check FILE | -e EXPR        analytic against numerical gradients
backwire new -e EXPR | --python SCRIPT|- -o FILE.backwire
backwire export FILE | -e EXPR -o OUT
                                     a picture (png, svg, pdf) or a text (dot, gv, tex, py, txt)
backwire grade REPORT...             what learners have handed in, judged again
backwire ops | mistakes | examples   what there is
backwire lessons [--check FILE...]   the course; what is wrong with lesson files

backwire VERB --help says more of each."""


def do(verb: str, arguments: Sequence[str]) -> int:
    """Print how the program is used, or its version."""
    if arguments:
        complain(f"backwire {verb}: unrecognized arguments: {' '.join(arguments)}")
        raise SystemExit(2)
    if verb != "--version":
        say(TEXT)
        return 0
    say(f"backwire {described_version()}")
    return 0
