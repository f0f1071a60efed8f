"""What the learner is doing now and nothing saves: the selection and the playback."""
