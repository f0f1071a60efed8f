"""Playback: the position in a pass, and the one message about everything that is shown.

playback.py       the owner of the trace and the position, which an edit may restart
view_state.py     the message to all views
ticks.py          the steps of both passes as the timeline writes them
time_machine.py   breakpoints on nodes, and jumps to the steps that decide a gradient
"""
