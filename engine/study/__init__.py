"""What one can learn from a trace: mistakes behind its numbers, paths, masks, simpler parts."""
