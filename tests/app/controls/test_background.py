"""In background: what a thread finds comes in order, its errors come here, and it can be left."""

from collections.abc import Iterator
from threading import Event

import pytest

from app.controls.slices import in_background
from engine.errors import EngineError

PATIENCE = 20.0


def test_everything_comes_in_order_and_nothing_new_is_none():
    go_on = Event()

    def items() -> Iterator[int | None]:
        yield 1
        go_on.wait(PATIENCE)
        yield None
        yield 2

    found: list[int] = []
    for item in in_background(items()):
        if item is None:
            go_on.set()
        else:
            found.append(item)
    assert found == [1, 2]


def test_an_error_is_raised_where_it_is_waited_for():
    def items() -> Iterator[int]:
        yield 1
        raise EngineError("no pass")

    with pytest.raises(EngineError, match="no pass"):
        list(in_background(items()))


def test_what_is_left_ends_after_its_item():
    go_on, ended = Event(), Event()

    def items() -> Iterator[int]:
        try:
            yield 1
            go_on.wait(PATIENCE)
            yield 2
        finally:
            ended.set()

    coming = in_background(items())
    next(coming)
    del coming
    go_on.set()
    assert ended.wait(PATIENCE)
