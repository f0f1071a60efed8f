"""What all tests share: no screen, no trace of the learner's own settings, our fonts."""

import contextlib
import math
import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.helpers.own_folder import (
    NO_STAMP,
    Stamp,
    differences,
    own_folder,
    use_settings_in,
    watched,
)
from tests.helpers.sampling import WHOLE, tries

pytest_plugins = ["tests.fixtures", "tests.helpers.collecting", "tests.helpers.forks"]

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # run.py test x11 says "xcb" instead
os.environ["QT_NO_GLIB"] = "1"  # a lock of GLib may be held while a test is forked


def on_x11() -> bool:
    return os.environ["QT_QPA_PLATFORM"] == "xcb"


def pytest_xvfb_disable(config: pytest.Config) -> bool:
    return not on_x11()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--whole", action="store_true", help="long monkeys, million-deep runs, six times the tries"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Before any test is imported: say how much is done, and give the run a home of its own."""
    if config.getoption("whole"):
        os.environ[WHOLE] = "1"
    hypothesis.settings.register_profile(
        "tests", deadline=None, derandomize=True, database=None, max_examples=tries(100)
    )
    hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "tests"))
    _own_home(config)


def _own_home(config: pytest.Config) -> None:
    """Give the run, and the processes it starts, a home folder of its own, empty to begin with."""
    held = contextlib.ExitStack()
    config.add_cleanup(held.close)
    home = held.enter_context(own_folder("tests"))
    for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
        os.environ[f"XDG_{kind}_HOME"] = str(home / kind.lower())
    (home / "home").mkdir()
    for name in ("HOME", "USERPROFILE"):
        os.environ[name] = str(home / "home")
    watched(home / "home")  # what is known before a fork, each copy knows


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if on_x11():
        return
    skip = pytest.mark.skip(reason="needs real X11: python3 run.py test x11")
    for item in items:
        if item.get_closest_marker("x11"):
            item.add_marker(skip)


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    from app.style.stylesheet import ARGUMENTS

    return list(ARGUMENTS)


@pytest.fixture(scope="session")
def qapp(qapp):
    """The application, with the fonts it ships, so that all machines measure the same text.

    They measure it at once, so that what a test sees does not depend on the moment.
    """
    from app.canvas.layout import layout
    from app.style.fonts import load_fonts

    load_fonts()
    layout.MEASURING_BUDGET = math.inf
    return qapp


@pytest.fixture(autouse=True)
def own_settings(request: pytest.FixtureRequest, tmp_path_factory) -> Iterator[None]:
    """Give each test that uses Qt empty settings, and no progress in the lessons."""
    from tests.helpers.forks import settings_folder

    if "qapp" not in request.fixturenames or settings_folder() is not None:
        yield
        return
    data = use_settings_in(tmp_path_factory.mktemp("settings"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(data))
        yield


@pytest.fixture(scope="session")
def traces() -> dict[str, Stamp]:
    """What stands in the watched places after the last test, or has stood in the repository."""
    return watched(Path(os.environ["HOME"]))


@pytest.fixture(autouse=True)
def no_traces(traces: dict[str, Stamp]) -> Iterator[None]:
    """Fail the test during which something was written outside of its temporary folder."""
    yield
    now = watched(Path(os.environ["HOME"]))
    found = differences(traces, now)
    for path in [path for path, stamp in traces.items() if stamp != NO_STAMP]:
        del traces[path]
    traces.update(now)
    assert not found, "written outside of the test's own folder"
