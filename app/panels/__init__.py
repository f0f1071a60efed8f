"""The panels around the canvas, one file each; none knows another."""

import app.guard  # noqa: F401
