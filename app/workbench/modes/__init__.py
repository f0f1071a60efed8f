"""Modes: what a learner does with a pass. Only one is on at a time.

    mode.py       the protocol, which is also the plain mode: stepping
    quiz.py       Cover and Ask me: blanks in the sentence
    by_hand.py    the learner chooses which node fires next
    hunt.py       a mistake is on, and the learner finds out which
    loop.py       Descent: zero grad, forward, backward, update

A mode is an immutable value that the playback holds; a runner does what the learner does in it.
"""
