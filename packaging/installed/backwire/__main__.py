"""Backwire starts here where it is installed: `python -m backwire`, and the command `backwire`."""

import sys

from backwire.app.__main__ import main  # pyright: ignore

if __name__ == "__main__":
    sys.exit(main())
