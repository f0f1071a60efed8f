"""History: a sheet, the steps that led to it, and the file it belongs to.

Sheets are immutable, so undo and redo choose among them: `done` and `undone` are tuples of steps.
Steps with the same gesture number merge into one. A gesture can be abandoned without a trace, which
also restores the steps that could be redone before it. Which group is entered is not part of any
step; if a step removes that group, the group around it is entered. The home of the sheet is part of
the steps: a formula typed over a sheet begins another document, and undo leads back to the former
with its file, its mistake and its breakpoints. Each edit, undo or redo emits `changed` once, after
everything is updated, with the difference between the two sheets as a `Change`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.document import boxes
from app.document.change import NO_CHANGE, difference, same_sheet, same_work
from app.document.sheet import Home, Point, Sheet, check_coordinates
from engine.errors import EditError
from engine.graph import Graph, Node, OpNode, Root

Name = Callable[[Sheet], str]
"""A step's name as a function of the sheet before it, called only if the step succeeded."""


def titled(template: str, **nodes: int) -> Name:
    """Return a step's name from a template; {node} becomes the title of that node."""
    return lambda sheet: template.format(**{k: sheet.graph.title(n) for k, n in nodes.items()})


def removal_name(verb: str, nodes: Collection[int], frames: Collection[int]) -> Name:
    """Name the deleted node, or the number of nodes; without nodes the groups, else the wires."""

    def name(sheet: Sheet) -> str:
        if len(nodes) > 1 or (not nodes and len(frames) > 1):
            return f"{verb} {len(nodes)} nodes" if nodes else f"{verb} {len(frames)} groups"
        for node in nodes:
            return f"{verb} {sheet.graph.title(node)}"
        for number in frames:
            return f"{verb} group {sheet.groups[number].title}".rstrip()
        return "Unplug"

    return name


def move_name(nodes: Collection[int]) -> Name:
    """Name the moved node or group, or the number of nodes."""

    def name(sheet: Sheet) -> str:
        if len(nodes) == 1:
            return f"Move {sheet.graph.title(*nodes)}"
        chosen = frozenset(nodes)
        for number, members in boxes.all_members(sheet.groups).items():
            if members == chosen:
                title = sheet.groups[number].title
                is_default = title.startswith("group ")
                return f"Move {title}" if is_default else f"Move group {title}".rstrip()
        return f"Move {len(nodes)} nodes"

    return name


def kind_word(node: Node) -> str:
    """Name the operation or kind of a node that is added."""
    if isinstance(node, OpNode):
        return node.op
    return "root" if isinstance(node, Root) else type(node).__name__.lower()


SheetEdit = Callable[[Sheet], Sheet]
EditName = str | Name

LOCKED = "Editing is locked while you present; E opens it."
KEEPS_WIRING = "This exercise keeps its wiring; only values may change."
OPENED = "As it was opened"


class Edit(Struct, frozen=True, eq=False):
    """A named step of undo, with the sheet after it and the home of that sheet."""

    name: str
    sheet: Sheet
    gesture: int
    """Steps of the same gesture merge into one, unless it is 0."""
    home: Home

    @property
    def is_saved(self) -> bool:
        """Return whether the window has saved this very sheet."""
        return self.home.saved and self.home.safe_sheet is self.sheet


class _State(Struct, frozen=True, eq=False):
    """The history as of one `changed` signal, to compare with the next."""

    sheet: Sheet
    inside: int | None
    home: Home
    modified: bool
    done: tuple[Edit, ...]
    undone: tuple[Edit, ...]


class History(QObject):
    """The current sheet with its steps, its file, and whether work would be lost with it."""

    changed = Signal(object)
    """Emitted with a Change, once per edit, undo or redo, after everything is updated."""
    refused = Signal(str)
    """Emitted with the sentence of a refused edit; nothing has changed."""
    leaving = Signal(bool)
    """Emitted before undo and redo with False, and with True before another document is opened."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        sheet = Sheet()
        self.opened = Edit(OPENED, sheet, gesture=0, home=Home(safe_sheet=sheet))
        self.done: tuple[Edit, ...] = ()
        self.undone: tuple[Edit, ...] = ()
        """The steps that can be redone, the next one first."""
        self._dropped: tuple[Edit, ...] = ()
        """The steps that could be redone before the last step was done."""
        self._group_path: tuple[int, ...] = ()
        """The entered groups, the outermost first."""
        self._last_emitted = _State(
            sheet=sheet, inside=None, home=self.home, modified=False, done=(), undone=()
        )
        self._gestures = 0
        self.locked = False
        """Whether edits are refused, as during a presentation."""
        self.lent_to_lecture = False
        """Whether a lecture shows its own sheets in place of the user's, which comes back."""
        self.undo_floor = 0
        """The number of steps that stay done; a lecture keeps those that opened its sheets."""
        self.with_new_names: Callable[[str, Graph, Graph], str] = lambda lesson, _old, _new: lesson
        """Returns the steps of a lesson after an edit, which may give nodes other names."""
        self.lock_text: str = LOCKED
        """The sentence that refuses them."""

    @property
    def current(self) -> Edit:
        """Return the last step that is done, or the opened sheet as a step."""
        return self.done[-1] if self.done else self.opened

    @property
    def steps(self) -> tuple[Edit, ...]:
        return self.done + self.undone

    @property
    def sheet(self) -> Sheet:
        return self.current.sheet

    @property
    def graph(self) -> Graph:
        return self.current.sheet.graph

    @property
    def positions(self) -> Mapping[int, Point]:
        """Return the upper left corner of every node."""
        return self.current.sheet.positions

    @property
    def inside(self) -> int | None:
        """Return the entered group, which new nodes join; None for the whole sheet."""
        return self._group_path[-1] if self._group_path else None

    @property
    def visible_nodes(self) -> frozenset[int]:
        """Return the visible nodes: all, or those of the entered group."""
        if self.inside is None:
            return frozenset(self.graph.nodes)
        return boxes.members_of(self.sheet.groups, self.inside)

    @property
    def empty(self) -> bool:
        return not self.graph.nodes and not self.sheet.groups

    # the file

    @property
    def home(self) -> Home:
        return self.current.home

    @property
    def path(self) -> Path | None:
        """Return the file it was read from or saved to."""
        return self.home.path

    @property
    def title(self) -> str:
        """Return the file's name, or the title it began with, or ""."""
        return self.path.name if self.path is not None else self.home.title

    @property
    def modified(self) -> bool:
        """Return whether the sheet differs from the saved one; collapsing groups does not count."""
        return self._last_emitted.modified

    @property
    def edited(self) -> bool:
        """Return whether the title shows the sheet as edited, which it never does in a lesson."""
        return self.modified and (self.path is not None or not self.home.practice)

    @property
    def unsaved(self) -> bool:
        """Return whether closing would lose work.

        An empty sheet without a file holds none, and a lesson can be opened again.
        """
        return self.edited and (self.path is not None or not self.empty)

    def saved(self, path: Path) -> None:
        """Record that the current sheet is saved in this file."""
        self.home.path, self.home.saved, self.home.safe_sheet = path, True, self.sheet
        self._emit_change(file=True)

    def kept(self) -> None:
        """Record that another file than the sheet's own holds the current sheet."""
        self.home.safe_sheet = self.sheet
        self._emit_change(file=True)

    def end_practice(self) -> None:
        """Count later edits of a lesson's sheet as the user's work."""
        if self.home.practice:
            self.home.practice, self.home.safe_sheet = False, self.sheet
            self._emit_change()

    def mark_unsaved(self) -> None:
        """Record that no file holds the sheet, as it was recovered or its file is gone."""
        self.home.safe_sheet = None
        self._emit_change(file=True)

    # steps

    def new_gesture(self) -> int:
        self._gestures += 1
        return self._gestures

    def refuse_if_locked(self, *, changes_wiring: bool = False) -> bool:
        """Return whether an edit is locked, by `locked` or by a fixed wiring; `refused` says so."""
        wiring_locked = changes_wiring and self.sheet.wiring_locked
        if self.locked or wiring_locked:
            self.refused.emit(self.lock_text if self.locked else KEEPS_WIRING)
        return self.locked or wiring_locked

    @contextmanager
    def unlocked(self) -> Generator[None]:
        """Let edits through meanwhile; also an edit that fails leaves the lock as it was."""
        locked, self.locked = self.locked, False
        try:
            yield
        finally:
            self.locked = locked

    def commit(
        self,
        name: EditName,
        edit: SheetEdit,
        gesture: int = 0,
        home: Home | None = None,
        *,
        groups_new: bool = True,
    ) -> bool:
        """Do one undoable step; return False if it was refused.

        With `home` the sheet belongs there from this step on, until it is undone. With `groups_new`
        new nodes join the group that is looked into, or that they lie within.
        """
        if self.refuse_if_locked():
            return False
        before = self.sheet
        after = self._result_of(edit, changes_home=home is not None, groups_new=groups_new)
        # another document is a step even if its sheet is equal
        if after is not None and (home is not None or not same_sheet(before, after)):
            text = name if isinstance(name, str) else name(before)
            step = Edit(text, after, gesture, home or self.home)
            self._add(step)
        return after is not None

    def commit_graph(
        self, name: EditName, edit: Callable[[Graph], Graph], gesture: int = 0
    ) -> bool:
        """Do one undoable step that changes the graph."""
        return self.commit(name, lambda sheet: sheet.with_graph(edit(sheet.graph)), gesture)

    def undo(self) -> None:
        """Undo the last step, if there is one."""
        self.go_to(len(self.done) - 1)

    def redo(self) -> None:
        """Redo the step that was undone last, if there is one."""
        self.go_to(len(self.done) + 1)

    def go_to(self, count: int) -> None:
        """Undo or redo steps until `count` of them are done; nothing if there are fewer, or if
        steps up to the floor of undo would be undone."""
        steps = self.steps
        if count != len(self.done) and self.undo_floor <= count <= len(steps):
            self.leaving.emit(False)
            self.done, self.undone, self._dropped = steps[:count], steps[count:], ()
            self._emit_change()

    def resume(self, count: int, undone: tuple[Edit, ...]) -> None:
        """Go back to `count` steps, with those that could be redone then; later ones are lost."""
        self.done, self.undone, self._dropped = self.done[:count], undone, ()
        self._emit_change()

    def abandon(self, gesture: int) -> None:
        """Take back the step of a gesture."""
        if gesture and self.current.gesture == gesture:
            self.take_back()

    def take_back(self) -> None:
        """Undo the last step without a redo, and restore the steps that it dropped."""
        if self.done:
            self.done, self.undone, self._dropped = self.done[:-1], self._dropped, ()
            self._emit_change()

    def look_inside(self, group: int | None) -> None:
        """Enter a group, or leave groups with None."""
        self._group_path = boxes.path_to(self.sheet.groups, group)
        self._emit_change()

    # for the document

    def _open_sheet(self, sheet: Sheet, home: Home, gesture: int) -> None:
        """Show another sheet, which belongs to `home`, and clear the history."""
        self.leaving.emit(True)
        home.safe_sheet = sheet
        self.opened = Edit(OPENED, sheet, gesture, home)
        self.done = self.undone = self._dropped = ()
        self._group_path = ()
        self._emit_change(whole=True)

    def _can_amend(self, gesture: int) -> bool:
        """Return whether nothing was done or undone since a gesture."""
        return bool(gesture) and self.current.gesture == gesture and not self.undone

    def _amend(self, edit: SheetEdit) -> None:
        """Apply an edit as part of the last step, or to the opened sheet."""
        sheet, home = self._result_of(edit), self.home
        if sheet is None:
            return
        if home.safe_sheet is self.sheet and not home.saved:  # no file holds the former sheet
            home.safe_sheet = sheet
        step = replace(self.current, sheet=sheet)
        if self.done:
            self.done = (*self.done[:-1], step)
        else:
            self.opened = step
        self._emit_change()

    # private

    def _result_of(
        self, edit: SheetEdit, *, changes_home: bool = False, groups_new: bool = True
    ) -> Sheet | None:
        """Return the sheet after an edit, or None if it is refused.

        An edit that also changes the home may change a locked wiring.
        """
        before = self.sheet
        try:
            after = edit(before)
            if after.groups and groups_new:
                after = boxes.with_new_nodes_grouped(after, before, self.inside)
            check_coordinates(before, after)
            if after.lesson and after.lesson == before.lesson:
                lesson = self.with_new_names(after.lesson, before.graph, after.graph)
                after = replace(after, lesson=lesson) if lesson != after.lesson else after
            if before.wiring_locked and not changes_home and difference(before, after).wiring:
                raise EditError(KEEPS_WIRING)
        except EditError as error:
            self.refused.emit(str(error))
            return None
        return after

    def _add(self, step: Edit) -> None:
        """Do a step; one of the same gesture merges with it, unless that one is saved."""
        last = self.current
        if step.gesture and last.gesture == step.gesture and not last.is_saved:
            self.done = self.done[:-1]
        else:
            self._dropped = self.undone
        same_home = step.home is last.home
        if same_home and same_sheet(self.sheet, step.sheet):  # a gesture that ends where it began
            self.undone, self._dropped = self._dropped, ()
        else:
            self.done, self.undone = (*self.done, step), ()
        self._emit_change()

    def _emit_change(self, *, whole: bool = False, file: bool = False) -> None:
        """Emit the difference from the last emitted state, if there is one."""
        sheet, home = self.sheet, self.home
        # an edit may have removed entered groups, or undo opened a drawn one, which holds what lies
        # in it: stay in the innermost that is left
        kept = sheet.groups.keys() - sheet.drawn.keys() if self._group_path else ()
        entered = [group for group in self._group_path if group in kept]
        self._group_path = boxes.path_to(sheet.groups, entered[-1] if entered else None)
        last = self._last_emitted
        now = _State(
            sheet=sheet,
            inside=self.inside,
            home=home,
            modified=not same_work(sheet, home.safe_sheet),
            done=self.done,
            undone=self.undone,
        )
        self._last_emitted = now
        change = replace(
            difference(last.sheet, sheet) if last.sheet is not sheet else NO_CHANGE,
            whole=whole or last.home is not home,
            opened=whole,
            steps=last.done is not now.done or last.undone is not now.undone,
            inside=last.inside != now.inside,
            file=whole or file or last.home is not home or last.modified != now.modified,
        )
        if change != NO_CHANGE:
            self.changed.emit(change)
