"""Reading and writing graph files by path: load and save."""

import contextlib
import os
import stat
import tempfile
from pathlib import Path
from typing import Literal

from engine.errors import FormatError
from engine.formats import FORMATS, native
from engine.formats.format import Format
from engine.formats.native import SIZE_LIMIT, Drawing
from engine.graph import Graph


def load(path: str | os.PathLike[str]) -> Graph:
    """The graph in a file, by its suffix; FormatError says what is wrong and where."""
    return load_drawing(path).graph


def load_drawing(path: str | os.PathLike[str]) -> Drawing:
    """The graph in a file with its looks, if the format keeps them."""
    return load_with_content(path)[0]


def load_with_content(path: str | os.PathLike[str]) -> tuple[Drawing, bytes]:
    """The graph in a file, and the very bytes it was read from, to know the file again by."""
    found = _format(path, "read")
    content = _content(path)
    if found is native.FORMAT:
        return native.read_drawing(content), content
    assert found.read is not None
    return Drawing(found.read(_decoded(content))), content


def save(graph: Graph | Drawing, path: str | os.PathLike[str]) -> None:
    """Write a graph to a file by its suffix; the old file stays whole until the new one is."""
    found = _format(path, "write")
    drawing = graph if isinstance(graph, Drawing) else Drawing(graph)
    if found is native.FORMAT:
        text = native.write_drawing(drawing)
        if native.read_drawing(text) != drawing:
            raise FormatError("The graph would not be the same when opened again.")
    else:
        assert found.write is not None
        text = found.write(drawing.graph)
    write_whole(path, text.encode("utf-8"))


def read_text(path: str | os.PathLike[str]) -> str:
    """The UTF-8 text of a file, up to the size that a graph may have."""
    return _decoded(_content(path))


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file all or not at all: a temporary file beside it, synced, then put in place."""
    _check_path(path)
    target = Path(os.path.realpath(path))
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".backwire-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            with contextlib.suppress(OSError):  # some file systems know no permissions
                os.chmod(name, _mode(target))
            os.replace(name, target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        _sync_folder(target.parent)
    except OSError as error:
        raise FormatError(f"{target.name} can't be written: {error.strerror}.") from None


def _content(path: str | os.PathLike[str]) -> bytes:
    _check_path(path)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise FormatError(f"{Path(path).name or path} can't be read: it is not a file.")
        with open(path, "rb") as file:
            content = file.read(SIZE_LIMIT + 1)
    except OSError as error:
        raise FormatError(f"{Path(path).name} can't be read: {error.strerror}.") from None
    if len(content) > SIZE_LIMIT:
        raise FormatError(f"The file is larger than {SIZE_LIMIT // 2**20} MiB.")
    return content


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"The file is not UTF-8 text (at byte {error.start + 1}).") from None


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
    text = os.fspath(path)
    if "\0" in text:
        raise FormatError("A file's name can't hold a NUL character.")
    try:
        os.fsencode(text)
    except UnicodeError:
        raise FormatError("A file's name can't hold half a character.") from None


def _format(path: str | os.PathLike[str], way: Literal["read", "write"]) -> Format:
    able = [found for found in FORMATS if getattr(found, way) is not None]
    for found in able:  # an ending such as .torch.py stands before .py there
        if Path(path).name.lower().endswith(found.suffixes):
            return found
    suffix = Path(path).suffix.lower()
    known = ", ".join(dict.fromkeys(suffix for found in able for suffix in found.suffixes))
    done = "read" if way == "read" else "written"
    what = f'"{suffix}" is no format for that; the formats are {known}'
    raise FormatError(f"{Path(path).name or path} can't be {done}: {what}.")
