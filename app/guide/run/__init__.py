"""Run: who is led, on the document and its playback.

guide_runner.py      leads a learner or a room through a lesson
demonstration.py     makes the moves of Show me
course_progress.py   the progress of each lesson, in a file
recorder.py          the lesson of the sheet: its steps, and moves that are recorded
recorders.py         makes the recorder once it is needed
"""
