"""The fields of the export dialog: each choice of an Export but where it is written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLabel

from app.controls.choice_box import choice_box
from app.document.sheet import Rect
from app.style import sizes
from app.style.current import Style
from app.style.theme import THEMES
from app.window.dialogs.export_forms import (
    CLASSIC,
    DOTS,
    MARGINS,
    PAPERS,
    PICTURES,
    Export,
    forms,
    usual_theme,
)

WHOLE, SELECTION, RECTANGLE = "graph", "selection", "rectangle"
CROPS = {
    WHOLE: "The whole graph",
    SELECTION: "What is selected",
    RECTANGLE: "A rectangle, drawn in the preview",
}
_ROLE_OF_FLAGS = Qt.ItemDataRole.UserRole - 1
"""The role under which Qt's combo box keeps whether an item can be chosen."""


class ExportFields(QObject):
    """The fields, and the layout that they are rows of."""

    form_changed = Signal()
    """Emitted after another form was chosen, or all steps instead of one."""
    changed = Signal()
    """Emitted after any other choice."""

    def __init__(
        self, style: Style, form: str, paper: str, all_steps: bool, parent: QObject
    ) -> None:
        """`form` and `paper` are what is chosen at first."""
        super().__init__(parent)
        self._style = style
        self.form = choice_box({key: title for key, (title, _s) in forms().items()}, form)
        self.paper = choice_box({key: found.title for key, found in PAPERS.items()}, paper)
        self.crop = choice_box(CROPS, WHOLE)
        margins = {"": "Usual margin", **{str(mm): f"{mm} mm" for mm in MARGINS}}
        self.margin = choice_box(margins, "")
        looks = {name: name.capitalize() for name in THEMES}
        self.theme = choice_box(looks, usual_theme(form))
        self.dots = choice_box({str(n): f"{n} dots per inch" for n in DOTS}, "192")
        self.transparent = QCheckBox("Transparent background")
        self.all_steps = QCheckBox()
        self.all_steps.setChecked(all_steps)
        self.rows = QFormLayout()
        self._lay_out()
        self._own_theme = False
        self.form.currentIndexChanged.connect(self._follow_form)
        self.all_steps.toggled.connect(self.form_changed)
        self.theme.activated.connect(self._keep_theme)
        for box in (self.paper, self.crop, self.margin, self.theme, self.dots):
            box.currentIndexChanged.connect(self.changed)
        self.transparent.toggled.connect(self.changed)

    @property
    def chosen_form(self) -> str:
        """Return the key of the form."""
        return self.form.currentData()

    @property
    def is_ours(self) -> bool:
        """Return whether the form is one of our own pictures."""
        return self.chosen_form in PICTURES

    @property
    def is_picture(self) -> bool:
        """Return whether the form is a picture, ours or micrograd's."""
        return self.is_ours or self.chosen_form in CLASSIC

    @property
    def suffix(self) -> str:
        """Return the suffix of the form."""
        return forms()[self.chosen_form][1]

    def chosen(self, path: Path, crops: Mapping[str, frozenset[int] | Rect | None]) -> Export:
        """Return the current choices; `crops` has what each crop but the whole graph shows."""
        margin = self.margin.currentData()
        return Export(
            self.chosen_form,
            path,
            self.theme.currentData(),
            int(self.dots.currentData()),
            self.transparent.isChecked(),
            self.all_steps.isChecked() and self.all_steps.isEnabled(),
            self.paper.currentData() if self.is_ours else "drawn",
            crops.get(self.crop.currentData()) if self.is_ours else None,
            float(margin) if margin and self.is_ours else None,
        )

    def add_row(self, text: str, field: object) -> None:
        """Add a row with a label vertically centred on its field."""
        word = QLabel(text)
        word.setMinimumHeight(self._style.px(sizes.CONTROL))
        self.rows.addRow(word, field)  # type: ignore[arg-type]

    def follow(self, steps: int, selected: bool) -> None:
        """Show the options of the chosen form; `steps` is how many pictures a pass would be."""
        for field in (self.theme, self.paper, self.crop, self.margin):
            self.rows.setRowVisible(field, self.is_ours)
        self.rows.setRowVisible(self.transparent, self.is_picture and self.suffix != ".gv")
        self.rows.setRowVisible(self.all_steps, self.is_picture)
        self.rows.setRowVisible(self.dots, self.suffix == ".png")
        pages = "the pages of one file" if self.suffix == ".pdf" else "numbered files of one size"
        self.all_steps.setText(f"All steps, as {pages}")
        self.all_steps.setEnabled(steps > 1)
        self.crop.setItemData(
            self.crop.findData(SELECTION), None if selected else 0, _ROLE_OF_FLAGS
        )

    def _lay_out(self) -> None:
        self.rows.setHorizontalSpacing(self._style.px(sizes.SPACES[3]))
        self.rows.setVerticalSpacing(self._style.px(sizes.SPACES[2]))
        self.add_row("Write", self.form)
        self.add_row("Width", self.paper)
        self.add_row("Show", self.crop)
        self.add_row("Margin", self.margin)
        self.add_row("Look", self.theme)
        self.add_row("Sharpness", self.dots)
        self.rows.addRow("", self.transparent)
        self.rows.addRow("", self.all_steps)

    def _follow_form(self) -> None:
        if not self._own_theme:
            self.theme.setCurrentIndex(self.theme.findData(usual_theme(self.chosen_form)))
        self.form_changed.emit()

    def _keep_theme(self) -> None:
        """Leave the theme as the user has chosen it."""
        self._own_theme = True
