"""Start Backwire, or work on it; this file needs Python 3.11 to 3.14 and nothing else.

python3 run.py [FILE.backwire]   open the window
python3 run.py setup             make .venv with everything, start nothing
python3 run.py test [STAGE ...]  all tests, or the stages static, engine, window, x11;
                                 further arguments go to pytest; --whole: also what takes long
python3 run.py check             formatter, linter, type checker, import contracts
python3 run.py fix               let the formatter and the linter mend what they can
python3 run.py bench [engine|canvas|window] [--nodes N]
                                 the tables of speed, with the peers beside us
python3 run.py screenshots       take the pictures of the README again
python3 run.py mutants           which faults planted in the engine do no tests see?
python3 run.py proof [files|crash|fuzz|text]
                                 tables: what must hold for every file, crash, input, sentence
python3 run.py monkey | soak     use the window at random, or for long
python3 run.py bundle            an application folder to give away, in dist/
python3 run.py pin               choose the newest versions of the libraries again (needs uv)
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
PYTHONS = ((3, 11), (3, 14))

# What to run, with the sets of libraries it needs: (requirements, arguments of .venv's python).
VERBS = {
    "setup": (("window", "test"), None),
    "test": (("window", "test"), ["packaging/stages.py"]),
    "check": (("window", "test"), ["packaging/stages.py", "static"]),
    "fix": (("window", "test"), ["packaging/stages.py", "fix"]),
    "bench": (("window", "test", "bench"), ["-m", "tests.benchmarks"]),
    "screenshots": (("window",), ["packaging/screenshots.py"]),
    "mutants": (("window", "test"), ["-m", "tests.mutants"]),
    "proof": (("window", "test"), ["-m", "tests.proofs"]),
    "monkey": (("window", "test"), ["-m", "tests.monkey"]),
    "soak": (("window", "test"), ["-m", "tests.soak"]),
    "bundle": (
        ("window", "bundle"),
        ["-m", "PyInstaller", "--noconfirm", "packaging/backwire.spec"],
    ),
    "pin": ((), ["packaging/pin.py"]),
}


def main(arguments: "list[str]") -> int:
    """Do what the command line says; return the exit code."""
    refuse_other_pythons()
    verb = arguments[0] if arguments else ""
    if verb in ("-h", "--help", "help"):
        print(__doc__)
        return 0
    sys.path.insert(1, str(ROOT / "packaging"))
    if verb in VERBS:
        return develop(verb, arguments[1:])
    if not verb or verb.endswith(".backwire") or os.path.exists(verb):
        return start(arguments)
    print(
        f"run.py: there is no {verb!r}; python3 run.py --help lists what there is", file=sys.stderr
    )
    return 2


def refuse_other_pythons() -> None:
    """Say in one sentence that this Python will not do."""
    (major, minor), (first, last) = sys.version_info[:2], PYTHONS
    if not first <= (major, minor) <= last:
        sys.exit(
            f"Backwire needs Python 3.{first[1]} to 3.{last[1]}; "
            f"this is Python {major}.{minor} ({sys.executable})."
        )


def start(arguments: "list[str]") -> int:
    """Open the window, with the file that is named."""
    import environment
    import libraries

    libraries.ensure(libraries.for_window(), environment.missing_packages())
    return become([str(environment.ensure("window")), "-P", "-m", "app", *arguments])


def develop(verb: str, arguments: "list[str]") -> int:
    """Run one of the tools of those who work on Backwire."""
    import environment
    import libraries

    sets, command = VERBS[verb]
    if sets:
        needed = libraries.for_tests() if "test" in sets else libraries.for_window()
        libraries.ensure(needed, environment.missing_packages())
    python = environment.ensure(*sets) if sets else sys.executable
    if command is None:
        print("Ready: python3 run.py starts Backwire.")
        return 0
    os.chdir(ROOT)
    return become([str(python), *command, *arguments])


def become(command: "list[str]") -> int:
    """Replace this process by `command`; on Windows, which cannot, wait for it."""
    sys.stdout.flush()
    if os.name == "posix":
        os.execv(command[0], command)
    import subprocess

    return subprocess.call(command)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
