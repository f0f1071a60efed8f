"""The palette: everything that can be added to the sheet, by drag, click or search."""

from app.panels.palette.rail import PaletteDock, Rail

__all__ = ["PaletteDock", "Rail"]
