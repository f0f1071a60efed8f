"""One sheet at one frame, with its hit test."""
