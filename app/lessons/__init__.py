"""Lessons: guided steps over a graph, as values; no widgets, no clock.

    lesson.py         Lesson, Step, Check, Ask: the content of a lesson file; markup of texts
    situation.py      Situation: graph, pass and settings that checks see; moves, training
    step_checks.py    whether a check holds in a situation
    course.py         the units in order; of each lesson its head: title, minutes, first graph
    progress.py       how far a learner has come, and the file that keeps it
    course_view.py    the start page: the course with this progress

What is asked besides the lessons of files:

    review.py         slips and kinds of questions, and the days on which they return
    daily.py          Daily five: a lesson of the questions that are due
    final_test.py     the final test, drawn from a seed, its verdicts, and the file with its answers

A file becomes a lesson in these steps:

    lesson_faults.py  the line of each key, and the faults by line
    toml_file.py      size, syntax and version of a file; keys and values as lines to write
    parsing.py        keys and their types, graphs, names, moves and checks
    questions.py      the questions of a step, and whether they can be asked
    load.py           the whole, every step played once

A sheet has the steps of one, which a teacher makes in the window:

    draft.py          the steps as they are written, and their text
    renaming.py       the steps after nodes got other names, or copied to another sheet
    moves.py          Moves, which are what was done on the sheet; checks and questions

`app.guide` leads a learner or a room through it.
"""
