"""A Chromium for all tests of pages, a Firefox for some, the pages, and a reader who opens them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.browser.reader import IN_FIREFOX, Reader, Windows, made_pages
from tests.helpers.sampling import is_whole

ROOT = Path(__file__).resolve().parents[2]
CROSSING = ("test_live", "test_live_questions", "test_tasks", "test_hostile")
"""Files whose tests cross page and window."""
FINE_THAT_HOVERS = 6
"""A mouse, as Firefox counts pointers: without a screen it has none."""


def _libraries() -> ModuleType:
    sys.path.insert(0, str(ROOT / "packaging"))
    try:
        import libraries
    finally:
        sys.path.pop(0)
    return libraries


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"{IN_FIREFOX.name}: in each run in Firefox, too")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the crossing in Firefox too."""
    if "windows" not in metafunc.fixturenames:
        return
    names = [pytest.param("chromium", id=pytest.HIDDEN_PARAM)]
    if metafunc.definition.path.stem in CROSSING:
        names.append(pytest.param("firefox"))
    metafunc.parametrize("windows", names, indirect=True, scope="session")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without --whole leave out in Firefox what is not marked."""
    if is_whole():
        return
    left_out = [item for item in items if not _is_run(item)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def _is_run(item: pytest.Item) -> bool:
    spec = getattr(item, "callspec", None)
    parameters = spec.params if spec else {}
    is_marked = item.get_closest_marker(IN_FIREFOX.name) is not None
    return parameters.get("windows") != "firefox" or is_marked


@pytest.fixture(scope="session")
def windows(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Windows]:
    """Windows in the Chromium or Firefox of this system, which writes into a folder of this run."""
    name: str = request.param
    path = getattr(_libraries(), f"find_{name}")()
    if path is None or os.name != "posix":
        pytest.skip(f"no {name} here: python3 run.py test browser says how to get one")
    home = str(tmp_path_factory.mktemp(name))
    how: dict[str, Any] = {
        "executable_path": path,
        "env": os.environ | {"HOME": home, "XDG_CONFIG_HOME": home, "XDG_CACHE_HOME": home},
    }
    if name == "firefox":
        how["channel"] = "moz-firefox"  # as its makers build it, driven by WebDriver BiDi
        how["firefox_user_prefs"] = {"ui.primaryPointerCapabilities": FINE_THAT_HOVERS}
    else:
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        how["args"] = ["--disable-gpu", "--disable-dev-shm-usage", *sandbox]
    playwright = pytest.importorskip("playwright.sync_api")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NODE_OPTIONS", f'--require="{Path(__file__).with_name("firefox.cjs")}"')
        with playwright.sync_playwright() as driver:
            found = getattr(driver, name).launch(**how)
            yield Windows(found)
            found.close()


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The files of the pages that are read, by a short name."""
    folder = tmp_path_factory.mktemp("pages")
    paths: dict[str, Path] = {}
    for name, text in made_pages().items():
        paths[name] = folder / f"{name}.html"
        paths[name].write_text(text, "utf-8")
    return paths


@pytest.fixture
def read(windows: Windows, pages: dict[str, Path]) -> Iterator[Callable[..., Reader]]:
    """Open a page; at the end nothing may have been requested, refused, or gone wrong."""
    readers: list[Reader] = []

    def open_page(name: str, size: tuple[int, int] = (390, 844), **how: Any) -> Reader:
        if readers:  # who may have sat at the same window
            readers[-1].close()
        readers.append(Reader(windows, pages[name], size, **how))
        return readers[-1]

    yield open_page
    if readers:
        readers[-1].close()
    assert [each for reader in readers for each in reader.complaints] == []
