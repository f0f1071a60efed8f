"""A course of six lessons in two units, and progress in it, for tests of the start page."""

from app.lessons.course import Course, Unit
from app.lessons.index import Beginning, Head
from app.lessons.progress import LessonProgress, Progress


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
