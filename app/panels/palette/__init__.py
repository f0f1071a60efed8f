"""The palette: everything that can be put on the sheet, to be dragged, clicked or found."""

from app.panels.palette.palette import Palette

__all__ = ["Palette"]
