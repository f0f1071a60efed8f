"""Sample sizes: a selection in each run, all cases by `python3 run.py test --whole`."""

import os
from collections.abc import Iterable
from itertools import product
from typing import Any, TypeVar

WHOLE = "BACKWIRE_WHOLE"
"""The variable of the environment by which the processes of a run know that all is wanted."""
SHARE = "BACKWIRE_SHARE"
"""The variable that says which share of hypothesis' examples is tried where little is done."""
FEWEST = 12
"""As many examples hypothesis tries at least, even where little is done."""

Case = TypeVar("Case")


def is_whole() -> bool:
    return bool(os.environ.get(WHOLE))


def sized(small: int, whole: int) -> int:
    """How large, long or deep something is made."""
    return whole if is_whole() else small


def sampled(cases: Iterable[Case], every: int, first: int = 0) -> list[Case]:
    """All cases, or where little is done, each so many-th of them."""
    found = list(cases)
    return found if is_whole() else found[first::every]


def spread(*parameters: Iterable[Any]) -> list[tuple[Any, ...]]:
    """All combinations, or where little is done, a diagonal: each value of each parameter once."""
    found = [list(values) for values in parameters]
    if is_whole():
        return list(product(*found))
    count = max(len(values) for values in found)
    return [tuple(values[k % len(values)] for values in found) for k in range(count)]


def tries(whole: int) -> int:
    """How many examples hypothesis tries: a sixth of them, the same ones in every run."""
    share = int(os.environ.get(SHARE, "6"))
    return sized(min(whole, max(FEWEST, whole // share)), whole)
