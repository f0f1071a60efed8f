"""Edits that start on the canvas, and the boxes and fields that open on it."""
