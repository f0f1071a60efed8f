"""Animations: a contribution running along its wire, sums lighting up, nodes gliding."""
