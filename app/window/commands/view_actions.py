"""Actions of the menu View: zoom, pages and parts of the window, style, full screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from app.style.current import Extra
from app.style.derivative_notation import Notation
from app.window.actions import Action, action
from app.window.commands import when as when
from app.window.settings import FOLLOW_SYSTEM, SCREEN_THEMES, theme_of

if TYPE_CHECKING:
    from app.window.context import Context

SIZES = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
"""Scales of the interface to choose from, ascending; the first is the default."""
_EXTRAS: tuple[tuple[Extra, str, str], ...] = (
    ("slopes", "&Local derivatives", "Show every local derivative at its slot, without a pass"),
    ("finals", "Final &gradients", "Show every gradient as it is at the end of backward"),
    ("order", "Numbers of the &order", "Number all nodes as backward takes them, leaves too"),
)
"""What nodes can show without a pass: its name in `Style.extras`, menu text and tooltip."""
_THEME_WORDS = {"dark": "night black", "light": "day white bright"}
_ZOOM_STEP = 1.25
"""Zoom factor of one press of + or -."""


def choose_theme(context: Context, name: str) -> None:
    """Set a theme, or follow the system."""
    context.settings.theme = name
    context.style.set_theme(theme_of(name))


def choose_digits(context: Context, name: str) -> None:
    """Set how many digits numbers show."""
    context.style.set_digits("shortest" if name == "shortest" else int(name))


def change_size(context: Context, steps: int) -> None:
    """Choose the next larger or smaller interface size; 0 for the default."""
    index = min(max(_size_index(context) + steps, 0), len(SIZES) - 1) if steps else 0
    choose_size(context, SIZES[index])


def choose_size(context: Context, size: float) -> None:
    """Set the interface size, and show both sizes: controls grow less than the sheet."""
    style = context.style
    style.set_size(size)
    sheet, controls = percent(style.size), percent(style.control_size)
    context.messages.toast(f"Sheet and step sentence: {sheet}, buttons and panels: {controls}")


def percent(share: float) -> str:
    """Format a share as "150 %"."""
    return f"{share:.0%}".replace("%", " %")


def _size_index(context: Context) -> int:
    """Return the index in `SIZES` of the size nearest to the current one."""
    return min(range(len(SIZES)), key=lambda k: abs(SIZES[k] - context.style.size))


def show_node(context: Context, node: int) -> None:
    """Select a node and bring it into view."""
    context.canvas.framing.show_node(node)
    context.selection.focus_on(node)


PAGES: dict[str, Action] = {
    "lesson": Action(
        "Lesson",
        "Ctrl+1",
        icon="lesson",
        tooltip="What was asked and answered in this run",
        search="course tutorial learn teach student report score points results answers slip",
    ),
    "why": Action(
        "Why",
        "Ctrl+2",
        icon="why",
        tooltip="Why a gradient is what it is",
        search="derivative chain rule explain because path paths inspector details partial reason",
    ),
    "numeric": Action(
        "Numeric",
        "Ctrl+3",
        icon="check",
        tooltip="Compare with numerical gradients",
        search="check verify numerical gradient finite difference quotient nudge h torch pytorch"
        " compare epsilon",
    ),
    "mistakes": Action(
        "Mistakes",
        "Ctrl+4",
        icon="mistakes",
        tooltip="Switch a classic mistake on, or hunt one",
        search="bug bugs error wrong broken fault debug lab",
        folded="page-mistakes",
    ),
    "train": Action(
        "Train",
        "Ctrl+5",
        icon="train",
        tooltip="Descent on this graph, or train a network",
        search="training learning optimizer optimiser fit neural machine",
        folded="page-train",
    ),
    "code": Action(
        "Code",
        "Ctrl+6",
        icon="code",
        tooltip="The pass as code, step by step, or one function",
        search="python program listing micrograd numpy",
        folded="page-code",
    ),
    "history": Action(
        "History",
        "Ctrl+7",
        icon="history",
        tooltip="Every change of the sheet, to go back to",
        search="past changes versions log earlier",
        folded="page-history",
    ),
}
"""The pages of the right bar by name, from top to bottom."""


def _toggle_page(context: Context, name: str) -> None:
    """Open a page and focus it, or fold it if it is open; on the start page always open it."""
    if context.shell.on_full_page:
        context.shell.show_page(name)
    else:
        context.shell.parts.toggle_page(name)


def _page_action(name: str, page: Action) -> None:
    def is_open(context: Context) -> bool:
        return context.shell.parts.page == name

    @replace(page, id=f"page-{name}", checked=is_open)
    def use(context: Context) -> None:
        _toggle_page(context, name)


@action(
    "All &tools",
    checked=lambda c: c.settings.all_tools,
    search="advanced expert more everything features unlock",
)
def all_tools(context: Context) -> None:
    """Show every page and every line of the menus, also those not used yet."""
    context.settings.all_tools = not context.settings.all_tools
    context.shell.parts.show_tools()


def _size_action(index: int, size: float) -> None:
    @action(percent(size), id=f"size-{size:.0%}", checked=lambda c: _size_index(c) == index)
    def use(context: Context) -> None:
        """Size of everything; buttons and panels grow less than sheet and step sentence."""
        choose_size(context, size)


def _theme_action(name: str, text: str) -> None:
    @action(
        text,
        id=f"theme-{name}",
        checked=lambda c: c.settings.theme == name,
        search=f"theme colour color mode appearance {_THEME_WORDS.get(name, '')}",
    )
    def use(context: Context) -> None:
        """Colours of the window and the graph."""
        choose_theme(context, name)


def _part_action(name: str, text: str, words: str) -> None:
    @action(
        text,
        id=f"show-{name}",
        tooltip=f"Show or hide: {text.lower()}",
        checked=lambda c: c.shell.parts.shown(name),
        search=f"hide {words}",
    )
    def use(context: Context) -> None:
        context.shell.parts.toggle(name)


@action("All sl&iders", "S", search="values tweak drag change inputs")
def sliders(context: Context) -> None:
    """A slider for every leaf, on the page Why while nothing is selected."""
    parts = context.shell.parts
    # Why has the sliders of all leaves while nothing is selected
    if parts.page == "why" and not context.selection.anything:
        parts.toggle_page("why")
        return
    context.selection.clear()
    context.shell.show_page("why")


def _extra_action(name: Extra, text: str, tooltip: str) -> None:
    @action(
        text,
        id=f"extra-{name}",
        tooltip=tooltip,
        checked=lambda c: name in c.style.extras,
        search="slope slopes partial" if name == "slopes" else "",
    )
    def use(context: Context) -> None:
        context.style.set_extra(name, name not in context.style.extras)


def _notation_action(name: Notation, text: str) -> None:
    @action(
        text,
        id=f"notation-{name}",
        checked=lambda c: c.style.notation == name,
        search="notation symbol partial leibniz",
    )
    def use(context: Context) -> None:
        """How the derivative of the root is written, wherever it is."""
        context.style.set_notation(name)


def _digits_action(name: str, text: str) -> None:
    @action(
        text,
        id=f"digits-{name}",
        checked=lambda c: str(c.style.digits) == name,
        search="decimals precision rounding places",
    )
    def use(context: Context) -> None:
        """How precisely numbers are written, decimals and rounding."""
        choose_digits(context, name)


@action("&Fit selection", "F", when.has_nodes)
def fit_selection(context: Context) -> None:
    """Show the selection, or everything, as large as it fits."""
    context.canvas.framing.fit_selection()


@action(
    "Fit &all",
    "Shift+1",
    when.has_nodes,
    icon="fit",
    search="whole everything centre center zoom home",
)
def fit_all(context: Context) -> None:
    """Show the whole graph."""
    context.canvas.framing.fit_all()


@action("Zoom in", "+ =", icon="plus", search="larger bigger closer magnify")
def zoom_in(context: Context) -> None:
    """Look at the graph more closely, larger."""
    context.canvas.camera.zoom_by(_ZOOM_STEP)


@action("Zoom out", "-", icon="minus", search="smaller farther away")
def zoom_out(context: Context) -> None:
    """See more of the graph, smaller."""
    context.canvas.camera.zoom_by(1 / _ZOOM_STEP)


@action("Leave the fold", enabled=lambda c: c.document.inside is not None)
def leave_group(context: Context) -> None:
    """Show what is around the group that is looked into, as Esc and Backspace do."""
    context.canvas.groups.leave()


@action("Zoom to 100 %", "0")
def zoom_one(context: Context) -> None:
    """Show the graph in its actual size."""
    context.canvas.camera.set_zoom(1.0)


@action("Everything &larger", "Ctrl++ Ctrl+=", search="size big font scale bigger")
def larger(context: Context) -> None:
    """Make sheet and step sentence larger, up to 200 %; buttons and panels grow less."""
    change_size(context, +1)


@action("Everything &smaller", "Ctrl+-", search="size font scale")
def smaller(context: Context) -> None:
    """Make text, controls and graph smaller, down to 100 %."""
    change_size(context, -1)


@action("Usual size", "Ctrl+0", search="reset scale 100")
def usual_size(context: Context) -> None:
    """Reset the size of text, controls and graph to 100 %."""
    change_size(context, 0)


for index, size in enumerate(SIZES):
    _size_action(index, size)
_theme_action(FOLLOW_SYSTEM, "As the system")
for name in SCREEN_THEMES:
    _theme_action(name, name.capitalize())
_digits_action("2", "2 digits")
_digits_action("4", "4 digits")
_digits_action("shortest", "As many as needed")
_notation_action("partial", "∂L/∂a")
_notation_action("total", "dL/da")
_notation_action("grad", "a.grad")
for extra in _EXTRAS:
    _extra_action(*extra)


@action("&Motion", checked=lambda c: c.style.motion, search="animation animate reduce")
def motion(context: Context) -> None:
    """Let things move instead of jump."""
    context.style.set_motion(not context.style.motion)


@action(
    "Follow the step",
    "Shift+F",
    checked=lambda c: c.style.follows_step,
    search="scroll track camera",
)
def follow(context: Context) -> None:
    """Scroll as little as shows the step, where not everything is in view."""
    context.canvas.framing.toggle_follow()


@action("&Type a formula", "Ctrl+K")
def formula(context: Context) -> None:
    """Move the keyboard to the formula bar; Enter applies what is typed."""
    context.shell.focus_formula()


@action("Next part of the window", "F6")
def next_part(context: Context) -> None:
    """Move the keyboard to the next part of the window."""
    context.shell.focus_next_part(+1)


@action("Previous part of the window", "Shift+F6")
def previous_part(context: Context) -> None:
    """Move the keyboard to the part of the window before this one."""
    context.shell.focus_next_part(-1)


_part_action("toolbar", "Toolbar", "buttons")
_part_action("palette", "Palette", "operations rail")


@action("Palette as icons", id="fold-palette", checked=lambda c: c.shell.parts.rail())
def fold_palette(context: Context) -> None:
    """Show one column of icons, with the rest in fly-outs."""
    context.shell.parts.toggle_rail()


_part_action("bar", "Right bar", "pages side panel tabs")
for name, page in PAGES.items():
    _page_action(name, page)
_part_action("strip", "Steps", "timeline sentence playback")
_part_action("status", "Status line", "bottom")


@action("Usua&l parts", search="reset layout window default restore")
def usual_parts(context: Context) -> None:
    """Show all parts, as wide as the size of the window suggests."""
    context.shell.parts.reset()


@action(
    "F&ull screen",
    "F11",
    icon="fullscreen",
    checked=lambda c: c.shell.widget.isFullScreen(),
    search="fullscreen maximize maximise",
)
def full_screen(context: Context) -> None:
    """Use the whole screen, or a window again."""
    context.shell.toggle_full_screen()
