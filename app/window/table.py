"""ACTIONS: everything the window can do, in the order of its menus."""

from __future__ import annotations

from app.window import conditions as when
from app.window.actions import Action
from app.window.settings import FOLLOW_SYSTEM
from engine.formats import FORMATS
from engine.rules import CORRECT, MISTAKES, Rules

MENUS = ("&File", "&Edit", "&View", "&Graph", "&Run", "&Learn", "&Help")
"""The menu bar; `Action.menu` leaves out the marks."""

FILE = (
    Action("new", "&New", lambda w: w.filing.new(), ("Ctrl+N",), "new", "File"),
    Action("open", "&Open…", lambda w: w.filing.ask_open(), ("Ctrl+O",), "open", "File"),
    Action("save", "&Save", lambda w: w.filing.save(), ("Ctrl+S",), "save", "File", gap=True),
    Action("save_as", "Save &as…", lambda w: w.filing.ask_save(), ("Ctrl+Shift+S",), "", "File"),
    Action(
        "export",
        "&Export…",
        lambda w: w.exporting.ask(),
        ("Ctrl+E",),
        "export",
        "File",
        "Write a picture of this step, all steps, or the graph in another format",
        when.has_nodes,
        gap=True,
    ),
    Action(
        "copy_picture",
        "Copy as picture",
        lambda w: w.exporting.copy_picture(),
        ("Ctrl+Shift+C",),
        "picture",
        "File",
        "Put a picture of this step on the clipboard",
        when.has_nodes,
    ),
    Action("quit", "&Quit", lambda w: w.close(), ("Ctrl+Q",), "", "File", gap=True),
)


def _picture(form: str) -> Action:
    return Action(
        f"export-{form}",
        f"Picture of this step as {form.upper()}…",
        lambda w: w.exporting.ask(form),
        menu="File/Export as",
        enabled=when.has_nodes,
    )


def _written(name: str, title: str) -> Action:
    return Action(
        f"export-{name}",
        f"{title}…",
        lambda w: w.exporting.ask(name),
        menu="File/Export as",
        enabled=when.has_nodes,
    )


EXPORTS = (
    *(_picture(form) for form in ("png", "svg", "pdf")),
    Action(
        "export-all",
        "Pictures of all steps…",
        lambda w: w.exporting.ask("png", all_steps=True),
        menu="File/Export as",
        enabled=when.has_nodes,
    ),
    *(_written(found.name, found.title) for found in FORMATS if found.write),
)

EDIT = (
    Action(
        "undo",
        "&Undo",
        lambda w: w.document.stack.undo(),
        ("Ctrl+Z",),
        "undo",
        "Edit",
        enabled=when.can_undo,
    ),
    Action(
        "redo",
        "&Redo",
        lambda w: w.document.stack.redo(),
        ("Ctrl+Shift+Z", "Ctrl+Y"),
        "redo",
        "Edit",
        enabled=when.can_redo,
    ),
    Action(
        "cut",
        "Cu&t",
        lambda w: w.canvas.cut(),
        ("Ctrl+X",),
        "",
        "Edit",
        enabled=when.some_chosen,
        gap=True,
    ),
    Action(
        "copy",
        "&Copy",
        lambda w: w.canvas.copy(),
        ("Ctrl+C",),
        "copy",
        "Edit",
        enabled=when.some_chosen,
    ),
    Action(
        "paste",
        "&Paste",
        lambda w: w.canvas.paste(),
        ("Ctrl+V",),
        "",
        "Edit",
        "Paste nodes, a formula, or a program",
    ),
    Action(
        "duplicate",
        "&Duplicate",
        lambda w: w.canvas.duplicate(),
        ("Ctrl+D",),
        "",
        "Edit",
        enabled=when.some_chosen,
    ),
    Action(
        "delete",
        "De&lete",
        lambda w: w.canvas.delete_selected(),
        ("Del",),
        "trash",
        "Edit",
        enabled=when.anything_chosen,
        gap=True,
    ),
    Action(
        "heal",
        "Delete and &join",
        lambda w: w.canvas.delete_selected(heal=True),
        ("Ctrl+Del", "Backspace", "Ctrl+Backspace"),
        "",
        "Edit",
        "Delete a node with one slot and join its neighbours",
        when.some_chosen,
    ),
    Action(
        "select_all",
        "Select &all",
        lambda w: w.selection.choose_all(),
        ("Ctrl+A",),
        "",
        "Edit",
        enabled=when.has_nodes,
        gap=True,
    ),
    Action(
        "select_ancestors",
        "Select ancestors",
        lambda w: w.selection.choose_ancestors(),
        ("Ctrl+Shift+Left",),
        "",
        "Edit",
        "Select the inputs, and the inputs of inputs, as well",
        when.some_chosen,
    ),
    Action(
        "select_descendants",
        "Select descendants",
        lambda w: w.selection.choose_descendants(),
        ("Ctrl+Shift+Right",),
        "",
        "Edit",
        "Select everything that the selection feeds as well",
        when.some_chosen,
    ),
    Action(
        "escape",
        "Let go",
        lambda w: w.escape(),
        ("Esc",),
        "",
        "Edit",
        "Cancel the gesture, then clear the selection, then leave the pass",
    ),
)


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


VIEW = (
    Action(
        "fit_selection",
        "&Fit selection",
        lambda w: w.canvas.fit_selection(),
        ("F",),
        "",
        "View",
        "Show the selection, or everything, as large as it fits",
        when.has_nodes,
    ),
    Action(
        "fit_all",
        "Fit &all",
        lambda w: w.canvas.fit_all(),
        ("Shift+1", "!"),
        "fit",
        "View",
        "Show the whole graph",
        when.has_nodes,
    ),
    Action("zoom_in", "Zoom in", lambda w: w.canvas.zoom_by(1.25), ("+", "="), "plus", "View"),
    Action("zoom_out", "Zoom out", lambda w: w.canvas.zoom_by(0.8), ("-",), "minus", "View"),
    Action("zoom_one", "Zoom to 100 %", lambda w: w.canvas.set_zoom(1.0), ("0",), "", "View"),
    Action(
        "larger",
        "Everything &larger",
        lambda w: w.viewing.resize_everything(+1),
        ("Ctrl++", "Ctrl+=", "Ctrl+Shift++"),
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

GRAPH = (
    Action(
        "quick_add",
        "&Add a node…",
        lambda w: w.quick_add(),
        ("Tab",),
        "plus",
        "Graph",
        "Add a node by typing its name",
        on_canvas=True,
    ),
    Action(
        "label",
        "&Label",
        lambda w: w.canvas.label_selected(),
        ("F2",),
        "",
        "Graph",
        "Give the selected node another label",
        when.markable_chosen,
    ),
    Action(
        "edit_value",
        "Edit &value",
        lambda w: w.canvas.edit_value_selected(),
        menu="Graph",
        tip="Type another value for the selected leaf or constant",
        enabled=when.number_chosen,
    ),
    Action(
        "mark_root",
        "&Mark as root",
        lambda w: w.running.mark_chosen(),
        icon="flag",
        menu="Graph",
        tip="The number whose gradients are wanted",
        enabled=when.markable_chosen,
        gap=True,
    ),
    Action(
        "activate_root",
        "Make this the active root",
        lambda w: w.running.activate_chosen(),
        menu="Graph",
        enabled=when.other_root_chosen,
    ),
    Action(
        "toggle_constant",
        "Make leaf or constant",
        lambda w: w.running.toggle_constant(),
        menu="Graph",
        tip="Turn the selected leaf into a constant, or back",
        enabled=when.number_chosen,
    ),
    Action(
        "arrange",
        "A&rrange",
        lambda w: w.canvas.arrange(),
        ("Ctrl+L",),
        "arrange",
        "Graph",
        "Lay out the whole graph from left to right",
        when.has_nodes,
        gap=True,
    ),
    Action(
        "arrange_selection",
        "Arrange selection",
        lambda w: w.canvas.arrange(only_selected=True),
        ("Ctrl+Shift+L",),
        "",
        "Graph",
        enabled=when.some_chosen,
    ),
    Action(
        "arrange_down",
        "Arrange from top to bottom",
        lambda w: w.canvas.arrange(direction="TB"),
        menu="Graph",
        enabled=when.has_nodes,
    ),
)


def _rules(rules: Rules) -> Action:
    return Action(
        f"rules-{rules.name}",
        rules.title,
        lambda w: w.playback.set_rules(rules),
        menu="Run/Mistakes",
        tip=rules.sentence,
        checked=lambda w: w.playback.rules == rules,
    )


RUN = (
    Action(
        "backward",
        "&Backward",
        lambda w: w.playback.backward(),
        ("B",),
        "backward",
        "Run",
        "Start the backward pass at the seed",
        when.has_nodes,
    ),
    Action(
        "forward",
        "&Forward",
        lambda w: w.running.forward(),
        ("Shift+B",),
        "forward",
        "Run",
        "Start the forward pass",
        when.has_nodes,
    ),
    Action(
        "step",
        "&Step",
        lambda w: w.playback.step(),
        ("Right", "PgDown"),
        "step",
        "Run",
        "One step on",
        when.has_nodes,
        gap=True,
    ),
    Action(
        "step_back",
        "Step &back",
        lambda w: w.playback.step_back(),
        ("Left", "PgUp"),
        "step_back",
        "Run",
        "One step back",
        when.in_a_pass,
    ),
    Action(
        "step_node",
        "Step a whole node",
        lambda w: w.playback.step_node(),
        ("Shift+Right", "Shift+PgDown"),
        "",
        "Run",
        "To the end of the current node",
        when.has_nodes,
    ),
    Action(
        "step_node_back",
        "Back a whole node",
        lambda w: w.playback.step_node_back(),
        ("Shift+Left", "Shift+PgUp"),
        "",
        "Run",
        "Back to where the current node began",
        when.in_a_pass,
    ),
    Action(
        "to_start",
        "To the start",
        lambda w: w.playback.to_start(),
        ("Home",),
        "first",
        "Run",
        "Back to where nothing is known yet",
        when.in_a_pass,
    ),
    Action(
        "to_end",
        "To the end",
        lambda w: w.playback.to_end(),
        ("End",),
        "last",
        "Run",
        "To the end of the pass",
        when.has_nodes,
    ),
    Action(
        "play",
        "&Play",
        lambda w: w.playback.toggle_play(),
        ("Return", "Enter"),
        "play",
        "Run",
        "Play or pause",
        when.has_nodes,
        lambda w: w.playback.playing,
    ),
    Action(
        "by_node",
        "Stop after each &node",
        lambda w: w.playback.set_by_node(not w.playback.by_node),
        menu="Run",
        tip="A step goes to the end of the current node",
        checked=lambda w: w.playback.by_node,
        gap=True,
    ),
    Action(
        "cover",
        "&Cover the next number",
        lambda w: w.playback.set_cover(not w.playback.cover),
        ("C",),
        "cover",
        "Run",
        "Hide the next contribution until it is clicked or stepped",
        checked=lambda w: w.playback.cover,
    ),
    Action(
        "leave",
        "&Leave the pass",
        lambda w: w.playback.leave(),
        menu="Run",
        tip="Show all values and no gradients",
        enabled=when.in_a_pass,
    ),
    _rules(CORRECT),
    *(_rules(rules) for rules in MISTAKES),
    Action(
        "zero_grad",
        "&Zero grad",
        lambda w: w.running.zero_grad(),
        icon="zero",
        menu="Run",
        tip="Zero every gradient before backward, which the mistake forgets",
        enabled=when.needs_zeroing,
        hides=True,
    ),
)

LEARN = (
    Action(
        "start_page",
        "&Start page",
        lambda w: w.show_start_page(),
        (),
        "home",
        "Learn",
        "Examples, recent files, and a place to type a formula",
    ),
)

HELP = (
    Action(
        "commands",
        "&Command palette…",
        lambda w: w.show_commands(),
        ("Ctrl+Shift+P",),
        "search",
        "Help",
        "Find any action by typing",
    ),
    Action(
        "shortcuts",
        "&Keyboard shortcuts…",
        lambda w: w.show_shortcuts(),
        ("F1", "?"),
        "keyboard",
        "Help",
    ),
    Action("about", "&About Backwire", lambda w: w.show_about(), menu="Help", gap=True),
)

ACTIONS: tuple[Action, ...] = (*FILE, *EXPORTS, *EDIT, *VIEW, *GRAPH, *RUN, *LEARN, *HELP)
