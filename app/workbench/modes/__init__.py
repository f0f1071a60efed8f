"""Modes: immutable values that the playback holds, one at a time; runners drive them.

mode.py   the protocol, which is also plain stepping, and a pass by hand
quiz.py   Cover and Ask me: blanks in the sentence
evidence.py   what the sheet shows of a question: its experiment, its truth, another way
hunt.py   a mistake is on, and the learner or a room identifies it
loop.py   Descent: zero grad, forward, backward, update
"""
