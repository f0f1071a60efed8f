"""Words: the sentences about a pass, as spans; the strip below the canvas shows them.

facts.py       what one step is: numbers and node ids, no text
strip.py       what the strip shows: sentence, blanks, answer line, buttons; plain stepping
asked.py       Cover and Ask me
help.py        what is said of a wrong answer, rung by rung
ends.py        the end of a pass in each mode
"""
