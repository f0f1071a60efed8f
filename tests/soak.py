"""Use the document for long: the state machine of the journeys, 2,000 times with 100 steps each.

python -m tests.soak [--times N] [--steps N]
"""

import argparse
import os
import sys
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def main(arguments: list[str]) -> int:
    """Run the machine; a failure is shrunk and shown by hypothesis."""
    reader = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    reader.add_argument("--times", type=int, default=2000)
    reader.add_argument("--steps", type=int, default=100)
    chosen = reader.parse_args(arguments)

    from PySide6.QtWidgets import QApplication

    from app.style.fonts import load_fonts
    from tests.journeys.test_state_machine import use

    application = QApplication(["soak"])
    load_fonts()
    start = time.monotonic()
    use(chosen.times, chosen.steps)
    took = time.monotonic() - start
    sys.stdout.write(f"{chosen.times} × {chosen.steps} steps went well in {took:.0f} s.\n")
    del application
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
