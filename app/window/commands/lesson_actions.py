"""Actions for lessons, their progress and files, the final test, the start page and help.

The start page, the page Lesson and File, Open begin lessons by the functions here, too. The final
test is a lesson made in memory; `GuideRunner` leads through it as through any other.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from app.controls.slices import BackgroundImport, Slices, with_error_as_result
from app.guide.play.guide import learner_of
from app.lessons.course import is_of_course
from app.window.actions import action, revealing_action, sheet_action
from app.window.commands import when as when
from app.window.commands.asking_actions import save_report_file
from app.window.commands.run_actions import step_back, step_or_skip, turn_epoch
from app.window.commands.save_actions import confirm_discard
from app.window.commands.sheet_lesson_actions import edit_lesson_file
from app.window.dialogs.ask import Role, ask, save_replacing, tell
from app.workbench.gradients.formulas import enumerated
from engine.errors import EngineError
from engine.formats.files import shown_name, write_atomically

if TYPE_CHECKING:
    from app.guide.run.guide_runner import GuideRunner
    from app.lessons.lesson import Lesson
    from app.panels.train import TrainPage
    from app.takeaway.lesson_folder import LessonFolder
    from app.window.context import Context


_SEEDS: Final = 2**31
"""Number of seeds from which the numbers of Daily five are drawn."""
_TEST_NUMBER: Final = "The number of the test; all who type the same one get the same questions:"
_IDLE_MS: Final = 2000
"""Time in ms after the beginning of a lesson in which its first step is read."""
_LIBRARIES: Final = ("networkx", "numpy")
"""Libraries that some lessons import when they are opened."""
_FORGET_QUESTION = "Forget all progress?"
_LEFT_TEXT = "The lesson waits: Learn, Lessons, Continue, or the start page."
_LEFT_OTHER_TEXT = "The lesson waits: Learn, Lessons, Continue."  # the start page has the course
_LEFT_DAILY_TEXT = "What is not answered stays due: Learn, Lessons, Daily five."
_NO_RESULT = "The result of the final test can't be shown: {why}"
_FORGOTTEN_TEXT = "All progress is forgotten."
_PROGRESS_FILE = "backwire-progress.json"
"""The name that is offered for a file of progress."""
_PROGRESS_FILTER = "Progress (*.json)"
_SAVED = "Saved as {name}."
_HANDED_IN = "Saved as {name}. Give this file to your teacher."

_TAKE_ALONG: Final = "Take the lesson along"
_MAKING_FILES: Final = "Making page, worksheet and strip"
_WRITTEN_TO: Final = "Wrote {kinds} to {folder}."
_OPEN_FOLDER: Final = "Open folder"


def begin_lesson(context: Context, name: str, *, again: bool = False) -> None:
    """Begin or continue a lesson of the course, after asking about unsaved work.

    `again` restarts it from its first step.
    """
    from app.lessons.load import lesson

    confirm_discard(context, lambda: _begin(context, lesson(name), again=again), comes_back=True)


@revealing_action("&Daily five")
def lesson_daily(context: Context) -> None:
    """Up to five questions about your own slips, when they are due."""
    if not context.progress.daily.questions:
        context.messages.refuse(context.progress.daily.text)  # a toast on the start page, too
        return
    seed = random.randrange(_SEEDS)
    confirm_discard(
        context, lambda: _begin(context, context.progress.daily_five(seed)), comes_back=True
    )


def preload_next_lesson(context: Context) -> None:
    """Load the next lesson into the cache of `load.lesson`; errors are shown when it begins."""
    from app.lessons.load import lesson

    name = context.progress.next_lesson
    if name:
        with suppress(EngineError):
            lesson(name)


class LibraryPreload(QObject):
    """Imports, after the first lesson has begun, the libraries that later ones wait for.

    A thread does so once no mouse button is held: it takes half a second.
    """

    def __init__(self, lessons: GuideRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._import = BackgroundImport(_LIBRARIES, self)
        self._timer = QTimer(self, interval=_IDLE_MS)
        self._timer.timeout.connect(self._advance)
        self._lessons = lessons
        if lessons.active:
            self._timer.start()
        else:
            lessons.entered.connect(self._start)

    @property
    def finished(self) -> bool:
        """Return whether the libraries are imported."""
        return self._import.finished

    def _start(self) -> None:
        self._lessons.entered.disconnect(self._start)
        self._timer.start()

    def _advance(self) -> None:
        """Begin if the user is idle."""
        if QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton:
            self._timer.stop()
            self._import.start()


def open_lesson(context: Context, path: Path) -> bool:
    """Begin or continue the lesson of a file; on failure show why, return False."""
    from app.lessons.load import load_lesson

    try:
        lesson = load_lesson(path)
    except EngineError as error:
        tell(context.shell.widget, f"{shown_name(path)} was not opened.", str(error))
        return False
    _begin(context, lesson)
    return True


def _begin(context: Context, lesson: Lesson, *, again: bool = False) -> None:
    """Begin a lesson where its progress says, or resume it if it was just left."""
    lessons, now = context.guides, context.guides.learner
    if now is not None and now.left and now.lesson == lesson and not again:
        lessons.resume()
    elif not lessons.begin(learner_of(lesson) if again else context.progress.learner(lesson)):
        return  # it has shown why
    _show_lesson(context)


def begin_made_lesson(context: Context, lesson: Lesson, seed: int) -> None:
    """Begin a lesson that was made in memory from a seed, or continue it where it was left."""
    lessons, now = context.guides, context.guides.learner
    is_same = now is not None and now.lesson is lesson
    if now is not None and is_same:
        if now.left:
            lessons.resume()
    elif not lessons.begin(learner_of(lesson, seed=seed)):
        return  # it has shown why
    _show_lesson(context)


def _show_lesson(context: Context) -> None:
    """Show the page and the whole sheet of the lesson that is on, with the focus on its step."""
    context.messages.dismiss_toast()
    context.shell.show_page("lesson", focus=False)
    context.canvas.framing.fit_all()
    context.guides.focus()


def open_page_of_step(context: Context, name: str) -> None:
    """Open the page that a step of a lesson needs, by its name; of Train the view of its loop."""
    page, state = context.shell.show_page(name), context.guides.learner
    if name == "train" and state is not None:
        view = "training" if state.begun.mode == "training" else "descent"
        cast("TrainPage", page).show_view(view)


@revealing_action(
    "&Edit this lesson",
    enabled=lambda c: c.guides.learner is not None and c.guides.learner.lesson.path is not None,
)
def edit_lesson(context: Context) -> None:
    """Open the lesson that is on, or was left, as a sheet with its steps."""
    now = context.guides.learner
    if now is not None and now.lesson.path is not None:
        confirm_discard(context, partial(edit_lesson_file, context, now.lesson.path))


@revealing_action("&Continue", icon="lesson", search="course tutorial resume go on open lessons")
def lesson_continue(context: Context) -> None:
    """Go on with the course: the lesson that was left, or the next one."""
    now, name = context.guides.learner, context.progress.next_lesson
    if now is not None and now.left and now.step is not None:
        confirm_discard(context, lambda: _begin(context, now.lesson), comes_back=True)
    elif name:
        begin_lesson(context, name)


@sheet_action("Next step of a lesson, or step", "PgDown", when.has_nodes)
def page_on(context: Context) -> None:
    """The next step of a lesson; else one of the pass, an epoch, or a question skipped."""
    if context.guides.active:
        context.guides.go_on()
    elif not turn_epoch(context, +1):
        step_or_skip(context)


@sheet_action("Step of a lesson before, or step back", "PgUp", when.has_step_before)
def page_back(context: Context) -> None:
    """The step before in a lesson; else one step of the pass, or an epoch, back."""
    if context.guides.active:
        context.guides.go_back()
    elif not turn_epoch(context, -1):
        step_back(context)


@revealing_action(
    "&Leave the lesson", enabled=lambda c: c.guides.active, search="course end stop exit"
)
def lesson_leave(context: Context) -> None:
    """The graph stays as it is; Continue goes on with the lesson."""
    now = context.guides.learner
    daily = now is not None and now.lesson.kind == "daily"
    context.guides.end()
    if now is None or now.step is None:
        return  # what is over waits for nobody
    course = _LEFT_TEXT if is_of_course(now.lesson) else _LEFT_OTHER_TEXT
    context.messages.toast(_LEFT_DAILY_TEXT if daily else course)
    if context.shell.parts.page == "lesson":
        context.shell.parts.toggle_page("lesson")


@revealing_action("&Export my progress…", search="course save results report progress")
def lesson_export(context: Context) -> None:
    """Write your progress to a file."""
    from app.window.dialogs.file_dialogs import Target, ask_target, with_json_suffix

    suggested = context.files.folder / _PROGRESS_FILE
    target = Target("Export my progress", suggested, _PROGRESS_FILTER, with_json_suffix)
    ask_target(
        context.shell.widget,
        context.style,
        target,
        lambda path: _write_progress(context, path, _SAVED),
    )


@revealing_action(
    "&Hand in my progress…", search="course save results report progress teacher class grade"
)
def lesson_hand_in(context: Context) -> None:
    """Save your progress with your name, for your teacher's backwire grade."""
    from app.window.dialogs.file_dialogs import ReportDialog, with_json_suffix

    settings, window = context.settings, context.shell.widget
    file = context.files.folder / _PROGRESS_FILE
    dialog = ReportDialog(window, context.style, file, settings.student)
    dialog.setWindowTitle("Hand in my progress")
    dialog.setNameFilters([_PROGRESS_FILTER])

    def save_chosen(name: str) -> None:
        student = settings.student = dialog.student
        save_replacing(
            window,
            with_json_suffix(Path(name)),
            lambda path: _write_progress(context, path, _HANDED_IN, student),
            partial(lesson_hand_in, context),
        )

    dialog.fileSelected.connect(save_chosen)
    dialog.open()


def _write_progress(context: Context, path: Path, saved_text: str, student: str = "") -> None:
    """Write the progress to a file, and say that it is saved, or why not."""
    try:
        context.progress.export(path, student)
    except EngineError as error:
        tell(context.shell.widget, f"{shown_name(path)} was not saved.", str(error))
    else:
        context.messages.toast(saved_text.format(name=path.name))


@revealing_action("&Forget my progress…")
def lesson_forget(context: Context) -> None:
    """Delete the progress in all lessons."""

    def forget() -> None:
        if context.progress.forget():
            context.messages.toast(_FORGOTTEN_TEXT)

    ask(
        context.shell.widget,
        _FORGET_QUESTION,
        "Every lesson begins anew. It is kept on this computer alone, and can't be brought back.",
        {("Forget", Role.DESTRUCTIVE): forget, ("Cancel", Role.REJECT): lambda: None},
    )


@action(
    "&Start page",
    icon="home",
    checked=lambda c: c.shell.on_full_page,
    search="welcome examples recent begin",
)
def start_page(context: Context) -> None:
    """Examples, recent files, and a place to type a formula."""
    if context.shell.on_full_page:
        context.shell.show_work()
    else:
        context.shell.show_start_page()


@action("&About Backwire", search="version licence license credits")
def about(context: Context) -> None:
    """Version, licence, and what Backwire is made of."""
    from app.window.dialogs.about import About

    About(context).open()


@revealing_action("&Final test")
def final_test(context: Context, *, again: bool = False) -> None:
    """Eight questions and one whole graph, one try each; the verdicts come at the end.

    `again` draws another one.
    """
    now = context.guides.learner
    if now is not None and now.is_test_open and not again:
        confirm_discard(
            context, partial(begin_made_lesson, context, now.lesson, now.seed), comes_back=True
        )
    else:
        confirm_discard(context, partial(begin_drawn_test, context), comes_back=True)


def begin_drawn_test(context: Context, seed: int | None = None) -> None:
    """Begin the test of a seed, or of a random one."""
    from app.lessons.final_test import SEED_LIMIT, drawn_test, lesson_of

    drawn = random.randint(1, SEED_LIMIT) if seed is None else seed
    begin_made_lesson(context, lesson_of(drawn_test(drawn)), drawn)


@revealing_action("Final test of a &number…", search="exam seed class same for all")
def test_of_number(context: Context) -> None:
    """The same test for all who type the same number."""
    from PySide6.QtWidgets import QInputDialog

    from app.lessons.final_test import SEED_LIMIT

    dialog = QInputDialog(context.shell.widget)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle("Final test")
    dialog.setLabelText(_TEST_NUMBER)
    dialog.setInputMode(QInputDialog.InputMode.IntInput)
    dialog.setIntRange(1, SEED_LIMIT)

    def begin(seed: int) -> None:
        confirm_discard(context, partial(begin_drawn_test, context, seed), comes_back=True)

    dialog.intValueSelected.connect(begin)
    dialog.open()


def is_test_over(context: Context) -> bool:
    """Return whether the last lesson is a test whose questions are all answered."""
    now = context.guides.learner
    return now is not None and now.is_test and not now.is_test_open


def has_test_result(context: Context) -> bool:
    """Return whether a test has ended, now or before a restart, and none is open."""
    now = context.guides.learner
    is_test = now is not None and now.is_test
    return is_test_over(context) if is_test else context.progress.has_ended_test


def open_final_test(context: Context) -> None:
    """Show the result of the test that ended last; without one begin a test, or go on with it."""
    (final_test_result if has_test_result(context) else final_test)(context)


@revealing_action("Res&ult of the final test", enabled=has_test_result)
def final_test_result(context: Context) -> None:
    """The answers to the test that has ended, and the score.

    One that is not on is begun at its end, after asking about unsaved work, so that the rows of the
    result lead to its steps.
    """
    lessons, now = context.guides, context.guides.learner
    is_over = is_test_over(context)
    if is_over and lessons.active:
        context.shell.show_test_result()
        return
    try:
        state = now if now is not None and is_over else context.progress.ended_test()
    except EngineError as error:
        context.messages.refuse(_NO_RESULT.format(why=error))
        return

    def begin() -> None:
        if lessons.begin(replace(state, at=len(state.done))):
            _show_lesson(context)
            context.shell.show_test_result()

    confirm_discard(context, begin, comes_back=True)


def ask_test_report(context: Context) -> None:
    """Ask for a file, and save the report of the test that has ended there."""
    from app.guide.words.final_result import answers_of
    from app.lessons.final_test import SUFFIX, report_of, report_text
    from app.window.dialogs.file_dialogs import ReportDialog

    state, settings = context.guides.learner, context.settings
    if state is None or not is_test_over(context):
        return
    file = context.files.folder / f"final-test-{state.seed}{SUFFIX}"
    dialog = ReportDialog(context.shell.widget, context.style, file, settings.student, SUFFIX)

    answers = answers_of(state)

    def save_chosen(file: str) -> None:
        settings.student = dialog.student
        text = report_text(report_of(answers, dialog.student))
        save_report_file(context, Path(file), SUFFIX, text, partial(ask_test_report, context))

    dialog.fileSelected.connect(save_chosen)
    dialog.open()


def lesson_to_take(context: Context) -> Lesson | None:
    """Return the lesson that is on or was left; None without one, and for a day or a test."""
    now = context.guides.learner
    return now.lesson if now is not None and now.lesson.kind == "lesson" else None


@revealing_action(
    "&Take it along…",
    enabled=lambda c: lesson_to_take(c) is not None,
    search="course export save files folder print student",
)
def lesson_take_along(context: Context) -> None:
    """Write this lesson into a folder: a page for phones, a worksheet with its key, and a strip of
    its steps."""
    from app.window.dialogs.export import initial_folder
    from app.window.dialogs.file_dialogs import FileDialog

    lesson = lesson_to_take(context)
    if lesson is None:
        return
    folder, _remark = initial_folder(context)
    dialog = FileDialog(context.shell.widget, context.style, _TAKE_ALONG, str(folder))
    dialog.setFileMode(dialog.FileMode.Directory)
    dialog.setOption(dialog.Option.ShowDirsOnly)

    def write_to(name: str) -> None:
        take_along(context, lesson, Path(name))

    dialog.fileSelected.connect(write_to)
    dialog.open()


def take_along(context: Context, lesson: Lesson, folder: Path) -> None:
    """Write the files of a lesson into a folder; ask first if some exist there."""
    from app.takeaway.lesson_folder import file_names
    from app.window.dialogs.export import check

    def make(replace_protected: bool) -> None:
        write = partial(_write, context, folder, replace_protected=replace_protected)
        _make(context, lesson, write)

    files = [folder / name for name in file_names(lesson).values()]
    write_elsewhere = partial(take_along, context, lesson)
    check(context.shell.widget, context, files, write_elsewhere, make)


def _make(context: Context, lesson: Lesson, done: Callable[[LessonFolder], None]) -> None:
    """Make the files in slices, under a progress card with a Cancel button; then call `done`."""
    from app.takeaway.lesson_folder import lesson_folder

    slices, messages = Slices(context.shell.widget), context.messages

    def end(made: LessonFolder | EngineError) -> None:
        messages.end_progress()
        slices.deleteLater()
        if isinstance(made, EngineError):
            tell(context.shell.widget, "Nothing was written.", str(made))
        else:
            done(made)

    def cancel() -> None:
        slices.cancel()
        slices.deleteLater()

    slices.finished.connect(end)
    messages.progress.wait_for(_MAKING_FILES, cancel)
    slices.start(with_error_as_result(lesson_folder(lesson, context.style.digits)), after=0)


def _write(context: Context, folder: Path, made: LessonFolder, *, replace_protected: bool) -> None:
    """Write the files; then a notice names them and offers to open the folder."""
    for name, content in made.files.items():
        try:
            write_atomically(folder / name, content, replace_protected)
        except EngineError as error:
            tell(context.shell.widget, f"{shown_name(folder / name)} was not written.", str(error))
            return
    context.settings.export_folder = folder.absolute()
    folder_name = shown_name(folder.absolute())
    written = _WRITTEN_TO.format(kinds=enumerated(made.kinds), folder=folder_name)
    sentence = " ".join((written, *made.missing))
    context.messages.offer(sentence, _OPEN_FOLDER, partial(open_folder, folder))


def open_folder(folder: Path) -> None:
    """Show a folder in the system's file manager."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder.absolute())))


@revealing_action("Back to my &graph", enabled=lambda c: c.guides.has_own_sheet)
def lesson_back_to_graph(context: Context) -> None:
    """The graph that was there before the lesson."""
    context.guides.restore_own_sheet()


@revealing_action(
    "&Show me",
    enabled=lambda c: (
        c.guides.active and c.guides.learner is not None and c.guides.learner.can_show
    ),
)
def lesson_show_me(context: Context) -> None:
    """Show how this step of the lesson is done."""
    context.guides.show_me()


@revealing_action("&Put the graph back", enabled=lambda c: c.guides.active)
def lesson_put_back(context: Context) -> None:
    """The graph and the pass with which this step of the lesson began."""
    context.guides.put_back()


@action("&Command palette…", "Ctrl+Shift+P", icon="search", search="search find")
def commands(context: Context) -> None:
    """Find any action by typing."""
    context.shell.show_command_palette()


@action(
    "&Keyboard shortcuts…", "F1 ?", icon="keyboard", search="help hotkeys keybindings keymap manual"
)
def shortcuts(context: Context) -> None:
    """List all keys and gestures."""
    context.shell.show_shortcuts()


@revealing_action("&Where do I begin?")
def where_begin(context: Context) -> None:
    """The final test, whose result names the first lesson that you need."""
    final_test(context)
