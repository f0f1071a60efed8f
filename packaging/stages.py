"""The stages of `python3 run.py test`, each a function; run inside `.venv`."""

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import libraries

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
NO_TESTS = 5  # pytest's exit code when it has nothing to do
WORKERS = min(4, os.cpu_count() or 1)  # more than four gain little and hold memory
PARALLEL = ("-n", str(WORKERS), "--dist", "worksteal", "--maxschedchunk", "4")

BUDGETS = "--budgets"
"""Argument with which a stage fails that takes more than MOST_BUDGETS times its budget.

For a release, on a machine that does nothing else; elsewhere a slow stage is only told.
"""
MOST_BUDGETS = 2

# Before Python 3.14 to count branches takes longer than all the tests themselves.
COVERAGE = (
    "--cov=engine",
    "--cov-branch",
    "--cov-report=term-missing:skip-covered",
    "--cov-fail-under=98",  # percent; 99 when this was written
)

# Named, since to collect all tests for the few of them takes longer than to run these.
X11_TESTS = (
    "tests/project/test_stages.py",
    "tests/journeys/test_check_x11.py",
    "tests/journeys/test_menus_tips_and_lists.py",
    "tests/journeys/test_speaker_screens.py",
    "tests/journeys/test_x11.py",
)

FAILED, LEFT_OUT = "FAILED", "left out"

FORMATTER = [PYTHON, "-m", "ruff", "format", "."]
LINTER = [PYTHON, "-m", "ruff", "check", "."]
SCRIPT_LINTER = [PYTHON, "packaging/page_script.py"]
TYPES = [PYTHON, "-m", "basedpyright", "--pythonpath", PYTHON]
SOURCES = ("app", "engine", "packaging", "run.py")
"""What is checked for its types each time; the tests take half as long again: --whole."""
CONTRACTS = [
    PYTHON,
    "-c",
    "from importlinter.cli import lint_imports_command as c; c()",
    "--no-logo",
]


@dataclass
class Report:
    """What a stage has said and whether all of it went well; `live` says it as it happens."""

    live: bool
    passed: bool = True
    left_out: bool = False
    """Whether this system can't run it."""
    text: list[str] = field(default_factory=list)
    processor: float = 0.0
    """Seconds that its tools took of the processor, with all they started; 0 on Windows."""

    def run(self, command: Sequence[str], fine: Sequence[int] = (0,), **environment: str) -> None:
        """Run one tool, keep what it says, and count what it takes of the processor."""
        with subprocess.Popen(
            command,
            cwd=ROOT,
            env=_environment() | environment,
            stdout=None if self.live else subprocess.PIPE,
            stderr=None if self.live else subprocess.STDOUT,
            encoding="utf-8",
        ) as tool:
            self.text.append(tool.stdout.read() if tool.stdout else "")
            if sys.platform != "win32":
                _, status, usage = os.wait4(tool.pid, 0)
                tool.returncode = os.waitstatus_to_exitcode(status)
                self.processor += usage.ru_utime + usage.ru_stime
        self.passed = self.passed and tool.returncode in fine

    def say(self, line: str) -> None:
        """Add a line of the stage itself."""
        if self.live:
            print(line)
        self.text.append(f"{line}\n")

    def leave_out(self, why: str) -> None:
        """Note that the stage does nothing here."""
        self.left_out = True
        self.say(why)


def static(report: Report, arguments: Sequence[str]) -> None:
    """Formatter, linters, types, import contracts; --whole: tests and other systems typed too."""
    report.run([*FORMATTER, "--check"])
    report.run(LINTER)
    report.run(SCRIPT_LINTER)
    report.run([*TYPES, *(() if "--whole" in arguments else SOURCES)])
    for system in ("Linux", "Windows", "Darwin") if "--whole" in arguments else ():
        if system != platform.system():
            report.run([*TYPES, "--pythonplatform", system])
    report.run(CONTRACTS)


def engine(report: Report, arguments: Sequence[str]) -> None:
    """Tests of the engine; as a whole, with --whole alone, also its branch coverage."""
    cover = COVERAGE if list(arguments) == ["--whole"] else ()
    _pytest(report, ["tests/engine", *cover], arguments, "offscreen")


def window(report: Report, arguments: Sequence[str]) -> None:
    """Tests of the project, the widgets, the journeys and of what they say, on no screen."""
    places = ["tests/project", "tests/app", "tests/truth", "tests/journeys"]
    _pytest(report, [*_present(places), "-m", "not x11"], arguments, "offscreen")


def browser(report: Report, arguments: Sequence[str]) -> None:
    """Pages in a real Chromium, as phones and screens show them; what they compute in Firefox."""
    if sys.platform != "linux":
        report.leave_out("The Chromium of a Linux shows the pages; they are tested there.")
        return
    try:
        libraries.ensure(libraries.for_browser())
    except SystemExit:  # it has said which command root must run
        report.leave_out("Without a Chromium this stage is left out.")
        report.passed = os.environ.get("CI") != "true"
        return
    if libraries.find_firefox() is None:
        report.say(f"Without {libraries.FIREFOX} what pages compute is left out in Firefox.")
    # one worker and so one browser: each has several processes of its own
    _pytest(report, ["tests/browser", "-n", "0"], arguments, "offscreen")


def x11(report: Report, arguments: Sequence[str]) -> None:
    """Journeys on a real X server that has no screen."""
    if sys.platform != "linux":
        report.leave_out("There is no X11 on this system; its journeys run on Linux.")
        return
    _pytest(report, [*X11_TESTS, "-m", "x11"], arguments, "xcb")


@dataclass(frozen=True)
class Stage:
    """One part of the whole test, with the seconds it may take on two cores.

    What stands in front of ASIDE must fit into seven minutes; those of ASIDE run beside it.
    """

    run: Callable[[Report, Sequence[str]], None]
    budget: int


STAGES = {
    "static": Stage(static, 75),
    "engine": Stage(engine, 70),
    "window": Stage(window, 330),
    "browser": Stage(browser, 220),
    "x11": Stage(x11, 20),
}


ASIDE = ("static", "browser")
"""Run beside the others: each leaves a core idle half of the time."""


def main(arguments: Sequence[str]) -> int:
    """Run the stages that are named, or all; further arguments go to pytest."""
    if arguments[:1] == ["fix"]:
        return fix()
    strict = BUDGETS in arguments
    arguments = [argument for argument in arguments if argument != BUDGETS]
    names = [name for name in arguments if name in STAGES]
    rest = [argument for argument in arguments if argument not in STAGES]
    if not names and any(Path(argument.split("::")[0]).exists() for argument in rest):
        report = Report(live=True)
        _pytest(report, (), rest, os.environ.get("QT_QPA_PLATFORM", "offscreen"))
        return 0 if report.passed else 1
    return _run_stages(names or list(STAGES), rest, strict)


def fix() -> int:
    """Let the linter and the formatter mend what they can."""
    report = Report(live=True)
    report.run([*LINTER, "--fix"])
    report.run(FORMATTER)
    return 0 if report.passed else 1


def _run_stages(names: Sequence[str], arguments: Sequence[str], strict: bool = False) -> int:
    """Run all of them, even after a failure; those of ASIDE in turn beside the others.

    `strict` lets one fail that takes more than twice its budget.
    """
    start = time.monotonic()
    front = [name for name in names if name not in ASIDE] or names
    ended: dict[str, str] = {}
    with ThreadPoolExecutor(max_workers=1) as pool:
        aside = {
            name: pool.submit(_timed, name, arguments, False) for name in names if name not in front
        }
        for name in front:
            _title(name)
            _conclude(name, _timed(name, arguments, True), ended, strict)
            for other in [other for other, future in aside.items() if future.done()]:
                _show(other, aside.pop(other), ended, strict)
        for name, future in aside.items():
            _show(name, future, ended, strict)
    print(_verdict(ended, time.monotonic() - start))
    return 1 if FAILED in ended.values() else 0


def _show(
    name: str, ran: "Future[tuple[Report, float]]", ended: dict[str, str], strict: bool
) -> None:
    report, seconds = ran.result()
    _title(name)
    print("".join(report.text), end="")
    _conclude(name, (report, seconds), ended, strict)


def _timed(name: str, arguments: Sequence[str], live: bool) -> tuple[Report, float]:
    start = time.monotonic()
    report = Report(live)
    STAGES[name].run(report, arguments)
    return report, time.monotonic() - start


def _title(name: str) -> None:
    print(f"\n===== {name}: {STAGES[name].run.__doc__}", flush=True)


def _conclude(
    name: str, result: tuple[Report, float], ended: dict[str, str], strict: bool = False
) -> None:
    report, seconds = result
    budget = STAGES[name].budget
    over = ", over its budget" if seconds > budget else ""
    passed = report.passed and not (strict and seconds > MOST_BUDGETS * budget)
    ended[name] = FAILED if not passed else LEFT_OUT if report.left_out else "passed"
    print(f"----- {name}: {ended[name]}", end="")
    used = f", {report.processor:.0f} s of the processor" if report.processor else ""
    print(f" in {seconds:.0f} s of {budget} s{over}{used}", flush=True)


def _verdict(ended: dict[str, str], seconds: float) -> str:
    took = f"{seconds // 60:.0f} min {seconds % 60:.0f} s"
    failed, left_out, passed = (
        [name for name in STAGES if ended.get(name) == how] for how in (FAILED, LEFT_OUT, "passed")
    )
    without = f"; left out: {', '.join(left_out)}" if left_out else ""
    if failed:
        return f"\nFAILED after {took}: {', '.join(failed)}{without}"
    what = "All stages" if len(passed) == len(STAGES) else ", ".join(passed) or "No stage"
    return f"\n{what} passed in {took}{without}."


def _pytest(report: Report, own: Sequence[str], more: Sequence[str], screen: str) -> None:
    """Run pytest in parallel; with `more` arguments a stage may be left without any test."""
    command = [PYTHON, "-m", "pytest", "-q", *PARALLEL, *own, *more]
    report.run(command, (0, NO_TESTS) if own and more else (0,), QT_QPA_PLATFORM=screen)


def _present(places: Sequence[str]) -> list[str]:
    return [place for place in places if (ROOT / place).is_dir()]


def _environment() -> dict[str, str]:
    """Nothing of the desktop's Qt settings may change what the tests see.

    Compiled files are kept, as Python does if it isn't told otherwise: the workers and the 200
    processes that tests start would each compile everything again, at a second or more each.
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("QT_", "QSG_", "PYTEST_"))}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    return kept | {"PYTHONUNBUFFERED": "1"}


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
