import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from app.takeaway.forms import FORMS, KINDS
from app.window.commands.file_actions import export_files
from app.window.dialogs.export import ExportDialog
from app.window.dialogs.export_forms import export_of
from engine.formats.files import load, shown_name
from tests.helpers.graphs import mistake
from tests.helpers.sampling import sampled
from tests.helpers.window import dialog_of, no_question, open_dialogs, question, said, until

READ_BACK = ("native", "expression")


@pytest.fixture
def stepped(shared_leaf):
    """The window at step 6 of 7."""
    window = shared_leaf
    window.playback.backward()
    window.playback.go(6)
    return window


def _ask(window, name="export"):
    window.commands[name].trigger()
    return dialog_of(window, ExportDialog)


def test_dots_per_inch_and_transparency_are_kept(stepped, tmp_path):
    pictures = []
    for dots in ("96", "192"):
        dialog = _ask(stepped)
        dialog.fields["dpi"].setCurrentIndex(dialog.fields["dpi"].findData(dots))
        dialog.fields["transparent"].setChecked(True)
        dialog.path.setText(str(tmp_path / f"{dots}.png"))
        QTest.keyClick(dialog, Qt.Key.Key_Return)
        pictures.append(QImage(str(tmp_path / f"{dots}.png")))
    small, large = pictures
    assert abs(large.width() - 2 * small.width()) <= 2
    assert small.pixelColor(0, 0).alpha() == 0


def test_all_steps_are_numbered_files_of_one_size(stepped, tmp_path):
    dialog = _ask(stepped, "export-all")
    assert dialog.fields["all_steps"].isChecked()
    dialog.path.setText(str(tmp_path / "lecture.png"))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    files = sorted(tmp_path.iterdir())
    assert [path.name for path in files] == [f"lecture-{k}.png" for k in range(8)]
    sizes = {(image.width(), image.height()) for image in (QImage(str(p)) for p in files)}
    assert len(sizes) == 1
    assert said(stepped) == f"Exported 8 files to {shown_name(tmp_path)}."


def test_latex_is_said_to_be_of_the_correct_pass_while_a_mistake_is_chosen(stepped):
    stepped.playback.set_rules(mistake("assign"))
    words = [label.text() for label in _ask(stepped, "export-latex").findChildren(QLabel)]
    assert "The derivation is of the correct pass, without the mistake that is chosen." in words


def test_without_a_pass_there_is_only_one_picture(shared_leaf):
    dialog = _ask(shared_leaf)
    assert not dialog.fields["all_steps"].isEnabled()


def test_every_format_is_written_from_its_menu_entry(stepped, tmp_path):
    stepped.commands["add_step"].trigger()  # without a step there is no handout
    found = [name for name in KINDS if name not in ("png", "svg", "pdf")]
    for form in {*sampled(found, 4), *READ_BACK, "handout"}:
        dialog = _ask(stepped, f"export-{form}")
        path = tmp_path / f"{form}{FORMS[KINDS[form]].kinds[form]}"
        dialog.path.setText(str(path))
        QTest.keyClick(dialog, Qt.Key.Key_Return)
        until(lambda: not open_dialogs(stepped))  # handouts are made in slices
        assert path.stat().st_size > 20, form
        assert no_question(stepped), form
        if form in READ_BACK:
            assert len(load(path).nodes) == 7, form


def test_dot_shows_the_step_that_is_shown(stepped, tmp_path):
    path = tmp_path / "g.dot"
    export_files(stepped.context, export_of("dot", path), stepped)
    assert "+6" in path.read_text()


def test_the_classic_picture_of_this_step_is_written_through_the_dialog(stepped, tmp_path):
    dialog = _ask(stepped)
    dialog.fields.form.setCurrentIndex(dialog.fields.form.findText("Picture in micrograd's look"))
    dialog.fields.kind.setCurrentIndex(dialog.fields.kind.findText("SVG"))
    assert not dialog.fields["theme"].isVisible()
    assert dialog.path.text().endswith(".svg")
    path = tmp_path / "classic.svg"
    dialog.path.setText(str(path))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert "grad 4.0000" in path.read_text("utf-8")
    assert said(stepped) == f"Exported classic.svg to {shown_name(tmp_path)}."


def test_only_the_suffix_of_a_form_goes_when_another_form_is_chosen(stepped):
    for name, bare in (
        ("net v1.2", "net v1.2"),
        ("net v1.PNG", "net v1"),
        ("a.torch.py", "a"),
        ("a.Dot", "a"),
        ("a.tar.gz", "a.tar.gz"),
    ):
        dialog = _ask(stepped)
        dialog.path.setText(name)
        dialog.fields.choose("pdf")
        assert dialog.path.text() == f"{bare}.pdf"
        dialog.reject()


def test_a_place_that_can_not_be_written_is_told(stepped, tmp_path):
    export_files(stepped.context, export_of("png", tmp_path / "no" / "x.png"), stepped)
    assert question(stepped).text() == "x.png was not written."


def test_a_picture_too_large_for_an_image_is_refused_with_a_way_out(stepped, tmp_path):
    export_files(stepped.context, export_of("png", tmp_path / "x.png", dpi=9600), stepped)
    assert "fewer dots per inch" in question(stepped).informativeText()


def test_the_picture_goes_to_the_clipboard(stepped):
    stepped.commands["copy_picture"].trigger()
    image = QGuiApplication.clipboard().image()
    assert image.width() > 500
    assert said(stepped) == "A picture of this step is on the clipboard."


def test_escape_closes_the_dialog_and_writes_nothing(stepped, tmp_path):
    dialog = _ask(stepped)
    dialog.path.setText(str(tmp_path / "x.png"))
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not open_dialogs(stepped)
    assert list(tmp_path.iterdir()) == []
