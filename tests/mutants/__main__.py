"""Which faults planted in the engine do no tests see?  python -m tests.mutants [WORD ...]

With words, only the mutants whose title holds one of them are run. The exit code is 1 when a
mutant survives.
"""

import sys
import time

from tests.mutants import core, operations, reading, running
from tests.mutants.run import Outcome, attempt_all, unharmed

MUTANTS = (*core.MUTANTS, *operations.MUTANTS, *reading.MUTANTS, *running.MUTANTS)


SLOW = 30  # seconds


def main(words: list[str]) -> int:
    chosen = [m for m in MUTANTS if not words or any(word in m.title for word in words)]
    start = time.monotonic()
    if not words:
        failed, said = unharmed()
        if failed:
            sys.stdout.write(f"The tests fail without any fault; mend that first: {said}\n")
            return 2
    survivors: list[Outcome] = []
    for outcome in attempt_all(chosen):
        word = "killed  " if outcome.killed else "SURVIVED"
        sys.stdout.write(f"{word} {outcome.seconds:5.1f} s  {outcome.mutant.title}\n")
        if outcome.seconds > SLOW or not outcome.killed:
            sys.stdout.write(f"{'':19}{outcome.said}\n")
        sys.stdout.flush()
        if not outcome.killed:
            survivors.append(outcome)
    spent = time.monotonic() - start
    sys.stdout.write(f"\n{len(chosen) - len(survivors)} of {len(chosen)} killed in {spent:.0f} s\n")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
