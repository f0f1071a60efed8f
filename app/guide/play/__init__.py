"""Play: steps as a learner or a room sees them, and what was answered, as values."""
