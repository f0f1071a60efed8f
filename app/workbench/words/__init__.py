"""Words: the sentences about a pass, as spans; the strip below the canvas shows them.

sentences.py      the table of sentences about one step, in three voices, and of questions
narration.py      the step just taken and the next one, collapsed groups as one step
strip.py          the strip as a value: sentence, blanks, answer line, buttons
strip_writers.py  the writer of the strip in each mode
ends.py           the strip of a pass that is stepped through, and the end of a pass
asked.py          the strip of Cover and Ask me
help.py           hints, verdicts on answers, and questions that only a lesson asks
hand.py           the strip of a pass by hand, and its log as rows
loop_strip.py     the strip of a training loop: its last step, or its trouble
ripple.py         the effect of a change of one number on the root
live_texts.py     texts in which numbers are as on the sheet
"""
