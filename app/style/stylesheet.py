"""The look of ordinary widgets: style sheet, palette and font of the whole application.

In the text of the style sheet, at 100 %, `$name` is a colour of the theme and every `px` is scaled
later. A widget's purpose is its dynamic property `kind`; the tables list the kinds.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Final

from msgspec.structs import fields
from PySide6.QtCore import QDir
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from app.style.current import Style
from app.style.theme import THEMES, Theme, mixed

ICONS: Final = Path(__file__).resolve().parents[2] / "resources" / "icons"
"""Folder of the ticks and arrows that the style sheet loads, with a subfolder per theme."""

ARGUMENTS: Final = ("backwire", "-style", "fusion")
"""The arguments of the QApplication: the style of Qt that the style sheet is written for.

Setting it later would polish widgets twice, and make PySide build QStyle with all its enums.
"""

_PIXELS: Final = re.compile(r"(-?\d+(?:\.\d+)?)px")


def stylesheet(theme: Theme, scale: float = 1.0) -> str:
    """Return the style sheet of a theme; `scale` is `Style.control_scale`."""
    return _stylesheet(theme.name, scale)


def window_stylesheet(theme: Theme, scale: float) -> str:
    """Return the style sheet of one window, whose scale is another one than the application's."""
    return _scaled_pixels(OWN_FONTS, scale) + stylesheet(theme, scale)


def palette(theme: Theme) -> QPalette:
    """Return the palette of a theme, for everything the style sheet does not cover."""
    role = QPalette.ColorRole
    result = QPalette()
    for part, color in (
        (role.Window, theme.panel),
        (role.WindowText, theme.text),
        (role.Base, theme.node),
        (role.AlternateBase, theme.muted),
        (role.Text, theme.text),
        (role.Button, theme.node),
        (role.ButtonText, theme.text),
        (role.BrightText, theme.error),
        (role.Highlight, theme.selection),
        (role.HighlightedText, theme.on_fill),
        (role.Accent, theme.selection),
        (role.Link, theme.selection),
        (role.LinkVisited, theme.selection),
        (role.ToolTipBase, theme.text),
        (role.ToolTipText, theme.panel),
        (role.PlaceholderText, theme.secondary),
        (role.Light, theme.node),
        (role.Midlight, theme.header_op),
        (role.Mid, theme.line),
        (role.Dark, theme.outline),
        (role.Shadow, theme.wire),
    ):
        result.setColor(part, color)
    for part in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, part, _faint(theme))
    return result


def apply(application: QApplication, style: Style) -> None:
    """Apply the current style to the whole application; call it again when the style changes.

    This restyles all widgets, so nothing is done if they would look the same.
    """
    sheet, font = stylesheet(style.theme, style.control_scale), style.font("interface")
    if application.styleSheet() == sheet and application.font() == font:
        return
    # Removed first: where Qt replaces a style sheet, it restyles a widget once per ancestor.
    application.setStyleSheet("")
    application.setPalette(palette(style.theme))
    application.setFont(font)
    application.setStyleSheet(sheet)


@lru_cache(maxsize=16)
def _stylesheet(theme_name: str, scale: float) -> str:
    QDir.setSearchPaths("backwire", [str(ICONS)])
    theme = THEMES[theme_name]
    text = Template("".join(PARTS)).substitute(_colors(theme), name=theme.name)
    return _scaled_pixels(text, scale)


def _scaled_pixels(text: str, scale: float) -> str:
    return _PIXELS.sub(lambda match: _scaled(float(match[1]), scale), text)


def _scaled(pixels: float, scale: float) -> str:
    size = int(abs(pixels) * scale + 0.5)  # halves up, where round() takes the even number
    return f"{-size if pixels < 0 else size}px"


def _colors(theme: Theme) -> dict[str, str]:
    """Return every colour the style sheet may name: those of the theme and mixtures of them."""
    named = {field.name: getattr(theme, field.name) for field in fields(theme)}
    colors = {name: color for name, color in named.items() if isinstance(color, QColor)}
    strength = 0.16 if theme.dark else 0.20
    colors |= {
        "raised": theme.node,
        "hover": mixed(theme.node, theme.text, 0.05),
        "pressed": mixed(theme.node, theme.text, 0.10),
        "faint": _faint(theme),
        "scroll": mixed(theme.panel, theme.wire, 0.55),
        "text_hover": mixed(theme.text, theme.panel, 0.16),
        "value_hover": mixed(theme.value, theme.text, strength),
        "gradient_hover": mixed(theme.gradient, theme.text, strength),
    }
    return {name: color.name() for name, color in colors.items()}


def _faint(theme: Theme) -> QColor:
    """Return the text colour of disabled widgets."""
    return mixed(theme.secondary, theme.panel, 0.45)


WINDOWS: Final = """
QMainWindow, QDialog { background: $panel; color: $text; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QMainWindow::separator { background: $line; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: $selection; }
QWidget[kind="panel"] { background: $panel; }
QWidget[kind="quiet"] { background: $muted; }
QWidget[kind="canvas"] { background: $canvas; }
QMenuBar { background: $panel; border-bottom: 1px solid $line; padding: 2px 8px; }
QMenuBar::item { background: transparent; padding: 6px 10px; border-radius: 6px; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: $hover; }
QMenuBar::item:disabled { color: $faint; }
QMenu { icon-size: 16px; background: $raised; border: 1px solid $outline; padding: 4px; }
QMenu::item { padding: 6px 24px 6px 12px; border-radius: 6px; }
QMenu::item:selected { background: $selection_tint; color: $text; }
QMenu::item:disabled { color: $faint; }
QMenu::icon { padding-left: 8px; }
QMenu::indicator { width: 14px; height: 14px; margin-left: 8px; }
QMenu::indicator:checked { image: url(backwire:$name/check.png); }
QMenu::right-arrow { image: url(backwire:$name/right.png); width: 12px; height: 12px; }
QMenu::separator { height: 1px; background: $line; margin: 4px 8px; }
QToolBar { qproperty-iconSize: 16px 16px; background: $panel; border: none;
    border-bottom: 1px solid $line; spacing: 8px; padding: 7px 12px; }
QToolBar::separator { background: $line; width: 1px; margin: 4px 4px; }
QStatusBar { background: $muted; color: $secondary; border-top: 1px solid $line; font-size: 12px;
    min-height: 23px; }
QStatusBar QLabel { color: $secondary; font-size: 12px; }
QStatusBar::item { border: none; }
QDockWidget { color: $text; }
QDockWidget::title { background: $muted; border-bottom: 1px solid $line; padding: 8px 12px; }
QToolTip { background: $text; color: $panel; border: 1px solid $text; padding: 4px 8px;
    font-size: 12px; }
"""

# primary: the one next thing; forward, backward: the two passes; question, mistake: modes that are
# on; done: a step that is done; quiet: no box until the pointer comes; link: a sentence that can be
# clicked; offer: one that proposes something; asking: the next thing to do while a mode asks;
# later: not the next thing yet; aside: the quiet choice at the end of a line; tile: an entry of the
# palette; choice, mark: one of a question and one of a lecture, in the speaker's window.
# A :focus rule has 1 px less padding, as its border is 1 px wider. The filled kinds have pictures
# of ring, gap and colour as their focused border, which `packaging/drawings.py` paints: 7 px of it
# at 400 %, so slices of 28.
BUTTONS: Final = """
QPushButton, QToolButton { icon-size: 16px; background: $raised; color: $text;
    border: 1px solid $line; border-radius: 8px; padding: 6px 12px; min-height: 18px; }
QToolButton { padding: 7px 7px; min-width: 16px; min-height: 16px; }
QPushButton[only="icon"] { padding: 7px 7px; min-width: 16px; min-height: 16px; }
QPushButton[small="true"] { padding: 1px 9px; min-height: 20px; border-radius: 6px; }
QPushButton[small="true"]:focus { padding: 0px 8px; }
QPushButton[low="true"] { padding: 6px 7px; min-height: 14px; max-height: 14px; }
QPushButton[low="true"]:focus { padding: 5px 6px; }
QPushButton[only="small"] { padding: 3px; min-width: 16px; min-height: 16px; border-radius: 6px; }
QLineEdit QToolButton { padding: 0px; min-width: 0px; min-height: 0px; border: none;
    background: transparent; }
QPushButton:hover, QToolButton:hover { background: $hover; border-color: $outline; }
QPushButton:pressed, QToolButton:pressed { background: $pressed; }
QPushButton:disabled, QToolButton:disabled { color: $faint; background: $panel;
    border-color: $line; }
QPushButton:checked, QToolButton:checked { background: $selection_tint; color: $selection;
    border-color: $selection; }
QPushButton[kind="primary"], QToolButton[kind="primary"], QPushButton:default {
    background: $text; color: $panel; border-color: $text; font-weight: 600; }
QPushButton[kind="primary"]:hover, QToolButton[kind="primary"]:hover, QPushButton:default:hover {
    background: $text_hover; border-color: $text_hover; }
QPushButton[kind="forward"], QToolButton[kind="forward"] {
    background: $value; color: $on_fill; border-color: $value; font-weight: 600; }
QPushButton[kind="forward"]:hover, QToolButton[kind="forward"]:hover {
    background: $value_hover; border-color: $value_hover; }
QPushButton[kind="backward"], QToolButton[kind="backward"] {
    background: $gradient; color: $on_fill; border-color: $gradient; font-weight: 600; }
QPushButton[kind="backward"]:hover, QToolButton[kind="backward"]:hover {
    background: $gradient_hover; border-color: $gradient_hover; }
QPushButton[kind="question"], QToolButton[kind="question"] {
    background: $selection_tint; color: $selection; border-color: $selection; font-weight: 600; }
QPushButton[kind="asking"] { background: $selection; color: $on_fill; border-color: $selection;
    font-weight: 600; }
QPushButton[kind="mistake"], QToolButton[kind="mistake"] {
    background: $error_tint; color: $error; border-color: $error; font-weight: 600; }
QPushButton[kind="done"] { background: $pressed; border-color: transparent; }
QPushButton[kind="later"] { background: $pressed; color: $secondary; border-color: $line; }
QPushButton[kind="quiet"], QToolButton[kind="quiet"] {
    background: transparent; border-color: transparent; }
QPushButton[kind="quiet"]:hover, QToolButton[kind="quiet"]:hover { background: $hover; }
QPushButton[kind="quiet"]:checked, QToolButton[kind="quiet"]:checked {
    background: $selection_tint; color: $selection; }
QPushButton[kind="link"] { background: transparent; border-color: transparent; padding: 2px 4px;
    text-align: left; }
QPushButton[kind="offer"] { background: transparent; border-color: transparent;
    padding: 2px 0px; color: $selection; font-weight: 600; text-align: left; }
QPushButton[kind="aside"] { background: transparent; border-color: transparent;
    padding: 2px 0px; color: $secondary; font-size: 12.5px; }
QPushButton[kind="offer"]:disabled { background: transparent; border-color: transparent;
    color: $faint; }
QPushButton[kind="link"]:hover, QPushButton[kind="offer"]:hover,
QPushButton[kind="aside"]:hover { text-decoration: underline; }
QToolButton[kind="tile"] { background: $raised; color: $secondary; font-size: 10.5px;
    padding: 2px; }
QPushButton[kind="primary"]:disabled, QToolButton[kind="primary"]:disabled,
QPushButton[kind="forward"]:disabled, QToolButton[kind="forward"]:disabled,
QPushButton[kind="backward"]:disabled, QToolButton[kind="backward"]:disabled,
QPushButton:default:disabled {
    background: $pressed; color: $faint; border-color: $line; }
QPushButton:focus, QToolButton:focus { border: 2px solid $selection; padding: 5px 11px;
    outline: none; }
QToolButton:focus, QPushButton[only="icon"]:focus { padding: 6px 6px; }
QPushButton[only="small"]:focus { padding: 2px; }
QPushButton[edges="narrow"] { padding: 6px 4px; }
QPushButton[edges="narrow"]:focus { padding: 5px 3px; }
QPushButton[kind="aside"]:focus, QPushButton[kind="offer"]:focus { padding: 1px 0px; }
QPushButton[kind="link"]:focus { padding: 1px 3px; }
QToolButton[kind="tile"]:focus { padding: 1px; }
QPushButton[kind="primary"]:focus, QToolButton[kind="primary"]:focus, QPushButton:default:focus {
    border-image: url(backwire:$name/focus-primary.png) 28 28 28 28; }
QPushButton[kind="forward"]:focus, QToolButton[kind="forward"]:focus {
    border-image: url(backwire:$name/focus-forward.png) 28 28 28 28; }
QPushButton[kind="backward"]:focus, QToolButton[kind="backward"]:focus {
    border-image: url(backwire:$name/focus-backward.png) 28 28 28 28; }
QPushButton[kind="primary"]:focus, QPushButton:default:focus, QPushButton[kind="forward"]:focus,
QPushButton[kind="backward"]:focus { background: transparent; border-width: 7px; border-radius: 0px;
    padding: 0px 6px; }
QPushButton[only="icon"][kind="primary"]:focus, QPushButton[only="icon"][kind="forward"]:focus,
QPushButton[only="icon"][kind="backward"]:focus { padding: 1px; }
QToolButton[kind="primary"]:focus, QToolButton[kind="forward"]:focus,
QToolButton[kind="backward"]:focus { background: transparent; border-width: 7px;
    border-radius: 0px; padding: 1px; }
QPushButton::menu-indicator, QToolButton::menu-indicator { image: none; width: 0px; }
QToolButton[popupMode="1"] { padding-right: 22px; }
QToolButton[popupMode="1"]:focus { padding-right: 21px; }
QToolButton::menu-button { border: none; width: 20px; image: url(backwire:$name/down.png); }
QPushButton[kind="choice"] { background: $selection_tint; border-color: transparent;
    color: $text; font-size: 15px; font-weight: 700; padding: 2px 8px; text-align: left; }
QPushButton[kind="choice"]:hover { border-color: $selection; }
QPushButton[kind="choice"]:disabled { background: transparent; color: $text; }
QPushButton[kind="choice"]:focus { padding: 1px 7px; }
QPushButton[kind="step"] { color: $secondary; padding: 4px 10px; text-align: left; }
QPushButton[kind="step"]:checked { background: $selection_tint; color: $text;
    border: 2px solid $selection; padding: 3px 9px; }
QPushButton[kind="step"]:disabled { background: $error_tint; border-color: $error; color: $error; }
QPushButton[kind="step"]:focus { padding: 3px 9px; }
QPushButton[segment] { border-radius: 0px; border-color: $line; border-left-width: 0px;
    background: $muted; color: $secondary; padding: 6px 12px; }
QPushButton[segment="first"], QPushButton[segment="only"] { border-left-width: 1px;
    border-top-left-radius: 8px; border-bottom-left-radius: 8px; }
QPushButton[segment="last"], QPushButton[segment="only"] {
    border-top-right-radius: 8px; border-bottom-right-radius: 8px; }
QPushButton[segment]:hover { color: $text; background: $hover; }
QPushButton[segment]:checked { background: $raised; color: $text; border: 2px solid $text;
    border-radius: 8px; padding: 5px 10px; font-weight: 600; }
QPushButton[segment][kind="value"]:checked { background: $value; color: $on_fill;
    border-color: $value; }
QPushButton[segment]:disabled { color: $faint; }
QPushButton[segment]:focus { border: 2px solid $selection; padding: 5px 10px; outline: none; }
QPushButton[segment][edges="narrow"] { padding: 5px 4px; }
QPushButton[segment][edges="narrow"]:focus, QPushButton[segment][edges="narrow"]:checked {
    padding: 4px 3px; }
"""

# The radius of a round part is a little less than half its side: scaled to whole px it must not be
# more than half, or Qt drops it.
FIELDS: Final = """
QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox, QComboBox {
    background: $raised; color: $text; border: 1px solid $outline; border-radius: 8px;
    padding: 5px 9px; selection-background-color: $selection; selection-color: $on_fill;
    placeholder-text-color: $secondary; }
QLineEdit, QComboBox { min-height: 20px; }
QAbstractSpinBox { padding: 5px 1px; qproperty-alignment: AlignCenter; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QAbstractSpinBox:focus, QComboBox:focus {
    border: 2px solid $selection; padding: 4px 8px; }
QAbstractSpinBox:focus { padding: 4px 0px; }
QLineEdit[low="true"], QComboBox[low="true"] { padding: 3px 7px; max-height: 20px; }
QLineEdit[low="true"]:focus, QComboBox[low="true"]:focus { padding: 2px 6px; }
QLineEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled { background: $muted;
    color: $faint; border-color: $line; }
QLineEdit[readOnly="true"] { background: $muted; border-color: $line; }
QLineEdit[valid="false"] { border: 2px solid $error; color: $error; padding: 4px 8px; }
QLineEdit[kind="inline"] { border-radius: 6px; padding: 1px 5px; min-height: 18px; }
QLineEdit[kind="inline"]:focus { padding: 0px 4px; }
QLineEdit[kind="blank"], QLineEdit[kind="blank"]:focus { border: none; padding: 0px;
    min-height: 0px; background: transparent; color: $text; placeholder-text-color: $selection; }
QLineEdit[kind="count"] { font-size: 15px; font-weight: 600; padding: 5px 1px; }
QLineEdit[kind="count"]:focus { padding: 4px 0px; }
QTextEdit[kind="notes"] { border: none; background: transparent; padding: 6px; }
QTextEdit[kind="notes"]:focus { border: 2px solid $selection; padding: 4px; }
QTextEdit[kind="code"] { background: $muted; border-color: $line; padding: 5px 2px 5px 6px; }
QTextEdit[kind="code"]:focus { padding: 4px 1px 4px 5px; }
QComboBox { combobox-popup: 0; }
QComboBox:hover { border-color: $wire; }
QComboBox::drop-down { border: none; width: 24px; }
QComboBox[low="true"]::drop-down { width: 16px; }
QComboBox::down-arrow { image: url(backwire:$name/down.png); width: 12px; height: 12px; }
QComboBox QAbstractItemView, QComboBox QAbstractItemView:focus { background: $raised;
    border: 1px solid $outline; padding: 4px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: none; width: 18px; }
QAbstractSpinBox::up-arrow { image: url(backwire:$name/up.png); width: 10px; height: 10px; }
QAbstractSpinBox::down-arrow { image: url(backwire:$name/down.png); width: 10px; height: 10px; }
QCheckBox, QRadioButton { spacing: 8px; padding: 3px 4px; border: 1px solid transparent;
    border-radius: 6px; min-height: 18px; }
QCheckBox:focus, QRadioButton:focus { border: 2px solid $selection; padding: 2px 3px; }
QCheckBox:disabled, QRadioButton:disabled { color: $faint; }
QCheckBox::indicator, QListWidget::indicator { width: 14px; height: 14px;
    border: 1px solid $wire; border-radius: 4px; background: $raised; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover { border-color: $text; }
QCheckBox::indicator:checked, QListWidget::indicator:checked { background: $text;
    border-color: $text; image: url(backwire:$name/check-on-text.png); }
QCheckBox::indicator:indeterminate { background: $wire; border-color: $wire; }
QCheckBox::indicator:disabled { border-color: $line; }
QCheckBox::indicator:checked:disabled { background: $faint; border-color: $faint; }
QRadioButton::indicator { width: 14px; height: 14px; border: 1px solid $wire; border-radius: 7.5px;
    background: $raised; }
QRadioButton::indicator:checked { width: 6px; height: 6px; border: 5px solid $selection;
    border-radius: 7.5px; }
QSlider { min-height: 24px; }
QSlider::groove:horizontal { height: 4px; border-radius: 1.8px; background: $line; }
QSlider::sub-page:horizontal { height: 4px; border-radius: 1.8px; background: $value; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -6px 0px; border-radius: 7.5px;
    background: $raised; border: 1px solid $value; }
QSlider::handle:horizontal:hover { background: $value_tint; }
QSlider::handle:horizontal:focus { border: 2px solid $selection; width: 12px; height: 12px; }
QSlider::sub-page:horizontal:disabled { background: $line; }
QSlider::handle:horizontal:disabled { border-color: $outline; }
QProgressBar { border: none; border-radius: 1.8px; background: $line; max-height: 4px;
    min-height: 4px; color: transparent; }
QProgressBar::chunk { border-radius: 1.8px; background: $text; }
QProgressBar[kind="over"]::chunk { background: $error; }
"""

LISTS: Final = """
QTabWidget::pane { border: none; border-top: 1px solid $line; background: $panel; }
QTabBar { background: $muted; }
QTabBar::tab { background: transparent; color: $secondary; border: 1px solid transparent;
    border-top-left-radius: 8px; border-top-right-radius: 8px; padding: 6px 7px;
    margin-top: 6px; min-height: 18px; }
QTabBar::tab:first { margin-left: 8px; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { background: $panel; color: $text; border-color: $line;
    border-bottom-color: $panel; }
QTabBar::tab:focus:selected { border: 2px solid $selection; padding: 5px 6px; }
QTabBar QToolButton { background: $muted; padding: 2px; }
QAbstractItemView { background: $panel; alternate-background-color: $muted; color: $text;
    border: none; outline: none; selection-background-color: $selection_tint;
    selection-color: $text; }
QListView::item, QTreeView::item { padding: 4px 8px; border: 1px solid transparent;
    border-radius: 6px; min-height: 18px; }
QTableView { gridline-color: $line; }
QTableView::item { padding: 4px 8px; border: 1px solid transparent; }
QTableView[kind="figures"]::item { padding: 4px 0px; border: none; }
QTableView[kind="figures"] QHeaderView::section { padding: 4px 3px; font-weight: normal; }
QListView::item:hover, QTreeView::item:hover { background: $hover; }
QListView::item:selected, QTreeView::item:selected, QTableView::item:selected {
    background: $selection_tint; color: $text; }
QListView::item:focus, QTreeView::item:focus, QTableView::item:focus {
    border: 1px solid $selection; }
QAbstractItemView:focus { outline: none; }
QListWidget[kind="clear"] { background: transparent; }
QListView:focus, QTreeView:focus, QTableView:focus { border: none; }
QTreeView::branch:has-children:closed { image: url(backwire:$name/right.png); }
QTreeView::branch:has-children:open { image: url(backwire:$name/down.png); }
QHeaderView { background: $panel; border: none; }
QHeaderView::section { background: $panel; color: $secondary; border: none;
    border-bottom: 1px solid $line; padding: 4px 8px; font-size: 12px; font-weight: 400; }
QHeaderView::down-arrow { image: url(backwire:$name/down.png); width: 12px; height: 12px; }
QHeaderView::up-arrow { image: url(backwire:$name/up.png); width: 12px; height: 12px; }
QTableCornerButton::section { background: $panel; border: none; }
QScrollArea { border: none; background: transparent; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0px; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0px; }
QScrollBar::handle { background: $scroll; border-radius: 2.7px; margin: 3px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: $wire; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0px; height: 0px; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QGroupBox { border: 1px solid $line; border-radius: 10px; margin-top: 20px; padding: 12px; }
QGroupBox::title { subcontrol-origin: margin; subcontrol-position: top left; padding: 0px 4px;
    font-weight: 600; }
"""

# Labels: score title clock subtitle heading name step strong secondary caption end group small
# error value gradient local root asked key.
# Frames: card, hero (the card of the next thing to do), card that is now, over (a page), question,
# task, mistake, code, empty, rule (a line across), divider (a line of any direction).
WORDS: Final = """
QLabel { background: transparent; }
QLabel:disabled { color: $faint; }
QLabel[kind="score"] { font-size: 40px; font-weight: 700; }
QLabel[kind="title"] { font-size: 26px; font-weight: 700; }
QLabel[kind="clock"] { font-size: 22px; font-weight: 700; }
QLabel[kind="subtitle"] { font-size: 20px; font-weight: 700; }
QLabel[kind="heading"] { font-size: 15px; font-weight: 700; }
QLabel[kind="name"] { font-size: 15px; font-weight: 600; color: $secondary; }
QLabel[kind="step"] { font-size: 17px; }
QLabel[kind="strong"] { font-weight: 600; }
QLabel[kind="secondary"] { color: $secondary; }
QLabel[kind="caption"] { color: $secondary; font-size: 12px; }
QLabel[kind="end"] { color: $secondary; font-size: 12px; padding: 1px 3px;
    border: 1px solid transparent; border-radius: 4px; }
QLabel[kind="end"]:hover { background: $hover; }
QLabel[kind="end"]:focus { border: 2px solid $selection; padding: 0px 2px; }
QLabel[kind="group"] { color: $secondary; font-size: 12px; font-weight: 600; }
QLabel[kind="small"] { color: $secondary; font-size: 10.5px; }
QLabel[kind="error"] { color: $error; }
QLabel[kind="value"] { color: $value; font-weight: 600; }
QLabel[kind="gradient"] { color: $gradient; font-weight: 600; }
QLabel[kind="local"] { color: $local; font-weight: 600; }
QLabel[kind="root"] { color: $root; font-weight: 600; }
QLabel[kind="asked"] { color: $selection; font-weight: 600; }
QLabel[kind="key"] { color: $secondary; border: 1px solid $line; border-radius: 4px;
    padding: 1px 5px; font-size: 10.5px; }
QFrame[kind="card"] { background: $raised; border: 1px solid $line; border-radius: 10px; }
QFrame[kind="hero"] { background: $raised; border: 2px solid $text; border-radius: 10px; }
QFrame[kind="now"] { background: $firing; border: 2px solid $gradient; border-radius: 10px; }
QFrame[kind="question"] { background: $raised; border: 1px solid $selection;
    border-radius: 10px; }
QFrame[kind="task"] { background: $selection_tint; border: 1.5px solid $selection;
    border-radius: 10px; }
QFrame[kind="mistake"] { background: $error_tint; border: 1px solid $error;
    border-radius: 10px; }
QFrame[kind="over"] { background: $panel; border: none; border-left: 1px solid $outline; }
QFrame[kind="code"] { background: $muted; border: 1px solid $line; border-radius: 8px; }
QFrame[kind="empty"] { background: transparent; border: 1px dashed $wire;
    border-radius: 10px; }
QFrame[kind="divider"] { background: $line; border: none; }
QFrame[kind="rule"] { background: $line; border: none; max-height: 1px; min-height: 1px; }
"""

OWN_FONTS: Final = """
QWidget { font-size: 13px; }
"""
"""Sets the usual size of texts in a window with a scale of its own, or they would have the
application's; kinds with another size have rules in PARTS."""

PARTS: Final = (WINDOWS, BUTTONS, FIELDS, LISTS, WORDS)
