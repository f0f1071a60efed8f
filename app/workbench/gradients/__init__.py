"""Gradients: what one pass has computed, and how a wrong one differs; knows no mode.

comparison.py    a pass with a mistake against the correct one, step by step
formulas.py      how sentences write an op's formula, a node and a variable
derivation.py    the contributions behind a node's gradient, compared with the correct pass
chain_rule.py    the chain rule of one node: its heading, its sum in symbols and in numbers
explanation.py   why a node's gradient is what it is, in one to four sentences
causes.py        why a node has a wrong gradient under a mistake
listing.py       a pass as lines of code, one for each step
group_flow.py    the gradients that enter a group, and those it passes on
"""
