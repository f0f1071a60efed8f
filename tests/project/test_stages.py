"""The stages of `run.py test`: all of them run, and one failure is a failure.

The stage x11 is what it says: a real X server, and a window that gets the keyboard.
"""

import re
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "packaging")
    import stages

    return stages


@pytest.fixture
def ran(stages: ModuleType, monkeypatch: pytest.MonkeyPatch) -> dict[str, Sequence[str]]:
    """Stages that do nothing but note their arguments; the one called engine fails."""
    calls: dict[str, Sequence[str]] = {}

    def pretend(name: str) -> object:
        def stage(report: Any, arguments: Sequence[str]) -> None:
            """Pretends."""
            calls[name] = arguments
            report.passed = name != "engine"

        return stages.Stage(stage, 60)

    monkeypatch.setattr(stages, "STAGES", {name: pretend(name) for name in stages.STAGES})
    return calls


def test_all_stages_run_even_after_a_failure(stages, ran, capsys):
    assert stages.main([]) == 1
    assert ran.keys() == {"static", "engine", "window", "browser", "x11"}
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("FAILED after")
    assert last.endswith(": engine")


def test_the_verdict_names_the_stages_that_were_left_out(stages, ran, monkeypatch, capsys):
    def nothing(report: Any, arguments: Sequence[str]) -> None:
        """Has no Chromium."""
        report.leave_out("Nothing is here.")

    monkeypatch.setitem(stages.STAGES, "browser", stages.Stage(nothing, 60))
    for names, code, verdict in (
        ([], 1, r"FAILED after .* s: engine; left out: browser"),
        (["window", "browser"], 0, r"window passed in .* s; left out: browser\."),
        (["browser"], 0, r"No stage passed in .* s; left out: browser\."),
        ([name for name in stages.STAGES if name != "engine"], 0, r"static, window, x11 passed .*"),
    ):
        assert stages.main(names) == code
        out = capsys.readouterr().out
        assert re.fullmatch(verdict, out.splitlines()[-1]), out
        assert "browser: left out" in out


def test_a_stage_can_run_alone(stages, ran, capsys):
    assert stages.main(["window", "-k", "drag"]) == 0
    assert ran == {"window": ["-k", "drag"]}
    assert capsys.readouterr().out.splitlines()[-1].startswith("window passed in")


def test_a_place_is_tested_directly(stages: ModuleType, monkeypatch: pytest.MonkeyPatch):
    commands: list[Sequence[str]] = []
    monkeypatch.setattr(
        stages.Report, "run", lambda self, command, *_, **__: commands.append(command)
    )
    monkeypatch.chdir(ROOT)
    assert stages.main(["tests/project", "-k", "pinned"]) == 0
    (command,) = commands
    assert command[3:] == ["-q", *stages.PARALLEL, "tests/project", "-k", "pinned"]


def test_coverage_is_measured_when_the_whole_engine_is_tested(stages, monkeypatch):
    commands: list[Sequence[str]] = []
    monkeypatch.setattr(
        stages.Report, "run", lambda self, command, *_, **__: commands.append(command)
    )
    for arguments in ([], ["--whole"], ["--whole", "-k", "tape"]):
        stages.main(["engine", *arguments])
    assert ["--cov=engine" in command for command in commands] == [False, True, False]


def test_the_stages_keep_what_python_compiles(stages, monkeypatch, capfd):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    say = "import sys; print(sys.dont_write_bytecode)"
    stages.Report(live=True).run([sys.executable, "-c", say])
    assert capfd.readouterr().out == "False\n"


@pytest.mark.skipif(sys.platform == "win32", reason="there it is not counted")
@pytest.mark.parametrize("live", [True, False])
def test_a_stage_counts_what_its_tools_and_theirs_take_of_the_processor(stages, live):
    busy = "import time\nwhile time.process_time() < 0.2: pass"
    start = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {busy!r}], check=True)"
    report = stages.Report(live)
    report.run([sys.executable, "-c", start])
    assert report.passed
    assert 0.2 <= report.processor < 10
    report.run([sys.executable, "-c", "raise SystemExit(3)"])
    assert not report.passed


def test_without_a_chromium_the_pages_are_left_out_except_on_ci(stages, monkeypatch, capsys):
    def stop(*_: object) -> None:
        raise SystemExit(3)

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(stages.libraries, "ensure", stop)
    monkeypatch.setattr(stages, "_pytest", lambda *_: pytest.fail("no tests without it"))
    for ci, passed in (("", True), ("true", False)):
        monkeypatch.setenv("CI", ci)
        report = stages.Report(live=True)
        stages.browser(report, ())
        assert (report.passed, report.left_out) == (passed, True)
        assert capsys.readouterr().out == "Without a Chromium this stage is left out.\n"


@pytest.mark.parametrize("there", [True, False])
def test_the_stage_of_pages_says_when_there_is_no_firefox(stages, monkeypatch, capsys, there):
    ran: list[object] = []
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(stages.libraries, "ensure", lambda _: None)
    monkeypatch.setattr("shutil.which", lambda name: name if there else None)
    monkeypatch.setattr(stages, "_pytest", lambda *_: ran.append(_))
    stages.browser(stages.Report(live=True), ())
    assert len(ran) == 1
    assert ("left out in Firefox" in capsys.readouterr().out) == (not there)


def test_the_script_of_pages_is_linted(stages, monkeypatch):
    commands: list[Sequence[str]] = []
    monkeypatch.setattr(
        stages.Report, "run", lambda self, command, *_, **__: commands.append(command)
    )
    stages.static(stages.Report(live=True), ())
    assert any("packaging/page_script.py" in command for command in commands)


def test_types_of_tests_and_other_systems_are_checked_with_whole_and_by_a_job(stages, monkeypatch):
    seen: list[str] = []
    words = (*stages.SOURCES, "Linux", "Windows", "Darwin")

    def note(self: Any, command: Sequence[str], *_: object) -> None:
        if "basedpyright" in command:
            seen.append(" ".join(word for word in command if word in words))

    monkeypatch.setattr(stages.Report, "run", note)
    monkeypatch.setattr(stages.platform, "system", lambda: "Linux")
    for arguments in ((), ("--whole",)):
        stages.static(stages.Report(live=True), arguments)
    assert seen == ["app engine packaging run.py", "", "Windows", "Darwin"]  # "": all
    jobs = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    assert "run.py test static engine --whole" in jobs


def test_each_stage_says_what_it_is(stages: ModuleType):
    assert all(stage.run.__doc__ and stage.budget for stage in stages.STAGES.values())


def test_what_runs_in_front_fits_into_seven_minutes_and_the_rest_beside_it(stages: ModuleType):
    budgets = {name: stage.budget for name, stage in stages.STAGES.items()}
    aside = sum(budgets.pop(name) for name in stages.ASIDE)
    assert aside <= sum(budgets.values()) <= 420
    told = re.search(
        r"must pass \(at most (\w+) minutes", (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    )
    assert told is not None
    assert told[1] == "seven"


def test_every_test_is_in_a_stage(stages: ModuleType, monkeypatch: pytest.MonkeyPatch):
    places: list[str] = []
    monkeypatch.setattr(stages, "_pytest", lambda _report, own, *_: places.extend(own))
    monkeypatch.setattr(stages.libraries, "ensure", lambda _: None)
    monkeypatch.setattr(stages.libraries, "for_browser", tuple)
    for name in stages.STAGES.keys() - {"static"}:
        stages.STAGES[name].run(stages.Report(live=True), ())
    run_by_a_stage = {path for place in places for path in (ROOT / place).rglob("test_*.py")}
    assert {*(ROOT / "tests").rglob("test_*.py")} == run_by_a_stage


def test_the_files_of_the_stage_x11_are_those_that_have_its_mark(stages: ModuleType):
    mark = re.compile(r"^(?:\s*@|pytestmark = )pytest\.mark\.x11\b", re.MULTILINE)
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tests").rglob("test_*.py")
        if mark.search(path.read_text("utf-8"))
    }
    assert {*stages.X11_TESTS} == found


@pytest.mark.parametrize("name", ["static", "engine"])
@pytest.mark.parametrize(
    ("arguments", "took", "code"),
    [([], 25.0, 0), (["--budgets"], 19.0, 0), (["--budgets"], 21.0, 1)],
)
def test_with_budgets_a_stage_that_takes_more_than_twice_its_budget_fails(
    stages, monkeypatch, name, arguments, took, code
):
    seen: list[Sequence[str]] = []

    def stage(_: Any, arguments: Sequence[str]) -> None:
        """Takes its time."""
        seen.append(arguments)

    monkeypatch.setattr(stages, "STAGES", {name: stages.Stage(stage, 10)})
    real = stages._timed
    monkeypatch.setattr(stages, "_timed", lambda *given: (real(*given)[0], took))
    assert stages.main([name, *arguments]) == code
    assert [list(each) for each in seen] == [[]], "pytest knows no --budgets"


def test_what_the_static_stage_has_found_is_shown_when_it_ends_after_the_others(
    stages, monkeypatch, capsys
):
    others_are_done = threading.Event()

    def static(report: Any, _: Sequence[str]) -> None:
        """Waits for the others."""
        assert others_are_done.wait(60)
        report.text.append("a fault\n")
        report.passed = False

    def last(_report: Any, _: Sequence[str]) -> None:
        """Is the last."""
        others_are_done.set()

    found = {"static": stages.Stage(static, 60), "x11": stages.Stage(last, 60)}
    monkeypatch.setattr(stages, "STAGES", found)
    assert stages.main([]) == 1
    out = capsys.readouterr().out
    assert out.index("x11: passed") < out.index("a fault") < out.index("static: FAILED")


@pytest.mark.x11
def test_the_platform_is_x11(qapp):
    assert QGuiApplication.platformName() == "xcb"
    assert QGuiApplication.primaryScreen().size().width() == 1600


@pytest.mark.x11
def test_a_window_that_is_shown_gets_the_keyboard(qtbot, qapp):
    line = QLineEdit()
    qtbot.addWidget(line)
    line.show()
    line.activateWindow()
    with qtbot.waitActive(line):
        pass
    qtbot.keyClicks(qapp.focusWidget(), "a*b + c")
    assert line.text() == "a*b + c"
