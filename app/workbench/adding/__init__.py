"""Adding: what can be added to the sheet, and what a typed text means.

blocks.py    a neuron, a layer or a network as groups
finding.py   everything that can be added, ranked by a query
meaning.py   what a text typed into quick add means
"""
