"""Write the keys in the tables of docs/ again: as the actions and the remote have them.

python3 run.py docs

A cell that ends with a comment, as in `| H<!-- by_hand --> |`, has the first key of each action, or
the keys of each act of a remote, that the comment names.
"""

import re
from pathlib import Path

from app.window.commands import ACTIONS
from app.window.remote_keys import REMOTE

DOCS = Path(__file__).resolve().parent.parent / "docs"
CELL = re.compile(r"\| [^|]*<!-- ([\w, -]+) -->")


def with_keys(text: str) -> str:
    """Return a page with the keys that its tables name."""
    keys = {action.id: action.keys[0] for action in ACTIONS if action.keys}
    keys |= {act: found for act, (_text, found) in REMOTE.items()}

    def cell(found: re.Match[str]) -> str:
        names = found[1].split(", ")
        return f"| {', '.join(keys[name] for name in names)}<!-- {found[1]} -->"

    return CELL.sub(cell, text)


if __name__ == "__main__":
    for path in sorted(DOCS.glob("*.md")):
        path.write_text(with_keys(path.read_text("utf-8")), "utf-8")
