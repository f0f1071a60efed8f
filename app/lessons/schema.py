"""Schema: what the tables of a lesson file may hold, as msgspec types; each says what is right."""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from app.lessons.lesson import Form, StepKind
from app.lessons.situation import Method

FORMAT: Final = 1
"""The version of the format that this program reads."""
FEWEST_STEPS, MOST_STEPS = 3, 12
MOST_PARTS: Final = 12
"""Entries of a list or a table within a step."""
PARAGRAPHS, PARAGRAPH = 2, 240
PANELS: Final = ("lesson", "why", "numeric", "mistakes", "train", "code", "history")
KEYS_OF_KIND: Final = {
    "say": (),
    "do": ("task", "check", "show", "slider"),
    "ask": ("ask", "form", "friendly"),
    "hunt": ("hunt",),
    "free": ("check", "slider"),
}
"""The keys that only steps of these kinds have."""
NEEDED: Final = {
    "say": (),
    "do": ("task", "check", "show"),
    "ask": ("ask",),
    "hunt": ("hunt",),
    "free": (),
}
"""Those that they can't do without."""

Title = Annotated[
    str, Meta(min_length=1, max_length=40, description="a text of 1 to 40 characters")
]
Able = Annotated[str, Meta(min_length=1, max_length=60, description="a text of 1 to 60 characters")]
Sentence = Annotated[
    str, Meta(min_length=1, max_length=120, description="a text of 1 to 120 characters")
]
Hint = Annotated[
    str, Meta(min_length=1, max_length=240, description="a text of 1 to 240 characters")
]
Notes = Annotated[
    str, Meta(min_length=1, max_length=600, description="a text of 1 to 600 characters")
]
ChoiceText = Annotated[
    str, Meta(min_length=1, max_length=24, description="a text of 1 to 24 characters")
]
Text = Annotated[
    str, Meta(min_length=1, max_length=1000, description="a text of one or two paragraphs")
]
Name = Annotated[str, Meta(min_length=1, max_length=200, description="a name in quotes")]
Names = Annotated[
    tuple[Name, ...],
    Meta(max_length=MOST_PARTS, description='a list of up to 12 names: ["a", "b"]'),
]
Moves = Annotated[
    tuple[Name, ...],
    Meta(min_length=1, max_length=MOST_PARTS, description='a list of 1 to 12 moves: ["b = -1"]'),
]
Tables = Annotated[
    tuple[dict[str, Any], ...],
    Meta(max_length=MOST_PARTS, description="a list of up to 12 tables: [{ … }]"),
]
Table = Annotated[dict[str, Any], Meta(description="a table")]
Values = Annotated[
    dict[str, float],
    Meta(max_length=MOST_PARTS, description="a table of up to 12 names and numbers: { a = 3 }"),
]
Ranges = Annotated[
    dict[str, tuple[float, float]],
    Meta(max_length=MOST_PARTS, description="a table of names and ranges: { a = [-4, 0] }"),
]
Number = Annotated[float, Meta(description="a number")]
Yes = Annotated[bool, Meta(description="true or false")]
Sizes = Annotated[
    tuple[Annotated[int, Meta(ge=1, le=64)], ...],
    Meta(min_length=2, max_length=6, description="the number of neurons by layer: [2, 8, 1]"),
]


class LessonFile(Struct):
    """The keys of a lesson."""

    format: Annotated[int, Meta(ge=1, description="1")]
    title: Title
    able: Able
    surprise: Sentence
    minutes: Annotated[int, Meta(ge=1, le=20, description="a whole number from 1 to 20")]
    graph: Table
    step: Annotated[tuple[dict[str, Any], ...], Meta(description="tables headed [[step]]")]
    needs: Names = ()
    attacks: Names = ()


class GraphFile(Struct):
    """The keys of a graph: a formula with values, or a file beside the lesson."""

    expression: Annotated[str, Meta(min_length=1, description='a formula: "y = a*b"')] = ""
    values: Values = {}
    file: Name = ""


class SettingsFile(Struct):
    """What the pages are set to on entering a step."""

    h: Annotated[float, Meta(gt=0, description="a number above 0")] = 0.0
    method: Annotated[Method | None, Meta(description='"forward", "central" or "exact"')] = None
    rate: Annotated[float, Meta(gt=0, description="a number above 0")] = 0.0
    sizes: Sizes = ()
    seed: Annotated[int, Meta(ge=0, lt=2**31, description="a whole number from 0")] = -1
    epochs: Annotated[int, Meta(ge=0, le=1000, description="a whole number from 0 to 1000")] = -1


class StepFile(Struct):
    """The keys of a step."""

    kind: Annotated[StepKind, Meta(description='"say", "do", "ask", "hunt" or "free"')]
    title: Title
    text: Text
    hint: Hint = ""
    notes: Notes = ""
    start: Name = ""
    values: Values = {}
    mistake: Name = ""
    settings: Table = {}
    graph: Table = {}
    light: Names = ()
    watch: Names = ()
    slider: Ranges = {}
    panel: Name = ""
    task: Sentence = ""
    check: Tables = ()
    show: Moves = ()
    ask: Tables = ()
    form: Annotated[Form, Meta(description='"field" or "choices"')] = "field"
    friendly: Yes = False
    hunt: Names = ()


class AskFile(Struct):
    """The keys of one question."""

    kind: Name
    node: Name = ""
    wire: Name = ""
    leaf: Name = ""
    to: Number | None = None
    text: Sentence = ""
    choices: Annotated[
        tuple[dict[str, Any], ...], Meta(max_length=4, description="a list of 2 to 4 tables")
    ] = ()


class ChoiceFile(Struct):
    """The keys of one choice."""

    text: ChoiceText
    say: Hint = ""
    right: Yes = False
