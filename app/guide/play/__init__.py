"""Play: steps as a learner or a room sees them, and what was answered, as values.

guide.py    who is led, a learner or a room, and where they are
slides.py   each step as a room sees it; after an edit of the graph it follows its event
poll.py     the choices of a question, and their hands
hands.py    the record of all hands, and its file
"""
