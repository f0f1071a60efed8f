"""How much the tests do: little in each run, all of it by `python3 run.py test --whole`."""

import os

WHOLE = "BACKWIRE_WHOLE"
"""The variable of the environment by which the processes of a run know that all is wanted."""
FEWEST = 20
"""As many examples hypothesis tries at least, even where little is done."""


def is_whole() -> bool:
    return bool(os.environ.get(WHOLE))


def sized(small: int, whole: int) -> int:
    """How large, long or deep something is made."""
    return whole if is_whole() else small


def tries(whole: int) -> int:
    """How many examples hypothesis tries: a third of them, the same ones in every run."""
    return sized(min(whole, max(FEWEST, whole // 3)), whole)
