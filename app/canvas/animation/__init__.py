"""What moves: a step along its wire, sums lighting up, nodes gliding."""
