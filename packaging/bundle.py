"""Build an application folder that needs no Python, and on Debian and Ubuntu a .deb of it.

python3 run.py bundle                    build dist/backwire, and dist/backwire_*.deb
python3 run.py bundle --try              use what was built: every verb, and the window
sudo python3 run.py bundle --try --bare bookworm     the same in a new Debian without Python,
                                         and install, use and remove the .deb there

The system on which it is built is the oldest on which it runs.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import deb

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"


def main(arguments: list[str]) -> int:
    """Build, or try what was built; returns the exit code."""
    parser = argparse.ArgumentParser(
        "run.py bundle", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--try", dest="tried", action="store_true", help="use what was built")
    parser.add_argument("--bare", metavar="SUITE", help="in a new Debian of this release")
    found = parser.parse_args(arguments)
    if not found.tried:
        return build()
    if found.bare:
        import bare

        return bare.try_in(found.bare, DIST / "backwire", deb.newest(DIST))
    import trial

    return trial.try_here(DIST / "backwire")


def build() -> int:
    """Build the folder and, where there is dpkg-deb, the package."""
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    subprocess.run([*command, "packaging/backwire.spec"], cwd=ROOT, check=True)
    print(_described(DIST / "backwire"))
    if shutil.which("dpkg-deb"):
        print(_described(deb.build(DIST / "backwire", DIST)))
    return 0


def _described(path: Path) -> str:
    files = [path] if path.is_file() else [f for f in path.rglob("*") if not f.is_symlink()]
    size = sum(file.stat().st_size for file in files if file.is_file())
    return f"{path.relative_to(ROOT)}: {size / 1e6:.0f} MB"


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
