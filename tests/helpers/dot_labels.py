"""What labels in DOT say, once DOT's own parser has read them."""

import re

AMPERSAND = re.compile(r"&amp;(#?\w+;)")


def unquoted(label: str) -> str:
    """The text that `dot.quoted` was given."""
    plain = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], label)
    return AMPERSAND.sub(r"&\1", plain)
