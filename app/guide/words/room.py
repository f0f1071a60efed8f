"""Texts of a lesson for a room: what it sees, and what the speaker reads of it.

The strip of a presentation and the speaker's window paint a `RoomStrip`. It holds no number that is
hidden from the room.

    room_strip(state, now, context)  the strip of the current slide and stage
    next_strip_and_state(...)     that after the next PageDown: for the speaker alone
    spoken_strip(strip)             a strip as one text, for screen readers
    question_sentence(slide)      the question alone, and the answer to it: for paper and records
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from app.controls.spans import Span, Spans, filled, number_span, plain_text, verbatim
from app.guide.play.poll import LETTERS, Poll, poll_of, right_choice
from app.guide.play.slides import Slide
from app.lessons.parsing import LINE_LIMIT
from app.workbench.gradients.formulas import grad_name
from app.workbench.playback.view_state import ViewState, view_of
from app.workbench.words.help import lesson_text, outside_pass_sentence, worked_line
from app.workbench.words.live_texts import live_spans
from app.workbench.words.narration import narrate
from app.workbench.words.strip import StripContext, mistake_name, step_count_text
from app.workbench.words.strip_writers import write_strip
from engine.asking.judging import number_text
from engine.asking.kinds import KINDS, answer
from engine.asking.question import Question, receiver
from engine.frame import Phase
from engine.numbers import DIGITS_SHOWN, Digits, counted, is_short_whole, short
from engine.problems import SPOKEN_LENGTH, short_name_with_op
from engine.trace import Trace

if TYPE_CHECKING:
    from app.guide.play.guide import Room
    from app.lessons.situation import Situation


RoomStripKind = Literal["sentence", "question", "reveal", "blank"]
"""The step sentence with its timeline; an open question; its answer; a black screen with a line."""
ChoiceState = Literal["open", "right", "wrong"]

_BEFORE_STEPS: Final[Mapping[Phase, str]] = {
    "live": "**{root}** is {value}.",
    "forward": "Leaves and constants are known.",
    "backward": "No gradient is known yet.",
}
"""The sentence before the first step of a phase: unlike the strip's it names no key, as in a
lecture the remote's key shows the next slide."""
_WHICH_MISTAKE: Final = "Which mistake is on?"
_KEY: Final = "key 1 counts a hand, Shift takes one back"
_KEYS: Final = "keys 1–{count} count a hand, Shift takes one back"
_AT_FIRST: Final = "{count:,} at first"
_PLACES: Final[Mapping[Phase, str]] = {
    "backward": "backward {step:,} of {steps:,}",
    "forward": "forward {step:,} of {steps:,}",
}
_GAP: Final = " · "
_SENTENCE_ENDS: Final = re.compile(r"(?<=[.!?])\s+")


class RoomChoice(Struct, frozen=True):
    """One choice: its letter, label and hands; `say` explains it once it is right or wrong.

    `earlier` are the hands of the first count, None unless the question was asked again.
    """

    letter: str
    label: str
    hands: int = 0
    state: ChoiceState = "open"
    say: str = ""
    earlier: int | None = None


class RoomStrip(Struct, frozen=True):
    """The content below the sheet: `foot` is its last line, at the left and at the right.

    `hands` and `earlier_hands` are the totals, of which the bars show the shares.
    """

    kind: RoomStripKind
    sentence: Spans
    choices: tuple[RoomChoice, ...] = ()
    foot: tuple[str, str] = ("", "")
    hands: int = 0
    earlier_hands: int = 0

    @property
    def is_poll(self) -> bool:
        """Return whether it is a question with its choices, open or answered."""
        return self.kind in ("question", "reveal")


def room_strip(
    state: Room, now: ViewState, context: StripContext, *, tells_keys: bool = False
) -> RoomStrip:
    """Return the strip of the current slide and stage; `now` is the view of the sheet.

    With `tells_keys` the foot of an open question names the lecturer's keys.
    """
    slide, poll = state.slide, state.poll
    if slide.kind == "blank":
        return RoomStrip("blank", verbatim(slide.text))
    if poll is None:
        return RoomStrip(
            "sentence", told_sentence(slide, now, context), foot=("", _pass_place(now))
        )
    totals = (poll.total, sum((poll.earlier or {}).values()))
    if state.stage == "asked":
        question = (
            Span("?", "selection", bold=True),
            Span(" "),
            *question_sentence(slide, context.digits),
        )
        return RoomStrip(
            "question", question, _shown_choices(poll), _foot(slide, poll, tells_keys), *totals
        )
    choices = _shown_choices(poll, judged=True)
    return RoomStrip("reveal", answer_sentence(slide, now, context), choices, ("", ""), *totals)


def next_strip_and_state(
    state: Room, digits: Digits = DIGITS_SHOWN
) -> tuple[RoomStrip, Room] | None:
    """Return the strip and the state after the next PageDown; None at the end.

    An open question has its right shown marked, or where numbers are called out the right number as
    its only shown: this is for the speaker alone.
    """
    after = state.following
    situation = None if after is None else after.situation
    if after is None or situation is None:  # the last slide ends in the sheet, which has no strip
        return None
    if after.stage == "asked" and after.poll is None:
        after = after.with_poll(poll_of(after.slide, digits))
    strip = room_strip(after, view_at(situation), StripContext(digits=digits, presented=True))
    if after.stage == "asked" and after.poll is not None:
        strip = replace(
            strip, choices=_answer_marked(strip.choices, after.poll, after.slide, digits)
        )
    return strip, after


def view_at(situation: Situation) -> ViewState:
    return replace(view_of(situation.known_frame), rules=situation.rules)


def _answer_marked(
    choices: Sequence[RoomChoice], poll: Poll, slide: Slide, digits: Digits
) -> tuple[RoomChoice, ...]:
    """Return the choices of an open question with the right one marked."""
    right = right_choice(slide, digits)
    if not choices and right is not None:
        return (RoomChoice("", right.label, state="right", say=right.say),)
    return tuple(
        replace(shown, state="right", say=choice.say) if choice.right else shown
        for shown, choice in zip(choices, poll.choices, strict=True)
    )


# the sentences


def told_sentence(slide: Slide, now: ViewState, context: StripContext) -> Spans:
    """Return the sentence of a slide that asks nothing: its own text, or else that of the place."""
    return said_sentence(slide, now, context.digits) or shown_sentence(now, context)


def said_sentence(slide: Slide, now: ViewState, digits: Digits) -> Spans:
    """Return what a step of kind say tells at its place: as many sentences as a room reads at a
    glance, or else its title; () without a text, and while the pass is stepped."""
    step, begun = slide.step, slide.situation
    here = begun is not None and (now.frame.phase, now.frame.cursor) == (begun.phase, begun.cursor)
    if step.kind != "say" or not (step.text and here):
        return ()
    words = ""
    for sentence in _SENTENCE_ENDS.split(" ".join(step.text.split())):
        if len(words) + len(sentence) >= LINE_LIMIT:
            break
        words = f"{words} {sentence}".strip()
    return live_spans(words or step.title, now, digits)


def shown_sentence(now: ViewState, context: StripContext) -> Spans:
    """Return the sentence of a slide that shows: that of the strip, without a key to press."""
    frame = now.frame
    if frame.current is not None:
        return write_strip(now, replace(context, voice="plain", presented=True)).sentence
    graph = frame.graph
    root = graph.root
    if frame.phase == "live" and (root is None or root not in frame.values):
        return ()  # an edit has disconnected the root: it has no value
    fields: dict[str, Span | Spans | str] = {}
    if root is not None and frame.phase == "live":
        value = frame.values[root]
        fields["root"] = graph.brief(root, SPOKEN_LENGTH)
        fields["value"] = number_span(value, "value", short(value, context.digits))
    return (*mistake_name(now, context), *filled(_BEFORE_STEPS[frame.phase], **fields))


def question_sentence(slide: Slide, digits: Digits) -> Spans:
    """Return the question as a sentence, without the numbers asked about."""
    question = slide.question
    if question is None:
        own = slide.text or (_WHICH_MISTAKE if slide.asks == "mistake" else "")
        return lesson_text(own)
    return filled(KINDS[question.kind].asks, **_names(question, slide.trace, digits))


def _names(question: Question, trace: Trace, digits: Digits) -> dict[str, Span]:
    """Return the names in a question, and the two numbers of a leaf that changes."""
    graph, asked = trace.graph, receiver(question, trace)
    texts = {
        "node": short_name_with_op(graph, question.node),
        "receiver": graph.brief(asked, SPOKEN_LENGTH),
        "root": graph.brief(trace.root, SPOKEN_LENGTH),
        "held_in": grad_name(graph, asked, SPOKEN_LENGTH),
    }
    names = {name: Span(text, bold=True) for name, text in texts.items()}
    if question.kind != "change":
        return names
    old = trace.values[question.leaf]
    return names | {
        "leaf": Span(graph.brief(question.leaf, SPOKEN_LENGTH), bold=True),
        "old": number_span(old, "value", short(old, digits)),
        "new": number_span(question.to, "value", short(question.to, digits)),
    }


def answer_sentence(slide: Slide, now: ViewState, context: StripContext) -> Spans:
    """Return the sentence of the answer: that of the step just revealed, or the worked line."""
    question = slide.question
    if question is None:
        return _own_answer(slide)
    phase = "backward" if question.wire is not None else "forward"
    of_step = question.wire is not None or question.kind == "value"
    if of_step and now.frame.phase == phase and now.frame.current is not None:
        return narrate(now.frame, "plain", context.digits, presented=True)
    trace = slide.trace
    if question.kind in ("change", "paths"):
        number = answer(question, trace)
        role = "value" if question.kind == "change" else "text"
        blank = number_span(number, role, number_text(question, number, context.digits))
        return outside_pass_sentence(
            question, trace, blank, context.digits, SPOKEN_LENGTH, done=True
        )
    return worked_line([question], trace, context.digits)[1:]  # without the word Worked


def _own_answer(slide: Slide) -> Spans:
    """Return the right choice of a question in own words, or the mistake that is on."""
    mistake = slide.rules
    if slide.asks == "mistake":
        return filled("**{title}**: {sentence}", title=mistake.title, sentence=mistake.sentence)
    right = next((choice for choice in slide.choices if choice.right), None)
    if right is None:
        return question_sentence(slide, DIGITS_SHOWN)
    return filled("**{text}**", text=right.text)


# choices and foot


def _shown_choices(poll: Poll, *, judged: bool = False) -> tuple[RoomChoice, ...]:
    """Return the choices as open choices, or `judged` as right or wrong with their explanations."""
    found: list[RoomChoice] = []
    for k, choice in enumerate(poll.choices):
        verdict: ChoiceState = "right" if choice.right else "wrong"
        state, say = (verdict, choice.say) if judged else ("open", "")
        earlier = poll.earlier_hands(k)
        found.append(RoomChoice(LETTERS[k], choice.label, poll.hands[k], state, say, earlier))
    return tuple(found)


def _foot(slide: Slide, poll: Poll, tells_keys: bool) -> tuple[str, str]:
    """Return the foot of an open question: the keys that exist, and hands, place and next key."""
    most = len(poll.choices)
    keys = counted(most, _KEY, _KEYS) if most and tells_keys else ""
    hands = counted(poll.total, "{count} hand", "{count:,} hands") if poll.total else ""
    then = "PageDown reveals" if slide.step.reveal else "PageDown goes on"
    then = then if tells_keys else ""
    return keys, _GAP.join(part for part in (hands, _place(slide), then) if part)


def _pass_place(now: ViewState) -> str:
    """Return the place in the pass; a step of the lesson, which the speaker reads, is another."""
    return step_count_text(now.frame).replace("Step", now.frame.phase)


def _place(slide: Slide) -> str:
    """Return the step asked about as `backward 6 of 7`; "" for a question about no step."""
    question, shown = slide.question, slide.revealed
    if question is None or shown is None or not (question.step or question.kind == "value"):
        return ""
    return _PLACES[shown.phase].format(step=shown.cursor, steps=shown.known_frame.total)


def spoken_strip(strip: RoomStrip) -> str:
    """Return a strip as one text for screen readers, without any hidden number."""
    parts = [plain_text(strip.sentence).removeprefix("? ")]
    for shown in strip.choices:
        facts = [f"{shown.letter}: {shown.label}" if shown.letter else shown.label]
        if shown.state != "open":
            facts.append(shown.state)
        if strip.hands:
            facts.append(counted(shown.hands, "{count} hand", "{count:,} hands"))
        if shown.earlier is not None:
            facts.append(_AT_FIRST.format(count=shown.earlier))
        said = f": {shown.say}" if shown.say else ""
        parts.append(f"{', '.join(facts)}{said}")
    return " ".join(part if part.endswith((".", "?")) else f"{part}." for part in parts if part)


# steps that are prepared

_SECONDS_PER_MINUTE: Final = 60


def seconds_text(seconds: int) -> str:
    """Return a time as `1:30`."""
    minutes, rest = divmod(seconds, _SECONDS_PER_MINUTE)
    return f"{minutes}:{rest:02}"


def seconds_of(text: str) -> int | None:
    """Return the seconds of a typed time, 0 for an empty text; None for an invalid one.

    >>> [seconds_of(text) for text in ("90", "1:30", "", "soon", "1:75")]
    [90, 90, 0, None, None]
    """
    parts = text.strip().split(":")
    if not text.strip():
        return 0
    if len(parts) > 2 or not all(map(is_short_whole, parts)):
        return None
    *minutes, seconds = map(int, parts)
    if minutes and seconds >= _SECONDS_PER_MINUTE:
        return None
    return sum(minutes) * _SECONDS_PER_MINUTE + seconds
