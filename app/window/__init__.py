"""The window: it puts everything together and owns nothing."""
