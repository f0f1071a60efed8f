"""Files are read whole or refused, and written whole or not at all."""

import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from engine import FormatError, Graph, from_expression, load, save
from engine.formats import files
from engine.formats.files import load_drawing, read_text, write_atomically
from engine.formats.native import Drawing, GroupEntry
from engine.graph import Leaf
from tests.helpers.graphs import demonstration, unfinished


def refused(sentence: str, action, *arguments) -> None:
    with pytest.raises(FormatError) as caught:
        action(*arguments)
    assert str(caught.value) == sentence


def test_a_graph_is_saved_and_loaded(tmp_path):
    path = tmp_path / "a.backwire"
    save(demonstration(), path)
    assert load(path) == load(str(path)) == demonstration()
    save(unfinished(), path)
    assert load(path) == unfinished()
    assert list(tmp_path.iterdir()) == [path]
    text = tmp_path / "a.txt"
    save(unfinished(), text)
    assert text.read_text("utf-8") == "a = 2\nc = a*?\n"
    with pytest.raises(FormatError, match="Line 2, column 7"):
        load(text)
    save(from_expression("y = a*a", {"a": 2}), text)
    assert text.read_text("utf-8") == "a = 2\ny = a*a\n"
    assert load(text) == from_expression("a = 2; y = a*a")


def test_what_is_no_file_is_refused(tmp_path, monkeypatch):
    if sys.platform == "win32":
        pytest.skip("pipes and sockets of POSIX")
    monkeypatch.chdir(tmp_path)
    for folder in ("d.txt", "graphs"):
        (tmp_path / folder).mkdir()
    os.mkfifo("pipe.py")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("s.txt")  # the path of a socket must be short
    for name, reason in (
        ("none.txt", "No such file or directory"),
        ("d.txt", "it is a folder, not a file"),
        ("graphs", "it is a folder, not a file"),
        (os.devnull, "it is a device, not a file"),
        ("pipe.py", "it is a pipe, not a file"),
        ("s.txt", "it is no file"),
    ):
        refused(f"{Path(name).name} can't be read: {reason}.", load, name)
    refused("s.txt can't be written: it is no file.", write_atomically, "s.txt", b"new")
    refused("A file's name can't hold a NUL character.", load, "a\0.txt")
    refused("A file's name can't hold a NUL character.", save, demonstration(), "a\0.txt")
    refused("A file's name can't hold half a character.", load, "\ud800.txt")
    sentence = f"a.txt can't be written: there is no folder {tmp_path / 'none'}."
    refused(sentence, write_atomically, tmp_path / "none" / "a.txt", b"1")


def test_a_drawing_keeps_its_looks(tmp_path):
    drawing = Drawing(
        demonstration(), {1: (24.0, 48.0)}, (GroupEntry(1, "s", [], rect=(0, 0, 9, 9)),)
    )
    save(drawing, tmp_path / "a.BACKWIRE")
    assert load_drawing(tmp_path / "a.BACKWIRE") == drawing
    save(drawing, tmp_path / "a.txt")
    assert load_drawing(tmp_path / "a.txt") == Drawing(load(tmp_path / "a.txt"))


def test_a_file_of_an_unknown_suffix_is_refused(tmp_path):
    refused("a.foo can't be read: No such file or directory.", load, tmp_path / "a.foo")
    (tmp_path / "a.foo").touch()
    with pytest.raises(
        FormatError, match=r'^a\.foo can\'t be read: "\.foo" is no format for that; '
    ):
        load(tmp_path / "a.foo")
    with pytest.raises(FormatError, match=r'^a can\'t be written: "" is no format for that; '):
        save(demonstration(), tmp_path / "a")
    assert list(tmp_path.iterdir()) == [tmp_path / "a.foo"]


def test_a_text_that_is_not_utf8_names_the_byte(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"a+\xff")
    refused("The file is not UTF-8 text (at byte 3).", load, path)
    path.write_bytes(b"\xef\xbb\xbfa+b")
    assert read_text(path) == "a+b"


def test_a_file_that_is_too_large_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "SIZE_LIMIT", 2**20)
    (tmp_path / "a.txt").write_bytes(b" " * (2**20 + 1))
    refused("The file is larger than 1 MiB.", load, tmp_path / "a.txt")
    (tmp_path / "a.txt").write_bytes(b" " * 2**20)
    refused("The expression is longer than 4,000 characters.", load, tmp_path / "a.txt")


def test_a_graph_that_no_file_can_hold_leaves_the_old_one(tmp_path):
    path = tmp_path / "a.backwire"
    save(demonstration(), path)
    wrong = Graph({1: Leaf(1.0, "a\nb")}, None, 2)
    with pytest.raises(FormatError, match="Node 1"):
        save(wrong, path)
    twin = Drawing(demonstration(), {99: (0.0, 0.0)})
    refused("The graph would not be the same when opened again.", save, twin, path)
    with pytest.raises(FormatError, match="Choose a root"):
        save(Graph(), tmp_path / "b.txt")
    assert load(path) == demonstration()
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_usual_rights_and_an_old_one_keeps_its_own(tmp_path):
    path = tmp_path / "a.txt"
    write_atomically(path, b"1")
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    path.chmod(0o640)
    write_atomically(path, b"2")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert path.read_bytes() == b"2"


@pytest.mark.skipif(os.name != "posix", reason="rights as POSIX has them")
def test_what_replaces_a_private_file_is_private_from_the_beginning(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    path.touch(0o600)
    seen: list[int] = []

    def note(handle: int) -> None:
        seen.append(stat.S_IMODE(os.fstat(handle).st_mode))

    monkeypatch.setattr(files.os, "fsync", note)
    write_atomically(path, b"2")
    assert seen[0] == 0o600


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.txt").write_bytes(b"1")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_atomically(tmp_path / "link.txt", b"2")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_bytes() == b"2"


@pytest.mark.parametrize("name", ["write", "replace", "fsync"])
def test_a_full_disk_or_an_interruption_leaves_the_old_file_and_no_other(
    tmp_path, monkeypatch, name
):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")

    def fail(*_arguments: object, **_rest: object) -> None:
        raise OSError(28, "No space left on device")

    if name == "write":
        monkeypatch.setattr(files.os, "fdopen", fail)
    else:
        monkeypatch.setattr(files.os, name, fail)
    refused("a.txt can't be written: No space left on device.", write_atomically, path, b"new")
    monkeypatch.undo()

    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(files.os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("call", ["open", "fsync", "close"])
def test_once_the_file_is_replaced_nothing_is_called_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    replace, real = os.replace, getattr(os, call)

    def replace_and_fail(*paths: Path) -> None:
        replace(*paths)

        def fail(*arguments: object, **rest: object) -> None:
            if call == "close":
                real(*arguments, **rest)
            raise PermissionError(13, "Permission denied")  # a folder that can't be listed

        monkeypatch.setattr(files.os, call, fail)

    monkeypatch.setattr(files.os, "replace", replace_and_fail)
    write_atomically(path, b"new")
    monkeypatch.undo()
    assert [(found, found.read_bytes()) for found in tmp_path.iterdir()] == [(path, b"new")]


def test_a_long_name_is_refused_with_its_length(tmp_path):
    name = "ä" * 150 + ".txt"
    shown = f"{name[:30]}…{name[-30:]}"
    sentence = f"{shown} can't be written: its name takes 304 bytes, and 255 are the most here."
    refused(sentence, write_atomically, tmp_path / name, b"1")
    write_atomically(tmp_path / ("ä" * 125 + ".txt"), b"1")
    with pytest.raises(FormatError, match="there is no folder"):
        write_atomically(tmp_path / name / "a.txt", b"1")


def test_no_device_pipe_or_folder_is_replaced(tmp_path):
    if os.name != "posix":
        pytest.skip("pipes of POSIX")
    (tmp_path / "folder.txt").mkdir()
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "null.txt").symlink_to(os.devnull)
    (tmp_path / "loop.txt").symlink_to("loop.txt")
    for name in ("folder", "pipe"):
        sentence = f"{name}.txt can't be written: it is a {name}, not a file."
        refused(sentence, write_atomically, tmp_path / f"{name}.txt", b"1", True)
    sentence = "null.txt can't be written: it is a device, not a file."
    refused(sentence, write_atomically, tmp_path / "null.txt", b"1")
    with pytest.raises(FormatError, match=r"^loop\.txt can't be written: "):
        write_atomically(tmp_path / "loop.txt", b"1")
    assert stat.S_ISFIFO((tmp_path / "pipe.txt").stat().st_mode)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_a_file_whose_mode_forbids_writing_is_replaced_only_on_demand(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    path.chmod(0o444)
    refused("a.txt can't be written: it is write-protected.", write_atomically, path, b"new")
    refused("a.txt can't be written: it is write-protected.", save, from_expression("a"), path)
    assert path.read_bytes() == b"old"
    write_atomically(path, b"new", replace_protected=True)
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o444


KILLED = """
import os, signal, sys
from engine.formats import files
def die(*_):
    print("dying", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
files.os.replace = die
files.write_atomically(sys.argv[1], b"new")
"""


@pytest.mark.skipif(os.name != "posix", reason="kills as POSIX does")
def test_what_a_killed_save_left_is_swept_and_a_living_one_is_let_be(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(path)], capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (-9, b"dying\n")
    assert len(list(tmp_path.glob(".backwire-*"))) == 1
    handle, living = files._temporary(tmp_path)
    write_atomically(tmp_path / "b.txt", b"1")
    os.close(handle)
    assert sorted(tmp_path.iterdir()) == sorted([path, tmp_path / "b.txt", Path(living)])
    assert path.read_bytes() == b"old"


def test_where_files_can_not_be_locked_only_old_ones_are_swept(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "name", "another")
    young, old = tmp_path / ".backwire-young", tmp_path / ".backwire-old"
    for path in (young, old):
        path.touch()
    os.utime(old, (0, 0))
    write_atomically(tmp_path / "a.txt", b"1")
    assert sorted(tmp_path.iterdir()) == sorted([young, tmp_path / "a.txt"])


def test_a_file_of_another_user_stays_theirs(tmp_path):
    if os.name != "posix" or os.geteuid() != 0:
        pytest.skip("only root gives files away")
    path = tmp_path / "theirs.backwire"
    save(demonstration(), path)
    os.chown(path, 12345, 12346)
    path.chmod(0o640)
    save(demonstration(), path)
    found = path.stat()
    assert (found.st_uid, found.st_gid) == (12345, 12346)
    assert stat.S_IMODE(found.st_mode) == 0o640


@pytest.mark.parametrize("name", ["umask", "chmod"])
def test_neither_the_umask_which_all_threads_share_nor_modes_are_needed(
    name, tmp_path, monkeypatch
):
    def fail(*_arguments: object) -> None:
        raise PermissionError(1, "Operation not permitted") if name == "chmod" else AssertionError

    monkeypatch.setattr(files.os, name, fail)
    for content in (b"1", b"2"):
        write_atomically(tmp_path / "a.txt", content)
        assert (tmp_path / "a.txt").read_bytes() == content
