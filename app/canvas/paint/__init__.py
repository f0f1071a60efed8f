"""Painters of nodes, wires and groups, on screen and on paper, with their caches."""
