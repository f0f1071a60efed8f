"""The gestures of the canvas, one file each."""
