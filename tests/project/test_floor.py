"""Systems that are too old are refused in one sentence, and README says the same."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def floor(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """On Linux with an x86-64 processor and glibc 2.36."""
    monkeypatch.syspath_prepend(ROOT / "packaging")
    import floor

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr(floor, "_libc", lambda: "glibc 2.36")
    return floor


def test_a_system_that_is_new_enough_goes_on(floor: ModuleType):
    assert floor.shortfall() == ""
    floor.check()


NEWER = "Backwire needs glibc {} or newer on {}; this system has {}."


@pytest.mark.parametrize(
    ("machine", "libc", "sentence"),
    [
        ("x86_64", "glibc 2.31", NEWER.format("2.34", "x86_64", "2.31")),
        ("x86_64", "glibc 2.34", ""),
        ("aarch64", "glibc 2.36", NEWER.format("2.39", "aarch64", "2.36")),
        ("aarch64", "glibc 2.39", ""),
        ("x86_64", "", "Backwire needs Linux with glibc 2.34 or newer; this one has no glibc."),
        (
            "riscv64",
            "glibc 2.40",
            "Backwire runs on Linux with the processors x86_64 and aarch64; this one is riscv64.",
        ),
    ],
)
def test_a_linux_that_is_too_old_is_named(floor, monkeypatch, machine, libc, sentence):
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setattr(floor, "_libc", lambda: libc)
    assert floor.shortfall() == sentence


@pytest.mark.parametrize(("version", "fine"), [("12.7", False), ("13.0", True), ("26.1", True)])
def test_macos_before_13_is_named(floor, monkeypatch, version, fine):
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr("platform.mac_ver", lambda: (version, ("", "", ""), "arm64"))
    said = floor.shortfall()
    assert said == ("" if fine else f"Backwire needs macOS 13 or newer; this is macOS {version}.")


def test_windows_on_arm_is_named(floor: ModuleType, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr("platform.machine", lambda: "ARM64")
    assert "Windows on ARM" in floor.shortfall()
    monkeypatch.setattr("platform.machine", lambda: "AMD64")
    assert floor.shortfall() == ""


def test_it_stops_with_the_code_of_a_missing_library(floor, monkeypatch, capsys):
    monkeypatch.setattr(floor, "_libc", lambda: "glibc 2.17")
    with pytest.raises(SystemExit) as stop:
        floor.check()
    assert stop.value.code == 3
    assert capsys.readouterr().err.count("\n") == 1


def test_the_documentation_says_the_same_floor(floor: ModuleType):
    text = " ".join((ROOT / "docs" / "installing.md").read_text("utf-8").split())
    for _machine, version in floor.GLIBC.items():
        assert re.search(rf"(glibc|ARM) {version[0]}\.{version[1]}", text)
    assert f"macOS {floor.MACOS[0]}" in text
    assert "Windows on ARM" in text
