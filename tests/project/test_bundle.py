"""The bundle and its package: icons, licences, what is tried, and that a failure is seen."""

import gzip
import os
import re
import shutil
import struct
import subprocess
import sys
import tomllib
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import app
from app.cli import VERBS
from tests.helpers.tables import in_turn

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "resources" / "icons"


@pytest.fixture(autouse=True)
def packaging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "packaging")


def png(content: bytes) -> tuple[int, int]:
    """The size of a PNG picture whose chunks are whole."""
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    place = 8
    while place < len(content):
        length, kind = struct.unpack(">I4s", content[place : place + 8])
        body = content[place + 4 : place + 8 + length]
        (checksum,) = struct.unpack(">I", content[place + 8 + length : place + 12 + length])
        assert zlib.crc32(body) == checksum
        place += 12 + length
        if kind == b"IEND":
            break
    assert place == len(content)
    return struct.unpack(">II", content[16:24])


def test_the_icon_of_windows_holds_whole_pictures(tmp_path: Path):
    import icons

    content = Path(str(icons.for_program(PICTURES, tmp_path, "win32"))).read_bytes()
    zero, kind, count = struct.unpack("<HHH", content[:6])
    assert (zero, kind, count) == (0, 1, len(icons.ICO_SIDES))
    for k, side in enumerate(icons.ICO_SIDES):
        entry = struct.unpack("<BBBBHHII", content[6 + 16 * k : 22 + 16 * k])
        assert entry[:2] == (side % 256, side % 256)
        assert png(content[entry[7] : entry[7] + entry[6]]) == (side, side)


def test_the_icon_of_macos_holds_whole_pictures(tmp_path: Path):
    import icons

    content = Path(str(icons.for_program(PICTURES, tmp_path, "darwin"))).read_bytes()
    kind, length = struct.unpack(">4sI", content[:8])
    assert (kind, length) == (b"icns", len(content))
    place, sides = 8, []
    while place < length:
        kind, part = struct.unpack(">4sI", content[place : place + 8])
        sides.append(png(content[place + 8 : place + part])[0])
        assert icons.ICNS_TYPES[sides[-1]] == kind
        place += part
    assert sides == list(icons.ICNS_TYPES)


def test_a_picture_of_another_size_is_refused(tmp_path: Path):
    import icons

    for side in icons.ICO_SIDES:
        source = PICTURES / f"backwire-{32 if side == 16 else side}.png"
        (tmp_path / f"backwire-{side}.png").write_bytes(source.read_bytes())
    with pytest.raises(ValueError, match=r"backwire-16\.png is 32 × 32"):
        icons.ico(tmp_path)


@dataclass
class Found:
    """What PyInstaller would have found for a program."""

    pure: list[tuple[str, str, str]]
    binaries: list[tuple[str, str, str]] = field(default_factory=list)


def analysed(*modules: ModuleType) -> Found:
    return Found([(module.__name__, str(module.__file__), "PYMODULE") for module in modules])


def test_the_licences_of_all_that_is_used_come_along(tmp_path, monkeypatch):
    import networkx
    import numpy
    import PySide6

    import licences

    # What builds a bundle is not installed for tests.
    monkeypatch.setattr(licences, "BUILDER", ())
    taken = licences.collect(analysed(networkx, numpy, PySide6), tmp_path / "licences")
    names = {Path(place).parts[1] for place, _, _ in taken}
    assert {"Backwire", "Python", "networkx", "numpy", "PySide6_Essentials"} <= names
    assert "pytest" not in names
    assert all(Path(source).stat().st_size for _, source, _ in taken)
    notice = (tmp_path / "licences" / "NOTICE.txt").read_text("utf-8")
    assert "LGPL-3.0.txt" in notice
    assert f"version {PySide6.__version__}" in notice


def test_licences_of_one_name_do_not_overwrite_one_another(tmp_path, monkeypatch):
    import numpy

    import licences

    monkeypatch.setattr(licences, "BUILDER", ())
    licences.collect(analysed(numpy), tmp_path / "licences")
    theirs = [
        Path(str(file.locate()))
        for file in metadata.distribution("numpy").files or ()
        if "licenses" in file.parts
    ]
    kept = [
        path.read_bytes() for path in (tmp_path / "licences" / "numpy").rglob("*") if path.is_file()
    ]
    assert len(theirs) > 10, "numpy has a text for each of its parts"
    assert sorted(path.read_bytes() for path in theirs) == sorted(kept)
    own = (tmp_path / "licences" / "numpy" / "LICENSE.txt").read_text("utf-8")
    assert "NumPy Developers" in own


def bundle_of(folder: Path, *libraries: str) -> Found:
    """What PyInstaller would have found for a program with these libraries of the system."""
    entries = []
    for place in libraries:
        source = folder / "usr" / Path(place).name
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_bytes(b"a library")
        entries.append((place, str(source), "BINARY"))
    return Found([], entries)


@pytest.fixture
def debian(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """Each library comes from a package of Debian with its own name."""
    import licences

    text = tmp_path / "copyright"
    text.write_text(f"For the rest see {licences.COMMON}/LGPL-2.1.\n")
    common = tmp_path / "common-licenses"
    common.mkdir()
    (common / "LGPL-2.1").write_text("the whole LGPL")
    monkeypatch.setattr(licences, "BUILDER", ())
    monkeypatch.setattr(licences, "_packages", lambda paths: {p: f"deb-{p.name}" for p in paths})
    monkeypatch.setattr(
        licences, "_debian", lambda name: licences.Part("1.0-1", {"copyright": text})
    )
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(licences, "COMMON", common)
    text.write_text(f"For the rest see {common}/LGPL-2.1.\n")
    return licences


def test_every_library_is_listed_with_its_text_version_and_licence(debian, tmp_path):
    inside = tmp_path / "backwire" / "_internal"
    found = bundle_of(tmp_path, "libz.so.1", "lent/libGL.so.1")
    for place, source, _ in [*found.binaries, *debian.collect(found, tmp_path / "licences")]:
        (inside / place).parent.mkdir(parents=True, exist_ok=True)
        (inside / place).write_bytes(Path(source).read_bytes())
    lines = (inside / "licences" / debian.LIST).read_text("utf-8").splitlines()
    assert "libz.so.1\tdeb-libz.so.1\t1.0-1\tZlib" in lines
    assert (inside / "licences" / "common-licenses" / "LGPL-2.1").read_text() == "the whole LGPL"
    assert debian.unlisted(tmp_path / "backwire") == []
    (inside / "libextra.so.2").write_bytes(b"a library")
    (inside / "lent" / "libGL.so.1").unlink()
    (inside / "licences" / "deb-libz.so.1" / "copyright").unlink()
    assert debian.unlisted(tmp_path / "backwire") == [
        "lent/libGL.so.1",
        "libextra.so.2",
        "libz.so.1",
    ]


@pytest.mark.parametrize(
    ("library", "why"),
    [("libsecret-thing.so.1", "no licence is listed"), ("libreadline.so.8", "under GPL-3.0")],
)
def test_a_library_without_a_licence_or_under_the_gpl_stops_the_build(
    debian, monkeypatch, tmp_path, library, why
):
    lists = (debian.TEXTS / "libraries.toml").read_text("utf-8")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "libraries.toml").write_text(
        lists.replace("[licences]", '[licences]\nlibreadline = "GPL-3.0-or-later"'), "utf-8"
    )
    monkeypatch.setattr(debian, "TEXTS", tmp_path / "texts")
    with pytest.raises(SystemExit, match=why):
        debian.collect(bundle_of(tmp_path, "libz.so.1", library), tmp_path / "licences")


def test_no_library_that_may_be_in_a_bundle_is_under_the_gpl_alone():
    import licences

    listed = tomllib.loads((licences.TEXTS / "libraries.toml").read_text("utf-8"))
    assert not [name for name in listed["licences"] if licences.refusal(name, listed["licences"])]
    assert licences.refusal("libx.so", {"libx": "GPL-2.0-only OR AGPL-3.0-only"})
    assert not licences.refusal("libx.so", {"libx": "GPL-3.0 WITH GCC-exception-3.1"})
    texts = licences.TEXTS / "graphviz"
    assert {f"{part}.txt" for part in listed["graphviz"].values()} == {
        path.name for path in texts.iterdir()
    }


def installed_by_the_pinned_wheels() -> list[tuple[str, str, str]]:
    """What PyInstaller would find in the wheels of requirements.txt, if it took all of them."""
    import contents

    requirements = (ROOT / "packaging" / "requirements.txt").read_text("utf-8")
    without = tuple(f"{name.replace('.', '/')}." for name in contents.WITHOUT)
    found = []
    for name in re.findall(r"(?m)^([\w-]+)==(?!.*'win32')", requirements):
        for file in metadata.distribution(name).files or ():
            place = file.as_posix()
            if ".so" in file.name and not place.startswith(without):
                kind = "BINARY" if contents.is_library(place) else "EXTENSION"
                found.append((place, str(file.locate()), kind))
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="the list is of libraries of Linux")
def test_each_library_that_a_bundle_keeps_of_the_pinned_wheels_has_a_licence():
    import contents
    import licences

    listed = tomllib.loads((licences.TEXTS / "libraries.toml").read_text("utf-8"))["licences"]
    entries = installed_by_the_pinned_wheels()
    kept = [place for place, _, _ in contents.chosen(entries) if contents.is_library(place)]
    assert {contents.stem(place) for place in kept} >= {"libjpeg", "libpyside6", "libgfortran"}
    refused = {place: licences.refusal(place, listed) for place in kept}
    assert not {place: why for place, why in refused.items() if why}


def test_what_an_offline_program_has_no_use_for_is_left_out(monkeypatch: pytest.MonkeyPatch):
    import contents

    monkeypatch.setattr(sys, "platform", "win32")  # where places alone decide
    qt = "PySide6/Qt/plugins"
    out = [
        *(f"{qt}/tls/libqopensslbackend.so", f"{qt}/platforms/libqvnc.so", "libcrypto-3.dll"),
        *(f"{qt}/platforms/libqeglfs.so", "PySide6/plugins/imageformats/qtiff.dll"),
        *(f"{qt}/platformthemes/libqgtk3.so", "PySide6/Qt/translations/qt_de.qm"),
    ]
    kept = [
        *(f"{qt}/platforms/libqxcb.so", "PySide6/plugins/platforms/qwindows.dll"),
        *(f"{qt}/imageformats/libqsvg.so", f"{qt}/platforms/libqoffscreen.so", "libffi-8.dll"),
        *(f"{qt}/platformthemes/libqxdgdesktopportal.so", "PySide6/Qt/lib/libQt6Core.so.6"),
    ]
    entries = [(place, place, "BINARY") for place in (*out, *kept)]
    assert [place for place, _, _ in contents.chosen(entries)] == kept


@in_turn(
    ("file", "stem"),
    [
        ("libpango-1-e80d1584.0.so.0.4200.3", "libpango-1"),
        ("lent/libGL.so.1", "libGL"),
        ("libpython3.13.so.1.0", "libpython3"),
        ("numpy.libs/libscipy_openblas64_-32a4b2a6.so", "libscipy_openblas64_"),
        ("libstdc++.so.6", "libstdc++"),
        ("libshiboken6.abi3.so.6.11", "libshiboken6"),
        ("libquadmath-96973f99-934c22de.so.0.0.0", "libquadmath"),
    ],
)
def test_the_name_of_a_library_is_told_without_versions(file: str, stem: str):
    import contents

    assert contents.stem(file) == stem


DRAW = """
import ctypes, pygraphviz, sys
graph = pygraphviz.AGraph(string="digraph { a -> b -> c [label=x] }")
sys.stdout.buffer.write(graph.draw(format="svg", prog="dot"))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the libraries are those of Linux")
def test_graphviz_draws_the_same_with_libraries_without_padding_and_without_gd(tmp_path: Path):
    import pygraphviz  # type: ignore[import-untyped]

    import contents
    import elf

    package = Path(str(pygraphviz.__file__)).parent
    libraries = package.with_name("pygraphviz.libs")
    if not libraries.exists():
        pytest.skip("this pygraphviz uses the libraries of the system")
    entries = [(f"pygraphviz/{p.name}", str(p), "EXTENSION") for p in package.glob("*.so")]
    entries += [(f"{libraries.name}/{p.name}", str(p), "BINARY") for p in libraries.iterdir()]
    smaller = contents.slimmed(contents.chosen(entries), tmp_path)
    shutil.copytree(package, tmp_path / "pygraphviz")
    names = {contents.stem(place) for place, _, _ in smaller}
    assert "libcairo" in names
    assert not names & {"libgd", "libtiff", "libjbig", "libgvpr"}
    sizes = [[Path(source).stat().st_size for _, source, _ in each] for each in (entries, smaller)]
    assert sum(sizes[1]) * 4 < sum(sizes[0])
    changed = [Path(source) for _, source, _ in smaller if source.startswith(str(tmp_path))]
    assert all(elf.is_library(path.read_bytes()) for path in changed)
    pictures = [
        subprocess.run(
            [sys.executable, "-c", DRAW],
            env=os.environ | {"PYTHONPATH": str(site), "LD_BIND_NOW": "1"},
            capture_output=True,
            check=True,
        ).stdout
        for site in (package.parent, tmp_path)
    ]
    assert b"</svg>" in pictures[0]
    assert pictures[0] == pictures[1]


def test_a_part_without_a_licence_stops_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    import networkx

    import licences

    monkeypatch.setattr(licences, "BUILDER", ())
    monkeypatch.setattr(licences, "_texts_of", lambda each: {})
    with pytest.raises(SystemExit, match="no licence text for networkx"):
        licences.collect(analysed(networkx), tmp_path / "licences")


def test_the_version_says_that_this_is_a_bundle(monkeypatch: pytest.MonkeyPatch):
    assert "bundle" not in app.described_version()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert app.described_version() == f"{app.VERSION} (bundle)"


def jobs(workflow: str) -> list[str]:
    """The text of each job of a workflow."""
    text = (ROOT / ".github" / "workflows" / workflow).read_text("utf-8")
    return re.split(r"(?m)^  (?=[\w-]+:$)", text.partition("jobs:\n")[2])[1:]


def test_a_release_attaches_what_was_tried_and_is_strict_about_time():
    *makers, last = jobs("release.yml")
    for job in makers:
        built = re.findall(r"run\.py (wheel|bundle)$", job, re.MULTILINE)
        assert all(f"run.py {what} --try" in job for what in built), "what is attached was tried"
        assert bool(built) == ("upload-artifact" in job)
    assert "gh release create" in last
    names = [job.partition(":")[0] for job in makers]
    assert f"needs: [{', '.join(names)}]" in last
    assert sum("--budgets" in job for job in makers) == 1
    assert not any("--budgets" in job for job in jobs("test.yml")), "elsewhere it is only told"


def test_every_verb_is_tried():
    import trial

    assert trial.VERBS.keys() == VERBS.keys()


def test_every_format_that_can_be_written_is_tried():
    import trial
    from engine.formats import FORMATS

    wanted = {suffix.lstrip(".") for form in FORMATS if form.write for suffix in form.suffixes}
    assert wanted <= set(trial.EXPORTS)


@dataclass
class Computer:
    """A computer on which every command says and answers the same."""

    folder: Path
    code: int
    said: str

    def run(
        self, command: Sequence[str], stdin: bytes = b"", more: Mapping[str, str] | None = None
    ) -> Any:
        import trial

        return trial.Result(self.code, self.said)


@pytest.mark.parametrize(("code", "said"), [(1, "Traceback"), (0, ""), (-11, "tanh")])
def test_a_program_that_does_not_work_fails_every_trial(tmp_path: Path, code: int, said: str):
    import trial

    table = trial.Table()
    trial.try_verbs(table, Computer(tmp_path, code, said), "backwire")
    trial.try_window(table, Computer(tmp_path, code, said), "backwire", {})
    assert not any(fine for _, fine, _, _ in table.rows)
    assert table.conclude() == 1


def test_the_window_of_this_program_passes_its_trial(tmp_path: Path):
    program = "import sys, try_window; sys.exit(try_window.main())"
    example = ROOT / "resources" / "examples" / "shared-leaf.backwire"
    command = [sys.executable, "-c", program, "--try-window", str(tmp_path), str(example)]
    done = subprocess.run(command, cwd=ROOT / "packaging", capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("yes: shared-leaf.backwire")
    assert {path.name for path in tmp_path.glob("*.png")} == {"step.png", "window.png"}


def test_the_package_holds_what_a_desktop_looks_for(tmp_path: Path):
    import deb

    bundle = tmp_path / "backwire"
    (bundle / "_internal").mkdir(parents=True)
    (bundle / "backwire").write_text("#!/bin/sh\n")
    (bundle / "backwire").chmod(0o755)
    (bundle / "_internal" / "library.so").write_bytes(b"x" * 2048)
    (bundle / "_internal" / "library.so").chmod(0o755)
    root = tmp_path / "root"
    deb._lay_out(bundle, root)
    files = {str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir()}
    assert {
        "usr/bin/backwire",
        "usr/lib/backwire/backwire",
        "usr/share/applications/backwire.desktop",
        "usr/share/mime/packages/backwire.xml",
        "usr/share/icons/hicolor/scalable/apps/backwire.svg",
        "usr/share/icons/hicolor/48x48/apps/backwire.png",
        "usr/share/doc/backwire/copyright",
    } <= files
    assert (root / "usr" / "bin" / "backwire").resolve() == root / "usr/lib/backwire/backwire"
    assert deb._kilobytes(root) >= 2
    deb._write_control(root, deb.CONTROL)
    executable = [p for p in root.rglob("*") if p.is_file() and os.access(p, os.X_OK)]
    assert {str(p.relative_to(root)) for p in executable} <= {
        "usr/bin/backwire",
        "usr/lib/backwire/backwire",
    }
    changes = gzip.decompress((root / "usr/share/doc/backwire/changelog.gz").read_bytes()).decode()
    assert changes.startswith(f"backwire ({app.VERSION}) ")
    entry = (root / "usr/share/applications/backwire.desktop").read_text("utf-8")
    kind = (root / "usr/share/mime/packages/backwire.xml").read_text("utf-8")
    mime = re.search(r"MimeType=(.+?);", entry)
    assert mime is not None
    assert f'<mime-type type="{mime[1]}">' in kind


def test_all_pythons_are_tried_and_one_failure_is_a_failure(monkeypatch, capsys):
    import pythons

    found = {11: ("/a/python3.11", "3.11.2"), 13: ("/a/python3.13", "3.13.5")}
    called: list[tuple[str, str]] = []
    codes = {"/a/python3.11": 0, "/a/python3.13": 1}

    def run(command: Sequence[str], env: Mapping[str, str]) -> object:
        called.append((command[0], env["BACKWIRE_VENV"]))
        return SimpleNamespace(returncode=codes[command[0]])

    monkeypatch.setattr(pythons, "find", found.get)
    monkeypatch.setattr("subprocess.run", run)
    assert pythons.test(["engine"]) == 1
    assert called == [("/a/python3.11", ".venv-3.11"), ("/a/python3.13", ".venv-3.13")]
    said = capsys.readouterr().out
    assert "3.12      not found on this system" in said
    assert re.search(r"3\.13\.5 +FAILED", said)
    codes["/a/python3.13"] = 0
    assert pythons.test([]) == 0
    monkeypatch.setattr(pythons, "find", lambda minor: None)
    assert pythons.test([]) == 1, "nothing was tested"


def test_a_python_is_found_only_when_it_is_what_it_is_called():
    import pythons

    found = pythons.find(sys.version_info[1])
    assert found is not None
    assert found[1] == ".".join(map(str, sys.version_info[:3])) or found[1].startswith("3.")
    assert pythons.find(99) is None
