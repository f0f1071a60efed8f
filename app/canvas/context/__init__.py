"""Shared by all parts of the canvas: camera, framing, automatic layout, repaint, messages."""
