"""Fuzzing: what is read from outside, made wrong in many ways, and watched while it is read."""
