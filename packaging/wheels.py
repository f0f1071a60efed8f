"""Build the wheel that pip installs, and try it in a new environment.

python3 run.py wheel           build dist/backwire-*.whl
python3 run.py wheel --try     install it beside packages of others that are called app and
                               engine; use every verb, the library and the window
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import environment
import installers
import trial

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"

FOREIGN = {name: f'NAME = "the {name} of others"\n' for name in ("app", "engine")}
"""Packages of others with names of ours: their text, which has nothing of what ours have."""

LIBRARY = """\
import sys
import app, engine
from backwire import Value, __all__, evaluate, from_python
assert (app.NAME, engine.NAME) == ("the app of others", "the engine of others")
import backwire
assert all(hasattr(backwire, name) for name in __all__)
assert evaluate("(a*b + a) * f", a=2, b=-3, f=-2).grads == {"a": 4.0, "b": -4.0, "f": -4.0}
a = Value(2.0, label="a")
y = (a * a).tanh()
y.backward()
program = "from %s import Value\\na = Value(2.0)\\nb = a * a\\nb.backward()\\n"
assert from_python(program % "backwire").nodes == from_python(program % "engine").nodes
print("drawn:", "</svg>" in y._repr_svg_())
if sys.platform == "linux":
    y.show()
assert not [name for name in sys.modules if name.startswith(("app.", "engine."))]
"""
"""What a program does with the library, on a system without a display."""
NO_DISPLAY = {"QT_QPA_PLATFORM": "xcb", "DISPLAY": "", "WAYLAND_DISPLAY": ""}


def main(arguments: list[str]) -> int:
    """Build, or try what was built; returns the exit code."""
    parser = argparse.ArgumentParser(
        "run.py wheel", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--try", dest="tried", action="store_true", help="use what was built")
    if not parser.parse_args(arguments).tried:
        return build()
    wheels = sorted(DIST.glob("backwire-*.whl"), key=lambda wheel: wheel.stat().st_mtime)
    if not wheels:
        print("There is no wheel in dist: python3 run.py wheel makes it.", file=sys.stderr)
        return 1
    return try_here(wheels[-1])


def build() -> int:
    """Build the wheel with uv if there is one, else with pip; returns the exit code."""
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--quiet", "--wheel-dir"]
    if shutil.which("uv"):
        command = ["uv", "build", "--wheel", "--quiet", "--out-dir"]
    code = subprocess.run([*command, DIST, ROOT], cwd=ROOT).returncode
    if not code:
        for wheel in DIST.glob("backwire-*.whl"):
            print(f"{wheel.relative_to(ROOT)}: {wheel.stat().st_size / 1e6:.1f} MB")
    return code


def try_here(wheel: Path) -> int:
    """Install a wheel in a new environment, and use it; returns the exit code."""
    table = trial.Table()
    with tempfile.TemporaryDirectory(prefix="backwire trial ", ignore_cleanup_errors=True) as name:
        system = trial.Here(Path(name).resolve())
        start = time.monotonic()
        with zipfile.ZipFile(wheel) as file:
            tops = {entry.split("/")[0] for entry in file.namelist()}
        fine = {top for top in tops if not top.endswith(".dist-info")} == {"backwire"}
        table.add("the wheel holds one name", fine, ", ".join(sorted(tops)), start)
        python = _installed(table, wheel, system.folder / "venv")
        if table.failed:
            return table.conclude()
        trial.prepare(python.parents[1], system.folder)
        _try_all(table, system, python, wheel.name.split("-")[1])
    return table.conclude()


def _installed(table: trial.Table, wheel: Path, venv: Path) -> Path:
    """The python of a new venv that has the wheel, and packages of others."""
    scripts = venv / environment.SCRIPTS.name
    python = scripts / environment.PYTHON.name
    tool = (installers.Uv if shutil.which("uv") else installers.Pip)(venv, python, environment.BASE)
    start = time.monotonic()
    try:
        tool.make_venv()
        tool.install(ROOT / "packaging" / environment.REQUIREMENTS["window"])
        packages = next(iter(venv.glob("Lib/site-packages")), None)
        packages = packages or next(venv.glob("lib/*/site-packages"))
        for name, text in FOREIGN.items():
            (packages / name).mkdir()
            (packages / name / "__init__.py").write_text(text, encoding="utf-8")
        tool.install_wheel(wheel)
    except installers.FailedError as error:
        table.add("it installs", False, error.said, start)
    else:
        table.add("it installs", True, wheel.name, start)
    return python


def _try_all(table: trial.Table, system: trial.Here, python: Path, version: str) -> None:
    """Use the command, the module, the library and the window."""
    program = str(python.with_name("backwire"))
    trial.try_verbs(table, system, program, f"backwire {version}")
    classic = ("export", trial.GRAPH, "-o", "classic.svg", "--format", "classic")
    table.command(system, [program, *classic], 0, "classic.svg")
    table.command(system, [str(python), "-m", "backwire", "ops"], 0, "tanh")
    (system.folder / "library.py").write_text(LIBRARY, encoding="utf-8")
    start = time.monotonic()
    done = system.run([str(python), "library.py"], more=NO_DISPLAY)
    shown = sys.platform != "linux" or "There is no display" in done.said  # the window's process
    fine = done.code == 0 and "drawn: True" in done.said and shown
    table.add("from backwire import Value, beside others", fine, done.said, start)
    trying = [str(python), str(ROOT / "packaging" / "try_window.py")]
    trial.try_window(table, system, program, trial.platform_here(), trying)


if __name__ == "__main__":
    os.chdir(ROOT)
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
