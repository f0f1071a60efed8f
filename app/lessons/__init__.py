"""Lessons: guided steps over a graph, as values; no widgets, no clock.

    lesson.py       Lesson, Step, Check, Ask: the content of a lesson file; markup of texts
    situation.py    Situation: graph, pass and settings that checks see; moves, optimizer, training
    checks.py       whether a check holds in a situation
    course.py       the units in order; of each lesson its head: title, minutes, first graph
    progress.py     how far a learner has come, and the file that keeps it
    course_view.py  the start page: the course with this progress

What is asked besides the lessons of files:

    review.py       slips and kinds of questions, and the days on which they return
    daily.py        Daily five: a lesson of the questions that are due
    final_test.py   the final test, drawn from a seed, its verdicts, and the file with its answers

A file becomes a lesson in these steps:

    faults.py     the line of each key, and the faults by line
    toml_file.py  size, syntax and version of a file; keys and values as lines to write
    parsing.py    keys and their types, graphs, names, moves and checks
    questions.py  the questions of a step, and whether they can be asked
    load.py       the whole, every step played once

A teacher writes one in the window:

    draft.py      the lesson that is being written, and the text of its file
    recording.py  Moves, which are what was done on the sheet; checks and questions

A lecture shows and asks a room, from mark to mark; a mark is a step of a pass, or a question there:

    lecture.py         its marks; after an edit of the graph a mark moves along with its event
    poll.py            the choices of a question, their hands; the state of a lecture
    hands.py           the record of all hands, and its file
    lesson_lecture.py  a lesson as a lecture
    lecture_file.py    the file of a lecture, read and written
"""
