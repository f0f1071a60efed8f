"""The workers of a run collect the tests one after the other, where nothing is compiled yet.

To rewrite the assertions of all tests takes twelve seconds, as to compile what they import. Workers
that begin together would each do it; those that come later find it done, and need a quarter of the
time. Meanwhile nothing is garbage: the collector of cycles would search the growing tree of tests
again and again, for a third of the time.
"""

import contextlib
import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without the collector of cycles, and in turn."""
    gc.disable()
    try:
        with contextlib.nullcontext() if is_compiled(TESTS) else in_turn(TESTS):
            return (yield)
    finally:
        gc.freeze()  # a collection would search the tests again, which stay
        gc.enable()


def is_compiled(tests: Path) -> bool:
    """Return whether each folder of tests has been imported from before."""
    folders = {path.parent for path in tests.rglob("test_*.py")}
    return all((folder / "__pycache__").is_dir() for folder in folders)


@contextlib.contextmanager
def in_turn(folder: Path) -> Iterator[None]:
    """Hold a folder; who asks for it meanwhile waits."""
    if os.name != "posix":  # Windows holds no folders: there each worker compiles all
        yield
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
