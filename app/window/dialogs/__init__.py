"""Dialogs: what is asked and shown in a window of its own."""
