"""Trials: checks and searches about the graph that is shown.

beginning.py         begins the first pass on new graphs; chooses friendly values for their leaves
checking.py          rows of the gradient check, for the panel and the command line
gradient_checks.py   the gradient check of the graph that is shown, while its panel is visible
nudging.py           a leaf nudged: the root against it, with tangent and secant
lab.py               the mistake lab in words: which nodes are wrong and why, the suspects
contour.py           rings of equal loss in the plane of two leaves
torch_run.py         the gradients of a graph by PyTorch, and how they compare
predictions.py       the answers given in a quiz, as the rows of a list
program_run.py       a learner's program that runs: its state, and the passes seen
copying.py           a derivation as text and as LaTeX, and the narrated pass as text
"""
