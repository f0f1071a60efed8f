"""Graph files: load by suffix, save atomically, and errors that name the file."""

import contextlib
import io
import os
import stat
import time
import tokenize
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from engine.errors import FormatError, one_line, sentence
from engine.formats import FORMATS, native, python
from engine.formats.format import Format
from engine.formats.native import Drawing
from engine.formats.python import read_notebook, read_program
from engine.formats.strict_json import MIB, SIZE_LIMIT
from engine.graph import Graph

_PREFIX = ".backwire-"
"""Beginning of the name of a temporary file."""
_SHOWN = 60
"""Maximum number of characters of a file name that a sentence quotes."""
_KINDS = {
    stat.S_IFDIR: "folder",
    stat.S_IFIFO: "pipe",
    stat.S_IFCHR: "device",
    stat.S_IFBLK: "device",
}
"""Names of special files by file type; a socket has none."""
_PROGRAMS = {python.FORMAT.name: read_program, python.NOTEBOOK.name: read_notebook}
"""Readers of program formats that also return a remark."""
_ASCII = bytes(range(32, 92)) + rb"\u0041 +AEE- ~{ xn--nxa."
"""What an encoding of programs leaves as it is."""
_OLD = 24 * 3600
"""Seconds after which a temporary file counts as abandoned where there are no locks."""


def load(path: str | os.PathLike[str]) -> Graph:
    """Read the graph in a file, by its suffix; raises FormatError with the place."""
    return load_drawing(path).graph


def load_drawing(path: str | os.PathLike[str]) -> Drawing:
    """Read the graph in a file with its layout, if the format keeps it."""
    return load_with_content(path)[0]


def load_with_content(path: str | os.PathLike[str]) -> tuple[Drawing, bytes]:
    """Read a file, and return its bytes too, to detect later changes on disk."""
    _check_path(path)
    _check_kind(path, _read_error)  # before the suffix, which a folder lacks
    found = _format(path, "read")
    content = _content(path)
    if found is native.FORMAT:
        return native.read_drawing(content), content
    assert found.read is not None
    text = decoded(content)
    read = _PROGRAMS.get(found.name)
    if read is not None:
        return read(text), content
    return Drawing(found.read(text)), content


def save(graph: Graph | Drawing, path: str | os.PathLike[str]) -> None:
    """Write a graph to a file by its suffix, atomically."""
    found = _format(path, "write")
    drawing = graph if isinstance(graph, Drawing) else Drawing(graph)
    if found is native.FORMAT:
        text = native.write_drawing(drawing)
        if native.read_drawing(text) != drawing:
            raise FormatError("The graph would not be the same when opened again.")
    else:
        assert found.write is not None
        text = found.write(drawing.graph)
    write_atomically(path, text.encode("utf-8"))


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the UTF-8 text of a file, up to the maximum size of a graph."""
    return decoded(read_content(path))


def read_content(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a regular file, up to the maximum size of a graph."""
    _check_path(path)
    _check_kind(path, _read_error)
    return _content(path)


def decoded(content: bytes, what: str = "The file") -> str:
    """Decode UTF-8 bytes, up to the maximum size of a graph; `what` begins an error's sentence."""
    _check_size(content, what)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = error.start + 1
        raise FormatError(
            "{what} is not UTF-8 text (at byte {byte}).", what=what, byte=byte
        ) from None


def source_text(content: bytes, suffix: str) -> str:
    """Return the text of a program or notebook: that of a program by its coding line.

    This text is what is shown and what is run, whatever the coding line says.
    """
    text = None
    with contextlib.suppress(SyntaxError, LookupError, UnicodeError):  # no coding, or of no text
        if suffix.lower() == ".py":
            encoding, _lines = tokenize.detect_encoding(io.BytesIO(content).readline)
            is_text = _ASCII.decode(encoding) == _ASCII.decode("ascii")
            text = content.decode(encoding) if is_text else None  # else a remark could hide code
    text = decoded(content) if text is None else text
    return text.replace("\r\n", "\n").replace("\r", "\n")


def write_atomically(
    path: str | os.PathLike[str], content: bytes, replace_protected: bool = False
) -> None:
    """Write to a temporary file in the same folder, fsync it, and rename it over the old file.

    A file whose mode forbids writing is refused unless `replace_protected`, for which the caller
    must have the user's consent.
    """
    target = check_target(path)
    if not replace_protected and is_protected(target):
        raise _write_error(path, "it is write-protected")
    try:
        remove_orphaned_temporary_files(target.parent)
        old = _old_state(target)
        # what replaces an old file is nobody else's to read until it has the old permissions
        handle, name = _temporary(target.parent, is_private=old is not None)
        try:
            with os.fdopen(handle, "wb", closefd=os.name != "posix") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
                if old is not None:
                    _copy_permissions(name, old)
            # still locked, so that `remove_orphaned_temporary_files` spares it; Windows, which has
            # no such locks, can't rename an open file
            os.replace(name, target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        finally:
            if os.name == "posix":
                with contextlib.suppress(OSError):
                    os.close(handle)
    except OSError as error:
        raise _write_error(path, str(error.strerror)) from None
    with contextlib.suppress(OSError):  # the file is there, also where its folder can't be opened
        _sync_folder(target.parent)


def write_files(files: Mapping[Path, bytes], replace_protected: bool = False) -> None:
    """Write each file by `write_atomically`, the first one once the targets of all are checked."""
    for path in files:
        check_target(path)
    for path, content in files.items():
        write_atomically(path, content, replace_protected)


def numbered_path(path: Path, step: int, total: int) -> Path:
    """Return the path of the file of a step of a pass, from 0 to `total`: `graph-03.png`."""
    return path.with_name(f"{path.stem}-{step:0{len(str(total))}}{path.suffix}")


def check_target(path: str | os.PathLike[str]) -> Path:
    """Resolve symbolic links; raises FormatError if the file can't be written."""
    _check_path(path)
    target = Path(os.path.realpath(path))
    folder = target.parent
    if not os.path.isdir(folder):
        raise _write_error(
            path, "there is no folder {folder}", folder=_shortened_folder(str(folder))
        )
    length, most = len(os.fsencode(target.name)), _longest_name(folder)
    if length > most:
        reason = "its name takes {length} bytes, and {most} are the most here"
        raise _write_error(path, reason, length=length, most=most)
    _check_kind(path, _write_error, may_be_new=True)
    return target


def is_protected(path: str | os.PathLike[str]) -> bool:
    """Return whether a file's mode forbids writing; renaming over it would circumvent that."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    if os.name == "posix" and os.geteuid() == 0:  # root may write whatever the mode says
        return not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)
    return not os.access(path, os.W_OK)


def shown_name(path: str | os.PathLike[str]) -> str:
    """Return a file's name for a sentence: one line, a long one elided in the middle."""
    name = one_line(Path(path).name or str(path))
    return name if len(name) <= _SHOWN else f"{name[: _SHOWN // 2]}…{name[-_SHOWN // 2 :]}"


def remove_orphaned_temporary_files(folder: Path) -> None:
    """Remove temporary files of killed processes: those that nobody locks."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(_PREFIX) and entry.is_file(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    _remove_abandoned(entry.path)


def _check_size(content: bytes, what: str) -> None:
    if len(content) > SIZE_LIMIT:
        raise FormatError("{what} is larger than {limit} MiB.", what=what, limit=SIZE_LIMIT // MIB)


def _temporary(folder: Path, is_private: bool = True) -> tuple[int, str]:
    """Create a temporary file, locked while it is open.

    So `remove_orphaned_temporary_files` spares it. Returns its open file descriptor and its name.
    Unless it is private it gets the permissions of any new file. The system applies the umask, as
    Python can only read the umask by setting it, which is not thread-safe.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    while True:
        name = os.path.join(folder, f"{_PREFIX}{os.urandom(8).hex()}")  # not predictable
        try:
            handle = os.open(name, flags, 0o600 if is_private else 0o666)  # before the umask
        except FileExistsError:
            continue
        _lock(handle)
        if os.path.exists(name):
            return handle, name
        os.close(handle)  # removed by `remove_orphaned_temporary_files` before it was locked


def _remove_abandoned(name: str) -> None:
    if os.name != "posix":
        if time.time() - os.stat(name).st_mtime > _OLD:
            os.unlink(name)
        return
    import fcntl

    handle = os.open(name, os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(name)
    finally:
        os.close(handle)


def _lock(handle: int) -> None:
    if os.name == "posix":
        import fcntl

        with contextlib.suppress(OSError):  # some network file systems have no locks
            fcntl.flock(handle, fcntl.LOCK_EX)


def _read_error(path: str | os.PathLike[str], reason: str, **fields: object) -> FormatError:
    named = {"name": shown_name(path), "reason": sentence(reason, fields), "path": path}
    return FormatError("{name} can't be read: {reason}.", **named, **fields)


def _write_error(path: str | os.PathLike[str], reason: str, **fields: object) -> FormatError:
    named = {"name": shown_name(path), "reason": sentence(reason, fields), "path": path}
    return FormatError("{name} can't be written: {reason}.", **named, **fields)


def _longest_name(folder: Path) -> int:
    """Return the maximum length of a name in a folder, in bytes."""
    if os.name == "posix":
        with contextlib.suppress(OSError, ValueError):
            return os.pathconf(folder, "PC_NAME_MAX")
    return 255  # on most file systems, Windows' among them


def _shortened_folder(text: str) -> str:
    return text if len(text) <= 2 * _SHOWN else f"…{text[-2 * _SHOWN :]}"


def _old_state(target: Path) -> os.stat_result | None:
    """Return the stat of the file to be replaced, or None."""
    try:
        return target.stat()
    except FileNotFoundError:
        return None


def _copy_permissions(name: str, old: os.stat_result) -> None:
    """Copy owner, group and mode to the file that replaces the old one."""
    if os.name == "posix":
        # one by one, as the group may be allowed where the owner is not; −1 leaves one as it is
        for owner, group in ((-1, old.st_gid), (old.st_uid, -1)):
            with contextlib.suppress(OSError):  # only root may change owners
                os.chown(name, owner, group)
    with contextlib.suppress(OSError):  # some file systems have no permissions
        os.chmod(name, old.st_mode & 0o777)


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


def _check_kind(
    path: str | os.PathLike[str], refuse: Callable[..., FormatError], may_be_new: bool = False
) -> None:
    """Refuse folders, pipes, devices and sockets; `refuse` makes the error of a path and reason."""
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        if may_be_new and isinstance(error, FileNotFoundError):
            return
        raise refuse(path, str(error.strerror)) from None
    if not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode))
        raise refuse(path, "it is a {kind}, not a file" if kind else "it is no file", kind=kind)


def _content(path: str | os.PathLike[str]) -> bytes:
    try:
        with open(path, "rb") as file:
            content = file.read(SIZE_LIMIT + 1)  # the one byte more shows that it is too large
    except OSError as error:
        raise _read_error(path, str(error.strerror)) from None
    _check_size(content, "The file")
    return content


def _format(path: str | os.PathLike[str], way: Literal["read", "write"]) -> Format:
    candidates = [found for found in FORMATS if getattr(found, way) is not None]
    for found in candidates:  # .torch.py is listed before .py
        if Path(path).name.lower().endswith(found.suffixes):
            return found
    suffix = Path(path).suffix.lower()
    known = ", ".join(dict.fromkeys(suffix for found in candidates for suffix in found.suffixes))
    refuse = _read_error if way == "read" else _write_error
    reason = '"{suffix}" is no format for that; the formats are {known}'
    raise refuse(path, reason, suffix=suffix, known=known)
