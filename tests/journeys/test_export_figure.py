"""A figure for a paper: previewed, cropped, set to a width, and named after graph and step."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest

from app.style.theme import THEMES
from app.window.dialogs.export import ExportDialog
from app.window.frame.main_window import MainWindow
from engine.formats.files import shown_name
from tests.helpers.window import dialog_of, node, opened_window, question, said


def step(window: MainWindow) -> None:
    window.playback.backward()
    window.playback.go(3)


@pytest.fixture
def stepped(qtbot):
    """The example of a neuron after three steps backward."""
    with opened_window(qtbot, example="neuron", prepare=step) as window:
        yield window


def ask(window, form: str) -> ExportDialog:
    window.commands[f"export-{form}"].trigger()
    dialog = dialog_of(window, ExportDialog)
    dialog.refresh()
    return dialog


def choose(dialog: ExportDialog, **chosen: str) -> None:
    """Choose in the fields of these names, and let the preview follow."""
    for name, key in chosen.items():
        if name == "kind":
            dialog.fields.choose(key)
        else:
            dialog.fields[name].setCurrentIndex(dialog.fields[name].findData(key))
    dialog.refresh()


def write(dialog: ExportDialog, folder: Path) -> Path:
    """Export into another folder, under the name that the dialog has found."""
    path = folder / Path(dialog.path.text()).name
    dialog.path.setText(str(path))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    return path


def page_size(content: bytes) -> tuple[float, float]:
    """The size of the pages of a PDF, which is the same for all, in cm."""
    boxes = set(re.findall(rb"/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]", content))
    [(wide, high)] = boxes
    return float(wide) / 72 * 2.54, float(high) / 72 * 2.54


def test_a_pdf_for_a_page_is_17_cm_wide_and_told_to_be_readable(stepped, tmp_path):
    dialog = ask(stepped, "pdf")
    assert dialog.fields["theme"].currentData() == "print"
    choose(dialog, paper="page")
    assert dialog.note.text().startswith("17 × 14.3 cm, type 8 to 10 pt, in 2 rows.")
    path = write(dialog, tmp_path)
    assert path.name == "neuron-step-3.pdf"
    assert page_size(path.read_bytes())[0] == pytest.approx(17, abs=0.01)
    assert said(stepped) == f"Exported neuron-step-3.pdf to {shown_name(tmp_path)}."


def test_a_figure_for_a_column_says_what_its_type_is_and_what_helps(stepped, tmp_path):
    dialog = ask(stepped, "svg")
    choose(dialog, paper="column")
    assert "This is small: below 8 pt. At 17 cm it is 8 to 10 pt." in dialog.note.text()
    assert 'width="85.0000mm"' in write(dialog, tmp_path).read_text("utf-8")


def test_rows_and_least_type_are_chosen_and_what_can_not_be_is_told(stepped, tmp_path):
    dialog = ask(stepped, "pdf")
    assert not dialog.fields["min_type"].isEnabled()  # as drawn, type has the size on the screen
    choose(dialog, paper="column", rows="2")
    assert dialog.note.text().startswith("8.5 × 7.8 cm, type 4.3 to 5.4 pt, in 2 rows.")
    choose(dialog, rows="", min_type="9")
    assert dialog.note.text().startswith("Type of 9 pt does not fit 8.5 × 24 cm: it has up to")
    path = write(dialog, tmp_path)
    assert "Type of 9 pt does not fit" in question(dialog).informativeText()
    assert not path.exists()
    question(dialog).accept()
    choose(dialog, rows="9", crop="rectangle", min_type="")  # a part stays as drawn
    assert not dialog.fields["rows"].isEnabled()
    assert write(dialog, tmp_path).exists()


def test_a_slide_is_16_to_9(stepped, tmp_path):
    dialog = ask(stepped, "pdf")
    choose(dialog, paper="slide")
    assert "on a slide 33.9 cm wide" in dialog.note.text()
    assert page_size(write(dialog, tmp_path).read_bytes()) == pytest.approx((16, 9), abs=0.01)


def test_a_png_has_its_width_at_its_dots_per_inch(stepped, tmp_path):
    dialog = ask(stepped, "png")
    choose(dialog, paper="column", dpi="300")
    found = QImage(str(write(dialog, tmp_path)))
    assert found.width() == round(8.5 / 2.54 * 300)
    assert found.dotsPerMeterX() == round(300 / 0.0254)


def test_the_preview_shows_what_would_be_written(stepped, qtbot):
    dialog = ask(stepped, "png")
    picture = dialog.preview.picture
    shapes, paper = set(), set()
    for key in ("drawn", "page", "slide"):
        choose(dialog, paper=key)
        shapes.add(round(picture.picture.width() / picture.picture.height(), 1))
        assert picture.rect().toRectF().contains(picture.picture_rect())
    assert len(shapes) == 3
    for theme in ("light", "dark"):
        dialog.fields["theme"].setCurrentIndex(dialog.fields["theme"].findData(theme))
        wanted = THEMES[theme].canvas
        qtbot.waitUntil(lambda wanted=wanted: picture.picture.pixelColor(3, 3) == wanted)
        paper.add(picture.picture.pixelColor(3, 3).name())
    assert len(paper) == 2


def test_the_preview_of_a_text_is_its_text(stepped):
    dialog = ask(stepped, "latex-fragment")
    assert r"\begin{align*}" in dialog.preview.text.toPlainText()
    assert dialog.preview.text.isVisible()
    choose(dialog, kind="page")
    assert "x1w1 = x1 × w1 = 2 × (−3) = −6." in dialog.preview.text.toPlainText()
    choose(dialog, kind="pdf")
    assert dialog.preview.picture.isVisible()
    assert not dialog.preview.picture.picture.isNull()


@pytest.mark.parametrize("mode", ["cover", "predict"])
def test_a_text_of_the_pass_holds_question_marks_for_what_is_asked(stepped, tmp_path, mode: str):
    stepped.commands[mode].trigger()
    for form in ("latex", "latex-fragment"):
        dialog = ask(stepped, form)
        assert "?" in dialog.preview.text.toPlainText()
        written = tmp_path / f"{form}{dialog.fields.suffix}"
        dialog.path.setText(str(written))
        QTest.keyClick(dialog, Qt.Key.Key_Return)
        assert "?" in written.read_text()
    stepped.commands[mode].trigger()
    dialog = ask(stepped, "latex")
    assert "?" not in dialog.preview.text.toPlainText()


def test_what_is_selected_is_all_that_is_shown(stepped, tmp_path):
    chosen = frozenset({node(stepped, "n"), node(stepped, "b")})
    whole = QImage(str(write(ask(stepped, "png"), tmp_path)))
    stepped.selection.choose(chosen)
    dialog = ask(stepped, "png")
    choose(dialog, crop="selection")
    dialog.path.setText(str(tmp_path / "part.png"))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    part = QImage(str(tmp_path / "part.png"))
    assert part.width() < whole.width() / 2


def test_without_a_selection_it_can_not_be_chosen(stepped):
    stepped.selection.clear()
    dialog = ask(stepped, "png")
    crop = dialog.fields["crop"]
    item = crop.model().index(crop.findData("selection"), 0)
    assert not crop.model().flags(item) & Qt.ItemFlag.ItemIsEnabled


def test_a_rectangle_is_drawn_in_the_preview_by_mouse_or_keys(stepped, tmp_path):
    dialog = ask(stepped, "png")
    choose(dialog, crop="rectangle", margin="0", dpi="96")
    picture = dialog.preview.picture
    place = picture.picture_rect()
    corner, size = place.topLeft().toPoint() + QPoint(40, 20), QPoint(120, 60)
    QTest.mousePress(picture, Qt.MouseButton.LeftButton, pos=corner)
    QTest.mouseMove(picture, corner + size)
    QTest.mouseRelease(picture, Qt.MouseButton.LeftButton, pos=corner + size)
    dialog.refresh()
    assert isinstance(before := dialog.export().options.crop, tuple)
    QTest.keyClick(picture, Qt.Key.Key_Right)
    assert isinstance(moved := dialog.export().options.crop, tuple)
    assert moved[0] > before[0]
    assert moved[2] == pytest.approx(before[2])
    QTest.keyClick(picture, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert isinstance(taller := dialog.export().options.crop, tuple)
    assert taller[3] > moved[3]
    found = QImage(str(write(dialog, tmp_path)))
    assert (found.width(), found.height()) == pytest.approx(taller[2:], abs=1.01)


def test_a_click_in_the_preview_leaves_the_rectangle_as_it_is(stepped):
    dialog = ask(stepped, "png")
    choose(dialog, crop="rectangle")
    before = QRectF(*dialog.export().options.crop)
    QTest.mouseClick(dialog.preview.picture, Qt.MouseButton.LeftButton, pos=QPoint(50, 150))
    dialog.refresh()
    after = QRectF(*dialog.export().options.crop)
    assert after.center().x() == pytest.approx(before.center().x())


def test_all_steps_of_a_pdf_are_one_file_with_a_page_a_step(stepped, tmp_path):
    dialog = ask(stepped, "pdf")
    dialog.fields["all_steps"].setChecked(True)
    choose(dialog, paper="page")
    assert "11 pages, the first with nothing known yet." in dialog.note.text()
    path = write(dialog, tmp_path)
    assert path.name == "neuron-step-all.pdf"
    assert [found.name for found in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes().count(b"/Type /Page\n") == 11
    assert page_size(path.read_bytes())[0] == pytest.approx(17, abs=0.01)


def test_the_name_follows_step_and_form_until_another_is_typed(stepped):
    dialog = ask(stepped, "png")
    assert Path(dialog.path.text()).name == "neuron-step-3.png"
    dialog.fields["all_steps"].setChecked(True)
    assert Path(dialog.path.text()).name == "neuron-step.png"
    choose(dialog, kind="pdf")
    assert Path(dialog.path.text()).name == "neuron-step-all.pdf"
    choose(dialog, kind="latex")
    assert Path(dialog.path.text()).name == "neuron.tex"
    dialog.path.setText("mine.tex")
    choose(dialog, kind="svg")
    assert dialog.path.text() == "mine.svg"


def test_a_look_that_was_chosen_stays_when_the_form_changes(stepped):
    dialog = ask(stepped, "png")
    assert dialog.fields["theme"].currentData() == "light"
    choose(dialog, kind="pdf")
    assert dialog.fields["theme"].currentData() == "print"
    choose(dialog, theme="dark")
    dialog.fields["theme"].activated.emit(dialog.fields["theme"].currentIndex())
    choose(dialog, kind="svg")
    assert dialog.fields["theme"].currentData() == "dark"


def test_a_pdf_is_without_colour_by_itself(stepped):
    dialog = ask(stepped, "pdf")
    found = dialog.preview.picture.picture
    colors = [found.pixelColor(x, y) for x in range(0, found.width(), 3) for y in range(0, 60, 2)]
    assert {QColor(color).saturation() for color in colors} == {0}


def test_a_refusal_is_one_sentence_and_writes_nothing(stepped, tmp_path):
    dialog = ask(stepped, "png")
    dialog.path.setText(str(tmp_path / ("x" * 300 + ".png")))
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert question(dialog).text() == "Nothing was written."
    assert "are the most here" in question(dialog).informativeText()
    assert list(tmp_path.iterdir()) == []


def test_the_next_export_begins_with_the_form_and_the_width_of_the_last(stepped, tmp_path):
    dialog = ask(stepped, "pdf")
    choose(dialog, paper="page")
    write(dialog, tmp_path)
    stepped.commands["export"].trigger()
    dialog = dialog_of(stepped, ExportDialog)
    assert (dialog.fields.chosen_kind, dialog.fields["paper"].currentData()) == ("pdf", "page")
