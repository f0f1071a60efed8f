"""Lessons: guided steps over a graph, as values; no widgets, no clock.

    lesson.py       Lesson, Step, Check, Ask: the content of a lesson file; markup of texts
    situation.py    Situation: graph, pass and settings that checks see; moves, optimizer, training
    checks.py       whether a check holds in a situation
    index.py        units and heads of the lessons, for lists
    course.py       units and lessons in the order of the course
    progress.py     how far a learner has come, and the file that keeps it
    course_view.py  the start page: the course with this progress

What is asked besides the lessons of files:

    review.py       slips and kinds of questions, and the days on which they return
    daily.py        Daily five: a lesson of the questions that are due
    final_test.py   the final test, drawn from a seed, and its verdicts
    final_report.py the file in which its answers are handed in

A file becomes a lesson in these steps:

    faults.py     the line of each key, and the faults by line
    parsing.py    keys and their types, names, moves and checks
    questions.py  the questions of a step, and whether they can be asked
    load.py       the whole, every step played once

A teacher writes one in the window:

    draft.py      the lesson that is being written, and the text of its file
    recording.py  what was done on the sheet as moves, checks and questions
"""
