"""Review: which slips a learner has made, and on which day each is asked about again.

A slip returns INTERVALS days after the last answer: a right answer moves it to the next interval,
the third one ends it, a wrong one begins anew. Nothing here reads a clock.

>>> from app.lessons.progress import Progress
>>> lesson, day = Origin("gears", "Gears in a row"), date(2026, 3, 2)
>>> progress = noted(Progress(), [("factors added", "contribution")], lesson, day)
>>> due_items(progress, day), next_day(progress, day)
((), datetime.date(2026, 3, 3))
>>> [slip.name for slip in due_items(progress, date(2026, 3, 3))]
['factors added']
>>> progress = answered(progress, progress.slips[0], True, date(2026, 3, 3))
>>> progress.slips[0].stage, progress.slips[0].next
(1, datetime.date(2026, 3, 6))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from math import ceil
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from app.lessons.progress import (
    INTERVALS,
    MOST_STORED,
    AskedKind,
    Origin,
    Progress,
    StoredBelief,
    StoredSlip,
)
from engine.asking.inference import BY_NAME as IDEAS
from engine.asking.inference import MENDED_AFTER, Sighting
from engine.asking.question import Kind
from engine.numbers import counted

KIND_INTERVAL: Final = 7
"""Days after which a kind of question of a finished lesson is asked again."""
SECONDS_PER_QUESTION: Final = 75
"""The time for one question from which the button's minutes are estimated."""
MOST_DUE: Final = 5
"""Questions of one day."""
WITHOUT_SLIPS: Final[tuple[Kind, ...]] = ("value", "upstream", "sign", "paths")
"""Kinds for whose wrong answers no slip is known; they are noted under the name ""."""

MOST_NAMED: Final = 2
"""Beliefs that a line names of those open, and of those mended."""
_OPEN, _MENDED = "Open: {beliefs}.", "Mended: {beliefs}."
_DUE: Final = "{count} due, {minutes}."
OPENS_AFTER: Final = 3
"""The lesson of the course after which there is something to review."""
NO_MORE: Final = "no more"
"""The day on which a slip returns after its last interval."""
LOCKED_TEXT: Final = "Opens after lesson {number}: five questions from your own slips"
_WEEKDAYS: Final = (
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"
)  # fmt: skip


class DailyEntry(Struct, frozen=True):
    """Daily five in a list: how many questions are due, and the text that says so.

    `is_open` is whether there has been a lesson whose slips can return.
    """

    questions: int
    text: str
    is_open: bool = True

    @property
    def button(self) -> str:
        return f"Start, {minutes(self.questions)} min" if self.questions else "Start"


ReviewItem: TypeAlias = StoredSlip | AskedKind
"""What a question of a day is about: a slip, or a kind of question."""


def minutes(questions: int) -> int:
    """Return how long so many questions take."""
    return ceil(questions * SECONDS_PER_QUESTION / 60)


def noted(
    progress: Progress, slips: Iterable[tuple[str, Kind]], lesson: Origin, today: date
) -> Progress:
    """Return the progress with slips that were made today, by name and kind of question.

    A slip made before begins anew. Its lesson is the one given here.
    """
    found = {(slip.name, slip.kind): slip for slip in progress.slips}
    again = today + timedelta(days=INTERVALS[0])
    for key in slips:
        found.pop(key, None)  # so that the latest slips are last
        found[key] = StoredSlip(*key, lesson.lesson, lesson.title, today, again)
    return replace(progress, slips=tuple(found.values())[-MOST_STORED:])


def asked(progress: Progress, kinds: Iterable[Kind], lesson: Origin, today: date) -> Progress:
    """Return the progress with kinds of questions that a lesson has asked today."""
    found = {(each.lesson, each.kind): each for each in progress.asked}
    for kind in kinds:
        found.pop((lesson.lesson, kind), None)
        found[lesson.lesson, kind] = AskedKind(kind, lesson.lesson, lesson.title, today)
    return replace(progress, asked=tuple(found.values())[-MOST_STORED:])


def answered(progress: Progress, about: ReviewItem, right: bool, today: date) -> Progress:
    """Return the progress after the first answer to a question of the day."""
    progress = asked(progress, (about.kind,), about.origin, today)
    if isinstance(about, AskedKind):
        return progress
    key = about.name, about.kind
    slips = {(slip.name, slip.kind): slip for slip in progress.slips}
    slip, stage = slips.pop(key, about), about.stage + 1 if right else 0
    again = today + timedelta(days=(*INTERVALS, 0)[stage])
    slips[key] = replace(slip, stage=stage, next=again)
    return replace(progress, slips=tuple(slips.values()))


def believed(progress: Progress, seen: Iterable[Sighting], today: date) -> Progress:
    """Return the progress after answers that show beliefs.

    A belief that gave an answer is open; it is mended by MENDED_AFTER right ones in a row where it
    gives another number, of which one is about another graph than that on which it was seen.
    """
    found = {each.name: each for each in progress.beliefs}
    for each in seen:
        held = found.get(each.idea)
        if each.outcome == "held":
            found.pop(each.idea, None)  # so that the latest is last
            found[each.idea] = StoredBelief(each.idea, today, graph=each.graph, place=each.place)
        elif held is not None and each.outcome == "wrong":
            place = each.place
            found[each.idea] = replace(held, right_in_a_row=0, elsewhere=False, place=place)
        elif held is not None and held.stage == "open":
            right = held.right_in_a_row + 1
            elsewhere = held.elsewhere or each.graph != held.graph
            stage = "mended" if right >= MENDED_AFTER and elsewhere else "open"
            found[each.idea] = replace(held, stage=stage, right_in_a_row=right, elsewhere=elsewhere)
    return replace(progress, beliefs=tuple(found.values())[-MOST_STORED:])


def open_beliefs(progress: Progress) -> tuple[str, ...]:
    """Return the names of the beliefs that are open, the one seen last first."""
    return tuple(each.name for each in progress.beliefs[::-1] if each.stage == "open")


def beliefs_text(progress: Progress) -> str:
    """Return which beliefs are open and mended: `Open: the slope alone. Mended: a turned sign.`"""
    texts: list[str] = []
    for stage, template in (("open", _OPEN), ("mended", _MENDED)):
        of_stage = [each.name for each in progress.beliefs[::-1] if each.stage == stage]
        titles = [IDEAS[name].title for name in of_stage if name in IDEAS]
        if titles:
            more = len(titles) - MOST_NAMED
            named = ", ".join((*titles[:MOST_NAMED], *((f"{more} more",) if more > 0 else ())))
            texts.append(template.format(beliefs=named))
    return " ".join(texts)


def due_items(progress: Progress, today: date) -> tuple[ReviewItem, ...]:
    """Return what is asked about today: slips, the longest due first, then kinds of questions.

    The kinds are those of finished lessons; no more than MOST_DUE items are returned.
    """
    slips = [slip for slip in progress.slips if _is_due(slip, today)]
    kinds = [kind for kind in _finished_kinds(progress) if _day_of_kind(kind, today) <= today]
    slips.sort(key=lambda slip: (slip.next, slip.last))
    kinds.sort(key=lambda kind: kind.last)
    return (*slips, *kinds)[:MOST_DUE]


def next_day(progress: Progress, today: date) -> date | None:
    """Return the first day after today on which something is due; None if nothing will be."""
    days = [slip.next for slip in progress.slips if not slip.is_over and not _is_due(slip, today)]
    days += [_day_of_kind(kind, today) for kind in _finished_kinds(progress)]
    return min((day for day in days if day > today), default=None)


def daily_entry(progress: Progress, course: Sequence[str], today: date) -> DailyEntry:
    """Return Daily five as a list shows it; `course` are the names of its lessons in order."""
    ended = [name for name in progress.names if progress.of(name).ended]
    # OPENS_AFTER lessons in any order, or one from there on
    has_later = not set(ended).isdisjoint(course[OPENS_AFTER - 1 :])
    if len(ended) < OPENS_AFTER and not has_later:
        return DailyEntry(0, LOCKED_TEXT.format(number=OPENS_AFTER), is_open=False)
    found = due_items(progress, today)
    if found:
        length = counted(minutes(len(found)), "{count} minute", "{count} minutes")
        text = _DUE.format(count=len(found), minutes=length)
        return DailyEntry(len(found), f"{text} {beliefs_text(progress)}".rstrip())
    day = next_day(progress, today)
    following = "Your slips come back here" if day is None else f"Next: {day_text(day, today)}"
    return DailyEntry(0, f"Nothing is due. {following}. {beliefs_text(progress)}".rstrip())


def day_text(day: date, today: date) -> str:
    """Return a day after today in a sentence: `tomorrow`, `on Friday`, `in 7 days`."""
    days = (day - today).days
    if days <= 1:
        return "tomorrow"
    is_within_week = days < len(_WEEKDAYS)  # so that a weekday means one day
    return f"on {_WEEKDAYS[day.weekday()]}" if is_within_week else f"in {days} days"


def returns_text(progress: Progress, about: ReviewItem, today: date) -> str:
    """Return when a slip or a kind of question that was asked today comes back: `tomorrow`."""
    if isinstance(about, AskedKind):
        return day_text(today + timedelta(days=KIND_INTERVAL), today)
    found = [slip for slip in progress.slips if (slip.name, slip.kind) == (about.name, about.kind)]
    return day_text(found[0].next, today) if found and not found[0].is_over else NO_MORE


def _is_due(slip: StoredSlip, today: date) -> bool:
    """Return whether a slip is due, as is any slip noted while the computer's clock was ahead."""
    is_ahead = slip.next - today > timedelta(days=max(INTERVALS))
    return not slip.is_over and (slip.next <= today or is_ahead)


def _day_of_kind(kind: AskedKind, today: date) -> date:
    """Return the day on which a kind is asked again; today if it was asked on a day after today."""
    return today if kind.last > today else kind.last + timedelta(days=KIND_INTERVAL)


def _finished_kinds(progress: Progress) -> list[AskedKind]:
    """Return each kind of the finished lessons once, with the day on which any lesson asked it."""
    by_day = sorted(progress.asked, key=lambda each: each.last)
    last = {each.kind: each.last for each in by_day}
    of_finished = {each.kind: each for each in by_day if progress.of(each.lesson).ended}
    return [replace(each, last=last[kind]) for kind, each in of_finished.items()]
