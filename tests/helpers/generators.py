"""Runs a generator outside the window, without slices."""

from collections.abc import Generator
from typing import TypeVar

Result = TypeVar("Result")


def run_to_end(work: Generator[object, None, Result]) -> Result:
    """Run a generator; return what it returns."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value
