"""Words: the sentences about a pass, as spans; the strip below the canvas shows them.

sentences.py   the table of sentences about one step, in three voices
narration.py   the step just taken and the next one, as those sentences
maths_voice.py the fields of a contribution as an equation
steps.py       the same with collapsed groups told as one step, and with the correct pass beside
verdict.py     what a mistake has done to a step and to gradients
strip.py       what the strip shows: sentence, blanks, answer line, buttons; plain stepping
asked.py       Cover and Ask me
questions.py   a question as a sentence of its own, and its answer as the canvas writes it
help.py        what is said of a wrong answer, rung by rung
ends.py        the end of a pass in each mode
"""
