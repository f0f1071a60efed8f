"""Collect the licence texts of everything that a bundle holds, and refuse what may not be in it.

Python packages bring theirs in *.dist-info, Debian's libraries in /usr/share/doc. The texts that
Qt's and Graphviz's wheels name but do not bring lie in packaging/licences, and so does a list with
the licence of every library.
"""

import json
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import Distribution, distributions
from pathlib import Path, PurePath
from typing import Protocol

import contents

ROOT = Path(__file__).resolve().parent.parent
TEXTS = Path(__file__).resolve().parent / "licences"
COMMON = Path("/usr/share/common-licenses")
LIST = "LIBRARIES.txt"
"""The file that names every library of a bundle with its part, version and licence."""
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
source is at https://download.qt.io/official_releases/ (qt/ and QtForPython/, version {qt}). The
notices of others whose work is in them are in PySide6_Essentials/third-party.txt.

Graphviz is under the Eclipse Public License 2.0 (pygraphviz). Of the libraries that the wheel of
pygraphviz brings, those in LIBRARIES.txt are here, without the zeros between their pieces; the
plugin for GD is no longer linked to GD, and does nothing (packaging/elf.py of Backwire does both).
Where they come from a distribution of Linux, their source is at https://repo.almalinux.org/.

Texts that refer to /usr/share/common-licenses mean the folder common-licenses here. On Linux
LIBRARIES.txt names every library with its part, version and licence. One folder for each part:

{parts}
"""


class Analysed(Protocol):
    """What PyInstaller's Analysis knows: entries of (place in the bundle, source, kind)."""

    binaries: list[contents.Entry]
    pure: list[contents.Entry]


@dataclass
class Part:
    """Something of others in a bundle: its texts by the place where each is kept, its version."""

    version: str = ""
    texts: dict[str, Path] = field(default_factory=dict)


def collect(analysis: Analysed, folder: Path) -> list[contents.Entry]:
    """Write all texts into `folder`; return what PyInstaller shall take along.

    `analysis` is PyInstaller's, whose binaries and modules say what is in the bundle. Stops the
    build when a part has no licence text, or a library no licence that allows it here.
    """
    shutil.rmtree(folder, ignore_errors=True)
    parts, listed = _parts(analysis)
    without = [name for name, part in parts.items() if not part.texts]
    if without:
        sys.exit(f"There is no licence text for {', '.join(sorted(without))}.")
    for name, part in parts.items():
        for place, text in part.texts.items():
            _copy(text, folder / name / place)
    for text in TEXTS.glob("*.txt"):
        _copy(text, folder / text.name)
    _copy_common(folder)
    if listed:
        (folder / LIST).write_text("".join(f"{line}\n" for line in listed), encoding="utf-8")
    (folder / "NOTICE.txt").write_text(_notice(parts), encoding="utf-8")
    return [
        (str(Path("licences") / path.relative_to(folder)), str(path), "DATA")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]


def refusal(library: str, licences: Mapping[str, str]) -> str:
    """Why a library may not be in a bundle, by the licence that is listed; empty if it may."""
    licence = licences.get(contents.stem(library), "")
    if contents.stem(library).startswith("libQt6"):
        licence = "LGPL-3.0-only"
    if not licence:
        return f"no licence is listed in {TEXTS.name}/libraries.toml"
    choices = licence.split(" OR ")
    if all(each.startswith(("GPL", "AGPL")) and " WITH " not in each for each in choices):
        return f"it is under {licence}"
    return ""


def unlisted(bundle: Path) -> list[str]:
    """Return the libraries of a bundle that its list does not name, or names without a text."""
    inside = next(bundle.rglob(LIST)).parent
    rows = [line.split("\t") for line in (inside / LIST).read_text("utf-8").splitlines()]
    known = {name for name, part, *_ in rows if any((inside / part).rglob("*"))}
    held = {
        path.relative_to(inside.parent).as_posix()
        for path in inside.parent.rglob("lib*.so*")
        if not path.is_symlink() and contents.is_library(path.relative_to(inside.parent).as_posix())
    }
    return sorted(held ^ {name for name, *_ in rows} | held - known)


def _parts(analysis: Analysed) -> tuple[dict[str, Part], list[str]]:
    """Return all parts by name, and a line for each library."""
    sources = {Path(source) for _, source, _ in [*analysis.binaries, *analysis.pure]}
    parts = {
        "Backwire": Part("", {"LICENSE": ROOT / "LICENSE"}),
        "Python": Part(sys.version.split()[0], {"LICENSE.txt": _python_licence()}),
    }
    for each in (*_distributions_of(sources), *map(_distribution, BUILDER)):
        parts[each.name] = Part(each.version, _texts_of(each))
    libraries = [e for e in analysis.binaries if e[2] != "SYMLINK" and contents.is_library(e[0])]
    if sys.platform != "linux":
        return parts, []
    packages = _packages(Path(source) for _, source, _ in analysis.binaries)
    lists = tomllib.loads((TEXTS / "libraries.toml").read_text("utf-8"))
    lines = []
    for place, source, _ in sorted(libraries):
        why = refusal(place, lists["licences"])
        if why:
            sys.exit(f"{place} may not be in a bundle: {why}.")
        name, part = _part_of(Path(source), packages, lists["graphviz"], parts)
        parts.setdefault(name, part)
        licence = lists["licences"].get(contents.stem(place), "LGPL-3.0-only")
        lines.append("\t".join((PurePath(place).as_posix(), name, part.version, licence)))
    for name in set(packages.values()) - parts.keys():  # of modules of Python, not of a library
        parts[name] = _debian(name)
    return parts, lines


def _part_of(
    source: Path, packages: Mapping[Path, str], graphviz: Mapping[str, str], parts: dict[str, Part]
) -> tuple[str, Part]:
    """Return the name of the part that a library belongs to, and the part."""
    component = graphviz.get(contents.stem(source.name))
    if source.parent.name == "pygraphviz.libs" and component:
        texts = {"copyright": TEXTS / "graphviz" / f"{component}.txt"}
        return f"graphviz-{component}", Part(_versions().get(component, ""), texts)
    if source in packages:
        return packages[source], _debian(packages[source])
    for name in _distributions_of([source]):
        return name.name, parts[name.name]
    return "Python", parts["Python"]


def _versions() -> dict[str, str]:
    """Versions of what the wheel of pygraphviz brings, by the list of parts in it."""
    found: dict[str, str] = {}
    for file in _distribution("pygraphviz").files or ():
        if "sboms" in file.parts and file.suffix == ".json":
            listed = json.loads(Path(str(file.locate())).read_text("utf-8"))["components"]
            found |= {each["name"]: each["version"] for each in listed}
    return found


def _debian(package: str) -> Part:
    """Return a package of Debian as a part."""
    text = Path("/usr/share/doc", package, "copyright")
    asked = ["dpkg-query", "-W", "-f", "${Version}\n", package]
    said = subprocess.run(asked, capture_output=True, text=True).stdout
    return Part(said.partition("\n")[0], {text.name: text} if text.exists() else {})


def _copy(text: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(text, target)


def _copy_common(folder: Path) -> None:
    """Take along the texts of Debian to which the other texts refer."""
    named: set[str] = set()
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        text = path.read_text("utf-8", "replace")
        named |= set(re.findall(rf"{COMMON}/([A-Z][\w+-]*(?:\.\d+)*)", text))
    for name in named:
        if (COMMON / name).exists():
            _copy(COMMON / name, folder / COMMON.name / name)


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


def _texts_of(each: Distribution) -> dict[str, Path]:
    """The licence files of a distribution by their places; for Qt's, which have none, ours."""
    found: dict[str, Path] = {}
    for file in each.files or ():
        known = file.name.upper().startswith(("LICEN", "COPYING", "NOTICE"))
        if ".dist-info" in file.parts[0] and (
            known or "LICENSE" in file.name or {"licenses", "sboms"} & set(file.parts)
        ):
            place = Path(*file.parts[1:])
            place = place.relative_to("licenses") if place.parts[0] == "licenses" else place
            found[place.as_posix()] = Path(str(each.locate_file(file)))
    if not found and each.name.lower().startswith(("pyside6", "shiboken6")):
        paths = [TEXTS / "LGPL-3.0.txt", TEXTS / "GPL-3.0.txt", *(TEXTS / "qt").glob("*.txt")]
        found = {path.name: path for path in paths}
    return found


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


def _packages(sources: Iterable[Path]) -> dict[Path, str]:
    """The packages of Debian from which files of this system come, by file."""
    if not shutil.which("dpkg"):
        return {}
    # A merged /usr has one name for a file, and dpkg may know it by the other.
    files = {str(path).removeprefix("/usr"): path for path in sources if _is_of_the_system(path)}
    names = [prefix + file for file in sorted(files) for prefix in ("", "/usr")]
    known = subprocess.run(["dpkg", "-S", *names], capture_output=True, text=True).stdout
    found: dict[Path, str] = {}
    for line in known.splitlines():
        package, _, file = line.partition(": ")
        path = files.get(file.removeprefix("/usr"))
        if path is not None:
            found[path] = package.partition(":")[0]
    return found


def _is_of_the_system(path: Path) -> bool:
    return path.is_relative_to("/usr/lib") or path.is_relative_to("/lib")


def _notice(parts: Mapping[str, Part]) -> str:
    qt = next((p.version for name, p in parts.items() if name.lower().startswith("pyside6")), "6")
    lines = (f"  {name} {parts[name].version}".rstrip() for name in sorted(parts, key=str.lower))
    return NOTICE.format(qt=qt, parts="\n".join(lines))
