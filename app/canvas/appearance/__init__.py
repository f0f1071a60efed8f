"""Looks of a sheet at one frame, as plain values without geometry."""
