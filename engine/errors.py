"""The errors that wrong input meets; every message is one sentence fit to show."""


class EngineError(ValueError):
    """Something the engine refuses; the message is for the person at the screen."""


class EditError(EngineError):
    """An edit of a graph that is refused; the graph is as it was."""


class FormatError(EngineError):
    """A file or a text that can't be read or written; the message names the place."""
