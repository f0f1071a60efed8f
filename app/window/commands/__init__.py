"""ACTIONS: everything the window can do; MENUS: where each of them is.

Each file of this package has the functions of one subject, and below them its actions as tuples.
An action that is in no menu is in the command palette alone.
"""

from collections.abc import Collection
from typing import Final

from msgspec.structs import replace

from app.window.actions import Action
from app.window.commands.asking_actions import ASKING, BY_HAND, EXERCISE
from app.window.commands.edit_actions import COPYING, EDIT
from app.window.commands.file_actions import FILE
from app.window.commands.graph_actions import GRAPH, GROUPS, OPERATIONS, SECTIONS
from app.window.commands.labels import LABELS, TOOLTIPS
from app.window.commands.lecture_actions import HANDS, PRESENTING
from app.window.commands.lesson_actions import FINAL_TEST, HELP, LEARN, LESSONS, TAKE_ALONG
from app.window.commands.run_actions import RIPPLE, RUN, TIME_MACHINE
from app.window.commands.sheet_lesson_actions import RECORDING
from app.window.commands.training_actions import TRAINING
from app.window.commands.view_actions import VIEW
from engine.ops import OPS

_FAMILIES = tuple(dict.fromkeys(op.family for op in OPS))
"""The kinds of operations, each once, in the order of the palette."""

MENUS: Final[dict[str, str]] = {
    "File": "new, open, >Open example | save, save_as | exercise | export, >Copy as | quit",
    "File/Open example": "",  # filled with the examples when it is opened
    "File/Copy as": "copy_picture | copy_text, copy_latex, copy_pass",
    "Edit": "undo, redo | cut, copy, paste, duplicate | delete, heal, unplug | >Select",
    "Edit/Select": "find | select_all, select_ancestors, select_descendants"
    " | next_section, select_content",
    "View": "fit_all, >Zoom | >Pages, >Parts | >On nodes, >Settings | >Presentation",
    "View/Zoom": "fit_selection, zoom_in, zoom_out, zoom_one | leave_group",
    "View/Pages": "page-*",
    "View/Parts": "all_tools | show-*, fold-palette, usual_parts | next_part, previous_part",
    "View/On nodes": "extra-* | follow",
    "View/Settings": ">Theme, >Size, >Digits, >Notation | motion",
    "View/Settings/Theme": "theme-*",
    "View/Settings/Size": "larger, smaller, usual_size | size-*",
    "View/Settings/Digits": "digits-*",
    "View/Settings/Notation": "notation-*",
    "View/Presentation": "presentation, lecture_anew, speaker | save_hands | full_screen",
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
    "Learn/Lessons": "lesson_continue, lesson_daily"
    ", final_test, test_of_number, where_begin, final_test_result, lesson_leave"
    " | lesson_show_me, lesson_put_back, lesson_take_along | lesson_back_to_graph"
    " | record_lesson, edit_lesson, add_step, present_step"
    " | begin_exercise"
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

FOLDED_UNTIL_USED: Final = frozenset(
    {
        *("page-mistakes", "page-train", "page-code", "page-history"),
        *("Run/Speed", "Run/Go to", "Run/Stops", "by_node", "Run/Say it in"),
        *("Learn/Blanks", "cover", "hunt", "ripple", "Learn/Mistakes", "save_report"),
    }
)
"""The lines hidden until they were used, or All tools is on: ids of actions, paths of submenus."""
_PAGE_OF_SUBMENU: Final = {"Learn/Mistakes": "page-mistakes"}
"""The page that shows the state of a submenu's actions, and unfolds with them."""
UNFOLDED_AFTER_PASS: Final = "ripple"
"""The line of `FOLDED_UNTIL_USED` that the first complete backward pass unfolds."""


def groups(entries: str) -> list[list[str]]:
    """Return the entries of a menu, such as one of `MENUS`, group by group."""
    return [group.split(", ") for group in entries.split(" | ") if group]


def action_ids_of(entry: str, ids: Collection[str]) -> list[str]:
    """Return the id that an entry of `MENUS` names, or those that its `prefix*` matches."""
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
        for name in action_ids_of(entry, ids)
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
    *HELP,
)
_MENU_PATHS = menu_paths({action.id: action for action in _TABLE})


def _labelled(action: Action) -> Action:
    """Return an action with its menu, and with its label and tooltip unless it has its own."""
    label = LABELS.get(action.id)
    return replace(
        action,
        menu=_MENU_PATHS.get(action.id, ""),
        tooltip=action.tooltip or TOOLTIPS.get(action.id, ""),
        **({} if label is None else label._asdict()),
    )


ACTIONS: tuple[Action, ...] = tuple(map(_labelled, _TABLE))
"""The table, each action with its label, its tooltip and its menu."""
