"""Positions of nodes, wires, labels and sections; pure geometry."""
