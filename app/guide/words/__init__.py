"""Words: the sentences of a lesson, as spans.

lesson_texts.py   the texts of a step and of the end
step_strip.py     the strip in a lesson
room.py           what a room sees below the sheet
final_result.py   the result of the final test
written.py        the texts of a lesson that is written
"""
