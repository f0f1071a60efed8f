"""What a bundle holds of all that PyInstaller finds: nothing that a program without a network, a
screen of its own or a camera has no use for.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path, PurePath

import elf

Entry = tuple[str, str, str]
"""As PyInstaller has it: the place in the bundle, the source, the kind."""

WITHOUT = (
    *(
        "tkinter",
        "setuptools",
        "packaging",
        "readline",
        "rlcompleter",
        "curses",
        "_curses",
        "sqlite3",
    ),
    *("ssl", "_ssl", "_hashlib", "dbm", "_dbm", "_gdbm", "pyqtgraph.opengl", "pyqtgraph.examples"),
    *(f"PySide6.Qt{name}" for name in ("Network", "Test", "DBus")),
    *(f"PIL.{name}" for name in ("_avif", "_webp", "_imagingft", "_imagingcms", "_imagingtk")),
)
"""Modules that nothing of ours imports; some bring libraries along, readline one under the GPL."""

LEFT_OUT = re.compile(
    r"""(.*/)?(
    plugins/(tls|networkinformation|generic|egldeviceintegrations)/.*
    | plugins/platforms/(lib)?q(eglfs|linuxfb|minimal|minimalegl|vkkhrdisplay|vnc|direct2d)\..*
    | plugins/platformthemes/(lib)?qgtk3\..*
    | plugins/imageformats/(lib)?q(gif|icns|ico|jpeg|pdf|tga|tiff|wbmp|webp)\..*
    | plugins/wayland-graphics-integration-client/lib(dmabuf|drm|shm|vulkan)-.*
    | PySide6/(Qt/)?translations/.*
    | pygraphviz/bin/.*
    | (lib)?(crypto|ssl)[-.0-9].*\.(dll|dylib)
    )""",
    re.VERBOSE,
)
"""Places in the bundle of what Qt, Graphviz and Python could do besides.

Qt's GTK plugin would load the system's GTK beside the older GLib of the bundle.
"""

GD = ("libgvplugin_gd", "libgd-", "gd")
"""Graphviz is linked to a plugin that nothing calls, this to a library, whose names begin so."""


def chosen(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries that a bundle needs."""
    kept = [each for each in entries if not LEFT_OUT.fullmatch(PurePath(each[0]).as_posix())]
    return _used(kept) if sys.platform == "linux" else kept


def slimmed(entries: Iterable[Entry], folder: Path) -> list[Entry]:
    """Return the entries with libraries that hold less; they are written into `folder`.

    Only the libraries that wheels bring in folders of their own are changed.
    """
    return [_slimmed(each, folder) for each in entries]


def stem(name: str) -> str:
    """Return the name of a library without versions: `libcairo` of `libcairo-dfbea965.so.2`."""
    return re.split(r"-[0-9a-f]{8}(?=[.-])|\.abi3|\.so|(?<=libpython3)\.", PurePath(name).name)[0]


def is_library(place: str) -> bool:
    """Is this a library that programs are linked to, neither a module of Python nor a plugin?"""
    path = PurePath(place)
    plugin = "plugins" in path.parts or ".cpython-" in path.name
    return path.name.startswith("lib") and ".so" in path.name and not plugin


def _used(entries: list[Entry]) -> list[Entry]:
    """Leave out libraries to which nothing that is kept is linked."""
    libraries = {PurePath(e[0]).name: e for e in entries if e[2] == "BINARY" and is_library(e[0])}
    waiting = [e for e in entries if e[2] in ("BINARY", "EXTENSION") and not is_library(e[0])]
    waiting += [e for e in libraries.values() if "lent" in e[0] or "libpython" in e[0]]
    used = {PurePath(each[0]).name for each in waiting if is_library(each[0])}
    while waiting:
        for name in _needed(Path(waiting.pop()[1])):
            if name in libraries and name not in used:
                used.add(name)
                waiting.append(libraries[name])
    return [e for e in entries if not is_library(e[0]) or PurePath(e[0]).name in used]


def _needed(path: Path) -> list[str]:
    content = path.read_bytes()
    names = elf.needed(content) if elf.is_library(content) else []
    plugin, library, _ = GD
    return [n for n in names if not (path.name.startswith(plugin) and n.startswith(library))]


def _slimmed(entry: Entry, folder: Path) -> Entry:
    place, source, kind = entry
    if not PurePath(place).parts[0].endswith(".libs") or kind != "BINARY":
        return entry
    content = Path(source).read_bytes()
    if not elf.is_library(content):
        return entry
    plugin, library, prefix = GD
    if PurePath(place).name.startswith(plugin):
        content = elf.without_library(content, library, prefix)
    smaller = folder / place
    smaller.parent.mkdir(parents=True, exist_ok=True)
    smaller.write_bytes(elf.without_padding(content))
    return place, str(smaller), kind
