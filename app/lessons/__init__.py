"""Lessons: guided steps over a graph, as values; no widgets, no clock.

    lesson.py       Lesson, Step, Check, Ask: the content of a lesson file; markup of texts
    situation.py    Situation: graph, pass and settings that checks see; moves, optimizer, training
    checks.py       whether a check holds in a situation
    index.py        units and heads of the lessons, for lists
    course.py       units and lessons in the order of the course
    course_view.py  this learner's progress, and the course with it

A file becomes a lesson in these steps:

    faults.py     the line of each key, and the faults by line
    parsing.py    keys and their types, names, moves and checks
    questions.py  the questions of a step, and whether they can be asked
    load.py       the whole, every step played once

A teacher writes one in the window:

    draft.py      the lesson that is being written, and the text of its file
    recording.py  what was done on the sheet as moves, checks and questions
"""
