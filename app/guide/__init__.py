"""Guide: leads a learner, or a room, through the steps of a lesson.

play/    what is shown and asked: slides, polls, the state of who is led
run/     the runners, which do it on the document and its playback; the lesson that is written
words/   the texts of steps, slides and results
"""
