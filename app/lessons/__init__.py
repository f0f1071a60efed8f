"""Lessons: reading and checking them."""
