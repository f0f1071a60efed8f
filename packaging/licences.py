"""Collect the licence texts of everything that a bundle holds.

Python packages bring theirs in *.dist-info, Debian's libraries in /usr/share/doc. The texts that
Qt's and Graphviz's wheels name but do not bring lie in packaging/licences.
"""

import json
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Protocol

ROOT = Path(__file__).resolve().parent.parent
TEXTS = Path(__file__).resolve().parent / "licences"
BUILDER = ("pyinstaller", "pyinstaller-hooks-contrib")
"""Distributions whose start-up code is in every bundle; their exceptions allow any licence."""

NOTICE = """\
Licences of what is in this folder
==================================

Backwire itself is under the MIT licence (Backwire/LICENSE).

Qt {qt} and Qt for Python {qt} are used under the GNU Lesser General Public License, version 3
(LGPL-3.0.txt, with GPL-3.0.txt to which it refers). They are unmodified. Their libraries are
separate files in the folders PySide6 and shiboken6 beside this one: you may replace them by your
own builds of a compatible version, and may study and change how Backwire works with them. Their
source is at https://download.qt.io/official_releases/ (qt/ and QtForPython/, version {qt}).

Graphviz is under the Eclipse Public License (pygraphviz). The wheel of pygraphviz brings these
libraries, unmodified: {vendored}. Pango, GLib, FriBidi, libthai and libdatrie are under the LGPL
version 2.1 (LGPL-2.1.txt), cairo under the LGPL 2.1 or the MPL 1.1 (MPL-1.1.txt). Their source is
at https://repo.almalinux.org/.

One folder here for each part:

{parts}
"""


class Analysed(Protocol):
    """What PyInstaller's Analysis knows: entries of (place in the bundle, source, kind)."""

    binaries: list[tuple[str, str, str]]
    pure: list[tuple[str, str, str]]


def collect(analysis: Analysed, folder: Path) -> list[tuple[str, str, str]]:
    """Write all texts into `folder`; return what PyInstaller shall take along.

    `analysis` is PyInstaller's, whose binaries and modules say what is in the bundle. Stops the
    build when a part has no licence text.
    """
    shutil.rmtree(folder, ignore_errors=True)
    sources = {Path(source) for _, source, _ in [*analysis.binaries, *analysis.pure]}
    found = {"Backwire": [ROOT / "LICENSE"], "Python": [_python_licence()]}
    used = [*_distributions_of(sources), *(_distribution(name) for name in BUILDER)]
    for each in used:
        found[each.name] = _texts_of(each)
    found |= _system_licences(sources)
    without = [name for name, texts in found.items() if not texts]
    if without:
        sys.exit(f"There is no licence text for {', '.join(without)}.")
    for name, texts in found.items():
        (folder / name).mkdir(parents=True)
        for text in texts:
            shutil.copy(text, folder / name / text.name)
    for text in TEXTS.glob("*.txt"):
        shutil.copy(text, folder)
    (folder / "NOTICE.txt").write_text(_notice(found, used), encoding="utf-8")
    return [
        (str(Path("licences") / path.relative_to(folder)), str(path), "DATA")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]


def _distributions_of(sources: Iterable[Path]) -> list[Distribution]:
    """The installed distributions from which any of these files come."""
    site = Path(sysconfig.get_path("purelib"))
    tops = {path.relative_to(site).parts[0] for path in sources if path.is_relative_to(site)}
    return [
        each
        for each in distributions(path=[str(site)])
        if tops & {file.parts[0] for file in each.files or ()}
    ]


def _distribution(name: str) -> Distribution:
    return Distribution.from_name(name)


def _texts_of(each: Distribution) -> list[Path]:
    """The licence files of a distribution; for Qt's, which have none, those of the LGPL."""
    texts = [
        Path(str(each.locate_file(file)))
        for file in each.files or ()
        if ".dist-info" in file.parts[0]
        and (file.name.upper().startswith(("LICEN", "COPYING", "NOTICE")) or "sboms" in file.parts)
    ]
    if not texts and each.name.lower().startswith(("pyside6", "shiboken6")):
        texts = [TEXTS / "LGPL-3.0.txt", TEXTS / "GPL-3.0.txt"]
    return texts


def _python_licence() -> Path:
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    places = [
        Path(sysconfig.get_path("stdlib")) / "LICENSE.txt",
        Path(sys.base_prefix) / "LICENSE.txt",
        Path(f"/usr/share/doc/python{version}/copyright"),
        Path(f"/usr/share/doc/libpython{version}-minimal/copyright"),
    ]
    for place in places:
        if place.exists():
            return place
    sys.exit(f"The licence of this Python was not found: not at {', '.join(map(str, places))}.")


def _system_licences(sources: Iterable[Path]) -> dict[str, list[Path]]:
    """The copyright files of the Debian packages from which any of these files come."""
    if not shutil.which("dpkg"):
        return {}
    # A merged /usr has one name for a file, and dpkg may know it by the other.
    files = {str(path).removeprefix("/usr") for path in sources if _is_of_the_system(path)}
    names = [prefix + file for file in sorted(files) for prefix in ("", "/usr")]
    known = subprocess.run(["dpkg", "-S", *names], capture_output=True, text=True).stdout
    packages = {line.partition(":")[0] for line in known.splitlines()}
    return {
        package: list(Path("/usr/share/doc", package).glob("copyright"))
        for package in sorted(packages)
    }


def _is_of_the_system(path: Path) -> bool:
    return path.is_relative_to("/usr/lib") or path.is_relative_to("/lib")


def _notice(found: dict[str, list[Path]], used: Iterable[Distribution]) -> str:
    vendored: set[str] = set()
    for text in found.get("pygraphviz", ()):
        if text.suffix == ".json":
            parts = json.loads(text.read_text("utf-8"))["components"]
            vendored |= {f"{part['name']} {part['version']}" for part in parts}
    versions = {each.name: each.version for each in used}
    qt = next((v for name, v in versions.items() if name.lower().startswith("pyside6")), "6")
    parts = "\n".join(f"  {name} {versions.get(name, '')}".rstrip() for name in sorted(found))
    return NOTICE.format(qt=qt, vendored=", ".join(sorted(vendored)) or "none", parts=parts)
