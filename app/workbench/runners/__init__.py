"""Runners: what a learner does in each mode; they drive the playback.

quiz_runner.py   Cover and Ask me
hand_runner.py   a pass by hand
hunt_runner.py   a hunt for a mistake
loop_runner.py   a training loop on the document's graph
"""
