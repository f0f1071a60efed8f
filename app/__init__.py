"""Backwire, a desktop node editor that teaches backpropagation."""
