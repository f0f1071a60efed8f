"""The errors that wrong input meets; every message is one sentence fit to show."""

LENGTH_LIMIT = 400
JOINERS = "\u200c\u200d"
"""Zero-width (non-)joiners: without them many Persian or Hindi words and emoji can't be written."""


class EngineError(ValueError):
    """Something the engine refuses; the message is for the person at the screen.

    What a message quotes may be anything, so it is kept on one line and to a fair length.
    """

    def __init__(self, sentence: str) -> None:
        start = sentence[: LENGTH_LIMIT + 1]  # what is quoted may be megabytes long
        line = "".join(c if c.isprintable() or c in JOINERS else "\ufffd" for c in start)
        super().__init__(line if len(line) <= LENGTH_LIMIT else f"{line[: LENGTH_LIMIT - 2]}….")


class EditError(EngineError):
    """An edit of a graph that is refused; the graph is as it was."""


class FormatError(EngineError):
    """A file or a text that can't be read or written; the message names the place."""
