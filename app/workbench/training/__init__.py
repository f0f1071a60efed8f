"""Training: a network on many samples, on a stage in place of the sheet.

training_data.py   data sets by name, and a setup that fits them
training.py        the network that is being trained, in slices
rate_trials.py     tries smaller rates on a network whose rate was too large, between events
boundary.py        what a network says over a plane of its inputs, and where it says 0
"""
