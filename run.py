"""Start Backwire, or work on it; this file needs Python 3.11 to 3.14 and nothing else.
On Windows say py run.py.

python3 run.py [FILE.backwire]   open the window
python3 run.py ops | run FILE ... | check FILE ...   and all verbs of the command line, which need
                                 no display; python3 run.py help lists them
python3 run.py setup             make .venv with everything, start nothing
python3 run.py test [STAGE ...]  all tests, or static, engine, window, browser, x11;
                                 further arguments go to pytest; --whole: also what takes long,
                                 the coverage of the engine, and the types of other systems;
                                 --budgets: a stage fails that takes more than twice its budget
python3 run.py test --pythons    the same under each Python from 3.11 to 3.14 that is found
python3 run.py check             formatter, linter, type checker, import contracts
python3 run.py fix               let the formatter and the linter mend what they can
python3 run.py bench [engine|canvas|window|train|answers|pages|shares] [--nodes N]
                                 the tables of speed, with the peers beside us; shares: where the
                                 time of each kind of frame goes
python3 run.py screenshots       take the pictures of the README again
python3 run.py docs              write the keys in the tables of docs/ again
python3 run.py icons             write the logo and the ticks of each theme again
python3 run.py proof [files|crash|fuzz|text|fit]
                                 tables: what must hold for every file, crash, input, sentence
python3 run.py monkey | soak     use the window at random, or for long
python3 run.py bundle [--try]    an application folder to give away and a .deb, in dist/; try both
python3 run.py wheel [--try]     what pip installs, in dist/; try it in a new environment
python3 run.py pin               choose the newest versions of the libraries again (needs uv)
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
PYTHONS = ((3, 11), (3, 14))

# What to run: the sets of Python's libraries that it needs, for whom the system must have libraries
# (a function of packaging/libraries.py), and the arguments of .venv's python.
VERBS = {
    "setup": (("window", "test"), "tests", None),
    "test": (("window", "test"), "tests", ["packaging/stages.py"]),
    "check": (("window", "test"), "tools", ["packaging/stages.py", "static"]),
    "fix": (("window", "test"), "tools", ["packaging/stages.py", "fix"]),
    "bench": (("window", "test", "bench"), "tests", ["-m", "tests.benchmarks"]),
    "screenshots": (("window",), "window", ["packaging/screenshots.py"]),
    "docs": (("window",), "window", ["packaging/docs.py"]),
    "icons": (("window",), "window", ["packaging/drawings.py"]),
    "proof": (("window", "test"), "tests", ["-m", "tests.proofs"]),
    "monkey": (("window", "test"), "tests", ["-m", "tests.monkey"]),
    "soak": (("window", "test"), "tests", ["-m", "tests.soak"]),
    "bundle": (("window", "bundle"), "bundle", ["packaging/bundle.py"]),
    "wheel": (("window",), "tools", ["packaging/wheels.py"]),
    "pin": ((), "tools", ["packaging/pin.py"]),
}


def main(arguments: "list[str]") -> int:
    """Do what the command line says; return the exit code."""
    refuse_other_pythons()
    verb = arguments[0] if arguments else ""
    if verb in ("-h", "--help"):
        print(__doc__)
        return 0
    sys.path.insert(1, str(ROOT / "packaging"))
    from app.cli import VERBS as SPOKEN

    if verb in SPOKEN and not (verb in VERBS and len(arguments) == 1):
        return start(arguments, "window" if verb == "export" else "tools")
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


def start(arguments: "list[str]", system: str = "window") -> int:
    """Open the window, with the file that is named, or obey a verb of the command line."""
    return become([str(prepare(("window",), system)), "-P", "-m", "app", *arguments])


def develop(verb: str, arguments: "list[str]") -> int:
    """Run one of the tools of those who work on Backwire."""
    if verb == "test" and "--pythons" in arguments:
        import pythons

        return pythons.test([word for word in arguments if word != "--pythons"])
    if verb == "bundle":  # it shall hold what the requirements name, and nothing else
        os.environ["BACKWIRE_VENV"] = ".venv-bundle"
    sets, system, command = VERBS[verb]
    if verb == "wheel" and "--try" in arguments:  # which opens a window
        system = "window"
    python = prepare(sets, system) if sets else sys.executable
    if command is None:
        print("Ready: python3 run.py starts Backwire.")
        return 0
    os.chdir(ROOT)
    return become([str(python), *command, *arguments])


def prepare(sets: "tuple[str, ...]", system: str) -> Path:
    """Return the python of `.venv`, when all that these sets and this use need is installed."""
    import floor

    floor.check()
    import environment
    import libraries

    needed = getattr(libraries, f"for_{system}")()
    libraries.ensure(needed, environment.missing_packages())
    return environment.ensure(*sets)


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
