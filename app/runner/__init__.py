"""Running programs of learners: `runner.py` goes to their Python, `run.py` starts and bounds it."""
