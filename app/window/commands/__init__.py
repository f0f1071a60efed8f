"""ACTIONS: everything the window can do; MENUS: where each of them is.

Each file of this package has the actions of one subject, each over the function that does it.
An action that is in no menu is in the command palette alone.
"""

from collections.abc import Collection
from typing import Final

from msgspec.structs import replace

from app.window.actions import Action, actions_of
from app.window.commands import (
    asking_actions,
    edit_actions,
    file_actions,
    graph_actions,
    lecture_actions,
    lesson_actions,
    run_actions,
    save_actions,
    sheet_lesson_actions,
    training_actions,
    view_actions,
)
from engine.ops import OPS

_FAMILIES = tuple(dict.fromkeys(op.family for op in OPS))
"""The kinds of operations, each once, in the order of the palette."""

MENUS: Final[dict[str, str]] = {
    "File": "new, open, >Open example | save, save_as | exercise | export, >Copy as | quit",
    "File/Open example": "",  # filled with the examples when it is opened
    "File/Copy as": "copy_picture | copy_text, copy_latex, copy_pass",
    "Edit": "undo, redo | cut, copy, paste, duplicate | delete, heal, unplug | >Select",
    "Edit/Select": "find | select_all, select_ancestors, select_descendants"
    " | next_group, select_content",
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
    "Build": "quick_add | label, edit_value, mark_root, >Change to"
    ", toggle_constant | >Fold, >Arrange, >Group | friendly",
    "Build/Change to": ", ".join(f">{family}" for family in _FAMILIES),
    **{
        f"Build/Change to/{family}": ", ".join(f"op-{op.name}" for op in OPS if op.family == family)
        for family in _FAMILIES
    },
    "Build/Fold": "unfold, fold",
    "Build/Arrange": "arrange, arrange_selection | arrange_down, arrange_selection_down",
    "Build/Group": "group, collapse_group, enter_group, unpack_group | draw_group, >Group colour",
    "Build/Group/Group colour": "group_colour-*",
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


def groups(entries: str) -> list[list[str]]:
    """Return the entries of a menu, such as one of `MENUS`, group by group."""
    return [group.split(", ") for group in entries.split(" | ") if group]


def action_ids_of(entry: str, ids: Collection[str]) -> list[str]:
    """Return the id that an entry of `MENUS` names, or those that its `prefix*` matches."""
    if not entry.endswith("*"):
        return [entry] if entry in ids else []
    return [name for name in ids if name.startswith(entry[:-1])]


def _placed(actions: tuple[Action, ...]) -> tuple[Action, ...]:
    """Return actions with the path of their menu, in the order of `MENUS`; then those in none."""
    ids = {action.id: action for action in actions}
    paths = {
        name: path
        for path, entries in MENUS.items()
        for group in groups(entries)
        for entry in group
        for name in action_ids_of(entry, ids)
    }
    in_menus = (replace(ids[name], menu=path) for name, path in paths.items())
    return (*in_menus, *(action for action in actions if action.id not in paths))


ACTIONS: tuple[Action, ...] = _placed(
    actions_of(
        file_actions,
        save_actions,
        edit_actions,
        view_actions,
        lecture_actions,
        graph_actions,
        run_actions,
        asking_actions,
        training_actions,
        lesson_actions,
        sheet_lesson_actions,
    )
)
"""The table, in the order of the menus, which is that of the command palette and of F1."""
