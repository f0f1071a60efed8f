"""A lesson with a step of each kind, without a fault, for tests to plant some."""

LESSON = """\
format = 1
title = "Base"
able = "Be changed"
needs = ["gears"]
minutes = 5
attacks = ["replaced"]
surprise = "None."

[graph]
expression = "e = a*b; d = e + a; L = d*f"
values = { a = 3, b = -2, f = 5 }

[[step]]
kind = "say"
title = "Say"
text = "Two wires leave **a**: {a.grad}, {e.1.local}, `e`."
light = ["a", "e.1"]
panel = "why"

[[step]]
kind = "do"
title = "Do"
text = "Text."
task = "change b"
start = "end"
settings = { h = 0.01 }
slider = { b = [-4, 0] }
check = [{ grad = "a", is = 0 }]
show = ["b = -1"]

[[step]]
kind = "ask"
title = "Ask"
text = "Text."
start = "backward 5"
values = { b = -2 }
form = "choices"
ask = [{ kind = "contribution", wire = "e.1" }, { kind = "sum", wire = "e.1" }]

[[step]]
kind = "hunt"
title = "Hunt"
text = "Text."
values = { b = -2 }
hunt = ["assign"]

[[step]]
kind = "free"
title = "Free"
text = "Text."
start = "values"
check = [{ readers = "a", above = 2 }]
"""
