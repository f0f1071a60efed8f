"""Playback: the one owner of the trace and of the cursor in it.

Phases and their transitions:

    live       values only; `forward` and `backward` start a pass, a step starts backward;
               during a training loop, the results of its last step
    forward    cursor 0..n, one op node a step
    backward   cursor 0..n, 0 nothing yet, 1 the seed, then one contribution a step

A change of a value keeps the phase and the cursor; a change of the wiring, the active root or
the mistake returns to 0 and says so, or to live when the graph can't run.

Views listen to `shown` alone: it follows every change of the document too, once the numbers
belong to the new graph, and carries that change. So each view is refreshed once per action.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from app.document.change import NO_CHANGE, Change, OrderChange, difference
from app.document.document import Document
from app.document.document_file import SUFFIX
from app.document.sheet import Sheet
from app.lessons.course import Folded
from app.lessons.situation import Situation
from app.workbench.modes.evidence import Evidence, evidence, ripple_of
from app.workbench.modes.mode import STEPPING, Mode
from app.workbench.playback.stops import next_stop, previous_stop
from app.workbench.playback.view_state import ViewState, next_view_state
from engine.asking.nudge import GraphRipple, RippleRequest, change_since, requested_ripple
from engine.errors import EngineError
from engine.frame import Frame, Phase, frame_at, live_frame
from engine.graph import Graph
from engine.problems import obstacle, pass_obstacle
from engine.rules import CORRECT, Recorded, Rules
from engine.schedule import Pass
from engine.trace import run_again, run_within_limit

SPEEDS: tuple[float, ...] = (0.5, 1.0, 2.0, 4.0)
"""Playing speeds to choose from, in steps per second; the first is the usual one.

At one step a second the sentence of a step, some twelve words, can't be read.
"""
MIN_SPEED, MAX_SPEED = 0.1, 20.0
"""Range of the speeds that a program may set, in steps per second."""
_MS_PER_SECOND = 1000
_ROOTED = "{name} is the root now: it feeds nothing else. Ctrl+Z takes the mark back."
_ROOTED_NAME_LENGTH = 20


class DraggedValue(Struct, frozen=True, eq=False):
    """The node whose value is being dragged, and graph and values when it was pressed."""

    node: int
    graph: Graph
    values: Mapping[int, float]


class PlaybackState(QObject):
    """The frame that is shown, and the settings of the playback."""

    shown = Signal(object)
    """Emitted with the new ViewState, also after a change of the settings."""
    stepped = Signal(bool)
    """Emitted after a single step forward, not after scrubbing; the frame is shown already.

    It carries whether Play took the step, not the learner.
    """
    said = Signal(str)
    """Emitted with a sentence for the learner."""
    pass_blocked = Signal(object, str)
    """Emitted with the Problem that prevents a pass from starting, and the phase of that pass."""
    answer_wanted = Signal()
    """Emitted when a step can't be taken before an open question is answered."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._withheld = frozenset[int]()
        self._frame = live_frame(document.graph)
        """The frame at the playback's cursor, nothing hidden; live in a mode with its own position.

        `frame` is the shown one: at the mode's position, without the numbers that it hides.
        """
        self._now = ViewState(document.sheet, self._frame)
        self._by_node = False
        self._mode: Mode = STEPPING
        self._recorded_rules: tuple[Recorded, Graph, Rules] | None = None
        """The rules of the program's pass on a graph."""
        self._speed, self._interval = SPEEDS[0], round(_MS_PER_SECOND / SPEEDS[0])
        """Speed of Play in steps per second, and the time between two steps in ms."""
        self._ripple: RippleRequest | None = None
        self._drag: DraggedValue | None = None
        self._folded: frozenset[Folded] = frozenset()
        self._held = 0
        """How many `at_once` are on."""
        self._waiting: tuple[Sheet, list[Change], list[str]] | None = None
        """The sheet that was shown last, and changes and sentences since, which are not emitted."""
        self._timer = QTimer(self)
        self._timer.setInterval(self._interval)

    @property
    def now(self) -> ViewState:
        """Return the view state of the last message."""
        return self._now

    @property
    def lags_behind_document(self) -> bool:
        """Return whether the document has changed and `shown` is not emitted yet."""
        return self._now.sheet is not self._document.sheet

    @property
    def title(self) -> str:
        """Return the graph's name: the document's title without the file extension."""
        return self._document.title.removesuffix(SUFFIX)

    @property
    def frame(self) -> Frame:
        """Return the current frame; while a learner is asked, without the numbers asked for."""
        return self._now.frame

    @property
    def phase(self) -> Phase:
        """Return live, forward or backward."""
        return self._now.frame.phase

    @property
    def cursor(self) -> int:
        """Return the number of steps done."""
        return self._now.frame.cursor

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    @property
    def by_node(self) -> bool:
        """Return whether a step ends with the current node's last contribution."""
        return self._by_node

    @property
    def speed(self) -> float:
        """Return the playing speed in steps per second."""
        return self._speed

    @property
    def _rules(self) -> Rules:
        """The chosen rules, which belong to the document, or those of the program's pass.

        A program's wrong pass is run as it was only where that is chosen.
        """
        chosen, graph = self._document.home.rules, self._document.graph
        recorded = self._document.sheet.recorded
        if chosen.name != "recorded" and (recorded is None or recorded.wrong or chosen.is_mistake):
            return chosen
        if recorded is None:
            return CORRECT  # its wiring was edited
        known = self._recorded_rules
        if known is None or known[0] is not recorded or known[1] is not graph:
            self._recorded_rules = known = (recorded, graph, recorded.rules_on(graph))
        return known[2]

    @_rules.setter
    def _rules(self, rules: Rules) -> None:
        self._document.home.rules = rules

    @property
    def rules(self) -> Rules:
        """Return the rules of the backward pass, as far as they may be known."""
        return self._mode.known_rules(self._rules)

    @contextmanager
    def at_once(self) -> Generator[None]:
        """Make one `shown` of all that happens meanwhile; `now` follows each part of it."""
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1
            if not self._held and self._waiting is not None:
                (before, changes, said), self._waiting = self._waiting, None
                found = difference(before, self._now.sheet).of(changes)
                self._now = replace(self._now, change=found)
                self._emit(said)

    # settings

    def set_speed(self, speed: float) -> None:
        """Set the playing speed in steps per second, from `MIN_SPEED` to `MAX_SPEED`."""
        self._speed = min(max(speed, MIN_SPEED), MAX_SPEED)
        self._interval = round(_MS_PER_SECOND / self._speed)
        self._timer.setInterval(self._interval)
        self._emit_view_state()

    def set_by_node(self, by_node: bool) -> None:
        """Stop after each node instead of each contribution."""
        self._by_node = by_node
        self._emit_view_state()

    def fold(self, folded: frozenset[Folded]) -> None:
        """Show all but what a lesson keeps for later."""
        if folded != self._folded:
            self._folded = folded
            self._emit_view_state()

    # ripple

    @property
    def ripple_request(self) -> RippleRequest | None:
        """Return the ripple that was asked for, or None; a dragged value needs no request."""
        return self._ripple

    def set_ripple(self, wanted: RippleRequest | None) -> None:
        """Show a ripple until something is asked or the pass moves; None ends it."""
        if wanted != self._ripple:
            self._ripple = wanted
            self._now = replace(self._now, released=None)
            self._emit_view_state()

    def hold_value(self, node: int) -> None:
        """Begin the ripple of a dragged value, until it is released."""
        now = self._now
        if not now.hides_numbers and now.loop is None and node in now.values:
            self._drag = DraggedValue(node, now.frame.graph, now.values)

    def release_value(self, committed: bool = True) -> None:
        """End the ripple of a dragged value; its effect stays in the strip if `committed`."""
        if self._drag is None:
            return
        self._drag, now = None, self._now
        self._now = replace(now, released=now.ripple if committed and now.dragged else None)
        self._emit_view_state()

    def _with_ripple(self, now: ViewState, change: Change) -> ViewState:
        """Return the view state with its ripple: of a dragged value, a request, or an answer."""
        last = self._now
        moved = (now.frame.phase, now.frame.cursor) != (last.frame.phase, last.frame.cursor)
        ends = change.whole or now.hides_numbers or now.loop is not None
        if ends or moved:
            self._ripple = None
        if ends or change.wiring or change.boxes:  # a drag of a value changes neither
            self._drag = None
        rippling = None if self._drag is None else _ripple_of_drag(self._drag, now)
        dragged = rippling is not None
        if rippling is None and self._ripple is not None:
            rippling = _ripple_of_request(self._ripple, now, last)
            self._ripple = self._ripple if rippling is not None else None
        found = None if rippling is not None else _evidence(now)
        shown = None if found is None else _ripple_of_evidence(found, now, last)
        # the effect of a value just released stays in the strip until something else happens
        stays = rippling is None and shown is None and now.mode is last.mode
        stays = stays and not (moved or change.graph or now.hides_numbers)
        released = last.released if stays else None
        now = replace(now, ripple=rippling or shown, evidence=found if shown else None)
        return replace(now, dragged=dragged, released=released)

    def _emit_view_state(self, change: Change = NO_CHANGE, said: str = "") -> None:
        """Emit `shown` with the new view state, or wait for the end of `at_once`."""
        document, frame = self._document, self._frame
        self._mode = self._mode.with_seen_frame(frame)
        now = next_view_state(self._now, document.sheet, frame, self._mode, self.rules)
        now = self._with_ripple(now, change)
        before = self._now.sheet
        self._now = replace(now, inside=document.inside, change=change, folded=self._folded)
        if self._held:
            self._waiting = self._waiting or (before, [], [])
            self._waiting[1].append(change)
            self._waiting[2].append(said)
        else:
            self._emit([said])

    def _emit(self, sentences: Iterable[str]) -> None:
        """Emit what is said first, as a view may have more to say of the same edit."""
        for sentence in filter(None, sentences):
            self.said.emit(sentence)
        self.shown.emit(self._now)


def _ripple_of_request(
    wanted: RippleRequest, now: ViewState, last: ViewState
) -> GraphRipple | None:
    """Return the requested ripple, cached while the graph is the same; None without a value."""
    known, graph = last.ripple, now.frame.graph
    if wanted.node not in now.values:
        return None
    same = known is not None and known.graph is graph and not last.dragged
    if same and known is not None and known.request == wanted:
        return known
    return requested_ripple(graph, wanted, now.values)


def _evidence(now: ViewState) -> Evidence | None:
    """Return the question whose truth or experiment is shown.

    While more is asked outside a pass, the ripple of a change would give it away.
    """
    found = None if now.quiz is None else evidence(now.quiz, now.frame)
    is_change = found is not None and found.question.kind == "change"
    return None if is_change and now.hides_numbers else found


def _ripple_of_evidence(found: Evidence, now: ViewState, last: ViewState) -> GraphRipple | None:
    """Return the ripple of a question; the same while it is shown, so that it runs once."""
    trace = now.unhidden_trace
    if last.evidence == found and last.frame.graph is now.frame.graph:
        return last.ripple
    return None if trace is None else ripple_of(found, trace)


def _ripple_of_drag(drag: DraggedValue, now: ViewState) -> GraphRipple | None:
    """Return the ripple of a dragged value since the press; None if it has not changed."""
    node, graph = drag.node, now.frame.graph
    if drag.graph.structure is not graph.structure or drag.values[node] == now.values[node]:
        return None
    return change_since(graph, node, drag.values, now.values)


class Playback(PlaybackState):
    """The pass that is shown, and the position in it."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(document, parent)
        self._timer.timeout.connect(self._play_on)
        document.changed.connect(self._follow)

    # starting and leaving a pass

    def backward(self, *, cursor: int = 1) -> bool:
        """Start the backward pass at the seed or at a cursor; return whether it could start."""
        return self._begin("backward", self._first_cursor if cursor == 1 else cursor)

    def forward(self, *, cursor: int = 0) -> bool:
        """Start the forward pass with only leaves and constants known; False if it can't start."""
        return self._begin("forward", cursor)

    def leave(self) -> None:
        """Leave the pass: show all values and no gradients."""
        self._timer.stop()
        if not self._mode.survives_pass:
            self._mode = STEPPING
        self._frame = self._live_frame()
        self._emit_view_state()

    def withhold(self, leaves: Collection[int]) -> None:
        """Show these leaves, and what depends on them, without values outside a pass."""
        self._withheld = frozenset(leaves)
        if self._frame.phase == "live":
            self._frame = self._live_frame()
            self._emit_view_state()

    def show(self, situation: Situation, mode: Mode = STEPPING) -> None:
        """Show the place of a situation on the document's graph, in a mode, with one `shown`."""
        with self.at_once():
            if self.rules is not situation.rules:
                self.leave()  # else the reset to the start of the pass is said
            self.set_mode(STEPPING)  # a question would hold the pass at its step
            self.set_rules(situation.rules)
            self.show_place(situation.phase, situation.cursor)
            self.set_mode(mode)

    def show_place(self, phase: Phase, cursor: int) -> None:
        """Go to a cursor of a pass, which is begun anew, or leave the pass for the phase live."""
        if phase == "backward":
            self.backward(cursor=cursor)
        elif phase == "forward":
            self.forward(cursor=cursor)
        else:
            self.leave()

    # moving in the pass

    def step(self, *, whole_node: bool = False, played: bool = False) -> None:
        """Go one step on, or to the end of the node; outside a pass, or at its end, start backward.

        An open question is answered first: playing pauses, and `answer_wanted` is emitted. `played`
        says that Play takes the step.
        """
        if self._mode.shows_answer:
            self.set_mode(self._mode.after_move())
            # Go on ends here if there is a question to be read, or no next step
            if self._mode.is_open(self._frame) or self.cursor == self._frame.total:
                return
        before = self.cursor
        if self._mode.is_open(self._frame):
            self.pause()
            self.answer_wanted.emit()
        elif self._frame.trace is None or self._is_at_forward_end:
            self.backward()
        else:
            by_node = self._by_node and not self._mode.asks_each_step
            self.go(next_stop(replace(self._now, frame=self._frame), whole_node or by_node))
        # several steps at once, of a node or a collapsed group, are no single step
        if not whole_node and self.frame.trace is not None and self.cursor == before + 1:
            self.stepped.emit(played)

    def step_back(self, *, whole_node: bool = False) -> None:
        """Go one step back, or to the start of the node."""
        self.go(previous_stop(replace(self._now, frame=self._frame), whole_node or self._by_node))

    def to_end(self) -> None:
        """Go to the end of the pass; outside one, of the backward pass."""
        if self._frame.trace is None:
            self._begin("backward", None)
        else:
            self.go(self._frame.total)

    def go(self, cursor: int, *, pause: bool = False) -> None:
        """Go to any cursor of the pass; playing stops at the end, and with `pause` in any case."""
        if self._frame.trace is None:
            return
        target = max(0, min(cursor, self._frame.total, self._mode.furthest(self._frame)))
        if ends := self.playing and (pause or target == self._frame.total):
            self._timer.stop()
        if moves := target != self.cursor:
            self._show_at(target)
        if ends or moves:
            self._emit_view_state()

    # playing

    def play(self) -> None:
        """Start playing, from the beginning if the pass is at its end."""
        if self._frame.trace is None:
            self._begin("backward", self._first_cursor, play=True)
            return
        if self.cursor >= self._frame.total:
            self._show_at(0)
        self._timer.start(self._interval // 4)  # who pressed Play watches, and has read this step
        self._emit_view_state()

    def pause(self) -> None:
        if self.playing:
            self._timer.stop()
            self._emit_view_state()

    def toggle_play(self) -> None:
        (self.pause if self.playing else self.play)()

    def _play_on(self) -> None:
        self._timer.setInterval(self._interval)  # the first step came sooner
        self.step(played=True)

    # mode and rules

    def set_mode(self, mode: Mode) -> None:
        """Set the mode, or its next state; STEPPING ends it.

        A mode whose graph is not the document's is shown once the document has that graph.
        """
        if mode.owns_position:
            self._timer.stop()
            self._frame = self._live_frame()
        before, self._mode = self._mode.rules(self._rules), mode
        if mode.clears_mistake:
            self._rules = CORRECT
        rules = mode.rules(self._rules)
        if rules is not before and self._frame.phase == "backward":
            self._frame, _said = restart_frame(self._document.graph, self._frame, rules, "")
        if mode.belongs_to(self._document.graph):
            self._emit_view_state()

    def advance(self, mode: Mode) -> None:
        """Take the next step, which was answered, in the mode that shows its answer."""
        assert self._frame.trace is not None
        self._timer.stop()
        self._frame = frame_at(self._frame.trace, self.cursor + 1)
        self._mode = mode
        self._emit_view_state()
        self.stepped.emit(False)

    def set_rules(self, rules: Rules) -> None:
        """Set the rules of the backward pass, and go back to its start."""
        if rules == self._rules and not self._mode.sets_rules:
            return
        self._rules, said = rules, ""
        sentence = "The rules changed: the backward pass is back at its start."
        if self.phase == "backward":
            said = self._restart(sentence)
        elif self._mode.owns_position or self._mode.sets_rules:  # it was begun with other rules
            said, self._mode = with_end_of("", self._mode), STEPPING
        self._emit_view_state(said=said)

    def can_begin(self, graph: Graph, phase: Pass, refusal: Callable[[Graph], str]) -> bool:
        """Return whether a mode can begin on a graph, or say why not.

        `refusal` returns another reason than an unfinished graph, or "".
        """
        if not self._can_run(graph, phase):
            return False
        try:
            why = refusal(self._document.graph)
        except EngineError as error:
            why = str(error)
        if why:
            self.said.emit(why)
        return not why

    # private

    @property
    def _is_at_forward_end(self) -> bool:
        """Return whether the shown frame is the last of a forward pass."""
        return self.phase == "forward" and self.cursor == self.frame.total

    @property
    def _first_cursor(self) -> int:
        """Return where a backward pass begins: at the seed, or at 0 with a question before it."""
        return 0 if self._mode.begins_before_seed else 1

    def _begin(self, phase: Pass, cursor: int | None, play: bool = False) -> bool:
        """Run a pass and show it at a cursor (None: its end); report a problem that prevents it."""
        if not self._can_run(self._document.graph, phase):
            return False
        try:
            rules = self._mode.rules(self._rules)
            trace = run_within_limit(self._document.graph, phase, rules)
        except EngineError as error:
            self.said.emit(str(error))
            return False
        self._mode = STEPPING if self._mode.owns_position else self._mode.restarted(self._frame)
        self._ripple, self._now = None, replace(self._now, released=None)  # also at the same cursor
        end = frame_at(trace, len(trace))
        self._frame = frame_at(
            trace, min(end.cursor if cursor is None else cursor, self._mode.furthest(end))
        )
        self._timer.stop()
        if play:
            self._timer.start()
        self._emit_view_state()
        return True

    def _can_run(self, graph: Graph, phase: Pass) -> bool:
        """Return whether a pass can run, or say why not; a lone sink becomes the root for it."""
        sink, document = graph.lone_sink, self._document
        problem = pass_obstacle(graph)
        if sink is not None and not (document.locked or document.sheet.wiring_locked):
            problem = obstacle(graph, sink)
            if problem is None and document.mark_root(sink) is not None:
                self.said.emit(_ROOTED.format(name=graph.brief(sink, _ROOTED_NAME_LENGTH)))
        if problem is not None:
            self.pass_blocked.emit(problem, phase)
        return problem is None

    def _follow(self, change: Change) -> None:
        """Recompute after an edit, so that numbers always belong to the graph."""
        said, graph, trace = "", self._document.graph, self._frame.trace
        if change.graph and (trace is None or change.whole):
            self._timer.stop()
            self._frame = self._live_frame()
            said = self._mode_after(change)
        elif change.graph and change.wiring:
            said = self._restart(f"{restart_reason(change)}: the pass is back at its start.")
        elif change.graph and trace is not None and pass_obstacle(graph):
            said = self._restart("")  # an edited value leads to a frozen operation
        elif change.graph and trace is not None:
            now = run_again(trace, graph)
            if self._document.sheet.recorded is not None and trace.phase == "backward":
                now = run_within_limit(graph, "backward", self._mode.rules(self._rules))
            self._frame = frame_at(now, self.cursor)
            if now.values != trace.values:  # a renamed node is asked about as before
                self._mode = self._mode.with_values_edited()
        self._emit_view_state(change, said)

    def _live_frame(self) -> Frame:
        return live_frame(self._document.graph, self._withheld)

    def _show_at(self, cursor: int) -> None:
        """Show another cursor of the pass in the mode's state there."""
        assert self._frame.trace is not None
        self._frame = frame_at(self._frame.trace, cursor)
        self._mode = self._mode.after_move()

    def _restart(self, sentence: str) -> str:
        """Go back to cursor 0, or leave a pass that can't run; return the message, or ""."""
        self._timer.stop()
        mode, self._mode = self._mode, STEPPING
        # not `_frame`, which is live in a mode with its own position
        self._frame, said = restart_frame(self._document.graph, self.frame, self._rules, sentence)
        return with_end_of(said, mode)

    def _mode_after(self, change: Change) -> str:
        """Update a mode outside a pass after an edit; return a sentence if that ends it."""
        before, self._mode = self._mode, self._mode.after_edit(change, self._document.graph)
        if before.owns_position and self._mode is STEPPING:
            return with_end_of(f"{restart_reason(change)}.", before) if before.title else ""
        return ""


_RESTART_REASONS: dict[OrderChange, str] = {
    "": "Everything was built again",
    "wiring": "The wiring changed",
    "root": "The root changed",
    "operation": "An operation changed",
    "to constant": "A leaf became a constant",
    "to leaf": "A constant became a leaf",
}


def restart_reason(change: Change) -> str:
    """Return why a pass restarts after a change of `wiring`, as the beginning of a sentence."""
    return "Another document was opened" if change.opened else _RESTART_REASONS[change.order_change]


def restart_frame(graph: Graph, before: Frame, rules: Rules, sentence: str) -> tuple[Frame, str]:
    """Return the pass of a frame at cursor 0, or live values if it can no longer run.

    The text is `sentence`, the reason why it can't run, or "" if nothing is lost because
    the pass was at 0.
    """
    assert before.phase != "live"
    if (problem := pass_obstacle(graph)) is not None:
        return live_frame(graph), f"The pass has ended. {problem.sentence}"
    try:
        frame = frame_at(run_within_limit(graph, before.phase, rules), 0)
    except EngineError as error:
        return live_frame(graph), str(error)
    return frame, sentence if before.cursor else ""


def with_end_of(sentence: str, mode: Mode) -> str:
    """Return a sentence, with `Ask me has ended.` appended for a mode with a title."""
    return f"{sentence} {mode.title} has ended.".lstrip() if mode.title else sentence
