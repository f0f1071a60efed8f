"""Lessons: guided steps over a graph, as values; no widgets, no clock.

lesson.py     Lesson, Step, Check, Move: what a lesson file says
situation.py  Situation: what a check looks at; a move leads from one to the next
checks.py     whether a check holds in a situation
load.py       a lesson from TOML; every step is played once
course.py     units and lessons in the order of the course
progress.py   what this learner has done so far
"""
