"""A Chromium for all tests of pages, a Firefox for some, the pages, and a reader who opens them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.browser.reader import Reader, Windows, made_pages
from tests.helpers.sampling import is_whole

ROOT = Path(__file__).resolve().parents[2]
CROSSING = ("test_live", "test_live_questions", "test_tasks")
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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the crossing in Firefox too; what shows that it finds a change, with --whole alone."""
    if "windows" not in metafunc.fixturenames:
        return
    names = [pytest.param("chromium", id=pytest.HIDDEN_PARAM)]
    is_crossing = metafunc.definition.path.stem in CROSSING
    if is_crossing and (is_whole() or "planted" not in metafunc.function.__name__):
        names.append(pytest.param("firefox"))
    metafunc.parametrize("windows", names, indirect=True, scope="session")


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
