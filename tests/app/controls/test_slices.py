"""A generator runs in slices: as long as its budget lasts, after its pauses, until it is left."""

import gc
import sys
from collections.abc import Callable, Iterator
from threading import Event

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from pytestqt.qtbot import QtBot

from app.controls.slices import Slices, Work, in_background
from engine.errors import EngineError


class Clock:
    """A clock that goes on by what a generator says that it takes."""

    def __init__(self) -> None:
        self.ms = 0

    def __call__(self) -> float:
        return self.ms / 1000


class Counter:
    """Counts in slices of 8 ms; each number takes some ms, and `log` holds what was seen."""

    def __init__(self, owner: QObject) -> None:
        self.clock, self.log = Clock(), list[object]()
        self.slices = Slices(owner, clock=self.clock)
        self.slices.progressed.connect(lambda: self.log.append("progressed"))
        self.slices.finished.connect(lambda result: self.log.append(("finished", result)))

    def count(self, to: int, cost: int, pause: int | None = None) -> Work:
        for number in range(1, to + 1):
            self.clock.ms += cost
            self.log.append(number)
            yield pause
        return to


@pytest.fixture
def owner(qapp) -> Iterator[QObject]:
    owner = QObject()
    yield owner
    owner.deleteLater()


@pytest.fixture
def counter(owner: QObject) -> Counter:
    return Counter(owner)


@pytest.fixture
def end(counter: Counter, qtbot: QtBot) -> Callable[[], None]:
    return lambda: qtbot.waitUntil(lambda: not counter.slices.active)


def test_a_slice_ends_with_its_budget_and_the_last_one_tells_the_result(counter: Counter, end):
    counter.slices.start(counter.count(5, cost=4))
    assert counter.log == [1, 2, "progressed"]
    assert counter.slices.active
    end()
    assert counter.log == [1, 2, "progressed", 3, 4, "progressed", 5, ("finished", 5)]


def test_a_part_longer_than_the_budget_is_a_slice_of_its_own(counter: Counter, end):
    counter.slices.start(counter.count(2, cost=100))
    end()
    assert counter.log == [1, "progressed", 2, "progressed", ("finished", 2)]


def test_a_short_generator_is_over_within_its_start(counter: Counter):
    counter.slices.start(counter.count(3, cost=0))
    assert counter.log == [1, 2, 3, ("finished", 3)]
    assert not counter.slices.active


def test_events_have_their_turn_between_two_slices(counter: Counter):
    counter.slices.start(counter.count(3, cost=9), after=0)
    for turns in range(1, 4):
        QCoreApplication.processEvents()
        assert [entry for entry in counter.log if entry != "progressed"] == [*range(1, turns + 1)]


def test_nothing_runs_in_the_pause_before_a_start(counter: Counter, end):
    counter.slices.start(counter.count(1, cost=1), after=60_000)
    QCoreApplication.processEvents()
    assert counter.log == []
    assert counter.slices.active
    assert not counter.slices.started
    assert counter.slices._timer.interval() == 60_000


def test_a_pause_is_measured_from_the_beginning_of_the_slice(counter: Counter):
    counter.slices.start(counter.count(2, cost=3, pause=40))
    assert counter.log == [1, "progressed"]
    assert counter.slices._timer.interval() == 37
    counter.slices.start(counter.count(2, cost=50, pause=40))
    assert counter.slices._timer.interval() == 0


def test_a_generator_learns_that_its_slice_is_spent(counter: Counter, end):
    found = list[int]()

    def work() -> Work:
        for _k in range(2):
            counter.clock.ms += 1
            parts = 0
            while not counter.slices.spent:
                counter.clock.ms += 2
                parts += 1
            found.append(parts)
            yield 0

    counter.slices.start(work())
    end()
    assert found == [4, 4]


def test_what_is_cancelled_runs_no_more_and_is_closed(counter: Counter):
    closed = list[bool]()

    def work() -> Work:
        try:
            yield from counter.count(9, cost=9)
        finally:
            closed.append(True)

    counter.slices.start(work())
    counter.slices.cancel()
    assert closed == [True]
    QCoreApplication.processEvents()
    assert counter.log == [1, "progressed"]
    assert not counter.slices.active


def test_a_generator_may_cancel_itself(counter: Counter):
    def work() -> Work:
        counter.slices.cancel()
        assert not counter.slices.active
        yield
        counter.log.append("more")

    counter.slices.start(work())
    QCoreApplication.processEvents()
    assert counter.log == []


def test_a_generator_may_start_another_in_its_place(counter: Counter, end):
    def work() -> Work:
        counter.slices.start(counter.count(1, cost=9), after=0)
        return "first"
        yield

    counter.slices.start(work())
    end()
    assert counter.log == [1, "progressed", ("finished", 1)]


def test_another_start_leaves_the_first_generator(counter: Counter, end):
    counter.slices.start(counter.count(9, cost=9))
    counter.slices.start(counter.count(1, cost=0))
    end()
    assert counter.log == [1, "progressed", 1, ("finished", 1)]


def test_a_new_start_may_follow_from_the_result(counter: Counter, end):
    again = [2, 1]
    counter.slices.finished.connect(
        lambda _result: again and counter.slices.start(counter.count(again.pop(), cost=0), after=0)
    )
    counter.slices.start(counter.count(3, cost=0))
    end()
    assert [entry[1] for entry in counter.log if isinstance(entry, tuple)] == [3, 1, 2]


def test_an_exception_ends_the_generator_and_is_reported_once(counter: Counter, monkeypatch, end):
    reported = list[BaseException]()
    monkeypatch.setattr(sys, "excepthook", lambda _kind, error, _trace: reported.append(error))

    def work() -> Work:
        yield 0
        raise RuntimeError("planted")

    counter.slices.start(work())
    end()
    QCoreApplication.processEvents()
    assert [str(error) for error in reported] == ["planted"]
    assert counter.log == ["progressed"]
    counter.slices.start(counter.count(1, cost=0))
    assert counter.log[-1] == ("finished", 1)


def test_an_exception_of_the_first_slice_reaches_who_starts_it(counter: Counter):
    def work() -> Work:
        raise RuntimeError("planted")
        yield

    with pytest.raises(RuntimeError, match="planted"):
        counter.slices.start(work())
    assert not counter.slices.active


def test_nothing_runs_once_the_owner_is_deleted(qapp):
    owner = QObject()
    counter = Counter(owner)
    counter.slices.start(counter.count(9, cost=9))
    owner.deleteLater()
    QCoreApplication.sendPostedEvents(owner, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()
    assert counter.log == [1, "progressed"]


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


def test_no_garbage_is_collected_while_a_thread_works():
    ran = in_background(iter([1, 2]))
    assert next(item for item in ran if item is not None) == 1
    assert not gc.isenabled()
    ran.close()
    assert gc.isenabled()
