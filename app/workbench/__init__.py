"""The learner's current state, which is not saved: the selection and the playback."""
