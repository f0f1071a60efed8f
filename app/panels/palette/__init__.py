"""The palette: everything that can be added to the sheet, by drag, click or search."""

from app.panels.palette.palette import Palette

__all__ = ["Palette"]
