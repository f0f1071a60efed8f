"""ACTIONS: everything the window can do; MENUS: where each is; TOOLTIPS: what each does.

Each file of this package has the functions of one subject, and below them its actions as tuples.
An action that is in no menu is in the command palette alone.
"""

from collections.abc import Collection
from typing import Final

from msgspec.structs import replace

from app.window.actions import Action
from app.window.commands.asking import ASKING, BY_HAND, EXERCISE
from app.window.commands.edit import COPYING, EDIT
from app.window.commands.file import FILE
from app.window.commands.graph import GRAPH, GROUPS, OPERATIONS, SECTIONS
from app.window.commands.lecture import HANDS, LECTURE, PRESENTING
from app.window.commands.lessons import FINAL_TEST, HELP, LEARN, LESSONS, TAKE_ALONG
from app.window.commands.recording import RECORDING
from app.window.commands.run import RIPPLE, RUN, TIME_MACHINE
from app.window.commands.training import TRAINING
from app.window.commands.view import VIEW
from engine.ops import OPS

_FAMILIES = tuple(dict.fromkeys(op.family for op in OPS))
"""The kinds of operations, each once, in the order of the palette."""

MENUS: Final[dict[str, str]] = {
    "File": "new, open, >Open example | save, save_as | export, >Copy as | quit",
    "File/Open example": "",  # filled with the examples when it is opened
    "File/Copy as": "copy_picture | copy_text, copy_latex, copy_pass",
    "Edit": "undo, redo | cut, copy, paste, duplicate | delete, heal, unplug | >Select",
    "Edit/Select": "select_all, select_ancestors, select_descendants"
    " | next_section, select_content",
    "View": "fit_all, >Zoom | >Pages, >Parts | >On nodes, >Settings | >Presentation, full_screen",
    "View/Zoom": "fit_selection, zoom_in, zoom_out, zoom_one",
    "View/Pages": "page-*",
    "View/Parts": "all_tools | show-*, fold-palette, usual_parts | next_part, previous_part",
    "View/On nodes": "extra-* | follow",
    "View/Settings": ">Theme, >Size, >Digits, >Notation | motion",
    "View/Settings/Theme": "theme-*",
    "View/Settings/Size": "larger, smaller, usual_size | size-*",
    "View/Settings/Digits": "digits-*",
    "View/Settings/Notation": "notation-*",
    "View/Presentation": "presentation, speaker, remote | save_hands",
    "Build": "quick_add | label, edit_value, mark_root, >Change to, toggle_constant"
    " | >Fold, >Arrange, >Group | friendly",
    "Build/Change to": ", ".join(f">{family}" for family in _FAMILIES),
    **{
        f"Build/Change to/{family}": ", ".join(f"op-{op.name}" for op in OPS if op.family == family)
        for family in _FAMILIES
    },
    "Build/Fold": "unfold, fold",
    "Build/Arrange": "arrange, arrange_selection | arrange_down, arrange_selection_down",
    "Build/Group": "group, collapse_group, enter_group, unpack_group | section, >Section colour",
    "Build/Group/Section colour": "section_colour-*",
    "Run": "forward, backward | step, step_back, play, >Speed | >Go to, >Stops, by_node"
    " | >Say it in",
    "Run/Speed": "speed-*",
    "Run/Go to": "to_start, to_end, step_node, step_node_back | to_final, to_first_wrong | leave",
    "Run/Stops": "toggle_break, run_on, clear_breaks",
    "Run/Say it in": "voice-* | next_voice",
    "Learn": ">Lessons | predict, >Blanks, cover, >By hand | hunt, ripple, >Mistakes | >Train"
    " | save_report",
    "Learn/Lessons": "lesson_continue, lesson_daily, final_test, final_test_result, lesson_leave"
    " | lesson_show_me, lesson_put_back, lesson_take_along | lesson_back_to_graph"
    " | record_lesson, edit_lesson, end_recording"
    " | prepare_lecture, mark_step, try_lecture, append_lecture"
    " | exercise, begin_exercise, lift_exercise"
    " | >My progress",
    "Learn/Lessons/My progress": "lesson_export, lesson_hand_in | lesson_forget",
    "Learn/Blanks": "level-* | ask_*",
    "Learn/By hand": "by_hand | take_turn, take_back, fire_anyway, hand_hint | show_ready",
    "Learn/Mistakes": "rules-* | zero_grad, first_difference, mend, which_mistake",
    "Learn/Train": "train, descent",
    "Help": "start_page, commands, shortcuts | about",
}
"""The entries of each menu, by its path: ids of actions, with ">" the title of a submenu.

"|" separates groups. "speed-*" matches every id that begins with "speed-", in the table's order.
"""

TOOLTIPS: Final = {
    # File
    "new": "A new, blank canvas; press Tab there to add a node by name",
    "open": "Open a graph, a formula, a Python script, a lesson or a lecture",
    "save": "Write the graph to its file",
    "save_as": "Write the graph to another file, under a new name",
    "export": "Write a picture of this step, all steps, or the graph in another format",
    "quit": "Close the window and exit the program",
    "copy_picture": "Put a picture of this step on the clipboard",
    "copy_text": "Copy the chain rule of the selected node, or of this step, as text",
    "copy_latex": "Copy the chain rule of the selected node, or of this step, as LaTeX",
    "copy_pass": "Copy a sentence for each step, in the chosen voice",
    # Edit
    "paste": "Paste nodes, a formula, or a program",
    "heal": "Delete a node with one slot and join its neighbours",
    "unplug": "Take the selected wires off their slots",
    "select_ancestors": "Select the inputs, and the inputs of inputs, as well",
    "select_descendants": "Select everything that the selection feeds as well",
    "next_section": "Select the sections one after the other",
    "select_content": "Select the nodes and sections in the selected section as well",
    # View
    "fit_all": "Show the whole graph",
    "fit_selection": "Show the selection, or everything, as large as it fits",
    "zoom_in": "Look at the graph more closely, larger",
    "zoom_out": "See more of the graph, smaller",
    "zoom_one": "Show the graph in its actual size",
    "all_tools": "Show every page and every line of the menus, also those not used yet",
    "fold-palette": "Show one column of icons, with the rest in fly-outs",
    "usual_parts": "Show all parts, as wide as the size of the window suggests",
    "next_part": "Move the keyboard to the next part of the window",
    "previous_part": "Move the keyboard to the part of the window before this one",
    "follow": "Scroll as little as shows the step, where not everything is in view",
    "motion": "Let things move instead of jump",
    "larger": "Make sheet and step sentence larger, up to 200 %; buttons and panels grow less",
    "smaller": "Make text, controls and graph smaller, down to 100 %",
    "usual_size": "Reset the size of text, controls and graph to 100 %",
    "presentation": "Full screen with nothing but the graph and the step",
    "speaker": "Notes, hands and what comes next, for the speaker of a lecture alone",
    "remote": "Show which key a remote sends, and what it does in a lecture",
    "save_hands": "Write how many chose what in the lecture, and nothing about persons, to a file",
    # Build
    "quick_add": "Add a node by typing its name",
    "label": "Give the selected node another label, or the selected section another title",
    "edit_value": "Type another value for the selected leaf or constant",
    "mark_root": "The number whose gradients are wanted",
    "toggle_constant": "Turn the selected leaf into a constant, or back",
    "friendly": "Set the leaves so that a right answer differs from every slip",
    "unfold": "Open the selected operation in place into those that it is made of",
    "fold": "Close the parts of an operation that end in the selected node",
    "arrange": "Lay out the whole graph from left to right",
    "group": "Show the selected nodes as one",
    "collapse_group": "Show the parts of the selected group in place, or show it as one again",
    "enter_group": "Show nothing but the inside of the selected group; Backspace leaves it",
    "unpack_group": "Take the group away and leave what is in it",
    "section": "Draw a titled box around the selection; it moves what lies in it",
    # Run
    "forward": "Start the forward pass",
    "backward": "Start the backward pass at the seed",
    "step": "One step on",
    "step_back": "One step back",
    "play": "Play or pause",
    "by_node": "A step goes to the end of the current node",
    "to_start": "Back to where nothing is known yet",
    "to_end": "To the end of the pass",
    "step_node": "To the end of the current node",
    "step_node_back": "Back to where the current node began",
    "to_final": "Go to the last step at which the selected node receives",
    "to_first_wrong": "Go to the first step at which the mistake shows in the selected node",
    "leave": "Show all values and no gradients",
    "toggle_break": "Stop a pass whenever the selected node fires or receives",
    "run_on": "Go on to the next step at which a node with a stop fires or receives",
    "clear_breaks": "Let passes run through again",
    "next_voice": "Say each step in words, as maths or as code, in turn",
    # Learn
    "predict": "Each number is asked before it is shown; a wrong one is told what it is",
    "cover": "Hide the next number until it is clicked or stepped",
    "hunt": "A mistake is switched on; find out which one",
    "ripple": "Change the selected number a little, and see what it changes up to the root",
    "save_report": "Save what was asked and answered in this run, to be handed in",
    "lesson_continue": "Go on with the course: the lesson that was left, or the next one",
    "lesson_daily": "Up to five questions about your own slips, when they are due",
    "final_test": "Eight questions and one whole graph, one try each; the verdicts come at the end",
    "final_test_result": "The answers to the test that has ended, and the score",
    "lesson_leave": "The graph stays as it is; Continue goes on with the lesson",
    "lesson_show_me": "Show how this step of the lesson is done",
    "lesson_put_back": "The graph and the pass with which this step of the lesson began",
    "lesson_take_along": "Write this lesson into a folder: a page for phones,"
    " a worksheet with its key, and a strip of its steps",
    "lesson_back_to_graph": "The graph that was there before the lesson",
    "record_lesson": "Write a lesson on the sheet: each step takes it as it is",
    "edit_lesson": "Open the lesson that is on, or was left, in the recorder",
    "end_recording": "Close the recorder; it asks about a lesson that is not saved",
    "prepare_lecture": "The marks of a lecture in order, with questions, timers"
    " and the speaker's notes",
    "mark_step": "A mark of a lecture at the step shown, or at the selected node or wire",
    "try_lecture": "Present the lecture from the chosen mark on",
    "append_lecture": "Add the marks and their graph at the end of the file of another lecture",
    "exercise": "Give the graph a task, so that its file opens as an exercise",
    "begin_exercise": "Begin the mode in which this exercise is done",
    "lift_exercise": "Take the task away, and let the wiring change again",
    "lesson_hand_in": "Save your progress with your name, for your teacher's backwire grade",
    "level-contribution and sum": "What goes down a wire, and what its receiver holds then",
    "level-slope": "The slope of each step, also called local derivative",
    "level-contribution": "What goes down a wire",
    "level-sum": "What a node holds after each contribution but its first",
    "level-whole step": "Gradient, slope, contribution and sum of each step",
    "level-final gradients": "The gradients of the leaves, before the pass begins",
    "level-values": "The value of each node, in the forward pass",
    "level-next node": "Which node may fire next; the answer is a click",
    "by_hand": "Set the seed, then click the node that fires next; any valid order is right",
    "take_turn": "Take the turn that the program would take",
    "take_back": "Take back the last turn; Backspace does so, too",
    "fire_anyway": "Let the refused node fire before all has come, and see the damage",
    "hand_hint": "How many nodes may fire; once more: which one",
    "show_ready": "Mark the nodes that may fire now",
    "zero_grad": "Zero every gradient before backward, which the mistake forgets",
    "first_difference": "To the step at which the mistake first shows",
    "mend": "Find where the mistake shows first, say why, and choose the line to mend",
    "which_mistake": "Type the gradients that your program printed,"
    " and see which mistakes give them",
    "train": "Train a network on samples, and watch its boundary and its losses",
    "descent": "Move the leaves against their gradients, step by step or epoch by epoch",
    # Help
    "start_page": "Examples, recent files, and a place to type a formula",
    "commands": "Find any action by typing",
    # the command palette alone
    "hunt_point": "Say that the step that is shown is the first that differs from the correct pass",
    "escape": "Cancel the gesture; else end the ripple, clear the selection, leave mode or pass",
    "forget_recent": "Clear the list on the start page and in the command palette",
    "save_lecture": "Write the marks, with their graph and the speaker's notes, to a file",
    "page_on": "The next step of a lesson; else one step of the pass, or a question skipped",
    "page_back": "The step before in a lesson; else one step of the pass back",
    "reveal": "Show the number that is asked for, without stepping",
    "ripple_down": "From 1 to 0.1, 0.01 and 0.001, then again from 1",
    "source": "Show the graph compiled to one function of Python, beside the sheet",
    "sliders": "A slider for every leaf, on the page Why while nothing is selected",
}
"""What each action does, in a sentence without its full stop; the command palette searches it."""

FOLDED_UNTIL_USED: Final = frozenset(
    {
        *("page-mistakes", "page-train", "page-code", "page-history"),
        *("Run/Speed", "Run/Go to", "Run/Stops", "by_node", "Run/Say it in"),
        *("predict", "Learn/Blanks", "cover", "hunt", "ripple", "Learn/Mistakes", "save_report"),
    }
)
"""The lines hidden until they were used, or All tools is on: ids of actions, paths of submenus."""
_PAGE_OF_SUBMENU: Final = {"Learn/Mistakes": "page-mistakes"}
"""The page that shows the state of a submenu's actions, and unfolds with them."""
UNFOLDED_AFTER_PASS: Final = ("predict", "ripple")
"""The lines of `FOLDED_UNTIL_USED` that the first complete backward pass unfolds."""


def groups(entries: str) -> list[list[str]]:
    """Return the entries of a menu, such as one of `MENUS`, group by group."""
    return [group.split(", ") for group in entries.split(" | ") if group]


def matching_ids(entry: str, ids: Collection[str]) -> list[str]:
    """Return the ids that an entry of `MENUS` names or matches."""
    if not entry.endswith("*"):
        return [entry] if entry in ids else []
    return [name for name in ids if name.startswith(entry[:-1])]


def menu_paths(ids: Collection[str]) -> dict[str, str]:
    """Return the path of the menu of each action that `MENUS` lists."""
    return {
        name: path
        for path, entries in MENUS.items()
        for group in groups(entries)
        for entry in group
        for name in matching_ids(entry, ids)
    }


def folded_lines_of(name: str, menu: str) -> set[str]:
    """Return the folded lines that using an action unfolds: its own, its submenus, their page."""
    parts = menu.split("/")
    # from the second part on: the first is a menu of the menu bar, which is never folded
    submenus = {"/".join(parts[:count]) for count in range(2, len(parts) + 1)}
    found = ({name} | submenus) & FOLDED_UNTIL_USED
    return found | {_PAGE_OF_SUBMENU[line] for line in found & _PAGE_OF_SUBMENU.keys()}


_TABLE: tuple[Action, ...] = (
    *FILE,
    *EDIT,
    *VIEW,
    *PRESENTING,
    *HANDS,
    *GRAPH,
    *OPERATIONS,
    *GROUPS,
    *SECTIONS,
    *RUN,
    *BY_HAND,
    *ASKING,
    *EXERCISE,
    *RIPPLE,
    *TRAINING,
    *TIME_MACHINE,
    *COPYING,
    *LEARN,
    *LESSONS,
    *TAKE_ALONG,
    *FINAL_TEST,
    *RECORDING,
    *LECTURE,
    *HELP,
)
_MENU_PATHS = menu_paths({action.id: action for action in _TABLE})

ACTIONS: tuple[Action, ...] = tuple(
    replace(
        action,
        menu=_MENU_PATHS.get(action.id, ""),
        tooltip=action.tooltip or TOOLTIPS.get(action.id, ""),
    )
    for action in _TABLE
)
"""The table, each action with its menu and its tooltip."""
