"""The words by which people look for an action that is called something else."""

from functools import cache
from typing import Final

_WORDS: Final[dict[str, str]] = {
    # pages
    "page-lesson": "course tutorial learn teach student report score points results answers slip",
    "page-why": "derivative chain rule explain because path paths inspector details partial reason",
    "page-numeric": "check verify numerical gradient finite difference quotient nudge h torch"
    " pytorch compare epsilon",
    "page-mistakes": "bug bugs error wrong broken fault debug lab",
    "page-train": "training learning optimizer optimiser fit neural machine",
    "page-code": "python program listing micrograd numpy",
    "page-history": "past changes versions log earlier",
    # file
    "new": "blank empty clear start",
    "open": "load import file read",
    "save": "write store keep file",
    "save_as": "rename write lecture",
    "forget_recent": "clear privacy last files",
    "export": "picture figure image print",
    "export-*": "export save write figure image",
    "export-svg": "export save write figure image vector",
    "copy_picture": "screenshot image clipboard figure",
    "copy_text": "copy clipboard explanation chain rule",
    "copy_latex": "copy clipboard formula tex equation",
    "copy_pass": "copy clipboard steps narration",
    "quit": "exit close end leave",
    # edit
    "undo": "revert back mistake",
    "redo": "again repeat",
    "delete": "remove erase clear",
    "heal": "remove bypass keep wires",
    "unplug": "disconnect cut wire remove",
    "duplicate": "copy twice clone",
    "escape": "cancel stop abort",
    # view
    "fit_all": "whole everything centre center zoom home",
    "zoom_in": "larger bigger closer magnify",
    "zoom_out": "smaller farther away",
    "larger": "size big font scale bigger",
    "smaller": "size font scale",
    "usual_size": "reset scale 100",
    "theme-*": "theme colour color mode appearance",
    "theme-dark": "theme colour color mode appearance night black",
    "theme-light": "theme colour color mode appearance day white bright",
    "digits-*": "decimals precision rounding places",
    "notation-*": "notation symbol partial leibniz",
    "extra-slopes": "slope slopes partial",
    "motion": "animation animate reduce",
    "follow": "scroll track camera",
    "sliders": "values tweak drag change inputs",
    "show-toolbar": "hide buttons",
    "show-palette": "hide operations rail",
    "show-bar": "hide pages side panel tabs",
    "show-strip": "hide timeline sentence playback",
    "show-status": "hide bottom",
    "usual_parts": "reset layout window default restore",
    "all_tools": "advanced expert more everything features unlock",
    "presentation": "present beamer projector slides lecture talk classroom",
    "full_screen": "fullscreen maximize maximise",
    # build
    "quick_add": "insert create operation node plus",
    "label": "rename name title",
    "edit_value": "number data change set",
    "mark_root": "output loss seed end",
    "toggle_constant": "freeze fixed parameter const",
    "unfold": "expand decompose open parts",
    "fold": "collapse simplify",
    "arrange": "layout tidy order clean align",
    "arrange_down": "vertical layout",
    "group": "combine box module block",
    "section": "frame box comment annotate",
    "friendly": "random small nice integers other values numbers shuffle",
    # run
    "forward": "evaluate compute calculate run values",
    "backward": "backprop backpropagation gradient gradients autograd reverse run",
    "step": "next one",
    "step_back": "previous rewind",
    "play": "start pause animate watch",
    "speed-*": "speed tempo fast slow pace",
    "to_start": "beginning first rewind reset",
    "to_end": "finish last skip",
    "leave": "values only live reset stop",
    "toggle_break": "breakpoint pause stop",
    "run_on": "continue resume breakpoint",
    "clear_breaks": "breakpoints remove",
    "voice-*": "voice sentence language narration say",
    "by_node": "breakpoint coarse",
    # learn
    "predict": "quiz test question questions exercise practice practise predict exam guess",
    "level-*": "blanks difficulty ask",
    "ask_*": "blanks which ask",
    "lesson_continue": "course tutorial resume go on open lessons",
    "lesson_leave": "course end stop exit",
    "lesson_export": "course save results report progress",
    "cover": "hide peek conceal ask room class audience",
    "reveal": "solution answer uncover show",
    "by_hand": "manual myself self order click schedule",
    "hunt": "find detective search game",
    "rules-*": "mistake",
    "mend": "repair correct debug",
    "which_mistake": "diagnose printed output program numbers",
    "zero_grad": "reset gradients accumulate clear",
    "first_difference": "diverge wrong where",
    "train": "network mlp boundary moons epochs samples dataset csv",
    "descent": "gradient sgd optimize optimise minimize minimise learning rate eta",
    "ripple": "perturb wiggle nudge change forward sensitivity delta influence",
    "ripple_down": "lower perturb smaller",
    "exercise": "assignment hand out student task teacher lock worksheet homework",
    "begin_exercise": "start task",
    "lift_exercise": "remove task unlock teacher",
    "save_report": "hand in homework submit",
    "source": "compiled function python",
    # help
    "start_page": "welcome examples recent begin",
    "commands": "search find",
    "shortcuts": "help hotkeys keybindings keymap manual",
    "about": "version licence license credits",
}
"""By id; "speed-*" is for all actions whose ids begin so and that have no words of their own."""


@cache
def words_of(name: str) -> str:
    """Return the words for an action, or ""."""
    found = _WORDS.get(name)
    if found is None:
        begins = (key for key in _WORDS if key.endswith("*") and name.startswith(key[:-1]))
        found = _WORDS.get(next(begins, ""), "")
    return found
