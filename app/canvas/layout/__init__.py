"""Positions of nodes, wires, labels and groups; pure geometry."""
