"""Gradients: the results of one pass, and how a wrong one differs; knows no mode.

formulas.py      how sentences write an op's formula, a node and a variable
chain_rule.py    the contributions to a node's gradient; through a group, and along paths
comparison.py    a pass with a mistake against the correct one, step by step
explanation.py   the reasons for a node's gradient, and the causes of a wrong one
code_listing.py  a pass as lines of code, one for each step
"""
