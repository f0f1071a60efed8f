"""Errors caused by wrong input; every message is one sentence fit to show to the user.

>>> error = EditError("{node} has no slot {slot}.", node="tanh", slot=2)
>>> str(error), error.fields["slot"]
('tanh has no slot 2.', 2)
"""

from collections.abc import Mapping

LENGTH_LIMIT = 400
"""Maximum number of characters of a message."""

JOINERS = "\u200c\u200d"
"""Zero-width (non-)joiners: many Persian and Hindi words and emoji need them."""


def sentence(template: str, fields: Mapping[str, object]) -> str:
    """Return a template filled with its fields; without fields it is the text itself."""
    return template.format(**fields) if fields else template


def one_line(text: str) -> str:
    """Return an untrusted text as one line: unprintable characters become U+FFFD."""
    return "".join(c if c.isprintable() or c in JOINERS else "\ufffd" for c in text)


class EngineError(ValueError):
    """Base class for everything the engine refuses; the message is for the user.

    The message is `template` filled with `fields`, such as `node`, `slot` (from 1, as the user
    sees it), `file`, `line` and `column` (from 1). Quoted input may contain anything, so the
    message is reduced to one line of limited length.
    """

    def __init__(self, template: str, /, **fields: object) -> None:
        self.template = template
        self.fields = fields
        # quoted input may be megabytes long
        line = one_line(sentence(template, fields)[: LENGTH_LIMIT + 1])
        super().__init__(line if len(line) <= LENGTH_LIMIT else f"{line[: LENGTH_LIMIT - 2]}….")


class EditError(EngineError):
    """A refused edit of a graph, which is unchanged."""


class FormatError(EngineError):
    """A file or text that can't be read or written; the message names the place."""


class NewerVersionError(FormatError):
    """A FormatError about a file of a version that this program does not read yet."""


class PlacedFormatError(FormatError):
    """A FormatError about one place of a text: `line` and `column` count from 1.

    The `reason` is a template as well, filled with the other fields. `start` and `length` are the
    place in characters.
    """

    def __init__(
        self, place: tuple[int, int], start: int, length: int, reason: str, /, **fields: object
    ) -> None:
        line, column = place
        fields = {**fields, "line": line, "column": column, "reason": sentence(reason, fields)}
        super().__init__("Line {line}, column {column}: {reason}", **fields)
        self.start = start
        self.length = length
