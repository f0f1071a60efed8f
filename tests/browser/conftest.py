"""One Chromium for all tests of pages, the pages, and a reader who opens them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.reader import Reader, made_pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parents[2]


def _libraries() -> ModuleType:
    sys.path.insert(0, str(ROOT / "packaging"))
    try:
        import libraries
    finally:
        sys.path.pop(0)
    return libraries


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """The Chromium of this system, which keeps what it writes in a folder of this run."""
    path = _libraries().find_browser()
    if path is None:
        pytest.skip("no Chromium here: python3 run.py test browser says how to get one")
    home = str(tmp_path_factory.mktemp("chromium"))
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(
            executable_path=path,
            args=["--disable-gpu", "--disable-dev-shm-usage", *sandbox],
            env=os.environ | {"HOME": home, "XDG_CONFIG_HOME": home, "XDG_CACHE_HOME": home},
        )
        yield found
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
def read(chromium: Browser, pages: dict[str, Path]) -> Iterator[Callable[..., Reader]]:
    """Open a page; at the end nothing may have been requested, refused, or gone wrong."""
    readers: list[Reader] = []

    def open_page(name: str, size: tuple[int, int] = (390, 844), **how: Any) -> Reader:
        readers.append(Reader(chromium, pages[name], size, **how))
        return readers[-1]

    yield open_page
    for reader in readers:
        reader.close()
        assert reader.complaints == []
