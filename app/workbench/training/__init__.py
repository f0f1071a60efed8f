"""Training: a network on many samples, on a stage in place of the sheet.

training.py        the network that is being trained, in slices, and what it is trained on
rate_trials.py     tries smaller rates on a network whose rate was too large, between events
boundary.py        what a network says over a plane of its inputs, and where it says 0
"""
