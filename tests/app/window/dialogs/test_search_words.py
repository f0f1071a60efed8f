"""The words that people type, and what they find first."""

import pytest

from app.window.commands import ACTIONS
from app.window.dialogs.action_list import ranked, search_words

FOUND = {
    "quiz": "predict",
    "test": "predict",
    "question": "predict",
    "exercise": "predict",
    "make an exercise": "exercise",
    "worksheet": "export-worksheet",
    "hand out": "export-handout",
    "phone": "export-page",
    "filmstrip": "export-strip",
    "gif": "export-gif",
    "take along": "lesson_take_along",
    "practice": "predict",
    "exam": "predict",
    "bug": "page-mistakes",
    "error": "page-mistakes",
    "debug": "page-mistakes",
    "mistake": "page-mistakes",
    "derivative": "page-why",
    "chain rule": "page-why",
    "path": "page-why",
    "paths": "page-why",
    "inspector": "page-why",
    "explain": "page-why",
    "history": "page-history",
    "versions": "page-history",
    "train": "page-train",
    "neural": "page-train",
    "network": "train",
    "csv": "train",
    "gradient descent": "descent",
    "learning rate": "descent",
    "sgd": "descent",
    "optimizer": "page-train",
    "numeric": "page-numeric",
    "check": "page-numeric",
    "verify": "page-numeric",
    "finite difference": "page-numeric",
    "pytorch": "export-pytorch",
    "epsilon": "page-numeric",
    "code": "page-code",
    "program": "page-code",
    "micrograd": "page-code",
    "source": "source",
    "lesson": "page-lesson",
    "tutorial": "page-lesson",
    "score": "page-lesson",
    "slider": "sliders",
    "blanks": "level-sum",
    "cover": "cover",
    "conceal": "cover",
    "solution": "reveal",
    "manual": "by_hand",
    "hunt": "hunt",
    "detective": "hunt",
    "backprop": "backward",
    "autograd": "backward",
    "evaluate": "forward",
    "step": "step",
    "play": "play",
    "animation": "motion",
    "tempo": "speed-0.5",
    "breakpoint": "toggle_break",
    "reset gradients": "zero_grad",
    "dark": "theme-dark",
    "dark mode": "theme-dark",
    "theme": "theme-dark",
    "font": "larger",
    "decimals": "digits-2",
    "leibniz": "notation-partial",
    "save": "save",
    "vector": "export-svg",
    "picture": "export-all",
    "screenshot": "copy_picture",
    "latex": "export-latex-fragment",
    "equation": "copy_latex",
    "undo": "undo",
    "remove": "delete",
    "rename": "label",
    "add": "op-add",
    "insert": "quick_add",
    "layout": "arrange",
    "group": "group",
    "random": "friendly",
    "loss": "mark_root",
    "fullscreen": "full_screen",
    "slides": "presentation",
    "beamer": "presentation",
    "help": "shortcuts",
    "hotkeys": "shortcuts",
    "license": "about",
    "exit": "quit",
    "homework": "save_report",
    "advanced": "all_tools",
    "side panel": "show-bar",
}


@pytest.mark.parametrize(("typed", "found"), FOUND.items())
def test_what_people_type_finds_what_they_mean(found_first, typed: str, found: str):
    assert found_first(typed) == found


@pytest.fixture(scope="module")
def found_first():
    class Made:
        def __init__(self, text: str) -> None:
            self._text = text

        def text(self) -> str:
            return self._text

    table = [(action, Made(action.text)) for action in ACTIONS]
    return lambda typed: ranked(typed, table, lambda action: True)[0][0].id  # type: ignore[arg-type]


def test_what_has_an_own_row_is_not_found_by_that_of_its_family():
    assert "night" in search_words("theme-dark")
    assert "night" not in search_words("theme-light")
    assert search_words("speed-1") == search_words("speed-4")
    assert search_words("no such action") == ""
