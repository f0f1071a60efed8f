"""Make a .deb of a bundle: the program, its menu entry, its file type and its icons.

The package has no scripts: dpkg's triggers keep the databases of menu entries and file types, so
removing the files is all that removal takes.
"""

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from email.utils import formatdate
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGING = ROOT / "packaging"

CONTROL = """\
Package: backwire
Version: {version}
Architecture: {architecture}
Maintainer: The Backwire authors <authors@backwire.invalid>
Installed-Size: {size}
Depends: libc6 (>= {libc}), libgl1, libegl1, libxcb1
Recommends: {recommends}
Section: education
Priority: optional
Description: node editor that teaches backpropagation
 Wire leaves, operations and a root into a graph, run it forward and, one step
 at a time, backward. Every wire shows its piece of the chain rule, and every
 node shows how its contributions add up.
"""
RECOMMENDS = (
    *("desktop-file-utils", "fontconfig-config", "libwayland-client0", "libwayland-cursor0"),
    "shared-mime-info",
)
CHANGELOG = """\
backwire ({version}) stable; urgency=medium

  * Changes are told in CHANGELOG.md of the source.

 -- The Backwire authors <authors@backwire.invalid>  {date}
"""
OVERRIDES = """\
# The libraries are those of the wheels with which Backwire is tested; they find one another by
# paths relative to themselves, and shadow nothing of the system.
backwire: custom-library-search-path
backwire: embedded-library
# Whoever replaces one, as its licence allows, shall find it as its makers have built it.
backwire: unstripped-binary-or-object
"""
COPYRIGHT = """\
Backwire is under the MIT licence:

{licence}
The licences of all that comes with it are in /usr/lib/backwire/_internal/licences; begin with
NOTICE.txt there.
"""


def build(bundle: Path, folder: Path) -> Path:
    """Pack the bundle into a .deb in `folder`, and return its path."""
    version = _version()
    architecture = _said("dpkg", "--print-architecture")
    path = folder / f"backwire_{version}_{architecture}.deb"
    with tempfile.TemporaryDirectory(dir=folder) as name:
        root = Path(name) / "root"
        _lay_out(bundle, root)
        control = CONTROL.format(
            version=version,
            architecture=architecture,
            size=_kilobytes(root),
            recommends=", ".join(RECOMMENDS),
            libc=_said("getconf", "GNU_LIBC_VERSION").split()[-1],
        )
        _write_control(root, control)
        root.chmod(0o755)
        options = ("--root-owner-group", "-Zxz", "-z3", "--build")  # what every dpkg can unpack
        subprocess.run(["dpkg-deb", *options, root, path], check=True, stdout=subprocess.DEVNULL)
    return path


def newest(folder: Path) -> Path | None:
    """The .deb that was built last, if there is one."""
    found = sorted(folder.glob("backwire_*.deb"), key=lambda path: path.stat().st_mtime)
    return found[-1] if found else None


def _lay_out(bundle: Path, root: Path) -> None:
    """Put every file where it is after installation."""
    share = root / "usr" / "share"
    shutil.copytree(bundle, root / "usr" / "lib" / "backwire", symlinks=True)
    command = root / "usr" / "bin" / "backwire"
    command.parent.mkdir(parents=True)
    command.symlink_to("../lib/backwire/backwire")
    _copy(PACKAGING / "backwire.desktop", share / "applications" / "backwire.desktop")
    _copy(PACKAGING / "backwire-mime.xml", share / "mime" / "packages" / "backwire.xml")
    icons = share / "icons" / "hicolor"
    for picture in (ROOT / "resources" / "icons").glob("backwire-*.png"):
        side = picture.stem.removeprefix("backwire-")
        _copy(picture, icons / f"{side}x{side}" / "apps" / "backwire.png")
    drawing = ROOT / "resources" / "icons" / "backwire.svg"
    _copy(drawing, icons / "scalable" / "apps" / "backwire.svg")
    words = share / "doc" / "backwire" / "copyright"
    words.parent.mkdir(parents=True)
    licence = (ROOT / "LICENSE").read_text("utf-8")
    words.write_text(COPYRIGHT.format(licence=licence), encoding="utf-8")
    changes = CHANGELOG.format(version=_version(), date=_date()).encode()
    words.with_name("changelog.gz").write_bytes(gzip.compress(changes, mtime=0))
    overrides = share / "lintian" / "overrides" / "backwire"
    overrides.parent.mkdir(parents=True)
    overrides.write_text(OVERRIDES, encoding="utf-8")


def _date() -> str:
    """When this was last changed, or as SOURCE_DATE_EPOCH says."""
    changed = (ROOT / "CHANGELOG.md").stat().st_mtime
    return formatdate(float(os.environ.get("SOURCE_DATE_EPOCH", changed)))


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _write_control(root: Path, control: str) -> None:
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    sums = [
        f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n"
        for path in files
    ]
    folder = root / "DEBIAN"
    folder.mkdir()
    (folder / "control").write_text(control, encoding="utf-8")
    (folder / "md5sums").write_text("".join(sums), encoding="utf-8")
    for path in root.rglob("*"):
        if not path.is_symlink():
            program = path == root / "usr" / "lib" / "backwire" / "backwire"
            path.chmod(0o755 if program or path.is_dir() else 0o644)


def _kilobytes(root: Path) -> int:
    sizes = (path.lstat().st_size for path in root.rglob("*") if not path.is_dir())
    return sum(-(-size // 1024) for size in sizes)


def _version() -> str:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    found = re.search(r'^version = "([^"]+)"', text, re.MULTILINE)
    assert found is not None
    return found[1]


def _said(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
