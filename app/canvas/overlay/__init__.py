"""Painted over the sheet: minimap, zoom buttons, legend, breadcrumbs, selection rings."""
