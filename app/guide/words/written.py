"""Texts about the lesson of a sheet: where a step begins, its moves, checks and questions.

`RecordPart` shows them. Its check boxes are rows for what the step has, switched on, and for what
could be added, switched off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from app.guide.words.room import seconds_text
from app.lessons.draft import Draft
from app.lessons.load import Reading
from app.lessons.moves import Moves, Offer, became_true, check_text
from app.lessons.parsing import TITLE_LIMIT, StepFile
from app.lessons.toml_file import number_text
from engine.names import brief
from engine.numbers import counted
from engine.rules import BY_NAME, Rules

OWN_KINDS: Final = ("text", "mistake")
"""The questions that may have a text and choices of their own."""
NO_MOVES: Final = "none yet"
_EMPTY: Final = '"" is not '
"""The beginning of the checker's clause about an empty text."""
_OPEN: Final = "{kind} {about}"
_ASKED: Final = "{kind} {about}: {answer}"
_ASKED_AMONG: Final = "{kind} {about}: {answer}\nslips: {slips}"
_NOTHING_TO_ASK: Final = "Nothing can be asked about it where the step begins: {reason}."
_STEP_BACK: Final = " Step back, and press Take the sheet."
_BEGINS: Final = "Begins: {parts}."
NOTHING_TICKED: Final = "Tick what is asked below."
"""In place of the clause about a step that asks nothing yet."""
_NEEDS_TICKS: Final = ("a step of kind ask needs ask", "a step of kind hunt needs hunt")
"""The checker's clauses about such a step."""
_STEP_COUNT: Final = "step"
"""Key of a fault about the number of steps, which `status_text` reports."""
_MOST_CHECKS: Final = 8
"""Most rows of checks, on and offered ..."""
_LEAST_OFFERED: Final = 2
"""... unless more are on: so many are offered all the same."""
_STARTS: Final = {
    "": "as the step before left it, or on the sheet",
    "values": "with values, before backward",
    "end": "at the end of the pass",
    "hand": "By hand",
    "descent": "in Descent",
    "training": "in Training",
}
"""Where a step begins, by its key `start`."""


def step_title(step: StepFile) -> str:
    """Return the title of a step, or else its text, or what it asks, or where it begins."""
    asked = next((f"{ask.get('kind')} {_about(ask)}".strip() for ask in step.ask), "")
    return step.title or brief(step.text or asked or step.start or "values", TITLE_LIMIT)


def _about(ask: Mapping[str, Any]) -> str:
    return str(ask.get("wire") or ask.get("node") or ask.get("text") or "")


def timers_text(draft: Draft) -> str:
    """Return the total of the timers of all steps; "" without one."""
    total = sum(step.timer for step in draft.steps)
    return f"timers {seconds_text(total)}" if total else ""


Row = tuple[object, str, bool]
"""An entry of a step's `check`, `ask` or `hunt`, its text, and whether it is on."""


def begins_text(step: StepFile) -> str:
    """Return where a step begins, what it sets, and what it points at."""
    if step.kind == "hunt":  # which begins before the pass whatever its start is
        step = replace(step, start="values")
    at_step = f"at {step.start} of the pass".replace("backward", "step")
    if not step.start.startswith(("backward", "forward")):
        at_step = f"at {step.start}"
    parts = [_STARTS.get(step.start, at_step)]
    parts += [f"{name} = {number_text(value)}" for name, value in step.values.items()]
    if step.mistake:
        known = BY_NAME.get(step.mistake)
        parts.append(f"mistake {known.title if known else step.mistake}")
    parts += [f"{key} {value}" for key, value in step.settings.items()]
    if step.graph:
        parts.append("a graph of its own")
    if step.light:
        parts.append(f"lit {', '.join(step.light)}")
    if step.watch:
        parts.append(f"watched {', '.join(step.watch)}")
    return _BEGINS.format(parts="; ".join(parts).replace("-", "−"))


def moves_text(step: StepFile, recording: Moves | None) -> str:
    """Return the moves of a step on one line."""
    moves = recording.moves if recording is not None and recording.moves else step.show
    return "; ".join(moves).replace("-", "−") or NO_MOVES


def check_rows(step: StepFile, recording: Moves | None) -> list[Row]:
    """Return the checks of a step, and those that its moves have made true.

    A row keeps its place when it is switched on or off.
    """
    found = [] if recording is None else became_true(recording)
    known = [table for table, _text in found]
    rows: list[Row] = []
    for table in step.check:
        if table not in known:
            text = str(table) if recording is None else check_text(table, recording.now)
            rows.append((table, text, True))
    count = max(_MOST_CHECKS - len(step.check), _LEAST_OFFERED)
    off = [table for table in known if table not in step.check][:count]
    listed = [*step.check, *off]
    return [
        *rows,
        *((table, text, table in step.check) for table, text in found if table in listed),
    ]


def question_rows(step: StepFile, asked: Sequence[Offer], offered: Sequence[Offer]) -> list[Row]:
    """Return the questions of a step, those about what is selected, and those in own words.

    A row keeps its place when it is switched on or off.
    """
    here = [offer.table for offer in offered]
    found = [*(offer for offer in asked if offer.table not in here), *offered]
    found.sort(key=lambda offer: offer.table.get("kind") in OWN_KINDS)
    return [(o.table, question_text(o), o.table in step.ask) for o in found]


def obstacle_text(reason: str) -> str:
    """Return a sentence on why nothing can be asked about what is selected; "" if it can."""
    if not reason:
        return ""
    # a clause of `app.lessons.questions`: the wire is passed at an earlier step already
    advice = _STEP_BACK if reason.endswith("already") else ""
    return _NOTHING_TO_ASK.format(reason=reason) + advice


def question_text(offer: Offer) -> str:
    """Return a question with its answer, and below it what slips would say."""
    table = offer.table
    kind = str(table.get("kind", ""))
    about = str(table.get("wire") or table.get("node") or "")
    if kind == "change":
        about = f"of {table.get('node')} when {table.get('leaf')} becomes {table.get('to')}"
    elif kind in ("text", "mistake"):
        about = str(table.get("text", ""))
    elif kind == "next":
        about = "node that fires"
    template = _ASKED_AMONG if offer.distractors else _ASKED if offer.answer else _OPEN
    slips = ", ".join(offer.distractors)
    return template.format(kind=kind, about=about, answer=offer.answer, slips=slips)


def hunt_rows(step: StepFile, visible: Sequence[Rules]) -> list[Row]:
    """Return the mistakes that show on the graph of a hunt, then its others, by title."""
    shown = [rules.name for rules in visible]
    names = [*shown, *(name for name in step.hunt if name not in shown)]
    titles = {name: BY_NAME[name].title if name in BY_NAME else name for name in names}
    return [(name, title, name in step.hunt) for name, title in titles.items()]


def head_faults(draft: Draft, reading: Reading) -> list[str]:
    """Return what is wrong with the head of a lesson; [] as long as the lesson has no step."""
    if not draft.steps:
        return []
    return [
        _said(fault.where, fault.clause)
        for fault in reading.faults
        if fault.step is None and fault.where != _STEP_COUNT
    ]


def step_faults(reading: Reading, at: int) -> list[str]:
    """Return what is wrong with a step, each clause once: a node that is gone is in many keys."""
    place, found = f"step {at + 1}", dict[str, str]()
    for fault in reading.faults:
        if fault.step == at:
            where = fault.where.removeprefix(place).lstrip(", ")
            found.setdefault(fault.clause, _said(where, fault.clause))
    return list(found.values())


def _said(where: str, clause: str) -> str:
    """Return a clause after its key; an empty text is one that is missing."""
    if clause in _NEEDS_TICKS:
        return NOTHING_TICKED
    if clause.startswith(_EMPTY):
        return f"{where} is missing: {clause.removeprefix(_EMPTY)}"
    return f"{where}: {clause}" if where else clause


def recording_text(at: int, recording: Moves) -> str:
    """Return the state for the status line: `recording step 4: 1 move`."""
    count = counted(len(recording.moves), "{count} move", "{count:,} moves")
    return f"recording step {at + 1}: {count}"


def status_text(draft: Draft, reading: Reading) -> str:
    """Return how many steps and errors a lesson has: `✓ 4 steps, no errors`."""
    steps = counted(len(draft.steps), "{count} step", "{count:,} steps")
    count = len(reading.faults)
    if not count:
        return f"✓ {steps}, no errors"
    errors = counted(count, "{count} error", "{count:,} errors")
    about_count = [fault.clause for fault in reading.faults if fault.where == _STEP_COUNT]
    return "; ".join((f"{steps}, {errors}", *about_count))
