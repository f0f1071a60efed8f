"""One sheet at one frame, and what lies under a point of it."""
