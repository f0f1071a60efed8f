"""Lessons for tests: one with a step of each kind to plant faults in, long ones, and a course."""

from app.lessons.course import Beginning, Course, Head, Unit
from app.lessons.progress import LessonProgress, Progress

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


def _long_lesson(expression: str, kind: str, own: str) -> str:
    """Return a lesson of twelve equal steps at the end of the pass."""
    head = 'format = 1\ntitle = "T"\nable = "A"\nsurprise = "S."\nminutes = 3\n[graph]\n'
    step = f'[[step]]\nkind = "{kind}"\ntitle = "T"\ntext = "T"\nstart = "end"\n{own}\n'
    return f'{head}expression = "{expression}"\n{step * 12}'


def _do(check: str, leaf: str) -> str:
    moves = ", ".join(f'"{leaf} = {k}"' for k in range(2, 14))
    return f'task = "T"\ncheck = [{", ".join([check] * 12)}]\nshow = [{moves}]'


def _chain(length: int) -> str:
    return "; ".join(["v0 = a*b", *(f"v{k} = tanh(v{k - 1}*b)" for k in range(1, length))])


_CHOICES = ", ".join(['{ kind = "final", node = "a" }'] * 12)
_WIDE = "y = " + " + ".join(f"a{k}" for k in range(95))
LONG_LESSONS = {
    "the numerical check of 95 leaves": _long_lesson(_WIDE, "do", _do("{ checked = true }", "a0")),
    "any of 190 gradients": _long_lesson(_WIDE, "do", _do('{ grad = "any", is = 7 }', "a0")),
    "mistakes that show": _long_lesson(_chain(12), "do", _do("{ differs = true }", "a")),
    "choices": _long_lesson(_chain(12), "ask", f'form = "choices"\nask = [{_CHOICES}]'),
    "choices of 190 nodes": _long_lesson(
        _chain(95), "ask", f'form = "choices"\nask = [{_CHOICES}]'
    ),
}
"""Files of some KB that would take seconds to play."""


def head(name: str, title: str, minutes: int, text: str, *step_titles: str) -> Head:
    able = f"do what {title} is about"
    return Head(name, title, able, minutes, step_titles, Beginning(text))


STEPS = ("Guess", "Change it", "Back again", "Which one moves", "By how much", "On your own")
COURSE = Course(
    (
        Unit(
            "One slope at a time",
            "Read a gradient, multiply slopes",
            (
                head("one-wire", "One wire, one slope", 4, "y = a*b", *STEPS),
                head("gears", "Gears in a row", 5, "u = k*x; y = m*u", *STEPS),
                head("plus-times", "Plus passes on, times swaps", 5, "y = (a+b)*c", *STEPS),
            ),
        ),
        Unit(
            "A graph by hand",
            "Every gradient, paths that meet",
            (
                head("seven", "Seven numbers on paper", 8, "e = a*b; d = e+c; L = d*f", *STEPS),
                head("same-leaf", "The same leaf twice", 5, "y = a*a", *STEPS),
                head("two-paths", "Two paths from a to L", 5, "e = a*b; d = e+a; L = d*f", *STEPS),
            ),
        ),
    )
)
DONE = LessonProgress(states=("done",) * 6, ended="2026-03-01")
SHOWN = LessonProgress(states=("done", "done", "shown", "done", "done", "done"), ended="2026-03-02")
HALF = LessonProgress(at=3, states=("done", "done", "done"))
RETURNING = Progress(
    {"one-wire": DONE, "gears": DONE, "seven": SHOWN, "same-leaf": DONE, "two-paths": HALF}
)
