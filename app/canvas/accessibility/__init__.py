"""Exposes the canvas to screen readers and other assistive technology."""
