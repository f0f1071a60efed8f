"""Faults planted in the engine, one at a time, to see that the tests notice each."""
