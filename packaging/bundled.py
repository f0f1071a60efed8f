"""Where a bundle starts: the program, or, when it has called itself so, the Graphviz worker."""

import sys

from engine.graphviz import WORKER_WORD

if __name__ == "__main__":
    if WORKER_WORD in sys.argv[1:2]:
        from engine.graphviz_worker import main
    else:
        from app.__main__ import main
    sys.exit(main())
