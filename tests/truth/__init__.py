"""Whether what the program says is true: a reader of displayed sentences, and what it knows.

`ranges` is the arithmetic of displayed numbers; `tokens` and `reader` find and parse equations,
`equation` evaluates them; `oracle` is an independent backward pass, `moment` says what holds at
one step; `claims` and `sentences` are what is understood besides equations, `judge` puts all of it
together; `places` gathers what is shown where and `painted` what is painted, `survey` goes
through whole passes.
"""
