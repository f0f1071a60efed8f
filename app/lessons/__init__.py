"""Lessons: guided steps over a graph, as values; no widgets, no clock.

    lesson.py     Lesson, Step, Check, Ask: what a lesson file says
    situation.py  Situation: what a check looks at; a move leads from one to the next
    loops.py      gradient descent and training as a lesson uses them
    checks.py     whether a check holds in a situation
    markup.py     bold, code and live numbers in a text
    index.py      units and heads of the lessons, for lists
    course.py     units and lessons in the order of the course
    progress.py   what this learner has done so far

A file becomes a lesson in these steps:

    lines.py      on which line each key stands
    schema.py     the keys and their types
    faults.py     what is wrong, by line; a table by its schema
    parsing.py    names, moves and checks
    questions.py  what is asked, and whether it can be
    play.py       every step once
    load.py       the whole
"""
