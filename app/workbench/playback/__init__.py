"""Playback: the place in a pass, and the one message about everything that is shown.

playback.py          the one owner of the trace and the place in it, which an edit may restart
playback_state.py    what is shown now, the settings, and the one message about both
view_state.py        that message: what the playback emits to all views
collapsed_steps.py   which steps count as one while a group is collapsed
ticks.py             the steps of both passes as the timeline writes them
time_machine.py      breakpoints on nodes, and the steps at which a gradient became what it is
"""
