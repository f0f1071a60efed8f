"""Drawing and building the graph with the mouse."""

import app.guard  # noqa: F401
