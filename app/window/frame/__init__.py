"""The main window: menus, toolbar, panels and pages around the canvas."""
