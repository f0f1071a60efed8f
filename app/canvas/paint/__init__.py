"""Painters of nodes, wires and groups, on screen and on paper, and what they keep."""
