"""The window: it puts everything together and owns nothing."""

import app.guard  # noqa: F401
