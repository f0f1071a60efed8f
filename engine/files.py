"""Reading and writing graph files by path: load and save."""

import os
import tempfile
from pathlib import Path

from engine.errors import FormatError
from engine.formats import FORMATS
from engine.formats.format import Format
from engine.formats.native import SIZE_LIMIT, Drawing, read_drawing, write_drawing
from engine.graph import Graph


def load(path: str | os.PathLike[str]) -> Graph:
    """The graph in a file, by its suffix; FormatError says what is wrong and where."""
    text = read_text(path)
    return _format(path, reading=True).read(text)  # type: ignore[misc]


def load_drawing(path: str | os.PathLike[str]) -> Drawing:
    """The graph in a file with its looks, if the format keeps them."""
    if Path(path).suffix.lower() == ".backwire":
        return read_drawing(read_text(path))
    return Drawing(load(path))


def save(graph: Graph | Drawing, path: str | os.PathLike[str]) -> None:
    """Write a graph to a file by its suffix; the old file stays whole until the new one is."""
    if isinstance(graph, Drawing):
        text = write_drawing(graph)
    else:
        text = _format(path, reading=False).write(graph)  # type: ignore[misc]
    write_whole(path, text.encode("utf-8"))


def read_text(path: str | os.PathLike[str]) -> str:
    """The UTF-8 text of a file, up to the size that a graph may have."""
    _check_path(path)
    try:
        with open(path, "rb") as file:
            content = file.read(SIZE_LIMIT + 1)
    except OSError as error:
        raise FormatError(f"{Path(path).name} can't be read: {error.strerror}.") from None
    if len(content) > SIZE_LIMIT:
        raise FormatError(f"The file is larger than {SIZE_LIMIT // 2**20} MiB.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"The file is not UTF-8 text (at byte {error.start + 1}).") from None


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file all or not at all: a temporary file beside it, synced, then put in place."""
    _check_path(path)
    target = Path(os.path.realpath(path))
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:50]}-")
    except OSError as error:
        raise FormatError(f"{target.name} can't be written: {error.strerror}.") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode(target))
        os.replace(name, target)
        _sync_folder(target.parent)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise FormatError(f"{target.name} can't be written: {error.strerror}.") from None


def _mode(target: Path) -> int:
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _check_path(path: str | os.PathLike[str]) -> None:
    if "\0" in os.fspath(path):
        raise FormatError("A file's name can't hold a NUL character.")


def _format(path: str | os.PathLike[str], reading: bool) -> Format:
    suffix = Path(path).suffix.lower()
    for found in FORMATS:
        if suffix in found.suffixes and (found.read if reading else found.write):
            return found
    known = ", ".join(s for f in FORMATS for s in f.suffixes if (f.read if reading else f.write))
    raise FormatError(f'"{suffix}" is no format for this; the formats are {known}.')
