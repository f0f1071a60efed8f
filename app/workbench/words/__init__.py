"""Words: the sentences about a pass, as spans; the strip below the canvas shows them.

sentences.py   the table of sentences about one step, in three voices
narration.py   the step just taken and the next one, as those sentences
steps.py       the same with collapsed groups told as one step, and with the correct pass beside
strip.py       what the strip shows as a value: sentence, blanks, answer line, buttons
writers.py     which function writes the strip in each mode
plain.py       the strip of a pass that is stepped through
asked.py       the strip of Cover and Ask me
chosen.py      what a lesson alone asks: a change, a sign, paths, own texts; answers to choose from
hand.py        the strip of a pass by hand: each turn, refusals, hints, the end
hand_log.py    a pass by hand as rows: the turns, early clicks, and who waits for whom
descent.py     the strip of a training loop: its last step, or what goes wrong in it
ends.py        the end of a pass in each mode
ripple.py      what a change of one number does to the root
questions.py   a question as a sentence of its own, and its answer as the canvas writes it
help.py        what is said of an answer: the help of each rung, the worked line, and when right
"""
