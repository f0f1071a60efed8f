"""The planted faults still find their places, and leave code that can be compiled."""

import pytest

from tests.mutants.__main__ import MUTANTS
from tests.mutants.run import ROOT, order_of_tests


def test_there_are_more_than_sixty():
    assert len(MUTANTS) >= 60
    assert len(set(MUTANTS)) == len(MUTANTS)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.title[:60])
def test_a_fault_can_be_planted(mutant):
    source = (ROOT / mutant.file).read_text("utf-8")
    planted = mutant.planted(source)
    assert planted != source
    compile(planted, mutant.file, "exec")
    assert order_of_tests(mutant)
