"""What the View menu does."""

from __future__ import annotations

from app.window.actions import Action
from app.window.commands import conditions as when
from app.window.settings import FOLLOW_SYSTEM


def _theme(name: str, text: str) -> Action:
    return Action(
        f"theme-{name}",
        text,
        lambda w: w.viewing.choose_theme(name),
        menu="View/Theme",
        checked=lambda w: w.viewing.theme == name,
    )


def _part(name: str, text: str, gap: bool = False) -> Action:
    return Action(
        f"show-{name}",
        text,
        lambda w: w.viewing.toggle(name),
        menu="View",
        checked=lambda w: w.viewing.shown(name),
        gap=gap,
    )


def _digits(name: str, text: str) -> Action:
    return Action(
        f"digits-{name}",
        text,
        lambda w: w.viewing.choose_digits(name),
        menu="View/Digits",
        checked=lambda w: str(w.look.digits) == name,
    )


VIEW: tuple[Action, ...] = (
    Action(
        "fit_selection",
        "&Fit selection",
        lambda w: w.canvas.framing.fit_selection(),
        ("F",),
        "",
        "View",
        "Show the selection, or everything, as large as it fits",
        when.has_nodes,
    ),
    Action(
        "fit_all",
        "Fit &all",
        lambda w: w.canvas.framing.fit_all(),
        ("Shift+1",),
        "fit",
        "View",
        "Show the whole graph",
        when.has_nodes,
    ),
    Action(
        "zoom_in", "Zoom in", lambda w: w.canvas.camera.zoom_by(1.25), ("+", "="), "plus", "View"
    ),
    Action("zoom_out", "Zoom out", lambda w: w.canvas.camera.zoom_by(0.8), ("-",), "minus", "View"),
    Action(
        "zoom_one", "Zoom to 100 %", lambda w: w.canvas.camera.set_zoom(1.0), ("0",), "", "View"
    ),
    Action(
        "larger",
        "Everything &larger",
        lambda w: w.viewing.resize_everything(+1),
        ("Ctrl++", "Ctrl+="),
        "",
        "View/Size",
        "Make text, controls and graph larger, up to 200 %",
    ),
    Action(
        "smaller",
        "Everything &smaller",
        lambda w: w.viewing.resize_everything(-1),
        ("Ctrl+-",),
        "",
        "View/Size",
    ),
    Action(
        "usual_size",
        "Usual size",
        lambda w: w.viewing.resize_everything(0),
        ("Ctrl+0",),
        "",
        "View/Size",
    ),
    _theme(FOLLOW_SYSTEM, "As the system"),
    _theme("light", "Light"),
    _theme("dark", "Dark"),
    _theme("projector", "Projector"),
    _digits("2", "2 digits"),
    _digits("4", "4 digits"),
    _digits("shortest", "As many as needed"),
    Action(
        "motion",
        "&Motion",
        lambda w: w.look.set_motion(not w.look.motion),
        menu="View",
        tip="Let things move instead of jump",
        checked=lambda w: w.look.motion,
    ),
    Action(
        "next_part",
        "Next part of the window",
        lambda w: w.viewing.focus_next_part(+1),
        ("F6",),
        "",
        "View",
        "Move the keyboard to the next part of the window",
        gap=True,
    ),
    Action(
        "previous_part",
        "Previous part of the window",
        lambda w: w.viewing.focus_next_part(-1),
        ("Shift+F6",),
        "",
        "View",
        "Move the keyboard to the part of the window before this one",
    ),
    _part("toolbar", "Toolbar", gap=True),
    _part("palette", "Palette"),
    _part("side", "Side panel"),
    _part("transport", "Transport"),
    _part("status", "Status line"),
    Action(
        "presentation",
        "&Presentation",
        lambda w: w.viewing.toggle_presentation(),
        ("F5",),
        "",
        "View",
        "Full screen with nothing but the graph and the step",
        checked=lambda w: w.viewing.presenting,
        gap=True,
    ),
    Action(
        "full_screen",
        "F&ull screen",
        lambda w: w.viewing.toggle_full_screen(),
        ("F11",),
        "fullscreen",
        "View",
        checked=lambda w: w.isFullScreen(),
    ),
)
