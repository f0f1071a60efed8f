import builtins
import io
import math
import os

import pytest
from PySide6.QtCore import QSettings

from app.document.document import Document
from app.document.document_file import (
    RECENT_LIMIT,
    DocumentFile,
    OnDisk,
    Recent,
    file_name,
    whole_text,
)
from app.document.sheet import Group, Sheet
from engine import from_expression
from engine.errors import FormatError
from engine.formats.native import Drawing, read_drawing
from engine.graph import Leaf, OpNode
from tests.helpers.tables import in_turn


@pytest.fixture
def document(document):
    document.start(Drawing(from_expression("(a*b + a) * f")))
    return document


@pytest.fixture
def file(document):
    return DocumentFile(document)


def test_what_is_saved_opens_the_same(document, file, tmp_path):
    path = tmp_path / "g.backwire"
    file.save(path)
    before = document.sheet
    other = Document()
    DocumentFile(other).open(path)
    assert other.sheet == before
    assert other.path == path
    assert not other.modified


def test_a_file_is_read_once_so_that_what_is_shown_is_what_is_known(
    document, file, tmp_path, monkeypatch
):
    path, reads = tmp_path / "g.backwire", list[str]()
    file.save(path)
    opened = builtins.open

    def watched(name, *arguments, **options):
        reads.append(str(name))
        return opened(name, *arguments, **options)

    monkeypatch.setattr(builtins, "open", watched)
    monkeypatch.setattr(io, "open", watched)
    file.open(path)
    assert reads == [str(path)]
    assert file.on_disk is OnDisk.SAME


def test_saving_clears_the_modified_mark(document, file, tmp_path):
    document.set_value(1, 5.0)
    assert document.modified
    file.save(tmp_path / "g.backwire")
    assert not document.modified
    document.undo()
    assert document.modified


def test_groups_and_odd_numbers_are_kept(qapp):
    graph = from_expression("a * b")
    graph = type(graph)(
        {**graph.nodes, 9: Leaf(math.nan, "bad"), 10: Leaf(-math.inf), 11: Leaf(-0.0)},
        graph.active_root,
        12,
    )
    places = {n: (24.0 * n, 0.5) for n in graph.nodes}
    sheet = Sheet(
        graph,
        places,
        {
            13: Group("x < y", rect=(0.0, 0.0, 10.0, 10.0), colour=2),
            14: Group("g", frozenset({1, 2}), True, (3.0, 4.0)),
        },
    )
    again = read_drawing(whole_text(sheet))
    bad, zero = again.graph.nodes[9], again.graph.nodes[11]
    assert isinstance(bad, Leaf)
    assert isinstance(zero, Leaf)
    assert math.isnan(bad.value)
    assert math.copysign(1, zero.value) == -1
    assert again.groups[0].title == "x < y"
    assert again.groups[1].members == [1, 2]


def test_a_sheet_that_would_not_come_back_is_not_written(document, file, tmp_path):
    graph = document.graph
    broken = type(graph)({**graph.nodes, 1: OpNode("add", (1, 2))}, graph.active_root, 99)
    document.commit("Break", lambda sheet: sheet.with_graph(broken))
    path = tmp_path / "g.backwire"
    with pytest.raises(FormatError):
        file.save(path)
    assert not path.exists()


def test_a_bad_file_changes_nothing(document, file, tmp_path):
    path = tmp_path / "bad.backwire"
    path.write_text("{")
    before = document.sheet
    with pytest.raises(FormatError):
        file.open(path)
    assert document.sheet is before


def test_a_missing_file_is_told_in_a_sentence(file, tmp_path):
    with pytest.raises(FormatError, match=r"nowhere\.backwire"):
        file.open(tmp_path / "nowhere.backwire")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_can_not_be_written_leaves_the_old_file(document, file, tmp_path):
    path = tmp_path / "g.backwire"
    file.save(path)
    before = path.read_bytes()
    tmp_path.chmod(0o500)
    document.set_value(1, 9.0)
    with pytest.raises(FormatError):
        file.save(path)
    tmp_path.chmod(0o700)
    assert path.read_bytes() == before


def test_a_name_with_a_nul_is_refused(file, tmp_path):
    with pytest.raises(FormatError):
        file.save(tmp_path / "a\0b.backwire")


def test_a_file_that_another_program_wrote_is_noticed(document, file, tmp_path):
    path = tmp_path / "g.backwire"
    file.save(path)
    assert file.on_disk is OnDisk.SAME
    path.write_text(path.read_text() + "\n")
    assert file.on_disk is OnDisk.CHANGED
    file.save(path)
    assert file.on_disk is OnDisk.SAME


def test_what_is_too_large_or_no_file_is_refused_before_it_is_read(document, file, tmp_path):
    if os.name != "posix":
        pytest.skip("pipes of POSIX")
    large, pipe = tmp_path / "large.backwire", tmp_path / "pipe.backwire"
    with large.open("wb") as written:
        written.truncate(2**40)
    os.mkfifo(pipe)
    before = document.sheet
    for path in (large, pipe):
        with pytest.raises(FormatError):
            file.open(path)
    assert document.sheet is before


def test_a_file_that_is_gone_is_noticed_and_may_be_saved_again(file, tmp_path):
    path = tmp_path / "g.backwire"
    file.save(path)
    assert not file.gone
    path.unlink()
    assert file.gone
    assert file.on_disk is OnDisk.GONE
    file.save(path)
    assert file.on_disk is OnDisk.SAME


def test_a_formula_in_a_text_file_opens_without_a_path(qapp, tmp_path):
    path = tmp_path / "g.txt"
    path.write_text("a * b + 1\n")
    document = Document()
    DocumentFile(document).open(path)
    assert document.path is None
    assert len(document.graph.nodes) == 6


def test_rescued_work_counts_as_not_saved(document, file, tmp_path):
    path = tmp_path / "g.backwire"
    file.save(path)
    file.rescue(Drawing(from_expression("x * y")), path)
    assert document.modified
    assert document.path == path
    assert not document.done


def test_rescued_work_knows_the_file_that_it_began_with(document, file, tmp_path):
    path = tmp_path / "g.backwire"
    file.save(path)
    begun = file.known_hash
    file.rescue(Drawing(from_expression("x * y")), path, begun)
    assert file.on_disk is OnDisk.SAME
    path.write_text(path.read_text() + "\n")
    file.rescue(Drawing(from_expression("x * y")), path, begun)
    assert file.on_disk is OnDisk.CHANGED
    file.rescue(Drawing(from_expression("x * y")), path)
    assert file.on_disk is OnDisk.CHANGED
    file.rescue(Drawing(from_expression("x * y")), None)
    assert file.on_disk is OnDisk.SAME


def test_a_write_protected_file_is_replaced_only_on_demand(document, file, tmp_path):
    path = tmp_path / "g.backwire"
    file.save(path)
    before = path.read_bytes()
    path.chmod(0o444)
    document.set_value(1, 9.0)
    with pytest.raises(FormatError, match="write-protected"):
        file.save(path)
    assert path.read_bytes() == before
    assert document.modified
    file.save(path, replace_protected=True)
    assert path.read_bytes() != before


@in_turn(
    ("title", "name"),
    [
        ("Shared leaf", "Shared leaf.backwire"),
        ("(a*b + a) * f", "(a×b + a) × f.backwire"),
        ("x**2 / 3", "x^2 ÷ 3.backwire"),
        ("tanh(w1*x1 + w2*x2 + w3*x3 + w4…", "tanh(w1×x1 + w2×x2 + w3×x3 + w4.backwire"),
        ("", "graph.backwire"),
    ],
)
def test_the_name_of_a_file_reads_as_the_formula_it_holds(title, name):
    assert file_name(title) == name


def _files(folder, count):
    paths = [folder / f"{k}.backwire" for k in range(count)]
    for path in paths:
        path.write_text("")
    return paths


def test_the_newest_file_is_first_and_none_stands_twice(store, tmp_path):
    a, b = _files(tmp_path, 2)
    recent = Recent(store)
    for path in (a, b, a):
        recent.add(path)
    assert recent.paths == (a, b)


def test_the_list_is_there_after_a_restart(store, tmp_path):
    (a,) = _files(tmp_path, 1)
    Recent(store).add(a)
    store.sync()
    again = QSettings(store.fileName(), QSettings.Format.IniFormat)
    assert Recent(again).paths == (a,)


def test_the_list_ends_somewhere(store, tmp_path):
    recent = Recent(store)
    for path in _files(tmp_path, RECENT_LIMIT + 3):
        recent.add(path)
    assert len(recent.paths) == RECENT_LIMIT


def test_a_file_that_is_gone_is_left_out(store, tmp_path):
    a, b = _files(tmp_path, 2)
    recent = Recent(store)
    recent.add(a)
    recent.add(b)
    b.unlink()
    assert recent.paths == (a,)


@pytest.mark.parametrize("found", ["", "one", ["a", ""], 3, ["x\0y"]])
def test_settings_that_hold_something_else_do_no_harm(store, found):
    store.setValue("recent", found)
    assert Recent(store).paths == ()


def test_forgetting_is_said(store, tmp_path, qtbot):
    (a,) = _files(tmp_path, 1)
    recent = Recent(store)
    recent.add(a)
    with qtbot.waitSignal(recent.changed):
        recent.clear()
    assert recent.paths == ()
