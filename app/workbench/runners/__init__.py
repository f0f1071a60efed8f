"""Runners: the learner's actions in each mode; they drive the playback.

quiz_runner.py     Cover, Ask me, and passes by hand
hunt_runner.py     a hunt for a mistake
loop_runner.py     a training loop on the document's graph
ripple_runner.py   the ripple of one changed number
"""
