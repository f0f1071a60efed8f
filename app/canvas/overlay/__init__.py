"""What lies over the sheet: the map, zoom buttons, legend, breadcrumbs, selection rings."""
