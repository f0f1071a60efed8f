"""Runs each test of the window in a fork of the process, where its window is already open.

Opening a window takes longer than most journeys. The process that collects the tests therefore
opens it once and forks: each test gets a copy that nothing has touched, whatever it does to it,
and the copy ends with the test. Which window a test asks for first, and which modules it imports,
is learned from the tests before it, so nothing has to be declared: a copy whose fixture asks for
another window ends, and the test is begun again in a copy that has it. What is done in a window
first, by a function that `opened_window` gets as `prepare`, is done once as well. Where a process
with Qt can't be forked (other systems, a real X server, a debugger), every test opens its own.
"""

import contextlib
import ctypes
import faulthandler
import gc
import importlib
import os
import pickle
import select
import shutil
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from _pytest.runner import runtestprotocol

from tests.helpers.sampling import is_whole

if TYPE_CHECKING:
    from PySide6.QtCore import QTimer

    from app.window.frame.main_window import MainWindow

LONGEST = 110
"""Seconds after which a test is killed: less than `faulthandler_timeout`, which ends the run."""
_UNASKED = "no window was asked for"
START_PAGE = ""
NOTHING_OPEN = None
Prepare = Callable[["MainWindow"], object]
OpenAt = str | tuple[str, Prepare] | None
"""The name of the example that a window shows, START_PAGE, or NOTHING_OPEN.

With what was done in it then, by a function of a test's module: done once, for many tests.
"""


@dataclass
class _Wanted:
    """What a copy tells that has another window than its test asks for."""

    shows: OpenAt


@dataclass
class _Template:
    """The window that is open when the process is forked."""

    shows: OpenAt = NOTHING_OPEN
    window: "MainWindow | None" = None
    closing: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    folder: Path | None = None
    """Where its settings and its data are, which its copies use as well."""
    files: dict[Path, tuple[bytes, int]] = field(default_factory=dict)
    timers: "list[QTimer]" = field(default_factory=list)
    asked: list[OpenAt] = field(default_factory=list)
    """What a copy has been asked to show, in order."""
    warm: bool = False
    """Whether a window has been used in this process, so that what windows share is made."""
    copied: bool = False
    """Whether this process is a copy, made for one test."""
    ending: bool = False
    """Whether the test of this copy is over."""
    made: "dict[str, pytest.FixtureDef[object]]" = field(default_factory=dict)
    """The fixtures of the test of this copy that have been made by now, and others."""
    wanting: Callable[[OpenAt], object] | None = None
    """Ends this copy, whose fixtures have not all been made, for one in which this is open."""


_template = _Template()
_learned: dict[object, OpenAt] = {}
_kept: list[object] = []
"""What must not be collected: the application, and what would close the window of a copy."""


def settings_folder() -> Path | None:
    """Return the folder for settings and data of a window that is open already."""
    return _template.folder if _template.window is not None else None


def take_window(shows: OpenAt) -> "tuple[MainWindow, contextlib.ExitStack] | None":
    """Return the open window, and what closes it, if it shows this; else close it."""
    if shows is not NOTHING_OPEN and _is_patched():
        shows = NOTHING_OPEN  # perhaps what is patched makes windows
    _template.asked.append(shows)
    window, closing = _template.window, _template.closing
    fits = window is not None and shows == _template.shows
    if _template.wanting is not None and not fits and shows is not NOTHING_OPEN:
        _template.wanting(shows)
    _template.window, _template.closing = None, contextlib.ExitStack()
    if window is None:
        return None
    if fits and _files() == _template.files:
        _restart_timers()
        _kept.append(closing)  # or the window would be closed where nothing refers to it any more
        return window, closing
    closing.close()
    return None


def is_ending() -> bool:
    """Return whether this process is about to end, so that nothing has to be deleted."""
    return _template.ending


def is_copy() -> bool:
    """Return whether this process was made for one test."""
    return _template.copied


def keep(it: object) -> None:
    """Keep what must not be collected before this process ends."""
    _kept.append(it)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bring tests together that want the same window; another takes 0.2 s to open.

    Last come those that want one that their own file prepares, file by file.
    """
    place = {path: k for k, path in enumerate(dict.fromkeys(item.path for item in items))}
    if os.environ["QT_QPA_PLATFORM"] == "offscreen":
        items.sort(key=lambda item: (_shared_by_files(item), place[item.path], _asks_for(item)))


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """Make the application that windows need before a test makes one that has none."""
    if any(map(_wants_fork, session.items)):
        from PySide6.QtWidgets import QApplication

        from app.style.fonts import load_fonts
        from app.style.stylesheet import ARGUMENTS

        if QApplication.instance() is None:
            _kept.append(QApplication(list(ARGUMENTS)))
            load_fonts()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a test of the window in a fork."""
    if not _wants_fork(item):
        _close()
        return None
    _prepare(item.config, _learned.get(_key(item), _usual(item)))
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in _forked(item, nextitem):
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    item.session._setupstate.teardown_exact(nextitem)  # what is set up in this process
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call() -> None:
    """Note in a copy that its test has begun: from now on it opens other windows by itself."""
    _template.wanting = None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown() -> None:
    """Note in a copy that its test is over."""
    _template.ending = _template.copied


def pytest_unconfigure() -> None:
    """Close the window while there is still an application."""
    _close()


def _fixtures(item: pytest.Item) -> tuple[str, ...]:
    return tuple(getattr(item, "fixturenames", ()))


def _wants_fork(item: pytest.Item) -> bool:
    names = {*_fixtures(item)}
    return (
        sys.platform == "linux"
        and os.environ["QT_QPA_PLATFORM"] == "offscreen"
        and not item.config.getoption("usepdb")
        and not item.get_closest_marker("skip")
        and "qapp" in names
        and ("journeys" in item.path.parts or not names.isdisjoint(("window", "shared_leaf")))
    )


def _usual(item: pytest.Item) -> OpenAt:
    """Guess what a test asks for."""
    names = _fixtures(item)
    if "shared_leaf" in names:
        return "shared-leaf"
    return START_PAGE if "window" in names else NOTHING_OPEN


def _asks_for(item: pytest.Item) -> tuple[str, ...]:
    """What tells the windows of the tests of a file apart, as far as it is known before."""
    if not _wants_fork(item):
        return ()
    return (repr(_usual(item)), *sorted(_key(item)[1]))


def _key(item: pytest.Item) -> tuple[Path, frozenset[str]]:
    """What tests have in common that ask for the same window."""
    common = ("capsys", "qapp", "qtbot", "request", "tmp_path")
    return item.path, frozenset(_fixtures(item)).difference(common)


def _shared_by_files(item: pytest.Item) -> int:
    """Return 0 for a test that is not forked, 3 for one whose window is opened by its own file."""
    if not _wants_fork(item):
        return 0
    made_by = item._fixtureinfo.name2fixturedefs  # pyright: ignore[reportAttributeAccessIssue]
    for place, name in ((2, "shared_leaf"), (1, "window")):
        if name in made_by:
            return place if made_by[name][-1].func.__module__ == "tests.fixtures" else 3
    return 3


def _is_patched() -> bool:
    """Return whether the test of this copy has patched something by now."""
    made = _template.made.get("monkeypatch")
    if made is None or made.cached_result is None:
        return False
    patch = cast("Any", made.cached_result[0])
    return bool(patch._setattr or patch._setitem)


def _prepare(config: pytest.Config, shows: OpenAt) -> None:
    """Have a window open that shows this, and its folder as it was when it was opened."""
    from PySide6.QtCore import QTimer

    from tests.helpers.own_folder import use_settings_in
    from tests.helpers.window import make_late_parts, new_window, settle, use_all_parts

    temporary: pytest.TempPathFactory = config._tmp_path_factory  # pyright: ignore[reportAttributeAccessIssue]
    temporary.getbasetemp()  # or each copy would make one
    if _template.folder is not None:
        _restore_files(_template.folder)
    if shows is None:
        _close()
        return
    if not _template.warm:
        _template.warm = True
        os.environ["XDG_DATA_HOME"] = str(use_settings_in(temporary.mktemp("warm")))
        use_all_parts()
    if _template.window is None or _template.shows != shows:
        _close()
        _template.folder = folder = temporary.mktemp("template")
        os.environ["XDG_DATA_HOME"] = str(use_settings_in(folder))
        os.environ["XDG_STATE_HOME"] = str(folder / "state")  # for copies of what is not saved
        _template.shows = shows
        example, prepare = shows if isinstance(shows, tuple) else (shows, None)
        opened = new_window(example=example, prepare=prepare)
        _template.window = _template.closing.enter_context(opened)
        if not is_whole():
            make_late_parts(_template.window)
        if prepare is not None:
            settle(_template.window)
        _template.timers, _template.files = _template.window.findChildren(QTimer), _files()


def _close() -> None:
    """Close the window, since the next test runs in this process, or shows another."""
    if _template.window is not None and _template.folder is not None:
        _restore_files(_template.folder)
        _template.window, _template.timers = None, []
        _template.closing.close()
        _template.closing = contextlib.ExitStack()
        gc.unfreeze()


def _files() -> dict[Path, tuple[bytes, int]]:
    """Return the files in the folder of the window, when all settings are written to them."""
    from app.window.settings import open_settings

    assert _template.folder is not None
    open_settings().sync()
    found = (path for path in _template.folder.rglob("*") if path.is_file())
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in found}


def _restore_files(folder: Path) -> None:
    """Take back what a copy has written; QSettings reads a file again that has another time."""
    shutil.rmtree(folder)
    folder.mkdir()
    for path, (content, changed) in _template.files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        os.utime(path, ns=(changed, changed))


def _restart_timers() -> None:
    """Have what waits wait from now on, however long ago the window was opened."""
    for timer in _template.timers:
        if timer.isActive():
            timer.start()


def _forked(item: pytest.Item, nextitem: pytest.Item | None) -> list[pytest.TestReport]:
    """The reports of a test that was run in a copy of this process."""
    content, status = _in_copy(lambda: _run(item, nextitem), may_want=True)
    if content and isinstance(wanted := pickle.loads(content), _Wanted):
        _prepare(item.config, wanted.shows)
        content, status = _in_copy(lambda: _run(item, nextitem), may_want=False)
    if status or not content:
        return [_crashed(item, status)]
    reports, asked, modules = pickle.loads(content)
    _learned[_key(item)] = _usual(item) if asked is _UNASKED else asked
    for name in modules:
        with contextlib.suppress(ImportError):  # one that a test has made
            importlib.import_module(name)
    revive = item.config.hook.pytest_report_from_serializable
    return [revive(config=item.config, data=data) for data in reports]


def _in_copy(run: Callable[[], object], may_want: bool) -> tuple[bytes, int]:
    """Run in a copy of this process; return what came of it, pickled, and how the copy ended.

    It may be that another window is wanted instead.
    """
    assert os.name == "posix"
    _end_pooled_threads()
    gc.freeze()  # a collection would write to every object, and so copy it
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside other threads
        child = os.fork()
    if child == 0:
        try:
            with os.fdopen(writing, "wb") as pipe:

                def want(shows: OpenAt) -> None:
                    pickle.dump(_Wanted(shows), pipe)
                    pipe.flush()
                    os._exit(0)

                _template.wanting = want if may_want else None
                pickle.dump(run(), pipe)
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    os.close(writing)
    content = _read(reading, child)
    return content, os.waitpid(child, 0)[1]


def _run(item: pytest.Item, nextitem: pytest.Item | None) -> tuple[list[object], OpenAt, list[str]]:
    """Run a test; return its reports, the window it asked for first, and what it imported."""
    from PySide6.QtCore import QAbstractEventDispatcher

    _template.copied = True
    dispatcher = QAbstractEventDispatcher.instance()
    if dispatcher is not None:
        # all copies share one pipe; Qt would warn of what another has left in it
        dispatcher.wakeUp()
    # the thread that watches the time has not been copied; to cancel it would wait for it for ever
    faulthandler.cancel_dump_traceback_later = lambda: None
    before = len(sys.modules)  # a set of their names would write to each of them, and so copy it
    _template.made = item._request._fixture_defs  # pyright: ignore[reportAttributeAccessIssue]
    _template.asked.clear()
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    lower = item.config.hook.pytest_report_to_serializable
    told = [lower(config=item.config, report=report) for report in reports]
    asked = _template.asked[0] if _template.asked else _UNASKED
    kinds = ("app", "engine", "numpy", "networkx", "msgspec", "PySide6", "pyqtgraph")
    new = islice(reversed(sys.modules), max(0, len(sys.modules) - before))
    return told, asked, [name for name in new if name.split(".")[0] in kinds][::-1]


def _read(reading: int, child: int) -> bytes:
    """Everything a copy has to say; one that says nothing for too long is killed."""
    assert os.name == "posix"
    parts: list[bytes] = []
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while True:
            if not select.select([pipe], [], [], LONGEST)[0]:
                os.kill(child, signal.SIGKILL)
                return b""
            part = pipe.read(1 << 16)
            if not part:
                return b"".join(parts)
            parts.append(part)


def _crashed(item: pytest.Item, status: int) -> pytest.TestReport:
    why = f"its process ended with {os.waitstatus_to_exitcode(status)}"
    return pytest.TestReport(
        item.nodeid, item.location, dict(item.keywords), "failed", why, "call", start=0, stop=0
    )


def _end_pooled_threads() -> None:
    """End the idle threads in which Qt paints: a copy would wait for them, but has none."""
    from PySide6.QtCore import QThreadPool
    from shiboken6 import wrapInstance

    QThreadPool.globalInstance().waitForDone()
    found = _painting_pool()
    if found:
        cast("QThreadPool", wrapInstance(found, QThreadPool)).waitForDone()


def _painting_pool() -> int:
    """Return the address of the pool that QtGui has for itself, or 0."""
    import PySide6

    library = Path(PySide6.__file__).parent / "Qt" / "lib" / "libQt6Gui.so.6"
    pool = ctypes.CDLL(str(library))._ZN22QGuiApplicationPrivate15qtGuiThreadPoolEv
    pool.restype = ctypes.c_void_p
    return pool() or 0
