"""Tests are collected without the collector of cycles, and by one worker after the other."""

import gc
import os
import threading
from pathlib import Path

import pytest

from tests.helpers.collecting import in_turn, is_compiled


@pytest.mark.skipif(os.name != "posix", reason="folders are held by flock")
def test_whoever_collects_from_a_folder_waits_until_the_one_before_has_done(tmp_path: Path):
    order: list[str] = []

    def second() -> None:
        asks.set()
        with in_turn(tmp_path):
            order.append("second")

    asks, later = threading.Event(), threading.Thread(target=second)
    with in_turn(tmp_path):
        later.start()
        assert asks.wait(60)
        later.join(0.05)
        order.append("first")
    later.join(60)
    assert order == ["first", "second"]


def test_a_tree_is_compiled_once_each_folder_of_tests_has_been_imported_from(tmp_path: Path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "test_it.py").touch()
    (tmp_path / "no tests").mkdir()
    (tmp_path / "one" / "__pycache__").mkdir()
    assert not is_compiled(tmp_path)
    (tmp_path / "two" / "__pycache__").mkdir()
    assert is_compiled(tmp_path)


def test_once_tests_run_cycles_are_collected():
    assert gc.isenabled()
